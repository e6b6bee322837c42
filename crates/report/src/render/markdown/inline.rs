//! Text of others in Markdown, inert: model output and names from files. On GitHub a word can do much: mention
//! a team, link an issue, a commit or a page, open a tag, end a comment, split a table. In a code span it does
//! none of that. So names and quotes are code spans, and prose in which such names occur keeps only plain words
//! outside of them.

use crate::text_safe::{cropped, cropped_name};

/// Hexadecimal digits in a row that GitHub may take for a commit.
const COMMIT: usize = 7;

/// A text as a code span, at most `limit` characters of it.
pub(crate) fn code(text: &str, limit: usize) -> String {
    span(&cropped(text, limit))
}

/// A name as a code span: spaces at its ends are shown.
pub(crate) fn name(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { span(&cropped_name(name, 80)) }
}

/// A code span: its fence is longer than any run of backticks inside.
fn span(text: &str) -> String {
    if text.trim().is_empty() {
        return "(empty)".to_owned();
    }
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // One space at both ends is taken away again by the reader; a backtick there would join the fence.
    let touches = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let pad = if touches { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Prose of ours with names of others in it: every word that is not plain is a code span. At most `limit`
/// characters before that.
pub(crate) fn prose(text: &str, limit: usize) -> String {
    let shown = cropped(text, limit);
    let words = shown.split(' ').filter(|word| !word.is_empty());
    let written: Vec<String> = words.enumerate().map(|(at, word)| written(word, at == 0)).collect();
    written.join(" ")
}

fn written(word: &str, first: bool) -> String {
    match word {
        "<" => return "&lt;".to_owned(),
        ">" if !first => return "&gt;".to_owned(),
        "=" if !first => return word.to_owned(),
        _ => {}
    }
    if is_plain(word, first) {
        return word.to_owned();
    }
    // Brackets and stops around a name stay outside of its span.
    let core = word.trim_start_matches(['(', '"']);
    let before = &word[..word.len() - core.len()];
    let inner = core.trim_end_matches(['.', ',', ';', ':', ')', '"']);
    let after = &core[inner.len()..];
    // A name that our own words have between backticks already.
    let bare = inner.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    match bare.filter(|bare| !bare.is_empty() && !bare.contains('`')) {
        Some(bare) => format!("{before}{}{after}", span(bare)),
        None if inner.is_empty() => span(word),
        None => format!("{before}{}{after}", span(inner)),
    }
}

/// Whether no reader of Markdown takes the word for anything but a word.
fn is_plain(word: &str, first: bool) -> bool {
    let allowed = |character: char| {
        character.is_alphanumeric()
            || matches!(character, '.' | ',' | ';' | ':' | '(' | ')' | '%' | '+' | '-')
            || matches!(character, '/' | '\'' | '"' | '→' | '–' | '×' | '…')
    };
    let folded = word.to_ascii_lowercase();
    let stops = word.trim_end_matches(['.', ',', ';', ':', ')', '"']);
    word.chars().all(allowed)
        && (!stops.contains(':') || is_time(stops))
        && !folded.contains("www.")
        && !folded.contains("gh-")
        && !word.split(|character: char| !character.is_ascii_hexdigit()).any(|run| run.len() >= COMMIT)
        && !(first && starts_a_block(word))
}

/// Whether a word is a time to the second. Other colons may make an emoji.
fn is_time(word: &str) -> bool {
    word.len() == 8
        && word.bytes().enumerate().all(|(at, byte)| match at {
            2 | 5 => byte == b':',
            _ => byte.is_ascii_digit(),
        })
}

/// Whether a line that begins with this word may be a list or a rule.
fn starts_a_block(word: &str) -> bool {
    word.chars().all(|character| matches!(character, '+' | '-'))
        || word
            .strip_suffix(['.', ')'])
            .is_some_and(|number| number.chars().all(|character| character.is_ascii_digit()))
}

/// What stands in a cell of a table: a pipe in it, always within a code span, does not end the cell. Behind a
/// backslash, where readers disagree on what it does, it is shown as an escape.
pub(super) fn in_cell(inline: &str) -> String {
    let mut out = String::with_capacity(inline.len());
    for character in inline.chars() {
        match character {
            '|' if out.ends_with('\\') => out.push_str("\\u{7c}"),
            '|' => out.push_str("\\|"),
            _ => out.push(character),
        }
    }
    out
}

/// A text as HTML code, for where Markdown is not read: the head of `<details>`.
pub(super) fn html_code(text: &str, limit: usize) -> String {
    let mut out = String::from("<code>");
    for character in cropped(text, limit).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(character),
        }
    }
    out.push_str("</code>");
    out
}

