//! Traces in OTLP's JSON encoding: spans of executed tools are rows of an executor log, messages of model spans are
//! what was said and asked for. Attribute names are those of OpenTelemetry's conventions for generative AI, and of
//! the older and other ones that instrumentations still write, in one table.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use transcript::Outcome;

use super::line::{AuditReader, LineError, Pieces, account, hash};
use super::run::{Fragment, Half, Piece, Row};
use super::{Place, RunKey};

/// Where a span says something, the first that it has: the current name first.
/// - `gen_ai.*`: OpenTelemetry semantic conventions, generative AI (also under their moved home, names unchanged)
/// - `tool.*`, `openinference.*`, `output.value`: OpenInference
/// - `ai.*`: Vercel AI SDK
/// - `traceloop.*`, `gen_ai.completion.0.content`: OpenLLMetry
const TOOL_NAME: &[&str] = &["gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name"];
const CALL_ID: &[&str] = &["gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id"];
const MESSAGES: &[&str] = &["gen_ai.output.messages", "gen_ai.completion"];
const TEXT: &[&str] = &["gen_ai.completion.0.content", "ai.response.text", "output.value"];
const DEFINITIONS: &[&str] = &["gen_ai.tool.definitions", "gen_ai.request.tools"];

/// What marks a span as that of an executed tool.
const TOOL_SPAN: &[(&str, &str)] = &[
    ("gen_ai.operation.name", "execute_tool"),
    ("openinference.span.kind", "TOOL"),
    ("ai.operationId", "ai.toolCall"),
    ("traceloop.span.kind", "tool"),
];

/// What marks a span as that of a model's or an agent's answer.
const ANSWER_SPAN: &[(&str, &[&str])] = &[
    (
        "gen_ai.operation.name",
        &["chat", "invoke_agent", "generate_content", "text_completion", "invoke_workflow"],
    ),
    ("openinference.span.kind", &["LLM", "AGENT"]),
    (
        "ai.operationId",
        &["ai.generateText", "ai.streamText", "ai.generateText.doGenerate", "ai.streamText.doStream"],
    ),
    ("traceloop.span.kind", &["agent"]),
    ("llm.request.type", &["chat"]),
];

/// Events of a span that say that it failed.
const FAILURE_EVENTS: &[&str] = &["exception", "gen_ai.execute_tool.exception"];

#[derive(Deserialize)]
struct ResourceSpans {
    #[serde(default)]
    resource: Resource,
    #[serde(default, rename = "scopeSpans", alias = "scope_spans", alias = "instrumentationLibrarySpans")]
    scopes: Vec<ScopeSpans>,
}

#[derive(Deserialize, Default)]
struct Resource {
    #[serde(default)]
    attributes: Vec<Attribute>,
}

#[derive(Deserialize)]
struct ScopeSpans {
    #[serde(default)]
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    #[serde(default, rename = "traceId", alias = "trace_id")]
    trace: String,
    #[serde(default, rename = "spanId", alias = "span_id")]
    id: String,
    #[serde(default)]
    name: String,
    /// A number, which the encoding writes as text.
    #[serde(default, rename = "endTimeUnixNano", alias = "end_time_unix_nano")]
    ended: Value,
    #[serde(default)]
    attributes: Vec<Attribute>,
    #[serde(default)]
    status: Status,
    #[serde(default)]
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Attribute {
    #[serde(default)]
    key: String,
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize, Default)]
struct Status {
    /// 2, or its name.
    #[serde(default)]
    code: Value,
}

#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    name: String,
    #[serde(default)]
    attributes: Vec<Attribute>,
}

/// Reads the `resourceSpans` of a document.
pub(super) fn read(reader: &mut AuditReader, spans: &RawValue, place: Place) -> Result<Pieces, LineError> {
    let resources: Vec<ResourceSpans> = serde_json::from_str(spans.get())
        .map_err(|_| LineError::NotKnown("traces that are not OTLP's JSON"))?;
    let mut pieces = Vec::new();
    for resource in &resources {
        for span in resource.scopes.iter().flat_map(|scope| &scope.spans) {
            let run = run_of(reader, span, &resource.resource.attributes);
            if run.is_empty() {
                continue;
            }
            let key = RunKey { run, trial: String::new() };
            if let Some(row) = row(reader, span, place) {
                pieces.push((key, Fragment(Piece::Row(row))));
            } else if is_answer(span) {
                answer(reader, span, place, &key, &mut pieces);
            }
        }
    }
    Ok(pieces)
}

fn run_of(reader: &AuditReader, span: &Span, resource: &[Attribute]) -> String {
    let Some(name) = &reader.options().run_attribute else { return span.trace.clone() };
    let of = |attributes: &[Attribute]| attribute(attributes, name).map(plain);
    of(&span.attributes).or_else(|| of(resource)).and_then(|value| as_text(&value)).unwrap_or_default()
}

