//! From a tool and the values for its arguments to the words of a person who wants it called.

mod imperative;
mod label;
mod names;
mod place;
mod request;
mod spoken;

pub(crate) use imperative::{first_sentence, imperative};
pub(crate) use label::label;
pub(crate) use names::{content_words, is_verb, name_words, singular};
pub(crate) use request::{Part, Request, is_mine};
pub(crate) use spoken::scalars;
