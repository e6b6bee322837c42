//! What values of people look like: the patterns that have a name, and patterns of the user's own.

use std::sync::LazyLock;

use regex::Regex;
use transcript::RedactedKind;

/// A word with none of the signs of a pattern is a misspelt name sooner than a pattern.
const LONGEST_NAME: usize = 24;

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[\p{L}\p{N}._%+'-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+").expect("a fixed pattern")
});

/// International, with an area in brackets, in national form, or in three groups.
static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?:\+|00)[1-9][0-9 ()./-]{5,20}[0-9]",
        r"|\(0?[0-9]{2,5}\)[ ./-]?[0-9][0-9 ./-]{3,12}[0-9]",
        r"|0[1-9][0-9]{1,4}[ /-][0-9][0-9 -]{4,12}[0-9]",
        r"|[2-9][0-9]{2}[ .-][0-9]{3}[ .-][0-9]{4}",
    ))
    .expect("a fixed pattern")
});

static IBAN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
        .expect("a fixed pattern")
});

/// One thing that must not be written.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) kind: RedactedKind,
    regex: Regex,
}

impl Pattern {
    /// Reads a name (`email`, `phone`, `iban`) or a regular expression.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let named = [RedactedKind::Email, RedactedKind::Phone, RedactedKind::Iban];
        if let Some(kind) = named.into_iter().find(|kind| kind.as_str() == text) {
            let regex = match kind {
                RedactedKind::Email => &*EMAIL,
                RedactedKind::Phone => &*PHONE,
                _ => &*IBAN,
            };
            return Ok(Self { kind, regex: regex.clone() });
        }
        let is_a_name = text.len() <= LONGEST_NAME && text.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_a_name {
            let names: Vec<&str> = named.iter().map(|kind| kind.as_str()).collect();
            let near =
                probes::nearest(text, names.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
            return Err(format!(
                "`{text}` is none of {}{}; a pattern for the word itself is written `({text})`",
                names.join(", "),
                near.unwrap_or_default()
            ));
        }
        let regex =
            Regex::new(text).map_err(|error| format!("`{text}` is no regular expression: {error}"))?;
        if regex.is_match("") {
            return Err(format!("`{text}` matches nothing at all, and so everything"));
        }
        Ok(Self { kind: RedactedKind::Private, regex })
    }

    /// The values in a text, in order: where each stands.
    pub(super) fn find<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (usize, usize)> + 't {
        self.regex.find_iter(text).filter_map(move |found| {
            let (mut start, end) = (found.start(), found.end());
            match self.kind {
                RedactedKind::Email => {
                    // A text that is the inside of JSON has escapes, and their letter belongs to no address.
                    if text[..start].ends_with('\\') && text[start..].starts_with(['n', 'r', 't', 'b', 'f']) {
                        start += 1;
                    }
                    let inner = text.get(start..end)?;
                    let lead = inner.len() - inner.trim_start_matches(['.', '\'', '-']).len();
                    start += lead;
                    (!text[start..end].starts_with('@')).then_some((start, end))
                }
                RedactedKind::Phone => is_phone(text, start, end).then_some((start, end)),
                RedactedKind::Iban => is_iban(&text[start..end]).then_some((start, end)),
                RedactedKind::Private => (start < end).then_some((start, end)),
            }
        })
    }

    /// Whether the pattern finds a text as a whole.
    pub(super) fn is_whole(&self, text: &str) -> bool {
        self.find(text).next() == Some((0, text.len()))
    }

    /// The value in the one form that all its spellings share.
    pub(super) fn key(&self, value: &str) -> String {
        let plain = |value: &str| value.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        match self.kind {
            RedactedKind::Email => value.to_lowercase().replace("%40", "@"),
            RedactedKind::Phone => digits_of_phone(value),
            RedactedKind::Iban => plain(value).to_uppercase(),
            RedactedKind::Private => value.to_lowercase(),
        }
    }
}

/// A telephone number in the one form of all its spellings: its digits, without the zeros before them.
pub(super) fn digits_of_phone(value: &str) -> String {
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').to_owned()
}

/// Dates, parts of identifiers and versions are no telephone numbers.
fn is_phone(text: &str, start: usize, end: usize) -> bool {
    let joins =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '#' | '@' | '+' | '\\');
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    let digits = text[start..end].bytes().filter(u8::is_ascii_digit).count();
    (7..=17).contains(&digits)
        && !before.is_some_and(joins)
        && !after.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '@' | ':'))
        && !is_date(&text[start..end])
}

/// `01-14-2027`, `05/11 2027 …`: one or two digits twice, then a year.
fn is_date(text: &str) -> bool {
    let mut parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let lengths = [parts.next(), parts.next(), parts.next()].map(|part| part.map_or(0, str::len));
    matches!(lengths, [1..=2, 1..=2, 2 | 4] | [4, 1..=2, 1..=2]) && !text.starts_with(['+', '('])
}

/// The check digits of ISO 13616 (mod 97), and a length that a country may have.
fn is_iban(text: &str) -> bool {
    let plain: Vec<u8> = text.bytes().filter(u8::is_ascii_alphanumeric).collect();
    if !(15..=34).contains(&plain.len()) {
        return false;
    }
    let (head, rest) = plain.split_at(4);
    let rest = rest.iter().chain(head).fold(0_u32, |sum, byte| match byte {
        b'0'..=b'9' => (sum * 10 + u32::from(byte - b'0')) % 97,
        _ => (sum * 100 + u32::from(byte.to_ascii_uppercase() - b'A') + 10) % 97,
    });
    // One with a slip is somebody's account all the same, where it is written in groups.
    rest == 1 || text.contains(' ') || text.bytes().filter(u8::is_ascii_digit).count() >= 14
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: &str) -> Vec<String> {
        let pattern = Pattern::read(name).unwrap();
        pattern.find(text).map(|(start, end)| text[start..end].to_owned()).collect()
    }

    #[test]
    fn names_find_what_they_say() {
        let text = "Write to Mara.Lind@quay.example or jo'b@x-y.org; ring +49 (30) 1234-567, (030) 9876543, 0171 2345678 or 415-555-0134.";
        assert_eq!(found("email", text), ["Mara.Lind@quay.example", "jo'b@x-y.org"]);
        assert_eq!(
            found("phone", text),
            ["+49 (30) 1234-567", "(030) 9876543", "0171 2345678", "415-555-0134"]
        );
        assert_eq!(
            found("iban", "to DE89 3704 0044 0532 0130 00, GB82WEST12345698765432."),
            ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"]
        );
        assert_eq!(found("CUST-[0-9]{6}", "CUST-123456 and CUST-12"), ["CUST-123456"]);
    }

    #[test]
    fn dates_ids_versions_and_amounts_are_nobodys() {
        let text = "2027-02-18 0900, 01-14-2027, 05/11/2027, INV-20931, 550e8400-0012-4716-a716-446655440000, v1.20.300, 0.000123456, 49.90, 1700000000";
        assert_eq!(found("phone", text), Vec::<String>::new());
        assert_eq!(found("iban", "AB12 is no account"), Vec::<String>::new());
        assert_eq!(found("email", "a@b, @handle.x, x @ y.z"), Vec::<String>::new());
    }

    #[test]
    fn a_word_is_a_misspelt_name() {
        assert!(Pattern::read("emial").unwrap_err().contains("did you mean `email`?"));
        assert!(Pattern::read("(emial)").is_ok());
        assert!(Pattern::read("x*").unwrap_err().contains("everything"));
        assert!(Pattern::read("(").unwrap_err().contains("no regular expression"));
    }
}
