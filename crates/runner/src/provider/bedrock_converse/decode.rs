//! Reads a Converse response. The body says neither who answered nor which response it is; a prompt router says which
//! model it chose.

use serde_json::value::RawValue;
use transcript::{CallId, Item, Observed, Stop, StopReason, ToolCall, Usage};

use crate::json::{self, Members};
use crate::provider::answer::{self, Answer, Assembled, arguments_in_place};
use crate::provider::{Decoded, emitted};

const ANSWER: Answer =
    Answer { marks: &["output"], assemble: |body| answer::of_events(body, assemble), observe, usage };

/// The stop word for a call that Bedrock could not read.
const MALFORMED_CALL: &str = "malformed_tool_use";

pub(super) fn decode(status: u16, bytes: &[u8]) -> Decoded {
    ANSWER.decode(status, bytes)
}

/// Converse streams in a binary framing; text events are nobody's answer.
fn assemble(_text: &str) -> Assembled {
    Err("an event stream, which is no answer of Converse".to_owned())
}

fn observe(body: &Members<'_>) -> Observed {
    let mut items = Vec::new();
    for block in content(body).unwrap_or_default() {
        if let Some(members) = json::members(block) {
            read_block(&members, &mut items);
        }
    }
    let stop = json::present(body, "stopReason").and_then(json::string_or_text);
    let has_calls = items.iter().any(|item| matches!(item, Item::Call(_)));
    if stop.as_deref() == Some(MALFORMED_CALL) && !has_calls {
        items.push(Item::MalformedCall(MALFORMED_CALL.to_owned()));
    }
    Observed {
        model: routed_model(body),
        items,
        stop: stop.map(|raw| Stop { reason: stop_reason(&raw), raw }),
        ..Observed::default()
    }
}

/// The blocks of the message.
pub(super) fn content<'a>(body: &Members<'a>) -> Option<Vec<&'a RawValue>> {
    let output = json::members(json::present(body, "output")?)?;
    let message = json::members(json::present(&output, "message")?)?;
    json::elements(json::present(&message, "content")?)
}

fn read_block(block: &Members<'_>, items: &mut Vec<Item>) {
    items.extend(json::present_string(block, "text").map(Item::Text));
    items.extend(reasoning(block).map(Item::Reasoning));
    items.extend(cited(block).map(Item::Text));
    if let Some(odd) = odd_call(block) {
        items.push(Item::MalformedCall(odd.get().to_owned()));
    }
    if let Some(call) = call_of(block) {
        items.push(Item::Call(ToolCall {
            id: json::present(&call, "toolUseId").and_then(json::string_or_text).map(CallId),
            name: emitted::name(call.get("name")),
            namespace: None,
            arguments: arguments_in_place(call.get("input")),
        }));
    }
}

/// A block's call of one of the tools that the request offers; what a server ran itself is none.
pub(super) fn call_of<'a>(block: &Members<'a>) -> Option<Members<'a>> {
    let call = json::members(json::present(block, "toolUse")?)?;
    let of_server = json::present_string(&call, "type").is_some_and(|kind| kind == "server_tool_use");
    (!of_server).then_some(call)
}

/// A call that is no object.
pub(super) fn odd_call<'a>(block: &Members<'a>) -> Option<&'a RawValue> {
    json::present(block, "toolUse").filter(|call| !call.get().starts_with('{'))
}

fn reasoning(block: &Members<'_>) -> Option<String> {
    let content = json::members(json::present(block, "reasoningContent")?)?;
    json::present_string(&json::members(json::present(&content, "reasoningText")?)?, "text")
}

/// Text that comes with its sources.
fn cited(block: &Members<'_>) -> Option<String> {
    let content = json::members(json::present(block, "citationsContent")?)?;
    let parts = json::elements(json::present(&content, "content")?)?;
    let text: String = parts
        .into_iter()
        .filter_map(json::members)
        .filter_map(|part| json::present_string(&part, "text"))
        .collect();
    (!text.is_empty()).then_some(text)
}

fn routed_model(body: &Members<'_>) -> Option<String> {
    let trace = json::members(json::present(body, "trace")?)?;
    json::present_string(&json::members(json::present(&trace, "promptRouter")?)?, "invokedModelId")
}

fn stop_reason(raw: &str) -> StopReason {
    match raw {
        "end_turn" | "stop_sequence" => StopReason::End,
        "tool_use" => StopReason::Calls,
        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
        "guardrail_intervened" | "content_filtered" => StopReason::Policy,
        MALFORMED_CALL => StopReason::MalformedCall,
        "malformed_model_output" => StopReason::Error,
        _ => StopReason::Other,
    }
}

/// What was read is the sum of three counts: `inputTokens` leaves out what went into the cache or came from it (user
/// guide, "Prompt caching").
fn usage(body: &Members<'_>) -> Option<Usage> {
    let usage = json::members(json::present(body, "usage")?)?;
    let count = |key: &str| usage.get(key).and_then(json::count);
    let cached = count("cacheReadInputTokens");
    let written = count("cacheWriteInputTokens");
    let found = Usage {
        input: count("inputTokens")
            .map(|fresh| fresh.saturating_add(written.unwrap_or(0)).saturating_add(cached.unwrap_or(0))),
        output: count("outputTokens"),
        cached,
        cache_write: written,
        reasoning: None,
    };
    (found != Usage::default()).then_some(found)
}
