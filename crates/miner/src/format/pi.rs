//! pi and what grew out of it: a line an entry; calls are blocks of assistant messages, answers are messages.

use std::borrow::Cow;

use serde_json::Value;

use crate::event::{Context, LogEvent, Sink, Speaker, Stamp, Text};
use crate::format::value::{
    arguments, by_id, cow, list, tell_answer, tell_call, tell_moment, text, value, words,
};
use crate::format::{LogFormat, Namesakes, Read, Sample};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "pi",
    summary: "session files of pi and oh-my-pi",
    has_own_words: false,
    marks_errors: false,
    recognise,
    read: read_line,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: true,
    namesakes: Namesakes::Never,
};

fn recognise(sample: &Sample<'_>) -> bool {
    sample.any(|line| {
        let kind = text(line, &["type"]).unwrap_or_default();
        (kind == "message" && line.pointer("/message/role").is_some_and(Value::is_string))
            || (kind == "session" && line.get("cwd").is_some() && line.get("id").is_some())
    }) || (sample.is_cut() && sample.mentions("\"toolCall\"") && sample.mentions("\"type\":\"message\""))
}

fn read_line(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let line = match value(bytes) {
        Ok(line) if line.is_object() => line,
        Ok(_) => return Read::NoObject,
        Err(read) => return read,
    };
    let time = text(&line, &["timestamp"]);
    tell_moment(time, sink);
    match text(&line, &["type"]) {
        Some("session") => sink.event(LogEvent::Context(Context {
            session: cow(&line, &["id"]),
            parent: cow(&line, &["parentSession"]),
            model: cow(&line, &["modelId"]),
            version: None,
            project: cow(&line, &["cwd"]),
        })),
        Some("model_change") => {
            sink.event(LogEvent::Context(Context { model: cow(&line, &["modelId"]), ..Context::default() }));
        }
        Some("message") => message(&line, time, sink),
        _ => {}
    }
    Read::Done
}

fn message(line: &Value, time: Option<&str>, sink: &mut dyn Sink) {
    let Some(message) = line.get("message") else { return };
    let id = text(line, &["id"]);
    let stamp = Stamp {
        context: Context { model: cow(message, &["model"]), ..Context::default() },
        uuid: id.map(Cow::Borrowed),
        time: time.map(Cow::Borrowed),
        ..Stamp::default()
    };
    let role = text(message, &["role"]).unwrap_or_default();
    if role == "toolResult" {
        let is_error = message.get("isError").and_then(Value::as_bool);
        let call = by_id(text(message, &["toolCallId"]), None);
        return tell_answer(call, words(message.get("content")), is_error, &stamp, sink);
    }
    let mut has_call = false;
    for block in list(message, "content").filter(|block| text(block, &["type"]) == Some("toolCall")) {
        has_call = true;
        let name = text(block, &["name"]).unwrap_or_default();
        tell_call(by_id(text(block, &["id"]), id), name, arguments(block.get("arguments")), &stamp, sink);
    }
    let speaker = if has_call { Speaker::Other } else { Speaker::of_role(Some(role)) };
    let ends_turn = text(message, &["stopReason"]).map(|stop| stop == "stop");
    let said = Text { message: None, speaker, text: words(message.get("content")), ends_turn, stamp };
    sink.event(LogEvent::Text(said));
}
