//! Which probes pair, what became of the others, and which came out otherwise.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use ::probes::RateName;
use indexmap::IndexMap;
use scorer::{DecoyOutcome, METRICS, ProbeOutcome, Repeats, Scorecard};
use transcript::{CellId, Header, ProbeId, Side};

use super::cells::PairOfCells;
use super::{ChangedProbe, OutcomeChange, ProbeChange, ProbeDirection, UnpairedProbe};
use crate::gate::Policy;
use crate::report::outcome_counts;

/// A probe on both sides.
pub(super) struct Pair<'a> {
    pub(super) baseline: &'a ProbeOutcome,
    pub(super) candidate: &'a ProbeOutcome,
}

/// All probes of a pair of cells.
pub(super) struct Paired<'a> {
    /// In the order of the candidate's suite.
    pub(super) pairs: Vec<Pair<'a>>,
    pub(super) unpaired: Vec<UnpairedProbe>,
}

/// Pairs by id and question hash.
pub(super) fn paired<'a>(
    header: &Header,
    cells: &PairOfCells<'_>,
    baseline: &'a Scorecard,
    candidate: &'a Scorecard,
) -> Paired<'a> {
    let by_id: HashMap<&ProbeId, &ProbeOutcome> =
        baseline.probes.iter().map(|probe| (&probe.id, probe)).collect();
    let in_candidate: HashSet<&ProbeId> = candidate.probes.iter().map(|probe| &probe.id).collect();
    let stale = |cell: &CellId| -> HashMap<&ProbeId, &str> {
        let of_cell = header.stale.iter().filter(|stale| stale.cell == *cell);
        of_cell.map(|stale| (&stale.probe, stale.reason.as_str())).collect()
    };
    let (stale_before, stale_after) = (stale(&cells.baseline.id), stale(&cells.candidate.id));
    let mut all = Paired { pairs: Vec::new(), unpaired: Vec::new() };
    for probe in candidate.probes.iter() {
        match by_id.get(&probe.id) {
            Some(before) if before.question_hash == probe.question_hash => {
                all.pairs.push(Pair { baseline: before, candidate: probe });
            }
            Some(_) => all.unpaired.push(UnpairedProbe {
                probe: probe.id.clone(),
                side: None,
                reason: "its question changed".to_owned(),
                stale: false,
            }),
            None => all.unpaired.push(alone(probe, Side::Candidate, &stale_before)),
        }
    }
    for probe in baseline.probes.iter().filter(|probe| !in_candidate.contains(&probe.id)) {
        all.unpaired.push(alone(probe, Side::Baseline, &stale_after));
    }
    all
}

fn alone(probe: &ProbeOutcome, side: Side, stale_on_the_other: &HashMap<&ProbeId, &str>) -> UnpairedProbe {
    let stale = stale_on_the_other.get(&probe.id);
    let other = match side {
        Side::Baseline => "the candidate did not run it",
        Side::Candidate => "the baseline did not run it",
    };
    let reason = stale.map_or_else(|| other.to_owned(), |reason| (*reason).to_owned());
    UnpairedProbe { probe: probe.id.clone(), side: Some(side), reason, stale: stale.is_some() }
}

/// What was done where the tool was missing, over probes of the base arm that have an outcome on both sides.
pub(super) fn outcomes(pairs: &[Pair<'_>]) -> Option<OutcomeChange> {
    let mut probes = 0;
    let mut counts: [IndexMap<DecoyOutcome, u64>; 2] = Default::default();
    for pair in pairs {
        let sides = [pair.baseline, pair.candidate];
        if pair.candidate.arm.is_some() || sides.iter().any(|side| side.outcomes.is_empty()) {
            continue;
        }
        probes += 1;
        for (side, counts) in sides.iter().zip(&mut counts) {
            for (_, outcome) in &side.outcomes {
                *counts.entry(*outcome).or_default() += 1;
            }
        }
    }
    let [baseline, candidate] = counts.map(|counts| outcome_counts(std::iter::once(&counts)));
    (probes > 0).then_some(OutcomeChange { pairs: probes, baseline, candidate })
}

/// Probes with another share of events in any rate, worse ones first.
pub(super) fn changed(pairs: &[Pair<'_>], policy: &Policy) -> Vec<ChangedProbe> {
    let mut all: Vec<ChangedProbe> = pairs.iter().filter_map(|pair| changed_probe(pair, policy)).collect();
    // Stable: suite order within.
    all.sort_by_key(|probe| (probe.direction, !probe.rates.iter().any(|rate| rate.gated)));
    all
}

fn changed_probe(pair: &Pair<'_>, policy: &Policy) -> Option<ChangedProbe> {
    let Pair { baseline, candidate } = *pair;
    let mut rates = Vec::new();
    let (mut worse, mut better) = (false, false);
    for metric in METRICS.iter().map(|metric| metric.name) {
        let Some((baseline, candidate)) = both(pair, metric) else { continue };
        let change = ProbeChange { metric, gated: policy.gates(metric), baseline, candidate };
        match change.movement() {
            Ordering::Equal => continue,
            Ordering::Greater => worse = true,
            Ordering::Less => better = true,
        }
        rates.push(change);
    }
    let direction = match (worse, better) {
        (false, false) => return None,
        (true, false) => ProbeDirection::Worse,
        (true, true) => ProbeDirection::Mixed,
        (false, true) => ProbeDirection::Better,
    };
    let outcome = |probe: &ProbeOutcome| probe.outcomes.first().map(|(_, outcome)| *outcome);
    Some(ChangedProbe {
        probe: candidate.id.clone(),
        kind: candidate.kind.clone(),
        arm: candidate.arm.clone(),
        task: candidate.task.clone(),
        tool: candidate.tool.clone(),
        must_pass: candidate.must_pass,
        direction,
        rates,
        outcomes: (outcome(baseline), outcome(candidate)),
        confirmed: None,
        baseline_trial: None,
        candidate_trial: None,
    })
}

/// Both sides' repeats of a rate, where both scored one.
pub(super) fn both(pair: &Pair<'_>, metric: RateName) -> Option<(Repeats, Repeats)> {
    let of = |probe: &ProbeOutcome| probe.rates.get(&metric).copied().filter(|repeats| repeats.scored > 0);
    of(pair.baseline).zip(of(pair.candidate))
}
