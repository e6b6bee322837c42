//! A line of JSON with secrets and values of people taken out: string by string, so that it stays JSON. What our own
//! readers find things by (ids, hashes, times) stays as it is.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::pieces;

/// JSON inside strings of JSON is looked through so deep.
const NESTED: usize = 8;

/// Members of the lines of a record, and of rows of the executor log, that nothing is taken out of.
const STRUCTURAL: &[&str] = &[
    "arm",
    "at",
    "cell",
    "event",
    "finished",
    "format",
    "id",
    "kind",
    "probe",
    "question_hash",
    "run",
    "sent_hash",
    "started",
    "status",
    "task",
    "toolmirage",
    "trial",
    "window",
];

/// The lines of a record.
const LINES: &[&str] = &["header", "probe", "trial", "resumed", "footer"];

/// Members that hold values of arguments, in the protocols and in ours.
const ARGUMENTS: &[&str] = &["arguments", "input", "args"];

/// An object or a list that is open.
pub(super) struct Open<'t> {
    /// Its number within the text.
    pub(super) serial: usize,
    pub(super) is_object: bool,
    /// The member that stands open.
    pub(super) name: Cow<'t, str>,
    /// Whether the next string is a name of a member.
    wants_name: bool,
    /// Whether it is part of arguments.
    is_argument: bool,
}

impl Open<'_> {
    fn inside(&self) -> bool {
        self.is_argument || ARGUMENTS.contains(&self.name.as_ref())
    }
}

/// What stands in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf {
    /// The name of a member.
    Name,
    Text,
    Number,
}

/// What is taken out; none where nothing is.
pub(super) struct Cleaner<'a> {
    /// Whether anything may be taken out of a text, in whatever it is escaped.
    pub(super) may_hold: &'a dyn Fn(&str) -> bool,
    /// Of a text.
    pub(super) text: &'a dyn Fn(&str) -> Option<String>,
    /// What stands in place of a number.
    pub(super) number: &'a dyn Fn(&str) -> Option<String>,
}

/// The line without it; none where nothing is to be taken out.
pub(super) fn clean(line: &str, cleaner: &Cleaner<'_>) -> Option<String> {
    clean_json(cleaner, line, 0)
}

/// The same of JSON that stands `depth` strings deep in a line.
pub(super) fn clean_json(cleaner: &Cleaner<'_>, text: &str, depth: usize) -> Option<String> {
    walk(text, &mut |leaf, open, said| match leaf {
        Leaf::Name => (cleaner.text)(said).filter(|_| !is_hash(said)),
        Leaf::Text if is_hash(said) || depth == 0 && is_structural(open) => None,
        Leaf::Text => clean_text(cleaner, said, depth),
        Leaf::Number => (cleaner.number)(said).filter(|_| open.last().is_some_and(Open::inside)),
    })
}