/// The row of a span of an executed tool. A span is written when it ends: a tool that crashed with its process
/// leaves none.
fn row(reader: &mut AuditReader, span: &Span, place: Place) -> Option<Row> {
    let marked = TOOL_SPAN.iter().any(|(key, value)| {
        text(&span.attributes, key).is_some_and(|found| found.eq_ignore_ascii_case(value))
    });
    let from_name = span.name.strip_prefix("execute_tool ");
    if !marked && from_name.is_none() {
        return None;
    }
    let named = TOOL_NAME.iter().find_map(|key| text(&span.attributes, key));
    let tool = named.or_else(|| from_name.map(str::to_owned))?;
    let call = CALL_ID.iter().find_map(|key| text(&span.attributes, key)).unwrap_or_else(|| span.id.clone());
    let outcome = if failed(span) { Outcome::Failed } else { Outcome::Ok };
    Some(Row {
        call: hash(&call),
        stamp: (!span.id.is_empty()).then(|| hash(&span.id)),
        tool: Some(reader.name(&tool)),
        executed_as: None,
        half: Half::Whole(outcome),
        place,
    })
}

fn failed(span: &Span) -> bool {
    let by_status = match &span.status.code {
        Value::Number(code) => code.as_u64() == Some(2),
        Value::String(code) => matches!(code.as_str(), "2" | "STATUS_CODE_ERROR" | "ERROR"),
        _ => false,
    };
    by_status
        || text(&span.attributes, "error.type").is_some_and(|error| !error.is_empty())
        || span.events.iter().any(|event| FAILURE_EVENTS.contains(&event.name.as_str()))
}

fn is_answer(span: &Span) -> bool {
    ANSWER_SPAN.iter().any(|(key, values)| {
        text(&span.attributes, key).is_some_and(|found| values.contains(&found.as_str()))
    })
}

/// What an answer says and asks for.
fn answer(reader: &mut AuditReader, span: &Span, place: Place, key: &RunKey, pieces: &mut Pieces) {
    let of_events = span.events.iter().map(|event| event.attributes.as_slice());
    let everywhere = || std::iter::once(span.attributes.as_slice()).chain(of_events.clone());
    let find =
        |names: &[&str]| names.iter().find_map(|name| everywhere().find_map(|all| attribute(all, name)));
    let messages = find(MESSAGES).map(plain).and_then(unquoted);
    let (mut said, mut calls) = (Vec::new(), Vec::new());
    for part in messages.iter().flat_map(parts) {
        let of = |name: &str| part.get(name).and_then(Value::as_str);
        match of("type") {
            Some("text") => said.extend(of("content").or_else(|| of("text")).map(str::to_owned)),
            Some("tool_call") => {
                calls.push((of("id").map(hash), reader.name(of("name").unwrap_or_default())));
            }
            _ => {}
        }
    }
    if said.is_empty() && messages.is_none() {
        said.extend(find(TEXT).map(plain).and_then(|value| as_text(&value)));
    }
    let text = said.join("\n");
    if calls.is_empty() && !text.trim().is_empty() {
        let mut account = account(&text, place);
        account.at = as_number(&span.ended);
        pieces.push((key.clone(), Fragment(Piece::Account(account))));
    }
    let offered = find(DEFINITIONS).map(plain).and_then(unquoted).and_then(|value| names(reader, &value));
    if !calls.is_empty() || offered.is_some() {
        pieces.push((key.clone(), Fragment(Piece::Asked { calls, offered })));
    }
}

/// The parts of all messages of the assistant.
fn parts(messages: &Value) -> impl Iterator<Item = &Value> {
    let messages = messages.as_array().into_iter().flatten();
    let is_of_assistant =
        |message: &&Value| message.get("role").and_then(Value::as_str).is_none_or(|role| role == "assistant");
    messages.filter(is_of_assistant).filter_map(|message| message.get("parts")?.as_array()).flatten()
}

/// The names of a list of tools, in the forms of chat completions or flat.
fn names(reader: &mut AuditReader, tools: &Value) -> Option<Arc<[Arc<str>]>> {
    let name = |tool: &Value| {
        let name = tool.get("name").or_else(|| tool.pointer("/function/name"))?.as_str()?;
        Some(name.to_owned())
    };
    let found: Vec<String> = tools.as_array()?.iter().filter_map(name).collect();
    Some(found.iter().map(|name| reader.name(name)).collect())
}

fn attribute<'a>(attributes: &'a [Attribute], key: &str) -> Option<&'a Value> {
    attributes.iter().find(|attribute| attribute.key == key).map(|attribute| &attribute.value)
}

fn text(attributes: &[Attribute], key: &str) -> Option<String> {
    attribute(attributes, key).map(plain).and_then(|value| as_text(&value))
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn as_number(value: &Value) -> u64 {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap_or(0)
}

/// A value of an attribute (`AnyValue` of OTLP) as plain JSON.
fn plain(value: &Value) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let Some((kind, held)) = members.iter().next() else { return Value::Null };
    match kind.as_str() {
        "arrayValue" | "array_value" => Value::Array(
            held.get("values").and_then(Value::as_array).into_iter().flatten().map(plain).collect(),
        ),
        "kvlistValue" | "kvlist_value" => {
            let values = held.get("values").and_then(Value::as_array).into_iter().flatten();
            let member = |entry: &Value| {
                Some((
                    entry.get("key")?.as_str()?.to_owned(),
                    plain(entry.get("value").unwrap_or(&Value::Null)),
                ))
            };
            Value::Object(values.filter_map(member).collect())
        }
        _ => held.clone(),
    }
}

/// Messages are structured, or JSON as text.
fn unquoted(value: Value) -> Option<Value> {
    match value {
        Value::String(text) => serde_json::from_str(&text).ok(),
        other => Some(other),
    }
}
