//! One cell's rates together with its per-probe outcomes: what reports show and what a comparison pairs.

use std::sync::Arc;

use indexmap::IndexMap;
use probes::RateName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::{CellId, Fingerprint, ProbeId, ToolName, TrialStatus};

use crate::rate::{PerCall, Rate};
use crate::verdict::{AfterUnknown, Behaviour, DecoyOutcome, NameForm};

pub(crate) mod suspect;

/// Version of the scoring rules. It changes with every change that can move a verdict or a rate.
pub const SCORER: &str = "scorer/2";

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scorecard {
    /// The cell.
    pub cell: CellId,
    /// Version of the scoring rules: both sides of a comparison must have the same.
    pub scorer: String,
    /// The three headline rates, then the side rates that had at least one opportunity.
    pub rates: Vec<Rate>,
    /// Headline rates within one kind, one wanted tool, one source of the task's words, drafts or not.
    pub slices: Vec<Slice>,
    /// Trials by status; the planned ones that were never sent are `not_sent`.
    pub statuses: IndexMap<String, u64>,
    /// Trials planned.
    pub planned: u64,
    /// Trials that were handed in a second time; the first stands.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub duplicates: u64,
    /// Trials that belong to no planned probe or repeat; they enter nothing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unplanned: u64,
    /// Calls and turns seen in scored trials.
    pub totals: Totals,
    /// Decoy outcomes over decoy-family trials of the base arm; they sum to `decoy_trials`.
    pub outcomes: IndexMap<DecoyOutcome, u64>,
    /// Scored trials that have an outcome.
    pub decoy_trials: u64,
    /// What the turn after an answered unknown call does, over the trials of `repeated_unknown`, which they sum to.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub after_unknown: IndexMap<AfterUnknown, u64>,
    /// Unknown names in the trials of the unknown-tool rate, most frequent first, then by name.
    pub invented: Vec<InventedName>,
    /// What `invented` has no room for.
    #[serde(default, skip_serializing_if = "UnlistedNames::is_empty")]
    pub unlisted_names: UnlistedNames,
    /// What dispatchers would have done with the unknown calls of those trials, `strict` first; empty without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dispatch: Vec<DispatchOutcome>,
    /// Tool correctness as other frameworks define it, over scored base-arm trials that expect a call or none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_correctness: Vec<ToolCorrectness>,
    /// Decoys that were called in place of the tool, most frequent first.
    pub shadowed: Vec<ShadowedTool>,
    /// Argument findings by word, in the trials of the hallucinated-argument rate.
    pub argument_findings: Vec<ArgumentCount>,
    /// Format findings by word, in scored trials.
    pub format_findings: IndexMap<String, u64>,
    /// One for each probe, in the order of the suite.
    pub probes: Arc<[ProbeOutcome]>,
    /// Paired deltas of arms against the base arm of the same task (overclaimed against honest).
    pub arms: Vec<ArmDelta>,
    /// Decoy outcomes of such pairs, arm by arm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arm_outcomes: Vec<ArmOutcomes>,
    /// Controls that none of at least three trials of this cell passes. What several cells say together: [`crate::suspect_probes`].
    pub suspect: Vec<ProbeId>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Headline rates of a part of the probes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slice {
    /// By what: `kind`, `tool`, `source`, `draft`.
    pub by: String,
    /// Which.
    pub value: String,
    /// The rates that have at least one eligible probe in it.
    pub rates: Vec<Rate>,
}

/// What the scored trials hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Turns.
    pub turns: u64,
    /// Structured calls, and calls that the provider reports as malformed.
    pub calls: u64,
    /// Structured calls of registered tools.
    pub known_calls: u64,
    /// Arguments of those, in trials whose arguments were judged.
    pub arguments: u64,
    /// Calls in text or reasoning.
    pub text_calls: u64,
    /// Input tokens, as far as reported.
    pub input_tokens: u64,
    /// Output tokens, as far as reported.
    pub output_tokens: u64,
}

