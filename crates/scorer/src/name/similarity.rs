//! How near two names are: slips of an offered name, the nearest name, names of the same purpose.

use probes::Offered;
use transcript::ToolName;

/// Words that say nothing about what a tool does: with or without them a name is the same.
const FILLER_WORDS: &[&str] =
    &["tool", "function", "func", "fn", "api", "call", "v1", "v2", "v3", "the", "current", "new", "my"];

/// Verbs that ask for the same thing. One row each; words of two rows are never mixed.
const VERBS: &[&[&str]] = &[
    &["get", "read", "fetch", "view", "show", "open", "retrieve", "load", "cat", "lookup"],
    &["create", "add", "make", "insert"],
    &["delete", "remove", "erase", "destroy"],
    &["update", "edit", "modify", "change"],
    &["search", "find", "query"],
    &["list", "ls"],
    &["send", "dispatch"],
    &["run", "execute", "exec"],
];

/// The first word of a name, as its tool's family takes it.
pub(super) fn first_word(name: &str) -> &str {
    let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
    &name[..end]
}

/// The words of a name in snake, kebab, dotted or camel case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous_lower = false;
    for character in name.chars() {
        let boundary = !character.is_alphanumeric() || (previous_lower && character.is_uppercase());
        if boundary && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        previous_lower = character.is_lowercase() || character.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// A word without the ending of its plural.
fn singular(word: &str) -> &str {
    if let Some(stem) = word.strip_suffix("es")
        && stem.ends_with(['x', 's', 'z', 'h'])
    {
        return stem;
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem,
        _ => word,
    }
}

/// The offered tool of which `name` is a slip: another spelling, number or order of the same words, a word
/// that says nothing, or one mistyped word. Another verb or another noun is no slip.
pub(super) fn near_miss(name: &str, offered: &Offered) -> Option<ToolName> {
    let wanted = words(name);
    let mut hits = offered.tools().iter().filter(|tool| is_slip(&wanted, &words(tool.name.as_str())));
    hits.next().map(|tool| tool.name.clone())
}

fn is_slip(emitted: &[String], offer: &[String]) -> bool {
    let plain = |words: &[String]| -> Vec<String> {
        words
            .iter()
            .filter(|word| !FILLER_WORDS.contains(&word.as_str()))
            .map(|w| singular(w).to_owned())
            .collect()
    };
    let (emitted, offer) = (plain(emitted), plain(offer));
    if emitted.is_empty() || offer.is_empty() {
        return false;
    }
    if emitted.concat() == offer.concat() {
        return true;
    }
    if emitted.len() != offer.len() {
        return false;
    }
    let (mut left, mut right) = (emitted.clone(), offer.clone());
    left.sort_unstable();
    right.sort_unstable();
    if left == right {
        return true;
    }
    let mut differing = emitted.iter().zip(&offer).filter(|(a, b)| a != b);
    match (differing.next(), differing.next()) {
        (Some((a, b)), None) => is_typo(a, b),
        _ => false,
    }
}

/// One mistyped word. `deactivate` is no typo of `activate`: an opposite is not a slip.
fn is_typo(a: &str, b: &str) -> bool {
    if a.ends_with(b) || b.ends_with(a) {
        return false;
    }
    let shorter = a.chars().count().min(b.chars().count());
    let distance = strsim::damerau_levenshtein(a, b);
    let same_start = a.chars().next() == b.chars().next();
    (distance <= 1 && shorter >= 5) || (distance <= 2 && shorter >= 7 && same_start)
}

/// Whether two names ask for the same thing in other words: `fetch_letter` and `get_letter`.
pub(crate) fn same_purpose(a: &str, b: &str) -> bool {
    let concepts = |name: &str| -> Vec<String> {
        let mut all: Vec<String> = words(name)
            .iter()
            .filter(|word| !FILLER_WORDS.contains(&word.as_str()))
            .map(|word| verb(singular(word)).to_owned())
            .collect();
        all.sort_unstable();
        all
    };
    let (a, b) = (concepts(a), concepts(b));
    !a.is_empty() && a == b
}

fn verb(word: &str) -> &str {
    VERBS.iter().find(|row| row.contains(&word)).map_or(word, |row| row[0])
}

/// The one offered tool that has the purpose of `name`; none where there are two.
pub(super) fn only_synonym(name: &str, offered: &Offered) -> Option<ToolName> {
    let mut hits = offered.tools().iter().filter(|tool| same_purpose(name, tool.name.as_str()));
    let first = hits.next()?;
    hits.next().is_none().then(|| first.name.clone())
}

/// The offered name that is nearest: most words in common, then closest in letters, then first in the catalog.
pub(super) fn nearest(name: &str, offered: &Offered) -> Option<ToolName> {
    let wanted = words(name);
    let mut best: Option<(f64, &ToolName)> = None;
    for tool in offered.tools() {
        let theirs = words(tool.name.as_str());
        let common = wanted.iter().filter(|word| theirs.contains(word)).count();
        let shared = 2.0 * as_f64(common) / as_f64(wanted.len() + theirs.len()).max(1.0);
        let score = shared + strsim::normalized_damerau_levenshtein(name, tool.name.as_str());
        if best.is_none_or(|(top, _)| score > top) {
            best = Some((score, &tool.name));
        }
    }
    best.map(|(_, tool)| tool.clone())
}

fn as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
