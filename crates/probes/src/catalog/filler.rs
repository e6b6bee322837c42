//! Made-up tools that fill a catalog up to a size. They belong to trades of their own; which of them are taken,
//! and in which order, is drawn by a seed.

use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value, json};
use transcript::{RawJson, Tool};

const WORDS: &str = include_str!("filler_words.txt");

/// The family of every made-up tool: none of a catalog's own.
const FAMILY: &str = "filler";

/// A made-up tool, and the words of its name.
pub(crate) struct Filler {
    pub(crate) tool: Arc<Tool>,
    pub(super) words: Vec<&'static str>,
}

/// Every made-up tool there is, each once.
pub(crate) static FILLER: LazyLock<Vec<Filler>> = LazyLock::new(|| {
    let mut lists = WORDS.split("\n\n").map(pairs);
    let (things, verbs) = (lists.next().unwrap_or_default(), lists.next().unwrap_or_default());
    let mut tools = Vec::with_capacity(things.len() * verbs.len());
    for (at, (thing, place)) in things.iter().enumerate() {
        for (number, (verb, does)) in verbs.iter().enumerate() {
            let tool = Arc::new(tool(verb, does, thing, place, at + 7 * number));
            tools.push(Filler { tool, words: verb.split('_').chain(thing.split('_')).collect() });
        }
    }
    tools
});

fn pairs(list: &'static str) -> Vec<(&'static str, &'static str)> {
    list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' ')).collect()
}

fn tool(verb: &str, does: &str, thing: &str, place: &str, number: usize) -> Tool {
    let mut tool = Tool::named(&format!("{verb}_{thing}"));
    let spoken = |words: &str| words.replace('_', " ");
    let text = format!("{} one {} of the {}.", spoken(does), spoken(thing), spoken(place));
    tool.description = Some(RawJson::from_text(&text));
    tool.input_schema = Some(RawJson::from_value(&schema(thing, number)));
    tool.family = Some(FAMILY.to_owned());
    tool.read_only = Some(false);
    tool
}

/// What each made-up tool takes beside the thing itself, some of it.
fn properties() -> [(&'static str, Value); 8] {
    [
        ("on_day", json!({ "type": "string", "format": "date" })),
        ("helper_count", json!({ "type": "integer", "minimum": 1 })),
        ("care_level", json!({ "type": "string", "enum": ["light", "usual", "thorough"] })),
        ("rest_minutes", json!({ "type": "integer", "minimum": 0 })),
        ("indoors", json!({ "type": "boolean" })),
        ("work_note", json!({ "type": "string" })),
        ("spare_parts", json!({ "type": "array", "items": { "type": "string" } })),
        ("strength", json!({ "type": "number", "minimum": 0, "maximum": 10 })),
    ]
}

fn schema(thing: &str, number: usize) -> Value {
    let own = format!("{thing}_no");
    let mut members = Map::new();
    members.insert(own.clone(), json!({ "type": "string" }));
    let more = properties();
    for step in 0..number % 4 {
        let (name, described) = &more[(number + 3 * step) % more.len()];
        members.insert((*name).to_owned(), described.clone());
    }
    json!({ "type": "object", "properties": members, "required": [own] })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use transcript::Fingerprint;

    use super::*;

    #[test]
    fn there_are_enough_and_each_has_a_name_of_its_own() {
        let names: HashSet<_> = FILLER.iter().map(|filler| filler.tool.name.as_str()).collect();
        assert_eq!((FILLER.len(), names.len()), (1200, 1200));
        assert!(names.iter().all(|name| name.len() <= 64));
        assert_eq!(FILLER[0].tool.description_text(), "Calibrates one telescope of the observatory.");
    }

    /// A record holds a rung's recipe, not its tools: what the recipe makes may never change.
    #[test]
    fn made_up_tools_are_frozen() {
        let shown: Vec<_> =
            FILLER.iter().map(|f| (&f.tool.name, &f.tool.description, &f.tool.input_schema)).collect();
        let hash = Fingerprint::of_json(&shown).to_string();
        assert_eq!(hash, "sha256:85b0719542b71e3299c8c7a06deb2aaca5e534b18ef33ae3a8472538157afff8");
    }
}
