use std::collections::BTreeMap;

use transcript::ProbeId;

use super::{ProbeOutcome, Scorecard};
use crate::verdict::Behaviour;

/// The kind whose probes everybody should pass.
const CONTROL: &str = "control";

/// Probes that look broken over several cells: those that every cell fails, where at least two measured them,
/// and controls that none passes. For a person to look at; they are not excluded (DESIGN.md 3.4).
///
/// A probe is failed by a cell whose scored trials of it hold a wrong behaviour and no right one. Probes come
/// in the order in which the scorecards first name them.
#[must_use]
pub fn suspect_probes(scorecards: &[Scorecard]) -> Vec<ProbeId> {
    let mut order: Vec<&ProbeOutcome> = Vec::new();
    let mut found: BTreeMap<&ProbeId, Cells> = BTreeMap::new();
    for probe in scorecards.iter().flat_map(|card| &card.probes) {
        let cells = found.entry(&probe.id).or_insert_with(|| {
            order.push(probe);
            Cells::default()
        });
        cells.measured += usize::from(is_measured(probe));
        cells.failed += usize::from(is_failed(probe));
    }
    let mut suspect = Vec::new();
    for probe in order {
        let Some(cells) = found.get(&probe.id) else { continue };
        let enough = cells.measured >= if probe.kind == CONTROL { 1 } else { 2 };
        if enough && cells.failed == cells.measured {
            suspect.push(probe.id.clone());
        }
    }
    suspect
}

/// Cells of one probe.
#[derive(Default)]
struct Cells {
    measured: usize,
    failed: usize,
}

/// Controls that no trial of one cell passes.
pub(crate) fn failed_controls(probes: &[ProbeOutcome]) -> Vec<ProbeId> {
    let failed = probes.iter().filter(|probe| probe.kind == CONTROL && is_failed(probe));
    failed.map(|probe| probe.id.clone()).collect()
}

/// Whether some trial shows what is right or wrong; an unclear one does not.
fn is_measured(probe: &ProbeOutcome) -> bool {
    shows(probe, Behaviour::Right) || shows(probe, Behaviour::Wrong)
}

fn is_failed(probe: &ProbeOutcome) -> bool {
    shows(probe, Behaviour::Wrong) && !shows(probe, Behaviour::Right)
}

fn shows(probe: &ProbeOutcome, behaviour: Behaviour) -> bool {
    probe.behaviours.iter().any(|(_, shown)| *shown == behaviour)
}
