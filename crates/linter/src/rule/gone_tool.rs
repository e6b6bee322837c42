//! Tasks whose tool went away, and questions that do not hold any more for another reason.

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule, decoy_solvable};
use crate::view::{Stale, SuiteView};

pub(super) const RULE: Rule = Rule {
    name: "gone_tool",
    severity: Severity::Warning,
    summary: "A task wants a tool that is deprecated or gone from the catalog.",
    page: include_str!("gone_tool.md"),
    checks: &[Check::Suite(gone)],
};

pub(super) const STALE: Rule = Rule {
    name: "stale_probe",
    severity: Severity::Warning,
    summary: "A question does not hold on the suite's catalog, so it is neither sent nor counted.",
    page: include_str!("stale_probe.md"),
    checks: &[Check::Suite(stale)],
};

/// Why a task's tool cannot be asked for.
fn why_gone(suite: &SuiteView<'_>, name: &str) -> Option<&'static str> {
    match suite.tool(name) {
        None => Some("is not in the catalog"),
        Some(tool) if tool.placed.tool.deprecated => Some("is deprecated"),
        Some(_) => None,
    }
}

fn gone(suite: &SuiteView<'_>, findings: &mut Findings<'_>) {
    for (task, pointer) in suite.tasks() {
        let Some(name) = task.wanted() else { continue };
        let Some(why) = why_gone(suite, name) else { continue };
        let stale = suite.stale.get(&task.id).into_iter().flatten().map(Stale::probes);
        let probes = stale.collect::<Vec<_>>().join(", ");
        let message =
            format!("task `{}` wants `{name}`, which {why}: all its probes are stale ({probes})", task.id);
        let help = "take the task out, or let it want what took the tool's place";
        findings.push(&[name], suite.at(&format!("{pointer}/tool"), message).help(help));
    }
}

fn stale(suite: &SuiteView<'_>, findings: &mut Findings<'_>) {
    for (task, pointer) in suite.tasks() {
        if task.wanted().is_some_and(|name| why_gone(suite, name).is_some()) {
            continue;
        }
        for stale in suite.stale.get(&task.id).into_iter().flatten() {
            let reason = &stale.reason;
            if decoy_solvable::is_reason(reason) {
                continue;
            }
            let (probes, several) = (stale.probes(), if stale.ids.len() == 1 { "is" } else { "are" });
            let message = format!("{probes} of task `{}` {several} stale: {reason}", task.id);
            let help = "`toolmirage expand` lists what is stale";
            findings.push(&[task.tool_word()], suite.at(&format!("{pointer}/id"), message).help(help));
        }
    }
}
