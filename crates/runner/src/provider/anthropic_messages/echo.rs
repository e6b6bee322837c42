//! The model's turn as the next request carries it: its blocks as they came, signatures and all.

use serde_json::value::RawValue;
use transcript::{CallId, Observed, RawJson};

use super::decode::is_call;
use crate::json::{self, Members};
use crate::provider::history::{is_blank, object_in_place};
use crate::provider::json_text::{Object, array, json_text, raw};
use crate::provider::splice::{put, put_in};

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
    out.member("role", &json_text("assistant"));
    out.member("content", &content);
    raw(&out.finish())
}

fn blocks_of(blocks: &[&RawValue], ids: &[CallId]) -> String {
    let mut ids = ids.iter();
    array(blocks.iter().filter_map(|block| match json::members(block) {
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
    let has_id = members.get("id").and_then(json::string).is_some_and(|id| !id.is_empty());
    let mut out = block.get().to_owned();
    if let Some(id) = id.filter(|_| !has_id) {
        out = put(members, "id", &json_text(&id.0));
    }
    match object_in_place(members.get("input")) {
        Some(input) => put_in(&out, "input", &input).unwrap_or(out),
        None => out,
    }
}
