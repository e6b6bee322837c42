//! Gemini (`POST /v1beta/models/MODEL:generateContent`), as Google's own endpoint and Vertex AI speak it.
//!
//! What the format cannot say is left out of the request: whether calls may be parallel, and `strict` of a single
//! tool (the arm's `strict` is the mode `VALIDATED`, which holds for all of them). Whether an answer is streamed is
//! a matter of the path; an answer that comes as a stream all the same is put together.

mod decode;
mod echo;
mod encode;
mod stream;

use indexmap::IndexMap;
use transcript::RawJson;

use super::{KeyHeader, Provider};
use crate::json;

pub(super) const PROVIDER: Provider = Provider {
    name: "gemini",
    summary: "generateContent of Google's Gemini models",
    base_url: Some("https://generativelanguage.googleapis.com/v1beta"),
    path,
    key: KeyHeader::Named("x-goog-api-key"),
    headers: &[],
    required: &[],
    reserved: &["model", "contents", "tools", "systemInstruction", "system_instruction"],
    encode: encode::encode,
    decode: decode::decode,
    can_echo,
    echo: echo::echo,
    tool_choice,
    output_limit,
};

/// Tuned models and those of Vertex AI bring their own collection (`tunedModels/NAME`).
fn path(model: &str) -> String {
    let collection = if model.contains('/') { "" } else { "models/" };
    format!("/{collection}{model}:generateContent")
}

/// Names start with a letter or `_` and go on with letters, digits and `_.:-`. The reference says up to 128
/// characters, the endpoint has been seen to stop at 64: the trial that ends a turn early keeps what it found, the
/// one that is refused does not.
fn can_echo(name: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
    name.len() <= 64
        && name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && name.bytes().all(is_inner)
}

/// The mode in the words of all providers, or the name of the one function that may be called.
fn tool_choice(settings: &IndexMap<String, RawJson>) -> Option<String> {
    let calling = settings.get("toolConfig")?.to_value()?.get("functionCallingConfig")?.clone();
    let mode = calling.get("mode")?.as_str()?.to_ascii_uppercase();
    let allowed = calling.get("allowedFunctionNames").and_then(serde_json::Value::as_array);
    match (mode.as_str(), allowed.map(Vec::as_slice)) {
        ("ANY", Some([one])) => one.as_str().map(str::to_owned),
        ("ANY", _) => Some("required".to_owned()),
        ("NONE", _) => Some("none".to_owned()),
        ("AUTO" | "VALIDATED", _) => Some("auto".to_owned()),
        _ => None,
    }
}

fn output_limit(settings: &IndexMap<String, RawJson>) -> Option<u64> {
    let config = json::parse_members(settings.get("generationConfig")?.as_str())?;
    config.get("maxOutputTokens").and_then(json::count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_and_colons_are_part_of_names() {
        for name in ["steer_boat", "default_api:steer_boat", "harbour.steer-boat", "_x"] {
            assert!(can_echo(name), "{name:?}");
        }
        for name in ["", "7steer", "-steer", "steer boat", "stéer", "steer<|x|>", &"x".repeat(65)] {
            assert!(!can_echo(name), "{name:?}");
        }
    }

    #[test]
    fn the_model_stands_in_the_path() {
        assert_eq!(path("heron-3"), "/models/heron-3:generateContent");
        assert_eq!(path("tunedModels/heron-7"), "/tunedModels/heron-7:generateContent");
    }

    #[test]
    fn choice_and_limit_are_read_from_where_the_format_has_them() {
        let settings =
            |key: &str, text: &str| IndexMap::from([(key.to_owned(), RawJson::parse(text).unwrap())]);
        let choice = |calling: &str| {
            tool_choice(&settings("toolConfig", &format!(r#"{{"functionCallingConfig":{calling}}}"#)))
        };
        assert_eq!(choice(r#"{"mode":"ANY"}"#).as_deref(), Some("required"));
        assert_eq!(choice(r#"{"mode":"VALIDATED"}"#).as_deref(), Some("auto"));
        let forced = r#"{"mode":"ANY","allowedFunctionNames":["moor"]}"#;
        assert_eq!(choice(forced).as_deref(), Some("moor"));
        assert_eq!(choice("7"), None);
        assert_eq!(output_limit(&settings("generationConfig", r#"{"maxOutputTokens":700}"#)), Some(700));
        assert_eq!(output_limit(&settings("generationConfig", "[]")), None);
    }
}
