//! Every provider over real sockets: a small suite is put to one simulated model in each wire format, streamed and
//! not, and comes to the same verdicts in all of them.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;
mod served;

use std::collections::BTreeSet;

use serde_json::Value;

use place::{Place, code, err, out};
use served::Served;

/// One way of asking: provider, what its base URL adds to the server's address, and members of the body.
const WAYS: &[(&str, &str, &[&str])] = &[
    ("openai_chat", "/v1", &[]),
    ("openai_chat", "/v1", &["stream=true"]),
    ("openai_responses", "/v1", &[]),
    ("openai_responses", "/v1", &["stream=true"]),
    ("anthropic_messages", "/v1", &["max_tokens=900"]),
    ("anthropic_messages", "/v1", &["max_tokens=900", "stream=true"]),
    ("bedrock_converse", "", &[]),
    ("gemini", "/v1beta", &[]),
    ("ollama", "", &[]),
    ("ollama", "", &["stream=true"]),
    ("mistral", "/mistral/v1", &[]),
    ("azure_openai", "/openai/v1", &[]),
    ("openrouter", "/api/v1", &[]),
];

const PROFILE: &str = "planted:unknown_tool=0.2,shadow_call=0.3,hallucinated_argument=0.3,seed=11";
const SUITE: &[&str] = &["suites/starter.yaml", "--limit", "60"];

fn run(place: &Place, address: &str, way: usize) -> Value {
    let (provider, base, members) = WAYS[way];
    let (target, url, folder) =
        (format!("{provider}:fern-2"), format!("{address}{base}"), format!("{provider}-{way}"));
    let mut args = vec!["run", "--no-check"];
    args.extend(SUITE);
    args.extend([
        "--target",
        &target,
        "--base-url",
        &url,
        "--out",
        &folder,
        "--timeout",
        "20",
        "--json",
        "-q",
    ]);
    members.iter().for_each(|member| args.extend(["--set", member]));
    let output = place.run(&args);
    assert!(!out(&output).is_empty(), "{provider}: {}", err(&output));
    assert!([0, 1].contains(&code(&output)), "{provider}: {}", err(&output));
    serde_json::from_str(&out(&output)).unwrap()
}

/// Figures of the report by name: what is counted, of what, and what is left out.
fn figures(report: &Value) -> Vec<String> {
    let rates = report["cells"][0]["rates"].as_array().unwrap();
    let row = |rate: &Value| {
        format!("{}: {} of {}, {}", rate["metric"], rate["events"], rate["scored"], rate["excluded"])
    };
    rates.iter().map(row).collect()
}

#[test]
fn every_provider_of_this_build_is_in_the_table() {
    let named: BTreeSet<&str> = WAYS.iter().map(|(provider, ..)| *provider).collect();
    let place = Place::new();
    let refused = place.run(&["plan", "--target", "qqqqqqqqqqqqqq:x", "--base-url", "http://127.0.0.1:1"]);
    let known = err(&refused);
    let known = known.split_once("this build has ").unwrap().1.lines().next().unwrap();
    let known: BTreeSet<&str> = known.split(", ").filter(|name| *name != "sim").collect();
    assert_eq!(named, known);
}

#[test]
fn verdicts_are_the_same_in_every_wire_format() {
    let place = Place::new();
    let served = Served::start(&place, PROFILE, "", SUITE);
    let wanted = figures(&run(&place, &served.address, 0));
    assert!(wanted.iter().any(|row| row.starts_with("\"unknown_tool\": ") && !row.contains(": 0 of")));
    for (number, way) in WAYS.iter().enumerate().skip(1) {
        let report = run(&place, &served.address, number);
        assert_eq!(report["simulated"], true, "{way:?} passes for a measurement");
        assert_eq!(figures(&report), wanted, "{way:?}");
    }
}

/// What keeps nobody from the answer changes no verdict; what does is left out under its name.
#[test]
fn harmless_faults_change_no_verdict_in_any_wire_format() {
    let place = Place::new();
    let quiet = Served::start(&place, PROFILE, "", SUITE);
    let wanted = figures(&run(&place, &quiet.address, 0));
    drop(quiet);
    let faults = "429=0.05,content_type=0.2,gzip=0.25,slow=0.05,split=0.3,seed=5";
    let served = Served::start(&place, PROFILE, faults, SUITE);
    for (number, way) in WAYS.iter().enumerate().skip(1) {
        assert_eq!(figures(&run(&place, &served.address, number)), wanted, "{way:?}");
    }
}

#[test]
fn each_fault_lands_in_its_bucket() {
    let place = Place::new();
    for (fault, bucket) in [
        ("500", "endpoint_error"),
        ("503", "endpoint_error"),
        ("529", "endpoint_error"),
        ("429", "endpoint_error"),
        ("timeout", "timeout"),
        ("cut", "endpoint_error"),
        ("malformed", "unparsed"),
        ("truncated", "truncated"),
        ("html", "unparsed"),
        ("huge", "endpoint_error"),
        ("endless", "timeout"),
    ] {
        let suite = ["suites/starter.yaml", "--limit", "3"];
        let served = Served::start(&place, "honest", &format!("{fault}=1"), &suite);
        let url = format!("{}/v1", served.address);
        let target =
            ["run", "--no-check", suite[0], suite[1], suite[2], "--target", "sim:honest", "--base-url", &url];
        let folder = format!("fault-{fault}");
        let how = ["--out", &folder, "--timeout", "1", "--retries", "0", "-q"];
        let output = place.run(&[&target[..], &how].concat());
        assert_eq!(code(&output), 4, "{fault}: nothing is scored, so nothing is measured: {}", err(&output));
        let record = place.read(&format!("{folder}/run.jsonl"));
        let trials: Vec<Value> = record
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).unwrap().get("trial").cloned())
            .collect();
        assert!(!trials.is_empty(), "{fault}");
        for trial in &trials {
            assert_eq!(trial["status"], bucket, "{fault}: {trial}");
        }
    }
}
