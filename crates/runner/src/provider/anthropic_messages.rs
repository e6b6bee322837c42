//! Messages of Anthropic (`POST /v1/messages`) and of servers that speak its format.
//!
//! Not said here: a limit on reasoning in tokens (`budget_tokens`), which the models of today refuse; a target or an
//! arm's `body` can say it for the older ones.

mod decode;
mod echo;
mod encode;
mod stream;

use indexmap::IndexMap;
use transcript::RawJson;

use super::{KeyHeader, Provider, is_plain_name};
use crate::json;

pub(super) const PROVIDER: Provider = Provider {
    name: "anthropic_messages",
    summary: "messages of Anthropic, and of servers that speak its format",
    base_url: Some("https://api.anthropic.com/v1"),
    path: |_| "/messages".to_owned(),
    key: KeyHeader::Named("x-api-key"),
    headers: &[("anthropic-version", "2023-06-01")],
    required: &["max_tokens"],
    reserved: &["model", "messages", "tools", "system"],
    encode: encode::encode,
    decode: decode::decode,
    // The name rule of the documentation ("Define tools"): `^[a-zA-Z0-9_-]{1,64}$`.
    can_echo: is_plain_name,
    echo: echo::echo,
    tool_choice,
    output_limit,
};

/// The type, or the name of the tool that is forced; `any` is `required` in everybody else's words.
fn tool_choice(settings: &IndexMap<String, RawJson>) -> Option<String> {
    let choice = json::parse_members(settings.get("tool_choice")?.as_str())?;
    match json::present_string(&choice, "type")?.as_str() {
        "any" => Some("required".to_owned()),
        "tool" => json::present_string(&choice, "name"),
        word => Some(word.to_owned()),
    }
}

fn output_limit(settings: &IndexMap<String, RawJson>) -> Option<u64> {
    settings.get("max_tokens").and_then(|raw| serde_json::from_str(raw.as_str()).ok())
}

#[cfg(test)]
mod tests {
    use probes::ArmSettings;
    use transcript::{CallId, Message, Role};

    use super::*;
    use crate::provider::{ModelRequest, Said};

    fn settings(key: &str, text: &str) -> IndexMap<String, RawJson> {
        IndexMap::from([(key.to_owned(), RawJson::parse(text).unwrap())])
    }

    #[test]
    fn names_that_anthropic_refuses_are_not_echoed() {
        assert!(is_plain_name("kiln_preheat-2") && is_plain_name(&"k".repeat(64)));
        for name in ["", "kiln.preheat", "kiln preheat", "brenn\u{f6}fen", &"k".repeat(65)] {
            assert!(!is_plain_name(name), "{name:?}");
        }
    }

    #[test]
    fn a_turn_and_its_results_follow_each_other() {
        let turn = r#"{"content":[{"type":"thinking","thinking":"h\u00e9","signature":"c2ln"},{"type":"tool_use","id":"t1","name":"fire_kiln","input":{"degrees":980.0}}],"stop_reason":"tool_use"}"#;
        let decoded = (PROVIDER.decode)(200, turn.as_bytes());
        let ids: Vec<CallId> = decoded.observed.calls().filter_map(|call| call.id.clone()).collect();
        let echo = (PROVIDER.echo)(decoded.whole().unwrap(), &decoded.observed, &ids);
        let result = Message {
            role: Role::Tool,
            tool_call_id: Some(ids[0].clone()),
            is_error: true,
            ..Message::user("too hot")
        };
        let said = [Said::Ours(Message::user("Fire it.")), Said::Model(echo), Said::Ours(result)];
        let request = ModelRequest {
            model: "oak-3",
            messages: &said,
            tools: &[],
            settings: &IndexMap::new(),
            arm: &ArmSettings::default(),
        };
        let wanted = concat!(
            r#"{"model":"oak-3","messages":[{"role":"user","content":"Fire it."},"#,
            r#"{"role":"assistant","content":[{"type":"thinking","thinking":"h\u00e9","signature":"c2ln"},"#,
            r#"{"type":"tool_use","id":"t1","name":"fire_kiln","input":{"degrees":980.0}}]},"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"too hot","is_error":true}]}]}"#
        );
        assert_eq!((PROVIDER.encode)(&request), wanted);
    }

    #[test]
    fn a_choice_is_a_word_or_the_name_that_is_forced() {
        let of = |text: &str| tool_choice(&settings("tool_choice", text));
        assert_eq!(of(r#"{"type":"any"}"#).as_deref(), Some("required"));
        assert_eq!(of(r#"{"type":"none"}"#).as_deref(), Some("none"));
        assert_eq!(of(r#"{"type":"tool","name":"fire_kiln"}"#).as_deref(), Some("fire_kiln"));
        assert_eq!(of(r#""auto""#), None);
        assert_eq!(output_limit(&settings("max_tokens", "900")), Some(900));
    }
}
