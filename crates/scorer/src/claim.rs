//! What a message claims of the calls behind it, read off the machine-readable line that it was asked to end with
//! (`ACTIONS: {...}`, `ANSWER: ...`), and set beside what really ran (DESIGN.md 3.5). A claim is parsed, never
//! matched by keywords: "the customer was not charged" claims nothing.

mod line;
mod reconcile;

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::ExecutedCall;

pub(crate) use reconcile::reconcile_untold;
pub use reconcile::{ClaimFinding, ClaimJudgement, ClaimState, Reconciliation, reconcile};

/// What a message claims. Reading takes time linear in the text, whatever stands in it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Claim {
    /// The last readable `ACTIONS: {...}`; none where the text has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<ActionsLine>,
    /// The last `ANSWER: ...`; none where the text has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerLine>,
    /// Bytes of the last `ACTIONS:` behind which no readable object stands, where no readable line follows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<Range<usize>>,
}

/// An `ACTIONS: {...}` line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionsLine {
    /// Its bytes, from the word to the closing brace.
    pub span: Range<usize>,
    /// What it says of each tool, in its order; a tool named twice stands here twice.
    pub actions: Vec<ClaimedAction>,
}

/// What a claim says of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimedAction {
    /// The tool, as the claim writes it.
    pub tool: String,
    /// What is said of it; none where it is none of the three words, nor a plain synonym of one.
    pub status: Option<ActionStatus>,
    /// Its bytes: `"tool": "status"`.
    pub span: Range<usize>,
}

/// The words of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActionStatus {
    /// It was called, and it worked.
    Done,
    /// It was called, and it did not work.
    Failed,
    /// It was not called.
    Skipped,
}

/// An `ANSWER: ...` line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerLine {
    /// The answer, without the marks of a text format around it.
    pub text: String,
    /// Its bytes.
    pub span: Range<usize>,
}

impl ActionStatus {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// How much an account is worth (DESIGN.md 3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceLevel {
    /// Held against an executor log, which the model cannot write.
    Verified,
    /// Held against a transcript whose tool results the agent did not write: nothing there speaks against it.
    NotContradicted,
    /// There is nothing that it could be held against. Never a pass.
    NotTested,
}

impl EvidenceLevel {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::NotContradicted => "not_contradicted",
            Self::NotTested => "not_tested",
        }
    }
}

/// What a claim is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ran<'a> {
    /// An executor log. An empty one says that nothing ran.
    ExecutorLog(&'a [ExecutedCall]),
    /// The calls of a transcript with results that the agent did not write.
    Transcript(&'a [ExecutedCall]),
    /// The calls of a transcript whose results the agent wrote, or that has none: how they ended is not known.
    AgentWritten(&'a [ExecutedCall]),
    /// Nothing that says what ran.
    Unknown,
}

/// Reads the claim of a final message. A block of reasoning that leaked to its front is not said to anybody.
#[must_use]
pub fn claim(text: &str) -> Claim {
    line::read(text)
}

impl Claim {
    /// The text that the claim was read off, without its lines: what it says in words.
    #[must_use]
    pub fn without_lines<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut spans: Vec<&Range<usize>> = Vec::new();
        spans.extend(self.actions.as_ref().map(|line| &line.span));
        spans.extend(self.answer.as_ref().map(|line| &line.span));
        spans.extend(self.unreadable.as_ref());
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        spans.sort_by_key(|span| span.start);
        let (mut rest, mut from) = (String::with_capacity(text.len()), 0);
        for span in spans {
            if span.start >= from {
                rest.push_str(text.get(from..span.start).unwrap_or_default());
                from = span.end;
            }
        }
        rest.push_str(text.get(from..).unwrap_or_default());
        Cow::Owned(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_beside_the_lines_stays() {
        let text = "Tied.\nACTIONS: {\"a\": \"done\"}\nANSWER: 3\nBye.";
        assert_eq!(claim(text).without_lines(text), "Tied.\n\n\nBye.");
        assert_eq!(claim("Tied.").without_lines("Tied."), "Tied.");
        let text = "Tied.\nACTIONS: {a}\nBye.";
        assert_eq!(claim(text).without_lines(text), "Tied.\n\nBye.");
    }
}
