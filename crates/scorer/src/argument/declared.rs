//! What a schema declares, in one merged view. A validator accepts an argument that nobody declared wherever
//! `additionalProperties` is not said; so the declared properties are walked here, through `$ref`, `allOf`,
//! `anyOf` and `oneOf`. Where branches differ the view is the wider one: it must not blame what a branch takes.

use indexmap::IndexMap;
use regex::Regex;
use serde_json::Value;

use super::branches::{narrow, widen};

/// How many schemas below one another are followed, and how many in all; what is beyond is "anything goes".
const MAX_DEPTH: usize = 24;
const MAX_SCHEMAS: usize = 5_000;

/// Sets of JSON types; the empty set is "not said".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Types(pub(super) u8);

impl Types {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const NUMBER: Self = Self(8 | 4);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);

    pub(super) fn is_said(self) -> bool {
        self.0 != 0
    }

    /// Whether any of `other` is in this set.
    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether a value has one of these types; everything has where nothing is said.
    pub(super) fn take(self, value: &Value) -> bool {
        !self.is_said()
            || match value {
                Value::Null => self.has(Self::NULL),
                Value::Bool(_) => self.has(Self::BOOLEAN),
                // `1.0` is an integer in JSON Schema since draft 6.
                Value::Number(number) => {
                    self.0 & 8 != 0
                        || (self.has(Self::INTEGER)
                            && number.as_f64().is_none_or(|value| value.fract() == 0.0))
                }
                Value::String(_) => self.has(Self::STRING),
                Value::Array(_) => self.has(Self::ARRAY),
                Value::Object(_) => self.has(Self::OBJECT),
            }
    }

    fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self(0),
        }
    }
}

/// What becomes of keys that are not declared.
#[derive(Debug, Clone, Default)]
pub(super) enum Additional {
    /// Not said: a validator takes them, the tool does not know them.
    #[default]
    Unsaid,
    /// Refused.
    Closed,
    /// Taken on purpose, each with this schema.
    Open(Box<Declared>),
}

/// What a schema declares of one value.
#[derive(Debug, Clone, Default)]
pub(super) struct Declared {
    pub(super) types: Types,
    pub(super) properties: IndexMap<String, Declared>,
    /// Whether `properties` is there at all: an object without it is a free map.
    pub(super) lists_properties: bool,
    pub(super) required: Vec<String>,
    pub(super) additional: Additional,
    pub(super) key_patterns: Vec<Regex>,
    pub(super) items: Option<Box<Declared>>,
    /// `enum` and `const`.
    pub(super) members: Option<Vec<Value>>,
    pub(super) default: Option<Value>,
    pub(super) examples: Vec<Value>,
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
    pub(super) format: Option<String>,
    pub(super) description: String,
}

impl Declared {
    /// Reads a schema.
    pub(super) fn of(schema: &Value) -> Self {
        Reader { root: schema, references: Vec::new(), depth: 0, left: MAX_SCHEMAS }.read(schema)
    }

    /// Whether the key is declared, by name or by pattern, or taken on purpose.
    pub(super) fn knows(&self, key: &str) -> bool {
        self.properties.contains_key(key)
            || matches!(self.additional, Additional::Open(_))
            || self.key_patterns.iter().any(|pattern| pattern.is_match(key))
            || !(self.lists_properties || matches!(self.additional, Additional::Closed))
    }

    /// What is declared of a member, by its name or by the schema for all others.
    pub(super) fn member(&self, key: &str) -> Option<&Declared> {
        self.properties.get(key).or(match &self.additional {
            Additional::Open(schema) => Some(schema),
            _ => None,
        })
    }

    pub(super) fn requires(&self, key: &str) -> bool {
        self.required.iter().any(|required| required == key)
    }

    pub(super) fn takes_null(&self) -> bool {
        self.types.take(&Value::Null) && self.members.as_ref().is_none_or(|all| all.contains(&Value::Null))
    }
}

