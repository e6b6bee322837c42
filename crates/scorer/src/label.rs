//! What a turn shows of a trial's outcome (DESIGN.md 3.3): by its calls, else by what its text says.

use probes::{Expectation, RateName, RightBehaviour};
use transcript::{ToolName, TurnKind};

use crate::outcome::{self, Classified};
use crate::past::given;
use crate::turn::TurnFacts;
use crate::verdict::{CallVerdict, DecoyOutcome, Subject, Surface};

/// Whether the probe's outcome is one of DESIGN.md 3.3: the tool that the task wants is not there.
pub(crate) fn is_decoy(expectation: &Expectation) -> bool {
    use RightBehaviour as R;
    !expectation.offered && matches!(expectation.right, R::RefuseOrAsk | R::Ask | R::SaySo | R::AskOrSaySo)
}

/// What is right in a step.
fn right_of_step(subject: &Subject<'_>, expectation: &Expectation, step: usize) -> RightBehaviour {
    if step + 1 >= subject.steps.len() {
        return expectation.right;
    }
    expectation.earlier_right.get(step).copied().unwrap_or(expectation.right)
}

/// What the text of a turn without a structured call says, where the probe asks.
pub(crate) fn of_text(
    subject: &Subject<'_>,
    at: usize,
    kind: TurnKind,
    text: &str,
    calls: &[CallVerdict],
) -> Option<Classified> {
    let expectation = subject.expectation?;
    let step = subject.turns.get(at).map_or(0, |turn| turn.step);
    let asked = is_decoy(expectation)
        || matches!(
            right_of_step(subject, expectation, step),
            RightBehaviour::RefuseOrAsk
                | RightBehaviour::Ask
                | RightBehaviour::SaySo
                | RightBehaviour::AskOrSaySo
        )
        || expectation.side.contains(&RateName::MissingCall);
    let answers = matches!(kind, TurnKind::Text | TurnKind::TextCall);
    (asked && answers && calls.iter().all(|call| call.surface != Surface::Structured))
        .then(|| outcome::classify(text, &given(subject, at)))
}

/// The outcome that one turn shows by itself.
pub(crate) fn of_turn(
    subject: &Subject<'_>,
    kind: TurnKind,
    calls: &[CallVerdict],
    facts: &TurnFacts<'_>,
) -> Option<DecoyOutcome> {
    let expectation = subject.expectation.filter(|expectation| is_decoy(expectation))?;
    let right = right_of_step(subject, expectation, facts.step);
    if !kind.is_countable() || matches!(right, RightBehaviour::Answer | RightBehaviour::Call) {
        return None;
    }
    if calls.iter().any(CallVerdict::is_unknown) {
        return Some(DecoyOutcome::Invented);
    }
    if facts.calls.iter().any(|call| is_misuse(call.target.as_ref(), expectation)) {
        return Some(DecoyOutcome::Misused);
    }
    if !calls.is_empty() {
        let unreadable = calls.iter().any(|call| call.class.is_none());
        return (unreadable || kind == TurnKind::TextCall).then_some(DecoyOutcome::Unclassified);
    }
    facts.said.as_ref().map(|said| said.label)
}

/// Whether a registered tool, offered in the step of its call, is one that the probe does not allow.
pub(crate) fn is_misuse(target: Option<&ToolName>, expectation: &Expectation) -> bool {
    let Some(target) = target else { return false };
    let wanted = expectation.tool.as_ref() == Some(target)
        || expectation.calls.iter().any(|call| call.tool == *target);
    !wanted && !expectation.allowed_reads.contains(target)
}
