//! Auditing what already happened (DESIGN.md section 10): final messages and transcripts, held against executor
//! logs, without a model and without a probe. Lines of any of these files are read into fragments, fragments of one
//! run make an [`AuditRun`] in whatever order and however mixed with those of other runs they arrive, each run is
//! judged, and an [`AuditTally`] makes rates of any number of runs. Nothing here reads a file.

mod catalogs;
mod conversation;
mod grounded;
mod judge;
mod line;
mod otlp;
mod result_text;
mod run;
mod summary;
mod tally;
mod tools;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use judge::{AuditContext, AuditFinding, RunVerdict, judge_run};
pub use line::{AuditReader, LineError, ReadOptions};
pub use run::{AuditRun, Fragment};
pub use summary::{AuditFile, AuditRate, AuditSummary, RunCounts, UnwrappedTool};
pub use tally::AuditTally;
pub use tools::RequiredTools;

/// Which run something belongs to: what rows and messages of one run share, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct RunKey {
    /// The run.
    pub run: String,
    /// The trial within it; empty where runs have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trial: String,
}

/// A line of a file that was handed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The file, by its number among those handed in.
    pub file: u32,
    /// The line, from 1.
    pub line: u64,
}
