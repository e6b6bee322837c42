//! Messages of chat completions: a record is a conversation, as a list of messages or under a key, with the tools
//! beside it where the log has them. The trajectories of tau-bench and LiveMCPBench are such records.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::event::{LogEvent, Sink, Speaker, Stamp, Text};
use crate::format::conversation::Conversation;
use crate::format::{LogFormat, Namesakes, Read, Sample};
use crate::json::{Content, List, Raw, Str, object, read};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "chat_messages",
    summary: "conversations as lists of chat-completions messages, one a record",
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
    /// A record: a conversation with what stands beside it.
    struct Record<'a> {
        messages: List<&'a RawValue> = "messages" | "traj" | "trajectory" | "conversation" | "conversations",
        tools: List<Offer<'a>> = "tools" | "functions",
        model: Str<'a> = "model",
        session: Str<'a> = "session_id" | "thread_id",
        time: Str<'a> = "timestamp" | "created_at",
        choices: List<Choice<'a>> = "choices",
    }
}

object! {
    /// One of the answers of a response.
    struct Choice<'a> { message: Raw<'a> = "message", }
}

object! {
    /// A tool that was offered.
    struct Offer<'a> { function: Function<'a> = "function", name: Str<'a> = "name", }
}

object! {
    /// A message.
    struct Message<'a> {
        role: Str<'a> = "role",
        content: Content<'a, Block<'a>> = "content",
        calls: List<ToolCall<'a>> = "tool_calls",
        old_call: Function<'a> = "function_call",
        answers: Str<'a> = "tool_call_id",
        name: Str<'a> = "name",
        time: Str<'a> = "timestamp",
    }
}

object! {
    /// A call.
    struct ToolCall<'a> { id: Str<'a> = "id", function: Function<'a> = "function" | "custom", }
}

object! {
    /// What is called.
    struct Function<'a> { name: Str<'a> = "name", arguments: Raw<'a> = "arguments" | "input", }
}

object! {
    /// A piece of a content.
    struct Block<'a> { text: Str<'a> = "text", }
}

fn recognise(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        let lists = ["messages", "traj", "trajectory", "conversation", "conversations"];
        let messages =
            record.as_array().or_else(|| lists.iter().find_map(|key| record.get(*key)?.as_array()));
        messages.is_some_and(|messages| !messages.is_empty() && messages.iter().all(is_message))
            || record.pointer("/choices/0/message/role").is_some()
    }) || (sample.is_cut() && sample.mentions("\"tool_calls\"") && sample.mentions("\"tool_call_id\""))
}

/// Blocks of other formats' messages are told by their types: those are not read here.
fn is_message(message: &serde_json::Value) -> bool {
    let block_types = ["tool_use", "tool_result", "toolCall", "tool-call", "tool-result"];
    let blocks = message.get("content").and_then(serde_json::Value::as_array);
    let is_other = blocks.is_some_and(|blocks| {
        blocks
            .iter()
            .any(|block| block_types.iter().any(|kind| block.get("type").is_some_and(|own| own == kind)))
    });
    message.get("role").is_some_and(serde_json::Value::is_string)
        && (message.get("content").is_some() || message.get("tool_calls").is_some())
        && !is_other
}

fn read_record(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let mut mended = Vec::new();
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        let Ok(items) = read::<Vec<&RawValue>>(bytes, &mut mended) else { return Read::Bad };
        return list(bytes, &items, sink);
    }
    let Ok(record) = read::<Record<'_>>(bytes, &mut mended) else { return Read::Bad };
    if !record.is_object {
        return Read::NoObject;
    }
    tell(bytes, bytes, &record, sink);
    Read::Done
}

/// A list is one conversation, or a list of records.
fn list(bytes: &[u8], items: &[&RawValue], sink: &mut dyn Sink) -> Read {
    let mut mended = Vec::new();
    let first = items.first().map(|first| read::<Message<'_>>(first.get().as_bytes(), &mut mended));
    if matches!(first, Some(Ok(first)) if first.role.0.is_some()) {
        let mut conversation = Conversation::begin(bytes, sink);
        for item in items {
            message(bytes, item, &Stamp::default(), &mut conversation, sink);
        }
        return Read::Done;
    }
    for item in items {
        let mut mended = Vec::new();
        sink.at(bytes, item.get().as_bytes());
        match read::<Record<'_>>(item.get().as_bytes(), &mut mended) {
            Ok(record) if record.is_object => tell(bytes, item.get().as_bytes(), &record, sink),
            Ok(_) => {}
            Err(_) => return Read::Bad,
        }
    }
    Read::Done
}

