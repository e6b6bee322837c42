//! The log formats: how each is recognised, and how a line or a document of it becomes events.

mod anthropic_messages;
mod attributes;
mod chat_messages;
mod claude_code;
mod codex;
mod conversation;
mod gemini_chat;
mod langfuse;
mod langsmith;
pub(crate) mod mapped;
mod opencode;
mod openhands;
mod openinference;
mod otlp;
mod pi;
mod responses_items;
mod sample;
mod span;
mod swe_agent;
mod value;

pub(crate) use sample::{Sample, without_bom};

use crate::event::Sink;

/// One log format. Everything that counting needs to know of it stands here.
pub struct LogFormat {
    /// Its name, as reports and files write it.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Whether the program that writes it reports absent tools in words of its own, so that those of other
    /// frameworks are quotations.
    pub(crate) has_own_words: bool,
    /// Whether a result that is not marked as an error is none, so that it reports nothing.
    pub(crate) marks_errors: bool,
    /// Whether a log is of this format, told from its beginning.
    pub(crate) recognise: fn(&Sample<'_>) -> bool,
    /// Turns one line, or a whole document, into events.
    pub(crate) read: fn(&[u8], &mut dyn Sink) -> Read,
    /// Looks at a line without parsing it. Only formats that are mined by the gigabyte have one.
    pub(crate) glance: Option<GlanceAt>,
    /// Whether every line of it can be read without those before it: long files are then read in pieces.
    pub(crate) lines_stand_alone: bool,
    /// Whether only the first lines name the session, so that a piece from further on lacks it.
    pub(crate) session_stands_first: bool,
    /// How two calls of one id and one session are told from one that is written twice, where messages have no ids.
    pub(crate) namesakes: Namesakes,
}

/// By what a call is told from another that has its id, in a session whose messages have no ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Namesakes {
    /// By nothing: the id is the call.
    Never,
    /// A session writes a call once, so one of another name or time in it is another. A fork's copies have times of
    /// their own.
    ByTime,
    /// What runs a call has an id of its own, which no copy changes.
    ByLineId,
}

/// Looks at one line.
pub(crate) type GlanceAt = fn(&[u8], &mut dyn Sink) -> Glance;

/// How reading a line or document went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// Well.
    Done,
    /// It is JSON, and no object or list that the format could hold.
    NoObject,
    /// It is no JSON.
    Bad,
}

/// What a glance at a line told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glance {
    /// All that it holds has been told.
    Told,
    /// Nothing in it can matter for the figures.
    Skipped,
    /// It has to be parsed.
    Parse,
}

/// Every log format, in the order in which they are tried. The first that recognises a log reads it, so the more
/// particular ones come first.
pub const LOG_FORMATS: &[LogFormat] = &[
    claude_code::FORMAT,
    codex::FORMAT,
    pi::FORMAT,
    gemini_chat::FORMAT,
    opencode::FORMAT,
    openhands::FORMAT,
    swe_agent::FORMAT,
    otlp::FORMAT,
    openinference::FORMAT,
    langfuse::FORMAT,
    langsmith::FORMAT,
    anthropic_messages::FORMAT,
    responses_items::FORMAT,
    chat_messages::FORMAT,
    mapped::FORMAT,
];

/// The row of logs that are read by a map: the last.
pub(crate) const MAPPED: usize = LOG_FORMATS.len() - 1;

/// The format of this name.
#[cfg(test)]
pub(crate) fn by_name(name: &str) -> Option<&'static LogFormat> {
    LOG_FORMATS.iter().find(|format| format.name == name)
}

/// The format of a log: the first that any of its first lines tells.
pub(crate) fn recognised(sample: &mut Sample<'_>) -> Option<usize> {
    loop {
        let found = LOG_FORMATS.iter().position(|format| (format.recognise)(sample));
        // Further lines could only tell a format that stands before it.
        if found == Some(0) || !sample.read_on() {
            return found;
        }
    }
}
