//! The tables of rates: the three in full, the side rates, and the three by kind, tool and source.

use indexmap::IndexMap;
use probes::RateName;
use scorer::Rate;

use super::{Entry, Row, Table, cell_head, number, reasons, several, words};
use crate::number::{PROBES_FOR_A_PERCENTAGE, count, interval_words, of, one_in, percent_sign};
use crate::report::{CellReport, Report};

/// The three rates with everything that is known of them.
pub(crate) fn headline(report: &Report) -> Table {
    let mut table = full_table(report, RateName::HEADLINE.to_vec());
    table.title = "The three rates in full".to_owned();
    table.about = Some(
        "Share: the mean over probes of (trials with the event / scored repeats). The range says where the \
         rate would lie if every trial that was left out had been free of the event, and if every one had had it."
            .to_owned(),
    );
    table
}

/// The side rates, each with its own denominator.
pub(crate) fn side(report: &Report) -> Option<Table> {
    let metrics: Vec<RateName> = report
        .definitions
        .iter()
        .map(|definition| definition.metric)
        .filter(|metric| !RateName::HEADLINE.contains(metric))
        .collect();
    if metrics.is_empty() {
        return None;
    }
    let mut table = full_table(report, metrics);
    table.title = "Side rates".to_owned();
    table.about = Some("Each has a denominator of its own. None of them is part of the three.".to_owned());
    Some(table)
}

fn full_table(report: &Report, metrics: Vec<RateName>) -> Table {
    let mut columns = vec![words("rate")];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.extend(["share", "trials with it", "95 % interval"].map(number));
    columns.push(words("left out"));
    columns.extend(["range with those", "by call", "by argument", "first turns"].map(number));
    columns.push(words("over repeats"));
    let mut rows = Vec::new();
    for metric in metrics {
        for cell in &report.cells {
            if let Some(rate) = cell.rate(metric) {
                rows.push(full_row(report, cell, rate));
            }
        }
    }
    let mut table = Table { title: String::new(), about: None, columns, rows, more: None };
    table.drop_empty_columns();
    table
}

fn full_row(report: &Report, cell: &CellReport, rate: &Rate) -> Row {
    let name = report.definition(rate.metric).map_or(rate.metric.as_str(), |words| &words.title);
    let mut heads = vec![Entry::words(name)];
    heads.extend(cell_head(report, cell));
    let (share, interval) = match Entry::figure(Some(rate)) {
        Entry::Figure { main, absent: true, .. } => (Entry::words(&main), Entry::Empty),
        Entry::Figure { main, counts: Some(_), interval, .. } => {
            let small = rate.mean_over_probes.and_then(one_in);
            let share = small.map_or(main.clone(), |small| format!("{main} ({small})"));
            (Entry::number(share), Entry::optional(interval))
        }
        Entry::Figure { interval, .. } => (Entry::Empty, Entry::optional(interval)),
        _ => (Entry::Empty, Entry::Empty),
    };
    let measured = rate.scored > 0;
    let first = rate.by_first_turn;
    let cells = vec![
        share,
        if measured { Entry::number(pooled(rate)) } else { Entry::Empty },
        interval,
        Entry::words(reasons(&rate.excluded).as_deref().unwrap_or("none")),
        Entry::optional(rate.range_with_exclusions.filter(|_| has_range(rate)).map(interval_words)),
        Entry::optional(rate.per_call.filter(|by| by.calls > 0).map(|by| of(by.events, by.calls))),
        Entry::optional(
            rate.per_argument.filter(|by| by.arguments > 0).map(|by| of(by.events, by.arguments)),
        ),
        if first.scored > 0 { Entry::number(of(first.events, first.scored)) } else { Entry::Empty },
        over_repeats(rate),
    ];
    Row { heads, cells }
}

