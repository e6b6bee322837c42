//! Names of tools: their words, what they ask for, how near two of them are, and names that are near one.

mod lookalike;
mod words;

use transcript::Tool;

pub(crate) use lookalike::lookalike;
pub use words::Purpose;
pub(crate) use words::{name_reads, shares_object};

/// Whether a tool only reads: what its catalog says of it (`read_only`, MCP's `readOnlyHint`), else by the
/// verbs of its name (`near_name/verbs.txt`). A name without a known verb writes.
#[must_use]
pub fn reads(tool: &Tool) -> bool {
    tool.read_only.unwrap_or_else(|| words::name_reads(tool.name.as_str()))
}

/// The words of a name's own part (behind `server__` and the like), in lower case.
#[must_use]
pub fn name_words(name: &str) -> Vec<String> {
    words::words(name, words::own_part(name)).into_iter().map(|word| word.lower).collect()
}

/// The first verb of the group that asks for the same as a word (`fetch`: `get`), and whether it only looks;
/// none where the word, in lower case, is no known verb.
#[must_use]
pub fn verb_of(word: &str) -> Option<(&'static str, bool)> {
    let group = words::VERB_GROUPS.get(words::verb_group(word)?)?;
    Some((group.verbs.first()?, group.reads))
}

/// The thing that a word in lower case is a name of: in singular, synonyms as one (`bills`: `invoice`).
#[must_use]
pub fn thing_of(word: &str) -> String {
    words::thing(word)
}

/// A word in lower case, in singular.
#[must_use]
pub fn singular_of(word: &str) -> String {
    words::singular(word)
}

/// How alike two names are, from 0 to 1: one minus the edit distance (swaps of neighbours count once) over
/// the longer length, letter case aside.
#[must_use]
pub fn similarity(one: &str, other: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase())
}

/// The name that is most like another; of equals the first. None where there are no names.
#[must_use]
pub fn nearest_name<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(&str, f64)> = None;
    for candidate in names {
        let alike = similarity(name, candidate);
        if best.is_none_or(|(_, most)| alike > most) {
            best = Some((candidate, alike));
        }
    }
    best.map(|(name, _)| name)
}

/// The word that was probably meant: at most a third of the letters differ. For "did you mean".
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    let mut best: Option<(&str, usize)> = None;
    for candidate in known {
        let distance = strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
        if distance <= allowed && best.is_none_or(|(_, least)| distance < least) {
            best = Some((candidate, distance));
        }
    }
    best.map(|(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_reads_when_its_catalog_or_its_verb_says_so() {
        let mut tool = Tool::named("list_invoices");
        assert!(reads(&tool));
        tool.read_only = Some(false);
        assert!(!reads(&tool));
        assert!(!reads(&Tool::named("create_invoice")));
        assert!(!reads(&Tool::named("frobnicate")));
    }

    #[test]
    fn nearest_words() {
        assert_eq!(nearest("lookalke", ["decoy", "lookalike"]), Some("lookalike"));
        assert_eq!(nearest("User", ["user"]), Some("user"));
        assert_eq!(nearest("xyz", ["decoy"]), None);
        assert_eq!(nearest_name("issue_refund", ["get_refund", "list_refunds"]), Some("get_refund"));
        assert_eq!(nearest_name("a", []), None);
    }
}
