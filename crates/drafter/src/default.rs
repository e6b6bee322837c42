//! The value that an optional argument has where nobody gives it: whoever writes it out has made nothing up.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use crate::schema::{Argument, type_of};
use crate::value::options;

/// `default 20`, `Defaults to 'root'`, `(default: user)`, `The default size is 100`.
static BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)\bdefaults?(?:\s+(?:value|size|limit|number))?\s*(to\b|is\b|of\b|:|=)?\s*("[^"\n]{1,40}"|'[^'\n]{1,40}'|`[^`\n]{1,40}`|[a-z0-9_#/+.-]+)([^\n]{0,14})"#,
    )
    .expect("a fixed pattern")
});

/// `True (default)`, `'after' (the default)`.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)("[^"\n]{1,40}"|'[^'\n]{1,40}'|`[^`\n]{1,40}`|[a-z0-9_]+)\s*\((?:the\s+|by\s+)?default\s*[),;]"#,
    )
    .expect("a fixed pattern")
});

/// Words behind `defaults to` that are no values of their own.
const NO_VALUES: &[&str] = &[
    "none", "null", "empty", "current", "true", "false", "no", "the", "a", "an", "your", "its", "my", "this",
    "that", "same", "today", "now", "all", "it",
];

/// What an argument that is left out comes to: the schema's default, else one that the description states plainly.
pub(crate) fn default_of(argument: &Argument) -> Option<Value> {
    let schema = &argument.schema;
    match schema.get("default").filter(|value| !value.is_null()) {
        Some(value) => takes(schema, value).then(|| value.clone()),
        None => described(argument).filter(|value| takes(schema, value)),
    }
}

fn described(argument: &Argument) -> Option<Value> {
    let description = argument.description();
    let behind = BEHIND.captures_iter(description).filter_map(|found| {
        let said = |at: usize| found.get(at).map_or("", |text| text.as_str());
        // A choice may be called `"default"` itself.
        let is_choice = description[..found.get(0)?.start()].ends_with(['"', '\'', '`']);
        let told = Told { word: found.get(2)?.as_str(), rest: said(3), is_linked: !said(1).is_empty() };
        (!is_choice && !is_conditional(told.rest) && !is_of_case(&description[..found.get(0)?.start()]))
            .then_some(told)
    });
    let before = BEFORE
        .captures_iter(description)
        .filter_map(|found| Some(Told { word: found.get(1)?.as_str(), rest: ")", is_linked: false }));
    behind.chain(before).find_map(|told| read(argument, &told))
}

/// A word that a description may give as the default.
struct Told<'a> {
    word: &'a str,
    /// What stands behind it.
    rest: &'a str,
    /// Whether it is said with `to`, `is` or a colon.
    is_linked: bool,
}

/// Whether what stands behind a default says that it is one in some cases only.
fn is_conditional(rest: &str) -> bool {
    let rest = rest.trim_start();
    let is_left_out = ["if om", "if not", "if un", "if none", "when om", "when not", "when un"];
    ["when", "if ", "for "].iter().any(|begin| rest.starts_with(begin))
        && !is_left_out.iter().any(|begin| rest.starts_with(begin))
}

/// Whether the sentence that speaks of a default has begun with the case in which it is one.
fn is_of_case(before: &str) -> bool {
    let begun = before.rsplit(['.', '\n', '(']).next().unwrap_or_default().to_lowercase();
    let is_left_out = ["if not", "if om", "if un", "if none", "if no ", "when not", "when om"];
    let is_case = ["if ", "when ", "otherwise"].iter().any(|word| begun.trim_start().starts_with(word));
    is_case && !is_left_out.iter().any(|word| begun.contains(word))
}

/// A word of a description as a value of the argument's type.
fn read(argument: &Argument, told: &Told<'_>) -> Option<Value> {
    let Told { word, rest, is_linked } = *told;
    let bare = word.trim_matches(['"', '\'', '`']);
    let is_quoted = bare.len() < word.len();
    let bare = if is_quoted { bare } else { bare.trim_end_matches('.') };
    // A number of another unit than the argument's is none of its values.
    let unit = rest.trim_start().get(..2).unwrap_or_default().to_lowercase();
    let is_of_unit = ["mb", "mi", "kb", "ki", "gb", "gi"].contains(&unit.as_str());
    match type_of(&argument.schema).as_str() {
        "boolean" => bare.to_lowercase().parse::<bool>().ok().map(Value::from),
        "integer" if !is_of_unit => bare.parse::<i64>().ok().map(Value::from),
        "number" if !is_of_unit => {
            let whole = bare.parse::<i64>().ok().map(Value::from);
            whole.or_else(|| bare.parse::<f64>().ok().map(Value::from))
        }
        "string" => {
            let members = argument.schema.get("enum").and_then(Value::as_array);
            if let Some(members) = members {
                let is_it =
                    |member: &&Value| member.as_str().is_some_and(|own| own.eq_ignore_ascii_case(bare));
                return members.iter().find(is_it).cloned();
            }
            let is_one = options(&argument.name, argument.description())
                .is_some_and(|options| options.iter().any(|option| option == bare));
            let ends = word.ends_with('.') || rest.is_empty() || rest.starts_with([')', ',', ';', '.', ']']);
            let is_nothing = NO_VALUES.contains(&bare.to_lowercase().as_str());
            // A word that stands alone may be of a sentence; one in quotation marks is the value.
            let is_word = ends && is_linked && !is_nothing;
            let is_text = bare.chars().any(char::is_alphanumeric) && bare.trim() == bare;
            (is_text && (is_quoted || is_one || is_word)).then(|| bare.into())
        }
        _ => None,
    }
}

