//! Writes a request for a message.
//!
//! A reasoning arm asks for `thinking` of the type `adaptive` with an `output_config.effort`, or for `disabled`: a
//! budget in tokens is deprecated, and models from 4.7 on refuse it (documentation, "Extended thinking"). What a model
//! refuses, its error says.

use bytes::Bytes;
use indexmap::IndexMap;
use probes::{ArmSettings, Thinking, ToolChoice};
use transcript::{Message, RawJson, Role, Tool, ToolForm};

use super::PROVIDER;
use crate::json;
use crate::provider::history::{History, Spoken, arguments_object, is_blank};
use crate::provider::json_text::{Object, array, json_text};
use crate::provider::splice::{boolean, object, put_in};
use crate::provider::{ModelRequest, effort};

/// The switch for parallel calls, inside `tool_choice`.
const NOT_PARALLEL: &str = "disable_parallel_tool_use";

pub(super) fn encode(request: &ModelRequest<'_>) -> Bytes {
    let history = History::of(request.messages);
    let mut body = Object::new();
    body.member("model", &json_text(request.model));
    match history.system.as_slice() {
        [] => {}
        [one] => body.member("system", &json_text(one)),
        several => body.member("system", &array(several.iter().map(|said| text_block(said)))),
    }
    body.member("messages", &array(history.turns.iter().map(turn)));
    if !request.tools.is_empty() {
        body.member("tools", &array(request.tools.iter().map(|entry| tool(entry, request.arm.strict))));
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
    let choice = tool_choice(arm, members.get("tool_choice").map(String::as_str));
    match choice {
        Some(choice) if !request.tools.is_empty() => _ = members.insert("tool_choice", choice),
        // The endpoint refuses it where no tool is offered.
        _ => _ = members.shift_remove("tool_choice"),
    }
    if let Some(wanted) = arm.thinking {
        let own = members.get("thinking").map(String::as_str);
        members.insert("thinking", thinking(wanted, own));
        if let Some(effort) = effort(wanted) {
            let own = members.get("output_config").map_or("{}", String::as_str);
            let config = put_in(own, "effort", &json_text(effort))
                .unwrap_or_else(|| object("effort", &json_text(effort)));
            members.insert("output_config", config);
        }
    }
    members
}

/// The choice that is sent, where one is: the arm's in place of the settings', each with the switch for parallel calls
/// that the arm or else the settings ask for. The switch needs a choice to stand in, and `none` has no place for it.
fn tool_choice(arm: &ArmSettings, set: Option<&str>) -> Option<String> {
    let own_switch = set
        .and_then(json::parse_members)
        .and_then(|choice| json::present(&choice, NOT_PARALLEL).map(|raw| raw.get().to_owned()));
    let switch = arm.parallel.map(|parallel| boolean(!parallel).to_owned()).or(own_switch);
    let choice = match (&arm.tool_choice, set) {
        (Some(ToolChoice::Auto), _) => object("type", "\"auto\""),
        (Some(ToolChoice::Required), _) => object("type", "\"any\""),
        (Some(ToolChoice::None), _) => object("type", "\"none\""),
        (Some(ToolChoice::Tool(name)), _) => {
            format!(r#"{{"type":"tool","name":{}}}"#, json_text(name.as_str()))
        }
        (None, Some(set)) => set.to_owned(),
        (None, None) if switch.is_some() => object("type", "\"auto\""),
        (None, None) => return None,
    };
    let is_none = json::parse_members(&choice)
        .and_then(|choice| json::present_string(&choice, "type"))
        .is_some_and(|kind| kind == "none");
    match switch {
        Some(switch) if !is_none => Some(put_in(&choice, NOT_PARALLEL, &switch).unwrap_or(choice)),
        _ => Some(choice),
    }
}

/// How `thinking` is asked for; whether it is shown stays as the settings say.
fn thinking(wanted: Thinking, own: Option<&str>) -> String {
    if wanted == Thinking::Off {
        return object("type", "\"disabled\"");
    }
    let mut out = Object::new();
    out.member("type", "\"adaptive\"");
    let own = own.and_then(json::parse_members);
    if let Some(display) = own.as_ref().and_then(|own| json::present(own, "display")) {
        out.member("display", display.get());
    }
    out.finish()
}

fn turn(turn: &Spoken<'_>) -> String {
    let (role, content) = match turn {
        Spoken::Model(raw) => return raw.as_str().to_owned(),
        Spoken::System(said) => ("system", json_text(said)),
        Spoken::User(messages) => ("user", user(messages)),
        Spoken::Assistant(message) => ("assistant", assistant(message)),
    };
    let mut out = Object::new();
    out.member("role", &json_text(role));
    out.member("content", &content);
    out.finish()
}

fn user(messages: &[&Message]) -> String {
    match messages {
        [only] if only.role == Role::User => json_text(only.text()),
        several => array(several.iter().filter_map(|message| match message.role {
            Role::Tool => Some(tool_result(message)),
            _ if is_blank(message.text()) => None,
            _ => Some(text_block(message.text())),
        })),
    }
}

fn tool_result(message: &Message) -> String {
    let mut out = Object::new();
    out.member("type", "\"tool_result\"");
    out.member("tool_use_id", &json_text(message.tool_call_id.as_ref().map_or("", |id| &id.0)));
    if let Some(content) = &message.content {
        out.member("content", &json_text(content));
    }
    if message.is_error {
        out.member("is_error", "true");
    }
    out.finish()
}

fn assistant(message: &Message) -> String {
    if message.tool_calls.is_empty() {
        return json_text(message.text());
    }
    let said = Some(message.text()).filter(|text| !is_blank(text)).map(text_block);
    let calls = message.tool_calls.iter().map(|call| {
        let mut out = Object::new();
        out.member("type", "\"tool_use\"");
        out.member("id", &json_text(&call.id.0));
        out.member("name", &json_text(call.name.as_str()));
        out.member("input", &arguments_object(&call.arguments));
        out.finish()
    });
    array(said.into_iter().chain(calls))
}

fn text_block(said: &str) -> String {
    let mut out = Object::new();
    out.member("type", "\"text\"");
    out.member("text", &json_text(said));
    out.finish()
}

/// A tool as its file wrote it. `input_schema` may not be missing: where the catalog has none, it is an object of
/// which nothing is said.
fn tool(tool: &Tool, strict: Option<bool>) -> String {
    let original = tool.original.as_ref().filter(|original| original.form == ToolForm::Anthropic);
    if let Some(original) = original {
        let text = original.json.as_str();
        return strict
            .and_then(|strict| put_in(text, "strict", boolean(strict)))
            .unwrap_or_else(|| text.to_owned());
    }
    let mut out = Object::new();
    out.member("name", &json_text(tool.name.as_str()));
    if let Some(description) = &tool.description {
        out.member("description", description.as_str());
    }
    out.member("input_schema", tool.input_schema.as_ref().map_or(r#"{"type":"object"}"#, RawJson::as_str));
    if let Some(strict) = strict.or(tool.strict) {
        out.member("strict", boolean(strict));
    }
    out.finish()
}
