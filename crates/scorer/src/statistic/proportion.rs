use super::beta::incomplete_beta_with_complement;
use super::counts::float;
use super::interval::{Interval, bisect, is_level, two_sided_z};

/// Gives the score interval of a share of independent trials (Wilson, 1927).
///
/// In shares of 1. `None` without a trial, with more events than trials, or without a level.
#[must_use]
pub fn wilson(events: u64, trials: u64, alpha: f64) -> Option<Interval> {
    if trials == 0 || events > trials {
        return None;
    }
    let trials = float(trials);
    Some(wilson_at(float(events) / trials, trials, two_sided_z(alpha)?))
}

/// Gives the exact interval of a share of independent trials (Clopper and Pearson, 1934).
///
/// In shares of 1; closed forms at no event and at all events. `None` without a trial, with more
/// events than trials, or without a level.
#[must_use]
pub fn clopper_pearson(events: u64, trials: u64, alpha: f64) -> Option<Interval> {
    if trials == 0 || events > trials || !is_level(alpha) {
        return None;
    }
    let tail = alpha / 2.0;
    let (n, yes, no) = (float(trials), float(events), float(trials - events));
    let low = match (events, trials - events) {
        (0, _) => 0.0,
        (_, 0) => (tail.ln() / n).exp(),
        _ => bisect(0.0, yes / n, |p| incomplete_beta_with_complement(yes, no + 1.0, p, 1.0 - p) < tail),
    };
    let high = match (events, trials - events) {
        (_, 0) => 1.0,
        (0, _) => -(tail.ln() / n).exp_m1(),
        _ => bisect(yes / n, 1.0, |p| incomplete_beta_with_complement(no, yes + 1.0, 1.0 - p, p) > tail),
    };
    Some(Interval { low, high })
}

/// Gives Wilson's interval for a rate that need not be a whole number of events over `size`.
///
/// `rate` lies in [0, 1], `size` and `quantile` are positive; an infinite quantile gives [0, 1].
pub(super) fn wilson_at(rate: f64, size: f64, quantile: f64) -> Interval {
    let square = quantile * quantile;
    if square.is_infinite() {
        return Interval { low: 0.0, high: 1.0 };
    }
    let spread = quantile * (size * rate * (1.0 - rate) + square / 4.0).sqrt();
    let high = if rate >= 1.0 {
        1.0
    } else {
        ((size * rate + square / 2.0 + spread) / (size + square)).clamp(rate, 1.0)
    };
    // The ends are the roots of a quadratic; their product loses no digits to subtraction.
    let low = size * rate * rate / ((size + square) * high);
    Interval { low: low.min(rate), high }
}

#[cfg(test)]
mod tests {
    use super::super::counts::relative_error;
    use super::*;

    fn assert_near(got: Option<Interval>, low: f64, high: f64) {
        let got = got.unwrap();
        assert!(relative_error(got.low, low) < 1e-12, "{got:?} {low}");
        assert!(relative_error(got.high, high) < 1e-12, "{got:?} {high}");
    }

    // Values from statsmodels and SciPy.
    #[test]
    fn wilson_values() {
        assert_near(wilson(3, 50, 0.05), 0.020_614_970_348_973_943, 0.162_170_916_888_381_73);
        assert_near(wilson(1, 12, 0.1), 0.018_816_049_516_361_844, 0.301_168_279_439_869);
        assert_near(wilson(49, 80, 0.01), 0.468_787_598_779_510_15, 0.738_980_872_196_974_3);
        assert_near(wilson(2, 300_000, 0.05), 1.828_242_364_622_366_4e-6, 2.430_961_901_263_092e-5);
        assert_near(wilson(11, 12, 0.05), 0.646_120_088_858_883, 0.985_134_905_595_082_9);
    }

    #[test]
    fn clopper_pearson_values() {
        assert_near(clopper_pearson(3, 50, 0.05), 0.012_548_587_835_334_06, 0.165_481_946_603_772_88);
        assert_near(clopper_pearson(1, 12, 0.1), 0.004_265_318_777_560_666, 0.338_680_668_434_032_55);
        assert_near(clopper_pearson(49, 80, 0.01), 0.462_626_536_820_373_5, 0.748_614_656_030_988_2);
        assert_near(clopper_pearson(2, 300_000, 0.05), 8.073_652_815_042_491e-7, 2.408_208_252_256_699_4e-5);
        assert_near(clopper_pearson(11, 12, 0.05), 0.615_203_834_849_055_9, 0.997_892_406_768_139_7);
        assert_near(
            clopper_pearson(40_000, 100_000, 0.05),
            0.396_961_573_510_328_85,
            0.403_044_227_658_623_85,
        );
    }

    #[test]
    fn zero_events_by_hand() {
        // Wilson: z^2 / (n + z^2); Clopper-Pearson: 1 - (alpha / 2)^(1/n).
        let z = 1.959_963_984_540_054_f64;
        assert_near(wilson(0, 33, 0.05), 0.0, z * z / (33.0 + z * z));
        assert_near(clopper_pearson(0, 1, 0.1), 0.0, 0.95);
        assert_near(clopper_pearson(2, 2, 0.02), 0.1, 1.0);
        assert_near(clopper_pearson(0, 2, 0.02), 0.0, 0.9);
    }

    #[test]
    fn intervals_mirror_hold_the_share_and_are_never_empty() {
        for trials in [1, 2, 7, 40, 1_000, 1_000_000] {
            for events in [0, 1, trials / 3, trials / 2, trials - 1, trials] {
                for method in [wilson, clopper_pearson] {
                    let here = method(events, trials, 0.05).unwrap();
                    let there = method(trials - events, trials, 0.05).unwrap();
                    assert!(here.contains(float(events) / float(trials)), "{events}/{trials}");
                    assert!(here.low < here.high && here.low >= 0.0 && here.high <= 1.0);
                    assert!((here.low - (1.0 - there.high)).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_answered_is_absent() {
        for method in [wilson, clopper_pearson] {
            assert_eq!(method(0, 0, 0.05), None);
            assert_eq!(method(3, 2, 0.05), None);
            assert_eq!(method(1, 2, f64::NAN), None);
            assert_eq!(method(1, 2, 0.0), None);
            assert_eq!(method(1, 2, 1.0), None);
        }
    }
}
