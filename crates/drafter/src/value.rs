//! Values for arguments: plausible, made of the schema and the argument's name, and copied from neither its
//! examples nor its defaults.

pub(crate) mod by_format;
mod by_name;
mod grammar;
mod listed;
mod number;
mod pattern;
mod record;
pub(crate) mod vocabulary;

use std::cell::Cell;
use std::rc::Rc;

use regex::Regex;
use serde_json::{Map, Value};

use crate::draw::Draw;
use crate::hints::Hints;
use crate::schema::{Schema, type_of};
use crate::words::name_words;

pub(crate) use by_name::{email, file_name};
pub(crate) use listed::options;
pub(crate) use pattern::matching;

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
    /// The forms that the catalog shows.
    pub(crate) hints: &'a Hints,
    /// What else is given beside it, by name.
    pub(crate) beside: Rc<[String]>,
    /// The argument that it is a part of.
    pub(crate) top: String,
    /// Whether the request speaks of one thing, so that a list has one.
    pub(crate) is_one: bool,
    /// Set where no valid value is known.
    pub(crate) is_unknown: Rc<Cell<bool>>,
    /// What is said of the list that it is in.
    pub(crate) described: Option<String>,
}

impl Purpose<'_> {
    /// For a part of the value.
    fn part(&self, name: &str, path: &str) -> Self {
        Self { name: name.to_owned(), draw: self.draw.part(path), ..self.clone() }
    }
}

