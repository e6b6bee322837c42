//! Optional arguments of which a model knows the name alone.

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::text::listed;
use crate::view::CatalogView;

pub(super) const RULE: Rule = Rule {
    name: "undescribed_optional",
    severity: Severity::Note,
    summary: "An optional argument has neither a description nor a default, so a model fills it by its name.",
    page: include_str!("undescribed_optional.md"),
    checks: &[Check::Catalog(check)],
};

fn check(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    for tool in &catalog.tools {
        let open: Vec<_> = tool
            .arguments
            .iter()
            .filter(|argument| !argument.required && argument.description().trim().is_empty())
            .filter(|argument| !argument.has(&["default", "enum", "const", "examples"]))
            // What the tool's own description speaks of is described.
            .filter(|argument| !tool.description.contains(&argument.name))
            .collect();
        let Some(first) = open.first() else { continue };
        let names: Vec<&str> = open.iter().map(|argument| argument.name.as_str()).collect();
        let message = format!(
            "optional {} of {}: neither a description nor a default says when to fill {} in",
            listed(&names, 4),
            tool.shown(),
            if names.len() == 1 { "it" } else { "them" }
        );
        let help =
            "say what leaving it out means; `optional_argument` probes measure how often it is made up";
        findings.push(&[tool.name], tool.at_schema(&first.pointer, message).help(help));
    }
}
