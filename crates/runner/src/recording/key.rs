//! What a kept response is found by.

use std::fmt::Write as _;

use transcript::Fingerprint;

/// What was asked, byte for byte, and in which repeat. Two repeats never share a response: each is a draw of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// The wire format.
    pub provider: String,
    /// The URL, without what could be secret.
    pub url: String,
    /// Headers of the configuration whose values are no secrets, in its order.
    pub headers: Vec<(String, String)>,
    /// What a simulated model is told of the trial.
    pub trial: Option<String>,
    /// The repeat, from 0.
    pub repeat: u32,
    /// Hash of the body's bytes.
    pub body: Fingerprint,
}

/// What no key has in it, in words.
pub const UNKEYED: &str = "keys, tokens, signatures with their dates, and other headers whose values are secret; deadlines; which probe asks";

impl RequestKey {
    /// Its parts, a line each: name and value. The first one names the form.
    #[must_use]
    pub fn lines(&self) -> Vec<(String, String)> {
        let mut lines = vec![
            ("key".to_owned(), "toolmirage-request/1".to_owned()),
            ("provider".to_owned(), self.provider.clone()),
            ("url".to_owned(), self.url.clone()),
        ];
        lines.extend(self.headers.iter().map(|(name, value)| (format!("header {name}"), value.clone())));
        lines.extend(self.trial.iter().map(|trial| ("trial".to_owned(), trial.clone())));
        lines.push(("repeat".to_owned(), self.repeat.to_string()));
        lines.push(("body".to_owned(), self.body.0.to_string()));
        lines
    }

    /// The hash over its parts. Each is written with its length, so that no two keys have the same text.
    #[must_use]
    pub fn hash(&self) -> Fingerprint {
        let mut text = String::new();
        for (name, value) in self.lines() {
            let _ = writeln!(text, "{} {} {name}={value}", name.len(), value.len());
        }
        Fingerprint::of(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> RequestKey {
        RequestKey {
            provider: "openai_chat".into(),
            url: "http://127.0.0.1:1/v1/chat/completions".into(),
            headers: vec![("x-team".into(), "post".into())],
            trial: None,
            repeat: 0,
            body: Fingerprint::of(b"{}"),
        }
    }

    #[test]
    fn every_part_and_the_repeat_make_another_key() {
        let others = [
            RequestKey { provider: "gemini".into(), ..key() },
            RequestKey { url: "http://127.0.0.1:2/v1/chat/completions".into(), ..key() },
            RequestKey { headers: Vec::new(), ..key() },
            RequestKey { trial: Some("weigh.control/0".into()), ..key() },
            RequestKey { repeat: 1, ..key() },
            RequestKey { body: Fingerprint::of(b"{ }"), ..key() },
        ];
        let mut hashes: Vec<String> = others.iter().map(|key| key.hash().0.to_string()).collect();
        hashes.push(key().hash().0.to_string());
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), 7);
    }

    #[test]
    fn parts_cannot_be_taken_for_one_another() {
        let one = RequestKey { headers: vec![("a".into(), "b\nrepeat=1".into())], ..key() };
        let other = RequestKey { headers: vec![("a".into(), "b".into())], repeat: 1, ..key() };
        assert_ne!(one.hash(), other.hash());
    }
}
