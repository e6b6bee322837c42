//! What each arm changed against the base arm of the same tasks.

use scorer::{ArmDelta, DecoyOutcome};

use super::{Entry, Row, Table, cell_head, number, several, words};
use crate::number::{PROBES_FOR_A_PERCENTAGE, count, of, points};
use crate::report::Report;

/// Paired deltas of arms.
pub(crate) fn arms(report: &Report) -> Option<Table> {
    let mut rows = Vec::new();
    for cell in &report.cells {
        for delta in &cell.arms {
            let mut heads = vec![Entry::code(&format!("{} @{}", delta.kind, delta.arm))];
            heads.extend(cell_head(report, cell));
            rows.push(Row { heads, cells: row(delta) });
        }
    }
    let mut columns = vec![words("arm")];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.push(words("rate"));
    columns.extend(["pairs", "base arm", "this arm", "difference", "95 % interval"].map(number));
    columns.extend(["only base / only this", "p (mid-p)"].map(number));
    (!rows.is_empty()).then(|| Table {
        title: "What each arm changed".into(),
        about: Some(
            "Paired with the base arm of the same tasks, in percentage points. Neither arm enters the three \
             rates."
                .into(),
        ),
        columns,
        rows,
        more: None,
    })
}

/// Outcomes of both arms where the tool was missing, a row a side.
pub(crate) fn arm_outcomes(report: &Report) -> Option<Table> {
    let mut rows = Vec::new();
    for cell in &report.cells {
        for pair in &cell.arm_outcomes {
            let base = (format!("{}, base arm", pair.kind), &pair.base);
            for (name, outcomes) in [base, (format!("{} @{}", pair.kind, pair.arm), &pair.treatment)] {
                let mut heads = vec![Entry::code(&name)];
                heads.extend(cell_head(report, cell));
                let mut cells: Vec<Entry> = outcomes.iter().map(|o| Entry::count(o.trials)).collect();
                cells.push(Entry::count(pair.pairs));
                rows.push(Row { heads, cells });
            }
        }
    }
    let mut columns = vec![words("arm")];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.extend(DecoyOutcome::SHOWN.map(|outcome| number(outcome.as_str())));
    columns.push(number("all"));
    (!rows.is_empty()).then(|| Table {
        title: "Outcomes of both arms when the tool was missing".into(),
        about: None,
        columns,
        rows,
        more: None,
    })
}

fn row(delta: &ArmDelta) -> Vec<Entry> {
    let (only_base, only_this) = delta.discordant;
    // Like a rate, a difference is no percentage under ten pairs.
    let enough = delta.pairs >= PROBES_FOR_A_PERCENTAGE;
    vec![
        Entry::code(delta.metric.as_str()),
        Entry::count(delta.pairs),
        Entry::number(of(delta.base.events, delta.base.scored)),
        Entry::number(of(delta.treatment.events, delta.treatment.scored)),
        Entry::optional(delta.difference.filter(|_| enough).map(points)),
        Entry::optional(
            delta
                .interval_95
                .filter(|_| enough)
                .map(|(lower, upper)| format!("{} to {}", points(lower), points(upper))),
        ),
        Entry::number(format!("{} / {}", count(only_base), count(only_this))),
        Entry::optional(delta.p.map(|(exact, mid)| format!("{} ({})", p_value(exact), p_value(mid)))),
    ]
}

/// A p-value with three decimals, or that it is below.
fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
