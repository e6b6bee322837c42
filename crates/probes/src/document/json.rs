//! JSON to a tree with places. `serde_json` decides whether a text is JSON; what follows only finds out where
//! its parts lie, so that raw text can be cut out byte for byte.

use std::ops::Range;

use crate::document::{Content, Document, Entry, Keys, MAX_DEPTH, Node, Source, Syntax, repeated_keys};
use crate::error::{Diagnostic, SuiteError};

/// Parses one JSON text.
pub(crate) fn parse(source: Source) -> Result<Document, SuiteError> {
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&source.text) {
        return Err(SuiteError::from(not_json(&source, &error)));
    }
    let mut scan = Scan { source: &source, at: 0, keys: Keys::default(), mistakes: Vec::new() };
    let root = scan.value(0);
    let mut mistakes = scan.mistakes;
    match root {
        Ok(root) => Ok(Document { root, syntax: Syntax::Json, mistakes, source }),
        Err(deep) => {
            mistakes.push(deep);
            Err(SuiteError::from(mistakes))
        }
    }
}

fn not_json(source: &Source, error: &serde_json::Error) -> Diagnostic {
    let full = error.to_string();
    let what = full.rsplit_once(" at line ").map_or(full.as_str(), |(what, _)| what);
    let at = source.offset(error.line().max(1), error.column().max(1));
    source.diagnostic(&(at..at), format!("this is not JSON: {what}"))
}

/// Walks over a text that is known to be JSON.
struct Scan<'a> {
    source: &'a Source,
    at: usize,
    keys: Keys,
    mistakes: Vec<Diagnostic>,
}

impl Scan<'_> {
    fn peek(&mut self) -> u8 {
        let bytes = self.source.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        bytes.get(self.at).copied().unwrap_or(0)
    }

    fn value(&mut self, depth: usize) -> Result<Node, Diagnostic> {
        let first = self.peek();
        let start = self.at;
        if depth > MAX_DEPTH {
            return Err(too_deep(self.source, start));
        }
        let content = match first {
            b'{' => self.map(depth)?,
            b'[' => self.list(depth)?,
            b'"' => Content::Text(self.string().0.into()),
            _ => self.literal(),
        };
        Ok(Node::new(start..self.at, content))
    }

    fn map(&mut self, depth: usize) -> Result<Content, Diagnostic> {
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            match self.peek() {
                b'"' => {
                    let (key, key_span) = self.string();
                    self.peek();
                    self.at += 1; // the colon
                    let key = self.keys.get(&key);
                    entries.push(Entry::new(key, key_span, self.value(depth + 1)?));
                }
                b',' => self.at += 1,
                _ => break,
            }
        }
        self.at += 1;
        repeated_keys(self.source, &entries, &mut self.mistakes);
        Ok(Content::Map(entries.into()))
    }

    fn list(&mut self, depth: usize) -> Result<Content, Diagnostic> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            match self.peek() {
                b']' | 0 => break,
                b',' => self.at += 1,
                _ => items.push(self.value(depth + 1)?),
            }
        }
        self.at += 1;
        Ok(Content::List(items.into()))
    }

    /// A string, decoded. One that no Rust string can hold (a lone surrogate) keeps its escapes.
    fn string(&mut self) -> (String, Range<usize>) {
        let bytes = self.source.text.as_bytes();
        let start = self.at;
        self.at += 1;
        loop {
            match bytes.get(self.at) {
                Some(b'\\') => self.at += 2,
                Some(b'"') | None => break,
                Some(_) => self.at += 1,
            }
        }
        self.at = (self.at + 1).min(bytes.len());
        let raw = self.source.text.get(start..self.at).unwrap_or_default();
        let text = serde_json::from_str(raw).unwrap_or_else(|_| raw.trim_matches('"').to_owned());
        (text, start..self.at)
    }

    fn literal(&mut self) -> Content {
        let bytes = self.source.text.as_bytes();
        let start = self.at;
        while bytes.get(self.at).is_some_and(|byte| !b",]} \t\r\n".contains(byte)) {
            self.at += 1;
        }
        let text = self.source.text.get(start..self.at).unwrap_or_default();
        match text {
            "null" => Content::Null,
            "true" => Content::Bool(true),
            "false" => Content::Bool(false),
            number => match serde_json::from_str(number) {
                Ok(number) => Content::Number(number),
                Err(_) => Content::Text(number.into()), // `1e400`: a number that only its text can hold
            },
        }
    }
}

pub(crate) fn too_deep(source: &Source, at: usize) -> Diagnostic {
    source.diagnostic(&(at..at + 1), format!("lists and maps lie more than {MAX_DEPTH} deep in each other"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn read(text: &str) -> Result<Document, SuiteError> {
        parse(Source::new(Path::new("t.json"), text))
    }

    #[test]
    fn every_value_knows_its_bytes() {
        let document = read("\u{feff}{ \"a\" : [ 1.0, \"x\\n\" ],\n \"b\":{} }").unwrap();
        let text = &document.source.text;
        let list = document.root.get("a").unwrap();
        assert_eq!(&text[list.span()], "[ 1.0, \"x\\n\" ]");
        assert_eq!(list.items().unwrap()[1].text(), Some("x\n"));
        assert_eq!(document.source.place(document.root.get("b").unwrap().span().start), (2, 6));
    }

    #[test]
    fn all_repeated_keys_are_reported_wherever_they_stand() {
        let document = read("{\"a\":1,\n\"a\":[{\"b\":1,\"b\":2}]}").unwrap();
        let places: Vec<_> = document.mistakes.iter().map(|d| (d.line, d.column)).collect();
        assert_eq!(places, [(2, 13), (2, 1)]);
    }

    #[test]
    fn no_json_and_deep_json_say_where() {
        assert_eq!(read("{\"a\":\n nul}").unwrap_err().diagnostics()[0].line, 2);
        let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
        assert!(read(&deep).unwrap_err().to_string().contains("deep"));
    }
}
