//! OpenCode: parts, one a file or line, or whole sessions as they are exported.
//!
//! A call to a tool that is not there is rewritten: its tool becomes `invalid`, its state `completed`, and the name
//! that was called stands in its input. `invalid` itself is never counted as a tool.

use std::borrow::Cow;

use serde_json::Value;

use crate::event::{Context, LogEvent, Sink, Speaker, Stamp, Text};
use crate::format::value::{
    Locator, arguments, by_id, cow, list, records, tell_answer, tell_call, text, value, words,
};
use crate::format::{LogFormat, Namesakes, Read, Sample};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "opencode",
    summary: "parts, messages and exported sessions of OpenCode",
    has_own_words: true,
    marks_errors: false,
    recognise,
    read: read_record,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::Never,
};

/// Before the reason of a refusal that is not about the name.
const INVALID: &str = "The arguments provided to the tool are invalid: ";

fn recognise(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        let has = |key: &str| record.get(key).is_some_and(Value::is_string);
        (has("callID") && has("tool"))
            || (has("sessionID") && (has("messageID") || has("role") || has("modelID")))
            || list(record, "messages").any(|message| message.get("parts").is_some_and(Value::is_array))
            || (record.get("info").is_some() && record.get("parts").is_some_and(Value::is_array))
    }) || (sample.is_cut() && sample.mentions("\"callID\"") && sample.mentions("\"sessionID\""))
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let value = match value(bytes) {
        Ok(value) => value,
        Err(read) => return read,
    };
    let mut locator = Locator::new(bytes);
    for record in records(&value) {
        // A whole session, a message with its parts, or a part.
        for message in list(record, "messages").chain([record]) {
            let model = message.get("info").and_then(|info| text(info, &["modelID"]));
            let role = message.get("info").and_then(|info| text(info, &["role"]));
            for own in list(message, "parts") {
                part(own, model, role, &mut locator, sink);
            }
        }
        part(record, None, None, &mut locator, sink);
    }
    Read::Done
}

fn part(
    part: &Value,
    model: Option<&str>,
    role: Option<&str>,
    locator: &mut Locator<'_>,
    sink: &mut dyn Sink,
) {
    let state = part.get("state").unwrap_or(&Value::Null);
    let time = state.pointer("/time/start").or_else(|| part.pointer("/time/start")).map(ToString::to_string);
    let stamp = Stamp {
        context: Context {
            session: cow(part, &["sessionID"]),
            model: model.map(Cow::Borrowed),
            ..Context::default()
        },
        uuid: cow(part, &["id"]),
        time: time.map(Cow::Owned),
        ..Stamp::default()
    };
    match text(part, &["type"]) {
        Some("tool") => {
            locator.go(text(part, &["callID"]), sink);
            tool(part, state, &stamp, sink);
        }
        Some("text") => {
            let speaker = Speaker::of_role(role);
            let message = cow(part, &["messageID"]);
            let text = words(part.get("text"));
            sink.event(LogEvent::Text(Text { message, speaker, text, ends_turn: None, stamp }));
        }
        _ => {}
    }
}

fn tool(part: &Value, state: &Value, stamp: &Stamp<'_>, sink: &mut dyn Sink) {
    let (id, message) = (text(part, &["callID"]), text(part, &["messageID"]));
    let input = state.get("input");
    let tool = text(part, &["tool"]).unwrap_or_default();
    let rewritten = input.filter(|_| tool == "invalid");
    let name = rewritten.and_then(|input| text(input, &["tool"])).unwrap_or(tool);
    tell_call(by_id(id, message), name, arguments(input), stamp, sink);
    let (said, is_error) = match (rewritten, text(state, &["status"])) {
        (Some(input), _) => {
            let error = text(input, &["error"]).or(text(state, &["output"])).unwrap_or_default();
            let is_absent = error.contains("Model tried to call unavailable tool");
            let bare = error.strip_prefix(INVALID).unwrap_or(error);
            (if is_absent { Cow::Borrowed(bare) } else { Cow::Owned(format!("{INVALID}{bare}")) }, true)
        }
        (None, Some("completed")) => (words(state.get("output")), false),
        (None, Some("error")) => (words(state.get("error")), true),
        _ => return,
    };
    tell_answer(by_id(id, None), said, Some(is_error), stamp, sink);
}
