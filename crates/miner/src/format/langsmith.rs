//! LangSmith: runs, lists or lines. Written from the public description of a run; no export was at hand.

use serde_json::Value;

use crate::event::Sink;
use crate::format::span::{Span, ToolRun, requests, result, tell};
use crate::format::value::{list, records, text, value};
use crate::format::{LogFormat, Namesakes, Read, Sample};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "langsmith",
    summary: "runs exported from LangSmith",
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
    let is_run = |record: &Value| {
        text(record, &["run_type"]).is_some()
            && (record.get("inputs").is_some() || record.get("trace_id").is_some())
    };
    sample.any(|record| is_run(record) || list(record, "runs").any(is_run))
        || (sample.is_cut() && sample.mentions("\"run_type\"") && sample.mentions("\"trace_id\""))
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let whole = match value(bytes) {
        Ok(whole) => whole,
        Err(read) => return read,
    };
    let mut spans = Vec::new();
    for record in records(&whole) {
        let inside: Vec<&Value> = list(record, "runs").collect();
        if inside.is_empty() {
            add(record, 16, &mut spans);
        }
        inside.into_iter().for_each(|run| add(run, 16, &mut spans));
    }
    tell(spans, bytes, sink);
    Read::Done
}

/// A run and those inside it.
fn add(run: &Value, depth: usize, spans: &mut Vec<Span>) {
    spans.push(read_run(run));
    if depth > 0 {
        list(run, "child_runs").for_each(|child| add(child, depth - 1, spans));
    }
}

fn read_run(run: &Value) -> Span {
    let get = |keys: &[&str]| text(run, keys).map(str::to_owned);
    let model = run.pointer("/extra/metadata/ls_model_name").and_then(Value::as_str).map(str::to_owned);
    let mut span = Span {
        trace: get(&["trace_id"]).or_else(|| get(&["id"])),
        conversation: run.pointer("/extra/metadata/thread_id").and_then(Value::as_str).map(str::to_owned),
        id: get(&["id"]),
        start: get(&["start_time"]),
        model,
        project: get(&["session_name"]),
        ..Span::default()
    };
    match text(run, &["run_type"]) {
        Some("tool") => {
            let error = get(&["error"]);
            let output = run.pointer("/outputs/output").or_else(|| run.get("outputs"));
            let content = output.and_then(|output| output.get("content")).or(output);
            let call = output.and_then(|output| text(output, &["tool_call_id"])).map(str::to_owned);
            span.tool = Some(ToolRun {
                call,
                name: get(&["name"]).unwrap_or_default(),
                arguments: run.get("inputs").map(|inputs| result(Some(inputs))),
                is_error: error.is_some()
                    || output.is_some_and(|output| text(output, &["status"]) == Some("error")),
                result: error.unwrap_or_else(|| result(content)),
            });
        }
        Some("llm") => span.requests = requests(run.get("outputs")),
        _ => {}
    }
    span
}
