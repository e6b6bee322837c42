//! Which of our languages a text is in, by its most frequent words, and what that lets a reader tell.

use super::lexicon::{Lexicon, Spoken};
use super::scan::{CODE, MARK, Scan, WIDE};

/// A text's language, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tongue {
    /// Languages whose words count.
    pub(super) spoken: Spoken,
    /// Whether it is one of ours at all: if not, no value is told from its sentences.
    pub(super) known: bool,
    /// Whether a capital inside a sentence shows a name.
    pub(super) capitals_name: bool,
}

/// So many words, and fewer than a tenth of them known, is a language that is none of ours.
const ENOUGH_WORDS: usize = 8;

/// Listens to a text.
pub(super) fn hear(scan: &Scan, lexicon: &Lexicon) -> Tongue {
    let mut votes = [0_usize; 8];
    let mut words = 0;
    for token in scan.tokens.iter().filter(|token| !token.any(MARK | CODE)) {
        // Scripts without spaces are all known here: their characters vote, and need no majority.
        words += usize::from(!token.is(WIDE));
        let mut languages = lexicon.languages(token.word);
        while languages != 0 {
            votes[languages.trailing_zeros() as usize] += 1;
            languages &= languages - 1;
        }
    }
    let most = votes.iter().copied().max().unwrap_or(0);
    let nouns =
        lexicon.capital_nouns.iter().zip(votes).any(|(&nouns, vote)| nouns && vote == most && most > 0);
    Tongue {
        spoken: Spoken::by_votes(votes),
        known: words < ENOUGH_WORDS || most * 10 >= words,
        capitals_name: !nouns,
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::LEXICON;
    use super::super::scan::scan;
    use super::*;

    fn tongue(text: &str) -> Tongue {
        hear(&scan(text, &LEXICON), &LEXICON)
    }

    #[test]
    fn capitals_name_where_nouns_have_none() {
        assert!(tongue("The lease was signed by Rosa Lind.").capitals_name);
        assert!(!tongue("Der Vertrag ist von der Mieterin und dem Vermieter.").capitals_name);
    }

    #[test]
    fn a_foreign_language_is_known_to_be_none_of_ours() {
        assert!(
            !tongue("Nie mogę anulować tego zamówienia, proszę skontaktować się z obsługą klienta.").known
        );
        assert!(tongue("31").known);
        assert!(tongue("我无法取消订单，请您联系客服人员处理这件事情。").known);
    }
}
