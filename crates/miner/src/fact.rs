//! Events without the bytes that they were read from: ids as hashes, texts as labels, answers judged.

use crate::absence::{ArgumentFault, Report};
use crate::event::Origin;
use crate::labels::Label;
use crate::owed::Owing;

/// One fact of a log, in its order.
#[derive(Debug)]
pub(crate) enum Fact {
    /// What holds from here on.
    Context(ContextFact),
    /// A conversation begins; the hash of its record.
    Conversation(u128),
    /// A call.
    Call(CallFact),
    /// An answer.
    Answer(Box<AnswerFact>),
    /// A call that ran at the provider.
    ProviderCall(Label),
    /// An action by the log's own word.
    Action(Label),
    /// A tool that was offered.
    Offered(Label),
    /// A text that may owe a call.
    Owing(Box<OwingFact>),
    /// Words of a user, where rules ask for them.
    Said(Box<SaidFact>),
    /// Words of the agent, where rules ask for them.
    Spoke(SpokeFact),
    /// Occurrences of the raw words that are no event.
    Raw { hits: RawHits, time: Option<i64>, project: Label },
}

/// Labels of what holds; 0 where nothing is said.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContextFact {
    pub(crate) session: Label,
    pub(crate) parent: Label,
    pub(crate) model: Label,
    pub(crate) version: Label,
    pub(crate) project: Label,
}

/// Where a fact comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origins {
    pub(crate) context: ContextFact,
    /// Hash of the line's id; 0 without one.
    pub(crate) uuid: u64,
    /// Milliseconds since 1970.
    pub(crate) time: Option<i64>,
    pub(crate) origin: Origin,
    /// The line, counted from 1 in its piece of the log.
    pub(crate) line: u64,
}

/// Which call: hashes, and 0 or `None` where there is no id.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Key {
    Id { call: Option<u128>, message: u64 },
    Place { at: u32, id: Option<u128> },
}

/// A call.
#[derive(Debug)]
pub(crate) struct CallFact {
    pub(crate) key: Key,
    pub(crate) name: Label,
    /// Tools that a router was told to run.
    pub(crate) inner: Vec<Label>,
    pub(crate) from: Origins,
}

/// An answer, judged.
#[derive(Debug)]
pub(crate) struct AnswerFact {
    pub(crate) key: Key,
    pub(crate) is_error: bool,
    pub(crate) is_inner_error: bool,
    pub(crate) report: Option<Report>,
    pub(crate) argument_faults: Vec<ArgumentFault>,
    /// How many raw occurrences the report itself is.
    pub(crate) raw: u64,
    pub(crate) from: Origins,
}

/// A text that may owe a call.
#[derive(Debug)]
pub(crate) struct OwingFact {
    /// Hash of the message's id; 0 without one.
    pub(crate) message: u64,
    /// Hash of the words.
    pub(crate) words: u64,
    pub(crate) owing: Owing,
    pub(crate) ends_turn: Option<bool>,
    pub(crate) from: Origins,
}

/// Words of a user.
#[derive(Debug)]
pub(crate) struct SaidFact {
    /// Hash of the message's id; 0 without one.
    pub(crate) message: u64,
    /// Hash of the words.
    pub(crate) words: u64,
    /// The rules that they mention, with what stands around the mention.
    pub(crate) mentions: Vec<(usize, Box<str>)>,
    pub(crate) from: Origins,
}

/// Words of the agent.
#[derive(Debug)]
pub(crate) struct SpokeFact {
    /// Whether the turn may end with them.
    pub(crate) may_end_turn: bool,
    pub(crate) from: Origins,
}

/// Raw occurrences by cause. The event itself, and its replay, are told apart when the call is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RawHits {
    pub(crate) field_copy: u64,
    pub(crate) quoted: u64,
    pub(crate) prose: u64,
    pub(crate) unread: u64,
}
