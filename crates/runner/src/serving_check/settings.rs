//! What became of the settings that requests carry. An endpoint says that it refuses one; that an accepted one had an
//! effect shows for limits on output alone.

use indexmap::IndexMap;
use transcript::{RawJson, ServingState, SettingState};

use super::exchange::Exchanges;
use super::question::Decision;

/// Settings that ask for a limit on output tokens.
const LIMITS: &[&str] = &["max_tokens", "max_completion_tokens", "max_output_tokens"];

/// The setting that a refusal names, where it names one of these.
pub(super) fn refused_by(message: &str, settings: &IndexMap<String, RawJson>) -> Option<String> {
    settings.keys().find(|key| names(message, key)).cloned()
}

/// Whether a message has this word in it, whole.
pub(super) fn names(message: &str, word: &str) -> bool {
    let is_inner = |character: char| character.is_alphanumeric() || character == '_';
    message.match_indices(word).any(|(at, _)| {
        let before = message.get(..at).and_then(|text| text.chars().next_back());
        let after = message.get(at + word.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_inner) && !after.is_some_and(is_inner)
    })
}

/// What became of each setting.
pub(super) fn states(
    settings: &IndexMap<String, RawJson>,
    refused: &[String],
    limit: &Decision,
    exchanges: &Exchanges,
) -> IndexMap<String, SettingState> {
    let answered = exchanges.all().any(|exchange| exchange.answer().is_some());
    let state = |key: &String| {
        if refused.contains(key) {
            return SettingState::Refused;
        }
        match limit.answer {
            ServingState::Yes if LIMITS.contains(&key.as_str()) => SettingState::Honoured,
            ServingState::No if LIMITS.contains(&key.as_str()) => SettingState::Ignored,
            _ if answered => SettingState::Asked,
            _ => SettingState::NotAsked,
        }
    };
    settings.keys().map(|key| (key.clone(), state(key))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_a_setting_as_a_whole_word() {
        let settings = ["top", "temperature", "top_p"]
            .map(|key| (key.to_owned(), RawJson::from_text("x")))
            .into_iter()
            .collect();
        let named = |message: &str| refused_by(message, &settings);
        assert_eq!(named("HTTP 400: `top_p` is not supported").as_deref(), Some("top_p"));
        assert_eq!(named("Unsupported value: 'temperature'").as_deref(), Some("temperature"));
        assert_eq!(named("a topless boat"), None);
    }
}
