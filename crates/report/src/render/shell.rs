//! Commands that a reader may copy. One is shown only where a shell takes every word of it as it stands: names
//! and folders of others are never quoted, because shells do not agree on how.

/// Bytes of a word.
const WORD: usize = 200;

/// A word that a shell takes as it stands; none where it would have to be quoted.
pub(super) fn word(text: &str) -> Option<&str> {
    let plain = |character: char| character.is_ascii_alphanumeric() || "._/@:=+-".contains(character);
    let is_word = !text.is_empty() && text.len() <= WORD && text.chars().all(plain) && !text.starts_with('-');
    is_word.then_some(text)
}

/// The command that explains a probe, or one trial of it, in the run in a folder.
pub(super) fn explain(folder: &str, probe: &str) -> Option<String> {
    Some(format!("toolmirage explain {} {}", word(folder)?, word(probe)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_words_are_handed_to_a_shell() {
        assert_eq!(word("refund-duplicate.decoy"), Some("refund-duplicate.decoy"));
        for text in ["", "a b", "$(x)", "a;b", "`x`", "it's", "\"a\"", "-rf", "a\u{202e}"] {
            assert_eq!(word(text), None, "{text}");
        }
    }

    #[test]
    fn a_command_is_whole_or_not_there() {
        let command = "toolmirage explain reports/b a.decoy/c0/0";
        assert_eq!(explain("reports/b", "a.decoy/c0/0").as_deref(), Some(command));
        assert_eq!(explain("my reports/b", "a.decoy"), None);
        assert_eq!(explain("reports/b", "]]> a.decoy"), None);
    }
}
