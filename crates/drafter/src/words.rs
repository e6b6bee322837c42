//! From a tool and the values for its arguments to the words of a person who wants it called.

mod imperative;
mod label;
mod names;
mod place;
mod request;
mod spoken;

pub(crate) use imperative::imperative;
pub(crate) use names::{content_words, name_words, singular};
pub(crate) use request::{Part, Request};
pub(crate) use spoken::scalars;
