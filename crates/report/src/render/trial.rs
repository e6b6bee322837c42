//! One failing trial for a terminal: the request, what the model emitted, and what was found.

use std::fmt::Write as _;

use super::word;
use crate::number::counted;
use crate::report::{EmittedCall, EmittedTurn, Excerpt, ShownTrial};
use crate::text_safe::visible;

/// A failing trial as text. Everything that a model wrote is made visible and stays on its own lines.
#[must_use]
pub fn trial_text(trial: &ShownTrial) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", visible(&trial.trial));
    let offered = if trial.tool_offered { "offered" } else { "not offered" };
    match &trial.tool {
        Some(tool) => {
            let _ = writeln!(
                out,
                "  wanted    {} ({offered}), among {}",
                visible(tool.as_str()),
                counted(trial.offering.total, "tool")
            );
        }
        None => {
            let _ = writeln!(out, "  wanted    no tool, among {}", trial.offering.total);
        }
    }
    if !trial.offering.decoys.is_empty() {
        let decoys: Vec<_> = trial.offering.decoys.iter().map(|decoy| visible(decoy.as_str())).collect();
        let _ = writeln!(out, "  decoys    {}", decoys.join(", "));
    }
    if let Some(suffix) = &trial.prompt_suffix {
        let _ = writeln!(out, "  prompt    ... {}", block(suffix));
    }
    for message in &trial.messages {
        let _ = writeln!(out, "  {:<9} {}", role(message.role), block(&message.text));
    }
    for turn in &trial.turns {
        write_turn(turn, &mut out);
    }
    if trial.kept_turns > 0 {
        let _ = writeln!(out, "  kept      {} taken from disk", counted(trial.kept_turns, "response"));
    }
    if let Some(outcome) = &trial.outcome {
        let _ = writeln!(out, "  outcome   {}", outcome.label.as_str());
    }
    for finding in &trial.findings {
        let _ = writeln!(out, "  found     {}: {}", finding.rate, block(&finding.message));
        if !finding.fix.is_empty() {
            let _ = writeln!(out, "  try       {}", visible(&finding.fix));
        }
    }
    if trial.findings.is_empty() {
        let _ = writeln!(out, "  found     not the right behaviour");
    }
    out
}

fn write_turn(turn: &EmittedTurn, out: &mut String) {
    for (label, text) in [("said", &turn.text), ("reasoned", &turn.reasoning), ("declined", &turn.refusal)] {
        if let Some(text) = text {
            let _ = writeln!(out, "  {label:<9} {}", block(text));
        }
    }
    for call in &turn.calls {
        write_call(call, out);
    }
}

fn write_call(call: &EmittedCall, out: &mut String) {
    let arguments = call.arguments.as_ref().map(block).unwrap_or_default();
    let class = call.class.map_or_else(String::new, |class| format!("   [{}]", word(&class)));
    let form = call.name_form.map_or_else(String::new, |form| format!(" ({})", word(&form)));
    let _ = writeln!(out, "  called    {}({arguments}){class}{form}", block(&call.name));
    for finding in &call.argument_findings {
        let counted = if finding.counted { "" } else { ", not counted" };
        let path = visible(&finding.path);
        let _ = writeln!(out, "              {path}: {}{counted}", word(&finding.finding));
    }
    for finding in &call.format_findings {
        let _ = writeln!(out, "              {}", word(finding));
    }
    if let Some(result) = &call.result {
        let kind = if result.is_error { "error" } else { "result" };
        let _ = writeln!(out, "  {kind:<9} {}", block(&result.text));
    }
}

fn role(role: transcript::Role) -> &'static str {
    match role {
        transcript::Role::System => "system",
        transcript::Role::User => "user",
        transcript::Role::Assistant => "assistant",
        transcript::Role::Tool => "tool",
    }
}

/// A text on as many lines as it has, the later ones indented.
fn block(text: &Excerpt) -> String {
    let lines: Vec<_> = text.text.lines().map(visible).collect();
    let mut out = lines.join("\n            ");
    if text.left_out > 0 {
        let _ = write!(out, " ... ({} in run.jsonl)", counted(text.left_out, "more character"));
    }
    out
}
