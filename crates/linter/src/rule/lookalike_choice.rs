//! Written lookalikes that are none: far from the name, or for the same purpose.

use std::collections::BTreeSet;

use probes::{name_words, similarity, thing_of, verb_of};

use crate::Severity;
use crate::argument::step;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::text::{content_words, overlap};
use crate::view::{SuiteView, ToolView};

pub(super) const RULE: Rule = Rule {
    name: "lookalike_choice",
    severity: Severity::Warning,
    summary: "A task's lookalike is not near its tool's name, or is said to be for the same purpose.",
    page: include_str!("lookalike_choice.md"),
    checks: &[Check::Suite(check)],
};

/// Names that are less alike, and share no word, are not near.
const NEAR: f64 = 0.6;
/// Descriptions that share more are for the same purpose.
const SAME: f64 = 0.6;

fn check(suite: &SuiteView<'_>, findings: &mut Findings<'_>) {
    for (task, pointer) in suite.tasks() {
        let Some(wanted) = task.wanted().and_then(|name| suite.tool(name)) else { continue };
        for (name, description) in &task.lookalikes {
            let what = if !is_near(name.as_str(), wanted) {
                "is not near it: nobody would take the one for the other"
            } else if is_for_the_same(description, wanted) {
                "is said to be for the same purpose, so calling it would be right"
            } else {
                continue;
            };
            let message = format!("task `{}`: lookalike `{name}` of `{}` {what}", task.id, wanted.name);
            let help =
                "a lookalike has a name that is near, and a description that is plainly of something else";
            let place = format!("{pointer}/lookalikes/{}", step(name.as_str()));
            findings.push(&[wanted.name], suite.subject.places.key(&place, message).help(help));
        }
    }
}

fn is_near(name: &str, wanted: &ToolView<'_>) -> bool {
    let things = |words: &[String]| -> BTreeSet<String> {
        let verb = words.iter().position(|word| verb_of(word).is_some());
        let others = words.iter().enumerate().filter(|(at, _)| Some(*at) != verb);
        others.map(|(_, word)| thing_of(word)).collect()
    };
    let shared = !things(&name_words(name)).is_disjoint(&things(&wanted.words));
    shared || similarity(name, wanted.name) >= NEAR
}

fn is_for_the_same(description: &str, wanted: &ToolView<'_>) -> bool {
    overlap(&content_words(description), &content_words(&wanted.description)) >= SAME
}
