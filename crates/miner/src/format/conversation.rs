//! Conversations that stand whole in one record: calls and answers are paired by their places, since ids repeat.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::event::{Answer, Call, CallName, LogEvent, Sink, Stamp};

/// The calls of one conversation so far.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    count: u32,
    /// Unanswered calls by id, oldest first.
    open: HashMap<String, Vec<u32>>,
    /// Unanswered calls without an id, oldest first.
    nameless: Vec<u32>,
    /// The newest call of each id, answered or not.
    newest: HashMap<String, u32>,
}

impl Conversation {
    /// Begins one; `record` is all of it.
    pub(super) fn begin(record: &[u8], sink: &mut dyn Sink) -> Self {
        sink.event(LogEvent::Conversation(record));
        Self::default()
    }

    /// Tells a call.
    pub(super) fn call(
        &mut self,
        id: Option<&str>,
        name: &str,
        arguments: Option<Cow<'_, str>>,
        stamp: Stamp<'_>,
        sink: &mut dyn Sink,
    ) {
        let at = self.count;
        self.count += 1;
        match id {
            Some(id) => {
                self.open.entry(id.to_owned()).or_default().push(at);
                self.newest.insert(id.to_owned(), at);
            }
            None => self.nameless.push(at),
        }
        let which = CallName::Place { at, id: id.map(Cow::Borrowed) };
        sink.event(LogEvent::Call(Call { which, name: Cow::Borrowed(name), arguments, stamp }));
    }

    /// Tells an answer: to the oldest unanswered call of its id, or of all without one.
    pub(super) fn answer(
        &mut self,
        id: Option<&str>,
        text: Cow<'_, str>,
        is_error: Option<bool>,
        stamp: Stamp<'_>,
        sink: &mut dyn Sink,
    ) {
        let open = match id {
            Some(id) => self.open.get_mut(id).filter(|open| !open.is_empty()),
            None => Some(&mut self.nameless).filter(|open| !open.is_empty()),
        };
        let at = match (open, id) {
            (Some(open), _) => Some(open.remove(0)),
            // A call that is answered again: the newest of its id.
            (None, Some(id)) => self.newest.get(id).copied(),
            (None, None) => None,
        };
        let of = match at {
            Some(at) => CallName::Place { at, id: id.map(Cow::Borrowed) },
            // No call of the conversation: told apart from all others by its id.
            None => CallName::Id { call: Some(Cow::Borrowed(id.unwrap_or_default())), message: None },
        };
        sink.event(LogEvent::Answer(Answer { of, text, is_error, stamp }));
    }
}
