//! The Berkeley Function Calling Leaderboard: cases in `BFCL_v4_SORT.json`, answers in `possible_answer/`, functions of
//! the multi-turn cases in `multi_turn_func_doc/`. All are JSON Lines, and tell themselves apart by their keys.

mod single;
mod turns;

use std::collections::HashMap;

use serde_json::Value;

use super::{Benchmark, Beside};
use crate::case::{Case, Made, Opened, Part, Read, text};
use crate::function::Function;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "bfcl",
    title: "BFCL",
    licence: "Apache-2.0",
    summary: &[
        "irrelevance, live_irrelevance: no function fits; a call is an over-call",
        "simple, multiple, live_simple, live_multiple: one call, and the arguments that may be left out",
        "multi_turn_miss_func: a function is held out, then offered again",
        "multi_turn_miss_param: a required value comes only in the next turn",
    ],
    beside: &[
        Beside { when: "BFCL", folder: "possible_answer", all: false },
        Beside { when: "multi_turn", folder: "multi_turn_func_doc", all: true },
    ],
    quarantine: Some(include_str!("../quarantine/bfcl.yaml")),
    read,
};

/// What is needed beside a case.
#[derive(Default)]
struct Companions<'a> {
    answers: HashMap<&'a str, &'a Value>,
    /// By the file's name without its ending.
    documented: HashMap<&'a str, Vec<Function>>,
}

/// A sort of case, told by its id.
struct Sort {
    /// The id without the number behind it.
    prefix: &'static str,
    part: &'static Part,
    make: fn(&Value, &Companions<'_>) -> Result<Made, String>,
}

const IRRELEVANCE: Part = Part { name: "irrelevance", kinds: &["no_tool_needed"] };
const LIVE_IRRELEVANCE: Part = Part { name: "live-irrelevance", kinds: &["no_tool_needed"] };
const SINGLE_CALL: &[&str] = &["control", "optional_argument"];
const SIMPLE: Part = Part { name: "simple", kinds: SINGLE_CALL };
const MULTIPLE: Part = Part { name: "multiple", kinds: SINGLE_CALL };
const LIVE_SIMPLE: Part = Part { name: "live-simple", kinds: SINGLE_CALL };
const LIVE_MULTIPLE: Part = Part { name: "live-multiple", kinds: SINGLE_CALL };
const MISS_FUNC: Part = Part { name: "miss-func", kinds: &["stale_tool"] };
const MISS_PARAM: Part = Part { name: "miss-param", kinds: &["missing_argument"] };

const SORTS: &[Sort] = &[
    Sort { prefix: "irrelevance", part: &IRRELEVANCE, make: |case, _| single::without_call(case) },
    Sort { prefix: "live_irrelevance", part: &LIVE_IRRELEVANCE, make: |case, _| single::without_call(case) },
    Sort { prefix: "simple", part: &SIMPLE, make: single::one_call },
    Sort { prefix: "simple_python", part: &SIMPLE, make: single::one_call },
    Sort { prefix: "multiple", part: &MULTIPLE, make: single::one_call },
    Sort { prefix: "live_simple", part: &LIVE_SIMPLE, make: single::one_call },
    Sort { prefix: "live_multiple", part: &LIVE_MULTIPLE, make: single::one_call },
    Sort { prefix: "multi_turn_miss_func", part: &MISS_FUNC, make: turns::held_out },
    Sort { prefix: "multi_turn_miss_param", part: &MISS_PARAM, make: turns::unsaid },
];

fn read(files: &[Opened<'_>]) -> Read {
    let mut read = Read::default();
    let mut companions = Companions::default();
    let mut cases = Vec::new();
    for file in files {
        read.version = read.version.or_else(|| version(file.file.file_name()));
        for record in &file.records.records {
            let value = &record.value;
            let has = |key| value.get(key).is_some();
            let id = value.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
            match id {
                Some(id) if has("question") => cases.push((id, value, file.place(record))),
                Some(id) if has("ground_truth") => _ = companions.answers.insert(id, value),
                _ if has("name") && has("parameters") => match Function::of(value) {
                    Ok(function) => companions.documented.entry(stem(file)).or_default().push(function),
                    Err(why) => read.unreadable.push((file.place(record), why)),
                },
                _ => {
                    let why = "no BFCL record: expected `id` with `question` (a case) or `ground_truth` (an answer), \
                               or `name` with `parameters` (a function)";
                    read.unreadable.push((file.place(record), why.to_owned()));
                }
            }
        }
    }
    let mut with_history = 0;
    for (id, value, place) in cases {
        let made = made(id, value, &companions);
        with_history += usize::from(made.as_ref().is_ok_and(|made| turns::is_canned(&made.task)));
        read.cases.push(Case { id: id.to_owned(), place, made });
    }
    if with_history > 0 {
        read.notes.push(format!(
            "{with_history} cases begin in a later turn: what was done before is a canned answer, without calls"
        ));
    }
    read
}

fn made(id: &str, case: &Value, companions: &Companions<'_>) -> Result<Made, String> {
    let prefix = id.rsplit_once('_').map_or(id, |(prefix, _)| prefix);
    if prefix == "live_relevance" {
        return Err(
            "its label says that some function fits, and neither which nor with what arguments".to_owned()
        );
    }
    let Some(sort) = SORTS.iter().find(|sort| sort.prefix == prefix) else {
        let known: Vec<&str> = SORTS.iter().map(|sort| sort.prefix).collect();
        return Err(format!(
            "cases of the sort `{prefix}` are not imported; imported are {}",
            known.join(", ")
        ));
    };
    let mut made = (sort.make)(case, companions)?;
    made.part = sort.part;
    Ok(made)
}

/// `v4` of `BFCL_v4_multiple.json`.
fn version(file: &str) -> Option<String> {
    let rest = file.strip_prefix("BFCL_")?;
    let word = rest.split('_').next()?;
    word.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok()).then(|| word.to_owned())
}

fn stem<'a>(file: &Opened<'a>) -> &'a str {
    let name = file.file.file_name();
    name.split('.').next().unwrap_or(name)
}

/// The messages of one turn, as role and text.
fn messages(turn: &Value) -> Result<Vec<(&str, &str)>, String> {
    let Some(messages) = turn.as_array() else { return Err("a turn is no list of messages".to_owned()) };
    let one = |message| match text(message, "role")? {
        role @ ("user" | "assistant" | "system") => Ok((role, text(message, "content")?)),
        role => Err(format!("a message has the role `{role}`")),
    };
    messages.iter().map(one).collect()
}

fn turns_of(case: &Value) -> Result<&Vec<Value>, String> {
    let turns = case.get("question").and_then(Value::as_array);
    turns.ok_or_else(|| "its `question` is no list of turns".to_owned())
}

/// The answer to a case.
fn answer<'a>(case: &Value, companions: &Companions<'a>) -> Result<&'a Value, String> {
    let answer = companions.answers.get(text(case, "id")?).and_then(|answer| answer.get("ground_truth"));
    answer.ok_or_else(|| "no answer to it was given; it stands in `possible_answer/`".to_owned())
}
