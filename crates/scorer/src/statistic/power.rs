//! What a comparison of one rate can show before it is made, by the gate's own rule (DESIGN.md 6).

mod effective;
mod reach;
mod rule_bounds;
mod trinomial;

use serde::Serialize;

pub use reach::{fewest_tasks_to_fail, fewest_tasks_to_pass, least_tolerance};

use super::counts::float;
use super::gate_rule::GateRule;
use super::interval::is_level;
use effective::EffectivePairs;
use rule_bounds::RuleBounds;

/// The chance with which a rise is shown that a comparison is said to see.
pub const SEEN: f64 = 0.8;

/// What is taken for the correlation within a task where nothing is known of it (DESIGN.md 6).
pub const UNKNOWN_CORRELATION: f64 = 0.5;

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
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
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
/// design is worth. Their p is `mcnemar`'s mid-p times `family`, which is Holm's first step: what the rule sees when
/// no other rate moved. The interval is Tango's with one trial a task, else the hybrid as it comes out for such
/// counts.
///
/// With one trial a task this is exact. Else it is an approximation, which `tests/power_agrees.rs` holds against the
/// rule itself: within 0.07 for 20 tasks and more of 4 trials with correlation 0.3. In the same simulation a chance to
/// fail comes out up to 0.15 too high with 8 tasks, and up to 0.2 too low with 12 trials a task that nearly all
/// repeat on both sides. Fewer tasks than `fewest_tasks_to_fail` never fail.
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

#[cfg(test)]
mod tests {
    use super::super::{RuleVerdict, holm, mcnemar, tango_paired_difference};
    use super::*;

    const RULE: GateRule = GateRule { family_error: 0.05, tolerance: None };

    fn single(tasks: u64, baseline_rate: f64, side_correlation: f64) -> PairedDesign {
        PairedDesign { tasks, trials: tasks, baseline_rate, task_correlation: 0.5, side_correlation }
    }

    fn tolerating(tolerance: f64) -> GateRule {
        GateRule { tolerance: Some(tolerance), ..RULE }
    }

    fn assert_chances(got: Option<Chances>, fail: f64, pass: f64) {
        let got = got.unwrap();
        assert!((got.fail - fail).abs() < 1e-11 && (got.pass - pass).abs() < 1e-11, "{got:?} {fail} {pass}");
        assert!((got.fail + got.pass + got.inconclusive - 1.0).abs() < 1e-12, "{got:?}");
    }

    /// Goes through all counts, one multinomial term each, and asks the rule.
    fn enumerate(pairs: u64, down: f64, up: f64, rule: &GateRule, family: usize) -> (f64, f64) {
        let factorial = |n: u64| (1..=n).map(float).product::<f64>();
        let power = |share: f64, n: u64| (0..n).map(|_| share).product::<f64>();
        let (mut fail, mut pass) = (0.0, 0.0);
        for downs in 0..=pairs {
            for ups in 0..=pairs - downs {
                let rest = pairs - downs - ups;
                let ways = factorial(pairs) / (factorial(downs) * factorial(ups) * factorial(rest));
                let chance = ways * power(down, downs) * power(up, ups) * power(1.0 - down - up, rest);
                let mut p_values = vec![1.0; family];
                p_values[0] = mcnemar(downs, ups).mid_p;
                let adjusted = holm(&p_values).unwrap()[0];
                let difference = (float(ups) - float(downs)) / float(pairs);
                let interval = tango_paired_difference(downs, ups, pairs, 0.1);
                match rule.rise(difference, interval, Some(adjusted)) {
                    RuleVerdict::Fail => fail += chance,
                    RuleVerdict::Pass => pass += chance,
                    RuleVerdict::Inconclusive => {}
                }
            }
        }
        (fail, pass)
    }

