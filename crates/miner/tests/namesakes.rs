//! One id for several calls, and one log in several files.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::path::Path;

use miner::{Census, Options, Sources, mine};
use serde_json::{Value, json};

/// The census of some files.
fn census(files: &[Vec<Value>]) -> Census {
    let folder = tempfile::tempdir().unwrap();
    let write = |(number, lines): (usize, &Vec<Value>)| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(Path::new(folder.path()).join(format!("{number:03}.jsonl")), text).unwrap();
    };
    files.iter().enumerate().for_each(write);
    let options = Options {
        since: None,
        until: None,
        project: None,
        by: Vec::new(),
        top: 5,
        strict: false,
        rules: Vec::new(),
    };
    mine(Sources { paths: vec![folder.path().to_owned()], stream: None }, &options).unwrap()
}

fn item(second: usize, payload: &Value) -> Value {
    json!({"timestamp": format!("2031-05-02T06:00:{second:02}.000Z"), "type": "response_item", "payload": payload})
}

fn call(second: usize, id: &str, name: &str) -> Value {
    item(second, &json!({"type": "function_call", "name": name, "arguments": "{}", "call_id": id}))
}

fn came(second: usize, id: &str, output: &str) -> Value {
    item(second, &json!({"type": "function_call_output", "call_id": id, "output": output}))
}

fn session(id: &str, from: Option<&str>) -> Value {
    json!({"timestamp": "2031-05-02T06:00:00.000Z", "type": "session_meta",
        "payload": {"id": id, "forked_from_id": from, "cwd": "/srv/kiln", "cli_version": "0.171.0"}})
}

/// Calls that share an id, one of them of a tool that is not there.
fn shared_id(id: &str, from: Option<&str>) -> Vec<Value> {
    vec![
        session(id, from),
        call(1, "k1", "fire"),
        came(2, "k1", "lit"),
        call(3, "k1", "fire"),
        came(4, "k1", "lit again"),
        call(5, "k1", "glaze"),
        came(6, "k1", "unsupported call: glaze"),
        call(7, "k1", "slip"),
        came(8, "k1", "unsupported call: slip"),
    ]
}

/// Unique calls, ids used again, and the absent tools.
fn figures(census: &Census) -> (u64, u64, Vec<(String, u64)>) {
    let tools = census.absent.by_tool.clone().into_iter().collect();
    (census.calls.unique, census.calls.id_reuse, tools)
}

fn glaze_and_slip() -> Vec<(String, u64)> {
    vec![("glaze".to_owned(), 1), ("slip".to_owned(), 1)]
}

#[test]
fn an_id_used_again_in_a_session_is_another_call() {
    let census = census(&[shared_id("kiln-1", None)]);
    assert_eq!(figures(&census), (4, 3, glaze_and_slip()));
    assert_eq!((census.calls.answered, census.absent.raw_hits_by_cause.quoted), (4, 0));
}

#[test]
fn copies_and_forks_of_an_id_used_again_are_no_further_calls() {
    let log = shared_id("kiln-1", None);
    let mut fork = shared_id("kiln-2", Some("kiln-1"));
    // A fork writes all that it copies in one moment.
    for line in &mut fork {
        line["timestamp"] = json!("2031-05-03T09:00:00.000Z");
    }
    for files in [vec![log.clone(), log.clone()], vec![log.clone(), fork.clone()], vec![fork, log]] {
        assert_eq!(figures(&census(&files)), (4, 3, glaze_and_slip()));
    }
}

