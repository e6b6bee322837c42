//! Small cells whose trials are laid down by hand, and the figures that come of them: numerator, denominator, what is
//! left out and why, the interval. The figures were worked out apart from this program.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;
use probes::{Arm, Expectation, RateName};
use scorer::{Behaviour, ByUnit, FirstTurn, Judgement, PlannedProbe, Tally, Unscored, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use transcript::{CellId, EndpointProperties, Fingerprint, Known, ProbeId, TrialStatus, Usage};

use crate::error::Failure;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    name: String,
    rate: RateName,
    #[serde(default = "one")]
    repeats: u32,
    #[serde(default)]
    names_hidden: bool,
    /// By probe (`task.kind[.variant][@arm]`; `task*N.kind` stands for N tasks): a word for each repeat that ended
    /// (`word*N` for N of them).
    trials: IndexMap<String, Vec<String>>,
    /// Trials that come once more, or that nobody planned: probe, repeat, word.
    #[serde(default)]
    again: Vec<(String, u32, String)>,
    /// Members of the rate.
    rate_is: BTreeMap<String, Value>,
    /// Members of the scorecard.
    #[serde(default)]
    card_is: BTreeMap<String, Value>,
}

fn one() -> u32 {
    1
}

/// What the cells came to.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figures {
    /// Figures that were compared.
    pub(crate) figures: u64,
    /// Those that are not as they were worked out.
    pub(crate) wrong: u64,
    /// Which, in words.
    pub(crate) mistakes: Vec<String>,
}

impl Figures {
    /// Adds every cell up and compares.
    ///
    /// # Errors
    /// None but a mistake in the file, which tests would have seen.
    pub(crate) fn compare() -> Result<Self, Failure> {
        let cells: Vec<Cell> = serde_yaml::from_str(include_str!("figures.yaml"))?;
        let mut sum = Self { figures: 0, wrong: 0, mistakes: Vec::new() };
        for cell in &cells {
            let (rate, card) = counted(cell, false)?;
            // A run that is scored in parts must come to the same.
            sum.note(counted(cell, true)? == (rate.clone(), card.clone()), || {
                format!("{}: two halves added up come to something else", cell.name)
            });
            let rate_is = cell.rate_is.iter().map(|(member, value)| (member, value, &rate));
            let card_is = cell.card_is.iter().map(|(member, value)| (member, value, &card));
            for (member, wanted, found) in rate_is.chain(card_is) {
                let got = found.get(member).unwrap_or(&Value::Null);
                sum.note(is_near(wanted, got), || {
                    format!("{}: {member} is {got}, and should be {wanted}", cell.name)
                });
            }
        }
        Ok(sum)
    }

    fn note(&mut self, holds: bool, mistake: impl FnOnce() -> String) {
        self.figures += 1;
        if !holds {
            self.wrong += 1;
            self.mistakes.push(mistake());
        }
    }
}

/// The rate and the scorecard of a cell, as JSON; with `halved`, every other repeat goes to a tally of its own, and
/// both are added up at the end.
fn counted(cell: &Cell, halved: bool) -> Result<(Value, Value), Failure> {
    let mut planned = Vec::new();
    for (id, words) in &cell.trials {
        let words: Vec<&str> = words.iter().flat_map(|word| repeated(word)).collect();
        for id in each(id) {
            planned.push((probe(&id, cell.rate)?, words.clone()));
        }
    }
    let endpoint = EndpointProperties {
        constrains_names: if cell.names_hidden { Known::Yes } else { Known::No },
        ..EndpointProperties::default()
    };
    let plan = planned.iter().map(|(probe, _)| probe.clone());
    let mut tally = Tally::new(CellId("c0".into()), plan, cell.repeats, endpoint);
    let mut other = tally.fork();
    let mut add = |probe: &ProbeId, repeat: u32, word: &str| -> Result<(), Failure> {
        let half = if halved && repeat % 2 == 1 { &mut other } else { &mut tally };
        half.add(probe, repeat, &verdict(word, cell.rate)?, Usage::default());
        Ok(())
    };
    for (probe, words) in &planned {
        for (repeat, word) in (0..).zip(words) {
            add(&probe.id, repeat, word)?;
        }
    }
    for (id, repeat, word) in &cell.again {
        add(&ProbeId::new(id), *repeat, word)?;
    }
    let card = tally.merge(other).finish();
    let rate = card.rate(cell.rate).map(serde_json::to_value).transpose()?;
    Ok((rate.unwrap_or_default(), serde_json::to_value(&card)?))
}

