//! Why a read is refused, and what was found instead.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a read is refused. The first that holds, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The status is not 200.
    Status,
    /// There is nothing in the body, or nothing in what it wraps.
    Empty,
    /// A page, where data was expected.
    Markup,
    /// The body is no JSON.
    NotJson,
    /// An error inside an answer that succeeded outside.
    InnerError,
    /// An expected key is not there.
    MissingKey,
    /// The rows are no list.
    NotAList,
    /// Fewer rows than every answer has.
    TooFewRows,
    /// Rows that the request's filter excludes.
    DroppedFilter,
    /// As many rows as there are in all.
    WholeCorpus,
    /// As many rows as a page holds, or the answer says that there are more.
    PageCap,
    /// Far fewer rows than the last time.
    UnexplainedDrop,
}

impl Reason {
    /// Every reason, in the order in which they are looked for.
    pub const ALL: [Self; 12] = [
        Self::Status,
        Self::Empty,
        Self::Markup,
        Self::NotJson,
        Self::InnerError,
        Self::MissingKey,
        Self::NotAList,
        Self::TooFewRows,
        Self::DroppedFilter,
        Self::WholeCorpus,
        Self::PageCap,
        Self::UnexplainedDrop,
    ];

    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Empty => "empty",
            Self::Markup => "markup",
            Self::NotJson => "not_json",
            Self::InnerError => "inner_error",
            Self::MissingKey => "missing_key",
            Self::NotAList => "not_a_list",
            Self::TooFewRows => "too_few_rows",
            Self::DroppedFilter => "dropped_filter",
            Self::WholeCorpus => "whole_corpus",
            Self::PageCap => "page_cap",
            Self::UnexplainedDrop => "unexplained_drop",
        }
    }

    /// What it means, a sentence or two.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Status => "The status is not 200: whatever the body holds is no answer.",
            Self::Empty => {
                "The body, or what it wraps, holds nothing. It does not say that there is nothing."
            }
            Self::Markup => "A page (a login, an error of a proxy) stands where data was expected.",
            Self::NotJson => "The body is no JSON: cut off, or a message for people.",
            Self::InnerError => {
                "The answer says inside that it failed, under a status that says that it did not."
            }
            Self::MissingKey => "A key that every answer has is not there; those that are there are named.",
            Self::NotAList => "Where the rows should be is something else than a list.",
            Self::TooFewRows => {
                "Fewer rows than every answer has. Where none is normal, the rules say `expect_min: 0`."
            }
            Self::DroppedFilter => "Rows that the request's filter excludes: the filter was not applied.",
            Self::WholeCorpus => "As many rows as there are in all: no filter was applied.",
            Self::PageCap => "One page, or what may be one: the answer is not known to be whole.",
            Self::UnexplainedDrop => "Far fewer rows than the last accepted answer to the same request.",
        }
    }
}

/// A refused read. `expected` and `found` are fragments of a sentence; parts of the body in `found` are short and
/// without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// What a defensible answer would have had.
    pub expected: String,
    /// What was there instead.
    pub found: String,
}

impl Refusal {
    pub(crate) fn new(reason: Reason, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { reason, expected: expected.into(), found: found.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: expected {}, found {}", self.reason.as_str(), self.expected, self.found)
    }
}
