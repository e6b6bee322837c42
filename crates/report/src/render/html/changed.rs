//! Probes that came out otherwise, each with a trial of both sides beside each other.

use serde::Serialize;

use super::filter::{self, CELL, DIRECTION, KIND, OUTCOME, RATE, TOOL, Values};
use super::group::{culprit, prompt_label};
use super::overview::probe_class;
use crate::compare::{ChangedProbe, ComparedCell, ComparedSide, Comparison, ProbeChange, ProbeDirection};
use crate::number::{count, of};
use crate::report::{Report, ShownTrial};
use crate::table::compared::again_words;
use crate::text_safe::{cropped, cropped_name};
use crate::words::words;

/// Changed probes of one pair of cells and one direction.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    anchor: String,
    cell: Option<String>,
    direction: &'static str,
    total: u64,
    #[serde(skip)]
    pub(super) entries: Vec<Entry>,
}

/// One changed probe by its place in the comparison.
#[derive(Debug)]
pub(super) struct Entry {
    pair: usize,
    probe: usize,
    pub(super) values: Values,
}

/// One changed probe as its template sees it.
#[derive(Debug, Serialize)]
pub(super) struct Changed<'a> {
    at: usize,
    probe: String,
    must_pass: bool,
    attributes: Vec<(&'static str, String)>,
    culprit: Option<String>,
    rates: Vec<RateChange>,
    outcomes: Option<(&'static str, &'static str)>,
    again: Option<String>,
    confirmed: Option<(String, String)>,
    /// The trial that says what was asked: that of the candidate, where there is one.
    asked: Option<&'a ShownTrial>,
    /// Whether both sides were offered the same, so that it need not be said twice.
    same: bool,
    sides: [Side<'a>; 2],
}

#[derive(Debug, Serialize)]
struct RateChange {
    title: &'static str,
    gated: bool,
    before: String,
    after: String,
    class: &'static str,
}

/// One side of a changed probe.
#[derive(Debug, Serialize)]
struct Side<'a> {
    role: &'static str,
    label: String,
    accepted: bool,
    prompt: Option<&'a str>,
    trial: Option<&'a ShownTrial>,
}

/// The changed probes by pair of cells and direction, in the order of the comparison.
pub(super) fn groups(comparison: &Comparison) -> Vec<Group> {
    let mut groups = Vec::new();
    for (pair, cell) in comparison.cells.iter().enumerate() {
        for direction in [ProbeDirection::Worse, ProbeDirection::Mixed, ProbeDirection::Better] {
            let entries: Vec<Entry> = cell
                .changed
                .iter()
                .enumerate()
                .filter(|(_, changed)| changed.direction == direction)
                .map(|(probe, changed)| Entry { pair, probe, values: values(comparison, cell, changed) })
                .collect();
            if !entries.is_empty() {
                groups.push(Group {
                    anchor: format!("d{}", groups.len()),
                    cell: (comparison.cells.len() > 1).then(|| cropped(&cell.label, 60)),
                    direction: probe_class(direction),
                    total: entries.len() as u64,
                    entries,
                });
            }
        }
    }
    groups
}

fn values(comparison: &Comparison, cell: &ComparedCell, changed: &ChangedProbe) -> Values {
    let rates = changed.rates.iter().map(|change| change.metric.as_str().to_owned()).collect();
    let mut outcomes: Vec<String> = [changed.outcomes.0, changed.outcomes.1]
        .into_iter()
        .flatten()
        .map(|outcome| outcome.as_str().to_owned())
        .collect();
    outcomes.dedup();
    let mut values = vec![(DIRECTION, vec![probe_class(changed.direction).to_owned()])];
    if comparison.cells.len() > 1 {
        values.push((CELL, vec![cropped(&cell.label, 60)]));
    }
    values.push((RATE, rates));
    values.push((KIND, vec![filter::kind(&changed.kind, changed.arm.as_deref())]));
    values.push((TOOL, vec![filter::tool(changed.tool.as_ref())]));
    values.push((OUTCOME, outcomes));
    values
}

/// One changed probe with both its sides.
pub(super) fn changed<'a>(
    report: &'a Report,
    comparison: &'a Comparison,
    entry: &Entry,
    at: usize,
) -> Option<Changed<'a>> {
    let probe = comparison.cells.get(entry.pair)?.changed.get(entry.probe)?;
    let trial = |at: Option<usize>| at.and_then(|at| comparison.trials.get(at));
    let (before, after) = (trial(probe.baseline_trial), trial(probe.candidate_trial));
    let side = |role, side: &ComparedSide, trial: Option<&'a ShownTrial>| Side {
        role,
        label: cropped(&side.label, 60),
        accepted: side.accepted,
        prompt: trial.and_then(|trial| prompt_label(report, trial)),
        trial,
    };
    let same = before.zip(after).is_none_or(|(before, after)| before.offering == after.offering);
    let (b, c) = probe.outcomes;
    Some(Changed {
        at,
        probe: cropped_name(probe.probe.as_str(), 120),
        must_pass: probe.must_pass,
        attributes: filter::attributes(&entry.values),
        culprit: after.and_then(culprit).or_else(|| before.and_then(culprit)),
        rates: probe.rates.iter().map(rate_change).collect(),
        outcomes: b.zip(c).map(|(b, c)| (b.as_str(), c.as_str())),
        again: again_words(probe),
        confirmed: probe
            .confirmed
            .filter(|again| again.baseline.scored + again.candidate.scored > 0)
            .map(|again| (repeats(again.baseline), repeats(again.candidate))),
        asked: after.or(before),
        same,
        sides: [
            side("Baseline", &comparison.baseline, before),
            side("Candidate", &comparison.candidate, after),
        ],
    })
}

fn rate_change(change: &ProbeChange) -> RateChange {
    let (before, after) = (change.baseline, change.candidate);
    let more = u64::from(after.events) * u64::from(before.scored)
        > u64::from(before.events) * u64::from(after.scored);
    let (before_words, after_words) = if before.scored == after.scored {
        (count(u64::from(before.events)), repeats(after))
    } else {
        (repeats(before), repeats(after))
    };
    RateChange {
        title: words(change.metric).title,
        gated: change.gated,
        before: before_words,
        after: after_words,
        class: if more { "worse" } else { "better" },
    }
}

fn repeats(repeats: scorer::Repeats) -> String {
    of(u64::from(repeats.events), u64::from(repeats.scored))
}

/// The trials of an entry.
pub(super) fn trials<'a>(comparison: &'a Comparison, entry: &Entry) -> impl Iterator<Item = &'a ShownTrial> {
    let probe = comparison.cells.get(entry.pair).and_then(|pair| pair.changed.get(entry.probe));
    let places = probe.map(|probe| [probe.baseline_trial, probe.candidate_trial]);
    places.into_iter().flatten().flatten().filter_map(|at| comparison.trials.get(at))
}
