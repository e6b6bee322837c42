//! The table of the three rates: a row a cell, a column a rate, set so that figures stand below each other.

use probes::RateName;

use super::by_call;
use crate::number::{Figure, percent, percent_sign};
use crate::report::CellReport;
use crate::table::dispatch_words;
use crate::text_safe::cropped;
use crate::{Report, number};

/// Space between columns.
const GAP: &str = "   ";

/// `limit` cells have a row; the others are counted.
pub(super) fn draw(report: &Report, limit: usize, lines: &mut Vec<String>) {
    let cells: Vec<&CellReport> = report.cells.iter().take(limit).collect();
    let labels = labels(report, limit);
    let label_width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).max(8);
    let columns: Vec<Column> =
        RateName::HEADLINE.iter().map(|&metric| Column::of(report, metric, &cells)).collect();

    let line = |label: &str, pick: &dyn Fn(&Column) -> String| {
        let mut line = format!("{label:<label_width$}");
        for column in &columns {
            line.push_str(GAP);
            line.push_str(&format!("{:<width$}", pick(column), width = column.width));
        }
        line
    };
    lines.push(line("", &|column| column.title.clone()));
    lines.push(line("", &|column| column.of.clone()));
    for (at, label) in labels.iter().enumerate() {
        lines.push(line(label, &|column| column.rows.get(at).cloned().unwrap_or_default()));
    }
    if report.cells.len() > limit {
        let more = number::counted((report.cells.len() - limit) as u64, "more cell");
        lines.push(format!("and {more}, in the report"));
    }
    per_call(report, label_width, lines);
}

/// The cells' names in columns of their parts.
fn labels(report: &Report, limit: usize) -> Vec<String> {
    let parts: Vec<Vec<String>> = report
        .cells
        .iter()
        .take(limit)
        .map(|cell| match report.identity.cell(&cell.id) {
            Some(identity) => identity.parts.iter().map(|part| cropped(part, 14)).collect(),
            None => vec![cropped(&cell.label, 14)],
        })
        .collect();
    let width = |column: usize| {
        parts.iter().filter_map(|row| row.get(column)).map(|part| part.chars().count()).max().unwrap_or(0)
    };
    parts
        .iter()
        .map(|row| {
            let padded: Vec<String> = row
                .iter()
                .enumerate()
                .map(|(column, part)| format!("{part:<width$}", width = width(column)))
                .collect();
            padded.join("  ").trim_end().to_owned()
        })
        .collect()
}

struct Column {
    title: String,
    of: String,
    rows: Vec<String>,
    width: usize,
}

impl Column {
    fn of(report: &Report, metric: RateName, cells: &[&CellReport]) -> Self {
        let words = crate::words::words(metric);
        let (title, of) = report.definition(metric).map_or_else(
            || (words.title.to_owned(), words.of.to_owned()),
            |definition| (definition.title.clone(), definition.of.clone()),
        );
        let figures: Vec<Figure> =
            cells.iter().map(|cell| cell.rate(metric).map_or(Figure::NotMeasured, Figure::of)).collect();
        let rows = set(&figures);
        let width =
            rows.iter().map(|row| row.chars().count()).chain([title.len(), of.len()]).max().unwrap_or(0);
        Self { title, of, rows, width }
    }
}

/// Figures one below the other: percentages, counts and the ends of intervals each to the right.
fn set(figures: &[Figure]) -> Vec<String> {
    let shares: Vec<Option<[String; 4]>> = figures.iter().map(share_parts).collect();
    let width = |part: usize| shares.iter().flatten().map(|parts| parts[part].len()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    figures
        .iter()
        .zip(&shares)
        .map(|(figure, parts)| match parts {
            Some([share, counts, lower, upper]) => {
                let [a, b, c, d] = widths;
                let interval =
                    if lower.is_empty() { String::new() } else { format!("  {lower:>c$}-{upper:>d$}") };
                format!("{share:>a$} %  {counts:>b$}{interval}")
            }
            None => other(figure),
        })
        .collect()
}

fn share_parts(figure: &Figure) -> Option<[String; 4]> {
    let Figure::Share { share, events, scored, interval } = figure else { return None };
    let (lower, upper) =
        interval.map_or_else(Default::default, |(lower, upper)| (percent(lower), percent(upper)));
    Some([percent(*share), format!("{}/{}", number::count(*events), number::count(*scored)), lower, upper])
}

/// A figure that is no percentage.
fn other(figure: &Figure) -> String {
    match figure {
        Figure::CoverageTooLow { scored, planned } => {
            format!("coverage too low: {}/{}", number::count(*scored), number::count(*planned))
        }
        Figure::Zero { scored, at_most: Some(upper) } => {
            format!("0 of {}; at most {}", number::count(*scored), percent_sign(*upper))
        }
        _ => figure.sentence(),
    }
}

/// The same faults by call and by argument, over all cells.
fn per_call(report: &Report, label_width: usize, lines: &mut Vec<String>) {
    let mut rows = Vec::new();
    for metric in RateName::HEADLINE {
        let (mut calls, mut arguments) = ((0, 0), (0, 0));
        for rate in report.cells.iter().filter_map(|cell| cell.rate(metric)) {
            if let Some(by) = rate.per_call {
                calls = (calls.0 + by.events, calls.1 + by.calls);
            }
            if let Some(by) = rate.per_argument {
                arguments = (arguments.0 + by.events, arguments.1 + by.arguments);
            }
        }
        let mut parts = Vec::new();
        if calls.1 > 0 {
            let dispatched = dispatch_words(report).filter(|_| metric == RateName::UnknownTool);
            let dispatched = dispatched.map_or_else(String::new, |words| format!("; {words}"));
            parts.push(format!("{}{dispatched}", by_call(calls.0, calls.1, "calls")));
        }
        if arguments.1 > 0 {
            parts.push(by_call(arguments.0, arguments.1, "arguments"));
        }
        // The shadow-call rate by call is the same calls under another denominator: one line a screen is enough.
        if !parts.is_empty() && metric != RateName::ShadowCall {
            rows.push(format!("{}: {}", crate::words::words(metric).title, parts.join(", ")));
        }
    }
    for (at, row) in rows.into_iter().enumerate() {
        let label = if at == 0 { "per call" } else { "" };
        lines.push(format!("{label:<label_width$}{GAP}{row}"));
    }
}
