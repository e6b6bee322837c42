//! Is one call made again and again unchanged, in a trial in which a call fails?

use std::collections::HashMap;

use probes::RateName;
use transcript::{ExecutedCall, Outcome};

use super::{Check, Word, number, of_trial};
use crate::finding::{Evidence, Finding};
use crate::score::View;
use crate::turn::quote;
use crate::verdict::{ByUnit, Judgement, Unscored};

pub(super) const CHECK: Check =
    Check { rate: RateName::RepeatedCall, is_asked: |view| log(view).iter().any(has_failed), judge };

/// So many equal calls of one tool, the first included, are the event (DESIGN.md 3.2).
pub(super) const TOO_OFTEN: usize = 5;

fn log<'a>(view: &View<'a>) -> &'a [ExecutedCall] {
    view.subject.executor.unwrap_or_default()
}

/// A refused call is none of the tool's failures.
fn has_failed(row: &ExecutedCall) -> bool {
    matches!(row.outcome, Outcome::Failed | Outcome::Crashed)
}

fn judge(view: &View<'_>) -> Judgement {
    if view.subject.executor.is_none() {
        return Judgement::Unscored(Unscored::NoExecutorLog);
    }
    let mut seen: HashMap<(&str, String), usize> = HashMap::new();
    for row in log(view) {
        // By value: the order of keys makes no other call.
        let arguments = row.arguments.to_value().map_or_else(|| row.arguments.as_str().to_owned(), canonical);
        let times = seen.entry((row.ran().as_str(), arguments)).or_default();
        *times += 1;
        if *times == TOO_OFTEN {
            let finding = Finding {
                message: format!("`{}` is called {TOO_OFTEN} times with equal arguments", row.ran()),
                fix: Word::Rate(RateName::RepeatedCall).fix(),
                evidence: Evidence {
                    turn: row.turn,
                    call_id: row.call_id.clone(),
                    quote: quote(&format!("{}({})", row.tool, row.arguments.as_str())),
                    ..Evidence::default()
                },
            };
            return of_trial(calls(view), Some(finding));
        }
    }
    of_trial(calls(view), None)
}

fn calls(view: &View<'_>) -> ByUnit {
    ByUnit { trials: 1, calls: number(log(view).len()), arguments: 0 }
}

/// A value as text with sorted keys.
fn canonical(mut value: serde_json::Value) -> String {
    value.sort_all_objects();
    value.to_string()
}
