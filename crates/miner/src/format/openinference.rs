//! OpenInference spans outside OTLP: as Phoenix and others export them, one a line or a list, with attributes that
//! are dotted or nested.

use serde_json::{Map, Value};

use crate::event::Sink;
use crate::format::attributes::span;
use crate::format::span::{Span, tell};
use crate::format::value::{list, records, text, value};
use crate::format::{LogFormat, Namesakes, Read, Sample};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "openinference",
    summary: "OpenInference spans as Phoenix exports them",
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
    let is_span = |span: &Value| {
        let has_context =
            span.pointer("/context/trace_id").is_some() || span.get("context.trace_id").is_some();
        has_context && (span.get("span_kind").is_some() || span.get("attributes").is_some())
    };
    sample.any(|record| {
        is_span(record) || list(record, "spans").any(is_span) || list(record, "data").any(is_span)
    })
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let whole = match value(bytes) {
        Ok(whole) => whole,
        Err(read) => return read,
    };
    let mut spans = Vec::new();
    for record in records(&whole) {
        let inside: Vec<&Value> = list(record, "spans").chain(list(record, "data")).collect();
        if inside.is_empty() {
            spans.push(read_span(record));
        }
        spans.extend(inside.into_iter().map(read_span));
    }
    tell(spans, bytes, sink);
    Read::Done
}

fn read_span(own: &Value) -> Span {
    let mut attributes = Map::new();
    if let Some(members) = own.get("attributes") {
        flatten("", members, 12, &mut attributes);
    }
    // Exports as tables have one column an attribute.
    for (key, value) in own.as_object().into_iter().flatten() {
        if let Some(key) = key.strip_prefix("attributes.") {
            flatten(key, value, 12, &mut attributes);
        }
    }
    if let (Some(kind), None) = (text(own, &["span_kind"]), attributes.get("openinference.span.kind")) {
        attributes.insert("openinference.span.kind".to_owned(), kind.into());
    }
    let context = own.get("context").unwrap_or(&Value::Null);
    let either =
        |inner: &str, outer: &str| text(context, &[inner]).or(text(own, &[outer])).map(str::to_owned);
    let is_error = text(own, &["status_code"]) == Some("ERROR");
    let message = text(own, &["status_message"]);
    Span {
        trace: either("trace_id", "context.trace_id"),
        id: either("span_id", "context.span_id"),
        start: text(own, &["start_time"]).map(str::to_owned),
        ..span(text(own, &["name"]).unwrap_or_default(), &attributes, is_error, message)
    }
}

/// Nested attributes under dotted keys.
fn flatten(prefix: &str, value: &Value, depth: usize, out: &mut Map<String, Value>) {
    let key = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
    match value {
        Value::Object(members) if depth > 0 => {
            members.iter().for_each(|(name, member)| flatten(&key(name), member, depth - 1, out));
        }
        Value::Array(items) if depth > 0 && items.iter().any(Value::is_object) => {
            items
                .iter()
                .enumerate()
                .for_each(|(at, item)| flatten(&key(&at.to_string()), item, depth - 1, out));
        }
        other => {
            out.insert(prefix.to_owned(), other.clone());
        }
    }
}
