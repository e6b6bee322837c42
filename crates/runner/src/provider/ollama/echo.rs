//! The model's turn as the next request carries it: the message as it came, thinking and all.

use transcript::{CallId, Observed, RawJson};

use crate::json;
use crate::provider::json_text::Object;

/// The message of the body. A body may leave out the role, a history may not.
pub(super) fn echo(body: &RawJson, _: &Observed, _: &[CallId]) -> RawJson {
    let message = json::parse_members(body.as_str())
        .and_then(|body| json::present(&body, "message").and_then(json::members))
        .unwrap_or_default();
    let mut out = Object::new();
    if json::present(&message, "role").is_none() {
        out.member("role", "\"assistant\"");
    }
    for (key, value) in message.iter().filter(|(_, value)| !json::is_null(value)) {
        out.member(key, value.get());
    }
    out.into_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_goes_back_as_it_came() {
        let echoed =
            |body: &str| echo(&RawJson::parse(body).unwrap(), &Observed::default(), &[]).as_str().to_owned();
        let message = r#"{"role":"assistant","content":"","thinking":"h\u00e9","tool_calls":[{"function":{"index":0,"name":"prune","arguments":{"n":1.0}}}]}"#;
        assert_eq!(echoed(&format!(r#"{{"message":{message},"done":true}}"#)), message);
        assert_eq!(
            echoed(r#"{"message":{"content":"a","tool_calls":null}}"#),
            r#"{"role":"assistant","content":"a"}"#
        );
        assert_eq!(echoed("[]"), r#"{"role":"assistant"}"#);
    }
}
