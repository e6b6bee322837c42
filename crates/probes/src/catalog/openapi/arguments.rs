//! The arguments of an operation: its parameters and its body as one object.

use serde_json::{Map, Value, json};

use crate::catalog::openapi::inline::Inliner;
use crate::catalog::openapi::members;

/// Headers that a client sets and no argument stands for (OpenAPI: they "shall be ignored").
const OF_THE_CLIENT: &[&str] = &["accept", "content-type", "authorization"];

/// Members of a parameter of 2.0 that are no part of its schema.
const NOT_OF_SCHEMA: &[&str] = &["name", "in", "required", "collectionFormat", "allowEmptyValue", "schema"];

/// The whole object.
pub(super) fn schema<'a>(
    operation: &'a Value,
    item: &'a Value,
    is_old: bool,
    inliner: &mut Inliner<'a>,
) -> Map<String, Value> {
    let mut object = Arguments::default();
    for parameter in parameters(operation, item, inliner) {
        object.parameter(parameter, is_old, inliner);
    }
    if let Some(body) = operation.get("requestBody").map(|body| inliner.target(body)) {
        let is_required = body.get("required") == Some(&Value::Bool(true));
        if let Some(schema) = of_content(body.get("content"), inliner) {
            object.body(inliner.inlined(schema), is_required);
        }
    }
    object.schema()
}

/// The parameters of an operation, and those of its path that it does not give again.
fn parameters<'a>(operation: &'a Value, item: &'a Value, inliner: &Inliner<'a>) -> Vec<&'a Value> {
    let list = |of: &'a Value| of.get("parameters").and_then(Value::as_array).into_iter().flatten();
    let key = |parameter: &Value| (parameter.get("name").cloned(), parameter.get("in").cloned());
    let own: Vec<&Value> = list(operation).map(|parameter| inliner.target(parameter)).collect();
    let shared = list(item).map(|parameter| inliner.target(parameter));
    let mut all: Vec<&Value> =
        shared.filter(|shared| own.iter().all(|own| key(own) != key(shared))).collect();
    all.extend(own);
    all
}

/// The schema of JSON where there is one, else of the first kind of content.
fn of_content<'a>(content: Option<&'a Value>, inliner: &Inliner<'a>) -> Option<&'a Value> {
    let kinds: Vec<(&str, &Value)> = members(content).collect();
    let json = kinds.iter().find(|(kind, _)| kind.starts_with("application/json") || kind.contains("+json"));
    let (_, media) = json.or(kinds.first())?;
    inliner.target(media).get("schema")
}

#[derive(Default)]
struct Arguments {
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl Arguments {
    fn parameter<'a>(&mut self, parameter: &'a Value, is_old: bool, inliner: &mut Inliner<'a>) {
        let place = parameter.get("in").and_then(Value::as_str).unwrap_or_default();
        let Some(name) = parameter.get("name").and_then(Value::as_str) else { return };
        let is_required = parameter.get("required") == Some(&Value::Bool(true)) || place == "path";
        if place == "header" && OF_THE_CLIENT.contains(&name.to_lowercase().as_str()) {
            return;
        }
        if place == "body" {
            if let Some(schema) = parameter.get("schema") {
                self.body(inliner.inlined(schema), is_required);
            }
            return;
        }
        let mut schema =
            match parameter.get("schema").or_else(|| of_content(parameter.get("content"), inliner)) {
                Some(schema) => inliner.inlined(schema),
                None if is_old => inliner.inlined_without(parameter, NOT_OF_SCHEMA),
                None => json!({}),
            };
        if let (Value::Object(members), Some(description)) = (&mut schema, parameter.get("description")) {
            members.entry("description").or_insert_with(|| description.clone());
        }
        self.put(name, schema, is_required);
    }

    /// A body: its members are arguments where it is an object whose names are free, else it is one argument.
    fn body(&mut self, schema: Value, is_required: bool) {
        let properties = schema.get("properties").and_then(Value::as_object).filter(|own| !own.is_empty());
        let is_free =
            properties.is_some_and(|own| own.keys().all(|name| !self.properties.contains_key(name)));
        let is_plain = ["allOf", "anyOf", "oneOf"].iter().all(|key| schema.get(key).is_none());
        match (properties, is_free && is_plain) {
            (Some(own), true) => {
                let names = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
                for (name, property) in own {
                    let is_required = is_required && names.iter().any(|required| required == name);
                    self.put(name, property.clone(), is_required);
                }
            }
            _ => self.put("body", schema, is_required),
        }
    }

    fn put(&mut self, name: &str, schema: Value, is_required: bool) {
        if is_required && self.required.iter().all(|other| other != name) {
            self.required.push(name.into());
        }
        self.properties.insert(name.to_owned(), schema);
    }

    fn schema(self) -> Map<String, Value> {
        let mut out = Map::new();
        out.insert("type".to_owned(), "object".into());
        out.insert("properties".to_owned(), self.properties.into());
        if !self.required.is_empty() {
            out.insert("required".to_owned(), self.required.into());
        }
        out
    }
}
