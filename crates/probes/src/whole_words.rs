//! Whether a text holds another as a whole, and not as a part of something longer.

/// Whether a value stands in a text, not as a part of a longer word. An empty value stands nowhere.
#[must_use]
pub fn stands_in(value: &str, text: &str) -> bool {
    is_whole(value, text, char::is_alphanumeric)
}

/// Whether a name stands in a text, not as a part of a longer name: `get_note` does not stand in `get_note_text`.
#[must_use]
pub fn names_in(name: &str, text: &str) -> bool {
    is_whole(name, text, |c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// Whether a part stands in a text with nothing beside it that would belong to it.
fn is_whole(part: &str, text: &str, belongs: impl Fn(char) -> bool) -> bool {
    !part.is_empty()
        && text.match_indices(part).any(|(at, _)| {
            let before = text.get(..at).and_then(|text| text.chars().next_back());
            let behind = text.get(at + part.len()..).and_then(|text| text.chars().next());
            !before.is_some_and(&belongs) && !behind.is_some_and(&belongs)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_longer_words_do_not_count() {
        for (value, text, as_value, as_name) in [
            ("NT-1", "note NT-1.", true, true),
            ("NT-1", "note NT-12", false, false),
            ("get_note", "use get_note_text", true, false),
            ("get_note", "(get_note)", true, true),
            ("ü", "für ü", true, true),
            ("", "anything", false, false),
        ] {
            assert_eq!(
                (stands_in(value, text), names_in(value, text)),
                (as_value, as_name),
                "{value}: {text}"
            );
        }
    }
}
