//! Rows and columns that the formats share: what stands in which cell is settled here, and each format only
//! draws it. Every text that goes into a cell is made visible on its way in.

mod arms;
pub(crate) mod census;
pub(crate) mod compared;
pub(crate) mod differing;
mod dispatch;
mod events;
mod left_out;
mod rates;

use serde::Serialize;

use crate::number::{self, Figure};
use crate::report::{CellReport, Report};
use crate::text_safe::{cropped, cropped_name, visible};

pub(crate) use arms::{ArmLine, arm_lines, arm_outcomes, arms, arms_over_all_kinds, strictness};
pub(crate) use dispatch::{
    correctness_words, dispatch, dispatch_words, others_would_run, tool_correctness, would_run,
};
pub(crate) use events::{
    INVENTED_HEAD, after_unknown, argument_findings, form_word, format_findings, invented, others_words,
    outcomes, shadowed,
};
pub(crate) use left_out::{excluded, left_out, served, stale, suspect, unscored};
pub(crate) use rates::{headline, side, slices};

/// Characters of a name in a table.
const NAME_WIDTH: usize = 80;

/// One table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Table {
    /// What it shows: its caption.
    pub(crate) title: String,
    /// A sentence on how to read it.
    pub(crate) about: Option<String>,
    /// The columns, those of the row heads included.
    pub(crate) columns: Vec<Column>,
    /// The rows.
    pub(crate) rows: Vec<Row>,
    /// What is not in the rows.
    pub(crate) more: Option<String>,
}

/// One column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Column {
    /// Its head.
    pub(crate) head: String,
    /// Whether its cells are set to the right.
    pub(crate) numeric: bool,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Row {
    /// The cells that name the row.
    pub(crate) heads: Vec<Entry>,
    /// The others.
    pub(crate) cells: Vec<Entry>,
}

/// What stands in one cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Entry {
    /// Nothing, where there is nothing to count. Absent is not zero.
    Empty,
    /// Words of ours.
    Words { text: String },
    /// A name or another word of the machine's.
    Code { text: String },
    /// Several names.
    Codes { texts: Vec<String>, more: usize },
    /// One of the failing trials, by its place in the report; none where it is not among them.
    Trial { text: String, at: Option<usize> },
    /// A number as it is written.
    Number { text: String },
    /// A rate.
    Figure { main: String, counts: Option<String>, interval: Option<String>, absent: bool },
}

impl Table {
    /// Leaves out the columns in which no row has anything.
    fn drop_empty_columns(&mut self) {
        let heads = self.rows.first().map_or(0, |row| row.heads.len());
        let cells = self.columns.len().saturating_sub(heads);
        let keep: Vec<bool> = (0..cells)
            .map(|at| self.rows.iter().any(|row| row.cells.get(at).is_some_and(|cell| *cell != Entry::Empty)))
            .collect();
        if self.rows.is_empty() {
            return;
        }
        let mut kept = keep.iter().copied();
        let mut column = 0;
        self.columns.retain(|_| {
            column += 1;
            column <= heads || kept.next().unwrap_or(true)
        });
        for row in &mut self.rows {
            let mut kept = keep.iter().copied();
            row.cells.retain(|_| kept.next().unwrap_or(true));
        }
    }
}

impl Entry {
    fn words(text: &str) -> Self {
        Self::Words { text: visible(text).into_owned() }
    }

    fn code(text: &str) -> Self {
        Self::Code { text: cropped_name(text, NAME_WIDTH) }
    }

    fn codes<'a>(texts: impl IntoIterator<Item = &'a str>, limit: usize) -> Self {
        let mut texts: Vec<String> = texts.into_iter().map(|text| cropped_name(text, NAME_WIDTH)).collect();
        let more = texts.len().saturating_sub(limit);
        texts.truncate(limit);
        if texts.is_empty() { Self::Empty } else { Self::Codes { texts, more } }
    }

    fn count(number: u64) -> Self {
        Self::Number { text: number::count(number) }
    }

    fn number(text: String) -> Self {
        Self::Number { text }
    }

    fn optional(text: Option<String>) -> Self {
        text.map_or(Self::Empty, |text| Self::Number { text })
    }

    /// A rate; empty where the cell does not have it.
    fn figure(rate: Option<&scorer::Rate>) -> Self {
        rate.map_or(Self::Empty, |rate| Self::from(&Figure::of(rate)))
    }
}

impl From<&Figure> for Entry {
    fn from(figure: &Figure) -> Self {
        let entry = |main: String, counts, interval| Self::Figure { main, counts, interval, absent: false };
        match figure {
            Figure::Counts { events, scored } => entry(number::of(*events, *scored), None, None),
            Figure::Zero { scored, at_most } => entry(
                number::of(0, *scored),
                None,
                at_most.map(|upper| format!("at most {}", number::percent_sign(upper))),
            ),
            Figure::Share { share, events, scored, interval } => entry(
                number::percent_sign(*share),
                Some(number::of(*events, *scored)),
                interval.map(number::interval_words),
            ),
            Figure::NotMeasured | Figure::Censored | Figure::CoverageTooLow { .. } => {
                Self::Figure { main: figure.sentence(), counts: None, interval: None, absent: true }
            }
        }
    }
}

fn words(head: &str) -> Column {
    Column { head: head.to_owned(), numeric: false }
}

fn number(head: &str) -> Column {
    Column { head: head.to_owned(), numeric: true }
}

/// Whether a report has cells to set side by side, so that rows have to name theirs.
fn several(report: &Report) -> bool {
    report.cells.len() > 1
}

/// The row head that names a cell, where there are several.
fn cell_head(report: &Report, cell: &CellReport) -> Option<Entry> {
    several(report).then(|| Entry::words(&cropped(&cell.label, 44)))
}

/// Counts by reason, in words: `timeout 3, truncated 1`.
pub(crate) fn reasons<'a>(counts: impl IntoIterator<Item = (&'a String, &'a u64)>) -> Option<String> {
    let parts: Vec<String> = counts
        .into_iter()
        .filter(|(_, trials)| **trials > 0)
        .map(|(reason, trials)| format!("{} {}", visible(reason), number::count(*trials)))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
