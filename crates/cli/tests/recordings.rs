//! Kept responses through the binary: a cache, recordings, runs without a network, and what a request is kept under.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::Value;

use place::{Place, code, err, out};

/// Runs a few probes, and gives the report.
fn run(place: &Place, folder: &str, more: &[&str]) -> Value {
    let target: &[&str] = if more.contains(&"--target") { &[] } else { &["--target", "sim:careless"] };
    let args =
        [&["run", "suites/starter.yaml", "--limit", "4", "--out", folder, "-q"], target, more].concat();
    let output = place.run(&args);
    assert_eq!(code(&output), 0, "{}", err(&output));
    serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap()
}

fn figures(report: &Value) -> (&Value, &Value, &Value) {
    (&report["cells"][0]["rates"], &report["cells"][0]["statuses"], &report["run"]["tokens"])
}

fn files(place: &Place, folder: &str) -> usize {
    let groups = std::fs::read_dir(place.path(folder)).unwrap().flatten();
    groups.map(|group| std::fs::read_dir(group.path()).unwrap().count()).sum()
}

#[test]
fn recordings_stand_in_for_the_endpoint_and_give_the_same_figures() {
    let place = Place::new();
    let fresh = run(&place, "fresh", &["--record", "kept"]);
    let requests = fresh["run"]["requests"].as_u64().unwrap();
    assert!(requests > 4 && fresh["run"].get("kept_responses").is_none());
    let again = run(&place, "again", &["--replay", "kept"]);
    assert_eq!(again["run"]["requests"], 0);
    assert_eq!(again["run"]["kept_responses"], requests);
    assert_eq!(figures(&again), figures(&fresh));
    let text = out(&place.run(&["report", "again"]));
    assert!(
        text.contains("0 requests") && text.contains(&format!("{requests} responses from disk")),
        "{text}"
    );
}

#[test]
fn what_is_not_recorded_is_an_error_and_never_a_request() {
    let place = Place::new();
    run(&place, "fresh", &["--record", "kept"]);
    let args = ["run", "suites/starter.yaml", "--limit", "4", "-q", "--replay", "kept", "--out"];
    // Another repeat is another draw, and another setting another request.
    for (folder, more) in [("repeats", ["--repeats", "2"]), ("settings", ["--set", "temperature=0.5"])] {
        let output = place.run(&[&args[..], &[folder], &more].concat());
        assert_eq!(code(&output), 4, "{}", err(&output));
        assert!(err(&output).contains("no recording has the answer to a request of `"), "{}", err(&output));
        assert!(err(&output).contains("nothing was sent"), "{}", err(&output));
    }
    // An endpoint that nobody serves: were a request sent, the run would say that it is not there.
    let url = "http://127.0.0.1:9/v1";
    let output =
        place.run(&[&args[..], &["elsewhere", "--target", "openai_chat:m", "--base-url", url]].concat());
    assert_eq!(code(&output), 4);
    assert!(err(&output).contains("no recording has"), "{}", err(&output));
}

#[test]
fn a_cache_spares_what_was_asked_before_and_nothing_else() {
    let place = Place::new();
    let first = run(&place, "first", &["--cache", "cache"]);
    let requests = first["run"]["requests"].as_u64().unwrap();
    let second = run(&place, "second", &["--cache", "cache"]);
    assert_eq!((&second["run"]["requests"], &second["run"]["kept_responses"]), (&0.into(), &requests.into()));
    assert_eq!(figures(&second), figures(&first));
    let more = run(&place, "more", &["--cache", "cache", "--repeats", "2"]);
    assert_eq!(more["run"]["kept_responses"], requests, "the second repeat is asked");
    assert!(more["run"]["requests"].as_u64().unwrap() > 0);
    assert!(files(&place, "cache") as u64 > requests);
}

#[test]
fn keys_are_printed_and_name_the_files() {
    let place = Place::new();
    run(&place, "fresh", &["--record", "kept"]);
    let record = place.read("fresh/run.jsonl");
    let trial = record.lines().find_map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let trial = line.get("trial")?;
        let part = |key: &str| trial[key].to_string().trim_matches('"').to_owned();
        Some(format!("{}/{}/{}", part("probe"), part("cell"), part("repeat")))
    });
    let trial = trial.unwrap();
    let output = place.run(&["explain-key", "fresh", &trial, "--in", "kept", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let keys: Value = serde_json::from_str(&out(&output)).unwrap();
    let turns = keys["turns"].as_array().unwrap();
    assert!(!turns.is_empty() && turns.iter().all(|turn| turn["kept"] == true), "{keys}");
    let text = out(&place.run(&["explain-key", "fresh", &trial, "--in", "elsewhere"]));
    for part in ["turn 1", "repeat    0", "body      sha256:", "not in", "not part of a key: keys, tokens"] {
        assert!(text.contains(part), "{text}");
    }
    let wrong = place.run(&["explain-key", "fresh", &format!("{trial}9")]);
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains(&format!("did you mean `{trial}`?")), "{}", err(&wrong));
}

/// An endpoint that refuses every other request and repeats what it was told.
fn endpoint() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut seen = Vec::new();
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = stream.read(&mut buffer) {
                seen.extend_from_slice(&buffer[..read]);
                let text = String::from_utf8_lossy(&seen);
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                let length = head
                    .lines()
                    .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
                if body.len() >= length.unwrap_or(0) {
                    break;
                }
            }
            let text = String::from_utf8_lossy(&seen).into_owned();
            let key =
                text.lines().find(|line| line.to_lowercase().starts_with("authorization")).unwrap_or("none");
            let answer = serde_json::json!({"id": "r1", "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
                "message": {"role": "assistant", "content": format!("I cannot. {key}")}}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}});
            let answer = answer.to_string();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nset-cookie: s=canary-cookie\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
                answer.len()
            );
        }
    });
    url
}

#[test]
fn secrets_are_in_no_recording_and_own_copies_are_no_gateway_s() {
    let place = Place::new();
    let url = endpoint();
    let args = [
        "run",
        "--no-check",
        "suites/starter.yaml",
        "--limit",
        "1",
        "--kinds",
        "no_tool_needed",
        "-q",
        "--target",
        "openai_chat:m",
        "--base-url",
        &url,
        "--key-env",
        "CANARY_KEY",
    ];
    let go = |more: &[&str]| {
        let output =
            place.command(&[&args[..], more].concat()).env("CANARY_KEY", "sk-canary-7741").output().unwrap();
        assert_eq!(code(&output), 0, "{}", err(&output));
    };
    go(&["--record", "kept", "--out", "fresh"]);
    assert_eq!(files(&place, "kept"), 1);
    for group in std::fs::read_dir(place.path("kept")).unwrap().flatten() {
        for file in std::fs::read_dir(group.path()).unwrap().flatten() {
            let text = std::fs::read_to_string(file.path()).unwrap();
            assert!(text.contains("[redacted]") && !text.contains("canary"), "{text}");
        }
    }
    go(&["--replay", "kept", "--out", "again"]);
    let report: Value = serde_json::from_str(&place.read("again/report.json")).unwrap();
    assert_eq!(report["trials"]["scored"], 1, "{}", report["trials"]);
}
