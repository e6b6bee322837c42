//! Takes known secrets, and values of people by patterns, out of anything before it is written: once, where lines
//! are written, not in each format.

mod line;
mod pattern;
mod pieces;
mod spelling;
mod tokens;

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use probes::ProbeLine;
use regex::{NoExpand, Regex};
use serde::Serialize;
use serde::de::DeserializeOwned;
use transcript::{Header, RedactedKind};

use crate::Secret;
use pattern::Pattern;
use tokens::Tokens;

/// What stands in a secret's place.
pub(crate) const REDACTED: &str = "[redacted]";

/// Shorter values are no secrets worth the name (`none`, `EMPTY`), and taking them out would deface evidence.
const SHORTEST: usize = 8;

/// Knows the secrets of a run, and what is taken out by pattern. Copies know what any of them learns.
#[derive(Clone)]
pub struct Redactor {
    sources: Vec<Source>,
    /// None where nothing is taken out by pattern.
    tokens: Option<Arc<Tokens>>,
}

type Source = Arc<RwLock<Known>>;

/// What is known of secrets.
#[derive(Default)]
struct Known {
    /// The secrets and what else they are written as, the longest first: one that contains another is taken out first,
    /// whole.
    forms: Vec<String>,
    /// All spellings of all forms; none where they are too long for an expression.
    spellings: Option<Regex>,
    /// What no text with a secret is without, in any spelling: one quick look at most texts. None where nothing is known.
    signs: Option<Regex>,
}

impl Default for Redactor {
    fn default() -> Self {
        Self { sources: vec![Source::default()], tokens: None }
    }
}

