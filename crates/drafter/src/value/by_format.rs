//! Texts by the `format` of a schema, and by a form that a description shows.

use std::sync::LazyLock;

use regex::Regex;

use crate::draw::Draw;
use crate::value::vocabulary as words;
use crate::value::{by_name, record};

/// A text of a format that JSON Schema or OpenAPI names; none where the format says too little.
pub(crate) fn text(format: &str, name: &[String], draw: &mut Draw) -> Option<String> {
    Some(match format {
        "email" | "idn-email" => by_name::email(draw),
        "uri" | "url" | "iri" | "uri-reference" | "iri-reference" => by_name::url(name, draw),
        "date" => date(name, draw),
        "date-time" => date_time(name, draw),
        "time" => format!("{}:00Z", time(draw)),
        "duration" => format!("PT{}M", draw.number(11, 58)),
        "uuid" | "guid" => uuid(draw),
        "ipv4" | "ip" => format!("203.0.113.{}", draw.number(2, 250)),
        "ipv6" => format!("2001:db8::{}", draw.hex(4)),
        "hostname" | "idn-hostname" => by_name::host(draw),
        "byte" => "dGlkZXM=".to_owned(),
        "json" => {
            let (name, value) = record::field(draw);
            format!("{{\"{name}\": \"{value}\"}}")
        }
        _ => return None,
    })
}

/// `2027-03-18`.
pub(super) fn date(name: &[String], draw: &mut Draw) -> String {
    // What ends something comes behind what begins it, in the same month where both are drawn for one request.
    let mut day = draw.shared();
    let month = day.number(2, 11);
    let of_month = if is_end(name) { draw.number(17, 28) } else { draw.number(1, 14) };
    format!("2027-{month:02}-{of_month:02}")
}

/// `2027-03-18T09:30:00Z`: what ends something ends it on the day on which it begins.
pub(super) fn date_time(name: &[String], draw: &mut Draw) -> String {
    let mut day = draw.shared();
    let (month, of_month) = (day.number(2, 11), day.number(1, 28));
    let hour = if is_end(name) { draw.number(14, 19) } else { draw.number(8, 12) };
    let minute = draw.pick(&[5, 10, 15, 20, 25, 35, 40, 50]);
    format!("2027-{month:02}-{of_month:02}T{hour:02}:{minute:02}:00Z")
}

fn is_end(name: &[String]) -> bool {
    name.iter()
        .any(|word| ["end", "max", "until", "to", "before", "due", "deadline"].contains(&word.as_str()))
}

/// `14:35`.
pub(super) fn time(draw: &mut Draw) -> String {
    format!("{:02}:{:02}", draw.number(7, 21), draw.pick(&[5, 10, 15, 20, 25, 35, 40, 50]))
}

fn uuid(draw: &mut Draw) -> String {
    let variant = draw.pick(&["8", "9", "a", "b"]);
    format!("{}-{}-4{}-{variant}{}-{}", draw.hex(8), draw.hex(4), draw.hex(3), draw.hex(3), draw.hex(12))
}

static SHOWN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)\b(?:format|form|formatted as|in)\b[:\s(]*(?:the\s+)?(?:format\s+)?["'`]([^"'`\s]{3,40})["'`]"#)
        .expect("a fixed pattern")
});

static RFC: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(RFC ?3339|ISO[ -]?8601)\b").expect("a fixed pattern"));

/// A text of the form that a description shows (`in the format '1234.5678'`, `YYYY-MM-DD`, `HH:MM`): its
/// digits and words are others.
pub(super) fn shown(name: &[String], description: &str, draw: &mut Draw) -> Option<String> {
    if description.contains("HH:MM") && !description.contains("YYYY") {
        let hour = if is_end(name) { draw.number(15, 20) } else { draw.number(7, 13) };
        return Some(format!("{hour:02}:{:02}", draw.pick(&[5, 10, 15, 20, 25, 35, 40, 50])));
    }
    if RFC.is_match(description) {
        let only_date = description.contains("YYYY-MM-DD") && !description.contains('T');
        return Some(if only_date { date(name, draw) } else { date_time(name, draw) });
    }
    if description.contains("YYYY-MM-DD") {
        return Some(date(name, draw));
    }
    let form = SHOWN.captures(description)?.get(1)?.as_str();
    let has_mark = form.chars().any(|c| c.is_ascii_digit() || "/-.:@#".contains(c));
    (has_mark && !form.contains(['<', '>', '{', '}', '*'])).then(|| like(form, draw))
}

static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)(?:\be\.g\.|\bfor example|\bsuch as|\bformat:?|\blike)[,:]?\s*["'`]?([A-Za-z0-9][\w./:-]{3,60})"#)
        .expect("a fixed pattern")
});

