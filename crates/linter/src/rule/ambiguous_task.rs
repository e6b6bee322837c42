//! Tasks whose words want another tool as much as the one that is called right.

use std::collections::{BTreeSet, HashMap};

use probes::{Purpose, Task, thing_of, verb_of};

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::text::words;
use crate::view::{SuiteView, ToolView, is_listed};

pub(super) const RULE: Rule = Rule {
    name: "ambiguous_task",
    severity: Severity::Warning,
    summary: "A task's words want another tool as much as the one that the suite calls right.",
    page: include_str!("ambiguous_task.md"),
    checks: &[Check::Suite(check)],
};

fn check(suite: &SuiteView<'_>, findings: &mut Findings<'_>) {
    let mut by_words: HashMap<Vec<String>, &Task> = HashMap::new();
    for (task, pointer) in suite.tasks() {
        let all: Vec<String> = words(&task.user).collect();
        let twin = by_words.get(&all).filter(|twin| twin.tool != task.tool);
        if let Some(twin) = twin {
            let message = format!(
                "task `{}` has the words of task `{}`, and wants `{}` where that wants `{}`",
                task.id,
                twin.id,
                task.tool_word(),
                twin.tool_word()
            );
            let help = "both cannot be right; change the words of one";
            findings.push(&[task.tool_word()], suite.at(&format!("{pointer}/user"), message).help(help));
        } else if let Some(wanted) = task.wanted().and_then(|name| suite.tool(name)) {
            other_tool(suite, task, wanted, &format!("{pointer}/user"), findings);
        }
        by_words.entry(all).or_insert(task);
    }
}

/// A tool that the words name, or whose verb and thing both stand in them while the wanted one's do not.
fn other_tool(
    suite: &SuiteView<'_>,
    task: &Task,
    wanted: &ToolView<'_>,
    pointer: &str,
    findings: &mut Findings<'_>,
) {
    let asked = asked_verb(&task.user);
    let told: BTreeSet<String> = words(&task.user).collect();
    let things: BTreeSet<String> = told.iter().map(|word| thing_of(word)).collect();
    let verbs: BTreeSet<&str> = told.iter().filter_map(|word| Some(verb_of(word)?.0)).collect();
    let named = |tool: &ToolView<'_>| -> usize {
        tool.purpose.iter().flat_map(Purpose::object).filter(|word| things.contains(*word)).count()
    };
    // Words that say more of the wanted tool's thing than of the other's want the wanted one.
    let fits = |tool: &ToolView<'_>| {
        tool.purpose.as_ref().is_some_and(|purpose| {
            asked == Some(purpose.verb())
                && purpose.object().iter().all(|word| things.contains(word))
                && named(tool) >= named(wanted)
        })
    };
    let is_fine = |tool: &ToolView<'_>| tool.name == wanted.name || is_listed(task, tool.name);
    // "Make a copy" asks for `copy_file`, and a tool that manages does whatever it is asked for.
    let has_verb =
        |word: &String| verb_of(word).is_some_and(|(verb, _)| verbs.contains(verb) || verb == "manage");
    let wanted_fits = wanted.purpose.is_none() || wanted.words.iter().any(has_verb);
    for tool in suite.catalog.tools.iter().filter(|tool| !is_fine(tool)) {
        let is_named = tool.words.len() > 1 && probes::names_in(tool.name, &task.user);
        let why = if is_named {
            "its words name"
        } else if !wanted_fits && fits(tool) && !probes::reads(&tool.placed.tool) {
            "its words ask, verb and thing, for"
        } else {
            continue;
        };
        let message = format!("task `{}` wants `{}`, and {why} `{}`", task.id, wanted.name, tool.name);
        let help =
            "word it so that two people would pick the same tool, or list the other under `substitutes`";
        findings.push(&[wanted.name, tool.name], suite.at(pointer, message).help(help));
        return;
    }
}

/// Words that open a request as verbs, and that may as well be nouns or adjectives ("Open incidents, please").
const NOT_ONLY_VERBS: &[&str] = &[
    "open", "close", "log", "record", "issue", "charge", "request", "release", "flag", "order", "book",
    "post", "report", "display", "list", "count", "lock", "copy", "track", "view", "put",
];

/// The verb, by its group, with which a request begins.
fn asked_verb(text: &str) -> Option<&'static str> {
    let polite = ["please", "can", "could", "would", "will", "you", "just", "kindly", "now"];
    let first = words(text).find(|word| !polite.contains(&word.as_str()))?;
    verb_of(&first).filter(|_| !NOT_ONLY_VERBS.contains(&first.as_str())).map(|(verb, _)| verb)
}
