//! Adds verdicts up to a scorecard: one cell's rates with their denominators, exclusions and intervals
//! (DESIGN.md 3.2 to 3.4 and 6). A million verdicts are never kept: what is held grows with the probes of the
//! plan, with a bit or two for each repeat.

mod arms;
mod faults;
mod invented;
mod plan;
mod probe_tally;
mod rates;
mod repeat_set;

use std::sync::Arc;

use indexmap::IndexMap;
use probes::RateName;
use transcript::{CellId, EndpointProperties, ProbeId, TrialStatus, Usage};

use crate::metric::{EnteredBy, METRICS, Metric};
use crate::rate::Rate;
use crate::scorecard::{PerTrial, ProbeOutcome, SCORER, Scorecard, Slice, suspect};
use crate::verdict::{DecoyOutcome, Verdict};
use faults::Faults;
use invented::InventedNames;
use plan::Plan;
pub use plan::PlannedProbe;
use probe_tally::ProbeTally;
use rates::{Counted, Frame};
use repeat_set::RepeatSet;

/// The key of planned trials that were never sent, beside the statuses.
pub const NOT_SENT: &str = "not_sent";

/// Adds up the verdicts of one cell.
#[derive(Debug, Clone)]
pub struct Tally {
    plan: Arc<Plan>,
    /// One for each probe of the plan.
    probes: Vec<ProbeTally>,
    faults: Faults,
    invented: InventedNames,
    duplicates: u64,
    unplanned: u64,
}

/// What became of a trial that was handed to a tally.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It counts.
    Counted,
    /// The same probe and repeat was added before; that one stands.
    Duplicate,
    /// The plan has no such probe, or no such repeat.
    Unplanned,
}

impl Tally {
    /// Starts the tally of a cell with its probes in the order of the suite, each planned `repeats` times.
    #[must_use]
    pub fn new(
        cell: CellId,
        plan: impl IntoIterator<Item = PlannedProbe>,
        repeats: u32,
        endpoint: EndpointProperties,
    ) -> Self {
        Self::over(Arc::new(Plan::new(cell, plan, repeats, endpoint)))
    }

