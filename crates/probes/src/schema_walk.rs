//! Sets a document beside the JSON Schema of the type that it should become, and gathers every mistake with its
//! place. It knows the keywords that `schemars` writes for our types, not all of JSON Schema.

mod branches;

use std::collections::HashMap;

use regex::Regex;
use serde_json::Value;

use crate::document::{Content, Document, Entry, Node};
use crate::error::Diagnostic;
use crate::near_name::nearest;

/// One walk over one document.
pub(crate) struct SchemaWalk<'a> {
    document: &'a Document,
    root: &'a Value,
    not_in_this_build: &'a [&'a str],
    mistakes: Vec<Diagnostic>,
    patterns: HashMap<&'a str, Option<Regex>>,
}

impl<'a> SchemaWalk<'a> {
    pub(crate) fn new(document: &'a Document, schema: &'a Value, not_in_this_build: &'a [&'a str]) -> Self {
        Self { document, root: schema, not_in_this_build, mistakes: Vec::new(), patterns: HashMap::new() }
    }

    /// All the mistakes.
    pub(crate) fn mistakes(mut self) -> Vec<Diagnostic> {
        self.check(&self.document.root, self.root, "the file");
        self.mistakes
    }

    /// `what` names the value in messages: its key, in backticks, as a rule.
    fn check(&mut self, node: &Node, schema: &'a Value, what: &str) {
        let schema = self.resolved(schema);
        if let Some(branches) = branches::of(schema) {
            return self.any_of(node, branches, what);
        }
        if self.is_blank(node, schema, what) || !self.has_type(node, schema, what) {
            return;
        }
        match &node.content {
            Content::Map(entries) => self.map(node, entries, schema),
            Content::List(items) => self.list(node, items, schema, what),
            _ => self.scalar(node, schema, what),
        }
    }

    fn resolved(&self, schema: &'a Value) -> &'a Value {
        let target =
            schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        target.and_then(|pointer| self.root.pointer(pointer)).unwrap_or(schema)
    }

    fn wrong(&self, node: &Node, message: impl Into<String>) -> Diagnostic {
        let span = match node.content {
            Content::List(_) | Content::Map(_) => node.span.start..node.span.start + 1,
            _ => node.span.clone(),
        };
        self.document.source.diagnostic(&span, message)
    }

    /// A key without a value is a slip as a rule, also where leaving the key out would be fine.
    fn is_blank(&mut self, node: &Node, schema: &Value, what: &str) -> bool {
        let types = types(schema);
        if !matches!(node.content, Content::Null) || types.is_empty() || types.len() > 2 {
            return false;
        }
        let mut diagnostic = self.wrong(node, format!("{what} is blank, and takes {}", wanted(&types)));
        diagnostic = match types.first() {
            Some(&"array") => diagnostic.help("write [] for an empty list, or leave the key out"),
            Some(&"object") => diagnostic.help("write {} for an empty map, or leave the key out"),
            _ => diagnostic.help("give a value, or leave the key out"),
        };
        self.mistakes.push(diagnostic);
        true
    }

    fn has_type(&mut self, node: &Node, schema: &Value, what: &str) -> bool {
        let types = types(schema);
        let fits = types.is_empty() || types.iter().any(|name| fits(node, name));
        if !fits {
            let message = format!("{what} takes {}, and this is {}", wanted(&types), node.type_name());
            self.mistakes.push(self.wrong(node, message));
        }
        fits
    }

    fn map(&mut self, node: &Node, entries: &[Entry], schema: &'a Value) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let others = schema.get("additionalProperties");
        let known: Vec<&str> = properties.into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        for entry in entries {
            let what = format!("`{}`", entry.key);
            match (properties.and_then(|properties| properties.get(&entry.key)), others) {
                (Some(property), _) => self.check(&entry.value, property, &what),
                (None, Some(Value::Bool(false))) => self.unknown_key(entry, &known),
                (None, Some(other)) => self.check(&entry.value, other, &what),
                (None, None) => {}
            }
        }
        let is_of_another_build = |entry: &Entry| {
            !known.contains(&entry.key.as_str()) && self.not_in_this_build.contains(&entry.key.as_str())
        };
        if entries.iter().any(is_of_another_build) {
            return; // what such a key stands in place of is not missing
        }
        for key in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            let Some(key) = key.as_str() else { continue };
            // A misspelt key is one mistake, not also a missing one.
            let is_meant = |entry: &Entry| {
                entry.key == key
                    || (!known.contains(&entry.key.as_str())
                        && nearest(&entry.key, known.iter().copied()) == Some(key))
            };
            if !entries.iter().any(is_meant) {
                let start = node.span.start;
                let place = start..start + 1;
                self.mistakes
                    .push(self.document.source.diagnostic(&place, format!("the key `{key}` is missing")));
            }
        }
    }

    fn unknown_key(&mut self, entry: &Entry, known: &[&str]) {
        let key = entry.key.as_str();
        let at = |message: String| self.document.source.diagnostic(&entry.key_span, message);
        let diagnostic = if self.not_in_this_build.contains(&key) {
            at(format!("`{key}` is known, not in this build"))
        } else {
            at(format!("unknown key `{key}`")).nearest(key, known)
        };
        self.mistakes.push(diagnostic);
    }

    fn list(&mut self, node: &Node, items: &[Node], schema: &'a Value, what: &str) {
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        if (items.len() as u64) < least {
            self.mistakes.push(self.wrong(node, format!("{what} needs at least {least} {}", entries(least))));
        }
        if let Some(item_schema) = schema.get("items") {
            for item in items {
                self.check(item, item_schema, &format!("an entry of {what}"));
            }
        }
    }

    fn scalar(&mut self, node: &Node, schema: &'a Value, what: &str) {
        let written = match &node.content {
            Content::Text(text) => text.as_str(),
            _ => self.document.source.text.get(node.span.clone()).unwrap_or_default(),
        };
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
            let regex = self.patterns.entry(pattern).or_insert_with(|| Regex::new(pattern).ok());
            if regex.as_ref().is_some_and(|regex| !regex.is_match(written)) {
                let message = format!("{what} must match `{pattern}`, and `{written}` does not");
                let mut diagnostic = self.wrong(node, message);
                if let Some(help) = schema.get("description").and_then(Value::as_str) {
                    diagnostic = diagnostic.help(help);
                }
                self.mistakes.push(diagnostic);
            }
        }
        let (least, number) = (schema.get("minimum").and_then(Value::as_f64), node.to_value().as_f64());
        if let (Some(least), Some(number)) = (least, number)
            && number < least
        {
            self.mistakes
                .push(self.wrong(node, format!("{what} is at least {least}, and this is {written}")));
        }
        let members: Vec<&str> = match (schema.get("enum"), schema.get("const")) {
            (Some(Value::Array(members)), _) => members.iter().filter_map(Value::as_str).collect(),
            (_, Some(Value::String(member))) => vec![member],
            _ => return,
        };
        if !members.contains(&written) {
            let diagnostic = self.wrong(node, format!("{what} cannot be `{written}`"));
            self.mistakes.push(diagnostic.nearest(written, &members));
        }
    }
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
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
