//! Chat completions, read as they are.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Asked, Problem, Protocol, Route, data_event, route_if, to_json};
use crate::answer::{Answer, EmittedCall, FINGERPRINT, pieces};
use crate::request::Refused;

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "openai_chat",
    paths: "/v1/chat/completions",
    route: |path| route_if(path, "/chat/completions"),
    read,
    write: |answer| write(answer, "call_", None),
    stream: |answer| stream(answer, "call_"),
    stream_type: "text/event-stream",
    error,
};

/// Passes a body on; what is wrong with it is said by whoever reads it whole. How an answer is to come is no part of what
/// a model decides by, and taken out.
pub(super) fn read<'a>(body: &'a [u8], _: &Route) -> Result<Asked<'a>, Refused> {
    let members: Option<IndexMap<Cow<'_, str>, &RawValue>> = serde_json::from_slice(body).ok();
    match members {
        Some(mut members) if members.get("stream").is_some_and(|stream| stream.get() == "true") => {
            members.shift_remove("stream");
            members.shift_remove("stream_options");
            Ok(Asked { chat: Cow::Owned(to_json(&members)), streams: true })
        }
        _ => Ok(Asked { chat: Cow::Borrowed(body), streams: false }),
    }
}

#[derive(Serialize)]
struct Completion<'a> {
    id: String,
    object: &'static str,
    /// There is no clock here.
    created: u64,
    model: &'a str,
    system_fingerprint: &'static str,
    choices: [Choice<'a>; 1],
    usage: Usage,
}

#[derive(Serialize)]
struct Choice<'a> {
    index: u8,
    message: Message<'a>,
    logprobs: Option<()>,
    finish_reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    native_finish_reason: Option<&'static str>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Option<&'a str>,
    refusal: Option<()>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<ToolCall<'a>>,
}

#[derive(Serialize)]
struct ToolCall<'a> {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct Usage {
    prompt_tokens: usize,
    completion_tokens: usize,
    total_tokens: usize,
}

fn usage(answer: &Answer) -> Usage {
    let (prompt_tokens, completion_tokens) = answer.tokens;
    Usage { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

fn finish_reason(answer: &Answer) -> &'static str {
    match answer {
        Answer { is_cut: true, .. } => "length",
        Answer { says_stop: false, calls, .. } if !calls.is_empty() => "tool_calls",
        _ => "stop",
    }
}

/// The id of a call. Mistral takes nine letters and digits, and no others.
fn call_id(call: &EmittedCall, prefix: &str) -> String {
    if prefix.is_empty() { format!("{:09x}", call.number & 0xf_ffff_ffff) } else { call.id(prefix) }
}

/// `prefix` is that of calls' ids, `native` what the model's own server is said to have ended with.
pub(super) fn write(answer: &Answer, prefix: &str, native: Option<&'static str>) -> Vec<u8> {
    let tool_calls = answer.calls.iter().map(|call| ToolCall {
        id: call_id(call, prefix),
        kind: "function",
        function: Function { name: &call.name, arguments: &call.arguments },
    });
    to_json(&Completion {
        id: answer.response_id("chatcmpl-sim-"),
        object: "chat.completion",
        created: 0,
        model: &answer.model,
        system_fingerprint: FINGERPRINT,
        choices: [Choice {
            index: 0,
            message: Message {
                role: "assistant",
                content: answer.text.as_deref(),
                refusal: None,
                tool_calls: tool_calls.collect(),
            },
            logprobs: None,
            finish_reason: finish_reason(answer),
            native_finish_reason: native,
        }],
        usage: usage(answer),
    })
}

pub(super) fn stream(answer: &Answer, prefix: &str) -> Vec<String> {
    let id = answer.response_id("chatcmpl-sim-");
    let chunk = |delta: serde_json::Value, finish: Option<&str>| {
        data_event(&serde_json::json!({
            "id": id,
            "object": "chat.completion.chunk",
            "created": 0,
            "model": answer.model,
            "system_fingerprint": FINGERPRINT,
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        }))
    };
    let mut frames = vec![chunk(serde_json::json!({ "role": "assistant", "content": null }), None)];
    for piece in answer.text.as_deref().map(pieces).into_iter().flatten() {
        frames.push(chunk(serde_json::json!({ "content": piece }), None));
    }
    for (at, call) in answer.calls.iter().enumerate() {
        let head = serde_json::json!({ "index": at, "id": call_id(call, prefix), "type": "function", "function": { "name": call.name, "arguments": "" } });
        frames.push(chunk(serde_json::json!({ "tool_calls": [head] }), None));
        for piece in pieces(&call.arguments) {
            let more = serde_json::json!({ "index": at, "function": { "arguments": piece } });
            frames.push(chunk(serde_json::json!({ "tool_calls": [more] }), None));
        }
    }
    frames.push(chunk(serde_json::json!({}), Some(finish_reason(answer))));
    frames.push(data_event(&serde_json::json!({
        "id": id,
        "object": "chat.completion.chunk",
        "created": 0,
        "model": answer.model,
        "system_fingerprint": FINGERPRINT,
        "choices": [],
        "usage": usage(answer),
    })));
    frames.push("data: [DONE]\n\n".to_owned());
    frames
}

/// An error in the shape that chat-completions clients read.
pub(super) fn error(problem: &Problem<'_>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Body<'a> {
        error: Error<'a>,
    }
    #[derive(Serialize)]
    struct Error<'a> {
        message: &'a str,
        #[serde(rename = "type")]
        kind: &'static str,
        param: Option<()>,
        code: Option<&'static str>,
    }
    let code = (problem.status == 429).then_some("rate_limit_exceeded");
    to_json(&Body {
        error: Error { message: problem.message, kind: problem.openai_kind(), param: None, code },
    })
}
