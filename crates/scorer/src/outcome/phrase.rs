//! The phrases of one sentence: at each word the longest that may stand there and is not voided by what
//! stands before it. `The customer was not charged` claims nothing; `if it has been paid` neither.

use super::lexicon::{Kind, Lexicon, Parts};
use super::machine::Accept;
use super::scan::{CAPITAL, CODE, HARD, MARK, PARTS, QUOTED, Sentence, TITLE, Token};
use super::tongue::Tongue;

/// A phrase found in a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Phrase {
    /// What it says.
    pub(super) kind: Kind,
    /// Its first token.
    pub(super) first: usize,
    /// The token after its last.
    pub(super) last: usize,
}

/// Finds the phrases of a text's sentences.
pub(super) struct Finder<'f> {
    /// All tokens of the text.
    pub(super) tokens: &'f [Token],
    /// The phrases to look for.
    pub(super) lexicon: &'f Lexicon,
    /// The text's language.
    pub(super) tongue: Tongue,
}

impl Finder<'_> {
    /// Puts the phrases of a sentence, in order, in place of what `phrases` held.
    pub(super) fn find(&self, sentence: Sentence, phrases: &mut Vec<Phrase>) {
        phrases.clear();
        let mut before = Before::of(sentence);
        let mut ignores = false;
        for at in sentence.first..sentence.last {
            let token = self.tokens[at];
            if token.is(MARK) {
                before.begin_clause(at + 1);
                continue;
            }
            if !token.any(QUOTED | CODE)
                && let Some(phrase) = self.longest(at, sentence, before)
                && !before.voids(phrase.kind, sentence)
                && !self.denies_itself(phrase)
            {
                ignores |= phrase.kind == Kind::Ignore;
                phrases.push(phrase);
            }
            before.pass(at, token, self.parts(token));
        }
        if ignores {
            drop_ignored(phrases);
        }
    }

    /// Whether a new segment begins with this token.
    pub(super) fn begins_segment(&self, at: usize) -> bool {
        let token = self.tokens[at];
        token.is(PARTS) || self.parts(token).has(Parts::BREAK)
    }

    /// Whether a sentence concedes something first, and says what it has to say after a comma.
    pub(super) fn concedes(&self, sentence: Sentence) -> bool {
        self.parts(self.tokens[sentence.first]).has(Parts::CONCESSIVE)
    }

    /// Whether an inability beside this phrase hangs on it: `without the number`, `until you tell me`.
    pub(super) fn is_condition(&self, phrase: &Phrase) -> bool {
        let asks_under = || self.parts(self.tokens[phrase.first]).has(Parts::CONDITIONAL);
        phrase.kind == Kind::Condition || (phrase.kind == Kind::Ask && asks_under())
    }

    fn parts(&self, token: Token) -> Parts {
        self.lexicon.parts(token.word, self.tongue.spoken)
    }

    fn longest(&self, at: usize, sentence: Sentence, before: Before) -> Option<Phrase> {
        let tokens = &self.tokens[..sentence.last];
        let mut best: Option<Phrase> = None;
        let mut keep_longest = |accept: Accept, last: usize| {
            let phrase = Phrase { kind: Kind::ALL[usize::from(accept.kind)], first: at, last };
            let longer = best.is_none_or(|best| (last, best.kind) > (best.last, phrase.kind));
            if longer && self.stands(accept, last, sentence, before) {
                best = Some(phrase);
            }
        };
        self.lexicon.machine.walk(tokens, at, before.clause, &mut keep_longest);
        best
    }

    fn stands(&self, accept: Accept, last: usize, sentence: Sentence, before: Before) -> bool {
        let ends = || last == sentence.last || self.tokens[last].is(MARK) || self.begins_segment(last);
        (!accept.place.clause_start || before.clause_start)
            && !(accept.after_gap && before.numbered)
            && (!accept.place.question || sentence.question)
            && (!accept.place.segment_end || ends())
    }

    /// Whether a claim has a `not` or an `if` between its own words.
    fn denies_itself(&self, phrase: Phrase) -> bool {
        let words = &self.tokens[phrase.first..phrase.last];
        let denied = words.iter().any(|token| self.parts(*token).has(Parts::NEGATOR | Parts::CONDITIONAL));
        denied && matches!(phrase.kind, Kind::Claim | Kind::Report)
    }
}

