use super::counts::float;

/// Half the logarithm of 2 pi.
const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_7;
/// Enough levels of the continued fraction for parameters up to about 1e9; it needs some
/// square root of the larger one.
const MOST_LEVELS: u32 = 200_000;
/// Stands in for a zero denominator in Lentz's method.
const TINY: f64 = 1e-300;

/// Gives the natural logarithm of the gamma function at `x > 0`; NaN for other `x`.
///
/// Stirling's series (Abramowitz and Stegun 6.1.41), after moving `x` up to 16.
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    if x.is_infinite() {
        return f64::INFINITY;
    }
    (x - 0.5) * x.ln() - x + HALF_LN_TWO_PI + stirling_error(x)
}

/// Gives the regularised incomplete beta function `I_x(a, b)`, for `a`, `b` > 0 and `x` in [0, 1].
///
/// The even part of the continued fraction of DLMF 8.17.22, by Lentz's method (Thompson and
/// Barnett, 1986). NaN for parameters that are not positive and finite, and for an `x` outside
/// its range.
#[must_use]
pub fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    incomplete_beta_with_complement(a, b, x, 1.0 - x)
}

/// Gives `I_x(a, b)` where the caller knows `y = 1 - x` better than the subtraction would.
pub(super) fn incomplete_beta_with_complement(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let positive = |value: f64| value > 0.0 && value.is_finite();
    if !positive(a) || !positive(b) || !(0.0..=1.0).contains(&x) {
        return f64::NAN;
    }
    if x == 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let factor = beta_factor(a, b, x, y);
    if x <= (a + 1.0) / (a + b + 2.0) {
        return factor / beta_fraction(a, b, x, y);
    }
    1.0 - factor / beta_fraction(b, a, y, x)
}

/// Gives the probability of exactly `k` events in `n` independent trials at rate `p`.
///
/// By the saddle point of Loader (2000, "Fast and accurate computation of binomial
/// probabilities"), precise for large `n`. 0 for `k > n`; NaN for a `p` that is no probability.
#[must_use]
pub fn binomial_pmf(k: u64, n: u64, p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if k > n {
        return 0.0;
    }
    let (events, rest) = (float(k), float(n - k));
    if k == 0 || p == 0.0 {
        return if k == 0 { (rest * (-p).ln_1p()).exp() } else { 0.0 };
    }
    if k == n || p >= 1.0 {
        return if k == n { (events * p.ln()).exp() } else { 0.0 };
    }
    beta_factor(events, rest, p, 1.0 - p) * float(n) / (events * rest)
}

/// Gives `x^a y^b / B(a, b)`, with `y = 1 - x`, without taking large logarithms apart.
pub(super) fn beta_factor(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let sum = a + b;
    // How far `x * sum` is above `a`, and `y * sum` below `b`. Both logarithms take it from
    // here, so that its rounding, which can be many times theirs, cancels.
    let excess = x * b - y * a;
    let powers = log_ratio(a, x * sum, excess) + log_ratio(b, y * sum, -excess);
    let errors = stirling_error(sum) - stirling_error(a) - stirling_error(b);
    (powers + 0.5 * (a * (b / sum)).ln() - HALF_LN_TWO_PI + errors).exp()
}

/// Gives `observed * ln(expected / observed)`, with `excess = expected - observed`.
fn log_ratio(observed: f64, expected: f64, excess: f64) -> f64 {
    let share = excess / observed;
    if share.abs() < 0.5 {
        return observed * share.ln_1p();
    }
    observed * (expected / observed).ln()
}

