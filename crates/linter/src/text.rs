//! Prose: its words, and phrases that are said and not denied.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Words that carry no meaning of their own.
const STOP_WORDS: &[&str] = &[
    "a", "an", "the", "of", "for", "to", "in", "on", "by", "with", "from", "and", "or", "is", "are", "be",
    "it", "its", "this", "that", "as", "at", "into", "please", "can", "you", "i", "me", "my", "we", "our",
    "your", "will", "would", "tool", "use", "using", "when", "which", "if",
];

/// A regex of these patterns, in which a space is any white space (one with `?` behind it may be left out): whole
/// words only, letter case aside. A pattern that ends in a set of marks (`[.,]`) ends there. The patterns are fixed:
/// one that is none panics.
pub(crate) fn pattern(phrases: &[&str]) -> Regex {
    let spaced =
        |phrase: &&str| phrase.replace(" ?", r"\s*").replace(' ', r"\s+").replace('\'', "['\u{2019}]");
    let joined = |phrases: Vec<&str>| phrases.iter().map(spaced).collect::<Vec<_>>().join("|");
    let (marked, plain): (Vec<&str>, Vec<&str>) = phrases.iter().partition(|phrase| phrase.ends_with(']'));
    let marked = if marked.is_empty() { String::new() } else { format!("|{}", joined(marked)) };
    Regex::new(&format!(r"(?i)\b(?:(?:{})(?:\b|$){marked})", joined(plain))).expect("a fixed pattern")
}

/// Words in lower case, without those that carry no meaning.
pub(crate) fn content_words(text: &str) -> BTreeSet<String> {
    words(text).filter(|word| !STOP_WORDS.contains(&word.as_str())).collect()
}

/// All words in lower case.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// How much two sets of words have in common, from 0 to 1 (Jaccard).
pub(crate) fn overlap(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    share(one.intersection(other).count(), one.len(), other.len())
}

/// How much two sets of these sizes have in common, from 0 to 1, where so many words are common.
pub(crate) fn share(common: usize, one: usize, other: usize) -> f64 {
    let all = (one + other).saturating_sub(common);
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// Where phrases stand in a text that are said there, and neither denied nor only quoted.
pub(crate) fn said(pattern: &Regex, text: &str) -> Vec<Range<usize>> {
    let found = pattern.find_iter(text).map(|found| found.range());
    found.filter(|range| !is_denied(text, range) && !is_quoted(text, range)).collect()
}

static SENTENCE_END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[.!?;:]['\u{2019}\x22)*]*(?:\s|$)|\n\s*\n|\n\s*(?:[-*\u{2022}#>]|\d+[.)])\s*| \u{2014} | - ")
        .expect("a fixed pattern")
});

/// How far before some bytes their sentence may begin, and how many items a list may have above one. Longer ones are
/// cut: the time for a text stays in proportion to its length.
const LONGEST_SENTENCE: usize = 4_000;
const LONGEST_LIST: usize = 200;

static DENIAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&[
        "not",
        "never",
        "no",
        "nor",
        "without",
        "avoid",
        "avoids",
        "refrain",
        "cannot",
        "nobody",
        "neither",
        "forbidden",
        "prohibited",
        "rather than",
        "instead of",
        "resist",
        "stop",
        r"\w+n't",
        "unable",
        "nothing",
        "less than",
        "beware",
        "against",
    ])
});

static SUBORDINATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^[\s*#>\-\u{2022}\d.)]*(?:and |or |but )?(?:even if|if|when|whenever|where|should|in case|while|since|because|although|once|after|before|unless|for|with)\b[^,]*,",
    )
    .expect("a fixed pattern")
});

static TURN: LazyLock<Regex> =
    LazyLock::new(|| pattern(&["but", "just", "then", "instead,", "however", "simply", "and always", "so"]));

static DENIED_BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^[^.!?\n]{0,60}?\b(?:is|are|would be|counts as) (?:not |never |a mistake|an error|forbidden|prohibited|wrong|worse)",
    )
    .expect("a fixed pattern")
});

