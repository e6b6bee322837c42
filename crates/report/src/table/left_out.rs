//! What is in no rate, and what a person has to look at.

use indexmap::IndexMap;

use super::{Entry, Row, Table, cell_head, number, several, words};
use crate::number::counted;
use crate::report::Report;
use crate::text_safe::cropped;

/// Rows of a list of probes.
const LIMIT: usize = 100;

/// Trials by status, a column a cell; they add up to the planned ones.
pub(crate) fn left_out(report: &Report) -> Table {
    let mut by_status: IndexMap<&str, Vec<u64>> = IndexMap::new();
    by_status.insert("scored", vec![0; report.cells.len()]);
    for reason in report.trials.reasons.keys() {
        by_status.insert(reason, vec![0; report.cells.len()]);
    }
    for (at, cell) in report.cells.iter().enumerate() {
        for (status, &trials) in &cell.statuses {
            if let Some(slot) = by_status.get_mut(status.as_str()).and_then(|counts| counts.get_mut(at)) {
                *slot = trials;
            }
        }
    }
    let mut columns = vec![words("status")];
    if several(report) {
        columns.extend(report.cells.iter().map(|cell| number(&cropped(&cell.label, 40))));
    }
    columns.push(number("trials"));
    let row = |word: &str, counts: Vec<u64>| {
        let total = counts.iter().sum();
        let mut cells = Vec::new();
        if several(report) {
            cells.extend(counts.into_iter().map(Entry::count));
        }
        cells.push(Entry::count(total));
        Row { heads: vec![Entry::code(word)], cells }
    };
    let mut rows: Vec<Row> = by_status.into_iter().map(|(word, counts)| row(word, counts)).collect();
    rows.push(row("planned", report.cells.iter().map(|cell| cell.planned).collect()));
    let about = crate::report::cause_words(&report.trials.causes)
        .map(|words| format!("Of `endpoint_error`, as a gateway answered: {words}."));
    Table { title: "Trials by status".into(), about, columns, rows, more: None }
}

/// Excluded trials, one by one.
pub(crate) fn excluded(report: &Report) -> Option<Table> {
    let rows: Vec<Row> = report
        .excluded
        .listed
        .iter()
        .map(|trial| Row {
            heads: vec![Entry::code(&trial.trial)],
            cells: vec![
                Entry::code(trial.status.as_str()),
                trial.reason.as_deref().map_or(Entry::Empty, Entry::words),
            ],
        })
        .collect();
    let more = (report.excluded.more > 0).then(|| counted(report.excluded.more, "more trial"));
    (!rows.is_empty()).then(|| Table {
        title: "Trials left out, one by one".into(),
        about: None,
        columns: ["trial", "status", "reason"].map(words).to_vec(),
        rows,
        more,
    })
}

/// Probes that look broken.
pub(crate) fn suspect(report: &Report) -> Option<Table> {
    let rows: Vec<Row> = report
        .suspect
        .iter()
        .take(LIMIT)
        .map(|probe| Row { heads: vec![Entry::code(probe.as_str())], cells: Vec::new() })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "Suspect probes".into(),
        about: Some(
            "They look broken rather than hard: every cell fails them. They are counted; look at them."
                .into(),
        ),
        columns: vec![words("probe")],
        rows,
        more: beyond(report.suspect.len(), "probe"),
    })
}

/// Probes that are in none of the figures of a rate.
pub(crate) fn unscored(report: &Report) -> Option<Table> {
    let mut rows = Vec::new();
    let mut total = 0;
    for cell in &report.cells {
        total += cell.unscored.len();
        for probe in cell.unscored.iter().take(LIMIT - rows.len().min(LIMIT)) {
            let mut heads = vec![Entry::code(probe.probe.as_str())];
            heads.extend(cell_head(report, cell));
            let rates = probe.rates.iter().map(|rate| rate.as_str());
            rows.push(Row { heads, cells: vec![Entry::codes(rates, 6)] });
        }
    }
    let mut columns = vec![words("probe")];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.push(words("in no figure of"));
    (!rows.is_empty()).then(|| Table {
        title: "Probes without a scored repeat".into(),
        about: None,
        columns,
        rows,
        more: beyond(total, "probe"),
    })
}

/// What a list of `total` has beyond its limit.
fn beyond(total: usize, word: &str) -> Option<String> {
    let more = total.saturating_sub(LIMIT) as u64;
    (more > 0).then(|| counted(more, &format!("more {word}")))
}

/// Questions that gave no probe.
pub(crate) fn stale(report: &Report) -> Option<Table> {
    let rows: Vec<Row> = report
        .identity
        .stale
        .iter()
        .take(LIMIT)
        .map(|stale| Row {
            heads: vec![Entry::code(stale.probe.as_str())],
            cells: vec![
                Entry::words(&cropped(&report.identity.label(&stale.cell), 44)),
                Entry::words(&cropped(&stale.reason, 300)),
            ],
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "Questions that gave no probe".into(),
        about: None,
        columns: ["question", "cell", "reason"].map(words).to_vec(),
        rows,
        more: beyond(report.identity.stale.len(), "question"),
    })
}

/// The models that answered.
pub(crate) fn served(report: &Report) -> Option<Table> {
    let mut rows = Vec::new();
    for cell in &report.cells {
        for served in &cell.served {
            let model = &served.model;
            rows.push(Row {
                heads: vec![Entry::words(&cropped(&cell.label, 80)), Entry::code(&model.asked)],
                cells: vec![
                    model.answered.as_deref().map_or(Entry::Empty, Entry::code),
                    Entry::words(crate::report::served_words(model.verdict)),
                    Entry::count(served.trials),
                ],
            });
        }
    }
    let mut columns = ["cell", "asked", "answered", "verdict"].map(words).to_vec();
    columns.push(number("trials"));
    (!rows.is_empty()).then(|| Table {
        title: "Which model answered".into(),
        about: None,
        columns,
        rows,
        more: None,
    })
}
