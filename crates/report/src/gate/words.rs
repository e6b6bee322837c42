//! What a gate says, in words.

use std::fmt::Write as _;

use ::probes::RateName;
use scorer::statistic::fewest_tasks_to_pass;
use scorer::{PairedRate, Rate};
use transcript::ProbeId;

use super::{Ceiling, Gate, GateLine, GateQuestion, GateVerdict, Policy};
use crate::compare::{Change, ComparedCell, Comparison, Direction};
use crate::number::{
    PROBES_FOR_A_PERCENTAGE, count, counted, of, p_value, paired_share, percent, percent_sign, points,
    points_interval, points_size,
};
use crate::text_safe::cropped;
use crate::words::words as rate_words;

/// Must-pass probes that are named.
const NAMED: usize = 3;

fn title(metric: RateName) -> &'static str {
    rate_words(metric).title
}

/// `unknown-tool on support aster-3 rose from 1.6 % to 6.6 % (5 -> 21 of 316 paired probes: ...)`.
pub(super) fn regression(
    policy: &Policy,
    cell: &ComparedCell,
    change: &Change,
    verdict: GateVerdict,
    family: u64,
) -> String {
    let name = format!("{} on {}", title(change.metric), cell.label);
    let Some(rate) = change.rate.as_ref().filter(|_| change.direction != Direction::NotComparable) else {
        let reason = change.reason.as_deref().unwrap_or("no figure on one side");
        let waived = if verdict == GateVerdict::Pass { " (waived)" } else { "" };
        return format!("{name} cannot be compared: {reason}{waived}");
    };
    let figures = figures(rate, change.adjusted_p, family);
    let tolerance = policy.tolerance.map(points_size);
    match (change.direction, verdict, tolerance) {
        (Direction::Rose, GateVerdict::Pass, Some(tolerance)) => {
            format!("{name} rose within tolerance ({tolerance} points): {figures}")
        }
        (Direction::Rose, _, _) => format!("{name} rose {figures}"),
        (_, GateVerdict::Pass, Some(tolerance)) => {
            format!("{name}: a rise of more than {tolerance} points is ruled out: {figures}")
        }
        (Direction::Fell, _, _) => format!("{name} fell {figures}"),
        (_, _, Some(tolerance)) => {
            let sees = too_few_tasks(policy, rate).unwrap_or_else(|| sees(change));
            format!("{name} is unclear: a rise of {tolerance} points was not ruled out: {figures}{sees}")
        }
        (_, _, None) => format!("{name} is unclear: {figures}{}", sees(change)),
    }
}

/// A tolerance that so few tasks cannot meet, whatever comes of them.
fn too_few_tasks(policy: &Policy, rate: &PairedRate) -> Option<String> {
    let needed = fewest_tasks_to_pass(policy.tolerance?)?;
    (rate.tasks < needed).then(|| {
        format!(
            "; with {} that tolerance cannot be met, it takes {}",
            counted(rate.tasks, "task"),
            count(needed)
        )
    })
}

fn sees(change: &Change) -> String {
    if change.rate.as_ref().is_some_and(|rate| rate.pairs < PROBES_FOR_A_PERCENTAGE) {
        return "; too few probes for a figure in points".to_owned();
    }
    change.sees_rise.map_or_else(
        || "; no rise could have been shown by so few tasks".to_owned(),
        |rise| format!("; rises from about {} points could be seen", whole_points(rise)),
    )
}

/// Points without a decimal, never less than one.
pub(crate) fn whole_points(rise: f64) -> String {
    format!("{:.0}", (rise * 100.0).max(1.0))
}

