//! A file that people wrote, as a tree in which every value knows its place. Both YAML and JSON become this
//! tree, so that mistakes are found and shown in one way whatever the file is written in.

pub(crate) mod deserialize;
pub(crate) mod json;
pub(crate) mod yaml;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde_json::{Number, Value};
use transcript::RawJson;

use crate::error::{Diagnostic, SuiteError};

/// How deep lists and maps may lie in each other. Real schemas stay below 30.
pub(crate) const MAX_DEPTH: usize = 128;

/// A value and the bytes that it stands in.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Where it stands: the whole value in JSON; in YAML the whole scalar, or the start of a list or map.
    pub(crate) span: Range<usize>,
    pub(crate) content: Content,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// One member of a map. A key that stands twice is two entries, and a mistake that parsing reports.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Range<usize>,
    pub(crate) value: Node,
}

impl Node {
    /// What it is, for messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match &self.content {
            Content::Null => "null",
            Content::Bool(_) => "a boolean",
            Content::Number(_) => "a number",
            Content::Text(_) => "text",
            Content::List(_) => "a list",
            Content::Map(_) => "a map",
        }
    }

    pub(crate) fn entries(&self) -> Option<&[Entry]> {
        match &self.content {
            Content::Map(entries) => Some(entries),
            _ => None,
        }
    }

    pub(crate) fn items(&self) -> Option<&[Node]> {
        match &self.content {
            Content::List(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries()?.iter().find(|entry| entry.key == key)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    pub(crate) fn to_value(&self) -> Value {
        match &self.content {
            Content::Null => Value::Null,
            Content::Bool(value) => Value::Bool(*value),
            Content::Number(number) => Value::Number(number.clone()),
            Content::Text(text) => Value::String(text.clone()),
            Content::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Content::Map(entries) => Value::Object(
                entries.iter().map(|entry| (entry.key.clone(), entry.value.to_value())).collect(),
            ),
        }
    }
}

/// A parsed file.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) source: Source,
    pub(crate) root: Node,
    pub(crate) syntax: Syntax,
    /// What parsing found wrong and could go on behind: repeated keys.
    pub(crate) mistakes: Vec<Diagnostic>,
}

/// What a document was written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    Json,
    Yaml,
}

/// A file's name and text.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) file: Arc<str>,
    pub(crate) text: Arc<str>,
    line_starts: Arc<OnceLock<Vec<usize>>>,
}

impl Source {
    pub(crate) fn new(file: &Path, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            file: file.display().to_string().into(),
            text: text.into(),
            line_starts: Arc::new(OnceLock::new()),
        }
    }

    /// Reads a file that must be UTF-8 text.
    pub(crate) fn read(file: &Path) -> Result<Self, SuiteError> {
        let bytes = std::fs::read(file)
            .map_err(|source| SuiteError::Read { path: file.display().to_string(), source })?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(Self::new(file, text)),
            Err(error) => Err(not_utf8(file, &bytes, error.valid_up_to())),
        }
    }

    /// Line and column of a byte, both from 1, columns in characters.
    pub(crate) fn place(&self, offset: usize) -> (usize, usize) {
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset).max(1);
        let start = starts.get(line - 1).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(1, |before| before.chars().count() + 1);
        (line, column)
    }

    /// The byte at which a line and column (both from 1, the column in bytes) lie.
    pub(crate) fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.line_starts().get(line.saturating_sub(1)).copied().unwrap_or(0);
        let mut offset = (start + column.saturating_sub(1)).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        })
    }

    /// A diagnostic at some bytes.
    pub(crate) fn diagnostic(&self, span: &Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(self, span.clone(), message.into())
    }
}

fn not_utf8(file: &Path, bytes: &[u8], valid: usize) -> SuiteError {
    let before = String::from_utf8_lossy(bytes.get(..valid).unwrap_or_default()).into_owned();
    let source = Source::new(file, &format!("{before}\u{fffd}"));
    let offset = source.text.len() - '\u{fffd}'.len_utf8();
    let diagnostic = source.diagnostic(&(offset..source.text.len()), "the file is not UTF-8 text");
    SuiteError::from(diagnostic.help("save it as UTF-8"))
}

