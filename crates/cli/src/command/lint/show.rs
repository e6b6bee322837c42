//! Findings for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use linter::{Finding, RULES, Rule, Severity};
use report::visible_block;
use serde::Serialize;

use crate::command::lint::chosen::{Chosen, Item};
use crate::error::Failure;

/// How many findings are shown where not all are asked for.
const SHOWN: usize = 5;

/// The worst findings at their places, and how many others there are.
pub(super) fn text(found: &[Finding], chosen: &Chosen, all: bool) -> String {
    if found.is_empty() {
        return format!("nothing found in {}\n", looked_at(chosen));
    }
    let mut out = String::new();
    let shown = if all { found.len() } else { found.len().min(SHOWN) };
    for finding in found.iter().take(shown) {
        let text = finding.diagnostic.titled(finding.severity.heading(), finding.rule.name);
        let _ = writeln!(out, "{}\n", visible_block(&text));
    }
    let rest = found.get(shown..).unwrap_or_default();
    if !rest.is_empty() {
        let _ = writeln!(out, "{} more, --all shows them: {}", rest.len(), by_rule(rest));
    }
    let _ = writeln!(out, "{} in {}", counted(found), looked_at(chosen));
    if let Some(first) = found.first() {
        let _ = writeln!(out, "why: toolmirage lint --explain {}", first.rule.name);
    }
    out
}

fn by_rule(found: &[Finding]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    found.iter().for_each(|finding| *counts.entry(finding.rule.name).or_default() += 1);
    let order = RULES.iter().filter_map(|rule| counts.get(rule.name).map(|count| (rule.name, count)));
    order.map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

fn counted(found: &[Finding]) -> String {
    let of = |severity: Severity| found.iter().filter(|finding| finding.severity == severity).count();
    let parts = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| (severity, of(severity)));
    let parts = parts.iter().filter(|(_, count)| *count > 0);
    parts.map(|(severity, count)| several(*count, severity.as_str())).collect::<Vec<_>>().join(", ")
}

fn looked_at(chosen: &Chosen) -> String {
    let count = |is: fn(&Item) -> bool| chosen.items.iter().filter(|item| is(item)).count();
    let parts = [
        (count(|item| matches!(item, Item::Catalog(_) | Item::ConfiguredCatalog(_))), "catalog"),
        (count(|item| matches!(item, Item::Prompt(_))), "prompt"),
        (count(|item| matches!(item, Item::Suite(_))), "suite"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, word)| several(*count, word)).collect::<Vec<_>>().join(", ")
}

fn several(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// A finding for programs.
#[derive(Serialize)]
struct Line<'a> {
    rule: &'a str,
    severity: Severity,
    file: &'a str,
    line: usize,
    column: usize,
    tool: Option<&'a str>,
    message: &'a str,
    help: Option<&'a str>,
    /// All the tools that it is about.
    tools: &'a [String],
}

/// One object a line.
pub(super) fn json(found: &[Finding]) -> Result<String, Failure> {
    let mut out = String::new();
    for finding in found {
        let place = &finding.diagnostic;
        let line = Line {
            rule: finding.rule.name,
            severity: finding.severity,
            file: &place.file,
            line: place.line,
            column: place.column,
            tool: finding.tools.first().map(String::as_str),
            message: &place.message,
            help: place.help.as_deref(),
            tools: &finding.tools,
        };
        out.push_str(&serde_json::to_string(&line)?);
        out.push('\n');
    }
    Ok(out)
}

/// The rules, one a line.
pub(super) fn rules() -> String {
    let mut out = String::new();
    for rule in RULES {
        let _ = writeln!(out, "{:<22} {:<8} {}", rule.name, rule.severity.as_str(), rule.summary);
    }
    out
}

/// A rule's page.
pub(super) fn page(rule: &Rule) -> String {
    format!("{} ({})\n{}\n\n{}", rule.name, rule.severity.as_str(), rule.summary, rule.page)
}
