//! The built binary: exit statuses, both streams, and the files that it leaves.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output};
use std::thread;

use serde_json::Value;

use place::{Place, code, err, out, root};

/// The trials of a record, by id.
fn trials(record: &str) -> Vec<(String, Value)> {
    let lines = record.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let trials = lines.filter_map(|line| line.get("trial").cloned());
    trials.map(|t| (format!("{}/{}/{}", t["probe"], t["cell"], t["repeat"]), t)).collect()
}

#[test]
fn the_first_command_ends_in_a_report() {
    let place = Place::new();
    let output = place.run(&["run", "suites/starter.yaml", "--target", "sim:careless", "--out", "first"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = out(&output);
    assert!(text.lines().count() <= 40, "{text}");
    assert!(text.lines().next().unwrap().starts_with("SIMULATED"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("SIMULATED"), "{text}");
    for word in ["unknown-tool", "shadow-call", "hallucinated-argument", "refused", "Left out"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    // The README shows this very report; how long it took and where it lies are the machine's.
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let of_machine =
        |line: &&str| !["250 probes of", "report ", "why "].iter().any(|start| line.starts_with(start));
    for line in text.lines().filter(of_machine) {
        assert!(readme.contains(line), "the README's report has no line {line:?}");
    }
    let report: Value = serde_json::from_str(&place.read("first/report.json")).unwrap();
    assert_eq!(report["simulated"], true);
    let html = place.read("first/report.html");
    assert!(html.contains("SIMULATED"), "no banner");
    // Ours alone, for filtering: the page's own policy lets no other run.
    assert!(html.matches("<script").count() <= 1 && html.contains("Content-Security-Policy"));
    let record = place.read("first/run.jsonl");
    assert!(record.lines().next().unwrap().starts_with("{\"header\""));
    assert!(record.lines().last().unwrap().starts_with("{\"footer\""));

    // Scoring again from the record gives the same figures, also from the raw bodies.
    let before = place.read("first/report.json");
    for args in [&["score", "first"][..], &["score", "first", "--decode"]] {
        let again = place.run(args);
        assert_eq!(code(&again), 0, "{}", err(&again));
        let figures = |text: &str| serde_json::from_str::<Value>(text).unwrap()["cells"].clone();
        assert_eq!(figures(&place.read("first/report.json")), figures(&before), "{args:?}");
    }
    let explained = place.run(&["explain", "first", "--json"]);
    let failing: Value = serde_json::from_str(&out(&explained)).unwrap();
    let probe = failing[0]["probe"].as_str().unwrap();
    let printed = text.lines().find_map(|line| line.strip_prefix("why       toolmirage ")).unwrap();
    let words: Vec<&str> = printed.split_whitespace().collect();
    let shown = place.run(&words);
    assert_eq!(code(&shown), 0, "{printed}: {}", err(&shown));
    let one = place.run(&["explain", "first", probe]);
    assert!(out(&one).contains(probe) && out(&one).contains("found"), "{}", out(&one));
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let place = Place::new();
    let figures = |folder: &str, concurrency: &str| {
        let args = ["run", "--target", "sim:careless", "-q", "--out", folder, "--concurrency", concurrency];
        assert_eq!(code(&place.run(&args)), 0);
        let report: Value = serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap();
        (report["cells"].clone(), report["failing"].clone(), report["invented"].clone())
    };
    assert_eq!(figures("a", "1"), figures("b", "64"));
    let lines = |args: &[&str]| out(&place.run(args));
    assert_eq!(lines(&["expand", "--json"]), lines(&["expand", "--json"]));
}

#[test]
fn expand_prints_one_object_a_probe() {
    let place = Place::new();
    let output = place.run(&["expand", "suites/starter.yaml", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let lines: Vec<Value> = out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() >= 60);
    let tasks: std::collections::HashSet<&str> =
        lines.iter().map(|line| line["task"].as_str().unwrap()).collect();
    assert!(tasks.len() >= 30);
    for key in
        ["id", "question_hash", "sent_hash", "kind", "arm", "task", "tool", "catalog", "decoys", "headline"]
    {
        assert!(lines[0].get(key).is_some(), "{key}");
    }
}

#[test]
fn a_killed_run_goes_on_and_records_every_trial_once() {
    let place = Place::new();
    let args =
        ["run", "--target", "sim:careless", "-q", "--out", "killed", "--repeats", "2", "--concurrency", "4"];
    let mut killed = 0;
    for round in 0..6u64 {
        let resume = ["run", "--resume", "killed", "-q"];
        let mut child = place.command(if round == 0 { &args } else { &resume }).spawn().unwrap();
        // What is waited for is the record growing, not the clock.
        let record = place.path("killed/run.jsonl");
        let goal = 300_000 + round * 160_000;
        while std::fs::metadata(&record).map_or(0, |meta| meta.len()) < goal {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            thread::yield_now();
        }
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            killed += 1;
        }
        child.wait().unwrap();
    }
    assert!(killed > 0, "the run was never killed");
    let unfinished = place.run(&["report", "killed"]);
    if !place.read("killed/run.jsonl").contains("{\"footer\"") {
        assert!(out(&unfinished).to_lowercase().contains("unfinished"), "{}", out(&unfinished));
        let end = place.run(&["run", "--resume", "killed", "-q"]);
        assert_eq!(code(&end), 0, "{}", err(&end));
    }
    let recorded = trials(&place.read("killed/run.jsonl"));
    let distinct: std::collections::HashSet<&String> = recorded.iter().map(|(id, _)| id).collect();
    assert_eq!(distinct.len(), recorded.len(), "a trial is recorded twice");
    assert_eq!(recorded.len(), 2 * out(&place.run(&["expand", "--json"])).lines().count());
    let again = place.run(&["run", "--resume", "killed"]);
    assert_eq!(code(&again), 2, "a complete run cannot go on: {}", err(&again));

    // The figures are those of a run that nobody disturbed.
    let whole = ["run", "--target", "sim:careless", "-q", "--out", "whole", "--repeats", "2"];
    assert_eq!(code(&place.run(&whole)), 0);
    assert_eq!(code(&place.run(&["score", "killed"])), 0);
    let cells = |folder: &str| {
        let report: Value = serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap();
        report["cells"].clone()
    };
    assert_eq!(cells("killed"), cells("whole"));
}

#[test]
fn an_interrupted_run_is_saved_and_goes_on() {
    let place = Place::new();
    let args =
        ["run", "--target", "sim:careless", "-q", "--out", "cut", "--repeats", "30", "--concurrency", "2"];
    let mut child = place.command(&args).spawn().unwrap();
    let record = place.path("cut/run.jsonl");
    while std::fs::metadata(&record).map_or(0, |meta| meta.len()) < 600_000
        && child.try_wait().unwrap().is_none()
    {
        thread::yield_now();
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let text = place.read("cut/run.jsonl");
    let before = trials(&text).len();
    assert!(before > 0 && before < 30 * 250, "{before}");
    assert!(!text.contains("{\"footer\""));
    assert!(text.ends_with('\n'), "no torn line is left");
    // A record that lost probes is damaged, and says so in place of a smaller run.
    let cut: String = text.lines().take(40).map(|line| format!("{line}\n")).collect();
    std::fs::create_dir(place.path("damaged")).unwrap();
    place.write("damaged/run.jsonl", &cut);
    for args in [&["run", "--resume", "damaged"][..], &["score", "damaged"], &["report", "damaged"]] {
        let output = place.run(args);
        assert_eq!(code(&output), 4, "{}", err(&output));
        assert!(err(&output).contains("damaged"), "{}", err(&output));
    }
}

/// An endpoint that gives the same answer to everything, for as many requests as come.
fn endpoint(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(stream, answer));
        }
    });
    format!("http://{address}/v1")
}

fn serve(mut stream: TcpStream, answer: &str) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    let _ = reader.read_exact(&mut body);
    let _ = stream.write_all(answer.as_bytes());
}

