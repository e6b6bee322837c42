//! SWE-agent: `.traj` documents. The calls of `history` count by their places, since ids repeat there for other
//! acts; where history has none, each step of the trajectory is one action, named by its first word. Histories that
//! steps repeat (`messages`, `query`) are never read.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::event::{Sink, Stamp};
use crate::format::conversation::Conversation;
use crate::format::{LogFormat, Namesakes, Read, Sample};
use crate::json::{Content, Flag, List, Raw, Str, object, read};

/// The entry in the table.
pub(crate) const FORMAT: LogFormat = LogFormat {
    name: "swe_agent",
    summary: "trajectories of SWE-agent",
    has_own_words: false,
    marks_errors: false,
    recognise,
    read: read_document,
    glance: None,
    lines_stand_alone: true,
    session_stands_first: false,
    namesakes: Namesakes::Never,
};

object! {
    /// A trajectory.
    struct Trajectory<'a> {
        steps: List<&'a RawValue> = "trajectory",
        history: List<&'a RawValue> = "history",
    }
}

object! {
    /// A step.
    struct Step<'a> { action: Str<'a> = "action", observation: Str<'a> = "observation", }
}

object! {
    /// A message of the history.
    struct Message<'a> {
        role: Str<'a> = "role",
        is_demonstration: Flag = "is_demo",
        content: Content<'a, Block<'a>> = "content",
        calls: List<ToolCall<'a>> = "tool_calls",
        answers: List<Str<'a>> = "tool_call_ids",
        answers_one: Str<'a> = "tool_call_id",
    }
}

object! {
    /// A piece of a content.
    struct Block<'a> { text: Str<'a> = "text", }
}

object! {
    /// A call.
    struct ToolCall<'a> { id: Str<'a> = "id", function: Function<'a> = "function", }
}

object! {
    /// What is called.
    struct Function<'a> { name: Str<'a> = "name", arguments: Raw<'a> = "arguments", }
}

fn recognise(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        let steps = record.get("trajectory").and_then(serde_json::Value::as_array);
        steps.is_some_and(|steps| steps.iter().any(|step| step.get("action").is_some()))
            && record.get("history").is_some()
    }) || (sample.is_cut()
        && sample.mentions("\"trajectory\"")
        && sample.mentions("\"action\"")
        && sample.mentions("\"observation\""))
}

fn read_document(bytes: &[u8], sink: &mut dyn Sink) -> Read {
    let mut mended = Vec::new();
    let Ok(trajectory) = read::<Trajectory<'_>>(bytes, &mut mended) else { return Read::Bad };
    if !trajectory.is_object {
        return Read::NoObject;
    }
    let mut conversation = Conversation::begin(bytes, sink);
    let mut has_calls = false;
    for item in &trajectory.history.0 {
        sink.at(bytes, item.get().as_bytes());
        has_calls |= message(item, &mut conversation, sink);
    }
    if !has_calls {
        for item in &trajectory.steps.0 {
            sink.at(bytes, item.get().as_bytes());
            step(item, &mut conversation, sink);
        }
    }
    Read::Done
}

/// Tells a message of the history; whether it has a call.
fn message(item: &RawValue, conversation: &mut Conversation, sink: &mut dyn Sink) -> bool {
    let mut mended = Vec::new();
    let Ok(message) = read::<Message<'_>>(item.get().as_bytes(), &mut mended) else { return false };
    if message.is_demonstration.0 == Some(true) {
        return false;
    }
    for call in &message.calls.0 {
        let name = call.function.name.as_deref().unwrap_or_default();
        let arguments = call.function.arguments.0.map(|raw| {
            let text = serde_json::from_str::<String>(raw.get());
            text.map_or_else(|_| Cow::Borrowed(raw.get()), Cow::Owned)
        });
        conversation.call(call.id.as_deref(), name, arguments, Stamp::default(), sink);
    }
    let answered = message.answers.0.first().and_then(|id| id.as_deref()).or(message.answers_one.as_deref());
    if let (Some("tool"), Some(id)) = (message.role.as_deref(), answered) {
        let text = match &message.content {
            Content::Nothing => "",
            Content::Text(text) => text,
            Content::Blocks(blocks) => {
                blocks.iter().find_map(|block| block.text.as_deref()).unwrap_or_default()
            }
        };
        conversation.answer(Some(id), Cow::Borrowed(text), None, Stamp::default(), sink);
    }
    !message.calls.0.is_empty()
}

fn step(item: &RawValue, conversation: &mut Conversation, sink: &mut dyn Sink) {
    let mut mended = Vec::new();
    let Ok(step) = read::<Step<'_>>(item.get().as_bytes(), &mut mended) else { return };
    let Some(name) = step.action.as_deref().and_then(|action| action.split_whitespace().next()) else {
        return;
    };
    conversation.call(None, name, None, Stamp::default(), sink);
    if let Some(observation) = step.observation.as_deref() {
        conversation.answer(None, Cow::Borrowed(observation), None, Stamp::default(), sink);
    }
}
