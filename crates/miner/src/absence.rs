//! What an answer says: that the tool is not there, that the arguments are refused, or something else.
//!
//! Matching is anchored: a result that *starts* with a framework's words is a report; one that holds them
//! further in quotes somebody. The name is taken from the call, and the text's own name has to agree with it.

mod argument_error;
mod clause;
mod framework;
mod inner_error;

pub use argument_error::ArgumentFault;
pub use clause::State;
pub(crate) use clause::{Clause, read as read_clause};
pub use framework::{FRAMEWORKS, Framework};
pub(crate) use framework::{Report, Templates, templates};

use crate::event::Answer;

/// What is known of an answer without its call.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Reading {
    /// It is an error, by the log's mark or by its own words.
    pub(crate) is_error: bool,
    /// It says that the tool is not there.
    pub(crate) report: Option<Report>,
    /// It refuses the arguments.
    pub(crate) argument_faults: Vec<ArgumentFault>,
    /// Its own mark says success, and the result inside it is an error.
    pub(crate) is_inner_error: bool,
}

/// Reads an answer.
pub(crate) fn read(answer: &Answer<'_>, templates: &Templates) -> Reading {
    let text = answer.text.trim_start();
    if text.is_empty() {
        return Reading { is_error: answer.is_error == Some(true), ..Reading::default() };
    }
    let wrapped = inner_error::unwrapped(text);
    let shown = wrapped.text.as_deref().unwrap_or(text);
    let is_error = answer.is_error == Some(true) || wrapped.outer_error;
    let report = templates.report(shown, answer.is_error);
    let argument_faults = match report {
        None if answer.is_error != Some(false) => argument_error::read(shown),
        _ => Vec::new(),
    };
    Reading { is_error, report, argument_faults, is_inner_error: wrapped.inner_error && !is_error }
}
