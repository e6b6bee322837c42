//! The tables of a comparison: what stands behind the plot of differences, and what has no place in it.

use super::delta::drawn;
use super::overview::more;
use crate::compare::{Change, ComparedCell, Comparison, InventedChange, UnpairedProbe};
use crate::number::{count, of, p_value, percent_sign, points, points_interval};
use crate::table::{Column, Entry, Row, Table, form_word};
use crate::text_safe::{cropped, cropped_name, visible};
use crate::words::words;

/// Rows of a list of probes or names.
const LIMIT: usize = 100;
/// Rows of a table with a few for each pair of cells.
const LONG: usize = 500;

fn text(head: &str) -> Column {
    Column { head: head.to_owned(), numeric: false }
}

fn figure(head: &str) -> Column {
    Column { head: head.to_owned(), numeric: true }
}

fn said(text: &str) -> Entry {
    Entry::Words { text: visible(text).into_owned() }
}

fn number(text: Option<String>) -> Entry {
    text.map_or(Entry::Empty, |text| Entry::Number { text })
}

fn name(text: &str) -> Entry {
    Entry::Code { text: cropped_name(text, 80) }
}

fn cell_label(pair: &ComparedCell) -> Entry {
    said(&cropped(&pair.label, 44))
}

/// Every rate of every pair of cells, in full.
pub(super) fn rates(comparison: &Comparison) -> Table {
    let mut columns = vec![text("rate"), text("cell"), text("direction")];
    let heads = ["before", "after", "pairs", "tasks", "difference", "95 % interval", "90 % interval"];
    columns.extend(heads.map(figure));
    columns.extend(["worse / better", "p exact", "p mid", "adjusted", "could show"].map(figure));
    let mut changes: Vec<(&ComparedCell, &Change)> = comparison
        .cells
        .iter()
        .flat_map(|pair| pair.changes.iter().map(move |change| (pair, change)))
        .collect();
    // Stable: the order of the cells within a rate.
    changes.sort_by_key(|(_, change)| change.metric);
    Table {
        title: "Every rate before and after".into(),
        about: Some(
            "Over paired probes alone, in percentage points; the interval of 90 % is the one that a gate looks \
             at. Adjusted: Holm's p over all gated rates and cells, and for rates that are for reading Benjamini \
             and Hochberg's q. Could show: the rise that a comparison of this size shows with a chance of 80 %."
                .into(),
        ),
        columns,
        more: more(changes.len(), LONG, "row"),
        rows: changes.into_iter().take(LONG).map(|(pair, change)| rate_row(pair, change)).collect(),
    }
}

fn rate_row(pair: &ComparedCell, change: &Change) -> Row {
    let rate = change.rate.as_ref();
    let many = drawn(change);
    let side = |events: u64, scored: u64, share: f64| {
        let counts = of(events, scored);
        match many {
            Some(_) => Entry::Figure {
                main: percent_sign(share),
                counts: Some(counts),
                interval: None,
                absent: false,
            },
            None => Entry::Number { text: counts },
        }
    };
    let direction = match &change.reason {
        Some(reason) => format!("{}: {reason}", change.direction.word()),
        None => change.direction.word().to_owned(),
    };
    let q = if change.gated { "" } else { "q " };
    Row {
        heads: vec![said(words(change.metric).title), cell_label(pair)],
        cells: vec![
            said(&direction),
            rate.map_or(Entry::Empty, |r| side(r.baseline.events, r.baseline.scored, r.baseline_rate)),
            rate.map_or(Entry::Empty, |r| side(r.candidate.events, r.candidate.scored, r.candidate_rate)),
            number(rate.map(|rate| count(rate.pairs))),
            number(rate.map(|rate| count(rate.tasks))),
            number(many.map(|rate| points(rate.difference))),
            number(many.and_then(|rate| rate.interval_95).map(points_interval)),
            number(many.and_then(|rate| rate.interval_90).map(points_interval)),
            number(rate.map(|rate| format!("{} / {}", count(rate.worse), count(rate.better)))),
            number(rate.and_then(|rate| rate.exact_p).map(|p| written(p, ""))),
            number(rate.and_then(|rate| rate.mid_p).map(|p| written(p, ""))),
            number(change.adjusted_p.map(|p| written(p, q))),
            number(change.sees_rise.map(points)),
        ],
    }
}