fn http(status: &str, kind: &str, body: &str) -> &'static str {
    let text = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    Box::leak(text.into_boxed_str())
}

fn ask(place: &Place, url: &str, more: &[&str]) -> Output {
    let mut args = vec![
        "run",
        "--target",
        "openai_chat:m",
        "--base-url",
        url,
        "-q",
        "--retries",
        "0",
        "--limit",
        "12",
        "--out",
        "asked",
    ];
    args.extend(more);
    place.run(&args)
}

#[test]
fn endpoints_that_give_no_answer_are_said_plainly_and_never_pass() {
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/v1", listener.local_addr().unwrap())
    };
    let json = "application/json";
    let whole = http(
        "200 OK",
        json,
        r#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"Sorry, I cannot"#,
    );
    let refused =
        r#"{"error":{"message":"Incorrect key","type":"invalid_request_error","code":"invalid_api_key"}}"#;
    let cases = [
        ("unreachable", closed, 4, "connect"),
        ("key refused", endpoint(http("401 Unauthorized", json, refused)), 5, "refuses the key"),
        ("a web page", endpoint(http("200 OK", "text/html", "<html><body>Log in</body></html>")), 4, ""),
        ("cut in half", endpoint(whole), 4, ""),
        (
            "an error under 200",
            endpoint(http("200 OK", json, r#"{"error":{"message":"upstream is down","code":502}}"#)),
            4,
            "",
        ),
        ("nothing", endpoint(http("200 OK", json, "")), 4, ""),
        (
            "no credit",
            endpoint(http(
                "429 Too Many",
                json,
                r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            )),
            5,
            "quota",
        ),
    ];
    for (what, url, status, words) in cases {
        let place = Place::new();
        let output = ask(&place, &url, &[]);
        let text = format!("{}{}", out(&output), err(&output));
        assert_eq!(code(&output), status, "{what}: {text}");
        assert!(text.contains(words), "{what}: {text}");
        assert!(!text.contains("panicked"), "{what}: {text}");
        let record = place.read("asked/run.jsonl");
        assert!(record.starts_with("{\"header\""), "{what}: nothing was saved");
        let report: Value = serde_json::from_str(&place.read("asked/report.json")).unwrap();
        assert_eq!(report["trials"]["scored"], 0, "{what}");
        for rate in report["cells"][0]["rates"].as_array().unwrap() {
            assert!(rate["mean_over_probes"].is_null(), "{what}: not measured is no zero");
        }
    }
}

#[test]
fn a_key_is_written_nowhere() {
    let place = Place::new();
    let body = r#"{"error":{"message":"key sk-canary-5521 is not allowed","code":"model_not_found"}}"#;
    let url = endpoint(http("404 Not Found", "application/json", body));
    let args = [
        "run",
        "--target",
        "openai_chat:m",
        "--base-url",
        &url,
        "--key-env",
        "CANARY_KEY",
        "--limit",
        "6",
        "--out",
        "keyed",
    ];
    let output = place
        .command(&args)
        .env("CANARY_KEY", "sk-canary-5521")
        .env("TOOLMIRAGE_LOG", "trace")
        .output()
        .unwrap();
    assert_ne!(code(&output), 0);
    let mut seen = vec![out(&output), err(&output)];
    for entry in std::fs::read_dir(place.path("keyed")).unwrap().flatten() {
        seen.push(String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()).into_owned());
    }
    assert!(seen.len() >= 5);
    for text in seen {
        assert!(!text.contains("sk-canary-5521"), "{text}");
    }
    let unset =
        place.run(&["run", "--target", "openai_chat:m", "--base-url", &url, "--key-env", "NO_SUCH_KEY_HERE"]);
    assert_eq!(code(&unset), 2);
    assert!(err(&unset).contains("NO_SUCH_KEY_HERE"), "{}", err(&unset));
}

