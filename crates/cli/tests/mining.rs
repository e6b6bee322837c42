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
fn files_beside_the_screen_are_whole_and_inert() {
    let place = logs();
    let files = ["--events", "e.jsonl", "--csv", "m.csv", "--html", "m.html", "--manifest", "f.json"];
    let output = place.run(&[&["mine", "logs", "--format", "md", "--by", "model"], &files[..]].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    let markdown = out(&output);
    assert!(markdown.contains("1 of 3 calls called a tool that was not there"), "{markdown}");

    let rows = read("e.jsonl");
    let [row] = &rows.lines().collect::<Vec<_>>()[..] else { panic!("{rows}") };
    let row: Value = serde_json::from_str(row).unwrap();
    assert_eq!(row["tool"], "Stow\u{1b}[2J", "the value stays");
    for (key, value) in
        [("file", "logs/a.jsonl"), ("state", "unavailable"), ("model", "heron-2"), ("project", "/srv/quay")]
    {
        assert_eq!(row[key], value, "{row}");
    }
    assert!(row["line"] == 2 && row["time"].is_string() && row["name_form"].is_string(), "{row}");

    let csv = read("m.csv");
    assert!(csv.lines().any(|line| line.starts_with("absent_tool,all,,1,3,call,")), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("absent_tool,model,heron-2,1,3,call,")), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("raw_hits,cause,replay,1,2,occurrence,")), "{csv}");

    let page = read("m.html");
    assert!(
        page.contains("1 of 3 calls called a tool that was not there") && page.contains("a.jsonl"),
        "{page}"
    );
    assert!(!page.contains("http://") && !page.contains("https://") && page.contains("script-src 'none'"));
    for text in [&rows, &csv, &page, &markdown] {
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    let manifest: Value = serde_json::from_str(&read("f.json")).unwrap();
    let names: Vec<&str> =
        manifest["files"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()).collect();
    assert_eq!(names, ["logs/a.jsonl", "logs/b.jsonl", "logs/notes.txt"]);
    assert_eq!(manifest["sha256"].as_str().unwrap().len(), 64);
    let output = place.run(&["mine", "logs", "--events", "e.parquet"]);
    if cfg!(feature = "parquet") {
        assert!(std::fs::read(place.path("e.parquet")).unwrap().starts_with(b"PAR1"));
    } else {
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains("this build writes no Parquet"), "{}", err(&output));
    }
    let input = place.run(&["mine", "-", "--manifest", "f.json"]);
    assert_eq!(code(&input), 2);
    assert!(err(&input).contains("standard input is no file"), "{}", err(&input));
}

