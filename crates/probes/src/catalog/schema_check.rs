//! Whether a tool's schema is a schema: the mistakes that show without a validator.

use crate::document::{Content, Document, Entry, Node};
use crate::error::Diagnostic;

const TYPES: &[&str] = &["object", "array", "string", "number", "integer", "boolean", "null"];

/// Keywords whose value is one schema, a list of schemas, or a map of schemas.
const ONE: &[&str] = &[
    "items",
    "additionalProperties",
    "additionalItems",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
];
const MANY: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems"];
const NAMED: &[&str] = &["properties", "patternProperties", "$defs", "definitions"];

/// Gathers the mistakes of a tool's schema. Gemini's names of types are in capitals.
pub(super) fn check_schema(
    document: &Document,
    schema: &Node,
    is_gemini: bool,
    mistakes: &mut Vec<Diagnostic>,
) {
    let mut check = Check { document, is_gemini, mistakes };
    check.schema(schema);
    let types = check.types(schema.get("type"));
    let all_known = types.iter().all(|name| TYPES.contains(&name.as_str()));
    if !types.is_empty()
        && all_known
        && !types.iter().any(|name| name == "object")
        && let Some(node) = schema.get("type")
    {
        let message =
            format!("a tool's arguments are an object, and this schema is for {}", types.join(", "));
        check.wrong(node, message);
    }
}

struct Check<'a> {
    document: &'a Document,
    is_gemini: bool,
    mistakes: &'a mut Vec<Diagnostic>,
}

impl Check<'_> {
    fn wrong(&mut self, node: &Node, message: impl Into<String>) {
        let span = match node.content {
            Content::List(_) | Content::Map(_) => node.span().start..node.span().start + 1,
            _ => node.span(),
        };
        self.mistakes.push(self.document.source.diagnostic(&span, message));
    }

    fn schema(&mut self, node: &Node) {
        match &node.content {
            Content::Bool(_) => {}
            Content::Map(entries) => entries.iter().for_each(|entry| self.keyword(entry)),
            _ => {
                self.wrong(node, format!("a schema is a map or a boolean, and this is {}", node.type_name()))
            }
        }
    }

    fn keyword(&mut self, entry: &Entry) {
        let (key, value) = (&*entry.key, &entry.value);
        match (key, &value.content) {
            ("type", _) => self.type_keyword(value),
            ("required", Content::List(names)) => {
                for name in names.iter().filter(|name| name.text().is_none()) {
                    self.wrong(name, format!("`required` lists names, and this is {}", name.type_name()));
                }
            }
            ("required", _) => self.wrong(value, "`required` takes a list of names"),
            ("enum", Content::List(_)) => {}
            ("enum", _) => self.wrong(value, "`enum` takes a list"),
            ("$ref", Content::Text(_)) => {}
            ("$ref", _) => self.wrong(value, "`$ref` takes text"),
            ("items", Content::List(items)) => items.iter().for_each(|item| self.schema(item)),
            (key, _) if ONE.contains(&key) => self.schema(value),
            (key, Content::List(items)) if MANY.contains(&key) => {
                items.iter().for_each(|item| self.schema(item))
            }
            (key, _) if MANY.contains(&key) => self.wrong(value, format!("`{key}` takes a list of schemas")),
            (key, Content::Map(entries)) if NAMED.contains(&key) => {
                entries.iter().for_each(|entry| self.schema(&entry.value));
            }
            (key, _) if NAMED.contains(&key) => {
                self.wrong(
                    value,
                    format!("`{key}` takes a map of schemas, and this is {}", value.type_name()),
                );
            }
            _ => {}
        }
    }

    fn type_keyword(&mut self, node: &Node) {
        let names: Vec<&Node> = node.items().map_or_else(|| vec![node], |items| items.iter().collect());
        for name in names {
            match name.text().map(|text| self.type_name(text)) {
                Some(text) if TYPES.contains(&text.as_str()) => {}
                Some(text) => {
                    let diagnostic =
                        self.document.source.diagnostic(&name.span(), format!("unknown type `{text}`"));
                    self.mistakes.push(diagnostic.nearest(&text, TYPES));
                }
                None => self.wrong(name, format!("`type` is a name, and this is {}", name.type_name())),
            }
        }
    }

    fn type_name(&self, text: &str) -> String {
        if self.is_gemini { text.to_lowercase() } else { text.to_owned() }
    }

    fn types(&self, node: Option<&Node>) -> Vec<String> {
        let Some(node) = node else { return Vec::new() };
        let names = node.items().map_or_else(|| vec![node], |items| items.iter().collect());
        names.into_iter().filter_map(Node::text).map(|text| self.type_name(text)).collect()
    }
}