#[test]
fn a_secret_in_a_url_or_a_header_is_refused() {
    let place = Place::new();
    let config = |target: &str| {
        format!("toolmirage: config/1\ntargets:\n  t: {{ provider: openai_chat, model: m, {target} }}\n")
    };
    let cases = [
        (config("base_url: \"http://bob:canary77@127.0.0.1:9/v1\""), "user name or password"),
        (config("base_url: \"http://127.0.0.1:9/v1?token=canary77\""), "token"),
        (
            config("base_url: \"http://127.0.0.1:9/v1\", headers: { Authorization: Bearer canary77 }"),
            "headers_env",
        ),
    ];
    for (config, words) in cases {
        place.write("toolmirage.yaml", &config);
        let output = place.run(&["run", "--target", "t", "suites/starter.yaml"]);
        assert_eq!(code(&output), 2, "{}", err(&output));
        assert!(err(&output).contains(words), "{}", err(&output));
        assert!(!err(&output).contains("canary77"), "{}", err(&output));
        assert!(!place.path("reports").exists());
    }
}

#[test]
fn what_an_endpoint_writes_cannot_move_the_terminal() {
    let place = Place::new();
    let body = "{\"error\":{\"message\":\"\\u001b]0;owned\\u0007\\u202e\",\"code\":\"invalid_api_key\"}}";
    let output = ask(&place, &endpoint(http("401 Unauthorized", "application/json", body)), &[]);
    assert_eq!(code(&output), 5);
    for text in [out(&output), err(&output)] {
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text:?}");
    }
}

