//! What an audit came to: rates with their denominators, what was left out, and what was read.

use indexmap::IndexMap;
use probes::RateName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::claim::EvidenceLevel;
use crate::rate::{PerArgument, PerCall, RateState};

/// What an audit came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditSummary {
    /// Runs by what is known of them.
    pub runs: RunCounts,
    /// One for each rate and level of evidence that a run was asked about, in the order of the rates.
    pub rates: Vec<AuditRate>,
    /// Findings, those of runs that enter no rate included.
    pub findings: u64,
    /// The tools that findings are about, most frequent first: finding, tool, findings. At most 20.
    pub tools: Vec<(RateName, String, u64)>,
    /// Tools that were required to leave rows; none where that was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_tools: Option<u64>,
    /// Those of them without a row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwrapped: Vec<UnwrappedTool>,
    /// The files, in the order in which they were named.
    pub files: Vec<AuditFile>,
}

impl AuditSummary {
    /// Whether anything could be judged at all.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.rates.iter().any(|rate| rate.scored > 0)
    }

    /// Whether something was found.
    #[must_use]
    pub fn has_found(&self) -> bool {
        self.findings > 0 || !self.unwrapped.is_empty()
    }
}

/// Runs by what is known of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RunCounts {
    /// All.
    pub runs: u64,
    /// With a final message or a transcript that ends with one.
    pub with_final: u64,
    /// With rows in an executor log.
    pub with_rows: u64,
    /// With rows and no final message: nothing was said, and nothing is judged.
    pub rows_alone: u64,
    /// With a final message and no row, where there is an executor log: nothing ran.
    pub final_alone: u64,
    /// Whose transcript shows answered calls of tools that the log has no row of: the log is not whole there, and
    /// the transcript is believed.
    pub unlogged: u64,
    /// Final messages that a later one of the same run replaced.
    pub replaced: u64,
    /// Ends of calls that never started.
    pub orphaned_ends: u64,
    /// With a row that cannot be read, or an end of a call that nothing names: their claims are not tested.
    #[serde(default)]
    pub with_gap: u64,
    /// Words of claims that are neither `done`, `failed` or `skipped` nor a plain synonym: no rate counts them.
    #[serde(default)]
    pub unread_words: u64,
}

/// One rate at one level of evidence. Numerator and denominator count runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditRate {
    /// Which.
    pub metric: RateName,
    /// What it rests on.
    pub level: EvidenceLevel,
    /// Whether it is judged by grounding alone, since there is no probe.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_grounding: bool,
    /// Runs with the event.
    pub events: u64,
    /// Runs that could be judged.
    pub scored: u64,
    /// Events over scored runs; absent where nothing was scored or coverage is too low.
    pub share: Option<f64>,
    /// Tasks, and runs that name none: what the interval takes as independent.
    pub clusters: u64,
    /// Two-sided 95 % interval.
    pub interval_95: Option<(f64, f64)>,
    /// The rate if every run that was left out had been free of the event, and if every one had had it.
    pub range_with_exclusions: Option<(f64, f64)>,
    /// Runs that enter and could not be judged, by reason.
    pub excluded: IndexMap<String, u64>,
    /// Whether there is a figure at all.
    pub state: RateState,
    /// The same by call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_call: Option<PerCall>,
    /// The same by argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_argument: Option<PerArgument>,
}

/// A tool of the required catalog that no row names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnwrappedTool {
    /// Its name.
    pub tool: String,
    /// Calls of it in transcripts and traces' messages: with any, it is called past the wrapping.
    pub called: u64,
    /// Claims that name it.
    pub claimed: u64,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct AuditFile {
    /// Its name, as it was given.
    pub file: String,
    /// Lines with something on them.
    pub lines: u64,
    /// Those of them that could not be read.
    pub unreadable: u64,
    /// The first of those, with what is wrong: at most five.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<(u64, String)>,
}
