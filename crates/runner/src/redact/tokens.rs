//! Takes values of people out, a token in the place of each: the same one wherever the value stands in a run.
//! Values are known in memory alone; what is written has the tokens.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;
use transcript::RedactedKind;

use super::pattern::{self, Pattern};

static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"<(email|phone|iban|private):([0-9]{1,18})>").expect("a fixed pattern"));

/// What may be a telephone number that is known, in a spelling that alone would not tell.
static DIGITS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[0-9][0-9 ()./-]{5,24}[0-9]").expect("a fixed pattern"));

/// The digits of a telephone number, at least.
const SHORTEST_PHONE: usize = 7;

/// The patterns, and the tokens that they gave so far.
#[derive(Debug)]
pub(super) struct Tokens {
    patterns: Vec<Pattern>,
    given: Mutex<Given>,
}

#[derive(Debug, Default)]
struct Given {
    /// By kind and value: its number.
    numbers: HashMap<(RedactedKind, String), u64>,
    /// By kind: the last number.
    last: HashMap<RedactedKind, u64>,
}

impl Given {
    fn token(&mut self, kind: RedactedKind, key: String) -> String {
        let last = self.last.entry(kind).or_default();
        let number = *self.numbers.entry((kind, key)).or_insert_with(|| {
            *last = last.saturating_add(1);
            *last
        });
        kind.token(number)
    }

    /// The token of a telephone number whose digits are known.
    fn phone(&self, digits: &str) -> Option<String> {
        let key = pattern::digits_of_phone(digits);
        let number = self.numbers.get(&(RedactedKind::Phone, key))?;
        Some(RedactedKind::Phone.token(*number))
    }

    /// Where known telephone numbers stand, in order, and their tokens.
    fn phones(&self, text: &str) -> Vec<(usize, usize, String)> {
        let mut places = Vec::new();
        for found in DIGITS.find_iter(text) {
            if let Some(token) = self.phone(found.as_str()) {
                places.push((found.start(), found.end(), token));
                continue;
            }
            // It may stand beside a date.
            let mut at = found.start();
            for part in found.as_str().split(' ') {
                places.extend(self.phone(part).map(|token| (at, at + part.len(), token)));
                at += part.len() + 1;
            }
        }
        places
    }
}

/// A piece of a text: one that may still hold a value, or a token.
enum Piece<'a> {
    Open(&'a str),
    Token(String),
}

impl Tokens {
    pub(super) fn new(patterns: Vec<Pattern>) -> Self {
        Self { patterns, given: Mutex::default() }
    }

    pub(super) fn kinds(&self) -> impl Iterator<Item = RedactedKind> {
        self.patterns.iter().map(|pattern| pattern.kind)
    }

    /// Numbers that a text shows to be given already are not given again.
    pub(super) fn skip(&self, text: &str) {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        for found in TOKEN.captures_iter(text) {
            let number = found.get(2).and_then(|digits| digits.as_str().parse::<u64>().ok());
            let kind = RedactedKind::of_token(&found[0]);
            if let Some((kind, number)) = kind.zip(number) {
                let last = given.last.entry(kind).or_default();
                *last = (*last).max(number);
            }
        }
    }

    fn takes_phones(&self) -> bool {
        self.patterns.iter().any(|pattern| pattern.kind == RedactedKind::Phone)
    }

    /// The text with tokens; none where nothing is to be taken out.
    pub(super) fn clean(&self, text: &str) -> Option<String> {
        let has_digits = self.takes_phones() && DIGITS.is_match(text);
        if !has_digits && !self.patterns.iter().any(|pattern| pattern.find(text).next().is_some()) {
            return None;
        }
        // What stands for a value already stays, whatever a pattern makes of it.
        let mut pieces =
            cut(text, TOKEN.find_iter(text).map(|found| (found.start(), found.end())), str::to_owned);
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        // The user's own first: they are the most specific. Numbers of accounts may look like those of telephones.
        for kind in [RedactedKind::Private, RedactedKind::Email, RedactedKind::Iban, RedactedKind::Phone] {
            for pattern in self.patterns.iter().filter(|pattern| pattern.kind == kind) {
                let mut next = Vec::new();
                for piece in pieces {
                    match piece {
                        Piece::Open(text) => next.extend(cut(text, pattern.find(text), |value| {
                            given.token(kind, pattern.key(value))
                        })),
                        token @ Piece::Token(_) => next.push(token),
                    }
                }
                pieces = next;
            }
        }
        if has_digits {
            pieces = pieces.into_iter().flat_map(|piece| with_known_phones(&given, piece)).collect();
        }
        let out: String = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Open(text) => *text,
                Piece::Token(token) => token.as_str(),
            })
            .collect();
        (out != text).then_some(out)
    }

    /// What stands in place of a number that a pattern of the user's own finds as a whole, or that is a telephone number
    /// which is known.
    pub(super) fn number(&self, text: &str) -> Option<String> {
        let mut own = self.patterns.iter().filter(|pattern| pattern.kind == RedactedKind::Private);
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        match own.find(|pattern| pattern.is_whole(text)) {
            Some(pattern) => Some(given.token(RedactedKind::Private, pattern.key(text))),
            None if self.takes_phones() && text.len() >= SHORTEST_PHONE => given.phone(text),
            None => None,
        }
    }
}

fn with_known_phones<'a>(given: &Given, piece: Piece<'a>) -> Vec<Piece<'a>> {
    let Piece::Open(text) = piece else { return vec![piece] };
    let known = given.phones(text);
    let mut tokens = known.iter().map(|(_, _, token)| token.clone());
    cut(text, known.iter().map(|(start, end, _)| (*start, *end)), |_| tokens.next().unwrap_or_default())
}

/// A text cut at places that lie in order, a token in place of each.
fn cut<'a>(
    text: &'a str,
    places: impl Iterator<Item = (usize, usize)>,
    mut token: impl FnMut(&'a str) -> String,
) -> Vec<Piece<'a>> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    for (start, end) in places {
        if let (Some(before), Some(value)) = (text.get(at..start), text.get(start..end)) {
            pieces.extend((!before.is_empty()).then_some(Piece::Open(before)));
            pieces.push(Piece::Token(token(value)));
            at = end;
        }
    }
    pieces.extend(text.get(at..).filter(|rest| !rest.is_empty()).map(Piece::Open));
    pieces
}
