//! What a simulated model decided, response by response: the truth that verdicts are compared with. It is
//! written by whoever answers with a reply; deciding itself leaves no trace.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use transcript::ProbeId;

use crate::script::Event;

/// One response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The trial header's value (`<probe id>/<repeat>`), else `request:` and the hash of the first request.
    pub trial: String,
    /// The probe, where the script has it. None: answered from the request alone.
    pub probe: Option<ProbeId>,
    /// Which response of the trial, from 0.
    pub turn: usize,
    /// Which try of the trial, from 1, where whoever asked counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
    /// What kept the response from arriving as it was decided, by its name in `FAULTS`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The events that this response carries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// What else is wrong in the trial, where it carries no event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip: Option<Slip>,
    /// The calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallDecision>,
    /// What the text is, where there is no structured call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TextClass>,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallDecision {
    /// Name as emitted.
    pub name: String,
    /// Arguments as emitted.
    pub arguments: String,
    /// What is true of it.
    pub truth: CallTruth,
    /// Where it stands.
    pub surface: CallSurface,
    /// How it is written wrong, where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<FormatFault>,
}

/// What is true of a call, in the words of DESIGN.md 3.1. Faults of timing and format are no truth of their
/// own: an untimely call shows in `Decision::slip`, one that is written wrong in `CallDecision::format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallTruth {
    /// Its name and its arguments are right, or as good as any.
    Ok,
    /// No tool of that name is offered.
    UnknownTool,
    /// A decoy, called in place of the tool.
    ShadowCall,
    /// A registered tool that does not do what was asked, where none does.
    MisusedTool,
    /// The wanted tool with a made-up argument.
    HallucinatedArgument,
}

impl CallTruth {
    /// The event that a structured call of this truth is.
    #[must_use]
    pub fn event(self) -> Option<Event> {
        match self {
            Self::UnknownTool => Some(Event::UnknownTool),
            Self::ShadowCall => Some(Event::ShadowCall),
            Self::HallucinatedArgument => Some(Event::HallucinatedArgument),
            Self::Ok | Self::MisusedTool => None,
        }
    }
}

/// Where a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallSurface {
    /// In the response's own call field.
    Structured,
    /// In the visible text.
    Content,
}

/// A fault in how a call is written, in the scorer's words for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormatFault {
    /// Quotation marks and words of Python.
    PythonLiteral,
    /// A comma before the closing brace.
    TrailingComma,
    /// A JSON string that holds the JSON.
    ArgumentsDoubleEncoded,
    /// A number or truth value as a string.
    TypeMismatch,
    /// A required argument left out.
    MissingRequired,
    /// The response says `stop` beside its calls.
    FinishReasonWrong,
}

/// What is wrong in a trial that carries no event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Slip {
    /// A registered tool that does not do what was asked.
    MisusedTool,
    /// A call where none is needed.
    OverCall,
    /// The call is written into the text.
    TextCall,
    /// The right call, written wrong.
    Format,
    /// Says that it is done, and called nothing.
    Claim,
    /// Calls, and gives an account that does not agree with what came of it.
    FalseAccount,
    /// Calls, and leaves its calls out of its account.
    Omission,
    /// Calls, and says of what succeeded that it failed.
    FalseFailure,
    /// Makes a failing call again and again, unchanged.
    Hammering,
    /// Gives a concrete value that nothing returned.
    AnsweredValue,
    /// Asks although everything is known.
    NeedlessQuestion,
    /// Says that it cannot although it can.
    NeedlessRefusal,
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextClass {
    /// States that it cannot.
    Refused,
    /// Asks for what it needs.
    Clarified,
    /// Says that it is done.
    Claimed,
    /// Gives a concrete value of its own.
    Answered,
    /// A general answer that needs no tool.
    Answer,
    /// An account of calls that were made and of what they returned.
    Report,
    /// The word that what a call returned cannot be relied on.
    Doubted,
    /// A call, written as text.
    TextCall,
}

