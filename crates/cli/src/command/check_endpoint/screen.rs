//! What a check came to, for a terminal: at most 40 lines without its evidence.

use std::fmt::Write as _;
use std::time::Duration;

use transcript::{Known, ServedVerdict, ServingAnswer, ServingCheck, SettingState, StrictnessCell};

use super::censored;
use crate::progress;

/// Columns of a line.
const WIDTH: usize = 120;

pub(super) fn draw(
    target: &str,
    place: String,
    check: &ServingCheck,
    evidence: bool,
    took: Duration,
) -> String {
    let mut out = String::new();
    let mut spent = vec![format!("{} requests", check.requests)];
    if check.lookups > 0 {
        spent.push(format!("{} look-ups", check.lookups));
    }
    if let Some(tokens) = check.tokens.input.zip(check.tokens.output).map(|(read, written)| read + written) {
        spent.push(format!("{tokens} tokens"));
    }
    spent.push(progress::duration(took.as_secs_f64()));
    let _ = writeln!(out, "{target} at {place}   {}", spent.join("   "));
    let _ = writeln!(out, "{}\n", headline(check));
    for (key, says) in runner::serving_questions() {
        let Some(answer) = check.answer(key) else { continue };
        line(says, answer, evidence, &mut out);
    }
    if !check.strictness.is_empty() {
        out.push('\n');
        matrix(&check.strictness, evidence, &mut out);
    }
    out.push('\n');
    facts(check, &mut out);
    out
}

/// What can be measured there, in one line.
fn headline(check: &ServingCheck) -> String {
    let censored =
        censored(check).map(|why| format!("; unknown-tool is censored, {why}")).unwrap_or_default();
    match check.endpoint.sees_tools {
        Known::Yes => format!("MEASURABLE{censored}"),
        Known::No => "NOT MEASURABLE: the tools do not reach the model".to_owned(),
        Known::Unknown => {
            format!(
                "MEASURABLE as far as can be told: nothing shows whether the model sees the tools{censored}"
            )
        }
    }
}

fn line(says: &str, answer: &ServingAnswer, evidence: bool, out: &mut String) {
    let sure = answer.confidence.map_or("", transcript::Confidence::as_str);
    let how = answer.how.as_ref().map(|how| format!("{how}; ")).unwrap_or_default();
    let head = format!("{says:<47} {:<8} {sure:<7}", answer.answer.as_str());
    if evidence {
        let _ = writeln!(
            out,
            "{head} {} requests{}",
            answer.requests,
            answer.how.as_ref().map(|how| format!("; {how}")).unwrap_or_default()
        );
        for words in &answer.evidence {
            let _ = writeln!(out, "    {words}");
        }
        return;
    }
    // The last piece of evidence is what the answer turned on, the others are its controls.
    let words = answer.evidence.last().map(String::as_str).unwrap_or_default();
    // What came; what was asked stands in the line's own words.
    let words = words.split_once(": ").map_or(words, |(_, came)| came);
    let all = format!("{head} {how}{words}");
    let _ = writeln!(out, "{}", cropped(all.trim_end()));
}

/// Strict on and off by tool choice, parallel calls on and off side by side.
fn matrix(cells: &[StrictnessCell], evidence: bool, out: &mut String) {
    if evidence {
        for cell in cells {
            let _ = writeln!(out, "@{:<44} {:<9} {}", cell.arm, cell.state.as_str(), cell.evidence);
        }
        return;
    }
    let _ = writeln!(out, "{:<34} {:<14} parallel=off", "strict x tool_choice x parallel", "parallel=on");
    let state = |arm: String| {
        cells.iter().find(|cell| cell.arm == arm).map_or("not asked", |cell| cell.state.as_str())
    };
    for strict in ["strict", "strict=off"] {
        for choice in ["auto", "required", "none", "tool"] {
            let part =
                if choice == "required" { "tool_choice".to_owned() } else { format!("tool_choice={choice}") };
            let on = state(format!("parallel=on+{strict}+{part}"));
            let off = state(format!("parallel+{strict}+{part}"));
            let strict = if strict == "strict" { "strict=on" } else { strict };
            let _ = writeln!(out, "  {strict:<11} tool_choice={choice:<9} {on:<14} {off}");
        }
    }
}

/// Who answered, with what software, and what became of the settings.
fn facts(check: &ServingCheck, out: &mut String) {
    if let Some(served) = &check.served_model {
        let answered = match (served.verdict, &served.answered) {
            (ServedVerdict::Equal, _) => "the same name came back".to_owned(),
            (ServedVerdict::Different, Some(answered)) => format!("{answered} answered"),
            _ => "not verifiable: no model is named".to_owned(),
        };
        let _ = writeln!(out, "{}", cropped(&format!("model     {} asked for; {answered}", served.asked)));
    }
    let software: Vec<String> =
        check.software.iter().map(|(place, words)| format!("{words} ({place})")).collect();
    let software =
        if software.is_empty() { "the server does not say".to_owned() } else { software.join(", ") };
    let _ = writeln!(out, "{}", cropped(&format!("software  {software}")));
    let settings: Vec<String> =
        check.settings.iter().map(|(key, state)| format!("{key} {}", setting(*state))).collect();
    if !settings.is_empty() {
        let _ = writeln!(out, "{}", cropped(&format!("settings  {}", settings.join(", "))));
    }
}

fn setting(state: SettingState) -> &'static str {
    match state {
        SettingState::NotAsked => "not asked",
        SettingState::Asked => "accepted, effect not shown",
        SettingState::Honoured => "honoured",
        SettingState::Ignored => "ignored",
        SettingState::Refused => "refused",
    }
}

fn cropped(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default().trim_end()),
        None => line.to_owned(),
    }
}
