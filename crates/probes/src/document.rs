//! A file that people wrote, as a tree in which every value knows its place. Both YAML and JSON become this
//! tree, so that mistakes are found and shown in one way whatever the file is written in.

pub(crate) mod deserialize;
pub(crate) mod json;
mod places;
mod source;
mod text_file;
pub(crate) mod yaml;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use serde_json::{Number, Value};
use transcript::RawJson;

use crate::error::Diagnostic;

pub use places::Places;
pub use places::step;
pub(crate) use source::Source;
pub use text_file::TextFile;

/// How deep lists and maps may lie in each other. Real schemas stay below 30.
pub(crate) const MAX_DEPTH: usize = 128;

/// A value and the bytes that it stands in. A suite has a dozen for each of its tasks, and may have a hundred
/// thousand tasks: small is what matters.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    span: Span,
    pub(crate) content: Content,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    Null,
    Bool(bool),
    Number(Number),
    Text(Box<str>),
    List(Box<[Node]>),
    Map(Box<[Entry]>),
}

/// One member of a map. A key that stands twice is two entries, and a mistake that parsing reports.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: Arc<str>,
    key_span: Span,
    pub(crate) value: Node,
}

/// Bytes of a text of less than 4 GiB, which `Source` sees to.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        let at = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: at(range.start), end: at(range.end) }
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start as usize..span.end as usize
    }
}

/// The keys of a file, each held once: most stand in every entry of a list.
#[derive(Debug, Default)]
pub(crate) struct Keys(HashSet<Arc<str>>);

impl Keys {
    pub(crate) fn get(&mut self, key: &str) -> Arc<str> {
        if let Some(known) = self.0.get(key) {
            return Arc::clone(known);
        }
        let key: Arc<str> = key.into();
        self.0.insert(Arc::clone(&key));
        key
    }
}

impl Entry {
    pub(crate) fn new(key: Arc<str>, key_span: Range<usize>, value: Node) -> Self {
        Self { key, key_span: key_span.into(), value }
    }

    /// Where its key stands.
    pub(crate) fn key_span(&self) -> Range<usize> {
        self.key_span.into()
    }
}

impl Node {
    pub(crate) fn new(span: Range<usize>, content: Content) -> Self {
        Self { span: span.into(), content }
    }

    /// Where it stands: the whole value in JSON; in YAML the whole scalar, or the start of a list or map.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.into()
    }

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
        self.entries()?.iter().find(|entry| &*entry.key == key)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    pub(crate) fn to_value(&self) -> Value {
        match &self.content {
            Content::Null => Value::Null,
            Content::Bool(value) => Value::Bool(*value),
            Content::Number(number) => Value::Number(number.clone()),
            Content::Text(text) => Value::String(text.to_string()),
            Content::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Content::Map(entries) => Value::Object(
                entries.iter().map(|entry| (entry.key.to_string(), entry.value.to_value())).collect(),
            ),
        }
    }
}

/// A parsed file.
#[derive(Debug, Clone)]
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

/// Reports keys that stand twice in one map.
pub(crate) fn repeated_keys(source: &Source, entries: &[Entry], mistakes: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<&str, Range<usize>> = HashMap::with_capacity(entries.len());
    for entry in entries {
        match seen.get(&*entry.key) {
            Some(first) => {
                let (line, _) = source.place(first.start);
                mistakes.push(
                    source
                        .diagnostic(&entry.key_span(), format!("key `{}` stands twice in one map", entry.key))
                        .help(format!("the first is in line {line}; keep one of them")),
                );
            }
            None => {
                seen.insert(&entry.key, entry.key_span());
            }
        }
    }
}

impl Document {
    /// A value as JSON: in a JSON file its own text without insignificant white space; from YAML written out,
    /// with the text of numbers kept where JSON can have it.
    pub(crate) fn raw(&self, node: &Node) -> RawJson {
        if self.syntax == Syntax::Json
            && let Some(Ok(raw)) = self.source.text.get(node.span()).map(RawJson::parse)
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
                    out.push_str(&Value::String(entry.key.to_string()).to_string());
                    out.push(':');
                    self.write(&entry.value, out);
                }
                out.push('}');
            }
            _ => out.push_str(&node.to_value().to_string()),
        }
    }

    fn number_text(&self, node: &Node, number: &Number) -> String {
        let written = self.source.text.get(node.span()).unwrap_or_default();
        let is_json = serde_json::from_str::<Number>(written).is_ok_and(|read| read == *number);
        if is_json { written.to_owned() } else { number.to_string() }
    }
}
