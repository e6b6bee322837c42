use std::collections::BTreeMap;

use transcript::ProbeId;

use super::{ProbeOutcome, Scorecard};
use crate::verdict::Behaviour;

/// Least trials that must show what is right or wrong before a probe is suspected: one failure is chance.
const LEAST_TRIALS: u32 = 3;

/// Probes that look broken over several cells: those that every cell fails, where at least two measured them,
/// and controls that none passes. For a person to look at; they are not excluded (DESIGN.md 3.4).
///
/// Only trials that show a right or a wrong behaviour count, over repeats and cells, and at least three of them
/// are asked for. Probes come in the order in which the scorecards first name them.
#[must_use]
pub fn suspect_probes(scorecards: &[Scorecard]) -> Vec<ProbeId> {
    let mut order: Vec<&ProbeOutcome> = Vec::new();
    let mut found: BTreeMap<&ProbeId, Shown> = BTreeMap::new();
    for probe in scorecards.iter().flat_map(|card| card.probes.iter()) {
        let all = found.entry(&probe.id).or_insert_with(|| {
            order.push(probe);
            Shown::default()
        });
        all.add(Shown::of(probe));
    }
    order.retain(|probe| found.get(&probe.id).is_some_and(|shown| shown.is_suspect(probe.control)));
    order.into_iter().map(|probe| probe.id.clone()).collect()
}

/// Controls that no trial of one cell passes.
pub(crate) fn failed_controls(probes: &[ProbeOutcome]) -> Vec<ProbeId> {
    let failed = probes.iter().filter(|probe| probe.control && Shown::of(probe).is_suspect(true));
    failed.map(|probe| probe.id.clone()).collect()
}

/// What the trials of one probe show; unclear ones show nothing.
#[derive(Clone, Copy, Default)]
struct Shown {
    right: u32,
    wrong: u32,
    /// Cells with a trial that shows something.
    cells: u32,
}

impl Shown {
    fn of(probe: &ProbeOutcome) -> Self {
        let mut shown = Self::default();
        for (_, behaviour) in &probe.behaviours {
            shown.right += u32::from(*behaviour == Behaviour::Right);
            shown.wrong += u32::from(*behaviour == Behaviour::Wrong);
        }
        shown.cells = u32::from(shown.right + shown.wrong > 0);
        shown
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.cells += other.cells;
    }

    /// A control needs one cell, any other probe two: a model may well fail a hard probe each time.
    fn is_suspect(self, control: bool) -> bool {
        let least_cells = if control { 1 } else { 2 };
        self.right == 0 && self.wrong >= LEAST_TRIALS && self.cells >= least_cells
    }
}
