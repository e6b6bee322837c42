//! Puts a value where the request speaks of the thing that it names: `details of a specific task list` becomes
//! `details of task list TSK-48210`.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::{Captures, Regex};

use crate::words::names::name_words;

/// What may follow a thing without making it part of a longer word.
const FOLLOWERS: &[&str] = &[
    "of",
    "in",
    "from",
    "for",
    "to",
    "with",
    "on",
    "by",
    "and",
    "or",
    "using",
    "into",
    "as",
    "at",
    "including",
    "that",
    "within",
    "between",
    "if",
    "when",
    "then",
];

/// Endings of names that say how a thing is named and not which.
const ENDINGS: &[&str] = &["id", "ids", "name", "number", "key", "uuid", "identifier", "no"];

/// The request with a value at its place; none where it does not speak of the thing.
pub(super) fn placed(request: &str, argument: &str, spoken: &str) -> Option<String> {
    let words: Vec<String> = name_words(argument).into_iter().flat_map(alias).collect();
    let is_named = words.last().is_some_and(|last| last == "name");
    let has_ending = words.len() > 1 && words.last().is_some_and(|last| ENDINGS.contains(&last.as_str()));
    let stem = if has_ending { &words[..words.len() - 1] } else { &words[..] };
    if !has_ending && stem.iter().any(|word| word.len() < 3) {
        return None;
    }
    let whole = stem.join(" ");
    let last = stem.last()?.as_str();
    let found = |stem: &str| put(request, stem, spoken, is_named, has_ending);
    found(&whole).or_else(|| if stem.len() > 1 && has_ending { found(last) } else { None })
}

/// A short word as sentences write it.
fn alias(word: String) -> Vec<String> {
    match word.as_str() {
        "repo" => vec!["repository".to_owned()],
        "pull" => vec!["pull".to_owned(), "request".to_owned()],
        "doc" => vec!["document".to_owned()],
        _ => vec![word],
    }
}

fn put(request: &str, stem: &str, spoken: &str, is_named: bool, has_ending: bool) -> Option<String> {
    // Most requests do not speak of most arguments, and a pattern is dear.
    if !request.to_lowercase().contains(stem) {
        return None;
    }
    let pattern = pattern(stem)?;
    let found = pattern.captures(request)?;
    let whole = found.get(0)?;
    let rest = &request[whole.end()..];
    let next = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let ends = rest.is_empty()
        || rest.starts_with([',', ';'])
        || (rest.starts_with(' ') && FOLLOWERS.contains(&next));
    let adjectives = found.get(4).map_or("", |words| words.as_str());
    let are_words = adjectives
        .split_whitespace()
        .all(|word| !FOLLOWERS.contains(&word) && !["a", "an", "the", "my"].contains(&word));
    if !ends || !are_words {
        return None;
    }
    let said = said(&found, adjectives, spoken, is_named, has_ending)?;
    Some(format!("{}{said}{}", &request[..whole.start()], without_other_thing(rest)))
}

/// `file F-1 or folder`: what is named is the one thing that is meant.
fn without_other_thing(rest: &str) -> &str {
    let Some(other) = rest.strip_prefix(" or ") else { return rest };
    let end = other.find(|c: char| !c.is_alphanumeric()).unwrap_or(other.len());
    let behind = &other[end..];
    let next = behind.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if end > 0 && (behind.is_empty() || FOLLOWERS.contains(&next)) { behind } else { rest }
}

thread_local! {
    /// Patterns by stem: a catalog has few stems and many arguments, and making a pattern is dear.
    static PATTERNS: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
}

fn pattern(stem: &str) -> Option<Regex> {
    let made = || {
        let pattern = format!(
            r"(?i)\b(a|an|the|one)\s+((?:specific|specified|single|existing|given|particular|certain|provided|chosen)\s+)?(new\s+)?((?:[A-Za-z]+\s+){{0,2}}?)({})\b",
            regex::escape(stem)
        );
        Regex::new(&pattern).ok()
    };
    PATTERNS.with_borrow_mut(|known| known.entry(stem.to_owned()).or_insert_with(made).clone())
}

fn said(
    found: &Captures<'_>,
    adjectives: &str,
    spoken: &str,
    is_named: bool,
    has_ending: bool,
) -> Option<String> {
    let thing = &found[5];
    let article = &found[1];
    match found.get(3) {
        Some(_) if is_named => Some(format!("{article} new {adjectives}{thing} called {spoken}")),
        Some(_) => None,
        None if is_named || !has_ending => Some(format!("the {adjectives}{thing} {spoken}")),
        None => Some(format!("{adjectives}{thing} {spoken}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_beside_what_they_name() {
        for (request, argument, expected) in [
            ("get details of a specific task list", "task_list_id", Some("get details of task list V")),
            ("get the content of a specific Acme note", "note_id", Some("get the content of Acme note V")),
            (
                "convert an address into coordinates",
                "address",
                Some("convert the address V into coordinates"),
            ),
            (
                "create a new folder in the drive",
                "folder_name",
                Some("create a new folder called V in the drive"),
            ),
            ("get the link of a file or folder", "file_id", Some("get the link of file V")),
            ("create a new issue", "issue_id", None),
            ("get the message content", "message_id", None),
            ("get a page of the book", "book_id", Some("get a page of book V")),
            ("list all", "id", None),
        ] {
            assert_eq!(placed(request, argument, "V").as_deref(), expected, "{request}");
        }
    }
}
