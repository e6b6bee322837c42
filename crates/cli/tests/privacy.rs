//! What is taken out of everything that is written, and how much reports carry: the built binary against a simulated
//! model, and against an endpoint that repeats the key.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use place::{Place, code, err, out};

/// The signed-in person of the starter suite.
const PERSON: &str = "lena.ortiz@brookfield.example";
const CONFIG: &str = "toolmirage: config/1\nsuites: [suites/starter.yaml]\nprivacy:\n  redact: [email, phone, iban, \"CU-[0-9]{4}\"]\n";

/// Every file below a folder, with its text.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            all.extend(files(&entry.path()));
        } else {
            let bytes = std::fs::read(entry.path()).unwrap();
            all.push((entry.path().display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    all
}

fn report(place: &Place, folder: &str) -> Value {
    serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap()
}

const RUN: &[&str] = &["run", "suites/starter.yaml", "--target", "sim:careless", "-q", "--out"];

#[test]
fn values_are_taken_out_of_everything_and_every_figure_stays() {
    let place = Place::new();
    let open = place.run(&[RUN, &["open"]].concat());
    assert_eq!(code(&open), 0, "{}", err(&open));
    place.write("toolmirage.yaml", CONFIG);
    let closed = place.run(&[RUN, &["closed"]].concat());
    assert_eq!(code(&closed), 0, "{}", err(&closed));
    let id = regex::Regex::new("CU-[0-9]{4}").unwrap();
    assert!(id.is_match(&place.read("open/run.jsonl")) && place.read("open/run.jsonl").contains(PERSON));
    for (name, text) in files(&place.path("closed")) {
        // The number of a token is no number of a customer.
        assert!(!text.contains(PERSON) && !id.is_match(&text), "{name}");
    }
    let record = place.read("closed/run.jsonl");
    assert!(record.contains("<email:1>") && record.contains("<private:1>"));
    let (before, after) = (report(&place, "open"), report(&place, "closed"));
    for part in ["rates", "statuses", "outcomes", "totals", "slices"] {
        assert_eq!(before["cells"][0][part], after["cells"][0][part], "{part}");
    }
    let written = place.read("closed/report.json");
    assert_eq!(code(&place.run(&["score", "closed"])), 0);
    let (again, first) = (report(&place, "closed"), serde_json::from_str::<Value>(&written).unwrap());
    assert_eq!(again["cells"], first["cells"], "a record is scored as its run was");
    assert_eq!(again["failing"], first["failing"]);
}

#[test]
fn a_run_goes_on_with_the_tokens_that_it_gave() {
    let place = Place::new();
    place.write("toolmirage.yaml", CONFIG);
    let whole = place.run(&[RUN, &["whole"]].concat());
    assert_eq!(code(&whole), 0, "{}", err(&whole));
    let part = place.run(&[RUN, &["parts", "--max-requests", "40"]].concat());
    assert_eq!(code(&part), 5, "{}", err(&part));
    let flags = ["suites/starter.yaml", "--target", "sim:careless", "-q"];
    let resume = ["run", "--resume", "parts"];
    let other = place.run(&[&resume[..], &flags, &["--repeats", "2"]].concat());
    assert_eq!(code(&other), 2, "{}", err(&other));
    assert!(err(&other).contains("the number of repeats"), "{}", err(&other));
    let on = place.run(&[&resume[..], &flags].concat());
    assert_eq!(code(&on), 0, "{}", err(&on));
    assert_eq!(report(&place, "parts")["cells"][0]["rates"], report(&place, "whole")["cells"][0]["rates"]);
    let probes = |folder: &str| {
        let record = place.read(&format!("{folder}/run.jsonl"));
        record.lines().filter(|line| line.starts_with("{\"probe\"")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(probes("parts"), probes("whole"));
    assert!(!place.read("parts/run.jsonl").contains(PERSON));
}

#[test]
fn a_record_without_tokens_has_its_plan_and_takes_no_other() {
    let place = Place::new();
    let part = place.run(&[RUN, &["part", "--max-requests", "9"]].concat());
    assert_eq!(code(&part), 5, "{}", err(&part));
    let output = place.run(&["run", "--resume", "part", "--repeats", "2"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("`--resume` takes no --repeats"), "{}", err(&output));
}

#[test]
fn mistakes_of_privacy_are_named_at_their_place() {
    let place = Place::new();
    for (redact, words) in [
        ("[emial]", "did you mean `email`?"),
        ("[email, \"(\"]", "no regular expression"),
        ("[\"x*\"]", "everything"),
    ] {
        place.write(
            "toolmirage.yaml",
            &format!(
                "toolmirage: config/1\nsuites: [suites/starter.yaml]\nprivacy: {{ redact: {redact} }}\n"
            ),
        );
        let output = place.run(&["run", "-q"]);
        assert_eq!(code(&output), 2);
        assert!(
            err(&output).contains(words) && err(&output).contains("toolmirage.yaml:3"),
            "{}",
            err(&output)
        );
    }
    place.write("toolmirage.yaml", CONFIG);
    for flag in ["--cache", "--record", "--replay"] {
        let output = place.run(&["run", "-q", flag, "kept"]);
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains(flag) && err(&output).contains("privacy.redact"), "{}", err(&output));
        assert!(!place.path("kept").exists() && !place.path("reports").exists());
    }
}

#[test]
fn reports_carry_what_is_shared_evidence_where_it_is_ci() {
    let place = Place::new();
    assert_eq!(code(&place.run(&[RUN, &["a"]].concat())), 0);
    let prompt = place.read("suites/prompts/billing.md");
    let line = prompt.lines().find(|line| line.len() > 40 && !line.contains("{{")).unwrap();
    let shown = |more: &[&str], ci: Option<&str>| {
        let mut command = place.command(&[&["report", "a", "--json"], more].concat());
        let command = match ci {
            Some(value) => command.env("CI", value),
            None => command.env_remove("CI"),
        };
        let report: Value = serde_json::from_str(&out(&command.output().unwrap())).unwrap();
        let level = report.get("share").and_then(Value::as_str).unwrap_or("full").to_owned();
        let listed = report["failing"].as_array().unwrap().len();
        (level, report.to_string().contains(line), listed > 0)
    };
    let of = |level: &str, prompt, trials| (level.to_owned(), prompt, trials);
    assert_eq!(shown(&[], None), of("full", true, true));
    assert_eq!(shown(&[], Some("true")), of("evidence", false, true));
    assert_eq!(shown(&[], Some("false")), of("full", true, true));
    assert_eq!(shown(&["--share", "full"], Some("true")), of("full", true, true));
    assert_eq!(shown(&["--share", "summary"], None), of("summary", false, false));
    place.write("toolmirage.yaml", "toolmirage: config/1\nprivacy: { share: summary }\n");
    assert_eq!(shown(&[], Some("true")), of("summary", false, false));
    // What is written beside the record obeys, too.
    assert_eq!(code(&place.run(&["score", "a", "--share", "evidence"])), 0);
    for (name, text) in files(&place.path("a")) {
        assert!(name.ends_with("run.jsonl") || !text.contains(line), "{name}");
    }
}

/// What the processes of this machine show of themselves to everybody.
fn process_list() -> String {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = all.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ") + "\n").collect()
}

/// An endpoint that repeats every header that it was sent, in answers and in errors.
fn echo(list: Arc<Mutex<String>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (number, mut stream) in listener.incoming().flatten().enumerate() {
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
            list.lock().unwrap().push_str(&process_list());
            let text = String::from_utf8_lossy(&seen);
            let head = text.split_once("\r\n\r\n").map_or("", |(head, _)| head);
            let call = serde_json::json!({"id": "c1", "type": "function", "function": {
                "name": head, "arguments": serde_json::json!({"said": head}).to_string()}});
            let (status, body) = match number % 4 {
                0 => (
                    "200 OK",
                    serde_json::json!({"id": "r", "model": "m", "choices": [{"index": 0,
                    "finish_reason": "stop", "message": {"role": "assistant", "content": format!("I cannot. {head}")}}]}),
                ),
                1 => (
                    "200 OK",
                    serde_json::json!({"id": head, "model": head, "choices": [{"index": 0,
                    "finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [call]}}]}),
                ),
                2 => ("400 Bad Request", serde_json::json!({"error": {"message": head, "type": head}})),
                _ => ("401 Unauthorized", serde_json::json!({"error": {"message": head}})),
            };
            let body = body.to_string();
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nx-echo: yes\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    url
}

#[test]
fn a_key_is_found_nowhere() {
    const KEY: &str = "sk-canary/55\"71+moss";
    let place = Place::new();
    let list = Arc::new(Mutex::new(String::new()));
    let url = echo(list.clone());
    let args = [
        "run",
        "suites/starter.yaml",
        "--limit",
        "8",
        "--concurrency",
        "1",
        "--retries",
        "0",
        "--target",
        "openai_chat:m",
        "--base-url",
        &url,
        "--key-env",
        "CANARY_KEY",
        "--record",
        "kept",
        "--out",
        "a",
    ];
    let with_key = |args: &[&str]| {
        let mut command = place.command(args);
        command.env("CANARY_KEY", KEY).env("TOOLMIRAGE_LOG", "trace").output().unwrap()
    };
    let mut said = Vec::new();
    let output = with_key(&[&args[..], &["--no-check"]].concat());
    assert_eq!(code(&output), 5, "the fourth answer refuses the key: {}", err(&output));
    assert!(err(&output).contains("refuses the key"), "{}", err(&output));
    said.push(("the run", out(&output) + &err(&output)));
    // The check of how tools are served asks the same endpoint, and keeps what it is told.
    let output = with_key(&[&args[..args.len() - 1], &["b"]].concat());
    said.push(("a run with a check", out(&output) + &err(&output)));
    for format in ["text", "md", "json", "html", "junit", "csv"] {
        let output = with_key(&["report", "a", "--format", format]);
        said.push(("a report", out(&output) + &err(&output)));
    }
    let output = with_key(&["score", "a"]);
    said.push(("score", out(&output) + &err(&output)));
    let output = with_key(&["explain", "a", "."]);
    said.push(("explain", out(&output) + &err(&output)));
    said.push(("the list of processes", list.lock().unwrap().clone()));
    assert!(said.last().unwrap().1.contains("--key-env CANARY_KEY") || !cfg!(target_os = "linux"));
    assert!(place.read("a/run.jsonl").contains("[redacted]") && place.path("kept").exists());
    let escaped = serde_json::to_string(KEY).unwrap();
    let written = files(&place.path("."));
    assert!(written.iter().any(|(name, _)| name.ends_with("report.html")));
    let said = said.into_iter().map(|(name, text)| (name.to_owned(), text));
    for (name, text) in written.into_iter().chain(said) {
        for form in [KEY, escaped.trim_matches('"'), "canary/55", "71+moss"] {
            assert!(!text.contains(form), "{name} has the key as {form}");
        }
    }
}