/// A log of decisions: the last ones in memory, all of them as JSON Lines, or both.
pub struct DecisionLog {
    keep: usize,
    writes: bool,
    state: Mutex<State>,
}

struct State {
    kept: VecDeque<Decision>,
    dropped: u64,
    out: Option<Box<dyn Write + Send>>,
    failed: Option<io::Error>,
}

impl std::fmt::Debug for DecisionLog {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("DecisionLog").field("keep", &self.keep).finish_non_exhaustive()
    }
}

impl DecisionLog {
    /// Keeps the last `keep` decisions and writes all to `out`, where there is one. The caller buffers.
    #[must_use]
    pub fn new(keep: usize, out: Option<Box<dyn Write + Send>>) -> Self {
        let writes = out.is_some();
        let state = State { kept: VecDeque::new(), dropped: 0, out, failed: None };
        Self { keep, writes, state: Mutex::new(state) }
    }

    /// Takes one decision down.
    pub fn record(&self, decision: Decision) {
        // Made outside the lock, which every request under way takes.
        let line = self.writes.then(|| serde_json::to_string(&decision));
        let mut state = self.lock();
        let state = &mut *state;
        if let (Some(out), Some(line)) = (&mut state.out, line) {
            let written = line.map_err(io::Error::from).and_then(|line| writeln!(out, "{line}"));
            state.failed = state.failed.take().or(written.err());
        }
        if self.keep == 0 {
            return;
        }
        if state.kept.len() == self.keep {
            state.kept.pop_front();
            state.dropped += 1;
        }
        state.kept.push_back(decision);
    }

    /// Takes out what is kept, in the order in which it was recorded, and says how many decisions had no room.
    #[must_use]
    pub fn take(&self) -> (Vec<Decision>, u64) {
        let mut state = self.lock();
        let dropped = std::mem::take(&mut state.dropped);
        (std::mem::take(&mut state.kept).into(), dropped)
    }

    /// Flushes the writer.
    ///
    /// # Errors
    /// The first error of any write since the last flush, or that of flushing: rows are missing.
    pub fn flush(&self) -> io::Result<()> {
        let mut state = self.lock();
        let state = &mut *state;
        if let Some(error) = state.failed.take() {
            return Err(error);
        }
        state.out.as_mut().map_or(Ok(()), Write::flush)
    }

    /// A panic elsewhere leaves the rows as they are, so a poisoned lock is as good as a sound one.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn decision(turn: usize) -> Decision {
        Decision {
            attempt: None,
            fault: None,
            trial: "water.control/0".into(),
            probe: Some(ProbeId::new("water.control")),
            turn,
            events: vec![Event::UnknownTool],
            slip: None,
            calls: vec![CallDecision {
                name: "water_plants".into(),
                arguments: "{}".into(),
                truth: CallTruth::UnknownTool,
                surface: CallSurface::Structured,
                format: None,
            }],
            text: None,
        }
    }

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn keeps_the_last_ones_and_writes_all() {
        let out = Shared::default();
        let log = DecisionLog::new(2, Some(Box::new(out.clone())));
        (0..3).for_each(|turn| log.record(decision(turn)));
        log.flush().unwrap();
        let (kept, dropped) = log.take();
        assert_eq!((kept, dropped), (vec![decision(1), decision(2)], 1));
        assert_eq!(log.take(), (vec![], 0));
        let text = String::from_utf8(out.0.lock().unwrap().clone()).unwrap();
        let rows: Vec<Decision> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows, (0..3).map(decision).collect::<Vec<_>>());
    }

    #[test]
    fn a_write_that_failed_is_told_at_the_next_flush() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("disk full"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let log = DecisionLog::new(0, Some(Box::new(Full)));
        log.record(decision(0));
        assert!(log.flush().is_err());
        assert!(log.flush().is_ok());
    }
}
