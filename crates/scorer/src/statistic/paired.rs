use super::cluster::rate_interval;
use super::counts::{Counts, float};
use super::interval::{Interval, bisect, two_sided_z};

/// Holds one side of a comparison: its tasks in the order of the other side's, and its rate.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// What each task gave over its paired probes.
    pub tasks: &'a [Counts],
    /// The rate, the mean over the paired probes (DESIGN.md 3.2), in shares of 1.
    pub rate: f64,
}

/// Names the method that gave the interval of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairedMethod {
    /// Tango's score interval: one trial a task on both sides.
    Tango,
    /// Newcombe's hybrid of the two sides' intervals.
    Hybrid,
}

/// Holds a difference of two rates, candidate less baseline, in shares of 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedDifference {
    /// The difference, within [-1, 1].
    pub difference: f64,
    /// Its interval.
    pub interval: Interval,
    /// The correlation of the tasks' rates, clipped to [0, 1].
    pub correlation: f64,
    /// How the interval came about.
    pub method: PairedMethod,
}

/// Gives the difference of two sides: Tango's interval with one trial a task, else the hybrid, widened where
/// it is narrower than what as many tasks can tell.
///
/// Each end of the hybrid lies at least z^2 / (m + z^2) from the difference, which is where Tango's ends lie
/// for m tasks that agree. Tasks whose trials all repeat are worth one trial each, and where most of them do the
/// same on both sides the bare hybrid takes one side's uncertainty from the other's: in simulations of such
/// tasks its 95 % interval held the true difference in as few as 78 of 100 cases, the widened one in 92
/// (`tests/coverage.rs`).
///
/// `None` where the sides do not have the same number of tasks, and where either has no
/// interval of its own.
#[must_use]
pub fn paired_difference(baseline: Side<'_>, candidate: Side<'_>, alpha: f64) -> Option<PairedDifference> {
    let hybrid = paired_difference_hybrid(baseline, candidate, alpha)?;
    let mut tasks = baseline.tasks.iter().chain(candidate.tasks);
    if !tasks.all(|task| task.trials == 1) {
        return Some(widened(hybrid, baseline.tasks.len() as u64, alpha));
    }
    let (mut only_baseline, mut only_candidate, mut pairs) = (0, 0, 0);
    for (left, right) in baseline.tasks.iter().zip(candidate.tasks) {
        only_baseline += u64::from(left.events > right.events);
        only_candidate += u64::from(left.events < right.events);
        pairs += 1;
    }
    Some(PairedDifference {
        interval: tango_paired_difference(only_baseline, only_candidate, pairs, alpha)?,
        method: PairedMethod::Tango,
        ..hybrid
    })
}

/// Moves the ends of a hybrid apart to where those of `tasks` agreeing single trials would be.
fn widened(hybrid: PairedDifference, tasks: u64, alpha: f64) -> PairedDifference {
    let Some(least) = tango_paired_difference(0, 0, tasks, alpha) else { return hybrid };
    let Interval { low, high } = hybrid.interval;
    let interval = Interval {
        low: low.min(hybrid.difference + least.low).max(-1.0),
        high: high.max(hybrid.difference + least.high).min(1.0),
    };
    PairedDifference { interval, ..hybrid }
}

/// Gives the score interval of candidate less baseline over paired single trials (Tango, 1998).
///
/// `only_baseline` and `only_candidate` count the pairs in which one side alone had the event.
/// With no such pair the ends are -+z^2 / (pairs + z^2). `None` without a pair, with more
/// discordant pairs than pairs, or without a level.
#[must_use]
pub fn tango_paired_difference(
    only_baseline: u64,
    only_candidate: u64,
    pairs: u64,
    alpha: f64,
) -> Option<Interval> {
    let discordant = only_baseline.checked_add(only_candidate)?;
    if pairs == 0 || discordant > pairs {
        return None;
    }
    let quantile = two_sided_z(alpha)?;
    let (fewer, more, pairs) = (float(only_baseline), float(only_candidate), float(pairs));
    Some(Interval {
        low: -tango_end(more, fewer, pairs, quantile),
        high: tango_end(fewer, more, pairs, quantile),
    })
}

