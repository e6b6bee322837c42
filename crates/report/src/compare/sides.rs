//! Two runs as the two sides of one comparison, and what has to be known of them.

use scorer::Scorecard;
use transcript::{CellId, Header, Side, Stale, TargetId};

use super::{ComparedCell, ComparedSide, Comparison};
use crate::number::{count, counted};
use crate::report::{Gathered, RunFacts};

/// One run as scored: what a report or one side of a comparison is made of.
pub struct Measured {
    /// What was planned.
    pub header: Header,
    /// One for each cell.
    pub scorecards: Vec<Scorecard>,
    /// What reports show of single trials.
    pub gathered: Gathered,
    /// What the reader of the record knows.
    pub facts: RunFacts,
}

/// Behind the name of a baseline's target that is not the candidate's of the same name.
const MARK: &str = "@baseline";

/// A target's name as the user gave it.
pub(super) fn unmarked(target: &str) -> &str {
    target.strip_suffix(MARK).unwrap_or(target)
}

/// Makes one record of two runs: the cells of the first are the baseline, those of the second the candidate.
/// Of a run that has two sides itself, its candidate is meant.
#[must_use]
pub fn join(baseline: Measured, candidate: Measured) -> Measured {
    let (mut baseline, mut candidate) = (one_sided(baseline), one_sided(candidate));
    mark_targets(&mut baseline.header, &candidate.header);
    put_on(&mut baseline, Side::Baseline);
    put_on(&mut candidate, Side::Candidate);
    let mut header = candidate.header;
    let before = baseline.header;
    header.cells.splice(0..0, before.cells);
    header.stale.splice(0..0, before.stale);
    // Both counts are a file's.
    header.planned = header.planned.saturating_add(before.planned);
    header.repeats = header.repeats.max(before.repeats);
    for (hash, catalog) in before.catalogs {
        header.catalogs.entry(hash).or_insert(catalog);
    }
    for (hash, prompt) in before.prompts {
        header.prompts.entry(hash).or_insert(prompt);
    }
    for (id, target) in before.targets {
        header.targets.entry(id).or_insert(target);
    }
    let mut scorecards = baseline.scorecards;
    scorecards.extend(candidate.scorecards);
    let mut gathered = baseline.gathered;
    gathered.merge(candidate.gathered);
    let facts =
        RunFacts { finished: baseline.facts.finished && candidate.facts.finished, ..RunFacts::default() };
    Measured { header, scorecards, gathered, facts }
}

/// Leaves out the baseline's cells of a run that has both.
fn one_sided(mut side: Measured) -> Measured {
    if side.header.cells.iter().all(|cell| cell.side == Side::Baseline) {
        return side;
    }
    let kept: Vec<CellId> = side
        .header
        .cells
        .iter()
        .filter(|cell| cell.side == Side::Candidate)
        .map(|cell| cell.id.clone())
        .collect();
    side.header.cells.retain(|cell| kept.contains(&cell.id));
    side.header.stale.retain(|stale| kept.contains(&stale.cell));
    side.scorecards.retain(|card| kept.contains(&card.cell));
    side.header.planned = side.scorecards.iter().map(|card| card.planned).sum();
    side.gathered.retain_cells(&kept);
    side
}

/// Marks the targets of the baseline that are something else in the candidate.
fn mark_targets(baseline: &mut Header, candidate: &Header) {
    let differs = |id: &TargetId| {
        let here = baseline.targets.get(id);
        candidate.targets.get(id).is_some_and(|other| Some(other) != here)
    };
    let marked: Vec<TargetId> = baseline.targets.keys().filter(|id| differs(id)).cloned().collect();
    let rename = |id: TargetId| {
        if marked.contains(&id) { TargetId(format!("{id}{MARK}").into()) } else { id }
    };
    for cell in &mut baseline.cells {
        cell.target = rename(cell.target.clone());
    }
    baseline.targets =
        std::mem::take(&mut baseline.targets).into_iter().map(|(id, record)| (rename(id), record)).collect();
}

fn put_on(measured: &mut Measured, side: Side) {
    let word = match side {
        Side::Baseline => "baseline",
        Side::Candidate => "candidate",
    };
    let rename = |id: &CellId| CellId(format!("{word}:{id}").into());
    for cell in &mut measured.header.cells {
        cell.id = rename(&cell.id);
        cell.side = side;
    }
    for Stale { cell, .. } in &mut measured.header.stale {
        *cell = rename(cell);
    }
    for card in &mut measured.scorecards {
        card.cell = rename(&card.cell);
    }
    measured.gathered.rename_cells(&rename);
}

/// What is mixed, where the sides ran different versions of the suite.
pub(super) fn mixed_suites(
    baseline: &ComparedSide,
    candidate: &ComparedSide,
    cells: &[ComparedCell],
) -> Option<String> {
    let (before, after) = (&baseline.suite, &candidate.suite);
    let named = |suite: &transcript::SuiteRecord| {
        format!("{} v{} ({})", suite.name, suite.version, suite.hash.short())
    };
    if before.name != after.name || before.version != after.version {
        return Some(format!("the sides ran different suites: {} and {}", named(before), named(after)));
    }
    let changed = cells.iter().flat_map(|cell| &cell.unpaired).filter(|probe| probe.side.is_none()).count();
    (changed > 0).then(|| {
        format!(
            "the sides ran different questions under one version of the suite ({} and {}): {} of them changed",
            before.hash.short(),
            after.hash.short(),
            count(changed as u64)
        )
    })
}

/// What has to be known before a figure is read, most important first.
pub(super) fn notes(comparison: &Comparison) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(comparison.mixed_suites.clone());
    if comparison.factors.len() > 1 {
        let words: Vec<&str> = comparison.factors.iter().map(|factor| factor.as_str()).collect();
        notes.push(format!("{} differ: which of them is the cause cannot be told", words.join(" and ")));
    }
    if !comparison.concurrent {
        notes.push("not concurrent: the sides were measured in different runs".to_owned());
    }
    let unpaired: Vec<_> = comparison.cells.iter().flat_map(|cell| &cell.unpaired).collect();
    let stale = unpaired.iter().filter(|probe| probe.stale).count() as u64;
    let others = unpaired.len() as u64 - stale;
    if stale > 0 {
        let verb = if stale == 1 { "is" } else { "are" };
        notes.push(format!("{} {verb} stale on one side and not paired", counted(stale, "probe")));
    }
    if others > 0 {
        let verb = if others == 1 { "is" } else { "are" };
        notes.push(format!("{} {verb} on one side alone and not paired", counted(others, "probe")));
    }
    for cell in &comparison.alone {
        let other = match cell.side {
            Side::Baseline => "candidate",
            Side::Candidate => "baseline",
        };
        notes.push(format!("{} has no counterpart in the {other}", cell.label));
    }
    notes
}
