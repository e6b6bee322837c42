//! Whether a tool only looks, also where neither its catalog nor the verb of its name says so.

use probes::{reads, verb_of};
use transcript::Tool;

use crate::words::{imperative, name_words};

/// Verbs of what only looks, beside those that names are known by.
const LOOKS: &[&str] = &[
    "extract", "crawl", "map", "scrape", "fetch", "inspect", "return", "parse", "research", "scan", "browse",
    "open", "examine", "ask", "question", "discover", "detect", "resolve", "look", "tell", "report",
    "capture",
];

/// Whether a tool only looks: what its catalog says, else the verb of its name, else what its description says first.
pub(crate) fn looks(tool: &Tool) -> bool {
    if let Some(said) = tool.read_only {
        return said;
    }
    let name = tool.name.as_str();
    let words = name_words(name);
    let is_verb = |word: &String| verb_of(word).is_some();
    let writes =
        words.iter().find(|word| is_verb(word)).and_then(|word| verb_of(word)).is_some_and(|verb| !verb.1);
    if reads(tool) || writes {
        return !writes;
    }
    let description = tool.description_text();
    let core = imperative(name, &description, None).text;
    let verb = core.split(' ').next().unwrap_or_default();
    if LOOKS.contains(&verb) {
        return true;
    }
    match verb_of(verb) {
        Some((_, reads)) => reads,
        // What it does has no known verb, and what it gives back has a sentence of its own.
        None => description.split(['.', '\n']).any(|sentence| {
            let first = sentence.trim_start().split(' ').next().unwrap_or_default();
            ["Returns", "Return", "Lists", "Extracts", "Shows", "Retrieves"].contains(&first)
        }),
    }
}

#[cfg(test)]
mod tests {
    use transcript::RawJson;

    use super::*;

    #[test]
    fn what_only_looks_is_known_by_what_it_says() {
        for (name, description, said, expected) in [
            ("shelf_map", "Map a shelf's crates. Returns a list of labels.", None, true),
            ("shelf_extract", "Extract the text of labels.", None, true),
            ("shelf_research", "Perform a long search. Returns what was found.", None, true),
            ("shelf_extract", "Extract the text of labels.", Some(false), false),
            ("create_map", "Create a map. Returns its id.", None, false),
            ("shelf_paint", "Paint a shelf.", None, false),
            ("shelf_paint", "Paint a shelf.", Some(true), true),
            ("get_shelf", "", None, true),
        ] {
            let mut tool = Tool::named(name);
            tool.description = Some(RawJson::from_text(description));
            tool.read_only = said;
            assert_eq!(looks(&tool), expected, "{name}: {description}");
        }
    }
}