/// Reports keys that stand twice in one map.
pub(crate) fn repeated_keys(source: &Source, entries: &[Entry], mistakes: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<&str, &Range<usize>> = HashMap::with_capacity(entries.len());
    for entry in entries {
        match seen.get(entry.key.as_str()) {
            Some(first) => {
                let (line, _) = source.place(first.start);
                mistakes.push(
                    source
                        .diagnostic(&entry.key_span, format!("key `{}` stands twice in one map", entry.key))
                        .help(format!("the first is in line {line}; keep one of them")),
                );
            }
            None => {
                seen.insert(&entry.key, &entry.key_span);
            }
        }
    }
}

/// The places of a file that was read, for mistakes that show only later.
#[derive(Debug, Clone)]
pub struct Places(pub(crate) Arc<Document>);

impl Places {
    /// Line and column, both from 1, of the value at a JSON pointer such as `/tasks/3/tool`; of the nearest
    /// value above it where there is none.
    #[must_use]
    pub fn at(&self, pointer: &str) -> (usize, usize) {
        self.0.source.place(self.find(pointer).0.start)
    }

    /// A mistake at the value at a JSON pointer.
    #[must_use]
    pub fn value(&self, pointer: &str, message: impl Into<String>) -> Diagnostic {
        self.0.source.diagnostic(&self.find(pointer).0, message)
    }

    /// A mistake at the key of the map entry at a JSON pointer.
    #[must_use]
    pub fn key(&self, pointer: &str, message: impl Into<String>) -> Diagnostic {
        let (value, key) = self.find(pointer);
        self.0.source.diagnostic(&key.unwrap_or(value), message)
    }

    fn find(&self, pointer: &str) -> (Range<usize>, Option<Range<usize>>) {
        let mut node = &self.0.root;
        let mut key = None;
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            let next = match &node.content {
                Content::List(items) => part.parse().ok().and_then(|at: usize| items.get(at)),
                Content::Map(entries) => match entries.iter().find(|entry| entry.key == part) {
                    Some(entry) => {
                        key = Some(entry.key_span.clone());
                        Some(&entry.value)
                    }
                    None => None,
                },
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        (node.span.clone(), key)
    }
}

/// One step of a JSON pointer, escaped (RFC 6901).
pub(crate) fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

impl Document {
    /// A value as JSON: in a JSON file its own text without insignificant white space; from YAML written out,
    /// with the text of numbers kept where JSON can have it.
    pub(crate) fn raw(&self, node: &Node) -> RawJson {
        if self.syntax == Syntax::Json
            && let Some(Ok(raw)) = self.source.text.get(node.span.clone()).map(RawJson::parse)
        {
            return raw;
        }
        let mut text = String::new();
        self.write(node, &mut text);
        RawJson::parse(&text).unwrap_or_else(|_| RawJson::from_value(&node.to_value()))
    }

    fn write(&self, node: &Node, out: &mut String) {
        match &node.content {
            Content::Number(number) => out.push_str(&self.number_text(node, number)),
            Content::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    self.write(item, out);
                }
                out.push(']');
            }
            Content::Map(entries) => {
                out.push('{');
                for (at, entry) in entries.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    out.push_str(&Value::String(entry.key.clone()).to_string());
                    out.push(':');
                    self.write(&entry.value, out);
                }
                out.push('}');
            }
            _ => out.push_str(&node.to_value().to_string()),
        }
    }

    fn number_text(&self, node: &Node, number: &Number) -> String {
        let written = self.source.text.get(node.span.clone()).unwrap_or_default();
        let is_json = serde_json::from_str::<Number>(written).is_ok_and(|read| read == *number);
        if is_json { written.to_owned() } else { number.to_string() }
    }
}
