//! Calls that are not in the provider's call field: written as text, or reported by the provider as unreadable.

use std::sync::LazyLock;

use regex::Regex;

use super::{CallContext, blank, class, no_facts, note_miss, note_target};
use crate::finding::FormatFinding;
use crate::text_call::TextCall;
use crate::turn::CallFacts;
use crate::verdict::{CallVerdict, Surface};

/// Judges a call that stands in text or reasoning: its name, and nothing of its arguments (wire rule 7).
pub(crate) fn judge_written<'a>(
    written: &TextCall,
    text: &'a str,
    surface: Surface,
    context: &CallContext<'a, '_>,
) -> (CallVerdict, CallFacts<'a>) {
    let mut verdict = blank(&written.name, surface);
    let mut facts = no_facts(text.get(written.span.clone()).unwrap_or_default());
    verdict.format_findings.push(match surface {
        Surface::Reasoning => FormatFinding::EmittedInReasoning,
        _ => FormatFinding::EmittedAsText,
    });
    if written.broken {
        verdict.format_findings.push(FormatFinding::MalformedMarkup);
    }
    if !written.name.is_empty() {
        name_only(&mut verdict, &mut facts, context);
    }
    (verdict, facts)
}

/// Judges a call that the provider itself reports as unreadable. A name in its message is advisory.
pub(crate) fn judge_malformed<'a>(
    message: &'a str,
    context: &CallContext<'a, '_>,
) -> (CallVerdict, CallFacts<'a>) {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        let called = r"(?:(?:default_api|functions)[.:])?([A-Za-z_][A-Za-z0-9_-]*)\(";
        let undeclared = r"undeclared function: ([A-Za-z_](?:[A-Za-z0-9_.:-]*[A-Za-z0-9_])?)";
        Regex::new(&format!("{called}|{undeclared}")).expect("a fixed pattern")
    });
    let mut found =
        NAME.captures_iter(message).filter_map(|hit| hit.get(1).or(hit.get(2))).map(|name| name.as_str());
    let name = found.find(|name| *name != "print").unwrap_or_default();
    let mut verdict = blank(name, Surface::FinishMessage);
    let mut facts = no_facts(message);
    verdict.format_findings.push(FormatFinding::MalformedCall);
    if name.is_empty() {
        verdict.format_findings.push(FormatFinding::NameMissing);
    } else {
        name_only(&mut verdict, &mut facts, context);
    }
    (verdict, facts)
}

fn name_only(verdict: &mut CallVerdict, facts: &mut CallFacts<'_>, context: &CallContext<'_, '_>) {
    let name = verdict.emitted_name.clone();
    match context.names.find(None, &name) {
        Some(tool) => note_target(tool, facts, context),
        None => note_miss(&context.names.miss(None, &name, ""), &name, context, verdict),
    }
    verdict.class = Some(class::of(verdict, facts, None, context.subject.expectation));
}
