//! From traces of an agent to tasks: turns in which one call did what the user asked for, every argument in the
//! user's own words, become tasks once everything that names a person is replaced.

mod conversation;
mod redact;

use std::collections::HashMap;

use indexmap::IndexMap;
use probes::Catalog;
use serde_json::{Map, Value};

use crate::schema::Schema;
use crate::suite::{Ids, slug};
use crate::task::{ABSENT, DraftSource, DraftedTask};
use crate::words::scalars;
use conversation::{Turn, turns};
use redact::Redactor;

/// How many tasks of traces one tool has at most.
const PER_TOOL: usize = 3;

/// The longest request that becomes a task, in characters.
const LONGEST: usize = 1_200;

/// What came of traces.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceDrafts {
    /// The tasks, in the order of the traces.
    pub tasks: Vec<DraftedTask>,
    /// Lines that were read.
    pub lines: usize,
    /// Lines that could not be read.
    pub unreadable: usize,
    /// Turns with one call that succeeded.
    pub turns: usize,
}

/// Drafts tasks from JSON Lines of chat messages: a line is a list of messages, or an object with `messages`, in the
/// form of chat completions or of Anthropic's messages. `name` is what the suite calls the traces; `taken` are ids
/// that other tasks have.
#[must_use]
pub fn draft_from_traces(catalog: &Catalog, name: &str, text: &str, taken: &[DraftedTask]) -> TraceDrafts {
    let mut ids = Ids::default();
    for task in taken {
        ids.of(&task.id);
    }
    let mut drafts = TraceDrafts { tasks: Vec::new(), lines: 0, unreadable: 0, turns: 0 };
    let mut of_tool: HashMap<String, usize> = HashMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        drafts.lines += 1;
        let Some(found) = turns(line) else {
            drafts.unreadable += 1;
            continue;
        };
        for turn in found {
            drafts.turns += 1;
            let count = of_tool.entry(turn.tool.clone()).or_default();
            let Some(task) = task(catalog, name, &turn).filter(|_| *count < PER_TOOL) else { continue };
            if drafts.tasks.iter().any(|other| other.user == task.user) {
                continue;
            }
            *count += 1;
            let id = ids.of(&format!("trace-{}", slug(&turn.tool)));
            drafts.tasks.push(DraftedTask { id, ..task });
        }
    }
    drafts
}

/// The task of a turn; none where the catalog does not have the tool, or the words do not give every argument.
fn task(catalog: &Catalog, name: &str, turn: &Turn) -> Option<DraftedTask> {
    let tool = catalog.get(&turn.tool)?;
    let arguments = Schema::of(tool).arguments();
    let mut redactor = Redactor::default();
    let user = redactor.clean(turn.user.trim());
    let given: Map<String, Value> =
        turn.arguments.iter().map(|(name, value)| (name.clone(), redactor.clean_value(value))).collect();
    let is_declared = |name: &String| arguments.iter().any(|argument| argument.name == *name);
    let complete = arguments.iter().filter(|argument| argument.required).all(|a| given.contains_key(&a.name));
    let is_fit =
        complete && given.keys().all(is_declared) && given.values().all(|value| stands_in(value, &user));
    if !is_fit || user.chars().count() > LONGEST || user.is_empty() {
        return None;
    }
    let mut rules: IndexMap<String, Option<Value>> =
        given.into_iter().map(|(name, value)| (name, Some(value))).collect();
    let left_out = arguments.iter().filter(|a| !a.required && !rules.contains_key(&a.name)).take(ABSENT);
    let left_out: Vec<String> = left_out.map(|argument| argument.name.clone()).collect();
    rules.extend(left_out.into_iter().map(|name| (name, None)));
    Some(DraftedTask {
        id: String::new(),
        user,
        tool: Some(turn.tool.clone()),
        arguments: rules,
        substitutes: Vec::new(),
        read_only: Vec::new(),
        missing_argument: IndexMap::new(),
        answerable_without_tool: false,
        source: DraftSource::Traces(name.to_owned()),
    })
}

/// Whether the words give a value. A switch is not in words, and nor is an empty list.
fn stands_in(value: &Value, words: &str) -> bool {
    let words = words.to_lowercase();
    let parts = scalars(value);
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !parts.is_empty()
        && parts.iter().all(|part| {
            let part = part.to_lowercase();
            !part.is_empty()
                && words.match_indices(&part).any(|(at, _)| {
                    !is_word(words[..at].chars().next_back())
                        && !is_word(words[at + part.len()..].chars().next())
                })
        })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn catalog() -> Catalog {
        let text = r#"{"tools":[{"name":"send_note","inputSchema":{"type":"object","properties":{"to":{"type":"string"},"text":{"type":"string"},"copies":{"type":"integer"}},"required":["to","text"]}}]}"#;
        Catalog::from_text(Path::new("c.json"), text).unwrap()
    }

    fn line(user: &str, arguments: &str, result: &str) -> String {
        let call = serde_json::json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "send_note", "arguments": arguments}}]});
        serde_json::json!({"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": user}, call,
            {"role": "tool", "tool_call_id": "1", "content": result}, {"role": "assistant", "content": "Done."}]})
        .to_string()
    }

    #[test]
    fn a_turn_whose_arguments_are_in_the_words_is_a_task_without_names() {
        let words = "Send \"Milk is out\" to ana.real@corp.test, or call +44 20 7123 4567.";
        let good = line(words, r#"{"to":"ana.real@corp.test","text":"Milk is out"}"#, "{\"ok\":true}");
        let lines = [
            good.clone(),
            good,
            line("Send something to Bo", r#"{"to":"Bo","text":"Hello"}"#, "ok"),
            line("Send hey to Bo", r#"{"to":"Bo","text":"hey"}"#, "Error: no such person"),
            "no json".to_owned(),
        ];
        let drafts = draft_from_traces(&catalog(), "may", &lines.join("\n"), &[]);
        assert_eq!((drafts.lines, drafts.unreadable, drafts.turns), (5, 1, 3));
        let [task] = &drafts.tasks[..] else { panic!("{drafts:?}") };
        assert_eq!(task.id, "trace-send-note");
        assert!(!task.user.contains("ana") && !task.user.contains("7123"), "{}", task.user);
        let to = task.arguments["to"].as_ref().unwrap().as_str().unwrap();
        assert!(task.user.contains(to) && to.ends_with(".example"), "{}", task.user);
        assert_eq!(task.arguments["copies"], None);
        assert_eq!(task.source, DraftSource::Traces("may".into()));
    }
}
