//! One response of a model, decoded and not yet judged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{RawJson, ToolCall, ToolResult};

/// What a provider's body says, in one form for all providers. Nothing is defaulted: what the body does not
/// have is absent here, and what is malformed stays text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// Response id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Model that answered, as the body names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether the body says that this model took over from the one that was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub took_over: bool,
    /// Backend fingerprint, as the body names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Text, reasoning and calls in the order of the body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Item>,
    /// Why the model stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// An error in place of an answer, whatever the HTTP status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ProviderError>,
}

/// One piece of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// Visible text.
    Text(String),
    /// Reasoning that the body shows.
    Reasoning(String),
    /// A refusal in a field of its own.
    Refusal(String),
    /// A structured call.
    Call(ToolCall),
    /// A call that the provider itself reports as unreadable: what it says of it.
    MalformedCall(String),
}

/// Why a model stopped, as sent and as understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stop {
    /// The word in the body.
    pub raw: String,
    /// What it means.
    pub reason: StopReason,
}

/// The meanings that providers' stop words have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model was done.
    End,
    /// The model wants its calls answered.
    Calls,
    /// A token limit.
    Length,
    /// A filter or policy of the provider.
    Policy,
    /// The provider paused and wants to be continued.
    Paused,
    /// The provider could not read the call that the model made.
    MalformedCall,
    /// The provider reports an error as the reason.
    Error,
    /// A word that is not known.
    Other,
}

/// An error body.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ProviderError {
    /// `type` or `status` of the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `code` of the error, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Its message.
    pub message: String,
}

/// Tokens as the provider counts them. Absent means that the body did not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens read, cached ones included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Tokens written, reasoning included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Of the tokens read, those that came from the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Of the tokens read, those that were written into the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<u64>,
    /// Of the tokens written, those spent on reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
}

impl Usage {
    /// Adds another count; what neither says stays absent. An endpoint may claim any number, so the sums stop
    /// at the largest.
    pub fn add(&mut self, other: &Self) {
        let add = |total: &mut Option<u64>, part: Option<u64>| {
            if let Some(part) = part {
                *total = Some(total.unwrap_or(0).saturating_add(part));
            }
        };
        add(&mut self.input, other.input);
        add(&mut self.output, other.output);
        add(&mut self.cached, other.cached);
        add(&mut self.cache_write, other.cache_write);
        add(&mut self.reasoning, other.reasoning);
    }
}

/// One turn of a trial: what was sent (by hash), what came back, and how its calls were answered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// Hash of the request's bytes, 64 hex digits.
    pub request_sha256: String,
    /// Which step of the probe it belongs to (0 for the probe's first messages): the step names the catalog.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub step: usize,
    /// HTTP status, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// The body, where it is JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<RawJson>,
    /// The body, where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_text: Option<String>,
    /// The body, decoded.
    #[serde(default)]
    pub observed: Observed,
    /// Token counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Present where the response was not asked for but taken from those kept on disk: a cache, or recordings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<KeptResponse>,
    /// What the calls were answered with, in the order of the calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ToolResult>,
}

/// A response that was kept, as it was when it was fresh.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptResponse {
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// When it came, RFC 3339.
    pub stored: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(step: &usize) -> bool {
    *step == 0
}

impl Observed {
    /// The structured calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.items.iter().filter_map(|item| match item {
            Item::Call(call) => Some(call),
            _ => None,
        })
    }

    /// The visible text, pieces joined by line breaks.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for item in &self.items {
            if let Item::Text(text) = item {
                if !out.is_empty() {
                    out.push('\n');
                }
                out.push_str(text);
            }
        }
        out
    }
}

/// What kind of answer a turn is (`../cases/wire` words). Content decides first, the stop reason second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// At least one structured call, or a call that the provider reports as malformed.
    Calls,
    /// Visible text and no call.
    Text,
    /// A call written into text or reasoning, and no structured one. Only the scorer tells it from `Text`.
    TextCall,
    /// Nothing at all.
    Empty,
    /// Cut off by a token limit.
    Truncated,
    /// Stopped by the provider's policy.
    PolicyRefusal,
    /// Paused by the provider.
    Paused,
    /// An error in place of an answer.
    Error,
}

impl TurnKind {
    /// The kind of a turn, as far as it shows without reading the text for calls.
    ///
    /// `max_tokens` is the limit that the request set, where it did: some servers report another stop reason
    /// when they hit it.
    #[must_use]
    pub fn of(observed: &Observed, usage: Option<&Usage>, max_tokens: Option<u64>) -> Self {
        if observed.error.is_some() {
            return Self::Error;
        }
        let stop = observed.stop.as_ref().map(|stop| stop.reason);
        let has_calls = observed.items.iter().any(|i| matches!(i, Item::Call(_) | Item::MalformedCall(_)));
        let has_text =
            observed.items.iter().any(|i| matches!(i, Item::Text(text) if !text.trim().is_empty()));
        let refused = observed.items.iter().any(|i| matches!(i, Item::Refusal(_)));
        let hit_limit =
            matches!((usage.and_then(|u| u.output), max_tokens), (Some(used), Some(limit)) if used >= limit);
        let cut_call = observed.calls().any(|call| is_cut_off(call.arguments.text()));
        match stop {
            Some(StopReason::Length) => Self::Truncated,
            _ if hit_limit && (cut_call || !has_calls) => Self::Truncated,
            Some(StopReason::Policy) => Self::PolicyRefusal,
            _ if refused && !has_calls => Self::PolicyRefusal,
            Some(StopReason::Paused) => Self::Paused,
            Some(StopReason::Error) => Self::Error,
            _ if has_calls => Self::Calls,
            Some(StopReason::MalformedCall) => Self::Calls,
            _ if has_text => Self::Text,
            _ => Self::Empty,
        }
    }

    /// Whether the turn enters the rates' denominators.
    #[must_use]
    pub fn is_countable(self) -> bool {
        matches!(self, Self::Calls | Self::Text | Self::TextCall)
    }
}

/// Whether a text starts a JSON value and ends before it is complete.
#[must_use]
pub(crate) fn is_cut_off(text: &str) -> bool {
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => false,
        Err(error) => error.is_eof() && !text.trim().is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arguments, EmittedName};

    fn call(arguments: &str) -> Item {
        Item::Call(ToolCall {
            id: None,
            name: EmittedName::Text("write".into()),
            namespace: None,
            arguments: Arguments::Text(arguments.into()),
        })
    }

    fn observed(items: Vec<Item>, reason: StopReason) -> Observed {
        Observed { items, stop: Some(Stop { raw: String::new(), reason }), ..Observed::default() }
    }

    #[test]
    fn content_decides_before_the_stop_reason() {
        let calls = observed(vec![call("{}")], StopReason::End);
        assert_eq!(TurnKind::of(&calls, None, None), TurnKind::Calls);
        let empty = observed(vec![], StopReason::Calls);
        assert_eq!(TurnKind::of(&empty, None, None), TurnKind::Empty);
    }

    #[test]
    fn a_limit_that_was_hit_with_cut_arguments_is_truncation_whatever_the_body_says() {
        let usage = Usage { output: Some(300), ..Usage::default() };
        let cut = observed(vec![call(r#"{"path": "a"#)], StopReason::Calls);
        assert_eq!(TurnKind::of(&cut, Some(&usage), Some(300)), TurnKind::Truncated);
        assert_eq!(TurnKind::of(&cut, Some(&usage), None), TurnKind::Calls);
        let whole = observed(vec![call("{}")], StopReason::Calls);
        assert_eq!(TurnKind::of(&whole, Some(&usage), Some(300)), TurnKind::Calls);
    }
}
