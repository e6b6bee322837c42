//! The model's turn as the next request carries it: its blocks as they came, signatures and all.

use serde_json::value::RawValue;
use transcript::{CallId, Observed, RawJson};

use super::decode::is_call;
use crate::json::{self, Members};
use crate::provider::history::{arguments_object, is_blank};
use crate::provider::json_text::{Object, list, put, put_in, raw, string};

/// Builds the assistant message. Only what a history may not have is changed: a text block without text is left out, a
/// call without an id gets one, and input that is no object is wrapped in one.
pub(super) fn echo(body: &RawJson, _observed: &Observed, ids: &[CallId]) -> RawJson {
    let message = json::parse_members(body.as_str()).unwrap_or_default();
    let content = match json::present(&message, "content") {
        Some(content) => match json::elements(content) {
            Some(blocks) => blocks_of(&blocks, ids),
            None => content.get().to_owned(),
        },
        None => "[]".to_owned(),
    };
    let mut out = Object::new();
    out.text("role", "assistant");
    out.member("content", &content);
    raw(&out.finish())
}

fn blocks_of(blocks: &[&RawValue], ids: &[CallId]) -> String {
    let mut ids = ids.iter();
    list(blocks.iter().filter_map(|block| match json::members(block) {
        Some(members) if is_call(&members) => Some(call(block, &members, ids.next())),
        Some(members) if is_blank_text(&members) => None,
        _ => Some(block.get().to_owned()),
    }))
}

fn is_blank_text(block: &Members<'_>) -> bool {
    let text = |key: &str| block.get(key).and_then(json::string);
    text("type").is_some_and(|kind| kind == "text") && text("text").is_none_or(|text| is_blank(&text))
}

fn call(block: &RawValue, members: &Members<'_>, id: Option<&CallId>) -> String {
    let mut out = block.get().to_owned();
    if let Some(id) = id.filter(|_| members.get("id").and_then(json::string).is_none_or(|id| id.is_empty())) {
        out = put(members, "id", &string(&id.0));
    }
    match members.get("input") {
        Some(input) if input.get().starts_with('{') => out,
        input => {
            let text = input.map_or_else(String::new, |input| {
                json::string(input).unwrap_or_else(|| input.get().to_owned())
            });
            put_in(&out, "input", &arguments_object(&text)).unwrap_or(out)
        }
    }
}
