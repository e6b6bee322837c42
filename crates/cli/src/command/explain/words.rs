//! A verdict in plain words: what was emitted, what it is, by which rule, and what shows it.

use std::io::{self, Write};

use scorer::{CallVerdict, Class, Surface, Suspect};
use transcript::{Item, TurnKind};

use super::Explained;
use super::case::Case;

/// Longest quotation, in characters.
const QUOTED: usize = 400;

/// One line on why, for machines and people alike.
pub(super) fn summary(explained: &Explained, case: &Case) -> String {
    let turn = &explained.turn;
    let mut why = turn.why.clone();
    if turn.suspect == Some(Suspect::ServerFilter) {
        why.push("the serving layer may have dropped or rewritten a call".to_owned());
    }
    if let Some(outcome) = explained.turn.decoy_outcome {
        why.push(format!("outcome {}", outcome.as_str()));
    }
    if !why.is_empty() {
        return why.join("; ");
    }
    match (turn.turn, turn.calls.len()) {
        (TurnKind::Calls, 1) => {
            "the call's name is offered and nothing in its arguments is found wanting".to_owned()
        }
        (TurnKind::Calls, n) => {
            format!("all {n} calls name offered tools and nothing in them is found wanting")
        }
        _ if case.user().is_empty() => "text and no call".to_owned(),
        _ => "an answer in text, and no call in it".to_owned(),
    }
}

/// Writes the explanation.
pub(super) fn write(explained: &Explained, case: &Case, out: &mut dyn Write) -> io::Result<()> {
    let turn = &explained.turn;
    let counted = if turn.countable { "counted" } else { "set apart, in no denominator" };
    writeln!(out, "turn      {} ({counted})", word(&turn.turn))?;
    if !case.has_catalog {
        writeln!(out, "catalog   none given: every name is unknown; `--catalog FILE` says what was offered")?;
    }
    let spans = evidence(case, &turn.calls);
    for (number, (call, shown)) in turn.calls.iter().zip(spans).enumerate() {
        write_call(number + 1, call, &shown, out)?;
    }
    if turn.calls.is_empty() {
        write_text(explained, case, out)?;
    }
    if let Some(outcome) = turn.decoy_outcome {
        writeln!(out, "outcome   {}", outcome.as_str())?;
        let quote = explained.outcome.as_ref().and_then(|outcome| outcome.evidence.as_ref());
        if let Some(quote) = quote.filter(|quote| !quote.quote.is_empty()) {
            writeln!(out, "          shown by: {}", shorten(&quote.quote))?;
        }
    }
    if let Some(retry) = explained.retry {
        let wait = retry.wait.map_or_else(String::new, |wait| format!(" after {} ms", wait.as_millis()));
        let verdict = if retry.retry { format!("makes sense{wait}") } else { "is pointless".to_owned() };
        writeln!(out, "retry     another try {verdict}")?;
    }
    write_counts(explained, out)?;
    writeln!(out, "why       {}", plain(&summary(explained, case)))
}

fn write_call(number: usize, call: &CallVerdict, shown: &str, out: &mut dyn Write) -> io::Result<()> {
    let class = call.class.map_or_else(|| "unreadable".to_owned(), |class| word(&class));
    let form = call.name_form.map_or_else(String::new, |form| format!(", {}", word(&form)));
    let surface = match call.surface {
        Surface::Structured => String::new(),
        other => format!(" in {}", word(&other)),
    };
    writeln!(out, "call {number}    `{}`{surface}: {class}{form}", plain(&call.emitted_name))?;
    writeln!(out, "          emitted: {}", shorten(shown))?;
    writeln!(out, "          rule: {}", rule(call))?;
    if let Some(tool) = &call.intended_tool {
        writeln!(out, "          meant: `{}`", plain(tool.as_str()))?;
    } else if let Some(tool) = &call.nearest_tool {
        writeln!(out, "          nearest offered: `{}`", plain(tool.as_str()))?;
    }
    if let Some(ran) = &call.executed_as {
        writeln!(out, "          the dispatcher ran: `{}`", plain(ran.as_str()))?;
    }
    if !call.format_findings.is_empty() {
        let words: Vec<String> = call.format_findings.iter().map(word).collect();
        writeln!(out, "          format: {}", words.join(", "))?;
    }
    for finding in &call.argument_findings {
        let counted = if finding.counted { "counted" } else { "listed" };
        let note = finding.note.as_ref().map_or_else(String::new, |note| format!("; {}", plain(note)));
        let (path, fault, basis) = (plain(&finding.path), word(&finding.finding), word(&finding.basis));
        writeln!(out, "          argument {path}: {fault} ({counted}, by {basis}){note}")?;
    }
    Ok(())
}

