//! Small trials written by hand, with what must be found in them: for each check one honest and one faulty at least.
//! A test judges them, and so does whoever wants to see that the checks of this build can fail and can pass. To add a
//! case is to add an entry to a file of `tests/cases`.
//!
//! A turn is written short: `calls` are `[name, arguments]` with arguments as an object, or as the text that
//! arrived; `text`, `reasoning`, `finish`, `malformed`, `error`, `results` and `step` say the rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use probes::{Expectation, Offered, RateName};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use transcript::{
    Arguments, CallId, EmittedName, ExecutedCall, Item, Message, Observed, ProviderError, RawJson, Stop,
    StopReason, Tool, ToolCall, ToolName, ToolResult, TrialStatus, Turn, Usage,
};

use crate::argument::Schemas;
use crate::score::score;
use crate::verdict::{Judgement, RequestFacts, Subject, SubjectStep, Verdict};

/// A case as it was judged.
#[derive(Debug, Clone)]
pub struct JudgedCase {
    /// The file that it stands in: mostly a check's name.
    pub file: &'static str,
    /// Its name, once in a file.
    pub name: String,
    /// Whether nothing is to be found by the check that its file is about.
    pub honest: bool,
    /// What was found.
    pub verdict: Verdict,
    /// Every way in which that differs from what the case says.
    pub mistakes: Vec<String>,
}

/// The files, in the order of their names.
const FILES: &[(&str, &str)] = &[
    ("accepted_broken_read", include_str!("../tests/cases/accepted_broken_read.json")),
    ("accounts", include_str!("../tests/cases/accounts.json")),
    ("argument_values", include_str!("../tests/cases/argument_values.json")),
    ("behaviour", include_str!("../tests/cases/behaviour.json")),
    ("decoy_outcome", include_str!("../tests/cases/decoy_outcome.json")),
    ("false_failure", include_str!("../tests/cases/false_failure.json")),
    ("format", include_str!("../tests/cases/format.json")),
    ("hallucinated_argument", include_str!("../tests/cases/hallucinated_argument.json")),
    ("ignored_result", include_str!("../tests/cases/ignored_result.json")),
    ("inner_unknown", include_str!("../tests/cases/inner_unknown.json")),
    ("missing_call", include_str!("../tests/cases/missing_call.json")),
    ("misused_tool", include_str!("../tests/cases/misused_tool.json")),
    ("over_call", include_str!("../tests/cases/over_call.json")),
    ("phantom_claim", include_str!("../tests/cases/phantom_claim.json")),
    ("repeated_call", include_str!("../tests/cases/repeated_call.json")),
    ("repeated_unknown", include_str!("../tests/cases/repeated_unknown.json")),
    ("shadow_call", include_str!("../tests/cases/shadow_call.json")),
    ("status", include_str!("../tests/cases/status.json")),
    ("steps", include_str!("../tests/cases/steps.json")),
    ("swallowed_failure", include_str!("../tests/cases/swallowed_failure.json")),
    ("text_call", include_str!("../tests/cases/text_call.json")),
    ("turn_counts", include_str!("../tests/cases/turn_counts.json")),
    ("undisclosed_call", include_str!("../tests/cases/undisclosed_call.json")),
    ("unknown_tool", include_str!("../tests/cases/unknown_tool.json")),
];

/// Judges every case.
///
/// # Errors
/// A file cannot be read as cases, by its name: tests would have seen it.
pub fn judge_cases() -> Result<Vec<JudgedCase>, String> {
    let mut judged = Vec::new();
    for (file, text) in FILES {
        let cases: Vec<Case> = serde_json::from_str(text).map_err(|error| format!("{file}: {error}"))?;
        for case in cases {
            let verdict = judge(&case);
            let mut mistakes = mismatches(&case.expect, &verdict);
            mistakes.extend(miscounts(&verdict));
            judged.push(JudgedCase { file, name: case.name, honest: case.honest, verdict, mistakes });
        }
    }
    Ok(judged)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    honest: bool,
    /// For each step: names, or `{"name", "schema"}`.
    tools: Vec<Vec<Value>>,
    /// For each step.
    messages: Vec<Vec<Message>>,
    #[serde(default)]
    expectation: Option<Expectation>,
    #[serde(default)]
    tool_choice: Option<String>,
    #[serde(default)]
    max_tokens: Option<u64>,
    #[serde(default)]
    turn_limit: bool,
    /// What the runner made of the trial.
    #[serde(default = "scored")]
    status: TrialStatus,
    #[serde(default)]
    executor: Option<Vec<ExecutedCall>>,
    turns: Vec<ShortTurn>,
    expect: Expect,
}

