use super::beta::binomial_pmf;
use super::counts::{Counts, float};
use super::normal::normal_cdf;

/// The longest table of sums that is filled: 64 MiB, twice.
const MOST_STATES: usize = 1 << 23;
/// From here on a binomial tail at one half is normal to more digits than a float shows.
const MANY_PAIRS: u64 = 1 << 40;

/// Holds the two p-values of a two-sided test on a discrete statistic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoSidedP {
    /// P(as extreme or more).
    pub exact_p: f64,
    /// P(more extreme) + P(equally extreme) / 2 (Lancaster, 1961).
    pub mid_p: f64,
}

/// Holds what one probe gave on both sides; its repeats are the trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairedProbe {
    /// What the baseline did.
    pub baseline: Counts,
    /// What the candidate did.
    pub candidate: Counts,
}

/// Sums each task's differences (candidate less baseline) in one unit that makes all whole.
///
/// A probe's difference is that of its two shares of trials with the event; the unit is 1 over
/// the least common multiple of all numbers of repeats. Probes without a trial on one side are
/// not paired and add nothing. `None` where a probe has more events than trials, and where the
/// unit becomes too small for the sums to be counted.
#[must_use]
pub fn common_units(tasks: &[Vec<PairedProbe>]) -> Option<Vec<i64>> {
    let mut unit: u64 = 1;
    for probe in tasks.iter().flatten().filter(|probe| probe.is_paired()) {
        unit = common_multiple(unit, probe.baseline.trials)?;
        unit = common_multiple(unit, probe.candidate.trials)?;
    }
    tasks.iter().map(|task| task_sum(task, unit)).collect()
}

/// Tests whether differences are as likely to fall either way, all signs of tasks flipped.
///
/// The sign-flip (Fisher, 1935) test on the absolute sum of `differences`, one per task, in any
/// whole unit: exact over all sign vectors by dynamic programming over sums, with no random
/// draw. Both p-values are 1 when every difference is 0. What is smaller than a float can hold
/// is given as the smallest normal one, never as 0. `None` without a task, and where the
/// table would be too large: the rises and the falls both sum to more than 8 million units, after
/// division by the greatest common divisor, or either to more than 64 bits hold.
#[must_use]
pub fn sign_flip(differences: &[i64]) -> Option<TwoSidedP> {
    if differences.is_empty() {
        return None;
    }
    let divisor =
        differences.iter().fold(0, |divisor, &difference| common_divisor(divisor, difference.unsigned_abs()));
    if divisor == 0 {
        return Some(NO_DIFFERENCE);
    }
    let mut sizes: Vec<u64> = Vec::with_capacity(differences.len());
    let (mut positive, mut negative) = (0_u64, 0_u64);
    for &difference in differences {
        let size = difference.unsigned_abs() / divisor;
        let sum = if difference > 0 { &mut positive } else { &mut negative };
        *sum = sum.checked_add(size)?;
        if size > 0 {
            sizes.push(size);
        }
    }
    // The sum of the sizes with one sign is what varies; the smaller side was observed.
    let observed = positive.min(negative);
    let balanced = positive == negative;
    if sizes.iter().all(|&size| size == 1) {
        return Some(mcnemar(positive, negative));
    }
    let last = usize::try_from(observed).ok().filter(|&last| last < MOST_STATES)?;
    sizes.sort_unstable();
    let probabilities = subset_sums(&sizes, last);
    let below = probabilities[..last].iter().sum();
    Some(two_sided(below, probabilities[last], balanced))
}

/// Tests whether discordant pairs are as likely either way, by the exact binomial.
///
/// The test of `McNemar` (1947). The counts are pairs in which only one side had the event. Both
/// p-values are 1 when there is none. It is `sign_flip` with every difference -1, 0 or 1.
#[must_use]
pub fn mcnemar(only_baseline: u64, only_candidate: u64) -> TwoSidedP {
    let observed = only_baseline.min(only_candidate);
    let pairs = only_baseline.saturating_add(only_candidate);
    if pairs == 0 {
        return NO_DIFFERENCE;
    }
    let at = binomial_pmf(observed, pairs, 0.5);
    let balanced = only_baseline == only_candidate;
    two_sided(half_binomial_below(observed, pairs, at), at, balanced)
}

const NO_DIFFERENCE: TwoSidedP = TwoSidedP { exact_p: 1.0, mid_p: 1.0 };

impl PairedProbe {
    fn is_paired(&self) -> bool {
        self.baseline.trials > 0 && self.candidate.trials > 0
    }
}

fn task_sum(task: &[PairedProbe], unit: u64) -> Option<i64> {
    let mut sum: i64 = 0;
    for probe in task {
        if !probe.baseline.is_consistent() || !probe.candidate.is_consistent() {
            return None;
        }
        if probe.is_paired() {
            // Neither product is above `unit`, since there are no more events than trials.
            let candidate = probe.candidate.events * (unit / probe.candidate.trials);
            let baseline = probe.baseline.events * (unit / probe.baseline.trials);
            sum = sum.checked_add_unsigned(candidate)?;
            sum = sum.checked_sub_unsigned(baseline)?;
        }
    }
    Some(sum)
}

