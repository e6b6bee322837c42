//! What a measurement was made of: fingerprints, the endpoint's properties, the model that answered.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A content hash, written `sha256:<64 hex digits>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Fingerprint(#[schemars(with = "String")] pub Arc<str>);

impl Fingerprint {
    /// The hash of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::written(&Sha256::digest(bytes))
    }

    fn written(digest: &[u8]) -> Self {
        const HEX: [char; 16] =
            ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
        let mut text = String::with_capacity(7 + 64);
        text.push_str("sha256:");
        for byte in digest {
            text.push(HEX[usize::from(byte >> 4)]);
            text.push(HEX[usize::from(byte & 15)]);
        }
        Self(text.into())
    }

    /// The hash of everything that a reader gives, in constant memory.
    ///
    /// # Errors
    /// Reading failed.
    pub fn of_reader(mut reader: impl std::io::Read) -> std::io::Result<Self> {
        let mut digest = Sha256::new();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(Self::written(&digest.finalize())),
                read => digest.update(&buffer[..read]),
            }
        }
    }

    /// The hash of a value written as JSON: fields in declared order, maps as they are ordered.
    #[must_use]
    pub fn of_json<T: Serialize>(value: &T) -> Self {
        // A type of ours that cannot be written as JSON is a defect; it still gets a stable hash.
        Self::of(&serde_json::to_vec(value).unwrap_or_default())
    }

    /// The first seven hex digits, as people quote them.
    #[must_use]
    pub fn short(&self) -> &str {
        let hex = self.0.strip_prefix("sha256:").unwrap_or(&self.0);
        hex.get(..7).unwrap_or(hex)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Yes, no, or nobody looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Known {
    /// It was seen.
    Yes,
    /// It was looked for and is not so.
    No,
    /// It was not looked for, or could not be told.
    #[default]
    Unknown,
}

/// What is known of how an endpoint serves tools (DESIGN.md 3.7). Part of a run's identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct EndpointProperties {
    /// Whether the tools reach the model at all.
    #[serde(default)]
    pub sees_tools: Known,
    /// Whether decoding is constrained to offered names.
    #[serde(default)]
    pub constrains_names: Known,
    /// Whether calls to unknown names are dropped or rewritten before anybody sees them.
    #[serde(default)]
    pub filters_unknown_names: Known,
    /// Whether strict schemas constrain decoding to offered names, where nothing else does.
    #[serde(default, skip_serializing_if = "Known::is_unknown")]
    pub strict_constrains_names: Known,
    /// Whether a call that is owed (`tool_choice: required`) is constrained to offered names, where nothing else is.
    #[serde(default, skip_serializing_if = "Known::is_unknown")]
    pub required_constrains_names: Known,
}

impl Known {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
    fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }
}

impl EndpointProperties {
    /// Whether calls of tools that are not offered cannot be seen, whatever a request asks for.
    #[must_use]
    pub fn hides_names(self) -> bool {
        self.constrains_names == Known::Yes || self.filters_unknown_names == Known::Yes
    }
}

/// Whether the model that answered is the one that was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServedVerdict {
    /// The names are equal.
    Equal,
    /// Another name came back.
    Different,
    /// Nothing came back that could tell.
    NotVerifiable,
}

/// The model asked for and the model that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServedModel {
    /// Model name in the request.
    pub asked: String,
    /// Model name in the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<String>,
    /// What follows.
    pub verdict: ServedVerdict,
}

/// What became of one model setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingState {
    /// The request did not carry it.
    NotAsked,
    /// The request carried it; whether it took effect was not looked at.
    Asked,
    /// It took effect.
    Honoured,
    /// It was accepted and had no effect.
    Ignored,
    /// The endpoint refused it.
    Refused,
}
