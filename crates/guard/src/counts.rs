//! The rows of the last accepted answers, by request: what a drop is seen against.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The format's name and version.
pub const COUNTS_FORMAT: &str = "guard-counts/1";

/// Remembered counts, as a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// `guard-counts/1`.
    pub toolmirage: String,
    /// Rows by request: the read's name, and its arguments where it has some.
    pub rows: BTreeMap<String, u64>,
}

impl Default for Counts {
    fn default() -> Self {
        Self { toolmirage: COUNTS_FORMAT.to_owned(), rows: BTreeMap::new() }
    }
}

impl Counts {
    /// The rows of the last accepted answer to a request.
    #[must_use]
    pub fn of(&self, read: &str, arguments: &Map<String, Value>) -> Option<u64> {
        self.rows.get(&request(read, arguments)).copied()
    }

    /// Remembers an accepted answer.
    pub fn remember(&mut self, read: &str, arguments: &Map<String, Value>, rows: u64) {
        self.rows.insert(request(read, arguments), rows);
    }
}

/// A request's name: arguments sorted, so that their order makes no other request.
fn request(read: &str, arguments: &Map<String, Value>) -> String {
    if arguments.is_empty() {
        return read.to_owned();
    }
    let sorted: BTreeMap<&String, &Value> = arguments.iter().collect();
    let text = serde_json::to_string(&sorted).unwrap_or_default();
    format!("{read} {text}")
}
