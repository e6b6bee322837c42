//! What `expand` prints of a probe (EXAMPLES.md section 8).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::{Fingerprint, ProbeId, ToolName};

use crate::{Arm, Probe, RateName, Upstream};

/// One line of `expand --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExpandLine {
    /// Stable id.
    pub id: ProbeId,
    /// The question's hash.
    pub question_hash: Fingerprint,
    /// The sent hash.
    pub sent_hash: Fingerprint,
    /// The kind.
    pub kind: String,
    /// The arm.
    pub arm: Option<Arm>,
    /// The task.
    pub task: String,
    /// The tool wanted.
    pub tool: Option<ToolName>,
    /// The names offered in the first step, in order.
    pub catalog: Vec<ToolName>,
    /// Lookalikes among them.
    pub decoys: Vec<ToolName>,
    /// Headline rates that it enters.
    pub headline: Vec<RateName>,
    /// Whether its task is a draft.
    pub draft: bool,
    /// Where the task's words come from.
    pub source: String,
    /// The case of a benchmark that its task was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upstream: Option<Upstream>,
}

impl ExpandLine {
    /// The line of a probe.
    #[must_use]
    pub fn of(probe: &Probe) -> Self {
        let question = &*probe.question;
        let offered = probe.offered.first();
        Self {
            id: question.id.clone(),
            question_hash: question.hash.clone(),
            sent_hash: probe.sent_hash.clone(),
            kind: question.kind.clone(),
            arm: question.arm.clone(),
            task: question.task.clone(),
            tool: probe.expectation.tool.clone(),
            catalog: offered
                .map(|o| o.tools().iter().map(|tool| tool.name.clone()).collect())
                .unwrap_or_default(),
            decoys: probe.expectation.decoys.clone(),
            headline: probe.expectation.headline.clone(),
            draft: question.draft,
            source: question.source.clone(),
            upstream: question.upstream.clone(),
        }
    }
}
