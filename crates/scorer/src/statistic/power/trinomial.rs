use super::super::beta::{binomial_pmf, incomplete_beta_with_complement};
use super::super::counts::float;
use super::Chances;
use super::effective::EffectivePairs;
use super::rule_bounds::RuleBounds;

/// How many standard deviations, and then how many pairs, are gone through on either side of the mean: beyond them
/// lies less than 1e-12.
const REACH_DEVIATIONS: f64 = 7.5;
const REACH_PAIRS: f64 = 20.0;
/// From this many steps on, a tail is worked out afresh rather than step by step.
const FAR: u64 = 40;

/// Adds the chances of the verdicts up, over the pairs that count down and then over those that count up.
pub(super) fn chances(pairs: &EffectivePairs, bounds: &mut RuleBounds<'_>) -> Chances {
    let rest = 1.0 - pairs.only_baseline;
    let share = if rest > 0.0 { (pairs.only_candidate / rest).min(1.0) } else { 0.0 };
    let (first, last) = reach(pairs.pairs, pairs.only_baseline);
    let (mut pass, mut fail, mut open_from) = (0.0, 0.0, 0);
    let mut passing = Below::new(pairs.pairs - first, 0, share);
    let mut unshown = Below::new(pairs.pairs - first, 0, share);
    let can_fail = bounds.can_fail(pairs.tasks);
    for only_baseline in first..=last {
        let weight = binomial_pmf(only_baseline, pairs.pairs, pairs.only_baseline);
        open_from = bounds.open_from(pairs, only_baseline, open_from);
        pass += weight * passing.at(pairs.pairs - only_baseline, open_from);
        if can_fail {
            let fails_from = bounds.shown_from(only_baseline).max(open_from);
            fail += weight * (1.0 - unshown.at(pairs.pairs - only_baseline, fails_from));
        }
    }
    let (fail, pass) = (fail.clamp(0.0, 1.0), pass.clamp(0.0, 1.0));
    Chances { fail, pass, inconclusive: (1.0 - fail - pass).max(0.0) }
}

/// Gives the first and the last count that is likely enough to be gone through.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and at most the number of pairs"
)]
fn reach(pairs: u64, share: f64) -> (u64, u64) {
    let mean = float(pairs) * share;
    let spread = REACH_DEVIATIONS * (mean * (1.0 - share)).sqrt() + REACH_PAIRS;
    ((mean - spread).max(0.0) as u64, pairs.min((mean + spread) as u64))
}

/// Holds P(X < `bound`) for X binomial over `trials`, and takes it along where both move little.
#[derive(Debug)]
struct Below {
    trials: u64,
    bound: u64,
    share: f64,
    chance: f64,
}

impl Below {
    fn new(trials: u64, bound: u64, share: f64) -> Self {
        Self { trials, bound, share, chance: below(trials, bound, share) }
    }

    /// Gives P(X < `bound`) over `trials`, which are at most those of the call before.
    fn at(&mut self, trials: u64, bound: u64) -> f64 {
        if self.trials - trials > FAR || self.bound.abs_diff(bound) > FAR {
            *self = Self::new(trials, bound, self.share);
            return self.chance;
        }
        while self.trials > trials {
            self.trials -= 1;
            if let Some(last) = self.bound.checked_sub(1) {
                self.chance += self.share * binomial_pmf(last, self.trials, self.share);
            }
        }
        while self.bound < bound {
            self.chance += binomial_pmf(self.bound, self.trials, self.share);
            self.bound += 1;
        }
        while self.bound > bound {
            self.bound -= 1;
            self.chance -= binomial_pmf(self.bound, self.trials, self.share);
        }
        self.chance = self.chance.clamp(0.0, 1.0);
        self.chance
    }
}

fn below(trials: u64, bound: u64, share: f64) -> f64 {
    if bound == 0 {
        return 0.0;
    }
    if bound > trials {
        return 1.0;
    }
    incomplete_beta_with_complement(float(trials - bound + 1), float(bound), 1.0 - share, share)
}
