//! Arguments that the harness refused before the tool ran.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is wrong with the arguments of a refused call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentFault {
    /// A required one is missing.
    Missing,
    /// One that the schema does not know: an invented argument.
    Unexpected,
    /// A value of another type.
    Type,
    /// The text is no JSON.
    Unparseable,
    /// The tool had to be loaded first, so its schema was never seen: no invention.
    NotLoaded,
    /// Refused, and the words are not among those known.
    Other,
}

use ArgumentFault::{Missing, NotLoaded, Other, Type, Unexpected, Unparseable};

/// Beginnings of a refusal, after optional wrappers: Claude Code, codex 0.171.0, opencode 1.18.33, the MCP SDKs
/// (TypeScript 1.32.2), LangGraph 1.1.3, and Semantic Kernel 1.45.0.
const BEGINNINGS: &[&str] = &[
    "InputValidationError: ",
    "failed to parse function arguments: ",
    "The arguments provided to the tool are invalid: ",
    "MCP error -32602: Input validation error: ",
    "MCP error -32602: Invalid arguments",
    "Input validation error: ",
    "Error invoking tool ",
    "Missing required argument(s): ",
    "Received unexpected argument(s): ",
];

/// What the words of a refusal say is wrong; the refusal as a whole may hold several.
const FAULTS: &[(ArgumentFault, &[&str])] = &[
    (NotLoaded, &["schema was not sent to the API"]),
    (Missing, &["is missing", "is a required property", "Missing required argument", "\"Required\""]),
    (
        Unexpected,
        &["An unexpected parameter", "unexpected argument", "Unrecognized key", "additional properties"],
    ),
    (Type, &["type is expected as", "is not of type", "invalid_type"]),
    (Unparseable, &["failed to parse function arguments", "JSON Parse error", "Unexpected token"]),
];

/// The faults that a text reports; empty where it is no refusal of arguments.
pub(super) fn read(text: &str) -> Vec<ArgumentFault> {
    let inner = text.strip_prefix("<tool_use_error>").unwrap_or(text);
    let inner = inner.strip_prefix("Error: ").unwrap_or(inner);
    if !BEGINNINGS.iter().any(|beginning| inner.starts_with(beginning)) {
        return Vec::new();
    }
    // A refusal may quote the whole schema; what is wrong stands at its beginning.
    let shown: String = inner.chars().take(4_096).collect();
    let holds = |words: &[&str]| words.iter().any(|word| shown.contains(word));
    let mut faults: Vec<_> =
        FAULTS.iter().filter(|(_, words)| holds(words)).map(|(fault, _)| *fault).collect();
    // "The arguments are invalid" before an absent tool is read as a report first; alone it says no more.
    if faults.is_empty() {
        faults.push(Other);
    }
    if faults.contains(&NotLoaded) {
        faults.retain(|fault| *fault == NotLoaded);
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_by_their_words() {
        let claude = "<tool_use_error>InputValidationError: weigh failed due to the following issues:\nThe required \
                      parameter `kg` is missing\nAn unexpected parameter `lb` was provided</tool_use_error>";
        assert_eq!(read(claude), [Missing, Unexpected]);
        assert_eq!(read("failed to parse function arguments: EOF"), [Unparseable]);
        assert_eq!(read("InputValidationError: weigh said no"), [Other]);
        assert_eq!(
            read("InputValidationError: x is missing. This tool's schema was not sent to the API"),
            [NotLoaded]
        );
        assert!(read("<tool_use_error>File does not exist.</tool_use_error>").is_empty());
        assert!(read("the log holds InputValidationError: weigh").is_empty());
    }
}
