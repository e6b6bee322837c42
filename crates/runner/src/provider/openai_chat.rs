//! Chat completions (`POST /v1/chat/completions`, unstreamed) and its dialects: Azure, OpenRouter, Mistral,
//! vLLM, SGLang, llama.cpp, LM Studio, Ollama's compatible endpoint.

mod decode;
mod echo;
mod encode;
mod stream;

use indexmap::IndexMap;
use transcript::RawJson;

use super::{KeyHeader, Provider, is_plain_name};

pub(super) use encode::{Words, encode_with};

pub(super) const PROVIDER: Provider = Provider {
    name: "openai_chat",
    summary: "chat completions of OpenAI and every compatible server",
    base_url: None,
    path: |_| "/chat/completions".to_owned(),
    key: KeyHeader::Bearer,
    headers: &[],
    required: &[],
    reserved: &["model", "messages", "tools", "n"],
    encode: encode::encode,
    decode: decode::decode,
    // OpenAI refuses a history with a function name outside `^[a-zA-Z0-9_-]{1,64}$`.
    can_echo: is_plain_name,
    echo: echo::echo,
    tool_choice,
    output_limit,
};

/// The word, or the name of the function that is forced; `any` is `required` in other servers' words.
fn tool_choice(settings: &IndexMap<String, RawJson>) -> Option<String> {
    let choice = settings.get("tool_choice")?.to_value()?;
    match choice.as_str() {
        Some("any") => Some("required".to_owned()),
        Some(word) => Some(word.to_owned()),
        None => choice.pointer("/function/name")?.as_str().map(str::to_owned),
    }
}

fn output_limit(settings: &IndexMap<String, RawJson>) -> Option<u64> {
    ["max_completion_tokens", "max_tokens"]
        .iter()
        .find_map(|key| settings.get(*key).and_then(|raw| serde_json::from_str(raw.as_str()).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_openai_refuses_are_not_echoed() {
        assert!(is_plain_name("parcel_reroute-2"));
        for name in ["", "depot.reroute", "reroute ", "réroute", "re<|x|>"] {
            assert!(!is_plain_name(name), "{name:?}");
        }
        assert!(is_plain_name(&"x".repeat(64)) && !is_plain_name(&"x".repeat(65)));
    }

    #[test]
    fn a_choice_is_a_word_or_the_name_that_is_forced() {
        let settings =
            |text: &str| IndexMap::from([("tool_choice".to_owned(), RawJson::parse(text).unwrap())]);
        assert_eq!(tool_choice(&settings("\"none\"")).as_deref(), Some("none"));
        assert_eq!(tool_choice(&settings("\"any\"")).as_deref(), Some("required"));
        let forced = r#"{"type":"function","function":{"name":"weigh_parcel"}}"#;
        assert_eq!(tool_choice(&settings(forced)).as_deref(), Some("weigh_parcel"));
        assert_eq!(tool_choice(&settings("3")), None);
    }

    #[test]
    fn the_limit_is_read_from_either_key() {
        let settings =
            |key: &str, text: &str| IndexMap::from([(key.to_owned(), RawJson::parse(text).unwrap())]);
        assert_eq!(output_limit(&settings("max_tokens", "300")), Some(300));
        assert_eq!(output_limit(&settings("max_completion_tokens", "40")), Some(40));
        assert_eq!(output_limit(&settings("max_tokens", "\"many\"")), None);
    }
}
