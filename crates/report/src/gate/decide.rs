//! From figures to verdicts, line by line.

use scorer::statistic::{GateRule, Interval, RuleVerdict, ceiling, ceiling_on_point};
use scorer::{Behaviour, Rate, RateState, Scorecard};
use transcript::{CellId, Side};

use super::words;
use super::{Ceiling, Gate, GateLine, GateQuestion, GateVerdict, OnInconclusive, Policy};
use crate::compare::{Change, ComparedCell, Comparison, Direction};
use crate::report::Report;
use ::probes::RateName;

/// Decides. `scorecards` are those of the report; with a comparison, those of the baseline's side are asked for
/// their coverage alone.
#[must_use]
pub fn decide(
    policy: &Policy,
    report: &Report,
    scorecards: &[Scorecard],
    comparison: Option<&Comparison>,
) -> Gate {
    let mut lines = Vec::new();
    if let Some(comparison) = comparison {
        lines.extend(comparison.mixed_suites.iter().map(|words| GateLine {
            question: GateQuestion::Comparable,
            cell: None,
            label: None,
            metric: None,
            verdict: if policy.across_suites { GateVerdict::Pass } else { GateVerdict::Invalid },
            words: words.clone(),
        }));
        for cell in &comparison.cells {
            for change in cell.changes.iter().filter(|change| change.gated) {
                lines.push(regression(policy, cell, change, comparison.family));
            }
        }
    }
    for card in scorecards {
        let side = report.identity.cell(&card.cell).map(|cell| cell.side);
        let is_baseline = side == Some(Side::Baseline) && comparison.is_some();
        let label = report.identity.label(&card.cell);
        lines.extend(coverage(policy, card, &label));
        if !is_baseline {
            lines.extend(policy.ceilings.iter().map(|limit| held(policy, *limit, card, &label)));
            lines.extend(must_pass(policy, card, &label));
        }
    }
    // Where all that was asked is waived, nothing was asked.
    if !lines.iter().any(|line| answers(line, scorecards, comparison)) {
        lines.clear();
    }
    let verdict = lines.iter().map(|line| line.verdict).max().unwrap_or(GateVerdict::Invalid);
    let mut gate = Gate {
        verdict,
        inconclusive_fails: policy.inconclusive == OnInconclusive::Fail,
        headline: String::new(),
        policy: policy.clone(),
        lines,
    };
    gate.headline = words::headline(&gate, comparison);
    gate
}

/// Whether a line is an answer: without a figure a rate passes only where that is waived.
fn answers(line: &GateLine, scorecards: &[Scorecard], comparison: Option<&Comparison>) -> bool {
    if line.verdict != GateVerdict::Pass {
        return true;
    }
    match line.question {
        GateQuestion::Regression => comparison
            .and_then(|comparison| words::change_of(line, comparison))
            .is_some_and(|change| change.rate.is_some()),
        GateQuestion::Ceiling => scorecards
            .iter()
            .filter(|card| Some(&card.cell) == line.cell.as_ref())
            .any(|card| line.metric.and_then(|metric| measured(card, metric)).is_some()),
        GateQuestion::Comparable => false,
        GateQuestion::MustPass | GateQuestion::Coverage => true,
    }
}

/// A rate that has a figure.
fn measured(card: &Scorecard, metric: RateName) -> Option<&Rate> {
    card.rate(metric).filter(|rate| rate.state == RateState::Measured)
}

fn interval(ends: Option<(f64, f64)>) -> Option<Interval> {
    ends.map(|(low, high)| Interval { low, high })
}

fn of_rule(verdict: RuleVerdict) -> GateVerdict {
    match verdict {
        RuleVerdict::Fail => GateVerdict::Fail,
        RuleVerdict::Pass => GateVerdict::Pass,
        RuleVerdict::Inconclusive => GateVerdict::Inconclusive,
    }
}

fn regression(policy: &Policy, cell: &ComparedCell, change: &Change, family: u64) -> GateLine {
    let rule = GateRule { family_error: policy.family_error, tolerance: policy.tolerance };
    let verdict = match &change.rate {
        Some(rate) if change.direction != Direction::NotComparable => {
            of_rule(rule.rise(rate.difference, interval(rate.interval_90), change.adjusted_p))
        }
        _ if policy.waive.contains(&change.metric) => GateVerdict::Pass,
        _ => GateVerdict::Invalid,
    };
    GateLine {
        question: GateQuestion::Regression,
        cell: Some(cell.candidate.clone()),
        label: Some(cell.label.clone()),
        metric: Some(change.metric),
        verdict,
        words: words::regression(policy, cell, change, verdict, family),
    }
}

