//! A rate: never without its denominator.

use indexmap::IndexMap;
use probes::RateName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One rate of one cell (EXAMPLES.md section 9). There is no bare fraction anywhere: the counts are here, and
/// every format shows them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rate {
    /// Which.
    pub metric: RateName,
    /// What numerator and denominator count.
    pub unit: Unit,
    /// Trials with at least one event.
    pub events: u64,
    /// Scored, eligible trials.
    pub scored: u64,
    /// Planned, eligible trials.
    pub planned: u64,
    /// The headline figure: the mean over probes of (trials with the event / scored repeats). Absent where
    /// nothing was scored.
    pub mean_over_probes: Option<f64>,
    /// Probes with at least one scored repeat.
    #[serde(default)]
    pub probes: u64,
    /// Tasks with at least one scored trial.
    pub clusters: u64,
    /// Two-sided 95 % interval.
    pub interval_95: Option<(f64, f64)>,
    /// Two-sided 90 % interval.
    pub interval_90: Option<(f64, f64)>,
    /// The rate if every excluded trial had been free of the event, and if every one had had it.
    pub range_with_exclusions: Option<(f64, f64)>,
    /// Planned trials that are not in `scored`, by reason: a status, or the reason of an unscored check.
    pub excluded: IndexMap<String, u64>,
    /// Whether there is a figure at all.
    pub state: RateState,
    /// The same fault by call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_call: Option<PerCall>,
    /// The same fault by argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_argument: Option<PerArgument>,
    /// The same over first turns alone.
    pub by_first_turn: FirstTurns,
    /// With repeats: probes whose scored repeats all, or any, had the event; over probes with all repeats scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_repeats: Option<OverRepeats>,
}

/// What a rate counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Trials.
    Trial,
    /// Calls.
    Call,
    /// Arguments.
    Argument,
}

/// Whether a rate has a figure. Not measured is never 0, and never passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RateState {
    /// It has one.
    Measured,
    /// No eligible trial was scored.
    NotMeasured,
    /// At most two thirds of the planned trials were scored.
    CoverageTooLow,
    /// The endpoint makes the event impossible, or hides it.
    Censored,
}

/// Events by call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PerCall {
    /// Calls with the event.
    pub events: u64,
    /// Calls that could have had it.
    pub calls: u64,
}

/// Events by argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PerArgument {
    /// Arguments with the event.
    pub events: u64,
    /// Arguments that could have had it.
    pub arguments: u64,
}

/// Events over first turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct FirstTurns {
    /// Trials whose first turn has the event.
    pub events: u64,
    /// Scored trials.
    pub scored: u64,
}

/// Events over all repeats of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct OverRepeats {
    /// Probes with the event in every repeat.
    pub all: u64,
    /// Probes with the event in at least one repeat.
    pub any: u64,
    /// Probes with every repeat scored.
    pub probes: u64,
}
