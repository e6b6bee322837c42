//! A verdict as `explain --json` prints it: the words and the order of the wire cases.

use runner::RetryDecision;
use scorer::{
    ArgumentFault, Basis, CallVerdict, Class, Counts, DecoyOutcome, FormatFinding, NameForm, Surface, Suspect,
};
use serde::Serialize;
use transcript::{ToolName, TurnKind};

use super::Explained;
use super::case::Case;

#[derive(Debug, Serialize)]
pub(super) struct VerdictForm<'a> {
    turn: TurnKind,
    countable: bool,
    calls: Vec<CallForm<'a>>,
    counts: Counts,
    decoy_outcome: Option<DecoyOutcome>,
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry: Option<RetryForm>,
    /// Written only where a malformed call's name cannot be read.
    #[serde(skip_serializing_if = "Clone::clone")]
    in_unknown_denominator: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    suspect: Option<Suspect>,
}

#[derive(Debug, Serialize)]
struct CallForm<'a> {
    emitted_name: &'a str,
    surface: Surface,
    class: Option<Class>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_form: Option<NameForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intended_tool: Option<&'a ToolName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    executed_as: Option<&'a ToolName>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    seen_in_history: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    format_findings: &'a [FormatFinding],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    argument_findings: Vec<ArgumentForm<'a>>,
    schema_valid: Option<bool>,
}

#[derive(Debug, Serialize)]
struct ArgumentForm<'a> {
    path: &'a str,
    finding: ArgumentFault,
    counted: bool,
    basis: Basis,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum RetryForm {
    Yes { retry: bool, wait_ms: Option<u64> },
    No { retry: bool },
}

pub(super) fn of<'a>(explained: &'a Explained, case: &Case) -> VerdictForm<'a> {
    let turn = &explained.turn;
    VerdictForm {
        turn: turn.turn,
        countable: turn.countable,
        calls: turn.calls.iter().map(call).collect(),
        counts: turn.counts,
        decoy_outcome: turn.decoy_outcome,
        why: super::words::summary(explained, case),
        retry: explained.retry.map(retry),
        in_unknown_denominator: turn.in_unknown_denominator,
        suspect: turn.suspect,
    }
}

fn call(call: &CallVerdict) -> CallForm<'_> {
    let arguments = call.argument_findings.iter().map(|finding| ArgumentForm {
        path: &finding.path,
        finding: finding.finding,
        counted: finding.counted,
        basis: finding.basis,
        note: finding.note.as_deref(),
    });
    CallForm {
        emitted_name: &call.emitted_name,
        surface: call.surface,
        class: call.class,
        name_form: call.name_form,
        intended_tool: call.intended_tool.as_ref(),
        executed_as: call.executed_as.as_ref(),
        seen_in_history: call.seen_in_history,
        format_findings: &call.format_findings,
        argument_findings: arguments.collect(),
        schema_valid: call.schema_valid,
    }
}

fn retry(decision: RetryDecision) -> RetryForm {
    if !decision.retry {
        return RetryForm::No { retry: false };
    }
    let wait_ms = decision.wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    RetryForm::Yes { retry: true, wait_ms }
}
