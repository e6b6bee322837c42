//! Items of the Responses interface: a record is a request or response with `input` and `output`, or a list of
//! items; or each line is an item, and the file a conversation.

use std::borrow::Cow;

use serde_json::Value;

use crate::event::{LogEvent, Sink, Speaker, Stamp, Text};
use crate::format::conversation::Conversation;
use crate::format::value::{arguments, by_id, list, tell_answer, tell_call, text, value, words};
use crate::format::{LogFormat, Namesakes, Read, Sample};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "responses_items",
    summary: "items, requests and responses of the Responses interface",
    has_own_words: false,
    marks_errors: false,
    recognise,
    read: read_record,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::Never,
};

/// Calls that run at the provider.
const PROVIDER_RUN: &[&str] =
    &["web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call"];

fn recognise(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        is_item(record)
            || record.as_array().is_some_and(|items| items.iter().any(is_item))
            || list(record, "output").chain(list(record, "input")).any(is_item)
            || text(record, &["object"]) == Some("response")
    }) || (sample.is_cut() && sample.mentions("\"function_call_output\"") && sample.mentions("\"call_id\""))
}

fn is_item(item: &Value) -> bool {
    let kind = text(item, &["type"]).unwrap_or_default();
    let is_call = matches!(kind, "function_call" | "custom_tool_call") && item.get("name").is_some();
    let is_answer = matches!(kind, "function_call_output" | "custom_tool_call_output");
    is_call || (is_answer && item.get("call_id").is_some())
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let whole = match value(bytes) {
        Ok(whole) => whole,
        Err(read) => return read,
    };
    if let Some(items) = whole.as_array() {
        if items.iter().any(is_item) {
            conversation(items.iter(), &Stamp::default(), bytes, sink);
            return Read::Done;
        }
        for item in items {
            record(item, item.to_string().as_bytes(), sink);
        }
        return Read::Done;
    }
    if whole.get("type").is_some() && whole.get("output").is_none_or(|output| !output.is_array()) {
        lone_item(&whole, sink);
        return Read::Done;
    }
    record(&whole, bytes, sink);
    Read::Done
}

fn record(record: &Value, own: &[u8], sink: &mut dyn Sink) {
    let names: Vec<_> =
        list(record, "tools").filter_map(|tool| text(tool, &["name"]).map(Cow::Borrowed)).collect();
    if !names.is_empty() {
        sink.event(LogEvent::Catalog(names));
    }
    let created = record.get("created_at").filter(|time| time.is_number()).map(ToString::to_string);
    let mut stamp = Stamp { time: created.map(Cow::Owned), ..Stamp::default() };
    stamp.context.model = text(record, &["model"]).map(Cow::Borrowed);
    conversation(list(record, "input").chain(list(record, "output")), &stamp, own, sink);
}

fn conversation<'a>(
    items: impl Iterator<Item = &'a Value>,
    stamp: &Stamp<'_>,
    own: &[u8],
    sink: &mut dyn Sink,
) {
    let mut conversation = Conversation::begin(own, sink);
    for item in items {
        let id = text(item, &["call_id", "id"]);
        let stamp = stamp.clone();
        match text(item, &["type"]).unwrap_or_default() {
            "function_call" | "custom_tool_call" => {
                let arguments = arguments(item.get("arguments").or_else(|| item.get("input")));
                conversation.call(id, name(item), arguments, stamp, sink);
            }
            "function_call_output" | "custom_tool_call_output" => {
                conversation.answer(id, words(item.get("output")), None, stamp, sink);
            }
            kind if PROVIDER_RUN.contains(&kind) => sink.event(LogEvent::ProviderCall(Cow::Borrowed(kind))),
            _ => said(item, stamp, sink),
        }
    }
}

/// An item on a line of its own: paired with others by its id, over the whole file.
fn lone_item(item: &Value, sink: &mut dyn Sink) {
    let which = by_id(text(item, &["call_id", "id"]), None);
    let stamp = Stamp { time: text(item, &["timestamp"]).map(Cow::Borrowed), ..Stamp::default() };
    match text(item, &["type"]).unwrap_or_default() {
        "function_call" | "custom_tool_call" => {
            let arguments = arguments(item.get("arguments").or_else(|| item.get("input")));
            tell_call(which, name(item), arguments, &stamp, sink);
        }
        "function_call_output" | "custom_tool_call_output" => {
            tell_answer(which, words(item.get("output")), None, &stamp, sink);
        }
        kind if PROVIDER_RUN.contains(&kind) => sink.event(LogEvent::ProviderCall(Cow::Borrowed(kind))),
        _ => said(item, stamp, sink),
    }
}

fn name(item: &Value) -> &str {
    text(item, &["name"]).unwrap_or_default()
}

fn said(item: &Value, stamp: Stamp<'_>, sink: &mut dyn Sink) {
    let speaker = Speaker::of_role(text(item, &["role"]));
    let text = words(item.get("content"));
    sink.event(LogEvent::Text(Text { message: None, speaker, text, ends_turn: None, stamp }));
}
