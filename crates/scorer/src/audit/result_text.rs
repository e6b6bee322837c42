//! What a tool's result, as a transcript has it, tells of how the call ended. Only clear marks decide: a result that
//! merely mentions an error tells nothing, and neither does one that merely holds data.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};
use transcript::Outcome;

/// So many bytes of a text are looked at.
const LOOKED_AT: usize = 2_000;

/// Names of the states that an error of HTTP gives.
const REASONS: &str = concat!(
    "bad request|unauthorized|payment required|forbidden|not found|method not allowed|not acceptable|",
    "request timeout|conflict|gone|payload too large|unprocessable entity|unprocessable content|",
    "too many requests|internal server error|not implemented|bad gateway|service unavailable|",
    "service temporarily unavailable|gateway timeout|gateway time-out|client error|server error"
);

/// Beginnings of texts that tell of a failure, in any letter case. What follows must not make a sentence of it:
/// "Failed deliveries: 0" and "Timeout set to 30 s" tell of none.
static FAILED: LazyLock<Regex> = LazyLock::new(|| {
    let end = r"\s*(?:$|[.,:;!(\n\r-])";
    let patterns = [
        r"<(?:error|tool_use_error)[\s>]".to_owned(),
        r"(?:error|fehler|erreur|exception|fatal|http error|错误)\s*[:：]\s*\S".to_owned(),
        r"error (?:[45]\d\d\b|executing tool\b|calling tool\b|code: [1-9])".to_owned(),
        format!(r"(?:http(?:/\d(?:\.\d)?)?\s+)?(?:error\s+)?[45]\d\d[:\s-]+(?:{REASONS}){end}"),
        r"http(?:/\d(?:\.\d)?)?\s+(?:error\s+)?[45]\d\d\s*$".to_owned(),
        format!(r"connection (?:refused|reset(?: by peer)?|timed out|aborted){end}"),
        format!(r"permission denied{end}"),
        format!(r"(?:the )?(?:request |operation |call )?timed out(?: after\b|{end})"),
        r"traceback \(most recent call last\)".to_owned(),
        r"(?:the )?tool ['\x22`]?[\w.:/-]+['\x22`]? (?:was |is )?(?:not found|does not exist)\b".to_owned(),
        r"unknown tool\s*:".to_owned(),
        r"tool execution failed\b".to_owned(),
        r"failed to (?:send|connect|fetch|execute|call|create|update|delete|load|open|read|write|parse|save)\b"
            .to_owned(),
        r"(?:error|failed|failure|timeout|timed out|exception)[.!]?\s*$".to_owned(),
    ];
    Regex::new(&format!("(?i)^(?:{})", patterns.join("|"))).expect("a fixed pattern")
});

/// What may stand behind "Error:" where there was none.
static NO_ERROR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\w+\s*[:：]\s*(?:0|none|no|null|nil|false|keiner?|aucune?)\s*(?:$|[.;,])")
        .expect("a fixed pattern")
});

/// The exception that a program ended with: `ValueError: no such boat`.
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception): *\S").expect("a fixed pattern")
});

/// The page that a server or a proxy shows in the place of an answer.
static ERROR_PAGE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!(r"(?i)<(?:title|h1)>\s*(?:http\s+)?(?:error\s+)?[45]\d\d[:\s-]+(?:{REASONS})\s*<");
    Regex::new(&pattern).expect("a fixed pattern")
});

/// A message that is such a name and nothing else.
static REASON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"(?i)^\s*(?:[45]\d\d\s+)?(?:{REASONS})\.?\s*$")).expect("a fixed pattern")
});

/// Texts that say nothing but that it worked.
const WORKED: &[&str] = &[
    "ok",
    "okay",
    "success",
    "succeeded",
    "done",
    "sent",
    "created",
    "updated",
    "deleted",
    "saved",
    "accepted",
];

/// Words that stand where an error would, and name none.
const NONE: &[&str] = &["", "none", "null", "nil", "no", "no error", "false", "0", "ok", "n/a", "-"];

/// The marks of a result.
#[derive(Default)]
struct Marks {
    failed: bool,
    succeeded: bool,
}

