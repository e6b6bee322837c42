//! The statistics of DESIGN.md section 6: intervals, tests, adjustments, sizes of a study.
//!
//! Pure functions over counts. Nothing here reads a clock, draws a random number without being
//! handed a seed, or panics: what cannot be answered (no trials, more events than trials, a
//! level outside `0 < alpha < 1`) is `None`, never 0. Every level is given as `alpha`, the
//! two-sided error: `0.05` asks for a 95 % interval.

mod beta;
mod cluster;
mod counts;
mod gate_rule;
mod interval;
mod multiple;
mod normal;
mod paired;
mod power;
mod proportion;
mod random;
mod sample_size;
mod sign_flip;
mod student;

pub use beta::{binomial_pmf, incomplete_beta, ln_gamma};
pub(crate) use cluster::SHRINKAGE;
pub use cluster::{RateInterval, grouped_rate_interval, rate_interval};
pub use counts::Counts;
pub use gate_rule::{GATE_ALPHA, GateRule, RuleVerdict, ceiling, ceiling_on_point};
pub use interval::Interval;
pub use multiple::{benjamini_hochberg, holm};
pub use normal::{normal_cdf, normal_quantile};
pub use paired::{
    PairedDifference, PairedMethod, Side, paired_difference, paired_difference_hybrid,
    tango_paired_difference, task_correlation,
};
pub use power::{
    Chances, PairedDesign, SEEN, UNKNOWN_CORRELATION, chances, detectable_rise, fewest_tasks_to_fail,
    fewest_tasks_to_pass, least_tolerance,
};
pub use proportion::{clopper_pearson, wilson};
pub use random::SplitMix64;
pub use sample_size::{pairs_mcnemar, trials_per_arm_unpaired};
pub use sign_flip::{PairedProbe, TwoSidedP, common_units, mcnemar, sign_flip};
pub use student::student_t_quantile;
