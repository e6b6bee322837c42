//! The four checks of a claim line, each a reading of one comparison with the executor log (DESIGN.md 3.5).

use std::borrow::Cow;

use probes::RateName;

use super::{no_occasion, number};
use crate::claim::{ClaimState, Ran, reconcile};
use crate::finding::{Evidence, Finding};
use crate::score::View;
use crate::turn::quote;
use crate::verdict::{ByUnit, FirstTurn, Judgement, Unscored};

/// Holds the trial's claim against the log, for one rate.
pub(super) fn judge(view: &View<'_>, rate: RateName) -> Judgement {
    let Some(log) = view.subject.executor else { return Judgement::Unscored(Unscored::NoExecutorLog) };
    let Some(account) = view.account else { return Judgement::Unscored(Unscored::NoCheckableClaim) };
    let reconciliation = reconcile(&account.claim, Ran::ExecutorLog(log));
    let Some(judged) = reconciliation.of(rate) else { return no_occasion() };
    match judged.state {
        ClaimState::NoOccasion => return no_occasion(),
        ClaimState::NoCheckableClaim => return Judgement::Unscored(Unscored::NoCheckableClaim),
        ClaimState::NotTested => return Judgement::Unscored(Unscored::NoExecutorLog),
        ClaimState::Judged => {}
    }
    let finding = |found: &crate::claim::ClaimFinding| Finding {
        message: found.message.clone(),
        fix: Cow::Borrowed(crate::fix::fix(rate.as_str()).unwrap_or_default()),
        evidence: Evidence {
            turn: number(account.turn),
            call_id: found.row.and_then(|row| log.get(row)?.call_id.clone()),
            quote: quote(account.text.get(found.span.clone()).unwrap_or_default()),
            ..Evidence::default()
        },
    };
    let findings: Vec<Finding> = judged.findings.iter().map(finding).collect();
    let events = number(findings.len());
    Judgement::Judged {
        // What is counted beside the trial are claims, or tools that ran.
        opportunities: ByUnit { trials: 1, calls: judged.opportunities, arguments: 0 },
        events: ByUnit { trials: events.min(1), calls: events, arguments: 0 },
        first_turn: FirstTurn { event: events > 0 && account.turn == 0 },
        findings,
    }
}