impl Totals {
    pub(crate) fn add(&mut self, other: Self) {
        self.turns += other.turns;
        self.calls += other.calls;
        self.known_calls += other.known_calls;
        self.arguments += other.arguments;
        self.text_calls += other.text_calls;
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

/// An unknown name and where it was called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InventedName {
    /// The name as emitted; a very long one is cropped, with a mark that says how much is left out.
    pub name: String,
    /// Why it misses.
    pub name_form: NameForm,
    /// Scored trials that called it.
    pub trials: u64,
    /// Calls.
    pub calls: u64,
    /// The offered name that is nearest, most often.
    pub nearest_tool: Option<ToolName>,
    /// Tools of the same family that the example offers.
    pub family: Vec<ToolName>,
    /// The tool that a lenient dispatcher ([`crate::Policy::lenient`]) would have run for it, most often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_run: Option<ToolName>,
    /// The tool that probes with this name wanted, most often.
    pub wanted: Option<ToolName>,
    /// One probe to look at: the first by id.
    pub example: ProbeId,
}

/// What one dispatcher would have done with a cell's unknown calls. `raised` is what its error log would show:
/// the lower bound of the unknown calls, whose number is the upper one (DESIGN.md 3.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DispatchOutcome {
    /// The policy: `strict`, `closest_match@0.85`.
    pub policy: String,
    /// Its rule, in a few words.
    pub algorithm: String,
    /// From which likeness on names match, from 0 to 1, where it measures one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoff: Option<f64>,
    /// Which dispatcher does that.
    pub source: String,
    /// Structured calls of unknown names: raised, repaired and other together.
    pub unknown_calls: u64,
    /// Calls that would have raised an error.
    pub raised: u64,
    /// Calls that would have run the tool that was meant.
    pub repaired: u64,
    /// Calls that would have run another tool.
    pub other: u64,
    /// Those by the tool, most frequent first, then by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_tools: Vec<RoutedTo>,
}

impl DispatchOutcome {
    /// Calls that no error would have told of.
    #[must_use]
    pub fn absorbed(&self) -> u64 {
        self.repaired + self.other
    }
}

/// Tool correctness by one definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCorrectness {
    /// `by_name` or `exact`.
    pub definition: String,
    /// What it asks for.
    pub words: String,
    /// Trials that are correct by it.
    pub correct: u64,
    /// Trials that it could judge.
    pub scored: u64,
    /// The others, by the first of our findings that explains each; they sum to `scored` less `correct`.
    pub misses: IndexMap<String, u64>,
}

/// Calls that a dispatcher would have sent to a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoutedTo {
    /// The tool.
    pub tool: ToolName,
    /// Calls.
    pub calls: u64,
}

/// Unknown names beyond those that are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct UnlistedNames {
    /// Trials that called them, once for each name.
    pub trials: u64,
    /// Calls.
    pub calls: u64,
}

impl UnlistedNames {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.trials += other.trials;
        self.calls += other.calls;
    }
}

/// A decoy that was called in place of the tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShadowedTool {
    /// The decoy.
    pub decoy: ToolName,
    /// The tool that was meant.
    pub wanted: ToolName,
    /// Trials that called it.
    pub trials: u64,
    /// Scored lookalike trials of this pair.
    pub of: u64,
}

/// How often one argument fault was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArgumentCount {
    /// The word.
    pub finding: String,
    /// Findings that count.
    pub counted: u64,
    /// Findings that are only listed or suspected.
    pub listed: u64,
}

/// One probe over its repeats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProbeOutcome {
    /// The probe.
    pub id: ProbeId,
    /// Its question's hash: a comparison pairs by both.
    pub question_hash: Fingerprint,
    /// What was sent.
    pub sent_hash: Fingerprint,
    /// Its kind.
    pub kind: String,
    /// Its arm.
    pub arm: Option<String>,
    /// Its task: the cluster.
    pub task: String,
    /// The tool wanted.
    pub tool: Option<ToolName>,
    /// Where the task's words come from.
    pub source: String,
    /// Whether the task is a draft.
    pub draft: bool,
    /// Whether any finding fails the gate.
    pub must_pass: bool,
    /// Whether everybody should pass it: the tool is there, a call of it is right, and nothing leads astray.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
    /// Repeats planned.
    pub planned: u32,
    /// By headline and side rate that it enters: events of scored repeats.
    pub rates: IndexMap<RateName, Repeats>,
    /// Its trials' statuses.
    pub statuses: IndexMap<TrialStatus, u32>,
    /// Its trials' behaviour, by repeat.
    pub behaviours: Vec<(u32, Behaviour)>,
    /// Its trials' outcomes, by repeat.
    pub outcomes: Vec<(u32, DecoyOutcome)>,
}

