//! Differences between the sides as a plot: every rate of every pair of cells on one scale, with both intervals.
//! All places on it are in percent of its width.

use probes::RateName;
use scorer::PairedRate;
use serde::Serialize;

use super::overview::{class, more};
use super::panel::{Tick, place};
use crate::compare::{Change, Comparison};
use crate::gate::Gate;
use crate::number::{points, points_interval, points_size};
use crate::text_safe::cropped;
use crate::words::words;

/// Pairs under which a difference is shown as counts alone.
const PAIRS_FOR_A_PERCENTAGE: u64 = 10;
/// Pairs of cells that are drawn; the others are in the table.
const CELLS: usize = 24;

/// One plot.
#[derive(Serialize)]
pub(super) struct Plot {
    title: &'static str,
    groups: Vec<Group>,
    /// Whether there is anything to draw.
    drawn: bool,
    ticks: Vec<Tick>,
    zero: String,
    tolerance: Option<(String, String)>,
    more: Option<String>,
}

/// The pairs of cells of one rate.
#[derive(Serialize)]
struct Group {
    title: &'static str,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    label: String,
    class: &'static str,
    word: &'static str,
    points: Option<String>,
    interval: Option<String>,
    /// In place of a plot.
    instead: Option<String>,
    places: Option<Places>,
    said: String,
}

#[derive(Serialize)]
struct Places {
    at: String,
    wide: Option<(String, String)>,
    narrow: Option<(String, String)>,
}

/// A scale in shares of 1 that holds zero and everything that is drawn on it.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

/// The plot of the rates that decide and that of the others; each where there is something to draw.
pub(super) fn plots(comparison: &Comparison, gate: Option<&Gate>) -> Vec<Plot> {
    let tolerance = gate.and_then(|gate| gate.policy.tolerance);
    let decides = |change: &Change| change.gated || RateName::HEADLINE.contains(&change.metric);
    let deciding = plot("The rates that the change is judged by", comparison, tolerance, decides);
    let others = plot("Side rates, for reading", comparison, None, |change| !decides(change));
    [deciding, others].into_iter().flatten().collect()
}

fn plot(
    title: &'static str,
    comparison: &Comparison,
    tolerance: Option<f64>,
    wanted: impl Fn(&Change) -> bool,
) -> Option<Plot> {
    let mut all: Vec<(String, &Change)> = Vec::new();
    for cell in comparison.cells.iter().take(CELLS) {
        let changes = cell.changes.iter().filter(|change| wanted(change));
        all.extend(changes.map(|change| (cropped(&cell.label, 60), change)));
    }
    let scale = Scale::of(all.iter().filter_map(|(_, change)| drawn(change)), tolerance);
    let mut metrics: Vec<RateName> = all.iter().map(|(_, change)| change.metric).collect();
    metrics.sort_unstable();
    metrics.dedup();
    let group = |metric: RateName| Group {
        title: words(metric).title,
        rows: all
            .iter()
            .filter(|(_, change)| change.metric == metric)
            .map(|(label, change)| row(label, change, &scale))
            .collect(),
    };
    (!metrics.is_empty()).then(|| Plot {
        title,
        groups: metrics.into_iter().map(group).collect(),
        drawn: all.iter().any(|(_, change)| drawn(change).is_some()),
        ticks: scale.ticks(),
        zero: scale.place(0.0),
        more: more(comparison.cells.len(), CELLS, "pair"),
        tolerance: tolerance
            .map(|rise| (scale.place(rise), format!("tolerance of {} points", points_size(rise)))),
    })
}

/// What of a change is shown as a percentage, and drawn: nothing under ten pairs.
pub(super) fn drawn(change: &Change) -> Option<&PairedRate> {
    change.rate.as_ref().filter(|rate| rate.pairs >= PAIRS_FOR_A_PERCENTAGE)
}

