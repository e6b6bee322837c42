//! What any format shows, with nothing left to work out.

mod cell;
mod excerpt;
mod gathered;
mod identity;
mod invention;
mod judged_call;
mod shown_trial;
mod summary;

use probes::RateName;
use schemars::JsonSchema;
use scorer::{Metric, Scorecard, UnlistedNames, suspect_probes};
use serde::{Deserialize, Serialize};
use transcript::{Header, ProbeId};

use crate::compare::Comparison;
use crate::gate::Gate;
use crate::share::Share;

pub(crate) use cell::outcome_counts;
pub use cell::{
    ArmOutcomeCount, BehaviourCount, CellReport, OutcomeCount, ProbeReport, ServedCount, UnscoredProbe,
};
pub use excerpt::Excerpt;
pub use gathered::{ExcludedTrial, ExcludedTrials, Gathered};
pub use identity::{CatalogIdentity, CellIdentity, Identity, PromptIdentity, TargetIdentity};
pub use invention::Invention;
pub use judged_call::{EmittedCall, EmittedTurn, ShownResult};
pub use shown_trial::{JudgedTrial, Offering, ShownFinding, ShownMessage, ShownOutcome, ShownTrial};
pub use summary::{RunCost, RunFacts, RunSummary, TrialCounts};
pub(crate) use summary::{cause_words, endpoint_words, served_words};

/// The format's name and version.
pub const REPORT_FORMAT: &str = "toolmirage-report/1";

/// The report of one run. `report.json` is this value; every other format shows the same value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Present where a target was simulated: then the first and the last thing that any format shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// Present where the record is unfinished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
    /// `toolmirage-report/1`.
    pub format: String,
    /// Whether any target was a simulated model: then nothing here measures a model.
    pub simulated: bool,
    /// Whether the run came to its planned end.
    pub finished: bool,
    /// Whether at least one trial was scored.
    pub measured: bool,
    /// How much of what was said it carries: `full` where it is not named.
    #[serde(default, skip_serializing_if = "Share::is_full")]
    pub share: Share,
    /// What else has to be known before a figure is read, most important first.
    pub notes: Vec<String>,
    /// What the gate said; none where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// The two sides, where there are two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// What was run.
    pub identity: Identity,
    /// When, how long, how much.
    pub run: RunSummary,
    /// Trials planned, scored and left out, over all cells.
    pub trials: TrialCounts,
    /// What each rate of this report counts, in the order in which rates are shown.
    pub definitions: Vec<RateDefinition>,
    /// The cells, in the order of the run.
    pub cells: Vec<CellReport>,
    /// Outcomes of decoy-family trials over all cells, in the order in which they are always shown; their
    /// trials add up to `decoy_trials`.
    pub outcomes: Vec<OutcomeCount>,
    /// Scored trials that have an outcome, over all cells.
    pub decoy_trials: u64,
    /// Kinds of the probes that have an outcome, in suite order.
    pub decoy_kinds: Vec<String>,
    /// Unknown names over all cells, most frequent first.
    pub invented: Vec<Invention>,
    /// Unknown names that the scorecards had no room for.
    pub unlisted_names: UnlistedNames,
    /// Probes that look broken; a person has to look at them, and they are counted.
    pub suspect: Vec<ProbeId>,
    /// The trials with a counted finding or a wrong behaviour, in the order of cells, probes and repeats; of very many
    /// the first repeats.
    pub failing: Vec<ShownTrial>,
    /// Failing trials that are not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_failing: u64,
    /// Trials that are in no rate.
    pub excluded: ExcludedTrials,
    /// The notice again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_notice: Option<String>,
}

