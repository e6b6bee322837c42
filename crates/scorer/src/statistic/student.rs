use std::cmp::Ordering;

use super::beta::{beta_factor, incomplete_beta_with_complement};
use super::counts::float;
use super::normal::normal_quantile;

/// Gives the `p`-quantile of Student's t distribution (Student, 1908).
///
/// To double precision where `p` is below one half; above it, `1 - p` is all that is known of
/// the tail, so `-student_t_quantile(1 - p, ..)` with a small `1 - p` is the more precise form.
/// Without a degree of freedom the quantile is infinite (0 at the median): one task says
/// nothing about the spread between tasks. NaN for what is no probability.
#[must_use]
pub fn student_t_quantile(p: f64, degrees_of_freedom: u64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let freedom = float(degrees_of_freedom);
    match p.total_cmp(&0.5) {
        Ordering::Less => -upper_quantile(p, freedom),
        Ordering::Equal => 0.0,
        Ordering::Greater => upper_quantile(1.0 - p, freedom),
    }
}

/// Gives the t > 0 with probability `tail` < 1/2 above it.
fn upper_quantile(tail: f64, freedom: f64) -> f64 {
    if tail == 0.0 || freedom == 0.0 {
        return f64::INFINITY;
    }
    // Newton's method on ln P(T > t) as a function of ln t, which is nearly straight in the tail.
    let mut t = -normal_quantile(tail);
    for _ in 0..100 {
        let Tail { above, slope } = upper_tail(t, freedom);
        let next = t * ((above / tail).ln() * above / slope).exp();
        if !next.is_finite() || next == 0.0 {
            return t;
        }
        let done = (next - t).abs() <= f64::EPSILON * t;
        t = next;
        if done {
            break;
        }
    }
    t
}

struct Tail {
    /// P(T > t).
    above: f64,
    /// t times the density at t, the slope against ln t.
    slope: f64,
}

fn upper_tail(t: f64, freedom: f64) -> Tail {
    let square = t * t;
    let x = freedom / (freedom + square);
    let y = if square.is_finite() { square / (freedom + square) } else { 1.0 };
    let a = freedom / 2.0;
    Tail { above: incomplete_beta_with_complement(a, 0.5, x, y) / 2.0, slope: beta_factor(a, 0.5, x, y) }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "edges are met exactly")]
mod tests {
    use super::super::counts::relative_error;
    use super::*;

    // Values from mpmath at 40 digits.
    #[test]
    fn quantile_is_precise() {
        for (tail, freedom, wanted) in [
            (0.025, 1, 12.706_204_736_174_705),
            (0.025, 2, 4.302_652_729_749_464),
            (0.025, 3, 3.182_446_305_283_709_5),
            (0.05, 5, 2.015_048_373_333_024_2),
            (0.025, 19, 2.093_024_054_408_309_6),
            (0.025, 28, 2.048_407_141_795_245),
            (0.005, 28, 2.763_262_455_461_444_7),
            (0.0001, 7, 7.063_432_828_157_514),
            (0.4, 4, 0.270_722_294_707_597_4),
            (0.025, 1_000_000, 1.959_966_356_814_107),
            (1e-9, 3, 1_033.109_674_503_807_8),
        ] {
            let got = -student_t_quantile(tail, freedom);
            assert!(relative_error(got, wanted) < 1e-13, "{tail} {freedom}: {got} {wanted}");
        }
    }

    #[test]
    fn one_degree_of_freedom_is_cauchy_however_far_out() {
        for tail in [0.499, 0.3, 0.01, 1e-6, 1e-20, 1e-100, 1e-150] {
            let wanted = 1.0 / (std::f64::consts::PI * tail).tan();
            let got = -student_t_quantile(tail, 1);
            assert!(relative_error(got, wanted) < 1e-12, "{tail}: {got} {wanted}");
        }
    }

    #[test]
    fn two_degrees_of_freedom_have_a_closed_form() {
        for tail in [0.45_f64, 0.2, 0.001, 1e-12] {
            let wanted = (1.0 - 2.0 * tail) / (2.0 * tail * (1.0 - tail)).sqrt();
            let got = -student_t_quantile(tail, 2);
            assert!(relative_error(got, wanted) < 1e-12, "{tail}: {got} {wanted}");
        }
    }

    #[test]
    fn many_degrees_of_freedom_are_normal() {
        for tail in [0.3, 0.025, 1e-10, 1e-40] {
            let got = student_t_quantile(tail, u64::MAX);
            let wanted = normal_quantile(tail);
            assert!(relative_error(got, wanted) < 1e-9, "{tail}: {got} {wanted}");
        }
    }

    #[test]
    fn edges() {
        assert_eq!(student_t_quantile(0.5, 0), 0.0);
        assert_eq!(student_t_quantile(0.975, 0), f64::INFINITY);
        assert_eq!(student_t_quantile(0.025, 0), f64::NEG_INFINITY);
        assert_eq!(student_t_quantile(1.0, 5), f64::INFINITY);
        assert!(student_t_quantile(f64::NAN, 5).is_nan());
        assert!(student_t_quantile(1.5, 5).is_nan());
        for freedom in [1, 2, 29, 1_000] {
            for tail in [f64::from_bits(1), 1e-310, 1e-200, 0.5 - 1e-16] {
                assert!(!student_t_quantile(tail, freedom).is_nan(), "{tail} {freedom}");
            }
        }
    }
}
