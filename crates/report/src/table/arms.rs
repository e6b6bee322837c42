//! What each arm changed against the base arm of the same tasks.

use indexmap::IndexMap;
use probes::RateName;
use scorer::{ArmDelta, DecoyOutcome};
use transcript::CellId;

use super::{Entry, Row, Table, cell_head, number, several, words};
use crate::number::{PROBES_FOR_A_PERCENTAGE, count, of, points};
use crate::report::Report;

/// The error rate at which a difference of arms is called one, over all arms and rates of a cell.
const SHOWN_AT: f64 = 0.05;

/// What the arms of a suite bought, over all kinds that are under them.
pub(crate) fn arms_over_all_kinds(report: &Report) -> Option<Table> {
    let row = |delta: &ArmDelta| {
        let mut row = row(delta);
        row.push(Entry::optional(delta.q.map(p_value)));
        row.push(Entry::words(direction(delta)));
        row
    };
    deltas(report, true, &["q", "direction"], &row).map(|rows| Table {
        title: "What each arm bought".into(),
        about: Some(
            "Over all kinds, each question paired with itself in the base arm, in percentage points. q takes all \
             arms and rates of the cell into account (Benjamini and Hochberg). Trials of an arm enter none of the \
             three rates."
                .into(),
        ),
        ..rows
    })
}

/// Paired deltas of arms, kind by kind.
pub(crate) fn arms(report: &Report) -> Option<Table> {
    deltas(report, false, &[], &row).map(|rows| Table {
        title: "What each arm changed, kind by kind".into(),
        about: Some(
            "Paired with the base arm of the same tasks, in percentage points. Trials of an arm enter none of the \
             three rates."
                .into(),
        ),
        ..rows
    })
}

/// Deltas as rows, of all kinds together or of single ones.
fn deltas(
    report: &Report,
    over_all_kinds: bool,
    more: &[&str],
    row: &dyn Fn(&ArmDelta) -> Vec<Entry>,
) -> Option<Table> {
    let mut rows = Vec::new();
    let mut all = report.cells.iter().flat_map(|cell| cell.arms.iter().map(move |delta| (cell, delta)));
    let asked = all.any(|(cell, delta)| endpoint(report, &cell.id, &delta.arm).is_some());
    for cell in &report.cells {
        for delta in cell.arms.iter().filter(|delta| delta.is_over_all_kinds() == over_all_kinds) {
            let arm =
                if over_all_kinds { delta.arm.clone() } else { format!("{} @{}", delta.kind, delta.arm) };
            let mut heads = vec![Entry::code(&arm)];
            heads.extend(cell_head(report, cell));
            let mut cells = row(delta);
            if asked {
                cells.push(endpoint(report, &cell.id, &delta.arm).map_or(Entry::words("–"), Entry::words));
            }
            rows.push(Row { heads, cells });
        }
    }
    let mut columns = vec![words("arm")];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.push(words("rate"));
    columns.extend(["pairs", "base arm", "this arm", "difference", "95 % interval"].map(number));
    columns.extend(["only base / only this", "p (mid-p)"].map(number));
    columns.extend(more.iter().map(|head| number(head)));
    columns.extend(asked.then(|| words("by the endpoint")));
    (!rows.is_empty()).then(|| Table { title: String::new(), about: None, columns, rows, more: None })
}

/// What the endpoint makes of an arm's strict schemas, tool choice and parallel calls: `enforced`, `ignored`, `refused`
/// or `unknown`.
fn endpoint(report: &Report, cell: &CellId, arm: &str) -> Option<&'static str> {
    report.identity.strictness(cell, arm).map(|cell| cell.state.as_str())
}

/// Whether a difference is one, in a word.
fn direction(delta: &ArmDelta) -> &'static str {
    match (delta.difference, delta.q) {
        (Some(difference), Some(q)) if q <= SHOWN_AT && difference > 0.0 => "rose",
        (Some(difference), Some(q)) if q <= SHOWN_AT && difference < 0.0 => "fell",
        _ => "unclear",
    }
}

/// An arm in one cell, over all kinds: `14 → 9 of 182 fell` for each headline rate that its probes enter.
pub(crate) struct ArmLine {
    pub(crate) arm: String,
    pub(crate) cell: Option<String>,
    /// What the endpoint makes of it, where that was asked.
    pub(crate) endpoint: Option<&'static str>,
    pub(crate) rates: [Option<String>; 3],
}

/// The arms of a suite, cell by cell.
pub(crate) fn arm_lines(report: &Report) -> Vec<ArmLine> {
    let mut lines: Vec<ArmLine> = Vec::new();
    for cell in &report.cells {
        let deltas = cell.arms.iter().filter(|delta| delta.is_over_all_kinds());
        let by_arm = deltas.fold(IndexMap::<&str, Vec<&ArmDelta>>::new(), |mut all, delta| {
            all.entry(&delta.arm).or_default().push(delta);
            all
        });
        for (arm, deltas) in by_arm {
            let rate = |metric: RateName| {
                let delta = deltas.iter().find(|delta| delta.metric == metric)?;
                let after = of(delta.treatment.events, delta.treatment.scored);
                Some(format!("{} → {after} {}", count(delta.base.events), direction(delta)))
            };
            let id = cell.id.clone();
            let cell = several(report).then(|| cell.label.clone());
            let endpoint = endpoint(report, &id, arm);
            lines.push(ArmLine { arm: arm.to_owned(), cell, endpoint, rates: RateName::HEADLINE.map(rate) });
        }
        // An arm that the endpoint refuses has no trial to compare.
        for refused in report.identity.refused_arms(&cell.id) {
            if !cell.arms.iter().any(|delta| delta.arm == refused.arm && delta.pairs > 0) {
                let of = several(report).then(|| cell.label.clone());
                let endpoint = Some(refused.state.as_str());
                let rates = RateName::HEADLINE.map(|_| Some("no trial".to_owned()));
                lines.push(ArmLine { arm: refused.arm.clone(), cell: of, endpoint, rates });
            }
        }
    }
    lines
}

/// What each endpoint made of the arms of strictness, with what came back.
pub(crate) fn strictness(report: &Report) -> Option<Table> {
    let mut rows = Vec::new();
    for (id, target) in &report.identity.targets {
        for cell in target.serving.iter().flat_map(|check| &check.strictness) {
            rows.push(Row {
                heads: vec![Entry::code(&cell.arm), Entry::words(&id.0)],
                cells: vec![Entry::words(cell.state.as_str()), Entry::words(&cell.evidence)],
            });
        }
    }
    (!rows.is_empty()).then(|| Table {
        title: "What the endpoint made of each arm".into(),
        about: Some(
            "Strict schemas, tool choice and parallel calls, asked in one request each before the run: the model was \
             told to break them. Enforced: they held, and do not hold by themselves. Ignored: they were accepted and \
             broken."
                .into(),
        ),
        columns: vec![words("arm"), words("target"), words("by the endpoint"), words("what came back")],
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
