//! The schema dialects of benchmarks as JSON Schema: names of types, and the keywords that mean nothing there.

use serde_json::{Map, Value, json};

/// Names of types that benchmarks write, and the one that JSON Schema has. An empty one allows everything.
const TYPES: &[(&str, &str)] = &[
    ("object", "object"),
    ("dict", "object"),
    ("array", "array"),
    ("list", "array"),
    ("tuple", "array"),
    ("set", "array"),
    ("string", "string"),
    ("str", "string"),
    ("number", "number"),
    ("float", "number"),
    ("double", "number"),
    ("integer", "integer"),
    ("int", "integer"),
    ("long", "integer"),
    ("boolean", "boolean"),
    ("bool", "boolean"),
    ("null", "null"),
    ("none", "null"),
    ("any", ""),
];

/// A function's parameters as a schema of an object; `Err` says which part is none.
pub(crate) fn parameters(written: Option<&Value>) -> Result<Value, String> {
    let mut schema = match written {
        None | Some(Value::Null) => json!({ "type": "object", "properties": {} }),
        Some(value) => converted(value, "parameters")?,
    };
    let Some(members) = schema.as_object_mut() else {
        return Err("`parameters` is no map".to_owned());
    };
    match members.get("type") {
        Some(Value::String(name)) if name == "object" => {}
        None => _ = members.insert("type".to_owned(), "object".into()),
        Some(other) => return Err(format!("`parameters` is for {other}, and arguments are an object")),
    }
    Ok(schema)
}

fn converted(written: &Value, at: &str) -> Result<Value, String> {
    let members = match written {
        Value::Object(members) => members,
        Value::Bool(_) => return Ok(written.clone()),
        _ => return Err(format!("`{at}` is no schema")),
    };
    let mut schema = Map::new();
    for (key, value) in members {
        let below = || format!("{at}/{key}");
        let value = match (key.as_str(), value) {
            ("type", value) => match type_of(value, at)? {
                Some(name) => name,
                None => continue,
            },
            // A flag beside the type, which JSON Schema says in the object's `required`.
            ("optional" | "required", Value::Bool(_)) => continue,
            ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(all)) => {
                let mut named = Map::new();
                for (name, one) in all {
                    named.insert(name.clone(), converted(one, &format!("{}/{name}", below()))?);
                }
                Value::Object(named)
            }
            ("items", Value::Array(all))
            | ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(all)) => {
                Value::Array(all.iter().map(|one| converted(one, &below())).collect::<Result<_, _>>()?)
            }
            ("items" | "additionalProperties" | "not", value) => converted(value, &below())?,
            (_, value) => value.clone(),
        };
        schema.insert(key.clone(), value);
    }
    Ok(Value::Object(schema))
}

/// The type that JSON Schema has for it; none where anything goes.
fn type_of(written: &Value, at: &str) -> Result<Option<Value>, String> {
    let one = |name: &Value| {
        let known = name.as_str().map(str::to_lowercase);
        let known = known.and_then(|name| TYPES.iter().find(|(other, _)| *other == name));
        known.map(|(_, name)| *name).ok_or_else(|| format!("`{at}` has the unknown type {name}"))
    };
    match written {
        Value::Array(names) => {
            let names = names.iter().map(one).collect::<Result<Vec<_>, _>>()?;
            Ok((!names.contains(&"")).then(|| names.into()))
        }
        name => Ok(Some(one(name)?).filter(|name| !name.is_empty()).map(Value::from)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dialect_becomes_json_schema() {
        let written = json!({"type": "dict", "required": ["a"], "properties": {
            "a": {"type": "tuple", "items": {"type": "float", "optional": true}},
            "optional": {"type": "any", "description": "d"},
            "type": {"type": ["str", "None"], "required": true, "default": {"type": "dict"}}
        }});
        let schema = parameters(Some(&written)).unwrap();
        let wanted = json!({"type": "object", "required": ["a"], "properties": {
            "a": {"type": "array", "items": {"type": "number"}},
            "optional": {"description": "d"},
            "type": {"type": ["string", "null"], "default": {"type": "dict"}}
        }});
        assert_eq!(schema, wanted);
        assert!(jsonschema::validator_for(&schema).is_ok());
    }

    #[test]
    fn nothing_is_an_object_without_properties() {
        assert_eq!(parameters(None).unwrap()["type"], "object");
        assert_eq!(parameters(Some(&json!({"properties": {}}))).unwrap()["type"], "object");
    }

    #[test]
    fn what_is_no_schema_says_where() {
        let wrong = parameters(Some(&json!({"type": "dict", "properties": {"a": {"type": "HashMap"}}})));
        assert_eq!(wrong.unwrap_err(), "`parameters/properties/a` has the unknown type \"HashMap\"");
        assert!(parameters(Some(&json!([]))).is_err() && parameters(Some(&json!({"type": "str"}))).is_err());
    }
}
