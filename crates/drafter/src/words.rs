//! From a tool and the values for its arguments to the words of a person who wants it called.

mod imperative;
mod label;
mod names;
mod place;
mod request;
mod settle;
mod spoken;

pub(crate) use imperative::{first_sentence, imperative, several, without_unnamed};
pub(crate) use label::{label, names_a_thing, says_how};
pub(crate) use names::{content_words, is_verb, name_words, singular};
pub(crate) use place::placed;
pub(crate) use request::{CALLED, Part, Request, is_mine};
pub(crate) use settle::settled;
pub(crate) use spoken::scalars;