/// `from 1.6 % to 6.6 % (5 -> 21 of 316 paired probes: +5.1 points, 95 % interval +0.9 to +9.9, p = 0.004
/// corrected for 6 tests)`.
pub(crate) fn figures(rate: &PairedRate, adjusted_p: Option<f64>, family: u64) -> String {
    let mut out = String::new();
    let few = rate.pairs < PROBES_FOR_A_PERCENTAGE;
    if !few {
        let (before, after) = (paired_share(rate.baseline_rate), paired_share(rate.candidate_rate));
        let _ = write!(out, "from {before} % to {after} % ");
    }
    let _ = write!(out, "({}", paired_counts(rate));
    if !few {
        let _ = write!(out, ": {} points", points(rate.difference));
        if let Some(interval) = rate.interval_95 {
            let _ = write!(out, ", 95 % interval {}", points_interval(interval));
        }
    }
    if let Some(p) = adjusted_p {
        let _ = write!(out, ", p {}", p_value(p));
        if family > 1 {
            let _ = write!(out, " corrected for {} tests", count(family));
        }
    }
    out.push(')');
    out
}

/// `5 -> 21 of 316 paired probes`; by trials where there are repeats.
pub(crate) fn paired_counts(rate: &PairedRate) -> String {
    let (before, after) = (rate.baseline, rate.candidate);
    if before.scored == rate.pairs && after.scored == rate.pairs {
        format!("{} → {} of {} paired probes", count(before.events), count(after.events), count(rate.pairs))
    } else if before.scored == after.scored {
        format!(
            "{} → {} of {} trials of {} paired probes",
            count(before.events),
            count(after.events),
            count(after.scored),
            count(rate.pairs)
        )
    } else {
        format!(
            "{} → {} trials of {} paired probes",
            of(before.events, before.scored),
            of(after.events, after.scored),
            count(rate.pairs)
        )
    }
}

/// `unknown-tool on support aster-3 is within its ceiling of 8.0 %: 4.2 % (12 of 288), ...`; `rate` is there where
/// it has a figure.
pub(super) fn ceiling(limit: Ceiling, rate: Option<&Rate>, verdict: GateVerdict, label: &str) -> String {
    let at = percent_sign(limit.at);
    let name = format!("{} on {label}", title(limit.metric));
    let Some(rate) = rate else {
        return format!("{name} has no figure to hold against its ceiling of {at}");
    };
    let counts = of(rate.events, rate.scored);
    let figure = match rate.mean_over_probes {
        Some(share) if rate.probes >= PROBES_FOR_A_PERCENTAGE => {
            format!("{} ({counts})", percent_sign(share))
        }
        _ => counts,
    };
    if limit.on_point {
        let word = if verdict == GateVerdict::Fail { "is above" } else { "is within" };
        return format!("{name} {word} its ceiling of {at}: {figure}");
    }
    let ends = rate
        .interval_90
        .filter(|_| rate.probes >= PROBES_FOR_A_PERCENTAGE)
        .map_or_else(String::new, |(low, high)| {
            format!(", 90 % interval {} to {} %", percent(low), percent(high))
        });
    match verdict {
        GateVerdict::Fail => format!("{name} is above its ceiling of {at}: {figure}{ends}"),
        GateVerdict::Pass => format!("{name} is within its ceiling of {at}: {figure}{ends}"),
        _ => format!("{name} may lie on either side of its ceiling of {at}: {figure}{ends}"),
    }
}

pub(super) fn must_pass(label: &str, failed: &[&ProbeId], unscored: u64, all: u64) -> String {
    let passed = all - failed.len() as u64 - unscored;
    let mut out = format!("must-pass probes on {label}: {} passed", of(passed, all));
    if !failed.is_empty() {
        let names: Vec<String> = failed.iter().take(NAMED).map(|id| cropped(id.as_str(), 80)).collect();
        let _ = write!(out, "; {} failed: {}", count(failed.len() as u64), names.join(", "));
        if failed.len() > NAMED {
            let _ = write!(out, " and {} more", count((failed.len() - NAMED) as u64));
        }
    }
    if unscored > 0 {
        let _ = write!(out, "; of {} it cannot be told", count(unscored));
    }
    out
}

pub(super) fn covered(scored: u64, planned: u64, wanted: Option<f64>) -> String {
    match wanted {
        Some(share) => format!(
            "{} planned trials were scored, and {} are wanted",
            of(scored, planned),
            percent_sign(share)
        ),
        None => format!("{} planned trials were scored, too few for a rate", of(scored, planned)),
    }
}

