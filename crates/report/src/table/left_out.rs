//! What is in no rate, and what a person has to look at.

use indexmap::IndexMap;

use super::{Entry, Row, Table, number, several, words};
use crate::number::count;
use crate::report::Report;
use crate::text_safe::cropped;

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
    Table { title: "Trials by status".into(), about: None, columns, rows, more: None }
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
    let more = (report.excluded.more > 0).then(|| format!("{} more trials", count(report.excluded.more)));
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
    let mut by_probe: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for cell in &report.cells {
        for probe in &cell.suspect {
            by_probe.entry(probe.as_str()).or_default().push(&cell.label);
        }
    }
    let rows: Vec<Row> = by_probe
        .into_iter()
        .map(|(probe, cells)| Row {
            heads: vec![Entry::code(probe)],
            cells: vec![Entry::words(&cropped(&cells.join(", "), 120))],
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "Suspect probes".into(),
        about: Some("They look broken rather than hard. They are counted; look at them.".into()),
        columns: ["probe", "in"].map(words).to_vec(),
        rows,
        more: None,
    })
}

/// Questions that gave no probe.
pub(crate) fn stale(report: &Report) -> Option<Table> {
    let rows: Vec<Row> = report
        .identity
        .stale
        .iter()
        .map(|(question, reason)| Row {
            heads: vec![Entry::code(question)],
            cells: vec![Entry::words(&cropped(reason, 300))],
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "Questions that gave no probe".into(),
        about: None,
        columns: ["question", "reason"].map(words).to_vec(),
        rows,
        more: None,
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
