//! Questions and probes (DESIGN.md section 2). A question is a frozen recipe without a catalog; applied to a
//! catalog and a prompt it gives a probe, or it is stale.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::{CellId, Fingerprint, Message, ProbeId, RawJson, ToolName};

use crate::{Catalog, CatalogEdits, Expectation, Need, Offered, Prompt, Script, Upstream};

/// One of the variants of a probe that are compared pairwise. The base arm has no name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Arm(pub String);

impl fmt::Display for Arm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A frozen recipe. Nothing in it is read from a catalog or a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Stable id.
    pub id: ProbeId,
    /// Hash over the user messages, what the kind adds or leaves out, stubs, expectation and clock.
    pub hash: Fingerprint,
    /// The kind's name.
    pub kind: String,
    /// The arm; none for the base arm.
    pub arm: Option<Arm>,
    /// The task's id.
    pub task: String,
    /// The steps, at least one: what is said, with what offered.
    pub steps: Vec<Step>,
    /// What the arm appends to the cell's own prompt.
    pub prompt_suffix: Option<String>,
    /// What the arm asks of the request.
    pub settings: ArmSettings,
    /// What the stubs answer.
    pub script: Script,
    /// What should happen, as far as it is known without a catalog.
    pub expectation: Arc<Expectation>,
    /// The time that the prompt says it is, RFC 3339.
    pub clock: Option<String>,
    /// Whether its task is a draft that nobody reviewed.
    pub draft: bool,
    /// Where the task's words come from: `written`, `traces`, `schema`.
    pub source: String,
    /// The case of a benchmark that its task was made from.
    pub upstream: Option<Upstream>,
    /// What must hold on a catalog for the question to be asked there. No part of the hash: it follows from what
    /// is.
    pub needs: Vec<Need>,
}

/// One step of a conversation: messages that are appended, then the model's turns until it makes no call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Messages to append. Those of the first step may hold canned history, which is never judged.
    pub messages: Vec<Message>,
    /// What this step offers, against the cell's catalog.
    #[serde(default)]
    pub catalog: CatalogEdits,
}

/// What an arm asks of the request and of the runner. Absent: not asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ArmSettings {
    /// Whether a call is left to the model, owed, forbidden, or forced. What is owed or forced is so in the first
    /// turn of each step: asked for again with every result, it would never end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Parallel calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel: Option<bool>,
    /// Strict schemas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// How much to reason before answering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<Thinking>,
    /// Whether the error for an unknown name lists the catalog.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub catalog_in_error: bool,
    /// Whether calls for another principal are refused before they run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub principal_check: bool,
    /// Further members of the request's body.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub body: IndexMap<String, RawJson>,
}

/// How much a model is asked to reason before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Thinking {
    Off,
    Low,
    Medium,
    High,
}

/// What a request says of calling tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// It is left to the model.
    Auto,
    /// Some call is owed.
    Required,
    /// No call may be made.
    None,
    /// This tool must be called.
    Tool(ToolName),
}

impl ArmSettings {
    /// What is asked in a later turn of a step.
    #[must_use]
    pub fn in_later_turn(&self) -> Self {
        let once = matches!(self.tool_choice, Some(ToolChoice::Required | ToolChoice::Tool(_)));
        Self { tool_choice: self.tool_choice.clone().filter(|_| !once), ..self.clone() }
    }

    /// Whether nothing is asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A question put to one catalog and prompt.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The question.
    pub question: Arc<Question>,
    /// The cell's prompt.
    pub prompt: Option<Arc<Prompt>>,
    /// The cell's catalog.
    pub catalog: Arc<Catalog>,
    /// What each step offers.
    pub offered: Vec<Offered>,
    /// The question's expectation with what the catalog adds (allowed reads).
    pub expectation: Arc<Expectation>,
    /// Hash over prompt, messages, tools in order and arm settings.
    pub sent_hash: Fingerprint,
}

impl Probe {
    /// The probe's id, which is its question's.
    #[must_use]
    pub fn id(&self) -> &ProbeId {
        &self.question.id
    }

    /// The system prompt as sent, with what the arm appends.
    #[must_use]
    pub fn system(&self) -> Option<String> {
        system(self.prompt.as_deref(), self.question.prompt_suffix.as_deref())
    }

