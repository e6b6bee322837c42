use super::counts::{Counts, float};
use super::interval::{Interval, is_level, two_sided_z};
use super::proportion::wilson_at;
use super::student::student_t_quantile;

/// Below this many clusters, Student's t stands in place of z.
const FEW_CLUSTERS: u64 = 30;
/// How many clusters' worth of belief pulls the estimated correlation towards 1.
pub(crate) const SHRINKAGE: f64 = 10.0;
/// How far beyond [0, 1] rounding may have pushed a rate that is a mean of shares.
const ROUNDING: f64 = 1e-9;

/// Holds the interval of a rate over clustered trials, and how it came about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateInterval {
    /// Clusters with at least one trial.
    pub clusters: u64,
    /// The rate as it was handed over, clipped to [0, 1].
    pub rate: f64,
    /// The intra-cluster correlation, one-way ANOVA estimate clipped to [0, 1].
    pub icc: f64,
    /// The correlation that is used, pulled towards 1 where few clusters inform it.
    pub icc_shrunk: f64,
    /// How many independent trials the trials are worth.
    pub effective_trials: f64,
    /// The interval, in shares of 1.
    pub interval: Interval,
}

/// Gives the interval of `rate` over trials that are alike within a cluster (a task).
///
/// DESIGN.md 6: Wilson's interval (1927) on the effective number of trials, N / (1 + (k - 1) r*),
/// with k the size-weighted mean cluster size, and r* the ANOVA estimate of the intra-cluster
/// correlation (Donner, 1986), shrunk towards 1. Without an event, or with nothing but events,
/// a cluster is worth one trial. The upper end is never below the one for no event in as many
/// independent trials as there are clusters.
///
/// `rate` is handed over because it is a mean over probes (DESIGN.md 3.2), which is not always
/// events over trials. Clusters without a trial are passed over. `None` without a trial, with
/// more events than trials somewhere, with a rate outside [0, 1], or without a level.
#[must_use]
pub fn rate_interval(clusters: &[Counts], rate: f64, alpha: f64) -> Option<RateInterval> {
    interval_over(clusters.iter().map(|cluster| (*cluster, 1)), rate, alpha)
}

/// Gives the same where equal clusters stand together: `(counts, how many clusters have them)`. A million
/// clusters of one trial are two groups.
#[must_use]
pub fn grouped_rate_interval(groups: &[(Counts, u64)], rate: f64, alpha: f64) -> Option<RateInterval> {
    interval_over(groups.iter().copied(), rate, alpha)
}

fn interval_over(
    clusters: impl Iterator<Item = (Counts, u64)> + Clone,
    rate: f64,
    alpha: f64,
) -> Option<RateInterval> {
    if !clusters.clone().all(|(cluster, _)| cluster.is_consistent()) || !is_level(alpha) {
        return None;
    }
    if !(-ROUNDING..=1.0 + ROUNDING).contains(&rate) {
        return None;
    }
    let sums = Sums::over(clusters.clone());
    if sums.clusters == 0 {
        return None;
    }
    let rate = rate.clamp(0.0, 1.0);
    let icc = sums.icc(clusters);
    let informing = float(sums.with_event.min(sums.with_non_event));
    let icc_shrunk = (informing * icc + SHRINKAGE) / (informing + SHRINKAGE);
    let effective_trials = sums.effective_trials(icc_shrunk);
    let quantile = quantile(sums.clusters, alpha)?;
    let mut interval = wilson_at(rate, effective_trials, quantile);
    let floor = wilson_at(0.0, float(sums.clusters), quantile).high;
    interval.high = interval.high.max(floor);
    Some(RateInterval { clusters: sums.clusters, rate, icc, icc_shrunk, effective_trials, interval })
}

/// Gives the positive quantile with `alpha / 2` above it, as wide as the clusters are few.
pub(super) fn quantile(clusters: u64, alpha: f64) -> Option<f64> {
    if clusters < FEW_CLUSTERS {
        return Some(-student_t_quantile(alpha / 2.0, clusters.saturating_sub(1)));
    }
    two_sided_z(alpha)
}

/// What one pass over the clusters gathers.
struct Sums {
    clusters: u64,
    with_event: u64,
    with_non_event: u64,
    events: f64,
    trials: f64,
    squared_sizes: f64,
}

impl Sums {
    fn over(clusters: impl Iterator<Item = (Counts, u64)>) -> Self {
        let mut sums = Self {
            clusters: 0,
            with_event: 0,
            with_non_event: 0,
            events: 0.0,
            trials: 0.0,
            squared_sizes: 0.0,
        };
        for (cluster, times) in clusters {
            let size = float(cluster.trials);
            let many = float(times);
            sums.clusters += if cluster.trials > 0 { times } else { 0 };
            sums.with_event += if cluster.events > 0 { times } else { 0 };
            sums.with_non_event += if cluster.events < cluster.trials { times } else { 0 };
            sums.events += many * float(cluster.events);
            sums.trials += many * size;
            sums.squared_sizes += many * size * size;
        }
        sums
    }

