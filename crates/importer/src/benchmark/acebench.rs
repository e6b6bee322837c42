//! ACEBench: `data_special_irrelevant.json` and `data_special_incomplete.json`, with the answers in `possible_answer/`. All
//! are JSON Lines; a conversation is one text.

use std::collections::HashMap;

use probes::{EarlierWords, MissingArguments, Task};
use serde_json::Value;

use super::{Benchmark, Beside};
use crate::case::{Case, Made, Opened, Part, Read, task, text};
use crate::function::Function;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "acebench",
    title: "ACEBench",
    licence: "MIT",
    summary: &[
        "special_irrelevant: no function fits; a call is an over-call",
        "special_incomplete: the words leave out what a call requires",
    ],
    beside: &[Beside { when: "data_", folder: "possible_answer", all: false }],
    quarantine: None,
    read,
};

const IRRELEVANT: Part = Part { name: "irrelevant", kinds: &["no_tool_needed"] };
const INCOMPLETE: Part = Part { name: "incomplete", kinds: &["missing_argument"] };

fn read(files: &[Opened<'_>]) -> Read {
    let mut read = Read::default();
    let mut answers = HashMap::new();
    let mut cases = Vec::new();
    for file in files {
        for record in &file.records.records {
            let value = &record.value;
            match (value.get("id").and_then(Value::as_str), value.get("question"), value.get("ground_truth"))
            {
                (Some(id), Some(_), _) => cases.push((id, value, file.place(record))),
                (Some(id), None, Some(truth)) => _ = answers.insert(id, truth),
                _ => {
                    let why = "no ACEBench record: expected `id` with `question` (a case) or `ground_truth` (an answer)";
                    read.unreadable.push((file.place(record), why.to_owned()));
                }
            }
        }
    }
    for (id, case, place) in cases {
        let prefix = id.rsplit_once('_').map_or(id, |(prefix, _)| prefix);
        let made = match prefix {
            "special_irrelevant" => irrelevant(case),
            "special_incomplete" => incomplete(case, answers.get(id).copied()),
            other => Err(format!(
                "cases of the sort `{other}` are not imported; imported are special_irrelevant, special_incomplete"
            )),
        };
        read.cases.push(Case { id: id.to_owned(), place, made });
    }
    read
}

fn irrelevant(case: &Value) -> Result<Made, String> {
    let mut task = request(case)?;
    task.answerable_without_tool = true;
    Ok(Made { part: &IRRELEVANT, functions: Function::list(case.get("function"))?, task })
}

/// The answer names the function and what the words leave out of its arguments.
fn incomplete(case: &Value, truth: Option<&Value>) -> Result<Made, String> {
    let functions = Function::list(case.get("function"))?;
    let truth = truth.ok_or("no answer to it was given; it stands in `possible_answer/`")?;
    let call = truth.as_object().filter(|call| call.len() == 1).and_then(|call| call.iter().next());
    let Some((name, left_out)) = call else {
        return Err(
            "its answer is not one function with what is left out, `{FUNCTION: [ARGUMENTS]}`".to_owned()
        );
    };
    let Some(function) = functions.iter().find(|function| function.name == *name) else {
        return Err(format!("its answer names `{name}`, which it does not offer"));
    };
    let names: Vec<&str> =
        left_out.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::trim).collect();
    let of: Vec<String> =
        names.iter().filter(|name| function.requires(name)).map(|name| (*name).to_owned()).collect();
    if of.is_empty() {
        let why =
            "what its words leave out is a part of an argument, and none that the function itself requires";
        return Err(why.to_owned());
    }
    let mut task = request(case)?;
    task.tool = Some(name.clone());
    task.kinds.missing_argument = Some(MissingArguments { of });
    Ok(Made { part: &INCOMPLETE, functions, task })
}

/// `user: ...` and `system: ...`, which is the assistant; the last is the request. What the time is stands beside it.
fn request(case: &Value) -> Result<Task, String> {
    let mut said: Vec<(bool, String)> = Vec::new();
    for line in text(case, "question")?.split_inclusive('\n') {
        let speaker = [("user:", true), ("system:", false)];
        let begins = speaker.iter().find_map(|(mark, user)| Some((*user, line.strip_prefix(mark)?)));
        match (begins, said.last_mut()) {
            (Some((user, words)), _) => said.push((user, words.to_owned())),
            (None, Some((_, words))) => words.push_str(line),
            (None, None) => said.push((true, line.to_owned())),
        }
    }
    let Some((true, words)) = said.pop().map(|(user, words)| (user, words.trim().to_owned())) else {
        return Err("its last words are not the user's".to_owned());
    };
    let mut task = task(&words);
    let earlier = said.into_iter().map(|(user, words)| match user {
        true => EarlierWords::User(words.trim().to_owned()),
        false => EarlierWords::Assistant(words.trim().to_owned()),
    });
    task.history = earlier.collect();
    task.system = text(case, "time").ok().map(|time| time.trim().to_owned());
    Ok(task)
}
