//! Did the call happen that had to happen in this turn? The executor log says so; what the text says of it does
//! not matter (DESIGN.md 3.5).

use probes::RateName;
use transcript::Outcome;

use super::{Check, enters};
use crate::finding::{Evidence, Finding};
use crate::score::View;
use crate::turn::quote;
use crate::verdict::{ByUnit, FirstTurn, Judgement, Unscored};

pub(super) const CHECK: Check =
    Check { rate: RateName::MissingCall, is_asked: |view| enters(view, RateName::MissingCall, false), judge };

fn judge(view: &View<'_>) -> Judgement {
    let Some(log) = view.subject.executor else { return Judgement::Unscored(Unscored::NoExecutorLog) };
    let wanted = view.subject.expectation.and_then(|expectation| expectation.tool.as_ref());
    let ran = log.iter().any(|row| Some(row.ran()) == wanted && row.outcome != Outcome::Refused);
    // The call that is owed is the one opportunity of the trial.
    let owed = ByUnit { trials: 1, calls: 1, arguments: 0 };
    if ran {
        let (events, first_turn) = (ByUnit::default(), FirstTurn::default());
        return Judgement::Judged { opportunities: owed, events, first_turn, findings: Vec::new() };
    }
    let name = wanted.map_or("the tool", |tool| tool.as_str());
    let last = view.facts.len().saturating_sub(1);
    let evidence = Evidence {
        turn: u32::try_from(last).unwrap_or(u32::MAX),
        quote: view.facts.last().map(|facts| quote(&facts.text)).unwrap_or_default(),
        ..Evidence::default()
    };
    let finding = Finding { message: format!("`{name}` is owed, and it never ran"), evidence };
    Judgement::Judged {
        opportunities: owed,
        events: owed,
        first_turn: FirstTurn { event: true },
        findings: vec![finding],
    }
}
