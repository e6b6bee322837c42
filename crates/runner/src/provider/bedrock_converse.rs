//! Converse of Amazon Bedrock (`POST /model/ID/converse`), with an API key as bearer token or signed (SigV4).
//!
//! Not said here: the format has no choice `none` and no switch for parallel calls:
//! where an arm asks for either, nothing is sent of it. `converse-stream` answers in a binary framing of its own and is
//! not asked. A history with calls and no offered tool is refused by the endpoint.

mod decode;
mod echo;
mod encode;

use std::fmt::Write as _;

use indexmap::IndexMap;
use transcript::RawJson;

use super::{KeyHeader, Provider, is_plain_name};
use crate::json;

pub(super) const PROVIDER: Provider = Provider {
    name: "bedrock_converse",
    summary: "Converse of Amazon Bedrock, with an API key or signed",
    base_url: None,
    path,
    key: KeyHeader::BearerOrSignature("bedrock"),
    headers: &[],
    required: &[],
    reserved: &["messages", "system", "modelId", "model"],
    encode: encode::encode,
    decode: decode::decode,
    // `ToolName` of the service's model: `[a-zA-Z0-9_-]+`, 1 to 64.
    can_echo: is_plain_name,
    echo: echo::echo,
    tool_choice,
    output_limit,
};

/// The model stands in the path, and ARNs have slashes and colons in them.
fn path(model: &str) -> String {
    let mut path = String::from("/model/");
    for byte in model.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            path.push(char::from(byte));
        } else {
            let _ = write!(path, "%{byte:02X}");
        }
    }
    path + "/converse"
}

/// The member's name, or the name of the tool that is forced; `any` is `required` in everybody else's words.
fn tool_choice(settings: &IndexMap<String, RawJson>) -> Option<String> {
    let config = json::parse_members(settings.get("toolConfig")?.as_str())?;
    let choice = json::members(json::present(&config, "toolChoice")?)?;
    let (word, value) = choice.iter().next()?;
    match word {
        "any" => Some("required".to_owned()),
        "tool" => json::present_string(&json::members(value)?, "name"),
        word => Some(word.to_owned()),
    }
}

fn output_limit(settings: &IndexMap<String, RawJson>) -> Option<u64> {
    let config = json::parse_members(settings.get("inferenceConfig")?.as_str())?;
    config.get("maxTokens").and_then(json::count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_stands_in_the_path() {
        assert_eq!(path("fern.moss-2-v1:0"), "/model/fern.moss-2-v1%3A0/converse");
        let arn = "arn:aws:bedrock:eu-north-1:000000000000:inference-profile/eu.fern";
        let wanted =
            "/model/arn%3Aaws%3Abedrock%3Aeu-north-1%3A000000000000%3Ainference-profile%2Feu.fern/converse";
        assert_eq!(path(arn), wanted);
    }

    #[test]
    fn names_that_bedrock_refuses_are_not_echoed() {
        assert!(is_plain_name("open_hive-2") && is_plain_name(&"h".repeat(64)));
        for name in ["", "hive.open", "open hive", &"h".repeat(65)] {
            assert!(!is_plain_name(name), "{name:?}");
        }
    }

    #[test]
    fn choice_and_limit_stand_in_their_configurations() {
        let settings =
            |key: &str, text: &str| IndexMap::from([(key.to_owned(), RawJson::parse(text).unwrap())]);
        let choice = |text: &str| tool_choice(&settings("toolConfig", text));
        assert_eq!(choice(r#"{"toolChoice":{"any":{}}}"#).as_deref(), Some("required"));
        assert_eq!(choice(r#"{"toolChoice":{"tool":{"name":"open_hive"}}}"#).as_deref(), Some("open_hive"));
        assert_eq!(choice("{}"), None);
        assert_eq!(output_limit(&settings("inferenceConfig", r#"{"maxTokens":300}"#)), Some(300));
    }
}
