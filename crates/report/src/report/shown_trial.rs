//! A trial as reports show it: what was asked, what the model emitted, what was found, with the words that
//! show it. Failing trials are shown in every report, both sides of a changed probe in a comparison.

use indexmap::IndexMap;
use probes::{Offered, ProbeLine, RateName, RightBehaviour};
use schemars::JsonSchema;
use scorer::{Behaviour, DecoyOutcome, Evidence, Judgement, OutcomeVerdict, Verdict};
use serde::{Deserialize, Serialize};
use transcript::{CellId, Fingerprint, Message, ProbeId, Role, ToolName, Trial, TrialId};

use super::excerpt::{Budget, short};
use super::judged_call;
use super::{EmittedTurn, Excerpt};

/// Characters that all texts of one trial may take up together.
const TRIAL_BUDGET: usize = 4_000;
/// Characters of one message of the request.
const MESSAGE_LIMIT: usize = 1_500;
/// Characters of one quote.
const QUOTE_LIMIT: usize = 400;
/// Findings, messages and offered names that a report carries; the others are counted.
const FINDING_LIMIT: usize = 20;
const MESSAGE_COUNT_LIMIT: usize = 12;
const OFFERED_LIMIT: usize = 40;

/// One trial with everything that it was judged by.
#[derive(Debug, Clone, Copy)]
pub struct JudgedTrial<'a> {
    /// Its probe.
    pub probe: &'a ProbeLine,
    /// The hash of its cell's system prompt.
    pub prompt: Option<&'a Fingerprint>,
    /// What each step offers.
    pub offered: &'a [Offered],
    /// The trial.
    pub trial: &'a Trial,
    /// What the scorer says of it.
    pub verdict: &'a Verdict,
}

/// One trial, its texts cut to what a report can carry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShownTrial {
    /// `probe/cell/repeat`.
    pub trial: String,
    /// The probe.
    pub probe: ProbeId,
    /// The cell.
    pub cell: CellId,
    /// The repeat, from 0.
    pub repeat: u32,
    /// The kind.
    pub kind: String,
    /// The arm; none for the base arm.
    pub arm: Option<String>,
    /// The task.
    pub task: String,
    /// Whether any finding in it fails the gate.
    pub must_pass: bool,
    /// What a good answer would have done.
    pub right: RightBehaviour,
    /// Whether it did.
    pub behaviour: Behaviour,
    /// The rates whose event it has, in the order in which rates are shown.
    pub events: Vec<RateName>,
    /// The events with their evidence.
    pub findings: Vec<ShownFinding>,
    /// Findings that are not listed.
    pub more_findings: u64,
    /// The outcome, where the wanted tool is not offered.
    pub outcome: Option<ShownOutcome>,
    /// The tool that the task wants.
    pub tool: Option<ToolName>,
    /// Whether it is offered.
    pub tool_offered: bool,
    /// What was offered in the first step.
    pub offering: Offering,
    /// Hash of the cell's system prompt.
    pub prompt: Option<Fingerprint>,
    /// What the arm appends to the system prompt.
    pub prompt_suffix: Option<Excerpt>,
    /// The messages of the request, those of later steps after those of the first; without the system prompt.
    pub messages: Vec<ShownMessage>,
    /// Messages before them that are not listed.
    pub more_messages: u64,
    /// The turns.
    pub turns: Vec<EmittedTurn>,
    /// Turns that are not listed.
    pub more_turns: u64,
    /// Turns whose response was taken from those kept on disk, in place of a request.
    #[serde(default)]
    pub kept_turns: u64,
}

/// What a request offered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Offering {
    /// How many tools.
    pub total: u64,
    /// Their names in the order in which they were offered, the first forty.
    pub names: Vec<ToolName>,
    /// Names that the probe takes out of the catalog.
    pub without: Vec<ToolName>,
    /// Near-named decoys among the offered ones.
    pub decoys: Vec<ToolName>,
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said; of a message of calls, their names and arguments.
    pub text: Excerpt,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShownFinding {
    /// The rate that it counts in.
    pub rate: RateName,
    /// What was found.
    pub message: Excerpt,
    /// What helps, in one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fix: String,
    /// The words that show it.
    pub evidence: Evidence,
}

/// The outcome of a decoy-family trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownOutcome {
    /// The label.
    pub label: DecoyOutcome,
    /// The words that show it.
    pub evidence: Option<Evidence>,
}

impl ShownTrial {
    /// Whether a tool of this name was called in it, on any surface.
    #[must_use]
    pub fn calls(&self, name: &str) -> bool {
        self.turns.iter().flat_map(|turn| &turn.calls).any(|call| call.name.text == name)
    }

    /// Puts the trial into a cell of another name, as joined records have it.
    #[must_use]
    pub fn in_cell(mut self, cell: CellId) -> Self {
        self.cell = cell;
        let (probe, cell) = (self.probe.clone(), self.cell.clone());
        self.trial = TrialId { probe, cell, repeat: self.repeat }.to_string();
        self
    }

    /// Whether a verdict is that of a failing trial: it is scored, and has an event of a rate or a wrong
    /// behaviour.
    #[must_use]
    pub fn is_failing(verdict: &Verdict) -> bool {
        verdict.status == transcript::TrialStatus::Scored
            && (verdict.behaviour == Behaviour::Wrong || !events(&verdict.checks).is_empty())
    }

