//! Outcomes of one cell as a bar of parts.

use serde::Serialize;

use super::panel::place;
use crate::number::{count, counted};
use crate::report::CellReport;
use crate::text_safe::cropped;

/// Outcomes of one cell as parts of a bar.
#[derive(Serialize)]
pub(super) struct Bar {
    label: String,
    total: String,
    said: String,
    parts: Vec<Part>,
}

#[derive(Serialize)]
pub(super) struct Part {
    outcome: &'static str,
    trials: String,
    at: String,
    width: String,
}

pub(super) fn bar(cell: &CellReport) -> Option<Bar> {
    if cell.decoy_trials == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of trials")]
    let share = |trials: u64| trials as f64 / cell.decoy_trials as f64;
    let mut before = 0;
    let mut parts = Vec::new();
    for outcome in cell.outcomes.iter().filter(|outcome| outcome.trials > 0) {
        parts.push(Part {
            outcome: outcome.outcome.as_str(),
            trials: count(outcome.trials),
            at: place(share(before), 1.0),
            width: place(share(outcome.trials), 1.0),
        });
        before += outcome.trials;
    }
    let said: Vec<String> = parts.iter().map(|part| format!("{} {}", part.outcome, part.trials)).collect();
    Some(Bar {
        label: cropped(&cell.label, 60),
        total: counted(cell.decoy_trials, "trial"),
        said: said.join(", "),
        parts,
    })
}
