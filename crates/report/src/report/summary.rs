//! The run as a whole: what the caller knows of it, what it cost, what has to be said first.

use indexmap::IndexMap;
use schemars::JsonSchema;
use scorer::Scorecard;
use serde::{Deserialize, Serialize};
use transcript::{EndpointProperties, Known, ServedVerdict, Usage};

use super::Identity;
use super::gathered::UsageTotals;
use crate::number::{count, counted};

/// What the reader of a record knows and neither its header nor its trials say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFacts {
    /// The run's folder, as a user would type it.
    pub folder: Option<String>,
    /// Whether the record has its footer.
    pub finished: bool,
    /// Start of the first and end of the last trial, RFC 3339.
    pub window: Option<(String, String)>,
    /// Milliseconds from the first request to the last answer; pauses before a resumption are the caller's
    /// to leave out.
    pub wall_ms: Option<u64>,
    /// Times that the run was taken up again.
    pub resumed: u64,
    /// The line of the record that was torn and skipped, from 1.
    pub torn_line: Option<u64>,
}

/// When the run was, how long it took, how much it used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunSummary {
    /// The run's folder.
    pub folder: Option<String>,
    /// Start of the first and end of the last trial, RFC 3339.
    pub window: Option<(String, String)>,
    /// Milliseconds from the first request to the last answer.
    pub wall_ms: Option<u64>,
    /// Requests sent, every network try counted.
    pub requests: u64,
    /// Tokens over all trials, as far as the endpoint counted them. Absent: it never did.
    pub tokens: Option<Usage>,
    /// Times that the run was taken up again.
    pub resumed: u64,
    /// The line of the record that was torn and skipped.
    pub torn_line: Option<u64>,
}

impl RunSummary {
    pub(super) fn of(facts: RunFacts, usage: UsageTotals) -> Self {
        Self {
            folder: facts.folder,
            window: facts.window,
            wall_ms: facts.wall_ms,
            requests: usage.requests,
            tokens: usage.tokens,
            resumed: facts.resumed,
            torn_line: facts.torn_line,
        }
    }
}

/// Trials over all cells. `scored` and `left_out` add up to `planned`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TrialCounts {
    /// Trials planned.
    pub planned: u64,
    /// Trials scored.
    pub scored: u64,
    /// All the others.
    pub left_out: u64,
    /// The others by reason: a status, or `not_sent`.
    pub reasons: IndexMap<String, u64>,
}

impl TrialCounts {
    pub(super) fn of(scorecards: &[Scorecard]) -> Self {
        let mut counts = Self::default();
        for card in scorecards {
            counts.planned += card.planned;
            for (status, &trials) in &card.statuses {
                if status == "scored" {
                    counts.scored += trials;
                } else if trials > 0 {
                    *counts.reasons.entry(status.clone()).or_default() += trials;
                }
            }
        }
        counts.left_out = counts.reasons.values().sum();
        // Most frequent first, and by name among equals.
        counts.reasons.sort_by(|a_name, a, b_name, b| b.cmp(a).then_with(|| a_name.cmp(b_name)));
        counts
    }
}

/// What a report on a simulated model says first and last.
pub(super) fn simulated_notice(identity: &Identity) -> String {
    let simulated: Vec<&str> =
        identity.cells.iter().filter(|cell| cell.simulated).map(|cell| cell.label.as_str()).collect();
    if simulated.len() == identity.cells.len() {
        return "SIMULATED: a scripted stand-in gave every answer; no figure here measures a model"
            .to_owned();
    }
    format!("SIMULATED: a scripted stand-in gave the answers of {}", simulated.join(", "))
}

/// What a report on an unfinished record says at its top.
pub(super) fn unfinished_notice(trials: &TrialCounts) -> String {
    let sent = trials.planned - trials.reasons.get("not_sent").copied().unwrap_or(0).min(trials.planned);
    format!("UNFINISHED: {} of {} planned trials have ended", count(sent), count(trials.planned))
}

/// What else has to be known before a figure is read.
pub(super) fn notes(facts: &RunFacts, trials: &TrialCounts, scorecards: &[Scorecard]) -> Vec<String> {
    let mut notes = Vec::new();
    if trials.scored == 0 {
        notes.push("nothing was measured: no trial was scored".to_owned());
    }
    let mut scorers: Vec<&str> = scorecards.iter().map(|card| card.scorer.as_str()).collect();
    scorers.sort_unstable();
    scorers.dedup();
    if scorers.len() > 1 {
        notes.push(format!("cells were scored by different rules: {}", scorers.join(", ")));
    }
    if trials.scored + trials.left_out != trials.planned {
        notes.push(format!(
            "the record holds {} trials and {} were planned",
            count(trials.scored + trials.left_out),
            count(trials.planned)
        ));
    }
    let duplicates: u64 = scorecards.iter().map(|card| card.duplicates).sum();
    if duplicates > 0 {
        notes.push(format!("{} more than once in the record; the first counts", stand(duplicates)));
    }
    let unplanned: u64 = scorecards.iter().map(|card| card.unplanned).sum();
    if unplanned > 0 {
        notes.push(format!("{} in the record and in no plan; nothing counts them", stand(unplanned)));
    }
    if let Some(line) = facts.torn_line {
        notes.push(format!("line {line} of the record is torn and was skipped"));
    }
    notes
}

/// `1 trial stands`, `3 trials stand`.
fn stand(trials: u64) -> String {
    format!("{} {}", counted(trials, "trial"), if trials == 1 { "stands" } else { "stand" })
}

/// What is known of how an endpoint serves tools, in words; empty where nothing is.
pub(crate) fn endpoint_words(endpoint: EndpointProperties) -> Vec<&'static str> {
    let mut words = Vec::new();
    match endpoint.sees_tools {
        Known::Yes => words.push("the tools reach the model"),
        Known::No => words.push("the tools do not reach the model"),
        Known::Unknown => {}
    }
    match endpoint.constrains_names {
        Known::Yes => words.push("names are constrained to offered ones"),
        Known::No => words.push("names are not constrained"),
        Known::Unknown => {}
    }
    match endpoint.filters_unknown_names {
        Known::Yes => words.push("unknown names are filtered out"),
        Known::No => words.push("unknown names are not filtered"),
        Known::Unknown => {}
    }
    words
}

/// A verdict on the model that answered, in words.
pub(crate) fn served_words(verdict: ServedVerdict) -> &'static str {
    match verdict {
        ServedVerdict::Equal => "as asked",
        ServedVerdict::Different => "another name than asked",
        ServedVerdict::NotVerifiable => "not verifiable: the endpoint names no model",
    }
}
