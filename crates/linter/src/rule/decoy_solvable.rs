//! Tasks that can still be done when their tool is left out.

use probes::{ArgumentRule, Task};

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::view::{SuiteView, ToolView, is_listed};

pub(super) const RULE: Rule = Rule {
    name: "decoy_solvable",
    severity: Severity::Warning,
    summary: "With a task's tool left out, another tool can still do it, so that no refusal is owed.",
    page: include_str!("decoy_solvable.md"),
    checks: &[Check::Suite(check)],
};

/// What a stale question's reason says of this.
const REASON: &str = "could be solved";

/// Whether a stale question's reason is this rule's.
pub(super) fn is_reason(reason: &str) -> bool {
    reason.contains(REASON)
}

fn check(suite: &SuiteView<'_>, findings: &mut Findings<'_>) {
    for (task, pointer) in suite.tasks() {
        let Some(wanted) = task.wanted().and_then(|name| suite.tool(name)) else { continue };
        let place = format!("{pointer}/tool");
        let reasons = suite.stale.get(&task.id).into_iter().flatten();
        let solved: Vec<&String> =
            reasons.map(|stale| &stale.reason).filter(|reason| is_reason(reason)).collect();
        for reason in &solved {
            findings.push(&[wanted.name], suite.at(&place, format!("task `{}`: {reason}", task.id)));
        }
        if !solved.is_empty() {
            continue;
        }
        let mut others = suite.catalog.tools.iter().filter(|tool| !is_listed(task, tool.name));
        if let Some(twin) = others.find(|tool| could_do_it(tool, wanted, task)) {
            let message = format!(
                "task `{}`: without `{}`, `{}` could do it by its name",
                task.id, wanted.name, twin.name
            );
            let help = "list it under `substitutes`, so that decoys leave it out too";
            findings.push(&[wanted.name, twin.name], suite.at(&place, message).help(help));
        }
    }
}

/// A writing tool that does the same to a narrower or wider sort of the same thing, and takes every value that the
/// words give.
fn could_do_it(tool: &ToolView<'_>, wanted: &ToolView<'_>, task: &Task) -> bool {
    let (Some(one), Some(other)) = (&tool.purpose, &wanted.purpose) else { return false };
    let mut given = task
        .arguments
        .iter()
        .filter(|(_, rule)| !matches!(**rule, ArgumentRule::Absent | ArgumentRule::AbsentOr(_)));
    tool.name != wanted.name
        && !probes::reads(&tool.placed.tool)
        && one.covers(other)
        && given.all(|(name, _)| tool.arguments.iter().any(|argument| argument.name == *name))
}