#[test]
fn a_log_in_pieces_has_the_same_calls_and_absent_tools() {
    let plain = vec![
        session("kiln-3", None),
        call(1, "k1", "glaze"),
        came(2, "k1", "unsupported call: glaze"),
        call(3, "k2", "fire"),
        came(4, "k2", "lit"),
    ];
    for log in [plain, shared_id("kiln-1", None)] {
        let whole = census(std::slice::from_ref(&log));
        for size in 1..log.len() {
            let pieces: Vec<Vec<Value>> = log.chunks(size).map(<[Value]>::to_vec).collect();
            let split = census(&pieces);
            assert_eq!(figures(&split), figures(&whole), "pieces of {size}");
            assert_eq!(split.calls.answered, whole.calls.answered, "pieces of {size}");
            assert_eq!(split.absent.raw_hits_by_cause, whole.absent.raw_hits_by_cause, "pieces of {size}");
            let backwards: Vec<Vec<Value>> = pieces.iter().rev().cloned().collect();
            assert_eq!(figures(&census(&backwards)), figures(&whole), "pieces of {size}, backwards");
        }
    }
}

#[test]
fn a_tool_that_shows_a_log_is_not_absent() {
    let log = vec![
        session("kiln-4", None),
        call(1, "k1", "shell"),
        came(2, "k1", "unsupported call: glaze"),
        call(3, "k2", "shell"),
        came(4, "k2", "unsupported call: glaze\nunsupported call: slip\n"),
        // Known to happen: the name stands twice in the text.
        call(5, "k3", "exec"),
        came(6, "k3", "unsupported call: execexec"),
    ];
    let census = census(&[log]);
    assert_eq!(figures(&census), (3, 0, vec![("exec".to_owned(), 1)]));
    assert_eq!((census.absent.raw_hits, census.absent.raw_hits_by_cause.quoted), (4, 3));
}

fn span(id: &str, second: u64, attributes: &Value) -> Value {
    let attributes: Vec<Value> = attributes
        .as_object()
        .unwrap()
        .iter()
        .map(|(key, value)| json!({"key": key, "value": {"stringValue": value}}))
        .collect();
    json!({"traceId": "T1", "spanId": id, "name": "of a test", "attributes": attributes,
        "startTimeUnixNano": format!("{}", (1_900_000_000 + second) * 1_000_000_000)})
}

fn run(id: &str, second: u64, name: &str, result: &str) -> Value {
    span(
        id,
        second,
        &json!({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name,
            "gen_ai.tool.call.id": "k1", "gen_ai.tool.call.result": result}),
    )
}

fn asked(id: &str, second: u64, name: &str) -> Value {
    let said = json!([{"role": "assistant", "parts": [{"type": "tool_call", "id": "k1", "name": name}]}]);
    span(id, second, &json!({"gen_ai.operation.name": "chat", "gen_ai.output.messages": said.to_string()}))
}

fn export(spans: &[Value]) -> Value {
    json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
}

#[test]
fn spans_of_one_call_id_are_calls_of_their_own() {
    let spans = [run("s1", 1, "glaze", "Unknown tool: glaze"), run("s2", 2, "slip", "Unknown tool: slip")];
    let lines: Vec<Value> = spans.iter().map(|span| export(std::slice::from_ref(span))).collect();
    for files in [vec![vec![export(&spans)]], vec![lines.clone()], vec![lines.clone(), lines]] {
        assert_eq!(figures(&census(&files)), (2, 1, glaze_and_slip()));
    }
}

#[test]
fn a_call_that_is_asked_for_in_two_layers_and_run_is_one() {
    let spans = [asked("s1", 1, "fire"), asked("s2", 2, "fire"), run("s3", 3, "fire", "lit")];
    assert_eq!(figures(&census(&[vec![export(&spans)]])), (1, 0, vec![]));
    let lines: Vec<Value> = spans.iter().map(|span| export(std::slice::from_ref(span))).collect();
    assert_eq!(figures(&census(&[lines])), (1, 0, vec![]));
}

/// A conversation in Anthropic's form with one call, and what came back for it.
fn conversation(name: &str, result: &str, is_error: Option<bool>) -> Vec<Value> {
    let mut block = json!({"type": "tool_result", "tool_use_id": "k1", "content": result});
    if let Some(is_error) = is_error {
        block["is_error"] = json!(is_error);
    }
    let call = json!({"type": "tool_use", "id": "k1", "name": name, "input": {}});
    vec![json!({"model": "wren-1", "messages": [
        {"role": "user", "content": "Fire the kiln."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [block]},
    ]})]
}