/// The nearest place at or before a byte at which a text can be cut.
pub(crate) fn boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The sentence, or the item of a list, that some bytes of a text stand in.
pub(crate) fn sentence<'a>(text: &'a str, range: &Range<usize>) -> (usize, &'a str) {
    let from = boundary(text, range.start.saturating_sub(LONGEST_SENTENCE));
    let before = text.get(from..range.start).unwrap_or_default();
    let start = SENTENCE_END.find_iter(before).last().map_or(from, |end| from + end.end());
    let to = boundary(text, range.end.saturating_add(LONGEST_SENTENCE));
    let within = text.get(..to).unwrap_or(text);
    let end = SENTENCE_END.find_at(within, range.end).map_or(within.len(), |end| end.start() + 1);
    (start, text.get(start..end.clamp(start, text.len())).unwrap_or_default())
}

/// Whether what stands before a phrase in its sentence, or before the list that it is an item of, denies it.
fn is_denied(text: &str, range: &Range<usize>) -> bool {
    let (start, _) = sentence(text, range);
    let mut before = text.get(start..range.start).unwrap_or_default();
    if let Some(clause) = SUBORDINATE.find(before) {
        before = &before[clause.end()..];
    }
    if let Some((_, consequence)) = before.rsplit_once(['\u{2192}', '>']) {
        before = consequence; // "no date given -> guess"
    }
    if let Some(turn) = TURN.find_iter(before).last() {
        before = &before[turn.end()..];
    }
    let behind = text.get(range.end..).unwrap_or_default();
    DENIAL.is_match(before) || DENIED_BEHIND.is_match(behind) || is_of_denied_list(text, start)
}

/// Whether the sentence is an item of a list under `Never:`, `Do not:` or a heading of that sort.
fn is_of_denied_list(text: &str, start: usize) -> bool {
    let above = text.get(..start).unwrap_or_default();
    let above = above.trim_end_matches(['-', '*', ' ']);
    let starts_a_line = above.ends_with('\n') || above.ends_with(['.', ')']);
    let mut lines = above.lines().rev().take(LONGEST_LIST).map(str::trim);
    let introduces = |line: &str| line.ends_with(':') || line.ends_with(":**") || line.starts_with('#');
    let is_item = |line: &str| {
        line.is_empty()
            || line.starts_with(['-', '*', '\u{2022}'])
            || line.split_once(['.', ')']).is_some_and(|(number, _)| number.parse::<u32>().is_ok())
    };
    let Some(intro) = lines.find(|line| introduces(line) || !is_item(line)) else { return false };
    let last = intro.trim_end_matches([':', '*']).rsplit(' ').next().unwrap_or_default().to_lowercase();
    let ends_denying = ["never", "not", "don't", "don\u{2019}t", "avoid", "don'ts"].contains(&last.as_str());
    introduces(intro) && (ends_denying || (starts_a_line && DENIAL.is_match(intro)))
}

/// Whether a phrase is only mentioned: quotation marks right around it.
fn is_quoted(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start).and_then(|text| text.chars().next_back());
    let behind = text.get(range.end..).and_then(|text| text.chars().next());
    let mark = |c: Option<char>| c.is_some_and(|c| matches!(c, '"' | '\u{201c}' | '\u{201d}' | '`'));
    mark(before) && mark(behind)
}

/// A few words as a list: `a`, `b` and 3 more.
pub(crate) fn listed(names: &[&str], shown: usize) -> String {
    let list = names.iter().take(shown).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(shown) {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}

/// A few tools, counted where they are several: 5 tools (`a`, `b`, `c` and 2 more).
pub(crate) fn listed_tools(names: &[&str]) -> String {
    if names.len() == 1 { listed(names, 1) } else { format!("{} tools ({})", names.len(), listed(names, 3)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(text: &str) -> usize {
        said(&pattern(&["guess", "be resourceful", "make it up"]), text).len()
    }

    #[test]
    fn what_is_said_is_found() {
        for text in [
            "Guess the date.",
            "If you do not know, guess.",
            "Don't bother the user, just guess.",
            "Never leave a field empty: make it up.",
            "Always:\n- be\n  resourceful",
            "Not everything is known. Be resourceful!",
        ] {
            assert_eq!(finds(text), 1, "{text}");
        }
    }

    #[test]
    fn what_is_denied_or_quoted_is_not() {
        for text in [
            "Do not guess.",
            "Don\u{2019}t ever guess, or make it up.",
            "Ask rather than guess.",
            "Never:\n- guess\n- make it up",
            "## What you must not do\n\n* guess",
            "- Never:\n  - make it up\n  - guess",
            "A guess is never fine.",
            "Customers may say \"be resourceful\".",
            "If in doubt, ask and do not guess.",
        ] {
            assert_eq!(finds(text), 0, "{text}");
        }
    }
}
