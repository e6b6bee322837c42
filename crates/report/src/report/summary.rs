//! The run as a whole: what the caller knows of it, what it cost, what has to be said first.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use scorer::Scorecard;
use serde::{Deserialize, Serialize};
use transcript::{CellId, Cost, EndpointProperties, ErrorCause, Header, Known, ServedVerdict, Usage};

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
    /// The cap on what this sitting may cost, where it had one.
    pub max_cost: Option<Cost>,
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
    /// Responses that were taken from a cache or from recordings in place of a request: no draw of this run. Their
    /// latencies and tokens are those of when they were fresh.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub kept_responses: u64,
    /// Tokens over all trials, as far as the endpoint counted them. Absent: it never did.
    pub tokens: Option<Usage>,
    /// What they cost, by the prices that the record holds. Absent: no target has a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<RunCost>,
    /// Times that the run was taken up again.
    pub resumed: u64,
    /// The line of the record that was torn and skipped.
    pub torn_line: Option<u64>,
}

impl RunSummary {
    /// `120 responses from disk`; none where all are fresh.
    pub(crate) fn kept_words(&self) -> Option<String> {
        (self.kept_responses > 0).then(|| format!("{} from disk", counted(self.kept_responses, "response")))
    }

    pub(super) fn of(facts: RunFacts, usage: UsageTotals, cost: Option<RunCost>) -> Self {
        Self {
            folder: facts.folder,
            window: facts.window,
            wall_ms: facts.wall_ms,
            requests: usage.requests,
            kept_responses: usage.kept,
            tokens: usage.tokens,
            cost: cost.map(|cost| RunCost { cap: facts.max_cost, ..cost }),
            resumed: facts.resumed,
            torn_line: facts.torn_line,
        }
    }
}

/// What a run cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunCost {
    /// Dollars, for the targets that have a price and whose endpoints count tokens.
    pub spent: Cost,
    /// The cap on this sitting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<Cost>,
    /// Targets that are not in it: without a price, or with an endpoint that does not count tokens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

impl RunCost {
    pub(super) fn of(header: &Header, of_cell: &BTreeMap<CellId, Usage>) -> Option<Self> {
        let mut by_target: IndexMap<&str, (Usage, bool)> = IndexMap::new();
        for cell in &header.cells {
            let Some(usage) = of_cell.get(&cell.id) else { continue };
            let (sum, simulated) = by_target.entry(&cell.target.0).or_default();
            sum.add(usage);
            *simulated = header.targets.get(&cell.target).is_some_and(|target| target.simulated);
        }
        let mut cost = Self { spent: Cost::default(), cap: None, without: Vec::new() };
        let mut priced = false;
        for (name, (usage, simulated)) in by_target {
            let target = header.targets.iter().find(|(id, _)| &*id.0 == name).map(|(_, target)| target);
            match target.and_then(|target| target.price.as_ref()).and_then(|price| price.cost(&usage)) {
                Some(spent) => {
                    cost.spent = cost.spent.plus(spent);
                    priced = true;
                }
                None if simulated => {}
                None => cost.without.push(name.to_owned()),
            }
        }
        priced.then_some(cost)
    }

    /// `$74.90 of $90.00`, and what is not in it.
    pub(crate) fn words(&self) -> String {
        let mut words = self.spent.to_string();
        if let Some(cap) = self.cap {
            words.push_str(&format!(" of {cap}"));
        }
        if !self.without.is_empty() {
            words.push_str(&format!(" without {}", crate::text_safe::cropped(&self.without.join(", "), 40)));
        }
        words
    }
}

/// What gateways answered in models' places, in words: `2 an error served as the assistant's words`.
pub(crate) fn cause_words(causes: &IndexMap<String, u64>) -> Option<String> {
    let words = [
        (ErrorCause::ErrorText, "an error served as the assistant's words"),
        (ErrorCause::Fallback, "answered by another model"),
    ];
    let parts: Vec<String> = words
        .iter()
        .filter_map(|(cause, words)| Some(format!("{} {words}", count(*causes.get(cause.as_str())?))))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
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
    /// Of the trials with `endpoint_error`, those in which a gateway answered in the model's place: `error_text`, an
    /// error served as the assistant's words; `fallback`, another model.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub causes: IndexMap<String, u64>,
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
pub(super) fn notes(
    facts: &RunFacts,
    trials: &TrialCounts,
    scorecards: &[Scorecard],
    identity: &Identity,
) -> Vec<String> {
    let mut notes = Vec::new();
    if trials.scored == 0 {
        notes.push("nothing was measured: no trial was scored".to_owned());
    }
    notes.extend(hidden_names(identity));
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

/// Targets at whose endpoints calls of tools that are not offered cannot be seen, and why.
fn hidden_names(identity: &Identity) -> impl Iterator<Item = String> {
    identity.targets.iter().filter(|(_, target)| target.endpoint.hides_names()).map(|(id, target)| {
        let why = match target.endpoint.constrains_names {
            Known::Yes => {
                "names are constrained to offered ones, so that an invention comes out as another tool"
            }
            Known::No | Known::Unknown => {
                "unknown names are filtered or rewritten by the server, so that none is ever seen"
            }
        };
        format!("unknown-tool is censored on {id}: {why}")
    })
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
