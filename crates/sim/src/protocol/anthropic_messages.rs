//! Messages of Anthropic. `max_tokens` is required, and each result belongs to a call of the turn before it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, json};

use super::chat_request::{ChatRequest, PastCall, ToolParts, list, string, text_of, unreadable};
use super::{Asked, Problem, Protocol, Route, in_place, named_event, route_if, to_json};
use crate::answer::{Answer, FINGERPRINT, pieces};
use crate::request::Refused;

pub(super) const PROTOCOL: Protocol = Protocol {
    name: "anthropic_messages",
    paths: "/v1/messages",
    route: |path| route_if(path, "/messages"),
    read,
    write,
    stream,
    stream_type: "text/event-stream",
    error,
};

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(default)]
    model: String,
    #[serde(default)]
    max_tokens: Option<u64>,
    #[serde(default)]
    system: Value,
    messages: Vec<Value>,
    #[serde(borrow, default)]
    tools: Vec<ToolParts<'a>>,
    #[serde(default)]
    tool_choice: Value,
    #[serde(default)]
    stream: bool,
}

fn read<'a>(body: &'a [u8], _: &Route) -> Result<Asked<'a>, Refused> {
    let body: Body<'a> = serde_json::from_slice(body).map_err(unreadable("a request for a message"))?;
    if body.max_tokens.is_none() {
        return Err(Refused("max_tokens: Field required".to_owned()));
    }
    let mut chat = ChatRequest::default();
    if !body.system.is_null() {
        chat.say("system", &text_of(&body.system));
    }
    for message in &body.messages {
        take(message, &mut chat)?;
    }
    body.tools.iter().for_each(|tool| chat.tool(tool));
    if body.tool_choice["type"] == "none" {
        chat.forbid_calls();
    }
    if let Some(not_parallel) = body.tool_choice["disable_parallel_tool_use"].as_bool() {
        chat.parallel(!not_parallel);
    }
    Ok(Asked { chat: Cow::Owned(chat.finish(&body.model)), streams: body.stream })
}

fn take(message: &Value, chat: &mut ChatRequest) -> Result<(), Refused> {
    let content = &message["content"];
    let role = message["role"].as_str().unwrap_or_default();
    let of = |kind: &'static str| list(content).iter().filter(move |block| block["type"] == kind);
    if role == "assistant" {
        let text = text_of(content);
        let calls: Vec<PastCall> = of("tool_use")
            .map(|block| PastCall {
                id: string(block, "id"),
                name: string(block, "name").unwrap_or_default(),
                arguments: block["input"].to_string(),
            })
            .collect();
        chat.model(Some(text.as_str()).filter(|text| !text.is_empty()), &calls);
        return Ok(());
    }
    for block in of("tool_result") {
        chat.result(block["tool_use_id"].as_str().unwrap_or_default(), &text_of(&block["content"]))?;
    }
    if content.is_string() || of("text").next().is_some() {
        chat.say(role, &text_of(content));
    }
    Ok(())
}

fn stop_reason(answer: &Answer) -> &'static str {
    match answer {
        Answer { is_cut: true, .. } => "max_tokens",
        Answer { says_stop: false, calls, .. } if !calls.is_empty() => "tool_use",
        _ => "end_turn",
    }
}

fn message(answer: &Answer, content: &[Value], stop: Option<&str>, written: usize) -> Value {
    json!({
        "id": answer.response_id("msg_sim_"),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "system_fingerprint": FINGERPRINT,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": { "input_tokens": answer.tokens.0, "output_tokens": written },
    })
}

/// Inputs are put in as text afterwards: a number keeps its digits.
fn write(answer: &Answer) -> Vec<u8> {
    #[derive(serde::Serialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Block<'a> {
        Text { text: &'a str },
        ToolUse { id: String, name: &'a str, input: Box<serde_json::value::RawValue> },
    }
    #[derive(serde::Serialize)]
    struct Message<'a> {
        id: String,
        r#type: &'static str,
        role: &'static str,
        model: &'a str,
        system_fingerprint: &'static str,
        content: Vec<Block<'a>>,
        stop_reason: &'static str,
        stop_sequence: Option<()>,
        usage: Value,
    }
    let text = answer.text.iter().map(|text| Block::Text { text });
    let calls = answer.calls.iter().map(|call| Block::ToolUse {
        id: call.id("toolu_"),
        name: &call.name,
        input: in_place(&call.arguments),
    });
    to_json(&Message {
        id: answer.response_id("msg_sim_"),
        r#type: "message",
        role: "assistant",
        model: &answer.model,
        system_fingerprint: FINGERPRINT,
        content: text.chain(calls).collect(),
        stop_reason: stop_reason(answer),
        stop_sequence: None,
        usage: json!({ "input_tokens": answer.tokens.0, "output_tokens": answer.tokens.1 }),
    })
}

fn stream(answer: &Answer) -> Vec<String> {
    let event = |name: &str, mut value: Value| {
        value["type"] = json!(name);
        named_event(name, &value)
    };
    let begun = message(answer, &[], None, 1);
    let mut frames = vec![event("message_start", json!({ "message": begun })), event("ping", json!({}))];
    let text = answer
        .text
        .iter()
        .map(|text| (json!({ "type": "text", "text": "" }), "text_delta", "text", text.clone()));
    let calls = answer.calls.iter().map(|call| {
        let block = json!({ "type": "tool_use", "id": call.id("toolu_"), "name": call.name, "input": {} });
        (block, "input_json_delta", "partial_json", in_place(&call.arguments).get().to_owned())
    });
    for (at, (block, kind, key, whole)) in text.chain(calls).enumerate() {
        frames.push(event("content_block_start", json!({ "index": at, "content_block": block })));
        for piece in pieces(&whole) {
            frames.push(event(
                "content_block_delta",
                json!({ "index": at, "delta": { "type": kind, key: piece } }),
            ));
        }
        frames.push(event("content_block_stop", json!({ "index": at })));
    }
    let delta = json!({ "stop_reason": stop_reason(answer), "stop_sequence": null });
    frames.push(event(
        "message_delta",
        json!({ "delta": delta, "usage": { "output_tokens": answer.tokens.1 } }),
    ));
    frames.push(event("message_stop", json!({})));
    frames
}

fn error(problem: &Problem<'_>) -> Vec<u8> {
    let kind = match problem.status {
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    };
    let error = json!({ "type": kind, "message": problem.message });
    to_json(&json!({ "type": "error", "error": error, "request_id": null }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_messages() {
        let body = r#"{"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"dig"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"dig","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"},{"type":"text","text":"more"}]}],"tools":[{"name":"dig","input_schema":{"a":1.50}}]}"#;
        let asked = read(body.as_bytes(), &Route::default()).unwrap();
        let wanted = r#"{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"dig"},{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"dig","arguments":"{}"}}]},{"role":"tool","content":"ok","tool_call_id":"t"},{"role":"user","content":"more"}],"tools":[{"type":"function","function":{"name":"dig","parameters":{"a":1.50}}}]}"#;
        assert_eq!(String::from_utf8_lossy(&asked.chat), wanted);
        assert!(read(br#"{"messages":[]}"#, &Route::default()).unwrap_err().0.contains("max_tokens"));
    }
}
