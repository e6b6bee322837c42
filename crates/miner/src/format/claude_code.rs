//! Claude Code: `~/.claude/projects/<project>/<session>.jsonl`, its sub-agents' files, and the output of
//! `--output-format stream-json`.
//!
//! A line holds one block of a message; a message's id stands on many lines. `toolUseResult` repeats what the
//! content says, and `agent_progress` lines repeat what a sub-agent's own file says.

mod glance;

use std::borrow::Cow;

use crate::event::{Answer, Call, CallName, Context, LogEvent, Origin, Sink, Speaker, Stamp, Text};
use crate::format::{LogFormat, Namesakes, Read, Sample};
use crate::json::{Content, Flag, List, Raw, Str, object, read};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "claude_code",
    summary: "session files of Claude Code, its sub-agents, and its stream-json output",
    has_own_words: true,
    marks_errors: false,
    recognise,
    read: read_line,
    glance: Some(glance::glance),
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::Never,
};

object! {
    /// A line.
    struct Line<'a> {
        kind: Str<'a> = "type",
        uuid: Str<'a> = "uuid",
        session: Str<'a> = "sessionId" | "session_id",
        time: Str<'a> = "timestamp",
        version: Str<'a> = "version" | "claude_code_version",
        cwd: Str<'a> = "cwd",
        is_side: Flag = "isSidechain",
        is_meta: Flag = "isMeta",
        is_summary: Flag = "isCompactSummary",
        agent: Str<'a> = "agentId",
        parent_call: Str<'a> = "parent_tool_use_id",
        forked_from: Fork<'a> = "forkedFrom",
        message: Message<'a> = "message",
        data: Progress<'a> = "data",
        tools: List<Str<'a>> = "tools",
        model: Str<'a> = "model",
    }
}

object! {
    /// Where a session was forked from.
    struct Fork<'a> { session: Str<'a> = "sessionId", }
}

object! {
    /// What a `progress` line reports.
    struct Progress<'a> { kind: Str<'a> = "type", message: Mirrored<'a> = "message", }
}

object! {
    /// A sub-agent's line inside its parent's.
    struct Mirrored<'a> {
        kind: Str<'a> = "type",
        uuid: Str<'a> = "uuid",
        time: Str<'a> = "timestamp",
        message: Message<'a> = "message",
    }
}

object! {
    /// A message, or one block of it.
    struct Message<'a> {
        id: Str<'a> = "id",
        role: Str<'a> = "role",
        model: Str<'a> = "model",
        content: Content<'a, Block<'a>> = "content",
        stop: Str<'a> = "stop_reason",
    }
}

object! {
    /// A block of a message.
    struct Block<'a> {
        kind: Str<'a> = "type",
        id: Str<'a> = "id",
        name: Str<'a> = "name",
        input: Raw<'a> = "input",
        text: Str<'a> = "text",
        thinking: Str<'a> = "thinking",
        answers: Str<'a> = "tool_use_id",
        is_error: Flag = "is_error",
        content: Content<'a, Block<'a>> = "content",
    }
}

/// Types of lines that no other log has.
const OWN_TYPES: &[&str] = &["summary", "file-history-snapshot", "queue-operation"];

fn recognise(sample: &Sample<'_>) -> bool {
    let is_line = |value: &serde_json::Value| {
        let text = |key: &str| value.get(key).and_then(serde_json::Value::as_str);
        let kind = text("type").unwrap_or_default();
        let of_session = text("sessionId").is_some() || text("session_id").is_some();
        (of_session && (value.get("message").is_some() || value.get("uuid").is_some() || kind == "system"))
            || (OWN_TYPES.contains(&kind) && (text("leafUuid").or(text("messageId")).is_some() || of_session))
            // excerpts and hand-made logs
            || (matches!(kind, "user" | "assistant")
                && value.get("message").is_some_and(|message| message.get("content").is_some())
                && (text("uuid").is_some() || text("timestamp").is_some()))
            || (kind == "assistant" && value.pointer("/message/type").is_some_and(|kind| kind == "message"))
    };
    sample.any(is_line)
        || (sample.is_cut() && sample.mentions("\"sessionId\":") && sample.mentions("\"parentUuid\":"))
}

fn read_line(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let mut mended = Vec::new();
    let Ok(line) = read::<Line<'_>>(bytes, &mut mended) else { return Read::Bad };
    if !line.is_object {
        return Read::NoObject;
    }
    tell(&line, sink);
    Read::Done
}

