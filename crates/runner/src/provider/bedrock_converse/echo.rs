//! The model's turn as the next request carries it: its blocks as they came, signatures and all.

use transcript::{CallId, Observed, RawJson};

use super::decode::{call_of, content, odd_call};
use crate::json::{self, Members};
use crate::provider::history::{is_blank, object_in_place};
use crate::provider::json_text::{Object, array, json_text, raw};
use crate::provider::splice::{put, put_in};

/// Builds the assistant message. Only what a history may not have is changed: a blank text and a call that is no object
/// are left out, a call without an id gets one, and input that is no object is wrapped in one.
pub(super) fn echo(body: &RawJson, _observed: &Observed, ids: &[CallId]) -> RawJson {
    let body = json::parse_members(body.as_str()).unwrap_or_default();
    let mut ids = ids.iter();
    let blocks = content(&body).unwrap_or_default();
    let blocks = blocks.into_iter().filter_map(|block| match json::members(block) {
        Some(members) => match call_of(&members) {
            Some(call) => Some(with_call(&members, &call, ids.next())),
            None if is_blank_text(&members) || odd_call(&members).is_some() => None,
            None => Some(block.get().to_owned()),
        },
        None => Some(block.get().to_owned()),
    });
    let mut out = Object::new();
    out.member("role", &json_text("assistant"));
    out.member("content", &array(blocks));
    raw(&out.finish())
}

fn is_blank_text(block: &Members<'_>) -> bool {
    block.get("text").and_then(json::string).is_some_and(|text| is_blank(&text))
}

fn with_call(block: &Members<'_>, call: &Members<'_>, id: Option<&CallId>) -> String {
    let has_id = call.get("toolUseId").and_then(json::string).is_some_and(|id| !id.is_empty());
    let mut out = text_of(call);
    if let Some(id) = id.filter(|_| !has_id) {
        out = put(call, "toolUseId", &json_text(&id.0));
    }
    if let Some(input) = object_in_place(call.get("input")) {
        out = put_in(&out, "input", &input).unwrap_or(out);
    }
    put(block, "toolUse", &out)
}

fn text_of(members: &Members<'_>) -> String {
    let mut out = Object::new();
    for (key, value) in members.iter() {
        out.member(key, value.get());
    }
    out.finish()
}
