//! Reads a response of `/api/chat`. Lenient in what it takes and literal in what it gives.

use serde_json::value::RawValue;
use transcript::{CallId, Item, Observed, Stop, StopReason, ToolCall, Usage};

use super::stream;
use crate::json::{self, Members};
use crate::provider::answer::Answer;
use crate::provider::{Body, Decoded, emitted};

const ANSWER: Answer = Answer {
    marks: &["message"],
    assemble: |body| match body {
        Body::Text(text) => stream::of_lines(text),
        Body::Json(raw) => stream::of_one(raw),
    },
    observe,
    usage,
};

pub(super) fn decode(status: u16, bytes: &[u8]) -> Decoded {
    ANSWER.decode(status, bytes)
}

fn observe(body: &Members<'_>) -> Observed {
    let mut observed = Observed { model: json::present_string(body, "model"), ..Observed::default() };
    observed.stop = json::present(body, "done_reason")
        .and_then(json::string_or_text)
        .map(|raw| Stop { reason: stop_reason(&raw), raw });
    if let Some(message) = json::present(body, "message").and_then(json::members) {
        read_message(&message, &mut observed.items);
    }
    observed
}

/// `stop` stands beside calls too.
fn stop_reason(raw: &str) -> StopReason {
    match raw {
        "stop" => StopReason::End,
        "tool_calls" => StopReason::Calls,
        "length" => StopReason::Length,
        "error" => StopReason::Error,
        _ => StopReason::Other,
    }
}

/// Takes a message's members in the order of the body.
fn read_message(message: &Members<'_>, items: &mut Vec<Item>) {
    let text = |raw: &RawValue| json::string_or_text(raw).filter(|text| !text.is_empty());
    for (key, raw) in message.iter() {
        match key {
            "content" => items.extend(text(raw).map(Item::Text)),
            "thinking" => items.extend(text(raw).map(Item::Reasoning)),
            "tool_calls" if !json::is_null(raw) => {
                for entry in entries(raw) {
                    items.push(match json::members(entry) {
                        Some(members) => Item::Call(call_of(&members)),
                        None => Item::MalformedCall(entry.get().to_owned()),
                    });
                }
            }
            _ => {}
        }
    }
}

/// The entries of a list of calls, or the one that stands there without a list.
pub(super) fn entries(raw: &RawValue) -> Vec<&RawValue> {
    json::elements(raw).unwrap_or_else(|| vec![raw])
}

fn call_of(entry: &Members<'_>) -> ToolCall {
    let inner = entry.get("function").map(|raw| json::members(raw).unwrap_or_default());
    let function = inner.as_ref().unwrap_or(entry);
    ToolCall {
        id: call_id(entry),
        name: emitted::name(function.get("name")),
        namespace: None,
        arguments: emitted::arguments(function.get("arguments")),
    }
}

/// The id of a call, where a server gives one: the format's own types have none.
pub(super) fn call_id(entry: &Members<'_>) -> Option<CallId> {
    json::present(entry, "id").and_then(json::string_or_text).map(CallId)
}

fn usage(body: &Members<'_>) -> Option<Usage> {
    let count = |key: &str| body.get(key).and_then(json::count);
    let found = Usage { input: count("prompt_eval_count"), output: count("eval_count"), ..Usage::default() };
    (found != Usage::default()).then_some(found)
}