/// Gives the probabilities of the sums 0 to `last` when each of `sizes` (rising) is in or out
/// by the toss of a coin.
fn subset_sums(sizes: &[u64], last: usize) -> Vec<f64> {
    let mut current = vec![0.0; last + 1];
    let mut next = vec![0.0; last + 1];
    current[0] = 1.0;
    let mut reach = 0;
    for &size in sizes {
        let shift = usize::try_from(size).unwrap_or(usize::MAX);
        reach = last.min(shift.saturating_add(reach));
        let alone = shift.min(reach + 1);
        for (new, old) in next[..alone].iter_mut().zip(&current) {
            *new = 0.5 * old;
        }
        let both = current[alone..=reach].iter().zip(&current);
        for (new, (out, within)) in next[alone..=reach].iter_mut().zip(both) {
            *new = 0.5 * (out + within);
        }
        std::mem::swap(&mut current, &mut next);
    }
    current
}

/// Gives P(X < `observed`) for X binomial over `pairs` at one half, given P(X = `observed`).
fn half_binomial_below(observed: u64, pairs: u64, at: f64) -> f64 {
    if pairs > MANY_PAIRS {
        let distance = float(pairs - observed) - float(observed) + 1.0;
        return normal_cdf(-distance / float(pairs).sqrt());
    }
    let mut term = at;
    let mut sum = 0.0;
    for k in (0..observed).rev() {
        term *= float(k + 1) / float(pairs - k);
        sum += term;
        if term <= sum * 1e-20 {
            break;
        }
    }
    sum
}

/// Folds one tail into a two-sided test; a balanced outcome is the least extreme one there is.
fn two_sided(below: f64, at: f64, balanced: bool) -> TwoSidedP {
    let (exact_p, mid_p) =
        if balanced { (1.0, 1.0 - at / 2.0) } else { (2.0 * (below + at), 2.0 * below + at) };
    TwoSidedP { exact_p: exact_p.clamp(f64::MIN_POSITIVE, 1.0), mid_p: mid_p.clamp(f64::MIN_POSITIVE, 1.0) }
}

fn common_multiple(left: u64, right: u64) -> Option<u64> {
    (left / common_divisor(left, right)).checked_mul(right)
}

fn common_divisor(left: u64, right: u64) -> u64 {
    let (mut left, mut right) = (left, right);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "edges are met exactly")]
mod tests {
    use super::*;

    fn assert_near(got: TwoSidedP, exact_p: f64, mid_p: f64) {
        assert!((got.exact_p - exact_p).abs() < 1e-13 * exact_p, "{got:?} {exact_p}");
        assert!((got.mid_p - mid_p).abs() < 1e-13 * mid_p, "{got:?} {mid_p}");
    }

    /// Goes through all sign vectors, one by one.
    fn enumerate(differences: &[i64]) -> TwoSidedP {
        let observed = differences.iter().sum::<i64>().abs();
        let (mut more, mut equal) = (0_u32, 0_u32);
        for signs in 0..1_u32 << differences.len() {
            let mut sum = 0;
            for (place, difference) in differences.iter().enumerate() {
                sum += if signs >> place & 1 == 1 { -difference } else { *difference };
            }
            more += u32::from(sum.abs() > observed);
            equal += u32::from(sum.abs() == observed);
        }
        let all = f64::from(1_u32 << differences.len());
        TwoSidedP {
            exact_p: f64::from(more + equal) / all,
            mid_p: (f64::from(more) + f64::from(equal) / 2.0) / all,
        }
    }

    #[test]
    fn sign_flip_is_the_enumeration() {
        let mut random = super::super::SplitMix64::new(11);
        for length in 1..=12 {
            for bound in [2_u32, 3, 9, 40] {
                let mut draw = || i64::try_from(random.below(u64::from(2 * bound + 1))).unwrap();
                let differences: Vec<i64> = (0..length).map(|_| draw() - i64::from(bound)).collect();
                if differences.iter().all(|&difference| difference == 0) {
                    continue;
                }
                let wanted = enumerate(&differences);
                assert_near(sign_flip(&differences).unwrap(), wanted.exact_p, wanted.mid_p);
            }
        }
    }

    #[test]
    fn sign_flip_by_hand() {
        // 3 + 1: sums 4, 2, -2, -4; as extreme as 4 are two of four.
        assert_near(sign_flip(&[3, 1]).unwrap(), 0.5, 0.25);
        // 3 - 1: sum 2; all four are as extreme, two of them equally.
        assert_near(sign_flip(&[3, -1]).unwrap(), 1.0, 0.75);
        // 1 + 2 - 3: sum 0; as extreme are all eight, equally two of them.
        assert_near(sign_flip(&[1, 2, -3]).unwrap(), 1.0, 0.875);
        assert_eq!(sign_flip(&[0, 0]), Some(NO_DIFFERENCE));
        assert_eq!(sign_flip(&[]), None);
    }

