//! Values that a text gives of its own: numbers, addresses, code, quoted titles and names that nobody gave
//! it. Repeating the user's own values gives nothing.

use super::lexicon::{Lexicon, Parts};
use super::piece::{Pieces, Sort};
use super::scan::{CAPITAL, CODE, COLON, HARD, QUOTED, TITLE, Token};
use super::tongue::Tongue;
use super::vocabulary::hash;

/// What a stretch of text gives, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// Nothing of its own.
    None,
    /// A name, a title, a number in letters.
    Soft,
    /// A number, an address.
    Hard,
}

/// What the model had been given: looked at only when a value turns up.
pub(super) struct Given<'t> {
    text: &'t str,
    hashes: Option<Vec<u64>>,
}

impl<'t> Given<'t> {
    /// Values in this text are given.
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, hashes: None }
    }

    fn has(&mut self, hash: u64) -> bool {
        let text = self.text;
        self.hashes.get_or_insert_with(|| hashes(text)).binary_search(&hash).is_ok()
    }

    /// Whether a word stands there in any case, or all numbers in it do in any notation.
    fn grounds(&mut self, piece: &str) -> bool {
        if self.has(word_hash(piece)) {
            return true;
        }
        if !piece.bytes().any(|byte| byte.is_ascii_digit()) {
            return false;
        }
        self.has(digits_hash(piece)) || groups(piece).all(|group| self.has(digits_hash(group)))
    }
}

/// The strongest value among tokens, and which token shows it.
pub(super) fn strongest(
    text: &str,
    tokens: &[Token],
    lexicon: &Lexicon,
    tongue: Tongue,
    given: &mut Given<'_>,
) -> (Value, usize) {
    let mut best = (Value::None, 0);
    // What stands before a colon names a field: `Flight Number: 77`.
    let field = tokens.iter().take(6).position(|token| token.is(COLON)).unwrap_or(0);
    for (index, token) in tokens.iter().enumerate() {
        let named = || index > field && tongue.capitals_name && is_name(*token);
        let candidate = if token.is(HARD) {
            Value::Hard
        } else if best.0 == Value::None
            && (token.any(QUOTED | CODE)
                || is_dotted(text, *token)
                || named()
                || is_number(*token, lexicon, tongue))
            && !lexicon.parts(token.word, tongue.spoken).has(Parts::COMMON)
        {
            Value::Soft
        } else {
            continue;
        };
        let piece = &text[token.start..token.end];
        if candidate > best.0 && !is_idiom(piece) && !given.grounds(piece) {
            best = (candidate, index);
        }
    }
    best
}

/// Whether a block of code holds anything that was not given.
pub(super) fn block_gives(text: &str, given: &mut Given<'_>) -> bool {
    Pieces::new(text)
        .filter(|piece| matches!(piece.sort, Sort::Word | Sort::Number))
        .any(|piece| !given.grounds(&text[piece.start..piece.end]))
}

/// A capital inside a sentence. Three capitals and nothing else are a unit, a zone or a format.
fn is_name(token: Token) -> bool {
    let length = token.end - token.start;
    token.is(CAPITAL) && length > 1 && (token.is(TITLE) || length > 3)
}

/// A number in letters.
fn is_number(token: Token, lexicon: &Lexicon, tongue: Tongue) -> bool {
    lexicon.parts(token.word, tongue.spoken).has(Parts::NUMBER)
}

/// A part of a file's or a host's name: `notes.md`.
fn is_dotted(text: &str, token: Token) -> bool {
    let bytes = text.as_bytes();
    let long = token.end - token.start > 1;
    let before =
        token.start > 1 && bytes[token.start - 1] == b'.' && bytes[token.start - 2].is_ascii_alphanumeric();
    let after = bytes.get(token.end) == Some(&b'.')
        && bytes.get(token.end + 1).is_some_and(u8::is_ascii_alphanumeric);
    long && (before || after)
}

/// Numbers that count nothing.
fn is_idiom(piece: &str) -> bool {
    matches!(piece, "24/7")
}

fn hashes(text: &str) -> Vec<u64> {
    let mut all = Vec::with_capacity(text.len() / 4);
    for piece in Pieces::new(text) {
        let word = &text[piece.start..piece.end];
        match piece.sort {
            Sort::Word => all.push(word_hash(word)),
            Sort::Number => {
                all.push(word_hash(word));
                all.push(digits_hash(word));
                all.extend(groups(word).map(digits_hash));
            }
            _ => {}
        }
        if let Some(digit) = in_digits(word) {
            all.push(digits_hash(digit));
        }
    }
    all.sort_unstable();
    all
}

/// Small numbers in letters, so that `five burgers` grounds `5 burgers`.
fn in_digits(word: &str) -> Option<&'static str> {
    const WORDS: [(&str, &str); 12] = [
        ("one", "1"),
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
        ("eleven", "11"),
        ("twelve", "12"),
    ];
    WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|&(_, digits)| digits)
}

fn word_hash(word: &str) -> u64 {
    if word.is_ascii() { hash(word.as_bytes()) } else { hash(word.to_lowercase().as_bytes()) }
}

/// The digits alone, without leading zeros: `1,024` is `1024`, `07` is `7`.
fn digits_hash(number: &str) -> u64 {
    let digits = number.bytes().filter(u8::is_ascii_digit).skip_while(|&byte| byte == b'0');
    digits.fold(!0, |hash, digit| (hash ^ u64::from(digit)).wrapping_mul(0x0100_0000_01b3))
}

fn groups(number: &str) -> impl Iterator<Item = &str> {
    number.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_values_are_given_in_any_notation() {
        let mut given = Given::new("Refund 1,024.50 of INV-20931 on 2026-04-07 for five people at Ærø");
        for piece in ["1024.50", "20931", "inv", "7", "2026", "5", "ærø", "1,024"] {
            assert!(given.grounds(piece), "{piece}");
        }
        for piece in ["1025", "30", "RF", "8", "2027"] {
            assert!(!given.grounds(piece), "{piece}");
        }
    }
}
