//! What stands between us and a model and may answer in its place: which model an answer came from, and answers that
//! are errors in an assistant's words.

use regex::RegexSet;
use transcript::{Item, Observed, RawJson, ServedAt};

/// What is known of a gateway.
#[derive(Debug, Clone, Default)]
pub struct Gateway {
    served_at: Option<ServedAt>,
    error_text: RegexSet,
}

impl Gateway {
    /// Takes over what is configured.
    ///
    /// # Errors
    /// A pattern is no regular expression, or one that takes too much room; the message says which.
    pub fn new(served_at: Option<ServedAt>, error_text: &[String]) -> Result<Self, regex::Error> {
        Ok(Self { served_at, error_text: RegexSet::new(error_text)? })
    }

    /// The model that answered, as far as it can be told. `said` is the name in the usual place of the body.
    pub(crate) fn served(
        &self,
        asked: &str,
        said: Option<String>,
        headers: &[(String, String)],
        body: Option<&RawJson>,
    ) -> Option<String> {
        let Some(at) = &self.served_at else {
            // A gateway that repeats the name that was asked for proves nothing.
            return said.filter(|name| name != asked);
        };
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
        self.served_at.as_ref().map_or(&[], |at| &at.equals)
    }

    /// Whether the model that answered is known to be another than the one asked for.
    pub(crate) fn is_fallback(&self, observed: &Observed) -> bool {
        let names = self.own_names();
        observed.model.as_ref().is_some_and(|model| !names.is_empty() && !names.contains(model))
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
    fn a_fallback_is_one_where_the_names_are_known() {
        let at = |equals: &[&str]| ServedAt {
            header: Some("x".into()),
            equals: equals.iter().map(|name| (*name).to_owned()).collect(),
            ..ServedAt::default()
        };
        let answered =
            |model: Option<&str>| Observed { model: model.map(str::to_owned), ..Observed::default() };
        let known = Gateway::new(Some(at(&["fern-2-0917"])), &[]).unwrap();
        assert!(known.is_fallback(&answered(Some("moss-1"))));
        assert!(!known.is_fallback(&answered(Some("fern-2-0917"))));
        assert!(!known.is_fallback(&answered(None)), "nothing was said");
        assert!(!Gateway::new(Some(at(&[])), &[]).unwrap().is_fallback(&answered(Some("moss-1"))));
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
