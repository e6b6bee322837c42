//! Reads a response. Lenient in what it takes and literal in what it gives: nothing is defaulted, trimmed or
//! repaired (WIRE.md 0.11).

use transcript::{CallId, Item, Observed, ProviderError, Stop, StopReason, ToolCall, Usage};

use super::stream;
use crate::json::{self, Members};
use crate::provider::answer::{self, Answer};
use crate::provider::{Decoded, emitted};

const ANSWER: Answer =
    Answer { marks: &["output"], assemble: |body| answer::of_events(body, stream::assemble), observe, usage };

pub(super) fn decode(status: u16, bytes: &[u8]) -> Decoded {
    ANSWER.decode(status, bytes)
}

fn observe(body: &Members<'_>) -> Observed {
    let mut observed = Observed {
        id: json::present_string(body, "id"),
        model: json::present_string(body, "model"),
        ..Observed::default()
    };
    if let Some(message) = failure(body) {
        observed.error = Some(ProviderError { message, ..ProviderError::default() });
        return observed;
    }
    observed.fingerprint = json::present_string(body, "system_fingerprint");
    observed.stop = stop(body);
    for item in json::present(body, "output").and_then(json::elements).unwrap_or_default() {
        if let Some(item) = json::members(item) {
            read_item(&item, &mut observed.items);
        }
    }
    observed
}

/// A response that failed and brings no error with it.
fn failure(body: &Members<'_>) -> Option<String> {
    let word = json::present_string(body, "status")?;
    matches!(word.as_str(), "failed" | "cancelled")
        .then(|| format!("a response of the status `{word}` without an error"))
}

/// Why the model stopped: `incomplete_details.reason` where there is one, else the status. A response that is
/// complete has one status with calls and without.
fn stop(body: &Members<'_>) -> Option<Stop> {
    let status = json::present(body, "status").and_then(json::string_or_text)?;
    let details = json::present(body, "incomplete_details").and_then(json::members);
    let detail = details.and_then(|details| json::present_string(&details, "reason"));
    let reason = match status.as_str() {
        "completed" => return Some(Stop { reason: StopReason::End, raw: status }),
        "incomplete" => incomplete(detail.as_deref().unwrap_or_default()),
        "in_progress" | "queued" => StopReason::Paused,
        _ => StopReason::Other,
    };
    Some(Stop { reason, raw: detail.unwrap_or(status) })
}

/// Why a response is incomplete. Whatever the reason, the answer is not all there.
fn incomplete(reason: &str) -> StopReason {
    match reason {
        "content_filter" => StopReason::Policy,
        // Stopped at a safe place, to go on with other input.
        "steered" => StopReason::Paused,
        _ if reason.contains("malformed_function_call") || reason.contains("unexpected_tool_call") => {
            StopReason::MalformedCall
        }
        _ => StopReason::Length,
    }
}

fn read_item(item: &Members<'_>, items: &mut Vec<Item>) {
    match json::present_string(item, "type").as_deref() {
        Some("message") => read_message(item, items),
        Some("reasoning") => read_reasoning(item, items),
        _ => items.extend(call(item).map(Item::Call)),
    }
}

/// The call that an item is, if it is one that we have to answer. What the provider ran itself is none.
pub(super) fn call(item: &Members<'_>) -> Option<ToolCall> {
    // Custom tools carry free text as `input`.
    let (id, namespace, arguments) = match json::present_string(item, "type")?.as_str() {
        "function_call" => ("call_id", "namespace", "arguments"),
        "custom_tool_call" => ("call_id", "namespace", "input"),
        // No MCP server is ever offered: servers of harmony models make such items of calls to tools that the
        // model made up (vllm#51616), and nothing has answered them.
        "mcp_call" if !is_answered(item) => ("id", "server_label", "arguments"),
        _ => return None,
    };
    Some(ToolCall {
        id: json::present(item, id).and_then(json::string_or_text).map(CallId),
        name: emitted::name(item.get("name")),
        namespace: json::present_string(item, namespace),
        arguments: emitted::arguments(item.get(arguments)),
    })
}

fn is_answered(item: &Members<'_>) -> bool {
    ["output", "error"].iter().any(|key| json::present(item, key).is_some())
}

/// A message's content is a list of parts; some servers send a string.
fn read_message(message: &Members<'_>, items: &mut Vec<Item>) {
    let Some(content) = json::present(message, "content") else { return };
    let Some(parts) = json::elements(content) else {
        items.extend(json::string(content).filter(|text| !text.is_empty()).map(Item::Text));
        return;
    };
    for part in parts.into_iter().filter_map(json::members) {
        match json::present_string(&part, "type").as_deref() {
            Some("output_text" | "text") => {
                items.extend(json::present_string(&part, "text").map(Item::Text));
            }
            Some("refusal") => items.extend(json::present_string(&part, "refusal").map(Item::Refusal)),
            _ => {}
        }
    }
}

/// Reasoning in full where it is shown, else its summary.
fn read_reasoning(item: &Members<'_>, items: &mut Vec<Item>) {
    for key in ["content", "summary"] {
        let parts = json::present(item, key).and_then(json::elements).unwrap_or_default();
        let texts =
            parts.into_iter().filter_map(json::members).filter_map(|p| json::present_string(&p, "text"));
        let before = items.len();
        items.extend(texts.map(Item::Reasoning));
        if items.len() > before {
            return;
        }
    }
}

fn usage(body: &Members<'_>) -> Option<Usage> {
    let usage = json::members(json::present(body, "usage")?)?;
    let count = |members: &Members<'_>, key: &str| members.get(key).and_then(json::count);
    let detail = |outer: &str, key: &str| count(&json::members(json::present(&usage, outer)?)?, key);
    let found = Usage {
        input: count(&usage, "input_tokens"),
        output: count(&usage, "output_tokens"),
        cached: detail("input_tokens_details", "cached_tokens"),
        cache_write: detail("input_tokens_details", "cache_write_tokens"),
        reasoning: detail("output_tokens_details", "reasoning_tokens"),
    };
    (found != Usage::default()).then_some(found)
}
