//! From traces of an agent to tasks: turns in which one call did what the user asked for, every argument in the
//! user's own words, become tasks once everything that names a person is replaced.

mod absent;
mod conversation;
mod names;
mod redact;

use std::collections::{HashMap, HashSet};

use probes::{ArgumentRule, Catalog};
use serde_json::{Map, Value};

use crate::kinds::sampled;
use crate::schema::Schema;
use crate::suite::{Ids, slug};
use crate::task::{ABSENT, DraftSource, DraftedTask};
use crate::words::scalars;
pub use absent::{AbsentDrafts, draft_absent_turns};
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
    /// Tasks with capitalised words that may be names, and those words.
    pub doubtful: Vec<(String, Vec<String>)>,
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
    let mut drafts =
        TraceDrafts { tasks: Vec::new(), lines: 0, unreadable: 0, turns: 0, doubtful: Vec::new() };
    let of_catalog = catalog_words(catalog);
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
            let found = task(catalog, name, &turn, &of_catalog).filter(|_| *count < PER_TOOL);
            let Some((task, doubtful)) = found else { continue };
            if drafts.tasks.iter().any(|other| other.user == task.user) {
                continue;
            }
            *count += 1;
            let id = ids.of(&format!("trace-{}", slug(&turn.tool)));
            if !doubtful.is_empty() {
                drafts.doubtful.push((id.clone(), doubtful));
            }
            drafts.tasks.push(DraftedTask { id, ..task });
        }
    }
    sampled(catalog, &mut drafts.tasks, taken.len());
    drafts
}

/// The task of a turn; none where the catalog does not have the tool, or the words do not give every argument.
/// With it, its words that may be names.
fn task(
    catalog: &Catalog,
    name: &str,
    turn: &Turn,
    of_catalog: &HashSet<String>,
) -> Option<(DraftedTask, Vec<String>)> {
    let tool = catalog.get(&turn.tool)?;
    let arguments = Schema::of(tool).arguments();
    let mut redactor = Redactor::default();
    redactor.meet(&turn.user);
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
    let doubtful = names::doubtful(&user, of_catalog, &redactor.made_names());
    let source = DraftSource::Traces { name: name.to_owned(), redacted: doubtful.is_empty() };
    let mut task = DraftedTask::of(String::new(), user, source);
    task.tool = Some(turn.tool.clone());
    task.arguments = given.into_iter().map(|(name, value)| (name, ArgumentRule::Equals(value))).collect();
    let left_out = arguments.iter().filter(|a| !a.required && !task.arguments.contains_key(&a.name));
    let left_out: Vec<String> = left_out.take(ABSENT).map(|argument| argument.name.clone()).collect();
    task.arguments.extend(left_out.into_iter().map(|name| (name, ArgumentRule::Absent)));
    Some((task, doubtful))
}

/// The words of a catalog's names and descriptions, in lower case: they are its things, and nobody's name.
fn catalog_words(catalog: &Catalog) -> HashSet<String> {
    let text = |tool: &std::sync::Arc<transcript::Tool>| {
        let schema =
            tool.input_schema.as_ref().map(|schema| schema.as_str().to_lowercase()).unwrap_or_default();
        format!("{} {} {schema}", tool.name, tool.description_text()).to_lowercase()
    };
    let words = |text: String| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
    };
    catalog.tools().iter().flat_map(|tool| words(text(tool))).filter(|word| word.len() > 1).collect()
}

/// Whether the words give a value. A switch is not in words, and nor is an empty list.
pub(crate) fn stands_in(value: &Value, words: &str) -> bool {
    let words = words.to_lowercase();
    let parts = scalars(value);
    !parts.is_empty() && parts.iter().all(|part| probes::stands_in(&part.to_lowercase(), &words))
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
        let ArgumentRule::Equals(to) = &task.arguments["to"] else { panic!("{task:?}") };
        let to = to.as_str().unwrap();
        assert!(task.user.contains(to) && to.ends_with(".example"), "{}", task.user);
        assert_eq!(task.arguments["copies"], ArgumentRule::Absent);
        assert_eq!(task.source, DraftSource::Traces { name: "may".into(), redacted: false });
        assert_eq!(drafts.doubtful, [("trace-send-note".to_owned(), vec!["Milk".to_owned()])]);
    }
}