impl Redactor {
    /// Makes a redactor for these secrets, in every spelling that a body can hold them in: plain, behind the escapes of
    /// JSON however deep, of URLs and of HTML, and as Base64 or hexadecimal digits.
    #[must_use]
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let redactor = Self::default();
        secrets.into_iter().for_each(|secret| redactor.learn(secret));
        redactor
    }

    /// Learns a secret that shows only later, for all copies.
    pub fn learn(&self, secret: &Secret) {
        let Some(source) = self.sources.first() else { return };
        let mut known = source.write().unwrap_or_else(PoisonError::into_inner);
        for form in spelling::forms(secret.expose(), SHORTEST) {
            if !known.forms.contains(&form) {
                known.forms.push(form);
            }
        }
        known.forms.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
        known.spellings = spelling::any_of(&known.forms);
        known.signs = spelling::signs(&known.forms);
    }

    /// One that takes out what the other knows, and will learn, too.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.sources.extend(other.sources.iter().cloned());
        self.tokens = self.tokens.or_else(|| other.tokens.clone());
        self
    }

    /// One that also takes out what patterns find: `email`, `phone`, `iban`, or regular expressions. A token stands in
    /// the place of each value (`<email:1>`), numbered in the order in which values are met: all spellings of a value
    /// have one token, and so it is the same in a question, an expectation, a call and a result.
    ///
    /// # Errors
    /// What is wrong with a pattern, and its place in the list.
    pub fn with_patterns(mut self, patterns: &[String]) -> Result<Self, (usize, String)> {
        let read = |(at, text): (usize, &String)| Pattern::read(text).map_err(|message| (at, message));
        let read: Vec<Pattern> = patterns.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        self.tokens = (!read.is_empty()).then(|| Arc::new(Tokens::new(read)));
        Ok(self)
    }

    /// What is taken out by pattern, in words that a record may hold.
    #[must_use]
    pub fn kinds(&self) -> Vec<String> {
        let kinds = self.tokens.iter().flat_map(|tokens| tokens.kinds());
        kinds.map(RedactedKind::as_str).map(str::to_owned).collect()
    }

    /// Whether anything is taken out by pattern: then what is written differs from what is sent.
    #[must_use]
    pub fn has_patterns(&self) -> bool {
        self.tokens.is_some()
    }

    /// Takes in a line of an earlier sitting: its numbers are not given again.
    pub(crate) fn skip_numbers(&self, line: &str) {
        self.tokens.iter().for_each(|tokens| tokens.skip(line));
    }

    /// A header as it reads from a record. None where a pattern takes out what a header cannot do without.
    #[must_use]
    pub fn clean_header(&self, header: &Header) -> Option<Header> {
        self.clean_member("header", header)
    }

    /// A probe likewise.
    #[must_use]
    pub fn clean_probe(&self, probe: &ProbeLine) -> Option<ProbeLine> {
        self.clean_member("probe", probe)
    }

    /// The only member of a line. Its name says what in it is left alone.
    fn clean_member<T: Serialize + DeserializeOwned>(&self, name: &str, value: &T) -> Option<T> {
        let text = serde_json::to_string(value).ok()?;
        let line = format!("{{\"{name}\":{text}}}");
        let clean = self.clean_line(&line);
        let member = clean.strip_prefix(&format!("{{\"{name}\":"))?.strip_suffix('}')?;
        serde_json::from_str(member).ok()
    }

    /// The text without secrets and without what patterns find.
    #[must_use]
    pub fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let text = self.without_secrets(text);
        let clean = self.tokens.as_ref().and_then(|tokens| tokens.clean(&text));
        clean.map_or(text, Cow::Owned)
    }

    /// A line of JSON likewise: it stays JSON, and ids and hashes stay.
    #[must_use]
    pub fn clean_line<'a>(&self, line: &'a str) -> Cow<'a, str> {
        let is_open = |line: &str| self.tokens.is_none() && !self.may_hold_a_secret(line);
        if is_open(line) {
            return Cow::Borrowed(line);
        }
        let line = self.without_secrets(line);
        if is_open(&line) {
            return line;
        }
        let may_hold = |text: &str| self.tokens.is_some() || self.may_hold_a_secret(text);
        let number = |text: &str| self.tokens.as_ref()?.number(text);
        let text = |text: &str| match self.clean(text) {
            Cow::Owned(clean) => Some(clean),
            Cow::Borrowed(_) => None,
        };
        let clean = line::clean(&line, &line::Cleaner { may_hold: &may_hold, text: &text, number: &number });
        clean.map_or(line, Cow::Owned)
    }

    /// Whether a text may have a secret in it: where this says no, it has none in any spelling.
    fn may_hold_a_secret(&self, text: &str) -> bool {
        self.sources.iter().any(|source| {
            let known = source.read().unwrap_or_else(PoisonError::into_inner);
            known.signs.as_ref().map_or(!known.forms.is_empty(), |signs| signs.is_match(text))
        })
    }

    fn without_secrets<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut out = Cow::Borrowed(text);
        for source in &self.sources {
            let known = source.read().unwrap_or_else(PoisonError::into_inner);
            if known.signs.as_ref().is_some_and(|signs| !signs.is_match(&out)) {
                continue;
            }
            if let Some(spellings) = &known.spellings {
                if let Cow::Owned(clean) = spellings.replace_all(&out, NoExpand(REDACTED)) {
                    out = Cow::Owned(clean);
                }
                continue;
            }
            for form in &known.forms {
                if out.contains(form.as_str()) {
                    out = Cow::Owned(out.replace(form.as_str(), REDACTED));
                }
            }
        }
        out
    }
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let forms = |source: &Source| source.read().unwrap_or_else(PoisonError::into_inner).forms.len();
        let forms: usize = self.sources.iter().map(forms).sum();
        write!(formatter, "Redactor({forms} forms, patterns {:?})", self.kinds())
    }
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
        let clean = redactor.clean_line(&line);
        assert!(!clean.contains("moss"), "{clean}");
        assert!(serde_json::from_str::<serde_json::Value>(&clean).is_ok());
        assert!(matches!(redactor.clean("nothing here"), Cow::Borrowed(_)));
    }

    #[test]
    fn no_escape_hides_a_secret() {
        let redactor = Redactor::new([&Secret::new("moss\"k/91 82".into())]);
        let mut nested = "say moss\"k/91 82".to_owned();
        for depth in 0..7 {
            nested = serde_json::json!({ "said": nested }).to_string();
            let clean = redactor.clean_line(&nested);
            assert!(clean.contains(REDACTED) && !clean.contains("moss"), "{depth}: {clean}");
            assert!(serde_json::from_str::<serde_json::Value>(&clean).is_ok());
        }
        for form in [r#"{"a":"moss\"k\/91 82"}"#, r#"{"a":"\u006doss\u0022k/91 82"}"#] {
            assert_eq!(redactor.clean_line(form), r#"{"a":"[redacted]"}"#);
        }
    }

    #[test]
    fn what_a_secret_is_turned_into_is_taken_out_too() {
        let redactor = Redactor::new([&Secret::new("moss:k/9+1 82".into())]);
        for text in [
            "Basic dXNlcjptb3NzOmsvOSsxIDgy",
            "moss%3Ak%2F9%2B1%2082 and moss%3ak%2f9%2b1+82",
            "<p>moss&#58;k&#x2F;9&#43;1 82</p>",
            "6d6f73733a6b2f392b31203832 or 6D6F73733A6B2F392B31203832",
        ] {
            let clean = redactor.clean(text);
            assert!(
                clean.contains(REDACTED) && !clean.contains("moss") && !clean.contains("3a6b"),
                "{clean}"
            );
            assert!(!clean.contains("NzOms"), "{clean}");
        }
    }

    #[test]
    fn known_telephone_numbers_are_found_in_any_spelling() {
        let redactor = Redactor::default().with_patterns(&["phone".to_owned()]).unwrap();
        let line = r#"{"trial":{"said":"Ring +49 171 2345678 on 2027-02-18","input":{"n":491712345678,"m":1234567},"t":"00491712345678 or 49-171-2345678 or 491712345679"}}"#;
        let wanted = r#"{"trial":{"said":"Ring <phone:1> on 2027-02-18","input":{"n":"<phone:1>","m":1234567},"t":"<phone:1> or <phone:1> or 491712345679"}}"#;
        assert_eq!(redactor.clean_line(line), wanted);
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
