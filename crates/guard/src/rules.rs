//! The rules file (`guard/1`): for each read by name, what a defensible answer looks like.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The format's name and version, first in every rules file.
pub const GUARD_FORMAT: &str = "guard/1";

/// A rules file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// `guard/1`: the format and its version.
    pub toolmirage: String,
    /// Rules by the read's name: the tool that reads, as a rule.
    pub reads: IndexMap<String, ReadRule>,
}

/// What an answer of one read must look like. Without any key: status 200, JSON, not empty.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadRule {
    /// How the JSON lies in the body [default: json].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<BodyForm>,
    /// Keys that the answer must have: a key of the outermost object, or a JSON pointer (`/data/total`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Where the rows are: a key, a JSON pointer, or `.` for the body itself [default: the body, where it is a list].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<String>,
    /// The fewest rows that an answer has; 0 where an empty answer is normal [default: 1].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_min: Option<u64>,
    /// How many rows there are in all: as many in one answer mean that no filter was applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<u64>,
    /// The most rows of one page: an answer with as many is not known to be whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_cap: Option<u64>,
    /// Where the answer says that there is more (`/has_more`, `/next_cursor`). A value that says no, at the page cap,
    /// says that the answer is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
    /// Where the answer says how many rows there are for this request: fewer rows than that are a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<String>,
    /// What a filter of the request makes true of every row, by the row's key or JSON pointer.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub filter: IndexMap<String, FilterRule>,
    /// How far the number of rows may fall below the last accepted answer to the same request, in percent
    /// [default: 50, where counts are remembered].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub max_drop_percent: Option<u8>,
    /// What to make of an error inside an answer that succeeded outside: `isError`, `error`, `errors`, `ok: false`,
    /// `success: false` [default: refuse].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner_error: Option<InnerError>,
}

/// How the JSON lies in a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyForm {
    /// The body is JSON.
    #[default]
    Json,
    /// The body is the result of an MCP tool: the JSON is its `structuredContent`, else the text of its only block.
    Mcp,
}

/// What one row must hold. Exactly one of the two.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilterRule {
    /// The request's argument of this name, where the request has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// This value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Value>,
}

/// What to make of an inner error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InnerError {
    /// The read is refused.
    #[default]
    Refuse,
    /// Such keys mean something else in this read.
    Allow,
}

impl Rules {
    /// What a file says that no schema can: every mistake, with the JSON pointer of its place.
    #[must_use]
    pub fn mistakes(&self) -> Vec<(String, String)> {
        let reads = self.reads.iter();
        reads.flat_map(|(name, rule)| rule.mistakes(&format!("/reads/{}", escaped(name)))).collect()
    }
}

impl ReadRule {
    /// The fewest rows.
    #[must_use]
    pub fn expect_min(&self) -> u64 {
        self.expect_min.unwrap_or(1)
    }

    /// Arguments of the request that the rule asks for.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        self.filter.values().filter_map(|filter| filter.argument.as_deref())
    }

    fn mistakes(&self, at: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut wrong = |key: &str, message: String| found.push((format!("{at}/{key}"), message));
        let about_rows = [
            ("corpus", self.corpus.is_some()),
            ("page_cap", self.page_cap.is_some()),
            ("more", self.more.is_some()),
            ("total", self.total.is_some()),
            ("filter", !self.filter.is_empty()),
            ("max_drop_percent", self.max_drop_percent.is_some()),
        ];
        for (key, is_set) in about_rows {
            if is_set && self.rows.is_none() {
                wrong(key, format!("`{key}` is about rows, and `rows` does not say where they are"));
            }
        }
        for (key, limit) in [("corpus", self.corpus), ("page_cap", self.page_cap)] {
            if limit == Some(0) {
                wrong(key, format!("`{key}` is 0, and no answer could pass"));
            } else if let Some(limit) = limit
                && limit < self.expect_min()
            {
                let least = self.expect_min();
                wrong(key, format!("`{key}` is {limit}, below the {least} rows that every answer must have"));
            }
        }
        for (row_key, filter) in &self.filter {
            if filter.argument.is_some() == filter.equals.is_some() {
                let message = format!("filter of `{row_key}` takes exactly one of `argument` and `equals`");
                wrong(&format!("filter/{}", escaped(row_key)), message);
            }
        }
        found
    }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_nothing_can_pass_or_that_miss_a_part_are_named_with_their_place() {
        let text = r#"{"toolmirage":"guard/1","reads":{"a/b":{"page_cap":0,"rows":"x"},"c":{"corpus":9},
            "d":{"rows":".","filter":{"k":{}},"expect_min":5,"page_cap":3}}}"#;
        let rules: Rules = serde_json::from_str(text).unwrap();
        let places: Vec<String> = rules.mistakes().into_iter().map(|(place, _)| place).collect();
        assert_eq!(
            places,
            ["/reads/a~1b/page_cap", "/reads/c/corpus", "/reads/d/page_cap", "/reads/d/filter/k"]
        );
    }
}