fn tell(line: &Line<'_>, sink: &mut dyn Sink) {
    if let Some(time) = &line.time.0 {
        sink.event(LogEvent::Moment(Cow::Borrowed(time)));
    }
    if let (Some(parent), Some(session)) = (&line.forked_from.session.0, &line.session.0) {
        let context = Context {
            session: Some(Cow::Borrowed(session)),
            parent: Some(Cow::Borrowed(parent)),
            ..Context::default()
        };
        sink.event(LogEvent::Context(context));
    }
    if !line.tools.0.is_empty() && line.kind.is("system") {
        let names = line.tools.0.iter().filter_map(|name| name.as_deref().map(Cow::Borrowed)).collect();
        sink.event(LogEvent::Catalog(names));
    }
    if matches!(line.kind.as_deref(), Some("user" | "assistant")) {
        let is_side = line.is_side.0 == Some(true) || line.agent.0.is_some() || line.parent_call.0.is_some();
        let origin = if is_side { Origin::SubAgent } else { Origin::Agent };
        let stamp = Stamp {
            context: context(line, &line.message.model),
            uuid: owned(&line.uuid),
            time: owned(&line.time),
            origin,
        };
        // What the program itself writes in the user's place is nobody's words.
        let is_own = line.is_meta.0 == Some(true) || line.is_summary.0 == Some(true);
        let kind = line.kind.as_deref().filter(|_| !is_own);
        tell_message(&line.message, kind, &stamp, sink);
    } else if line.kind.is("progress") && line.data.kind.is("agent_progress") {
        let mirrored = &line.data.message;
        let stamp = Stamp {
            context: context(line, &mirrored.message.model),
            uuid: owned(&mirrored.uuid),
            time: owned(&mirrored.time),
            origin: Origin::Mirror,
        };
        tell_message(&mirrored.message, mirrored.kind.as_deref(), &stamp, sink);
    }
}

fn tell_message(message: &Message<'_>, kind: Option<&str>, stamp: &Stamp<'_>, sink: &mut dyn Sink) {
    let says = |text: &str, speaker: Speaker, sink: &mut dyn Sink| {
        let ends_turn = message.stop.as_deref().map(|stop| matches!(stop, "end_turn" | "stop_sequence"));
        sink.event(LogEvent::Text(Text {
            message: message.id.as_deref().map(Cow::Borrowed),
            speaker,
            text: Cow::Borrowed(text),
            ends_turn,
            stamp: stamp.clone(),
        }));
    };
    let speaker = Speaker::of_role(kind);
    let blocks = match &message.content {
        Content::Nothing => return,
        Content::Text(text) => return says(text, speaker, sink),
        Content::Blocks(blocks) => blocks,
    };
    for block in blocks {
        match block.kind.as_deref() {
            Some("tool_use") => sink.event(LogEvent::Call(call(block, message, stamp))),
            Some("tool_result") => sink.event(LogEvent::Answer(answer(block, stamp))),
            Some("server_tool_use" | "mcp_tool_use") => {
                let name = block.name.as_deref().unwrap_or_default();
                sink.event(LogEvent::ProviderCall(Cow::Borrowed(name)));
            }
            Some("text") => says(block.text.as_deref().unwrap_or_default(), speaker, sink),
            Some("thinking") => {
                says(block.thinking.as_deref().unwrap_or_default(), Speaker::Reasoning, sink);
            }
            _ => {}
        }
    }
}

fn call<'a>(block: &'a Block<'_>, message: &'a Message<'_>, stamp: &Stamp<'a>) -> Call<'a> {
    Call {
        which: CallName::Id {
            call: block.id.as_deref().map(Cow::Borrowed),
            message: message.id.as_deref().map(Cow::Borrowed),
        },
        name: Cow::Borrowed(block.name.as_deref().unwrap_or_default()),
        arguments: block.input.0.map(|input| Cow::Borrowed(input.get())),
        stamp: stamp.clone(),
    }
}

fn answer<'a>(block: &'a Block<'_>, stamp: &Stamp<'a>) -> Answer<'a> {
    let text = match &block.content {
        Content::Nothing => "",
        Content::Text(text) => text,
        Content::Blocks(blocks) => blocks.iter().find_map(|block| block.text.as_deref()).unwrap_or_default(),
    };
    Answer {
        of: CallName::Id { call: block.answers.as_deref().map(Cow::Borrowed), message: None },
        text: Cow::Borrowed(text),
        is_error: block.is_error.0,
        stamp: stamp.clone(),
    }
}

fn context<'a>(line: &'a Line<'_>, model: &'a Str<'_>) -> Context<'a> {
    Context {
        session: owned(&line.session),
        model: owned(model),
        version: owned(&line.version),
        project: owned(&line.cwd),
        parent: None,
    }
}

fn owned<'a>(text: &'a Str<'_>) -> Option<Cow<'a, str>> {
    text.as_deref().map(Cow::Borrowed)
}
