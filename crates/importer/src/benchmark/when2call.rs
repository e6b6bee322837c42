//! When2Call: `when2call_test_mcq.jsonl` and the subset `when2call_test_llm_judge.jsonl`. Functions, and the call among the
//! answers, are texts of JSON.

use indexmap::IndexMap;
use probes::{ArgumentRule, MissingArguments};
use serde_json::Value;
use transcript::ToolName;

use super::Benchmark;
use crate::case::{Case, Made, Opened, Part, Read, task, text};
use crate::function::Function;
use crate::words::give;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "when2call",
    title: "When2Call",
    licence: "CC-BY-4.0",
    summary: &[
        "cannot_answer: the function that fits is taken away; refusing or asking is right",
        "request_for_info: the words leave out what a call requires",
        "tool_call: the call can be made",
        "direct: no call is needed",
    ],
    beside: &[],
    quarantine: None,
    read,
};

const CANNOT_ANSWER: Part = Part { name: "cannot-answer", kinds: &["decoy"] };
const NOTHING_FITS: Part = Part { name: "nothing-fits", kinds: &["no_tool_needed"] };
const REQUEST_FOR_INFO: Part = Part { name: "request-for-info", kinds: &["missing_argument"] };
const TOOL_CALL: Part = Part { name: "tool-call", kinds: &["control"] };

fn read(files: &[Opened<'_>]) -> Read {
    let mut read = Read::default();
    for file in files {
        for record in &file.records.records {
            let value = &record.value;
            let id = value.get("uuid").and_then(Value::as_str).filter(|id| !id.is_empty());
            match id.filter(|_| value.get("correct_answer").is_some()) {
                Some(id) => {
                    read.cases.push(Case { id: id.to_owned(), place: file.place(record), made: made(value) })
                }
                None => {
                    let why =
                        "no When2Call test record: expected `uuid`, `question`, `correct_answer`, `tools`";
                    read.unreadable.push((file.place(record), why.to_owned()));
                }
            }
        }
    }
    read
}

fn made(case: &Value) -> Result<Made, String> {
    let functions = Function::list(case.get("tools"))?;
    match text(case, "correct_answer")? {
        "cannot_answer" => cannot_answer(case, functions),
        "request_for_info" => request_for_info(case, functions),
        "tool_call" => tool_call(case, functions),
        "direct" => nothing_fits(case, functions),
        other => Err(format!(
            "its `correct_answer` is `{other}`; known are cannot_answer, request_for_info, tool_call, direct"
        )),
    }
}

/// The function that was taken away comes back into the catalog, and its decoy takes it away.
fn cannot_answer(case: &Value, functions: Vec<Function>) -> Result<Made, String> {
    let Ok(whole) = Function::list(case.get("orig_tools")) else { return nothing_fits(case, functions) };
    let taken: Vec<&str> = whole
        .iter()
        .filter(|one| !functions.iter().any(|left| left.name == one.name))
        .map(|one| one.name.as_str())
        .collect();
    let meant = target(case);
    let Some(tool) = taken.iter().find(|name| meant.as_deref() == Some(**name)).or(taken.first()) else {
        return nothing_fits(case, functions);
    };
    let mut task = task(text(case, "question")?);
    task.tool = Some((*tool).to_owned());
    task.substitutes = taken.iter().filter(|name| *name != tool).map(|name| ToolName::new(name)).collect();
    Ok(Made { part: &CANNOT_ANSWER, functions: whole.clone(), task })
}

fn nothing_fits(case: &Value, functions: Vec<Function>) -> Result<Made, String> {
    let mut task = task(text(case, "question")?);
    task.answerable_without_tool = true;
    Ok(Made { part: &NOTHING_FITS, functions, task })
}

fn request_for_info(case: &Value, functions: Vec<Function>) -> Result<Made, String> {
    let left_out = text(case, "held_out_param")?;
    let meant = target(case);
    let function = functions
        .iter()
        .find(|function| meant.as_deref() == Some(&function.name))
        .or_else(|| functions.iter().find(|function| function.requires(left_out)));
    let Some(function) = function.filter(|function| function.requires(left_out)) else {
        return Err(format!("no function that it could mean requires `{left_out}`, its `held_out_param`"));
    };
    let mut task = task(text(case, "question")?);
    task.tool = Some(function.name.clone());
    task.kinds.missing_argument = Some(MissingArguments { of: vec![left_out.to_owned()] });
    Ok(Made { part: &REQUEST_FOR_INFO, functions, task })
}

/// Of the call's values those that the words give are held against a call; the others are one way of putting it.
fn tool_call(case: &Value, functions: Vec<Function>) -> Result<Made, String> {
    let words = text(case, "question")?;
    let meant = target(case);
    let Some(function) = functions.iter().find(|function| meant.as_deref() == Some(&function.name)) else {
        return Err("its call is of no function that it offers".to_owned());
    };
    let mut task = task(words);
    task.tool = Some(function.name.clone());
    let arguments = call(case).and_then(|call| call.get("arguments").cloned());
    let given = arguments.as_ref().and_then(Value::as_object).into_iter().flatten();
    let given =
        given.filter(|(name, value)| function.arguments().any(|one| one == *name) && give(words, value));
    let rules: IndexMap<String, ArgumentRule> =
        given.map(|(name, value)| (name.clone(), ArgumentRule::Equals(value.clone()))).collect();
    task.arguments = rules;
    Ok(Made { part: &TOOL_CALL, functions, task })
}

/// The call among the answers.
fn call(case: &Value) -> Option<Value> {
    let written = case.get("answers")?.get("tool_call")?;
    match written.as_str() {
        Some(text) => serde_json::from_str(text).ok(),
        None => Some(written.clone()),
    }
}

/// The function that is meant: `target_tool`, a name or a function, else that of the call among the answers.
fn target(case: &Value) -> Option<String> {
    let name = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    let told = case.get("target_tool").and_then(|told| match told {
        Value::String(text) => {
            serde_json::from_str::<Value>(text).ok().and_then(|one| name(&one)).or_else(|| Some(text.clone()))
        }
        other => name(other),
    });
    told.or_else(|| call(case).as_ref().and_then(name))
}
