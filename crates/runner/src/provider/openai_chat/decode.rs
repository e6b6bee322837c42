//! Reads a chat-completions response. Lenient in what it takes and literal in what it gives: nothing is
//! defaulted, trimmed or repaired (WIRE.md 0.11).

use serde_json::value::RawValue;
use transcript::{CallId, Item, Observed, ProviderError, Stop, StopReason, ToolCall, Usage};

use crate::json::{self, Members};
use crate::provider::answer::{self, Answer};
use crate::provider::error_body::{error_of, quote};
use crate::provider::openai_chat::stream;
use crate::provider::{Decoded, emitted};

const ANSWER: Answer = Answer {
    marks: &["choices"],
    assemble: |body| answer::of_events(body, stream::assemble),
    observe,
    usage,
};

pub(super) fn decode(status: u16, bytes: &[u8]) -> Decoded {
    ANSWER.decode(status, bytes)
}

fn observe(body: &Members<'_>) -> Observed {
    let mut observed = Observed {
        id: json::present_string(body, "id"),
        model: json::present_string(body, "model"),
        fingerprint: json::present_string(body, "system_fingerprint"),
        ..Observed::default()
    };
    let first =
        json::present(body, "choices").and_then(json::elements).and_then(|list| list.first().copied());
    if let Some(choice) = first.and_then(json::members) {
        read_choice(&choice, &mut observed);
    }
    observed
}

fn read_choice(choice: &Members<'_>, observed: &mut Observed) {
    observed.stop = json::present(choice, "finish_reason")
        .and_then(json::string_or_text)
        .map(|raw| Stop { reason: stop_reason(&raw), raw });
    // OpenRouter reports an upstream failure inside the choice, under 200.
    observed.error = json::present(choice, "error").map(|error| {
        error_of(400, error)
            .unwrap_or_else(|| ProviderError { message: quote(error.get()), ..ProviderError::default() })
    });
    if let Some(message) = json::present(choice, "message").and_then(json::members) {
        read_message(&message, &mut observed.items);
    } else if let Some(text) = json::present_string(choice, "text") {
        observed.items.push(Item::Text(text));
    }
}

/// What the stop words of the dialects mean. Case does not matter: gateways hand on Gemini's in capitals.
fn stop_reason(raw: &str) -> StopReason {
    let word = raw.to_ascii_lowercase();
    match word.as_str() {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "end" => StopReason::End,
        "tool_calls" | "tool_call" | "function_call" | "tool_use" => StopReason::Calls,
        "length" | "max_tokens" | "model_length" | "model_context_window_exceeded" => StopReason::Length,
        "content_filter"
        | "content_filtered"
        | "safety"
        | "refusal"
        | "prohibited_content"
        | "blocklist"
        | "recitation"
        | "spii"
        | "guardrail_intervened" => StopReason::Policy,
        "pause_turn" | "pause" => StopReason::Paused,
        "error" | "abort" | "insufficient_system_resource" => StopReason::Error,
        _ if word.contains("malformed_function_call") || word.contains("unexpected_tool_call") => {
            StopReason::MalformedCall
        }
        _ => StopReason::Other,
    }
}

/// Takes a message's members in the order of the body.
fn read_message(message: &Members<'_>, items: &mut Vec<Item>) {
    for (key, raw) in message.iter() {
        match key {
            "content" => read_content(raw, items),
            "reasoning" | "reasoning_content" => push_reasoning(json::string(raw), items),
            "reasoning_details" if !has_plain_reasoning(message) => read_reasoning_details(raw, items),
            "refusal" => {
                items.extend(json::string(raw).filter(|text| !text.is_empty()).map(Item::Refusal));
            }
            "tool_calls" => read_calls(raw, items),
            "function_call" if !json::is_null(raw) => {
                if let Some(function) = json::members(raw) {
                    items.push(Item::Call(call_of(&function, None)));
                } else {
                    items.push(Item::MalformedCall(raw.get().to_owned()));
                }
            }
            _ => {}
        }
    }
}