#[test]
fn the_mapping_file_of_the_page_is_one() {
    let page = std::fs::read_to_string(place::root().join("crates/cli/docs/mine.md")).unwrap();
    let map = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let place = Place::new();
    place.write("map.yaml", map);
    let acts = json!([
        {"by": "person", "said": "fetch it"},
        {"sort": "use", "what": "fetch", "no": 1, "with": {}},
        {"sort": "came", "no": 1, "said": "Tool 'fetch' not found.", "state": "bad"}
    ]);
    let log = json!({"spans": [{"run": {"id": "r"}, "acts": acts, "offered": [{"label": "hoist"}]}]});
    place.write("log.json", &log.to_string());
    let output = place.run(&["mine", "log.json", "--map", "map.yaml", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let census: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!((&census["calls"]["unique"], &census["absent"]["unique"]), (&json!(1), &json!(1)));
}

#[test]
fn rules_say_when_a_call_is_owed_and_what_is_no_rule_says_why() {
    let place = Place::new();
    let talk = |words: &str| json!({"messages": [{"role": "user", "content": words}, {"role": "assistant", "content": "Done."}]});
    let called = json!({"messages": [{"role": "user", "content": "look"}, {"role": "assistant", "content": null,
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "a quay"}]});
    let lines = [talk("A refund\u{1b}[2J, please"), talk("Hello"), called];
    place.write("log.jsonl", &lines.map(|line| format!("{line}\n")).concat());
    let rule = "after user mentions refund, tool find_order";
    let output = place.run(&["mine", "log.jsonl", "--require", rule, "--csv", "m.csv"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = out(&output);
    assert!(text.contains(&format!("{rule}: 1 of 1 turn without the call")), "{text}");
    assert!(text.contains("log.jsonl:1  A refund\\u{1b}[2J, please"), "{text}");
    assert!(!text.contains("not parsed"), "every line is parsed: {text}");
    assert!(place.read("m.csv").contains("tool find_order\",1,1,turn"), "{}", place.read("m.csv"));
    place.write("rules.txt", &format!("# desk\n{rule}\nafter user says hello, tool greet\n"));
    for (flag, value, part) in [
        ("--require", "call find_order", "`call find_order` is no rule"),
        ("--require-file", "rules.txt", "rules.txt:3: `after user says hello, tool greet` is no rule"),
        ("--require-file", "none.txt", "cannot read `none.txt`"),
    ] {
        let output = place.run(&["mine", "log.jsonl", flag, value]);
        assert_eq!(code(&output), 2, "{}", err(&output));
        assert!(err(&output).contains(part), "{}", err(&output));
    }
}

#[test]
fn hostile_names_stay_text_in_every_file() {
    let place = Place::new();
    let name = "=cmd()<script>alert(1)</script>|x`y";
    let line = |kind: &str, message: Value| {
        json!({"type": kind, "sessionId": "one", "uuid": kind, "timestamp": "2031-03-01T07:00:00.000Z",
            "message": message})
    };
    let content = json!([{"type": "tool_use", "id": "c", "name": name, "input": {}}]);
    let call = json!({"id": "m", "role": "assistant", "content": content});
    let text = format!(
        "<tool_use_error>Error: No such tool available: {name}. Bearer abcdefghijklmnop</tool_use_error>"
    );
    let content = json!([{"type": "tool_result", "tool_use_id": "c", "content": text, "is_error": true}]);
    let answer = json!({"role": "user", "content": content});
    place.write("log.jsonl", &format!("{}\n{}\n", line("assistant", call), line("user", answer)));
    let files = ["--csv", "m.csv", "--html", "m.html", "--events", "e"];
    let output = place.run(&[&["mine", "log.jsonl", "--format", "md"], &files[..]].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    assert!(read("m.csv").contains("absent_tool,tool,'=cmd()"), "{}", read("m.csv"));
    assert!(!read("m.html").contains("<script>"));
    let markdown = out(&output);
    assert!(markdown.contains("``=cmd()<script>alert(1)</script>\\|x`y``"), "{markdown}");
    for text in [read("m.html"), read("e"), read("m.csv"), markdown] {
        assert!(!text.contains("abcdefghijklmnop"), "a token is masked: {text}");
    }
}

#[test]
fn a_map_reads_any_other_shape_and_its_mistakes_name_line_and_key() {
    let place = Place::new();
    let absent = r#"{"run":"a","tool":"stow","no":1,"failed":"Tool 'stow' not found."}"#;
    let there = r#"{"run":"a","tool":"hoist","no":2,"out":"up"}"#;
    place.write("log.jsonl", &format!("{absent}\n{there}\n"));
    let calls = "calls: { name: /tool, id: /no, result: /out, error: /failed }";
    place.write("map.yaml", &format!("toolmirage: map/1\nsession: /run\n{calls}\n"));
    let output = place.run(&["mine", "log.jsonl", "--map", "map.yaml", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let census: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!((&census["calls"]["unique"], &census["absent"]["unique"]), (&json!(2), &json!(1)));
    assert_eq!(census["window"]["formats"], json!({"mapped": 1}));
    for (text, part, line) in [
        (format!("toolmirage: map/1\nsesion: /run\n{calls}\n"), "session", ":2"),
        (format!("toolmirage: map/1\n{calls}\ntime: at\n"), "`at` is no JSON pointer", ":3"),
        ("toolmirage: map/1\ncalls: { name: /tool }\n".to_owned(), "nothing says what came back", ":2"),
    ] {
        place.write("map.yaml", &text);
        let output = place.run(&["mine", "log.jsonl", "--map", "map.yaml"]);
        assert_eq!(code(&output), 2, "{}", err(&output));
        let said = err(&output);
        assert!(said.contains(part) && said.contains(&format!("map.yaml{line}")), "{said}");
    }
    assert!(out(&place.run(&["schema", "map"])).contains("error_is"));
}

#[test]
fn a_mined_session_becomes_a_drafted_suite() {
    let place = Place::new();
    let talk = |user: Value, tool: &str| {
        let function = json!({"name": tool, "arguments": "{}"});
        let call = json!({"role": "assistant", "content": null,
            "tool_calls": [{"id": "c", "type": "function", "function": function}]});
        let text = format!("Tool '{tool}' not found.");
        json!({"messages": [{"role": "system", "content": "s"}, user, call,
            {"role": "tool", "tool_call_id": "c", "content": text}]})
    };
    let user = |words: &str| json!({"role": "user", "content": words});
    let lines = [
        talk(user("book a berth for ana.real@corp.test with key sk-0123456789abcdefghij"), "book_berth"),
        talk(user("hoist the crate now"), "hoist"),
    ];
    place.write("logs.jsonl", &lines.map(|line| format!("{line}\n")).concat());
    std::fs::create_dir(place.path("c")).unwrap();
    place.write("c/agent.json", r#"{"tools":[{"name":"hoist","description":"Hoist a crate.","inputSchema":{"type":"object","properties":{}}},{"name":"weigh","description":"Weigh a crate.","inputSchema":{"type":"object","properties":{}}}]}"#);
    let arguments = ["mine", "logs.jsonl", "--to-suite", "mined.yaml", "--catalog", "c/agent.json"];
    let output = place.run(&arguments);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let suite = std::fs::read_to_string(place.path("mined.yaml")).unwrap();
    for part in
        ["absent_tool: book_berth", "tool: hoist", "draft: true", "traces: mined", "catalog: c/agent.json"]
    {
        assert!(suite.contains(part), "{part}: {suite}");
    }
    assert!(!suite.contains("corp.test") && !suite.contains("0123456789abcdef"), "{suite}");
    let expanded = place.run(&["expand", "mined.yaml"]);
    assert_eq!(code(&expanded), 0, "{}", err(&expanded));
    assert!(out(&expanded).contains("mined-book-berth.sibling_gap"), "{}", out(&expanded));
    assert!(out(&expanded).contains("mined-hoist.decoy"), "{}", out(&expanded));

    let silent = talk(json!({"role": "system", "content": "go"}), "book_berth");
    place.write("logs.jsonl", &format!("{silent}\n"));
    let output = place.run(&arguments);
    assert_eq!(code(&output), 4, "{}", err(&output));
    assert!(err(&output).contains("hold no words of a user"), "{}", err(&output));
    assert_eq!(code(&place.run(&["mine", "logs.jsonl", "--to-suite", "mined.yaml"])), 2);
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

/// An archive of some kilobytes that unpacks to `megabytes` MiB: a Zstandard frame of blocks that repeat one byte,
/// after a block with `start`.
fn bomb(start: &str, megabytes: usize) -> Vec<u8> {
    // A header without sizes and with a window of 128 KiB, the size of every block that repeats.
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3];
    let header = |is_last: bool, kind: u32, size: usize| {
        let size = u32::try_from(size).unwrap();
        (size << 3 | kind << 1 | u32::from(is_last)).to_le_bytes().into_iter().take(3)
    };
    bytes.extend(header(false, 0, start.len()));
    bytes.extend_from_slice(start.as_bytes());
    for block in 0..megabytes * 8 {
        bytes.extend(header(block + 1 == megabytes * 8, 1, 128 << 10));
        bytes.push(b'w');
    }
    bytes
}

#[test]
fn an_archive_bomb_is_named_and_what_came_before_it_counts() {
    let place = logs();
    let start = std::fs::read_to_string(place.path("logs/a.jsonl")).unwrap();
    let start = format!("{start}{{\"type\":\"user\",\"sessionId\":\"one\",\"text\":\"");
    let bytes = bomb(&start, 300);
    assert!(bytes.len() < 16 << 10);
    std::fs::remove_file(place.path("logs/a.jsonl")).unwrap();
    std::fs::write(place.path("logs/a.jsonl.zst"), bytes).unwrap();
    let output = place.run(&["mine", "logs", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let census: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!((&census["calls"]["unique"], &census["absent"]["unique"]), (&json!(3), &json!(1)));
    let left_out = census["skipped"]["files"].as_array().unwrap();
    let why =
        left_out.iter().find(|file| file["file"] == "logs/a.jsonl.zst").unwrap()["why"].as_str().unwrap();
    assert!(why.contains("unpacks to more than 1000 times its size"), "{why}");
    // The screen says it too.
    let text = out(&place.run(&["mine", "logs"]));
    assert!(text.contains("logs/a.jsonl.zst  the rest of it: unpacks to more than 1000 times"), "{text}");
}
