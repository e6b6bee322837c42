//! What a string looks like: a contact, a path, an identifier, a filler, a placeholder.

use transcript::RedactedKind;

use super::fold::{fold, words};
use super::word;

/// Whether a key's words name one of a kind of value.
pub(super) fn names(key: &[String], table: &[&str]) -> bool {
    let ends = [key.first(), key.last()];
    ends.into_iter().flatten().any(|word| table.contains(&word.as_str()))
}

/// Whether a key's last word, which says what it is, is in the table.
fn ends_in(key: &[String], table: &[&str]) -> bool {
    key.last().is_some_and(|word| table.contains(&word.as_str()))
}

/// Whether any word of a key is in the table.
pub(super) fn has_any(key: &[String], table: &[&str]) -> bool {
    key.iter().any(|word| table.contains(&word.as_str()))
}

pub(super) fn is_filler(folded: &str) -> bool {
    word::FILLERS.contains(&folded.trim_matches(['<', '>', '(', ')', '[', ']']))
        && !(folded.starts_with('<') || folded.starts_with('['))
}

/// Whether a string stands for a value rather than being one.
pub(super) fn is_placeholder(folded: &str) -> bool {
    // A text of some length may speak of placeholders.
    let short = folded.len() <= 100 && folded.split(' ').count() <= 4;
    word::PLACEHOLDERS.contains(&folded)
        || (short && word::PLACEHOLDER_PARTS.iter().any(|part| folded.contains(part)))
        || is_bracketed(folded)
        || has_your(folded)
        || is_one_repeated(folded)
}

/// `<id>`, `{{id}}`, `${ID}`, `[order number]`, `%s`.
fn is_bracketed(folded: &str) -> bool {
    let inside = [("<", ">"), ("{{", "}}"), ("${", "}"), ("[", "]"), ("{", "}"), ("%", "%")]
        .iter()
        .find_map(|(open, close)| folded.strip_prefix(open)?.strip_suffix(close));
    let a_name = |inside: &str| {
        inside.len() <= 40
            && inside.contains(char::is_alphabetic)
            && inside.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '\'' | '/'))
    };
    inside.is_some_and(a_name) || matches!(folded, "%s" | "%d" | "$1")
}

/// `your_api_key`, `your-email@…`, `your order id`.
fn has_your(folded: &str) -> bool {
    let mut parts = words(folded);
    let starts = parts.next() == Some("your") && parts.next().is_some();
    starts && folded.split(' ').count() <= 4
        || folded.contains("/your_")
        || folded.contains("/your-")
        || folded.contains("/your/")
        || ["//your", "@your", ".your"].iter().any(|part| folded.contains(part))
}

/// `xxxx-xxxx`, `000-000`.
fn is_one_repeated(folded: &str) -> bool {
    let mut characters = folded.chars().filter(|character| character.is_alphanumeric());
    let Some(first) = characters.next() else { return false };
    folded.len() >= 5 && matches!(first, 'x' | '0' | '#') && characters.all(|character| character == first)
}

pub(super) fn is_email(text: &str) -> bool {
    if RedactedKind::of_token(text) == Some(RedactedKind::Email) {
        return true;
    }
    let Some((local, host)) = text.split_once('@') else { return false };
    !local.is_empty()
        && !text.contains(char::is_whitespace)
        && host.split('.').count() >= 2
        && host.split('.').all(|label| {
            !label.is_empty()
                && label.chars().all(|character| character.is_alphanumeric() || character == '-')
        })
}

pub(super) fn is_url(folded: &str) -> bool {
    let rest = ["https://", "http://", "ftp://", "www."].iter().find_map(|start| folded.strip_prefix(start));
    rest.is_some_and(|rest| rest.contains(char::is_alphanumeric)) && !folded.contains(' ')
}

/// A telephone number: at least seven digits, and a key or a plus sign that says so.
pub(super) fn is_phone(text: &str, key: &[String]) -> bool {
    if RedactedKind::of_token(text) == Some(RedactedKind::Phone) {
        return true;
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let plain =
        text.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '+' | '-' | '(' | ')' | '.' | '/'));
    let says_so = text.starts_with('+')
        || has_any(key, &["phone", "telephone", "tel", "mobile", "fax", "sms", "whatsapp", "cell"]);
    (7..=15).contains(&digits) && plain && says_so
}

/// A path: a key that says so, or a root, or folders with a file's ending.
pub(super) fn is_path(text: &str, key: &[String]) -> bool {
    if text.contains("://") || text.contains('\n') || text.len() > 400 {
        return false;
    }
    let rooted = ["/", "./", "../", "~/"].iter().any(|root| text.starts_with(root)) || has_drive(text);
    let separated = text.contains('/') || text.contains('\\');
    (names(key, word::PATH_KEYS) && (separated || has_file_ending(text)))
        || (rooted && text.len() > 3 && !text.contains(' '))
        || (separated && has_file_ending(text) && !text.contains(' '))
}

fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'\\' | b'/')
}

