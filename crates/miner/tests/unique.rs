//! Whatever copies, orders and pieces the logs of some sessions lie about in, each act counts once.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::path::{Path, PathBuf};

use miner::{Options, Sources, mine};
use proptest::prelude::*;
use serde_json::{Value, json};

const TOOLS: &[&str] = &["Moor", "Hoist", "Stow", "Weigh"];

/// What came back for a call.
#[derive(Debug, Clone, Copy)]
enum Came {
    Well,
    Error,
    Absent,
    Withheld,
    Refused,
    Nothing,
}

/// One turn of a session: some calls in one message, and whether words of a refusal follow.
#[derive(Debug, Clone)]
struct Turn {
    calls: Vec<(usize, Came)>,
    by_sub_agent: bool,
    refuses: bool,
}

/// A session, and how many lines of the one before it begins with, as one that resumes it does.
#[derive(Debug, Clone)]
struct Session {
    turns: Vec<Turn>,
    resumes: Option<usize>,
}

fn sessions() -> impl Strategy<Value = Vec<Session>> {
    let came = prop_oneof![
        4 => Just(Came::Well),
        1 => Just(Came::Error),
        1 => Just(Came::Absent),
        1 => Just(Came::Withheld),
        1 => Just(Came::Refused),
        1 => Just(Came::Nothing),
    ];
    let calls = prop::collection::vec((0..TOOLS.len(), came), 0..4);
    let turn = (calls, prop::bool::weighted(0.2), prop::bool::weighted(0.2))
        .prop_map(|(calls, by_sub_agent, refuses)| Turn { calls, by_sub_agent, refuses });
    let session = (prop::collection::vec(turn, 1..5), prop::option::weighted(0.4, 1..12_usize))
        .prop_map(|(turns, resumes)| Session { turns, resumes });
    prop::collection::vec(session, 1..4)
}

/// How the lines of the sessions lie about: where each log is cut, which pieces stand twice, and in which order.
fn mess() -> impl Strategy<Value = (Vec<usize>, Vec<bool>, u64)> {
    let cuts = prop::collection::vec(1..40_usize, 0..4);
    (cuts, prop::collection::vec(any::<bool>(), 16), any::<u64>())
}

/// The lines of a session. Call ids are small numbers, so unrelated sessions have the same.
fn lines(session: &Session, number: usize) -> Vec<Value> {
    let mut lines: Vec<Value> = Vec::new();
    let name = format!("session-{number}");
    let line = |lines: &Vec<Value>, kind: &str, is_side: bool, message: Value| {
        let at = lines.len();
        json!({"type": kind, "sessionId": name, "uuid": format!("{name}-{at}"), "isSidechain": is_side,
            "cwd": "/srv/quay", "version": "2.1.112",
            "timestamp": format!("2031-03-{:02}T07:{at:02}:00.000Z", number + 1), "message": message})
    };
    for (turn, of) in session.turns.iter().enumerate() {
        let id = |call: usize| format!("t{turn}-{call}");
        let message = format!("{name}-m{turn}");
        for (call, (tool, _)) in of.calls.iter().enumerate() {
            let block = json!({"type": "tool_use", "id": id(call), "name": TOOLS[*tool], "input": {}});
            let message = json!({"id": message, "role": "assistant", "content": [block]});
            lines.push(line(&lines, "assistant", of.by_sub_agent, message));
        }
        for (call, (tool, came)) in of.calls.iter().enumerate() {
            let absent = format!("<tool_use_error>Error: No such tool available: {}", TOOLS[*tool]);
            let (text, is_error) = match came {
                Came::Well => ("up".to_owned(), false),
                Came::Error => ("Exit code 1".to_owned(), true),
                Came::Absent => (format!("{absent}</tool_use_error>"), true),
                Came::Withheld => {
                    let tool = TOOLS[*tool];
                    let clause = format!("{tool} exists but is not enabled in this context.");
                    (
                        format!(
                            "{absent}. {clause} Use one of the available tools instead.</tool_use_error>"
                        ),
                        true,
                    )
                }
                Came::Refused => {
                    let text = "InputValidationError: Moor failed due to the following issue:\nThe required parameter `at` is missing";
                    (format!("<tool_use_error>{text}</tool_use_error>"), true)
                }
                Came::Nothing => continue,
            };
            let block = json!({"tool_use_id": id(call), "type": "tool_result", "content": text, "is_error": is_error});
            let mut answer =
                line(&lines, "user", of.by_sub_agent, json!({"role": "user", "content": [block]}));
            answer["toolUseResult"] = json!(text);
            lines.push(answer);
        }
        if of.refuses {
            let text = json!([{"type": "text", "text": "There is no `splice` tool in this session."}]);
            let message = json!({"id": format!("{message}-said"), "role": "assistant", "content": text, "stop_reason": "end_turn"});
            lines.push(line(&lines, "assistant", of.by_sub_agent, message));
        }
    }
    lines
}

