//! One rate on two sides, paired by probe and summed by task (DESIGN.md 6).

use indexmap::IndexMap;
use probes::RateName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scorecard::{PerTrial, Repeats};
use crate::statistic::{
    Counts, GATE_ALPHA, PairedProbe, SHRINKAGE, Side, TwoSidedP, UNKNOWN_CORRELATION, common_units,
    paired_difference, rate_interval, sign_flip,
};

/// One rate over the probes that both sides scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairedRate {
    /// Which.
    pub metric: RateName,
    /// Probes scored on both sides.
    pub pairs: u64,
    /// Tasks of those: the clusters.
    pub tasks: u64,
    /// Trials of the paired probes, and those with the event.
    pub baseline: PerTrial,
    /// Likewise.
    pub candidate: PerTrial,
    /// Mean over the paired probes of (trials with the event / scored repeats), in shares of 1.
    pub baseline_rate: f64,
    /// Likewise.
    pub candidate_rate: f64,
    /// Candidate less baseline, in shares of 1.
    pub difference: f64,
    /// Two-sided 95 % interval of the difference.
    pub interval_95: Option<(f64, f64)>,
    /// Two-sided 90 % interval of the difference: the one that a gate looks at.
    pub interval_90: Option<(f64, f64)>,
    /// Probes whose share of trials with the event is greater in the candidate.
    pub worse: u64,
    /// Probes whose share is smaller.
    pub better: u64,
    /// Exact two-sided p of the sign-flip test over tasks.
    pub exact_p: Option<f64>,
    /// Its mid-p: the one that a gate looks at.
    pub mid_p: Option<f64>,
    /// Intra-task correlation of the baseline's trials, pulled towards one half where few tasks inform it: for
    /// what a comparison of this size can see.
    pub task_correlation: f64,
}

/// Adds probes up to a [`PairedRate`].
#[derive(Debug, Default)]
pub(crate) struct PairedSums<'a> {
    tasks: IndexMap<&'a str, Vec<PairedProbe>>,
}

impl<'a> PairedSums<'a> {
    /// Adds one probe of a task. A side without a scored repeat makes no pair.
    pub(crate) fn add(&mut self, task: &'a str, baseline: Counts, candidate: Counts) {
        if baseline.trials > 0 && candidate.trials > 0 {
            self.tasks.entry(task).or_default().push(PairedProbe { baseline, candidate });
        }
    }

    /// The rate; none without a pair.
    pub(crate) fn finish(self, metric: RateName) -> Option<PairedRate> {
        let tasks: Vec<Vec<PairedProbe>> = self.tasks.into_values().collect();
        let sides =
            (SideSums::over(&tasks, |probe| probe.baseline), SideSums::over(&tasks, |probe| probe.candidate));
        let pairs: u64 = tasks.iter().map(|probes| probes.len() as u64).sum();
        let (baseline_rate, candidate_rate) = (sides.0.rate(pairs)?, sides.1.rate(pairs)?);
        let interval = |alpha: f64| {
            let baseline = Side { tasks: &sides.0.tasks, rate: baseline_rate };
            let candidate = Side { tasks: &sides.1.tasks, rate: candidate_rate };
            paired_difference(baseline, candidate, alpha).map(|it| (it.interval.low, it.interval.high))
        };
        let p: Option<TwoSidedP> = common_units(&tasks).and_then(|differences| sign_flip(&differences));
        let (worse, better) = discordant(&tasks);
        Some(PairedRate {
            metric,
            pairs,
            tasks: tasks.len() as u64,
            baseline: sides.0.per_trial,
            candidate: sides.1.per_trial,
            baseline_rate,
            candidate_rate,
            difference: candidate_rate - baseline_rate,
            interval_95: interval(0.05),
            interval_90: interval(GATE_ALPHA),
            worse,
            better,
            exact_p: p.map(|p| p.exact_p),
            mid_p: p.map(|p| p.mid_p),
            task_correlation: task_correlation(&sides.0.tasks, baseline_rate),
        })
    }
}

/// One side.
#[derive(Default)]
struct SideSums {
    per_trial: PerTrial,
    shares: f64,
    tasks: Vec<Counts>,
}

impl SideSums {
    fn over(tasks: &[Vec<PairedProbe>], side: fn(&PairedProbe) -> Counts) -> Self {
        let mut sums = Self::default();
        for probes in tasks {
            let mut task = Counts::default();
            for counts in probes.iter().map(side) {
                sums.per_trial.events += counts.events;
                sums.per_trial.scored += counts.trials;
                sums.shares += counts.rate().unwrap_or_default();
                task.events += counts.events;
                task.trials += counts.trials;
            }
            sums.tasks.push(task);
        }
        sums
    }

    #[expect(clippy::cast_precision_loss, reason = "a count of probes")]
    fn rate(&self, pairs: u64) -> Option<f64> {
        (pairs > 0).then(|| self.shares / pairs as f64)
    }
}

