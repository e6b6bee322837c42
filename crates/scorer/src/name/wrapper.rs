//! Wrappers: calls whose arguments hold other calls. A router that the catalog offers is unwrapped; a wrapper
//! that it does not offer is an unknown tool and nothing more (DESIGN.md 3.1).

use serde_json::{Map, Value};

/// Names of routers and wrappers, in lower case and without separators.
const WRAPPERS: &[&str] = &[
    "multitooluse",
    "multitooluseparallel",
    "paralleltooluse",
    "multitool",
    "executetool",
    "calltool",
    "usemcptool",
    "callmcptool",
    "mcptool",
    "runtool",
    "invoketool",
    "usetool",
    "tooluse",
    "toolcall",
    "functioncall",
    "callfunction",
    "runfunction",
    "executefunction",
];

/// Keys that name the tool of a nested call, most telling first.
const NAME_KEYS: &[&str] =
    &["recipient_name", "tool_name", "toolName", "function_name", "tool", "function", "name"];

/// Keys that hold the arguments of a nested call.
const ARGUMENT_KEYS: &[&str] =
    &["parameters", "arguments", "args", "params", "input", "tool_input", "tool_args"];

/// A call found inside another call's arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inner {
    /// The name as it stands there.
    pub(crate) name: String,
    /// Whether it carries no argument at all.
    pub(crate) bare: bool,
}

/// Whether a name is a wrapper's, whatever the case and separators.
pub(crate) fn is_wrapper_name(name: &str) -> bool {
    let bare = super::spelling::without_dialect(name);
    let plain: String =
        bare.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    WRAPPERS.contains(&plain.as_str())
}

/// The calls inside a call's arguments: the object itself, or the objects of a list in it.
pub(crate) fn inner_calls(arguments: &str) -> Vec<Inner> {
    if !NAME_KEYS.iter().any(|key| arguments.contains(key)) {
        return Vec::new();
    }
    let Ok(Value::Object(object)) = serde_json::from_str::<Value>(arguments) else { return Vec::new() };
    if let Some(call) = inner_call(&object) {
        return vec![call];
    }
    let lists = object.values().filter_map(Value::as_array);
    lists.flatten().filter_map(|item| item.as_object().and_then(inner_call)).collect()
}

fn inner_call(object: &Map<String, Value>) -> Option<Inner> {
    if let Some(function) = object.get("function").and_then(Value::as_object) {
        return inner_call(function);
    }
    let name = NAME_KEYS.iter().find_map(|key| object.get(*key)?.as_str())?;
    let arguments = ARGUMENT_KEYS.iter().find_map(|key| object.get(*key));
    // A record that merely has a name is no call.
    if arguments.is_none() && !object.contains_key("recipient_name") && !object.contains_key("tool_name") {
        return None;
    }
    let bare = match arguments {
        None | Some(Value::Null) => true,
        Some(Value::Object(members)) => members.is_empty(),
        Some(Value::String(text)) => text.trim().is_empty() || text.trim() == "{}",
        Some(_) => false,
    };
    Some(Inner { name: name.to_owned(), bare })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_nested_calls_and_no_records() {
        let calls = inner_calls(r#"{"tool_uses":[{"recipient_name":"weigh","parameters":{}}]}"#);
        assert_eq!(calls, [Inner { name: "weigh".into(), bare: true }]);
        let router = inner_calls(r#"{"tool":"stamp","arguments":"{\"n\":2}"}"#);
        assert_eq!(router, [Inner { name: "stamp".into(), bare: false }]);
        assert!(inner_calls(r#"{"people":[{"name":"Ada"}]}"#).is_empty());
        assert!(inner_calls("{").is_empty());
    }

    #[test]
    fn wrapper_names_in_any_dress() {
        for name in ["multi_tool_use.parallel", "multi_tool_use", "Execute-Tool", "functions.run_tool"] {
            assert!(is_wrapper_name(name), "{name}");
        }
        assert!(!is_wrapper_name("run_tools_check"));
    }
}
