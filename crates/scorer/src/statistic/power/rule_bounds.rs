use std::collections::BTreeMap;

use super::super::counts::float;
use super::super::gate_rule::{GateRule, RuleVerdict};
use super::super::interval::is_level;
use super::super::sign_flip::mcnemar;
use super::effective::EffectivePairs;
use super::reach::fewest_tasks_to_fail;

/// More discordant pairs than any comparison has.
const MANY: u64 = 1 << 40;

/// Finds the counts at which the rule's verdict turns, for a given number of pairs that count down. Serves one design
/// and all its rises.
///
/// More pairs that count up lower the p and raise the upper end, so each verdict has one bound. Where one more
/// pair counts down, a bound moves little, so it is looked for beside its neighbour's.
#[derive(Debug)]
pub(super) struct RuleBounds<'a> {
    rule: &'a GateRule,
    family: f64,
    fewest_tasks: Option<u64>,
    /// From how many pairs up a rise is shown, by pairs down. Depends on nothing else, so it serves all rises.
    shown_from: BTreeMap<u64, u64>,
    /// From how many pairs up the rule does not pass, by pairs down, where that is the same for all rises of a design.
    open_from: BTreeMap<u64, u64>,
}

impl<'a> RuleBounds<'a> {
    pub(super) fn of(rule: &'a GateRule, family: u64) -> Option<Self> {
        let is_sound = is_level(rule.family_error) && family > 0;
        is_sound.then(|| Self {
            rule,
            family: float(family),
            fewest_tasks: fewest_tasks_to_fail(rule, family),
            shown_from: BTreeMap::new(),
            open_from: BTreeMap::new(),
        })
    }

    /// Says whether so many tasks can fail at all, however many trials they have.
    pub(super) fn can_fail(&self, tasks: u64) -> bool {
        self.fewest_tasks.is_some_and(|fewest| tasks >= fewest)
    }

    /// Gives from how many pairs up a rise is shown.
    pub(super) fn shown_from(&mut self, only_baseline: u64) -> u64 {
        if let Some(&known) = self.shown_from.get(&only_baseline) {
            return known;
        }
        // A pair more on both sides only makes a rise less clear, so the neighbour's bound lies lower by 1 at least.
        let neighbour = only_baseline.checked_sub(1).and_then(|fewer| self.shown_from.get(&fewer));
        let start = neighbour.map_or(only_baseline, |bound| *bound) + 1;
        let bound = first_without(start, MANY, |only_candidate| {
            let difference = float(only_candidate) - float(only_baseline);
            let p = (mcnemar(only_baseline, only_candidate).mid_p * self.family).min(1.0);
            !self.rule.is_shown(difference, Some(p))
        });
        self.shown_from.insert(only_baseline, bound);
        bound
    }

    /// Gives from how many pairs up the rule does not pass; looks near `guess` first.
    pub(super) fn open_from(&mut self, pairs: &EffectivePairs, only_baseline: u64, guess: u64) -> u64 {
        if self.rule.tolerance.is_none() {
            return 0;
        }
        if let Some(&known) = self.open_from.get(&only_baseline) {
            return known;
        }
        let most = pairs.pairs.saturating_sub(only_baseline);
        let bound = first_without(guess.min(most), most, |only_candidate| {
            let difference = (float(only_candidate) - float(only_baseline)) / float(pairs.pairs);
            let interval = pairs.interval(only_baseline, only_candidate);
            self.rule.rise(difference, interval, None) == RuleVerdict::Pass
        });
        if pairs.is_alike_for_all_rises() {
            self.open_from.insert(only_baseline, bound);
        }
        bound
    }
}

/// Gives the first of 0 to `last` for which `holds` is false, and `last + 1` where there is none. Once false, it stays
/// so. Looks in steps that double, from `guess` on.
fn first_without(guess: u64, last: u64, holds: impl Fn(u64) -> bool) -> u64 {
    // `low` is before what is looked for, `high` is not; -1 is written as None.
    let (mut low, mut high);
    let mut step = 1;
    if holds(guess) {
        low = Some(guess);
        high = guess + 1;
        while high <= last && holds(high) {
            low = Some(high);
            step *= 2;
            high = (high + step).min(last + 1);
        }
    } else {
        high = guess;
        low = guess.checked_sub(1);
        while let Some(place) = low.filter(|&place| !holds(place)) {
            high = place;
            step *= 2;
            low = place.checked_sub(step).or_else(|| (place > 0).then_some(0));
        }
    }
    loop {
        let next = low.map_or(0, |place| place + 1);
        if next >= high {
            return high;
        }
        let middle = next + (high - next) / 2;
        if holds(middle) {
            low = Some(middle);
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_without_is_found_from_anywhere() {
        for last in [0, 1, 7, 40] {
            for bound in 0..=last + 1 {
                for guess in 0..=last {
                    assert_eq!(first_without(guess, last, |place| place < bound), bound, "{guess} {last}");
                }
            }
        }
    }

    #[test]
    fn shown_from_is_what_a_walk_finds() {
        for (family, family_error) in [(1, 0.05), (3, 0.05), (6, 0.01)] {
            let rule = GateRule { family_error, tolerance: None };
            let mut bounds = RuleBounds::of(&rule, family).unwrap();
            for only_baseline in 0..200 {
                let is_shown = |up: u64| {
                    up > only_baseline && mcnemar(only_baseline, up).mid_p * float(family) <= family_error
                };
                let walked = (0..).find(|&up| is_shown(up)).unwrap();
                assert_eq!(bounds.shown_from(only_baseline), walked);
            }
        }
    }
}