/// An id of the form that a description shows by an example: the same parts with other digits, and something in the
/// place of what stands for any (`spaces/X`).
pub(crate) fn shown_id(description: &str, draw: &mut Draw) -> Option<String> {
    let shown = SHOWN.captures(description).or_else(|| EXAMPLE.captures(description))?;
    let form = shown.get(1)?.as_str().trim_end_matches(['.', ':', '/', '-']);
    let digits = form.chars().filter(char::is_ascii_digit).count();
    let is_any = |part: &str| part.len() == 1 && part.starts_with(|c: char| c.is_ascii_uppercase());
    let parts: Vec<&str> = form.split('/').collect();
    if parts.len() > 1 && parts.iter().any(|part| is_any(part)) {
        let other = |part: &&str| if is_any(part) { draw.digits(8) } else { (*part).to_owned() };
        return Some(parts.iter().map(other).collect::<Vec<_>>().join("/"));
    }
    if form.len() == 36 && form.matches('-').count() == 4 {
        return Some(uuid(draw));
    }
    let mut other = |c: char| {
        if c.is_ascii_digit() { char::from(b'0' + u8::try_from(draw.number(1, 9)).unwrap_or(1)) } else { c }
    };
    (digits >= 4).then(|| form.chars().map(&mut other).collect())
}

/// The same form with other digits and words.
fn like(form: &str, draw: &mut Draw) -> String {
    let mut out = String::new();
    let mut letters = String::new();
    for c in form.chars().chain([' ']) {
        if c.is_ascii_alphabetic() {
            letters.push(c);
            continue;
        }
        if !letters.is_empty() {
            let upper = letters.chars().all(|c| c.is_ascii_uppercase());
            out.push_str(if upper { letters.as_str() } else { draw.pick(words::PLACES) });
            letters.clear();
        }
        out.push(if c.is_ascii_digit() {
            char::from(b'0' + u8::try_from(draw.number(1, 9)).unwrap_or(1))
        } else {
            c
        });
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_forms_are_followed_and_not_copied() {
        let shown = |text| shown(&[], text, &mut Draw::new(3, &[]));
        let stamp = shown("the timestamp in the format '1234567890.123456'").unwrap();
        assert_eq!((stamp.len(), stamp.find('.')), (17, Some(10)));
        assert_ne!(stamp, "1234567890.123456");
        assert!(shown("in 24-hour format (HH:MM)").unwrap().contains(':'));
        assert_eq!(shown("a day (YYYY-MM-DD)").unwrap().len(), 10);
        assert!(shown("in the format '/team/project'").unwrap().starts_with('/'));
        assert_eq!(shown("Body output format."), None);
        let id = |text| shown_id(text, &mut Draw::new(3, &[]));
        assert!(id("The contact (e.g., \"c1234567890\")").unwrap().starts_with('c'));
        assert_ne!(id("The contact (e.g., \"c1234567890\")").unwrap(), "c1234567890");
        assert_eq!(id("The name, e.g. report"), None);
        let space = id("The space (e.g. spaces/X/parts/Y)").unwrap();
        assert!(
            space.starts_with("spaces/") && space.contains("/parts/") && !space.ends_with("/Y"),
            "{space}"
        );
    }
}
