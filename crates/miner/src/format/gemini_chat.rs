//! Gemini CLI and Qwen Code: `chats/session-*.json`, one document, or `.jsonl`, where `$set` records write messages
//! again and the last record of a message counts.

use std::borrow::Cow;

use serde_json::Value;

use crate::event::{Context, LogEvent, Sink, Speaker, Stamp, Text};
use crate::format::value::{
    Locator, arguments, by_id, cow, list, tell_answer, tell_call, tell_moment, text, value, words,
};
use crate::format::{LogFormat, Namesakes, Read, Sample};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "gemini_chat",
    summary: "chat files of Gemini CLI and Qwen Code",
    has_own_words: true,
    marks_errors: false,
    recognise,
    read: read_record,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::Never,
};

fn recognise(sample: &Sample<'_>) -> bool {
    let is_message = |message: &Value| {
        matches!(text(message, &["type"]), Some("user" | "gemini" | "qwen" | "info"))
            && message.get("content").is_some()
            && (message.get("toolCalls").is_some() || message.get("message").is_none())
            && message.get("id").is_some()
    };
    sample.any(|record| {
        (record.get("sessionId").is_some() && record.get("projectHash").is_some())
            || record.pointer("/$set/messages").is_some()
            || record.get("$rewindTo").is_some()
            || record.get("toolCalls").is_some_and(Value::is_array)
            || is_message(record)
            || (record.get("sessionId").is_some() && list(record, "messages").any(is_message))
    }) || (sample.is_cut() && sample.mentions("\"projectHash\"") && sample.mentions("\"toolCalls\""))
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let record = match value(bytes) {
        Ok(record) if record.is_object() => record,
        Ok(_) => return Read::NoObject,
        Err(read) => return read,
    };
    if record.get("sessionId").is_some() {
        sink.event(LogEvent::Context(Context {
            session: cow(&record, &["sessionId"]),
            project: cow(&record, &["projectHash"]),
            ..Context::default()
        }));
    }
    let mut locator = Locator::new(bytes);
    if text(&record, &["type"]).is_some() {
        message(&record, &mut locator, sink);
    }
    for item in list(&record, "messages") {
        message(item, &mut locator, sink);
    }
    for item in record.get("$set").into_iter().flat_map(|set| list(set, "messages")) {
        message(item, &mut locator, sink);
    }
    Read::Done
}

fn message(message: &Value, locator: &mut Locator<'_>, sink: &mut dyn Sink) {
    let time = text(message, &["timestamp"]);
    tell_moment(time, sink);
    let id = text(message, &["id"]);
    let stamp = Stamp {
        context: Context { model: cow(message, &["model"]), ..Context::default() },
        uuid: id.map(Cow::Borrowed),
        time: time.map(Cow::Borrowed),
        ..Stamp::default()
    };
    let mut has_call = false;
    for call in list(message, "toolCalls") {
        has_call = true;
        let (own, name) = (text(call, &["id"]), text(call, &["name"]).unwrap_or_default());
        locator.go(own, sink);
        tell_call(by_id(own, id), name, arguments(call.get("args")), &stamp, sink);
        let response = call.pointer("/result/0/functionResponse/response");
        let status = text(call, &["status"]).unwrap_or_default();
        let is_over = response.is_some() || matches!(status, "success" | "error");
        if is_over {
            let said = response.and_then(|response| response.get("error").or_else(|| response.get("output")));
            locator.go(own, sink);
            tell_answer(by_id(own, None), words(said), Some(status == "error"), &stamp, sink);
        }
    }
    let speaker = match text(message, &["type"]) {
        Some("gemini" | "qwen") if !has_call => Speaker::Assistant,
        Some("user") => Speaker::User,
        _ => Speaker::Other,
    };
    let said = words(message.get("content"));
    let message = id.map(Cow::Borrowed);
    sink.event(LogEvent::Text(Text { message, speaker, text: said, ends_turn: None, stamp }));
}
