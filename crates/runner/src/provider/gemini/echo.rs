//! The model's turn as the next request carries it: the candidate's content as it came. Every part keeps its
//! `thoughtSignature`, and calls without an id stay without one.

use transcript::{CallId, Observed, RawJson};

use super::decode::first_candidate;
use crate::json;
use crate::provider::json_text::Object;

/// The content of the first candidate. A body may leave out the role, a history may not.
pub(super) fn echo(body: &RawJson, _: &Observed, _: &[CallId]) -> RawJson {
    let candidate = json::parse_members(body.as_str()).and_then(|body| first_candidate(&body));
    let content =
        candidate.and_then(|candidate| json::present(&candidate, "content").and_then(json::members));
    let content = content.unwrap_or_default();
    let mut out = Object::new();
    if json::present(&content, "role").is_none() {
        out.member("role", "\"model\"");
    }
    for (key, value) in content.iter().filter(|(_, value)| !json::is_null(value)) {
        out.member(key, value.get());
    }
    if json::present(&content, "parts").is_none() {
        out.member("parts", "[]");
    }
    out.into_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_go_back_byte_for_byte() {
        let parts = r#"[{"text":"h\u00e9","thought":true},{"functionCall":{"name":"moor","args":{"n":1.0}},"thoughtSignature":"Ab+/==","x":[1]}]"#;
        let body = |content: &str| RawJson::parse(&format!(r#"{{"candidates":[{content}]}}"#)).unwrap();
        let echoed = |content: &str| echo(&body(content), &Observed::default(), &[]).as_str().to_owned();
        assert_eq!(
            echoed(&format!(r#"{{"content":{{"parts":{parts}}}}}"#)),
            format!(r#"{{"role":"model","parts":{parts}}}"#)
        );
        assert_eq!(
            echoed(&format!(r#"{{"content":{{"parts":{parts},"role":"model"}}}}"#)),
            format!(r#"{{"parts":{parts},"role":"model"}}"#)
        );
        for odd in ["", "7", r#"{"content":null}"#, r#"{"content":{"role":"model","parts":null}}"#] {
            assert_eq!(echoed(odd), r#"{"role":"model","parts":[]}"#);
        }
    }
}
