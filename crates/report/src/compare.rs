//! Two sides of the same probes: what rose, what fell, what cannot be told, and what differs between them
//! (DESIGN.md 6). All of it is settled here; a renderer only prints it.

mod cells;
mod changes;
mod differences;
mod invented;
mod probes;
mod sides;

use std::cmp::Ordering;
use std::collections::HashMap;

use ::probes::RateName;
use schemars::JsonSchema;
use scorer::{DecoyOutcome, NameForm, PairedRate, Repeats, Scorecard};
use serde::{Deserialize, Serialize};
use transcript::{CellId, Fingerprint, Header, ProbeId, Side, SuiteRecord, ToolName};

use crate::gate::Policy;
use crate::report::{Excerpt, Gathered, OutcomeCount, ShownTrial};

pub use cells::Incomparable;
pub use sides::{Measured, join};

/// Two sides, paired probe by probe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// What was there.
    pub baseline: ComparedSide,
    /// What was measured against it.
    pub candidate: ComparedSide,
    /// Whether both sides were measured in one run, trial beside trial.
    pub concurrent: bool,
    /// The coordinates in which paired cells differ. Empty: nothing differs. More than one: the cause cannot
    /// be told.
    pub factors: Vec<Factor>,
    /// What differs, in their own words.
    pub differences: Differences,
    /// Whether the sides ran different versions of the suite: then only what both have is paired.
    pub mixed_suites: Option<String>,
    /// Gated rates over all pairs of cells that were tested together: Holm's family.
    pub family: u64,
    /// The pairs of cells, in the order of the candidate's.
    pub cells: Vec<ComparedCell>,
    /// Cells that the other side has no counterpart of.
    pub alone: Vec<LoneCell>,
    /// What else has to be known, most important first.
    pub notes: Vec<String>,
    /// Trials of changed probes, which `changed` points into.
    pub trials: Vec<ShownTrial>,
}

/// One side as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedSide {
    /// What a reader would call it: a git ref, or the run's name.
    pub label: String,
    /// The run's name.
    pub run: String,
    /// Its folder, where it has one of its own.
    pub folder: Option<String>,
    /// Whether it is an accepted baseline: then it holds outcomes and no transcripts.
    pub accepted: bool,
    /// Start of the first and end of the last trial, RFC 3339.
    pub window: Option<(String, String)>,
    /// The suite.
    pub suite: SuiteRecord,
    /// Repeats of each probe.
    pub repeats: u32,
    /// Most turns of a trial.
    pub max_turns: u32,
}

/// A coordinate of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    /// The system prompt.
    Prompt,
    /// The tool catalog.
    Catalog,
    /// The model, its settings or its endpoint.
    Target,
}

impl Factor {
    /// Every factor, in the order in which they are named.
    pub const ALL: [Self; 3] = [Self::Prompt, Self::Catalog, Self::Target];

    /// The word that flags and files use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Catalog => "catalog",
            Self::Target => "target",
        }
    }
}

/// What differs between the sides.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Differences {
    /// Prompts, line by line.
    pub prompts: Vec<PromptChange>,
    /// Catalogs, tool by tool.
    pub catalogs: Vec<CatalogChange>,
    /// Targets, setting by setting.
    pub targets: Vec<TargetChange>,
    /// Of the runs: suite version, repeats, most turns.
    pub runs: Vec<FieldChange>,
}

/// One prompt on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptChange {
    /// Its name in the candidate.
    pub label: String,
    /// Its file, where it is known.
    pub file: Option<String>,
    /// Hash on the baseline's side.
    pub baseline: Option<Fingerprint>,
    /// Hash on the candidate's side.
    pub candidate: Option<Fingerprint>,
    /// Lines that were added or removed, in order.
    pub lines: Vec<DiffLine>,
    /// Such lines that are not listed.
    pub more: u64,
}

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiffLine {
    /// Whether it is only in the candidate; else it is only in the baseline.
    pub added: bool,
    /// Its number on its side, from 1, as rendered.
    pub line: u64,
    /// The line.
    pub text: Excerpt,
}

