//! Schemas of an OpenAPI document as JSON Schema that stands by itself: references are written out, and what only
//! OpenAPI says is said as JSON Schema says it, or left out.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// How deep schemas may lie in one another.
const MAX_DEPTH: usize = 24;

/// How many values the schemas of one operation may come to. Behind that references are cut.
const MAX_VALUES: usize = 6_000;

/// How often a schema may stand within itself before it is cut.
const WITHIN_ITSELF: usize = 1;

/// Keywords that say nothing of what a value may be.
const LEFT_OUT: &[&str] =
    &["xml", "externalDocs", "discriminator", "readOnly", "writeOnly", "nullable", "example"];

pub(super) struct Inliner<'a> {
    root: &'a Value,
    operation: String,
    values: usize,
    /// What was cut: the reason, and the operations that it concerns.
    cut: BTreeMap<String, Vec<String>>,
}

impl<'a> Inliner<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self { root, operation: String::new(), values: 0, cut: BTreeMap::new() }
    }

    /// Begins with another operation.
    pub(super) fn begin(&mut self, operation: &str) {
        operation.clone_into(&mut self.operation);
        self.values = 0;
    }

    /// What was cut, a line a reason.
    pub(super) fn notes(&self) -> Vec<String> {
        let note = |(why, operations): (&String, &Vec<String>)| {
            let shown =
                operations.iter().take(3).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let more = operations.len().saturating_sub(3);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{why}: cut there in {shown}{more}")
        };
        self.cut.iter().map(note).collect()
    }

    /// What a parameter, body or path that may be a reference stands for.
    pub(super) fn target(&self, value: &'a Value) -> &'a Value {
        let mut value = value;
        for _ in 0..MAX_DEPTH {
            let Some(target) = value.get("$ref").and_then(Value::as_str).and_then(|to| self.find(to)) else {
                break;
            };
            value = target;
        }
        value
    }

    fn find(&self, reference: &str) -> Option<&'a Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }

    /// A schema, written out.
    pub(super) fn inlined(&mut self, schema: &'a Value) -> Value {
        self.schema(schema, &mut Vec::new(), 0)
    }

    /// The members of a value that are a schema, written out.
    pub(super) fn inlined_without(&mut self, value: &'a Value, left_out: &[&str]) -> Value {
        let mut schema = self.inlined(value);
        if let Value::Object(members) = &mut schema {
            members.retain(|key, _| !left_out.contains(&key.as_str()));
        }
        schema
    }

    fn schema(&mut self, schema: &'a Value, within: &mut Vec<&'a str>, depth: usize) -> Value {
        let Value::Object(members) = schema else { return schema.clone() };
        self.values += 1;
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            return self.reference(reference, members, within, depth);
        }
        if depth > MAX_DEPTH {
            return self.cut_off("schemas lie too deep in one another".to_owned(), schema);
        }
        let mut out = Map::new();
        for (key, value) in members {
            if LEFT_OUT.contains(&key.as_str()) || key.starts_with("x-") {
                continue;
            }
            let written = match key.as_str() {
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                    self.named(value, within, depth)
                }
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => self.several(value, within, depth),
                "items"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames" => self.schema(value, within, depth + 1),
                _ => value.clone(),
            };
            out.insert(key.clone(), written);
        }
        as_json_schema(members, &mut out);
        Value::Object(out)
    }

    /// Properties; those that only answers have are left out.
    fn named(&mut self, schemas: &'a Value, within: &mut Vec<&'a str>, depth: usize) -> Value {
        let Value::Object(schemas) = schemas else { return schemas.clone() };
        let given = schemas.iter().filter(|(_, schema)| !is_of_answers(schema));
        let written = given.map(|(name, schema)| (name.clone(), self.schema(schema, within, depth + 1)));
        written.collect::<Map<String, Value>>().into()
    }

    fn several(&mut self, schemas: &'a Value, within: &mut Vec<&'a str>, depth: usize) -> Value {
        let Value::Array(schemas) = schemas else { return schemas.clone() };
        schemas.iter().map(|schema| self.schema(schema, within, depth + 1)).collect::<Vec<_>>().into()
    }

    fn reference(
        &mut self,
        reference: &'a str,
        beside: &'a Map<String, Value>,
        within: &mut Vec<&'a str>,
        depth: usize,
    ) -> Value {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        let Some(target) = self.find(reference) else {
            return self.cut_off(format!("`{reference}` is not in the document"), &Value::Null);
        };
        if within.iter().filter(|other| **other == reference).count() > WITHIN_ITSELF {
            return self.cut_off(format!("`{name}` refers to itself"), target);
        }
        if self.values > MAX_VALUES || depth > MAX_DEPTH {
            return self.cut_off(format!("`{name}` makes a schema too large"), target);
        }
        within.push(reference);
        let mut written = self.schema(target, within, depth + 1);
        within.pop();
        if let (Value::Object(members), Some(description)) = (&mut written, beside.get("description")) {
            members.insert("description".to_owned(), description.clone());
        }
        written
    }

    /// What stands in place of a schema that is not written out: its type, and that it was cut.
    fn cut_off(&mut self, why: String, schema: &Value) -> Value {
        let operations = self.cut.entry(why).or_default();
        if operations.last() != Some(&self.operation) {
            operations.push(self.operation.clone());
        }
        match schema.get("type") {
            Some(kind) => json!({ "type": kind }),
            None => json!({}),
        }
    }
}

fn is_of_answers(schema: &Value) -> bool {
    schema.get("readOnly") == Some(&Value::Bool(true))
}

/// Says in JSON Schema what the keywords of OpenAPI 2.0 and 3.0 say.
fn as_json_schema(members: &Map<String, Value>, out: &mut Map<String, Value>) {
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        match members.get(exclusive) {
            Some(Value::Bool(true)) => {
                out.remove(exclusive);
                if let Some(value) = out.remove(bound) {
                    out.insert(exclusive.to_owned(), value);
                }
            }
            Some(Value::Bool(false)) => _ = out.remove(exclusive),
            _ => {}
        }
    }
    if members.get("nullable") == Some(&Value::Bool(true))
        && let Some(Value::String(kind)) = members.get("type")
    {
        out.insert("type".to_owned(), json!([kind, "null"]));
        if let Some(Value::Array(options)) = out.get_mut("enum")
            && !options.contains(&Value::Null)
        {
            options.push(Value::Null);
        }
    }
    if members.get("type").and_then(Value::as_str) == Some("file") {
        out.insert("type".to_owned(), "string".into());
        out.insert("format".to_owned(), "binary".into());
    }
    if let Some(example) = members.get("example") {
        out.insert("examples".to_owned(), json!([example]));
    }
    let properties = members.get("properties").and_then(Value::as_object);
    if let (Some(Value::Array(required)), Some(properties)) = (out.get_mut("required"), properties) {
        required.retain(|name| {
            name.as_str().and_then(|name| properties.get(name)).is_none_or(|schema| !is_of_answers(schema))
        });
    }
}
