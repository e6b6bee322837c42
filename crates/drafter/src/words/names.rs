//! The words of names and sentences.

use std::collections::HashSet;
use std::sync::LazyLock;

const VERBS: &str = include_str!("verbs.txt");

static KNOWN_VERBS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| VERBS.split_whitespace().collect());

/// Words that say nothing about what a sentence is for.
const FILLERS: &[&str] = &[
    "a",
    "an",
    "the",
    "of",
    "for",
    "to",
    "in",
    "on",
    "by",
    "with",
    "from",
    "and",
    "or",
    "it",
    "its",
    "this",
    "that",
    "is",
    "are",
    "as",
    "at",
    "be",
    "my",
    "me",
    "your",
    "specific",
    "specified",
    "given",
    "single",
    "new",
    "existing",
    "tool",
    "use",
    "using",
    "via",
    "into",
    "about",
    "all",
    "any",
    "each",
    "which",
    "you",
    "can",
    "detail",
    "information",
    "i",
    "have",
    "api",
];

/// Verbs that only look: which of them a tool's author took says nothing.
const LOOKING: &[&str] = &["get", "list", "show", "retrieve", "fetch", "return", "read"];

/// Whether a word in lower case is a verb that tools are named by.
pub(crate) fn is_verb(word: &str) -> bool {
    KNOWN_VERBS.contains(word)
}

/// The words of a name in snake, kebab, dotted or camel case, in lower case.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, c) in characters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| characters.get(at));
        let next_is_lower = characters.get(at + 1).is_some_and(|c| c.is_lowercase());
        let starts = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase() || b.is_ascii_digit() || (b.is_uppercase() && next_is_lower)
            });
        if (!c.is_alphanumeric() || starts) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The words of a tool's own name, without the server that it comes from.
pub(super) fn tool_words(name: &str) -> Vec<String> {
    let own = name.rsplit("__").next().filter(|own| !own.is_empty()).unwrap_or(name);
    let mut words = name_words(own);
    if words.len() > 1 && words.first().is_some_and(|word| word == "api") {
        words.remove(0);
    }
    words
}

/// One thing instead of several, by the usual endings. Letter case is kept.
pub(crate) fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    for ending in ["sses", "ches", "shes", "xes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    let keeps = ["ss", "us", "is", "news"].iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 1 && !keeps => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// The verb that a word is a form of (`retrieves`, `copying`); none where it is no form of a known one.
pub(crate) fn verb_of(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    if is_verb(&word) {
        return Some(word);
    }
    let mut stems: Vec<String> = Vec::new();
    if let Some(stem) = word.strip_suffix("ies") {
        stems.push(format!("{stem}y"));
    }
    for ending in ["es", "s"] {
        stems.extend(word.strip_suffix(ending).map(str::to_owned));
    }
    if let Some(stem) = word.strip_suffix("ing") {
        stems.push(stem.to_owned());
        stems.push(format!("{stem}e"));
        let mut shorter = stem.to_owned();
        shorter.pop();
        stems.push(shorter);
    }
    stems.into_iter().find(|stem| is_verb(stem))
}

/// What a sentence is about: its words without the fillers, verbs in their first form, nouns in singular.
pub(crate) fn content_words(text: &str) -> HashSet<String> {
    let words =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let words = words.map(|word| verb_of(&word).unwrap_or_else(|| singular(&word))).enumerate();
    words
        .filter(|(at, word)| {
            !(FILLERS.contains(&word.as_str()) || *at == 0 && LOOKING.contains(&word.as_str()))
        })
        .map(|(_, word)| word)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_and_verbs_are_found() {
        assert_eq!(name_words("getURLList"), ["get", "url", "list"]);
        assert_eq!(name_words("invoice_id"), ["invoice", "id"]);
        assert_eq!(tool_words("mcp__desk__close-ticket"), ["close", "ticket"]);
        assert_eq!(tool_words("API-get-user"), ["get", "user"]);
        for (form, verb) in [
            ("Retrieves", "retrieve"),
            ("copies", "copy"),
            ("Searching", "search"),
            ("getting", "get"),
            ("pushes", "push"),
        ] {
            assert_eq!(verb_of(form).as_deref(), Some(verb));
        }
        assert_eq!(verb_of("essential"), None);
    }
}
