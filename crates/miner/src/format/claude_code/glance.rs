//! A look at a line's bytes that saves parsing it.
//!
//! An unescaped quoted word can only be structure: inside a JSON string its quotes carry backslashes. So a search
//! for `"tool_use` finds every line that can hold a call or an answer, and a line without it holds neither. The
//! common answer, one block in the form in which Claude Code writes it and without an error mark, is told from
//! its bytes; everything else is parsed. What is told or skipped here is not validated.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::event::{Answer, CallName, Context, LogEvent, Origin, Sink, Stamp};
use crate::format::Glance;

static TOOL_USE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"tool_use"));
static IS_ERROR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"is_error\":true"));
static TIME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"timestamp\":\""));
static ASSISTANT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"assistant\""));
static TEXT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"text\""));
static PROVIDER_RUN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"server_tool_use\""));
static PROVIDER_MCP: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"mcp_tool_use\""));
static INIT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"init\""));

/// Around the id of an answer, as Claude Code writes it: both orders of its keys.
const AROUND: [(&[u8], &[u8]); 2] = [
    (b"\"message\":{\"role\":\"user\",\"content\":[{", b"\",\"type\":\"tool_result\",\"content\":"),
    (b"\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",", b"\",\"content\":"),
];

/// How far before the end of a line its time is looked for, where nothing else of it matters.
const TAIL: usize = 160;

/// The longest head of a line before its message.
const HEAD: usize = 2_048;

/// Looks at a line.
pub(super) fn glance(line: &[u8], sink: &mut dyn Sink) -> Glance {
    let Some(found) = TOOL_USE.find(line) else { return without_tools(line, sink) };
    answered(line, found, sink).map_or(Glance::Parse, |()| Glance::Told)
}

/// A line that holds neither call nor answer. Only what the model said can matter.
fn without_tools(line: &[u8], sink: &mut dyn Sink) -> Glance {
    // The type stands before the message or after it, never within: both ends of a long line are looked at.
    let ends =
        [line.get(..HEAD).unwrap_or(line), line.get(line.len().saturating_sub(HEAD)..).unwrap_or(line)];
    let is_said = ends.iter().any(|end| ASSISTANT.find(end).is_some())
        && [&TEXT, &PROVIDER_RUN, &PROVIDER_MCP].iter().any(|word| word.find(line).is_some());
    let is_catalog = ends.iter().any(|end| INIT.find(end).is_some());
    if is_said || is_catalog {
        return Glance::Parse;
    }
    let tail = line.get(line.len().saturating_sub(TAIL)..).unwrap_or(line);
    if let Some(time) = TIME.find(tail).and_then(|at| quoted(tail, at + TIME.needle().len())) {
        sink.event(LogEvent::Moment(Cow::Borrowed(time)));
    }
    Glance::Skipped
}

/// Tells the one answer of a line; `None` where it has to be parsed.
fn answered(line: &[u8], found: usize, sink: &mut dyn Sink) -> Option<()> {
    let (before, from) = line.split_at_checked(found)?;
    let rest = from.strip_prefix(b"\"tool_use_id\":\"")?;
    let (_, behind) =
        AROUND.iter().find(|(form, _)| before.ends_with(form)).filter(|_| before.len() <= HEAD)?;
    let id = quoted(rest, 0)?;
    let rest = rest.get(id.len()..)?.strip_prefix(*behind)?;
    // The message ends before the time: what stands behind it repeats the answer in a field that nobody reads.
    let at = TIME.find(rest)?;
    let (answer, behind) = rest.split_at_checked(at)?;
    // Parallel answers on one line are parsed, and so is an error.
    if TOOL_USE.find(answer).is_some() || IS_ERROR.find(answer).is_some() || !ends_message(answer) {
        return None;
    }
    let time = quoted(behind, TIME.needle().len())?;
    let session = member(before, b"\"sessionId\":\"");
    let is_side = memchr::memmem::find(before, b"\"isSidechain\":true").is_some();
    sink.event(LogEvent::Moment(Cow::Borrowed(time)));
    sink.event(LogEvent::Answer(Answer {
        of: CallName::Id { call: Some(Cow::Borrowed(id)), message: None },
        text: Cow::Borrowed(""),
        is_error: Some(false),
        stamp: Stamp {
            context: Context { session: session.map(Cow::Borrowed), ..Context::default() },
            uuid: None,
            time: Some(Cow::Borrowed(time)),
            origin: if is_side { Origin::SubAgent } else { Origin::Agent },
        },
    }));
    Some(())
}

/// Whether a line that was read up to its time has ended its message, and only the line's id follows.
fn ends_message(answer: &[u8]) -> bool {
    let tail = answer.get(answer.len().saturating_sub(TAIL)..).unwrap_or(answer);
    let Some(end) = memchr::memmem::rfind(tail, b"}]},\"uuid\":\"") else { return false };
    let id = end + b"}]},\"uuid\":\"".len();
    quoted(tail, id).is_some_and(|uuid| tail.get(id + uuid.len()..) == Some(b"\","))
}

fn member<'a>(head: &'a [u8], key: &[u8]) -> Option<&'a str> {
    quoted(head, memchr::memmem::find(head, key)? + key.len())
}

/// The string from `start` to its closing quote; `None` where it holds an escape or is no text.
fn quoted(bytes: &[u8], start: usize) -> Option<&str> {
    let rest = bytes.get(start..)?;
    let end = memchr::memchr2(b'"', b'\\', rest)?;
    if rest.get(end) != Some(&b'"') {
        return None;
    }
    std::str::from_utf8(rest.get(..end)?).ok()
}
