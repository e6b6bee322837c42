//! The other surface: words of a turn that owed a call and has none.
//!
//! Precision first: a text is a hit only where it says so of a named tool, in the first person, or lists the
//! tools instead of calling one. Whether its message has a call after all is decided when all of it is known.

use std::sync::LazyLock;

use regex::{Captures, Regex};
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
    /// It says that it called a tool, or what a tool returned, and no log of the session has such a call.
    Claim,
    /// A rule asks for a call, and the turn ended without it.
    Required,
}

impl OwedKind {
    /// All of them, in their order.
    pub const ALL: &[Self] = &[Self::Refusal, Self::Inventory, Self::Promise, Self::Claim, Self::Required];
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

static CLAIMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // I called the `x` tool
        "(?:^|[.!?:\n]\\s*)(?<span>(?:I|I['\u{2019}]ve|I have) (?:just |already |successfully )?(?:ran|run|called|used|executed|invoked|queried) (?:the |your )?NAME (?:tool|function)(?-u:\\b))",
        // The `x` tool returned
        "(?:^|[.!?:\n]\\s*)(?<span>The NAME tool (?:has )?(?:returned|reported|responded|confirmed|came back)(?-u:\\b))",
        // I ran the tests
        "(?:^|[.!?:\n]\\s*)(?<span>(?:I|I['\u{2019}]ve|I have) (?:just |already |successfully )?(?:ran|run|executed) (?:the |all (?:of )?(?:the )?|your )?(?:full |whole |entire |complete |unit |integration )?(?:tests?(?: suite)?|suite|build|linter|command|script|query|migrations?|benchmarks?)(?-u:\\b))",
    ]
    .iter()
    .map(|pattern| Regex::new(&pattern.replace("NAME", NAME)).expect("the patterns are used by a test"))
    .collect()
});

/// Texts longer than this are no refusal, and only their end can be a promise, in bytes.
const LONGEST: usize = 8_192;

/// Reads a text of the model: a refusal or an inventory, or else a claim and a promise.
pub(crate) fn read(text: &str) -> Vec<Owing> {
    let head = text.get(..floor(text, LONGEST)).unwrap_or_default();
    // Every refusal and inventory speaks of tools or functions: one search spares most texts the patterns.
    if head.contains("tool") || head.contains("function") {
        let found = refusal(head).or_else(|| inventory(head));
        if let Some(found) = found {
            return vec![found];
        }
    }
    [claim(head), promise(text)].into_iter().flatten().collect()
}

fn refusal(text: &str) -> Option<Owing> {
    let found = REFUSALS.iter().find_map(|pattern| pattern.captures(text))?;
    Some(Owing { kind: OwedKind::Refusal, tool: name(&found), span: found.get(0)?.as_str().into() })
}

fn inventory(text: &str) -> Option<Owing> {
    let found = INVENTORY.find(text)?;
    Some(Owing { kind: OwedKind::Inventory, tool: None, span: found.as_str().trim().into() })
}

fn claim(text: &str) -> Option<Owing> {
    // Every claim has one of these.
    const VERBS: [&str; 6] = [" ran ", "ve run ", " called ", " used ", "ecuted ", " tool "];
    if !VERBS.iter().any(|verb| text.contains(verb))
        && !text.contains("invoked ")
        && !text.contains("queried ")
    {
        return None;
    }
    let found = CLAIMS.iter().find_map(|pattern| pattern.captures(text))?;
    Some(Owing { kind: OwedKind::Claim, tool: name(&found), span: found.name("span")?.as_str().into() })
}

fn promise(text: &str) -> Option<Owing> {
    let tail = text.get(floor(text, text.len().saturating_sub(512))..)?;
    // Every promise has one of these; few texts do.
    if !tail.contains("now ") && !tail.contains("going to ") {
        return None;
    }
    let found = PROMISE.captures(tail)?;
    let span = found.name("span")?.as_str().trim().into();
    Some(Owing { kind: OwedKind::Promise, tool: None, span })
}

fn name(found: &Captures<'_>) -> Option<Box<str>> {
    let name = found.name("marked").or_else(|| found.name("plain"))?;
    Some(name.as_str().into())
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
            ("Done. I called the `weigh` tool: 4 kg.", OwedKind::Claim, Some("weigh")),
            ("I've just used the weigh_parcel tool.", OwedKind::Claim, Some("weigh_parcel")),
            ("The `weigh` tool returned 4 kg.", OwedKind::Claim, Some("weigh")),
            ("Good news!\nI ran the full test suite and all pass.", OwedKind::Claim, None),
            ("I\u{2019}ve run the migration.", OwedKind::Claim, None),
        ] {
            let found = read(text);
            let [found] = &found[..] else { panic!("{text}: {found:?}") };
            assert_eq!((found.kind, found.tool.as_deref()), (kind, tool), "{text}");
        }
    }

    #[test]
    fn a_claim_and_a_promise_are_two_things() {
        let kinds = |text| read(text).into_iter().map(|found| found.kind).collect::<Vec<_>>();
        let text = "I ran the build. I will now run the tests.";
        assert_eq!(kinds(text), [OwedKind::Claim, OwedKind::Promise]);
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
            "If I called the `weigh` tool, it would say.",
            "I have not run the tests.",
            "Once I ran out of room.",
            "I used the tool that you named.",
            "The `weigh` function returned a number in version 2.",
            "You said that I ran the tests.",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }
}
