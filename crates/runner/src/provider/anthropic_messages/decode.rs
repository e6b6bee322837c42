//! Reads a message. Blocks that a server made and answered itself (`server_tool_use`, `mcp_tool_use` and their
//! results) are no calls of ours; like `redacted_thinking` they stay in the body and in the echo.

use serde_json::value::RawValue;
use transcript::{CallId, Item, Observed, Stop, StopReason, ToolCall, Usage};

use super::stream;
use crate::json::{self, Members};
use crate::provider::answer::{self, Answer, arguments_in_place};
use crate::provider::{Decoded, emitted};

const ANSWER: Answer = Answer {
    marks: &["content"],
    assemble: |body| answer::of_events(body, stream::assemble),
    observe,
    usage,
};

pub(super) fn decode(status: u16, bytes: &[u8]) -> Decoded {
    ANSWER.decode(status, bytes)
}

fn observe(message: &Members<'_>) -> Observed {
    let took_over = fallback_of_usage(message).or_else(|| fallback_of_content(message));
    let content = json::present(message, "content");
    let mut items = Vec::new();
    match content.and_then(json::elements) {
        Some(blocks) => blocks.into_iter().for_each(|block| read_block(block, &mut items)),
        None => items.extend(json::present_string(message, "content").map(Item::Text)),
    }
    items.extend(explanation(message).map(Item::Refusal));
    Observed {
        id: json::present_string(message, "id"),
        took_over: took_over.is_some(),
        // After a fallback on the server's side the name at the top of the body is not the one that answered.
        model: took_over.or_else(|| json::present_string(message, "model")),
        items,
        stop: json::present(message, "stop_reason")
            .and_then(json::string_or_text)
            .map(|raw| Stop { reason: stop_reason(&raw), raw }),
        ..Observed::default()
    }
}

fn read_block(block: &RawValue, items: &mut Vec<Item>) {
    let Some(members) = json::members(block) else {
        items.extend(json::string(block).filter(|text| !text.is_empty()).map(Item::Text));
        return;
    };
    let text = |key: &str| json::present_string(&members, key);
    match text("type").as_deref() {
        Some("text") => items.extend(text("text").map(Item::Text)),
        Some("thinking") => items.extend(text("thinking").map(Item::Reasoning)),
        _ if is_call(&members) => items.push(Item::Call(ToolCall {
            id: json::present(&members, "id").and_then(json::string_or_text).map(CallId),
            name: emitted::name(members.get("name")),
            namespace: None,
            arguments: arguments_in_place(members.get("input")),
        })),
        _ => {}
    }
}

/// Whether a block is a call of one of the tools that the request offers.
pub(super) fn is_call(block: &Members<'_>) -> bool {
    json::present_string(block, "type").is_some_and(|kind| kind == "tool_use")
}

/// What a refusal says of itself, where it does.
fn explanation(message: &Members<'_>) -> Option<String> {
    let details = json::members(json::present(message, "stop_details")?)?;
    json::present_string(&details, "explanation")
}

/// The model that took over from the one that was asked, by the count of the attempt that served.
fn fallback_of_usage(message: &Members<'_>) -> Option<String> {
    let usage = json::members(json::present(message, "usage")?)?;
    last_of_type(json::present(&usage, "iterations")?, "fallback_message")
        .and_then(|entry| json::present_string(&entry, "model"))
}

/// The same by the last block that says who took over.
fn fallback_of_content(message: &Members<'_>) -> Option<String> {
    let block = last_of_type(json::present(message, "content")?, "fallback")?;
    json::present_string(&json::members(json::present(&block, "to")?)?, "model")
}

fn last_of_type<'a>(list: &'a RawValue, kind: &str) -> Option<Members<'a>> {
    let entries = json::elements(list)?.into_iter().rev();
    let mut of_type = entries
        .filter_map(json::members)
        .filter(|entry| json::present_string(entry, "type").is_some_and(|word| word == kind));
    of_type.next()
}

fn stop_reason(raw: &str) -> StopReason {
    match raw {
        "end_turn" | "stop_sequence" => StopReason::End,
        "tool_use" => StopReason::Calls,
        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
        "refusal" => StopReason::Policy,
        // A conversation that was made shorter on the server wants to be continued like one that was paused.
        "pause_turn" | "compaction" => StopReason::Paused,
        _ => StopReason::Other,
    }
}

/// What was read is the sum of three counts: `input_tokens` leaves out what went into the cache or came from it.
fn usage(message: &Members<'_>) -> Option<Usage> {
    let usage = json::members(json::present(message, "usage")?)?;
    let count = |key: &str| usage.get(key).and_then(json::count);
    let details = json::present(&usage, "output_tokens_details").and_then(json::members);
    let cached = count("cache_read_input_tokens");
    let written = count("cache_creation_input_tokens");
    let found = Usage {
        input: count("input_tokens")
            .map(|fresh| fresh.saturating_add(written.unwrap_or(0)).saturating_add(cached.unwrap_or(0))),
        output: count("output_tokens"),
        cached,
        cache_write: written,
        reasoning: details.and_then(|details| details.get("thinking_tokens").and_then(json::count)),
    };
    (found != Usage::default()).then_some(found)
}
