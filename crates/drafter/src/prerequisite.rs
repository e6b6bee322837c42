//! What other tools say before a tool can be called: tools that a description sends the model to first, and the
//! values that come from them.

use std::sync::LazyLock;

use probes::names_in;
use regex::Regex;
use transcript::Tool;

use crate::hints::Hints;
use crate::schema::Argument;
use crate::words::name_words;

/// What has to be known before a tool is called.
pub(crate) struct Prerequisites {
    names: Vec<String>,
    /// Arguments whose values another tool says, and that no id or name gives by itself.
    looked_up: Vec<String>,
    /// The tool whose call has to come first, where no argument carries what it says.
    first: Option<String>,
}

impl Prerequisites {
    pub(crate) fn of(tool: &Tool, arguments: &[Argument], hints: &Hints) -> Self {
        let own = tool.name.as_str();
        let description = tool.description_text();
        let mut names: Vec<String> = Vec::new();
        let mut first = None;
        for sentence in sentences(&description) {
            for other in hints.tools_in(sentence, own) {
                let is_first = comes_first(sentence, &other.1);
                first = first.or_else(|| is_first.then(|| other.0.clone()));
                if (is_first || GETS.is_match(sentence)) && !names.contains(&other.0) {
                    names.push(other.0);
                }
            }
        }
        let mut looked_up = Vec::new();
        let mut carries = false;
        for argument in arguments.iter().filter(|argument| argument.required) {
            let others = hints.tools_in(argument.description(), own);
            let words = name_words(&argument.name);
            let last = words.last().map_or("", String::as_str);
            let names_itself = ["id", "ids", "name", "path", "url", "key", "uri"].contains(&last);
            carries |= names_itself || !others.is_empty();
            if !others.is_empty() && !names_itself {
                looked_up.push(argument.name.clone());
            }
            for (name, _) in others {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        Self { names, looked_up, first: first.filter(|_| !carries) }
    }

    /// The tools that it is fine to call first.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether an argument's value is what another tool says.
    pub(crate) fn give(&self, argument: &str) -> bool {
        self.looked_up.iter().any(|name| name == argument)
    }

    /// The tool that has to be called first, where no argument carries what it says.
    pub(crate) fn first(&self) -> Option<&str> {
        self.first.as_deref()
    }
}

static GETS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:get|obtain|find|take|look up|discover|returned|retrieved|given|use)\b.{0,60}\b(?:from|by|with|first)\b|\bfirst\b|\bto find\b")
        .expect("a fixed pattern")
});

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ';', '!'])
        .flat_map(|line| line.split(". "))
        .filter(|sentence| !sentence.trim().is_empty())
}

/// Whether a sentence says that another tool has to be called before this one.
fn comes_first(sentence: &str, other: &str) -> bool {
    let lower = sentence.to_lowercase();
    let Some(at) = lower.find(&other.to_lowercase()) else { return false };
    let (before, behind) =
        (lower.get(..at).unwrap_or_default(), lower.get(at + other.len()..).unwrap_or_default());
    let words: Vec<&str> =
        before.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |among: &[&str]| words.iter().any(|word| among.contains(word));
    let calls = has(&["call", "use", "run", "invoke", "calling", "using", "after"]);
    // "Call this before Y": then Y is what comes later.
    let is_later = words.iter().rev().take(3).any(|word| *word == "before");
    let is_must = has(&["must", "always", "mandatory", "required", "need"]);
    calls && !is_later && (is_must || behind.contains("first") || before.contains("first"))
}

/// Whether a text names a tool in a way that is no common word: by a name of several parts, or in quotation marks.
pub(crate) fn is_named_in(name: &str, text: &str) -> bool {
    let is_distinct = name.contains(['_', '-', ' ', '.']) || name.chars().skip(1).any(char::is_uppercase);
    if is_distinct {
        return names_in(name, text);
    }
    ["\"", "'", "`"].iter().any(|mark| text.contains(&format!("{mark}{name}{mark}")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use probes::Catalog;

    use super::*;
    use crate::schema::Schema;

    #[test]
    fn what_comes_first_is_read() {
        let text = r#"{"tools":[
            {"name":"find_room","inputSchema":{"type":"object","properties":{}}},
            {"name":"open_session","inputSchema":{"type":"object","properties":{}}},
            {"name":"book_room","description":"Books. You MUST call find_room first.","inputSchema":{"type":"object",
             "properties":{"slot":{"type":"integer","description":"As find_room gives it"}},"required":["slot"]}},
            {"name":"clean","description":"Cleans. Always call open_session before this.","inputSchema":{"type":"object",
             "properties":{"deep":{"type":"boolean"}},"required":["deep"]}},
            {"name":"look_around","description":"Call this before book_room.","inputSchema":{"type":"object","properties":{}}}]}"#;
        let catalog = Catalog::from_text(Path::new("c.json"), text).unwrap();
        let hints = Hints::of(&catalog);
        let of = |at: usize| {
            let tool = &catalog.tools()[at];
            Prerequisites::of(tool, &Schema::of(tool).arguments(), &hints)
        };
        assert_eq!(
            (of(2).names(), of(2).give("slot"), of(2).first().is_some()),
            (&["find_room".to_owned()][..], true, false)
        );
        assert_eq!(of(3).first(), Some("open_session"));
        assert!(of(4).names().is_empty() && of(4).first().is_none());
    }
}