/// Follows a schema; a reference to a schema that is being read is not followed again.
struct Reader<'a> {
    root: &'a Value,
    references: Vec<&'a str>,
    depth: usize,
    left: usize,
}

impl<'a> Reader<'a> {
    fn read(&mut self, schema: &'a Value) -> Declared {
        let Value::Object(keywords) = schema else { return Declared::default() };
        if self.depth >= MAX_DEPTH || self.left == 0 {
            return Declared::default();
        }
        self.left -= 1;
        self.depth += 1;
        let mut declared = self.own_keywords(schema);
        if let Some(name) = keywords.get("$ref").and_then(Value::as_str) {
            narrow(&mut declared, self.follow(name));
        }
        for branch in list(schema, "allOf") {
            narrow(&mut declared, self.read(branch));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some((first, others)) = list(schema, keyword).split_first() {
                let mut any = self.read(first);
                for branch in others {
                    widen(&mut any, self.read(branch));
                }
                narrow(&mut declared, any);
            }
        }
        // What a condition adds is declared, and never required without it.
        for keyword in ["then", "else"] {
            if let Some(branch) = keywords.get(keyword) {
                let mut branch = self.read(branch);
                branch.required.clear();
                branch.additional = Additional::Unsaid;
                narrow(&mut declared, branch);
            }
        }
        self.depth -= 1;
        declared
    }

    fn follow(&mut self, name: &'a str) -> Declared {
        let target = name.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        let (Some(target), false) = (target, self.references.contains(&name)) else {
            return Declared::default();
        };
        self.references.push(name);
        let declared = self.read(target);
        self.references.pop();
        declared
    }

    fn own_keywords(&mut self, schema: &'a Value) -> Declared {
        let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str).map(str::to_owned);
        let properties = schema.get("properties").and_then(Value::as_object);
        Declared {
            types: types_of(schema),
            properties: properties
                .map(|all| all.iter().map(|(key, below)| (key.clone(), self.read(below))).collect())
                .unwrap_or_default(),
            lists_properties: properties.is_some(),
            required: list(schema, "required").iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            additional: self.additional(schema),
            key_patterns: schema
                .get("patternProperties")
                .and_then(Value::as_object)
                .map(|all| all.keys().filter_map(|pattern| Regex::new(pattern).ok()).collect())
                .unwrap_or_default(),
            items: schema
                .get("items")
                .filter(|items| items.is_object())
                .map(|items| Box::new(self.read(items))),
            members: match schema.get("const") {
                Some(only) => Some(vec![only.clone()]),
                None => schema.get("enum").and_then(Value::as_array).cloned(),
            },
            default: schema.get("default").cloned(),
            examples: list(schema, "examples").iter().chain(schema.get("example")).cloned().collect(),
            minimum: number("minimum").or_else(|| number("exclusiveMinimum")),
            maximum: number("maximum").or_else(|| number("exclusiveMaximum")),
            format: text("format"),
            description: text("description").unwrap_or_default(),
        }
    }

    fn additional(&mut self, schema: &'a Value) -> Additional {
        match schema.get("additionalProperties").or_else(|| schema.get("unevaluatedProperties")) {
            Some(Value::Bool(false)) => Additional::Closed,
            Some(Value::Bool(true)) => Additional::Open(Box::default()),
            Some(below @ Value::Object(_)) => Additional::Open(Box::new(self.read(below))),
            _ => Additional::Unsaid,
        }
    }
}

