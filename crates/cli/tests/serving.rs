//! `check-endpoint`, and the check before a run: every way of serving tools that a simulated server can have is told
//! for what it is, and what cannot be seen there is never counted as 0.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Output, Stdio};

use serde_json::Value;

use place::{Place, code, err, out};

/// A simulated model behind a server with faults.
struct Served {
    process: Child,
    url: String,
}

impl Served {
    fn new(place: &Place, faults: &str) -> Self {
        let args = ["sim", "--port", "0", "-q", "--profile", "honest", "--serving", faults];
        let mut process = place.command(&args).stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { process, url: url.trim().to_owned() }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn check(place: &Place, url: &str, more: &[&str]) -> Output {
    let args = ["check-endpoint", "openai_chat:m", "--base-url", url, "-q"];
    place.run(&[&args[..], more].concat())
}

/// The answers of a check: key, answer, kind of answer.
fn answers(output: &Output) -> Vec<(String, String)> {
    let checked: Value = serde_json::from_str(&out(output)).unwrap();
    let answers = checked["check"]["answers"].as_array().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let told = |answer: &Value| {
        let how = text(&answer["how"]);
        let all = if how.is_empty() {
            text(&answer["answer"])
        } else {
            format!("{}, {how}", text(&answer["answer"]))
        };
        (text(&answer["question"]), all)
    };
    answers.iter().map(told).collect()
}

fn told(place: &Place, faults: &str) -> impl Fn(&str) -> String {
    let served = Served::new(place, faults);
    let output = check(place, &served.url, &["--json"]);
    let answers = answers(&output);
    assert_eq!(code(&output), if faults.contains("blind") { 4 } else { 0 }, "{faults}: {}", err(&output));
    move |key| {
        let found = answers.iter().find(|(question, _)| question == key);
        found.map_or_else(|| panic!("no answer to {key}"), |(_, answer)| answer.clone())
    }
}

#[test]
fn a_server_that_hides_nothing_is_told_so() {
    let place = Place::new();
    let open = told(&place, "");
    for (key, answer) in [
        ("sees_tools", "yes"),
        ("constrains_names", "no"),
        ("filters_unknown_names", "no"),
        ("required_constrains_names", "no"),
        ("strict_constrains_names", "no"),
        ("strict_schemas", "no, ignored"),
        ("honours_required", "yes"),
        ("honours_none", "yes"),
        ("honours_named", "yes"),
        ("parallel_calls", "yes"),
        ("parallel_off", "yes"),
        ("streams_alike", "yes"),
        ("leaks_markup", "no"),
        ("empty_arguments", "yes"),
        ("replays", "no"),
        ("output_limit", "yes"),
        ("refuses_unknown_members", "no, ignored"),
    ] {
        assert_eq!(open(key), answer, "{key}");
    }
}

#[test]
fn every_fault_of_a_server_shows_where_it_is() {
    let place = Place::new();
    for (faults, expected) in [
        ("blind", &[("sees_tools", "no"), ("constrains_names", "unknown")][..]),
        ("blind+no_usage", &[("sees_tools", "no")]),
        ("no_usage", &[("sees_tools", "yes"), ("constrains_names", "no")]),
        ("constrained", &[("constrains_names", "yes"), ("filters_unknown_names", "unknown")]),
        ("filtering", &[("filters_unknown_names", "yes, dropped"), ("constrains_names", "unknown")]),
        ("rewriting", &[("filters_unknown_names", "yes, rewritten"), ("constrains_names", "unknown")]),
        ("handing_back", &[("filters_unknown_names", "yes, handed back as text")]),
        ("leaking", &[("leaks_markup", "yes"), ("filters_unknown_names", "unknown")]),
        (
            "ignoring_choice",
            &[
                ("honours_required", "no, ignored"),
                ("honours_none", "no, ignored"),
                ("honours_named", "no, ignored"),
            ],
        ),
        (
            "refusing_choice",
            &[("honours_required", "refused"), ("honours_named", "refused"), ("honours_none", "yes")],
        ),
        ("ignoring_parallel", &[("parallel_off", "no, ignored"), ("parallel_calls", "yes")]),
        ("enforcing_strict", &[("strict_schemas", "yes, enforced")]),
        ("refusing_strict", &[("strict_schemas", "refused")]),
        ("replaying", &[("replays", "yes")]),
        ("ignoring_limit", &[("output_limit", "no, ignored")]),
        ("empty_arguments", &[("empty_arguments", "no, an empty text")]),
        ("refusing_members", &[("refuses_unknown_members", "yes"), ("sees_tools", "yes")]),
    ] {
        let told = told(&place, faults);
        for (key, answer) in expected {
            assert_eq!(told(key), *answer, "{faults}: {key}");
        }
    }
}

#[test]
fn the_screen_fits_and_the_matrix_has_every_combination() {
    let place = Place::new();
    let served = Served::new(&place, "refusing_choice+ignoring_parallel");
    let output = check(&place, &served.url, &["--matrix", "--set", "temperature=0"]);
    let text = out(&output);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(text.lines().count() <= 40, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 123), "{text}");
    assert!(
        text.contains("\nMEASURABLE\n") && text.contains("temperature accepted, effect not shown"),
        "{text}"
    );
    let row = |start: &str| text.lines().find(|line| line.trim().starts_with(start)).unwrap().to_owned();
    assert!(row("strict=on   tool_choice=required").contains("refused        refused"), "{text}");
    assert!(row("strict=off  tool_choice=auto").ends_with("enforced       ignored"), "{text}");
    let evidence = out(&check(&place, &served.url, &["--evidence"]));
    assert!(evidence.contains("asked to call a tool that is not offered: called polish_bell"), "{evidence}");
}

fn run(place: &Place, url: &str, folder: &str, more: &[&str]) -> Output {
    let args =
        ["run", "--target", "openai_chat:m", "--base-url", url, "-q", "--limit", "30", "--out", folder];
    place.run(&[&args[..], more].concat())
}

fn header(place: &Place, folder: &str) -> Value {
    let record = place.read(&format!("{folder}/run.jsonl"));
    serde_json::from_str::<Value>(record.lines().next().unwrap()).unwrap()["header"].clone()
}

fn state(place: &Place, folder: &str) -> Value {
    let report: Value = serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap();
    let rates = report["cells"][0]["rates"].as_array().unwrap().clone();
    rates.iter().find(|rate| rate["metric"] == "unknown_tool").unwrap()["state"].clone()
}

#[test]
fn a_run_knows_what_its_endpoint_hides() {
    let place = Place::new();
    let open = Served::new(&place, "");
    let filtering = Served::new(&place, "filtering");
    run(&place, &open.url, "open", &[]);
    let hidden = run(&place, &filtering.url, "hidden", &[]);
    assert_eq!(state(&place, "open"), "measured");
    assert_eq!(state(&place, "hidden"), "censored");
    for (format, file) in [("text", None), ("md", Some("report.md")), ("html", Some("report.html"))] {
        let text = file.map_or_else(|| out(&hidden), |file| place.read(&format!("hidden/{file}")));
        assert!(text.contains("censored"), "{format}: {text}");
        assert!(text.contains("unknown names are filtered"), "{format}: {text}");
    }
    let target = header(&place, "hidden")["targets"]["openai_chat:m"].clone();
    assert_eq!(target["endpoint"]["filters_unknown_names"], "yes");
    assert!(target["serving"]["requests"].as_u64().unwrap() > 10);
    // The requests of the check are nobody's trials.
    let report: Value = serde_json::from_str(&place.read("hidden/report.json")).unwrap();
    assert!(report["run"]["requests"].as_u64().unwrap() < 100);
    let compared = place.run(&["compare", "open", "hidden"]);
    assert_eq!(code(&compared), 4, "{}", out(&compared));
    assert!(out(&compared).contains("the endpoints differ"), "{}", out(&compared));
}

#[test]
fn a_blind_endpoint_is_refused_and_leaves_no_run() {
    let place = Place::new();
    let blind = Served::new(&place, "blind");
    let output = run(&place, &blind.url, "blind", &[]);
    assert_eq!(code(&output), 4, "{}", out(&output));
    assert!(err(&output).contains("not measurable: the tools do not reach the model"), "{}", err(&output));
    assert!(!place.path("blind").exists());
    let unchecked = run(&place, &blind.url, "blind", &["--no-check"]);
    assert_ne!(code(&unchecked), 2, "{}", err(&unchecked));
    assert_eq!(header(&place, "blind")["targets"]["openai_chat:m"]["endpoint"]["sees_tools"], "unknown");
}

#[test]
fn a_fresh_check_is_not_made_twice() {
    let place = Place::new();
    let served = Served::new(&place, "");
    let checked = |folder: &str, more: &[&str]| {
        let output = run(&place, &served.url, folder, more);
        assert_ne!(code(&output), 2, "{}", err(&output));
        header(&place, folder)["targets"]["openai_chat:m"]["serving"]["checked"].clone()
    };
    let first = checked("a", &[]);
    assert!(first.is_string());
    assert_eq!(checked("b", &[]), first);
    assert_ne!(checked("c", &["--check"]), first);
    // Another setting is another target.
    assert_ne!(checked("d", &["--set", "temperature=0"]), first);
    assert!(checked("e", &["--no-check"]).is_null());
}

#[test]
fn a_plan_shows_what_the_check_takes() {
    let place = Place::new();
    let served = Served::new(&place, "");
    let args = ["plan", "suites/starter.yaml", "--target", "openai_chat:m", "--base-url", &served.url];
    let planned = out(&place.run(&args));
    let row = planned.lines().find(|line| line.starts_with("check ")).unwrap_or_else(|| panic!("{planned}"));
    assert!(
        row.starts_with("check      openai_chat:m: at most 25 requests before the first trial, "),
        "{row}"
    );
    let json = |args: &[&str]| -> Value {
        serde_json::from_str(&out(&place.run(&[args, &["--json"]].concat()))).unwrap()
    };
    let check = json(&args)["checks"][0].clone();
    run(&place, &served.url, "a", &[]);
    let asked = header(&place, "a")["targets"]["openai_chat:m"]["serving"].clone();
    for (figure, pointer) in
        [("requests", "/requests"), ("input", "/tokens/input"), ("output", "/tokens/output")]
    {
        let (most, took) =
            (check[figure].as_u64().unwrap(), asked.pointer(pointer).unwrap().as_u64().unwrap());
        assert!((1..=most).contains(&took), "{figure}: {took} of {most}");
    }
    // What was asked within a day is not asked again, unless an arm wants to know more.
    let known = json(&args)["checks"][0].clone();
    assert_eq!((&known["requests"], &known["known_since"]), (&0.into(), &asked["checked"]));
    assert!(out(&place.run(&args)).contains("check      openai_chat:m: none, it was asked 2"));
    let armed = json(&[&args[..], &["--arms", "strict"]].concat())["checks"][0]["requests"].clone();
    assert_eq!(armed, 26);
    // A model in this process hides nothing.
    let own = json(&["plan", "suites/starter.yaml", "--target", "sim:honest"]);
    assert_eq!(own["checks"], serde_json::json!([]));
}

#[test]
fn every_cap_holds_for_the_check_too_and_the_run_goes_on_later() {
    let place = Place::new();
    let served = Served::new(&place, "");
    let url = &served.url;
    let config = "toolmirage: config/1\nprices: { m: { input: 100, output: 100 } }\n";
    place.write("toolmirage.yaml", config);
    for (flag, value, reached) in [
        ("--max-requests", "6", "stopped at 6 requests (max_requests)"),
        ("--max-tokens", "4000", "stopped at 4000 tokens (max_tokens)"),
        ("--max-cost", "0.4 USD", "stopped at $0.4000 (max_cost)"),
        ("--max-minutes", "0.000001", "stopped at 0.000001 minutes (max_minutes)"),
    ] {
        let folder = format!("run{flag}");
        let stopped = run(&place, url, &folder, &[flag, value]);
        assert_eq!(code(&stopped), 5, "{flag}: {}", err(&stopped));
        assert!(err(&stopped).contains(&format!("{reached}: 0 of 27 trials are saved")), "{}", err(&stopped));
        let check = header(&place, &folder)["targets"]["openai_chat:m"]["serving"].clone();
        if flag == "--max-minutes" {
            assert!(check.is_null(), "nothing was sent: {check}");
        } else {
            assert!(check["cut_short"].as_str().unwrap().contains("(max_"), "{check}");
            assert_eq!(check["endpoint"]["sees_tools"], "yes", "what was answered is kept: {check}");
            let used =
                check["tokens"]["input"].as_u64().unwrap() + check["tokens"]["output"].as_u64().unwrap();
            assert!(check["requests"].as_u64().unwrap() <= 6 || used <= 4000, "{check}");
        }
        // Half a check is none for the next run.
        assert!(!place.path("reports/.serving").exists());
        let resumed = place.run(&["run", "--resume", &folder, "-q"]);
        assert_eq!(code(&resumed), 0, "{flag}: {}", err(&resumed));
        let report: Value = serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap();
        assert_eq!(report["trials"]["scored"], 27, "{report}");
    }
    // What the check leaves is the trials'.
    let stopped = run(&place, url, "rest", &["--max-requests", "40"]);
    assert_eq!(code(&stopped), 5, "{}", err(&stopped));
    let asked = header(&place, "rest")["targets"]["openai_chat:m"]["serving"]["requests"].as_u64().unwrap();
    let report: Value = serde_json::from_str(&place.read("rest/report.json")).unwrap();
    let sent = report["run"]["requests"].as_u64().unwrap();
    assert!(asked > 10 && asked + sent <= 40 && sent > 0, "{asked} and {sent}");
}

#[test]
fn recordings_hold_the_check_too() {
    let place = Place::new();
    let served = Served::new(&place, "filtering");
    run(&place, &served.url, "first", &["--record", "kept"]);
    let url = served.url.clone();
    drop(served);
    let again = run(&place, &url, "again", &["--replay", "kept"]);
    assert_eq!(state(&place, "again"), "censored", "{}", err(&again));
    let known = |folder: &str| header(&place, folder)["targets"]["openai_chat:m"]["serving"].clone();
    assert_eq!(known("again"), known("first"));
}

#[test]
fn arms_of_strictness_say_what_the_endpoint_made_of_them() {
    let place = Place::new();
    let served = Served::new(&place, "refusing_strict+ignoring_choice");
    let output = run(
        &place,
        &served.url,
        "arms",
        &["--arms", "strict,tool_choice=none,parallel", "--kinds", "control,decoy"],
    );
    assert_ne!(code(&output), 2, "{}", err(&output));
    let report: Value = serde_json::from_str(&place.read("arms/report.json")).unwrap();
    let cells =
        report["identity"]["targets"]["openai_chat:m"]["serving"]["strictness"].as_array().unwrap().clone();
    let state = |arm: &str| cells.iter().find(|cell| cell["arm"] == arm).unwrap()["state"].clone();
    assert_eq!(
        [state("strict"), state("tool_choice=none"), state("parallel")],
        ["refused", "ignored", "enforced"]
    );
    for file in ["report.md", "report.html"] {
        let text = place.read(&format!("arms/{file}"));
        assert!(text.contains("ignored") && text.contains("enforced") && text.contains("refused"), "{file}");
    }
    let text = out(&output);
    for line in ["strict, refused", "tool_choice=none, ignored", "parallel, enforced"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(place.read("arms/report.html").contains("What the endpoint made of each arm"));
}

#[test]
fn what_cannot_be_checked_says_why() {
    let place = Place::new();
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/v1", listener.local_addr().unwrap())
    };
    let output = check(&place, &closed, &[]);
    assert_eq!(code(&output), 4);
    assert!(err(&output).contains("no model was reached"), "{}", err(&output));
    let sim = place.run(&["check-endpoint", "sim:honest", "-q"]);
    assert_eq!(code(&sim), 0, "{}", err(&sim));
    assert!(out(&sim).contains("in process"), "{}", out(&sim));
    let unknown = place.run(&["check-endpoint", "openai_chat", "-q"]);
    assert_eq!(code(&unknown), 2);
    let faults = place.run(&["sim", "--serving", "blnd"]);
    assert!(code(&faults) == 2 && err(&faults).contains("`blind`"), "{}", err(&faults));
}