fn scored() -> TrialStatus {
    TrialStatus::Scored
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ShortTurn {
    calls: Vec<(String, Value)>,
    text: Option<String>,
    reasoning: Option<String>,
    finish: Option<String>,
    malformed: Option<String>,
    error: Option<String>,
    results: Vec<String>,
    step: usize,
    output_tokens: Option<u64>,
    ids: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Expect {
    status: Option<String>,
    behaviour: Option<String>,
    /// `null`: there is none.
    #[serde(deserialize_with = "told")]
    outcome: Option<Option<String>>,
    /// Outcomes that the request rules out.
    censored: Option<Vec<String>>,
    after_unknown: Option<String>,
    /// What some finding says.
    message: Option<String>,
    /// Trials with the event, 0 or 1, or the reason for being unscored; `null`: not asked.
    checks: BTreeMap<RateName, Value>,
    /// Trials that could have had the event, 0 or 1, where a check was judged.
    occasions: BTreeMap<RateName, u32>,
    /// Whether the first turn has the event, where a check was judged.
    in_first_turn: BTreeMap<RateName, bool>,
    /// What each turn is.
    turns: Option<Vec<String>>,
    /// Members of each turn's counts.
    counts: Option<Vec<Value>>,
    /// Members of each call's verdict, all turns in a row.
    calls: Option<Vec<Value>>,
}

/// What stands there, `null` too.
fn told<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(reader).map(Some)
}

fn turn(short: &ShortTurn) -> Turn {
    let mut items = Vec::new();
    items.extend(short.reasoning.clone().map(Item::Reasoning));
    items.extend(short.text.clone().map(Item::Text));
    items.extend(short.malformed.clone().map(Item::MalformedCall));
    for (at, (name, arguments)) in short.calls.iter().enumerate() {
        let arguments = match arguments {
            Value::String(text) => Arguments::Text(text.clone()),
            other => Arguments::Text(other.to_string()),
        };
        let id = short.ids.get(at).cloned().unwrap_or_else(|| format!("call_{}_{at}", short.step));
        items.push(Item::Call(ToolCall {
            id: Some(CallId(id)),
            name: EmittedName::Text(name.clone()),
            namespace: None,
            arguments,
        }));
    }
    let finish = short
        .finish
        .clone()
        .unwrap_or_else(|| if short.calls.is_empty() { "stop".to_owned() } else { "tool_calls".to_owned() });
    let reason = match finish.as_str() {
        "stop" => StopReason::End,
        "tool_calls" => StopReason::Calls,
        "length" => StopReason::Length,
        "content_filter" => StopReason::Policy,
        _ => StopReason::Other,
    };
    let results = short.results.iter().zip(&short.calls).map(|(content, (name, _))| ToolResult {
        call_id: None,
        name: ToolName::new(name),
        content: content.clone(),
        is_error: content.starts_with("error"),
    });
    Turn {
        step: short.step,
        observed: Observed {
            items,
            stop: Some(Stop { raw: finish, reason }),
            error: short.error.clone().map(|message| ProviderError { message, ..ProviderError::default() }),
            ..Observed::default()
        },
        usage: short.output_tokens.map(|output| Usage { output: Some(output), ..Usage::default() }),
        results: results.collect(),
        ..Turn::default()
    }
}

fn offered(tools: &[Value]) -> Offered {
    let tool = |entry: &Value| {
        let mut tool = Tool::named(entry.as_str().or(entry["name"].as_str()).unwrap_or_default());
        tool.input_schema = entry.get("schema").map(RawJson::from_value);
        Arc::new(tool)
    };
    Offered::new(tools.iter().map(tool).collect())
}

fn judge(case: &Case) -> Verdict {
    let offers: Vec<Offered> = case.tools.iter().map(|tools| offered(tools)).collect();
    let steps: Vec<SubjectStep<'_>> = case
        .messages
        .iter()
        .zip(&offers)
        .map(|(messages, offered)| SubjectStep { messages, offered })
        .collect();
    let turns: Vec<Turn> = case.turns.iter().map(turn).collect();
    let subject = Subject {
        expectation: case.expectation.as_ref(),
        steps: &steps,
        turns: &turns,
        executor: case.executor.as_deref(),
        request: RequestFacts {
            tool_choice: case.tool_choice.as_deref(),
            max_tokens: case.max_tokens,
            provider: "openai_chat",
            ..RequestFacts::default()
        },
        status: case.status,
        cause: None,
        turn_limit: case.turn_limit,
    };
    score(&subject, &Schemas::default())
}

/// Every way in which a verdict differs from what is expected.
fn mismatches(expect: &Expect, verdict: &Verdict) -> Vec<String> {
    let mut wrong = Vec::new();
    let actual = json(verdict);
    let mut compare = |what: &str, expected: &Option<String>, got: &Value| {
        if let Some(expected) = expected
            && got.as_str() != Some(expected)
        {
            wrong.push(format!("{what}: expected {expected}, got {got}"));
        }
    };
    compare("status", &expect.status, &actual["status"]);
    compare("behaviour", &expect.behaviour, &actual["behaviour"]);
    compare("after_unknown", &expect.after_unknown, &actual["after_unknown"]);
    let mut same = |what: &str, expected: Value, got: &Value| {
        if *got != expected {
            wrong.push(format!("{what}: expected {expected}, got {got}"));
        }
    };
    if let Some(outcome) = &expect.outcome {
        same("outcome", json(outcome), &actual["decoy_outcome"]["label"]);
    }
    if let Some(censored) = &expect.censored {
        let none = Value::Array(Vec::new());
        let got = actual["decoy_outcome"].get("censored").unwrap_or(&none);
        same("censored", json(censored), got);
    }
    if let Some(message) = &expect.message
        && !verdict.checks.values().any(|judgement| {
            matches!(judgement, Judgement::Judged { findings, .. }
                if findings.iter().any(|finding| finding.message.contains(message)))
        })
    {
        wrong.push(format!("no finding says {message:?}"));
    }
    for (rate, expected) in &expect.checks {
        let got = match verdict.checks.get(rate) {
            None => Value::Null,
            Some(Judgement::Judged { events, .. }) => events.trials.into(),
            Some(Judgement::Unscored(reason)) => json(reason),
        };
        if got != *expected {
            wrong.push(format!("{rate}: expected {expected}, got {got}"));
        }
    }
    for (rate, expected) in &expect.occasions {
        let got = match verdict.checks.get(rate) {
            Some(Judgement::Judged { opportunities, .. }) => Some(opportunities.trials),
            _ => None,
        };
        if got != Some(*expected) {
            wrong.push(format!("{rate}: expected {expected} occasions, got {got:?}"));
        }
    }
    for (rate, expected) in &expect.in_first_turn {
        let got = match verdict.checks.get(rate) {
            Some(Judgement::Judged { first_turn, .. }) => Some(first_turn.event),
            _ => None,
        };
        if got != Some(*expected) {
            wrong.push(format!("{rate}: in the first turn: expected {expected}, got {got:?}"));
        }
    }
    if let Some(kinds) = &expect.turns {
        let got: Vec<Value> = verdict.turns.iter().map(|turn| json(&turn.turn)).collect();
        if got != kinds.iter().map(|kind| Value::from(kind.as_str())).collect::<Vec<_>>() {
            wrong.push(format!("turns: expected {kinds:?}, got {got:?}"));
        }
    }
    if let Some(counts) = &expect.counts {
        wrong.extend(unlike("turns", counts, verdict.turns.iter().map(|turn| json(&turn.counts))));
    }
    if let Some(calls) = &expect.calls {
        wrong.extend(unlike("calls", calls, verdict.turns.iter().flat_map(|turn| &turn.calls).map(json)));
    }
    wrong
}

/// Members that differ, one object after the other.
fn unlike(what: &str, expected: &[Value], got: impl Iterator<Item = Value>) -> Vec<String> {
    let mut wrong = Vec::new();
    let got: Vec<Value> = got.collect();
    if got.len() != expected.len() {
        wrong.push(format!("expected {} {what}, got {}", expected.len(), got.len()));
    }
    for (expected, got) in expected.iter().zip(&got) {
        for (key, value) in expected.as_object().into_iter().flatten() {
            let got = got.get(key).unwrap_or(&Value::Null);
            if got != value {
                wrong.push(format!("{key}: expected {value}, got {got}"));
            }
        }
    }
    wrong
}

/// Opportunities bound events, and findings are the events, each with the words that show it and what helps.
fn miscounts(verdict: &Verdict) -> Vec<String> {
    let mut wrong = Vec::new();
    for (rate, judgement) in &verdict.checks {
        let Judgement::Judged { opportunities, events, findings, first_turn } = judgement else { continue };
        // A call that is not there has no line beside the trials.
        let found = if opportunities.calls > 0 { events.calls } else { events.trials };
        let holds = events.trials <= opportunities.trials
            && events.calls <= opportunities.calls
            && events.arguments <= opportunities.arguments
            && (events.trials == 1) == (found > 0)
            && usize::try_from(found) == Ok(findings.len())
            && (!first_turn.event || events.trials == 1)
            && findings.iter().all(|finding| !finding.message.is_empty() && !finding.fix.is_empty());
        if !holds {
            wrong.push(format!("{rate}: its counts and its findings do not agree"));
        }
    }
    wrong
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_case_is_judged_as_written() {
        let judged = judge_cases().unwrap();
        let wrong: Vec<String> = judged
            .iter()
            .flat_map(|case| case.mistakes.iter().map(|what| format!("{}/{}: {what}", case.file, case.name)))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let names: BTreeSet<_> = judged.iter().map(|case| (case.file, &case.name)).collect();
        assert_eq!(names.len(), judged.len(), "two cases of a file have one name");
        for (file, _) in FILES {
            let of_file = |honest| judged.iter().any(|case| case.file == *file && case.honest == honest);
            assert!(of_file(true) && of_file(false), "{file}");
        }
    }

    #[test]
    fn every_file_of_the_folder_is_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| entry.unwrap().path().file_stem()?.to_str().map(str::to_owned))
            .collect();
        there.sort();
        assert_eq!(FILES.iter().map(|(file, _)| *file).collect::<Vec<_>>(), there);
    }
}
