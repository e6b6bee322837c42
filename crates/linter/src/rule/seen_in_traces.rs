//! Tasks whose words stand in production traces.

use std::collections::HashMap;

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::text::{content_words, words};
use crate::view::SuiteView;
use crate::word_sets::WordSets;

pub(super) const RULE: Rule = Rule {
    name: "seen_in_traces",
    severity: Severity::Warning,
    summary: "A task's words stand, or nearly stand, in production traces, so the suite is not held out.",
    page: include_str!("seen_in_traces.md"),
    checks: &[Check::Suite(check)],
};

/// How much of two messages must be the same.
const NEAR: f64 = 0.8;
/// Shorter messages must be equal: "Thanks a lot" is near to too much.
const ENOUGH_WORDS: usize = 4;

fn check(suite: &SuiteView<'_>, findings: &mut Findings<'_>) {
    if !suite.subject.held_out || suite.traces.is_empty() {
        return;
    }
    let tasks: Vec<_> = suite
        .tasks()
        .map(|(task, pointer)| (task, pointer, content_words(&task.user), plain(&task.user)))
        .collect();
    let sets = WordSets::of(tasks.iter().map(|(_, _, words, _)| words), NEAR);
    let mut equal: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, (_, _, _, plain)) in tasks.iter().enumerate() {
        equal.entry(plain).or_default().push(at);
    }
    let mut seen: HashMap<usize, &str> = HashMap::new();
    for message in suite.traces {
        let words = content_words(&message.text);
        let is_long = |at: &usize| {
            words.len() >= ENOUGH_WORDS && tasks.get(*at).is_some_and(|task| task.2.len() >= ENOUGH_WORDS)
        };
        let same = equal.get(plain(&message.text).as_str()).into_iter().flatten().copied();
        for at in sets.near(&words).filter(is_long).chain(same) {
            seen.entry(at).or_insert(&message.place);
        }
    }
    for (at, (task, pointer, _, _)) in tasks.iter().enumerate() {
        let Some(place) = seen.get(&at) else { continue };
        let message = format!("task `{}` stands nearly word for word in the traces ({place})", task.id);
        let help =
            "a model or prompt tuned on those traces has seen it; change the words, or say `held_out: false`";
        findings.push(&[task.tool_word()], suite.at(&format!("{pointer}/user"), message).help(help));
    }
}

fn plain(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}
