//! Making hostile text harmless to look at. Names, arguments and answers come from a model, which may write
//! anything: escape sequences that repaint a terminal, marks that turn the reading direction round, characters
//! that nobody sees. Each of them is shown as a Rust escape (`\u{1b}`, `\u{202e}`); everything else stays.
//! HTML escaping comes on top of this and is minijinja's part.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A text for one line: line breaks and tabs are shown as escapes too.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, |character| is_hidden(character) || matches!(character, '\n' | '\t'))
}

/// A text for a block of lines: line breaks and tabs stay.
#[must_use]
pub fn visible_block(text: &str) -> Cow<'_, str> {
    escape(text, is_hidden)
}

/// Whether a character is better shown as an escape: it moves, hides or reorders what stands around it, or
/// is not seen itself.
pub(crate) fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // soft hyphen, combining grapheme joiner, Arabic letter mark, Hangul fillers, Khmer inherent vowels,
        // Mongolian variation selectors and vowel separator
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => true,
        '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' => true,
        // zero width, direction marks, line and paragraph separators, embeddings and overrides
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        // word joiner, invisible operators, isolates, deprecated format characters
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => true,
        // no characters at all, and not allowed in XML
        '\u{fffe}' | '\u{ffff}' => true,
        // tags and further variation selectors: text that hides in text
        '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

fn escape(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&hidden) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for character in text[first..].chars() {
        match character {
            '\n' if hidden('\n') => out.push_str("\\n"),
            '\t' if hidden('\t') => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ if hidden(character) => {
                // Writing into a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// A text for one line, at most `width` characters long, the last of them an ellipsis where it was longer.
#[must_use]
pub(crate) fn cropped(text: &str, width: usize) -> String {
    // A name of many kilobytes is cut before it is escaped.
    let end = text.char_indices().nth(width + 1).map_or(text.len(), |(at, _)| at);
    let shown = visible(&text[..end]);
    if shown.chars().count() <= width {
        return shown.into_owned();
    }
    shown.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// A name, which is compared byte for byte: spaces at its ends are shown as `␣`, and spaces of other sorts as
/// escapes.
#[must_use]
pub(crate) fn visible_name(name: &str) -> String {
    let inner = name.trim_matches(' ');
    let before = name.len() - name.trim_start_matches(' ').len();
    let after = name.len() - before - inner.len();
    let shown =
        escape(inner, |character| is_hidden(character) || (character.is_whitespace() && character != ' '));
    format!("{}{shown}{}", "␣".repeat(before), "␣".repeat(after))
}

/// A name, at most `width` characters long.
#[must_use]
pub(crate) fn cropped_name(name: &str, width: usize) -> String {
    // Of a name that is cut, only the beginning is looked at.
    let end = name.char_indices().nth(width + 1).map_or(name.len(), |(at, _)| at);
    cropped(&visible_name(&name[..end]), width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_borrowed_and_unchanged() {
        assert!(matches!(visible("Müller & Söhne → 49,90 € ✔\u{fe0f}"), Cow::Borrowed(_)));
        assert!(matches!(visible_block("two\nlines\tof text"), Cow::Borrowed(_)));
    }

    #[test]
    fn escapes_control_characters_and_direction_marks() {
        assert_eq!(visible("\u{1b}[31mred\u{7}"), "\\u{1b}[31mred\\u{7}");
        assert_eq!(visible("safe\u{202e}exe.txt"), "safe\\u{202e}exe.txt");
        assert_eq!(visible("a\nb\tc\rd"), "a\\nb\\tc\\rd");
        assert_eq!(visible_block("a\r\nb\u{9b}2J"), "a\\r\nb\\u{9b}2J");
        assert_eq!(visible("zero\u{200b}width\u{e0041}tag"), "zero\\u{200b}width\\u{e0041}tag");
    }

    #[test]
    fn a_name_shows_the_spaces_at_its_ends() {
        assert_eq!(visible_name(" create_refund"), "␣create_refund");
        assert_eq!(visible_name("create refund  "), "create refund␣␣");
        assert_eq!(visible_name("create_refund\n"), "create_refund\\n");
        assert_eq!(visible_name("create\u{a0}refund"), "create\\u{a0}refund");
        assert_eq!(visible_name("   "), "␣␣␣");
        assert_eq!(cropped_name(" create_refund", 8), "␣create…");
    }

    #[test]
    fn crops_by_characters_after_escaping() {
        assert_eq!(cropped("create_refund", 20), "create_refund");
        assert_eq!(cropped("create_refund", 13), "create_refund");
        assert_eq!(cropped("create_refund", 7), "create…");
        assert_eq!(cropped("ab\u{1b}cd", 6), "ab\\u{…");
        assert_eq!(cropped(&"é".repeat(10_000), 3), "éé…");
    }
}
