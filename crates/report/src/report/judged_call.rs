//! What a model emitted, turn by turn and call by call, beside what the scorer says of it and what the call
//! was answered with.

use schemars::JsonSchema;
use scorer::{ArgumentFinding, CallVerdict, Class, FormatFinding, NameForm, Surface, TurnVerdict, Verdict};
use serde::{Deserialize, Serialize};
use transcript::{
    Arguments, CallId, EmittedName, ExecutedCall, Item, Outcome, OutcomeReason, ToolCall, ToolName,
    ToolResult, Trial, Turn, TurnKind,
};

use super::Excerpt;
use super::excerpt::{Budget, short};

/// Characters of one text, of one name, of one call's arguments, of one result.
const TEXT_LIMIT: usize = 1_500;
const NAME_LIMIT: usize = 200;
const ARGUMENTS_LIMIT: usize = 1_200;
const RESULT_LIMIT: usize = 500;
/// Turns of a trial, calls of a turn, argument findings of a call that a report carries.
const TURN_LIMIT: usize = 12;
const CALL_LIMIT: usize = 20;
const FINDING_LIMIT: usize = 20;

/// One turn as emitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EmittedTurn {
    /// What kind of answer it is.
    pub kind: TurnKind,
    /// The visible text; absent where there is none.
    pub text: Option<Excerpt>,
    /// The reasoning, where the body shows it.
    pub reasoning: Option<Excerpt>,
    /// A refusal in a field of its own.
    pub refusal: Option<Excerpt>,
    /// The calls: structured ones, malformed ones, and calls in text or reasoning.
    pub calls: Vec<EmittedCall>,
    /// Calls that are not listed.
    pub more_calls: u64,
    /// Why it is judged as it is, in words.
    pub why: Vec<String>,
}

/// One call as emitted, and what the scorer says of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EmittedCall {
    /// Its id.
    pub id: Option<CallId>,
    /// Its name as it arrived; empty where there is none, and then `format_findings` says which way.
    pub name: Excerpt,
    /// Its namespace as it arrived.
    pub namespace: Option<String>,
    /// Its arguments as they arrived; of a call that is no structured one, absent: the text holds them.
    pub arguments: Option<Excerpt>,
    /// Where it stood.
    pub surface: Surface,
    /// Its class; none for a call that nobody can read.
    pub class: Option<Class>,
    /// Why the name misses.
    pub name_form: Option<NameForm>,
    /// The offered name that is nearest to an unknown one.
    pub nearest_tool: Option<ToolName>,
    /// The tool that was meant.
    pub intended_tool: Option<ToolName>,
    /// What the dispatcher ran, where that differs.
    pub executed_as: Option<ToolName>,
    /// The name was valid in an earlier turn.
    pub seen_in_history: bool,
    /// Format faults, root cause first.
    pub format_findings: Vec<FormatFinding>,
    /// Argument findings.
    pub argument_findings: Vec<ArgumentFinding>,
    /// Argument findings that are not listed.
    pub more_argument_findings: u64,
    /// What it was answered with.
    pub result: Option<ShownResult>,
}

/// What a call was answered with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownResult {
    /// The text that the model was given.
    pub text: Excerpt,
    /// Whether it was given as an error.
    pub is_error: bool,
    /// How the call ended by the executor log; absent where there is none.
    pub outcome: Option<Outcome>,
    /// Why it was refused.
    pub reason: Option<OutcomeReason>,
}

/// The turns of a trial, and how many are not listed.
pub(super) fn turns(trial: &Trial, verdict: &Verdict, budget: &mut Budget) -> (Vec<EmittedTurn>, u64) {
    let shown = trial
        .turns
        .iter()
        .zip(&verdict.turns)
        .enumerate()
        .take(TURN_LIMIT)
        .map(|(number, (turn, judged))| {
            let ran = trial.executor.as_deref().unwrap_or_default();
            let ran = ran.iter().filter(|call| call.turn as usize == number).collect();
            emitted_turn(turn, judged, ran, budget)
        })
        .collect();
    (shown, trial.turns.len().saturating_sub(TURN_LIMIT) as u64)
}

