//! Mistral's chat completions: call ids are nine letters and digits, and a history with others is refused.

use serde_json::{Value, json};

use super::{Asked, Problem, Protocol, Route, openai_chat, to_json};
use crate::request::Refused;

pub(super) const PROTOCOL: Protocol = Protocol {
    name: "mistral",
    paths: "/mistral/v1/chat/completions",
    route: |path| path.starts_with("/mistral/").then(|| super::route_if(path, "/chat/completions")).flatten(),
    read,
    write: |answer| openai_chat::write(answer, "", None),
    stream: |answer| openai_chat::stream(answer, ""),
    error,
    ..openai_chat::PROTOCOL
};

fn read<'a>(body: &'a [u8], route: &Route) -> Result<Asked<'a>, Refused> {
    let read: Value = serde_json::from_slice(body).unwrap_or_default();
    let messages = read["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of_calls = messages.iter().filter_map(|message| message["tool_calls"].as_array()).flatten();
    let ids = of_calls.map(|call| &call["id"]).chain(messages.iter().map(|message| &message["tool_call_id"]));
    match ids.filter_map(Value::as_str).find(|id| !is_accepted(id)) {
        Some(id) => Err(Refused(format!("`{id}` is no call id: nine letters and digits"))),
        None => openai_chat::read(body, route),
    }
}

fn is_accepted(id: &str) -> bool {
    id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn error(problem: &Problem<'_>) -> Vec<u8> {
    let kind = problem.openai_kind();
    to_json(
        &json!({ "object": "error", "message": problem.message, "type": kind, "param": null, "code": problem.status.to_string() }),
    )
}
