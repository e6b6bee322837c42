//! Options that a description lists in words, where the schema has no `enum`: `"open", "closed" or "parked"`.

use std::sync::LazyLock;

use regex::Regex;

static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"["'`‘“]([A-Za-z][A-Za-z0-9_-]{1,30})["'`’”]"#).expect("a fixed pattern"));

static EXAMPLES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(e\.g\.|eg\b|for example|for instance|such as|like\b|examples?:|i\.e\.)")
        .expect("a fixed pattern")
});

/// What may stand between two options.
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[\s,;/|()]*(?:(?:\([^()]{0,80}\)|or|and|for [a-z ]{1,40})[\s,;/|()]*)*$")
        .expect("a fixed pattern")
});

/// The same, where each option stands in parentheses behind what it means.
static MEANINGS_BETWEEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*\)?\s*(?:,\s*(?:or\s+)?|or\s+|;|/)\s*(?:[a-z]+\s*){0,3}\(\s*$").expect("a fixed pattern")
});

static BULLETS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^\s*[-*]\s*["'`]([A-Za-z][A-Za-z0-9_-]{1,30})["'`]"#).expect("a fixed pattern")
});

static ONLY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^\s*["'`]([A-Za-z][A-Za-z0-9_-]{1,30})["'`]\.?\s*$"#).expect("a fixed pattern")
});

static CONSTANT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b").expect("a fixed pattern"));

/// Names of arguments that choose between options, by their words.
const CHOICES: &[&str] = &[
    "action",
    "response",
    "answer",
    "operation",
    "command",
    "op",
    "mode",
    "type",
    "kind",
    "format",
    "level",
    "role",
    "visibility",
    "order",
    "direction",
    "sort",
    "unit",
    "units",
    "status",
    "state",
    "scope",
    "position",
    "style",
    "option",
    "alignment",
    "method",
    "sharing",
    "priority",
    "severity",
    "frequency",
    "strategy",
    "theme",
    "depth",
    "category",
];

/// The options of an argument that chooses between some: those that its description lists.
pub(crate) fn options(name: &str, description: &str) -> Option<Vec<String>> {
    let words = crate::words::name_words(name);
    if !words.iter().any(|word| CHOICES.contains(&word.as_str())) {
        return None;
    }
    let all = |pattern: &Regex| -> Vec<String> {
        pattern.captures_iter(description).map(|found| found[1].to_owned()).collect()
    };
    let (bullets, only) = (all(&BULLETS), all(&ONLY));
    if bullets.len() > 1 {
        return Some(bullets);
    }
    listed_words(description)
        .or_else(|| (!only.is_empty()).then_some(only))
        .or_else(|| constants(description))
}

/// Options that a description shows as constants, be it as examples: `NUMBER_GREATER, TEXT_CONTAINS`. Nothing that
/// somebody makes up would be one of them.
fn constants(description: &str) -> Option<Vec<String>> {
    let words: Vec<String> = CONSTANT.find_iter(description).map(|found| found.as_str().to_owned()).collect();
    (words.len() > 1).then_some(words)
}

/// Whether an argument takes one of many constants, of which a description shows some as examples: any other could be
/// none, and what else one of them needs is not told.
pub(super) fn are_examples(name: &str, description: &str) -> bool {
    let words = crate::words::name_words(name);
    let first = CONSTANT.find(description);
    words.iter().any(|word| CHOICES.contains(&word.as_str()))
        && listed_words(description).is_none()
        && constants(description).is_some()
        && first.is_some_and(|first| is_example(description, first.start()))
}

/// The options of a description that lists at least two of them, and not as examples.
fn listed_words(description: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut end: Option<usize> = None;
    for found in QUOTED.captures_iter(description) {
        let (Some(whole), Some(word)) = (found.get(0), found.get(1)) else { continue };
        match end {
            None if is_example(description, whole.start()) => return None,
            None => {}
            Some(before)
                if [&BETWEEN, &MEANINGS_BETWEEN]
                    .iter()
                    .any(|between| between.is_match(&description[before..whole.start()])) => {}
            Some(_) if words.len() < 2 => {
                words.clear();
                if is_example(description, whole.start()) {
                    return None;
                }
            }
            Some(_) => break,
        }
        end = Some(whole.end());
        let word = word.as_str().to_owned();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    (words.len() > 1).then_some(words)
}

/// Whether what stands before a word says that it is one example of many.
fn is_example(description: &str, at: usize) -> bool {
    let sentence = description[..at].rfind(['.', '\n']).map_or(0, |dot| dot + 1);
    let start = sentence.min(floor(description, at.saturating_sub(30)));
    EXAMPLES.is_match(&description[start..at])
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_from_examples() {
        let listed = |text| listed_words(text).unwrap_or_default();
        assert_eq!(listed("One of \"open\", \"closed\" or 'parked'."), ["open", "closed", "parked"]);
        assert_eq!(listed("Either 'near' (within a mile), 'far' (beyond)."), ["near", "far"]);
        assert_eq!(
            listed("Whether near things ('near'), far things ('far') or all things('all')."),
            ["near", "far", "all"]
        );
        assert_eq!(listed("A colour, e.g. \"red\", \"blue\""), [""; 0]);
        assert_eq!(listed("Name of the \"field\" in the \"table\""), [""; 0]);
        assert_eq!(listed("Only \"one\""), [""; 0]);
        assert_eq!(options("action", "\"update\"."), Some(vec!["update".to_owned()]));
        assert_eq!(options("event_id", "Needed for \"update\" and \"delete\""), None);
        let sorts = options("condition_type", "Sort: NUMBER_GREATER, TEXT_CONTAINS").unwrap();
        assert_eq!(sorts, ["NUMBER_GREATER", "TEXT_CONTAINS"]);
        assert!(are_examples("condition_type", "Sort (e.g., NUMBER_GREATER, TEXT_CONTAINS)"));
        assert!(!are_examples("condition_type", "Sort: NUMBER_GREATER, TEXT_CONTAINS"));
        assert_eq!(options("mode", "How:\n- \"near\": by.\n- \"far\": off.").unwrap().len(), 2);
    }
}
