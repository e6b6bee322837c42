//! What the gate said: one line, and below it the lines that fail.

use super::layout::sentence;
use crate::gate::{Gate, GateLine, GateVerdict};
use crate::number::counted;

/// Further lines that are listed.
const FURTHER: usize = 2;

/// `FAIL  unknown-tool on support aster-3 rose ...`.
pub(super) fn draw(gate: &Gate, lines: &mut Vec<String>) {
    let word = gate.verdict.as_str().to_uppercase();
    let mut words = gate.headline.clone();
    if gate.verdict == GateVerdict::Inconclusive {
        let so = if gate.inconclusive_fails { "fails" } else { "passes" };
        words.push_str(&format!(" (what cannot be told {so} here)"));
    }
    let gravest: Vec<&GateLine> =
        gate.lines.iter().filter(|line| line.verdict == gate.verdict && is_bad(gate, line)).collect();
    // The first of them is the headline itself; the others stand below it, and need not be counted in it.
    let first = gravest.first().filter(|_| gate.verdict >= GateVerdict::Invalid);
    if let Some(first) = first {
        words.clone_from(&first.words);
    }
    let label = format!("{word}  ");
    let indent = " ".repeat(label.len());
    sentence(&label, &words, 3, lines);
    let further = gravest.get(usize::from(first.is_some())..).unwrap_or_default();
    for line in further.iter().take(FURTHER) {
        sentence(&indent, &line.words, 1, lines);
    }
    let invalid = gate.lines.iter().filter(|line| line.verdict == GateVerdict::Invalid).count() as u64;
    if invalid > 0 && gate.verdict == GateVerdict::Fail {
        lines.push(format!("{indent}{} beside it", counted(invalid, "invalid line")));
    }
    if further.len() > FURTHER {
        lines.push(format!("{indent}and {}", counted((further.len() - FURTHER) as u64, "more such line")));
    }
}

/// Whether a line keeps the gate from passing.
fn is_bad(gate: &Gate, line: &GateLine) -> bool {
    match line.verdict {
        GateVerdict::Pass => false,
        GateVerdict::Inconclusive => gate.inconclusive_fails,
        GateVerdict::Invalid | GateVerdict::Fail => true,
    }
}
