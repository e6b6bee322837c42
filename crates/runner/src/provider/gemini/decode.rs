//! Reads a generateContent response. Lenient in what it takes and literal in what it gives.

use serde_json::value::RawValue;
use transcript::{CallId, Item, Observed, ProviderError, Stop, StopReason, ToolCall, Usage};

use super::stream;
use crate::json::{self, Members};
use crate::provider::answer::{self, Answer};
use crate::provider::{Body, Decoded, emitted};

const ANSWER: Answer = Answer {
    marks: &["candidates", "promptFeedback", "usageMetadata"],
    assemble: |body| match body {
        Body::Text(_) => answer::of_events(body, stream::of_events),
        Body::Json(raw) => stream::of_list(raw),
    },
    observe,
    usage,
};

pub(super) fn decode(status: u16, bytes: &[u8]) -> Decoded {
    ANSWER.decode(status, bytes)
}

fn observe(body: &Members<'_>) -> Observed {
    let mut observed = Observed {
        id: json::present_string(body, "responseId"),
        model: json::present_string(body, "modelVersion"),
        ..Observed::default()
    };
    if let Some(candidate) = first_candidate(body) {
        read_candidate(&candidate, &mut observed);
    }
    if observed.stop.is_none() {
        read_feedback(body, &mut observed);
    }
    observed
}

/// The first candidate: one is asked for.
pub(super) fn first_candidate<'a>(body: &Members<'a>) -> Option<Members<'a>> {
    json::members(json::present(body, "candidates").and_then(json::elements)?.first()?)
}

fn read_candidate(candidate: &Members<'_>, observed: &mut Observed) {
    let parts = json::present(candidate, "content")
        .and_then(json::members)
        .and_then(|content| json::present(&content, "parts").and_then(json::elements));
    for part in parts.unwrap_or_default() {
        read_part(part, &mut observed.items);
    }
    let Some(raw) = json::present(candidate, "finishReason").and_then(json::string_or_text) else { return };
    let reason = stop_reason(&raw);
    let message = json::present_string(candidate, "finishMessage");
    match (reason, message) {
        // The part of an undeclared call may come all the same: then it is the call, and the message is about it.
        (StopReason::MalformedCall, Some(message)) if observed.calls().next().is_none() => {
            observed.items.push(Item::MalformedCall(message));
        }
        (StopReason::Error, Some(message)) => {
            let kind = Some(raw.clone());
            observed.error = Some(ProviderError { kind, code: None, message });
        }
        _ => {}
    }
    observed.stop = Some(Stop { reason, raw });
}

/// A prompt that was blocked: there is no candidate then.
fn read_feedback(body: &Members<'_>, observed: &mut Observed) {
    let Some(feedback) = json::present(body, "promptFeedback").and_then(json::members) else { return };
    let Some(raw) = json::present(&feedback, "blockReason").and_then(json::string_or_text) else { return };
    observed.items.extend(json::present_string(&feedback, "blockReasonMessage").map(Item::Refusal));
    observed.stop = Some(Stop { raw, reason: StopReason::Policy });
}

/// `FinishReason` of the API reference. `STOP` stands beside calls too.
fn stop_reason(raw: &str) -> StopReason {
    match raw.to_ascii_uppercase().as_str() {
        "STOP" => StopReason::End,
        "MAX_TOKENS" => StopReason::Length,
        "SAFETY"
        | "RECITATION"
        | "LANGUAGE"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "ESCALATION"
        | "PUP_LIMITED_DISABLED"
        | "MODEL_ARMOR"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => StopReason::Policy,
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => StopReason::MalformedCall,
        "CONTINUATION" => StopReason::Paused,
        "MALFORMED_RESPONSE" | "MISSING_THOUGHT_SIGNATURE" => StopReason::Error,
        _ => StopReason::Other,
    }
}

/// A part is one of text, thought, call, or something that is no concern of ours (code that the server ran).
fn read_part(raw: &RawValue, items: &mut Vec<Item>) {
    let Some(part) = json::members(raw) else { return };
    let is_thought = json::present(&part, "thought").is_some_and(|thought| thought.get() == "true");
    let wrap = if is_thought { Item::Reasoning } else { Item::Text };
    items.extend(json::present_string(&part, "text").map(wrap));
    let Some(call) = json::present(&part, "functionCall") else { return };
    items.push(match json::members(call) {
        Some(call) => Item::Call(call_of(&call)),
        None => Item::MalformedCall(call.get().to_owned()),
    });
}

fn call_of(call: &Members<'_>) -> ToolCall {
    ToolCall {
        id: call_id(call),
        name: emitted::name(call.get("name")),
        namespace: None,
        arguments: emitted::arguments(call.get("args")),
    }
}

/// The id that a call carries; most models of this format give none.
pub(super) fn call_id(call: &Members<'_>) -> Option<CallId> {
    json::present(call, "id").and_then(json::string_or_text).map(CallId)
}

/// Thoughts and what server-side tools returned are counted beside the candidates and the prompt, cached tokens
/// within the prompt.
fn usage(body: &Members<'_>) -> Option<Usage> {
    let usage = json::members(json::present(body, "usageMetadata")?)?;
    let count = |key: &str| usage.get(key).and_then(json::count);
    let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    };
    let reasoning = count("thoughtsTokenCount");
    let found = Usage {
        input: sum(count("promptTokenCount"), count("toolUsePromptTokenCount")),
        output: sum(count("candidatesTokenCount"), reasoning),
        cached: count("cachedContentTokenCount"),
        cache_write: None,
        reasoning,
    };
    (found != Usage::default()).then_some(found)
}
