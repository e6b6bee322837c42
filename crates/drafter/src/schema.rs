//! A tool's arguments, as far as drafting needs their schema: references followed, `allOf` joined, one branch of
//! `anyOf` and `oneOf` taken.

use serde_json::{Map, Value};
use transcript::{RawJson, Tool};

/// How many references and branches lie in one another at most; a schema that refers to itself ends there.
const MAX_DEPTH: usize = 12;

/// One argument of a tool.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub(crate) name: String,
    /// Its schema, simplified.
    pub(crate) schema: Map<String, Value>,
    /// Whether every call has to give it.
    pub(crate) required: bool,
}

impl Argument {
    pub(crate) fn description(&self) -> &str {
        self.schema.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether the schema says what it is where nobody says it.
    pub(crate) fn has_default(&self) -> bool {
        self.schema.get("default").is_some_and(|value| !value.is_null())
    }
}

/// A tool's whole schema.
#[derive(Debug, Clone)]
pub(crate) struct Schema {
    root: Value,
}

impl Schema {
    pub(crate) fn of(tool: &Tool) -> Self {
        Self { root: tool.input_schema.as_ref().and_then(RawJson::to_value).unwrap_or(Value::Null) }
    }

    /// The arguments, in the order of the schema.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        self.members(&self.simplified(&self.root))
    }

    /// The members of an object's simplified schema, as arguments.
    pub(crate) fn members(&self, whole: &Map<String, Value>) -> Vec<Argument> {
        let needed = names(whole);
        let properties = whole.get("properties").and_then(Value::as_object);
        let argument = |(name, schema): (&String, &Value)| Argument {
            name: name.clone(),
            schema: self.simplified(schema),
            required: needed.contains(name),
        };
        properties.into_iter().flatten().map(argument).collect()
    }

    /// An argument's schema as it is written; none where only a reference or a branch declares it.
    pub(crate) fn written(&self, argument: &str) -> Option<&Value> {
        self.member(&self.root, argument)
    }

    /// A member's schema as it is written: the schema's own, or that of what it refers to or of the branch that values
    /// are made for.
    pub(crate) fn member<'a>(&'a self, written: &'a Value, name: &str) -> Option<&'a Value> {
        self.found(written, name, 0)
    }

    fn found<'a>(&'a self, written: &'a Value, name: &str, depth: usize) -> Option<&'a Value> {
        if depth >= MAX_DEPTH {
            return None;
        }
        if let Some(own) = written.get("properties").and_then(|properties| properties.get(name)) {
            return Some(own);
        }
        let referred = written.get("$ref").and_then(|reference| self.target(reference));
        let listed =
            |key: &str| written.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let chosen = ["anyOf", "oneOf"].iter().filter_map(|key| {
            let branches = listed(key);
            let simple: Vec<_> = branches.iter().map(|branch| self.simplified(branch)).collect();
            branches.get(plainest_at(&simple)?)
        });
        referred
            .into_iter()
            .chain(listed("allOf"))
            .chain(chosen)
            .find_map(|part| self.found(part, name, depth + 1))
    }

    /// The members by which the branches of a union of objects tell which of them a value is of, as far as a value
    /// that is made for the plainest branch may hold them.
    pub(crate) fn discriminators(&self, written: &Value) -> Vec<String> {
        let mut written = written;
        // A reference, or the one branch that is an object, may be the union.
        for _ in 0..MAX_DEPTH {
            let inner = written.get("$ref").and_then(|reference| self.target(reference)).or_else(|| {
                let branches = ["anyOf", "oneOf"].iter().find_map(|key| written.get(*key)?.as_array())?;
                let mut objects =
                    branches.iter().filter(|branch| type_of(&self.simplified(branch)) == "object");
                objects.next().filter(|_| objects.next().is_none())
            });
            match inner {
                Some(inner) => written = inner,
                None => break,
            }
        }
        let branches = ["anyOf", "oneOf"].iter().find_map(|key| written.get(*key)?.as_array());
        let branches: Vec<_> = branches
            .into_iter()
            .flatten()
            .map(|branch| self.simplified(branch))
            .filter(|branch| type_of(branch) == "object")
            .collect();
        let Some(own) = plainest_at(&branches).and_then(|at| branches.get(at)) else { return Vec::new() };
        let properties =
            |branch: &Map<String, Value>| branch.get("properties").and_then(Value::as_object).cloned();
        let takes_any = own.get("additionalProperties") != Some(&Value::Bool(false));
        let is_taken =
            |name: &str| takes_any || properties(own).is_some_and(|members| members.contains_key(name));
        let mut tells = Vec::new();
        for (name, member) in branches.iter().filter_map(properties).flatten() {
            let members = member.get("enum").and_then(Value::as_array).map(Vec::len);
            let is_one = member.get("const").is_some() || members == Some(1);
            if branches.len() > 1 && is_one && is_taken(&name) && !tells.contains(&name) {
                tells.push(name);
            }
        }
        tells
    }

    /// Whether an argument's schema, as it is written, has branches: then a value may be refused by one and taken by
    /// another.
    pub(crate) fn has_branches(&self, argument: &str) -> bool {
        let written = self.root.get("properties").and_then(|properties| properties.get(argument));
        written.is_none_or(|written| ["anyOf", "oneOf"].iter().any(|key| written.get(*key).is_some()))
    }

