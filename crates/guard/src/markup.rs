//! Whether a text is a page or another document of markup, where data was expected.

use serde_json::Value;

/// How deep and how many values of a body are looked into for a page in a text.
const DEPTH: usize = 16;
const VALUES: usize = 10_000;

/// Whether a body as a whole is markup: no JSON text starts with `<`.
pub(crate) fn is_markup(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let mut characters = text.chars();
    characters.next() == Some('<')
        && characters.next().is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '!' | '?' | '/'))
}

/// The first text inside JSON that is a whole page: it starts as one, so that a note which mentions a tag is none.
pub(crate) fn page_in(body: &Value) -> Option<&str> {
    let mut left = VALUES;
    find(body, 0, &mut left)
}

fn find<'a>(value: &'a Value, depth: usize, left: &mut usize) -> Option<&'a str> {
    if depth > DEPTH || *left == 0 {
        return None;
    }
    *left -= 1;
    match value {
        Value::String(text) => is_page(text).then_some(text.as_str()),
        Value::Array(items) => items.iter().find_map(|item| find(item, depth + 1, left)),
        Value::Object(members) => members.values().find_map(|member| find(member, depth + 1, left)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn is_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(14).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}
