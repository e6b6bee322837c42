//! A trial: one probe put to one cell once.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CellId, ExecutorLog, ServedModel, SettingState, Turn, TurnKind, Usage};

/// A probe's stable id: `task.kind[.variant][@arm]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ProbeId(#[schemars(with = "String")] Arc<str>);

impl ProbeId {
    /// Takes an id as it stands.
    #[must_use]
    pub fn new(id: &str) -> Self {
        Self(id.into())
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProbeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Which trial: probe, cell and repeat. Written `probe/cell/repeat`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrialId {
    /// The probe.
    pub probe: ProbeId,
    /// The cell.
    pub cell: CellId,
    /// The repeat, from 0.
    pub repeat: u32,
}

impl fmt::Display for TrialId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}/{}", self.probe, self.cell, self.repeat)
    }
}

/// Whether a trial is scored, and if not, why (DESIGN.md 3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrialStatus {
    /// Every turn is an answer.
    Scored,
    /// The endpoint failed or answered with an error.
    EndpointError,
    /// Quota or credit is used up.
    Quota,
    /// No answer within the deadline.
    Timeout,
    /// Cut off by a token limit.
    Truncated,
    /// Stopped by the provider's policy.
    PolicyStop,
    /// Paused by the provider.
    Paused,
    /// An empty answer.
    Empty,
    /// A body that nobody can read.
    Unparsed,
    /// A body that a gateway had answered before.
    GatewayReplay,
    /// Ended by us before it was done.
    Cancelled,
}

impl TrialStatus {
    /// Every status, in the order in which they are listed.
    pub const ALL: &'static [Self] = &[
        Self::Scored,
        Self::EndpointError,
        Self::Quota,
        Self::Timeout,
        Self::Truncated,
        Self::PolicyStop,
        Self::Paused,
        Self::Empty,
        Self::Unparsed,
        Self::GatewayReplay,
        Self::Cancelled,
    ];

    /// The status that a turn of this kind gives its trial, where it is no answer.
    #[must_use]
    pub fn of_turn(kind: TurnKind) -> Self {
        match kind {
            TurnKind::Calls | TurnKind::Text | TurnKind::TextCall => Self::Scored,
            TurnKind::Empty => Self::Empty,
            TurnKind::Truncated => Self::Truncated,
            TurnKind::PolicyRefusal => Self::PolicyStop,
            TurnKind::Paused => Self::Paused,
            TurnKind::Error => Self::EndpointError,
        }
    }

    /// The word that files and reports use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scored => "scored",
            Self::EndpointError => "endpoint_error",
            Self::Quota => "quota",
            Self::Timeout => "timeout",
            Self::Truncated => "truncated",
            Self::PolicyStop => "policy_stop",
            Self::Paused => "paused",
            Self::Empty => "empty",
            Self::Unparsed => "unparsed",
            Self::GatewayReplay => "gateway_replay",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for TrialStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What ended the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// A turn without a call, and no step left.
    NoCall,
    /// The limit on turns.
    TurnLimit,
    /// A name that the provider would not take back.
    NameNotEchoable,
    /// A turn that is no answer; the status says which.
    NoAnswer,
}

/// One trial as the record holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trial {
    /// The probe.
    pub probe: ProbeId,
    /// The cell.
    pub cell: CellId,
    /// The repeat, from 0.
    pub repeat: u32,
    /// As the runner saw it. What shows in the turns themselves is worked out again when scoring.
    pub status: TrialStatus,
    /// When the first request was sent, RFC 3339.
    pub started: String,
    /// From the first request to the last answer, in milliseconds, waits included.
    pub latency_ms: u64,
    /// Network tries over all turns.
    pub attempts: u32,
    /// The model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<ServedModel>,
    /// What became of the model settings.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub settings: IndexMap<String, SettingState>,
    /// The turns, in order; the last may be one that is no answer.
    pub turns: Vec<Turn>,
    /// What our stubs executed. Absent: nobody logged (an agent whose tools are not wrapped).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executor: Option<ExecutorLog>,
    /// What ended the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// Why there is no answer, where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<TrialError>,
}

impl Trial {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> TrialId {
        TrialId { probe: self.probe.clone(), cell: self.cell.clone(), repeat: self.repeat }
    }

    /// The tokens of all its turns, as far as they were reported.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let mut sum = Usage::default();
        for usage in self.turns.iter().filter_map(|turn| turn.usage.as_ref()) {
            sum.add(usage);
        }
        sum
    }
}

/// Why a trial has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrialError {
    /// What happened, in words.
    pub message: String,
    /// HTTP status, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// What a gateway made of the answer, where that is why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<ErrorCause>,
}

/// What a gateway made of an answer that looks like one and is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCause {
    /// An error served as the assistant's words.
    ErrorText,
    /// Another model answered than the one asked for.
    Fallback,
}

impl ErrorCause {
    /// The word that files use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ErrorText => "error_text",
            Self::Fallback => "fallback",
        }
    }
}