fn emitted_turn(
    turn: &Turn,
    judged: &TurnVerdict,
    ran: Vec<&ExecutedCall>,
    budget: &mut Budget,
) -> EmittedTurn {
    let mut structured = turn.observed.calls();
    let mut malformed = turn.observed.items.iter().filter_map(|item| match item {
        Item::MalformedCall(text) => Some(text.as_str()),
        _ => None,
    });
    let mut place = 0;
    let calls = judged
        .calls
        .iter()
        .take(CALL_LIMIT)
        .map(|verdict| {
            let mut call = emitted_call(verdict, budget);
            match verdict.surface {
                Surface::Structured => {
                    if let Some(emitted) = structured.next() {
                        fill(&mut call, emitted, budget);
                        call.result = result(turn.results.get(place), ran.get(place).copied(), budget);
                    }
                    place += 1;
                }
                Surface::FinishMessage => {
                    call.arguments = malformed.next().map(|text| budget.take(text, ARGUMENTS_LIMIT));
                }
                Surface::Content | Surface::Reasoning => {}
            }
            call
        })
        .collect();
    EmittedTurn {
        kind: judged.turn,
        calls,
        more_calls: judged.calls.len().saturating_sub(CALL_LIMIT) as u64,
        text: joined(turn, budget, |item| match item {
            Item::Text(text) => Some(text),
            _ => None,
        }),
        refusal: joined(turn, budget, |item| match item {
            Item::Refusal(text) => Some(text),
            _ => None,
        }),
        reasoning: joined(turn, budget, |item| match item {
            Item::Reasoning(text) => Some(text),
            _ => None,
        }),
        why: judged.why.iter().take(4).map(|why| short(why, 300)).collect(),
    }
}

/// What the scorer says of a call.
fn emitted_call(verdict: &CallVerdict, budget: &mut Budget) -> EmittedCall {
    let findings = &verdict.argument_findings;
    EmittedCall {
        id: None,
        name: budget.take(&verdict.emitted_name, NAME_LIMIT),
        namespace: None,
        arguments: None,
        surface: verdict.surface,
        class: verdict.class,
        name_form: verdict.name_form,
        nearest_tool: verdict.nearest_tool.clone(),
        intended_tool: verdict.intended_tool.clone(),
        executed_as: verdict.executed_as.clone(),
        seen_in_history: verdict.seen_in_history,
        format_findings: verdict.format_findings.iter().take(FINDING_LIMIT).copied().collect(),
        argument_findings: findings.iter().take(FINDING_LIMIT).map(shortened).collect(),
        more_argument_findings: findings.len().saturating_sub(FINDING_LIMIT) as u64,
        result: None,
    }
}

/// What the body says of a call.
fn fill(call: &mut EmittedCall, emitted: &ToolCall, budget: &mut Budget) {
    call.id = emitted.id.as_ref().map(|id| CallId(short(&id.0, 80)));
    call.namespace = emitted.namespace.as_deref().map(|namespace| short(namespace, NAME_LIMIT));
    if let EmittedName::Other(raw) = &emitted.name {
        call.name = budget.take(raw.as_str(), NAME_LIMIT);
    }
    if emitted.arguments != Arguments::Missing {
        call.arguments = Some(budget.take(emitted.arguments.text(), ARGUMENTS_LIMIT));
    }
}

fn result(
    given: Option<&ToolResult>,
    ran: Option<&ExecutedCall>,
    budget: &mut Budget,
) -> Option<ShownResult> {
    let given = given?;
    // The log's rows and the results stand in the same order; one of another name is not this call's.
    let ran = ran.filter(|call| call.tool == given.name);
    Some(ShownResult {
        text: budget.take(&given.content, RESULT_LIMIT),
        is_error: given.is_error,
        outcome: ran.map(|call| call.outcome),
        reason: ran.and_then(|call| call.reason),
    })
}

fn shortened(finding: &ArgumentFinding) -> ArgumentFinding {
    ArgumentFinding {
        path: short(&finding.path, 120),
        note: finding.note.as_deref().map(|note| short(note, 300)),
        ..finding.clone()
    }
}

/// The pieces of one sort, joined by line breaks; none where there is none.
fn joined(turn: &Turn, budget: &mut Budget, pick: impl Fn(&Item) -> Option<&String>) -> Option<Excerpt> {
    let pieces: Vec<&str> = turn.observed.items.iter().filter_map(&pick).map(String::as_str).collect();
    match pieces.as_slice() {
        [] => None,
        [text] => Some(budget.take(text, TEXT_LIMIT)),
        several => Some(budget.take(&several.join("\n"), TEXT_LIMIT)),
    }
}
