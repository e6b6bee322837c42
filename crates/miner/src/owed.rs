//! The other surface: words of a turn that owed a call and has none.
//!
//! Precision first: a text is a hit only where it says so of a named tool, in the first person, or lists the
//! tools instead of calling one. Whether its message has a call after all is decided when all of it is known.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the words are in place of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OwedKind {
    /// It says that it does not have a tool, and names it.
    Refusal,
    /// It lists its tools.
    Inventory,
    /// It promises a call, and the turn ends.
    Promise,
}

/// Words in place of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owing {
    pub(crate) kind: OwedKind,
    /// The tool that is named.
    pub(crate) tool: Option<Box<str>>,
    /// The words themselves.
    pub(crate) span: Box<str>,
}

/// A tool's name: in back-ticks, asterisks or quotation marks, or a word that no sentence has without being a
/// name (an underscore, or a capital inside). Providers take ASCII names only, and patterns of ASCII classes are
/// many times quicker to make and to run.
const NAME: &str = "(?:[`*\"'\u{2018}\u{201c}]{1,3}(?<marked>[A-Za-z][0-9A-Za-z_.:/-]*)[`*\"'\u{2019}\u{201d}]{1,3}|(?<plain>[A-Za-z][a-zA-Z0-9]*(?:_[0-9A-Za-z_]+|[a-z][A-Z][0-9A-Za-z_]*)))";

static REFUSALS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // I don't have access to an `x` tool
        "(?i)(?-u:\\b)I (?:currently |actually )?(?:do not|don['\u{2019}]t|cannot|can['\u{2019}]t) (?:currently |actually )?(?:have|see|find|access|call|use)(?: access to)?(?: an?| the| any)?(?: available)? (?-i:NAME) (?:tool|function)(?-u:\\b)",
        // There is no `x` tool
        "(?i)(?-u:\\b)there (?:is no|isn['\u{2019}]t an?) (?-i:NAME) (?:tool|function)(?-u:\\b)",
        // The `x` tool is not available
        "(?i)(?-u:\\b)the (?-i:NAME) (?:tool|function) (?:is not|isn['\u{2019}]t) (?:available|among|one of|in my|something I have)(?-u:\\b)",
        // `x` is not one of my tools
        "(?i)(?-i:NAME) (?:is not|isn['\u{2019}]t) (?:one of|among|in) my (?:available )?(?:tools|functions)(?-u:\\b)",
    ]
    .iter()
    .map(|pattern| Regex::new(&pattern.replace("NAME", NAME)).expect("the patterns are used by a test"))
    .collect()
});

static INVENTORY: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = "(?i)(?-u:\\b)(?:my (?:available )?(?:tools|functions) (?:are|include)|(?:tools|functions) (?:that are )?available to me(?: are)?|I have (?:access to )?the following (?:tools|functions))[^\\n:]{0,60}:\\s*\\n+\\s*(?:[-*\u{2022}]|\\d+[.)]) ";
    Regex::new(pattern).expect("the pattern is used by a test")
});

static PROMISE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = "(?:^|[.!?:\\n]\\s*)(?<span>(?:I will now|I['\u{2019}]ll now|I(?:['\u{2019}]m| am) (?:now )?going to|Let me now) (?:run|call|use|execute|invoke|query|search|fetch|look up|read|open)(?-u:\\b)[^.!?\\n]{1,200}[.:\u{2026}]?)\\s*$";
    Regex::new(pattern).expect("the pattern is used by a test")
});

/// Texts longer than this are no refusal, and only their end can be a promise, in bytes.
const LONGEST: usize = 8_192;

/// Reads a text of the model.
pub(crate) fn read(text: &str) -> Option<Owing> {
    let head = text.get(..floor(text, LONGEST))?;
    // Every refusal and inventory speaks of tools or functions: one search spares most texts the patterns.
    if head.contains("tool") || head.contains("function") {
        for pattern in REFUSALS.iter() {
            let Some(found) = pattern.captures(head) else { continue };
            let name = found.name("marked").or_else(|| found.name("plain"));
            let span = found.get(0).map(|span| span.as_str().into()).unwrap_or_default();
            return Some(Owing {
                kind: OwedKind::Refusal,
                tool: name.map(|name| name.as_str().into()),
                span,
            });
        }
        if let Some(found) = INVENTORY.find(head) {
            return Some(Owing { kind: OwedKind::Inventory, tool: None, span: found.as_str().trim().into() });
        }
    }
    let tail = text.get(floor(text, text.len().saturating_sub(512))..)?;
    // Every promise has one of these; few texts do.
    if !tail.contains("now ") && !tail.contains("going to ") {
        return None;
    }
    let found = PROMISE.captures(tail)?;
    let span = found.name("span").map(|span| span.as_str().trim().into()).unwrap_or_default();
    Some(Owing { kind: OwedKind::Promise, tool: None, span })
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_name_their_kind_and_tool() {
        for (text, kind, tool) in [
            ("I don't have access to a `weigh_parcel` tool.", OwedKind::Refusal, Some("weigh_parcel")),
            ("Sorry, I cannot call the **stamp** tool here.", OwedKind::Refusal, Some("stamp")),
            ("I do not have a weigh_parcel function.", OwedKind::Refusal, Some("weigh_parcel")),
            ("There is no `weigh` tool in this session.", OwedKind::Refusal, Some("weigh")),
            ("The `weigh` tool isn\u{2019}t available.", OwedKind::Refusal, Some("weigh")),
            ("weighParcel is not one of my tools.", OwedKind::Refusal, Some("weighParcel")),
            ("I have access to the following tools:\n\n- Stamp\n- Weigh", OwedKind::Inventory, None),
            ("All is clear. I will now run the tests.", OwedKind::Promise, None),
        ] {
            let found = read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.kind, found.tool.as_deref()), (kind, tool), "{text}");
        }
    }

    #[test]
    fn other_words_are_no_hit() {
        for text in [
            "",
            "I don't have a good tool for this.",
            "The function `weigh` returns kilograms; it does not exist in version 2.",
            "You don't have access to the `weigh` tool.",
            "Let me know if I should run the tests.",
            "I will now run the tests. They passed.",
            "There is no single tool for that.",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
