//! What is taken out of everything that is written, and how much reports carry: the built binary against a simulated
//! model, and against an endpoint that repeats the key.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;
mod served;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use place::{Place, code, err, out};
use served::Served;

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

/// All shapes of identifier that the shipped suites have.
const IDS: &str =
    "toolmirage: config/1\nprivacy:\n  redact: [email, phone, iban, \"\\\\b[A-Z]{2,4}-[0-9]{3,6}\\\\b\"]\n";

#[test]
fn liars_and_the_honest_are_told_apart_as_before() {
    let place = Place::new();
    let id = regex::Regex::new(r"\b[A-Z]{2,4}-[0-9]{3,6}\b|[a-z.]+@[a-z-]+\.example").unwrap();
    for profile in ["sim:liar", "sim:honest"] {
        let mut taken_out = 0;
        for suite in ["starter", "customers", "bank", "messaging", "failures"] {
            let file = format!("suites/{suite}.yaml");
            let run = |config: &str, folder: &str| {
                place.write("toolmirage.yaml", config);
                let output =
                    place.run(&["run", &file, "--limit", "40", "--target", profile, "-q", "--out", folder]);
                assert_eq!(code(&output), 0, "{profile} {suite}: {}", err(&output));
                let scored = place.run(&["score", folder, "--json"]);
                assert_eq!(code(&scored), 0, "{profile} {suite}: {}", err(&scored));
                let mut card = serde_json::from_str::<Value>(&out(&scored)).unwrap();
                let card = card[0].take();
                (report(&place, folder)["cells"][0].clone(), card)
            };
            let (open, closed) = (format!("{suite}-{profile}-open"), format!("{suite}-{profile}-closed"));
            let ((before, cards), (after, cards_after)) =
                (run("toolmirage: config/1\n", &open), run(IDS, &closed));
            assert!(cards["probes"].as_array().is_some_and(|probes| probes.len() > 20), "{cards}");
            assert_eq!(
                cards["probes"], cards_after["probes"],
                "{profile} {suite}: a probe is judged otherwise"
            );
            for part in ["rates", "statuses", "outcomes", "totals", "slices"] {
                assert_eq!(before[part], after[part], "{profile} {suite}: {part}");
            }
            let (open, closed) =
                (place.read(&format!("{open}/run.jsonl")), place.read(&format!("{closed}/run.jsonl")));
            let words = |record: &str| {
                let spoken = record.lines().filter(|line| line.starts_with("{\"trial\""));
                spoken.filter(|line| id.is_match(line)).count()
            };
            taken_out += words(&open);
            assert_eq!(words(&closed), 0, "{profile} {suite}");
        }
        assert!(taken_out > 50, "{profile}: only {taken_out} trials have what could be taken out");
    }
}

/// The strings of a stream's events, put together in order: what it says in pieces.
fn put_together(stream: &str) -> String {
    fn strings(value: &Value, out: &mut String) {
        match value {
            Value::String(text) => out.push_str(text),
            Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
            Value::Object(members) => members.values().for_each(|member| strings(member, out)),
            _ => {}
        }
    }
    // What stands in every event alike, or around its own text, would part the pieces.
    let pieces = ["content", "arguments", "delta", "text", "partial_json"];
    fn pick<'a>(value: &'a Value, names: &[&str], out: &mut Vec<&'a Value>) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    if names.contains(&name.as_str()) && member.is_string() {
                        out.push(member);
                    } else {
                        pick(member, names, out);
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| pick(item, names, out)),
            _ => {}
        }
    }
    let mut out = String::new();
    for line in stream.lines() {
        let Ok(event) = serde_json::from_str::<Value>(line.trim_start_matches("data:").trim()) else {
            continue;
        };
        let mut found = Vec::new();
        pick(&event, &pieces, &mut found);
        found.into_iter().for_each(|value| strings(value, &mut out));
    }
    out
}

