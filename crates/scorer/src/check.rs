//! The table of checks. A check asks one question of one scored trial and answers with opportunities, events
//! and evidence; a rate is a check counted over trials.

mod accepted_broken_read;
pub(crate) mod behaviour;
mod claimed;
pub(crate) mod decoy_outcome;
mod false_failure;
mod format;
mod hallucinated_argument;
mod ignored_result;
mod inner_unknown;
mod missing_call;
mod misused_tool;
mod over_call;
mod phantom_claim;
mod repeated_call;
pub(crate) mod repeated_unknown;
mod shadow_call;
mod swallowed_failure;
mod text_call;
mod undisclosed_call;
mod unknown_tool;

use std::borrow::Cow;

use indexmap::IndexMap;
use probes::{Expectation, RateName};

use crate::finding::{ArgumentFault, Evidence, Finding, FormatFinding};
use crate::fix::fix;
use crate::score::View;
use crate::turn::{CallFacts, quote};
use crate::verdict::{ByUnit, CallVerdict, FirstTurn, Judgement, NameForm, Surface, Unscored};

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
    phantom_claim::CHECK,
    swallowed_failure::CHECK,
    ignored_result::CHECK,
    false_failure::CHECK,
    undisclosed_call::CHECK,
    accepted_broken_read::CHECK,
    missing_call::CHECK,
    repeated_call::CHECK,
    repeated_unknown::CHECK,
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
    /// It had it: so many arguments, why, and the word whose fix helps.
    Event { arguments: u32, message: String, word: Word },
}

/// A finding's word, by which its fix is looked up.
#[derive(Debug, Clone, Copy)]
enum Word {
    Rate(RateName),
    Form(NameForm),
    Argument(ArgumentFault),
    Format(FormatFinding),
    Other(&'static str),
}

impl Word {
    /// What helps against it.
    fn fix(self) -> Cow<'static, str> {
        let found = match self {
            Self::Rate(rate) => fix(rate.as_str()),
            Self::Other(word) => fix(word),
            Self::Form(form) => fix(&crate::why::word(&form)),
            Self::Argument(fault) => fix(&crate::why::word(&fault)),
            Self::Format(finding) => fix(&crate::why::word(&finding)),
        };
        Cow::Borrowed(found.unwrap_or_default())
    }
}

/// An event of one trial that has no call: found or not, with the one finding.
fn of_trial(opportunities: ByUnit, finding: Option<Finding>) -> Judgement {
    let found = u32::from(finding.is_some());
    Judgement::Judged {
        opportunities,
        events: ByUnit { trials: found, calls: found.min(opportunities.calls), arguments: 0 },
        first_turn: FirstTurn { event: finding.as_ref().is_some_and(|finding| finding.evidence.turn == 0) },
        findings: finding.into_iter().collect(),
    }
}

/// The occasion did not arise.
fn no_occasion() -> Judgement {
    of_trial(ByUnit::default(), None)
}

/// A place in a trial: its turn, and the words.
fn place(turn: usize, text: &str) -> Evidence {
    Evidence { turn: number(turn), quote: quote(text), ..Evidence::default() }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
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
            if let Call::Event { arguments, message, word } = answer {
                events.calls += 1;
                events.arguments += arguments;
                first_turn.event |= at == 0;
                findings.push(Finding {
                    message,
                    fix: word.fix(),
                    evidence: evidence(at, place, call, fact),
                });
            }
        }
    }
    events.trials = u32::from(events.calls > 0);
    Judgement::Judged { opportunities, events, first_turn, findings }
}

/// A call as evidence: where it stands, and its words.
pub(crate) fn evidence(turn: usize, place: usize, call: &CallVerdict, facts: &CallFacts<'_>) -> Evidence {
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
        for metric in crate::METRICS {
            assert!(
                CHECKS.iter().any(|check| check.rate == metric.name),
                "{} is judged nowhere",
                metric.name
            );
        }
        for (at, check) in CHECKS.iter().enumerate() {
            assert!(CHECKS[at + 1..].iter().all(|other| other.rate != check.rate), "{}", check.rate);
        }
    }
}