    #[test]
    fn single_trials_are_the_enumeration() {
        for tasks in [1, 6, 40] {
            for (rate, rise) in [(0.1, 0.0), (0.1, 0.3), (0.4, -0.2), (0.0, 0.4), (0.7, 0.3), (1.0, 0.0)] {
                for sides in [0.0, 0.5, 1.0] {
                    for rule in [RULE, tolerating(0.05), tolerating(0.2)] {
                        for family in [1, 3] {
                            let (from, to): (f64, f64) = (rate, rate + rise);
                            let both = from * to + sides * from.min(to) * (1.0 - from.max(to));
                            let (down, up) = ((from - both).max(0.0), (to - both).max(0.0));
                            let (fail, pass) = enumerate(tasks, down, up, &rule, family as usize);
                            let got = chances(&single(tasks, rate, sides), rise, &rule, family);
                            assert_chances(got, fail, pass);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn by_hand() {
        // Six of six must rise for a family of three: a chance of rise^6.
        assert_chances(chances(&single(6, 0.0, 0.0), 0.9, &RULE, 3), 0.531_441, 0.0);
        assert_chances(chances(&single(5, 0.0, 0.0), 1.0, &RULE, 3), 0.0, 0.0);
        let rise = detectable_rise(&single(6, 0.0, 0.0), &RULE, 3, 0.8).unwrap();
        assert!((0.8_f64.powf(1.0 / 6.0)..=0.8_f64.powf(1.0 / 6.0) + RISE_STEP).contains(&rise), "{rise}");
        assert_eq!(detectable_rise(&single(5, 0.0, 0.0), &RULE, 3, 0.8), None);
        let repeated = PairedDesign { trials: 500, task_correlation: 0.1, ..single(5, 0.0, 0.0) };
        assert_chances(chances(&repeated, 0.9, &RULE, 3), 0.0, 0.0);
        // Without an event there is one outcome, and its interval ends at z^2 / (n + z^2).
        assert_chances(chances(&single(52, 0.0, 0.0), 0.0, &tolerating(0.05), 1), 0.0, 1.0);
        assert_chances(chances(&single(51, 0.0, 0.0), 0.0, &tolerating(0.05), 1), 0.0, 0.0);
    }

    #[test]
    fn many_pairs_agree_with_the_normal_approximation() {
        // 312 pairs show a shift of 0.05 among discordant 0.1 with chance 0.8 (Connor, 1987): rates 0.025 and
        // 0.075 of tasks that never have both events.
        let design = PairedDesign { side_correlation: 0.0, ..single(312, 0.025, 0.0) };
        let got = chances(&design, 0.05, &RULE, 1).unwrap();
        assert!((got.fail - 0.8).abs() < 0.03, "{got:?}");
    }

    #[test]
    fn the_chance_to_fail_rises_with_the_rise() {
        for design in [
            single(60, 0.03, 0.3),
            single(2_000, 0.5, 0.9),
            PairedDesign { trials: 240, task_correlation: 0.3, ..single(60, 0.1, 0.3) },
            PairedDesign { trials: 650, task_correlation: 0.9, ..single(60, 0.01, 0.9) },
        ] {
            for rule in [RULE, tolerating(0.03)] {
                let mut before = 0.0;
                for step in 0..=40_u32 {
                    let rise = (1.0 - design.baseline_rate) * f64::from(step) / 40.0;
                    let fail = chances(&design, rise, &rule, 3).unwrap().fail;
                    assert!(fail >= before - 1e-3, "{design:?} {rise} {fail} {before}");
                    before = fail;
                }
                let least = detectable_rise(&design, &rule, 3, 0.8).unwrap();
                assert!(chances(&design, least, &rule, 3).unwrap().fail >= 0.8);
                assert!(chances(&design, least - RISE_STEP, &rule, 3).unwrap().fail < 0.8);
            }
        }
    }

    #[test]
    fn more_that_is_alike_shows_less() {
        let see = |design: PairedDesign| detectable_rise(&design, &RULE, 3, 0.8).unwrap();
        let design = PairedDesign { trials: 1_200, task_correlation: 0.3, ..single(300, 0.03, 0.0) };
        let plain = see(design);
        assert!(see(PairedDesign { task_correlation: 0.9, ..design }) > plain);
        assert!(see(PairedDesign { trials: 600, ..design }) > plain);
        assert!(see(PairedDesign { side_correlation: 0.3, ..design }) < plain);
        // Trials that all repeat are worth one a task.
        let repeated = PairedDesign { task_correlation: 1.0, ..design };
        assert!((see(repeated) - see(single(300, 0.03, 0.0))).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_answered_is_absent() {
        let design = single(60, 0.03, 0.3);
        for broken in [
            PairedDesign { tasks: 0, ..design },
            PairedDesign { trials: 59, ..design },
            PairedDesign { baseline_rate: f64::NAN, ..design },
            PairedDesign { task_correlation: 1.1, ..design },
            PairedDesign { side_correlation: -0.1, ..design },
        ] {
            assert_eq!(chances(&broken, 0.0, &RULE, 3), None);
            assert_eq!(detectable_rise(&broken, &RULE, 3, 0.8), None);
        }
        for rise in [0.98, -0.04, f64::NAN, f64::INFINITY] {
            assert_eq!(chances(&design, rise, &RULE, 3), None);
        }
        assert_eq!(chances(&design, 0.0, &RULE, 0), None);
        assert_eq!(chances(&design, 0.0, &GateRule { family_error: f64::NAN, ..RULE }, 1), None);
        assert_eq!(detectable_rise(&design, &RULE, 3, 1.0), None);
    }

    #[test]
    fn a_design_beyond_every_run_does_no_harm() {
        let design = PairedDesign { trials: 40_000_000, ..single(1_000_000, 0.001, 0.5) };
        for rule in [RULE, tolerating(0.01)] {
            let got = chances(&design, 0.0001, &rule, 150).unwrap();
            assert!((got.fail + got.pass + got.inconclusive - 1.0).abs() < 1e-9);
        }
    }
}
