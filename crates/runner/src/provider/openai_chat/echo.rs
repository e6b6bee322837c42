//! The model's turn as the next request carries it: the body's own words, not our reading of them.

use serde_json::value::RawValue;
use transcript::{CallId, Observed, RawJson};

use crate::json::{self, Members};
use crate::provider::json_text::{Object, json_text};

/// Members that a later request may have to carry back: servers that send reasoning may refuse a history
/// without it, and OpenAI never sends these.
const KEPT: &[&str] = &["content", "reasoning", "reasoning_content", "reasoning_details"];

/// Builds the assistant message. What a history must have and the body has not is added: an id, the type,
/// arguments as a string. `ids` are those of `observed`'s calls, in order.
pub(super) fn echo(body: &RawJson, observed: &Observed, ids: &[CallId]) -> RawJson {
    let message = first_message(body);
    let mut out = Object::new();
    out.member("role", "\"assistant\"");
    let kept = |key: &str| message.as_ref().and_then(|message| json::present(message, key));
    for key in KEPT {
        match kept(key) {
            Some(raw) => out.member(key, raw.get()),
            None if *key == "content" => out.member(key, "null"),
            None => {}
        }
    }
    let entries = calls(message.as_ref());
    // A body that carries calls in another place than `tool_calls` is echoed from what was read of it.
    let texts: Vec<String> = observed
        .calls()
        .zip(ids)
        .enumerate()
        .map(|(at, (call, id))| {
            let entry = entries.get(at).and_then(|raw| json::members(raw));
            one_call(entry.as_ref(), id, call.name.as_str(), &argument_text(call.arguments.text()))
        })
        .collect();
    if !texts.is_empty() {
        out.member("tool_calls", &format!("[{}]", texts.join(",")));
    }
    out.into_raw()
}

/// A history holds arguments as a string. No arguments at all are an empty object: servers parse the string.
fn argument_text(arguments: &str) -> String {
    json_text(if arguments.is_empty() { "{}" } else { arguments })
}

fn first_message(body: &RawJson) -> Option<Members<'_>> {
    let members = json::parse_members(body.as_str())?;
    let choices = json::elements(json::present(&members, "choices")?)?;
    let choice = json::members(choices.first()?)?;
    json::members(json::present(&choice, "message")?)
}

/// The entries that are calls, in order: those that `decode` took for calls.
fn calls<'a>(message: Option<&Members<'a>>) -> Vec<&'a RawValue> {
    let list = message.and_then(|message| json::present(message, "tool_calls"));
    let entries = list.map(|raw| json::elements(raw).unwrap_or_else(|| vec![raw])).unwrap_or_default();
    entries.into_iter().filter(|raw| raw.get().starts_with('{')).collect()
}

/// One call: the entry's own members (a gateway may want its signature back), with id and string arguments.
fn one_call(entry: Option<&Members<'_>>, id: &CallId, name: &str, arguments: &str) -> String {
    let mut function = Object::new();
    function.member("name", &json_text(name));
    function.member("arguments", arguments);
    let function = function.finish();
    let mut out = Object::new();
    out.member("id", &json_text(&id.0));
    out.member("type", "\"function\"");
    out.member("function", &function);
    for (key, value) in entry.into_iter().flat_map(Members::iter) {
        if !matches!(key, "id" | "type" | "function" | "index" | "name" | "arguments") {
            out.member(key, value.get());
        }
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::super::decode::decode;
    use super::*;

    fn echoed(message: &str, ids: &[&str]) -> String {
        let body = format!(r#"{{"choices":[{{"message":{message}}}]}}"#);
        let decoded = decode(200, body.as_bytes());
        let ids: Vec<CallId> = ids.iter().map(|id| CallId((*id).to_owned())).collect();
        echo(decoded.body.json().unwrap(), &decoded.observed, &ids).as_str().to_owned()
    }

    #[test]
    fn what_came_goes_back_as_it_came() {
        let message = r#"{"role":"assistant","content":"h\u00e9","refusal":null,"reasoning_content":"r","tool_calls":[{"id":"a","type":"function","function":{"name":"weigh","arguments":"{\"n\": 1,}"},"index":0,"extra_content":{"sig":"x"}}]}"#;
        assert_eq!(
            echoed(message, &["a"]),
            r#"{"role":"assistant","content":"h\u00e9","reasoning_content":"r","tool_calls":[{"id":"a","type":"function","function":{"name":"weigh","arguments":"{\"n\": 1,}"},"extra_content":{"sig":"x"}}]}"#
        );
    }

    #[test]
    fn what_a_history_must_have_is_added() {
        let message = r#"{"tool_calls":[{"function":{"name":"weigh","arguments":{"n":1.0}}},{"function":{"name":"ping"}}]}"#;
        assert_eq!(
            echoed(message, &["g1", "g2"]),
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"g1","type":"function","function":{"name":"weigh","arguments":"{\"n\":1.0}"}},{"id":"g2","type":"function","function":{"name":"ping","arguments":"{}"}}]}"#
        );
        let legacy = r#"{"content":null,"function_call":{"name":"ping","arguments":"{}"}}"#;
        assert!(echoed(legacy, &["g"]).contains(r#""tool_calls":[{"id":"g","type":"function""#));
    }
}
