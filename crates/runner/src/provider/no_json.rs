//! Bodies that are no JSON and no stream, whatever the provider: pages, plain text, answers that were cut off.

use transcript::{Observed, ProviderError, Usage};

use super::error_body::quote;

/// What a body says: the answer, its tokens, or why nobody can read it.
pub(super) type Read = (Observed, Option<Usage>, Option<String>);

/// A body that is no JSON: an error page where the status says so, else unreadable.
pub(super) fn read_text(status: u16, text: &str) -> Read {
    let what = if text.trim().is_empty() { "an empty body".to_owned() } else { describe(text) };
    if (200..300).contains(&status) {
        return unreadable(format!("HTTP {status} with {what}"));
    }
    let error = ProviderError { message: format!("HTTP {status} with {what}"), ..ProviderError::default() };
    (Observed { error: Some(error), ..Observed::default() }, None, None)
}

/// Nothing that can be read, and why.
pub(super) fn unreadable(why: String) -> Read {
    (Observed::default(), None, Some(why))
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
