//! Adds verdicts up to a scorecard: one cell's rates with their denominators, exclusions and intervals
//! (DESIGN.md 3.2 to 3.4 and 6). A million verdicts are never kept: what is held grows with the probes of the
//! plan, with a bit or two for each repeat.

mod arms;
mod cell_view;
mod correctness;
mod dispatch;
mod faults;
mod few;
mod invented;
mod plan;
mod probe_tally;
mod rates;
mod repeat_set;

use std::sync::Arc;

use probes::RateName;
use transcript::{CellId, EndpointProperties, ProbeId, TrialStatus, Usage};

use crate::scorecard::{PerTrial, SCORER, Scorecard, suspect};
use crate::verdict::Verdict;
use cell_view::CellView;
use correctness::Correctness;
use dispatch::Dispatched;
use faults::Faults;
use invented::InventedNames;
use plan::Plan;
pub use plan::PlannedProbe;
use probe_tally::ProbeTally;

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
    dispatched: Dispatched,
    correctness: Correctness,
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
            dispatched: Dispatched::default(),
            correctness: Correctness::default(),
            duplicates: 0,
            unplanned: 0,
        }
    }

    /// Adds one trial: its verdict, and the tokens of all its turns, as far as they were reported.
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
            self.correctness.add(planned, verdict);
            if planned.is_headline(RateName::UnknownTool) {
                self.invented.add(planned, verdict);
                self.dispatched.add(planned, verdict);
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
        self.dispatched.merge(other.dispatched);
        self.correctness.merge(&other.correctness);
        self
    }

    /// Trials with the event and scored trials of a rate so far, for live progress.
    #[must_use]
    pub fn so_far(&self, name: RateName) -> PerTrial {
        CellView { plan: &self.plan, tallies: &self.probes }.so_far(name)
    }

    /// The scorecard. What was planned and not added counts as not sent.
    #[must_use]
    pub fn finish(self) -> Scorecard {
        let plan = &*self.plan;
        let cell = CellView { plan, tallies: &self.probes };
        let outcomes = cell.outcomes();
        let probes = cell.probes();
        let (invented, unlisted_names) = self.invented.finish(plan);
        Scorecard {
            cell: plan.cell.clone(),
            scorer: SCORER.to_owned(),
            rates: cell.rates(),
            slices: cell.slices(),
            statuses: cell.statuses(),
            planned: plan.trials(),
            duplicates: self.duplicates,
            unplanned: self.unplanned,
            totals: self.faults.totals,
            decoy_trials: outcomes.values().sum(),
            outcomes,
            after_unknown: cell.after_unknown(),
            invented,
            unlisted_names,
            dispatch: self.dispatched.finish(),
            tool_correctness: self.correctness.finish(),
            shadowed: self.faults.shadowed(plan, &self.probes),
            argument_findings: self.faults.argument_counts(),
            format_findings: self.faults.format_counts(),
            arms: arms::deltas(plan, &self.probes),
            arm_outcomes: arms::outcomes(plan, &self.probes),
            suspect: suspect::failed_controls(&probes),
            probes: probes.into(),
        }
    }
}
