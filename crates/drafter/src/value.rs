//! Values for arguments: plausible, made of the schema and the argument's name, and copied from neither its
//! examples nor its defaults.

mod by_format;
mod by_name;
mod listed;
mod number;
mod pattern;
mod vocabulary;

use std::cell::Cell;
use std::rc::Rc;

use regex::Regex;
use serde_json::{Map, Value};

use crate::draw::Draw;
use crate::schema::{Schema, type_of};
use crate::words::name_words;

pub(crate) use by_name::email;
pub(crate) use listed::options;

/// How deep objects lie in one another at most; behind that only what is required is given.
const MAX_DEPTH: usize = 4;

/// Where a schema that asks for itself without end is left, in objects and lists within one another.
const DEEPEST: usize = 12;

/// How many parts a value has at most.
const PARTS: usize = 2_000;

/// The longest text that is made to reach a `minLength`, in characters.
const LONGEST: usize = 100_000;

/// How often a value is drawn again that its schema gives as an example, or that stands beside it already.
const TRIES: usize = 8;

/// What a value is made for.
#[derive(Debug, Clone)]
pub(crate) struct Purpose<'a> {
    pub(crate) schema: &'a Schema,
    /// The argument's name.
    pub(crate) name: String,
    /// The words of the tool's name and of its description, in lower case.
    pub(crate) tool: &'a str,
    pub(crate) draw: Draw,
    /// How many parts may still be made: a schema that refers to itself several times is a tree of such values, and
    /// its depth alone bounds nothing.
    pub(crate) parts: Rc<Cell<usize>>,
}

impl Purpose<'_> {
    /// For a part of the value.
    fn part(&self, name: &str, path: &str) -> Self {
        Self { name: name.to_owned(), draw: self.draw.part(path), ..self.clone() }
    }
}

/// Makes a value that a simplified schema takes.
pub(crate) fn value(schema: &Map<String, Value>, purpose: &Purpose<'_>) -> Value {
    purpose.parts.set(PARTS);
    made(schema, purpose, 0)
}

fn made(schema: &Map<String, Value>, purpose: &Purpose<'_>, depth: usize) -> Value {
    let left = purpose.parts.get();
    if depth > DEEPEST || left == 0 {
        return Value::Null;
    }
    purpose.parts.set(left - 1);
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    let mut draw = purpose.draw.clone();
    if let Some(members) = schema.get("enum").and_then(Value::as_array).filter(|members| !members.is_empty())
    {
        return member(members, schema.get("default"), &mut draw);
    }
    match type_of(schema).as_str() {
        "boolean" => Value::Bool(schema.get("default") != Some(&Value::Bool(true))),
        "integer" => number::whole(schema, purpose),
        "number" => number::any(schema, purpose),
        "array" => list(schema, purpose, depth),
        "object" => object(schema, purpose, depth),
        "null" => Value::Null,
        _ => text(schema, purpose),
    }
}

/// One of the members that is not the default, as far as there is one.
fn member(members: &[Value], default: Option<&Value>, draw: &mut Draw) -> Value {
    let others: Vec<&Value> = members.iter().filter(|m| Some(*m) != default && !m.is_null()).collect();
    let at = draw.number(0, i64::try_from(others.len()).unwrap_or(1) - 1);
    let chosen = usize::try_from(at).ok().and_then(|at| others.get(at).copied());
    chosen.or(members.first()).cloned().unwrap_or(Value::Null)
}

fn list(schema: &Map<String, Value>, purpose: &Purpose<'_>, depth: usize) -> Value {
    let bound = |key| schema.get(key).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    let each = match schema.get("items") {
        Some(Value::Array(first)) => purpose.schema.simplified(first.first().unwrap_or(&Value::Null)),
        Some(items) => purpose.schema.simplified(items),
        None => Map::new(),
    };
    let usual = match depth {
        0 if !is_deep(&each) => 2,
        // A tree's children are of the tree's own schema: it ends where a list may be empty.
        _ if depth > MAX_DEPTH => 0,
        _ => 1,
    };
    let count = usual.max(bound("minItems").unwrap_or(0)).min(bound("maxItems").unwrap_or(usize::MAX)).min(8);
    let name = crate::words::singular(&purpose.name);
    let mut items: Vec<Value> = Vec::new();
    for at in 0..count {
        let is_there = |item: &Value| items.contains(item);
        let item = another(&each, purpose, (&name, &at.to_string()), depth + 1, is_there);
        if !items.contains(&item) || bound("minItems").is_some_and(|least| items.len() < least) {
            items.push(item);
        }
    }
    Value::Array(items)
}

/// A part of a value, by its name and path, drawn again as long as it is there already.
fn another(
    schema: &Map<String, Value>,
    purpose: &Purpose<'_>,
    (name, path): (&str, &str),
    depth: usize,
    is_there: impl Fn(&Value) -> bool,
) -> Value {
    let mut value = made(schema, &purpose.part(name, path), depth);
    for again in 0..TRIES {
        if !is_there(&value) {
            break;
        }
        value = made(schema, &purpose.part(name, &format!("{path}/{again}")), depth);
    }
    value
}