    /// Estimates the intra-cluster correlation by one-way analysis of variance, clipped to
    /// [0, 1]; 0 where it cannot be told (one cluster, one trial a cluster, no variance).
    fn icc(&self, clusters: impl Iterator<Item = (Counts, u64)>) -> f64 {
        let between_freedom = float(self.clusters) - 1.0;
        let within_freedom = self.trials - float(self.clusters);
        if between_freedom < 1.0 || within_freedom < 1.0 {
            return 0.0;
        }
        let mean = self.events / self.trials;
        let mut between = 0.0;
        let mut within = 0.0;
        for (cluster, times) in clusters {
            let Some(rate) = cluster.rate() else { continue };
            let many = float(times);
            between += many * float(cluster.trials) * (rate - mean) * (rate - mean);
            within += many * float(cluster.events) * (1.0 - rate);
        }
        let between = between / between_freedom;
        let within = within / within_freedom;
        let size = (self.trials - self.squared_sizes / self.trials) / between_freedom;
        let total = between + (size - 1.0) * within;
        if total <= 0.0 {
            return 0.0;
        }
        ((between - within) / total).clamp(0.0, 1.0)
    }

    fn effective_trials(&self, correlation: f64) -> f64 {
        if self.with_event == 0 || self.with_non_event == 0 {
            return float(self.clusters);
        }
        let size = self.squared_sizes / self.trials;
        self.trials / (1.0 + (size - 1.0) * correlation)
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::relative_error;
    use super::*;

    fn clusters(groups: &[(usize, u64, u64)]) -> Vec<Counts> {
        let mut clusters = Vec::new();
        for &(times, events, trials) in groups {
            clusters.extend(std::iter::repeat_n(Counts { events, trials }, times));
        }
        clusters
    }

    /// Checks the ICC, the shrunk ICC, the effective trials and both ends.
    fn assert_near(got: Option<RateInterval>, wanted: [f64; 5]) {
        let got = got.unwrap();
        let Interval { low, high } = got.interval;
        let values = [got.icc, got.icc_shrunk, got.effective_trials, low, high];
        for (value, wanted) in values.into_iter().zip(wanted) {
            let near = relative_error(value, wanted) < 1e-11 || (value - wanted).abs() < 1e-14;
            assert!(near, "{got:?} {wanted}");
        }
    }

    // The values of these four come from a separate program in NumPy and SciPy.
    #[test]
    fn equal_sizes() {
        let tasks = clusters(&[(25, 0, 4), (4, 1, 4), (2, 2, 4), (3, 4, 4)]);
        let rate = 20.0 / 136.0;
        let (icc, shrunk, effective) =
            (0.617_391_304_347_826_1, 0.818_764_302_059_496_6, 39.348_516_949_152_54);
        let wide = [icc, shrunk, effective, 0.068_260_628_227_562_6, 0.288_640_522_242_516_4];
        assert_near(rate_interval(&tasks, rate, 0.05), wide);
        let narrow = [icc, shrunk, effective, 0.077_108_523_260_844_18, 0.262_421_989_073_027_8];
        assert_near(rate_interval(&tasks, rate, 0.1), narrow);
    }

    #[test]
    fn unequal_sizes_and_a_rate_that_is_a_mean_of_shares() {
        let tasks = clusters(&[
            (1, 0, 3),
            (1, 1, 2),
            (1, 0, 5),
            (1, 5, 5),
            (1, 2, 3),
            (1, 0, 4),
            (1, 1, 1),
            (1, 0, 2),
        ]);
        let (icc, shrunk, effective) =
            (0.737_967_914_438_502_6, 0.925_133_689_839_572_1, 7.109_617_373_319_545);
        let mean = [icc, shrunk, effective, 0.113_995_015_288_631_86, 0.769_387_184_556_590_2];
        assert_near(rate_interval(&tasks, 0.395_833_333_333_333_3, 0.05), mean);
        let other = [icc, shrunk, effective, 0.071_500_681_214_315_99, 0.704_593_142_488_510_2];
        assert_near(rate_interval(&tasks, 0.3, 0.05), other);
    }

    #[test]
    fn equal_clusters_may_stand_together() {
        let apart = clusters(&[(25, 0, 4), (4, 1, 4), (2, 2, 4), (3, 4, 4), (200, 0, 1), (9, 1, 1)]);
        let groups = [(25, 0, 4), (4, 1, 4), (2, 2, 4), (3, 4, 4), (200, 0, 1), (9, 1, 1)]
            .map(|(times, events, trials)| (Counts { events, trials }, times));
        let (apart, together) =
            (rate_interval(&apart, 0.085, 0.05), grouped_rate_interval(&groups, 0.085, 0.05));
        let (apart, together) = (apart.unwrap(), together.unwrap());
        assert_eq!(apart.clusters, together.clusters);
        assert_near(
            Some(together),
            [apart.icc, apart.icc_shrunk, apart.effective_trials, apart.interval.low, apart.interval.high],
        );
    }

    #[test]
    fn one_trial_a_cluster_is_wilson_with_t() {
        let tasks = clusters(&[(9, 0, 1), (3, 1, 1)]);
        let wanted = [0.0, 10.0 / 13.0, 12.0, 0.096_746_518_135_026_85, 0.509_170_047_776_669_1];
        assert_near(rate_interval(&tasks, 0.25, 0.1), wanted);
    }

    #[test]
    fn many_repeats_promise_no_more_than_their_tasks() {
        // 1000 repeats of 40 tasks: the plain upper end, 0.060, would undercut 0 of 40.
        let tasks = clusters(&[(35, 0, 1_000), (5, 1, 1_000)]);
        let shrunk = 10.0 / 15.0;
        let effective = 40_000.0 / (1.0 + 999.0 * shrunk);
        let wanted = [0.0, shrunk, effective, 2.429_786_279_581_515e-7, 0.087_621_601_197_286_64];
        assert_near(rate_interval(&tasks, 0.000_125, 0.05), wanted);
    }

    #[test]
    fn without_an_event_a_task_is_one_trial() {
        let z = 1.959_963_984_540_054_f64;
        let high = z * z / (60.0 + z * z);
        for trials in [1, 5, 400] {
            let tasks = clusters(&[(60, 0, trials)]);
            assert_near(rate_interval(&tasks, 0.0, 0.05), [0.0, 1.0, 60.0, 0.0, high]);
            let tasks = clusters(&[(60, trials, trials)]);
            assert_near(rate_interval(&tasks, 1.0, 0.05), [0.0, 1.0, 60.0, 1.0 - high, 1.0]);
        }
    }

    #[test]
    fn one_task_says_nothing_of_others() {
        for (events, trials) in [(0, 1), (0, 50), (7, 20), (5, 5)] {
            let rate = float(events) / float(trials);
            let got = rate_interval(&[Counts { events, trials }], rate, 0.05).unwrap();
            assert_eq!((got.interval.low, got.interval.high), (0.0, 1.0));
        }
    }

    #[test]
    fn order_and_empty_clusters_change_nothing() {
        let tasks = clusters(&[(3, 0, 4), (2, 1, 3), (1, 0, 0)]);
        let here = rate_interval(&tasks, 0.1, 0.05).unwrap();
        let mut turned = tasks.clone();
        turned.reverse();
        turned.retain(|cluster| cluster.trials > 0);
        let there = rate_interval(&turned, 0.1, 0.05).unwrap();
        assert_eq!(here.clusters, 5);
        assert!((here.interval.low - there.interval.low).abs() < 1e-15);
        assert!((here.interval.high - there.interval.high).abs() < 1e-15);
    }

    #[test]
    fn the_interval_holds_the_rate_and_has_a_width() {
        let mut random = super::super::SplitMix64::new(5);
        for _ in 0..2_000 {
            let mut tasks = Vec::new();
            let (mut events, mut trials) = (0, 0);
            for _ in 0..=random.below(50) {
                let size = 1 + random.below(9);
                let count =
                    Counts { events: random.below(size + 1).min(random.below(size + 1)), trials: size };
                events += count.events;
                trials += count.trials;
                tasks.push(count);
            }
            let rate = float(events) / float(trials);
            let got = rate_interval(&tasks, rate, 0.05).unwrap();
            let Interval { low, high } = got.interval;
            assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0 && low < high);
            assert!((0.0..=1.0).contains(&got.icc) && got.icc_shrunk >= got.icc);
            assert!(got.effective_trials <= float(trials) + 1e-9);
        }
    }

    #[test]
    fn what_cannot_be_answered_is_absent() {
        let one = [Counts { events: 1, trials: 2 }];
        let too_many = [Counts { events: 3, trials: 2 }];
        assert_eq!(rate_interval(&[], 0.0, 0.05), None);
        assert_eq!(rate_interval(&[Counts::default()], 0.0, 0.05), None);
        assert_eq!(rate_interval(&too_many, 0.5, 0.05), None);
        for rate in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
            assert_eq!(rate_interval(&one, rate, 0.05), None);
        }
        for alpha in [f64::NAN, 0.0, 1.0] {
            assert_eq!(rate_interval(&one, 0.5, alpha), None);
        }
    }

    #[test]
    fn huge_counts_do_no_harm() {
        let huge = Counts { events: u64::MAX, trials: u64::MAX };
        let none = Counts { events: 0, trials: u64::MAX };
        let got = rate_interval(&[huge, none, huge], 0.5, 1e-300).unwrap();
        assert!(got.interval.low >= 0.0 && got.interval.high <= 1.0);
    }
}