/// What is done with each name, text and number of JSON.
type Visit<'v, 't> = dyn FnMut(Leaf, &[Open<'t>], &str) -> Option<String> + 'v;

/// Goes through JSON: `visit` is shown each name, text and number, as it reads, with what is open around it, and gives
/// the text that is to stand in its place, if any. None where nothing is replaced.
pub(super) fn walk<'t>(text: &'t str, visit: &mut Visit<'_, 't>) -> Option<String> {
    let bytes = text.as_bytes();
    let mut open: Vec<Open<'t>> = Vec::new();
    let (mut out, mut copied, mut at, mut serial) = (String::new(), 0, 0, 0);
    // Bodies may nest as deep as they like: no recursion but into strings.
    while let Some(byte) = bytes.get(at) {
        let mut end = at + 1;
        let mut replaced = None;
        match byte {
            b'"' => {
                end = string_end(bytes, at);
                let said = decoded(text.get(at..end).unwrap_or_default());
                let is_name = open.last().is_some_and(|open| open.is_object && open.wants_name);
                replaced = visit(if is_name { Leaf::Name } else { Leaf::Text }, &open, &said);
                if let Some(open) = open.last_mut().filter(|_| is_name) {
                    open.wants_name = false;
                    open.name = said;
                }
            }
            b'{' | b'[' => {
                let is_object = *byte == b'{';
                let is_argument = open.last().is_some_and(Open::inside);
                serial += 1;
                open.push(Open {
                    serial,
                    is_object,
                    name: Cow::Borrowed(""),
                    wants_name: is_object,
                    is_argument,
                });
            }
            b'}' | b']' => drop(open.pop()),
            b',' => {
                if let Some(open) = open.last_mut() {
                    open.wants_name = open.is_object;
                }
            }
            b'-' | b'0'..=b'9' => {
                let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                end =
                    bytes[at..].iter().position(|byte| !is_part(byte)).map_or(bytes.len(), |more| at + more);
                replaced = text.get(at..end).and_then(|number| visit(Leaf::Number, &open, number));
            }
            _ => {}
        }
        if let Some(replaced) = replaced {
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push_str(&serde_json::Value::String(replaced).to_string());
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return None;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Some(out)
}

/// The inside of a string, which may be JSON itself, or a stream of it.
pub(super) fn clean_text(cleaner: &Cleaner<'_>, text: &str, depth: usize) -> Option<String> {
    if depth >= NESTED {
        return (cleaner.text)(text);
    }
    // A stream may hold it in pieces.
    let may_hold = (cleaner.may_hold)(text);
    if !may_hold && !text.contains('\n') {
        return None;
    }
    let is_json =
        text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok();
    if is_json {
        return if may_hold { clean_json(cleaner, text, depth + 1) } else { None };
    }
    pieces::clean(cleaner, text, depth).unwrap_or_else(|| (cleaner.text)(text))
}

/// Where a string ends: behind its closing quote.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The string of a literal. A half of a surrogate pair, which no string can hold, becomes the sign for it.
fn decoded(literal: &str) -> Cow<'_, str> {
    let plain = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(plain) = plain.filter(|plain| !plain.contains('\\')) {
        return Cow::Borrowed(plain);
    }
    if let Ok(text) = serde_json::from_str::<String>(literal) {
        return Cow::Owned(text);
    }
    let mut whole = String::with_capacity(literal.len());
    let mut rest = literal;
    while let Some(at) = rest.find("\\u") {
        let (before, escape) = rest.split_at(at);
        let digits = escape.get(2..6).and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let is_half = digits.is_some_and(|unit| (0xD800..0xE000).contains(&unit));
        whole.push_str(before);
        whole.push_str(if is_half { "\\ufffd" } else { escape.get(..2).unwrap_or_default() });
        rest = escape.get(if is_half { 6 } else { 2 }..).unwrap_or_default();
    }
    whole.push_str(rest);
    let whole = serde_json::from_str(&whole).unwrap_or_else(|_| literal.trim_matches('"').to_owned());
    Cow::Owned(whole)
}

fn is_hash(text: &str) -> bool {
    let digits = text.strip_prefix("sha256:").unwrap_or(text);
    digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a string is something that readers find things by.
fn is_structural(open: &[Open<'_>]) -> bool {
    if open.len() > 5 {
        return false;
    }
    let names: Vec<&str> = open.iter().filter(|open| open.is_object).map(|open| open.name.as_ref()).collect();
    match names.as_slice() {
        // A row of the executor log.
        [name] => STRUCTURAL.contains(name),
        ["header", "cells", ..] => true,
        [line, name] => LINES.contains(line) && STRUCTURAL.contains(name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::pattern::Pattern;
    use crate::redact::tokens::Tokens;

    fn tokens(patterns: &[&str]) -> Tokens {
        Tokens::new(patterns.iter().map(|pattern| Pattern::read(pattern).unwrap()).collect())
    }

    fn cleaned(tokens: &Tokens, line: &str) -> Option<String> {
        let (text, number) = (|text: &str| tokens.clean(text), |text: &str| tokens.number(text));
        clean(line, &Cleaner { may_hold: &|_| true, text: &text, number: &number })
    }

    #[test]
    fn one_value_has_one_token_wherever_it_stands() {
        let tokens = tokens(&["email", "iban"]);
        let arguments = serde_json::json!({ "note": "first\nmara@quay.example", "n": 1.0 }).to_string();
        let line = serde_json::json!({ "trial": {
            "probe": "a.b@c.de", "request_sha256": "0".repeat(64),
            "said": "Mail Mara@quay.example, then jo@quay.example",
            "arguments": arguments, "mara@quay.example": ["<email:1>"],
        }})
        .to_string();
        let clean = cleaned(&tokens, &line).unwrap();
        let value: serde_json::Value = serde_json::from_str(&clean).unwrap();
        let trial = &value["trial"];
        assert_eq!(trial["said"], "Mail <email:1>, then <email:2>");
        assert_eq!(trial["arguments"], r#"{"note":"first\n<email:1>","n":1.0}"#);
        assert_eq!(trial["<email:1>"][0], "<email:1>");
        assert_eq!(trial["probe"], "a.b@c.de");
        assert_eq!(cleaned(&tokens, &clean), None, "what is clean stays");
    }

    #[test]
    fn broken_arguments_and_halves_of_characters_are_looked_through() {
        let tokens = tokens(&["email", "[A-Z]{3}-[0-9]{2}"]);
        let line = r#"{"trial":{"a":"{\"to\": \"x\\nmara@quay.example","b":"\ud83d ABC-12","c":"mara@quay.example"}}"#;
        let clean = cleaned(&tokens, line).unwrap();
        assert_eq!(
            clean,
            r#"{"trial":{"a":"{\"to\": \"x\\n<email:1>","b":"� <private:1>","c":"<email:1>"}}"#
        );
    }

    #[test]
    fn numbers_are_taken_out_of_arguments_alone() {
        let tokens = tokens(&["[0-9]{6}"]);
        let line = r#"{"trial":{"latency_ms":123456,"input":{"account":123456,"at":[654321,1.5]}}}"#;
        let wanted =
            r#"{"trial":{"latency_ms":123456,"input":{"account":"<private:1>","at":["<private:2>",1.5]}}}"#;
        assert_eq!(cleaned(&tokens, line).as_deref(), Some(wanted));
    }

    #[test]
    fn numbers_go_on_where_an_earlier_sitting_ended() {
        let tokens = tokens(&["email"]);
        tokens.clean("a@x.example");
        tokens.skip("… <email:7> and <phone:3> and <email:99999999999999999999>");
        assert_eq!(tokens.clean("a@x.example b@x.example").as_deref(), Some("<email:1> <email:8>"));
    }

    #[test]
    fn any_depth_is_looked_through() {
        let deep = format!("{}\"a@x.example\"{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(cleaned(&tokens(&["email"]), &deep).unwrap().contains("[\"<email:1>\"]"));
    }
}