/// The rule behind a call's class.
fn rule(call: &CallVerdict) -> &'static str {
    match (call.class, call.surface) {
        (None, _) => "nobody can read its name: it is a call, and in no name's denominator",
        (_, Surface::Content | Surface::Reasoning) => {
            "nobody dispatches a call in text or reasoning: a format fault, judged on its own surface"
        }
        (Some(Class::UnknownTool), _) => "the catalog of the turn decides, byte for byte",
        (Some(Class::ShadowCall), _) if call.executed_as.is_some() => {
            "a name that runs another tool than the one meant is a shadow call"
        }
        (Some(Class::ShadowCall), _) => "the decoy of a lookalike was called",
        (Some(Class::MisusedTool), _) => {
            "an offered tool that does not fit, where the one that fits is not there"
        }
        (Some(Class::HallucinatedArgument), _) => {
            "a value that nothing in the conversation gives or implies (by grounding)"
        }
        (Some(Class::Ok), _) => "the name is offered, and every value is given, implied or neutral",
    }
}

/// What shows each call: structured and malformed ones as emitted, others as the text they stand in.
fn evidence(case: &Case, calls: &[CallVerdict]) -> Vec<String> {
    let items = &case.turn.observed.items;
    let mut emitted = items.iter().filter_map(|item| match item {
        Item::Call(call) => Some(format!("{}({})", call.name.as_str(), call.arguments.text())),
        Item::MalformedCall(text) => Some(text.clone()),
        _ => None,
    });
    let said = |wanted: Surface| {
        let texts = items.iter().filter_map(|item| match (item, wanted) {
            (Item::Text(text), Surface::Content) | (Item::Reasoning(text), Surface::Reasoning) => {
                Some(text.as_str())
            }
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    };
    calls
        .iter()
        .map(|call| match call.surface {
            Surface::Structured | Surface::FinishMessage => emitted.next().unwrap_or_default(),
            surface => said(surface),
        })
        .collect()
}

fn write_text(explained: &Explained, case: &Case, out: &mut dyn Write) -> io::Result<()> {
    let text = case.turn.observed.text();
    if explained.turn.turn == TurnKind::Text && !text.is_empty() {
        writeln!(out, "text      {}", shorten(&text))?;
    }
    Ok(())
}

fn write_counts(explained: &Explained, out: &mut dyn Write) -> io::Result<()> {
    let counts = explained.turn.counts;
    let all = [
        ("calls", counts.calls),
        ("unknown_tool", counts.unknown_tool),
        ("shadow_call", counts.shadow_call),
        ("hallucinated_argument", counts.hallucinated_argument),
        ("format", counts.format),
        ("text_calls", counts.text_calls),
        ("timing", counts.timing),
        ("phantom_claims", counts.phantom_claims),
        ("fabricated_results", counts.fabricated_results),
        ("swallowed_failures", counts.swallowed_failures),
    ];
    let always = 4;
    let shown: Vec<String> = all
        .iter()
        .enumerate()
        .filter(|(at, (_, count))| *at < always || *count > 0)
        .map(|(_, (name, count))| format!("{name} {count}"))
        .collect();
    let basis = if explained.by_grounding { " (arguments by grounding)" } else { "" };
    writeln!(out, "counts    {}{basis}", shown.join(", "))
}

/// The machine's word for a value.
fn word<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(QUOTED).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    plain(&short)
}

/// Model output on one line, with nothing in it that a terminal obeys.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let obeyed = character.is_control()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        if obeyed { out.extend(character.escape_default()) } else { out.push(character) }
    }
    out
}
