//! OpenAI's Responses (`POST /v1/responses`) and the servers that speak it too: Azure, OpenRouter, vLLM, SGLang,
//! llama.cpp, LM Studio, Ollama.
//!
//! What the endpoint stores is left to the target's settings (`store`). With `store: false` a reasoning model takes
//! its own reasoning back only where `include: ["reasoning.encrypted_content"]` had it sent. A tool result cannot
//! be marked as an error, and there is no seed.

mod decode;
mod echo;
mod encode;
mod stream;
mod tools;

use indexmap::IndexMap;
use transcript::RawJson;

use super::{KeyHeader, Provider, is_plain_name};

pub(super) const PROVIDER: Provider = Provider {
    name: "openai_responses",
    summary: "OpenAI's Responses and every compatible server",
    base_url: Some("https://api.openai.com/v1"),
    path: |_| "/responses".to_owned(),
    key: KeyHeader::Bearer,
    headers: &[],
    required: &[],
    // The last three would put a history before ours, or answer before the answer is there.
    reserved: &[
        "model",
        "instructions",
        "input",
        "tools",
        "previous_response_id",
        "conversation",
        "background",
    ],
    encode: encode::encode,
    decode: decode::decode,
    // OpenAI refuses a history with a name outside `^[a-zA-Z0-9_-]{1,64}$`; a namespace is a member of its own.
    can_echo: is_plain_name,
    echo: echo::echo,
    tool_choice,
    output_limit,
};

/// The word, the name of the function that is forced, or the mode of a narrowed choice.
fn tool_choice(settings: &IndexMap<String, RawJson>) -> Option<String> {
    let choice = settings.get("tool_choice")?.to_value()?;
    let word = choice.as_str().or_else(|| {
        let member = match choice.get("type")?.as_str()? {
            "function" | "custom" => "name",
            "allowed_tools" => "mode",
            _ => return None,
        };
        choice.get(member)?.as_str()
    });
    word.map(str::to_owned)
}

fn output_limit(settings: &IndexMap<String, RawJson>) -> Option<u64> {
    settings.get("max_output_tokens").and_then(|raw| serde_json::from_str(raw.as_str()).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(key: &str, text: &str) -> IndexMap<String, RawJson> {
        IndexMap::from([(key.to_owned(), RawJson::parse(text).unwrap())])
    }

    #[test]
    fn names_that_openai_refuses_are_not_echoed() {
        assert!(is_plain_name("tide_at-pier"));
        assert!(is_plain_name(&"x".repeat(64)) && !is_plain_name(&"x".repeat(65)));
        for name in ["", "pier.tide", " tide", "tidé", "tide<|x|>"] {
            assert!(!is_plain_name(name), "{name:?}");
        }
    }

    #[test]
    fn a_choice_is_a_word_a_name_or_a_mode() {
        let choice = |text: &str| tool_choice(&settings("tool_choice", text));
        assert_eq!(choice("\"required\"").as_deref(), Some("required"));
        assert_eq!(choice(r#"{"type":"function","name":"ring_bell"}"#).as_deref(), Some("ring_bell"));
        assert_eq!(choice(r#"{"type":"custom","name":"run_query"}"#).as_deref(), Some("run_query"));
        let narrowed = r#"{"type":"allowed_tools","mode":"required","tools":[]}"#;
        assert_eq!(choice(narrowed).as_deref(), Some("required"));
        assert_eq!(choice(r#"{"type":"mcp","server_label":"x"}"#), None);
        assert_eq!(choice("[]"), None);
    }

    #[test]
    fn the_limit_has_one_name() {
        assert_eq!(output_limit(&settings("max_output_tokens", "300")), Some(300));
        assert_eq!(output_limit(&settings("max_tokens", "300")), None);
        assert_eq!(output_limit(&settings("max_output_tokens", "null")), None);
    }
}
