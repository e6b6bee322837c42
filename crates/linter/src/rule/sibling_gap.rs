//! Things that can be made and looked at, and never be taken away.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use probes::{singular_of, thing_of, verb_of};

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::view::{CatalogView, ToolView};

pub(super) const RULE: Rule = Rule {
    name: "sibling_gap",
    severity: Severity::Warning,
    summary: "A family of tools creates, reads and lists a thing, and none of it deletes or cancels one.",
    page: include_str!("sibling_gap.md"),
    checks: &[Check::Catalog(check)],
};

/// First verbs of the groups that take a thing away or end it.
const REMOVING: &[&str] =
    &["delete", "cancel", "close", "archive", "stop", "disable", "unsubscribe", "manage", "refund", "reset"];

/// Arguments by which an update can end a thing.
const STATES: &[&str] = &["state", "status", "archived", "in_trash", "deleted", "active", "enabled"];

/// The tools that work on one thing, by the first verb of their group.
type Family<'a> = BTreeMap<&'static str, &'a ToolView<'a>>;

fn check(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    let mut families: BTreeMap<&[String], Family<'_>> = BTreeMap::new();
    for tool in &catalog.tools {
        if let Some(purpose) = &tool.purpose {
            families.entry(purpose.object()).or_default().entry(purpose.verb()).or_insert(tool);
        }
    }
    let removed = removed(catalog);
    for (object, family) in &families {
        let Some(creating) = family.get("create") else { continue };
        let reads =
            family.contains_key("get") || family.contains_key("list") || family.contains_key("search");
        let others = ["get", "list", "search", "update"].iter().filter(|verb| family.contains_key(**verb));
        let ends_by_update = family.get("update").and_then(|tool| Some((tool, state(tool)?)));
        if !reads || others.count() < 2 || object.iter().any(|word| removed.contains(word)) {
            continue;
        }
        let thing = thing(creating);
        let verbs: Vec<&str> = family.keys().copied().collect();
        let mut message =
            format!("`{thing}` has {} tools, and none that deletes or cancels one", verbs.join(", "));
        if let Some((updating, argument)) = ends_by_update {
            let _ = write!(message, "; {} may end one by `{argument}`", updating.shown());
        }
        let help = format!(
            "the names promise a full set, so a model may call `delete_{}`; say in {} what cannot be undone, or offer the tool",
            thing.replace(' ', "_"),
            creating.shown()
        );
        let severity = if ends_by_update.is_some() { Severity::Note } else { findings.rule.severity };
        findings.push_as(severity, &[creating.name], creating.at_name(message).help(help));
    }
}

/// Things that some tool takes away or ends, whatever else its name says.
fn removed(catalog: &CatalogView<'_>) -> BTreeSet<String> {
    let mut removed = BTreeSet::new();
    for tool in &catalog.tools {
        let removes = |word: &String| verb_of(word).is_some_and(|(verb, _)| REMOVING.contains(&verb));
        if tool.words.iter().any(removes) {
            removed.extend(tool.words.iter().map(|word| thing_of(word)));
        }
    }
    removed
}

fn state<'a>(tool: &'a ToolView<'_>) -> Option<&'a str> {
    let mut names = tool.arguments.iter().map(|argument| argument.name.as_str());
    names.find(|name| STATES.contains(&name.to_lowercase().as_str()))
}

/// What a tool works on, in the words of its own name.
fn thing(tool: &ToolView<'_>) -> String {
    let verb = tool.words.iter().position(|word| verb_of(word).is_some()).unwrap_or(0);
    let behind: Vec<&str> = tool.words.iter().skip(verb + 1).map(String::as_str).collect();
    let words = if behind.is_empty() { tool.words.iter().map(String::as_str).collect() } else { behind };
    let told = words.iter().filter(|word| !["a", "an", "the", "new"].contains(*word));
    let mut words: Vec<String> = told.map(|word| (*word).to_owned()).collect();
    if let Some(last) = words.last_mut() {
        *last = singular_of(last);
    }
    words.join(" ")
}