fn row(label: &str, change: &Change, scale: &Scale) -> Row {
    let rate = drawn(change);
    let instead = match (rate, &change.rate, &change.reason) {
        (Some(_), _, _) => None,
        (None, Some(rate), _) => {
            Some(format!("{}: under 10 pairs, no percentage", crate::gate::paired_counts(rate)))
        }
        (None, None, Some(reason)) => Some(reason.clone()),
        (None, None, None) => Some("no figure on one side".to_owned()),
    };
    let word = change.direction.word();
    let name = words(change.metric).title;
    let said = match (rate, &instead) {
        (Some(rate), _) => {
            let ends = |words: &str, ends: Option<(f64, f64)>| {
                ends.map_or_else(String::new, |ends| format!(", {words} {}", points_interval(ends)))
            };
            format!(
                "{name}, {label}: {word}, {} points{}{}",
                points(rate.difference),
                ends("95 % interval", rate.interval_95),
                ends("90 % interval", rate.interval_90)
            )
        }
        (None, instead) => format!("{name}, {label}: {}", instead.as_deref().unwrap_or(word)),
    };
    Row {
        label: label.to_owned(),
        class: class(change.direction),
        word,
        points: rate.map(|rate| points(rate.difference)),
        interval: rate.and_then(|rate| rate.interval_95).map(points_interval),
        instead,
        places: rate.map(|rate| {
            let ends =
                |ends: Option<(f64, f64)>| ends.map(|(low, high)| (scale.place(low), scale.place(high)));
            Places {
                at: scale.place(rate.difference),
                wide: ends(rate.interval_95),
                narrow: ends(rate.interval_90),
            }
        }),
        said,
    }
}

impl Scale {
    fn of<'a>(rates: impl Iterator<Item = &'a PairedRate>, tolerance: Option<f64>) -> Self {
        let (mut low, mut high) = (0.0_f64, tolerance.unwrap_or(0.0));
        for rate in rates {
            let (lower, upper) = rate.interval_95.unwrap_or((rate.difference, rate.difference));
            low = low.min(lower);
            high = high.max(upper);
        }
        let span = (high - low).max(0.02);
        // At most seven steps.
        let step =
            [0.005, 0.01, 0.02, 0.05, 0.1, 0.2].into_iter().find(|step| span / step <= 7.0).unwrap_or(0.5);
        // A figure that lies on the edge would lose half its mark.
        let (low, high) = (low.min(-step / 2.0), high.max(step / 2.0));
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    fn place(&self, share: f64) -> String {
        place(share - self.low, self.high - self.low)
    }

    fn ticks(&self) -> Vec<Tick> {
        #[expect(clippy::cast_possible_truncation, reason = "a small whole number")]
        let step = |share: f64| (share / self.step).round() as i32;
        let (first, last) = (step(self.low), step(self.high));
        (first..=last)
            .map(|at| {
                let share = f64::from(at) * self.step;
                let percent = share * 100.0;
                let label = match (at, self.step < 0.01) {
                    (0, _) => "0".to_owned(),
                    (_, true) => format!("{percent:+.1}"),
                    (_, false) => format!("{percent:+.0}"),
                };
                let anchor = match at {
                    _ if at == first => "start",
                    _ if at == last => "end",
                    _ => "middle",
                };
                Tick { at: self.place(share), label, anchor }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(intervals: &[(f64, f64)], tolerance: Option<f64>) -> Scale {
        let rate = |&(low, high): &(f64, f64)| PairedRate {
            metric: RateName::UnknownTool,
            pairs: 60,
            tasks: 20,
            baseline: scorer::PerTrial { events: 3, scored: 60 },
            candidate: scorer::PerTrial { events: 9, scored: 60 },
            baseline_rate: 0.05,
            candidate_rate: 0.15,
            difference: f64::midpoint(low, high),
            interval_95: Some((low, high)),
            interval_90: Some((low * 0.8, high * 0.8)),
            worse: 7,
            better: 1,
            exact_p: Some(0.07),
            mid_p: Some(0.04),
            task_correlation: 0.0,
        };
        let rates: Vec<PairedRate> = intervals.iter().map(rate).collect();
        Scale::of(rates.iter(), tolerance)
    }

    #[test]
    fn a_scale_holds_zero_the_tolerance_and_every_interval() {
        for (intervals, tolerance) in [
            (vec![(0.009, 0.099)], None),
            (vec![(-0.3, -0.1), (0.01, 0.02)], Some(0.03)),
            (vec![], Some(0.03)),
            (vec![(-1.0, 1.0)], None),
            (vec![(-0.000_1, 0.000_1)], None),
        ] {
            let scale = scale(&intervals, tolerance);
            for share in intervals.iter().flat_map(|(low, high)| [*low, *high]).chain(tolerance).chain([0.0])
            {
                assert!(scale.low <= share && share <= scale.high, "{intervals:?}");
            }
            let ticks = scale.ticks();
            assert!((3..=9).contains(&ticks.len()), "{intervals:?}: {} ticks", ticks.len());
            assert_eq!(ticks.iter().filter(|tick| tick.label == "0").count(), 1);
        }
    }
}
