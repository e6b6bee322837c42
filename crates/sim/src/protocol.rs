//! The protocols that a simulated model speaks. Each is read by rewriting a request as the chat-completions
//! request that says the same, so that a model decides alike whatever it is asked in, and written from one form
//! of answer. What an endpoint would refuse of a history is refused here too: a client that does not give back
//! what it was given has to fail against a simulated model.

mod anthropic_messages;
mod azure_openai;
mod bedrock_converse;
mod chat_request;
mod gemini;
mod mistral;
mod ollama;
mod openai_chat;
mod openai_responses;
mod openrouter;

use std::borrow::Cow;

use serde::Serialize;

use crate::answer::Answer;
use crate::request::Refused;

pub(crate) use openai_chat::PROTOCOL as OPENAI_CHAT;

/// Every protocol; the first that knows a path answers there.
pub(crate) const PROTOCOLS: &[Protocol] = &[
    mistral::PROTOCOL,
    azure_openai::PROTOCOL,
    openrouter::PROTOCOL,
    openai_chat::PROTOCOL,
    openai_responses::PROTOCOL,
    anthropic_messages::PROTOCOL,
    gemini::PROTOCOL,
    ollama::PROTOCOL,
    bedrock_converse::PROTOCOL,
];

/// One protocol.
pub(crate) struct Protocol {
    /// What runners call it.
    pub(crate) name: &'static str,
    /// Where it is served, for people.
    pub(crate) paths: &'static str,
    /// What a path says of a request; none where it is another protocol's.
    pub(crate) route: fn(&str) -> Option<Route>,
    /// Reads a body.
    pub(crate) read: for<'a> fn(&'a [u8], &Route) -> Result<Asked<'a>, Refused>,
    /// Writes an answer whole.
    pub(crate) write: fn(&Answer) -> Vec<u8>,
    /// Writes an answer in pieces.
    pub(crate) stream: fn(&Answer) -> Vec<String>,
    /// The content type of such pieces.
    pub(crate) stream_type: &'static str,
    /// Writes an error.
    pub(crate) error: fn(&Problem<'_>) -> Vec<u8>,
}

/// What a path says of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Route {
    /// The model, where it stands in the path.
    pub(crate) model: Option<String>,
    /// Whether the path asks for a stream.
    pub(crate) streams: bool,
}

/// A request in the form of chat completions.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) chat: Cow<'a, [u8]>,
    /// Whether the answer comes in pieces.
    pub(crate) streams: bool,
}

/// What an error says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) status: u16,
    pub(crate) message: &'a str,
    /// Whether the body says, where the protocol has a place for it, that the next try may follow at once.
    pub(crate) says_wait: bool,
}

impl Problem<'_> {
    /// OpenAI's word for the kind of error; most others use it too.
    fn openai_kind(&self) -> &'static str {
        match self.status {
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        }
    }
}

/// The protocol of a path, and what the path says.
pub(crate) fn of_path(path: &str) -> Option<(&'static Protocol, Route)> {
    PROTOCOLS.iter().find_map(|protocol| Some((protocol, (protocol.route)(path)?)))
}

/// A path without its end, where it has this one.
fn route_if(path: &str, end: &str) -> Option<Route> {
    path.ends_with(end).then(Route::default)
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data of strings and numbers is JSON")
}

fn to_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data of strings and numbers is JSON")
}

/// Server-sent events without names.
fn data_event(value: &impl Serialize) -> String {
    format!("data: {}\n\n", to_text(value))
}

/// A server-sent event with the name that its `type` says too.
fn named_event(name: &str, value: &impl Serialize) -> String {
    format!("event: {name}\ndata: {}\n\n", to_text(value))
}

/// Arguments where a protocol has a JSON value in place: what is no JSON can only stand there as text.
fn in_place(arguments: &str) -> Box<serde_json::value::RawValue> {
    let text = match serde_json::from_str::<&serde_json::value::RawValue>(arguments) {
        Ok(_) => arguments.to_owned(),
        Err(_) => to_text(&arguments),
    };
    serde_json::value::RawValue::from_string(text).expect("JSON, or JSON made of a text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_has_paths_of_its_own() {
        for (path, name) in [
            ("/v1/chat/completions", "openai_chat"),
            ("/chat/completions", "openai_chat"),
            ("/mistral/v1/chat/completions", "mistral"),
            ("/openai/v1/chat/completions", "azure_openai"),
            ("/openai/deployments/fern/chat/completions", "azure_openai"),
            ("/api/v1/chat/completions", "openrouter"),
            ("/v1/responses", "openai_responses"),
            ("/v1/messages", "anthropic_messages"),
            ("/v1beta/models/fern-2:generateContent", "gemini"),
            ("/v1beta/models/fern-2:streamGenerateContent", "gemini"),
            ("/api/chat", "ollama"),
            ("/model/fern%3A2/converse", "bedrock_converse"),
        ] {
            assert_eq!(of_path(path).map(|(protocol, _)| protocol.name), Some(name), "{path}");
        }
        for path in ["/", "/v1/completions", "/v1/embeddings", "/v1beta/models/fern", "/model/fern"] {
            assert!(of_path(path).is_none(), "{path}");
        }
        for protocol in PROTOCOLS {
            assert_eq!(PROTOCOLS.iter().filter(|other| other.name == protocol.name).count(), 1);
        }
    }

    #[test]
    fn arguments_that_are_no_json_stand_as_text() {
        assert_eq!(in_place(r#"{"n":2.50}"#).get(), r#"{"n":2.50}"#);
        assert_eq!(in_place("{'n': 2}").get(), r#""{'n': 2}""#);
        assert_eq!(in_place(r#""{}""#).get(), r#""{}""#);
    }
}
