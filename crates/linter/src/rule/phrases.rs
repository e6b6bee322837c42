//! Phrases that neither a prompt nor a description should say, and where they stand.

use std::ops::Range;

use regex::Regex;

use crate::text::{pattern, said};

/// Phrases that one rule looks for.
pub(super) struct Phrases {
    in_prompts: Regex,
    in_descriptions: Regex,
    harmless_before: &'static [&'static str],
}

impl Phrases {
    /// `of_the_model` counts in prompts alone: in a description it says what the tool does. In a prompt a phrase
    /// right before one of `harmless_before` does not count.
    pub(super) fn new(
        anywhere: &[&str],
        of_the_model: &[&str],
        harmless_before: &'static [&'static str],
    ) -> Self {
        let in_prompts = pattern(&[anywhere, of_the_model].concat());
        Self { in_prompts, in_descriptions: pattern(anywhere), harmless_before }
    }

    /// Each in a prompt: its bytes, and its words on one line.
    pub(super) fn in_prompt(&self, text: &str) -> Vec<(Range<usize>, String)> {
        let counts = |range: &Range<usize>| {
            let behind = text.get(range.end..).unwrap_or_default().trim_start();
            !self.harmless_before.iter().any(|words| behind.starts_with(words))
        };
        let found = said(&self.in_prompts, text).into_iter().filter(counts);
        found.map(|range| (range.clone(), on_one_line(text, range))).collect()
    }

    /// The words of the first in a description, on one line.
    pub(super) fn in_description(&self, text: &str) -> Option<String> {
        let first = said(&self.in_descriptions, text).into_iter().next()?;
        Some(on_one_line(text, first))
    }
}

pub(super) fn on_one_line(text: &str, bytes: Range<usize>) -> String {
    text.get(bytes).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}
