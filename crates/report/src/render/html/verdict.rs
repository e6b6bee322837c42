//! What the gate said, and what it was asked.

use probes::RateName;
use serde::Serialize;

use super::overview::more;
use crate::gate::{Gate, GateQuestion, GateVerdict};
use crate::number::{percent_sign, points_size};
use crate::text_safe::cropped;
use crate::words::words;

/// Lines of the gate that the page shows; the others are counted.
const LINES: usize = 200;
/// Characters of one.
const WORDS: usize = 600;

/// What the gate said.
#[derive(Serialize)]
pub(super) struct Verdict {
    /// Names the mark and the colours.
    class: &'static str,
    word: String,
    headline: String,
    lines: Vec<Line>,
    more: Option<String>,
    asked: Vec<(&'static str, String)>,
}

/// One question of the gate.
#[derive(Serialize)]
struct Line {
    class: &'static str,
    question: &'static str,
    words: String,
}

pub(super) fn verdict(gate: &Gate, compared: bool) -> Verdict {
    let word = match (gate.verdict, gate.inconclusive_fails) {
        (GateVerdict::Inconclusive, true) => "inconclusive, which fails here",
        (GateVerdict::Inconclusive, false) => "inconclusive, which passes here",
        (verdict, _) => verdict.as_str(),
    };
    let mut lines: Vec<_> = gate.lines.iter().collect();
    // Stable: the gate's own order within.
    lines.sort_by_key(|line| std::cmp::Reverse(line.verdict));
    Verdict {
        class: gate.verdict.as_str(),
        word: word.to_owned(),
        headline: cropped(&gate.headline, WORDS),
        more: more(lines.len(), LINES, "line"),
        lines: lines
            .into_iter()
            .take(LINES)
            .map(|line| Line {
                class: line.verdict.as_str(),
                question: question(line.question),
                words: cropped(&line.words, WORDS),
            })
            .collect(),
        asked: asked(gate, compared),
    }
}

fn question(question: GateQuestion) -> &'static str {
    match question {
        GateQuestion::Regression => "Did it rise?",
        GateQuestion::Ceiling => "Is it above its ceiling?",
        GateQuestion::MustPass => "Did a must-pass probe fail?",
        GateQuestion::Coverage => "Was enough scored?",
        GateQuestion::Comparable => "Can the sides be compared?",
    }
}

/// What the policy asks of two sides.
fn rises(gate: &Gate) -> Vec<(&'static str, String)> {
    let policy = &gate.policy;
    let mut asked = Vec::new();
    let rates = policy.rates.as_deref().unwrap_or(&RateName::HEADLINE);
    let rates: Vec<&str> = rates.iter().map(|rate| words(*rate).title).collect();
    asked.push(("May not rise", rates.join(", ")));
    let error = format!("{} over all of them, two-sided", percent_sign(policy.family_error));
    asked.push(("Error allowed", error));
    asked.extend(policy.tolerance.map(|rise| ("Tolerance", format!("{} points", points_size(rise)))));
    asked
}

/// The policy in words.
fn asked(gate: &Gate, compared: bool) -> Vec<(&'static str, String)> {
    let policy = &gate.policy;
    let mut asked = Vec::new();
    asked.extend(policy.profile.clone().map(|profile| ("Profile", profile)));
    if compared {
        asked.extend(rises(gate));
    }
    if !policy.ceilings.is_empty() {
        let ceiling = |ceiling: &crate::Ceiling| {
            let on = if ceiling.on_point { ", on the figure itself" } else { "" };
            format!("{} {}{on}", words(ceiling.metric).title, percent_sign(ceiling.at))
        };
        let all: Vec<String> = policy.ceilings.iter().map(ceiling).collect();
        asked.push(("Ceilings", all.join("; ")));
    }
    asked.push(("Must-pass probes", if policy.must_pass { "have to pass" } else { "not asked" }.to_owned()));
    asked.extend(policy.coverage.map(|share| ("Coverage wanted", percent_sign(share))));
    let fate = if gate.inconclusive_fails { "fails" } else { "passes" };
    asked.push(("Inconclusive", fate.to_owned()));
    if !policy.waive.is_empty() {
        let waived: Vec<&str> = policy.waive.iter().map(|rate| words(*rate).title).collect();
        asked.push(("Waived", waived.join(", ")));
    }
    asked
}