/// Whether a thing of this schema has things in it.
fn is_deep(schema: &Map<String, Value>) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let is_structure = |property: &Value| {
        property.as_object().is_some_and(|property| ["object", "array"].contains(&type_of(property).as_str()))
    };
    let lists = |property: &Value| {
        property.get("items").is_some_and(|items| items.get("type").is_some_and(|kind| kind == "string"))
    };
    properties
        .into_iter()
        .any(|(_, property)| property.get("$ref").is_some() || (is_structure(property) && !lists(property)))
}

fn object(schema: &Map<String, Value>, purpose: &Purpose<'_>, depth: usize) -> Value {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut out = Map::new();
    for (name, property) in properties.into_iter().flatten() {
        let first_of_none = required.is_empty() && out.len() < 2 && depth < MAX_DEPTH;
        if required.contains(&name.as_str()) || first_of_none {
            let value = if depth >= MAX_DEPTH && Schema::takes_null(property) {
                Value::Null
            } else {
                // What replaces something is something else.
                let is_there = |value: &Value| value.is_string() && out.values().any(|other| other == value);
                let property = purpose.schema.simplified(property);
                another(&property, purpose, (name, name), depth + 1, is_there)
            };
            out.insert(name.clone(), value);
        }
    }
    if out.is_empty() && properties.is_none_or(Map::is_empty) && depth < MAX_DEPTH {
        let mut draw = purpose.draw.clone();
        let field = draw.pick(vocabulary::FIELDS);
        let any = schema.get("additionalProperties").filter(|any| any.is_object());
        let value = match any.map(|any| purpose.schema.simplified(any)).filter(|any| !any.is_empty()) {
            Some(any) => made(&any, &purpose.part(field, field), depth + 1),
            None => draw.pick(vocabulary::STATES).into(),
        };
        out.insert(field.to_owned(), value);
    }
    Value::Object(out)
}

fn text(schema: &Map<String, Value>, purpose: &Purpose<'_>) -> Value {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let mut draw = purpose.draw.clone();
    if let Some(words) = options(&purpose.name, description) {
        let default = schema.get("default").and_then(Value::as_str);
        let others: Vec<&str> =
            words.iter().map(String::as_str).filter(|word| Some(*word) != default).collect();
        return draw.pick(&others).into();
    }
    let known = format!("{description} {}", examples(schema)).to_lowercase();
    let fits = |text: &str| fits(schema, text);
    for again in 0..TRIES {
        let draw = purpose.draw.part(&again.to_string());
        let text = one_text(schema, description, purpose, draw);
        if fits(&text) && !known.contains(&text.to_lowercase()) {
            return text.into();
        }
    }
    let by_pattern = schema.get("pattern").and_then(Value::as_str);
    let matching = by_pattern.and_then(|pattern| pattern::matching(pattern, &mut draw));
    matching.unwrap_or_else(|| by_length(schema, one_text(schema, description, purpose, draw))).into()
}

fn one_text(schema: &Map<String, Value>, description: &str, purpose: &Purpose<'_>, mut draw: Draw) -> String {
    let words = name_words(&purpose.name);
    let format = schema.get("format").and_then(Value::as_str);
    if let Some(text) = format.and_then(|format| by_format::text(format, &words, &mut draw)) {
        return text;
    }
    if let Some(text) = schema
        .get("pattern")
        .and_then(Value::as_str)
        .and_then(|pattern| pattern::matching(pattern, &mut draw))
    {
        return text;
    }
    if let Some(text) = by_format::shown(&words, description, &mut draw) {
        return text;
    }
    by_name::text(&words, description, purpose.tool, &mut draw)
}

/// Whether a text keeps to pattern and length.
fn fits(schema: &Map<String, Value>, text: &str) -> bool {
    let bound = |key| schema.get(key).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    let length = text.chars().count();
    let matches = schema.get("pattern").and_then(Value::as_str).and_then(|pattern| Regex::new(pattern).ok());
    length >= bound("minLength").unwrap_or(0)
        && length <= bound("maxLength").unwrap_or(usize::MAX)
        && matches.is_none_or(|pattern| pattern.is_match(text))
}

fn by_length(schema: &Map<String, Value>, text: String) -> String {
    let bound = |key| schema.get(key).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    let missing = bound("minLength").unwrap_or(0).min(LONGEST).saturating_sub(text.chars().count());
    let out = text + &"x".repeat(missing);
    out.chars().take(bound("maxLength").unwrap_or(usize::MAX)).collect::<String>().trim_end().to_owned()
}