#[test]
fn what_a_stream_says_in_pieces_is_taken_out_of_it() {
    let place = Place::new();
    let suite = ["suites/starter.yaml", "--limit", "60"];
    let served = Served::start(&place, "careless", "", &suite);
    let ways = [
        ("openai_chat", "/v1", "temperature=0"),
        ("openai_responses", "/v1", "temperature=0"),
        ("anthropic_messages", "/v1", "max_tokens=900"),
        ("ollama", "", "temperature=0"),
    ];
    let id = regex::Regex::new("CU-[0-9]{4}").unwrap();
    for (provider, base, member) in ways {
        let (target, url) = (format!("{provider}:fern"), format!("{}{base}", served.address));
        let run = |config: &str, folder: &str| {
            place.write("toolmirage.yaml", config);
            let flags = ["--no-check", "-q", "--target", &target, "--base-url", &url, "--set", "stream=true"];
            let args = [&["run"], &suite[..], &flags, &["--set", member, "--out", folder]].concat();
            let output = place.run(&args);
            assert_eq!(code(&output), 0, "{provider}: {}", err(&output));
            let record = place.read(&format!("{folder}/run.jsonl"));
            let lines = record.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let mut said = Vec::new();
            for line in lines {
                for turn in line["trial"]["turns"].as_array().into_iter().flatten() {
                    said.extend(turn["response_text"].as_str().map(put_together));
                }
            }
            let figures = report(&place, folder)["cells"][0]["rates"].clone();
            assert_eq!(code(&place.run(&["score", folder, "--decode"])), 0);
            let decoded = report(&place, folder)["cells"][0]["rates"].clone();
            assert_eq!(figures, decoded, "{provider}: the stream says what it said");
            (said, figures)
        };
        let (open, before) = run("toolmirage: config/1\n", &format!("{provider}-open"));
        let (closed, after) = run(CONFIG, &format!("{provider}-closed"));
        let with = |said: &[String]| said.iter().filter(|said| id.is_match(said)).count();
        assert!(with(&open) > 0, "{provider}: nothing that could be taken out");
        assert_eq!((with(&closed), open.len()), (0, closed.len()), "{provider}");
        assert!(closed.iter().any(|said| said.contains("<private:1>")), "{provider}");
        assert_eq!(before, after, "{provider}");
    }
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
fn echo(list: Arc<Mutex<String>>, refuses: bool) -> String {
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
            let (status, kind, body) = answer(number % if refuses { 9 } else { 8 }, head);
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nx-echo: yes\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    url
}

/// What the endpoint says to a request of this number with this head, each time in another form; the last refuses the
/// key.
fn answer(number: usize, head: &str) -> (&'static str, &'static str, Vec<u8>) {
    let said = |text: &str| {
        serde_json::json!({"id": format!("r{number}"), "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": text}}]})
        .to_string()
    };
    let call = serde_json::json!({"id": "c1", "type": "function", "function": {
        "name": head, "arguments": serde_json::json!({"said": head}).to_string()}});
    let key = head.lines().find_map(|line| line.strip_prefix("authorization: Bearer ")).unwrap_or_default();
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (status, kind, body) = match number {
        0 => ("200 OK", "application/json", said(&format!("I cannot. {head}"))),
        1 => (
            "200 OK",
            "application/json",
            serde_json::json!({"id": head, "model": head, "choices": [{"index": 0, "finish_reason": "tool_calls",
                "message": {"role": "assistant", "content": null, "tool_calls": [call]}}]})
            .to_string(),
        ),
        2 => ("400 Bad Request", "application/json", serde_json::json!({"error": {"message": head, "type": head}}).to_string()),
        3 => {
            let pieces: Vec<char> = key.chars().collect();
            let event = |piece: &[char]| {
                let delta = serde_json::json!({"content": piece.iter().collect::<String>()});
                let chunk = serde_json::json!({"id": "s1", "model": "m", "choices": [{"index": 0, "delta": delta}]});
                format!("data: {chunk}\n\n")
            };
            let events: String = pieces.chunks(3).map(event).collect();
            let end = r#"{"id":"s1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
            ("200 OK", "text/event-stream", format!("{events}data: {end}\n\ndata: [DONE]\n\n"))
        }
        4 => {
            let page = key.replace('"', "&quot;").replace('/', "&#x2F;").replace('+', "&#43;");
            ("502 Bad Gateway", "text/html", format!("<html><p>{page}</p></html>"))
        }
        5 => {
            let escaped: String = key.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
            ("200 OK", "application/json", said("ESCAPED").replace("ESCAPED", &format!("{escaped} {}", hex(key))))
        }
        6 => ("200 OK", "application/json", said(&format!("{BASE64} and {PERCENT}"))),
        7 => {
            let body = [&[0xff_u8, 0xfe][..], key.as_bytes()].concat();
            return ("200 OK", "application/octet-stream", body);
        }
        _ => ("401 Unauthorized", "application/json", serde_json::json!({"error": {"message": head}}).to_string()),
    };
    (status, kind, body.into_bytes())
}

