//! The ground of a verdict in plain words.

use transcript::{Observed, TurnKind};

use crate::finding::ArgumentFinding;
use crate::turn::TurnFacts;
use crate::verdict::{CallVerdict, Class, Counts, NameForm, Surface};

/// Why a turn is judged as it is, most telling first. A turn without a fault needs no words.
pub(crate) fn of_turn(
    kind: TurnKind,
    calls: &[CallVerdict],
    facts: &TurnFacts<'_>,
    observed: &Observed,
    counts: &Counts,
) -> Vec<String> {
    let mut why = Vec::new();
    if let Some(reason) = of_kind(kind, observed) {
        why.push(reason);
    }
    for call in calls {
        why.extend(of_call(call));
    }
    if counts.timing > 0 {
        why.push(format!("{} against the request's tool_choice", number(counts.timing, "call")));
    }
    if counts.phantom_claims > 0 {
        why.push("the text reports a call that was never made".to_owned());
    }
    if counts.swallowed_failures > 0 {
        why.push("the call failed and the text reports success".to_owned());
    }
    if counts.fabricated_results > 0 {
        why.push("the text shows a result that no tool returned".to_owned());
    }
    let inner = facts.calls.iter().flat_map(|call| &call.inner_unknown);
    why.extend(inner.map(|name| format!("`{name}`, named inside a router's arguments, is offered nowhere")));
    why
}

fn of_kind(kind: TurnKind, observed: &Observed) -> Option<String> {
    Some(match kind {
        TurnKind::Calls | TurnKind::Text | TurnKind::TextCall => return None,
        TurnKind::Empty => "the answer is empty: set apart, no refusal".to_owned(),
        TurnKind::Truncated => {
            "the answer was cut off: set apart, neither refusal nor fabrication".to_owned()
        }
        TurnKind::PolicyRefusal => "the provider's policy stopped the answer: set apart".to_owned(),
        TurnKind::Paused => "the provider paused the answer: set apart".to_owned(),
        TurnKind::Error => match &observed.error {
            Some(error) if !error.message.is_empty() => {
                format!("an error in place of an answer: {}", error.message)
            }
            _ => "an error in place of an answer".to_owned(),
        },
    })
}

fn of_call(call: &CallVerdict) -> Vec<String> {
    let mut why = Vec::new();
    if call.class == Some(Class::ShadowCall) {
        why.push(shadow(call));
    }
    if call.is_unknown() {
        why.push(unknown(call));
    }
    if call.class == Some(Class::MisusedTool) {
        why.push(format!("`{}` is offered, and not for this request", call.emitted_name));
    }
    if !call.argument_findings.is_empty() {
        why.push(arguments(call));
    }
    if !call.format_findings.is_empty() {
        why.push(format(call));
    }
    why
}

fn shadow(call: &CallVerdict) -> String {
    let meant = call.intended_tool.as_ref().map_or("another tool", |tool| tool.as_str());
    match &call.executed_as {
        Some(ran) => format!("`{}` ran as `{ran}`; `{meant}` was meant", call.emitted_name),
        None => format!("`{}` is a lookalike of `{meant}`, which was meant", call.emitted_name),
    }
}

/// Why a name is unknown.
pub(crate) fn unknown(call: &CallVerdict) -> String {
    let reason = match call.name_form {
        None | Some(NameForm::Novel) => "no offered tool has a name like it",
        Some(NameForm::NearMiss) => "a slip of an offered name",
        Some(NameForm::Wrapper) => "a wrapper that the catalog does not offer",
        Some(NameForm::NamespacePrefix) => "an offered name behind a prefix",
        Some(NameForm::PrefixDropped) => "an offered name without its prefix",
        Some(NameForm::NamespaceAdded) => "a namespace that was not declared",
        Some(NameForm::NamespaceFlattened) => "a declared namespace joined to the name",
        Some(NameForm::SpecialToken) => "tokens of the chat template leaked into the name",
        Some(NameForm::Case) => "another letter case than the offered name",
        Some(NameForm::Whitespace) => "white space that the offered name does not have",
        Some(NameForm::Empty) => "the call has no name",
        Some(NameForm::Doubled) => "an offered name written twice",
    };
    let mut text = format!("`{}` is not in the catalog of its turn: {reason}", visible(&call.emitted_name));
    match (&call.intended_tool, &call.nearest_tool) {
        (Some(tool), _) => text.push_str(&format!("; `{tool}` was meant")),
        (None, Some(tool)) => text.push_str(&format!("; the nearest is `{tool}`")),
        (None, None) => {}
    }
    if call.seen_in_history {
        text.push_str("; an earlier turn offered it");
    }
    text
}

/// What is wrong with a call's arguments.
pub(crate) fn arguments(call: &CallVerdict) -> String {
    let each: Vec<String> = call.argument_findings.iter().map(argument).collect();
    format!("`{}`: {}", call.emitted_name, each.join(", "))
}

fn argument(finding: &ArgumentFinding) -> String {
    let word = word(&finding.finding);
    let counted = if finding.counted { "" } else { " (listed, not counted)" };
    match &finding.note {
        Some(note) => format!("{} is {word}{counted}: {note}", finding.path),
        None => format!("{} is {word}{counted}", finding.path),
    }
}

/// How a call is miswritten, root cause first.
pub(crate) fn format(call: &CallVerdict) -> String {
    let words: Vec<String> = call.format_findings.iter().map(word).collect();
    let surface = match call.surface {
        Surface::Structured => "",
        Surface::Content => " in the text",
        Surface::Reasoning => " in the reasoning",
        Surface::FinishMessage => " in the provider's report",
    };
    format!("call of `{}`{surface}: {}", visible(&call.emitted_name), words.join(", "))
}

/// The machine's word for a finding.
pub(crate) fn word<T: serde::Serialize>(finding: &T) -> String {
    match serde_json::to_value(finding) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// A name with what cannot be seen written out.
fn visible(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_control() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{feff}') {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

fn number(count: u32, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
