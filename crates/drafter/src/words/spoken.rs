//! How a value is said.

use serde_json::{Map, Value};

use crate::words::label::label;

/// A value as it stands in a request. Free text is quoted; names, numbers and addresses stand as they are.
pub(super) fn spoken(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) if items.iter().all(is_scalar) && !items.is_empty() => {
            listed(&items.iter().map(spoken).collect::<Vec<_>>())
        }
        Value::Array(_) | Value::Object(_) => value.to_string(),
        other => other.to_string(),
    }
}

/// A text in quotation marks where it needs them.
fn quoted(text: &str) -> String {
    let is_token = !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || "-_.@:+#$".contains(c))
        && !text.ends_with(['.', ':', '-']);
    if is_token || text.starts_with(['{', '[']) {
        text.to_owned()
    } else if text.contains('"') {
        format!("'{text}'")
    } else {
        format!("\"{text}\"")
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

pub(super) fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

/// A list of things with members, each said by its members; none where they lie too deep for that.
pub(super) fn things(value: &Value) -> Option<String> {
    let said = |members: &Map<String, Value>| -> Option<String> {
        let member = |(name, value): (&String, &Value)| match value {
            Value::Array(items) if !items.iter().all(is_scalar) => None,
            Value::Object(_) => None,
            value => Some(format!("{} {}", label(name), spoken(value))),
        };
        let members: Option<Vec<String>> = members.iter().map(member).collect();
        members.filter(|members| !members.is_empty()).map(|members| listed(&members))
    };
    match value {
        Value::Object(members) => said(members),
        Value::Array(items) => {
            let items: Option<Vec<String>> =
                items.iter().map(|item| item.as_object().and_then(said)).collect();
            items.filter(|items| !items.is_empty()).map(|items| items.join("; "))
        }
        _ => None,
    }
}

/// Every text and number in a value.
pub(crate) fn scalars(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(items) => items.iter().flat_map(scalars).collect(),
        Value::Object(members) => members.values().flat_map(scalars).collect(),
        Value::Null | Value::Bool(_) => Vec::new(),
    }
}