    #[test]
    fn sign_flip_does_not_depend_on_unit_side_or_order() {
        let here = sign_flip(&[5, -3, 2, 2, 0, 7]).unwrap();
        assert_eq!(sign_flip(&[50, -30, 20, 20, 0, 70]).unwrap(), here);
        assert_eq!(sign_flip(&[-7, 0, -2, -2, 3, -5]).unwrap(), here);
    }

    #[test]
    fn mcnemar_is_sign_flip_with_units() {
        for (only_baseline, only_candidate) in [(0, 6), (1, 9), (8, 8), (7, 20), (150, 190)] {
            let ones = std::iter::repeat_n(-1, only_baseline);
            let ones: Vec<i64> = ones.chain(std::iter::repeat_n(1, only_candidate)).collect();
            let sizes = vec![1; ones.len()];
            let last = only_baseline.min(only_candidate);
            let table = subset_sums(&sizes, last);
            let below = table[..last].iter().sum();
            let wanted = two_sided(below, table[last], only_baseline == only_candidate);
            let got = mcnemar(only_baseline as u64, only_candidate as u64);
            assert_near(got, wanted.exact_p, wanted.mid_p);
            assert_eq!(sign_flip(&ones), Some(got));
        }
    }

    #[test]
    fn mcnemar_values() {
        // 2 (1 + 14 + 91 + 364) / 2^14, and half of the last term less.
        assert_near(mcnemar(3, 11), 940.0 / 16_384.0, 576.0 / 16_384.0);
        assert_near(mcnemar(9, 0), 2.0 / 512.0, 1.0 / 512.0);
        assert_near(mcnemar(5, 5), 1.0, 1.0 - 252.0 / 2_048.0);
        assert_near(mcnemar(1, 0), 1.0, 0.5);
        assert_eq!(mcnemar(0, 0), NO_DIFFERENCE);
        // SciPy.
        let large = mcnemar(120, 171);
        assert!((large.exact_p / 0.003_308_798_633_126_903_3 - 1.0).abs() < 1e-11);
        assert!((large.mid_p / 0.002_777_393_595_138_02 - 1.0).abs() < 1e-11);
        let larger = mcnemar(500_000, 502_000);
        assert!((larger.exact_p / 0.045_824_695_263_221_7 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_ever_impossible() {
        let ones = vec![1; 5_000];
        let mut sizes = ones.clone();
        sizes[0] = 2;
        for differences in [ones, sizes] {
            assert_eq!(sign_flip(&differences).unwrap().mid_p, f64::MIN_POSITIVE);
        }
    }

    #[test]
    fn sums_beyond_the_table_are_absent_and_extremes_do_no_harm() {
        assert_eq!(sign_flip(&[i64::MAX, i64::MAX - 1, -i64::MAX]), None);
        assert_eq!(sign_flip(&[1, 1 << 40, 1 - (1 << 40)]), None);
        // One sign only: nothing needs a table, however large the sums.
        assert_near(sign_flip(&[1 << 40, 1, 3]).unwrap(), 0.25, 0.125);
        assert_near(sign_flip(&[i64::MIN]).unwrap(), 1.0, 0.5);
        assert!(mcnemar(u64::MAX, u64::MAX).mid_p <= 1.0);
        assert_eq!(mcnemar(0, u64::MAX).mid_p, f64::MIN_POSITIVE);
    }

    #[test]
    fn many_pairs_join_the_fewer_smoothly() {
        let half = MANY_PAIRS / 2;
        let here = mcnemar(half - 1_000_000, half + 1_000_000);
        let there = mcnemar(half - 1_000_000, half + 1_000_001);
        assert!((here.mid_p / there.mid_p - 1.0).abs() < 1e-5, "{here:?} {there:?}");
    }

    #[test]
    fn units_are_those_of_the_least_common_multiple() {
        let counts = |events, trials| Counts { events, trials };
        let probe = |baseline, candidate| PairedProbe { baseline, candidate };
        let tasks = [
            vec![probe(counts(1, 3), counts(1, 2)), probe(counts(0, 2), counts(3, 3))],
            vec![probe(counts(2, 3), counts(0, 3))],
            vec![probe(counts(1, 1), counts(0, 0))],
            vec![],
        ];
        // Unit 1/6: (3 - 2) + (6 - 0), 0 - 4, nothing paired, nothing.
        assert_eq!(common_units(&tasks), Some(vec![7, -4, 0, 0]));
        assert_eq!(common_units(&[]), Some(vec![]));
        assert_eq!(common_units(&[vec![probe(counts(2, 1), counts(0, 1))]]), None);
        let primes = [(1, 4_294_967_291), (1, 4_294_967_279), (1, 4_294_967_231)];
        let tasks = primes.map(|(events, trials)| vec![probe(counts(0, 1), counts(events, trials))]);
        assert_eq!(common_units(&tasks), None);
    }
}
