use super::interval::{is_level, two_sided_z};
use super::normal::normal_quantile;

/// Gives the independent trials an arm needs to tell two rates apart.
///
/// Normal approximation, pooled variance where the rates are equal and unpooled where they are
/// not (Fleiss, Levin and Paik, 2003), rounded up. Rates in shares of 1, `power` the chance to
/// see the difference at the two-sided level `alpha`. `None` for equal rates (no number would
/// do) and for values outside their range.
#[must_use]
pub fn trials_per_arm_unpaired(baseline: f64, candidate: f64, alpha: f64, power: f64) -> Option<u64> {
    if !(0.0..=1.0).contains(&baseline) || !(0.0..=1.0).contains(&candidate) {
        return None;
    }
    let mean = f64::midpoint(baseline, candidate);
    let pooled = 2.0 * mean * (1.0 - mean);
    let unpooled = baseline * (1.0 - baseline) + candidate * (1.0 - candidate);
    size(candidate - baseline, pooled, unpooled, alpha, power)
}

/// Gives the pairs that the test of discordant pairs needs to see a shift (Connor, 1987).
///
/// `discordance` is the share of pairs whose two sides differ, `shift` the candidate's rate less
/// the baseline's, so at most `discordance` in size. Normal approximation, rounded up. `None`
/// without a shift and for values outside their range.
#[must_use]
pub fn pairs_mcnemar(discordance: f64, shift: f64, alpha: f64, power: f64) -> Option<u64> {
    if !(0.0..=1.0).contains(&discordance) || shift.is_nan() || shift.abs() > discordance {
        return None;
    }
    let variance = discordance - shift * shift;
    size(shift, discordance, variance, alpha, power)
}

/// Gives the size at which `shift` stands out, with these variances without and with the shift.
fn size(shift: f64, without: f64, with: f64, alpha: f64, power: f64) -> Option<u64> {
    if shift == 0.0 || !is_level(power) {
        return None;
    }
    let reach = two_sided_z(alpha)? * without.sqrt() + normal_quantile(power) * with.sqrt();
    let root = reach.max(0.0) / shift.abs();
    Some(whole((root * root).ceil()).max(1))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; a number beyond u64 becomes the largest one"
)]
fn whole(size: f64) -> u64 {
    size as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpaired_values() {
        // SciPy, before rounding up: 325.17, 380.13, 57.58.
        assert_eq!(trials_per_arm_unpaired(0.03, 0.08, 0.05, 0.8), Some(326));
        assert_eq!(trials_per_arm_unpaired(0.05, 0.01, 0.05, 0.9), Some(381));
        assert_eq!(trials_per_arm_unpaired(0.2, 0.5, 0.01, 0.8), Some(58));
    }

    #[test]
    fn paired_values() {
        // SciPy, before rounding up: 311.59, 205.96, 1456.99.
        assert_eq!(pairs_mcnemar(0.1, 0.05, 0.05, 0.8), Some(312));
        assert_eq!(pairs_mcnemar(0.2, -0.1, 0.05, 0.9), Some(206));
        assert_eq!(pairs_mcnemar(0.05, 0.02, 0.01, 0.8), Some(1_457));
    }

    #[test]
    fn a_sure_shift_needs_few_and_a_weak_aim_needs_one() {
        assert_eq!(trials_per_arm_unpaired(0.1, 0.2, 0.05, 0.001), Some(1));
        assert_eq!(pairs_mcnemar(1.0, 1.0, 0.05, 0.8), Some(4));
    }

    #[test]
    fn what_no_number_can_show_is_absent() {
        assert_eq!(trials_per_arm_unpaired(0.1, 0.1, 0.05, 0.8), None);
        assert_eq!(trials_per_arm_unpaired(f64::NAN, 0.1, 0.05, 0.8), None);
        assert_eq!(trials_per_arm_unpaired(0.1, 1.2, 0.05, 0.8), None);
        assert_eq!(trials_per_arm_unpaired(0.1, 0.2, 0.0, 0.8), None);
        assert_eq!(trials_per_arm_unpaired(0.1, 0.2, 0.05, 1.0), None);
        assert_eq!(pairs_mcnemar(0.05, 0.0, 0.05, 0.8), None);
        assert_eq!(pairs_mcnemar(0.05, 0.06, 0.05, 0.8), None);
        assert_eq!(pairs_mcnemar(0.05, f64::NAN, 0.05, 0.8), None);
    }
}
