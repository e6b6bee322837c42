//! Langfuse: observations as the interface returns them or as JSON exports, lists or lines.

use serde_json::Value;

use crate::event::Sink;
use crate::format::span::{Span, ToolRun, requests, result, tell};
use crate::format::value::{list, records, text, value};
use crate::format::{LogFormat, Namesakes, Read, Sample};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "langfuse",
    summary: "observations exported from Langfuse",
    has_own_words: false,
    marks_errors: false,
    recognise,
    read: read_record,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::ByLineId,
};

/// Types of observations.
const TYPES: &[&str] = &[
    "TOOL",
    "GENERATION",
    "SPAN",
    "EVENT",
    "AGENT",
    "CHAIN",
    "RETRIEVER",
    "EMBEDDING",
    "EVALUATOR",
    "GUARDRAIL",
];

fn recognise(sample: &Sample<'_>) -> bool {
    let is_observation = |record: &Value| {
        text(record, &["traceId", "trace_id"]).is_some()
            && text(record, &["type"]).is_some_and(|kind| TYPES.contains(&kind))
    };
    sample.any(|record| {
        is_observation(record)
            || ["data", "observations"].iter().any(|key| list(record, key).any(is_observation))
    }) || (sample.is_cut() && sample.mentions("\"traceId\"") && sample.mentions("\"parentObservationId\""))
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let whole = match value(bytes) {
        Ok(whole) => whole,
        Err(read) => return read,
    };
    let mut spans = Vec::new();
    for record in records(&whole) {
        let inside: Vec<&Value> = list(record, "data").chain(list(record, "observations")).collect();
        if inside.is_empty() {
            spans.push(observation(record));
        }
        spans.extend(inside.into_iter().map(observation));
    }
    tell(spans, bytes, sink);
    Read::Done
}

fn observation(own: &Value) -> Span {
    let get = |keys: &[&str]| text(own, keys).map(str::to_owned);
    let mut span = Span {
        trace: get(&["traceId", "trace_id"]),
        conversation: get(&["sessionId", "session_id"]),
        id: get(&["id"]),
        start: get(&["startTime", "start_time"]),
        model: get(&["model", "providedModelName"]),
        ..Span::default()
    };
    match text(own, &["type"]) {
        Some("TOOL") => {
            let is_error = text(own, &["level"]) == Some("ERROR");
            let status = get(&["statusMessage", "status_message"]).filter(|_| is_error);
            span.tool = Some(ToolRun {
                call: own.pointer("/metadata/tool_call_id").and_then(Value::as_str).map(str::to_owned),
                name: get(&["name"]).unwrap_or_default(),
                arguments: own.get("input").map(|input| result(Some(input))),
                result: status.unwrap_or_else(|| result(own.get("output"))),
                is_error,
            });
        }
        Some("GENERATION") => span.requests = requests(own.get("output")),
        _ => {}
    }
    span
}
