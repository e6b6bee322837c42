//! Providers: pairs of pure functions between our messages and a wire format. A provider does not send, wait,
//! retry, log, or know a key.

mod answer;
mod anthropic_messages;
mod azure_openai;
mod bedrock_converse;
mod emitted;
mod error_body;
mod event_stream;
mod gemini;
mod history;
mod json_text;
mod mistral;
mod ollama;
mod openai_chat;
mod openai_responses;
mod openrouter;
mod splice;

use std::sync::Arc;

use bytes::Bytes;
use indexmap::IndexMap;
use probes::{ArmSettings, Thinking, ToolChoice};
use transcript::{CallId, Message, Observed, RawJson, Tool, Usage};

/// Every provider, in the order in which lists show them.
pub const PROVIDERS: &[Provider] = &[
    openai_chat::PROVIDER,
    openai_responses::PROVIDER,
    anthropic_messages::PROVIDER,
    bedrock_converse::PROVIDER,
    gemini::PROVIDER,
    ollama::PROVIDER,
    mistral::PROVIDER,
    azure_openai::PROVIDER,
    openrouter::PROVIDER,
];

/// One wire format.
#[derive(Debug)]
pub struct Provider {
    /// The name that configurations use.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Where it is asked unless a target says otherwise; none for servers that are everywhere.
    pub base_url: Option<&'static str>,
    /// What is appended to the base URL, by the model's name.
    pub path: fn(&str) -> String,
    /// How the key is sent.
    pub key: KeyHeader,
    /// Headers that every request carries.
    pub headers: &'static [(&'static str, &'static str)],
    /// Settings without which the provider answers nothing: a target has to give them, since none is defaulted.
    pub required: &'static [&'static str],
    /// Members of the body that the harness writes itself; a setting of that name is refused by the
    /// configuration and never sent.
    pub reserved: &'static [&'static str],
    /// Writes a request's body.
    pub encode: fn(&ModelRequest<'_>) -> Bytes,
    /// Reads a response's body under its HTTP status, whole or as an event stream. Never fails: what cannot be read
    /// is said in `Decoded`.
    pub decode: fn(u16, &[u8]) -> Decoded,
    /// Whether the provider takes a history that has a call of this name in it.
    pub can_echo: fn(&str) -> bool,
    /// The model's turn as the next request carries it: the body's own words, with these ids for its calls
    /// in order (its own where it gave one).
    pub echo: fn(&RawJson, &Observed, &[CallId]) -> RawJson,
    /// What these settings say of calling tools: `auto`, `required`, `none`, or the name of the tool that is forced.
    pub tool_choice: fn(&IndexMap<String, RawJson>) -> Option<String>,
    /// The limit on output tokens that these settings ask for.
    pub output_limit: fn(&IndexMap<String, RawJson>) -> Option<u64>,
}

/// The name rule that most providers have: `^[a-zA-Z0-9_-]{1,64}$`.
fn is_plain_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// How much to reason, in the word that most providers take; none where it is off.
fn effort(thinking: Thinking) -> Option<&'static str> {
    match thinking {
        Thinking::Off => None,
        Thinking::Low => Some("low"),
        Thinking::Medium => Some("medium"),
        Thinking::High => Some("high"),
    }
}

/// How a key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyHeader {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// A header of this name.
    Named(&'static str),
    /// `Authorization: Bearer KEY` where there is a key, else a signature in its place (AWS Signature Version 4), for the
    /// service of this name.
    BearerOrSignature(&'static str),
}

impl Provider {
    /// What a request with these settings and this arm asks for, as far as a turn is judged by it: `auto`,
    /// `required`, `none` or the name of the tool that is forced, and the limit on output tokens.
    #[must_use]
    pub fn asked(
        &self,
        settings: &IndexMap<String, RawJson>,
        arm: &ArmSettings,
    ) -> (Option<String>, Option<u64>) {
        let choice = match &arm.tool_choice {
            Some(ToolChoice::Auto) => Some("auto".to_owned()),
            Some(ToolChoice::Required) => Some("required".to_owned()),
            Some(ToolChoice::None) => Some("none".to_owned()),
            Some(ToolChoice::Tool(name)) => Some(name.to_string()),
            None => (self.tool_choice)(&arm.body).or_else(|| (self.tool_choice)(settings)),
        };
        let limit = (self.output_limit)(&arm.body).or_else(|| (self.output_limit)(settings));
        (choice, limit)
    }
}

/// Finds a provider by name.
#[must_use]
pub fn provider(name: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.name == name)
}

/// All that a request's body is made of.
#[derive(Debug, Clone, Copy)]
pub struct ModelRequest<'a> {
    /// Model to ask for.
    pub model: &'a str,
    /// The conversation so far.
    pub messages: &'a [Said],
    /// The tools offered, in order.
    pub tools: &'a [Arc<Tool>],
    /// Model settings and further members of the body, as the target has them.
    pub settings: &'a IndexMap<String, RawJson>,
    /// What the probe's arm asks for; it wins over `settings`.
    pub arm: &'a ArmSettings,
}

impl<'a> ModelRequest<'a> {
    /// The members of the body that settings and arm give, each as JSON text, the arm's in the place of the settings';
    /// none of `reserved`.
    fn members(&self, reserved: &[&str]) -> IndexMap<&'a str, String> {
        let given = self.settings.iter().chain(&self.arm.body);
        let ours = given.filter(|(key, _)| !reserved.contains(&key.as_str()));
        ours.map(|(key, value)| (key.as_str(), value.as_str().to_owned())).collect()
    }
}

/// A message of a conversation under way.
#[derive(Debug, Clone)]
pub enum Said {
    /// Ours: prompt, user, canned history, tool results.
    Ours(Message),
    /// The model's own turn, in the provider's form (`Provider::echo`).
    Model(RawJson),
}

/// A response, read and not judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// What it says. Empty where the body is unreadable.
    pub observed: Observed,
    /// Token counts, where the body has any.
    pub usage: Option<Usage>,
    /// The body itself.
    pub body: Body,
    /// What an event stream comes to: the body that an unstreamed answer would have.
    pub assembled: Option<RawJson>,
    /// Why nobody can read the body as an answer or as an error, where that is so (status `unparsed`).
    pub unreadable: Option<String>,
}

/// A body as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// It is one JSON value.
    Json(RawJson),
    /// It is not. Bytes that are no UTF-8 are replaced by U+FFFD.
    Text(String),
}

impl Decoded {
    /// The answer as one JSON value, streamed or not.
    #[must_use]
    pub fn whole(&self) -> Option<&RawJson> {
        self.assembled.as_ref().or_else(|| self.body.json())
    }
}

impl Body {
    /// Takes a body for JSON where it is JSON.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        match RawJson::parse(&text) {
            Ok(json) => Self::Json(json),
            Err(_) => Self::Text(text.into_owned()),
        }
    }

    /// The JSON, where it is JSON.
    #[must_use]
    pub fn json(&self) -> Option<&RawJson> {
        match self {
            Self::Json(json) => Some(json),
            Self::Text(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for entry in PROVIDERS {
            assert!(!entry.summary.is_empty());
            assert_eq!(PROVIDERS.iter().filter(|other| other.name == entry.name).count(), 1);
            assert_eq!(provider(entry.name).map(|found| found.name), Some(entry.name));
        }
        assert!(provider("smoke_signals").is_none());
    }
}
