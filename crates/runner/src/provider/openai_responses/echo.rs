//! The model's turn as the next request carries it: the body's own items, in order. Reasoning goes back with all
//! that it has, messages with their phase; the endpoint refuses a call whose reasoning is missing.

use serde_json::value::RawValue;
use transcript::{CallId, Observed, RawJson, ToolCall};

use super::decode::call;
use crate::json::{self, Members};
use crate::provider::json_text::{Object, array, json_text, raw};

/// Builds an array of input items. A call is touched only where a history cannot hold it: without an id, or with
/// arguments that are no string. `ids` are those of `observed`'s calls, in order.
pub(super) fn echo(body: &RawJson, _: &Observed, ids: &[CallId]) -> RawJson {
    let body = json::parse_members(body.as_str());
    let output = body.as_ref().and_then(|body| json::elements(json::present(body, "output")?));
    let mut ids = ids.iter();
    let mut items = Vec::new();
    for item in output.unwrap_or_default() {
        let Some(members) = json::members(item) else { continue };
        items.push(match call(&members) {
            Some(call) => one_call(item, &members, &call, ids.next()),
            None => item.get().to_owned(),
        });
    }
    raw(&array(&items))
}

fn one_call(item: &RawValue, members: &Members<'_>, call: &ToolCall, id: Option<&CallId>) -> String {
    let input = match json::present_string(members, "type").as_deref() {
        Some("mcp_call") => return as_function_call(call, id),
        Some("custom_tool_call") => "input",
        _ => "arguments",
    };
    let is_text = |key: &str| members.get(key).is_some_and(|value| value.get().starts_with('"'));
    let needs = |key: &str| match key {
        "call_id" => !is_text(key) && id.is_some(),
        key => !is_text(key),
    };
    if !needs("call_id") && !needs(input) {
        return item.get().to_owned();
    }
    let mut out = Object::new();
    for (key, value) in members.iter() {
        if (key != "call_id" && key != input) || !needs(key) {
            out.member(key, value.get());
        }
    }
    if let Some(id) = id.filter(|_| needs("call_id")) {
        out.member("call_id", &json_text(&id.0));
    }
    if needs(input) {
        out.member(input, &json_text(argument_text(call)));
    }
    out.finish()
}

/// No client can answer an item `mcp_call`. It goes back as the function call that it amounts to.
fn as_function_call(call: &ToolCall, id: Option<&CallId>) -> String {
    let mut out = Object::new();
    out.member("type", "\"function_call\"");
    if let Some(id) = id {
        out.member("call_id", &json_text(&id.0));
    }
    if let Some(namespace) = &call.namespace {
        out.member("namespace", &json_text(namespace));
    }
    out.member("name", &json_text(call.name.as_str()));
    out.member("arguments", &json_text(argument_text(call)));
    out.finish()
}

/// A history holds arguments as a string. None at all are an empty object.
fn argument_text(call: &ToolCall) -> &str {
    match call.arguments.text() {
        "" | "null" => "{}",
        arguments => arguments,
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode::decode;
    use super::*;

    fn echoed(output: &str, ids: &[&str]) -> String {
        let decoded = decode(200, format!(r#"{{"status":"completed","output":{output}}}"#).as_bytes());
        assert_eq!(decoded.observed.calls().count(), ids.len());
        let ids: Vec<CallId> = ids.iter().map(|id| CallId((*id).to_owned())).collect();
        echo(decoded.body.json().unwrap(), &decoded.observed, &ids).as_str().to_owned()
    }

    #[test]
    fn whole_items_go_back_byte_for_byte() {
        let output = concat!(
            r#"[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA\u0041=","x":1.0},"#,
            r#"{"type":"message","id":"m","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"h\u00e9","annotations":[]}]},"#,
            r#"{"type":"web_search_call","id":"ws_1","status":"completed"},"#,
            r#"{"type":"function_call","id":"f","call_id":"c1","namespace":"pier","name":"ring","arguments":"{\"n\": 1,}","status":"completed","caller":{"type":"direct"}},"#,
            r#"{"type":"function_call","call_id":"c2","name":"ring","arguments":""}]"#
        );
        assert_eq!(echoed(output, &["c1", "c2"]), output);
    }

    #[test]
    fn what_a_history_must_have_is_added() {
        let output = concat!(
            r#"[{"type":"function_call","id":"f","name":"ring","arguments":{"n":1.0}},7,"#,
            r#"{"type":"custom_tool_call","call_id":"c2","name":"run","input":"SELECT 1"},"#,
            r#"{"type":"function_call","call_id":null,"name":"ring"}]"#
        );
        assert_eq!(
            echoed(output, &["g1", "c2", "g3"]),
            concat!(
                r#"[{"type":"function_call","id":"f","name":"ring","call_id":"g1","arguments":"{\"n\":1.0}"},"#,
                r#"{"type":"custom_tool_call","call_id":"c2","name":"run","input":"SELECT 1"},"#,
                r#"{"type":"function_call","name":"ring","call_id":"g3","arguments":"{}"}]"#
            )
        );
    }

    #[test]
    fn a_made_up_server_s_call_can_be_answered() {
        let output = concat!(
            r#"[{"type":"mcp_call","id":"mcp_1","server_label":"harbour","name":"log","arguments":"{}"},"#,
            r#"{"type":"mcp_call","id":"mcp_2","server_label":"harbour","name":"log","arguments":"{}","output":"done"}]"#
        );
        assert_eq!(
            echoed(output, &["mcp_1"]),
            concat!(
                r#"[{"type":"function_call","call_id":"mcp_1","namespace":"harbour","name":"log","arguments":"{}"},"#,
                r#"{"type":"mcp_call","id":"mcp_2","server_label":"harbour","name":"log","arguments":"{}","output":"done"}]"#
            )
        );
    }

    #[test]
    fn a_body_without_items_is_an_empty_turn() {
        assert_eq!(echoed("null", &[]), "[]");
        assert_eq!(echoed("[]", &[]), "[]");
    }
}
