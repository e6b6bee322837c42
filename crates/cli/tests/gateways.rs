//! Gateways, prices and caps on money: the built binary against an endpoint on loopback.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::io::{BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use place::{Place, code, err, out};

/// What the endpoint saw of a request: its head in lower case, its body.
type Seen = Arc<Mutex<Vec<(String, Value)>>>;

/// An endpoint that answers the request of each number with a model's name in a header and words.
fn endpoint(
    answer: impl Fn(usize) -> (&'static str, &'static str) + Send + Sync + 'static,
) -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (seen, count) = (Seen::default(), Arc::new(AtomicUsize::new(0)));
    let (into, answer) = (seen.clone(), Arc::new(answer));
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (seen, count, answer) = (into.clone(), count.clone(), answer.clone());
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut head, mut length) = (String::new(), 0);
                while let Some(line) = next_line(&mut reader) {
                    if let Some(value) = line.strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    head.push_str(&line);
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                seen.lock().unwrap().push((head, serde_json::from_slice(&body).unwrap()));
                let number = count.fetch_add(1, Ordering::SeqCst);
                let (model, words) = answer(number);
                let body = json!({
                    "id": format!("chatcmpl-{number}"),
                    "model": "fern-2",
                    "choices": [{ "message": { "role": "assistant", "content": words }, "finish_reason": "stop" }],
                    "usage": { "prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": { "cached_tokens": 400 } },
                })
                .to_string();
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-real-model: {model}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
            });
        }
    });
    (format!("http://{address}"), seen)
}

/// A line of a request's head, in lower case; none at its end.
fn next_line(reader: &mut impl std::io::BufRead) -> Option<String> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 2)?;
    Some(line.to_ascii_lowercase())
}

/// A configuration with one gateway at this address, and one target behind it.
fn configure(place: &Place, address: &str, gateway: &str, more: &str) {
    let text = format!(
        "toolmirage: config/1\nsuites: [suites/starter.yaml]\ngateways:\n  yard:\n    base_url: {address}\n{gateway}targets:\n  fern-2: {{ gateway: yard, provider: openai_chat, model: fern-2 }}\n{more}"
    );
    place.write("toolmirage.yaml", &text);
}

