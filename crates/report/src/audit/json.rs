//! An audit for programs: JSON Lines, a finding a line as they are found, and the summary last.

use schemars::JsonSchema;
use scorer::audit::{AuditFinding, AuditSummary, Place, RunKey};
use scorer::{ActionStatus, EvidenceLevel};
use serde::{Deserialize, Serialize};

/// A line of `audit --json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditLine {
    /// One thing that was found.
    Finding(FindingLine),
    /// What it all comes to; the last line.
    Summary(AuditSummary),
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingLine {
    /// The run.
    #[serde(flatten)]
    pub run: RunKey,
    /// The rate that counts it.
    pub finding: probes::RateName,
    /// What it rests on.
    pub level: EvidenceLevel,
    /// The tool that it is about.
    pub tool: String,
    /// What is claimed of it: `done`, `failed` or `skipped`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed: Option<ActionStatus>,
    /// What was found, in one line.
    pub message: String,
    /// The words that show it.
    pub quote: String,
    /// Where they stand.
    pub said: LinePlace,
    /// The row that speaks against it; absent where it is the lack of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<LinePlace>,
    /// What helps, in one line.
    pub fix: String,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinePlace {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
}

/// The line of a finding, without its line break. `files` are the names of the files, by number.
///
/// # Errors
/// None that JSON has for these values.
pub fn finding_line(finding: &AuditFinding, files: &[String]) -> serde_json::Result<String> {
    let place = |place: Place| LinePlace {
        file: usize::try_from(place.file).ok().and_then(|at| files.get(at)).cloned().unwrap_or_default(),
        line: place.line,
    };
    serde_json::to_string(&AuditLine::Finding(FindingLine {
        run: finding.run.clone(),
        finding: finding.finding,
        level: finding.level,
        tool: finding.tool.as_str().to_owned(),
        claimed: finding.claimed,
        message: finding.message.clone(),
        quote: finding.quote.clone(),
        said: place(finding.said),
        row: finding.row.map(place),
        fix: finding.fix.to_owned(),
    }))
}

/// The line of the summary, without its line break.
///
/// # Errors
/// None that JSON has for these values.
pub fn summary_line(summary: &AuditSummary) -> serde_json::Result<String> {
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Line<'a> {
        Summary(&'a AuditSummary),
    }
    serde_json::to_string(&Line::Summary(summary))
}
