//! From a catalog to a suite: at least one task for every tool, and a few that need none.

use std::collections::HashSet;

use indexmap::IndexMap;
use probes::Catalog;
use transcript::Tool;

use crate::caller::Caller;
use crate::hints::Hints;
use crate::kinds;
use crate::similar::Neighbours;
use crate::task::{Draft, DraftSource, DraftedTask};
use crate::words::name_words;

/// A drafted suite, as it is written to a file.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftedSuite {
    /// Its name.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// The catalog: a name from the configuration.
    pub catalog: String,
    /// Prompts: names from the configuration.
    pub prompts: Vec<String>,
    /// Whose requests they are.
    pub principal: IndexMap<String, String>,
    /// Kinds of probe.
    pub kinds: Vec<String>,
    /// The tasks.
    pub tasks: Vec<DraftedTask>,
}

/// Requests that need no tool, whatever the tools are.
const WITHOUT_TOOL: &[(&str, &str)] = &[
    ("no-tool-rhyme", "Write me two rhyming lines about rain on a tin roof, nothing more."),
    ("no-tool-spelling", "Which spelling is right in English: \"accomodate\" or \"accommodate\"?"),
    (
        "no-tool-rephrase",
        "Make this sentence friendlier, please: \"Send it today.\" I only want the sentence.",
    ),
];

/// Drafts the tasks of a catalog: one for each tool, in order, then those for tools that never existed, then those
/// that need none. What the prompts say of the caller is left to them.
#[must_use]
pub fn draft_tasks(catalog: &Catalog, seed: u64, caller: &Caller) -> Vec<DraftedTask> {
    let neighbours = Neighbours::of(catalog);
    let hints = Hints::of(catalog).of_caller(caller.names());
    let mut ids = Ids::default();
    let mut tasks: Vec<DraftedTask> = catalog
        .tools()
        .iter()
        .map(|tool| Draft::of(tool, seed, &hints).task(ids.unique(tool), &neighbours, caller))
        .collect();
    let absent = kinds::absent_tools(catalog, seed, &hints, &mut ids);
    kinds::phantoms(catalog, &mut tasks, &absent);
    kinds::sampled(catalog, &mut tasks, 0);
    tasks.extend(absent);
    tasks.extend(WITHOUT_TOOL.iter().map(|(id, user)| {
        let task = DraftedTask::of(ids.of(id), (*user).to_owned(), DraftSource::Written);
        DraftedTask { answerable_without_tool: true, ..task }
    }));
    tasks
}

/// Ids, each given once.
#[derive(Default)]
pub(crate) struct Ids {
    given: HashSet<String>,
}

impl Ids {
    fn unique(&mut self, tool: &Tool) -> String {
        self.of(&slug(tool.name.as_str()))
    }

    /// The id, with a number behind it where it is given already.
    pub(crate) fn of(&mut self, id: &str) -> String {
        let mut unique = id.to_owned();
        let mut number = 2;
        while !self.given.insert(unique.clone()) {
            unique = format!("{id}-{number}");
            number += 1;
        }
        unique
    }
}

/// A name as an id: its words in lower case with hyphens between them.
#[must_use]
pub fn slug(name: &str) -> String {
    let words = name_words(name);
    let ascii = |word: &String| word.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let slug = words.iter().map(ascii).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    if slug.is_empty() { "tool".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn every_tool_has_a_task_whatever_its_name() {
        let names = ["get_note", "getNote", "ünïcode", "日本", "__", "a b: c", "create_or_update"];
        let catalog =
            Catalog::new("c/1", names.iter().map(|name| Arc::new(Tool::named(name))).collect()).unwrap();
        let tasks = draft_tasks(&catalog, 7, &Caller::default());
        let wanted: Vec<&str> = tasks.iter().filter_map(|task| task.tool.as_deref()).collect();
        assert_eq!(wanted, names);
        let ids: HashSet<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        assert_eq!(ids.len(), tasks.len());
        assert!(ids.iter().all(|id| id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')));
        assert_eq!(draft_tasks(&catalog, 7, &Caller::default()), tasks);
    }
}