/// Gives the interval of candidate less baseline from the two sides' own (Newcombe, 1998,
/// method 10), with the correlation of the tasks' rates.
///
/// The two intervals are those of `rate_interval`. `None` where the sides do not have the same
/// number of tasks, and where either has no interval. Where the sides agree task by task
/// (correlation 1) the formula takes one side's uncertainty from the other's, and the width
/// falls to nothing at a rate of one half: show the discordant probes beside it.
#[must_use]
pub fn paired_difference_hybrid(
    baseline: Side<'_>,
    candidate: Side<'_>,
    alpha: f64,
) -> Option<PairedDifference> {
    if baseline.tasks.len() != candidate.tasks.len() {
        return None;
    }
    let from = rate_interval(baseline.tasks, baseline.rate, alpha)?;
    let to = rate_interval(candidate.tasks, candidate.rate, alpha)?;
    let correlation = task_correlation(baseline.tasks, candidate.tasks);
    let difference = to.rate - from.rate;
    let fall = combined(to.rate - to.interval.low, from.interval.high - from.rate, correlation);
    let rise = combined(to.interval.high - to.rate, from.rate - from.interval.low, correlation);
    Some(PairedDifference {
        difference,
        interval: Interval { low: (difference - fall).max(-1.0), high: (difference + rise).min(1.0) },
        correlation,
        method: PairedMethod::Hybrid,
    })
}

/// Gives Pearson's correlation of the tasks' rates on the two sides, clipped to [0, 1].
///
/// A task's rate is its events over its trials; tasks without a trial on one side are passed
/// over. 0 where one side does not vary.
#[must_use]
pub fn task_correlation(baseline: &[Counts], candidate: &[Counts]) -> f64 {
    let sides = baseline.iter().zip(candidate);
    let pairs: Vec<(f64, f64)> =
        sides.filter_map(|(left, right)| Some((left.rate()?, right.rate()?))).collect();
    // Asked of the rates themselves: rounding in the mean would make a variance out of none.
    let steady = |side: fn(&(f64, f64)) -> f64| {
        pairs.windows(2).all(|two| side(&two[0]).total_cmp(&side(&two[1])).is_eq())
    };
    if steady(|pair| pair.0) || steady(|pair| pair.1) {
        return 0.0;
    }
    let (mut left_sum, mut right_sum, mut tasks) = (0.0, 0.0, 0.0);
    for (left, right) in &pairs {
        left_sum += left;
        right_sum += right;
        tasks += 1.0;
    }
    let (left_mean, right_mean) = (left_sum / tasks, right_sum / tasks);
    let (mut left_squares, mut right_squares, mut products) = (0.0, 0.0, 0.0);
    for (left, right) in &pairs {
        left_squares += (left - left_mean) * (left - left_mean);
        right_squares += (right - right_mean) * (right - right_mean);
        products += (left - left_mean) * (right - right_mean);
    }
    (products / (left_squares * right_squares).sqrt()).clamp(0.0, 1.0)
}

/// Gives the length of the third side of a triangle from two sides and their correlation.
pub(super) fn combined(left: f64, right: f64, correlation: f64) -> f64 {
    let square = left * left - 2.0 * correlation * left * right + right * right;
    square.max(0.0).sqrt()
}

/// Gives the upper end for `more` pairs that count up and `fewer` that count down.
fn tango_end(fewer: f64, more: f64, pairs: f64, quantile: f64) -> f64 {
    bisect((more - fewer) / pairs, 1.0, |difference| {
        let share = constrained_share(fewer, more, pairs, difference);
        let variance = pairs * (2.0 * share + difference * (1.0 - difference));
        pairs * difference - (more - fewer) < quantile * variance.max(0.0).sqrt()
    })
}

/// Gives the likeliest share of pairs that count down, if the true difference is `difference`.
fn constrained_share(fewer: f64, more: f64, pairs: f64, difference: f64) -> f64 {
    let square = 2.0 * pairs;
    let linear = (square - more + fewer) * difference - more - fewer;
    let constant = -fewer * difference * (1.0 - difference);
    let root = (linear * linear - 4.0 * square * constant).max(0.0).sqrt();
    if linear <= 0.0 {
        return (root - linear) / (2.0 * square);
    }
    // The same root, without the difference of two near numbers.
    -2.0 * constant / (root + linear)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "edges are met exactly")]
mod tests {
    use super::*;

    fn counts(pairs: &[(u64, u64)]) -> Vec<Counts> {
        pairs.iter().map(|&(events, trials)| Counts { events, trials }).collect()
    }

    fn mean_of_shares(tasks: &[Counts]) -> f64 {
        let sum: f64 = tasks.iter().filter_map(|task| task.rate()).sum();
        sum / float(tasks.len() as u64)
    }

