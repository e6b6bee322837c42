//! Whether a tool's result, as a transcript has it, tells of a failure. Anchored: a result that merely mentions an
//! error somewhere tells of none.

use serde_json::Value;

/// How texts of a failure begin, in lower case. A letter must not follow: "errors: 0" is no failure.
const BEGINNINGS: &[&str] = &[
    "error",
    "<error",
    "<tool_use_error",
    "failed",
    "failure",
    "fatal",
    "exception",
    "traceback (most recent call last)",
    "http error",
    "tool execution failed",
    "permission denied",
    "timeout",
    "timed out",
];

/// Whether a result says that the call failed.
pub(super) fn says_failure(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with('{') {
        return serde_json::from_str::<Value>(text).is_ok_and(|value| object_says_failure(&value));
    }
    let start: String = text.chars().take(40).collect::<String>().to_lowercase();
    BEGINNINGS.iter().any(|beginning| {
        start.strip_prefix(beginning).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    })
}

/// Members by which an object says that what it answers failed.
fn object_says_failure(value: &Value) -> bool {
    let says = |key: &str, wanted: bool| value.get(key).and_then(Value::as_bool) == Some(wanted);
    let failed = ["isError", "is_error"].iter().any(|key| says(key, true))
        || ["ok", "success"].iter().any(|key| says(key, false));
    let status = value.get("status").and_then(Value::as_str);
    failed
        || matches!(status, Some("error" | "failed" | "failure"))
        || match value.get("error") {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::String(text)) => !text.is_empty(),
            Some(_) => true,
        }
}

#[cfg(test)]
mod tests {
    use super::says_failure;

    #[test]
    fn a_failure_says_so_at_its_beginning() {
        for text in [
            "Error: HTTP 502 from upstream",
            " ERROR",
            "Traceback (most recent call last):\n  File",
            "timed out after 30 s",
            r#"{"ok":false}"#,
            r#"{"error":{"code":7}}"#,
            r#"{"status":"failed","id":4}"#,
            r#"{"isError":true,"content":[]}"#,
        ] {
            assert!(says_failure(text), "{text}");
        }
        for text in [
            "",
            "Errors: 0",
            "No error was found",
            "Timeouts are set to 30 s",
            r#"{"error":null,"ok":true}"#,
            r#"{"rows":[{"error":"x"}]}"#,
            "[{\"ok\":false}]",
        ] {
            assert!(!says_failure(text), "{text}");
        }
    }
}