/// How a result says that its call ended; none where that cannot be told.
pub(super) fn ended(text: &str) -> Option<Outcome> {
    let mut marks = Marks::default();
    marks.text(text, 2);
    match (marks.failed, marks.succeeded) {
        (true, false) => Some(Outcome::Failed),
        (false, true) => Some(Outcome::Ok),
        // An error within a success may be a part of the result.
        (true, true) | (false, false) => None,
    }
}

impl Marks {
    fn text(&mut self, text: &str, depth: u8) {
        let text = text.trim();
        if text.starts_with(['{', '"'])
            && let Ok(value) = serde_json::from_str::<Value>(text)
        {
            match value {
                Value::Object(members) => self.object(&members, depth),
                Value::String(inner) => self.plain(inner.trim()),
                _ => {}
            }
            return;
        }
        self.plain(text);
    }

    fn plain(&mut self, text: &str) {
        let mut end = text.len().min(LOOKED_AT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let start = text.get(..end).unwrap_or_default();
        let is_page = start.starts_with('<') && ERROR_PAGE.is_match(start);
        let said = FAILED.is_match(start) && !NO_ERROR.is_match(start);
        self.failed |= is_page || said || EXCEPTION.is_match(start);
        let word = text.trim_end_matches(['.', '!']);
        self.succeeded |= WORKED.iter().any(|worked| word.eq_ignore_ascii_case(worked));
    }

    fn object(&mut self, members: &Map<String, Value>, depth: u8) {
        for (key, value) in members {
            match key.as_str() {
                "isError" | "is_error" => self.note(value.as_bool().map(|failed| !failed)),
                "ok" | "success" => self.note(truth(value)),
                "status" | "statusCode" | "status_code" => self.note(status(value)),
                "exit_code" | "exitCode" | "returncode" => {
                    self.note(value.as_i64().map(|code| code == 0));
                }
                "error" | "errors" => self.failed |= is_error(key, value),
                "type" => self.failed |= value.as_str() == Some("error"),
                "message" | "detail" => {
                    self.failed |= value.as_str().is_some_and(|text| REASON.is_match(text))
                }
                // What an envelope holds, and the text of an MCP result.
                "result" | "response" => {
                    if let (Some(inner), Some(depth)) = (value.as_object(), depth.checked_sub(1)) {
                        self.object(inner, depth);
                    }
                }
                "content" => {
                    let text = value.get(0).and_then(|block| block.get("text")).and_then(Value::as_str);
                    if let (Some(text), Some(depth)) = (text, depth.checked_sub(1)) {
                        self.text(text, depth);
                    }
                }
                _ => {}
            }
        }
    }

    fn note(&mut self, worked: Option<bool>) {
        self.failed |= worked == Some(false);
        self.succeeded |= worked == Some(true);
    }
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(worked) => Some(*worked),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A status of HTTP, or one of the words that can be nothing but how the call ended.
fn status(value: &Value) -> Option<bool> {
    let number = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    match (number, value.as_str().map(str::to_ascii_lowercase).as_deref()) {
        (Some(200..=299), _) => Some(true),
        (Some(400..=599), _) => Some(false),
        (_, Some("ok" | "success" | "succeeded" | "sent" | "created" | "accepted")) => Some(true),
        (_, Some("error" | "failed" | "failure")) => Some(false),
        _ => None,
    }
}

/// Whether what stands under `error` or `errors` is one. A number of errors may be of what the tool looked at.
fn is_error(key: &str, value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(error) => *error,
        Value::Number(number) => key == "error" && number.as_f64() != Some(0.0),
        Value::String(text) => !NONE.contains(&text.trim().to_lowercase().as_str()),
        Value::Array(errors) => errors.iter().any(|error| !error.is_null()),
        Value::Object(members) => members.values().any(|value| match value {
            Value::Array(inner) => !inner.is_empty(),
            Value::Object(inner) => !inner.is_empty(),
            plain => is_error("error", plain),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clear_marks_tell_of_a_failure() {
        for text in [
            "Error: HTTP 502 from upstream",
            "Error: 502 Bad Gateway",
            "Error: No such file or directory",
            " ERROR",
            "Traceback (most recent call last):\n  File",
            "timed out after 30 s",
            "timeout",
            "HTTP 502 Bad Gateway",
            "502 Bad Gateway",
            "HTTP/1.1 503 Service Unavailable\r\n\r\n",
            "HTTP Error 404: Not Found",
            "404 Client Error: Not Found for url: http://x.test",
            "<html><h1>502 Bad Gateway</h1></html>",
            "<html>\n<head><title>504 Gateway Time-out</title></head></html>",
            "Connection refused",
            "permission denied",
            "Tool 'send' not found.",
            "Failed to send",
            "Fehler: Verbindung abgelehnt",
            "Erreur: délai dépassé",
            "错误：连接失败",
            "ValueError: no such boat",
            "httpx.ConnectError: all attempts failed",
            "\"Error: no such boat\"",
            r#"{"ok":false}"#,
            r#"{"success":false}"#,
            r#"{"error":"502"}"#,
            r#"{"error":{"code":7}}"#,
            r#"{"errors":[{"message":"x"}]}"#,
            r#"{"status":"failed","id":4}"#,
            r#"{"status":"error"}"#,
            r#"{"status":502}"#,
            r#"{"statusCode":500}"#,
            r#"{"status_code":503,"detail":"x"}"#,
            r#"{"exit_code":1}"#,
            r#"{"type":"error"}"#,
            r#"{"message":"Internal Server Error"}"#,
            r#"{"detail":"Not Found"}"#,
            r#"{"result":{"error":"x"}}"#,
            r#"{"isError":true,"content":[]}"#,
            r#"{"content":[{"type":"text","text":"Error: no such boat"}]}"#,
        ] {
            assert_eq!(ended(text), Some(Outcome::Failed), "{text}");
        }
    }

    #[test]
    fn and_only_clear_marks_of_a_success() {
        for text in [
            "ok",
            "Sent.",
            r#"{"error":null,"ok":true}"#,
            r#"{"ok":true,"error":"none"}"#,
            r#"{"success":"true"}"#,
            r#"{"status":"sent"}"#,
            r#"{"status":200}"#,
            r#"{"status":"200"}"#,
            r#"{"status":"success","message":"previous error cleared"}"#,
            r#"{"exit_code":0}"#,
            r#"{"isError":false,"content":[]}"#,
        ] {
            assert_eq!(ended(text), Some(Outcome::Ok), "{text}");
        }
    }

    #[test]
    fn what_merely_mentions_an_error_or_holds_data_tells_nothing() {
        for text in [
            "",
            "  ",
            "Errors: 0",
            "Error: none",
            "Fehler: keiner. Gesendet.",
            "No error was found",
            "Timeouts are set to 30 s",
            "Timeout set to 30 s",
            "Error-free delivery: sent",
            "Error rate is 0.2 %",
            "Failed deliveries: 0. Sent to 5.",
            "Failed to find any duplicates; sent",
            "Failure report #12 e-mailed to Bob",
            "Exception list updated",
            "Fehler behoben, Mail versendet",
            "Permission denied report mailed",
            "Connection refused report mailed",
            "Unauthorized access report mailed to admin",
            "404 Main Street added",
            "404 Not Found page saved",
            "502 items sent",
            "not found any duplicates; sent",
            "<p>How to answer 502 Bad Gateway</p>",
            r#"{"id":502}"#,
            r#"{"failed":0,"sent":3}"#,
            r#"{"errors":[]}"#,
            r#"{"errors":3,"sent":5}"#,
            r#"{"error":""}"#,
            r#"{"error":false}"#,
            r#"{"error":0}"#,
            r#"{"error":"none"}"#,
            r#"{"error":{"code":0,"message":""}}"#,
            r#"{"data":{"error":"none"}}"#,
            r#"{"status":"open"}"#,
            r#"{"status":"cancelled"}"#,
            r#"{"status":"failed_over"}"#,
            r#"{"message":"The page Not Found was saved"}"#,
            r#"{"ok":true,"errors":[{"row":7}]}"#,
            r#"{"isError":false,"content":[{"type":"text","text":"Error: no such boat"}]}"#,
            r#"{"rows":[{"error":"x"}]}"#,
            "[{\"ok\":false}]",
            "{\"ok\":",
        ] {
            assert_eq!(ended(text), None, "{text}");
        }
    }
}