/// A line where too little was scored, or nothing; and where a rate that has to have data has none.
fn coverage(policy: &Policy, card: &Scorecard, label: &str) -> Vec<GateLine> {
    let mut lines = Vec::new();
    let asked: Vec<RateName> = match &policy.rates {
        Some(rates) => rates.clone(),
        None => RateName::HEADLINE.to_vec(),
    };
    for metric in asked {
        let rate = card.rate(metric).filter(|rate| rate.planned > 0 || policy.rates.is_some());
        if policy.waive.contains(&metric) {
            continue;
        }
        let found = match rate {
            Some(rate) => lacking(policy, rate),
            None if policy.rates.is_some() => Some("no probe of the suite enters it".to_owned()),
            None => None,
        };
        lines.extend(found.map(|found| {
            line(
                GateQuestion::Coverage,
                card,
                label,
                Some(metric),
                GateVerdict::Invalid,
                words::lacking(metric, label, &found),
            )
        }));
    }
    let scored = card.statuses.get("scored").copied().unwrap_or(0);
    if scored == 0 {
        let words = format!("{label}: no trial was scored");
        lines.push(line(GateQuestion::Coverage, card, label, None, GateVerdict::Invalid, words));
    }
    lines
}

fn lacking(policy: &Policy, rate: &Rate) -> Option<String> {
    match rate.state {
        RateState::Censored => return Some("the endpoint hides it".to_owned()),
        RateState::NotMeasured => return Some("no trial of it was scored".to_owned()),
        RateState::CoverageTooLow => {
            return Some(words::covered(rate.scored, rate.planned, None));
        }
        RateState::Measured => {}
    }
    let wanted = policy.coverage?;
    #[expect(clippy::cast_precision_loss, reason = "counts of trials")]
    let share = rate.scored as f64 / rate.planned as f64;
    (share < wanted).then(|| words::covered(rate.scored, rate.planned, Some(wanted)))
}

fn held(policy: &Policy, limit: Ceiling, card: &Scorecard, label: &str) -> GateLine {
    let rate = measured(card, limit.metric);
    let verdict = match rate {
        None if policy.waive.contains(&limit.metric) => GateVerdict::Pass,
        None => GateVerdict::Invalid,
        Some(rate) if limit.on_point => rate
            .mean_over_probes
            .map_or(GateVerdict::Invalid, |share| of_rule(ceiling_on_point(limit.at, share))),
        Some(rate) => of_rule(ceiling(limit.at, interval(rate.interval_90))),
    };
    let words = words::ceiling(limit, rate, verdict, label);
    line(GateQuestion::Ceiling, card, label, Some(limit.metric), verdict, words)
}

/// One line on the must-pass probes of a cell; none where it has none.
fn must_pass(policy: &Policy, card: &Scorecard, label: &str) -> Option<GateLine> {
    let marked: Vec<_> = card.probes.iter().filter(|probe| probe.must_pass).collect();
    if !policy.must_pass || marked.is_empty() {
        return None;
    }
    let mut failed = Vec::new();
    let mut unscored = 0;
    for probe in &marked {
        let wrong = probe.behaviours.iter().any(|(_, behaviour)| *behaviour == Behaviour::Wrong);
        let found = probe.rates.values().any(|repeats| repeats.events > 0);
        if wrong || found {
            failed.push(&probe.id);
        } else if probe.behaviours.is_empty()
            || probe.behaviours.iter().any(|(_, behaviour)| *behaviour != Behaviour::Right)
        {
            unscored += 1;
        }
    }
    let verdict = match (failed.is_empty(), unscored) {
        (false, _) => GateVerdict::Fail,
        (true, 0) => GateVerdict::Pass,
        (true, _) => GateVerdict::Inconclusive,
    };
    let words = words::must_pass(label, &failed, unscored, marked.len() as u64);
    Some(line(GateQuestion::MustPass, card, label, None, verdict, words))
}

fn line(
    question: GateQuestion,
    card: &Scorecard,
    label: &str,
    metric: Option<RateName>,
    verdict: GateVerdict,
    words: String,
) -> GateLine {
    let (cell, label): (CellId, String) = (card.cell.clone(), label.to_owned());
    GateLine { question, cell: Some(cell), label: Some(label), metric, verdict, words }
}
