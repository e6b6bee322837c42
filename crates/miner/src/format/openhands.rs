//! OpenHands: rows of `output.jsonl`, whose `history` is a list of events, and event lists of their own.
//!
//! An event with an `action` is what an agent or a user did; every one is listed by its word. A message is no tool
//! call, whoever wrote it; everything else that the agent does is. Observations name their action by its number
//! (`cause`), or follow it.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::event::{LogEvent, Sink, Speaker, Stamp, Text};
use crate::format::conversation::Conversation;
use crate::format::{LogFormat, Namesakes, Read, Sample};
use crate::json::{List, Raw, Str, object, read};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "openhands",
    summary: "trajectories and output rows of OpenHands",
    has_own_words: false,
    marks_errors: false,
    recognise,
    read: read_record,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::Never,
};

object! {
    /// A row.
    struct Row<'a> { history: List<&'a RawValue> = "history", action: Str<'a> = "action", }
}

object! {
    /// An event.
    struct Event<'a> {
        id: Raw<'a> = "id",
        cause: Raw<'a> = "cause",
        source: Str<'a> = "source",
        time: Str<'a> = "timestamp",
        action: Str<'a> = "action",
        observation: Str<'a> = "observation",
        args: Raw<'a> = "args",
        content: Str<'a> = "content",
        message: Str<'a> = "message",
    }
}

/// Actions that are words and no calls.
const WORDS: &[&str] = &["message", "system", "think", "change_agent_state", "null", "recall"];

/// What an observation is that is an error.
const ERRORS: &[&str] = &["error"];

fn recognise(sample: &Sample<'_>) -> bool {
    let is_event = |event: &serde_json::Value| {
        let is_text = |key: &str| event.get(key).is_some_and(serde_json::Value::is_string);
        (is_text("action") && event.get("args").is_some()) || (is_text("observation") && is_text("content"))
    };
    sample.any(|record| {
        let history = record.get("history").and_then(serde_json::Value::as_array);
        is_event(record)
            || history.is_some_and(|history| {
                history.iter().take(20).any(|item| is_event(item) || item.get(0).is_some_and(is_event))
            })
    })
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let mut mended = Vec::new();
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        let Ok(items) = read::<Vec<&RawValue>>(bytes, &mut mended) else { return Read::Bad };
        let is_rows = items.first().is_some_and(|first| {
            let mut mended = Vec::new();
            read::<Row<'_>>(first.get().as_bytes(), &mut mended).is_ok_and(|row| !row.history.0.is_empty())
        });
        if !is_rows {
            events(bytes, bytes, &items, sink);
            return Read::Done;
        }
        for item in items {
            let mut mended = Vec::new();
            let Ok(row) = read::<Row<'_>>(item.get().as_bytes(), &mut mended) else { return Read::Bad };
            events(bytes, item.get().as_bytes(), &row.history.0, sink);
        }
        return Read::Done;
    }
    let Ok(row) = read::<Row<'_>>(bytes, &mut mended) else { return Read::Bad };
    if !row.is_object {
        return Read::NoObject;
    }
    events(bytes, bytes, &row.history.0, sink);
    Read::Done
}

fn events(whole: &[u8], own: &[u8], items: &[&RawValue], sink: &mut dyn Sink) {
    let mut conversation = Conversation::begin(own, sink);
    for item in items {
        // Early rows hold pairs of action and observation.
        let mut mended = Vec::new();
        match read::<Vec<&RawValue>>(item.get().as_bytes(), &mut mended) {
            Ok(pair) => pair.iter().for_each(|item| event(whole, item, &mut conversation, sink)),
            Err(_) => event(whole, item, &mut conversation, sink),
        }
    }
}

fn event(whole: &[u8], item: &RawValue, conversation: &mut Conversation, sink: &mut dyn Sink) {
    let own = item.get().as_bytes();
    sink.at(whole, own);
    let mut mended = Vec::new();
    let Ok(event) = read::<Event<'_>>(own, &mut mended) else { return };
    let number = |raw: Raw<'_>| {
        raw.0.map(RawValue::get).filter(|text| *text != "null" && *text != "-1").map(str::to_owned)
    };
    let stamp = Stamp { time: event.time.as_deref().map(Cow::Borrowed), ..Stamp::default() };
    if let Some(action) = event.action.as_deref() {
        sink.event(LogEvent::Action(Cow::Borrowed(action)));
        if WORDS.contains(&action) || event.source.is("user") {
            let speaker = match event.source.as_deref() {
                Some("agent") => Speaker::Assistant,
                Some("user") => Speaker::User,
                _ => Speaker::Other,
            };
            let text = Cow::Borrowed(event.message.as_deref().unwrap_or_default());
            sink.event(LogEvent::Text(Text { message: None, speaker, text, ends_turn: None, stamp }));
            return;
        }
        let arguments = event.args.0.map(|args| Cow::Borrowed(args.get()));
        conversation.call(number(event.id).as_deref(), action, arguments, stamp, sink);
        return;
    }
    if let Some(observation) = event.observation.as_deref() {
        let text = Cow::Borrowed(event.content.as_deref().unwrap_or_default());
        let is_error = Some(ERRORS.contains(&observation)).filter(|is_error| *is_error);
        conversation.answer(number(event.cause).as_deref(), text, is_error, stamp, sink);
    }
}
