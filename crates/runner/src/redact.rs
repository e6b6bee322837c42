//! Takes known secrets out of anything before it is written: once, where lines are written, not in each format.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Secret;

/// What stands in a secret's place.
pub(crate) const REDACTED: &str = "[redacted]";

/// Shorter values are no secrets worth the name (`none`, `EMPTY`), and taking them out would deface evidence.
const SHORTEST: usize = 8;

/// Knows the secrets of a run. Copies know what any of them learns.
#[derive(Clone)]
pub struct Redactor {
    sources: Vec<Needles>,
}

/// Forms of secrets, the longest first: a secret that contains another is taken out first, whole.
type Needles = Arc<RwLock<Vec<String>>>;

impl Default for Redactor {
    fn default() -> Self {
        Self { sources: vec![Needles::default()] }
    }
}

impl Redactor {
    /// Makes a redactor for these secrets, in every form that a line of JSON can hold them in: plain, inside a
    /// string, inside JSON inside a string, and as a percent-encoded part of a URL.
    #[must_use]
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let redactor = Self::default();
        secrets.into_iter().for_each(|secret| redactor.learn(secret));
        redactor
    }

    /// Learns a secret that shows only later, for all copies.
    pub fn learn(&self, secret: &Secret) {
        let (Some(source), secret) = (self.sources.first(), secret.expose()) else { return };
        if secret.len() < SHORTEST {
            return;
        }
        let mut needles = source.write().unwrap_or_else(PoisonError::into_inner);
        let once = escaped(secret);
        for form in [secret.to_owned(), percent_encoded(secret), escaped(&once), once] {
            if !needles.contains(&form) {
                needles.push(form);
            }
        }
        needles.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    }

    /// One that takes out what the other knows, and will learn, too.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.sources.extend(other.sources.iter().cloned());
        self
    }

    /// A value as it reads after it was written: without the secrets. None where that leaves no such value.
    pub(crate) fn clean_value<T: Serialize + DeserializeOwned>(&self, value: &T) -> Option<T> {
        let text = serde_json::to_string(value).ok()?;
        serde_json::from_str(&self.clean(&text)).ok()
    }

    /// The text without the secrets.
    #[must_use]
    pub fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut out = Cow::Borrowed(text);
        for source in &self.sources {
            for needle in source.read().unwrap_or_else(PoisonError::into_inner).iter() {
                if out.contains(needle.as_str()) {
                    out = Cow::Owned(out.replace(needle.as_str(), REDACTED));
                }
            }
        }
        out
    }
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let forms = |source: &Needles| source.read().unwrap_or_else(PoisonError::into_inner).len();
        write!(formatter, "Redactor({} forms)", self.sources.iter().map(forms).sum::<usize>())
    }
}

/// A text as it stands inside a JSON string.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::String(text.to_owned()).to_string();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

fn percent_encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// A URL as it may be shown and stored: without user and password, and of its query only `api-version`.
#[must_use]
pub fn public_url(url: &str) -> String {
    let (address, query) = url.split_once('?').map_or((url, None), |(address, query)| (address, Some(query)));
    let mut out = match address.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find('/').unwrap_or(rest.len());
            let (host, path) = rest.split_at(end);
            format!("{scheme}://{}{path}", host.rsplit_once('@').map_or(host, |(_, host)| host))
        }
        None => address.to_owned(),
    };
    for pair in query.into_iter().flat_map(|query| query.split('&')) {
        out.push(if out.contains('?') { '&' } else { '?' });
        match pair.split_once('=') {
            Some((name, _)) if name != "api-version" => out.push_str(&format!("{name}={REDACTED}")),
            _ => out.push_str(pair),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_written_form_of_a_secret_is_taken_out() {
        let secret = Secret::new("moss\"k/91 82".into());
        let redactor = Redactor::new([&secret]);
        let body = serde_json::json!({ "echo": "Bearer moss\"k/91 82" }).to_string();
        let line =
            serde_json::json!({ "arguments": body, "url": "http://h/?k=moss%22k%2F91%2082" }).to_string();
        let clean = redactor.clean(&line);
        assert!(!clean.contains("moss"), "{clean}");
        assert!(serde_json::from_str::<serde_json::Value>(&clean).is_ok());
        assert!(matches!(redactor.clean("nothing here"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_word_that_is_no_secret_stays() {
        let redactor = Redactor::new([&Secret::new("EMPTY".into())]);
        assert_eq!(redactor.clean("status EMPTY"), "status EMPTY");
    }

    #[test]
    fn urls_lose_their_credentials() {
        assert_eq!(public_url("http://me:pw@h:80/v1"), "http://h:80/v1");
        assert_eq!(
            public_url("https://h/v1?api-version=2&code=zz"),
            "https://h/v1?api-version=2&code=[redacted]"
        );
        assert_eq!(public_url("https://h/a@b"), "https://h/a@b");
    }
}
