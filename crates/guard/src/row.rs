//! A guarded read as rows of an executor log: it ran, and what came back did or did not hold.

use serde_json::{Map, Value};
use transcript::{CallId, ExecutorEvent, ExecutorRow, OutcomeReason, RawJson, ToolName};

use crate::judge::Accepted;
use crate::refusal::Refusal;

/// Which call of which run a read is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The run.
    pub run: String,
    /// The trial within it; empty where runs have none.
    pub trial: String,
    /// The call's number within its trial.
    pub seq: u32,
    /// The call's id, where the model gave one.
    pub call_id: Option<CallId>,
    /// When, RFC 3339.
    pub at: String,
}

/// The start row and the end row of a read. A refused one is `ok: false` with the refusal as its error.
#[must_use]
pub fn rows(
    read: &str,
    arguments: &Map<String, Value>,
    place: &Place,
    judged: Result<&Accepted, &Refusal>,
) -> [ExecutorRow; 2] {
    let start = ExecutorRow {
        run: place.run.clone(),
        trial: place.trial.clone(),
        seq: place.seq,
        event: ExecutorEvent::Start,
        at: place.at.clone(),
        call_id: place.call_id.clone(),
        tool: Some(ToolName::new(read)),
        executed_as: None,
        arguments: Some(RawJson::from_value(&Value::Object(arguments.clone()))),
        ok: None,
        error: None,
        refused: None,
        result: None,
    };
    let end = ExecutorRow {
        event: ExecutorEvent::End,
        tool: None,
        arguments: None,
        ok: Some(judged.is_ok()),
        error: judged.err().map(ToString::to_string),
        refused: judged.is_err().then_some(OutcomeReason::ReadGuard),
        ..start.clone()
    };
    [start, end]
}
