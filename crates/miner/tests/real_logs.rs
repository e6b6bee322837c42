//! Real session logs, file by file, against counts that another program made of them. They lie beside the
//! checkout; where they do not, this test says so and checks nothing.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test says so by failing")]

use std::path::{Path, PathBuf};

use miner::{Census, Options, Sources, mine};
use serde_json::{Map, Value, json};

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

fn census(paths: Vec<PathBuf>) -> Census {
    let options = Options {
        since: None,
        until: None,
        project: None,
        by: Vec::new(),
        top: 5,
        strict: false,
        rules: Vec::new(),
    };
    mine(Sources { paths, stream: None }, &options).unwrap()
}

/// What the other program counted, under the census's own names. `raw` is by format.
fn same(census: &Census, expected: &Map<String, Value>) -> Vec<String> {
    let calls = &census.calls;
    let get = |key: &str| expected.get(key).cloned();
    let by_tool = |counts: &miner::ByName| {
        let sorted: std::collections::BTreeMap<_, _> = counts.iter().collect();
        json!(sorted)
    };
    let number_of_results = calls.answered + calls.results_without_call;
    let held = [
        ("files", json!(census.window.files)),
        ("lines", json!(census.window.lines)),
        ("bad_lines", json!(census.skipped.bad_lines)),
        ("json_but_not_object_lines", json!(census.skipped.non_object_lines)),
        ("unique_tool_calls", json!(calls.unique)),
        ("by_tool", by_tool(&calls.by_tool)),
        ("tool_use_occurrences", json!(calls.occurrences)),
        ("call_occurrences", json!(calls.occurrences)),
        ("tool_use_replays", json!(calls.occurrences - calls.unique)),
        ("unique_tool_results", json!(number_of_results)),
        ("unique_results", json!(number_of_results)),
        ("tool_result_replays", json!(calls.result_occurrences - number_of_results)),
        ("calls_only_in_agent_progress", json!(calls.only_mirrored)),
        ("calls_in_both", json!(calls.mirrored)),
        ("unique_absent_tool_events", json!(census.absent.unique)),
        ("absent_by_tool", by_tool(&census.absent.by_tool)),
        ("absent_by_clause", by_tool(&census.absent.by_clause)),
        ("raw_string_hits_no_such_tool", json!(census.absent.raw_hits)),
        ("raw_string_hits_unsupported_call", json!(census.absent.raw_hits)),
        ("unique_input_validation_errors", json!(census.argument_errors.unique)),
        ("unique_is_error_results", json!(calls.error_results)),
        ("unique_error_results", json!(calls.error_results)),
        ("calls_without_result", json!(calls.unanswered)),
        ("results_without_call", json!(calls.results_without_call)),
        ("events_with_action", json!(calls.by_action.values().sum::<u64>())),
        ("by_action", by_tool(&calls.by_action)),
        ("distinct_ids_in_history", json!(calls.distinct_ids)),
    ];
    held.iter()
        .filter_map(|(key, got)| {
            let wanted = get(key)?;
            (wanted != *got).then(|| format!("{key}: {got}, and not {wanted}"))
        })
        .collect()
}

#[test]
fn every_file_counts_as_another_program_counted_it() {
    let Some(folder) = shared("real/logs") else { return };
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("EXPECTED.json")).unwrap()).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, wanted) in expected["real"].as_object().unwrap() {
        count += 1;
        let census = census(vec![folder.join(path)]);
        for difference in same(&census, wanted.as_object().unwrap()) {
            wrong.push(format!("{path}: {difference}"));
        }
    }
    let session = "claude-code/spotter-session";
    for wanted in expected["real_groups"].as_object().unwrap().values() {
        let census = census(vec![folder.join(session)]);
        for difference in same(&census, wanted.as_object().unwrap()) {
            wrong.push(format!("{session}: {difference}"));
        }
    }
    assert!(count > 12);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The calls of chat messages, counted by walking the records alone.
fn calls_by_walking(path: &Path, messages: &str) -> (u64, Vec<Value>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut calls = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let record: Value = serde_json::from_str(line).unwrap();
        for message in record[messages].as_array().unwrap() {
            calls.extend(message["tool_calls"].as_array().into_iter().flatten().cloned());
        }
    }
    (calls.len() as u64, calls)
}

#[test]
fn ids_that_repeat_are_different_calls() {
    let Some(path) = shared("real/benchmarks/tau-bench/gpt-4o-airline_subset.jsonl") else { return };
    let (walked, calls) = calls_by_walking(&path, "traj");
    let ids: std::collections::HashSet<&str> = calls.iter().filter_map(|call| call["id"].as_str()).collect();
    let census = census(vec![path]);
    assert_eq!((walked, ids.len()), (572, 119));
    assert_eq!((census.calls.unique, census.calls.distinct_ids), (572, 119));
    assert_eq!((census.calls.id_reuse, census.absent.unique), (453, 0));
    // Of the 100 trajectories those with a call.
    assert_eq!(census.window.sessions, 89);
    let rate = &census.rates[0];
    assert!(rate.high_if_independent.unwrap() < rate.high.unwrap());
}

#[test]
fn routers_are_unwrapped_and_inner_errors_are_found() {
    let Some(path) = shared("real/benchmarks/livemcpbench/claude-sonnet-4_traces_subset.jsonl") else {
        return;
    };
    let (walked, calls) = calls_by_walking(&path, "messages");
    let routed = calls.iter().filter(|call| call["function"]["name"] == "execute-tool");
    let mut inner = std::collections::BTreeMap::new();
    for call in routed {
        let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
        let name = arguments["tool_name"].as_str().unwrap_or_default().to_owned();
        *inner.entry(name).or_insert(0_u64) += 1;
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut inner_errors, mut outer_errors) = (0, 0);
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        for message in
            record["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "tool")
        {
            let content = message["content"].as_str().unwrap();
            let is_outer = content.ends_with("isError=True");
            outer_errors += u64::from(is_outer);
            inner_errors += u64::from(!is_outer && content.contains("\"isError\": true"));
        }
    }
    let census = census(vec![path]);
    assert_eq!((walked, census.calls.unique), (479, 479));
    let counted: std::collections::BTreeMap<String, u64> =
        census.calls.inner_by_tool.clone().into_iter().collect();
    assert_eq!(counted, inner);
    assert_eq!((census.calls.inner_errors, census.calls.error_results), (inner_errors, outer_errors));
    assert!(inner_errors > 50 && outer_errors > 10);
}