/// How many informing tasks' worth of belief an unknown correlation has: as many as in the interval of a rate.
const BELIEF: f64 = SHRINKAGE;

fn task_correlation(tasks: &[Counts], rate: f64) -> f64 {
    let with_event = tasks.iter().filter(|task| task.events > 0).count();
    let with_none = tasks.iter().filter(|task| task.events < task.trials).count();
    #[expect(clippy::cast_precision_loss, reason = "a count of tasks")]
    let informing = with_event.min(with_none) as f64;
    let measured = rate_interval(tasks, rate, 0.05).map_or(0.0, |it| it.icc);
    (informing * measured + BELIEF * UNKNOWN_CORRELATION) / (informing + BELIEF)
}

/// Probes that got worse, and better: by their shares, compared without rounding.
fn discordant(tasks: &[Vec<PairedProbe>]) -> (u64, u64) {
    let (mut worse, mut better) = (0, 0);
    for PairedProbe { baseline, candidate } in tasks.iter().flatten() {
        let before = u128::from(baseline.events) * u128::from(candidate.trials);
        let after = u128::from(candidate.events) * u128::from(baseline.trials);
        worse += u64::from(after > before);
        better += u64::from(after < before);
    }
    (worse, better)
}

/// Sets one rate of paired probes side by side: each with its task and both sides' repeats. None where no
/// probe was scored on both sides.
#[must_use]
pub fn paired_rate<'a>(
    metric: RateName,
    probes: impl IntoIterator<Item = (&'a str, Repeats, Repeats)>,
) -> Option<PairedRate> {
    let counts = |repeats: Repeats| Counts { events: repeats.events.into(), trials: repeats.scored.into() };
    let mut sums = PairedSums::default();
    for (task, baseline, candidate) in probes {
        sums.add(task, counts(baseline), counts(candidate));
    }
    sums.finish(metric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(events: u32, scored: u32) -> Repeats {
        Repeats { events, scored }
    }

    fn of_tasks(pairs: &[(usize, u32, u32)]) -> Option<PairedRate> {
        let names: Vec<String> = (0..400).map(|task| format!("task-{task}")).collect();
        let mut probes = Vec::new();
        for &(times, baseline, candidate) in pairs {
            for _ in 0..times {
                probes.push((names[probes.len()].as_str(), repeats(baseline, 1), repeats(candidate, 1)));
            }
        }
        paired_rate(RateName::UnknownTool, probes)
    }

    #[test]
    fn worked_p_values() {
        // 26 got worse and none better; 20 against 18.
        let one_way = of_tasks(&[(26, 0, 1), (74, 0, 0)]).unwrap();
        assert!((one_way.exact_p.unwrap() / 2.980_232_238_769_531e-8 - 1.0).abs() < 1e-12);
        assert!((one_way.mid_p.unwrap() / 1.490_116_119_384_765_6e-8 - 1.0).abs() < 1e-12);
        let both_ways = of_tasks(&[(20, 0, 1), (18, 1, 0), (62, 0, 0)]).unwrap();
        assert!((both_ways.exact_p.unwrap() - 0.871).abs() < 5e-4);
        assert!((both_ways.mid_p.unwrap() - 0.749).abs() < 5e-4);
        assert_eq!((both_ways.worse, both_ways.better), (20, 18));
        assert_eq!((both_ways.baseline.events, both_ways.candidate.events), (18, 20));
        assert!((both_ways.difference - 0.02).abs() < 1e-12);
    }

    #[test]
    fn a_probe_that_one_side_did_not_score_makes_no_pair() {
        let probes = [("a", repeats(0, 0), repeats(1, 1)), ("a", repeats(0, 2), repeats(2, 3))];
        let rate = paired_rate(RateName::ShadowCall, probes).unwrap();
        assert_eq!((rate.pairs, rate.tasks, rate.worse), (1, 1, 1));
        assert_eq!((rate.baseline.scored, rate.candidate.scored), (2, 3));
        assert_eq!(paired_rate(RateName::ShadowCall, [("a", repeats(0, 0), repeats(1, 1))]), None);
    }

    #[test]
    fn equal_shares_of_unequal_repeats_are_no_change() {
        let probes = [("a", repeats(1, 3), repeats(2, 6)), ("b", repeats(0, 3), repeats(1, 6))];
        let rate = paired_rate(RateName::UnknownTool, probes).unwrap();
        assert_eq!((rate.worse, rate.better), (1, 0));
        assert_eq!(rate.exact_p, Some(1.0));
    }

    #[test]
    fn no_interval_has_no_width() {
        for pairs in [&[(100, 0, 0)][..], &[(100, 1, 1)], &[(50, 0, 1), (50, 1, 0)], &[(5, 0, 0)]] {
            let rate = of_tasks(pairs).unwrap();
            for (low, high) in [rate.interval_90.unwrap(), rate.interval_95.unwrap()] {
                assert!(low < rate.difference && rate.difference < high, "{rate:?}");
            }
        }
    }
}
