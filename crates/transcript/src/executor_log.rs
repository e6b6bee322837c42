//! The executor log: what ran, written where it ran. A model cannot write it (DESIGN.md section 1).

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CallId, RawJson, ToolName};

/// A row of `executor.jsonl`: one when a call starts, one when it ends (EXAMPLES.md section 7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExecutorRow {
    /// The run.
    pub run: String,
    /// The trial: `probe/cell/repeat`.
    pub trial: String,
    /// The call's number within its trial, from 0.
    pub seq: u32,
    /// Start or end.
    pub event: ExecutorEvent,
    /// When, RFC 3339.
    pub at: String,
    /// Call id as emitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// Tool name as emitted (on start rows).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolName>,
    /// What the dispatcher ran, where that is another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed_as: Option<ToolName>,
    /// Arguments: the JSON value where they are one, else a JSON string of the text (on start rows).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<RawJson>,
    /// Whether the call succeeded (on end rows).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<bool>,
    /// Why not (on end rows).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Why it was refused before it ran (on end rows).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<OutcomeReason>,
    /// What the tool returned (on end rows).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

/// Which end of a call a row records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutorEvent {
    /// The call is about to run.
    Start,
    /// The call is over.
    End,
}

/// The calls of one trial, in the order in which they started. Empty and absent are two different things: an
/// empty log says that nothing ran.
pub type ExecutorLog = Vec<ExecutedCall>;

/// One call as the executor saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExecutedCall {
    /// Number within the trial, from 0.
    pub seq: u32,
    /// The turn that made it, from 0.
    #[serde(default)]
    pub turn: u32,
    /// Call id as emitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// Tool name as emitted.
    pub tool: ToolName,
    /// What the dispatcher ran, where that is another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed_as: Option<ToolName>,
    /// Arguments: the JSON value where they are one, else a JSON string of the text.
    pub arguments: RawJson,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<OutcomeReason>,
    /// The error that a failed call gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What a call returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

impl ExecutedCall {
    /// The tool that ran, or that would have: the one that a router chose, where it chose another.
    #[must_use]
    pub fn ran(&self) -> &ToolName {
        self.executed_as.as_ref().unwrap_or(&self.tool)
    }
}

/// How an executed call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It ran and succeeded.
    Ok,
    /// It ran and failed.
    Failed,
    /// It was not run.
    Refused,
    /// It started and never ended: it happened, and it did not succeed.
    Crashed,
}

/// Why a call was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeReason {
    /// No tool of that name in the catalog of the turn.
    UnknownTool,
    /// The arguments are no JSON object.
    ArgumentsUnreadable,
    /// The arguments speak for somebody else than the caller.
    WrongPrincipal,
    /// A read guard refused what came back.
    ReadGuard,
}

/// Joins start and end rows to calls, per trial, in the order of their first row.
/// Rows of other runs and trials may lie in between; an end without a start is dropped and counted.
#[must_use]
pub fn join(rows: impl IntoIterator<Item = ExecutorRow>) -> (Vec<(String, ExecutorLog)>, usize) {
    let mut order: Vec<(String, ExecutorLog)> = Vec::new();
    let mut by_trial: HashMap<(String, String), usize> = HashMap::new();
    let mut orphans = 0;
    for row in rows {
        let key = (row.run.clone(), row.trial.clone());
        let at = *by_trial.entry(key).or_insert_with(|| {
            order.push((row.trial.clone(), Vec::new()));
            order.len() - 1
        });
        let Some((_, log)) = order.get_mut(at) else { continue };
        match row.event {
            ExecutorEvent::Start => log.push(started(row)),
            ExecutorEvent::End => match log.iter_mut().rev().find(|call| call.seq == row.seq) {
                Some(call) => end(call, row),
                None => orphans += 1,
            },
        }
    }
    (order, orphans)
}

fn started(row: ExecutorRow) -> ExecutedCall {
    ExecutedCall {
        seq: row.seq,
        turn: 0,
        call_id: row.call_id,
        tool: row.tool.unwrap_or_else(|| ToolName::new("")),
        executed_as: row.executed_as,
        arguments: row.arguments.unwrap_or_else(|| RawJson::from_value(&serde_json::Value::Null)),
        outcome: Outcome::Crashed,
        reason: None,
        error: None,
        result: None,
    }
}

fn end(call: &mut ExecutedCall, row: ExecutorRow) {
    call.reason = row.refused;
    call.error = row.error;
    call.result = row.result;
    call.outcome = match (row.refused, row.ok) {
        (Some(_), _) => Outcome::Refused,
        (None, Some(true)) => Outcome::Ok,
        (None, _) => Outcome::Failed,
    };
}
