//! What comes back only in part: a tool that can bound, page or filter it is asked for it without words such as `all`,
//! for whoever takes those at their word sets the bound.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::schema::Argument;
use crate::words::{name_words, several, singular};

/// Words of arguments that bound, page or filter.
const BOUNDS: &[&str] = &[
    "limit",
    "max",
    "maximum",
    "page",
    "pages",
    "paging",
    "pagination",
    "per",
    "cursor",
    "offset",
    "skip",
    "take",
    "top",
    "num",
    "count",
    "head",
    "tail",
    "depth",
    "since",
    "until",
    "before",
    "after",
    "first",
    "last",
    "start",
    "include",
    "exclude",
    "show",
    "only",
    "filter",
    "filters",
    "prefix",
    "pattern",
    "patterns",
    "status",
    "state",
    "fields",
    "part",
    "parts",
    "all",
    "pipeline",
    "recursive",
];

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("a fixed pattern"));
    };
}

pattern!(WHOLE, r"\b(?:(a|an)\s+)?(?:complete|full|entire|whole|total|exhaustive|comprehensive)\s+(\w)");
pattern!(ALL, r"\ball\s+(?:of\s+)?(?:(the|my|its|their|these|those)\s+)?(\w+)");
pattern!(
    EVERY,
    r"\bevery\s+(?:single\s+)?((?:[a-z-]+\s){0,3}?[a-z-]+)(,|\s(?:of|in|on|from|for|to|with|that|by|as|at|and)\b|$)"
);
pattern!(EVERYTHING, r"\beverything\b(?:\s+(?:that\s+is\s+)?(in|on|of|from|about)\b)?");
pattern!(AT_THE_END, r"\s+all$");

/// Whether a tool with these arguments can be told to give back a part only.
pub(crate) fn is_bounded(arguments: &[Argument]) -> bool {
    let bounds =
        |argument: &Argument| name_words(&argument.name).iter().any(|word| BOUNDS.contains(&word.as_str()));
    arguments.iter().any(bounds)
}

/// A request without the words that ask for all there is: `list all leaves`: `list the leaves`.
pub(crate) fn without_all(text: &str) -> String {
    let whole = |found: &Captures<'_>| {
        let next = &found[2];
        let article = if next.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an " } else { "a " };
        format!("{}{next}", found.get(1).map_or("", |_| article))
    };
    let text = WHOLE.replace_all(text, whole).into_owned();
    let all = |found: &Captures<'_>| match (found.get(1), &found[2]) {
        (None, "at" | "in" | "of" | "on") => found[0].to_owned(),
        (Some(whose), thing) => format!("{} {thing}", whose.as_str()),
        (None, thing) => format!("the {thing}"),
    };
    let text = ALL.replace_all(&text, all).into_owned();
    let every = |found: &Captures<'_>| {
        let (before, last) = found[1]
            .rsplit_once(' ')
            .map_or((String::new(), &found[1]), |(before, last)| (format!("{before} "), last));
        format!("the {before}{}{}", several(&singular(last)), &found[2])
    };
    let text = EVERY.replace_all(&text, every).into_owned();
    let everything = |found: &Captures<'_>| {
        found.get(1).map_or("what there is".to_owned(), |place| format!("what is {}", place.as_str()))
    };
    let text = EVERYTHING.replace_all(&text, everything).into_owned();
    AT_THE_END.replace(&text, "").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_asks_for_all_there_is() {
        for (text, expected) in [
            ("list all leaves in folder FLD-1", "list the leaves in folder FLD-1"),
            ("get a list of all keepers", "get a list of the keepers"),
            ("get all of my leaves", "get my leaves"),
            ("search across all shelves", "search across the shelves"),
            ("show me the complete text of a leaf", "show me the text of a leaf"),
            ("get an entire island", "get an island"),
            ("get a full account", "get an account"),
            ("list every open note of a folder", "list the open notes of a folder"),
            ("list every copy", "list the copies"),
            ("read everything in a folder", "read what is in a folder"),
            ("read the tide, including all notes", "read the tide, including the notes"),
            ("list them all", "list them"),
            ("look for a full-text index", "look for a full-text index"),
            ("change leaves all at once", "change leaves all at once"),
        ] {
            assert_eq!(without_all(text), expected, "{text}");
        }
        let named = |name: &str| {
            is_bounded(&[Argument { name: name.into(), schema: serde_json::Map::new(), required: false }])
        };
        assert!(["max_leaves", "pageSize", "showFolded", "include_torn", "limit"].into_iter().all(named));
        assert!(!["leaf_id", "homepage", "format", "title"].into_iter().any(named));
    }
}