    /// The trial as reports show it, its texts cut to what a report can carry.
    #[must_use]
    pub fn of(judged: &JudgedTrial<'_>) -> Self {
        let JudgedTrial { probe, prompt, offered, trial, verdict } = *judged;
        // The order is that of importance: what comes first gets its share of the budget first.
        let mut budget = Budget::new(TRIAL_BUDGET);
        let (findings, more_findings) = findings(&verdict.checks, &mut budget);
        let outcome = verdict.decoy_outcome.as_ref().map(outcome);
        let (messages, more_messages) = messages(probe, &mut budget);
        let (mut turns, more_turns) = judged_call::turns(trial, verdict, &mut budget);
        for turn in &mut turns {
            // What a finding says need not be said twice.
            turn.why.retain(|why| !findings.iter().any(|finding| finding.message.text == *why));
        }
        Self {
            trial: trial.id().to_string(),
            probe: trial.probe.clone(),
            cell: trial.cell.clone(),
            repeat: trial.repeat,
            kind: probe.kind.clone(),
            arm: probe.arm.as_ref().map(ToString::to_string),
            task: probe.task.clone(),
            must_pass: probe.expectation.must_pass,
            right: probe.expectation.right,
            behaviour: verdict.behaviour,
            events: events(&verdict.checks),
            findings,
            more_findings,
            outcome,
            tool: probe.expectation.tool.clone(),
            tool_offered: probe.expectation.offered,
            offering: offering(probe, offered),
            prompt: prompt.cloned(),
            prompt_suffix: probe.prompt_suffix.as_deref().map(|text| budget.take(text, MESSAGE_LIMIT)),
            messages,
            more_messages,
            turns,
            more_turns,
            kept_turns: trial.turns.iter().filter(|turn| turn.kept.is_some()).count() as u64,
        }
    }
}

pub(super) fn events(checks: &IndexMap<RateName, Judgement>) -> Vec<RateName> {
    let mut rates: Vec<RateName> = checks
        .iter()
        .filter(|(_, judgement)| {
            matches!(judgement, Judgement::Judged { events, .. }
                if events.trials > 0 || events.calls > 0 || events.arguments > 0)
        })
        .map(|(&rate, _)| rate)
        .collect();
    rates.sort_unstable();
    rates
}

fn findings(checks: &IndexMap<RateName, Judgement>, budget: &mut Budget) -> (Vec<ShownFinding>, u64) {
    let mut all: Vec<(RateName, &scorer::Finding)> = Vec::new();
    for (&rate, judgement) in checks {
        if let Judgement::Judged { findings, .. } = judgement {
            all.extend(findings.iter().map(|finding| (rate, finding)));
        }
    }
    all.sort_by_key(|(rate, _)| *rate);
    let more = all.len().saturating_sub(FINDING_LIMIT) as u64;
    let shown = all
        .into_iter()
        .take(FINDING_LIMIT)
        .map(|(rate, finding)| ShownFinding {
            rate,
            message: budget.take(&finding.message, QUOTE_LIMIT),
            fix: short(&finding.fix, QUOTE_LIMIT),
            evidence: evidence(&finding.evidence),
        })
        .collect();
    (shown, more)
}

fn outcome(verdict: &OutcomeVerdict) -> ShownOutcome {
    ShownOutcome { label: verdict.label, evidence: verdict.evidence.as_ref().map(evidence) }
}

/// Evidence with its words cut.
fn evidence(evidence: &Evidence) -> Evidence {
    Evidence {
        turn: evidence.turn,
        call: evidence.call,
        call_id: evidence.call_id.as_ref().map(|id| transcript::CallId(short(&id.0, 80))),
        path: evidence.path.as_deref().map(|path| short(path, 120)),
        quote: short(&evidence.quote, QUOTE_LIMIT),
    }
}

fn offering(probe: &ProbeLine, offered: &[Offered]) -> Offering {
    let first = offered.first().map(Offered::tools).unwrap_or_default();
    Offering {
        total: first.len() as u64,
        names: first.iter().take(OFFERED_LIMIT).map(|tool| tool.name.clone()).collect(),
        without: probe.catalog.edits.without.clone(),
        decoys: probe.expectation.decoys.clone(),
    }
}

/// The last messages: what was asked stands at the end.
fn messages(probe: &ProbeLine, budget: &mut Budget) -> (Vec<ShownMessage>, u64) {
    let all: Vec<&Message> =
        probe.messages.iter().chain(probe.later.iter().flat_map(|step| &step.messages)).collect();
    let more = all.len().saturating_sub(MESSAGE_COUNT_LIMIT);
    let shown = all
        .into_iter()
        .skip(more)
        .map(|message| ShownMessage { role: message.role, text: budget.take(&text(message), MESSAGE_LIMIT) })
        .collect();
    (shown, more as u64)
}

fn text(message: &Message) -> String {
    let mut text = message.text().to_owned();
    for call in &message.tool_calls {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(call.name.as_str());
        text.push_str(&call.arguments);
    }
    text
}
