//! Reads a response of `/api/chat`. Lenient in what it takes and literal in what it gives.

use serde_json::value::RawValue;
use transcript::{
    Arguments, CallId, EmittedName, Item, Observed, ProviderError, RawJson, Stop, StopReason, ToolCall, Usage,
};

use super::stream;
use crate::json::{self, Members};
use crate::provider::error_body::{error_of, policy_refusal, quote};
use crate::provider::no_json::{Read, read_text, unreadable};
use crate::provider::{Body, Decoded};

pub(super) fn decode(status: u16, bytes: &[u8]) -> Decoded {
    let body = Body::of(bytes);
    let stream = match &body {
        Body::Text(text) => stream::of_lines(text),
        Body::Json(raw) => stream::of_one(raw),
    };
    let (observed, usage, unreadable) = match (&body, &stream) {
        (_, Some(Ok(whole))) => read_json(status, whole),
        (_, Some(Err(why))) => unreadable(why.clone()),
        (Body::Text(text), None) => read_text(status, text),
        (Body::Json(raw), None) => read_json(status, raw),
    };
    Decoded { observed, usage, body, assembled: stream.and_then(Result::ok), unreadable }
}

fn read_json(status: u16, raw: &RawJson) -> Read {
    let Ok(body) = serde_json::from_str::<&RawValue>(raw.as_str()) else {
        return unreadable("a body that is no JSON".to_owned());
    };
    if let Some(error) = error_of(status, body) {
        let observed = policy_refusal(&error, body)
            .unwrap_or_else(|| Observed { error: Some(error), ..Observed::default() });
        return (observed, None, None);
    }
    let Some(members) = json::members(body).filter(|members| members.has("message")) else {
        return unreadable(format!("JSON without `message`: {}", quote(body.get())));
    };
    let mut observed = Observed { model: json::present_string(&members, "model"), ..Observed::default() };
    let usage = usage(&members);
    if !(200..300).contains(&status) {
        let error = ProviderError { message: format!("HTTP {status}"), ..ProviderError::default() };
        return (Observed { error: Some(error), ..observed }, usage, None);
    }
    observed.stop = json::present(&members, "done_reason")
        .and_then(json::string_or_text)
        .map(|raw| Stop { reason: stop_reason(&raw), raw });
    if let Some(message) = json::present(&members, "message").and_then(json::members) {
        read_message(&message, &mut observed.items);
    }
    (observed, usage, None)
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
    let name = match function.get("name") {
        None => EmittedName::Missing,
        Some(raw) if json::is_null(raw) => EmittedName::Null,
        Some(raw) => json::string(raw).map_or_else(|| EmittedName::Other(raw_json(raw)), EmittedName::Text),
    };
    let arguments = match function.get("arguments") {
        None => Arguments::Missing,
        Some(raw) => json::string(raw).map_or_else(|| Arguments::Json(raw_json(raw)), Arguments::Text),
    };
    ToolCall { id: call_id(entry), name, namespace: None, arguments }
}

/// The id of a call, where a server gives one: the format's own types have none.
pub(super) fn call_id(entry: &Members<'_>) -> Option<CallId> {
    json::present(entry, "id").and_then(json::string_or_text).map(CallId)
}

fn raw_json(raw: &RawValue) -> RawJson {
    RawJson::parse(raw.get()).unwrap_or_else(|_| RawJson::from_text(raw.get()))
}

fn usage(body: &Members<'_>) -> Option<Usage> {
    let count = |key: &str| body.get(key).and_then(json::count);
    let found = Usage { input: count("prompt_eval_count"), output: count("eval_count"), ..Usage::default() };
    (found != Usage::default()).then_some(found)
}
