use super::super::counts::float;
use super::super::gate_rule::{GATE_ALPHA, GateRule};
use super::super::interval::{is_level, two_sided_z};
use super::super::paired::tango_paired_difference;
use super::super::sign_flip::mcnemar;

/// So many tasks that all move one way are as unlikely as a float can say.
const MOST_TASKS: u64 = 1_100;

/// Gives how many tasks must move one way, and none the other, before the rule can fail.
///
/// n such tasks have a mid-p of 2^-n, whatever the number of their trials; Holm's first step multiplies it by
/// `family`. Where other rates of the family are significant too, Holm asks for less. `None` without a
/// family and without a level.
#[must_use]
pub fn fewest_tasks_to_fail(rule: &GateRule, family: u64) -> Option<u64> {
    if family == 0 || !is_level(rule.family_error) {
        return None;
    }
    (1..=MOST_TASKS).find(|&tasks| {
        let p = (mcnemar(0, tasks).mid_p * float(family)).min(1.0);
        rule.is_shown(1.0, Some(p))
    })
}

/// Gives the smallest tolerance, in shares of 1, that a comparison of so many tasks can meet when nothing differs
/// between its sides: z^2 / (tasks + z^2) at 90 %.
///
/// Trials do not come into it: however many a task has, no interval's end lies nearer to the difference (see
/// `paired_difference`). Only a fall can meet a smaller one. `None` without a task.
#[must_use]
pub fn least_tolerance(tasks: u64) -> Option<f64> {
    tango_paired_difference(0, 0, tasks, GATE_ALPHA).map(|interval| interval.high)
}

/// Gives the fewest tasks with which the tolerance, in shares of 1, can be met when nothing differs.
///
/// `None` for a tolerance that is not above 0.
#[must_use]
pub fn fewest_tasks_to_pass(tolerance: f64) -> Option<u64> {
    if tolerance.is_nan() || tolerance <= 0.0 {
        return None;
    }
    let square = two_sided_z(GATE_ALPHA)?.powi(2);
    let about = whole(square * (1.0 - tolerance) / tolerance);
    let is_met = |tasks: &u64| least_tolerance(*tasks).is_some_and(|least| least <= tolerance);
    // Rounding can put the exact place one beside.
    (about.saturating_sub(1).max(1)..=about.saturating_add(2)).find(is_met)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "below 0 becomes 0, and a number beyond u64 the largest one"
)]
fn whole(tasks: f64) -> u64 {
    tasks as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(family_error: f64) -> GateRule {
        GateRule { family_error, tolerance: None }
    }

    #[test]
    fn fewest_tasks_to_fail_by_hand() {
        // 2^-n times the family: 1/32 = 0.03, 3/64 = 0.047, 6/128 = 0.047, 7/128 = 0.055.
        for (family, fewest) in [(1, 5), (2, 6), (3, 6), (4, 7), (6, 7), (7, 8)] {
            assert_eq!(fewest_tasks_to_fail(&rule(0.05), family), Some(fewest));
        }
        assert_eq!(fewest_tasks_to_fail(&rule(0.5), 1), Some(1));
        assert_eq!(fewest_tasks_to_fail(&rule(0.05), 0), None);
        assert_eq!(fewest_tasks_to_fail(&rule(0.0), 1), None);
        assert_eq!(fewest_tasks_to_fail(&rule(f64::MIN_POSITIVE), u64::MAX), None);
    }

    #[test]
    fn tolerances_by_hand() {
        // z^2 = 2.705543: 2.705543 * 19 = 51.4, * 97 / 3 = 87.5, * 1 = 2.7.
        for (tolerance, fewest) in [(0.05, 52), (0.03, 88), (0.5, 3), (1.0, 1), (2.0, 1)] {
            assert_eq!(fewest_tasks_to_pass(tolerance), Some(fewest));
        }
        assert!((least_tolerance(60).unwrap() - 2.705_543 / 62.705_543).abs() < 1e-7);
        assert_eq!(least_tolerance(0), None);
        for tolerance in [0.0, -0.1, f64::NAN] {
            assert_eq!(fewest_tasks_to_pass(tolerance), None);
        }
    }

    #[test]
    fn the_fewest_tasks_are_the_fewest() {
        for tasks in 1..2_000 {
            let least = least_tolerance(tasks).unwrap();
            assert_eq!(fewest_tasks_to_pass(least), Some(tasks));
        }
    }
}
