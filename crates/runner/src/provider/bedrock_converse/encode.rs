//! Writes a Converse request. The model is no member of it.
//!
//! A reasoning arm asks for an `outputConfig.effort`. Only Claude's models have a word for whether to reason at all, and
//! it stands in `additionalModelRequestFields.thinking`: it is sent where the model's id names Anthropic. For any other
//! model, reasoning that is to be off is left out.

use bytes::Bytes;
use indexmap::IndexMap;
use probes::{ArmSettings, Thinking, ToolChoice};
use transcript::{Message, RawJson, Role, Tool};

use super::PROVIDER;
use crate::provider::history::{History, Spoken, arguments_object, is_blank};
use crate::provider::json_text::{Object, array, json_text};
use crate::provider::splice::{boolean, object, put_in};
use crate::provider::{ModelRequest, effort};

pub(super) fn encode(request: &ModelRequest<'_>) -> Bytes {
    let history = History::of(request.messages);
    let mut body = Object::new();
    body.member("messages", &array(history.turns.iter().map(turn)));
    if !history.system.is_empty() {
        body.member("system", &array(history.system.iter().map(|said| text_block(said))));
    }
    for (key, value) in members(request) {
        body.member(key, &value);
    }
    Bytes::from(body.finish())
}

/// Everything else: settings, what the arm puts in their place, and what the arm asks for in words of its own.
fn members<'a>(request: &ModelRequest<'a>) -> IndexMap<&'a str, String> {
    let arm = request.arm;
    let mut members = request.members(PROVIDER.reserved);
    if request.tools.is_empty() {
        // The endpoint refuses a configuration without tools.
        members.shift_remove("toolConfig");
    } else {
        let tools = array(request.tools.iter().map(|entry| tool(entry, arm.strict)));
        put_inside(&mut members, "toolConfig", "tools", &tools);
        let own = (PROVIDER.tool_choice)(request.settings).or_else(|| (PROVIDER.tool_choice)(&arm.body));
        if let Some(choice) = tool_choice(arm, own.is_some()) {
            put_inside(&mut members, "toolConfig", "toolChoice", &choice);
        }
    }
    if let Some(wanted) = arm.thinking {
        if request.model.contains("anthropic.") {
            let kind = if wanted == Thinking::Off { "\"disabled\"" } else { "\"adaptive\"" };
            put_inside(&mut members, "additionalModelRequestFields", "thinking", &object("type", kind));
        }
        if let Some(effort) = effort(wanted) {
            put_inside(&mut members, "outputConfig", "effort", &json_text(effort));
        }
    }
    members
}

/// Puts a member into the object under a key, which may not be there yet.
fn put_inside<'a>(members: &mut IndexMap<&'a str, String>, outer: &'a str, key: &str, value: &str) {
    let own = members.get(outer).and_then(|own| put_in(own, key, value));
    members.insert(outer, own.unwrap_or_else(|| object(key, value)));
}

/// The arm's choice. That no call may be made has no word: where the settings ask for a choice, it is at least left to
/// the model.
fn tool_choice(arm: &ArmSettings, is_set: bool) -> Option<String> {
    match arm.tool_choice.as_ref()? {
        ToolChoice::Auto => Some(object("auto", "{}")),
        ToolChoice::Required => Some(object("any", "{}")),
        ToolChoice::Tool(name) => Some(object("tool", &object("name", &json_text(name.as_str())))),
        ToolChoice::None => is_set.then(|| object("auto", "{}")),
    }
}

fn turn(turn: &Spoken<'_>) -> String {
    let (role, content) = match turn {
        Spoken::Model(raw) => return raw.as_str().to_owned(),
        Spoken::System(said) => ("system", array([text_block(said)])),
        Spoken::User(messages) => ("user", user(messages)),
        Spoken::Assistant(message) => ("assistant", assistant(message)),
    };
    let mut out = Object::new();
    out.member("role", &json_text(role));
    out.member("content", &content);
    out.finish()
}

fn user(messages: &[&Message]) -> String {
    let alone = messages.len() == 1;
    array(messages.iter().filter_map(|message| match message.role {
        Role::Tool => Some(tool_result(message)),
        _ if is_blank(message.text()) && !alone => None,
        _ => Some(text_block(message.text())),
    }))
}

fn tool_result(message: &Message) -> String {
    let mut out = Object::new();
    out.member("toolUseId", &json_text(message.tool_call_id.as_ref().map_or("", |id| &id.0)));
    out.member("content", &array(message.content.as_deref().map(text_block)));
    out.member("status", &json_text(if message.is_error { "error" } else { "success" }));
    object("toolResult", &out.finish())
}

fn assistant(message: &Message) -> String {
    let alone = message.tool_calls.is_empty();
    let said = Some(message.text()).filter(|text| alone || !is_blank(text)).map(text_block);
    let calls = message.tool_calls.iter().map(|call| {
        let mut out = Object::new();
        out.member("toolUseId", &json_text(&call.id.0));
        out.member("name", &json_text(call.name.as_str()));
        out.member("input", &arguments_object(&call.arguments));
        object("toolUse", &out.finish())
    });
    array(said.into_iter().chain(calls))
}

fn text_block(said: &str) -> String {
    object("text", &json_text(said))
}

/// A tool as its file wrote it. `inputSchema` may not be missing: where the catalog has none, it is an object of which
/// nothing is said. An empty description may not be there.
fn tool(tool: &Tool, strict: Option<bool>) -> String {
    let mut out = Object::new();
    out.member("name", &json_text(tool.name.as_str()));
    if let Some(description) = tool.description.as_ref().filter(|text| text.as_str() != "\"\"") {
        out.member("description", description.as_str());
    }
    let schema = tool.input_schema.as_ref().map_or(r#"{"type":"object"}"#, RawJson::as_str);
    out.member("inputSchema", &object("json", schema));
    if let Some(strict) = strict.or(tool.strict) {
        out.member("strict", boolean(strict));
    }
    object("toolSpec", &out.finish())
}