/// `task*3.kind`: three tasks.
fn each(id: &str) -> Vec<String> {
    let parts = id.split_once('*').and_then(|(task, rest)| Some((task, rest.split_once('.')?)));
    match parts.and_then(|(task, (count, kind))| Some((task, count.parse::<u32>().ok()?, kind))) {
        None => vec![id.to_owned()],
        Some((task, count, kind)) => (0..count).map(|at| format!("{task}-{at}.{kind}")).collect(),
    }
}

/// `clean*3`: three trials.
fn repeated(word: &str) -> impl Iterator<Item = &str> {
    let several = word.split_once('*').and_then(|(word, count)| Some((word, count.parse().ok()?)));
    let (word, count) = several.unwrap_or((word, 1));
    std::iter::repeat_n(word, count)
}

fn probe(id: &str, rate: RateName) -> Result<PlannedProbe, Failure> {
    let (base, arm) = id.split_once('@').map_or((id, None), |(base, arm)| (base, Some(arm)));
    let mut parts = base.split('.');
    let (task, kind) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let place = if RateName::HEADLINE.contains(&rate) { "headline" } else { "side" };
    let expectation: Expectation = serde_json::from_value(
        json!({ place: [rate], "right": "call", "tool": "lend_book", "offered": true }),
    )?;
    Ok(PlannedProbe {
        id: ProbeId::new(id),
        question_hash: Fingerprint::of(base.as_bytes()),
        sent_hash: Fingerprint::of(id.as_bytes()),
        kind: kind.to_owned(),
        arm: arm.map(|arm| Arm(arm.to_owned())),
        task: task.to_owned(),
        source: "written".to_owned(),
        draft: false,
        expectation: Arc::new(expectation),
        offered: Vec::new(),
    })
}

/// What is found in a trial, by its word: `event`, `late` (not in the first turn), `clean`, `silent` (no call is
/// made), `idle` (the occasion did not arise), `not_judged`, else a reason for being unscored, or a status.
fn verdict(word: &str, rate: RateName) -> Result<Verdict, Failure> {
    let judged = |trials: u32, calls: u32, events: u32, first: bool| Judgement::Judged {
        opportunities: ByUnit { trials, calls, arguments: 3 * calls },
        events: ByUnit { trials: events, calls: events, arguments: 2 * events },
        first_turn: FirstTurn { event: first },
        findings: Vec::new(),
    };
    let read = |word: &str| Value::String(word.to_owned());
    let (status, judgement) = match word {
        "event" => (TrialStatus::Scored, Some(judged(1, 2, 1, true))),
        "late" => (TrialStatus::Scored, Some(judged(1, 2, 1, false))),
        "clean" => (TrialStatus::Scored, Some(judged(1, 2, 0, false))),
        "silent" => (TrialStatus::Scored, Some(judged(1, 0, 0, false))),
        "idle" => (TrialStatus::Scored, Some(judged(0, 0, 0, false))),
        "not_judged" => (TrialStatus::Scored, None),
        word => match serde_json::from_value::<Unscored>(read(word)) {
            Ok(reason) => (TrialStatus::Scored, Some(Judgement::Unscored(reason))),
            // What was found in a trial that is not scored must not count.
            Err(_) => (serde_json::from_value(read(word))?, Some(judged(1, 2, 1, true))),
        },
    };
    Ok(Verdict {
        status,
        turns: Vec::new(),
        checks: judgement.map(|judgement| (rate, judgement)).into_iter().collect(),
        behaviour: Behaviour::Right,
        decoy_outcome: None,
        after_unknown: None,
    })
}

/// Equal; of numbers, to the tenth digit.
fn is_near(wanted: &Value, got: &Value) -> bool {
    match (wanted, got) {
        (Value::Array(wanted), Value::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| is_near(wanted, got))
        }
        _ => match (wanted.as_f64(), got.as_f64()) {
            (Some(wanted), Some(got)) => (wanted - got).abs() <= 1e-10 * wanted.abs().max(1.0),
            _ => wanted == got,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_value_and_all_else_as_it_is() {
        assert!(is_near(&json!([1, 0.25]), &json!([1.0, 0.25 + 1e-13])));
        assert!(!is_near(&json!(0.25), &json!(0.2501)) && !is_near(&json!([1]), &json!([1, 2])));
        assert!(is_near(&Value::Null, &Value::Null) && !is_near(&json!(0), &Value::Null));
    }

    #[test]
    fn several_tasks_may_stand_in_one_line() {
        assert_eq!(each("lamp*2.decoy"), ["lamp-0.decoy", "lamp-1.decoy"]);
        assert_eq!(each("lamp.decoy@boast"), ["lamp.decoy@boast"]);
        assert_eq!(
            repeated("clean*2").chain(repeated("late")).collect::<Vec<_>>(),
            ["clean", "clean", "late"]
        );
    }
}