fn list<'a>(schema: &'a Value, keyword: &str) -> &'a [Value] {
    schema.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn types_of(schema: &Value) -> Types {
    match schema.get("type") {
        Some(Value::String(name)) => Types::named(name),
        Some(Value::Array(names)) => {
            Types(names.iter().filter_map(Value::as_str).fold(0, |all, name| all | Types::named(name).0))
        }
        _ => Types::default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keys(schema: &Value) -> Vec<String> {
        Declared::of(schema).properties.keys().cloned().collect()
    }

    #[test]
    fn finds_properties_behind_references_and_combinations() {
        let schema = json!({
            "$defs": {"place": {"properties": {"aisle": {"type": "string"}}, "required": ["aisle"]}},
            "$ref": "#/$defs/place",
            "properties": {"sku": {"type": "string"}},
            "allOf": [{"properties": {"count": {"type": "integer"}}}],
            "anyOf": [{"properties": {"by_hand": {}}}, {"properties": {"by_belt": {}}}],
            "oneOf": [{"properties": {"slow": {}}, "required": ["slow"]}, {"properties": {"fast": {}}}],
            "then": {"properties": {"why": {}}, "required": ["why"]}
        });
        assert_eq!(keys(&schema), ["sku", "aisle", "count", "by_hand", "by_belt", "slow", "fast", "why"]);
        assert_eq!(Declared::of(&schema).required, ["aisle"]);
    }

    #[test]
    fn an_open_schema_knows_only_what_it_lists_unless_it_is_open_on_purpose() {
        let unsaid = Declared::of(&json!({"type": "object", "properties": {"sku": {}}}));
        assert!(unsaid.knows("sku") && !unsaid.knows("bin"));
        let opened = json!({"properties": {"sku": {}}, "additionalProperties": {"type": "string"}});
        assert!(Declared::of(&opened).knows("bin"));
        let pattern = json!({"properties": {"sku": {}}, "patternProperties": {"^x-": {}}});
        assert!(Declared::of(&pattern).knows("x-note") && !Declared::of(&pattern).knows("bin"));
        assert!(Declared::of(&json!({"type": "object"})).knows("bin"), "a free map");
        assert!(!Declared::of(&json!({"type": "object", "properties": {}})).knows("bin"));
        assert!(!Declared::of(&json!({"type": "object", "additionalProperties": false})).knows("bin"));
    }

    #[test]
    fn branches_widen_and_conjunctions_narrow() {
        let nullable = Declared::of(&json!({"anyOf": [{"enum": ["low", "high"]}, {"type": "null"}]}));
        assert!(nullable.takes_null());
        assert_eq!(nullable.members, Some(vec![json!("low"), json!("high"), json!(null)]));
        let either = Declared::of(&json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}));
        assert!(either.types.take(&json!("x")) && either.types.take(&json!(3)));
        assert!(!either.types.take(&json!(3.5)));
        let both = Declared::of(&json!({"type": ["string", "null"], "allOf": [{"type": "string"}]}));
        assert!(!both.takes_null());
    }

    #[test]
    fn what_tells_branches_apart_binds_only_the_branches_that_have_it() {
        let shelf = json!({"properties": {"shelf": {"type": "string"}}, "required": ["shelf"]});
        let crate_of = |more: Value| {
            let mut branch =
                json!({"properties": {"type": {"const": "crate"}, "crate": {}}, "required": ["crate"]});
            branch.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
            branch
        };
        let members =
            |branches: Value| Declared::of(&json!({"oneOf": branches})).properties["type"].members.clone();
        assert_eq!(members(json!([shelf, crate_of(json!({}))])), None);
        assert_eq!(members(json!([crate_of(json!({})), shelf])), None);
        assert_eq!(members(json!([crate_of(json!({})), {"type": "string"}])), Some(vec![json!("crate")]));
        let closed = json!({"properties": {"shelf": {}}, "additionalProperties": false});
        assert_eq!(members(json!([closed, crate_of(json!({}))])), Some(vec![json!("crate")]));
        let both = json!([crate_of(json!({})), {"properties": {"type": {"const": "shelf"}, "shelf": {}}}]);
        assert_eq!(members(both), Some(vec![json!("crate"), json!("shelf")]));
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({"$ref": "#", "properties": {"child": {"$ref": "#"}}});
        assert_eq!(keys(&schema), ["child"]);
        let branches: Vec<Value> = (0..8).map(|_| json!({"items": {"$ref": "#"}})).collect();
        let wide = json!({"anyOf": branches, "properties": {"child": {"anyOf": branches}}});
        assert_eq!(keys(&wide), ["child"]);
    }
}
