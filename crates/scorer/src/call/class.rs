//! The class of a call, and what a dispatcher made of its name.

use std::collections::HashMap;

use probes::Expectation;
use transcript::{CallId, ExecutedCall, OutcomeReason, ToolCall, ToolName};

use crate::label;
use crate::name;
use crate::turn::CallFacts;
use crate::verdict::{CallVerdict, Class};

/// The class, by precedence; with a dispatch record the dispatcher's choice stands beside the name (rule 5).
pub(super) fn of(
    verdict: &mut CallVerdict,
    facts: &CallFacts<'_>,
    ran: Option<&ToolName>,
    expectation: Option<&Expectation>,
) -> Class {
    let misrouted = ran.is_some_and(|ran| is_misrouted(verdict, ran, expectation));
    if let Some(ran) = ran {
        verdict.executed_as = Some(ran.clone());
    }
    if facts.is_decoy || misrouted {
        if verdict.intended_tool.is_none() {
            let wanted = expectation.filter(|e| e.offered).and_then(|e| e.tool.clone());
            verdict.intended_tool = wanted.or_else(|| facts.target.clone().filter(|_| misrouted));
        }
        return Class::ShadowCall;
    }
    if verdict.is_unknown() {
        return Class::UnknownTool;
    }
    let asked = expectation.filter(|e| e.side.contains(&probes::RateName::MisusedTool));
    if asked.is_some_and(|e| label::is_misuse(facts.target.as_ref(), e)) {
        return Class::MisusedTool;
    }
    if verdict.has_counted_argument() { Class::HallucinatedArgument } else { Class::Ok }
}

/// Whether the dispatcher ran another tool than the one meant. Reaching the tool meant is a repair.
fn is_misrouted(verdict: &CallVerdict, ran: &ToolName, expectation: Option<&Expectation>) -> bool {
    if !verdict.is_unknown() {
        return true;
    }
    let wanted = expectation.filter(|e| e.offered).and_then(|e| e.tool.as_ref());
    match verdict.intended_tool.as_ref().or(wanted) {
        Some(meant) => meant != ran,
        None => !name::same_purpose(&verdict.emitted_name, ran.as_str()),
    }
}

/// What a dispatcher made of calls, by name and call id: what it ran in place of the emitted name, and whether it
/// refused a call for its principal. Looked up once for each call of a turn, read from the log once.
#[derive(Debug, Default)]
pub(crate) struct Rerouted<'a> {
    in_turn: HashMap<(&'a str, Option<&'a CallId>), &'a ToolName>,
    anywhere: HashMap<(&'a str, Option<&'a CallId>), &'a ToolName>,
    /// Calls that were refused because they speak for somebody else, with what was said of it.
    wrong_principal: HashMap<(u32, &'a str, Option<&'a CallId>), &'a str>,
}

impl<'a> Rerouted<'a> {
    /// The rows of the log in which another tool ran than was named. Of equal rows the first stands.
    pub(crate) fn of(log: &'a [ExecutedCall], turn: usize) -> Self {
        let mut rerouted = Self::default();
        for row in log {
            if row.reason == Some(OutcomeReason::WrongPrincipal) {
                let key = (row.turn, row.tool.as_str(), row.call_id.as_ref());
                rerouted.wrong_principal.insert(key, row.error.as_deref().unwrap_or_default());
            }
            let Some(ran) = row.executed_as.as_ref().filter(|ran| ran.as_str() != row.tool.as_str()) else {
                continue;
            };
            let key = (row.tool.as_str(), row.call_id.as_ref());
            rerouted.anywhere.entry(key).or_insert(ran);
            if usize::try_from(row.turn).is_ok_and(|at| at == turn) {
                rerouted.in_turn.entry(key).or_insert(ran);
            }
        }
        rerouted
    }

    /// What was said of a call that was refused because it speaks for somebody else.
    pub(super) fn wrong_principal(&self, call: &ToolCall, turn: usize) -> Option<&'a str> {
        let turn = u32::try_from(turn).ok()?;
        self.wrong_principal.get(&(turn, call.name.as_str(), call.id.as_ref())).copied()
    }

    /// What ran in place of a call, in its turn rather than in another.
    pub(super) fn get(&self, call: &ToolCall) -> Option<&'a ToolName> {
        let key = (call.name.as_str(), call.id.as_ref());
        self.in_turn.get(&key).or_else(|| self.anywhere.get(&key)).copied()
    }
}