/// Makes a value that a simplified schema takes; none where nothing says what would be valid.
pub(crate) fn value(schema: &Map<String, Value>, purpose: &Purpose<'_>) -> Option<Value> {
    purpose.parts.set(PARTS);
    purpose.is_unknown.set(false);
    let made = made(schema, purpose, 0);
    (!purpose.is_unknown.get()).then_some(made)
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
    if let Some(stages) = stages(schema, purpose) {
        return stages;
    }
    if is_table(schema) {
        let mut draw = purpose.draw.clone();
        let has_head = purpose.tool.contains("create") && purpose.tool.contains("table");
        return record::grid(has_head, &mut draw).into();
    }
    let bound = |key| schema.get(key).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    let each = match schema.get("items") {
        Some(Value::Array(first)) => purpose.schema.simplified(first.first().unwrap_or(&Value::Null)),
        Some(items) => purpose.schema.simplified(items),
        None => Map::new(),
    };
    let usual = match depth {
        0 if purpose.is_one => 1,
        0 if !is_deep(&each) => 2,
        // A tree's children are of the tree's own schema: it ends where a list may be empty.
        _ if depth > MAX_DEPTH => 0,
        _ => 1,
    };
    let count = usual.max(bound("minItems").unwrap_or(0)).min(bound("maxItems").unwrap_or(usize::MAX)).min(8);
    let name = crate::words::singular(&purpose.name);
    let described = schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let within = Purpose { described: described.or_else(|| purpose.described.clone()), ..purpose.clone() };
    let purpose = &within;
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

/// A list whose whole is of a named grammar: the stages of a pipeline.
fn stages(schema: &Map<String, Value>, purpose: &Purpose<'_>) -> Option<Value> {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let open = grammar::Open { name: &purpose.name, description, tool: purpose.tool };
    if !open.is_pipeline() {
        return None;
    }
    let made = grammar::value(&open, &mut purpose.draw.clone());
    purpose.is_unknown.set(purpose.is_unknown.get() || made.is_none());
    made.or(Some(Value::Null))
}

/// Whether it is a list of rows that may hold texts, without bounds of their own.
fn is_table(schema: &Map<String, Value>) -> bool {
    let is_bound = |schema: &Map<String, Value>| {
        ["minItems", "maxItems", "uniqueItems"].iter().any(|key| schema.contains_key(*key))
    };
    let row = schema.get("items").and_then(Value::as_object);
    let cell = row.and_then(|row| row.get("items"));
    let takes_texts = cell.is_some_and(|cell| {
        cell.as_object().is_some_and(|cell| {
            cell.is_empty() || (cell.len() == 1 && type_of(cell) == "string" && cell.contains_key("type"))
        })
    });
    takes_texts && !is_bound(schema) && row.is_some_and(|row| type_of(row) == "array" && !is_bound(row))
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
    let names: Vec<String> = properties.into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let within = Purpose { beside: names.into(), ..purpose.clone() };
    let purpose = &within;
    let together = properties.map(|properties| record::members(properties, &mut purpose.draw.clone()));
    let mut together = together.unwrap_or_default();
    let mut out = Map::new();
    for (name, property) in properties.into_iter().flatten() {
        let first_of_none = required.is_empty()
            && out.len() < 2
            && depth < MAX_DEPTH
            && !is_unnamed(&purpose.schema.simplified(property))
            || (depth < MAX_DEPTH && is_needed_otherwise(property));
        if let Some(value) =
            together.remove(name).filter(|_| required.is_empty() || required.contains(&name.as_str()))
        {
            out.insert(name.clone(), value);
        } else if required.contains(&name.as_str()) || first_of_none {
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
    let is_bare = properties.is_none_or(Map::is_empty);
    if out.is_empty() && is_bare && depth < MAX_DEPTH {
        return unnamed(schema, purpose, depth);
    }
    // An object that names members, of which none is needed, and none of which a value is known for.
    if out.is_empty() && !is_bare && required.is_empty() {
        purpose.is_unknown.set(true);
    }
    // Which one is meant, and nothing that is done with it.
    if depth > 0 && out.len() == 1 && changes_things(purpose) && out.keys().all(|name| name.ends_with("_id"))
    {
        purpose.is_unknown.set(true);
    }
    Value::Object(out)
}

/// Whether a member that is not required is left out only where another says so: `Omit when append is true`.
fn is_needed_otherwise(property: &Value) -> bool {
    let description = property.get("description").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    ["omit when ", "omit if ", "required unless ", "needed unless "]
        .iter()
        .any(|words| description.contains(words))
}

/// Whether a schema is of an object without named members.
fn is_unnamed(schema: &Map<String, Value>) -> bool {
    type_of(schema) == "object"
        && schema.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty)
}

/// Whether a list is of changes, each of which names what it changes.
fn changes_things(purpose: &Purpose<'_>) -> bool {
    name_words(&purpose.name)
        .iter()
        .any(|word| ["update", "change", "edit", "updates", "changes", "edits"].contains(&word.as_str()))
}

/// An object whose members no schema names.
fn unnamed(schema: &Map<String, Value>, purpose: &Purpose<'_>, depth: usize) -> Value {
    let mut draw = purpose.draw.clone();
    let any = schema.get("additionalProperties").filter(|any| any.is_object());
    let own = grammar::Open { name: &purpose.name, description: "", tool: purpose.tool };
    let any = any.filter(|_| !own.is_other_grammar());
    if let Some(any) = any.map(|any| purpose.schema.simplified(any)).filter(|any| !any.is_empty()) {
        let (field, value) = record::field(&mut draw);
        // Texts are of the field; whatever else it holds is made as its schema says.
        let takes_text =
            type_of(&any) == "string" && any.get("enum").is_none() && any.get("pattern").is_none();
        let value =
            if takes_text { value.into() } else { made(&any, &purpose.part(field, field), depth + 1) };
        return Value::Object(Map::from_iter([(field.to_owned(), value)]));
    }
    let description = schema.get("description").and_then(Value::as_str);
    let description = description.or(purpose.described.as_deref()).unwrap_or_default();
    let open = grammar::Open { name: &purpose.name, description, tool: purpose.tool };
    grammar::value(&open, &mut draw).unwrap_or_else(|| {
        purpose.is_unknown.set(true);
        Value::Null
    })
}

fn text(schema: &Map<String, Value>, purpose: &Purpose<'_>) -> Value {
    // What is said of a list is said of its items.
    let own = schema.get("description").and_then(Value::as_str);
    let description = own.or(purpose.described.as_deref()).unwrap_or_default();
    let mut draw = purpose.draw.clone();
    if listed::are_examples(&purpose.name, description) || grammar::is_language(&purpose.name, description) {
        purpose.is_unknown.set(true);
    }
    if let Some(words) = options(&purpose.name, description) {
        let default = schema.get("default").and_then(Value::as_str);
        let others: Vec<&str> =
            words.iter().map(String::as_str).filter(|word| Some(*word) != default).collect();
        return draw.pick(&others).into();
    }
    let by_siblings = by_name::of_siblings(&purpose.name, description, &purpose.beside, &mut draw);
    if let Some(text) = by_siblings.filter(|text| fits(schema, text)) {
        return text.into();
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
    let default = schema.get("default").and_then(Value::as_str).unwrap_or_default();
    if format.is_none() && (default.starts_with("https://") || default.starts_with("http://")) {
        return by_name::url(&words, &mut draw);
    }
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
    let is_id = words.last().is_some_and(|last| {
        ["id", "ids", "name", "resource", "sku", "code", "bin", "key"].contains(&last.as_str())
    });
    if let Some(text) = is_id.then(|| by_format::shown_id(description, &mut draw)).flatten() {
        return text;
    }
    if let Some(text) = purpose.hints.text(&purpose.name, description, &mut draw) {
        return text;
    }
    // The text within a title is a title.
    let holds_text = ["content", "text", "plain_text", "value"].contains(&words.join("_").as_str());
    let words = if holds_text && purpose.top.to_lowercase().ends_with("title") {
        vec!["title".to_owned()]
    } else {
        words
    };
    by_name::text(&words, description, purpose.tool, &purpose.beside, &mut draw)
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
            hints: &Hints::default(),
            beside: Rc::from([]),
            top: name.into(),
            is_one: false,
            is_unknown: Rc::default(),
            described: None,
        };
        value(&argument.schema, &purpose).unwrap_or(Value::Null)
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
        let whole = json!({"type": "integer"});
        for seed in 0..40 {
            let made = |name: &str| of(name, &whole, seed).as_i64().unwrap();
            assert!(made("frozen_row_count") < 5 && (1..=5).contains(&made("tab_index")));
            assert!([made("width"), made("height")].iter().all(|pixels| pixels % 100 == 0 && *pixels > 600));
        }
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
