//! Paired deltas: what a treatment arm changed against the base arm of the same task, kind and variant.

use indexmap::IndexMap;
use probes::RateName;

use super::few::Few;
use super::plan::{Plan, PlannedProbe};
use super::probe_tally::{ProbeTally, RateTally};
use super::repeat_set::RepeatSet;
use crate::metric::{EnteredBy, METRICS, Metric};
use crate::paired_rate::PairedSums;
use crate::scorecard::{ArmDelta, ArmOutcomes};
use crate::statistic::{Counts, benjamini_hochberg};
use crate::verdict::DecoyOutcome;

/// A base-arm probe and its treatment.
struct Pair<'a> {
    task: &'a str,
    base: (&'a PlannedProbe, &'a ProbeTally),
    treatment: (&'a PlannedProbe, &'a ProbeTally),
}

/// Every delta: what all kinds together came to first, then by kind and arm in the order of the suite, then by
/// metric.
pub(super) fn deltas(plan: &Plan, tallies: &[ProbeTally]) -> Vec<ArmDelta> {
    let groups = groups(plan, tallies);
    let mut deltas = pooled(plan, &groups);
    for ((kind, arm), pairs) in &groups {
        for metric in METRICS.iter().filter(|metric| is_compared(metric, pairs, plan, arm)) {
            let sums = Sums::over(metric.name, pairs);
            // What every trial enters is worth a line only where it happened.
            let quiet = metric.entered_by == EnteredBy::EveryTrial && sums.is_without_event();
            if !quiet {
                deltas.push(sums.finish(kind, arm, metric.name));
            }
        }
    }
    deltas
}

/// The deltas of arms that several kinds are under, over all of those kinds: of each rate over the pairs whose base
/// arm enters it.
fn pooled(plan: &Plan, groups: &Groups<'_>) -> Vec<ArmDelta> {
    let mut by_arm: IndexMap<&str, Vec<&Vec<Pair<'_>>>> = IndexMap::new();
    for ((_, arm), pairs) in groups {
        by_arm.entry(arm).or_default().push(pairs);
    }
    let mut deltas = Vec::new();
    for (arm, groups) in by_arm.iter().filter(|(_, groups)| groups.len() > 1) {
        for metric in METRICS {
            let of_rate = |pair: &&Pair<'_>| {
                metric.entered_by == EnteredBy::EveryTrial || pair.base.0.enters(metric.name)
            };
            let hidden = metric.name == RateName::UnknownTool && plan.hides_names_under(arm);
            let pairs: Vec<&Pair<'_>> =
                groups.iter().copied().flatten().filter(|pair| !hidden && of_rate(pair)).collect();
            let sums = Sums::over(metric.name, pairs);
            if sums.has_event || RateName::HEADLINE.contains(&metric.name) {
                deltas.extend(
                    Some(sums.finish(ArmDelta::ALL_KINDS, arm, metric.name)).filter(|it| it.pairs > 0),
                );
            }
        }
    }
    let tested: Vec<usize> = (0..deltas.len()).filter(|&at| deltas[at].p.is_some()).collect();
    let p_values: Vec<f64> = tested.iter().filter_map(|&at| deltas[at].p.map(|(_, mid)| mid)).collect();
    for (at, q) in tested.into_iter().zip(benjamini_hochberg(&p_values).unwrap_or_default()) {
        deltas[at].q = Some(q);
    }
    deltas
}

/// The outcomes of both arms over the trials that pair, where both have one.
pub(super) fn outcomes(plan: &Plan, tallies: &[ProbeTally]) -> Vec<ArmOutcomes> {
    let mut all = Vec::new();
    for ((kind, arm), pairs) in groups(plan, tallies) {
        let mut sums = ArmOutcomes {
            kind: kind.to_owned(),
            arm: arm.to_owned(),
            pairs: 0,
            base: IndexMap::new(),
            treatment: IndexMap::new(),
        };
        for pair in &pairs {
            let (base, treatment) = (&pair.base.1.outcomes, &pair.treatment.1.outcomes);
            let both = union(base).intersection(&union(treatment));
            sums.pairs += u64::from(both.len());
            for outcome in DecoyOutcome::SHOWN {
                for (counts, found) in [(&mut sums.base, base), (&mut sums.treatment, treatment)] {
                    let trials = found.get(outcome).map_or(0, |repeats| repeats.intersection(&both).len());
                    *counts.entry(outcome).or_default() += u64::from(trials);
                }
            }
        }
        if sums.pairs > 0 {
            all.push(sums);
        }
    }
    all
}

