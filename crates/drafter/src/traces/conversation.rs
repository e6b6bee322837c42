//! Turns of a conversation in which one call answered the first thing that a user said.

use serde_json::{Map, Value};

/// A user's words, and the one call that followed and succeeded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn {
    pub(super) user: String,
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
}

/// The turns of a line; none where it holds no conversation. What a later request means may hang on what was said
/// before, so that only the first one counts.
pub(super) fn turns(line: &str) -> Option<Vec<Turn>> {
    let value: Value = serde_json::from_str(line).ok()?;
    let messages = value.get("messages").unwrap_or(&value).as_array()?;
    let role = |message: &Value| message.get("role").and_then(Value::as_str).unwrap_or_default().to_owned();
    let first = messages.iter().position(|message| role(message) == "user")?;
    let user = text(messages.get(first)?.get("content")?)?;
    let after =
        messages.iter().skip(first + 1).take_while(|message| role(message) != "user" || is_result(message));
    let after: Vec<&Value> = after.collect();
    let calls: Vec<(String, String, Map<String, Value>)> =
        after.iter().flat_map(|message| calls(message)).collect();
    let [(id, tool, arguments)] = &calls[..] else { return Some(Vec::new()) };
    let succeeded =
        after.iter().any(|message| result_of(message, id).is_some_and(|result| !says_error(&result)));
    let turn = Turn { user, tool: tool.clone(), arguments: arguments.clone() };
    Some(if succeeded { vec![turn] } else { Vec::new() })
}

/// The text of a message's content, whole or in blocks; none where it has none.
fn text(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        _ => None,
    }
}

/// The calls of a message: id, name, arguments.
fn calls(message: &Value) -> Vec<(String, String, Map<String, Value>)> {
    let owned = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let of_chat = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten().map(|call| {
        let function = call.get("function").unwrap_or(call);
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_default(),
            Some(Value::Object(members)) => members.clone(),
            _ => Map::new(),
        };
        (owned(call.get("id")), owned(function.get("name")), arguments)
    });
    let blocks = message.get("content").and_then(Value::as_array).into_iter().flatten();
    let of_blocks =
        blocks.filter(|block| block.get("type").is_some_and(|kind| kind == "tool_use")).map(|block| {
            let arguments = block.get("input").and_then(Value::as_object).cloned().unwrap_or_default();
            (owned(block.get("id")), owned(block.get("name")), arguments)
        });
    of_chat.chain(of_blocks).collect()
}

/// Whether a user's message only carries results.
fn is_result(message: &Value) -> bool {
    let blocks = message.get("content").and_then(Value::as_array);
    blocks.is_some_and(|blocks| {
        blocks.iter().any(|block| block.get("type").is_some_and(|kind| kind == "tool_result"))
    })
}

/// What a call returned, where the message says it.
fn result_of(message: &Value, id: &str) -> Option<String> {
    if message.get("role").is_some_and(|role| role == "tool") {
        let of_call = message.get("tool_call_id").and_then(Value::as_str).is_none_or(|other| other == id);
        return of_call.then(|| message.get("content").map(content_text).unwrap_or_default());
    }
    let blocks = message.get("content").and_then(Value::as_array)?;
    let block = blocks.iter().find(|block| block.get("tool_use_id").and_then(Value::as_str) == Some(id))?;
    if block.get("is_error") == Some(&Value::Bool(true)) {
        return Some("error".to_owned());
    }
    Some(block.get("content").map(content_text).unwrap_or_default())
}

fn content_text(content: &Value) -> String {
    text(content).unwrap_or_else(|| content.to_string())
}

/// Whether a result tells of a failure.
fn says_error(result: &str) -> bool {
    let start: String = result.trim_start().chars().take(80).collect::<String>().to_lowercase();
    let marks = [
        "error",
        "failed",
        "failure",
        "exception",
        "traceback",
        "not found",
        "unauthorized",
        "\"iserror\": true",
        "\"iserror\":true",
        "\"ok\":false",
        "\"ok\": false",
        "\"success\":false",
        "\"success\": false",
    ];
    marks.iter().any(|mark| start.contains(mark))
}
