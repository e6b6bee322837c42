//! One cell: its scorecard as the report carries it.

use indexmap::IndexMap;
use probes::RateName;
use schemars::JsonSchema;
use scorer::{
    AfterUnknown, ArgumentCount, ArmDelta, ArmOutcomes, Behaviour, DecoyOutcome, DispatchOutcome, EnteredBy,
    Metric, ProbeOutcome, Rate, Repeats, Scorecard, ShadowedTool, Slice, ToolCorrectness, Totals,
};
use serde::{Deserialize, Serialize};
use transcript::{CellId, ProbeId, ServedModel, TrialStatus};

use super::Identity;

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellReport {
    /// The cell; `identity.cells` says what makes it.
    pub id: CellId,
    /// What tells it from the other cells.
    pub label: String,
    /// Whether its target is simulated.
    pub simulated: bool,
    /// Version of the scoring rules.
    pub scorer: String,
    /// Trials planned.
    pub planned: u64,
    /// Trials by status.
    pub statuses: IndexMap<String, u64>,
    /// What the scored trials hold.
    pub totals: Totals,
    /// The models that answered.
    pub served: Vec<ServedCount>,
    /// The three headline rates, then the side rates.
    pub rates: Vec<Rate>,
    /// Headline rates of parts of the probes.
    pub slices: Vec<Slice>,
    /// Right and wrong behaviour by kind and arm, in suite order.
    pub behaviours: Vec<BehaviourCount>,
    /// Outcomes of decoy-family trials of the base arm; they add up to `decoy_trials`.
    pub outcomes: Vec<OutcomeCount>,
    /// Scored trials that have an outcome.
    pub decoy_trials: u64,
    /// What dispatchers would have done with the unknown calls, `strict` first; empty without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dispatch: Vec<DispatchOutcome>,
    /// Tool correctness as other frameworks define it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_correctness: Vec<ToolCorrectness>,
    /// What the turn after an answered unknown call does; they add up to the trials of `repeated_unknown`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub after_unknown: IndexMap<AfterUnknown, u64>,
    /// Decoys that were called in place of the tool.
    pub shadowed: Vec<ShadowedTool>,
    /// Argument findings by word.
    pub argument_findings: Vec<ArgumentCount>,
    /// Format findings by word.
    pub format_findings: IndexMap<String, u64>,
    /// Paired deltas of arms against the base arm.
    pub arms: Vec<ArmDelta>,
    /// Decoy outcomes of pairs of arms.
    pub arm_outcomes: Vec<ArmOutcomeCount>,
    /// Probes that are in none of the figures of a rate, for want of a scored repeat.
    pub unscored: Vec<UnscoredProbe>,
    /// Every probe over its repeats, in suite order.
    #[serde(default)]
    pub probes: Vec<ProbeReport>,
}

/// One probe over its repeats. Its failing trials stand among the report's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProbeReport {
    /// The probe.
    pub probe: ProbeId,
    /// Its kind.
    pub kind: String,
    /// Its arm; none for the base arm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arm: Option<String>,
    /// Whether any finding fails the gate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must_pass: bool,
    /// Repeats planned.
    pub planned: u32,
    /// Repeats by status; of what was never sent there is none.
    pub statuses: IndexMap<TrialStatus, u32>,
    /// Rates with a scored repeat: repeats with the event of those scored. Of the rates that every trial
    /// enters, only those with an event.
    pub rates: IndexMap<RateName, Repeats>,
    /// Repeats that showed the right behaviour, that did not, and of which it cannot be told.
    pub behaviours: (u32, u32, u32),
}

impl ProbeReport {
    fn of(probe: &ProbeOutcome) -> Self {
        let every = |name: RateName| Metric::of(name).entered_by == EnteredBy::EveryTrial;
        let tells = |(name, repeats): &(&RateName, &Repeats)| {
            repeats.scored > 0 && (repeats.events > 0 || !every(**name))
        };
        let count = |wanted| probe.behaviours.iter().filter(|(_, found)| *found == wanted).count() as u32;
        Self {
            probe: probe.id.clone(),
            kind: probe.kind.clone(),
            arm: probe.arm.clone(),
            must_pass: probe.must_pass,
            planned: probe.planned,
            statuses: probe.statuses.clone(),
            rates: probe.rates.iter().filter(tells).map(|(name, repeats)| (*name, *repeats)).collect(),
            behaviours: (count(Behaviour::Right), count(Behaviour::Wrong), count(Behaviour::Unclear)),
        }
    }

    /// Repeats that were scored.
    pub(crate) fn scored(&self) -> u32 {
        self.statuses.get(&TrialStatus::Scored).copied().unwrap_or(0)
    }

    /// Whether any scored repeat has a counted finding or a wrong behaviour.
    pub(crate) fn fails(&self) -> bool {
        self.behaviours.1 > 0 || self.rates.values().any(|repeats| repeats.events > 0)
    }
}

/// One outcome of decoy-family trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeCount {
    /// The outcome.
    pub outcome: DecoyOutcome,
    /// Trials with it.
    pub trials: u64,
}

