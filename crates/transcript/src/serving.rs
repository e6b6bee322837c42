//! What checking an endpoint came to (DESIGN.md 3.7): how it serves tools, told question by question, with what was
//! sent and what came back. Plain data; the questions and their rules are the runner's.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EndpointProperties, ServedModel, SettingState, Usage};

/// A check of one endpoint. It is part of the identity of the runs that stand on it; its requests are nobody's trials.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServingCheck {
    /// Version of the questions and their rules.
    pub rules: u32,
    /// When it began, RFC 3339.
    pub checked: String,
    /// Requests for completions, tries that were repeated included.
    pub requests: u64,
    /// Further look-ups, of the server's name and version.
    pub lookups: u64,
    /// Tokens that the completions took, as far as the endpoint counts them.
    pub tokens: Usage,
    /// The properties that decide what can be measured.
    pub endpoint: EndpointProperties,
    /// The answers, in the order of the questions.
    pub answers: Vec<ServingAnswer>,
    /// What the endpoint makes of strict schemas, tool choices and parallel calls in combination; empty where that was
    /// not asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strictness: Vec<StrictnessCell>,
    /// What became of the settings that requests carry.
    pub settings: IndexMap<String, SettingState>,
    /// The model asked for and the model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<ServedModel>,
    /// The cap that ended it before all was asked, in words; what it did not come to is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_short: Option<String>,
    /// What the server says of itself: `header server`, `GET /version`, ..., and its words.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub software: IndexMap<String, String>,
}

/// The answer to one question about an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServingAnswer {
    /// The question's key, such as `sees_tools`.
    pub question: String,
    /// The answer.
    pub answer: ServingState,
    /// What kind of yes or no it is, in a word (`dropped`, `rewritten`, ...), where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
    /// How far the answer can be trusted; none where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// What was sent and what came back, in words.
    pub evidence: Vec<String>,
    /// Requests that the answer stands on.
    pub requests: u64,
}

/// An answer about an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServingState {
    /// It is so.
    Yes,
    /// It is not so.
    No,
    /// The endpoint refuses such requests.
    Refused,
    /// It could not be told.
    Unknown,
}

/// How far an answer can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// One sign, which the model alone could have given.
    Low,
    /// A sign that holds against a control.
    Medium,
    /// It was seen, or several signs agree.
    High,
}

/// What an endpoint makes of one combination of strict schemas, tool choice and parallel calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StrictnessCell {
    /// The combination, as arms are named: `parallel+strict`, `strict=off+tool_choice=none`.
    pub arm: String,
    /// What became of it.
    pub state: StrictnessState,
    /// What was sent and what came back, in words.
    pub evidence: String,
}

/// What becomes of a demand on calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StrictnessState {
    /// It held although the model was asked to break it.
    Enforced,
    /// It was accepted and broken.
    Ignored,
    /// The request was refused.
    Refused,
    /// It could not be told.
    Unknown,
}

impl ServingState {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }
}

impl Confidence {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl StrictnessState {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enforced => "enforced",
            Self::Ignored => "ignored",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }
}

impl ServingCheck {
    /// The answer to a question.
    #[must_use]
    pub fn answer(&self, question: &str) -> Option<&ServingAnswer> {
        self.answers.iter().find(|answer| answer.question == question)
    }
}