/// Gives what Stirling's formula leaves out: ln gamma(x) - ((x - 1/2) ln x - x + ln(2 pi) / 2).
fn stirling_error(x: f64) -> f64 {
    let mut sum = 0.0;
    let mut x = x;
    while x < 16.0 {
        sum += (x + 0.5) * (1.0 / x).ln_1p() - 1.0;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = 1.0 / 1188.0 - square * (691.0 / 360_360.0);
    let series = 1.0 / 1260.0 - square * (1.0 / 1680.0 - square * series);
    let series = 1.0 / 12.0 - square * (1.0 / 360.0 - square * series);
    sum + series / x
}

/// Gives `beta_factor` over `I_x(a, b)`, for `x` below about the mean of the distribution.
fn beta_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let shortfall = a * y - b * x;
    let mut fraction = away_from_zero(a * (shortfall + 1.0) / (a + 1.0));
    let mut upper = fraction;
    let mut lower = 0.0;
    for level in (1..=MOST_LEVELS).map(f64::from) {
        let odd = a + 2.0 * level - 1.0;
        let common = level * (b - level) * x / odd;
        let rest = (a + level) * (shortfall + 1.0 + level * (1.0 + y)) / (odd + 2.0);
        let numerator = common * x * (a + level - 1.0) * ((a + b + level - 1.0) / odd);
        let denominator = level + common + rest;
        lower = 1.0 / away_from_zero(denominator + numerator * lower);
        upper = away_from_zero(denominator + numerator / upper);
        let change = upper * lower;
        fraction *= change;
        if (change - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    fraction
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "edges are met exactly")]
mod tests {
    use super::super::counts::relative_error;
    use super::*;

    // Values from mpmath at 40 digits.
    #[test]
    fn ln_gamma_is_precise() {
        for (x, wanted) in [
            (1e-5, 11.512_919_692_895_826),
            (0.5, 0.572_364_942_924_700_1),
            (1.0, 0.0),
            (1.5, -0.120_782_237_635_245_22),
            (2.0, 0.0),
            (2.5, 0.284_682_870_472_919_2),
            (3.0, std::f64::consts::LN_2),
            (10.0, 12.801_827_480_081_469),
            (15.5, 26.536_914_491_115_613),
            (100.0, 359.134_205_369_575_4),
            (12_345.678, 103_959.919_905_546_06),
            (1e7, 151_180_949.369_473_9),
        ] {
            let got = ln_gamma(x);
            let error = (got - wanted).abs();
            assert!(error < 3e-15 * wanted.abs().max(1.0), "{x}: {got} {wanted}");
        }
        for x in [0.0, -1.5, f64::NAN] {
            assert!(ln_gamma(x).is_nan());
        }
    }

    #[test]
    fn incomplete_beta_is_precise() {
        for (a, b, x, wanted) in [
            (2.0, 3.0, 0.4, 0.5248),
            (0.5, 0.5, 0.1, 0.204_832_764_699_133_45),
            (16.0, 21_767.0, 0.0005, 0.086_851_017_336_616_3),
            (500_000.0, 500_001.0, 0.4995, 0.158_897_224_534_982_98),
            (14.5, 0.5, 0.9, 0.083_074_665_514_429_13),
            (1.0, 10.0, 0.9, 0.999_999_999_9),
            (300.0, 20.0, 0.99, 0.999_999_999_846_056_6),
            (0.1, 5.0, 1e-6, 0.307_288_374_999_505),
        ] {
            let got = incomplete_beta(a, b, x);
            assert!(relative_error(got, wanted) < 1e-11, "{a} {b} {x}: {got} {wanted}");
        }
    }

    #[test]
    fn incomplete_beta_of_its_edges() {
        assert_eq!(incomplete_beta(2.0, 3.0, 0.0), 0.0);
        assert_eq!(incomplete_beta(2.0, 3.0, 1.0), 1.0);
        for (a, b, x) in [
            (0.0, 1.0, 0.5),
            (1.0, -1.0, 0.5),
            (1.0, 1.0, 1.5),
            (1.0, 1.0, f64::NAN),
            (f64::INFINITY, 1.0, 0.5),
        ] {
            assert!(incomplete_beta(a, b, x).is_nan());
        }
    }

    #[test]
    fn binomial_probabilities_are_precise_and_sum_to_1() {
        for (k, n, p, wanted) in [
            (0, 20, 0.1, 0.121_576_654_590_569_27),
            (20, 20, 0.1, 1e-20),
            (3, 20, 0.1, 0.190_119_871_376_198_9),
            (500_000, 1_000_000, 0.5, 0.000_797_884_361_331_750_1),
            (16, 21_782, 0.001, 0.042_556_709_146_943_573),
        ] {
            let got = binomial_pmf(k, n, p);
            assert!(relative_error(got, wanted) < 1e-12, "{k} {n} {p}: {got} {wanted}");
        }
        let sum: f64 = (0..=300).map(|k| binomial_pmf(k, 300, 0.37)).sum();
        assert!((sum - 1.0).abs() < 1e-13);
        assert_eq!(binomial_pmf(0, 9, 0.0), 1.0);
        assert_eq!(binomial_pmf(9, 9, 1.0), 1.0);
        assert_eq!(binomial_pmf(1, 9, 0.0), 0.0);
        assert_eq!(binomial_pmf(8, 9, 1.0), 0.0);
        assert_eq!(binomial_pmf(10, 9, 0.5), 0.0);
        assert_eq!(binomial_pmf(0, 0, 0.5), 1.0);
        assert!(binomial_pmf(1, 9, f64::NAN).is_nan());
    }
}
