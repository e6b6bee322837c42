//! The headline: a mark, and what a reader in a hurry has to know.

use ::probes::RateName;

use super::inline::name;
use crate::Report;
use crate::compare::{Comparison, Factor};
use crate::gate::{Gate, GateLine, GateQuestion, GateVerdict};
use crate::number::count;
use crate::words::words;

/// The mark of a verdict; what cannot be told passes or fails with the profile.
fn mark(gate: Option<&Gate>) -> &'static str {
    match gate.map(|gate| (gate.verdict, gate.passes())) {
        None => "ℹ️",
        Some((GateVerdict::Fail, _)) => "❌",
        Some((GateVerdict::Invalid, _)) => "⚠️",
        Some((GateVerdict::Inconclusive, false)) => "❔",
        Some(_) => "✅",
    }
}

/// The mark of one line.
pub(super) fn line_mark(verdict: GateVerdict) -> &'static str {
    match verdict {
        GateVerdict::Fail => "❌",
        GateVerdict::Invalid => "⚠️",
        GateVerdict::Inconclusive => "❔",
        GateVerdict::Pass => "✅",
    }
}

/// The headline of a comparison.
pub(super) fn of_comparison(report: &Report, comparison: &Comparison) -> String {
    let gate = report.gate.as_ref();
    let words = match gate.map(|gate| gate.verdict) {
        Some(GateVerdict::Fail) => gate.map_or_else(String::new, |gate| failed(gate, comparison)),
        Some(GateVerdict::Invalid) => "the two sides cannot be judged".to_owned(),
        Some(GateVerdict::Inconclusive) if gate.is_some_and(|gate| !gate.passes()) => {
            "harm cannot be ruled out, and this profile asks for that".to_owned()
        }
        Some(GateVerdict::Pass) if gate.is_some_and(|gate| gate.policy.tolerance.is_some()) => {
            format!("no rise beyond the tolerance{}", from(comparison))
        }
        Some(_) => format!("no harm shown{}", from(comparison)),
        None => format!("two sides compared{}", from(comparison)),
    };
    format!("### {} toolmirage: {words}", mark(gate))
}

/// The headline of a run.
pub(super) fn of_run(report: &Report) -> String {
    let suite = name(&report.identity.suite.name);
    let gate = report.gate.as_ref();
    let words = match gate.map(|gate| gate.verdict) {
        Some(GateVerdict::Fail) => "the gate failed",
        Some(GateVerdict::Invalid) => "not measured well enough to be judged",
        Some(GateVerdict::Inconclusive) => "it cannot be told whether the gate holds",
        Some(GateVerdict::Pass) => "the gate passed",
        None if report.measured => "measured",
        None => "nothing was measured",
    };
    format!("### {} toolmirage: suite {suite}, {words}", mark(gate))
}

/// ` from this desk prompt`.
fn from(comparison: &Comparison) -> String {
    let changed = changed(comparison);
    if changed.is_empty() { String::new() } else { format!(" from {changed}") }
}

/// What was changed, where it is one thing: `this desk prompt`.
fn changed(comparison: &Comparison) -> String {
    let cell = comparison.cells.first();
    match comparison.factors.as_slice() {
        [] => String::new(),
        [Factor::Prompt] => match cell.and_then(|cell| cell.prompt.as_deref()) {
            Some(prompt) if same(comparison, |cell| cell.prompt.as_deref()) => {
                format!("this {} prompt", name(prompt))
            }
            _ => "these prompts".to_owned(),
        },
        [Factor::Catalog] => match cell {
            Some(cell) if same(comparison, |cell| Some(&cell.catalog)) => {
                format!("this {} catalog", name(&cell.catalog))
            }
            _ => "these catalogs".to_owned(),
        },
        [Factor::Target] if comparison.cells.len() == 1 => cell.map_or_else(String::new, |cell| {
            format!("{} in place of {}", name(&cell.target), name(&comparison.baseline.label))
        }),
        [Factor::Target] => "these changes of targets".to_owned(),
        _ => "these changes".to_owned(),
    }
}

/// Whether all pairs of cells agree in something.
fn same(comparison: &Comparison, of: fn(&crate::compare::ComparedCell) -> Option<&str>) -> bool {
    comparison.cells.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]))
}

/// What failed first, and how much more did.
fn failed(gate: &Gate, comparison: &Comparison) -> String {
    let failing: Vec<&GateLine> =
        gate.lines.iter().filter(|line| line.verdict == GateVerdict::Fail).collect();
    let Some(first) = failing.first() else { return "the gate failed".to_owned() };
    let cell = comparison.cells.iter().find(|cell| Some(&cell.candidate) == first.cell.as_ref());
    let who = cell.map_or_else(|| "the candidate".to_owned(), |cell| name(&cell.target));
    let what = match (first.question, first.metric) {
        (GateQuestion::Regression, Some(RateName::UnknownTool)) => {
            format!("{who} invents tools more often")
        }
        (GateQuestion::Regression, Some(RateName::ShadowCall)) => {
            format!("{who} calls near-named tools more often")
        }
        (GateQuestion::Regression, Some(RateName::HallucinatedArgument)) => {
            format!("{who} makes arguments up more often")
        }
        (GateQuestion::Regression, Some(metric)) => {
            format!("{who} shows {} more often", words(metric).title)
        }
        (GateQuestion::Ceiling, Some(metric)) => {
            format!("{} of {who} is above its ceiling", words(metric).title)
        }
        (GateQuestion::MustPass, _) => format!("a must-pass probe failed on {who}"),
        _ => "the gate failed".to_owned(),
    };
    let is_rise = first.question == GateQuestion::Regression;
    let what = match comparison.factors.as_slice() {
        [] => what,
        _ if !is_rise => what,
        [Factor::Target] => format!("{what} than {}", name(&comparison.baseline.label)),
        _ => format!("with {}, {what}", changed(comparison)),
    };
    match failing.len() {
        1 => what,
        2 => format!("{what}; 1 more line fails"),
        several => format!("{what}; {} more lines fail", count(several as u64 - 1)),
    }
}
