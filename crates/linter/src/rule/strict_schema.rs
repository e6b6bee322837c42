//! Schemas that a provider's strict mode does not take as they stand.

mod walk;

use std::collections::{BTreeMap, BTreeSet};

use transcript::ToolForm;

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::text::listed_tools;
use crate::view::{CatalogView, ToolView};

use walk::{PROVIDERS, Provider, faults};

pub(super) const RULE: Rule = Rule {
    name: "strict_schema",
    severity: Severity::Note,
    summary: "Schemas lie outside what a provider's strict mode takes.",
    page: include_str!("strict_schema.md"),
    checks: &[Check::Catalog(check)],
};

fn check(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    for provider in PROVIDERS {
        let mut outside: Vec<(&ToolView<'_>, String)> = Vec::new();
        let mut by_fault: BTreeMap<String, usize> = BTreeMap::new();
        for tool in &catalog.tools {
            let Some(schema) = &tool.schema else { continue };
            let found = faults(schema, provider);
            let Some(first) = found.first() else { continue };
            let what: BTreeSet<&str> = found.iter().map(|fault| fault.what.as_str()).collect();
            if asks_for_strict(tool, provider) {
                let message = format!(
                    "{} asks for `strict`, and lies outside {}: {}",
                    tool.shown(),
                    provider.mode,
                    Vec::from_iter(what).join(", ")
                );
                let place = tool.at_schema(&first.pointer, message).help(provider.help);
                findings.push_as(Severity::Error, &[tool.name], place);
                continue;
            }
            outside.push((tool, first.pointer.clone()));
            what.into_iter().for_each(|what| *by_fault.entry(what.to_owned()).or_default() += 1);
        }
        let Some((tool, pointer)) = outside.first() else { continue };
        let names: Vec<&str> = outside.iter().map(|(tool, _)| tool.name).collect();
        let faults: Vec<String> = by_fault.iter().map(|(what, count)| format!("{what} ({count})")).collect();
        let message = format!(
            "{} {} outside {}: {}",
            listed_tools(&names),
            if names.len() == 1 { "is" } else { "are" },
            provider.mode,
            faults.join(", ")
        );
        findings.push(&names, tool.at_schema(pointer, message).help(provider.help));
    }
}

/// Whether the catalog's own entry asks this provider for strict mode.
fn asks_for_strict(tool: &ToolView<'_>, provider: &Provider) -> bool {
    let form = tool.placed.tool.original.as_ref().map(|original| original.form);
    let is_theirs = match form {
        Some(ToolForm::OpenaiNested | ToolForm::OpenaiFlat) => provider.name == "OpenAI",
        Some(ToolForm::Anthropic) => provider.name == "Anthropic",
        _ => false,
    };
    tool.placed.tool.strict == Some(true) && is_theirs
}