    /// A schema without references and branches.
    pub(crate) fn simplified(&self, schema: &Value) -> Map<String, Value> {
        self.simplify(schema, 0)
    }

    fn simplify(&self, schema: &Value, depth: usize) -> Map<String, Value> {
        let Some(members) = schema.as_object().filter(|_| depth < MAX_DEPTH) else { return Map::new() };
        let mut out = members.clone();
        for key in ["$ref", "allOf", "anyOf", "oneOf"] {
            out.remove(key);
        }
        let mut parts: Vec<Map<String, Value>> = Vec::new();
        if let Some(target) = members.get("$ref").and_then(|reference| self.target(reference)) {
            parts.push(self.simplify(target, depth + 1));
        }
        for part in members.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            parts.push(self.simplify(part, depth + 1));
        }
        for key in ["anyOf", "oneOf"] {
            let branches = members.get(key).and_then(Value::as_array).into_iter().flatten();
            let branches: Vec<_> = branches.map(|branch| self.simplify(branch, depth + 1)).collect();
            parts.extend(plainest(branches));
        }
        parts.into_iter().for_each(|part| join(&mut out, part));
        out
    }

    /// Whether its things may have any members, or things in a list of them.
    pub(crate) fn is_open(&self, schema: &Map<String, Value>) -> bool {
        let mut schema = schema.clone();
        for _ in 0..MAX_DEPTH {
            match (type_of(&schema).as_str(), schema.get("items")) {
                ("array", Some(items)) => schema = self.simplified(items),
                ("object", _) => {
                    return schema.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether a schema, as it is written, takes `null` by its type or by a branch.
    pub(crate) fn takes_null(schema: &Value) -> bool {
        let is_null = |kind: &Value| {
            kind == "null" || kind.as_array().is_some_and(|several| several.contains(&"null".into()))
        };
        let branches = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(*key)?.as_array()).flatten();
        branches.chain([schema]).any(|schema| schema.get("type").is_some_and(is_null))
    }

    fn target(&self, reference: &Value) -> Option<&Value> {
        self.root.pointer(reference.as_str()?.strip_prefix('#')?)
    }
}

/// The branch that a value is made for: one with structure before text that would hold the same in writing,
/// and never the one that only allows nothing.
fn plainest(mut branches: Vec<Map<String, Value>>) -> Option<Map<String, Value>> {
    plainest_at(&branches).map(|at| branches.swap_remove(at))
}

fn plainest_at(branches: &[Map<String, Value>]) -> Option<usize> {
    let rank = |branch: &Map<String, Value>| match type_of(branch).as_str() {
        "null" => 3,
        "object" if branch.get("properties").is_none() => 1,
        "string" if branch.get("enum").is_none() && branch.get("format").is_none() => 1,
        _ => 0,
    };
    (0..).zip(branches).min_by_key(|(_, branch)| rank(branch)).map(|(at, _)| at)
}

/// Adds what is not there yet.
fn join(out: &mut Map<String, Value>, part: Map<String, Value>) {
    for (key, value) in part {
        match (key.as_str(), out.get_mut(&key), value) {
            ("properties", Some(Value::Object(own)), Value::Object(more)) => {
                for (name, schema) in more {
                    own.entry(name).or_insert(schema);
                }
            }
            ("required", Some(Value::Array(own)), Value::Array(more)) => own.extend(more),
            (_, None, value) => _ = out.insert(key, value),
            _ => {}
        }
    }
}

fn names(members: &Map<String, Value>) -> Vec<String> {
    let listed = members.get("required").and_then(Value::as_array);
    listed.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The type of a simplified schema in lower case, guessed where it names none.
pub(crate) fn type_of(schema: &Map<String, Value>) -> String {
    let named = match schema.get("type") {
        Some(Value::String(name)) => Some(name.to_lowercase()),
        Some(Value::Array(several)) => {
            let mut several = several.iter().filter_map(Value::as_str).map(str::to_lowercase);
            several.find(|name| name != "null")
        }
        _ => None,
    };
    let value_type = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let member = schema.get("const").or_else(|| schema.get("enum").and_then(|members| members.get(0)));
    named.unwrap_or_else(|| match member {
        Some(member) => value_type(member).to_owned(),
        None if schema.contains_key("properties") => "object".to_owned(),
        None if schema.contains_key("items") => "array".to_owned(),
        None => "string".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(schema: &Value) -> Vec<(String, bool, String)> {
        let mut tool = Tool::named("t");
        tool.input_schema = Some(RawJson::from_value(schema));
        let arguments = Schema::of(&tool).arguments();
        arguments.into_iter().map(|a| (a.name.clone(), a.required, type_of(&a.schema))).collect()
    }

    #[test]
    fn references_and_branches_are_simplified() {
        let found = arguments(&json!({
            "$defs": {"loop": {"properties": {"again": {"$ref": "#/$defs/loop"}}}},
            "allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}],
            "properties": {
                "b": {"anyOf": [{"type": "null"}, {"type": "integer"}]},
                "c": {"$ref": "#/$defs/loop"},
                "d": {"anyOf": [{"type": "string"}, {"type": "array", "items": {}}]}
            },
            "required": ["d"]
        }));
        let expected =
            [("b", false, "integer"), ("c", false, "object"), ("d", true, "array"), ("a", true, "string")];
        assert_eq!(
            found,
            expected.map(|(name, required, kind)| (name.to_owned(), required, kind.to_owned()))
        );
    }
}
