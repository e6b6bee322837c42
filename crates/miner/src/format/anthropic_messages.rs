//! Anthropic's messages: a record is a request with its conversation, a list of messages, or a response. Roo Code's
//! and Cline's `api_conversation_history.json` are such lists.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::{LogEvent, Sink, Speaker, Stamp, Text};
use crate::format::conversation::Conversation;
use crate::format::value::{arguments, list, text, value, words};
use crate::format::{LogFormat, Namesakes, Read, Sample};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "anthropic_messages",
    summary: "conversations and responses in Anthropic's form, one a record",
    has_own_words: false,
    marks_errors: true,
    recognise,
    read: read_record,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::Never,
};

fn recognise(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        is_message(record)
            || list(record, "messages").any(is_message)
            || record.as_array().is_some_and(|items| items.iter().any(is_message))
    }) || (sample.is_cut() && sample.mentions("\"tool_use_id\"") && sample.mentions("\"role\""))
}

/// A message of which a block is a call or an answer.
fn is_message(message: &Value) -> bool {
    let is_tool = |block: &Value| matches!(text(block, &["type"]), Some("tool_use" | "tool_result"));
    message.get("role").is_some() && list(message, "content").any(is_tool)
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let mut mended = Vec::new();
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        let Ok(items) = crate::json::read::<Vec<&RawValue>>(bytes, &mut mended) else { return Read::Bad };
        let is_list_of_messages = items.first().is_some_and(|first| {
            value(first.get().as_bytes()).is_ok_and(|first| first.get("role").is_some())
        });
        let mut conversation = is_list_of_messages.then(|| Conversation::begin(bytes, sink));
        for item in items {
            let own = item.get().as_bytes();
            sink.at(bytes, own);
            let Ok(item) = value(own) else { continue };
            match &mut conversation {
                Some(conversation) => message(&item, &Stamp::default(), conversation, sink),
                None => record(&item, own, sink),
            }
        }
        return Read::Done;
    }
    match value(bytes) {
        Ok(whole) => record(&whole, bytes, sink),
        Err(read) => return read,
    }
    Read::Done
}

fn record(record: &Value, own: &[u8], sink: &mut dyn Sink) {
    let names: Vec<_> =
        list(record, "tools").filter_map(|tool| text(tool, &["name"]).map(Cow::Borrowed)).collect();
    if !names.is_empty() {
        sink.event(LogEvent::Catalog(names));
    }
    let mut stamp = Stamp { time: text(record, &["timestamp"]).map(Cow::Borrowed), ..Stamp::default() };
    stamp.context.model = text(record, &["model"]).map(Cow::Borrowed);
    let mut conversation = Conversation::begin(own, sink);
    for item in list(record, "messages") {
        message(item, &stamp, &mut conversation, sink);
    }
    if record.get("role").is_some() {
        message(record, &stamp, &mut conversation, sink);
    }
}

fn message(message: &Value, stamp: &Stamp<'_>, conversation: &mut Conversation, sink: &mut dyn Sink) {
    let mut has_call = false;
    for block in list(message, "content") {
        let stamp = stamp.clone();
        match text(block, &["type"]) {
            Some("tool_use") => {
                has_call = true;
                let name = text(block, &["name"]).unwrap_or_default();
                conversation.call(text(block, &["id"]), name, arguments(block.get("input")), stamp, sink);
            }
            Some("tool_result") => {
                // Without the mark it is none.
                let is_error = Some(block.get("is_error").and_then(Value::as_bool).unwrap_or_default());
                let id = text(block, &["tool_use_id"]);
                conversation.answer(id, words(block.get("content")), is_error, stamp, sink);
            }
            Some("server_tool_use" | "mcp_tool_use") => {
                let name = text(block, &["name"]).unwrap_or_default();
                sink.event(LogEvent::ProviderCall(Cow::Borrowed(name)));
            }
            _ => {}
        }
    }
    let speaker = if has_call { Speaker::Other } else { Speaker::of_role(text(message, &["role"])) };
    let said = match message.get("content") {
        Some(Value::Array(blocks)) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| text(block, &["text"])).collect();
            Cow::Owned(texts.join("\n"))
        }
        content => words(content),
    };
    let ends_turn = text(message, &["stop_reason"]).map(|stop| stop == "end_turn");
    let stamp = stamp.clone();
    sink.event(LogEvent::Text(Text { message: None, speaker, text: said, ends_turn, stamp }));
}
