//! Texts of a trial, cut to what a report can carry. The whole text is in the run record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The beginning of a text, and how much of it is left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Excerpt {
    /// The text, or its beginning.
    pub text: String,
    /// Characters left out at its end; the whole text is in `run.jsonl`.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub left_out: u64,
}

impl Excerpt {
    /// At most `limit` characters of a text.
    #[must_use]
    pub fn of(text: &str, limit: usize) -> Self {
        let Some((end, _)) = text.char_indices().nth(limit) else {
            return Self { text: text.to_owned(), left_out: 0 };
        };
        Self { text: text[..end].to_owned(), left_out: text[end..].chars().count() as u64 }
    }
}

/// A short text on one line of its own, with the count of what is left out in the text itself: for places
/// whose type is a plain string.
pub(crate) fn short(text: &str, limit: usize) -> String {
    let excerpt = Excerpt::of(text, limit);
    match excerpt.left_out {
        0 => excerpt.text,
        more => format!("{}… ({more} more characters)", excerpt.text),
    }
}

/// What the texts of one trial may take up together, so that a thousand trials stay a few megabytes. What is
/// taken first gets its share first.
pub(crate) struct Budget {
    left: usize,
}

/// Every text gets at least this many characters, whatever the budget.
const FLOOR: usize = 120;

impl Budget {
    pub(crate) fn new(characters: usize) -> Self {
        Self { left: characters }
    }

    /// At most `limit` characters of a text, and no more than the budget still has.
    pub(crate) fn take(&mut self, text: &str, limit: usize) -> Excerpt {
        let excerpt = Excerpt::of(text, limit.min(self.left.max(FLOOR)));
        // Bytes are an upper bound of characters, and cost nothing to know.
        self.left = self.left.saturating_sub(excerpt.text.len());
        excerpt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_left_out_in_characters() {
        assert_eq!(Excerpt::of("héllo", 5), Excerpt { text: "héllo".into(), left_out: 0 });
        assert_eq!(Excerpt::of("héllo", 2), Excerpt { text: "hé".into(), left_out: 3 });
        assert_eq!(short(&"x".repeat(10), 4), "xxxx… (6 more characters)");
    }

    #[test]
    fn a_spent_budget_still_gives_every_text_its_floor() {
        let mut budget = Budget::new(200);
        assert_eq!(budget.take(&"a".repeat(150), 1_000).left_out, 0);
        assert_eq!(budget.take(&"b".repeat(150), 1_000).left_out, 30);
        assert_eq!(budget.take("c", 1_000).left_out, 0);
    }
}
