//! Codex CLI: `~/.codex/sessions/Y/M/D/rollout-*.jsonl`, and the bare items of its first releases.
//!
//! `response_item` lines are what the model wrote and was given; `event_msg` lines mirror their text and are never
//! counted. A session says who it is on its first line.

use std::borrow::Cow;

use crate::event::{Answer, Call, CallName, Context, LogEvent, Sink, Speaker, Stamp, Text};
use crate::format::{LogFormat, Namesakes, Read, Sample};
use crate::json::{Content, Raw, Str, object, read};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "codex",
    summary: "rollout files of Codex CLI",
    has_own_words: true,
    marks_errors: false,
    recognise,
    read: read_line,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: true,
    namesakes: Namesakes::ByTime,
};

object! {
    /// A line. Those of the first releases are bare items.
    struct Line<'a> {
        kind: Str<'a> = "type",
        time: Str<'a> = "timestamp",
        record: Str<'a> = "record_type",
        payload: Raw<'a> = "payload",
        id: Str<'a> = "id",
    }
}

object! {
    /// What a line holds.
    struct Item<'a> {
        kind: Str<'a> = "type",
        id: Str<'a> = "id",
        call_id: Str<'a> = "call_id",
        name: Str<'a> = "name",
        namespace: Str<'a> = "namespace",
        arguments: Str<'a> = "arguments" | "input",
        output: Content<'a, Block<'a>> = "output",
        role: Str<'a> = "role",
        content: Content<'a, Block<'a>> = "content",
        cwd: Str<'a> = "cwd",
        version: Str<'a> = "cli_version",
        model: Str<'a> = "model",
        forked_from: Str<'a> = "forked_from_id",
    }
}

object! {
    /// A piece of a content.
    struct Block<'a> { text: Str<'a> = "text", }
}

fn recognise(sample: &Sample<'_>) -> bool {
    let text = |value: &serde_json::Value, key: &str| value.get(key)?.as_str().map(str::to_owned);
    sample.any(|line| {
        let kind = text(line, "type").unwrap_or_default();
        (matches!(
            kind.as_str(),
            "session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted"
        ) && line.get("payload").is_some())
            || text(line, "record_type").is_some_and(|kind| kind == "state")
    }) || (sample.is_cut() && sample.mentions("\"session_meta\"") && sample.mentions("\"cli_version\""))
}

fn read_line(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let mut mended = Vec::new();
    let Ok(line) = read::<Line<'_>>(bytes, &mut mended) else { return Read::Bad };
    if !line.is_object {
        return Read::NoObject;
    }
    let time = line.time.as_deref();
    if let Some(time) = time {
        sink.event(LogEvent::Moment(Cow::Borrowed(time)));
    }
    let own = line.payload.0.map_or(bytes, |payload| payload.get().as_bytes());
    let is_bare = line.payload.0.is_none() && line.record.0.is_none();
    let mut mended = Vec::new();
    let Ok(item) = read::<Item<'_>>(own, &mut mended) else { return Read::Bad };
    match line.kind.as_deref() {
        Some("session_meta" | "turn_context") => sink.event(LogEvent::Context(context(&item))),
        Some("response_item") => tell(&item, time, sink),
        // The first line of a bare log: the session, with its id and time and no type.
        None if is_bare && line.id.0.is_some() => sink.event(LogEvent::Context(context(&item))),
        Some(_) if is_bare => tell(&item, time, sink),
        _ => {}
    }
    Read::Done
}

fn context<'a>(item: &'a Item<'_>) -> Context<'a> {
    let text = |text: &'a Str<'_>| text.as_deref().map(Cow::Borrowed);
    Context {
        session: text(&item.id),
        parent: text(&item.forked_from),
        model: text(&item.model),
        version: text(&item.version),
        project: text(&item.cwd),
    }
}

fn tell(item: &Item<'_>, time: Option<&str>, sink: &mut dyn Sink) {
    let stamp = Stamp { time: time.map(Cow::Borrowed), ..Stamp::default() };
    let id = item.call_id.as_deref().or(item.id.as_deref()).map(Cow::Borrowed);
    let which = CallName::Id { call: id, message: None };
    let kind = item.kind.as_deref().unwrap_or_default();
    match kind {
        "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" => {
            let bare = match kind {
                "local_shell_call" => "local_shell",
                "tool_search_call" => "tool_search",
                _ => item.name.as_deref().unwrap_or_default(),
            };
            let name = item.namespace.as_deref().filter(|space| !space.is_empty());
            let name = name.map_or(Cow::Borrowed(bare), |space| Cow::Owned(format!("{space}{bare}")));
            let arguments = item.arguments.as_deref().map(Cow::Borrowed);
            sink.event(LogEvent::Call(Call { which, name, arguments, stamp }));
        }
        "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
            let text = words(&item.output);
            sink.event(LogEvent::Answer(Answer { of: which, text, is_error: None, stamp }));
        }
        // These run at the provider and have no call id.
        "web_search_call" | "file_search_call" | "code_interpreter_call" | "image_generation_call" => {
            sink.event(LogEvent::ProviderCall(Cow::Borrowed(kind)));
        }
        "message" => {
            let speaker = Speaker::of_role(item.role.as_deref());
            let text = words(&item.content);
            sink.event(LogEvent::Text(Text { message: None, speaker, text, ends_turn: None, stamp }));
        }
        _ => {}
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