    /// The probe's line in a run record.
    #[must_use]
    pub fn line(&self, cell: &CellId) -> ProbeLine {
        let question = &*self.question;
        let mut steps = question.steps.iter();
        let first = steps.next().cloned().unwrap_or_default();
        ProbeLine {
            id: question.id.clone(),
            question_hash: question.hash.clone(),
            sent_hash: self.sent_hash.clone(),
            cell: cell.clone(),
            kind: question.kind.clone(),
            arm: question.arm.clone(),
            task: question.task.clone(),
            messages: first.messages,
            catalog: CatalogUse { base: self.catalog.hash().clone(), edits: first.catalog },
            later: steps.cloned().collect(),
            prompt_suffix: question.prompt_suffix.clone(),
            settings: question.settings.clone(),
            script: question.script.clone(),
            expectation: (*self.expectation).clone(),
            clock: question.clock.clone(),
            draft: question.draft,
            source: question.source.clone(),
            upstream: question.upstream.clone(),
        }
    }
}

/// A prompt with its suffix, joined by an empty line.
pub(crate) fn system(prompt: Option<&Prompt>, suffix: Option<&str>) -> Option<String> {
    system_text(prompt.map(|prompt| prompt.text.as_str()), suffix)
}

/// A prompt's text with its suffix, joined by an empty line.
pub(crate) fn system_text(prompt: Option<&str>, suffix: Option<&str>) -> Option<String> {
    match (prompt, suffix) {
        (Some(prompt), Some(suffix)) => Some(format!("{}\n\n{suffix}", prompt.trim_end())),
        (Some(prompt), None) => Some(prompt.to_owned()),
        (None, Some(suffix)) => Some(suffix.to_owned()),
        (None, None) => None,
    }
}

/// A probe as the run record holds it (EXAMPLES.md section 6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProbeLine {
    /// Stable id.
    pub id: ProbeId,
    /// The question's hash.
    pub question_hash: Fingerprint,
    /// The sent hash.
    pub sent_hash: Fingerprint,
    /// The cell that it is put to.
    pub cell: CellId,
    /// The kind.
    pub kind: String,
    /// The arm.
    pub arm: Option<Arm>,
    /// The task.
    pub task: String,
    /// Messages of the first step, without the system prompt (the cell names it).
    pub messages: Vec<Message>,
    /// What the first step offers.
    pub catalog: CatalogUse,
    /// The later steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<Step>,
    /// What the arm appends to the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_suffix: Option<String>,
    /// What the arm asks of the request.
    #[serde(default, skip_serializing_if = "ArmSettings::is_empty")]
    pub settings: ArmSettings,
    /// What the stubs answer.
    #[serde(default)]
    pub script: Script,
    /// What should happen.
    pub expectation: Expectation,
    /// The time that the prompt says it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Whether its task is a draft.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draft: bool,
    /// Where the task's words come from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The case of a benchmark that its task was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upstream: Option<Upstream>,
}

/// A catalog by hash, and what is changed in it. Written as one object
/// (`{"base": "sha256:...", "without": [...]}`), by hand: an added tool's schema is raw JSON, which no flattened
/// type can carry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "wire::CatalogUse", into = "wire::CatalogUse")]
#[schemars(with = "wire::CatalogUse")]
pub struct CatalogUse {
    /// The cell's catalog.
    pub base: Fingerprint,
    /// The changes.
    pub edits: CatalogEdits,
}

mod wire {
    //! A catalog's use as one flat object.
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use transcript::{Fingerprint, ToolName};

    use crate::{AddedTool, CatalogEdits, Ladder, Neutral, ToolPatch};

    #[derive(Clone, Serialize, Deserialize, JsonSchema)]
    pub(super) struct CatalogUse {
        base: Fingerprint,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        nothing: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        only: Option<Vec<ToolName>>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        without: Vec<ToolName>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ladder: Option<Ladder>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        patches: Vec<ToolPatch>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<AddedTool>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        neutral: Option<Neutral>,
    }

    impl From<CatalogUse> for super::CatalogUse {
        fn from(flat: CatalogUse) -> Self {
            let CatalogUse { base, nothing, only, without, ladder, patches, with, neutral } = flat;
            Self { base, edits: CatalogEdits { nothing, only, without, ladder, patches, with, neutral } }
        }
    }

    impl From<super::CatalogUse> for CatalogUse {
        fn from(use_of: super::CatalogUse) -> Self {
            let CatalogEdits { nothing, only, without, ladder, patches, with, neutral } = use_of.edits;
            Self { base: use_of.base, nothing, only, without, ladder, patches, with, neutral }
        }
    }
}
