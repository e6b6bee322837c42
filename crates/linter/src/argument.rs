//! The arguments that a tool's schema declares, with their places.

use std::collections::HashSet;

use serde_json::Value;

/// How many references and branches are followed.
const MAX_STEPS: usize = 64;

/// One argument.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    /// Its own schema, behind a local reference.
    pub(crate) schema: Value,
    pub(crate) required: bool,
    /// JSON pointer within the tool's schema.
    pub(crate) pointer: String,
}

impl Argument {
    /// What its schema says of it in words; of a branch where it says nothing itself.
    pub(crate) fn description(&self) -> &str {
        self.text_of("description").unwrap_or_default()
    }

    fn text_of(&self, key: &str) -> Option<&str> {
        let own = self.schema.get(key).and_then(Value::as_str);
        own.or_else(|| branches(&self.schema).find_map(|branch| branch.get(key).and_then(Value::as_str)))
    }

    /// Whether the schema or one of its branches has one of these keywords.
    pub(crate) fn has(&self, keywords: &[&str]) -> bool {
        let any = |schema: &Value| keywords.iter().any(|key| schema.get(key).is_some());
        any(&self.schema) || branches(&self.schema).any(any)
    }
}

fn branches(schema: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array());
    lists.flatten()
}

/// The arguments of a schema in its order. Those behind a local `$ref`, `allOf`, `anyOf` or `oneOf` are
/// declared too.
pub(crate) fn arguments(schema: &Value) -> Vec<Argument> {
    let (names, required) = (HashSet::new(), HashSet::new());
    let mut collected = Collected { root: schema, arguments: Vec::new(), names, required, steps: 0 };
    collected.collect(schema, String::new(), true);
    let Collected { mut arguments, required, .. } = collected;
    for argument in &mut arguments {
        argument.required = required.contains(argument.name.as_str());
    }
    arguments
}

struct Collected<'a> {
    root: &'a Value,
    arguments: Vec<Argument>,
    names: HashSet<&'a str>,
    /// Names that the schema always requires. A branch may require what is declared elsewhere.
    required: HashSet<&'a str>,
    steps: usize,
}

impl<'a> Collected<'a> {
    fn collect(&mut self, schema: &'a Value, pointer: String, always: bool) {
        self.steps += 1;
        let Some(members) = schema.as_object().filter(|_| self.steps <= MAX_STEPS) else { return };
        if let Some((target, place)) = local(schema, self.root) {
            self.collect(target, place, always);
        }
        for (key, always) in [("allOf", always), ("anyOf", false), ("oneOf", false)] {
            for (at, branch) in members.get(key).and_then(Value::as_array).into_iter().flatten().enumerate() {
                self.collect(branch, format!("{pointer}/{key}/{at}"), always);
            }
        }
        for (name, property) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if self.names.insert(name) {
                let schema = local(property, self.root).map_or(property, |(target, _)| target);
                self.arguments.push(Argument {
                    name: name.clone(),
                    schema: merged(property, schema),
                    required: false,
                    pointer: format!("{pointer}/properties/{}", step(name)),
                });
            }
        }
        if always {
            let required = members.get("required").and_then(Value::as_array).into_iter().flatten();
            self.required.extend(required.filter_map(Value::as_str));
        }
    }
}

/// What stands beside a reference adds to what it refers to.
fn merged(property: &Value, target: &Value) -> Value {
    let mut merged = target.clone();
    if let (Some(merged), Some(own)) = (merged.as_object_mut(), property.as_object()) {
        for (key, value) in own.iter().filter(|(key, _)| *key != "$ref") {
            merged.insert(key.clone(), value.clone());
        }
    }
    merged
}

fn local<'a>(schema: &Value, root: &'a Value) -> Option<(&'a Value, String)> {
    let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    Some((root.pointer(pointer)?, pointer.to_owned()))
}

/// One step of a JSON pointer, escaped (RFC 6901).
pub(crate) fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_behind_references_and_branches_are_declared() {
        let found = arguments(&json!({
            "$defs": {"base": {"properties": {"a": {"type": "string"}}, "required": ["a"]}},
            "allOf": [{"$ref": "#/$defs/base"}],
            "properties": {"b/c": {"anyOf": [{"description": "x", "default": 1}, {"type": "null"}]}}
        }));
        let shown: Vec<_> = found.iter().map(|a| (a.name.as_str(), a.required, a.pointer.as_str())).collect();
        assert_eq!(shown, [("a", true, "/$defs/base/properties/a"), ("b/c", false, "/properties/b~1c")]);
        assert_eq!(found[1].description(), "x");
        assert!(found[1].has(&["default"]) && !found[0].has(&["default"]));
        assert_eq!(arguments(&json!({"$ref": "#", "properties": {"a": true}})).len(), 1);
        let branch = json!({"allOf": [{"required": ["a"]}], "properties": {"a": {}, "b": {}}});
        let required: Vec<bool> = arguments(&branch).iter().map(|argument| argument.required).collect();
        assert_eq!(required, [true, false]);
    }
}
