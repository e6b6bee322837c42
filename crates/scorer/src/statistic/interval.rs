use super::normal::normal_quantile;

/// Holds the two ends of an interval, in the unit of what it is an interval of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end, never below `low`.
    pub high: f64,
}

impl Interval {
    /// Says whether `value` lies between the ends, both included.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Says whether `alpha` is a level that an interval or a test can have.
pub(super) fn is_level(alpha: f64) -> bool {
    alpha > 0.0 && alpha < 1.0
}

/// Gives the positive normal quantile with `alpha / 2` above it; `None` without a valid level.
pub(super) fn two_sided_z(alpha: f64) -> Option<f64> {
    is_level(alpha).then(|| -normal_quantile(alpha / 2.0))
}

/// Gives the place between `low` and `high` where `is_before` turns from true to false, to the
/// last bit.
pub(super) fn bisect(low: f64, high: f64, is_before: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (low, high);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high || middle.is_nan() {
            return middle;
        }
        if is_before(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contains_its_ends_and_not_nan() {
        let interval = Interval { low: 0.1, high: 0.2 };
        assert!(interval.contains(0.1) && interval.contains(0.2));
        assert!(!interval.contains(0.21) && !interval.contains(f64::NAN));
    }

    #[test]
    fn bisection_finds_the_square_root_of_2() {
        let root = bisect(0.0, 2.0, |x| x * x < 2.0);
        assert!((root - std::f64::consts::SQRT_2).abs() <= f64::EPSILON);
        assert!(bisect(f64::NAN, 1.0, |_| true).is_nan());
    }

    #[test]
    fn a_level_lies_strictly_between_0_and_1() {
        for alpha in [0.0, 1.0, -0.05, f64::NAN, f64::INFINITY] {
            assert_eq!(two_sided_z(alpha), None);
        }
        assert!(two_sided_z(0.05).is_some());
    }
}