/// A p-value as a figure, behind what it is where that is not plain.
fn written(p: f64, letter: &str) -> String {
    let value = p_value(p);
    format!("{letter}{}", value.strip_prefix("= ").unwrap_or(&value))
}

/// What was done where the tool was missing, on both sides.
pub(super) fn outcomes(comparison: &Comparison) -> Option<Table> {
    let mut rows = Vec::new();
    let mut columns = vec![text("cell"), text("side")];
    for pair in &comparison.cells {
        let Some(change) = &pair.outcomes else { continue };
        if columns.len() == 2 {
            columns.extend(change.baseline.iter().map(|outcome| figure(outcome.outcome.as_str())));
        }
        for (side, outcomes) in [("before", &change.baseline), ("after", &change.candidate)] {
            rows.push(Row {
                heads: vec![cell_label(pair), said(side)],
                cells: outcomes.iter().map(|outcome| number(Some(count(outcome.trials)))).collect(),
            });
        }
    }
    let beyond = more(rows.len(), LONG, "row");
    rows.truncate(LONG);
    (!rows.is_empty()).then(|| Table {
        title: "When the tool was missing, before and after".into(),
        about: Some("Trials of paired probes.".into()),
        columns,
        rows,
        more: beyond,
    })
}

/// Names that were made up on either side.
pub(super) fn invented(comparison: &Comparison) -> Option<Table> {
    let all: Vec<(&ComparedCell, &InventedChange)> = comparison
        .cells
        .iter()
        .flat_map(|pair| pair.invented.iter().map(move |invented| (pair, invented)))
        .collect();
    let row = |(pair, invented): &(&ComparedCell, &InventedChange)| Row {
        heads: vec![
            match invented.name.text.as_str() {
                "" => said("(no name)"),
                text => name(text),
            },
            cell_label(pair),
        ],
        cells: vec![
            number(Some(count(invented.baseline))),
            number(Some(count(invented.candidate))),
            said(form_word(invented.name_form)),
            invented.nearest_tool.as_ref().map_or(Entry::Empty, |tool| name(tool.as_str())),
            name(invented.example.as_str()),
        ],
    };
    let mut columns = vec![text("name"), text("cell"), figure("before"), figure("after")];
    columns.extend(["why it misses", "nearest offered", "example"].map(text));
    (!all.is_empty()).then(|| Table {
        title: "Names that were made up, before and after".into(),
        about: Some("Trials that called the name.".into()),
        columns,
        rows: all.iter().take(LIMIT).map(row).collect(),
        more: more(all.len(), LIMIT, "name"),
    })
}

/// Probes that are on one side alone.
pub(super) fn unpaired(comparison: &Comparison) -> Option<Table> {
    let all: Vec<(&ComparedCell, &UnpairedProbe)> = comparison
        .cells
        .iter()
        .flat_map(|pair| pair.unpaired.iter().map(move |probe| (pair, probe)))
        .collect();
    let row = |(pair, probe): &(&ComparedCell, &UnpairedProbe)| Row {
        heads: vec![name(probe.probe.as_str()), cell_label(pair)],
        cells: vec![
            said(match probe.side {
                Some(transcript::Side::Baseline) => "baseline",
                Some(transcript::Side::Candidate) => "candidate",
                None => "both",
            }),
            said(if probe.stale { "stale on the other side" } else { "" }),
            said(&cropped(&probe.reason, 300)),
        ],
    };
    (!all.is_empty()).then(|| Table {
        title: "Probes that do not pair".into(),
        about: Some("They are in no figure of the comparison.".into()),
        columns: ["probe", "cell", "side", "stale", "reason"].map(text).to_vec(),
        rows: all.iter().take(LIMIT).map(row).collect(),
        more: more(all.len(), LIMIT, "probe"),
    })
}
