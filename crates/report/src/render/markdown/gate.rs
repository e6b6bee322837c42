//! The gate's lines, question by question.

use super::inline::prose;
use super::{SENTENCE, heading};
use crate::gate::{Gate, GateLine, GateQuestion, GateVerdict};
use crate::number::counted;

/// Lines that are shown.
const LINES: usize = 12;

/// All lines, gravest first.
pub(super) fn lines(gate: &Gate) -> String {
    listed(gate.lines.iter().collect())
}

/// Lines on ceilings and must-pass probes that did not pass, and whatever was not measured well enough. Rises
/// have a table and sentences of their own.
pub(super) fn open_lines(gate: &Gate) -> String {
    let is_open = |line: &&GateLine| match line.question {
        GateQuestion::Regression => line.verdict == GateVerdict::Invalid,
        _ => line.verdict != GateVerdict::Pass,
    };
    listed(gate.lines.iter().filter(is_open).collect())
}

/// Lines on ceilings and must-pass probes that passed.
pub(super) fn passed_lines(gate: &Gate) -> String {
    let has_passed =
        |line: &&GateLine| line.question != GateQuestion::Regression && line.verdict == GateVerdict::Pass;
    listed(gate.lines.iter().filter(has_passed).collect())
}

fn listed(mut lines: Vec<&GateLine>) -> String {
    lines.sort_by_key(|line| std::cmp::Reverse(line.verdict));
    let mut out: Vec<String> = lines
        .iter()
        .take(LINES)
        .map(|line| format!("- {} {}", heading::line_mark(line.verdict), prose(&line.words, SENTENCE)))
        .collect();
    if lines.len() > LINES {
        out.push(format!("- and {}", counted((lines.len() - LINES) as u64, "more line")));
    }
    out.join("\n")
}

/// What an inconclusive verdict comes to.
pub(super) fn policy(gate: &Gate) -> String {
    let who = match &gate.policy.profile {
        Some(profile) => format!("Profile {}", super::inline::name(profile)),
        None => "This gate".to_owned(),
    };
    let inconclusive = if gate.inconclusive_fails { "fails" } else { "passes" };
    let tolerance = gate.policy.tolerance.map_or_else(String::new, |tolerance| {
        format!("; it puts up with rises of {} points", crate::number::points_size(tolerance))
    });
    match gate.verdict {
        GateVerdict::Inconclusive => {
            format!("{who}: what cannot be told {inconclusive}{tolerance}.")
        }
        _ if tolerance.is_empty() => String::new(),
        _ => format!("{who}: what cannot be told {inconclusive}{tolerance}."),
    }
}
