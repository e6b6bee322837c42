//! Which wire format a response is of, by what its case says and by its shape.

use anyhow::{Context, bail};
use runner::Provider;
use serde_json::{Map, Value};
use transcript::{RawJson, Turn};

/// What speaks chat completions, under names of its own.
const CHAT_DIALECTS: &[&str] =
    &["openai_compatible", "mistral", "openrouter", "azure_openai", "vllm", "sglang", "llamacpp", "lmstudio"];

/// The format of chat completions.
pub(super) const CHAT: &str = "openai_chat";

/// Formats that toolmirage knows; a build may lack some.
const KNOWN: &[&str] = &["openai_responses", "anthropic_messages", "gemini", "ollama", "bedrock_converse"];

/// The format of a response: what its shape says, else what its case names.
///
/// # Errors
/// The name is unknown, or this build does not read the format.
pub(super) fn of(named: &str, response: &RawJson) -> anyhow::Result<&'static Provider> {
    let is_known = named == CHAT || CHAT_DIALECTS.contains(&named) || KNOWN.contains(&named);
    if !is_known {
        let names: Vec<&str> = [CHAT].iter().chain(CHAT_DIALECTS).chain(KNOWN).copied().collect();
        bail!("unknown provider `{named}`; known are {}", names.join(", "));
    }
    let shape = response.to_value().as_ref().and_then(Value::as_object).and_then(of_shape);
    let name = shape.unwrap_or(if KNOWN.contains(&named) { named } else { CHAT });
    runner::provider(name).with_context(|| format!("provider `{name}` is known, not in this build"))
}

/// The format whose answers have these members, where they are like no other's. Servers of chat completions hand on
/// Responses bodies too.
fn of_shape(members: &Map<String, Value>) -> Option<&'static str> {
    let is = |key: &str, word: &str| members.get(key).and_then(Value::as_str) == Some(word);
    if is("object", "response") {
        Some("openai_responses")
    } else if is("type", "message") {
        Some("anthropic_messages")
    } else if members.contains_key("candidates") || members.contains_key("promptFeedback") {
        Some("gemini")
    } else if members.contains_key("done") && members.contains_key("message") {
        Some("ollama")
    } else if members.contains_key("stopReason") && members.contains_key("output") {
        Some("bedrock_converse")
    } else if members.get("output").is_some_and(Value::is_array) {
        Some("openai_responses")
    } else {
        None
    }
}

/// Reads a response; one that came as an event stream stands in a case as `{"sse": TEXT}`.
///
/// # Errors
/// It is no answer of the format, and no error.
pub(super) fn read(provider: &Provider, status: u16, response: &RawJson) -> anyhow::Result<Turn> {
    let stream = response.to_value().and_then(|value| value.get("sse")?.as_str().map(str::to_owned));
    let bytes = stream.as_deref().unwrap_or(response.as_str());
    let decoded = (provider.decode)(status, bytes.as_bytes());
    if let Some(reason) = decoded.unreadable {
        bail!("not a response of `{}`: {reason}", provider.name);
    }
    Ok(Turn {
        http_status: Some(status),
        response: stream.is_none().then(|| response.clone()),
        response_text: stream,
        observed: decoded.observed,
        usage: decoded.usage,
        ..Turn::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(named: &str, body: &str) -> Result<&'static str, String> {
        of(named, &RawJson::parse(body).unwrap())
            .map(|provider| provider.name)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn dialects_are_chat_completions_and_unknown_names_are_told() {
        assert_eq!(name("vllm", r#"{"choices":[]}"#), Ok(CHAT));
        assert!(name("smoke", "{}").unwrap_err().contains("openai_chat, openai_compatible"));
    }

    #[test]
    fn a_shape_says_more_than_a_name() {
        for (body, format) in [
            (r#"{"object":"response","output":[]}"#, "openai_responses"),
            (r#"{"type":"message","content":[]}"#, "anthropic_messages"),
            (r#"{"candidates":[]}"#, "gemini"),
            (r#"{"message":{},"done":true}"#, "ollama"),
            (r#"{"output":{},"stopReason":"end_turn"}"#, "bedrock_converse"),
        ] {
            let found = name("vllm", body);
            let wanted = match runner::provider(format) {
                Some(provider) => found == Ok(provider.name),
                None => found.is_err_and(|error| error.contains("not in this build")),
            };
            assert!(wanted, "{body}");
        }
    }
}
