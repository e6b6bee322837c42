//! One cell's rates together with its per-probe outcomes: what reports show and what a comparison pairs.

use indexmap::IndexMap;
use probes::RateName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::{CellId, Fingerprint, ProbeId, ToolName, TrialStatus};

use crate::rate::{PerCall, Rate};
use crate::verdict::{Behaviour, DecoyOutcome, NameForm};

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Calls and turns seen in scored trials.
    pub totals: Totals,
    /// Decoy outcomes over decoy-family trials of the base arm; they sum to `decoy_trials`.
    pub outcomes: IndexMap<DecoyOutcome, u64>,
    /// Scored trials that have an outcome.
    pub decoy_trials: u64,
    /// Unknown names, most frequent first.
    pub invented: Vec<InventedName>,
    /// Decoys that were called in place of the tool, most frequent first.
    pub shadowed: Vec<ShadowedTool>,
    /// Argument findings by word.
    pub argument_findings: Vec<ArgumentCount>,
    /// Format findings by word.
    pub format_findings: IndexMap<String, u64>,
    /// One for each probe, in the order of the suite.
    pub probes: Vec<ProbeOutcome>,
    /// Paired deltas of arms against the base arm of the same task (overclaimed against honest).
    pub arms: Vec<ArmDelta>,
    /// Probes that look broken: wrong in every trial of every target, or a control that none passes.
    pub suspect: Vec<ProbeId>,
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
    /// Arguments of those.
    pub arguments: u64,
    /// Calls in text or reasoning.
    pub text_calls: u64,
    /// Input tokens, as far as reported.
    pub input_tokens: u64,
    /// Output tokens, as far as reported.
    pub output_tokens: u64,
}

/// An unknown name and where it was called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InventedName {
    /// The name as emitted.
    pub name: String,
    /// Why it misses.
    pub name_form: NameForm,
    /// Scored trials that called it.
    pub trials: u64,
    /// Calls.
    pub calls: u64,
    /// The offered name that is nearest, most often.
    pub nearest_tool: Option<ToolName>,
    /// Tools of the same family that are offered.
    pub family: Vec<ToolName>,
    /// The tool that probes with this name wanted, most often.
    pub wanted: Option<ToolName>,
    /// One probe to look at.
    pub example: ProbeId,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// The kind or suite that has the arms.
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
    /// Treatment minus base, mean over pairs.
    pub difference: Option<f64>,
    /// Two-sided 95 % interval of the difference.
    pub interval_95: Option<(f64, f64)>,
    /// Pairs in which only the base arm had the event, and only the treatment arm.
    pub discordant: (u64, u64),
    /// Exact and mid-p of the sign-flip test.
    pub p: Option<(f64, f64)>,
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

    /// Unknown calls by call, for the line below the headline.
    #[must_use]
    pub fn unknown_calls(&self) -> Option<PerCall> {
        self.rate(RateName::UnknownTool).and_then(|rate| rate.per_call)
    }
}