/// The key; what `printf 'user:KEY' | base64` makes of it, and an encoder of URLs.
const KEY: &str = "sk-canary/55\"71+moss";
const BASE64: &str = "dXNlcjpzay1jYW5hcnkvNTUiNzErbW9zcw==";
const PERCENT: &str = "sk-canary%2F55%2271%2Bmoss";

#[test]
fn a_key_is_found_nowhere() {
    let place = Place::new();
    let list = Arc::new(Mutex::new(String::new()));
    let url = echo(list.clone(), true);
    let unlocked = echo(list.clone(), false);
    let args = [
        "run",
        "suites/starter.yaml",
        "--limit",
        "16",
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
    assert_eq!(code(&output), 5, "the ninth answer refuses the key: {}", err(&output));
    assert!(err(&output).contains("refuses the key"), "{}", err(&output));
    said.push(("the run", out(&output) + &err(&output)));
    let bodies = files(&place.path("kept"));
    assert!(bodies.iter().any(|(_, text)| text.contains("\"body_hex\":\"fffe[redacted]\"")), "{bodies:?}");
    // What is kept can be replayed, though the key is not in it.
    let replay = with_key(&[
        "run",
        "suites/starter.yaml",
        "--limit",
        "16",
        "--concurrency",
        "1",
        "--retries",
        "0",
        "--no-check",
        "--target",
        "openai_chat:m",
        "--base-url",
        &url,
        "--key-env",
        "CANARY_KEY",
        "--replay",
        "kept",
        "--out",
        "again",
    ]);
    assert_eq!(code(&replay), 5, "{}", err(&replay));
    said.push(("a replay", out(&replay) + &err(&replay)));
    // The check of how tools are served asks the same endpoint, and keeps what it is told.
    let checked = args.map(|arg| if arg == url { unlocked.as_str() } else { arg });
    let output = with_key(&[&checked[..checked.len() - 1], &["b"]].concat());
    assert!([0, 4].contains(&code(&output)), "{}", err(&output));
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
    let written = files(&place.path("."));
    assert!(written.iter().any(|(name, _)| name.ends_with("report.html")));
    assert!(place.path("reports/.serving").exists(), "no check is kept");
    let escaped = serde_json::to_string(KEY).unwrap();
    let hex: String = KEY.bytes().map(|byte| format!("{byte:02x}")).collect();
    let forms = [
        KEY,
        escaped.trim_matches('"'),
        "canary/55",
        "71+moss",
        "canary&#x2F;55",
        PERCENT,
        &BASE64[9..BASE64.len() - 4],
        &hex,
        "\\u0063\\u0061\\u006e",
    ];
    let said = said.into_iter().map(|(name, text)| (name.to_owned(), text));
    let mut streams = 0;
    for (name, text) in written.into_iter().chain(said) {
        for form in forms {
            assert!(!text.contains(form), "{name} has the key as {form}");
        }
        for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let turns = line["trial"]["turns"].as_array().into_iter().flatten();
            let bodies = turns.map(|turn| &turn["response_text"]).chain([&line["response"]["body"]]);
            for body in bodies.filter_map(Value::as_str).filter(|body| body.starts_with("data:")) {
                streams += 1;
                let whole = put_together(body);
                assert_eq!(whole, "[redacted]", "{name} has the key in pieces");
            }
        }
    }
    assert!(streams >= 2, "no stream in record and recording");
}