fn has_plain_reasoning(message: &Members<'_>) -> bool {
    ["reasoning", "reasoning_content"].iter().any(|key| json::present_string(message, key).is_some())
}

/// Some servers send the same reasoning under both names; it is one reasoning.
fn push_reasoning(text: Option<String>, items: &mut Vec<Item>) {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return };
    let item = Item::Reasoning(text);
    if !items.contains(&item) {
        items.push(item);
    }
}

fn read_reasoning_details(raw: &RawValue, items: &mut Vec<Item>) {
    for detail in json::elements(raw).unwrap_or_default() {
        let Some(detail) = json::members(detail) else { continue };
        let text = ["text", "summary"].iter().find_map(|key| json::present_string(&detail, key));
        items.extend(text.map(Item::Reasoning));
    }
}

/// Content is a string, a list of parts, or `null`.
fn read_content(raw: &RawValue, items: &mut Vec<Item>) {
    let Some(parts) = json::elements(raw) else {
        items.extend(json::string_or_text(raw).filter(|text| !text.is_empty()).map(Item::Text));
        return;
    };
    for part in parts {
        let Some(members) = json::members(part) else {
            items.extend(json::string(part).map(Item::Text));
            continue;
        };
        match json::present_string(&members, "type").as_deref() {
            Some("text" | "output_text") => {
                items.extend(json::present_string(&members, "text").map(Item::Text))
            }
            Some("refusal") => items.extend(json::present_string(&members, "refusal").map(Item::Refusal)),
            Some("thinking" | "reasoning") => items.extend(thinking(&members).map(Item::Reasoning)),
            _ => {}
        }
    }
}

/// Mistral: `{"type":"thinking","thinking":[{"type":"text","text":"..."}]}`; elsewhere a string.
fn thinking(part: &Members<'_>) -> Option<String> {
    let raw = ["thinking", "text"].iter().find_map(|key| json::present(part, key))?;
    if let Some(text) = json::string(raw) {
        return Some(text);
    }
    let pieces = json::elements(raw)?;
    Some(
        pieces
            .iter()
            .filter_map(|p| json::members(p))
            .filter_map(|p| json::present_string(&p, "text"))
            .collect(),
    )
}

fn read_calls(raw: &RawValue, items: &mut Vec<Item>) {
    if json::is_null(raw) {
        return;
    }
    for entry in json::elements(raw).unwrap_or_else(|| vec![raw]) {
        let Some(members) = json::members(entry) else {
            items.push(Item::MalformedCall(entry.get().to_owned()));
            continue;
        };
        let id = json::present(&members, "id").and_then(json::string_or_text).map(CallId);
        let inner = ["function", "custom"].iter().find_map(|key| members.get(key));
        let call = match inner {
            Some(inner) => call_of(&json::members(inner).unwrap_or_default(), id),
            None => call_of(&members, id),
        };
        items.push(Item::Call(call));
    }
}

fn call_of(function: &Members<'_>, id: Option<CallId>) -> ToolCall {
    let name = emitted::name(function.get("name"));
    // Custom tools carry free text as `input`.
    let arguments = emitted::arguments(function.get("arguments").or_else(|| function.get("input")));
    ToolCall { id, name, namespace: json::present_string(function, "namespace"), arguments }
}

fn usage(body: &Members<'_>) -> Option<Usage> {
    let usage = json::members(json::present(body, "usage")?)?;
    let count = |members: &Members<'_>, key: &str| members.get(key).and_then(json::count);
    let detail = |outer: &str, key: &str| count(&json::members(json::present(&usage, outer)?)?, key);
    let found = Usage {
        input: count(&usage, "prompt_tokens"),
        output: count(&usage, "completion_tokens"),
        // DeepSeek counts its cache beside the details.
        cached: detail("prompt_tokens_details", "cached_tokens")
            .or_else(|| count(&usage, "prompt_cache_hit_tokens")),
        cache_write: detail("prompt_tokens_details", "cache_write_tokens"),
        reasoning: detail("completion_tokens_details", "reasoning_tokens"),
    };
    (found != Usage::default()).then_some(found)
}
