use probes::RateName;
use transcript::TrialStatus;

use super::few::Few;
use super::repeat_set::RepeatSet;
use crate::rate::{PerArgument, PerCall};
use crate::verdict::{AfterUnknown, Behaviour, DecoyOutcome, Judgement, Surface, Unscored, Verdict};

/// What the trials of one probe gave. By trial everything is kept in a bit a repeat, so that arms pair by
/// repeat and a trial handed in twice counts once.
#[derive(Debug, Clone, Default)]
pub(super) struct ProbeTally {
    /// Repeats that ended, whatever became of them.
    pub(super) seen: RepeatSet,
    pub(super) statuses: Few<TrialStatus, RepeatSet>,
    /// Of scored trials.
    pub(super) behaviours: Few<Behaviour, RepeatSet>,
    /// Of scored trials that have one.
    pub(super) outcomes: Few<DecoyOutcome, RepeatSet>,
    /// Of scored trials that have one.
    pub(super) after_unknown: Few<AfterUnknown, RepeatSet>,
    /// By rate that was judged or should have been, entered or not.
    pub(super) rates: Few<RateName, RateTally>,
}

/// What the scored trials of one probe gave for one rate.
#[derive(Debug, Clone, Default)]
pub(super) struct RateTally {
    pub(super) scored: RepeatSet,
    pub(super) events: RepeatSet,
    /// Repeats whose first turn has the event.
    pub(super) first_turns: RepeatSet,
    /// Repeats that were judged and gave no occasion for the event.
    pub(super) without_occasion: RepeatSet,
    pub(super) unscored: Few<Unscored, RepeatSet>,
    pub(super) calls: PerCall,
    pub(super) arguments: PerArgument,
}

impl ProbeTally {
    /// Adds a trial that was not seen before; `entered` are the rates that it has to be judged for.
    pub(super) fn add(&mut self, repeat: u32, verdict: &Verdict, entered: &[RateName]) {
        self.statuses.of(verdict.status).insert(repeat);
        if verdict.status != TrialStatus::Scored {
            return;
        }
        self.behaviours.of(verdict.behaviour).insert(repeat);
        if let Some(outcome) = &verdict.decoy_outcome {
            self.outcomes.of(outcome.label).insert(repeat);
        }
        if let Some(after) = verdict.after_unknown {
            self.after_unknown.of(after).insert(repeat);
        }
        for (&name, judgement) in &verdict.checks {
            self.rates.of(name).add(name, repeat, judgement);
        }
        for name in entered {
            // What nobody judged is left out with a reason, never counted as free of the event.
            if !verdict.checks.contains_key(name) {
                self.rates.of(*name).leave_out(repeat, Unscored::NotJudged);
            }
        }
        if !verdict.checks.contains_key(&RateName::UnknownTool) && !entered.contains(&RateName::UnknownTool) {
            self.rates.of(RateName::UnknownTool).add_unknown_calls(repeat, verdict);
        }
    }

    /// Adds what another tally has of the same probe, but for the repeats that both have; gives their number.
    pub(super) fn merge(&mut self, mut other: Self) -> u32 {
        let shared = self.seen.intersection(&other.seen);
        add_sets(&mut self.statuses, other.statuses, &shared);
        add_sets(&mut self.behaviours, other.behaviours, &shared);
        add_sets(&mut self.outcomes, other.outcomes, &shared);
        add_sets(&mut self.after_unknown, other.after_unknown, &shared);
        for (name, rate) in other.rates.into_iter() {
            self.rates.of(name).merge(rate, &shared);
        }
        other.seen.remove(&shared);
        self.seen.extend(&other.seen);
        shared.len()
    }
}

impl RateTally {
    fn add(&mut self, name: RateName, repeat: u32, judgement: &Judgement) {
        let (opportunities, events, first_turn) = match judgement {
            Judgement::Unscored(reason) => return self.leave_out(repeat, *reason),
            Judgement::Judged { opportunities, events, first_turn, .. } => {
                (opportunities, events, first_turn)
            }
        };
        // A trial without a call stays in a headline rate: intention to treat (DESIGN.md 3.2).
        if opportunities.trials == 0 && !RateName::HEADLINE.contains(&name) {
            self.without_occasion.insert(repeat);
            return;
        }
        self.scored.insert(repeat);
        if events.trials > 0 {
            self.events.insert(repeat);
        }
        if first_turn.event {
            self.first_turns.insert(repeat);
        }
        self.calls.events += u64::from(events.calls);
        self.calls.calls += u64::from(opportunities.calls);
        self.arguments.events += u64::from(events.arguments);
        self.arguments.arguments += u64::from(opportunities.arguments);
    }

    /// Counts unknown calls of a probe that does not enter the rate: arms are compared by them.
    fn add_unknown_calls(&mut self, repeat: u32, verdict: &Verdict) {
        let unreadable = verdict.turns.iter().any(|turn| !turn.in_unknown_denominator);
        let mut calls = verdict.turns.iter().flat_map(|turn| &turn.calls);
        if unreadable && !calls.any(|call| call.surface == Surface::Structured) {
            return self.leave_out(repeat, Unscored::UnreadableName);
        }
        self.scored.insert(repeat);
        for (at, turn) in verdict.turns.iter().enumerate().filter(|(_, turn)| turn.countable) {
            self.calls.events += u64::from(turn.counts.unknown_tool);
            self.calls.calls += u64::from(turn.counts.calls);
            if turn.counts.unknown_tool > 0 {
                self.events.insert(repeat);
                if at == 0 {
                    self.first_turns.insert(repeat);
                }
            }
        }
    }

    fn leave_out(&mut self, repeat: u32, reason: Unscored) {
        self.unscored.of(reason).insert(repeat);
    }

    fn merge(&mut self, mut other: Self, shared: &RepeatSet) {
        let pairs = [
            (&mut self.scored, &mut other.scored),
            (&mut self.events, &mut other.events),
            (&mut self.first_turns, &mut other.first_turns),
            (&mut self.without_occasion, &mut other.without_occasion),
        ];
        for (mine, theirs) in pairs {
            theirs.remove(shared);
            mine.extend(theirs);
        }
        add_sets(&mut self.unscored, other.unscored, shared);
        self.calls.events += other.calls.events;
        self.calls.calls += other.calls.calls;
        self.arguments.events += other.arguments.events;
        self.arguments.arguments += other.arguments.arguments;
    }
}

fn add_sets<K: Ord + Copy>(mine: &mut Few<K, RepeatSet>, theirs: Few<K, RepeatSet>, shared: &RepeatSet) {
    for (key, mut repeats) in theirs.into_iter() {
        repeats.remove(shared);
        if repeats.len() > 0 {
            mine.of(key).extend(&repeats);
        }
    }
}
