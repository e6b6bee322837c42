//! YAML 1.2 to a tree with places, from the parser's events. The program asks nothing else of the YAML crate.
//!
//! Scalars follow the core schema (`no` is text), with one exception: digits behind a leading zero are text,
//! since `007` is a name and not the number 7. Merge keys (`<<`) are merged. Aliases are copied, up to a limit
//! that a file written by people does not reach.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::Number;
use serde_yaml::granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, Span, StrInput};

use crate::document::json::too_deep;
use crate::document::{Content, Document, Entry, Keys, MAX_DEPTH, Node, Source, Syntax, repeated_keys};
use crate::error::{Diagnostic, SuiteError};

/// How many values aliases may copy. A file of many megabytes stays below it; a file that doubles with every
/// line does not.
const MAX_COPIED: usize = 1_000_000;

/// Parses one YAML document. Syntax is looked at first: behind a wrong indent nothing else is worth saying.
pub(crate) fn parse(source: Source) -> Result<Document, SuiteError> {
    let text = source.text.clone();
    let parser = Parser::with_options(StrInput::new(&text), Options::default());
    let mut build = Build {
        source: &source,
        events: parser,
        keys: Keys::default(),
        anchors: HashMap::new(),
        copied: 0,
        mistakes: Vec::new(),
    };
    let root = build.document();
    let mut mistakes = build.mistakes;
    match root {
        Ok(root) => Ok(Document { root, syntax: Syntax::Yaml, mistakes, source }),
        Err(stop) => {
            mistakes.push(stop);
            Err(SuiteError::from(mistakes))
        }
    }
}

struct Build<'a> {
    source: &'a Source,
    events: Parser<'a, StrInput<'a>>,
    keys: Keys,
    anchors: HashMap<usize, (Node, usize)>,
    copied: usize,
    mistakes: Vec<Diagnostic>,
}

impl<'a> Build<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Range<usize>), Diagnostic> {
        match self.events.next_event() {
            Some(Ok((event, span))) => Ok((event, self.bytes(span))),
            Some(Err(error)) => Err(self.syntax(&error)),
            None => Ok((Event::StreamEnd, self.source.text.len()..self.source.text.len())),
        }
    }

    fn bytes(&self, span: Span) -> Range<usize> {
        let end = self.source.text.len();
        let range = span.byte_range().unwrap_or(end..end);
        range.start.min(end)..range.end.min(end)
    }

    fn syntax(&self, error: &ScanError) -> Diagnostic {
        let mark = error.marker();
        let at = mark.byte_offset().unwrap_or(self.source.text.len()).min(self.source.text.len());
        self.source
            .diagnostic(&(at..at), format!("this is not YAML: {}", error.info()))
            .help("look at the indentation, brackets and quotes of this line and the one before it")
    }

    fn document(&mut self) -> Result<Node, Diagnostic> {
        let root = loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentStart(..) => {}
                Event::StreamEnd | Event::DocumentEnd => {
                    return Err(self.source.diagnostic(&(0..0), "the file is empty"));
                }
                event => break self.node(event, span, 0)?,
            }
        };
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::DocumentEnd => {}
                Event::StreamEnd => return Ok(root),
                _ => {
                    return Err(self
                        .source
                        .diagnostic(&span, "a second document starts here; a file holds one"));
                }
            }
        }
    }

    fn node(&mut self, event: Event<'a>, span: Range<usize>, depth: usize) -> Result<Node, Diagnostic> {
        if depth > MAX_DEPTH {
            return Err(too_deep(self.source, span.start));
        }
        let before = self.copied;
        let (content, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = tag.is_some_and(|tag| tag.core_suffix() == Some("str"));
                let plain = style == ScalarStyle::Plain && !is_text;
                (if plain { plain_scalar(&text) } else { Content::Text(text.into()) }, anchor)
            }
            Event::SequenceStart(_, anchor, _) => (self.list(depth)?, anchor),
            Event::MappingStart(_, anchor, _) => (self.map(depth)?, anchor),
            Event::Alias(anchor) => return self.alias(anchor, &span),
            _ => return Err(self.source.diagnostic(&span, "a value is missing here")),
        };
        let node = Node::new(span, content);
        if anchor != 0 {
            let size = count(&node) + (self.copied - before);
            self.anchors.insert(anchor, (node.clone(), size));
        }
        Ok(node)
    }

    fn alias(&mut self, anchor: usize, span: &Range<usize>) -> Result<Node, Diagnostic> {
        let Some((node, size)) = self.anchors.get(&anchor) else {
            return Err(self.source.diagnostic(span, "this alias stands inside of what it names"));
        };
        self.copied += size;
        if self.copied > MAX_COPIED {
            return Err(self
                .source
                .diagnostic(span, format!("aliases copy more than {MAX_COPIED} values"))
                .help("write the values out, or use fewer aliases"));
        }
        Ok(node.clone())
    }

    fn list(&mut self, depth: usize) -> Result<Content, Diagnostic> {
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                return Ok(Content::List(items.into()));
            }
            items.push(self.node(event, span, depth + 1)?);
        }
    }

    fn map(&mut self, depth: usize) -> Result<Content, Diagnostic> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut merged: Vec<Node> = Vec::new();
        loop {
            let (event, key_span) = self.next()?;
            let is_merge = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, ..) if text == "<<");
            let key = match event {
                Event::MappingEnd => break,
                Event::Scalar(text, ..) => self.keys.get(&text),
                Event::Alias(_) => match self.node(event, key_span.clone(), depth + 1)?.content {
                    Content::Text(text) => self.keys.get(&text),
                    _ => return Err(self.source.diagnostic(&key_span, "a key must be text")),
                },
                _ => return Err(self.source.diagnostic(&key_span, "a key must be text")),
            };
            let (event, span) = self.next()?;
            let value = self.node(event, span, depth + 1)?;
            if is_merge {
                merged.push(value);
            } else {
                entries.push(Entry::new(key, key_span, value));
            }
        }
        repeated_keys(self.source, &entries, &mut self.mistakes);
        for node in merged {
            self.merge(&mut entries, node)?;
        }
        Ok(Content::Map(entries.into()))
    }

    /// Adds the entries of a map, or of each map of a list, that are not there yet.
    fn merge(&mut self, entries: &mut Vec<Entry>, node: Node) -> Result<(), Diagnostic> {
        match node.content {
            Content::Map(others) => {
                for other in others {
                    if entries.iter().all(|entry| entry.key != other.key) {
                        entries.push(other);
                    }
                }
                Ok(())
            }
            Content::List(nodes) => nodes.into_iter().try_for_each(|node| self.merge(entries, node)),
            _ => Err(self.source.diagnostic(&node.span(), "`<<` takes a map, or a list of maps")),
        }
    }
}

