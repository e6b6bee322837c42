//! The table of checks. A check asks one question of one scored trial and answers with opportunities, events
//! and evidence; a rate is a check counted over trials.

pub(crate) mod behaviour;
pub(crate) mod decoy_outcome;
mod format;
mod hallucinated_argument;
mod inner_unknown;
mod missing_call;
mod misused_tool;
mod over_call;
mod shadow_call;
mod text_call;
mod unknown_tool;

use indexmap::IndexMap;
use probes::{Expectation, RateName};

use crate::finding::{Evidence, Finding};
use crate::score::View;
use crate::turn::{CallFacts, quote};
use crate::verdict::{ByUnit, CallVerdict, FirstTurn, Judgement, Surface, Unscored};

/// One question asked of a trial.
pub(crate) struct Check {
    /// The rate that counts it.
    pub(crate) rate: RateName,
    /// Whether the trial enters the rate.
    pub(crate) is_asked: fn(&View<'_>) -> bool,
    /// The answer.
    pub(crate) judge: fn(&View<'_>) -> Judgement,
}

/// Every check, in the order in which lists show them.
pub(crate) const CHECKS: &[Check] = &[
    unknown_tool::CHECK,
    shadow_call::CHECK,
    hallucinated_argument::CHECK,
    misused_tool::CHECK,
    over_call::CHECK,
    missing_call::CHECK,
    inner_unknown::CHECK,
    text_call::CHECK,
    format::CHECK,
];

/// One judgement for each rate that the trial enters.
pub(crate) fn judge_all(view: &View<'_>, scored: bool) -> IndexMap<RateName, Judgement> {
    let mut judgements = IndexMap::with_capacity(CHECKS.len());
    for check in CHECKS.iter().filter(|check| (check.is_asked)(view)) {
        let judgement =
            if scored { (check.judge)(view) } else { Judgement::Unscored(Unscored::TrialNotScored) };
        judgements.insert(check.rate, judgement);
    }
    let asked = view.subject.expectation.map(|e| e.side.as_slice()).unwrap_or_default();
    for rate in asked.iter().filter(|rate| !CHECKS.iter().any(|check| check.rate == **rate)) {
        let reason = if scored { Unscored::NotInThisBuild } else { Unscored::TrialNotScored };
        judgements.insert(*rate, Judgement::Unscored(reason));
    }
    judgements
}

/// Whether the probe enters a rate; without a probe, what `otherwise` says.
fn enters(view: &View<'_>, rate: RateName, otherwise: bool) -> bool {
    let lists = |e: &Expectation| e.headline.contains(&rate) || e.side.contains(&rate);
    view.subject.expectation.map_or(otherwise, lists)
}

/// What a check says of one call.
enum Call {
    /// It could not have had the event.
    No,
    /// It could have had it and did not.
    Fine,
    /// It had it: so many arguments, and why.
    Event { arguments: u32, message: String },
}

/// Judges call by call: the trial has the event where a call has it.
fn over_calls(view: &View<'_>, ask: impl Fn(&CallVerdict, &CallFacts<'_>) -> Call) -> Judgement {
    let mut opportunities = ByUnit { trials: 1, ..ByUnit::default() };
    let mut events = ByUnit::default();
    let mut first_turn = FirstTurn::default();
    let mut findings = Vec::new();
    for (at, (turn, facts)) in view.turns.iter().zip(view.facts).enumerate() {
        for (place, (call, fact)) in turn.calls.iter().zip(&facts.calls).enumerate() {
            let answer = ask(call, fact);
            if matches!(answer, Call::No) {
                continue;
            }
            opportunities.calls += 1;
            opportunities.arguments += fact.arguments;
            if let Call::Event { arguments, message } = answer {
                events.calls += 1;
                events.arguments += arguments;
                first_turn.event |= at == 0;
                findings.push(Finding { message, evidence: evidence(at, place, call, fact) });
            }
        }
    }
    events.trials = u32::from(events.calls > 0);
    Judgement::Judged { opportunities, events, first_turn, findings }
}

/// A call as evidence: where it stands, and its words.
pub(crate) fn evidence(turn: usize, place: usize, call: &CallVerdict, facts: &CallFacts<'_>) -> Evidence {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let quote = match call.surface {
        Surface::Structured => format!("{}({})", quote(&call.emitted_name), quote(facts.quote)),
        Surface::Content | Surface::Reasoning | Surface::FinishMessage => quote(facts.quote),
    };
    Evidence { turn: number(turn), call: Some(number(place)), call_id: facts.id.cloned(), path: None, quote }
}

/// Whether a call was emitted in the provider's own field, readable or not.
fn is_emitted(call: &CallVerdict) -> bool {
    matches!(call.surface, Surface::Structured | Surface::FinishMessage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rate_has_one_check() {
        for (at, check) in CHECKS.iter().enumerate() {
            assert!(CHECKS[at + 1..].iter().all(|other| other.rate != check.rate), "{}", check.rate);
        }
    }
}