fn tell(whole: &[u8], own: &[u8], record: &Record<'_>, sink: &mut dyn Sink) {
    let names =
        record.tools.0.iter().filter_map(|tool| tool.function.name.as_deref().or(tool.name.as_deref()));
    let names: Vec<Cow<'_, str>> = names.map(Cow::Borrowed).collect();
    if !names.is_empty() {
        sink.event(LogEvent::Catalog(names));
    }
    let mut stamp = Stamp { time: record.time.as_deref().map(Cow::Borrowed), ..Stamp::default() };
    stamp.context.model = record.model.as_deref().map(Cow::Borrowed);
    stamp.context.session = record.session.as_deref().map(Cow::Borrowed);
    let mut conversation = Conversation::begin(own, sink);
    for item in &record.messages.0 {
        message(whole, item, &stamp, &mut conversation, sink);
    }
    for choice in record.choices.0.iter().filter_map(|choice| choice.message.0) {
        message(whole, choice, &stamp, &mut conversation, sink);
    }
}

fn message(
    whole: &[u8],
    item: &RawValue,
    stamp: &Stamp<'_>,
    conversation: &mut Conversation,
    sink: &mut dyn Sink,
) {
    let own = item.get().as_bytes();
    sink.at(whole, own);
    let mut mended = Vec::new();
    let Ok(message) = read::<Message<'_>>(own, &mut mended) else { return };
    let mut stamp = stamp.clone();
    if let Some(time) = message.time.as_deref() {
        stamp.time = Some(Cow::Owned(time.to_owned()));
    }
    let text = words(&message.content);
    match message.role.as_deref() {
        Some("tool" | "function") => {
            let id = message.answers.as_deref();
            conversation.answer(id, text, None, stamp, sink);
        }
        Some("assistant") => {
            let calls = &message.calls.0;
            for call in calls {
                let name = call.function.name.as_deref().unwrap_or_default();
                conversation.call(call.id.as_deref(), name, arguments(&call.function), stamp.clone(), sink);
            }
            let has_call = !calls.is_empty() || message.old_call.is_object;
            if message.old_call.is_object {
                let name = message.old_call.name.as_deref().unwrap_or_default();
                conversation.call(None, name, arguments(&message.old_call), stamp.clone(), sink);
            }
            // A message with a call owes none.
            let speaker = if has_call { Speaker::Other } else { Speaker::Assistant };
            sink.event(LogEvent::Text(Text { message: None, speaker, text, ends_turn: None, stamp }));
        }
        role => {
            let speaker = if role == Some("user") { Speaker::User } else { Speaker::Other };
            sink.event(LogEvent::Text(Text { message: None, speaker, text, ends_turn: None, stamp }));
        }
    }
}

/// Arguments are JSON in a string; some logs hold the object itself.
fn arguments<'a>(function: &Function<'a>) -> Option<Cow<'a, str>> {
    let raw = function.arguments.0?.get();
    match serde_json::from_str::<String>(raw) {
        Ok(text) => Some(Cow::Owned(text)),
        Err(_) => Some(Cow::Borrowed(raw)),
    }
}

fn words<'a>(content: &'a Content<'_, Block<'_>>) -> Cow<'a, str> {
    match content {
        Content::Nothing => Cow::Borrowed(""),
        Content::Text(text) => Cow::Borrowed(text),
        Content::Blocks(blocks) => match blocks.as_slice() {
            [block] => Cow::Borrowed(block.text.as_deref().unwrap_or_default()),
            blocks => {
                let texts: Vec<&str> = blocks.iter().filter_map(|block| block.text.as_deref()).collect();
                Cow::Owned(texts.join("\n"))
            }
        },
    }
}