/// What a rate counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RateDefinition {
    /// Which rate.
    pub metric: RateName,
    /// Its name in prose.
    pub title: String,
    /// What the numerator counts.
    pub numerator: String,
    /// What the denominator counts.
    pub denominator: String,
    /// The denominator in two or three words.
    pub of: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Report {
    /// Makes the report of a run: `scorecards` in any order, `gathered` from its judged trials.
    #[must_use]
    pub fn of(header: &Header, mut scorecards: Vec<Scorecard>, gathered: Gathered, facts: RunFacts) -> Self {
        let place = |card: &Scorecard| header.cells.iter().position(|cell| cell.id == card.cell);
        scorecards.sort_by_key(|card| (place(card).unwrap_or(usize::MAX), card.cell.clone()));

        let identity = Identity::of(header, &scorecards);
        let mut trials = TrialCounts::of(&scorecards);
        let simulated = identity.cells.iter().any(|cell| cell.simulated);
        let notice = simulated.then(|| summary::simulated_notice(&identity));
        let unfinished = (!facts.finished).then(|| summary::unfinished_notice(&trials));
        let gathered = gathered.finish(&scorecards);
        trials.causes =
            gathered.causes.iter().map(|(cause, trials)| (cause.as_str().to_owned(), *trials)).collect();
        let notes = summary::notes(&facts, &trials, &scorecards, &identity);
        let outcomes = outcome_counts(scorecards.iter().map(|card| &card.outcomes));
        let definitions = definitions(&scorecards, &trials);
        let decoy_kinds = cell::decoy_kinds(&scorecards);
        let invented = invention::merge(&scorecards);
        let unlisted_names = invention::unlisted(&scorecards);
        let suspect = suspect_probes(&scorecards);
        let decoy_trials = scorecards.iter().map(|card| card.decoy_trials).sum();
        let served = gathered.served;
        let cells = scorecards
            .into_iter()
            .map(|card| {
                let served = served.get(&card.cell).cloned().unwrap_or_default();
                CellReport::of(card, &identity, served)
            })
            .collect();
        Self {
            end_notice: notice.clone(),
            notice,
            unfinished,
            format: REPORT_FORMAT.to_owned(),
            simulated,
            finished: facts.finished,
            measured: trials.scored > 0,
            share: Share::Full,
            notes,
            gate: None,
            comparison: None,
            run: RunSummary::of(facts, gathered.usage, RunCost::of(header, &gathered.of_cell)),
            identity,
            trials,
            definitions,
            cells,
            outcomes,
            decoy_trials,
            decoy_kinds,
            invented,
            unlisted_names,
            suspect,
            failing: gathered.failing,
            more_failing: gathered.more_failing,
            excluded: gathered.excluded,
        }
    }

    /// The trials with a counted finding or a wrong behaviour, listed or not.
    #[must_use]
    pub fn failing_trials(&self) -> u64 {
        self.failing.len() as u64 + self.more_failing
    }

    /// What a rate counts; every rate that a cell has is defined.
    pub(crate) fn definition(&self, metric: RateName) -> Option<&RateDefinition> {
        self.definitions.iter().find(|definition| definition.metric == metric)
    }
}

/// The headline rates, then whichever side rates a cell has, in their fixed order.
fn definitions(scorecards: &[Scorecard], trials: &TrialCounts) -> Vec<RateDefinition> {
    let mut metrics: Vec<RateName> =
        scorecards.iter().flat_map(|card| &card.rates).map(|rate| rate.metric).collect();
    metrics.extend(RateName::HEADLINE);
    metrics.sort_unstable();
    metrics.dedup();
    metrics.into_iter().map(|metric| definition(metric, scorecards, trials)).collect()
}

fn definition(metric: RateName, scorecards: &[Scorecard], trials: &TrialCounts) -> RateDefinition {
    let words = crate::words::words(metric);
    let counts = Metric::of(metric);
    let planned: u64 = scorecards.iter().filter_map(|card| card.rate(metric)).map(|rate| rate.planned).sum();
    let all = metric == RateName::UnknownTool && planned == trials.planned;
    RateDefinition {
        metric,
        title: words.title.to_owned(),
        numerator: counts.numerator.to_owned(),
        denominator: counts.denominator.to_owned(),
        of: if all { "of all trials" } else { words.of }.to_owned(),
    }
}

/// The JSON Schema of `report.json`, which `reports/schema.json` publishes.
#[must_use]
pub fn report_schema() -> serde_json::Value {
    schemars::schema_for!(Report).to_value()
}