/// Everything that a schema shows as a value.
fn examples(schema: &Map<String, Value>) -> String {
    let shown = ["default", "example", "examples"].iter().filter_map(|key| schema.get(*key));
    shown.map(Value::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use transcript::{RawJson, Tool};

    use super::*;

    fn of(name: &str, schema: &Value, seed: u64) -> Value {
        let mut tool = Tool::named("t");
        tool.input_schema = Some(RawJson::from_value(&json!({"properties": {name: schema}})));
        let whole = Schema::of(&tool);
        let argument = whole.arguments().remove(0);
        let purpose = Purpose {
            schema: &whole,
            name: name.into(),
            tool: "t",
            draw: Draw::new(seed, &[name]),
            parts: Rc::default(),
        };
        value(&argument.schema, &purpose)
    }

    #[test]
    fn values_keep_to_their_schema() {
        let schemas = [
            ("amount", json!({"type": "number", "exclusiveMinimum": 0, "maximum": 2})),
            ("steps", json!({"type": "integer", "minimum": -4, "exclusiveMaximum": -2})),
            ("size", json!({"type": "integer", "multipleOf": 8, "minimum": 1})),
            ("code", json!({"type": "string", "pattern": "^[A-Z]{2}-\\d{3,5}(/x)?$"})),
            ("slug", json!({"type": "string", "minLength": 12, "maxLength": 14})),
            ("mode", json!({"enum": ["a", "b"], "default": "a"})),
            ("when", json!({"type": "string", "format": "date-time"})),
            ("token", json!({"type": "string", "format": "uuid"})),
            (
                "rows",
                json!({"type": "array", "minItems": 3, "items": {"type": "array", "items": {"type": "string"}}}),
            ),
            (
                "nested",
                json!({"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "object", "properties": {"z": {"type": "boolean"}}}}, "required": ["y"]}),
            ),
            ("count", json!({"type": ["null", "integer"], "maximum": 1})),
        ];
        for (name, schema) in schemas {
            let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
            for seed in 0..40 {
                let value = of(name, &schema, seed);
                assert!(validator.is_valid(&value), "{name}: {value}");
            }
        }
        assert_eq!(of("mode", &json!({"enum": ["a", "b"], "default": "a"}), 1), "b");
    }

    #[test]
    fn schemas_that_ask_for_themselves_many_times_end_soon() {
        let many = |count: usize| {
            let names: Vec<String> = (0..count).map(|at| format!("m{at}")).collect();
            let members: Map<String, Value> =
                names.iter().map(|name| (name.clone(), json!({"$ref": "#/properties/x"}))).collect();
            json!({"type": "object", "required": names, "properties": members})
        };
        assert!(of("x", &many(6), 3).is_object());
        let pairs = json!({"type": "array", "minItems": 2, "items": {"$ref": "#/properties/x"}});
        assert!(of("x", &pairs, 3).is_array());
    }

    #[test]
    fn schemas_that_ask_for_themselves_end() {
        let member = json!({"type": "object", "required": ["label", "next"], "properties": {
            "label": {"type": "string"},
            "next": {"anyOf": [{"$ref": "#/properties/x"}, {"type": "null"}]}
        }});
        let tree = json!({"type": "object", "required": ["label", "children"], "properties": {
            "label": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/properties/x"}}
        }});
        let endless = json!({"type": "array", "minItems": 1, "items": {"$ref": "#/properties/x"}});
        for (schema, has_end) in [(member, true), (tree, true), (endless, false)] {
            let value = of("x", &schema, 7);
            let whole = json!({"properties": {"x": schema}});
            let validator = jsonschema::options().build(&whole).unwrap();
            assert_eq!(validator.is_valid(&json!({ "x": value })), has_end, "{value}");
        }
    }

    #[test]
    fn bounds_far_beyond_use_end() {
        let huge = json!({"type": "integer", "multipleOf": 4_000_000_000_000_000_000_i64, "minimum": 9_000_000_000_000_000_000_i64});
        assert!(of("n", &huge, 7).is_i64());
        let long = json!({"type": "string", "minLength": 4_000_000_000_u64});
        assert_eq!(of("s", &long, 7).as_str().map(str::len), Some(LONGEST));
    }

    #[test]
    fn what_replaces_something_is_something_else() {
        let schema = json!({"type": "object", "required": ["old", "new"], "properties": {
            "old": {"enum": ["north", "south"]}, "new": {"enum": ["north", "south"]}
        }});
        for seed in 0..40 {
            let value = of("change", &schema, seed);
            assert_ne!(value["old"], value["new"]);
        }
    }

    #[test]
    fn examples_are_not_copied() {
        let schema = json!({"type": "string", "description": "Zone, such as Europe/Lisbon or Asia/Seoul", "default": "Africa/Nairobi"});
        for seed in 0..60 {
            let value = of("timezone", &schema, seed);
            assert!(!["Europe/Lisbon", "Asia/Seoul", "Africa/Nairobi"].contains(&value.as_str().unwrap()));
        }
    }
}
