//! A kept response as a file holds it.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use transcript::RawJson;

use super::{Kept, RequestKey};
use crate::redact::REDACTED;
use crate::transport::{HttpRequest, HttpResponse, TransportError, TransportErrorKind};

/// The format's name and version.
const FORMAT: &str = "toolmirage-recording/1";

/// Headers that are never kept: they are about one connection, or name a session.
const NOT_KEPT: &[&str] = &["set-cookie", "connection", "keep-alive", "transfer-encoding", "date"];

/// The file. What was asked stands there for people; it is found by the file's name.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry {
    toolmirage: String,
    request: Asked,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<Answered>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<Failed>,
    latency_ms: u64,
    stored: String,
}

#[derive(Serialize, Deserialize)]
struct Asked {
    key: indexmap::IndexMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<RawJson>,
}

#[derive(Serialize, Deserialize)]
struct Answered {
    status: u16,
    headers: Vec<(String, String)>,
    /// The body's text, byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    /// The body's bytes in hexadecimal, where they are no text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body_hex: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Failed {
    kind: String,
    message: String,
}

impl Entry {
    /// The file's text.
    pub(super) fn write(key: &RequestKey, request: &HttpRequest, kept: &Kept) -> String {
        let text = std::str::from_utf8(&request.body).ok();
        let mut entry = Self {
            toolmirage: FORMAT.to_owned(),
            request: Asked {
                key: key.lines().into_iter().collect(),
                body: text.and_then(|text| RawJson::parse(text).ok()),
            },
            response: None,
            failure: None,
            latency_ms: kept.latency_ms,
            stored: kept.stored.clone(),
        };
        match &kept.outcome {
            Ok(response) => {
                let text = std::str::from_utf8(&response.body).ok().map(str::to_owned);
                let hex = text.is_none().then(|| hex(&response.body));
                let is_kept = |(name, _): &&(String, String)| !NOT_KEPT.contains(&name.as_str());
                entry.response = Some(Answered {
                    status: response.status,
                    headers: response.headers.iter().filter(is_kept).cloned().collect(),
                    body: text,
                    body_hex: hex,
                });
            }
            Err(error) => {
                entry.failure =
                    Some(Failed { kind: error.kind.as_str().to_owned(), message: error.message.clone() });
            }
        }
        let mut text = serde_json::to_string(&entry).unwrap_or_default();
        text.push('\n');
        text
    }

    /// What the file holds, or what it is instead.
    pub(super) fn read(text: &[u8]) -> Result<Kept, String> {
        let entry: Self = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if entry.toolmirage != FORMAT {
            return Err(format!("its format is `{}`, this build reads `{FORMAT}`", entry.toolmirage));
        }
        let outcome = match (entry.response, entry.failure) {
            (Some(response), None) => {
                let body = match (response.body, response.body_hex) {
                    (Some(text), None) => Bytes::from(text),
                    (None, Some(digits)) => {
                        // What stands for a secret stands among the digits as it is.
                        let digits = digits.replace(REDACTED, &hex(REDACTED.as_bytes()));
                        Bytes::from(from_hex(&digits).ok_or("its body is no hexadecimal text")?)
                    }
                    _ => return Err("it has no body, or two".to_owned()),
                };
                Ok(HttpResponse { status: response.status, headers: response.headers, body })
            }
            (None, Some(failure)) => {
                let kind = TransportErrorKind::ALL.iter().find(|kind| kind.as_str() == failure.kind);
                let kind = kind.ok_or_else(|| format!("it failed by `{}`", failure.kind))?;
                Err(TransportError { kind: *kind, message: failure.message })
            }
            _ => return Err("it has neither a response nor a failure, or both".to_owned()),
        };
        Ok(Kept { outcome, latency_ms: entry.latency_ms, stored: entry.stored })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use transcript::Fingerprint;

    use super::*;

    fn read_again(outcome: Result<HttpResponse, TransportError>) -> Kept {
        let request = HttpRequest {
            path: "/x".into(),
            trial: None,
            attempt: 0,
            body: Bytes::from_static(b"{\"n\": 1.50}"),
            deadline: Duration::from_secs(1),
        };
        let key = RequestKey {
            provider: "openai_chat".into(),
            url: "http://127.0.0.1:1/x".into(),
            headers: Vec::new(),
            trial: None,
            repeat: 2,
            body: Fingerprint::of(&request.body),
        };
        let kept = Kept { outcome, latency_ms: 812, stored: "2026-01-02T03:04:05.678Z".into() };
        let text = Entry::write(&key, &request, &kept);
        assert!(text.contains("\"n\":1.50") && text.contains("\"repeat\":\"2\""), "{text}");
        let read = Entry::read(text.as_bytes()).unwrap();
        assert_eq!((read.latency_ms, &read.stored), (kept.latency_ms, &kept.stored));
        read
    }

    #[test]
    fn responses_come_back_byte_for_byte() {
        for body in [&b"{\"a\":  \"\\u00e9\"}\n"[..], b"", b"data: x\r\n\r\n", b"\xff\xfe\x00"] {
            let headers = vec![("retry-after".to_owned(), "3".to_owned())];
            let response = HttpResponse { status: 429, headers, body: Bytes::copy_from_slice(body) };
            assert_eq!(read_again(Ok(response.clone())).outcome, Ok(response));
        }
    }

    #[test]
    fn failures_come_back_as_what_they_were() {
        for &kind in TransportErrorKind::ALL {
            let error = TransportError { kind, message: "nobody there".into() };
            assert_eq!(read_again(Err(error.clone())).outcome, Err(error));
        }
    }

    #[test]
    fn what_is_no_recording_is_told() {
        let cases = [
            ("", "EOF"),
            ("{}", "missing field"),
            (
                r#"{"toolmirage":"toolmirage-recording/9","request":{"key":{}},"latency_ms":0,"stored":""}"#,
                "reads",
            ),
            (
                r#"{"toolmirage":"toolmirage-recording/1","request":{"key":{}},"latency_ms":0,"stored":""}"#,
                "neither",
            ),
            (
                r#"{"toolmirage":"toolmirage-recording/1","request":{"key":{}},"response":{"status":200,"headers":[],"body_hex":"0g"},"latency_ms":0,"stored":""}"#,
                "hexadecimal",
            ),
        ];
        for (text, part) in cases {
            let told = Entry::read(text.as_bytes()).unwrap_err();
            assert!(told.contains(part), "{text}: {told}");
        }
    }
}
