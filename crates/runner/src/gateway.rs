//! Which model an answer came from, and what a gateway between us and a model may answer in its place: another model,
//! or an error in an assistant's words.

use regex::RegexSet;
use transcript::{Item, Observed, RawJson, ServedAt};

/// What is known of a gateway, or of how an endpoint names its models.
#[derive(Debug, Clone, Default)]
pub struct Gateway {
    served_at: ServedAt,
    /// Whether the usual place of the body says who answered, whatever it says.
    is_direct: bool,
    error_text: RegexSet,
}

impl Gateway {
    /// Takes over what is configured.
    ///
    /// # Errors
    /// A pattern is no regular expression, or one that takes too much room; the message says which.
    pub fn new(served_at: Option<ServedAt>, error_text: &[String]) -> Result<Self, regex::Error> {
        let served_at = served_at.unwrap_or_default();
        Ok(Self { served_at, is_direct: false, error_text: RegexSet::new(error_text)? })
    }

    /// No gateway: an endpoint that says itself who answered.
    #[must_use]
    pub fn direct(served_at: ServedAt) -> Self {
        Self { served_at, is_direct: true, error_text: RegexSet::empty() }
    }

    /// The model that answered, as far as it can be told. `said` is the name in the usual place of the body.
    pub(crate) fn served(
        &self,
        asked: &str,
        said: Option<String>,
        headers: &[(String, String)],
        body: Option<&RawJson>,
    ) -> Option<String> {
        let at = &self.served_at;
        if at.header.is_none() && at.body.is_none() {
            // A gateway that repeats the name that was asked for proves nothing.
            return said.filter(|name| self.is_direct || name != asked);
        }
        let in_header = at.header.as_deref().and_then(|name| {
            let header = headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
            header.map(|(_, value)| value.trim().to_owned())
        });
        let in_body = at.body.as_deref().and_then(|pointer| {
            let body: serde_json::Value = serde_json::from_str(body?.as_str()).ok()?;
            body.pointer(pointer)?.as_str().map(|name| name.trim().to_owned())
        });
        in_header.or(in_body).filter(|name| !name.is_empty())
    }

    /// The names under which the model that is asked for answers; none where every name is kept.
    pub(crate) fn own_names(&self) -> &[String] {
        &self.served_at.equals
    }

    /// Whether a turn of text is an error in the assistant's words.
    pub(crate) fn is_error_text(&self, observed: &Observed) -> bool {
        if self.error_text.is_empty() || observed.calls().next().is_some() {
            return false;
        }
        let texts = observed.items.iter().filter_map(|item| match item {
            Item::Text(text) => Some(text.as_str()),
            _ => None,
        });
        self.error_text.is_match(&texts.collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(at: Option<ServedAt>, said: Option<&str>, header: Option<&str>) -> Option<String> {
        let headers: Vec<_> =
            header.into_iter().map(|value| ("X-Upstream-Model".to_owned(), value.to_owned())).collect();
        let body = RawJson::parse(r#"{"route":{"model":"fern-2-0917"},"model":"fern-2"}"#).unwrap();
        let gateway = Gateway::new(at, &[]).unwrap();
        gateway.served("fern-2", said.map(str::to_owned), &headers, Some(&body))
    }

    #[test]
    fn only_what_was_named_for_it_tells_the_model() {
        let header = || ServedAt { header: Some("x-upstream-model".into()), ..ServedAt::default() };
        let pointer = |at: &str| ServedAt { body: Some(at.into()), ..ServedAt::default() };
        for (at, said, sent, model) in [
            (None, Some("fern-2"), None, None),
            (None, Some("moss-1"), None, Some("moss-1")),
            (None, None, None, None),
            (Some(header()), Some("fern-2"), Some(" fern-2-0917 "), Some("fern-2-0917")),
            (Some(header()), Some("fern-2"), Some("fern-2"), Some("fern-2")),
            (Some(header()), Some("fern-2"), Some(""), None),
            (Some(header()), Some("fern-2"), None, None),
            (Some(pointer("/route/model")), Some("fern-2"), None, Some("fern-2-0917")),
            (Some(pointer("/route")), Some("fern-2"), None, None),
            (Some(pointer("/nowhere/0")), Some("fern-2"), None, None),
        ] {
            assert_eq!(served(at.clone(), said, sent).as_deref(), model, "{at:?} {said:?} {sent:?}");
        }
    }

    #[test]
    fn an_endpoint_that_is_asked_itself_says_who_answers() {
        let direct = Gateway::direct(ServedAt::default());
        for said in ["fern-2", "moss-1"] {
            let served = direct.served("fern-2", Some(said.to_owned()), &[], None);
            assert_eq!(served.as_deref(), Some(said));
        }
    }

    #[test]
    fn errors_in_words_are_told_from_answers() {
        let patterns = ["^upstream .* unavailable".to_owned(), "(?i)please contact support".to_owned()];
        let gateway = Gateway::new(None, &patterns).unwrap();
        let text = |words: &str| Observed { items: vec![Item::Text(words.into())], ..Observed::default() };
        assert!(gateway.is_error_text(&text("upstream fern-2 unavailable")));
        assert!(gateway.is_error_text(&text("Sorry. Please CONTACT support.")));
        assert!(!gateway.is_error_text(&text("The upstream lock is unavailable.")));
        assert!(!Gateway::default().is_error_text(&text("upstream x unavailable")));
        assert!(Gateway::new(None, &["(".to_owned()]).is_err());
    }
}