/// Whether a simplified schema takes a value, as far as that can be told by looking at it.
fn takes(schema: &Map<String, Value>, value: &Value) -> bool {
    if schema.get("enum").and_then(Value::as_array).is_some_and(|members| !members.contains(value)) {
        return false;
    }
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    match (type_of(schema).as_str(), value) {
        ("boolean", Value::Bool(_)) => true,
        ("integer" | "number", Value::Number(number)) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            bound("minimum").is_none_or(|least| number >= least)
                && bound("maximum").is_none_or(|most| number <= most)
                && bound("exclusiveMinimum").is_none_or(|least| number > least)
                && bound("exclusiveMaximum").is_none_or(|most| number < most)
        }
        ("string", Value::String(text)) => {
            let pattern = schema.get("pattern").and_then(Value::as_str);
            let length = text.chars().count();
            let count =
                |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
            pattern.is_none_or(|pattern| Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text)))
                && count("minLength").is_none_or(|least| length >= least)
                && count("maxLength").is_none_or(|most| length <= most)
        }
        ("array", Value::Array(items)) => {
            let each = schema.get("items").and_then(Value::as_object);
            schema.get("minItems").is_none()
                && items.iter().all(|item| each.is_some_and(|each| takes(each, item)))
        }
        ("object", Value::Object(members)) => members.is_empty() && !schema.contains_key("required"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(schema: &Value) -> Option<Value> {
        let schema = schema.as_object().unwrap().clone();
        default_of(&Argument { name: "tide_mode".into(), schema, required: false })
    }

    #[test]
    fn defaults_are_read_from_schemas_and_sentences() {
        for (schema, expected) in [
            (json!({"type": "integer", "default": 25}), Some(json!(25))),
            (json!({"type": "integer", "default": 0, "minimum": 1}), None),
            (json!({"type": "string", "default": "tide", "enum": ["tide", "moon"]}), Some(json!("tide"))),
            (json!({"type": "string", "default": "sun", "enum": ["tide", "moon"]}), None),
            (json!({"type": "array", "items": {"type": "string"}, "default": []}), Some(json!([]))),
            (json!({"type": "integer", "description": "Rows (default: 40, max: 90)"}), Some(json!(40))),
            (json!({"type": "integer", "description": "The default size is 60."}), Some(json!(60))),
            (json!({"type": "integer", "description": "Size. Default 8 MiB."}), None),
            (
                json!({"type": "boolean", "description": "Wet. Defaults to False to keep dry."}),
                Some(json!(false)),
            ),
            (json!({"type": "boolean", "description": "When True (default), it is wet."}), Some(json!(true))),
            (json!({"type": "boolean", "description": "Use default oars"}), None),
            (
                json!({"type": "string", "description": "Where. Defaults to 'quay' (the near one)."}),
                Some(json!("quay")),
            ),
            (json!({"type": "string", "description": "Who (default: owner)"}), Some(json!("owner"))),
            (json!({"type": "string", "description": "Defaults to the last tide."}), None),
            (json!({"type": "string", "description": "Defaults to None."}), None),
            (json!({"type": "string", "description": "Defaults to the\nnear quay"}), None),
            (json!({"type": "string", "description": "(defaults to the shop's default quay)"}), None),
            (json!({"type": "string", "description": "Defaults to 'quay' when a boat is given"}), None),
            (json!({"type": "string", "description": "If a boat is given, it defaults to 'quay'."}), None),
            (
                json!({"type": "string", "description": "If not given, defaults to 'quay'."}),
                Some(json!("quay")),
            ),
            (json!({"type": "string", "description": "Defaults to 'quay' if omitted"}), Some(json!("quay"))),
            (json!({"type": "string", "description": "\"default\", \"near\" or \"far\""}), None),
            (
                json!({"type": "string", "enum": ["Ebb", "Flow"], "description": "Ebb by default ebb or flow"}),
                Some(json!("Ebb")),
            ),
            (json!({"type": "string", "description": "Any text"}), None),
        ] {
            assert_eq!(of(&schema), expected, "{schema}");
        }
    }
}
