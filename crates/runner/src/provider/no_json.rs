//! What a body is read as, and bodies that are no JSON and no stream: pages, plain text, answers that were cut off.

use transcript::{Observed, Usage};

use super::error_body;

/// What a body says: the answer, its tokens, or why nobody can read it.
pub(super) type Read = (Observed, Option<Usage>, Option<String>);

/// A body that is no JSON: an error page where the status says so, else unreadable.
pub(super) fn read_text(status: u16, text: &str) -> Read {
    match error_body::of_text(status, text) {
        Ok(observed) => (observed, None, None),
        Err(why) => unreadable(why),
    }
}

/// Nothing that can be read, and why.
pub(super) fn unreadable(why: String) -> Read {
    (Observed::default(), None, Some(why))
}
