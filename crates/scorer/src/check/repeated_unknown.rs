//! What does a model do after it was told that a tool does not exist: recover, ask, stop, or invent again?

use probes::RateName;

use super::{Check, Word, evidence, of_trial};
use crate::finding::Finding;
use crate::outcome;
use crate::past::given;
use crate::score::View;
use crate::verdict::{AfterUnknown, ByUnit, CallVerdict, DecoyOutcome, Judgement, Surface};

pub(super) const CHECK: Check =
    Check { rate: RateName::RepeatedUnknown, is_asked: |view| answered(view).is_some(), judge };

fn is_invented(call: &CallVerdict) -> bool {
    call.surface == Surface::Structured && call.is_unknown()
}

/// The turn after the first unknown call that was answered.
fn answered(view: &View<'_>) -> Option<usize> {
    let told = view.turns.iter().position(|turn| turn.calls.iter().any(is_invented))?;
    (told + 1 < view.turns.len()).then_some(told + 1)
}

/// What the next turn does; none where no unknown call was answered.
pub(crate) fn after_unknown(view: &View<'_>) -> Option<AfterUnknown> {
    let next = answered(view)?;
    let (turn, facts) = (view.turns.get(next)?, view.facts.get(next)?);
    Some(if turn.calls.iter().any(is_invented) {
        AfterUnknown::InventsAgain
    } else if turn.calls.iter().any(|call| call.surface == Surface::Structured) {
        AfterUnknown::Recovers
    } else {
        // A probe that asks for no outcome has no label yet.
        let label = || outcome::classify(&facts.text, &given(view.subject, next)).label;
        match facts.said.as_ref().map_or_else(label, |said| said.label) {
            DecoyOutcome::Clarified => AfterUnknown::Asks,
            _ => AfterUnknown::Stops,
        }
    })
}

fn judge(view: &View<'_>) -> Judgement {
    let opportunities = ByUnit { trials: 1, calls: 1, arguments: 0 };
    let found = answered(view).and_then(|next| {
        let (turn, facts) = (view.turns.get(next)?, view.facts.get(next)?);
        let mut calls = turn.calls.iter().zip(&facts.calls).enumerate();
        let (place, (call, fact)) = calls.find(|(_, (call, _))| is_invented(call))?;
        Some(Finding {
            message: format!(
                "`{}` is called after it was said that another name does not exist: {}",
                call.emitted_name,
                crate::why::unknown(call)
            ),
            fix: Word::Rate(RateName::RepeatedUnknown).fix(),
            evidence: evidence(next, place, call, fact),
        })
    });
    of_trial(opportunities, found)
}