fn union(sets: &Few<DecoyOutcome, RepeatSet>) -> RepeatSet {
    let mut all = RepeatSet::default();
    for (_, set) in sets.iter() {
        all.extend(set);
    }
    all
}

type Groups<'a> = IndexMap<(&'a str, &'a str), Vec<Pair<'a>>>;

/// The pairs by kind and arm.
fn groups<'a>(plan: &'a Plan, tallies: &'a [ProbeTally]) -> Groups<'a> {
    let mut groups = Groups::new();
    let at = |place: usize| (&plan.probes[place], &tallies[place]);
    for (place, probe) in plan.probes.iter().enumerate() {
        let (Some(base), Some(arm)) = (plan.base_arm[place], &probe.arm) else { continue };
        let pair = Pair { task: &probe.task, base: at(base), treatment: at(place) };
        groups.entry((probe.kind.as_str(), arm.0.as_str())).or_default().push(pair);
    }
    groups
}

/// Unknown tools always, but where nobody can see them (DESIGN.md 3.7); else what the expectation of one of the
/// arms lists, and what every trial enters.
fn is_compared(metric: &Metric, pairs: &[Pair<'_>], plan: &Plan, arm: &str) -> bool {
    if metric.name == RateName::UnknownTool {
        return !plan.hides_names_under(arm);
    }
    let lists = |probe: &PlannedProbe| {
        let expectation = &probe.expectation;
        expectation.headline.contains(&metric.name) || expectation.side.contains(&metric.name)
    };
    metric.entered_by == EnteredBy::EveryTrial
        || pairs.iter().any(|pair| lists(pair.base.0) || lists(pair.treatment.0))
}

/// What one pass over the pairs gathers.
#[derive(Default)]
struct Sums<'a> {
    pairs: PairedSums<'a>,
    /// Trials in which only one side had the event: the base arm, and the treatment arm.
    discordant: (u64, u64),
    has_event: bool,
}

impl<'a> Sums<'a> {
    fn over<'p>(name: RateName, pairs: impl IntoIterator<Item = &'p Pair<'a>>) -> Self
    where
        'a: 'p,
    {
        let mut sums = Self::default();
        for pair in pairs {
            let rates = pair.base.1.rates.get(name).zip(pair.treatment.1.rates.get(name));
            let Some((base, treatment)) = rates else { continue };
            sums.add(pair.task, base, treatment);
        }
        sums
    }

    /// Adds the repeats of one pair of probes that were scored in both.
    fn add(&mut self, task: &'a str, base: &RateTally, treatment: &RateTally) {
        let both = base.scored.intersection(&treatment.scored);
        let in_base = base.events.intersection(&both);
        let in_treatment = treatment.events.intersection(&both);
        let in_both = in_base.intersection(&in_treatment).len();
        let counts = |events: &RepeatSet| Counts { events: events.len().into(), trials: both.len().into() };
        self.discordant.0 += u64::from(in_base.len() - in_both);
        self.discordant.1 += u64::from(in_treatment.len() - in_both);
        self.has_event |= in_base.len() + in_treatment.len() > 0;
        self.pairs.add(task, counts(&in_base), counts(&in_treatment));
    }

    fn is_without_event(&self) -> bool {
        !self.has_event
    }

    fn finish(self, kind: &str, arm: &str, metric: RateName) -> ArmDelta {
        let rate = self.pairs.finish(metric);
        let rate = rate.as_ref();
        ArmDelta {
            kind: kind.to_owned(),
            arm: arm.to_owned(),
            metric,
            pairs: rate.map_or(0, |rate| rate.baseline.scored),
            clusters: rate.map_or(0, |rate| rate.tasks),
            base: rate.map(|rate| rate.baseline).unwrap_or_default(),
            treatment: rate.map(|rate| rate.candidate).unwrap_or_default(),
            difference: rate.map(|rate| rate.difference),
            interval_95: rate.and_then(|rate| rate.interval_95),
            discordant: self.discordant,
            p: rate.and_then(|rate| rate.exact_p.zip(rate.mid_p)),
            q: None,
        }
    }
}
