//! The outcome of a decoy trial over its turns (DESIGN.md 3.3): `invented` and `misused` from any turn, every
//! other label from the last.

use transcript::TurnKind;

use crate::finding::Evidence;
use crate::label::{is_decoy, is_misuse};
use crate::turn::{TurnFacts, quote};
use crate::verdict::{CallVerdict, DecoyOutcome, OutcomeVerdict, Subject, TurnVerdict};

/// The label with the words that show it; none where the tool is there, or none is wanted.
pub(crate) fn decide(
    subject: &Subject<'_>,
    turns: &[TurnVerdict],
    facts: &[TurnFacts<'_>],
) -> Option<OutcomeVerdict> {
    let expectation = subject.expectation.filter(|expectation| is_decoy(expectation))?;
    let invented = first_call(turns, facts, |call, _| call.is_unknown());
    let misused = first_call(turns, facts, |_, facts| is_misuse(facts.target.as_ref(), expectation));
    let (label, evidence) = if let Some(evidence) = invented {
        (DecoyOutcome::Invented, Some(evidence))
    } else if let Some(evidence) = misused {
        (DecoyOutcome::Misused, Some(evidence))
    } else {
        of_last_turn(subject, turns, facts)
    };
    Some(OutcomeVerdict { label, evidence, censored: censored(subject) })
}

fn of_last_turn(
    subject: &Subject<'_>,
    turns: &[TurnVerdict],
    facts: &[TurnFacts<'_>],
) -> (DecoyOutcome, Option<Evidence>) {
    let (Some(turn), Some(fact)) = (turns.last(), facts.last()) else {
        return (DecoyOutcome::Unclassified, None);
    };
    // A conversation that ended before its last step says nothing of it.
    let is_last = fact.step + 1 >= subject.steps.len();
    let speaks = is_last && !subject.turn_limit && turn.turn == TurnKind::Text;
    let Some(said) = fact.said.as_ref().filter(|_| speaks) else {
        return (DecoyOutcome::Unclassified, None);
    };
    let at = u32::try_from(turns.len() - 1).unwrap_or(u32::MAX);
    let span = said.span.clone().unwrap_or(0..fact.text.len());
    let evidence =
        Evidence { turn: at, quote: quote(fact.text.get(span).unwrap_or_default()), ..Evidence::default() };
    (said.label, Some(evidence))
}

/// The first call that a test picks, as evidence.
fn first_call(
    turns: &[TurnVerdict],
    facts: &[TurnFacts<'_>],
    test: impl Fn(&CallVerdict, &crate::turn::CallFacts<'_>) -> bool,
) -> Option<Evidence> {
    for (at, (turn, fact)) in turns.iter().zip(facts).enumerate() {
        for (place, (call, call_facts)) in turn.calls.iter().zip(&fact.calls).enumerate() {
            if test(call, call_facts) {
                return Some(crate::check::evidence(at, place, call, call_facts));
            }
        }
    }
    None
}

/// Labels that cannot occur because the request forced a choice.
fn censored(subject: &Subject<'_>) -> Vec<DecoyOutcome> {
    use DecoyOutcome as O;
    match subject.request.tool_choice.filter(|choice| *choice == "none" || !subject.request.choice_once) {
        None | Some("auto") => Vec::new(),
        Some("none") => vec![O::Invented, O::Misused],
        Some(_) => vec![O::Claimed, O::Answered, O::Refused, O::Clarified],
    }
}