    fn side(tasks: &[Counts]) -> Side<'_> {
        Side { tasks, rate: mean_of_shares(tasks) }
    }

    // Values from a separate program in SciPy (Brent's method on Tango's equation).
    #[test]
    fn tango_values() {
        for (only_baseline, only_candidate, pairs, alpha, low, high) in [
            (1, 7, 30, 0.05, 0.018_788_397_681_508_51, 0.386_361_327_872_849_8),
            (12, 9, 44, 0.05, -0.268_562_530_527_908_24, 0.138_034_106_825_820_18),
            (2, 2, 25, 0.1, -0.153_736_706_867_937_64, 0.153_736_706_867_937_67),
            (0, 3, 10, 0.05, -0.060_792_639_821_755_98, 0.603_221_852_538_854_6),
            (0, 4, 4, 0.05, 0.020_218_327_090_805_37, 1.0),
        ] {
            let got = tango_paired_difference(only_baseline, only_candidate, pairs, alpha);
            let got = got.unwrap();
            assert!((got.low - low).abs() < 1e-11, "{got:?} {low}");
            assert!((got.high - high).abs() < 1e-11, "{got:?} {high}");
        }
    }

    #[test]
    fn tango_without_a_discordant_pair_has_a_closed_form() {
        let z = 1.959_963_984_540_054_f64;
        for pairs in [1, 2, 60, 10_000] {
            let got = tango_paired_difference(0, 0, pairs, 0.05).unwrap();
            let end = z * z / (float(pairs) + z * z);
            assert!((got.high - end).abs() < 1e-12 && (got.low + end).abs() < 1e-12);
        }
    }

    #[test]
    fn tango_mirrors_and_holds_the_difference() {
        for pairs in [1, 5, 60] {
            for only_baseline in 0..=pairs.min(8) {
                for only_candidate in 0..=(pairs - only_baseline).min(8) {
                    let find = |left, right| tango_paired_difference(left, right, pairs, 0.05);
                    let here = find(only_baseline, only_candidate).unwrap();
                    let there = find(only_candidate, only_baseline).unwrap();
                    let difference = (float(only_candidate) - float(only_baseline)) / float(pairs);
                    assert!(here.contains(difference) && here.low < here.high, "{here:?}");
                    assert!(here.low >= -1.0 && here.high <= 1.0, "{here:?}");
                    assert_eq!((here.low, here.high), (-there.high, -there.low));
                }
            }
        }
    }

    // Values from a separate program in NumPy and SciPy.
    #[test]
    fn hybrid_values() {
        let mut baseline = counts(&[(0, 4); 25]);
        baseline.extend(counts(&[(1, 4), (1, 4), (1, 4), (1, 4), (2, 4), (2, 4)]));
        baseline.extend(counts(&[(4, 4), (4, 4), (4, 4)]));
        let mut candidate = counts(&[(0, 4); 20]);
        candidate.extend(counts(&[(1, 4); 7]));
        candidate.extend(counts(&[(3, 4), (3, 4), (0, 4), (0, 4), (0, 4), (4, 4), (4, 4)]));
        let got = paired_difference_hybrid(side(&baseline), side(&candidate), 0.05).unwrap();
        assert!((got.correlation - 0.599_922_332_873_915_2).abs() < 1e-13, "{got:?}");
        assert!((got.difference - 1.0 / 136.0).abs() < 1e-15, "{got:?}");
        assert!((got.interval.low + 0.106_055_363_722_049_82).abs() < 1e-12, "{got:?}");
        assert!((got.interval.high - 0.117_018_577_532_288_8).abs() < 1e-12, "{got:?}");
    }

    #[test]
    fn hybrid_values_with_unequal_sizes() {
        let baseline = counts(&[(0, 3), (1, 2), (0, 5), (5, 5), (2, 3), (0, 4), (1, 1), (0, 2)]);
        let candidate = counts(&[(1, 3), (1, 2), (2, 5), (5, 5), (3, 3), (0, 4), (0, 1), (1, 2)]);
        let got = paired_difference(side(&baseline), side(&candidate), 0.1).unwrap();
        assert_eq!(got.method, PairedMethod::Hybrid);
        assert!((got.correlation - 0.360_447_936_069_227_1).abs() < 1e-13, "{got:?}");
        assert!((got.difference - 0.070_833_333_333_333_36).abs() < 1e-15, "{got:?}");
        assert!((got.interval.low + 0.263_943_714_081_386_45).abs() < 1e-12, "{got:?}");
        assert!((got.interval.high - 0.376_178_421_342_124_65).abs() < 1e-12, "{got:?}");
    }

    #[test]
    fn one_trial_a_task_is_tango() {
        let baseline = counts(&[(0, 1), (0, 1), (1, 1), (1, 1), (0, 1), (0, 1)]);
        let candidate = counts(&[(1, 1), (1, 1), (0, 1), (1, 1), (0, 1), (1, 1)]);
        let got = paired_difference(side(&baseline), side(&candidate), 0.05).unwrap();
        assert_eq!(got.method, PairedMethod::Tango);
        assert!((got.difference - 2.0 / 6.0).abs() < 1e-15);
        assert_eq!(Some(got.interval), tango_paired_difference(1, 3, 6, 0.05));
    }

    #[test]
    fn tasks_that_always_agree_leave_as_much_room_as_single_trials() {
        let tasks = counts(&[(0, 3), (3, 3), (0, 3), (3, 3)]);
        let bare = paired_difference_hybrid(side(&tasks), side(&tasks), 0.05).unwrap();
        let got = paired_difference(side(&tasks), side(&tasks), 0.05).unwrap();
        let least = tango_paired_difference(0, 0, 4, 0.05).unwrap();
        assert!(bare.interval.high - bare.interval.low < 1e-9, "{bare:?}");
        assert_eq!(got.interval, least);
        let risen = counts(&[(3, 3), (3, 3), (3, 3), (3, 3)]);
        let got = paired_difference(side(&tasks), side(&risen), 0.05).unwrap();
        assert!(got.interval.low <= 0.5 + least.low && got.interval.high <= 1.0, "{got:?}");
    }

    #[test]
    fn sides_swapped_mirror() {
        let baseline = counts(&[(0, 3), (1, 3), (3, 3), (0, 3)]);
        let candidate = counts(&[(1, 3), (2, 3), (3, 3), (2, 3)]);
        let here = paired_difference(side(&baseline), side(&candidate), 0.05).unwrap();
        let there = paired_difference(side(&candidate), side(&baseline), 0.05).unwrap();
        assert!((here.interval.low + there.interval.high).abs() < 1e-15);
        assert!((here.interval.high + there.interval.low).abs() < 1e-15);
    }

    #[test]
    fn correlation_by_hand() {
        let rising = counts(&[(0, 2), (1, 2), (2, 2)]);
        let falling = counts(&[(2, 2), (1, 2), (0, 2)]);
        let bent = counts(&[(0, 2), (2, 2), (2, 2)]);
        let thirds = counts(&[(1, 3), (1, 3), (1, 3)]);
        assert!((task_correlation(&rising, &rising) - 1.0).abs() < 1e-15);
        assert_eq!(task_correlation(&rising, &falling), 0.0);
        // 1/2 over the root of 1/2 times 2/3.
        assert!((task_correlation(&rising, &bent) - 0.75_f64.sqrt()).abs() < 1e-15);
        assert_eq!(task_correlation(&thirds, &thirds), 0.0);
        assert_eq!(task_correlation(&[], &[]), 0.0);
        assert_eq!(task_correlation(&rising[..1], &rising[..1]), 0.0);
        let holed = counts(&[(0, 2), (1, 2), (2, 2), (0, 0)]);
        let other = counts(&[(0, 2), (1, 2), (2, 2), (5, 5)]);
        assert!((task_correlation(&holed, &other) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn what_cannot_be_answered_is_absent() {
        let two = counts(&[(0, 2), (1, 2)]);
        let three = counts(&[(0, 2), (1, 2), (1, 2)]);
        let broken = Side { tasks: &two, rate: f64::NAN };
        for method in [paired_difference, paired_difference_hybrid] {
            assert_eq!(method(side(&two), side(&three), 0.05), None);
            assert_eq!(method(side(&two), broken, 0.05), None);
            assert_eq!(method(side(&two), side(&two), 0.0), None);
            assert_eq!(method(side(&[]), side(&[]), 0.05), None);
        }
        assert_eq!(tango_paired_difference(0, 0, 0, 0.05), None);
        assert_eq!(tango_paired_difference(3, 3, 5, 0.05), None);
        assert_eq!(tango_paired_difference(u64::MAX, 1, u64::MAX, 0.05), None);
        assert_eq!(tango_paired_difference(1, 1, 5, f64::NAN), None);
    }
}
