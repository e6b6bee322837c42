use super::super::cluster::{SHRINKAGE, quantile};
use super::super::counts::float;
use super::super::gate_rule::GATE_ALPHA;
use super::super::interval::Interval;
use super::super::paired::{combined, tango_paired_difference};
use super::super::proportion::wilson_at;
use super::PairedDesign;

/// A rate outside [0, 1] by no more than this is rounding.
const ROUNDING: f64 = 1e-12;

/// Holds the independent pairs that a design is worth, with the shares of its discordant ones.
///
/// Two trials of a task on one side have covariance r v (v = p (1 - p) of that side), two on different sides
/// s M, with M the greatest covariance that the two rates allow, p (1 - q) for p < q. So a pair's difference has
/// variance v + w - 2 s M, and differences of a task have the correlation g = (r (v + w) - 2 s M) / (v + w - 2 s M):
/// 0 where nothing changed and each task kept its chance (r = s), r where the sides have nothing in common. N trials
/// are then worth N / (1 + (k - 1) g) pairs, with k trials a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct EffectivePairs {
    /// How many; never fewer than there are tasks.
    pub(super) pairs: u64,
    /// Tasks that they come from.
    pub(super) tasks: u64,
    /// Share of the pairs in which the baseline alone has the event.
    pub(super) only_baseline: f64,
    /// Share of the pairs in which the candidate alone has it.
    pub(super) only_candidate: f64,
    interval: IntervalForm,
}

#[derive(Debug, Clone, Copy)]
enum IntervalForm {
    Tango,
    Hybrid(Hybrid),
}

/// Holds what the hybrid interval needs beside the counts of discordant pairs.
#[derive(Debug, Clone, Copy)]
struct Hybrid {
    tasks: f64,
    trials: f64,
    /// Of two trials of a task on one side.
    task_correlation: f64,
    /// Of the tasks' rates on the two sides.
    rate_correlation: f64,
    /// Pairs with the event on both sides, about as many as are expected.
    both: f64,
    quantile: f64,
    /// How far the upper end lies above the difference at least.
    least: f64,
}

impl EffectivePairs {
    pub(super) fn of(design: &PairedDesign, rise: f64) -> Option<Self> {
        let baseline = design.baseline_rate;
        let candidate = baseline + rise;
        if !design.is_sound() || !(-ROUNDING..=1.0 + ROUNDING).contains(&candidate) {
            return None;
        }
        let candidate = candidate.clamp(0.0, 1.0);
        let common = design.side_correlation * baseline.min(candidate) * (1.0 - baseline.max(candidate));
        let alone = baseline * (1.0 - baseline) + candidate * (1.0 - candidate);
        let variance = alone - 2.0 * common;
        let alike = if variance > 0.0 {
            ((design.task_correlation * alone - 2.0 * common) / variance).max(0.0)
        } else {
            0.0
        };
        let size = design.trials_per_task();
        let pairs = whole(float(design.trials) / (1.0 + (size - 1.0) * alike));
        let both = baseline * candidate + common;
        let interval = if design.trials == design.tasks {
            IntervalForm::Tango
        } else {
            let spread = (baseline * (1.0 - baseline) * candidate * (1.0 - candidate)).sqrt();
            IntervalForm::Hybrid(Hybrid::of(design, common / spread, both * float(pairs))?)
        };
        Some(Self {
            pairs,
            tasks: design.tasks,
            only_baseline: (baseline - both).max(0.0),
            only_candidate: (candidate - both).max(0.0),
            interval,
        })
    }

    /// Says whether the number of pairs and the interval of a pair of counts are the same for every rise.
    pub(super) fn is_alike_for_all_rises(&self) -> bool {
        matches!(self.interval, IntervalForm::Tango)
    }

    /// Gives the 90 % interval for so many pairs in which one side alone has the event. The hybrid's lower end is
    /// left open: nothing that is asked here looks at it.
    pub(super) fn interval(&self, only_baseline: u64, only_candidate: u64) -> Option<Interval> {
        match &self.interval {
            IntervalForm::Tango => {
                tango_paired_difference(only_baseline, only_candidate, self.pairs, GATE_ALPHA)
            }
            IntervalForm::Hybrid(hybrid) => {
                let high = hybrid.high(float(only_baseline), float(only_candidate), float(self.pairs));
                Some(Interval { low: -1.0, high })
            }
        }
    }
}

impl Hybrid {
    /// `trial_correlation` is that of two trials on different sides, `both` the pairs with the event on both.
    fn of(design: &PairedDesign, trial_correlation: f64, both: f64) -> Option<Self> {
        let size = design.trials_per_task();
        let rate_correlation = size * trial_correlation / (1.0 + (size - 1.0) * design.task_correlation);
        Some(Self {
            tasks: float(design.tasks),
            trials: float(design.trials),
            task_correlation: design.task_correlation,
            rate_correlation: if rate_correlation.is_finite() { rate_correlation.min(1.0) } else { 0.0 },
            both: both.round(),
            quantile: quantile(design.tasks, GATE_ALPHA)?,
            least: tango_paired_difference(0, 0, design.tasks, GATE_ALPHA)?.high,
        })
    }

    fn high(&self, only_baseline: f64, only_candidate: f64, pairs: f64) -> f64 {
        let baseline = ((self.both + only_baseline) / pairs).min(1.0);
        let candidate = ((self.both + only_candidate) / pairs).min(1.0);
        let from = self.side(baseline);
        let to = self.side(candidate);
        let rise = combined(to.high - candidate, baseline - from.low, self.rate_correlation);
        let difference = (only_candidate - only_baseline) / pairs;
        (difference + rise.max(self.least)).min(1.0)
    }

    /// The interval of one side, as `rate_interval` gives it where the tasks have the planted correlation.
    fn side(&self, rate: f64) -> Interval {
        let size = self.trials / self.tasks;
        let independent = size / (1.0 + (size - 1.0) * self.task_correlation);
        let informing = self.tasks * (1.0 - rate.max(1.0 - rate).powf(independent));
        let shrunk = (informing * self.task_correlation + SHRINKAGE) / (informing + SHRINKAGE);
        let is_certain = rate <= 0.0 || rate >= 1.0;
        let trials = if is_certain { self.tasks } else { self.trials / (1.0 + (size - 1.0) * shrunk) };
        let Interval { low, high } = wilson_at(rate, trials, self.quantile);
        Interval { low, high: high.max(wilson_at(0.0, self.tasks, self.quantile).high) }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of pairs, not negative; one beyond u64 becomes the largest"
)]
fn whole(pairs: f64) -> u64 {
    (pairs.round() as u64).max(1)
}
