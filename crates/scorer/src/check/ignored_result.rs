//! Does the answer follow what the tool returned? Three questions in order (DESIGN.md 3.5): was the tool called, is
//! there a checkable answer, does it follow the result. The first and the last are findings; a missing answer line
//! leaves the trial out, on a line of its own.

use std::borrow::Cow;

use probes::RateName;
use transcript::Outcome;

use super::{Check, Word, enters, of_trial, place};
use crate::argument::{Follows, follows};
use crate::finding::{Evidence, Finding};
use crate::score::View;
use crate::verdict::{ByUnit, Judgement, Unscored};

pub(super) const CHECK: Check = Check {
    rate: RateName::IgnoredResult,
    is_asked: |view| enters(view, RateName::IgnoredResult, false),
    judge,
};

fn judge(view: &View<'_>) -> Judgement {
    let Some(log) = view.subject.executor else { return Judgement::Unscored(Unscored::NoExecutorLog) };
    let Some(expectation) = view.subject.expectation else {
        return Judgement::Unscored(Unscored::NoCheckableClaim);
    };
    let wanted = expectation.tool.as_ref();
    let row = log.iter().find(|row| Some(row.ran()) == wanted && row.outcome == Outcome::Ok);
    let name = wanted.map_or("the tool", |tool| tool.as_str());
    let last = view.facts.len().saturating_sub(1);
    let text = view.facts.last().map(|facts| &*facts.text).unwrap_or_default();
    let Some(row) = row else {
        let finding = Finding {
            message: format!("`{name}` was never called, so that no answer rests on it"),
            fix: Word::Other("not_called").fix(),
            evidence: place(last, text),
        };
        // Beside the trials stand those that called and answered: this one did not.
        return of_trial(ByUnit { trials: 1, calls: 0, arguments: 0 }, Some(finding));
    };
    let answer = view.account.and_then(|account| account.claim.answer.as_ref());
    let Some((answer, oracle)) = answer.zip(expectation.answer.as_ref()) else {
        return Judgement::Unscored(Unscored::NoCheckableClaim);
    };
    let answered = ByUnit { trials: 1, calls: 1, arguments: 0 };
    match follows(oracle, &answer.text, view.schemas) {
        Follows::Yes => of_trial(answered, None),
        Follows::Unclear => Judgement::Unscored(Unscored::Unclassified),
        Follows::No => {
            let returned = row.result.as_deref().unwrap_or_default();
            let returned: String = returned.chars().take(120).collect();
            let finding = Finding {
                message: format!("the answer is `{}`, and `{name}` returned {returned}", answer.text),
                fix: Cow::Borrowed(crate::fix::fix("result_not_followed").unwrap_or_default()),
                evidence: Evidence { call_id: row.call_id.clone(), ..place(last, &answer.text) },
            };
            of_trial(answered, Some(finding))
        }
    }
}
