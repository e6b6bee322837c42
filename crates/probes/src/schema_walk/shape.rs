//! A schema as a walk needs it, read once: looking keywords up for every value of a file took most of the time of
//! reading it.

use regex::Regex;
use serde_json::Value;

/// The keywords of one schema.
pub(super) struct Shape<'a> {
    /// The branches of a value that may be of several sorts, but for the one that allows null.
    pub(super) branches: Option<Vec<&'a Value>>,
    pub(super) types: Vec<&'a str>,
    properties: Vec<(&'a str, &'a Value)>,
    /// What other keys may hold.
    pub(super) others: Option<&'a Value>,
    pub(super) required: Vec<&'a str>,
    pub(super) min_items: u64,
    pub(super) items: Option<&'a Value>,
    /// The pattern, and how it is matched where it is a pattern.
    pub(super) pattern: Option<(&'a str, Option<Regex>)>,
    pub(super) minimum: Option<f64>,
    /// The words that it may be.
    pub(super) members: Option<Vec<&'a str>>,
    pub(super) description: Option<&'a str>,
}

impl<'a> Shape<'a> {
    /// Reads a schema, or the one that it refers to within `root`.
    pub(super) fn of(schema: &'a Value, root: &'a Value) -> Self {
        let schema = resolved(schema, root);
        let list = |key: &str| schema.get(key).and_then(Value::as_array);
        let text = |key: &str| schema.get(key).and_then(Value::as_str);
        let is_null = |branch: &&Value| branch.get("type").and_then(Value::as_str) == Some("null");
        let branches = list("anyOf").or_else(|| list("oneOf"));
        let properties = schema.get("properties").and_then(Value::as_object);
        Self {
            branches: branches.map(|list| list.iter().filter(|branch| !is_null(branch)).collect()),
            types: types(schema),
            properties: properties.into_iter().flatten().map(|(key, value)| (key.as_str(), value)).collect(),
            others: schema.get("additionalProperties"),
            required: list("required").into_iter().flatten().filter_map(Value::as_str).collect(),
            min_items: schema.get("minItems").and_then(Value::as_u64).unwrap_or(0),
            items: schema.get("items"),
            pattern: text("pattern").map(|pattern| (pattern, Regex::new(pattern).ok())),
            minimum: schema.get("minimum").and_then(Value::as_f64),
            members: match (list("enum"), text("const")) {
                (Some(members), _) => Some(members.iter().filter_map(Value::as_str).collect()),
                (None, Some(member)) => Some(vec![member]),
                (None, None) => None,
            },
            description: text("description"),
        }
    }

    pub(super) fn property(&self, key: &str) -> Option<&'a Value> {
        self.properties.iter().find(|(name, _)| *name == key).map(|(_, schema)| *schema)
    }

    /// The keys that are described, in order.
    pub(super) fn known(&self) -> Vec<&'a str> {
        self.properties.iter().map(|(key, _)| *key).collect()
    }
}

/// The schema that is referred to, or the schema itself.
pub(super) fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