/// Trials with the event of trials scored; the weighted share beside it where repeats are unequal.
fn pooled(rate: &Rate) -> String {
    let counts = of(rate.events, rate.scored);
    #[expect(clippy::cast_precision_loss, reason = "counts of trials")]
    let weighted = rate.events as f64 / rate.scored as f64;
    match rate.mean_over_probes {
        Some(mean) if rate.probes >= PROBES_FOR_A_PERCENTAGE && (mean - weighted).abs() > 0.000_5 => {
            format!("{counts} ({} by trials)", percent_sign(weighted))
        }
        _ => counts,
    }
}

/// A range says something where trials were left out and the rate may be shown as a percentage.
fn has_range(rate: &Rate) -> bool {
    rate.probes >= PROBES_FOR_A_PERCENTAGE && !rate.excluded.is_empty()
}

fn over_repeats(rate: &Rate) -> Entry {
    match rate.over_repeats {
        Some(over) if over.probes > 0 => Entry::words(&format!(
            "{} in any, {} in all, of {} probes",
            count(over.any),
            count(over.all),
            count(over.probes)
        )),
        _ => Entry::Empty,
    }
}

/// The three rates by one property of the probes: `kind`, `tool`, `source`, `draft`. By kind, right and wrong
/// behaviour stands beside them.
pub(crate) fn slices(report: &Report, by: &str) -> Option<Table> {
    let with_behaviour = by == "kind";
    let mut by_value: IndexMap<String, Vec<Row>> = IndexMap::new();
    for cell in &report.cells {
        if with_behaviour {
            for (name, cells) in kind_rows(cell) {
                by_value.entry(name.clone()).or_default().push(row(report, cell, &name, cells));
            }
        } else {
            for slice in cell.slices.iter().filter(|slice| slice.by == by) {
                let cells = rates(&slice.rates);
                by_value.entry(slice.value.clone()).or_default().push(row(report, cell, &slice.value, cells));
            }
        }
    }
    if by_value.is_empty() {
        return None;
    }
    let mut columns = vec![words(by)];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.extend(RateName::HEADLINE.map(|metric| number(crate::words::words(metric).title)));
    if with_behaviour {
        columns.extend(["right", "wrong", "unclear"].map(number));
    }
    Some(Table {
        title: format!("The three rates by {by}"),
        about: None,
        columns,
        rows: by_value.into_values().flatten().collect(),
        more: None,
    })
}

fn row(report: &Report, cell: &CellReport, value: &str, cells: Vec<Entry>) -> Row {
    let mut heads = vec![Entry::code(value)];
    heads.extend(cell_head(report, cell));
    Row { heads, cells }
}

fn rates(rates: &[Rate]) -> Vec<Entry> {
    RateName::HEADLINE.map(|metric| Entry::figure(rates.iter().find(|rate| rate.metric == metric))).to_vec()
}

/// A row for each kind and arm, in suite order, then for kinds that only have rates.
fn kind_rows(cell: &CellReport) -> Vec<(String, Vec<Entry>)> {
    let slice = |kind: &str| cell.slices.iter().find(|slice| slice.by == "kind" && slice.value == kind);
    let mut rows = Vec::new();
    for behaviour in &cell.behaviours {
        let (name, slice) = match &behaviour.arm {
            Some(arm) => (format!("{} @{arm}", behaviour.kind), None),
            None => (behaviour.kind.clone(), slice(&behaviour.kind)),
        };
        let mut cells = slice.map_or_else(|| vec![Entry::Empty; 3], |slice| rates(&slice.rates));
        cells.extend([behaviour.right, behaviour.wrong, behaviour.unclear].map(Entry::count));
        rows.push((name, cells));
    }
    for slice in cell.slices.iter().filter(|slice| slice.by == "kind") {
        if !rows.iter().any(|(name, _)| *name == slice.value) {
            let mut cells = rates(&slice.rates);
            cells.extend([Entry::Empty, Entry::Empty, Entry::Empty]);
            rows.push((slice.value.clone(), cells));
        }
    }
    rows
}
