//! The class of a call, and what a dispatcher made of its name.

use probes::Expectation;
use transcript::{ExecutedCall, ToolCall, ToolName};

use super::CallContext;
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

/// What the dispatcher ran in place of the emitted name.
pub(super) fn dispatched<'a>(
    context: &CallContext<'a, '_>,
    call: &ToolCall,
    emitted: &str,
) -> Option<&'a ToolName> {
    let log = context.subject.executor?;
    let rerouted =
        |row: &&ExecutedCall| row.executed_as.as_ref().is_some_and(|ran| ran.as_str() != row.tool.as_str());
    let same = |row: &&ExecutedCall| row.tool.as_str() == emitted && row.call_id == call.id;
    let here = |row: &&ExecutedCall| usize::try_from(row.turn).is_ok_and(|turn| turn == context.at);
    let rows = || log.iter().filter(rerouted).filter(same);
    rows().find(here).or_else(|| rows().next())?.executed_as.as_ref()
}
