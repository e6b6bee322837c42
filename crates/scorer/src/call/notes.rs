//! Faults that show only beside other calls or beside the stop reason.

use transcript::{Observed, StopReason, TurnKind};

use crate::finding::FormatFinding;
use crate::past;
use crate::turn::CallFacts;
use crate::verdict::{CallVerdict, Subject, Surface};

/// Notes ids that stand twice in the turn, and ids of earlier turns. An id that is empty ties nothing.
pub(crate) fn note_ids(
    verdicts: &mut [CallVerdict],
    facts: &[CallFacts<'_>],
    subject: &Subject<'_>,
    at: usize,
) {
    for (here, fact) in facts.iter().enumerate() {
        let Some(id) = fact.id.filter(|id| !id.0.is_empty() && id.0 != "null") else { continue };
        let twice = facts.iter().enumerate().any(|(other, fact)| other != here && fact.id == Some(id));
        let verdict = &mut verdicts[here];
        if twice {
            verdict.format_findings.push(FormatFinding::DuplicateId);
        }
        if past::was_used(subject, at, id) {
            verdict.format_findings.push(FormatFinding::IdReusedAcrossTurns);
        }
    }
}

/// Notes a stop reason that the calls beside it belie: `stop` in a chat body, or anything but `length` on a
/// turn that was cut off.
pub(crate) fn note_finish(verdicts: &mut [CallVerdict], observed: &Observed, kind: TurnKind, provider: &str) {
    /// Formats whose bodies say `stop` beside calls as a matter of course.
    const STOP_IS_NORMAL: &[&str] = &["gemini", "ollama"];
    let Some(stop) = &observed.stop else { return };
    let wrong = match kind {
        TurnKind::Calls => stop.reason == StopReason::End && !STOP_IS_NORMAL.contains(&provider),
        TurnKind::Truncated => stop.reason != StopReason::Length,
        _ => false,
    };
    if wrong {
        let calls = verdicts.iter_mut().filter(|call| call.surface == Surface::Structured);
        calls.for_each(|call| call.format_findings.push(FormatFinding::FinishReasonWrong));
    }
}
