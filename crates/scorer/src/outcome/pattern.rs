//! The phrase patterns of a lexicon file, read into the plain sequences that the machine matches.
//!
//! | written | meaning |
//! |---|---|
//! | `can't help` | these words, in this order, next to each other (cut as texts are) |
//! | `(a\|b c)` | one of these |
//! | `[now\|just]` | one of these or nothing |
//! | `@done` | any word of the class `done` |
//! | `_4` | up to four words, whatever they are; never across a mark |
//! | `{cannot}` | the macro `cannot`, put in as an alternative |
//! | `^` first | only where a clause begins |
//! | `$` last | only where a segment ends |
//! | `?` last | only in a sentence that is a question |

use std::collections::BTreeMap;

use super::piece::{Pieces, Sort};

/// A pattern as plain sequences, with where it may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Every way to say it.
    pub(super) ways: Vec<Vec<Element>>,
    /// Where it may stand.
    pub(super) place: Place,
}

/// One step of a sequence.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    /// This word, in lower case.
    Word(String),
    /// Any word of this class.
    Class(String),
    /// Any of these words, in their order.
    OneOf(Vec<String>),
    /// Up to so many words.
    Gap(u8),
}

/// Where a pattern may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    /// Only where a clause begins.
    pub(super) clause_start: bool,
    /// Only where a segment ends.
    pub(super) segment_end: bool,
    /// Only in a question.
    pub(super) question: bool,
}

/// Ways that one pattern may have; a lexicon that needs more should use a class.
const MOST_WAYS: usize = 2_000;

/// Reads one pattern. The message says what is wrong with it.
pub(super) fn parse(source: &str, macros: &BTreeMap<String, String>) -> Result<Pattern, String> {
    let text = expand_macros(source, macros, 0)?;
    let mut body = text.trim();
    let mut place = Place::default();
    if let Some(rest) = body.strip_prefix('^') {
        (place.clause_start, body) = (true, rest);
    }
    loop {
        if let Some(rest) = body.strip_suffix('$') {
            (place.segment_end, body) = (true, rest.trim_end());
        } else if let Some(rest) = body.strip_suffix('?') {
            (place.question, body) = (true, rest.trim_end());
        } else {
            break;
        }
    }
    let mut reader = Reader { rest: body };
    let ways = reader.alternatives().map_err(|error| format!("`{source}`: {error}"))?;
    if !reader.rest.trim().is_empty() {
        return Err(format!("`{source}`: unmatched bracket"));
    }
    if ways.iter().any(Vec::is_empty) || ways.is_empty() {
        return Err(format!("`{source}`: matches nothing at all"));
    }
    Ok(Pattern { ways, place })
}

fn expand_macros(source: &str, macros: &BTreeMap<String, String>, depth: u8) -> Result<String, String> {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, tail) = after.split_once('}').ok_or_else(|| format!("`{source}`: `{{` without `}}`"))?;
        let body = macros.get(name).ok_or_else(|| format!("`{source}`: no macro `{name}`"))?;
        if depth > 4 {
            return Err(format!("`{source}`: macros nest too deeply"));
        }
        text.push_str(before);
        text.push('(');
        text.push_str(&expand_macros(body, macros, depth + 1)?);
        text.push(')');
        rest = tail;
    }
    text.push_str(rest);
    Ok(text)
}

struct Reader<'s> {
    rest: &'s str,
}

