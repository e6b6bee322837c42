//! Which model answered, and what became of the settings: only what responses show, nothing assumed.

use indexmap::IndexMap;
use probes::ArmSettings;
use transcript::{RawJson, ServedModel, ServedVerdict, SettingState, Turn};

use crate::json;

/// Settings that decide about an answer and that readers look for: said to be `not_asked` where they are not.
const LOOKED_FOR: &[&str] = &["temperature", "top_p", "seed"];

/// The model that answered. A name that differs in any turn is the one that counts; `own` are names under which the
/// model that is asked for answers beside its own.
pub(crate) fn served_model(asked: &str, own: &[String], turns: &[Turn]) -> Option<ServedModel> {
    let mut names = turns.iter().filter_map(|turn| turn.observed.model.as_deref());
    let first = names.next();
    let other =
        first.into_iter().chain(names).find(|name| *name != asked && !own.iter().any(|own| own == name));
    let verdict = match (first, other) {
        (None, _) => ServedVerdict::NotVerifiable,
        (_, Some(_)) => ServedVerdict::Different,
        (_, None) => ServedVerdict::Equal,
    };
    Some(ServedModel { asked: asked.to_owned(), answered: other.or(first).map(str::to_owned), verdict })
}

/// What became of each setting. An endpoint that refuses one names it as the error's `param`; whether an
/// accepted one had an effect does not show.
pub(crate) fn settings(
    target: &IndexMap<String, RawJson>,
    arm: &ArmSettings,
    turns: &[Turn],
) -> IndexMap<String, SettingState> {
    let refused = turns.iter().rev().find_map(refused_param);
    let of_arm = [
        ("tool_choice", arm.tool_choice.is_some()),
        ("parallel_tool_calls", arm.parallel.is_some()),
        ("strict", arm.strict.is_some()),
        ("reasoning_effort", arm.thinking.is_some()),
    ];
    let asked = target
        .keys()
        .chain(arm.body.keys())
        .map(String::as_str)
        .chain(of_arm.iter().filter(|(_, asked)| *asked).map(|(key, _)| *key));
    let mut states = IndexMap::new();
    for key in asked {
        let state = if refused.as_deref() == Some(key) { SettingState::Refused } else { SettingState::Asked };
        states.insert(key.to_owned(), state);
    }
    for key in LOOKED_FOR {
        states.entry((*key).to_owned()).or_insert(SettingState::NotAsked);
    }
    states
}

fn refused_param(turn: &Turn) -> Option<String> {
    turn.observed.error.as_ref()?;
    let body = json::parse_members(turn.response.as_ref()?.as_str())?;
    json::present_string(&json::members(json::present(&body, "error")?)?, "param")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(model: Option<&str>) -> Turn {
        let mut turn = Turn::default();
        turn.observed.model = model.map(str::to_owned);
        turn
    }

    #[test]
    fn the_model_that_differs_is_named() {
        let served = |turns: &[Turn]| served_model("fern-2", &["fern-2-0917".to_owned()], turns).unwrap();
        assert_eq!(served(&[turn(Some("fern-2"))]).verdict, ServedVerdict::Equal);
        let dated = served(&[turn(Some("fern-2-0917"))]);
        assert_eq!((dated.answered.as_deref(), dated.verdict), (Some("fern-2-0917"), ServedVerdict::Equal));
        assert_eq!(served(&[turn(None)]).verdict, ServedVerdict::NotVerifiable);
        let mixed = served(&[turn(Some("fern-2")), turn(Some("fern-1"))]);
        assert_eq!((mixed.answered.as_deref(), mixed.verdict), (Some("fern-1"), ServedVerdict::Different));
    }

    #[test]
    fn settings_are_never_taken_for_honoured() {
        let target = IndexMap::from([("temperature".to_owned(), RawJson::parse("0").unwrap())]);
        let arm = ArmSettings { strict: Some(true), ..ArmSettings::default() };
        let states = settings(&target, &arm, &[]);
        assert_eq!(states["temperature"], SettingState::Asked);
        assert_eq!(states["strict"], SettingState::Asked);
        assert_eq!(states["seed"], SettingState::NotAsked);
        let mut refusal = Turn::default();
        refusal.observed.error = Some(transcript::ProviderError::default());
        refusal.response = Some(RawJson::parse(r#"{"error":{"param":"temperature"}}"#).unwrap());
        assert_eq!(settings(&target, &arm, &[refusal])["temperature"], SettingState::Refused);
    }
}
