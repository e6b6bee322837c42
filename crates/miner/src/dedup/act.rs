//! What is kept of an act.

use crate::absence::State;
use crate::fact::AnswerFact;
use crate::labels::Label;
use crate::lineage::Session;
use crate::owed::Owing;

/// No act.
pub(crate) const NO_ACT: u32 = u32::MAX;

/// One call, once. Hashes and numbers only.
#[derive(Debug)]
pub(crate) struct Act {
    /// Hash of the message's id; 0 without one.
    pub(crate) message: u64,
    /// Hash of the id of the first line that it was read from.
    pub(crate) uuid: u64,
    /// Its time, `i64::MIN` without one.
    pub(crate) time: i64,
    /// Hash of the answer's time, by which an answer that is written again is known.
    pub(crate) answer: u64,
    pub(crate) line: u64,
    pub(crate) file: u32,
    /// The next older act with the same call id.
    pub(crate) next: u32,
    pub(crate) session: Session,
    pub(crate) name: Label,
    pub(crate) model: Label,
    pub(crate) version: Label,
    pub(crate) project: Label,
    pub(crate) format: u8,
    pub(crate) marks: Marks,
}

impl Act {
    /// Whether a line's id or time is this act's.
    pub(crate) fn stamp_is(&self, uuid: u64, time: Option<i64>) -> bool {
        (uuid != 0 && uuid == self.uuid) || (time.is_some() && time == Some(self.time))
    }
}

/// What is known of an act, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It stands in a log of its own agent.
    Own = 1,
    /// It stands as a sub-agent's mirror in its parent's log.
    Mirrored = 1 << 1,
    /// A sub-agent made it.
    SubAgent = 1 << 2,
    /// It was answered.
    Answered = 1 << 3,
    /// The answer is an error.
    Error = 1 << 4,
    /// The answer is an error inside a success.
    InnerError = 1 << 5,
    /// The tool was not there.
    Absent = 1 << 6,
    /// The tool that a router was told to run was not there.
    InnerUnknown = 1 << 7,
    /// It is told apart by its place in a conversation.
    Placed = 1 << 8,
    /// It turned out to be another act's echo.
    Echo = 1 << 9,
    /// The first of the argument faults; the others follow in their order.
    ArgumentFaults = 1 << 10,
}

/// The marks of an act.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Marks(u16);

impl Marks {
    pub(crate) fn set(&mut self, mark: Mark) {
        self.0 |= mark as u16;
    }

    pub(crate) fn has(self, mark: Mark) -> bool {
        self.0 & mark as u16 != 0
    }

    pub(crate) fn set_fault(&mut self, fault: usize) {
        self.0 |= (Mark::ArgumentFaults as u16) << fault;
    }

    pub(crate) fn has_fault(self, fault: usize) -> bool {
        self.0 & (Mark::ArgumentFaults as u16) << fault != 0
    }

    pub(crate) fn has_any_fault(self) -> bool {
        self.0 >= Mark::ArgumentFaults as u16
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// An absent-tool event.
#[derive(Debug)]
pub(crate) struct Absence {
    pub(crate) act: u32,
    /// Where the answer stands.
    pub(crate) file: u32,
    pub(crate) line: u64,
    pub(crate) state: State,
    pub(crate) class: &'static str,
    /// The reason's own words.
    pub(crate) clause: String,
    pub(crate) framework: &'static str,
    /// The tool inside a router's arguments, where that one is absent.
    pub(crate) inner: Option<Label>,
}

/// An answer whose call is not sure yet.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) call: u128,
    pub(crate) session: Session,
    pub(crate) file: u32,
    /// Lines before the stretch that it stands in.
    pub(crate) line: u64,
    pub(crate) answer: Box<AnswerFact>,
}

/// A text that may owe a call.
#[derive(Debug)]
pub(crate) struct OwedAct {
    pub(crate) message: u64,
    pub(crate) session: Session,
    pub(crate) file: u32,
    pub(crate) line: u64,
    pub(crate) owing: Owing,
    pub(crate) ends_turn: Option<bool>,
}
