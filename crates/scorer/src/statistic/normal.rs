use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// From here outwards the tail is taken from its continued fraction, not from the series.
const TAIL: f64 = 1.5;
/// Beyond this the density is smaller than any float.
const FAR: f64 = 40.0;

/// Gives the probability that a standard normal variable is at most `x`.
///
/// To double precision, relative in the lower tail: the series of Marsaglia (2004, "Evaluating
/// the normal distribution") in the middle, Laplace's continued fraction outside. NaN stays NaN.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    if x < -TAIL {
        return upper_tail(-x);
    }
    if x > TAIL {
        return 1.0 - upper_tail(x);
    }
    0.5 + density(x) * central_series(x)
}

/// Gives the `x` with `normal_cdf(x) == p`.
///
/// Starts from Abramowitz and Stegun 26.2.23 (1964) and sharpens it with Halley's method to
/// double precision. Minus and plus infinity at 0 and 1, NaN for what is no probability. In the
/// upper tail, `-normal_quantile(1 - p)` with a small `1 - p` is the more precise form.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p > 0.5 {
        return -lower_quantile(1.0 - p);
    }
    lower_quantile(p)
}

/// Gives the quantile of `p <= 0.5`.
fn lower_quantile(p: f64) -> f64 {
    if p == 0.0 {
        return f64::NEG_INFINITY;
    }
    let t = (-2.0 * p.ln()).sqrt();
    let numerator = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let denominator = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut x = numerator / denominator - t;
    // The error falls from 4.5e-4 to below 1e-10 to nothing; each step cubes it.
    for _ in 0..3 {
        let slope = density(x);
        if slope == 0.0 {
            break;
        }
        let step = (normal_cdf(x) - p) / slope;
        x -= step / (1.0 + 0.5 * x * step);
    }
    x
}

/// Gives the height of the standard normal curve at `x`.
fn density(x: f64) -> f64 {
    if x.abs() > FAR {
        return 0.0;
    }
    // x^2 is split into an exact part and a small one, so that rounding it does not spoil the tail.
    let coarse = (x * 16.0).trunc() / 16.0;
    let rest = (x - coarse) * (x + coarse);
    let height = 0.5 * FRAC_1_SQRT_2 * FRAC_2_SQRT_PI;
    (-0.5 * coarse * coarse).exp() * (-0.5 * rest).exp() * height
}

/// Gives `(cdf(x) - 1/2) / density(x)`.
fn central_series(x: f64) -> f64 {
    let square = x * x;
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    loop {
        odd += 2.0;
        term *= square / odd;
        sum += term;
        if term.abs() <= sum.abs() * 1e-17 {
            return sum;
        }
    }
}

/// Gives the probability above `x >= TAIL`.
fn upper_tail(x: f64) -> f64 {
    // 200 levels are more than x = 1.5 needs, and the need falls as x grows.
    let mut fraction = x;
    for level in (1..=200_u32).rev() {
        fraction = x + f64::from(level) / fraction;
    }
    density(x) / fraction
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "edges are met exactly")]
mod tests {
    use super::super::counts::relative_error;
    use super::*;

    // Values from mpmath at 40 digits.
    #[test]
    fn cdf_is_precise_into_the_tail() {
        for (x, wanted) in [
            (-10.0, 7.619_853_024_160_526e-24),
            (-5.5, 1.898_956_246_588_771_8e-8),
            (-2.01, 0.022_215_594_429_431_475),
            (-1.99, 0.023_295_467_750_211_823),
            (-0.3, 0.382_088_577_811_047_4),
            (0.0, 0.5),
            (0.7, 0.758_036_347_776_927),
            (1.5, 0.933_192_798_731_141_9),
            (2.5, 0.993_790_334_674_223_8),
            (6.0, 0.999_999_999_013_412_3),
        ] {
            let got = normal_cdf(x);
            assert!(relative_error(got, wanted) < 3e-15, "{x}: {got} {wanted}");
        }
    }

    #[test]
    fn quantile_is_precise_into_the_tail() {
        for (p, wanted) in [
            (1e-300, -37.047_096_299_361_2),
            (1e-20, -9.262_340_089_798_407),
            (1e-8, -5.612_001_244_174_789),
            (0.0005, -3.290_526_731_491_895),
            (0.005, -2.575_829_303_548_901),
            (0.025, -1.959_963_984_540_054_3),
            (0.05, -1.644_853_626_951_472_6),
            (0.3, -0.524_400_512_708_040_8),
            (0.8, 0.841_621_233_572_914_2),
        ] {
            let got = normal_quantile(p);
            assert!(relative_error(got, wanted) < 1e-15, "{p}: {got} {wanted}");
        }
        assert!((normal_quantile(0.499) + 0.002_506_630_899_571_764).abs() < 1e-15);
        assert!(normal_quantile(0.5).abs() < 1e-15);
    }

    #[test]
    fn edges_are_infinite_and_nonsense_is_nan() {
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        for p in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(normal_quantile(p).is_nan());
        }
        assert!(normal_quantile(f64::from_bits(1)).is_finite());
        assert_eq!(normal_cdf(f64::NEG_INFINITY), 0.0);
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
        assert!(normal_cdf(f64::NAN).is_nan());
    }
}
