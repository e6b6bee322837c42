//! Error bodies of any provider's shape: gateways pass on whatever stood behind them, so every wire format
//! may meet every shape.

use serde_json::value::RawValue;
use transcript::{Item, Observed, ProviderError, Stop, StopReason};

use crate::json::{self, Members};

/// Longest part of a foreign text that an error message quotes, in characters.
const QUOTED: usize = 300;

/// Codes by which providers say that a policy, not a fault, stopped a request (WIRE.md section 1).
const POLICY_CODES: &[&str] = &[
    "content_filter",
    "content_policy_violation",
    "responsibleaipolicyviolation",
    "bio_policy",
    "cyber_policy",
];

/// Reads the error out of a body, if it is one. `status` is the HTTP status: from 400 on every body is.
pub(super) fn error_of(status: u16, body: &RawValue) -> Option<ProviderError> {
    let failed = status >= 400;
    if let Some(list) = json::elements(body) {
        // Gemini wraps its error in an array of one.
        let error =
            list.first().filter(|first| first.get().starts_with('{')).and_then(|f| error_of(status, f));
        return error.or_else(|| failed.then(|| whole(body)));
    }
    match json::members(body) {
        Some(members) => error_in(status, &members, body),
        None => failed.then(|| ProviderError {
            message: json::string(body).unwrap_or_else(|| quote(body.get())),
            ..ProviderError::default()
        }),
    }
}

/// The same of a body whose members are read already.
pub(super) fn error_in(status: u16, members: &Members<'_>, body: &RawValue) -> Option<ProviderError> {
    if let Some(error) =
        json::present(members, "error").filter(|raw| !matches!(raw.get(), "false" | "{}" | "\"\""))
    {
        return Some(nested(error, members));
    }
    let named = |key| json::present_string(members, key).is_some_and(|word| word == "error");
    if status >= 400 || named("object") || named("type") {
        return Some(flat(members, body));
    }
    None
}

/// A body that is no JSON: an error page where the status says so, else unreadable, which is the mistake.
pub(super) fn of_text(status: u16, text: &str) -> Result<Observed, String> {
    let what = if text.trim().is_empty() { "an empty body".to_owned() } else { describe(text) };
    let message = format!("HTTP {status} with {what}");
    if (200..300).contains(&status) {
        return Err(message);
    }
    let error = ProviderError { message, ..ProviderError::default() };
    Ok(Observed { error: Some(error), ..Observed::default() })
}

fn describe(text: &str) -> String {
    let start = text.trim_start();
    let kind = if start.starts_with('<') {
        "markup in place of JSON"
    } else if start.starts_with('{') || start.starts_with('[') {
        "JSON that is broken or cut off"
    } else {
        "text in place of JSON"
    };
    format!("{kind}: {}", quote(text))
}

/// What an error is observed as: a policy's refusal, or a fault of the endpoint.
pub(super) fn observed(error: ProviderError, body: &RawValue) -> Observed {
    let observed = policy_refusal(&error, body)
        .unwrap_or_else(|| Observed { error: Some(error), ..Observed::default() });
    let Some(members) = json::members(body) else { return observed };
    Observed {
        id: json::present_string(&members, "id"),
        model: json::present_string(&members, "model"),
        ..observed
    }
}

/// What a policy error is observed as: not a fault of the endpoint but a refusal (DESIGN.md 3.4).
fn policy_refusal(error: &ProviderError, body: &RawValue) -> Option<Observed> {
    let words = [error.code.as_deref(), error.kind.as_deref()];
    let by_code = words
        .iter()
        .flatten()
        .map(|word| word.to_ascii_lowercase())
        .find(|word| POLICY_CODES.contains(&word.as_str()) || word.ends_with("policy_violation"));
    let raw = by_code.or_else(|| flagged_prompt(error)).or_else(|| flagged(body))?;
    Some(Observed {
        items: vec![Item::Refusal(error.message.clone())],
        stop: Some(Stop { raw, reason: StopReason::Policy }),
        ..Observed::default()
    })
}

/// OpenAI's code for a prompt that its reasoning models do not take is that of any broken prompt; the words tell.
fn flagged_prompt(error: &ProviderError) -> Option<String> {
    let code = error.code.as_deref().filter(|code| *code == "invalid_prompt")?;
    error.message.contains("usage policy").then(|| code.to_owned())
}

/// OpenRouter says in `error.metadata` that moderation flagged the input; the code is a plain 403.
fn flagged(body: &RawValue) -> Option<String> {
    let members = json::members(body)?;
    let error = json::members(json::present(&members, "error")?)?;
    let metadata = json::members(json::present(&error, "metadata")?)?;
    json::present(&metadata, "flagged_input").map(|_| "flagged_input".to_owned())
}

/// `{"error": ...}` with an object, a string or anything else inside.
fn nested(error: &RawValue, around: &Members<'_>) -> ProviderError {
    let Some(members) = json::members(error) else {
        return ProviderError {
            kind: None,
            code: json::present(around, "code").and_then(json::string_or_text),
            message: json::string(error)
                .filter(|_| json::present(around, "message").is_none())
                .or_else(|| json::present_string(around, "message"))
                .unwrap_or_else(|| quote(error.get())),
        };
    };
    flat(&members, error)
}