/// Decoy outcomes of a pair of arms; each side's trials add up to `pairs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArmOutcomeCount {
    /// The kind or suite that has the arms.
    pub kind: String,
    /// The treatment arm.
    pub arm: String,
    /// Pairs of trials with an outcome on both sides.
    pub pairs: u64,
    /// The base arm, in the order in which outcomes are always shown.
    pub base: Vec<OutcomeCount>,
    /// The treatment arm.
    pub treatment: Vec<OutcomeCount>,
}

/// A probe without a scored repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnscoredProbe {
    /// The probe.
    pub probe: ProbeId,
    /// The rates of this cell that it would have entered.
    pub rates: Vec<RateName>,
}

/// Behaviour over the trials of one kind and arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BehaviourCount {
    /// The kind.
    pub kind: String,
    /// The arm; none for the base arm.
    pub arm: Option<String>,
    /// Trials that showed the right behaviour.
    pub right: u64,
    /// Trials that did not.
    pub wrong: u64,
    /// Trials of which it cannot be told.
    pub unclear: u64,
}

/// How often one model answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServedCount {
    /// Asked, answered, and what follows.
    pub model: ServedModel,
    /// Trials.
    pub trials: u64,
}

impl CellReport {
    pub(super) fn of(card: Scorecard, identity: &Identity, served: Vec<ServedCount>) -> Self {
        Self {
            label: identity.label(&card.cell),
            simulated: identity.cell(&card.cell).is_some_and(|cell| cell.simulated),
            served,
            behaviours: behaviours(&card.probes),
            outcomes: outcome_counts(std::iter::once(&card.outcomes)),
            unscored: unscored(&card),
            probes: card.probes.iter().map(ProbeReport::of).collect(),
            arm_outcomes: card.arm_outcomes.iter().map(arm_outcomes).collect(),
            id: card.cell,
            scorer: card.scorer,
            planned: card.planned,
            statuses: card.statuses,
            totals: card.totals,
            rates: card.rates,
            slices: card.slices,
            decoy_trials: card.decoy_trials,
            dispatch: card.dispatch,
            tool_correctness: card.tool_correctness,
            shadowed: card.shadowed,
            after_unknown: card.after_unknown,
            argument_findings: card.argument_findings,
            format_findings: card.format_findings,
            arms: card.arms,
        }
    }

    /// One of the rates.
    pub(crate) fn rate(&self, metric: RateName) -> Option<&Rate> {
        self.rates.iter().find(|rate| rate.metric == metric)
    }
}

/// Every outcome in the order in which they are always shown, those without a trial too.
pub(crate) fn outcome_counts<'a>(
    counts: impl Iterator<Item = &'a IndexMap<DecoyOutcome, u64>> + Clone,
) -> Vec<OutcomeCount> {
    DecoyOutcome::SHOWN
        .into_iter()
        .map(|outcome| OutcomeCount {
            outcome,
            trials: counts.clone().filter_map(|counts| counts.get(&outcome)).sum(),
        })
        .collect()
}

fn arm_outcomes(pair: &ArmOutcomes) -> ArmOutcomeCount {
    ArmOutcomeCount {
        kind: pair.kind.clone(),
        arm: pair.arm.clone(),
        pairs: pair.pairs,
        base: outcome_counts(std::iter::once(&pair.base)),
        treatment: outcome_counts(std::iter::once(&pair.treatment)),
    }
}

/// Probes that enter a rate and have no scored repeat for it, in suite order.
fn unscored(card: &Scorecard) -> Vec<UnscoredProbe> {
    let mut by_probe: IndexMap<&ProbeId, Vec<RateName>> = IndexMap::new();
    for rate in &card.rates {
        for probe in card.unscored_probes(rate.metric) {
            by_probe.entry(probe).or_default().push(rate.metric);
        }
    }
    by_probe.into_iter().map(|(probe, rates)| UnscoredProbe { probe: probe.clone(), rates }).collect()
}

/// Kinds of base-arm probes that have an outcome.
pub(super) fn decoy_kinds(scorecards: &[Scorecard]) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    for probe in scorecards.iter().flat_map(|card| card.probes.iter()) {
        if !probe.outcomes.is_empty() && probe.arm.is_none() && !kinds.contains(&probe.kind) {
            kinds.push(probe.kind.clone());
        }
    }
    kinds
}

fn behaviours(probes: &[ProbeOutcome]) -> Vec<BehaviourCount> {
    let mut counts: IndexMap<(&str, Option<&str>), BehaviourCount> = IndexMap::new();
    for probe in probes {
        let key = (probe.kind.as_str(), probe.arm.as_deref());
        let count = counts.entry(key).or_insert_with(|| BehaviourCount {
            kind: probe.kind.clone(),
            arm: probe.arm.clone(),
            right: 0,
            wrong: 0,
            unclear: 0,
        });
        for (_, behaviour) in &probe.behaviours {
            match behaviour {
                Behaviour::Right => count.right += 1,
                Behaviour::Wrong => count.wrong += 1,
                Behaviour::Unclear => count.unclear += 1,
                Behaviour::NotAsked => {}
            }
        }
    }
    counts.into_values().collect()
}
