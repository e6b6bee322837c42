//! The rates of a pair of cells: figures, adjusted p-values, and what follows from them.

use ::probes::RateName;
use scorer::statistic::{GateRule, PairedDesign, SEEN, benjamini_hochberg, detectable_rise, holm};
use scorer::{METRICS, Rate, RateState, Scorecard, paired_rate};

use super::probes::{Pair, both};
use super::{Change, ComparedCell, Direction};
use crate::gate::Policy;
use crate::number::PROBES_FOR_A_PERCENTAGE;

/// Every rate that belongs into the comparison of two cells. `hidden` says why none of them means the same on
/// both sides.
pub(super) fn changes(
    pairs: &[Pair<'_>],
    baseline: &Scorecard,
    candidate: &Scorecard,
    hidden: Option<&str>,
    policy: &Policy,
) -> Vec<Change> {
    let mut all = Vec::new();
    for metric in METRICS.iter().map(|metric| metric.name) {
        let (before, after) = (baseline.rate(metric), candidate.rate(metric));
        let gated = policy.gates(metric);
        if !is_shown(metric, before, after, policy) {
            continue;
        }
        let reason = hidden.map(str::to_owned).or_else(|| absent(before, after));
        let rate = paired_rate(
            metric,
            pairs.iter().filter_map(|pair| {
                let (before, after) = both(pair, metric)?;
                Some((pair.candidate.task.as_str(), before, after))
            }),
        );
        let lacking = match &rate {
            None => Some("no probe was scored on both sides"),
            Some(rate) if rate.mid_p.is_none() => {
                Some("the repeats of its probes have no common unit, so that no test can be made")
            }
            Some(_) => None,
        };
        let reason = reason.or_else(|| lacking.map(str::to_owned));
        let coverage = |rate: Option<&Rate>| rate.map_or((0, 0), |rate| (rate.scored, rate.planned));
        all.push(Change {
            metric,
            gated,
            direction: if reason.is_some() { Direction::NotComparable } else { Direction::Unclear },
            rate: rate.filter(|_| reason.is_none()),
            adjusted_p: None,
            reason,
            sees_rise: None,
            baseline_coverage: coverage(before),
            candidate_coverage: coverage(after),
        });
    }
    all
}

/// The rates that the suite asks for, those that the gate names, and side rates that both cells have.
fn is_shown(metric: RateName, before: Option<&Rate>, after: Option<&Rate>, policy: &Policy) -> bool {
    let planned = |rate: Option<&Rate>| rate.is_some_and(|rate| rate.planned > 0);
    let scored = |rate: Option<&Rate>| rate.is_some_and(|rate| rate.scored > 0);
    if policy.rates.as_ref().is_some_and(|rates| rates.contains(&metric)) {
        return true;
    }
    if RateName::HEADLINE.contains(&metric) {
        return planned(before) || planned(after);
    }
    scored(before) && scored(after)
}

/// Why one side has no figure.
fn absent(before: Option<&Rate>, after: Option<&Rate>) -> Option<String> {
    for (side, rate) in [("baseline", before), ("candidate", after)] {
        let words = match rate.map(|rate| rate.state) {
            Some(RateState::Measured) => continue,
            Some(RateState::Censored) => "hidden by the endpoint",
            Some(RateState::CoverageTooLow) => "coverage too low",
            Some(RateState::NotMeasured) | None => "not measured",
        };
        return Some(format!("{words} in the {side}"));
    }
    None
}

/// Adjusts p-values, Holm's over the gated rates of all cells and Benjamini and Hochberg's over the others, and
/// settles directions. Gives the size of Holm's family.
pub(super) fn adjust(cells: &mut [ComparedCell], policy: &Policy) -> u64 {
    let family = adjust_those(cells, policy, true, holm);
    adjust_those(cells, policy, false, benjamini_hochberg);
    for change in cells.iter_mut().flat_map(|cell| &mut cell.changes).filter(|change| change.gated) {
        change.sees_rise = sees_rise(change, policy, family);
    }
    family
}

fn adjust_those(
    cells: &mut [ComparedCell],
    policy: &Policy,
    gated: bool,
    adjusted: impl Fn(&[f64]) -> Option<Vec<f64>>,
) -> u64 {
    let mut tested: Vec<&mut Change> = cells
        .iter_mut()
        .flat_map(|cell| &mut cell.changes)
        .filter(|change| change.gated == gated && mid_p(change).is_some())
        .collect();
    let p: Vec<f64> = tested.iter().filter_map(|change| mid_p(change)).collect();
    let Some(adjusted) = adjusted(&p) else { return 0 };
    for (change, p) in tested.iter_mut().zip(adjusted) {
        change.adjusted_p = Some(p);
        let difference = change.rate.as_ref().map_or(0.0, |rate| rate.difference);
        if p <= policy.family_error && difference > 0.0 {
            change.direction = Direction::Rose;
        } else if p <= policy.family_error && difference < 0.0 {
            change.direction = Direction::Fell;
        }
    }
    tested.len() as u64
}

fn mid_p(change: &Change) -> Option<f64> {
    change.rate.as_ref()?.mid_p
}

/// The rise that a comparison of this size shows with a chance of 80 %. The two sides' outcomes are taken to be
/// as unlike as they can be, which promises least.
fn sees_rise(change: &Change, policy: &Policy, family: u64) -> Option<f64> {
    let rate = change.rate.as_ref().filter(|rate| rate.pairs >= PROBES_FOR_A_PERCENTAGE)?;
    let design = PairedDesign {
        tasks: rate.tasks,
        trials: rate.baseline.scored.min(rate.candidate.scored),
        baseline_rate: rate.baseline_rate,
        task_correlation: rate.task_correlation,
        side_correlation: 0.0,
    };
    let rule = GateRule { family_error: policy.family_error, tolerance: policy.tolerance };
    detectable_rise(&design, &rule, family, SEEN)
}
