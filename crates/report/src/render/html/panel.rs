//! The three rates as panels: figures, and their places on one common scale.

use probes::RateName;
use serde::Serialize;

use crate::number::{Figure, interval_words, of, one_in, percent_sign};
use crate::report::{CellReport, RateDefinition, Report};
use crate::table::reasons;
use crate::text_safe::cropped;

/// One of the three rates: what it counts, and a row a cell.
#[derive(Serialize)]
pub(super) struct Panel {
    title: String,
    counts: String,
    rows: Vec<PanelRow>,
}

#[derive(Serialize)]
pub(super) struct PanelRow {
    label: String,
    before: bool,
    main: String,
    absent: bool,
    small: Option<String>,
    counts: Option<String>,
    interval: Option<String>,
    left_out: Option<String>,
    plot: Option<Plot>,
    said: String,
}

/// Places on the common scale, in percent of its width.
#[derive(Serialize)]
pub(super) struct Plot {
    at: String,
    lower: String,
    upper: String,
    zero: bool,
}

#[derive(Serialize)]
pub(super) struct Tick {
    pub(super) at: String,
    pub(super) label: String,
    pub(super) anchor: &'static str,
}

/// The end of the scale that all three rates share: the first round share that no interval passes.
pub(super) fn scale(report: &Report) -> f64 {
    let mut furthest = 0.0_f64;
    for cell in &report.cells {
        for rate in RateName::HEADLINE.iter().filter_map(|&metric| cell.rate(metric)) {
            match Figure::of(rate) {
                Figure::Share { share, interval, .. } => {
                    furthest = furthest.max(interval.map_or(share, |(_, upper)| upper));
                }
                Figure::Zero { at_most: Some(upper), .. } => furthest = furthest.max(upper),
                _ => {}
            }
        }
    }
    [0.05, 0.1, 0.2, 0.4, 0.6, 0.8].into_iter().find(|end| furthest <= *end).unwrap_or(1.0)
}

pub(super) fn ticks(scale: f64) -> Vec<Tick> {
    (0..=4)
        .map(|quarter| {
            let share = f64::from(quarter) / 4.0;
            let percent = share * scale * 100.0;
            let whole = (percent - percent.round()).abs() < 1e-6;
            let label = if whole { format!("{percent:.0}") } else { format!("{percent:.1}") };
            let (label, anchor) = match quarter {
                0 => (label, "start"),
                4 => (format!("{label} %"), "end"),
                _ => (label, "middle"),
            };
            Tick { at: place(share, 1.0), label, anchor }
        })
        .collect()
}

/// A share's place on a scale, in percent of its width.
pub(super) fn place(share: f64, scale: f64) -> String {
    format!("{:.2}", (share / scale * 100.0).clamp(0.0, 100.0))
}

pub(super) fn panel(report: &Report, metric: RateName, scale: f64) -> Panel {
    let words = report.definition(metric);
    Panel {
        title: words.map_or_else(|| metric.to_string(), |words| words.title.clone()),
        counts: words.map(sentence).unwrap_or_default(),
        rows: rows(report).into_iter().map(|cell| panel_row(report, cell, metric, scale)).collect(),
    }
}

/// The cells in the order of the rows: of a comparison, both sides of a pair below each other.
fn rows(report: &Report) -> Vec<&CellReport> {
    let paired: Vec<_> = report
        .comparison
        .iter()
        .flat_map(|comparison| &comparison.cells)
        .flat_map(|pair| [&pair.baseline, &pair.candidate])
        .collect();
    let place = |cell: &CellReport| paired.iter().position(|id| **id == cell.id).unwrap_or(usize::MAX);
    let mut cells: Vec<&CellReport> = report.cells.iter().collect();
    // Stable: cells without a counterpart stay in their order, at the end.
    cells.sort_by_key(|cell| place(cell));
    cells
}

/// Whether a cell is the baseline of a comparison.
fn is_before(report: &Report, cell: &CellReport) -> bool {
    let pairs = report.comparison.iter().flat_map(|comparison| &comparison.cells);
    pairs.into_iter().any(|pair| pair.baseline == cell.id)
}

/// What a rate counts, in one sentence.
pub(super) fn sentence(words: &RateDefinition) -> String {
    format!("{}, of {}", words.numerator, words.denominator)
}

fn panel_row(report: &Report, cell: &CellReport, metric: RateName, scale: f64) -> PanelRow {
    let rate = cell.rate(metric);
    let figure = rate.map_or(Figure::NotMeasured, Figure::of);
    let excluded = rate.map(|rate| &rate.excluded).filter(|excluded| !excluded.is_empty());
    let (main, counts, interval, plot) = parts(&figure, scale);
    PanelRow {
        label: if report.cells.len() > 1 { cropped(&cell.label, 60) } else { String::new() },
        before: is_before(report, cell),
        said: format!("{} {}", cropped(&cell.label, 60), figure.sentence()),
        absent: matches!(figure, Figure::NotMeasured | Figure::Censored | Figure::CoverageTooLow { .. }),
        small: match figure {
            Figure::Share { share, .. } => one_in(share),
            _ => None,
        },
        main,
        counts,
        interval,
        left_out: excluded.and_then(reasons),
        plot,
    }
}

/// A figure in its pieces: what is printed large, the counts, the interval, the plot.
fn parts(figure: &Figure, scale: f64) -> (String, Option<String>, Option<String>, Option<Plot>) {
    let plot = |at: f64, lower: f64, upper: f64, zero: bool| {
        Some(Plot { at: place(at, scale), lower: place(lower, scale), upper: place(upper, scale), zero })
    };
    match *figure {
        Figure::Share { share, events, scored, interval } => (
            percent_sign(share),
            Some(of(events, scored)),
            interval.map(|ends| format!("95 % interval {}", interval_words(ends))),
            interval.and_then(|(lower, upper)| plot(share, lower, upper, false)),
        ),
        Figure::Zero { scored, at_most } => (
            of(0, scored),
            None,
            at_most.map(|upper| format!("at most {} (upper end of the 95 % interval)", percent_sign(upper))),
            at_most.and_then(|upper| plot(0.0, 0.0, upper, true)),
        ),
        Figure::Counts { events, scored } => {
            (of(events, scored), None, Some("under 10 probes: no percentage".to_owned()), None)
        }
        _ => (figure.sentence(), None, None, None),
    }
}
