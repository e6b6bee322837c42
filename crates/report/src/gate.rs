//! The written rule by which a run or a comparison passes or fails (DESIGN.md 6 and 7), and what it said.

mod decide;
mod words;

use ::probes::RateName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::CellId;

pub use decide::decide;
pub(crate) use words::{figures, paired_counts, whole_points};

/// What the gate asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Policy {
    /// The profile that chose it.
    pub profile: Option<String>,
    /// Rates that may not rise, and that must have data. None: those of the three that the suite asks for.
    pub rates: Option<Vec<RateName>>,
    /// Two-sided error over all gated rates and cells.
    pub family_error: f64,
    /// The rise that is put up with, in shares of 1.
    pub tolerance: Option<f64>,
    /// Rates that may not lie above a limit.
    pub ceilings: Vec<Ceiling>,
    /// Whether every trial of a must-pass probe has to be right and free of findings.
    pub must_pass: bool,
    /// The share of planned trials that must be scored, on each side. None: more than two thirds, below which
    /// there is no rate.
    pub coverage: Option<f64>,
    /// What becomes of what cannot be told.
    pub inconclusive: OnInconclusive,
    /// Rates that may be without data, or hidden by the endpoint.
    pub waive: Vec<RateName>,
    /// Whether two versions of a suite may be compared over what they have in common.
    pub across_suites: bool,
}

/// A limit on a rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ceiling {
    /// The rate.
    pub metric: RateName,
    /// The limit, in shares of 1.
    pub at: f64,
    /// Whether the figure itself is held against it, and not the ends of its 90 % interval.
    pub on_point: bool,
}

/// What becomes of an inconclusive gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnInconclusive {
    /// It passes: did this change do harm?
    Pass,
    /// It fails: may we switch?
    Fail,
}

impl Policy {
    /// The policy of a comparison for which nothing is configured: the three rates may not rise, must-pass
    /// probes must pass, what is unclear passes.
    pub const DEFAULT: Self = Self {
        profile: None,
        rates: None,
        family_error: 0.05,
        tolerance: None,
        ceilings: Vec::new(),
        must_pass: true,
        coverage: None,
        inconclusive: OnInconclusive::Pass,
        waive: Vec::new(),
        across_suites: false,
    };

    /// Whether the gate looks at rises of a rate.
    #[must_use]
    pub fn gates(&self, metric: RateName) -> bool {
        match &self.rates {
            Some(rates) => rates.contains(&metric),
            None => RateName::HEADLINE.contains(&metric),
        }
    }
}

/// What a gate said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    /// All lines together, in the order in which verdicts outrank each other.
    pub verdict: GateVerdict,
    /// Whether an inconclusive verdict fails here.
    pub inconclusive_fails: bool,
    /// The verdict in a sentence or two.
    pub headline: String,
    /// What was asked.
    pub policy: Policy,
    /// What was found, question by question.
    pub lines: Vec<GateLine>,
}

impl Gate {
    /// Whether the verdict lets the change through.
    #[must_use]
    pub fn passes(&self) -> bool {
        match self.verdict {
            GateVerdict::Pass => true,
            GateVerdict::Inconclusive => !self.inconclusive_fails,
            GateVerdict::Invalid | GateVerdict::Fail => false,
        }
    }
}

/// One question put to one rate or cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateLine {
    /// The question.
    pub question: GateQuestion,
    /// The cell, or the candidate's cell of a pair; none where it is about the whole.
    pub cell: Option<CellId>,
    /// What the cell is called.
    pub label: Option<String>,
    /// The rate.
    pub metric: Option<RateName>,
    /// What was found.
    pub verdict: GateVerdict,
    /// In words.
    pub words: String,
}

/// What a gate asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateQuestion {
    /// Did the rate rise?
    Regression,
    /// Does it lie above its ceiling?
    Ceiling,
    /// Did a must-pass probe fail?
    MustPass,
    /// Was enough scored?
    Coverage,
    /// Can the two sides be compared?
    Comparable,
}

/// What a gate finds. A later one outranks an earlier one: a proven rise outranks an invalid neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateVerdict {
    /// Nothing speaks against it.
    Pass,
    /// It cannot be told.
    Inconclusive,
    /// It was not measured well enough to be asked.
    Invalid,
    /// Harm is shown.
    Fail,
}

impl GateVerdict {
    /// The word that files and reports use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Inconclusive => "inconclusive",
            Self::Invalid => "invalid",
            Self::Fail => "fail",
        }
    }
}
