//! Logs of any other shape, read by a mapping file.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::Value;

use crate::event::{CallName, Context, LogEvent, Sink, Speaker, Stamp, Text};
use crate::format::value::{Locator, arguments, by_id, records, tell_answer, tell_call, value, words};
use crate::format::{LogFormat, Namesakes, Read};
use crate::map::LogMap;

/// The entry in the table. It is never recognised: somebody says that a log is read by a map.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "mapped",
    summary: "anything else, by the mapping file that --map names",
    has_own_words: false,
    marks_errors: false,
    recognise: |_| false,
    read: |_, _| Read::NoObject,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::Never,
};

/// Reads one line, or a whole document.
pub(crate) fn read(map: &LogMap, bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let whole = match value(bytes) {
        Ok(whole) => whole,
        Err(read) => return read,
    };
    let mut places = Locator::new(bytes);
    let listed = match &map.records {
        None => records(&whole),
        Some(pointer) => whole.pointer(pointer).map_or(&[][..], records),
    };
    if map.calls.id.is_none() {
        // Without ids calls are told apart by their places in their line or document.
        sink.event(LogEvent::Conversation(bytes));
    }
    let mut count = 0;
    for record in listed {
        tell(map, record, &mut count, &mut places, sink);
    }
    Read::Done
}

fn tell(map: &LogMap, record: &Value, count: &mut u32, places: &mut Locator<'_>, sink: &mut dyn Sink) {
    let text = |pointer: &Option<String>| scalar(record, pointer.as_deref());
    let stamp = Stamp {
        context: Context {
            session: text(&map.session),
            parent: None,
            model: text(&map.model),
            version: text(&map.version),
            project: text(&map.project),
        },
        time: text(&map.time),
        ..Stamp::default()
    };
    let message = text(&map.message_id);
    if let Some(catalog) = &map.catalog {
        let tools = record.pointer(&catalog.each).and_then(Value::as_array).into_iter().flatten();
        let names = tools.filter_map(|tool| match &catalog.name {
            None => tool.as_str(),
            Some(name) => tool.pointer(name)?.as_str(),
        });
        let names: Vec<Cow<'_, str>> = names.map(Cow::Borrowed).collect();
        if !names.is_empty() {
            sink.event(LogEvent::Catalog(names));
        }
    }
    let before = *count;
    calls(map, record, (message.as_deref(), &stamp), count, places, sink);
    let has_call = *count > before;
    if let Some(results) = &map.results {
        for item in each(record, results.each.as_deref(), &results.when) {
            let Some(id) = scalar(item, Some(&results.call_id)) else { continue };
            places.go(Some(&id), sink);
            let (error, said) = outcome(item, &results.result, &results.error, &results.error_is);
            tell_answer(by_id(Some(&id), None), said, error, &stamp, sink);
        }
    }
    let Some(texts) = &map.texts else { return };
    for item in each(record, texts.each.as_deref(), &texts.when) {
        let said = words(item.pointer(&texts.text));
        if said.is_empty() {
            continue;
        }
        // A message with a call owes none.
        let speaker = if has_call { Speaker::Other } else { Speaker::Assistant };
        let (message, stamp) = (message.clone(), stamp.clone());
        sink.event(LogEvent::Text(Text { message, speaker, text: said, ends_turn: None, stamp }));
    }
    if texts.user.is_empty() {
        return;
    }
    for item in each(record, texts.each.as_deref(), &texts.user) {
        let (speaker, text, stamp) = (Speaker::User, words(item.pointer(&texts.text)), stamp.clone());
        sink.event(LogEvent::Text(Text { message: None, speaker, text, ends_turn: None, stamp }));
    }
}

/// Tells the calls of a record, and counts them.
fn calls(
    map: &LogMap,
    record: &Value,
    (message, stamp): (Option<&str>, &Stamp<'_>),
    count: &mut u32,
    places: &mut Locator<'_>,
    sink: &mut dyn Sink,
) {
    let calls = &map.calls;
    let answers = calls.result.is_some() || calls.error.is_some();
    for item in each(record, calls.each.as_deref(), &calls.when) {
        let Some(name) = item.pointer(&calls.name).and_then(Value::as_str) else { continue };
        let id = scalar(item, calls.id.as_deref());
        places.go(id.as_deref().or(Some(name)), sink);
        let which = match calls.id {
            Some(_) => by_id(id.as_deref(), message),
            None => CallName::Place { at: *count, id: None },
        };
        *count += 1;
        let given = calls.arguments.as_deref().and_then(|pointer| arguments(item.pointer(pointer)));
        tell_call(which.clone(), name, given, stamp, sink);
        let came_back = |pointer: &Option<String>| {
            pointer.as_deref().and_then(|pointer| item.pointer(pointer)).is_some_and(|value| !value.is_null())
        };
        if answers && (came_back(&calls.result) || came_back(&calls.error)) {
            let (error, said) = outcome(item, &calls.result, &calls.error, &calls.error_is);
            let of = match which {
                CallName::Id { call, .. } => CallName::Id { call, message: None },
                placed => placed,
            };
            tell_answer(of, said, error, stamp, sink);
        }
    }
}

/// What a record holds at `each`, or itself, where the conditions hold.
fn each<'a>(
    record: &'a Value,
    pointer: Option<&str>,
    when: &'a IndexMap<String, Value>,
) -> impl Iterator<Item = &'a Value> {
    let found = match pointer {
        None => std::slice::from_ref(record),
        Some(pointer) => record.pointer(pointer).map_or(&[][..], records),
    };
    found.iter().filter(|item| when.iter().all(|(at, wanted)| item.pointer(at) == Some(wanted)))
}

/// Whether it is an error, where the map says where that stands, and what came back.
fn outcome<'a>(
    item: &'a Value,
    result: &Option<String>,
    error: &Option<String>,
    error_is: &[Value],
) -> (Option<bool>, Cow<'a, str>) {
    let at = |pointer: &Option<String>| pointer.as_deref().and_then(|pointer| item.pointer(pointer));
    let (told, said) = (at(error), words(at(result)));
    let is_error = error.as_ref().map(|_| match told {
        None => false,
        Some(value) if !error_is.is_empty() => error_is.contains(value),
        Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(_) => true,
    });
    let is_text = told.is_some_and(|told| told.is_string() || told.is_object() || told.is_array());
    let said = if said.is_empty() && is_error == Some(true) && is_text { words(told) } else { said };
    (is_error, said)
}

/// A text or number, as text.
fn scalar<'a>(value: &'a Value, pointer: Option<&str>) -> Option<Cow<'a, str>> {
    match value.pointer(pointer?)? {
        Value::String(text) if !text.is_empty() => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}
