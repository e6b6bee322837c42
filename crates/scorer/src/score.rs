//! From one trial to its verdict: the turns first, then the checks over them.

use indexmap::IndexMap;
use transcript::TrialStatus;

use crate::account::Account;
use crate::argument::Schemas;
use crate::check;
use crate::turn::{ArgumentBasis, TurnFacts, judge_turn};
use crate::verdict::{OutcomeVerdict, Subject, TurnVerdict, Verdict};

/// Judges one trial. It reads nothing but its arguments, and it cannot fail: broken output is what it judges.
///
/// Where the subject has an expectation, the probe's oracle judges arguments and grounding only raises
/// suspicions; where it has none, grounding is the only basis and its findings count (DESIGN.md 3.6).
/// `schemas` keeps compiled schemas between trials.
#[must_use]
pub fn score(subject: &Subject<'_>, schemas: &Schemas) -> Verdict {
    let basis =
        if subject.expectation.is_some() { ArgumentBasis::Oracle } else { ArgumentBasis::GroundingOnly };
    judge(subject, schemas, basis)
}

/// Judges one trial whose expectation says which tool is meant, but not which arguments the words justify:
/// grounding judges the arguments, and its findings count.
#[must_use]
pub fn score_by_grounding(subject: &Subject<'_>, schemas: &Schemas) -> Verdict {
    judge(subject, schemas, ArgumentBasis::GroundingOnly)
}

/// All that a check may look at.
pub(crate) struct View<'a> {
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) turns: &'a [TurnVerdict],
    pub(crate) facts: &'a [TurnFacts<'a>],
    pub(crate) outcome: Option<&'a OutcomeVerdict>,
    /// What the trial says of itself at its end, where it was asked to.
    pub(crate) account: Option<&'a Account<'a>>,
    pub(crate) schemas: &'a Schemas,
}

fn judge(subject: &Subject<'_>, schemas: &Schemas, basis: ArgumentBasis) -> Verdict {
    let mut turns = Vec::with_capacity(subject.turns.len());
    let mut facts = Vec::with_capacity(subject.turns.len());
    for at in 0..subject.turns.len() {
        let (verdict, fact) = judge_turn(subject, at, schemas, basis);
        turns.push(verdict);
        facts.push(fact);
    }
    let status = status(subject, &turns);
    let scored = status == TrialStatus::Scored;
    let outcome = if scored { check::decoy_outcome::decide(subject, &turns, &facts) } else { None };
    let account = if scored { Account::of(subject, &facts) } else { None };
    let view = View {
        subject,
        turns: &turns,
        facts: &facts,
        outcome: outcome.as_ref(),
        account: account.as_ref(),
        schemas,
    };
    let checks: IndexMap<_, _> = check::judge_all(&view, scored);
    let behaviour = check::behaviour::judge(&view, scored, &checks);
    let after_unknown = if scored { check::repeated_unknown::after_unknown(&view) } else { None };
    Verdict { status, turns, checks, behaviour, decoy_outcome: outcome, after_unknown }
}

/// Whether the trial is scored: what the runner saw from outside the turns stands, what shows in them is
/// worked out again from the first turn that is no answer (DESIGN.md 3.4).
fn status(subject: &Subject<'_>, turns: &[TurnVerdict]) -> TrialStatus {
    use TrialStatus as S;
    if matches!(subject.status, S::GatewayReplay | S::Cancelled) || subject.cause.is_some() {
        return subject.status;
    }
    let answers = turns.iter().zip(subject.turns);
    let first =
        answers.map(|(verdict, turn)| status_of_turn(verdict, turn)).find(|status| *status != S::Scored);
    match (first, subject.status) {
        // An error turn cannot tell these apart; the runner, which saw the connection, can. Every failure of
        // the connection leaves an error turn, or none at all: turns that all read well are scored, so that a
        // body which a later decoder reads is not lost.
        (Some(S::EndpointError), S::Quota | S::Timeout | S::Unparsed | S::EndpointError) => subject.status,
        (Some(status), _) => status,
        (None, _) if turns.is_empty() && subject.status == S::Scored => S::Empty,
        (None, _) if turns.is_empty() => subject.status,
        (None, _) => S::Scored,
    }
}

fn status_of_turn(verdict: &TurnVerdict, turn: &transcript::Turn) -> TrialStatus {
    let unreadable = turn.response_text.is_some() && turn.observed.items.is_empty();
    if unreadable && turn.observed.error.is_none() {
        return TrialStatus::Unparsed;
    }
    let generated_nothing = turn.usage.and_then(|usage| usage.output) == Some(0);
    if generated_nothing && verdict.turn == transcript::TurnKind::Text {
        return TrialStatus::EndpointError;
    }
    TrialStatus::of_turn(verdict.turn)
}
