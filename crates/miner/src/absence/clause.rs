//! The reason that follows the name, and what it says of the tool: unknown here, or known and withheld.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether the tool is unknown, or known and kept back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing of that name is there.
    Unavailable,
    /// It exists, and may not be called here and now.
    Withheld,
}

/// A reason, classified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    /// Its class: a word of [`CLASSES`], `unavailable` without a clause, or `other_clause`.
    pub(crate) class: &'static str,
    /// What it says of the tool.
    pub(crate) state: State,
    /// The words, without the name's copy before them being changed; empty where there are none.
    pub(crate) text: String,
}

use State::{Unavailable, Withheld};

/// Class, state, and what the clause holds; the first that fits. Words of Claude Code 2.1.112 and 2.1.332.
const CLASSES: &[(&str, State, &[&str])] = &[
    ("letter_case", Unavailable, &["Tool names are case-sensitive"]),
    ("not_a_tool", Unavailable, &["is not a tool you can call"]),
    ("sub_agent", Withheld, &["inside subagents"]),
    ("agent", Withheld, &["is not available to this agent"]),
    ("coordinator", Withheld, &["as the coordinator"]),
    ("code_tool", Withheld, &["is only available inside", "only available from"]),
    ("mcp_server", Withheld, &["MCP server"]),
    ("source_gone", Withheld, &["is still listed for this conversation", "plugin removed this tool"]),
    ("not_enabled", Withheld, &["is not enabled", "exists but is not enabled"]),
    ("disabled", Withheld, &["is disabled", "has been disabled", "switched off"]),
    ("policy", Withheld, &["policy", "deny rule", "administrator", "permission"]),
    (
        "not_in_session",
        Withheld,
        &["is not available in this session", "is not among the tools available here"],
    ),
];

/// Reads what follows `name` in `tail`. Clauses start with `. `, and names may hold dots, so the name is needed.
pub(crate) fn read(tail: &str, name: &str) -> Clause {
    let rest = tail.strip_prefix(name).unwrap_or(tail);
    let text = rest.trim_start_matches('.').trim();
    if text.is_empty() {
        return Clause { class: "unavailable", state: Unavailable, text: String::new() };
    }
    let fits = |words: &&[&str]| words.iter().any(|word| text.contains(word));
    let known = CLASSES.iter().find(|(_, _, words)| fits(words));
    let (class, state) = match known {
        Some((class, state, _)) => (*class, *state),
        // A clause that speaks of the tool by its name comes from a program that knows it.
        None if text.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')) => {
            ("other_clause", Withheld)
        }
        None => ("other_clause", Unavailable),
    };
    Clause { class, state, text: text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clause_has_a_state_and_none_is_dropped() {
        for (tail, name, class, state) in [
            ("weigh", "weigh", "unavailable", Unavailable),
            ("a.b", "a.b", "unavailable", Unavailable),
            ("weigh. weigh exists but is not enabled in this context.", "weigh", "not_enabled", Withheld),
            ("weigh. weigh is not available inside subagents. Go on.", "weigh", "sub_agent", Withheld),
            ("weigh. weigh is only available inside REPL. Use it.", "weigh", "code_tool", Withheld),
            ("mcp__s__t. Its MCP server 's' needs to be re-authorized.", "mcp__s__t", "mcp_server", Withheld),
            ("bash. Tool names are case-sensitive: call Bash instead.", "bash", "letter_case", Unavailable),
            ("weigh. weigh sleeps.", "weigh", "other_clause", Withheld),
            ("weigh. Try stamp.", "weigh", "other_clause", Unavailable),
        ] {
            let clause = read(tail, name);
            assert_eq!((clause.class, clause.state), (class, state), "{tail}");
        }
    }
}