#[test]
fn token_counts_of_any_size_are_no_crash() {
    let place = Place::new();
    let body = r#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"I cannot do that."},"finish_reason":"stop"}],"usage":{"prompt_tokens":18446744073709551615,"completion_tokens":18446744073709551615}}"#;
    let output = ask(&place, &endpoint(http("200 OK", "application/json", body)), &[]);
    assert!(!err(&output).contains("panicked"), "{}", err(&output));
    assert_ne!(code(&output), 101);
}

#[test]
fn a_served_simulated_model_is_never_a_measurement() {
    let place = Place::new();
    let mut sim =
        place.command(&["sim", "--port", "0", "-q"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(sim.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let url = url.trim();
    let disguised = place.run(&[
        "run",
        "--target",
        "openai_chat:m",
        "--base-url",
        url,
        "-q",
        "--limit",
        "20",
        "--out",
        "a",
    ]);
    let named = place.run(&["run", "--target", "sim:careless", "--base-url", url, "-q", "--out", "b"]);
    let in_process = place.run(&["run", "--target", "sim:careless", "-q", "--out", "c"]);
    sim.kill().unwrap();
    sim.wait().unwrap();
    for output in [&disguised, &named] {
        assert!(out(output).starts_with("SIMULATED"), "{}{}", out(output), err(output));
    }
    let figures =
        |output: &Output| out(output).lines().skip(4).take(4).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(figures(&named), figures(&in_process), "over HTTP and in process the model is the same");
}

/// The shape of the whole configuration page: what this build lacks is known, not mistyped.
#[test]
fn keys_of_other_builds_are_known() {
    let place = Place::new();
    place.write(
        "toolmirage.yaml",
        "toolmirage: config/1\ncatalogs:\n  a: { sources: [{ mcp: x, command: y }], must_equal: c.json, exposure: all }\nprompts:\n  o: { render: python o.py }\ngateways: {}\ntargets:\n  t: { gateway: g, provider: openai_chat, model: m }\nprofiles:\n  pr: { cells: affected, against: main, confirm: 5, max_cost: 25 USD, max_minutes: 10 }\ngate: {}\nowners: {}\nprivacy: { share: evidence, redact: [email] }\nhistory: {}\ntriage: t.yaml\n",
    );
    let output = place.run(&["run"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).matches("known, not in this build").count() == 5, "{}", err(&output));
    assert!(!err(&output).contains("unknown key"), "{}", err(&output));
}

#[test]
fn mistakes_are_shown_at_their_place_with_the_nearest_right_word() {
    let cases: &[(&str, &str, &str, &[&str])] = &[
        (
            "unknown key",
            "substitutes:",
            "substitues:",
            &["suites/starter.yaml:", "substitues", "did you mean `substitutes`"],
        ),
        ("unknown kind", "kinds: [control,", "kinds: [controll,", &["controll", "did you mean `control`"]),
        (
            "unknown tool",
            "tool: create_invoice",
            "tool: create_invoces",
            &["create_invoces", "the nearest that it has is `create_invoice`"],
        ),
        ("other format", "toolmirage: suite/1", "toolmirage: suite/9", &["suite/9", "suite/1"]),
        (
            "known elsewhere",
            "    user: P",
            "    clock: 2027-01-01\n    user: P",
            &["clock", "known, not in this build"],
        ),
    ];
    for (what, from, to, words) in cases {
        let place = Place::new();
        let suite = place.read("suites/starter.yaml").replacen(from, to, 1);
        place.write("suites/starter.yaml", &suite);
        let output = place.run(&["expand"]);
        assert_eq!(code(&output), 2, "{what}: {}", err(&output));
        assert!(out(&output).is_empty(), "{what}");
        for word in *words {
            assert!(err(&output).contains(word), "{what}: {word}: {}", err(&output));
        }
    }
}

#[test]
fn broken_catalogs_and_suites_say_what_and_where() {
    let suite = |catalog: &str| {
        format!(
            "toolmirage: suite/1\nname: t\nversion: 1\nseed: 1\ncatalog: {catalog}\ntasks:\n  - id: a\n    user: Ping it.\n    tool: ping\n"
        )
    };
    let cases: &[(&str, &str, &str)] = &[
        ("unknown shape", r#"{"things":[1,2]}"#, "shape"),
        (
            "duplicate key",
            r#"{"tools":[{"name":"ping","inputSchema":{"type":"object","type":"object"}}]}"#,
            "type",
        ),
        ("no name", r#"{"tools":[{"description":"x","inputSchema":{"type":"object"}}]}"#, "name"),
        ("two of a name", r#"{"tools":[{"name":"ping"},{"name":"ping"}]}"#, "ping"),
        ("no schema", r#"{"tools":[{"name":"ping","inputSchema":{"type":"objekt"}}]}"#, "objekt"),
        ("cut off", r#"{"tools":[{"name":"ping""#, ""),
        ("no such tool", r#"{"tools":[{"name":"pong","inputSchema":{"type":"object"}}]}"#, "ping"),
        ("empty", r#"{"tools":[]}"#, "no tools"),
    ];
    for (what, catalog, word) in cases {
        let place = Place::new();
        place.write("c.json", catalog);
        place.write("t.yaml", &suite("c.json"));
        let output = place.run(&["run", "t.yaml"]);
        assert_eq!(code(&output), 2, "{what}: {}", err(&output));
        assert!(err(&output).contains(word), "{what}: {}", err(&output));
        assert!(
            err(&output).contains(".json:") || err(&output).contains(".yaml:"),
            "{what}: {}",
            err(&output)
        );
        assert!(!place.path("reports").exists(), "{what}: nothing was run");
    }
    let place = Place::new();
    place.write(
        "empty.yaml",
        "toolmirage: suite/1\nname: t\nversion: 1\nseed: 1\ncatalog: catalogs/billing.yaml\ntasks: []\n",
    );
    let output = place.run(&["run", "empty.yaml"]);
    assert_ne!(code(&output), 0, "an empty suite never passes");
    assert!(err(&output).contains("task"), "{}", err(&output));
    let none = place.run(&["run", "--only", "no-such-task"]);
    assert_eq!(code(&none), 4, "nothing matched: {}", err(&none));
}

#[test]
fn words_are_explained() {
    let place = Place::new();
    let output = place.run(&["explain", "shadow-call"]);
    assert_eq!(code(&output), 0);
    assert!(out(&output).contains("Denominator"), "{}", out(&output));
    let typo = place.run(&["explain", "shadow_cal"]);
    assert_eq!(code(&typo), 2);
    assert!(err(&typo).contains("did you mean `shadow_call`"), "{}", err(&typo));
}

/// Everything that the README shows as a command is one.
#[test]
fn the_readmes_commands_parse() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let place = Place::new();
    let mut seen = 0;
    for line in readme.lines() {
        let Some(rest) = line
            .trim()
            .strip_prefix("cargo run -- ")
            .or_else(|| line.trim().strip_prefix("- run: cargo run --release -- "))
        else {
            continue;
        };
        let command = rest.split('#').next().unwrap().trim();
        let name = command.split_whitespace().next().unwrap();
        let help = place.run(&[name, "--help"]);
        assert_eq!(code(&help), 0, "{command}");
        for flag in command.split_whitespace().filter(|word| word.starts_with("--")) {
            assert!(out(&help).contains(flag), "{flag} of `{command}`");
        }
        seen += 1;
    }
    assert!(seen >= 2, "only {seen} commands");
}

#[test]
fn a_frozen_suite_asks_what_it_asked() {
    let place = Place::new();
    let frozen = place.run(&["expand", "suites/starter.yaml", "--update"]);
    assert_eq!(code(&frozen), 0, "{}", err(&frozen));
    assert!(out(&frozen).contains("questions are frozen"), "{}", out(&frozen));
    let again = out(&place.run(&["expand", "suites/starter.yaml", "--update"]));
    assert!(again.contains("as before"), "{again}");
    let run = ["run", "-q", "--target", "sim:honest", "--limit", "10"];
    assert_eq!(code(&place.run(&run)), 0);
    assert_eq!(
        code(&place.run(&[&run[..], &["--kinds", "control"]].concat())),
        0,
        "fewer kinds are no change"
    );
    let suite = place.read("suites/starter.yaml").replacen("Draft an invoice for", "Write an invoice for", 1);
    place.write("suites/starter.yaml", &suite);
    let refused = place.run(&run);
    assert_eq!(code(&refused), 2);
    for word in ["starter.lock", "questions changed (draft-invoice-plain.", "--update"] {
        assert!(err(&refused).contains(word), "{}", err(&refused));
    }
    let noted = place.run(&["expand", "suites/starter.yaml"]);
    assert!(code(&noted) == 0 && err(&noted).contains("differs from its lock"), "{}", err(&noted));
    let accepted = place.run(&["expand", "suites/starter.yaml", "--update"]);
    assert!(out(&accepted).contains("questions changed"), "{}", out(&accepted));
    assert_eq!(code(&place.run(&run)), 0);
    let lock = place.read("suites/starter.lock").replacen("lock/1", "lock/9", 1);
    place.write("suites/starter.lock", &lock);
    let newer = place.run(&run);
    assert!(code(&newer) == 2 && err(&newer).contains("lock/9"), "{}", err(&newer));
}

#[test]
fn a_run_stops_at_its_cap_and_goes_on_later() {
    let place = Place::new();
    let capped = place.run(&["run", "-q", "--out", "a", "--max-requests", "100"]);
    assert_eq!(code(&capped), 5, "{}", err(&capped));
    assert!(err(&capped).contains("stopped at 100 requests (max_requests)"), "{}", err(&capped));
    let sent = trials(&place.read("a/run.jsonl"));
    assert!(!sent.is_empty() && sent.len() <= 100, "{}", sent.len());
    place.write(
        "toolmirage.yaml",
        "toolmirage: config/1\nsuites: [suites/starter.yaml]\nprofiles:\n  small: { max_tokens: 20000 }\n",
    );
    let tokens = place.run(&["run", "-q", "--out", "b", "--profile", "small"]);
    assert!(err(&tokens).contains("stopped at 20000 tokens (max_tokens)"), "{}", err(&tokens));
    for args in [["--max-requests", "0"], ["--max-minutes", "-1"]] {
        let none = place.run(&[&["run", "--out", "c"], &args[..]].concat());
        assert_eq!(code(&none), 2, "{}", err(&none));
    }
    let resumed = place.run(&["run", "-q", "--resume", "a"]);
    assert_eq!(code(&resumed), 0, "{}", err(&resumed));
    let whole = place.run(&["run", "-q", "--out", "d"]);
    let figures =
        |output: &Output| out(output).lines().skip(4).take(4).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(figures(&resumed), figures(&whole), "what was put twice or never would show");
}
