//! Tools that no suite asks for.

use std::collections::{BTreeMap, HashSet};

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::view::SuiteView;

pub(super) const RULE: Rule = Rule {
    name: "unprobed_tool",
    severity: Severity::Note,
    summary: "A tool of a suite's catalog has no probe, so nothing is known of it.",
    page: include_str!("unprobed_tool.md"),
    checks: &[Check::Suites(check)],
};

/// Several suites over one catalog cover it together.
fn check(suites: &[SuiteView<'_>], findings: &mut Findings<'_>) {
    let mut by_catalog: BTreeMap<usize, Vec<&SuiteView<'_>>> = BTreeMap::new();
    for suite in suites {
        by_catalog.entry(suite.subject.placed).or_default().push(suite);
    }
    for suites in by_catalog.values() {
        let Some(first) = suites.first() else { continue };
        let probed: HashSet<&str> =
            suites.iter().flat_map(|suite| &suite.probed).map(String::as_str).collect();
        let names: Vec<String> = suites.iter().map(|s| format!("`{}`", s.subject.suite.name)).collect();
        for tool in &first.catalog.tools {
            if probed.contains(tool.name) || tool.placed.tool.deprecated {
                continue;
            }
            let message = format!("{} has no probe in {}", tool.shown(), names.join(", "));
            findings.push(&[tool.name], tool.at_name(message).help("write a task that wants it"));
        }
    }
}
