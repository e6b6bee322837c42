//! Sets a document beside the JSON Schema of the type that it should become, and gathers every mistake with its
//! place. It knows the keywords that `schemars` writes for our types, not all of JSON Schema.

mod branches;
mod shape;

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use serde_json::Value;

use crate::document::{Content, Document, Entry, Node};
use crate::error::Diagnostic;
use crate::near_name::nearest;
use shape::Shape;

/// One walk over one document.
pub(crate) struct SchemaWalk<'a> {
    document: &'a Document,
    root: &'a Value,
    not_in_this_build: &'a [&'a str],
    mistakes: Vec<Diagnostic>,
    /// By the schema's address: a suite of ten thousand tasks meets the same few schemas again and again.
    shapes: HashMap<*const Value, Rc<Shape<'a>>>,
}

/// What a value is called in messages; written out only where there is something to say.
#[derive(Clone, Copy)]
enum What<'w> {
    File,
    Key(&'w str),
    EntryOf(&'w What<'w>),
}

impl fmt::Display for What<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => formatter.write_str("the file"),
            Self::Key(key) => write!(formatter, "`{key}`"),
            Self::EntryOf(list) => write!(formatter, "an entry of {list}"),
        }
    }
}

impl<'a> SchemaWalk<'a> {
    pub(crate) fn new(document: &'a Document, schema: &'a Value, not_in_this_build: &'a [&'a str]) -> Self {
        Self { document, root: schema, not_in_this_build, mistakes: Vec::new(), shapes: HashMap::new() }
    }

    /// All the mistakes.
    pub(crate) fn mistakes(mut self) -> Vec<Diagnostic> {
        self.check(&self.document.root, self.root, What::File);
        self.mistakes
    }

    /// `what` names the value in messages: its key, in backticks, as a rule.
    fn check(&mut self, node: &Node, schema: &'a Value, what: What<'_>) {
        let shape = self.shape(schema);
        if let Some(branches) = &shape.branches {
            return self.any_of(node, branches, what);
        }
        if self.is_blank(node, &shape, what) || !self.has_type(node, &shape, what) {
            return;
        }
        match &node.content {
            Content::Map(entries) => self.map(node, entries, &shape),
            Content::List(items) => self.list(node, items, &shape, what),
            _ => self.scalar(node, &shape, what),
        }
    }

    fn shape(&mut self, schema: &'a Value) -> Rc<Shape<'a>> {
        let root = self.root;
        Rc::clone(
            self.shapes.entry(std::ptr::from_ref(schema)).or_insert_with(|| Rc::new(Shape::of(schema, root))),
        )
    }

    fn wrong(&self, node: &Node, message: impl Into<String>) -> Diagnostic {
        let span = match node.content {
            Content::List(_) | Content::Map(_) => node.span().start..node.span().start + 1,
            _ => node.span(),
        };
        self.document.source.diagnostic(&span, message)
    }

    /// A key without a value is a slip as a rule, also where leaving the key out would be fine.
    fn is_blank(&mut self, node: &Node, shape: &Shape<'_>, what: What<'_>) -> bool {
        let types = &shape.types;
        if !matches!(node.content, Content::Null) || types.is_empty() || types.len() > 2 {
            return false;
        }
        let mut diagnostic = self.wrong(node, format!("{what} is blank, and takes {}", wanted(types)));
        diagnostic = match types.first() {
            Some(&"array") => diagnostic.help("write [] for an empty list, or leave the key out"),
            Some(&"object") => diagnostic.help("write {} for an empty map, or leave the key out"),
            _ => diagnostic.help("give a value, or leave the key out"),
        };
        self.mistakes.push(diagnostic);
        true
    }

    fn has_type(&mut self, node: &Node, shape: &Shape<'_>, what: What<'_>) -> bool {
        let types = &shape.types;
        let fits = types.is_empty() || types.iter().any(|name| fits(node, name));
        if !fits {
            let message = format!("{what} takes {}, and this is {}", wanted(types), node.type_name());
            self.mistakes.push(self.wrong(node, message));
        }
        fits
    }

    fn map(&mut self, node: &Node, entries: &[Entry], shape: &Shape<'a>) {
        for entry in entries {
            let what = What::Key(&entry.key);
            match (shape.property(&entry.key), shape.others) {
                (Some(property), _) => self.check(&entry.value, property, what),
                (None, Some(Value::Bool(false))) => self.unknown_key(entry, &shape.known()),
                (None, Some(other)) => self.check(&entry.value, other, what),
                (None, None) => {}
            }
        }
        let is_known = |entry: &Entry| shape.property(&entry.key).is_some();
        let is_of_another_build =
            |entry: &Entry| self.not_in_this_build.contains(&&*entry.key) && !is_known(entry);
        if entries.iter().any(is_of_another_build) {
            return; // what such a key stands in place of is not missing
        }
        for &key in &shape.required {
            // A misspelt key is one mistake, not also a missing one.
            let is_misspelt =
                |entry: &Entry| !is_known(entry) && nearest(&entry.key, shape.known()) == Some(key);
            if !entries.iter().any(|entry| *entry.key == *key) && !entries.iter().any(is_misspelt) {
                let start = node.span().start;
                let place = start..start + 1;
                self.mistakes
                    .push(self.document.source.diagnostic(&place, format!("the key `{key}` is missing")));
            }
        }
    }

    fn unknown_key(&mut self, entry: &Entry, known: &[&str]) {
        let key = &*entry.key;
        let at = |message: String| self.document.source.diagnostic(&entry.key_span(), message);
        let diagnostic = if self.not_in_this_build.contains(&key) {
            at(format!("`{key}` is known, not in this build"))
        } else {
            at(format!("unknown key `{key}`")).nearest(key, known)
        };
        self.mistakes.push(diagnostic);
    }

    fn list(&mut self, node: &Node, items: &[Node], shape: &Shape<'a>, what: What<'_>) {
        let least = shape.min_items;
        if (items.len() as u64) < least {
            self.mistakes.push(self.wrong(node, format!("{what} needs at least {least} {}", entries(least))));
        }
        if let Some(item_schema) = shape.items {
            for item in items {
                self.check(item, item_schema, What::EntryOf(&what));
            }
        }
    }

    fn scalar(&mut self, node: &Node, shape: &Shape<'a>, what: What<'_>) {
        let written = match &node.content {
            Content::Text(text) => text,
            _ => self.document.source.text.get(node.span()).unwrap_or_default(),
        };
        if let Some((pattern, Some(regex))) = &shape.pattern
            && !regex.is_match(written)
        {
            let message = format!("{what} must match `{pattern}`, and `{written}` does not");
            let mut diagnostic = self.wrong(node, message);
            if let Some(help) = shape.description {
                diagnostic = diagnostic.help(help);
            }
            self.mistakes.push(diagnostic);
        }
        if let (Some(least), Content::Number(number)) = (shape.minimum, &node.content)
            && number.as_f64().is_some_and(|number| number < least)
        {
            self.mistakes
                .push(self.wrong(node, format!("{what} is at least {least}, and this is {written}")));
        }
        let Some(members) = &shape.members else { return };
        if !members.contains(&written) {
            let diagnostic = self.wrong(node, format!("{what} cannot be `{written}`"));
            self.mistakes.push(diagnostic.nearest(written, members));
        }
    }
}

/// Whether a value can be read as a type. Text need not stand in quotation marks.
fn fits(node: &Node, name: &str) -> bool {
    match (&node.content, name) {
        (Content::Number(number), "integer") => number.is_i64() || number.is_u64(),
        (Content::Number(_), "number" | "string")
        | (Content::Bool(_), "boolean" | "string")
        | (Content::Text(_), "string")
        | (Content::List(_), "array")
        | (Content::Map(_), "object")
        | (Content::Null, "null") => true,
        _ => false,
    }
}

fn wanted(types: &[&str]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for name in types {
        let word = match *name {
            "string" => "text",
            "integer" => "a whole number",
            "number" => "a number",
            "boolean" => "true or false",
            "array" => "a list",
            "object" => "a map",
            _ => continue,
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(" or ")
}

fn entries(count: u64) -> &'static str {
    if count == 1 { "entry" } else { "entries" }
}
