//! The first screen of a comparison: the rates of every pair of cells before and after, and what
//! has to be known of them.

use probes::RateName;
use serde::Serialize;

use super::differs::{self, Differs};
use crate::compare::{Change, ComparedCell, ComparedSide, Comparison, Direction, ProbeDirection};
use crate::gate::{Gate, GateQuestion};
use crate::number::{count, counted, points, points_interval, window};
use crate::report::Report;
use crate::table::compared::{cautious_words, change_figures, change_of, repeated_words};
use crate::text_safe::cropped;
use crate::words::words;

/// Pairs of cells and notes that the page shows; the others are counted.
const ROWS: usize = 24;
const NOTES: usize = 12;
/// Characters of a note.
const WORDS: usize = 600;

/// The two sides at a glance.
#[derive(Serialize)]
pub(super) struct Overview {
    baseline: SideFacts,
    candidate: SideFacts,
    factors: String,
    concurrent: bool,
    /// Facts that hold for both sides.
    both: Vec<String>,
    corrected: Option<String>,
    columns: Vec<&'static str>,
    rows: Vec<Row>,
    more_rows: Option<String>,
    /// What a reader has to know of a rise whose interval reaches down to zero.
    caution: Option<&'static str>,
    differs: Differs,
    changed: Vec<ChangedCount>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct SideFacts {
    label: String,
    facts: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    label: String,
    pairs: String,
    cells: Vec<Option<Cell>>,
}

/// One rate of a pair of cells.
#[derive(Serialize)]
struct Cell {
    column: &'static str,
    class: &'static str,
    word: &'static str,
    /// Before and after; none where they are no percentages.
    shares: Option<String>,
    counts: Option<String>,
    difference: Option<String>,
    p: Option<String>,
    /// What else follows: why it is not comparable, what the comparison could have shown.
    rest: Vec<String>,
    changed: Option<String>,
    again: Option<String>,
    rate: &'static str,
    cell: String,
}

/// Changed probes of a pair of cells.
#[derive(Serialize)]
struct ChangedCount {
    cell: String,
    directions: Vec<(&'static str, String)>,
    pairs: String,
}

/// What a list of `total` has beyond its limit.
pub(super) fn more(total: usize, limit: usize, word: &str) -> Option<String> {
    let more = total.saturating_sub(limit) as u64;
    (more > 0).then(|| counted(more, &format!("more {word}")))
}

impl Overview {
    pub(super) fn of(report: &Report, comparison: &Comparison) -> Self {
        let columns = columns(comparison);
        let sides = [&comparison.baseline, &comparison.candidate].map(side);
        let both: Vec<String> =
            sides[0].facts.iter().filter(|fact| sides[1].facts.contains(*fact)).cloned().collect();
        let [baseline, candidate] = sides.map(|mut side| {
            side.facts.retain(|fact| !both.contains(fact));
            side
        });
        Self {
            baseline,
            candidate,
            both,
            corrected: (comparison.family > 1)
                .then(|| format!("p is corrected for {} tests.", count(comparison.family))),
            factors: factors(comparison),
            concurrent: comparison.concurrent,
            rows: comparison
                .cells
                .iter()
                .take(ROWS)
                .map(|pair| row(report.gate.as_ref(), pair, &columns))
                .collect(),
            columns: columns.iter().map(|metric| words(*metric).title).collect(),
            differs: differs::differs(comparison),
            changed: comparison.cells.iter().take(ROWS).map(changed).collect(),
            notes: comparison
                .notes
                .iter()
                .take(NOTES)
                .map(|note| cropped(note, WORDS))
                .chain(more(comparison.notes.len(), NOTES, "note"))
                .collect(),
            more_rows: more(comparison.cells.len(), ROWS, "pair"),
            caution: comparison
                .cells
                .iter()
                .flat_map(|cell| &cell.changes)
                .filter(|change| change.gated && change.direction == Direction::Rose)
                .find_map(|change| cautious_words(change.rate.as_ref()?)),
        }
    }
}

fn side(side: &ComparedSide) -> SideFacts {
    let mut facts = Vec::new();
    if side.run != side.label {
        facts.push(format!("run {}", cropped(&side.run, 60)));
    }
    facts.push(format!("{} v{}", cropped(&side.suite.name, 60), side.suite.version));
    facts.push(counted(u64::from(side.repeats), "repeat"));
    facts.extend(side.window.as_ref().map(|(from, to)| window(from, to)));
    if side.accepted {
        facts.push("an accepted baseline: outcomes without transcripts".to_owned());
    }
    SideFacts { label: cropped(&side.label, 80), facts }
}

fn factors(comparison: &Comparison) -> String {
    let words: Vec<&str> = comparison.factors.iter().map(|factor| factor.as_str()).collect();
    match words.as_slice() {
        [] => "No prompt, catalog or target differs.".to_owned(),
        [only] => format!("Only the {only} differs."),
        // A note says so.
        _ => String::new(),
    }
}

/// The three rates, and whatever else the gate looks at.
fn columns(comparison: &Comparison) -> Vec<RateName> {
    let mut columns: Vec<RateName> = comparison
        .cells
        .iter()
        .flat_map(|cell| &cell.changes)
        .filter(|change| change.gated || RateName::HEADLINE.contains(&change.metric))
        .map(|change| change.metric)
        .collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

fn row(gate: Option<&Gate>, pair: &ComparedCell, columns: &[RateName]) -> Row {
    let cell = |metric: &RateName| {
        let change = change_of(pair, *metric)?;
        Some(grid_cell(gate, pair, change))
    };
    Row {
        label: cropped(&pair.label, 60),
        pairs: counted(pair.pairs, "paired probe"),
        cells: columns.iter().map(cell).collect(),
    }
}

fn grid_cell(gate: Option<&Gate>, pair: &ComparedCell, change: &Change) -> Cell {
    let figures = change_figures(change);
    let rate = change.rate.as_ref();
    // Like a share, a difference is no percentage under ten pairs.
    let many = rate.filter(|_| figures.shares.is_some());
    let difference = many.map(|rate| match rate.interval_95 {
        Some(ends) => format!("{} points ({})", points(rate.difference), points_interval(ends)),
        None => format!("{} points", points(rate.difference)),
    });
    Cell {
        column: words(change.metric).title,
        class: class(change.direction),
        word: change.direction.word(),
        shares: figures.shares,
        counts: rate.map(crate::gate::paired_counts),
        difference,
        p: figures.p,
        rest: rest(gate, pair, change),
        changed: rate
            .filter(|rate| rate.worse + rate.better > 0)
            .map(|rate| format!("{} worse, {} better", counted(rate.worse, "probe"), count(rate.better))),
        again: repeated_words(pair, change.metric).filter(|_| change.direction == Direction::Rose),
        rate: change.metric.as_str(),
        cell: cropped(&pair.label, 60),
    }
}

fn rest(gate: Option<&Gate>, pair: &ComparedCell, change: &Change) -> Vec<String> {
    let mut rest = Vec::new();
    if change.direction == Direction::NotComparable {
        rest.extend(change.reason.clone());
        for (side, (scored, planned)) in
            [("baseline", change.baseline_coverage), ("candidate", change.candidate_coverage)]
        {
            rest.push(format!("{side}: {} trials scored", crate::number::of(scored, planned)));
        }
        return rest;
    }
    if change.gated && change.direction != Direction::Rose {
        rest.push(change.sees_rise.map_or_else(
            || "too few tasks to show any rise".to_owned(),
            |rise| format!("could have shown a rise from about {} points", crate::gate::whole_points(rise)),
        ));
    }
    let line = gate.filter(|gate| gate.policy.tolerance.is_some()).and_then(|gate| {
        gate.lines.iter().find(|line| {
            line.question == GateQuestion::Regression
                && line.cell.as_ref() == Some(&pair.candidate)
                && line.metric == Some(change.metric)
        })
    });
    rest.extend(line.map(|line| format!("gate, with its tolerance: {}", line.verdict.as_str())));
    rest
}

fn changed(pair: &ComparedCell) -> ChangedCount {
    let of = |direction: ProbeDirection| {
        let probes = pair.changed.iter().filter(|probe| probe.direction == direction).count();
        (probes > 0).then(|| (probe_class(direction), count(probes as u64)))
    };
    ChangedCount {
        cell: cropped(&pair.label, 60),
        directions: [ProbeDirection::Worse, ProbeDirection::Mixed, ProbeDirection::Better]
            .into_iter()
            .filter_map(of)
            .collect(),
        pairs: count(pair.pairs),
    }
}

/// What names the mark and the colour of a direction.
pub(super) fn class(direction: Direction) -> &'static str {
    match direction {
        Direction::Rose => "worse",
        Direction::Fell => "better",
        Direction::Unclear => "unclear",
        Direction::NotComparable => "incomparable",
    }
}

/// The word for a probe's direction, which names its mark too.
pub(super) fn probe_class(direction: ProbeDirection) -> &'static str {
    match direction {
        ProbeDirection::Worse => "worse",
        ProbeDirection::Mixed => "mixed",
        ProbeDirection::Better => "better",
    }
}
