//! Cases whose label is wrong: an honest model would be blamed for them.

use std::path::Path;

use indexmap::IndexMap;
use probes::{Places, SuiteError, read_yaml};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The format's name and version, first in every quarantine file.
pub const QUARANTINE_FORMAT: &str = "quarantine/1";

/// A quarantine file: cases of one benchmark that are left out, each with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quarantine {
    /// `quarantine/1`: the format and its version.
    pub toolmirage: String,
    /// The benchmark, by its name in `toolmirage import --list`.
    pub benchmark: String,
    /// The benchmark's id of a case: why it is left out.
    pub cases: IndexMap<String, String>,
}

impl Quarantine {
    /// Reads a quarantine file; `file` names it in messages.
    ///
    /// # Errors
    /// All the mistakes in it.
    pub fn from_text(file: &Path, text: &str) -> Result<(Self, Places), SuiteError> {
        read_yaml(file, text, QUARANTINE_FORMAT, &[])
    }
}