/// Events over the repeats of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Repeats {
    /// Repeats with the event.
    pub events: u32,
    /// Repeats scored for this rate.
    pub scored: u32,
}

/// A pair of arms over the tasks that have both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArmDelta {
    /// The kind that has the arms; `ALL_KINDS` where the suite has them: all kinds together.
    pub kind: String,
    /// The treatment arm; the other is the base arm.
    pub arm: String,
    /// What is counted.
    pub metric: RateName,
    /// Pairs with both sides scored.
    pub pairs: u64,
    /// Tasks of those.
    pub clusters: u64,
    /// The event in base trials.
    pub base: PerTrial,
    /// The event in treatment trials.
    pub treatment: PerTrial,
    /// Treatment minus base, each the mean over probes.
    pub difference: Option<f64>,
    /// Two-sided 95 % interval of the difference.
    pub interval_95: Option<(f64, f64)>,
    /// Pairs in which only the base arm had the event, and only the treatment arm.
    pub discordant: (u64, u64),
    /// Exact and mid-p of the sign-flip test.
    pub p: Option<(f64, f64)>,
    /// The mid-p with all arms and rates of the cell in view (Benjamini and Hochberg), for all kinds together.
    #[serde(default)]
    pub q: Option<f64>,
}

impl ArmDelta {
    /// What stands in place of a kind where all of them are taken together.
    pub const ALL_KINDS: &'static str = "all";

    /// Whether all kinds are taken together.
    #[must_use]
    pub fn is_over_all_kinds(&self) -> bool {
        self.kind == Self::ALL_KINDS
    }
}

/// Decoy outcomes of a pair of arms, over the trials of both that have one. Each side sums to `pairs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArmOutcomes {
    /// The kind that has the arms; `ArmDelta::ALL_KINDS` for all together.
    pub kind: String,
    /// The treatment arm; the other is the base arm.
    pub arm: String,
    /// Pairs of trials with an outcome on both sides.
    pub pairs: u64,
    /// Trials of the base arm by outcome.
    pub base: IndexMap<DecoyOutcome, u64>,
    /// Trials of the treatment arm by outcome.
    pub treatment: IndexMap<DecoyOutcome, u64>,
}

/// Events over trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PerTrial {
    /// Trials with the event.
    pub events: u64,
    /// Trials scored.
    pub scored: u64,
}

impl Scorecard {
    /// One of the rates, where the cell has it.
    #[must_use]
    pub fn rate(&self, name: RateName) -> Option<&Rate> {
        self.rates.iter().find(|rate| rate.metric == name)
    }

    /// Probes that enter a rate without one scored repeat: they are in none of its figures.
    pub fn unscored_probes(&self, name: RateName) -> impl Iterator<Item = &ProbeId> {
        let unscored =
            move |probe: &&ProbeOutcome| probe.rates.get(&name).is_some_and(|repeats| repeats.scored == 0);
        self.probes.iter().filter(unscored).map(|probe| &probe.id)
    }

    /// Trials that were scored.
    #[must_use]
    pub fn scored(&self) -> u64 {
        self.statuses.get(TrialStatus::Scored.as_str()).copied().unwrap_or(0)
    }

    /// Unknown calls by call, for the line below the headline.
    #[must_use]
    pub fn unknown_calls(&self) -> Option<PerCall> {
        self.rate(RateName::UnknownTool).and_then(|rate| rate.per_call)
    }
}