pub(super) fn lacking(metric: RateName, label: &str, found: &str) -> String {
    format!("{} on {label} is not measured: {found}", title(metric))
}

/// The verdict in a sentence or two: the gravest lines first.
pub(super) fn headline(gate: &Gate, comparison: Option<&Comparison>) -> String {
    let gravest: Vec<&GateLine> = gate.lines.iter().filter(|line| line.verdict == gate.verdict).collect();
    match gate.verdict {
        GateVerdict::Fail | GateVerdict::Invalid => {
            first_line(&gravest).unwrap_or_else(|| "nothing was asked".to_owned())
        }
        GateVerdict::Inconclusive => inconclusive(&gravest, comparison),
        GateVerdict::Pass => passed(gate, comparison),
    }
}

/// The first line, and how many more there are.
fn first_line(lines: &[&GateLine]) -> Option<String> {
    let (first, rest) = lines.split_first()?;
    Some(match rest.len() {
        0 => first.words.clone(),
        more => format!("{}; and {}", first.words, counted(more as u64, "more line")),
    })
}

/// The change that a line on a rise is about.
pub(super) fn change_of<'a>(line: &GateLine, comparison: &'a Comparison) -> Option<&'a Change> {
    let cell = comparison.cells.iter().find(|cell| Some(&cell.candidate) == line.cell.as_ref())?;
    let change = cell.changes.iter().find(|change| Some(change.metric) == line.metric);
    change.filter(|_| line.question == GateQuestion::Regression)
}

fn inconclusive(lines: &[&GateLine], comparison: Option<&Comparison>) -> String {
    let of = |question| lines.iter().filter(|line| line.question == question).count() as u64;
    // Of a rate that is unclear a rise beyond the tolerance may be ruled out: then its line passes.
    let unclear = |line: &&GateLine| {
        let change = comparison.and_then(|comparison| change_of(line, comparison));
        change.is_some_and(|change| change.direction == Direction::Unclear)
    };
    let mut parts = Vec::new();
    let changes =
        comparison.into_iter().flat_map(|comparison| &comparison.cells).flat_map(|cell| &cell.changes);
    let fell = changes.filter(|change| change.gated && change.direction == Direction::Fell).count() as u64;
    if fell > 0 {
        parts.push(format!("{} fell", counted(fell, "rate")));
    }
    if lines.iter().any(unclear) {
        parts.push("no rise is shown, and none is ruled out".to_owned());
    }
    if of(GateQuestion::Ceiling) > 0 {
        parts.push(format!(
            "{} may lie on either side of the ceiling",
            counted(of(GateQuestion::Ceiling), "rate")
        ));
    }
    if of(GateQuestion::MustPass) > 0 {
        parts.push("of some must-pass probes it cannot be told".to_owned());
    }
    parts.join("; ")
}

fn passed(gate: &Gate, comparison: Option<&Comparison>) -> String {
    let change = |line: &GateLine| comparison.and_then(|comparison| change_of(line, comparison));
    let rose = |line: &&GateLine| change(line).is_some_and(|change| change.direction == Direction::Rose);
    let tolerated: Vec<&GateLine> = gate.lines.iter().filter(rose).collect();
    if let Some(words) = first_line(&tolerated) {
        return words;
    }
    // Without a tolerance no rate passes that has a figure.
    if gate.lines.iter().any(|line| change(line).is_some_and(|change| change.rate.is_some())) {
        return "every rise beyond the tolerance is ruled out".to_owned();
    }
    let is_asked = |question| gate.lines.iter().any(|line| line.question == question);
    let mut parts = Vec::new();
    if is_asked(GateQuestion::Regression) {
        parts.push("no gated rate can be compared (waived)");
    }
    if is_asked(GateQuestion::Ceiling) {
        parts.push("every rate is within its ceiling");
    }
    if is_asked(GateQuestion::MustPass) {
        parts.push("every must-pass probe passed");
    }
    parts.join("; ")
}
