//! Replies as chat-completions JSON.

use serde::Serialize;

use crate::decision_log::FormatFault;
use crate::draw::Key;
use crate::plan::PlannedCall;

/// What every response has as its `system_fingerprint`, so that nobody takes it for a model's.
pub const FINGERPRINT: &str = "toolmirage-sim";

/// What one response says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spoken<'a> {
    pub(crate) text: Option<&'a str>,
    pub(crate) calls: &'a [PlannedCall],
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

/// Tokens, estimated as a quarter of the bytes.
#[derive(Serialize)]
struct Usage {
    prompt_tokens: usize,
    completion_tokens: usize,
    total_tokens: usize,
}

/// The body of a reply. `id` decides the ids in it, `request_bytes` the tokens that were read.
pub(crate) fn completion(said: Spoken<'_>, model: &str, id: Key, request_bytes: usize) -> Vec<u8> {
    let says_stop = said.calls.iter().any(|call| call.format == Some(FormatFault::FinishReasonWrong));
    let finish_reason = if said.calls.is_empty() || says_stop { "stop" } else { "tool_calls" };
    let tool_calls = said.calls.iter().enumerate().map(|(at, call)| ToolCall {
        id: format!("call_{:016x}", id.with(&at.to_le_bytes()).roll("call")),
        kind: "function",
        function: Function { name: &call.name, arguments: &call.arguments },
    });
    let written: usize = said.text.map_or(0, str::len)
        + said.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>();
    let (prompt_tokens, completion_tokens) = (request_bytes / 4 + 1, written / 4 + 1);
    to_json(&Completion {
        id: format!("chatcmpl-sim-{:016x}", id.roll("response")),
        object: "chat.completion",
        created: 0,
        model,
        system_fingerprint: FINGERPRINT,
        choices: [Choice {
            index: 0,
            message: Message {
                role: "assistant",
                content: said.text,
                refusal: None,
                tool_calls: tool_calls.collect(),
            },
            logprobs: None,
            finish_reason,
        }],
        usage: Usage { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    })
}

/// An error in the shape that chat-completions clients read.
pub(crate) fn error_body(message: &str) -> Vec<u8> {
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
        code: Option<()>,
    }
    to_json(&Body { error: Error { message, kind: "invalid_request_error", param: None, code: None } })
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data of strings and numbers is JSON")
}
