//! Texts made comparable: letter case, quotes, dashes and spacing folded away, and looked through in whole words.

/// A text in lower case, with plain quotes and dashes, and single spaces.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for character in text.chars() {
        let plain = match character {
            '‘' | '’' | '‚' | '′' | '`' => '\'',
            '“' | '”' | '„' | '«' | '»' => '"',
            '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
            _ => character,
        };
        if plain.is_whitespace() || plain == '\u{200b}' || plain == '\u{feff}' {
            space = !out.is_empty();
            continue;
        }
        if space {
            out.push(' ');
            space = false;
        }
        if plain.is_ascii() {
            out.push(plain.to_ascii_lowercase());
        } else {
            out.extend(plain.to_lowercase());
        }
    }
    out
}

/// Only the letters and digits of a folded text.
pub(super) fn squeeze(folded: &str) -> String {
    folded.chars().filter(|character| character.is_alphanumeric()).collect()
}

/// Where `needle` stands in `text` as whole words: no letter or digit runs on at either end.
pub(super) fn find_whole<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    let opens_with_word = needle.chars().next().is_some_and(char::is_alphanumeric);
    let ends_with_word = needle.chars().next_back().is_some_and(char::is_alphanumeric);
    let matches = (!needle.is_empty()).then(|| text.match_indices(needle)).into_iter().flatten();
    matches.map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + needle.len()..].chars().next();
        !(opens_with_word && before.is_some_and(char::is_alphanumeric)
            || ends_with_word && after.is_some_and(char::is_alphanumeric))
    })
}

/// Whether `needle` stands in `text` as whole words.
pub(super) fn holds_whole(text: &str, needle: &str) -> bool {
    find_whole(text, needle).next().is_some()
}

/// The words of a text: runs of letters and digits, apostrophes and hyphens inside them dropped out.
pub(super) fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The words of a key or tool name in snake, kebab, dotted or camel case, in lower case.
pub(super) fn key_words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous_lower = false;
    for character in key.chars() {
        let starts = previous_lower && character.is_uppercase();
        previous_lower = character.is_lowercase() || character.is_numeric();
        if (starts || !character.is_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A word without the endings that English bends it with. Crude on purpose: both sides go through it.
pub(super) fn stem(word: &str) -> &str {
    for ending in ["'s", "ings", "ing", "ies", "ied", "ers", "es", "ed", "er", "ly", "y", "e", "s"] {
        if let Some(short) = word.strip_suffix(ending)
            && short.chars().count() >= 3
        {
            return short;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_case_quotes_dashes_and_spacing() {
        assert_eq!(fold("  “Blue\u{a0}Door” – Nº 7\n"), "\"blue door\" - nº 7");
        assert_eq!(squeeze("ab-12 c"), "ab12c");
    }

    #[test]
    fn finds_whole_words_only() {
        assert!(holds_whole("shelf b-40, please", "b-40"));
        assert!(!holds_whole("shelf b-401", "b-40"));
        assert!(!holds_whole("lakeside", "lake"));
        assert!(holds_whole("by the lake.", "lake"));
        assert!(holds_whole("see /srv/a.txt", "/srv/a.txt"));
        assert!(!holds_whole("anything", ""));
    }

    #[test]
    fn splits_keys_and_bends_words_back() {
        assert_eq!(key_words("notifyCustomer_by-mail2"), ["notify", "customer", "by", "mail2"]);
        assert_eq!(stem("archived"), stem("archive"));
        assert_eq!(stem("parcels"), "parcel");
        assert_eq!(stem("is"), "is");
    }
}
