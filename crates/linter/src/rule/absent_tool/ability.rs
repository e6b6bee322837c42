//! What a prompt says that the model can do to a thing of the catalog, and no tool does.

use std::ops::Range;
use std::sync::LazyLock;

use probes::{thing_of, verb_of};
use regex::Regex;

use crate::text::{pattern, said, sentence};
use crate::view::CatalogView;

static ABLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&[
        "you can(?: also)?",
        "you are able to",
        "you're able to",
        "you are allowed to",
        "your tools (?:let|allow|enable) you(?: to)?",
        "you have (?:the )?tools (?:to|that)",
    ])
});

/// Deeds that are one for this purpose: who may end a thing by any of them is not told anything wrong.
const ALIKE: &[&[&str]] = &[
    &["delete", "cancel", "archive", "close", "stop", "disable", "reject"],
    &["create", "start", "schedule", "upload", "import", "copy"],
    &["update", "rename", "assign", "move", "replace", "write", "merge"],
    &["send", "publish", "share", "forward", "reply", "export"],
    &["pause"],
    &["resume"],
    &["refund"],
    &["approve"],
    &["restore"],
];

/// Words between a verb and its thing.
const BETWEEN: &[&str] = &[
    "the",
    "a",
    "an",
    "any",
    "all",
    "new",
    "existing",
    "their",
    "your",
    "our",
    "my",
    "his",
    "her",
    "its",
    "draft",
    "open",
    "customer",
    "customer's",
    "customers'",
];

/// Each verb of which no tool does it, with the deed in words.
pub(super) fn without_tool(text: &str, catalogs: &[&CatalogView<'_>]) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    for able in said(&ABLE, text) {
        let (start, whole) = sentence(text, &able);
        let Some(behind) = whole.get(able.end - start..) else { continue };
        let is_tool_word = |word: &str| {
            let mut tools = catalogs.iter().flat_map(|catalog| &catalog.tools);
            tools.any(|tool| tool.words.len() > 1 && tool.words.first().is_some_and(|first| first == word))
        };
        let (verbs, thing) = deeds(behind, &is_tool_word);
        let Some(thing) = thing else { continue };
        for (verb, word, at) in verbs {
            if is_known(catalogs, &thing) && !is_done(catalogs, verb, &thing) {
                let begin = able.end + at;
                found.push((begin..begin + word.len(), format!("{word} a thing of the sort `{thing}`")));
            }
        }
    }
    found
}

/// The verbs that follow, each with its word and byte, and the thing that they are done to. The first word of a tool's
/// name is a verb too, of which nothing more is known.
fn deeds<'t>(
    text: &'t str,
    is_tool_word: &dyn Fn(&str) -> bool,
) -> (Vec<(&'static str, &'t str, usize)>, Option<String>) {
    let mut verbs = Vec::new();
    let mut at = 0;
    let is_between = |c: char| c.is_whitespace() || c == ',' || c == '/';
    for part in text.split_inclusive(is_between) {
        let start = at;
        at += part.len();
        let word = part.trim_end_matches(is_between).trim_end_matches(['.', ';', ':', '!', '?']);
        let lower = word.to_lowercase();
        if word.is_empty() || ["and", "or", "also"].contains(&lower.as_str()) {
            continue;
        }
        match verb_of(&lower) {
            Some((verb, _)) if !BETWEEN.contains(&lower.as_str()) => verbs.push((verb, word, start)),
            _ if BETWEEN.contains(&lower.as_str()) || is_tool_word(&lower) => {}
            _ => return (verbs, Some(thing_of(&lower)).filter(|_| lower.chars().all(char::is_alphabetic))),
        }
    }
    (verbs, None)
}

fn is_known(catalogs: &[&CatalogView<'_>], thing: &str) -> bool {
    let mut purposes = catalogs.iter().flat_map(|c| &c.tools).filter_map(|tool| tool.purpose.as_ref());
    purposes.any(|purpose| purpose.object().len() == 1 && purpose.object().iter().any(|word| word == thing))
}

/// Whether some tool does it, or a deed like it, or a verb that is not looked at.
fn is_done(catalogs: &[&CatalogView<'_>], verb: &str, thing: &str) -> bool {
    let Some(alike) = ALIKE.iter().find(|alike| alike.contains(&verb)) else { return true };
    catalogs.iter().flat_map(|catalog| &catalog.tools).any(|tool| {
        let does =
            |word: &String| verb_of(word).is_some_and(|(verb, _)| alike.contains(&verb) || verb == "manage");
        tool.words.iter().any(|word| thing_of(word) == thing) && tool.words.iter().any(does)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_stand_where_they_are_said_to_whatever_is_between() {
        let text = " create,\u{a0}update\u{a0}or delete their parcels today";
        let (verbs, thing) = deeds(text, &|_| false);
        let found: Vec<&str> = verbs.iter().map(|(_, word, at)| &text[*at..*at + word.len()]).collect();
        assert_eq!((found, thing.as_deref()), (vec!["create", "update", "delete"], Some("parcel")));
        let (verbs, thing) = deeds(" redirect and delete parcels", &|word| word == "redirect");
        assert_eq!((verbs.len(), thing.as_deref()), (1, Some("parcel")));
    }
}