/// The logs of the sessions, whole.
fn logs(sessions: &[Session]) -> Vec<Vec<Value>> {
    let mut logs: Vec<Vec<Value>> = Vec::new();
    for (number, session) in sessions.iter().enumerate() {
        let mut log = Vec::new();
        if let (Some(taken), Some(before)) = (session.resumes, logs.last()) {
            // A copy keeps everything but the session.
            for line in before.iter().take(taken) {
                let mut line: Value = line.clone();
                line["sessionId"] = json!(format!("session-{number}"));
                log.push(line);
            }
        }
        log.extend(lines(session, number));
        logs.push(log);
    }
    logs
}

fn written(folder: &Path, pieces: &[&[Value]]) -> Vec<PathBuf> {
    let write = |(number, lines): (usize, &&[Value])| {
        let path = folder.join(format!("{number}.jsonl"));
        std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        path
    };
    pieces.iter().enumerate().map(write).collect()
}

/// The unique counts.
fn unique(paths: Vec<PathBuf>) -> Value {
    let options = Options {
        since: None,
        until: None,
        project: None,
        by: Vec::new(),
        top: 5,
        strict: false,
        rules: Vec::new(),
    };
    let census = mine(Sources { paths, stream: None }, &options).unwrap();
    let (calls, absent) = (census.calls, census.absent);
    json!([
        [calls.unique, calls.answered, calls.error_results, calls.results_without_call, calls.id_reuse],
        [calls.distinct_ids, calls.by_sub_agents, absent.unique, census.owed.unique],
        calls.by_tool,
        absent.by_tool,
        absent.by_state,
        absent.by_clause,
        census.argument_errors,
        census.owed.by_kind,
        census.window.sessions,
        census.rates,
    ])
}

/// Moves things about, by a number alone.
fn shuffled<T>(mut things: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed;
    for last in (1..things.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        things.swap(last, (state >> 33) as usize % (last + 1));
    }
    things
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn copies_orders_and_pieces_change_no_unique_count(
        sessions in sessions(),
        (cuts, twice, seed) in mess(),
    ) {
        let logs = logs(&sessions);
        let folder = tempfile::tempdir().unwrap();
        let whole: Vec<&[Value]> = logs.iter().map(Vec::as_slice).filter(|log| !log.is_empty()).collect();
        let once = unique(written(folder.path(), &whole));

        let mut pieces: Vec<&[Value]> = Vec::new();
        for log in whole {
            let mut rest = log;
            for cut in &cuts {
                let (piece, others) = rest.split_at((*cut).min(rest.len()));
                pieces.push(piece);
                rest = others;
            }
            pieces.push(rest);
        }
        pieces.retain(|piece| !piece.is_empty());
        let copies: Vec<&[Value]> =
            pieces.iter().zip(twice.iter().cycle()).filter(|(_, twice)| **twice).map(|(piece, _)| *piece).collect();
        pieces.extend(copies);
        let pieces = shuffled(pieces, seed);
        let mess = tempfile::tempdir().unwrap();
        prop_assert_eq!(unique(written(mess.path(), &pieces)), once);
    }
}
