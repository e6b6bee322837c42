//! Attributes of spans: those of GenAI's semantic conventions (core 1.44 and semantic-conventions-genai 0.1.0) and
//! those of OpenInference 0.1.42.

use serde_json::{Map, Value};

use crate::format::span::{Request, Span, ToolRun, requests, result};
use crate::format::value::{list, text};

/// What a span's attributes say.
pub(super) fn span(
    name: &str,
    attributes: &Map<String, Value>,
    is_error: bool,
    message: Option<&str>,
) -> Span {
    let get = |keys: &[&str]| keys.iter().find_map(|key| attributes.get(*key)?.as_str()).map(str::to_owned);
    let kind = get(&["openinference.span.kind"]).unwrap_or_default();
    let operation = get(&["gen_ai.operation.name"]).unwrap_or_default();
    let mut out = Span {
        conversation: get(&["gen_ai.conversation.id", "session.id"]),
        model: get(&["gen_ai.response.model", "gen_ai.request.model", "llm.model_name"]),
        ..Span::default()
    };
    let executed = name.strip_prefix("execute_tool ");
    if kind.eq_ignore_ascii_case("tool") || operation == "execute_tool" || executed.is_some() {
        let tool = get(&["gen_ai.tool.name", "tool.name"]).or_else(|| executed.map(str::to_owned));
        let returned =
            ["gen_ai.tool.call.result", "output.value"].iter().find_map(|key| attributes.get(*key));
        let failed = is_error || attributes.contains_key("error.type");
        let said = result(returned);
        let said = if said.is_empty() { message.unwrap_or_default().to_owned() } else { said };
        out.tool = Some(ToolRun {
            call: get(&["gen_ai.tool.call.id", "tool.id", "tool_call.id"]),
            name: tool.unwrap_or_else(|| name.to_owned()),
            arguments: get(&["gen_ai.tool.call.arguments", "input.value"]),
            result: said,
            is_error: failed,
        });
        return out;
    }
    genai(attributes, &mut out);
    openinference(attributes, &mut out);
    out
}

fn genai(attributes: &Map<String, Value>, out: &mut Span) {
    let read = |key: &str| match attributes.get(key)? {
        Value::String(text) => serde_json::from_str(text).ok(),
        other => Some(other.clone()),
    };
    let parts = |messages: Value| -> Vec<Value> {
        let messages = messages.as_array().cloned().unwrap_or_default();
        messages.iter().flat_map(|message| list(message, "parts").cloned().collect::<Vec<_>>()).collect()
    };
    for part in read("gen_ai.output.messages").map(parts).unwrap_or_default() {
        if text(&part, &["type"]) == Some("tool_call") {
            out.requests.push(Request {
                id: text(&part, &["id"]).map(str::to_owned),
                name: text(&part, &["name"]).unwrap_or_default().to_owned(),
                arguments: part.get("arguments").map(|given| result(Some(given))),
            });
        }
    }
    for part in read("gen_ai.input.messages").map(parts).unwrap_or_default() {
        if let (Some("tool_call_response"), Some(id)) = (text(&part, &["type"]), text(&part, &["id"])) {
            let said = part.get("response").or_else(|| part.get("result"));
            out.answers.push((id.to_owned(), result(said)));
        }
    }
    let definitions: Option<Value> = read("gen_ai.tool.definitions");
    for tool in definitions.as_ref().and_then(Value::as_array).into_iter().flatten() {
        let function = tool.get("function").unwrap_or(tool);
        out.catalog.extend(text(function, &["name"]).map(str::to_owned));
    }
}

fn openinference(attributes: &Map<String, Value>, out: &mut Span) {
    let mut calls: std::collections::BTreeMap<(usize, usize), Request> = std::collections::BTreeMap::new();
    let mut given: std::collections::BTreeMap<usize, (Option<String>, String)> =
        std::collections::BTreeMap::new();
    for (key, value) in attributes {
        let text = || result(Some(value));
        if let Some(rest) = key.strip_prefix("llm.output_messages.") {
            let Some((message, call, field)) = indexed_call(rest) else { continue };
            let empty = || Request { id: None, name: String::new(), arguments: None };
            let call = calls.entry((message, call)).or_insert_with(empty);
            match field {
                "id" => call.id = Some(text()),
                "function.name" => call.name = text(),
                "function.arguments" => call.arguments = Some(text()),
                _ => {}
            }
        } else if let Some(rest) = key.strip_prefix("llm.input_messages.") {
            let Some((number, field)) = rest.split_once(".message.") else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            match field {
                "tool_call_id" => given.entry(number).or_default().0 = Some(text()),
                "content" => given.entry(number).or_default().1 = text(),
                _ => {}
            }
        } else if key.starts_with("llm.tools.") && key.ends_with(".tool.json_schema") {
            let schema: Option<Value> = value.as_str().and_then(|text| serde_json::from_str(text).ok());
            let name = schema.as_ref().and_then(|schema| {
                crate::format::value::text(schema.get("function").unwrap_or(schema), &["name"])
            });
            out.catalog.extend(name.map(str::to_owned));
        }
    }
    out.requests.extend(calls.into_values().filter(|call| !call.name.is_empty()));
    out.answers.extend(given.into_values().filter_map(|(id, said)| Some((id?, said))));
    // Some exporters keep what the model returned as one value.
    if out.requests.is_empty() && attributes.get("openinference.span.kind").is_some_and(|kind| kind == "LLM")
    {
        out.requests = requests(attributes.get("output.value"));
    }
}

/// `0.message.tool_calls.1.tool_call.function.name` as (0, 1, `function.name`).
fn indexed_call(rest: &str) -> Option<(usize, usize, &str)> {
    let (message, rest) = rest.split_once(".message.tool_calls.")?;
    let (call, field) = rest.split_once(".tool_call.")?;
    Some((message.parse().ok()?, call.parse().ok()?, field))
}