impl Reader<'_> {
    fn alternatives(&mut self) -> Result<Vec<Vec<Element>>, String> {
        let mut ways = self.sequence()?;
        while let Some(rest) = self.rest.trim_start().strip_prefix('|') {
            self.rest = rest;
            ways.extend(self.sequence()?);
        }
        Ok(merge_words(ways))
    }

    fn sequence(&mut self) -> Result<Vec<Vec<Element>>, String> {
        let mut ways = vec![Vec::new()];
        loop {
            self.rest = self.rest.trim_start();
            let tails = match self.rest.chars().next() {
                None | Some('|' | ')' | ']') => return Ok(ways),
                Some('(') => self.group(')')?,
                Some('[') => {
                    let mut tails = self.group(']')?;
                    tails.push(Vec::new());
                    tails
                }
                Some(_) => vec![self.chunk()?],
            };
            if ways.len() * tails.len() > MOST_WAYS {
                return Err(format!("more than {MOST_WAYS} ways"));
            }
            ways = ways
                .iter()
                .flat_map(|head| tails.iter().map(move |tail| [head.as_slice(), tail.as_slice()].concat()))
                .collect();
        }
    }

    fn group(&mut self, close: char) -> Result<Vec<Vec<Element>>, String> {
        self.rest = &self.rest[1..];
        let ways = self.alternatives()?;
        self.rest = self
            .rest
            .trim_start()
            .strip_prefix(close)
            .ok_or_else(|| format!("expected `{close}` before `{}`", self.rest))?;
        Ok(ways)
    }

    fn chunk(&mut self) -> Result<Vec<Element>, String> {
        let end = self
            .rest
            .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '|'))
            .unwrap_or(self.rest.len());
        let (chunk, rest) = self.rest.split_at(end);
        self.rest = rest;
        if let Some(class) = chunk.strip_prefix('@') {
            return Ok(vec![Element::Class(class.to_owned())]);
        }
        if let Some(most) = chunk.strip_prefix('_') {
            return most.parse().map(|n| vec![Element::Gap(n)]).map_err(|_| format!("`{chunk}` is no gap"));
        }
        Ok(words(chunk).map(Element::Word).collect())
    }
}

/// Takes single words together, so that sets of words do not multiply the ways.
fn merge_words(ways: Vec<Vec<Element>>) -> Vec<Vec<Element>> {
    let mut merged = Vec::with_capacity(ways.len());
    let mut words = Vec::new();
    for mut way in ways {
        match way.as_mut_slice() {
            [Element::Word(word)] => words.push(std::mem::take(word)),
            [Element::OneOf(more)] => words.append(more),
            _ => merged.push(way),
        }
    }
    words.sort_unstable();
    words.dedup();
    match words.len() {
        0 => {}
        1 => merged.push(words.into_iter().map(Element::Word).collect()),
        _ => merged.push(vec![Element::OneOf(words)]),
    }
    merged
}

/// The words of a phrase in lower case, cut as texts are.
pub(super) fn words(phrase: &str) -> impl Iterator<Item = String> {
    Pieces::new(phrase)
        .filter(|piece| matches!(piece.sort, Sort::Word | Sort::Number))
        .map(|piece| phrase[piece.start..piece.end].to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(source: &str) -> Vec<String> {
        let macros = BTreeMap::from([("i_am".to_owned(), "i'm|i am".to_owned())]);
        let pattern = parse(source, &macros).unwrap();
        pattern
            .ways
            .iter()
            .map(|way| {
                let parts: Vec<String> = way
                    .iter()
                    .map(|element| match element {
                        Element::Word(word) => word.clone(),
                        Element::Class(class) => format!("@{class}"),
                        Element::OneOf(words) => words.join("/"),
                        Element::Gap(most) => format!("_{most}"),
                    })
                    .collect();
                parts.join(" ")
            })
            .collect()
    }

    #[test]
    fn alternatives_options_classes_and_gaps_expand() {
        assert_eq!(
            ways("{i_am} [now] unable"),
            ["i m now unable", "i m unable", "i am now unable", "i am unable"]
        );
        assert_eq!(ways("no _3 @tool"), ["no _3 @tool"]);
        assert_eq!(ways("无法(做|办)"), ["无 法 做/办"]);
        assert_eq!(ways("(a|b c|(d|e))"), ["b c", "a/d/e"]);
    }

    #[test]
    fn anchors_are_taken_off() {
        let pattern = parse("^ which $ ?", &BTreeMap::new()).unwrap();
        assert_eq!(pattern.place, Place { clause_start: true, segment_end: true, question: true });
    }

    #[test]
    fn mistakes_are_named() {
        for wrong in ["(a", "a)", "[a", "{none}", "{open", "_x", "", "[a]"] {
            assert!(parse(wrong, &BTreeMap::new()).is_err(), "{wrong}");
        }
    }
}