fn has_file_ending(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// An identifier by its own looks, whatever its key: a UUID, a long hexadecimal, a prefix with digits behind a
/// separator.
pub(super) fn is_strong_id(text: &str) -> bool {
    if matches!(RedactedKind::of_token(text), Some(RedactedKind::Iban | RedactedKind::Private)) {
        return true;
    }
    if text.len() < 5 || text.len() > 64 || !text.is_ascii() || text.contains(' ') {
        return false;
    }
    let hexadecimal = text.bytes().filter(|byte| *byte != b'-').all(|byte| byte.is_ascii_hexdigit());
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if hexadecimal && text.len() >= 12 && digits >= 2 && text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return true;
    }
    let Some((prefix, last)) = text.rsplit_once(['-', '_', '#']) else { return false };
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'#'));
    plain
        && prefix.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && prefix.len() <= 16
        && last.bytes().filter(u8::is_ascii_digit).count() >= 3
}

/// An identifier by its key: a single word, or digits and separators.
pub(super) fn is_keyed_id(text: &str, key: &[String]) -> bool {
    names_id(key) && !text.is_empty() && text.len() <= 80 && !text.contains(' ')
}

pub(super) fn names_id(key: &[String]) -> bool {
    ends_in(key, word::ID_KEYS)
}

/// Whether a string is the model's own wording rather than a value.
pub(super) fn is_prose(text: &str, key: &[String]) -> bool {
    ends_in(key, word::PROSE_KEYS) || is_code(text, key) || text.split_whitespace().count() >= 5
}

/// Whether a string is code or the content of a file.
pub(super) fn is_code(text: &str, key: &[String]) -> bool {
    ends_in(key, word::CODE_KEYS) || text.contains("</") || text.contains("```")
}

/// The tokens of a prose text that could be contacts or identifiers.
pub(super) fn quoted_tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '"' | '<' | '>' | '[' | ']')
    })
    .map(|token| token.trim_matches(['.', '!', '?', ':', '\'', '*', '`', '„', '“', '”']))
    .filter(|token| token.len() >= 5)
}

/// A name as people write it: at least one word of four letters that starts with a capital.
pub(super) fn is_proper_name(text: &str) -> bool {
    text.split_whitespace().count() <= 4
        && text.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '\'' | '-' | ','))
        && text.split_whitespace().any(|word| {
            word.chars().count() >= 4
                && word.chars().next().is_some_and(char::is_uppercase)
                && word.chars().skip(1).any(char::is_lowercase)
        })
}

/// A time of day: `9:30`, `09:30:00`.
pub(super) fn hour_of(text: &str) -> Option<u8> {
    let (hour, rest) = text.split_once(':')?;
    let minutes = rest.get(..2)?;
    minutes.parse::<u8>().ok().filter(|minutes| *minutes < 60)?;
    (text.len() <= 8).then(|| hour.parse().ok().filter(|hour| *hour < 24))?
}

/// Folds a value the way the conversation is folded.
pub(super) fn folded_value(text: &str) -> String {
    fold(text).trim_matches(['"', '\'', '.', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::fold::key_words;
    use super::*;

    #[test]
    fn knows_placeholders_and_fillers() {
        let placeholders = [
            "<crate_id>",
            "{{crate}}",
            "${crate}",
            "[crate number]",
            "your_api_key",
            "your crate id",
            "123456",
            "ida@example.com",
            "https://example.org/x",
            "path/to/crate.txt",
            "/path/to/your/crate.txt",
            "yyyy-mm-dd",
            "john doe",
            "xxxx-xxxx",
            "00000",
            "string",
        ];
        for text in placeholders {
            assert!(is_placeholder(text), "{text}");
        }
        for text in [
            "k-4471",
            "ida@quarry.test",
            "[\"k-1\", \"k-2\"]",
            "{\"n\": 2}",
            "yours truly",
            "crates/text.txt",
            "10000",
        ] {
            assert!(!is_placeholder(text), "{text}");
        }
        assert!(is_filler("n/a") && is_filler("none") && is_filler("not specified"));
        assert!(!is_filler("noon") && !is_filler("<unknown>"));
        assert!(is_placeholder("<unknown>"));
    }

    #[test]
    fn knows_shapes() {
        let key = |name: &str| key_words(name);
        assert!(is_email("ida@quarry.test") && !is_email("@ida") && !is_email("ida@quarry"));
        assert!(is_url("https://quarry.test/a") && !is_url("quarry"));
        assert!(is_phone("+44 20 7946 0000", &key("to")) && is_phone("0207 946000", &key("phone_number")));
        assert!(!is_phone("20261103", &key("date")));
        assert!(
            is_path("notes.txt", &key("path"))
                && is_path("/srv/a", &key("to"))
                && is_path("a/b.rs", &key("x"))
        );
        assert!(!is_path("Europe/Oslo", &key("timezone")) && !is_path("and/or", &key("text")));
        assert!(is_strong_id("CU-4471") && is_strong_id("3f2a9c1e-77aa-4b1c-9d2e-0c1e5d2091ce"));
        assert!(!is_strong_id("utf-8") && !is_strong_id("ISO-8859-1") && !is_strong_id("next-week"));
        assert!(is_keyed_id("pq9", &key("task_id")) && !is_keyed_id("pq9", &key("colour")));
        assert!(is_proper_name("Dr. Sorensen") && !is_proper_name("EUR") && !is_proper_name("any"));
        assert_eq!(hour_of("09:30"), Some(9));
        assert_eq!(hour_of("ab:30"), None);
    }
}
