//! A gateway between us and a model, and our share of what it lets through, as a run was planned with them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A gateway that a target's requests go through.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct GatewayRecord {
    /// Its name in the configuration.
    pub name: String,
    /// A file with the certificates (PEM) that its own is signed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_file: Option<String>,
    /// The command that prints the key. What it prints is written nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_command: Option<String>,
    /// Where an answer names the model that gave it. Absent: its body, and a body that repeats the name that was asked
    /// for proves nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<ServedAt>,
    /// Patterns (regular expressions) of errors that come as the assistant's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub error_text: Vec<String>,
}

/// Where an answer names the model that gave it: `header`, `body`, or, with neither, the usual place of the body.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServedAt {
    /// A header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// A JSON pointer into the body: `/metadata/upstream_model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The names that the model asked for has there, beside the one that it is asked by. An answer under any other name
    /// is a fallback to another model and is left out. Absent: every name is kept, and listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equals: Vec<String>,
}

/// Requests and tokens a minute that are ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShareRecord {
    /// Whose limit it is: targets that name the same one draw on it together.
    pub of: String,
    /// Requests a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u64>,
    /// Tokens a minute, read and written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u64>,
}
