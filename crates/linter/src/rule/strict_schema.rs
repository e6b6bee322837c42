//! Schemas that a provider's strict mode does not take as they stand.

mod walk;

use std::collections::BTreeMap;

use transcript::ToolForm;

use crate::Severity;
use crate::finding::Findings;
use crate::rule::names::tools;
use crate::rule::{Check, Rule};
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
            if asks_for_strict(tool, provider) {
                refused(tool, provider, &found, findings);
                continue;
            }
            outside.push((tool, first.pointer.clone()));
            let mut seen: Vec<&str> = found.iter().map(|fault| fault.what.as_str()).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.iter().for_each(|what| *by_fault.entry((*what).to_owned()).or_default() += 1);
        }
        let Some((tool, pointer)) = outside.first() else { continue };
        let names: Vec<&str> = outside.iter().map(|(tool, _)| tool.name).collect();
        let faults: Vec<String> = by_fault.iter().map(|(what, count)| format!("{what} ({count})")).collect();
        let message = format!(
            "{} {} outside {}: {}",
            tools(&names),
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

fn refused(tool: &ToolView<'_>, provider: &Provider, faults: &[walk::Fault], findings: &mut Findings<'_>) {
    let Some(first) = faults.first() else { return };
    let mut what: Vec<&str> = faults.iter().map(|fault| fault.what.as_str()).collect();
    what.dedup();
    let message = format!(
        "{} asks for `strict`, and lies outside {}: {}",
        tool.shown(),
        provider.mode,
        what.join(", ")
    );
    findings.push_as(
        Severity::Error,
        &[tool.name],
        tool.at_schema(&first.pointer, message).help(provider.help),
    );
}