#[test]
fn a_result_without_an_error_mark_reports_nothing_where_the_format_has_one() {
    for (mark, events) in [(Some(true), 1), (Some(false), 0), (None, 0)] {
        let census = census(&[conversation("glaze", "Unknown tool: glaze", mark)]);
        assert_eq!((census.calls.unique, census.absent.unique), (1, events), "{mark:?}");
    }
}

#[test]
fn words_that_are_not_looked_for_are_counted_with_their_event() {
    for words in ["Tool 'glaze' not found.", "Unknown tool: glaze"] {
        let census = census(&[conversation("glaze", words, Some(true))]);
        assert_eq!((census.absent.unique, census.absent.raw_hits), (1, 1), "{words}");
        assert_eq!(census.absent.raw_hits_by_cause.event, 1, "{words}");
    }
    let log = vec![
        session("kiln-5", None),
        call(1, "k1", "glaze"),
        came(2, "k1", "unsupported custom tool call: glaze"),
    ];
    let census = census(&[log.clone(), log]);
    let causes = &census.absent.raw_hits_by_cause;
    assert_eq!((census.absent.unique, census.absent.raw_hits), (1, 2));
    assert_eq!((causes.event, causes.replay), (1, 1));
}

#[test]
fn a_name_of_any_length_is_one() {
    let name = "glaze".repeat(20_000);
    let log = vec![
        session("kiln-6", None),
        call(1, "k1", &name),
        came(2, "k1", &format!("unsupported call: {name}")),
    ];
    assert_eq!(figures(&census(&[log])), (1, 0, vec![(name.clone(), 1)]));
    let log = conversation(&name, &format!("Tool '{name}' not found."), Some(true));
    assert_eq!(figures(&census(&[log])), (1, 0, vec![(name, 1)]));
}

#[test]
fn more_events_than_calls_of_the_most_frequent_tools_are_no_share() {
    let mut log = vec![session("kiln-7", None)];
    for (number, name) in ["glaze", "slip", "fire", "throw", "wedge", "trim"].iter().enumerate() {
        log.push(call(2 * number + 1, &format!("k{number}"), name));
        log.push(came(2 * number + 2, &format!("k{number}"), &format!("unsupported call: {name}")));
    }
    let census = census(&[log]);
    let over = census.rates.iter().find(|rate| rate.name == "absent_tool_over_top_5").unwrap();
    assert_eq!((over.numerator, over.denominator, over.share, over.one_in), (6, 5, None, None));
}

#[test]
fn a_log_of_pi_in_pieces_has_the_same_absent_tools() {
    let line = |number: usize, message: Value| {
        json!({"type": "message", "id": format!("n{number}"), "timestamp": format!("2031-05-02T06:00:{number:02}.000Z"),
            "message": message})
    };
    let call = json!({"type": "toolCall", "id": "k1", "name": "glaze", "arguments": {}});
    let log = vec![
        json!({"type": "session", "id": "kiln-8", "timestamp": "2031-05-02T06:00:00.000Z", "cwd": "/srv/kiln"}),
        line(1, json!({"role": "assistant", "content": [call]})),
        line(
            2,
            json!({"role": "toolResult", "toolCallId": "k1", "toolName": "glaze", "isError": true,
                "content": [{"type": "text", "text": "Tool glaze not found"}]}),
        ),
    ];
    let whole = census(std::slice::from_ref(&log));
    assert_eq!(figures(&whole), (1, 0, vec![("glaze".to_owned(), 1)]));
    let pieces: Vec<Vec<Value>> = log.chunks(2).map(<[Value]>::to_vec).collect();
    assert_eq!(figures(&census(&pieces)), figures(&whole));
}
