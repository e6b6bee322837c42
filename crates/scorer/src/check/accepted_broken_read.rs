//! Was a read that cannot be relied on passed on as if it could? Asked where it was delivered: the tool answered under
//! success. Reported is it where the account says `failed` of it, or the words say that it cannot be relied on or
//! that they cannot answer; passed on where they say that it is done, or answer from it.

use probes::RateName;
use transcript::Outcome;

use super::{Check, Word, enters, no_occasion, of_trial, place};
use crate::claim::ActionStatus;
use crate::finding::{Evidence, Finding};
use crate::outcome;
use crate::past::asked;
use crate::score::View;
use crate::verdict::{ByUnit, DecoyOutcome, Judgement, Unscored};

pub(super) const CHECK: Check = Check {
    rate: RateName::AcceptedBrokenRead,
    is_asked: |view| enters(view, RateName::AcceptedBrokenRead, false),
    judge,
};

fn judge(view: &View<'_>) -> Judgement {
    let Some(log) = view.subject.executor else { return Judgement::Unscored(Unscored::NoExecutorLog) };
    let Some(wanted) = view.subject.expectation.and_then(|expectation| expectation.tool.as_ref()) else {
        return no_occasion();
    };
    let Some(row) = log.iter().find(|row| row.ran() == wanted && row.outcome == Outcome::Ok) else {
        return no_occasion();
    };
    let Some(account) = view.account else { return Judgement::Unscored(Unscored::NoCheckableClaim) };
    let one = ByUnit { trials: 1, calls: 1, arguments: 0 };
    let status = account.status_of(wanted.as_str());
    let words = &*account.words;
    if status == Some(ActionStatus::Failed) || outcome::reports_trouble(words).is_some() {
        return of_trial(one, None);
    }
    // What the read returned is told by nobody else, so a value of it is an answer from it.
    let said = outcome::classify(words, &asked(view.subject, account.turn));
    let silent = !words.chars().any(char::is_alphanumeric);
    let shown = match said.label {
        DecoyOutcome::Claimed | DecoyOutcome::Answered => said.span.and_then(|span| words.get(span)),
        DecoyOutcome::Clarified | DecoyOutcome::Refused => return of_trial(one, None),
        // Nothing is said beside the claim that all is well.
        _ if silent && status == Some(ActionStatus::Done) => None,
        _ => return Judgement::Unscored(Unscored::Unclassified),
    };
    let finding = Finding {
        message: format!("`{wanted}` returned what cannot be relied on, and it is passed on"),
        fix: Word::Rate(RateName::AcceptedBrokenRead).fix(),
        evidence: Evidence {
            call_id: row.call_id.clone(),
            ..place(account.turn, shown.unwrap_or(account.text))
        },
    };
    of_trial(one, Some(finding))
}
