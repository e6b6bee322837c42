//! Faults that show only beside other calls or beside the stop reason.

use std::collections::HashMap;

use transcript::{CallId, Observed, StopReason, TurnKind};

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
    let mut times: HashMap<&CallId, u32> = HashMap::new();
    for id in facts.iter().filter_map(tied_id) {
        *times.entry(id).or_default() += 1;
    }
    if times.is_empty() {
        return;
    }
    let used = past::used_ids(subject, at);
    for (verdict, fact) in verdicts.iter_mut().zip(facts) {
        let Some(id) = tied_id(fact) else { continue };
        if times.get(id).is_some_and(|times| *times > 1) {
            verdict.format_findings.push(FormatFinding::DuplicateId);
        }
        if used.contains(id) {
            verdict.format_findings.push(FormatFinding::IdReusedAcrossTurns);
        }
    }
}

/// The id of a call, where it can tie a result to it.
fn tied_id<'a>(fact: &CallFacts<'a>) -> Option<&'a CallId> {
    fact.id.filter(|id| !id.0.is_empty() && id.0 != "null")
}

/// Notes a stop reason that the calls beside it belie: `stop` in a chat body, or anything but `length` on a
/// turn that was cut off.
pub(crate) fn note_finish(verdicts: &mut [CallVerdict], observed: &Observed, kind: TurnKind, provider: &str) {
    /// Formats whose bodies say `stop` beside calls as a matter of course.
    const STOP_IS_NORMAL: &[&str] = &["gemini", "ollama", "openai_responses"];
    let Some(stop) = &observed.stop else { return };
    let wrong = match kind {
        // A Responses body says `completed` of a whole response, calls or not, under whatever provider's name.
        TurnKind::Calls => {
            stop.reason == StopReason::End && stop.raw != "completed" && !STOP_IS_NORMAL.contains(&provider)
        }
        TurnKind::Truncated => stop.reason != StopReason::Length,
        _ => false,
    };
    if wrong {
        let calls = verdicts.iter_mut().filter(|call| call.surface == Surface::Structured);
        calls.for_each(|call| call.format_findings.push(FormatFinding::FinishReasonWrong));
    }
}
