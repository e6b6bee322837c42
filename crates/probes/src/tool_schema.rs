//! What a tool's schema says of its arguments, as far as suites and kinds need it.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use transcript::Tool;

/// How many references and branches are followed.
const MAX_STEPS: usize = 64;

/// The arguments that a tool declares.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    pub(crate) arguments: IndexMap<String, Argument>,
    /// Those among the schema's own `properties`.
    pub(crate) at_top: Vec<String>,
    /// Whether it says nothing of its arguments at all, so that none can be called undeclared.
    pub(crate) is_open: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Argument {
    pub(crate) required: bool,
    /// The words that it may be, where the schema lists them.
    pub(crate) members: Option<Vec<Value>>,
    /// The JSON types that it may have, where the schema names them.
    pub(crate) types: Vec<String>,
    /// `minimum`, `exclusiveMinimum`, `maximum`, `exclusiveMaximum`, where the schema has numbers there.
    pub(crate) bounds: [Option<f64>; 4],
    /// What a text must match somewhere.
    pub(crate) pattern: Option<String>,
    /// The `format` of a text, where the schema names one; of these only `date` is checked.
    pub(crate) format: Option<String>,
}

impl Declared {
    /// Of a tool. Arguments behind a local `$ref`, `allOf`, `anyOf` or `oneOf` are declared too; required are
    /// those that the schema itself, or what it always refers to, requires.
    pub(crate) fn of(tool: &Tool) -> Self {
        let Some(schema) = tool.input_schema.as_ref().and_then(transcript::RawJson::to_value) else {
            return Self { is_open: true, ..Self::default() };
        };
        let mut declared = Self::default();
        let mut steps = 0;
        declared.collect(&schema, &schema, true, &mut steps);
        let own = schema.get("properties").and_then(Value::as_object);
        declared.at_top = own.into_iter().flat_map(Map::keys).cloned().collect();
        declared.is_open = declared.arguments.is_empty()
            && schema.get("additionalProperties") != Some(&Value::Bool(false))
            && schema.get("properties").is_none();
        declared
    }

    fn collect(&mut self, schema: &Value, root: &Value, always: bool, steps: &mut usize) {
        *steps += 1;
        let Some(members) = schema.as_object().filter(|_| *steps <= MAX_STEPS) else { return };
        if let Some(target) = members.get("$ref").and_then(|reference| local(reference, root)) {
            self.collect(target, root, always, steps);
        }
        for (key, always) in [("allOf", always), ("anyOf", false), ("oneOf", false)] {
            for branch in members.get(key).and_then(Value::as_array).into_iter().flatten() {
                self.collect(branch, root, always, steps);
            }
        }
        for (name, property) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let argument = self.arguments.entry(name.clone()).or_default();
            describe(argument, property, root);
        }
        for name in members.get("required").and_then(Value::as_array).into_iter().flatten() {
            if let Some(name) = name.as_str().filter(|_| always) {
                self.arguments.entry(name.to_owned()).or_default().required = true;
            }
        }
    }
}

fn describe(argument: &mut Argument, property: &Value, root: &Value) {
    let property = property.get("$ref").and_then(|reference| local(reference, root)).unwrap_or(property);
    let Some(members) = property.as_object() else { return };
    argument.members = members.get("enum").and_then(Value::as_array).cloned();
    argument.types = type_names(members);
    let bound = |key: &str| members.get(key).and_then(Value::as_f64);
    argument.bounds = BOUNDS.map(bound);
    let text = |key: &str| members.get(key).and_then(Value::as_str).map(str::to_owned);
    argument.pattern = text("pattern");
    argument.format = text("format");
}

fn type_names(members: &Map<String, Value>) -> Vec<String> {
    match members.get("type") {
        Some(Value::String(name)) => vec![name.to_lowercase()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_lowercase).collect(),
        _ => Vec::new(),
    }
}

/// What a reference within the schema (`#/$defs/...`) refers to.
fn local<'a>(reference: &Value, root: &'a Value) -> Option<&'a Value> {
    root.pointer(reference.as_str()?.strip_prefix('#')?)
}

/// Keywords that bound a number, in the order of `Argument::bounds`.
const BOUNDS: [&str; 4] = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];

impl Argument {
    /// Why the schema cannot take a value; none where it can, or where only a validator could tell.
    pub(crate) fn refuses(&self, value: &Value) -> Option<String> {
        if let Some(members) = &self.members
            && !members.iter().any(|member| same(member, value))
        {
            let list = members.iter().map(|m| format!("`{}`", plain(m))).collect::<Vec<_>>().join(", ");
            return Some(format!("the schema takes only {list}"));
        }
        if !self.types.is_empty() && !self.types.iter().any(|name| has_type(value, name)) {
            return Some(format!("the schema takes {}", self.types.join(" or ")));
        }
        value.as_f64().and_then(|number| self.out_of_bounds(number)).or_else(|| self.misformed(value))
    }

    fn out_of_bounds(&self, number: f64) -> Option<String> {
        let [least, above, most, below] = self.bounds;
        let breaks = [
            least.is_some_and(|limit| number < limit),
            above.is_some_and(|limit| number <= limit),
            most.is_some_and(|limit| number > limit),
            below.is_some_and(|limit| number >= limit),
        ];
        let at = breaks.iter().position(|broken| *broken)?;
        Some(format!("the schema's `{}` is {}", BOUNDS[at], self.bounds[at]?))
    }

    fn misformed(&self, value: &Value) -> Option<String> {
        let text = value.as_str()?;
        let pattern = self.pattern.as_ref().and_then(|pattern| regex::Regex::new(pattern).ok());
        if pattern.is_some_and(|pattern| !pattern.is_match(text)) {
            return Some("the schema has a `pattern` that this does not match".to_owned());
        }
        let is_date = || text.parse::<jiff::civil::Date>().is_ok() && text.len() == 10;
        (self.format.as_deref() == Some("date") && !is_date())
            .then(|| "the schema takes a date, YYYY-MM-DD".to_owned())
    }
}

fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use transcript::RawJson;

    use super::*;

    fn declared(schema: &Value) -> Declared {
        let mut tool = Tool::named("t");
        tool.input_schema = Some(RawJson::from_value(schema));
        Declared::of(&tool)
    }

    #[test]
    fn arguments_behind_references_and_branches_are_declared() {
        let found = declared(&json!({
            "type": "object", "$defs": {"base": {"properties": {"a": {"type": "string"}}, "required": ["a"]}},
            "allOf": [{"$ref": "#/$defs/base"}],
            "anyOf": [{"properties": {"b": {"enum": ["x", "y"]}}, "required": ["b"]}],
            "properties": {"c": {"type": ["integer", "null"]}}
        }));
        let required: Vec<_> = found.arguments.iter().map(|(name, a)| (name.as_str(), a.required)).collect();
        assert_eq!(required, [("a", true), ("b", false), ("c", false)]);
        assert!(found.arguments["b"].refuses(&json!("z")).unwrap().contains("`x`, `y`"));
        assert!(found.arguments["c"].refuses(&json!("3")).is_some());
        assert!(found.arguments["c"].refuses(&json!(3)).is_none());
    }

    #[test]
    fn references_in_a_circle_end() {
        let found = declared(&json!({"$ref": "#", "properties": {"a": true}}));
        assert_eq!(found.arguments.len(), 1);
        assert!(declared(&json!({"type": "object"})).is_open);
        assert!(!declared(&json!({"type": "object", "properties": {}})).is_open);
    }
}