    /// An empty tally over the same plan, to be filled elsewhere and merged.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self::over(Arc::clone(&self.plan))
    }

    fn over(plan: Arc<Plan>) -> Self {
        let probes = vec![ProbeTally::default(); plan.probes.len()];
        Self {
            plan,
            probes,
            faults: Faults::default(),
            invented: InventedNames::default(),
            duplicates: 0,
            unplanned: 0,
        }
    }

    /// Adds one trial: its verdict, and the tokens of all its turns.
    pub fn add(&mut self, probe: &ProbeId, repeat: u32, verdict: &Verdict, usage: Usage) -> Added {
        let Some(place) = self.plan.place(probe).filter(|_| repeat < self.plan.repeats) else {
            self.unplanned += 1;
            return Added::Unplanned;
        };
        if !self.probes[place].seen.insert(repeat) {
            self.duplicates += 1;
            return Added::Duplicate;
        }
        let planned = &self.plan.probes[place];
        self.probes[place].add(repeat, verdict, &self.plan.entered[place]);
        if verdict.status == TrialStatus::Scored {
            self.faults.add(planned, verdict, usage);
            if planned.is_headline(RateName::UnknownTool) {
                self.invented.add(planned, verdict);
            }
        }
        Added::Counted
    }

    /// Adds what another tally of the same cell and plan has.
    ///
    /// The two should not share a trial. Where they do, it is reported as a duplicate and counts once in
    /// everything that is counted by trial; lines by call, argument, token and name count it twice, since no
    /// verdict is kept that could be taken out again.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.duplicates += other.duplicates;
        self.unplanned += other.unplanned;
        for (theirs, planned) in other.probes.into_iter().zip(&other.plan.probes) {
            match self.plan.place(&planned.id) {
                Some(place) => self.duplicates += u64::from(self.probes[place].merge(theirs)),
                None => self.unplanned += u64::from(theirs.seen.len()),
            }
        }
        self.faults.merge(other.faults);
        self.invented.merge(other.invented);
        self
    }

    /// Trials with the event and scored trials of a rate so far, for live progress.
    #[must_use]
    pub fn so_far(&self, name: RateName) -> PerTrial {
        let mut sum = PerTrial::default();
        for probe in self.counted().filter(|probe| probe.planned.entry(Metric::of(name)).is_some()) {
            if let Some(rate) = probe.tally.rates.get(&name) {
                sum.events += u64::from(rate.events.len());
                sum.scored += u64::from(rate.scored.len());
            }
        }
        sum
    }

    /// The scorecard. What was planned and not added counts as not sent.
    #[must_use]
    pub fn finish(self) -> Scorecard {
        let plan = &*self.plan;
        let outcomes = self.outcomes();
        let probes: Vec<ProbeOutcome> = self.counted().map(|probe| outcome_of(probe, plan.repeats)).collect();
        let planned = (plan.probes.len() as u64).saturating_mul(u64::from(plan.repeats));
        let mut scorecard = Scorecard {
            cell: plan.cell.clone(),
            scorer: SCORER.to_owned(),
            rates: self.rates(),
            slices: self.slices(),
            statuses: self.statuses(planned),
            planned,
            duplicates: self.duplicates,
            unplanned: self.unplanned,
            totals: self.faults.totals,
            decoy_trials: outcomes.values().sum(),
            outcomes,
            invented: Vec::new(),
            unlisted_names: Default::default(),
            shadowed: self.faults.shadowed(plan, &self.probes),
            argument_findings: self.faults.argument_counts(),
            format_findings: self.faults.format_counts(),
            arms: arms::deltas(plan, &self.probes),
            arm_outcomes: arms::outcomes(plan, &self.probes),
            suspect: probes
                .iter()
                .filter(|probe| suspect::is_failed_control(probe))
                .map(|p| p.id.clone())
                .collect(),
            probes,
        };
        (scorecard.invented, scorecard.unlisted_names) = self.invented.finish(&self.plan);
        scorecard
    }

    fn counted(&self) -> impl Iterator<Item = Counted<'_>> {
        self.plan.probes.iter().zip(&self.probes).map(|(planned, tally)| Counted { planned, tally })
    }

    fn frame(&self) -> Frame {
        Frame { repeats: self.plan.repeats, names_hidden: self.plan.names_hidden }
    }

    /// The headline rates, then the side rates that some trial could enter.
    fn rates(&self) -> Vec<Rate> {
        let frame = self.frame();
        let rate = |metric: &Metric| {
            let found = rates::rate(metric, self.counted(), frame);
            found.or_else(|| {
                (metric.entered_by == EnteredBy::Headline).then(|| rates::not_asked(metric, frame))
            })
        };
        METRICS.iter().filter_map(rate).collect()
    }

    /// Headline rates by kind, wanted tool, source and draft, in the order of the suite.
    fn slices(&self) -> Vec<Slice> {
        type By = fn(&PlannedProbe) -> &str;
        const BY: [(&str, By); 4] = [
            ("kind", |probe| &probe.kind),
            ("tool", |probe| probe.expectation.tool.as_ref().map_or("none", |tool| tool.as_str())),
            ("source", |probe| &probe.source),
            ("draft", |probe| if probe.draft { "true" } else { "false" }),
        ];
        let mut slices = Vec::new();
        for (by, value) in BY {
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
    fn statuses(&self, planned: u64) -> IndexMap<String, u64> {
        let mut statuses = IndexMap::new();
        let mut seen = 0;
        for &status in TrialStatus::ALL {
            let sets = self.probes.iter().filter_map(|probe| probe.statuses.get(&status));
            let trials: u64 = sets.map(|repeats| u64::from(repeats.len())).sum();
            if trials > 0 {
                statuses.insert(status.as_str().to_owned(), trials);
            }
            seen += trials;
        }
        if planned > seen {
            statuses.insert(NOT_SENT.to_owned(), planned - seen);
        }
        statuses
    }

    /// The outcomes of base-arm trials, those without a trial too, in the order in which they are shown.
    fn outcomes(&self) -> IndexMap<DecoyOutcome, u64> {
        let mut outcomes: IndexMap<_, u64> = DecoyOutcome::SHOWN.map(|outcome| (outcome, 0)).into();
        for probe in self.counted().filter(|probe| probe.planned.arm.is_none()) {
            for (&outcome, repeats) in &probe.tally.outcomes {
                *outcomes.entry(outcome).or_default() += u64::from(repeats.len());
            }
        }
        outcomes
    }
}

/// One probe over its repeats.
fn outcome_of(probe: Counted<'_>, planned: u32) -> ProbeOutcome {
    let Counted { planned: question, tally } = probe;
    ProbeOutcome {
        id: question.id.clone(),
        question_hash: question.question_hash.clone(),
        sent_hash: question.sent_hash.clone(),
        kind: question.kind.clone(),
        arm: question.arm.as_ref().map(|arm| arm.0.clone()),
        task: question.task.clone(),
        tool: question.expectation.tool.clone(),
        source: question.source.clone(),
        draft: question.draft,
        must_pass: question.expectation.must_pass,
        planned,
        rates: rates::of_probe(probe),
        statuses: tally.statuses.iter().map(|(&status, repeats)| (status, repeats.len())).collect(),
        behaviours: by_repeat(&tally.behaviours),
        outcomes: by_repeat(&tally.outcomes),
    }
}

fn by_repeat<K: Copy>(sets: &std::collections::BTreeMap<K, RepeatSet>) -> Vec<(u32, K)> {
    let mut all: Vec<(u32, K)> =
        sets.iter().flat_map(|(&key, repeats)| repeats.iter().map(move |repeat| (repeat, key))).collect();
    all.sort_by_key(|(repeat, _)| *repeat);
    all
}
