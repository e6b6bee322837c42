//! The few messages of JSON-RPC 2.0 that reading tools takes.

use serde::Deserialize;
use serde_json::value::RawValue;
use transcript::RawJson;

use crate::json;
use crate::mcp::McpError;

/// A message, as far as it is looked at.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(default)]
    method: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// What a message is to somebody who waits for an answer.
pub(super) enum Heard {
    /// The answer.
    Answer(Result<RawJson, McpError>),
    /// A question of the server; this is to be sent back.
    Question(String),
    /// Nothing of concern.
    Other,
}

/// A request.
pub(super) fn request(id: u64, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

/// A notification.
pub(super) fn notification(method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#)
}

/// Takes a line or body; none where it is no message.
pub(super) fn hear(text: &str, id: u64, method: &str) -> Option<Heard> {
    if let Ok(several) = serde_json::from_str::<Vec<&RawValue>>(text) {
        return several
            .into_iter()
            .filter_map(|one| hear_one(one.get(), id, method))
            .find(|heard| matches!(heard, Heard::Answer(_)))
            .or(Some(Heard::Other));
    }
    hear_one(text, id, method)
}

/// Takes one message. Batches hold messages and no batches: what nests deeper is none.
fn hear_one(text: &str, id: u64, method: &str) -> Option<Heard> {
    let message: Message<'_> = serde_json::from_str(text).ok()?;
    if let Some(asked) = &message.method {
        return Some(message.id.map_or(Heard::Other, |id| Heard::Question(reply(id.get(), asked))));
    }
    if message.id.is_none_or(|other| other.get().trim_matches('"') != id.to_string()) {
        return (message.result.is_some() || message.error.is_some() || message.id.is_some())
            .then_some(Heard::Other);
    }
    Some(Heard::Answer(match (message.result, message.error) {
        (_, Some(error)) => Err(refused(method, error.get())),
        (Some(result), None) => RawJson::parse(result.get()).map_err(|_| McpError::NoMcp {
            method: method.to_owned(),
            what: "its result is no JSON".to_owned(),
        }),
        (None, None) => Err(McpError::NoMcp {
            method: method.to_owned(),
            what: "it has neither result nor error".to_owned(),
        }),
    }))
}

/// A server may ask whether anybody is there; everything else is not offered.
fn reply(id: &str, method: &str) -> String {
    if method == "ping" {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
    } else {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"not offered"}}}}"#)
    }
}

fn refused(method: &str, error: &str) -> McpError {
    let value: serde_json::Value = serde_json::from_str(error).unwrap_or_default();
    let message = value.get("message").and_then(serde_json::Value::as_str).unwrap_or(error);
    let code = value.get("code").map(|code| format!("{code}: ")).unwrap_or_default();
    McpError::Refused { method: method.to_owned(), message: format!("{code}{}", shortened(message)) }
}

/// The start of a text, on one line.
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start: String = line.chars().take(200).collect();
    if start.len() < line.len() { format!("{start}...") } else { start }
}

/// A member that is a text with something in it.
pub(super) fn text_member(object: &RawJson, key: &str) -> Option<String> {
    json::present_string(&json::parse_members(object.as_str())?, key)
}

/// A member that is a list, each entry as it was written.
pub(super) fn list_member(object: &RawJson, key: &str) -> Option<Vec<RawJson>> {
    let members = json::parse_members(object.as_str())?;
    let entries = json::elements(json::present(&members, key)?)?;
    entries.into_iter().map(|entry| RawJson::parse(entry.get()).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_nests_without_end_is_no_message() {
        let deep = format!("{}{}", "[".repeat(60_000), "]".repeat(60_000));
        assert!(!matches!(hear(&deep, 1, "tools/list"), Some(Heard::Answer(_))));
    }

    #[test]
    fn a_text_that_cannot_be_held_hides_no_cursor() {
        let page =
            RawJson::parse(r#"{"tools":[{"name":"a","description":"\ud83d"}],"nextCursor":"b"}"#).unwrap();
        assert_eq!(text_member(&page, "nextCursor").as_deref(), Some("b"));
        assert_eq!(list_member(&page, "tools").unwrap().len(), 1);
    }

    #[test]
    fn answers_are_told_from_everything_else() {
        let heard = |text: &str| hear(text, 7, "tools/list");
        assert!(matches!(heard(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#), Some(Heard::Answer(Ok(_)))));
        assert!(matches!(heard(r#"[{"id":7,"result":{}}]"#), Some(Heard::Answer(Ok(_)))));
        assert!(matches!(heard(r#"{"id":6,"result":{}}"#), Some(Heard::Other)));
        assert!(matches!(heard(r#"{"method":"notifications/message"}"#), Some(Heard::Other)));
        assert!(heard("Listening on stdio").is_none() && heard("{\"a\":1}").is_none());
        let Some(Heard::Question(reply)) = heard(r#"{"id":"q","method":"roots/list"}"#) else { panic!() };
        assert!(reply.contains(r#""id":"q""#) && reply.contains("-32601"));
        let Some(Heard::Answer(Err(error))) = heard(r#"{"id":7,"error":{"code":-1,"message":"no"}}"#) else {
            panic!()
        };
        assert!(error.to_string().contains("-1: no"));
    }
}
