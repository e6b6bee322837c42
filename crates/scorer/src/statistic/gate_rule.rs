use super::interval::Interval;

/// Two-sided error of the interval that a gate looks at: the 90 % one (DESIGN.md 6).
pub const GATE_ALPHA: f64 = 0.1;

/// The written rule by which a gate decides (DESIGN.md 6).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateRule {
    /// Two-sided error over the family of gated rates and cells; p-values are adjusted before they meet it.
    pub family_error: f64,
    /// The rise that is put up with, in shares of 1; none: any rise that is shown is too much.
    pub tolerance: Option<f64>,
}

/// What the rule says of one rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleVerdict {
    /// Harm is shown.
    Fail,
    /// Harm beyond the tolerance is ruled out.
    Pass,
    /// Neither.
    Inconclusive,
}

impl GateRule {
    /// Decides on a rise: `difference` is candidate less baseline, `interval_90` its 90 % interval,
    /// `adjusted_p` its two-sided p after Holm.
    ///
    /// A difference without an interval or a p-value is inconclusive.
    #[must_use]
    pub fn rise(
        &self,
        difference: f64,
        interval_90: Option<Interval>,
        adjusted_p: Option<f64>,
    ) -> RuleVerdict {
        let within = |tolerance: f64| interval_90.is_some_and(|interval| interval.high <= tolerance);
        let is_within = self.tolerance.is_some_and(within);
        let is_shown = self.is_shown(difference, adjusted_p);
        match (is_shown, is_within) {
            (_, true) => RuleVerdict::Pass,
            (true, false) => RuleVerdict::Fail,
            (false, false) => RuleVerdict::Inconclusive,
        }
    }

    /// Whether a rise is shown, tolerated or not.
    #[must_use]
    pub fn is_shown(&self, difference: f64, adjusted_p: Option<f64>) -> bool {
        difference > 0.0 && adjusted_p.is_some_and(|p| p <= self.family_error)
    }
}

/// Decides on a ceiling: the 90 % interval lies above it, at or below it, or holds it.
#[must_use]
pub fn ceiling(ceiling: f64, interval_90: Option<Interval>) -> RuleVerdict {
    match interval_90 {
        Some(interval) if interval.low > ceiling => RuleVerdict::Fail,
        Some(interval) if interval.high <= ceiling => RuleVerdict::Pass,
        _ => RuleVerdict::Inconclusive,
    }
}

/// Decides on a ceiling by the point alone.
#[must_use]
pub fn ceiling_on_point(ceiling: f64, rate: f64) -> RuleVerdict {
    if rate > ceiling { RuleVerdict::Fail } else { RuleVerdict::Pass }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(tolerance: Option<f64>) -> GateRule {
        GateRule { family_error: 0.05, tolerance }
    }

    fn ends(low: f64, high: f64) -> Option<Interval> {
        Some(Interval { low, high })
    }

    #[test]
    fn a_shown_rise_fails_and_a_fall_never_does() {
        assert_eq!(rule(None).rise(0.04, ends(0.01, 0.08), Some(0.03)), RuleVerdict::Fail);
        assert_eq!(rule(None).rise(0.04, ends(0.01, 0.08), Some(0.05)), RuleVerdict::Fail);
        assert_eq!(rule(None).rise(0.04, ends(-0.01, 0.08), Some(0.06)), RuleVerdict::Inconclusive);
        assert_eq!(rule(None).rise(-0.04, ends(-0.08, -0.01), Some(0.001)), RuleVerdict::Inconclusive);
    }

    #[test]
    fn a_tolerance_is_ruled_out_or_passed() {
        let rule = rule(Some(0.05));
        assert_eq!(rule.rise(0.01, ends(-0.02, 0.05), Some(0.6)), RuleVerdict::Pass);
        assert_eq!(rule.rise(0.02, ends(0.01, 0.04), Some(0.001)), RuleVerdict::Pass);
        assert!(rule.is_shown(0.02, Some(0.001)));
        assert_eq!(rule.rise(0.04, ends(0.01, 0.051), Some(0.02)), RuleVerdict::Fail);
        assert_eq!(rule.rise(0.01, ends(-0.03, 0.06), Some(0.6)), RuleVerdict::Inconclusive);
    }

    #[test]
    fn what_cannot_be_worked_out_is_neither() {
        assert_eq!(rule(Some(0.05)).rise(0.3, None, None), RuleVerdict::Inconclusive);
        assert_eq!(ceiling(0.1, None), RuleVerdict::Inconclusive);
    }

    #[test]
    fn ceilings() {
        assert_eq!(ceiling(0.08, ends(0.081, 0.2)), RuleVerdict::Fail);
        assert_eq!(ceiling(0.08, ends(0.01, 0.08)), RuleVerdict::Pass);
        assert_eq!(ceiling(0.08, ends(0.08, 0.2)), RuleVerdict::Inconclusive);
        assert_eq!(ceiling_on_point(0.08, 0.08), RuleVerdict::Pass);
        assert_eq!(ceiling_on_point(0.08, 0.081), RuleVerdict::Fail);
    }
}
