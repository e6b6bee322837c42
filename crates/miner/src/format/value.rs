//! Formats that are read as JSON values: small helpers for what stands at a key or behind a pointer.

use std::borrow::Cow;

use serde_json::Value;

use crate::event::{Answer, Call, CallName, LogEvent, Sink, Stamp};
use crate::format::Read;

/// Reads bytes as a value, lone surrogates replaced.
pub(super) fn value(bytes: &[u8]) -> Result<Value, Read> {
    let mut mended = Vec::new();
    let value: Value = crate::json::read(bytes, &mut mended).map_err(|_| Read::Bad)?;
    if value.is_object() || value.is_array() { Ok(value) } else { Err(Read::NoObject) }
}

/// Finds the lines of a document over several lines by the ids that stand there: a value has no places.
pub(super) struct Locator<'a> {
    bytes: &'a [u8],
    /// Where the last id was found. `None` where all of it is one line.
    at: Option<usize>,
}

impl<'a> Locator<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: memchr::memchr(b'\n', bytes).map(|_| 0) }
    }

    /// Goes to the next place of an id, or to its first where none follows.
    pub(super) fn go(&mut self, id: Option<&str>, sink: &mut dyn Sink) {
        let (Some(at), Some(id)) = (self.at, id) else { return };
        let quoted = format!("\"{id}\"");
        let find = |from: usize| {
            let rest = self.bytes.get(from..)?;
            Some(from + memchr::memmem::find(rest, quoted.as_bytes())?)
        };
        if let Some(found) = find(at).or_else(|| find(0)) {
            sink.at(self.bytes, self.bytes.get(found..).unwrap_or_default());
            self.at = Some(found + 1);
        }
    }
}

/// The records of a value: its elements where it is a list, else itself.
pub(super) fn records(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

/// The text at the first of these keys that has one.
pub(super) fn text<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| value.get(*key)?.as_str()).filter(|text| !text.is_empty())
}

/// The text at a key, ready for an event.
pub(super) fn cow<'a>(value: &'a Value, keys: &[&str]) -> Option<Cow<'a, str>> {
    text(value, keys).map(Cow::Borrowed)
}

/// The elements of the list at a key.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// What a result says: a text, the texts of its blocks, or the JSON itself.
pub(super) fn words(value: Option<&Value>) -> Cow<'_, str> {
    match value {
        None | Some(Value::Null) => Cow::Borrowed(""),
        Some(Value::String(text)) => Cow::Borrowed(text),
        Some(Value::Array(blocks)) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
            match texts.as_slice() {
                [] => Cow::Owned(Value::Array(blocks.clone()).to_string()),
                [text] => Cow::Borrowed(text),
                texts => Cow::Owned(texts.join("\n")),
            }
        }
        Some(other) => Cow::Owned(other.to_string()),
    }
}

/// Arguments as JSON text: those that are a text are one already.
pub(super) fn arguments(value: Option<&Value>) -> Option<Cow<'_, str>> {
    match value? {
        Value::String(text) => Some(Cow::Borrowed(text)),
        other => Some(Cow::Owned(other.to_string())),
    }
}

/// A call by its id, and by that of its message.
pub(super) fn by_id<'a>(call: Option<&'a str>, message: Option<&'a str>) -> CallName<'a> {
    CallName::Id { call: call.map(Cow::Borrowed), message: message.map(Cow::Borrowed) }
}

/// Tells a call.
pub(super) fn tell_call(
    which: CallName<'_>,
    name: &str,
    arguments: Option<Cow<'_, str>>,
    stamp: &Stamp<'_>,
    sink: &mut dyn Sink,
) {
    let name = Cow::Borrowed(name);
    sink.event(LogEvent::Call(Call { which, name, arguments, stamp: stamp.clone() }));
}

/// Tells an answer.
pub(super) fn tell_answer(
    of: CallName<'_>,
    text: Cow<'_, str>,
    is_error: Option<bool>,
    stamp: &Stamp<'_>,
    sink: &mut dyn Sink,
) {
    sink.event(LogEvent::Answer(Answer { of, text, is_error, stamp: stamp.clone() }));
}

/// Tells a moment, for the window.
pub(super) fn tell_moment(time: Option<&str>, sink: &mut dyn Sink) {
    if let Some(time) = time {
        sink.event(LogEvent::Moment(Cow::Borrowed(time)));
    }
}