/// Drops phrases that say nothing, and what begins or ends in them. What reaches over one on both sides stays:
/// `tools that I have been given cannot`.
fn drop_ignored(phrases: &mut Vec<Phrase>) {
    let mut until = 0;
    let mut kept: Vec<Phrase> = Vec::with_capacity(phrases.len());
    for phrase in phrases.drain(..) {
        if phrase.kind == Kind::Ignore {
            until = until.max(phrase.last);
            // Phrases are short, so this looks back a few steps.
            let near = kept
                .iter()
                .rposition(|earlier| earlier.first + LONGEST < phrase.first)
                .map_or(0, |at| at + 1);
            let ends_inside = |earlier: &Phrase| earlier.last > phrase.first && earlier.last <= phrase.last;
            let mut rest = kept.split_off(near);
            rest.retain(|earlier| !ends_inside(earlier));
            kept.append(&mut rest);
        } else if phrase.first >= until {
            kept.push(phrase);
        }
    }
    *phrases = kept;
}

/// No phrase has more words: far more than the longest pattern with its gaps filled.
const LONGEST: usize = 48;

/// What stands before a word in its sentence.
#[derive(Debug, Clone, Copy)]
struct Before {
    /// Where the clause begins, words that may lead into it left out.
    clause: usize,
    clause_start: bool,
    /// The clause begins with a number, as the line of a log does.
    numbered: bool,
    /// A `not` in this clause.
    negated: bool,
    /// An `if` in this clause.
    supposed: bool,
    /// An `if` anywhere before.
    conditional: bool,
}

impl Before {
    fn of(sentence: Sentence) -> Self {
        Self {
            clause: sentence.first,
            clause_start: true,
            numbered: false,
            negated: false,
            supposed: false,
            conditional: false,
        }
    }

    fn begin_clause(&mut self, at: usize) {
        *self = Self {
            clause: at,
            clause_start: true,
            numbered: false,
            negated: false,
            supposed: false,
            ..*self
        };
    }

    fn pass(&mut self, at: usize, token: Token, parts: Parts) {
        if parts.has(Parts::BREAK) {
            self.begin_clause(at + 1);
            return;
        }
        self.numbered |= self.clause_start && token.is(HARD) && !token.is(CAPITAL);
        // A month or a name is no negation, whatever its letters.
        self.negated |= parts.has(Parts::NEGATOR) && (self.clause_start || !token.is(TITLE));
        self.clause_start = self.clause_start && parts.has(Parts::LEAD);
        if self.clause_start {
            self.clause = at + 1;
        }
        self.supposed |= parts.has(Parts::CONDITIONAL);
        self.conditional |= self.supposed;
    }

    fn voids(&self, kind: Kind, sentence: Sentence) -> bool {
        match kind {
            Kind::Claim | Kind::Report => self.negated || self.conditional || sentence.question,
            Kind::Refuse | Kind::Lack | Kind::Doubt => self.supposed,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::LEXICON;
    use super::super::scan::scan;
    use super::super::tongue::hear;
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let scan = scan(text, &LEXICON);
        let finder = Finder { tokens: &scan.tokens, lexicon: &LEXICON, tongue: hear(&scan, &LEXICON) };
        let mut all = Vec::new();
        let mut phrases = Vec::new();
        for sentence in &scan.sentences {
            finder.find(*sentence, &mut phrases);
            all.extend(phrases.iter().map(|phrase| phrase.kind));
        }
        all
    }

    #[test]
    fn claims_are_voided_within_their_clause() {
        assert!(kinds("I have cancelled it.").contains(&Kind::Claim));
        for text in [
            "Nothing has been cancelled.",
            "Once I have cancelled it, wait.",
            "Has it been cancelled?",
            "Once cancelled, wait.",
        ] {
            assert!(!kinds(text).contains(&Kind::Claim), "{text}");
        }
        assert!(kinds("I could not see a fault, I have cancelled it.").contains(&Kind::Claim));
    }

    #[test]
    fn a_month_is_no_doubt() {
        assert!(kinds("The booking for May 17 has been cancelled.").contains(&Kind::Claim));
        assert!(!kinds("The booking may well have been cancelled.").contains(&Kind::Claim));
    }

    #[test]
    fn ignored_phrases_take_others_with_them() {
        assert!(kinds("I can't wait to see it.").is_empty());
        assert!(kinds("He wrote \"I can't come\" twice.").is_empty());
    }
}
