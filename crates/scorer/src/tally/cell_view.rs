use indexmap::IndexMap;
use probes::RateName;
use transcript::TrialStatus;

use super::NOT_SENT;
use super::few::Few;
use super::plan::{Plan, PlannedProbe};
use super::probe_tally::ProbeTally;
use super::rates::{self, Counted, Frame};
use super::repeat_set::RepeatSet;
use crate::metric::{EnteredBy, METRICS, Metric};
use crate::rate::Rate;
use crate::scorecard::{PerTrial, ProbeOutcome, Slice};
use crate::verdict::{AfterUnknown, DecoyOutcome};

/// A plan with what its trials gave: what a scorecard counts by trial is read from here.
#[derive(Clone, Copy)]
pub(super) struct CellView<'a> {
    pub(super) plan: &'a Plan,
    /// One for each probe of the plan.
    pub(super) tallies: &'a [ProbeTally],
}

impl<'a> CellView<'a> {
    fn counted(self) -> impl Iterator<Item = Counted<'a>> {
        let probes = self.plan.probes.iter().zip(self.tallies);
        probes.map(|(planned, tally)| Counted { planned, tally })
    }

    fn frame(self) -> Frame {
        Frame { repeats: self.plan.repeats, names_hidden: self.plan.names_hidden }
    }

    pub(super) fn so_far(self, name: RateName) -> PerTrial {
        let mut sum = PerTrial::default();
        for probe in self.counted().filter(|probe| probe.planned.entry(Metric::of(name)).is_some()) {
            if let Some(rate) = probe.tally.rates.get(name) {
                sum.events += u64::from(rate.events.len());
                sum.scored += u64::from(rate.scored.len());
            }
        }
        sum
    }

    /// The headline rates, then the side rates that some trial could enter.
    pub(super) fn rates(self) -> Vec<Rate> {
        let mut all = Vec::new();
        for metric in METRICS {
            if let Some(rate) = rates::rate(metric, self.counted(), self.frame()) {
                all.push(rate);
            } else if metric.entered_by == EnteredBy::Headline {
                all.push(rates::not_asked(metric, self.frame()));
            }
        }
        all
    }

    /// Headline rates by kind, wanted tool, source and draft, in the order of the suite.
    pub(super) fn slices(self) -> Vec<Slice> {
        let mut slices = Vec::new();
        for (by, value) in SLICED_BY {
            let mut parts: IndexMap<&str, Vec<Counted<'_>>> = IndexMap::new();
            for probe in self.counted() {
                parts.entry(value(probe.planned)).or_default().push(probe);
            }
            for (value, probes) in parts {
                let headline = RateName::HEADLINE.map(Metric::of);
                let rate = |metric| rates::rate(metric, probes.iter().copied(), self.frame());
                let rates: Vec<Rate> = headline.into_iter().filter_map(rate).collect();
                if !rates.is_empty() {
                    slices.push(Slice { by: by.to_owned(), value: value.to_owned(), rates });
                }
            }
        }
        slices
    }

    /// Trials by status; those that were planned and not added last.
    pub(super) fn statuses(self) -> IndexMap<String, u64> {
        let mut statuses = IndexMap::new();
        let mut seen = 0;
        for &status in TrialStatus::ALL {
            let sets = self.tallies.iter().filter_map(|probe| probe.statuses.get(status));
            let trials: u64 = sets.map(|repeats| u64::from(repeats.len())).sum();
            if trials > 0 {
                statuses.insert(status.as_str().to_owned(), trials);
            }
            seen += trials;
        }
        if self.plan.trials() > seen {
            statuses.insert(NOT_SENT.to_owned(), self.plan.trials() - seen);
        }
        statuses
    }

    /// The outcomes of base-arm trials, those without a trial too, in the order in which they are shown.
    pub(super) fn outcomes(self) -> IndexMap<DecoyOutcome, u64> {
        let mut outcomes: IndexMap<_, u64> = DecoyOutcome::SHOWN.map(|outcome| (outcome, 0)).into();
        for probe in self.counted().filter(|probe| probe.planned.arm.is_none()) {
            for (outcome, repeats) in probe.tally.outcomes.iter() {
                *outcomes.entry(outcome).or_default() += u64::from(repeats.len());
            }
        }
        outcomes
    }

    /// What follows on unknown calls that were answered, over the trials that enter the rate of those that repeat.
    pub(super) fn after_unknown(self) -> IndexMap<AfterUnknown, u64> {
        let mut counts: IndexMap<_, u64> = AfterUnknown::ALL.map(|after| (after, 0)).into();
        let metric = Metric::of(RateName::RepeatedUnknown);
        for probe in self.counted().filter(|probe| probe.planned.entry(metric).is_some()) {
            for (after, repeats) in probe.tally.after_unknown.iter() {
                *counts.entry(after).or_default() += u64::from(repeats.len());
            }
        }
        if counts.values().all(|trials| *trials == 0) { IndexMap::new() } else { counts }
    }

    /// Every probe over its repeats, in the order of the suite.
    pub(super) fn probes(self) -> Vec<ProbeOutcome> {
        self.counted().map(|probe| outcome_of(probe, self.plan.repeats)).collect()
    }
}

/// What a probe has for a way to slice.
type Value = fn(&PlannedProbe) -> &str;

/// By what headline rates are sliced.
const SLICED_BY: [(&str, Value); 4] = [
    ("kind", |probe| &probe.kind),
    ("tool", |probe| probe.expectation.tool.as_ref().map_or("none", |tool| tool.as_str())),
    ("source", |probe| &probe.source),
    ("draft", |probe| if probe.draft { "true" } else { "false" }),
];

/// One probe over its repeats.
fn outcome_of(probe: Counted<'_>, repeats: u32) -> ProbeOutcome {
    let Counted { planned, tally } = probe;
    ProbeOutcome {
        id: planned.id.clone(),
        question_hash: planned.question_hash.clone(),
        sent_hash: planned.sent_hash.clone(),
        kind: planned.kind.clone(),
        arm: planned.arm.as_ref().map(|arm| arm.0.clone()),
        task: planned.task.clone(),
        tool: planned.expectation.tool.clone(),
        source: planned.source.clone(),
        draft: planned.draft,
        must_pass: planned.expectation.must_pass,
        control: planned.is_control(),
        planned: repeats,
        rates: rates::of_probe(probe),
        statuses: tally.statuses.iter().map(|(status, repeats)| (status, repeats.len())).collect(),
        behaviours: by_repeat(&tally.behaviours),
        outcomes: by_repeat(&tally.outcomes),
    }
}

fn by_repeat<K: Ord + Copy>(sets: &Few<K, RepeatSet>) -> Vec<(u32, K)> {
    let mut all = Vec::new();
    for (key, repeats) in sets.iter() {
        all.extend(repeats.iter().map(|repeat| (repeat, key)));
    }
    all.sort_by_key(|(repeat, _)| *repeat);
    all
}