/// One catalog on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CatalogChange {
    /// Its label in the candidate.
    pub label: String,
    /// Tools that only the candidate offers.
    pub added: Vec<ToolName>,
    /// Tools that only the baseline offers.
    pub removed: Vec<ToolName>,
    /// Tools of both whose description or schema differs.
    pub changed: Vec<ToolChange>,
    /// Whether the tools of both stand in another order.
    pub reordered: bool,
}

/// One tool of both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolChange {
    /// The tool.
    pub name: ToolName,
    /// The description before and after, where it differs.
    pub description: Option<(Excerpt, Excerpt)>,
    /// Arguments that only the candidate declares.
    pub arguments_added: Vec<String>,
    /// Arguments that only the baseline declares.
    pub arguments_removed: Vec<String>,
    /// Whether the schemas differ in any way.
    pub schema: bool,
}

/// One target on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TargetChange {
    /// What the pair of cells is called.
    pub label: String,
    /// What differs.
    pub fields: Vec<FieldChange>,
}

/// One value on both sides; none where a side does not have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldChange {
    /// Its name.
    pub name: String,
    /// Before.
    pub baseline: Option<String>,
    /// After.
    pub candidate: Option<String>,
}

/// A pair of cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedCell {
    /// What tells the pair from the others: prompt and model, and more where that is needed.
    pub label: String,
    /// The prompt's name; none where there is none.
    pub prompt: Option<String>,
    /// The catalog's label in the candidate.
    pub catalog: String,
    /// The model asked for in the candidate.
    pub target: String,
    /// The baseline's cell.
    pub baseline: CellId,
    /// The candidate's cell.
    pub candidate: CellId,
    /// In what they differ.
    pub factors: Vec<Factor>,
    /// Whether either is simulated.
    pub simulated: bool,
    /// Probes with equal id and question hash on both sides, whatever came of them.
    pub pairs: u64,
    /// Scored trials of the baseline's cell and of the candidate's, paired or not: what `invented` counts over.
    #[serde(default)]
    pub scored: (u64, u64),
    /// The rates: the three first, then the side rates that both have.
    pub changes: Vec<Change>,
    /// What was done where the tool was missing; none where no pair of probes has an outcome.
    pub outcomes: Option<OutcomeChange>,
    /// Names that were made up on either side, by how much more they are in the candidate.
    pub invented: Vec<InventedChange>,
    /// Probes with another share of events in any rate: those that got worse first, in suite order.
    pub changed: Vec<ChangedProbe>,
    /// Probes that are on one side alone, with the reason.
    pub unpaired: Vec<UnpairedProbe>,
}

/// One rate of a pair of cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Which.
    pub metric: RateName,
    /// Whether the gate looks at it; else it is for reading.
    pub gated: bool,
    /// The figures over paired probes; none where no probe was scored on both sides.
    pub rate: Option<PairedRate>,
    /// Gated: Holm's over the family. Else: Benjamini and Hochberg's q over the rates for reading.
    pub adjusted_p: Option<f64>,
    /// What follows from it.
    pub direction: Direction,
    /// Why it is not comparable.
    pub reason: Option<String>,
    /// The rise that this comparison shows with a chance of 80 %, in shares of 1; none where no rise can be
    /// shown, or where it cannot be worked out.
    pub sees_rise: Option<f64>,
    /// Scored and planned trials of the baseline's cell.
    pub baseline_coverage: (u64, u64),
    /// Likewise of the candidate's.
    pub candidate_coverage: (u64, u64),
}

/// What a difference says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// A rise is shown.
    Rose,
    /// A fall is shown.
    Fell,
    /// No difference was shown, none was ruled out.
    Unclear,
    /// One side has no figure.
    NotComparable,
}

impl Direction {
    /// The word that tables use: of rates that count faults, more is worse.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Rose => "worse",
            Self::Fell => "better",
            Self::Unclear => "unclear",
            Self::NotComparable => "not comparable",
        }
    }
}

/// Decoy outcomes of paired probes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeChange {
    /// Probes with an outcome on both sides.
    pub pairs: u64,
    /// Trials of the baseline by outcome, in the order in which outcomes are always shown.
    pub baseline: Vec<OutcomeCount>,
    /// Trials of the candidate by outcome.
    pub candidate: Vec<OutcomeCount>,
}

