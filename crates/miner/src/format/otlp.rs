//! OTLP as JSON: `resourceSpans`, one document or one export a line, with the attributes of GenAI's conventions
//! (`execute_tool` and chat spans) or of OpenInference.

use serde_json::{Map, Value};

use crate::event::Sink;
use crate::format::attributes::span;
use crate::format::span::{Span, tell};
use crate::format::value::{list, records, text, value};
use crate::format::{LogFormat, Namesakes, Read, Sample};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "otlp",
    summary: "OpenTelemetry traces as OTLP JSON, with GenAI's or OpenInference's attributes",
    has_own_words: false,
    marks_errors: false,
    recognise,
    read: read_record,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::ByLineId,
};

fn recognise(sample: &Sample<'_>) -> bool {
    sample.any(|record| record.get("resourceSpans").or_else(|| record.get("resource_spans")).is_some())
        || (sample.is_cut() && sample.mentions("\"resourceSpans\""))
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let whole = match value(bytes) {
        Ok(whole) => whole,
        Err(read) => return read,
    };
    let mut spans = Vec::new();
    for record in records(&whole) {
        for resource in list(record, "resourceSpans").chain(list(record, "resource_spans")) {
            let scopes = list(resource, "scopeSpans").chain(list(resource, "scope_spans"));
            for own in scopes.flat_map(|scope| list(scope, "spans")) {
                spans.push(read_span(own));
            }
        }
    }
    tell(spans, bytes, sink);
    Read::Done
}

fn read_span(own: &Value) -> Span {
    let mut attributes = Map::new();
    for attribute in list(own, "attributes") {
        if let (Some(key), Some(value)) = (text(attribute, &["key"]), attribute.get("value")) {
            attributes.insert(key.to_owned(), any_value(value, 8));
        }
    }
    let status = own.get("status").unwrap_or(&Value::Null);
    let code = status.get("code");
    let is_error = code.is_some_and(|code| *code == 2 || *code == "STATUS_CODE_ERROR");
    let start = own.get("startTimeUnixNano").or_else(|| own.get("start_time_unix_nano"));
    Span {
        trace: text(own, &["traceId", "trace_id"]).map(str::to_owned),
        id: text(own, &["spanId", "span_id"]).map(str::to_owned),
        start: start.map(|start| start.as_str().map_or_else(|| start.to_string(), str::to_owned)),
        ..span(text(own, &["name"]).unwrap_or_default(), &attributes, is_error, text(status, &["message"]))
    }
}

/// A value of OTLP as plain JSON.
fn any_value(value: &Value, depth: usize) -> Value {
    let Some((kind, inner)) = value.as_object().and_then(|members| members.iter().next()) else {
        return Value::Null;
    };
    match kind.as_str() {
        _ if depth == 0 => Value::Null,
        "arrayValue" => list(inner, "values").map(|item| any_value(item, depth - 1)).collect(),
        "kvlistValue" => {
            let pairs = list(inner, "values").filter_map(|pair| {
                Some((text(pair, &["key"])?.to_owned(), any_value(pair.get("value")?, depth - 1)))
            });
            Value::Object(pairs.collect())
        }
        _ => inner.clone(),
    }
}