/// A part of the sticky marker: letters, digits, `.`, `_` and single hyphens, so that it cannot end the comment.
pub(super) fn marker_part(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars().take(60) {
        let safe =
            if character.is_ascii_alphanumeric() || matches!(character, '.' | '_') { character } else { '-' };
        if safe != '-' || !out.ends_with('-') {
            out.push(safe);
        }
    }
    let out = out.trim_matches('-');
    if out.is_empty() { "unnamed".to_owned() } else { out.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fence_of_a_span_is_longer_than_what_it_holds() {
        assert_eq!(code("create_refund", 40), "`create_refund`");
        assert_eq!(code("a``b", 40), "```a``b```");
        assert_eq!(code("`x`", 40), "`` `x` ``");
        assert_eq!(code(" x ", 40), "`  x  `");
        assert_eq!(code("a\nb\u{202e}", 40), "`a\\nb\\u{202e}`");
        assert_eq!(code("", 40), "(empty)");
        assert_eq!(name(" x"), "`␣x`");
        assert_eq!(name(""), "(no name)");
    }

    #[test]
    fn plain_prose_stays_as_it_is() {
        let plain = "unknown-tool on desk gull-2 rose from 1.6 % to 6.6 % (5 → 21 of 316 paired probes: +5.1 \
                     points, 95 % interval +0.9 to +9.9, p = 0.004 corrected for 6 tests)";
        assert_eq!(prose(plain, 400), plain);
        assert_eq!(prose("from 07:00:01 to 07:04:12", 40), "from 07:00:01 to 07:04:12");
        assert_eq!(prose("p < 0.001; 3 of 9 and/or 1,234,567", 400), "p &lt; 0.001; 3 of 9 and/or 1,234,567");
    }

    #[test]
    fn every_word_that_could_do_something_is_a_code_span() {
        for word in [
            "@octo-org/owners",
            "octo-org/octo-repo#1",
            "#1",
            "GH-1",
            "deadbeef1",
            "1234567",
            "https://evil.example",
            "www.evil.example",
            "a@evil.example",
            "<script>",
            "&lt;b&gt;",
            "](x)",
            "**x**",
            "a_b_c",
            "~~x~~",
            "$x$",
            ":tada:",
            "-->",
            "a|b",
            "a\\|b",
            "[^1]",
            "{{x}}",
        ] {
            let written = prose(&format!("on {word} rose"), 400);
            let inside = written.strip_prefix("on `").and_then(|rest| rest.strip_suffix(" rose"));
            // A stop or a bracket at its end may stand behind the span.
            assert!(
                inside.is_some_and(|rest| rest.trim_end_matches([':', ';', ')']).ends_with('`')),
                "{written}"
            );
        }
        assert_eq!(prose("on (a_b): rose", 400), "on (`a_b`): rose");
        assert_eq!(prose("`a_b` is not offered", 400), "`a_b` is not offered");
        assert_eq!(prose("on ```` rose", 400), "on ````` ```` ````` rose");
    }

    #[test]
    fn the_first_word_starts_no_block() {
        for word in ["-", "+", "---", "1.", "12)", "#", ">", "=", "==="] {
            assert!(prose(&format!("{word} x"), 400).starts_with('`'), "{word}");
        }
        assert_eq!(prose("1.6 % rose", 400), "1.6 % rose");
    }

    #[test]
    fn a_pipe_does_not_end_a_cell() {
        assert_eq!(in_cell("`a|b`"), "`a\\|b`");
        assert_eq!(in_cell("`a\\|b`"), "`a\\\\u{7c}b`");
    }

    #[test]
    fn a_marker_cannot_end_its_comment() {
        assert_eq!(marker_part("agent"), "agent");
        assert_eq!(marker_part("--> <script>"), "script");
        assert_eq!(marker_part("a--b:c"), "a-b-c");
        assert_eq!(marker_part("☃"), "unnamed");
    }

    #[test]
    fn the_head_of_details_holds_no_tag() {
        assert_eq!(html_code("<b>&'\"", 40), "<code>&lt;b&gt;&amp;&#39;&quot;</code>");
    }
}
