//! `gateways:` of the configuration.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use transcript::ServedAt;

/// What stands between us and models: targets name it and go through it. Names of headers and members are your
/// gateway's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GatewayConfig {
    /// Where it is. Without a path, the provider's own is appended (`/v1`).
    pub(crate) base_url: String,
    /// Name of the environment variable that holds the key. A target's own comes first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key_env: Option<String>,
    /// A command that prints the key, in place of `key_env`: run without a shell, and again when the key is no longer
    /// taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token_command: Option<String>,
    /// Headers to send. Secrets do not belong here; see `headers_env`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) headers: IndexMap<String, String>,
    /// Headers whose values are in environment variables of these names.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) headers_env: IndexMap<String, String>,
    /// A file with the certificates (PEM) that its own is signed with, relative to this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ca_file: Option<String>,
    /// Where an answer names the model that gave it [default: the usual place of the body, where the name that was asked
    /// for proves nothing].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) served_model: Option<ServedAt>,
    /// What to send so that nothing is answered from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) no_cache: Option<Addition>,
    /// What to send so that no other model answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) no_fallback: Option<Addition>,
    /// Patterns (regular expressions) of errors that come as the assistant's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) error_text: Vec<String>,
    /// Our share of requests a minute, over all targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) requests_per_minute: Option<u64>,
    /// Our share of tokens a minute, read and written, over all targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tokens_per_minute: Option<u64>,
}

/// What is added to every request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Addition {
    /// A header, as `Name: value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) header: Option<String>,
    /// Members of the body.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) body: IndexMap<String, Value>,
}