fn count(node: &Node) -> usize {
    1 + match &node.content {
        Content::List(items) => items.iter().map(count).sum(),
        Content::Map(entries) => entries.iter().map(|entry| count(&entry.value)).sum(),
        _ => 0,
    }
}

/// What an unquoted scalar means.
fn plain_scalar(text: &str) -> Content {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Content::Null,
        "true" | "True" | "TRUE" => Content::Bool(true),
        "false" | "False" | "FALSE" => Content::Bool(false),
        text => number(text).map_or_else(|| Content::Text(text.into()), Content::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+')).map(Number::from);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return u64::from_str_radix(digits, 8).ok().filter(|_| !digits.starts_with('+')).map(Number::from);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let has_digit_first = unsigned.starts_with(|c: char| c.is_ascii_digit());
    let has_dot_digit = unsigned.starts_with('.') && unsigned[1..].starts_with(|c: char| c.is_ascii_digit());
    let leading_zero =
        unsigned.len() > 1 && unsigned.starts_with('0') && unsigned.as_bytes()[1].is_ascii_digit();
    let plausible = unsigned.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b));
    if !(has_digit_first || has_dot_digit) || leading_zero || !plausible {
        return None;
    }
    if unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        let whole = text.strip_prefix('+').unwrap_or(text);
        if let Ok(number) = whole.parse::<i64>() {
            return Some(number.into());
        }
        if let Ok(number) = whole.parse::<u64>() {
            return Some(number.into());
        }
    }
    text.parse::<f64>().ok().and_then(Number::from_f64)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Document, SuiteError> {
        parse(Source::new(Path::new("t.yaml"), text))
    }

    #[test]
    fn scalars_follow_the_core_schema() {
        let text = "a: no\nb: 1.10\nc: 007\nd: ~\ne: 0x1f\nf: -3\ng: '5'\nh: 1e3\ni: 2027-01-14\nj: .5\nk: !!str 7\nl: 1-2\n";
        let value = read(text).unwrap().root.to_value();
        assert_eq!(
            value,
            json!({"a":"no","b":1.1,"c":"007","d":null,"e":31,"f":-3,"g":"5","h":1000.0,"i":"2027-01-14","j":0.5,"k":"7","l":"1-2"})
        );
    }

    #[test]
    fn places_survive_characters_of_several_bytes() {
        let document = read("ü: 1\nb:\n  - {cé: 'x', d: y}\n").unwrap();
        let item = &document.root.get("b").unwrap().items().unwrap()[0];
        let entry = item.entry("d").unwrap();
        assert_eq!(document.source.place(entry.key_span().start), (3, 15));
        assert_eq!(&document.source.text[entry.value.span()], "y");
    }

    #[test]
    fn repeated_keys_indents_and_second_documents_are_mistakes() {
        let document = read("a: 1\nb: {c: 1, c: 2}\na: 3\n").unwrap();
        let places: Vec<_> = document.mistakes.iter().map(|d| (d.line, d.column)).collect();
        assert_eq!(places, [(2, 11), (3, 1)]);
        assert!(read("tasks:\n  - id: a\n   user: b\n").unwrap_err().to_string().contains("not YAML"));
        assert!(read("a: 1\n---\nb: 2\n").unwrap_err().to_string().contains("second document"));
        assert!(read("# nothing\n").unwrap_err().to_string().contains("empty"));
    }

    #[test]
    fn merge_keys_give_what_is_not_there() {
        let value = read("x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\n").unwrap().root.to_value();
        assert_eq!(value["y"], json!({"b": 3, "a": 1}));
    }

    #[test]
    fn an_alias_bomb_ends_early() {
        let mut text = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
        for n in 1..11 {
            let items = vec![format!("*a{}", n - 1); 9].join(",");
            text.push_str(&format!("a{n}: &a{n} [{items}]\n"));
        }
        assert!(read(&text).unwrap_err().to_string().contains("aliases copy more than"));
    }

    #[test]
    fn deep_nesting_ends_early() {
        assert!(read(&"[".repeat(10_000)).is_err());
        let mut blocks = String::new();
        for depth in 0..400 {
            blocks.push_str(&" ".repeat(depth));
            blocks.push_str("a:\n");
        }
        assert!(read(&blocks).unwrap_err().to_string().contains("deep"));
    }
}