/// A name that is in no catalog, on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InventedChange {
    /// The name as emitted.
    pub name: Excerpt,
    /// Why it misses.
    pub name_form: NameForm,
    /// Trials of the baseline that called it.
    pub baseline: u64,
    /// Trials of the candidate.
    pub candidate: u64,
    /// The offered name that is nearest.
    pub nearest_tool: Option<ToolName>,
    /// The tool that a lenient dispatcher would have run for it, most often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_run: Option<ToolName>,
    /// Tools of the same family that are offered.
    pub family: Vec<ToolName>,
    /// One probe to look at.
    pub example: ProbeId,
}

/// A probe that came out otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedProbe {
    /// The probe.
    pub probe: ProbeId,
    /// Its kind.
    pub kind: String,
    /// Its arm; none for the base arm.
    pub arm: Option<String>,
    /// Its task.
    pub task: String,
    /// The tool wanted.
    pub tool: Option<ToolName>,
    /// Whether any finding fails the gate.
    pub must_pass: bool,
    /// What became of it.
    pub direction: ProbeDirection,
    /// The rates that changed, in their fixed order.
    pub rates: Vec<ProbeChange>,
    /// The outcome of the first such trial on each side, where the tool was missing.
    pub outcomes: (Option<DecoyOutcome>, Option<DecoyOutcome>),
    /// What further trials of it showed; they enter no rate.
    pub confirmed: Option<Confirmed>,
    /// A trial of the baseline that shows the change: its place in `Comparison::trials`.
    pub baseline_trial: Option<usize>,
    /// Likewise of the candidate.
    pub candidate_trial: Option<usize>,
}

/// Which way a probe changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProbeDirection {
    /// More events in every rate that changed.
    Worse,
    /// More in one, fewer in another.
    Mixed,
    /// Fewer in every rate that changed.
    Better,
}

/// One rate of a probe that came out otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProbeChange {
    /// Which.
    pub metric: RateName,
    /// Whether the gate looks at it.
    pub gated: bool,
    /// Before.
    pub baseline: Repeats,
    /// After.
    pub candidate: Repeats,
}

impl ProbeChange {
    /// Which way the share of events went: `Greater` where the candidate has more of them. It is worked out on
    /// the common denominator of both sides, so that equal shares are equal.
    pub(crate) fn movement(&self) -> Ordering {
        let share = |one: Repeats, other: Repeats| u64::from(one.events) * u64::from(other.scored);
        share(self.candidate, self.baseline).cmp(&share(self.baseline, self.candidate))
    }
}

/// Further trials of a changed probe, for reading alone: trials with an event of a rate in which it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Confirmed {
    /// On the baseline's side.
    pub baseline: Repeats,
    /// On the candidate's side.
    pub candidate: Repeats,
}

/// A probe without a counterpart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnpairedProbe {
    /// The probe.
    pub probe: ProbeId,
    /// The side that has it; none where both have it and ask something else.
    pub side: Option<Side>,
    /// Why the other does not.
    pub reason: String,
    /// Whether it is stale on the other side: its question gives no probe on that catalog.
    pub stale: bool,
}

/// A cell without a counterpart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoneCell {
    /// The cell.
    pub cell: CellId,
    /// Its side.
    pub side: Side,
    /// What it is called.
    pub label: String,
}

impl Comparison {
    /// Takes in what further trials of changed probes showed.
    pub fn confirm(&mut self, gathered: &Gathered) {
        let mut by_probe: HashMap<(&CellId, &ProbeId), Vec<&[RateName]>> = HashMap::new();
        for trial in gathered.confirmations() {
            if let Some(events) = &trial.events {
                by_probe.entry((&trial.cell, &trial.probe)).or_default().push(events);
            }
        }
        for cell in &mut self.cells {
            for probe in &mut cell.changed {
                let rates: Vec<RateName> = probe.rates.iter().map(|rate| rate.metric).collect();
                let of = |side: &CellId| {
                    let mut repeats = Repeats::default();
                    for events in by_probe.get(&(side, &probe.probe)).into_iter().flatten() {
                        repeats.scored += 1;
                        repeats.events += u32::from(events.iter().any(|event| rates.contains(event)));
                    }
                    repeats
                };
                let confirmed = Confirmed { baseline: of(&cell.baseline), candidate: of(&cell.candidate) };
                let is_any = confirmed.baseline.scored + confirmed.candidate.scored > 0;
                probe.confirmed = is_any.then_some(confirmed);
            }
        }
    }