const GATEWAY: &str = "    headers: { X-Team: depot }
    headers_env: { X-Pass: YARD_PASS }
    key_env: YARD_KEY
    served_model: { header: x-real-model, equals: [fern-2-0917] }
    no_cache: { header: \"Cache-Control: no-cache\" }
    no_fallback: { body: { fallback: false } }
    error_text: [\"^upstream .* unavailable\"]
";

#[test]
fn what_a_gateway_answers_has_a_bucket_of_its_own() {
    let (address, seen) = endpoint(|number| match number {
        0 => ("moss-1", "I cannot do that."),
        1 => ("fern-2-0917", "upstream fern-2 unavailable, request 17"),
        _ => ("fern-2-0917", "I cannot do that."),
    });
    let place = Place::new();
    let prices = "prices:\n  fern-2: { input: 2, cached_input: 0.5, output: 10 }\n";
    configure(&place, &address, GATEWAY, prices);
    let run = [
        "run",
        "--no-check",
        "-q",
        "--limit",
        "12",
        "--concurrency",
        "1",
        "--out",
        "a",
        "--max-cost",
        "1 USD",
    ];
    let output = place
        .command(&run)
        .env("YARD_KEY", "k-yard-99812")
        .env("YARD_PASS", "p-yard-55120")
        .output()
        .unwrap();
    let text = out(&output);
    assert!(text.contains("endpoint_error 2"), "{text}{}", err(&output));
    assert!(
        text.contains("1 an error served as the assistant's words, 1 answered by another model"),
        "{text}"
    );
    assert!(text.contains("fern-2 by moss-1, 1"), "{text}");
    // 600 fresh at 2, 400 cached at 0.5, 100 written at 10, eleven times.
    assert!(text.contains("$0.0264 of $1.00"), "{text}");
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 11);
    for (head, body) in seen.iter() {
        assert!(head.starts_with("post /v1/chat/completions "), "{head}");
        for line in [
            "x-team: depot",
            "x-pass: p-yard-55120",
            "authorization: bearer k-yard-99812",
            "cache-control: no-cache",
        ] {
            assert!(head.contains(line), "{line} in {head}");
        }
        assert_eq!(body["fallback"], false);
    }
    for file in ["run.jsonl", "report.json", "report.html", "report.md", "rates.csv"] {
        let text = place.read(&format!("a/{file}"));
        assert!(!text.contains("99812") && !text.contains("55120"), "{file}");
    }
    assert!(place.read("a/report.md").contains("answered by another model"));
    let report: Value = serde_json::from_str(&place.read("a/report.json")).unwrap();
    assert_eq!(report["trials"]["causes"], json!({ "error_text": 1, "fallback": 1 }));
    assert_eq!(report["run"]["tokens"]["cached"], 4400);
    assert_eq!(report["run"]["cost"]["spent"], 0.0264);
    // Scored again from the record alone, it comes to the same.
    let again = place.run(&["score", "a"]);
    assert!(out(&again).contains("endpoint_error 2") && out(&again).contains("$0.0264"), "{}", out(&again));
    let decoded = place.run(&["score", "a", "--decode"]);
    assert!(out(&decoded).contains("endpoint_error 2"), "{}", out(&decoded));
}

#[test]
fn each_target_knows_the_names_of_its_own_model() {
    let (address, _) = endpoint(|_| ("fern-2-0917", "I cannot do that."));
    let place = Place::new();
    let behind = |model: &str, more: &str| {
        format!(
            "  {model}: {{ gateway: yard, provider: openai_chat, model: {model}, served_model: {{ {more} }} }}\n"
        )
    };
    let direct = |model: &str, more: &str| {
        format!(
            "  {model}: {{ base_url: \"{address}/v1\", provider: openai_chat, model: {model}, served_model: {{ {more} }} }}\n"
        )
    };
    // The endpoint's header says `fern-2-0917` whoever is asked, its body `fern-2`.
    for (number, (gateway, target, left_out)) in [
        ("    served_model: { header: x-real-model }\n", behind("fern-3", "equals: [fern-2-0917]"), false),
        ("    served_model: { header: x-real-model }\n", behind("moss-1", "equals: [moss-1-1001]"), true),
        (
            "    served_model: { header: x-real-model, equals: [fern-2-0917] }\n",
            behind("moss-1", "equals: [moss-1-1001]"),
            true,
        ),
        (
            "    served_model: { header: x-other }\n",
            behind("moss-1", "header: x-real-model, equals: [fern-2-0917]"),
            false,
        ),
        ("    served_model: { equals: [fern-2] }\n", behind("moss-1", "header: x-real-model"), true),
        ("", direct("fern-3", "equals: [fern-2]"), false),
        ("", direct("moss-1", "equals: [moss-1-1001]"), true),
        ("", direct("moss-1", "header: x-real-model, equals: [moss-1-1001]"), true),
        ("", direct("moss-1", "header: x-real-model"), false),
    ]
    .into_iter()
    .enumerate()
    {
        configure(&place, &address, gateway, &target);
        let name = target.trim().split(':').next().unwrap();
        let folder = format!("names-{number}");
        let run = ["run", "--no-check", "-q", "--limit", "4", "--target", name, "--out", &folder];
        place.run(&run);
        let report: Value = serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap();
        let found = report["trials"]["causes"]["fallback"].as_u64().unwrap_or_default();
        let all = report["trials"]["planned"].as_u64().unwrap();
        assert_eq!(found, if left_out { all } else { 0 }, "{number}: {target}");
    }
    configure(&place, &address, "", &direct("moss-1", "body: model"));
    let refused = place.run(&["plan", "--target", "moss-1"]);
    assert!(err(&refused).contains("no JSON pointer") && code(&refused) == 2, "{}", err(&refused));
}

#[test]
fn a_cap_on_money_holds_and_the_rest_is_put_later() {
    let (address, seen) = endpoint(|_| ("fern-2-0917", "I cannot do that."));
    let place = Place::new();
    let prices = "prices:\n  fern-2: { input: 2, cached_input: 0.5, output: 10 }\nprofiles:\n  small: { max_cost: 0.10 USD }\n";
    configure(&place, &address, "", prices);
    let capped =
        place.run(&["run", "--no-check", "-q", "--profile", "small", "--concurrency", "16", "--out", "a"]);
    assert_eq!(code(&capped), 5, "{}", err(&capped));
    assert!(err(&capped).contains("stopped at $0.1000 (max_cost)"), "{}", err(&capped));
    // 0.0024 dollars each.
    let sent = seen.lock().unwrap().len();
    assert!((30..=41).contains(&sent), "{sent}");
    assert!(out(&capped).contains(" of $0.1000"), "{}", out(&capped));
    let resumed = place.run(&["run", "-q", "--resume", "a", "--max-requests", "5"]);
    assert_eq!(code(&resumed), 5, "{}", err(&resumed));
    assert_eq!(seen.lock().unwrap().len(), sent + 5);
}

#[test]
fn what_cannot_be_right_is_refused_before_anything_is_sent() {
    let place = Place::new();
    let check = |gateway: &str, more: &str, args: &[&str], words: &[&str]| {
        configure(&place, "http://127.0.0.1:9", gateway, more);
        let output = place.run(&[&["plan"], args].concat());
        let said = err(&output);
        assert_eq!(code(&output), 2, "{said}");
        assert!(words.iter().all(|word| said.contains(word)), "{words:?} in {said}");
    };
    check("    served_model: {}\n", "", &[], &["one of `header` and `body`", "toolmirage.yaml:6:"]);
    check("    served_model: { body: model }\n", "", &[], &["no JSON pointer", "toolmirage.yaml:6:"]);
    check("    error_text: [\"(\"]\n", "", &[], &["no regular expression", "toolmirage.yaml:6:"]);
    check("    no_cache: { header: none }\n", "", &[], &["write `Name: value`", "toolmirage.yaml:6:"]);
    check("    no_cache: {}\n", "", &[], &["give a `header` or a `body`"]);
    check("    tokens_per_minute: 0\n", "", &[], &["a limit of 0", "toolmirage.yaml:6:"]);
    check("    key_env: A\n    token_command: b\n", "", &[], &["not both", "toolmirage.yaml:7:"]);
    check("    headers: { Authorization: x }\n", "", &[], &["headers_env"]);
    check("    tokens_per_minut: 1\n", "", &[], &["tokens_per_minute", "toolmirage.yaml:6:"]);
    let other = "  moss-1: { gateway: yrad, provider: openai_chat, model: moss-1 }\n";
    check("", other, &["--target", "moss-1"], &["unknown gateway `yrad`", "did you mean `yard`?"]);
    let both =
        "  moss-1: { gateway: yard, base_url: \"http://h/v1\", provider: openai_chat, model: moss-1 }\n";
    check("", both, &["--target", "moss-1"], &["leave one of the two out"]);
    check(
        "",
        "profiles:\n  small: { max_cost: 25 EUR }\n",
        &[],
        &["`25 EUR`", "`25 USD`", "toolmirage.yaml:9:"],
    );
    configure(&place, "http://127.0.0.1:9", "", "");
    let unpriced = place.run(&["run", "-q", "--out", "a", "--max-cost", "5"]);
    assert_eq!(code(&unpriced), 2);
    let said = err(&unpriced);
    assert!(said.contains("target `fern-2` has no price") && said.contains("prices: { \"fern-2\""), "{said}");
    assert!(!place.path("a").exists(), "nothing was begun");
}

#[test]
fn plan_says_what_it_would_use_and_where_data_goes() {
    let place = Place::new();
    let limits = "    tokens_per_minute: 6000\n    requests_per_minute: 1000000\n";
    configure(&place, "https://models.yard.example", limits, "");
    let planned = out(&place.run(&["plan", "--limit", "20"]));
    assert!(planned.contains("data goes  to models.yard.example (gateway yard)"), "{planned}");
    assert!(planned.contains("tokens     fern-2: ") && planned.contains("price unknown"), "{planned}");
    assert!(planned.contains("time       at least ") && planned.contains(" at our share"), "{planned}");
    configure(&place, "https://models.yard.example", "", "prices: { fern-2: { input: 2, output: 10 } }\n");
    let planned: Value =
        serde_json::from_str(&out(&place.run(&["plan", "--limit", "20", "--json"]))).unwrap();
    let target = &planned["spending"]["targets"][0];
    let tokens = |key: &str| target[key].as_u64().unwrap() as f64;
    let cost = tokens("input") * 2e-6 + tokens("output") * 1e-5;
    assert!((target["cost"].as_f64().unwrap() - cost).abs() < 1e-9 && cost > 0.0, "{target}");
    assert_eq!(target["cached"], Value::Null);
    // A listed model at its provider's own address.
    let args =
        ["plan", "--limit", "20", "--target", "anthropic_messages:claude-opus-5", "--set", "max_tokens=64"];
    let listed = out(&place.run(&args));
    assert!(listed.contains("by the list of 20") && listed.contains("api.anthropic.com"), "{listed}");
    let simulated = out(&place.run(&["plan", "--limit", "20", "--target", "sim:careless"]));
    assert!(simulated.contains("data goes  nowhere: a model in this process"), "{simulated}");
}
