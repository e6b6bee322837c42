//! Tools that say nothing of themselves beyond their names.

use probes::singular_of;

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::text::words;
use crate::view::{CatalogView, ToolView};

pub(super) const RULE: Rule = Rule {
    name: "thin_description",
    severity: Severity::Warning,
    summary: "A tool has no description, or one that says no more than its name.",
    page: include_str!("thin_description.md"),
    checks: &[Check::Catalog(check)],
};

fn check(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    for tool in &catalog.tools {
        let Some(what) = what_is_wrong(tool) else { continue };
        let help = "say what it does, for what it is not meant, and what it returns: the model has nothing else to choose by";
        findings.push(&[tool.name], tool.at_description(format!("{} {what}", tool.shown())).help(help));
    }
}

fn what_is_wrong(tool: &ToolView<'_>) -> Option<&'static str> {
    let told: Vec<String> = words(&tool.description).collect();
    let name: Vec<String> = tool.words.iter().map(|word| singular_of(word)).collect();
    let repeats = |word: &String| {
        name.contains(&singular_of(word)) || ["a", "an", "the", "new", "tool"].contains(&word.as_str())
    };
    match told.len() {
        0 => Some("has no description"),
        1 => Some("has a description of one word"),
        _ if told.iter().all(repeats) => Some("has a description that only repeats its name"),
        _ => None,
    }
}