    /// The probes whose trials are worth showing, each with its two cells: those of gated rates first, the
    /// first `limit` of each pair of cells.
    pub fn to_show(&self, limit: usize) -> impl Iterator<Item = (&ComparedCell, &ChangedProbe)> {
        self.cells
            .iter()
            .flat_map(move |cell| cell.changed.iter().take(limit).map(move |probe| (cell, probe)))
    }

    /// Takes in shown trials of changed probes: of each side the first that shows the change, that is with
    /// an event where there are more of them than on the other side, and without where there are fewer.
    pub fn show(&mut self, trials: Vec<ShownTrial>) {
        let mut by_probe: HashMap<(CellId, ProbeId), Vec<ShownTrial>> = HashMap::new();
        for trial in trials {
            by_probe.entry((trial.cell.clone(), trial.probe.clone())).or_default().push(trial);
        }
        for cell in &mut self.cells {
            for probe in &mut cell.changed {
                let rate = probe.rates.iter().find(|rate| rate.gated).or(probe.rates.first());
                let Some(rate) = rate.copied() else { continue };
                let rose = rate.movement() == Ordering::Greater;
                let mut pick = |side: &CellId, with_event: bool| {
                    let trials = by_probe.remove(&(side.clone(), probe.probe.clone()))?;
                    let first = trials.into_iter().min_by_key(|trial| {
                        (trial.events.contains(&rate.metric) != with_event, trial.repeat)
                    })?;
                    self.trials.push(first);
                    Some(self.trials.len() - 1)
                };
                probe.baseline_trial = pick(&cell.baseline, !rose);
                probe.candidate_trial = pick(&cell.candidate, rose);
            }
        }
    }
}

/// What the caller decides about a comparison.
#[derive(Debug, Clone)]
pub struct CompareOptions<'a> {
    /// The sides as the caller knows them.
    pub baseline: ComparedSide,
    /// Likewise.
    pub candidate: ComparedSide,
    /// Whether both were measured in one run.
    pub concurrent: bool,
    /// What may differ.
    pub factor: FactorChoice,
    /// Which rates are gated, at which error, with which tolerance.
    pub policy: &'a Policy,
}

/// What may differ between paired cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorChoice {
    /// Whichever one coordinate differs.
    One,
    /// This one alone.
    Only(Factor),
    /// Several: then the cause cannot be told.
    All,
}

/// Compares the two sides of a record, or of two joined ones: cells of [`Side::Baseline`] with those of
/// [`Side::Candidate`].
///
/// # Errors
/// There is nothing to compare, or more differs than was asked for.
pub fn compare(
    header: &Header,
    scorecards: &[Scorecard],
    options: CompareOptions<'_>,
) -> Result<Comparison, Incomparable> {
    let matched = cells::matched(header, options.factor)?;
    let mut compared = Vec::new();
    for pair in &matched.pairs {
        let card = |id: &CellId| scorecards.iter().find(|card| card.cell == *id);
        let (Some(baseline), Some(candidate)) = (card(&pair.baseline.id), card(&pair.candidate.id)) else {
            continue;
        };
        compared.push(cells::compared(header, pair, baseline, candidate, options.policy));
    }
    if compared.iter().all(|cell| cell.pairs == 0) {
        return Err(Incomparable::NoPair);
    }
    let family = changes::adjust(&mut compared, options.policy);
    let mut factors: Vec<Factor> = compared.iter().flat_map(|cell| cell.factors.iter().copied()).collect();
    factors.sort_unstable();
    factors.dedup();
    let mixed_suites = sides::mixed_suites(&options.baseline, &options.candidate, &compared);
    let differences = differences::between(header, &matched, (&options.baseline, &options.candidate));
    let mut comparison = Comparison {
        differences,
        baseline: options.baseline,
        candidate: options.candidate,
        concurrent: options.concurrent,
        factors,
        mixed_suites,
        family,
        cells: compared,
        alone: matched.alone,
        notes: Vec::new(),
        trials: Vec::new(),
    };
    comparison.notes = sides::notes(&comparison);
    Ok(comparison)
}
