//! Paired deltas: what a treatment arm changed against the base arm of the same task, kind and variant.

use indexmap::IndexMap;
use probes::RateName;

use super::few::Few;
use super::plan::{Plan, PlannedProbe};
use super::probe_tally::{ProbeTally, RateTally};
use super::rates::float;
use super::repeat_set::RepeatSet;
use crate::metric::{EnteredBy, METRICS, Metric};
use crate::scorecard::{ArmDelta, ArmOutcomes, PerTrial};
use crate::statistic::{Counts, PairedProbe, Side, common_units, paired_difference, sign_flip};
use crate::verdict::DecoyOutcome;

/// A base-arm probe and its treatment.
struct Pair<'a> {
    task: &'a str,
    base: (&'a PlannedProbe, &'a ProbeTally),
    treatment: (&'a PlannedProbe, &'a ProbeTally),
}

/// Every delta: by kind and arm in the order of the suite, then by metric.
pub(super) fn deltas(plan: &Plan, tallies: &[ProbeTally]) -> Vec<ArmDelta> {
    let mut deltas = Vec::new();
    for ((kind, arm), pairs) in groups(plan, tallies) {
        for metric in METRICS.iter().filter(|metric| is_compared(metric, &pairs, plan)) {
            let sums = Sums::over(metric.name, &pairs);
            // What every trial enters is worth a line only where it happened.
            let quiet = metric.entered_by == EnteredBy::EveryTrial && sums.is_without_event();
            if !quiet {
                deltas.push(sums.finish(kind, arm, metric.name));
            }
        }
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
fn is_compared(metric: &Metric, pairs: &[Pair<'_>], plan: &Plan) -> bool {
    if metric.name == RateName::UnknownTool {
        return !plan.names_hidden;
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
struct Sums {
    base: PerTrial,
    treatment: PerTrial,
    discordant: (u64, u64),
    probes: u64,
    /// Sums over probes of their shares.
    base_shares: f64,
    treatment_shares: f64,
    tasks: Vec<TaskSums>,
}

/// One task on both sides.
#[derive(Default)]
struct TaskSums {
    base: Counts,
    treatment: Counts,
    probes: Vec<PairedProbe>,
}

impl Sums {
    fn over(name: RateName, pairs: &[Pair<'_>]) -> Self {
        let mut sums = Self::default();
        let mut tasks: IndexMap<&str, TaskSums> = IndexMap::new();
        for pair in pairs {
            let rates = pair.base.1.rates.get(name).zip(pair.treatment.1.rates.get(name));
            let Some((base, treatment)) = rates else { continue };
            if base.scored.intersection(&treatment.scored).len() > 0 {
                sums.add(base, treatment, tasks.entry(pair.task).or_default());
            }
        }
        sums.tasks = tasks.into_values().collect();
        sums
    }

    /// Adds the repeats of one pair of probes that were scored in both.
    fn add(&mut self, base: &RateTally, treatment: &RateTally, task: &mut TaskSums) {
        let both = base.scored.intersection(&treatment.scored);
        let in_base = base.events.intersection(&both);
        let in_treatment = treatment.events.intersection(&both);
        let in_both = in_base.intersection(&in_treatment).len();
        let counts = |events: &RepeatSet| Counts { events: events.len().into(), trials: both.len().into() };
        let probe = PairedProbe { baseline: counts(&in_base), candidate: counts(&in_treatment) };
        self.discordant.0 += u64::from(in_base.len() - in_both);
        self.discordant.1 += u64::from(in_treatment.len() - in_both);
        self.probes += 1;
        self.base_shares += float(probe.baseline.events) / float(probe.baseline.trials);
        self.treatment_shares += float(probe.candidate.events) / float(probe.candidate.trials);
        for (sum, counts) in [(&mut self.base, probe.baseline), (&mut self.treatment, probe.candidate)] {
            sum.events += counts.events;
            sum.scored += counts.trials;
        }
        for (sum, counts) in [(&mut task.base, probe.baseline), (&mut task.treatment, probe.candidate)] {
            sum.events += counts.events;
            sum.trials += counts.trials;
        }
        task.probes.push(probe);
    }

    fn is_without_event(&self) -> bool {
        self.base.events == 0 && self.treatment.events == 0
    }

    fn finish(self, kind: &str, arm: &str, metric: RateName) -> ArmDelta {
        let (base, treatment): (Vec<Counts>, Vec<Counts>) =
            self.tasks.iter().map(|task| (task.base, task.treatment)).unzip();
        let mean = |shares: f64| shares / float(self.probes);
        let difference = (self.probes > 0).then(|| {
            let base = Side { tasks: &base, rate: mean(self.base_shares) };
            let treatment = Side { tasks: &treatment, rate: mean(self.treatment_shares) };
            paired_difference(base, treatment, 0.05)
        });
        let difference = difference.flatten();
        let probes: Vec<Vec<PairedProbe>> = self.tasks.into_iter().map(|task| task.probes).collect();
        let p = common_units(&probes).and_then(|differences| sign_flip(&differences));
        ArmDelta {
            kind: kind.to_owned(),
            arm: arm.to_owned(),
            metric,
            pairs: self.base.scored,
            clusters: probes.len() as u64,
            base: self.base,
            treatment: self.treatment,
            difference: difference.map(|found| found.difference),
            interval_95: difference.map(|found| (found.interval.low, found.interval.high)),
            discordant: self.discordant,
            p: p.map(|p| (p.exact_p, p.mid_p)),
        }
    }
}
