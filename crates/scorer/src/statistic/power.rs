//! What a comparison of one rate can show before it is made, by the gate's own rule (DESIGN.md 6).

mod effective;
mod reach;
mod rule_bounds;
mod trinomial;

pub use reach::{fewest_tasks_to_fail, fewest_tasks_to_pass, least_tolerance};

use super::counts::float;
use super::gate_rule::GateRule;
use super::interval::is_level;
use effective::EffectivePairs;
use rule_bounds::RuleBounds;

/// How finely `detectable_rise` looks, in shares of 1: a hundredth of a percentage point.
const RISE_STEP: f64 = 1e-4;

/// Holds what a comparison of one rate is made of, or is going to be.
///
/// Two trials of a task are alike on one side, and across the sides. These are two correlations because they do
/// opposite things: the first makes trials worth less, the second takes out of the difference what both
/// sides have in common. Where a task has its own chance of the event and the change leaves the order of the tasks as
/// it is, they are equal; where the sides have nothing in common but their rates, the second is 0, and the least
/// is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedDesign {
    /// Tasks put to both sides.
    pub tasks: u64,
    /// Trials of a side, scored or planned: probes times repeats. At least one a task.
    pub trials: u64,
    /// The baseline's rate, in shares of 1.
    pub baseline_rate: f64,
    /// Correlation of two trials of one task on one side, in [0, 1].
    pub task_correlation: f64,
    /// Correlation of two trials of one task on the two sides, in [0, 1]: as a share of the greatest that the
    /// two rates allow, which is 1 where they are equal.
    pub side_correlation: f64,
}

/// Holds the chances of the three verdicts; they add up to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chances {
    /// Of harm shown.
    pub fail: f64,
    /// Of harm beyond the tolerance ruled out; 0 without a tolerance.
    pub pass: f64,
    /// Of neither.
    pub inconclusive: f64,
}

/// Gives the chances of the rule's verdicts when the candidate's rate is `rise` (in shares of 1) above the
/// baseline's.
///
/// No random draws: both counts of discordant pairs are gone through, over as many independent pairs as the
/// design is worth. Their p is `mcnemar`'s mid-p times `family`, which is Holm's first step: what the
/// rule sees when no other rate moved. The interval is Tango's with one trial a task, else the hybrid as it comes
/// out for such counts. With one trial a task this is exact; else an approximation, which
/// `tests/power_agrees.rs` holds against the rule itself.
///
/// `None` where the design or the rise is outside its range, without a family, and without a level.
#[must_use]
pub fn chances(design: &PairedDesign, rise: f64, rule: &GateRule, family: u64) -> Option<Chances> {
    let pairs = EffectivePairs::of(design, rise)?;
    Some(trinomial::chances(&pairs, &mut RuleBounds::of(rule, family)?))
}

/// Gives the smallest rise, in shares of 1 and to a ten-thousandth, whose chance to fail reaches `chance`.
///
/// `None` where no rise does, up to a candidate's rate of 1, and where `chances` or `chance` is out of range.
#[must_use]
pub fn detectable_rise(design: &PairedDesign, rule: &GateRule, family: u64, chance: f64) -> Option<f64> {
    if !is_level(chance) {
        return None;
    }
    let mut bounds = RuleBounds::of(rule, family)?;
    let mut reaches = |rise: f64| {
        let pairs = EffectivePairs::of(design, rise)?;
        Some(trinomial::chances(&pairs, &mut bounds).fail >= chance)
    };
    let (mut low, mut high) = (0.0, 1.0 - design.baseline_rate);
    if !reaches(high)? {
        return None;
    }
    while high - low > RISE_STEP {
        let middle = f64::midpoint(low, high);
        if reaches(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

impl PairedDesign {
    fn is_sound(&self) -> bool {
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        let shares = [self.baseline_rate, self.task_correlation, self.side_correlation];
        self.tasks > 0 && self.trials >= self.tasks && shares.into_iter().all(is_share)
    }

    fn trials_per_task(&self) -> f64 {
        float(self.trials) / float(self.tasks)
    }
}
