//! What a catalog costs in every request.

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::view::{CatalogView, ToolView};

pub(super) const RULE: Rule = Rule {
    name: "token_cost",
    severity: Severity::Note,
    summary: "What the tools of a catalog cost in every request, whole and for its first 4, 8, 16 ... tools.",
    page: include_str!("token_cost.md"),
    checks: &[Check::Catalog(check)],
};

/// Bytes of JSON a token, on the average of English text and schemas.
const BYTES_A_TOKEN: usize = 4;

fn check(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    let Some(first) = catalog.tools.first() else { return };
    let mut all = 0;
    let mut rungs = Vec::new();
    for (at, tool) in catalog.tools.iter().enumerate() {
        all += bytes(tool);
        let count = at + 1;
        if count >= 4 && count.is_power_of_two() && count < catalog.tools.len() {
            rungs.push(format!("{count}: {}", grouped(all / BYTES_A_TOKEN)));
        }
    }
    let rungs = if rungs.is_empty() { String::new() } else { format!(" (first {})", rungs.join(", ")) };
    let count = catalog.tools.len();
    let message = format!(
        "{count} {} of `{}`: about {} tokens in every request{rungs}",
        if count == 1 { "tool" } else { "tools" },
        catalog.label,
        grouped(all / BYTES_A_TOKEN)
    );
    let help = "an estimate: bytes of names, descriptions and schemas as JSON, over four";
    findings.push(&[], first.at_name(message).help(help));
}

/// A tool as a request carries it, in bytes: name, description, schema, and the marks around them.
fn bytes(tool: &ToolView<'_>) -> usize {
    const AROUND: usize = 40;
    let description = tool.placed.tool.description.as_ref().map_or(0, |text| text.as_str().len());
    let schema = tool.placed.tool.input_schema.as_ref().map_or(0, |schema| schema.as_str().len());
    tool.name.len() + description + schema + AROUND
}

/// A number with commas between its thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