/// Kind, code and message out of an object's own members.
fn flat(members: &Members<'_>, raw: &RawValue) -> ProviderError {
    let kind = ["type", "status", "__type"].iter().find_map(|key| json::present_string(members, key));
    // Anthropic keeps the code that decides about retries in `details.error_code`.
    let detailed = json::present(members, "details")
        .and_then(json::members)
        .and_then(|details| json::present_string(&details, "error_code"));
    let code = detailed.or_else(|| json::present(members, "code").and_then(json::string_or_text));
    ProviderError { kind, code, message: message(members).unwrap_or_else(|| quote(raw.get())) }
}

fn message(members: &Members<'_>) -> Option<String> {
    let own = ["message", "Message", "msg", "detail", "error_description", "title"]
        .iter()
        .find_map(|key| json::present_string(members, key))
        .or_else(|| listed(members));
    // OpenRouter: what the provider behind it said stands in `metadata.raw`.
    let behind = json::present(members, "metadata")
        .and_then(json::members)
        .and_then(|metadata| json::present(&metadata, "raw").and_then(json::string_or_text));
    match (own, behind) {
        (Some(own), Some(behind)) => Some(format!("{own}: {}", quote(&behind))),
        (own, behind) => own.or_else(|| behind.as_deref().map(quote)),
    }
}

/// The first message in a list of mistakes: `detail` of FastAPI servers, `errors` elsewhere.
fn listed(members: &Members<'_>) -> Option<String> {
    let list =
        ["detail", "errors"].iter().find_map(|key| json::present(members, key).and_then(json::elements))?;
    let first = list.first()?;
    match json::members(first) {
        Some(entry) => ["msg", "message"].iter().find_map(|key| json::present_string(&entry, key)),
        None => json::string(first),
    }
}

fn whole(body: &RawValue) -> ProviderError {
    ProviderError { message: quote(body.get()), ..ProviderError::default() }
}

/// A foreign text, cut to what a message can carry, without control characters.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::new();
    for (at, character) in text.trim().chars().enumerate() {
        if at == QUOTED {
            out.push_str(" ...");
            break;
        }
        out.push(if character.is_control() { ' ' } else { character });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(status: u16, body: &str) -> Option<(Option<String>, Option<String>, String)> {
        let raw: &RawValue = serde_json::from_str(body).unwrap();
        error_of(status, raw).map(|error| (error.kind, error.code, error.message))
    }

    fn error(
        kind: Option<&str>,
        code: Option<&str>,
        message: &str,
    ) -> Option<(Option<String>, Option<String>, String)> {
        Some((kind.map(str::to_owned), code.map(str::to_owned), message.to_owned()))
    }

    #[test]
    fn reads_every_provider_s_shape() {
        let openai = r#"{"error":{"message":"slow down","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#;
        assert_eq!(read(429, openai), error(Some("requests"), Some("rate_limit_exceeded"), "slow down"));
        let anthropic = r#"{"type":"error","error":{"type":"rate_limit_error","message":"spent","details":{"error_code":"cap_reached"}}}"#;
        assert_eq!(read(429, anthropic), error(Some("rate_limit_error"), Some("cap_reached"), "spent"));
        let gemini = r#"[{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}]"#;
        assert_eq!(read(503, gemini), error(Some("UNAVAILABLE"), Some("503"), "busy"));
        assert_eq!(read(404, r#"{"error":"no such model"}"#), error(None, None, "no such model"));
        let mistral =
            r#"{"object":"error","message":"out of pair","type":"order","param":null,"code":"3230"}"#;
        assert_eq!(read(400, mistral), error(Some("order"), Some("3230"), "out of pair"));
        assert_eq!(read(429, r#"{"message":"too many"}"#), error(None, None, "too many"));
        let fastapi = r#"{"detail":[{"loc":["body"],"msg":"field required","type":"missing"}]}"#;
        assert_eq!(read(422, fastapi), error(None, None, "field required"));
        assert_eq!(read(500, r#""plain""#), error(None, None, "plain"));
        assert_eq!(read(500, "[]"), error(None, None, "[]"));
    }

    #[test]
    fn an_error_under_200_counts_and_an_answer_does_not() {
        let inside = r#"{"error":{"code":502,"message":"upstream failed","metadata":{"raw":"reset by peer"}},"user_id":"u"}"#;
        assert_eq!(read(200, inside), error(None, Some("502"), "upstream failed: reset by peer"));
        assert_eq!(read(200, r#"{"error":null,"choices":[]}"#), None);
        assert_eq!(read(200, r#"{"message":"hello"}"#), None);
        assert_eq!(read(200, "[1]"), None);
    }

    #[test]
    fn quotes_are_short_and_hold_no_escape_sequence() {
        assert_eq!(quote("\u{1b}[31mred\n"), " [31mred");
        assert!(quote(&"x".repeat(5000)).len() < 320);
    }
}
