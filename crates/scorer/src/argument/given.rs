//! Whether the conversation gives a string of a known shape, in any notation of that shape.

use super::date_value::Said;
use super::fold::{key_words, squeeze, words};
use super::grounding::{Ground, Key};
use super::shape::{folded_value, has_any, hour_of, is_keyed_id};
use super::word;

impl Ground<'_> {
    /// Whether a value that says a date says a given one; none where it says no date.
    pub(super) fn date_is_given(&self, key_words: &[String], text: &str) -> Option<bool> {
        let said = Said::of(text)?;
        let dates = self.conversation.dates(self.clock);
        let ends = has_any(key_words, &["end", "ends", "to", "until", "max", "before", "checkout", "stop"]);
        Some(
            said.follows_from(dates)
                || (ends && said.day_before().is_some_and(|said| said.follows_from(dates))),
        )
    }

    pub(super) fn parts_are_given(&self, text: &str) -> bool {
        text.split([',', ';']).all(|part| self.conversation.holds(&folded_value(part)))
    }

    pub(super) fn contact_is_given(&self, folded: &str) -> bool {
        if folded.contains('@') && !folded.contains("://") {
            return self.conversation.holds(folded);
        }
        let digits: String = folded.chars().filter(char::is_ascii_digit).collect();
        if !folded.contains(char::is_alphabetic) {
            // A country code may be added or left out.
            let tail = &digits[digits.len().saturating_sub(7)..];
            let given: String = self
                .conversation
                .given()
                .chars()
                .filter(|c| c.is_ascii_digit() || c.is_alphabetic())
                .collect();
            return given.contains(tail);
        }
        let bare =
            folded.trim_start_matches("https://").trim_start_matches("http://").trim_start_matches("www.");
        let bare = bare.trim_end_matches('/');
        let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
        let site = host.rsplit('.').nth(1).unwrap_or(host);
        let query_of_a_search =
            word::SEARCH_SITES.contains(&site) && (path.contains('?') || path.starts_with("wiki/"));
        query_of_a_search
            || self.conversation.holds(bare)
            || ((self.conversation.holds(host) || self.conversation.has_word(site))
                && words(path.split('?').next().unwrap_or(path)).all(|word| {
                    !word.bytes().any(|byte| byte.is_ascii_digit()) || self.conversation.has_word(word)
                }))
    }

    pub(super) fn path_is_given(&self, text: &str, folded: &str) -> bool {
        let chosen =
            key_words(self.tool.name.as_str()).iter().any(|word| word::MAKING_VERBS.contains(&word.as_str()));
        let mut segments: Vec<&str> =
            folded.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".." | "~" | "c:")).collect();
        let Some(name) = segments.pop() else { return true };
        let folders_given =
            segments.iter().all(|part| self.conversation.holds(part) || (chosen && *part == "tmp"));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let named_after = !stem.bytes().any(|byte| byte.is_ascii_digit())
            && words(stem).all(|word| self.conversation.has_word(word));
        text.contains('*') || (folders_given && (chosen || self.conversation.holds(name) || named_after))
    }

    pub(super) fn id_is_given(&self, key: &Key<'_>, folded: &str) -> bool {
        if self.conversation.holds_squeezed(&squeeze(folded)) || word::NEUTRAL.contains(&folded) {
            return true;
        }
        let digits = folded.trim_start_matches(|character: char| !character.is_ascii_digit());
        let prefix = squeeze(&folded[..folded.len() - digits.len()]);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !self.conversation.holds(digits) {
            return !folded.bytes().any(|byte| byte.is_ascii_digit()) && self.has_all_words(folded);
        }
        // "order 4417" for `ORD-4417`
        digits.len() >= 3
            || words(self.conversation.given()).any(|word| word.starts_with(&prefix))
            || key.words.iter().any(|word| word.starts_with(&prefix))
    }

    /// A key that is an id and nothing else takes no words.
    pub(super) fn is_bare_id(&self, key: &Key<'_>, text: &str) -> bool {
        let named = matches!(key.words.last().map(String::as_str), Some("id" | "ids" | "uuid" | "guid"));
        named && is_keyed_id(text, &key.words)
    }

    pub(super) fn hour_is_given(&self, text: &str) -> bool {
        let Some(hour) = hour_of(text) else { return false };
        let numbers = self.conversation.numbers();
        numbers.give_exactly(f64::from(hour))
            || numbers.give_exactly(f64::from(hour % 12))
            || ["noon", "midnight", "morning", "evening", "afternoon", "tonight", "lunch"]
                .iter()
                .any(|word| self.conversation.has_word(word))
    }

    pub(super) fn has_any_word(&self, folded: &str) -> bool {
        words(folded)
            .filter(|word| word.len() > 1 && !word::COMMON.contains(word))
            .any(|word| self.conversation.has_word_like(word))
    }

    pub(super) fn has_all_words(&self, folded: &str) -> bool {
        let mut telling = words(folded).filter(|word| !word::COMMON.contains(word)).peekable();
        telling.peek().is_some() && telling.all(|word| self.conversation.has_word(word))
    }
}
