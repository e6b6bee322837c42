//! The built binary on session logs: `mine`.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use serde_json::{Value, json};

use place::{Place, code, err, out};

/// A session of Claude Code with two absent tools, one of them replayed in a resumed session.
fn logs() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path("logs")).unwrap();
    let line = |session: &str, number: u32, kind: &str, message: Value| {
        json!({"type": kind, "sessionId": session, "uuid": format!("u{number}"), "cwd": "/srv/quay",
            "timestamp": format!("2031-03-0{number}T07:00:00.000Z"), "version": "2.1.40", "message": message})
    };
    let call = |id: u32, name: &str| {
        json!({"id": format!("m{id}"), "role": "assistant", "model": "heron-2",
            "content": [{"type": "tool_use", "id": format!("t{id}"), "name": name, "input": {}}]})
    };
    let answer = |id: u32, text: &str, is_error: bool| {
        json!({"role": "user", "content":
            [{"type": "tool_result", "tool_use_id": format!("t{id}"), "content": text, "is_error": is_error}]})
    };
    let absent = "<tool_use_error>Error: No such tool available: Stow\u{1b}[2J</tool_use_error>";
    let first = |session| {
        [
            line(session, 1, "assistant", call(1, "Stow\u{1b}[2J")),
            line(session, 2, "user", answer(1, absent, true)),
            line(session, 3, "assistant", call(2, "Hoist")),
            line(session, 4, "user", answer(2, "up", false)),
        ]
    };
    let text = |lines: &[Value]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    place.write("logs/a.jsonl", &text(&first("one")));
    let more =
        [line("two", 5, "assistant", call(3, "Hoist")), line("two", 6, "user", answer(3, "up", false))];
    place.write("logs/b.jsonl", &text(&[&first("two")[..], &more[..]].concat()));
    place.write("logs/notes.txt", "nothing\n");
    place
}

#[test]
fn the_screen_says_each_act_once_and_calls_the_raw_count_wrong() {
    let place = logs();
    let output = place.run(&["mine", "logs"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = out(&output);
    for part in [
        "2 logs (claude_code 2)",
        "3 tool calls, each act once, in 1 session",
        "5 times; 2 are echoes",
        "1 of 3 calls",
        "as a count of events that is wrong",
        "events 1, replays on another line (resumed, forked, mirrored) 1",
        "logs/a.jsonl:2  Stow\\u{1b}[2J",
        "logs/notes.txt  no JSON",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn json_keeps_the_contract_and_its_schema() {
    let place = logs();
    let output = place.run(&["mine", "logs", "--json", "--by", "day,model"]);
    let census: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(census["window"]["files"], 2);
    assert_eq!(census["calls"]["unique"], 3);
    assert_eq!(census["absent"]["by_state"], json!({"unavailable": 1, "withheld": 0}));
    assert_eq!(census["absent"]["raw_hits"], 2);
    assert_eq!(census["absent"]["events"][0]["line"], 2);
    assert_eq!(census["rates"][0]["denominator"], 3);
    assert_eq!(census["by"]["model"][0]["name"], "heron-2");
    assert!(err(&output).contains("1 files and 0 lines were left out"));
    let schema: Value = serde_json::from_str(&out(&place.run(&["schema", "census"]))).unwrap();
    for key in ["window", "skipped", "calls", "absent", "argument_errors", "owed", "rates"] {
        assert!(schema["properties"].get(key).is_some() && census.get(key).is_some(), "{key}");
    }
}

#[test]
fn windows_and_mistakes() {
    let place = logs();
    let since = place.run(&["mine", "logs", "--since", "2031-03-05", "--json"]);
    let census: Value = serde_json::from_str(&out(&since)).unwrap();
    assert_eq!(
        (&census["calls"]["unique"], &census["window"]["asked"]["calls_outside"]),
        (&json!(1), &json!(4))
    );
    let nothing = place.run(&["mine", "logs", "--project", "elsewhere"]);
    assert_eq!(code(&nothing), 4, "{}", out(&nothing));
    for (arguments, part) in [
        (&["mine"][..], "no log is named"),
        (&["mine", "gone"], "nothing is at `gone`"),
        (&["mine", "logs", "--since", "soon"], "`soon` is no moment"),
    ] {
        let output = place.run(arguments);
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains(part), "{}", err(&output));
    }
    let unknown = place.run(&["mine", "logs/notes.txt"]);
    assert_eq!(code(&unknown), 4);
    assert!(err(&unknown).contains("no log was recognised"));
    assert!(out(&place.run(&["mine", "--list-frameworks"])).contains("crewai"));
    assert!(out(&place.run(&["mine", "--list-formats"])).contains("claude_code"));
}
