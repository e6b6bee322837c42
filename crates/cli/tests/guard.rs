//! `guard` as a filter: what passes comes out byte for byte, what is refused leaves a row and a reason.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod place;

use std::io::Write as _;
use std::process::{Output, Stdio};

use place::{Place, code, err, out};

const RULES: &str = "\
toolmirage: guard/1
reads:
  list_parcels:
    rows: parcels
    corpus: 900
    page_cap: 50
    more: next
    filter: { depot: { argument: depot } }
    max_drop_percent: 40
  get_parcel: { keys: [id, /route/0], expect_min: 0 }
";

fn fed(place: &Place, args: &[&str], body: &[u8]) -> Output {
    let mut command = place.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(body).unwrap();
    child.wait_with_output().unwrap()
}

fn parcels(count: usize, depot: &str) -> String {
    let rows: Vec<String> =
        (0..count).map(|at| format!("{{ \"id\":{at},  \"depot\":\"{depot}\"}}")).collect();
    format!(" {{\"parcels\": [{}], \"next\": null}}\r\n", rows.join(","))
}

#[test]
fn what_passes_comes_out_byte_for_byte() {
    let place = Place::new();
    place.write("guard.yaml", RULES);
    let body = parcels(3, "north");
    let args = ["guard", "--status", "200", "--rules", "guard.yaml", "--read", "list_parcels"];
    let with = |more: &[&'static str]| [&args[..], more].concat();
    let passed = fed(&place, &with(&["--arguments", r#"{"depot":"north"}"#]), body.as_bytes());
    assert_eq!((code(&passed), passed.stdout), (0, body.clone().into_bytes()));
    let json = fed(&place, &with(&["--arguments", r#"{"depot":"south"}"#, "--json"]), body.as_bytes());
    assert_eq!(code(&json), 1);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(value["refusal"]["reason"], "dropped_filter");
    let without = fed(&place, &args, body.as_bytes());
    assert_eq!((code(&without), out(&without)), (2, String::new()));
    assert!(err(&without).contains("--arguments"), "{}", err(&without));
}

#[test]
fn a_refused_read_says_what_was_found_and_leaves_a_row_that_says_no() {
    let place = Place::new();
    place.write("guard.yaml", RULES);
    place.write("body.json", r#"{"data": [], "took_ms": 4}"#);
    // A writer was killed within its line.
    place.write("log.jsonl", "{\"run\":\"R-1\",\"trial\":\"\",\"seq\":4,\"event\":\"start\",\"at\":\"t\",\"tool\":\"a\"}\n{\"run\":\"R-1\",\"tri");
    let args = ["guard", "--status", "200", "--rows", "items", "--read", "list_items", "body.json"];
    let log = ["--log", "log.jsonl", "--run", "R-1", "--call-id", "c9"];
    let refused = place.run(&[&args[..], &log[..]].concat());
    assert_eq!((code(&refused), out(&refused)), (1, String::new()));
    assert!(err(&refused).contains("refused list_items: missing_key"), "{}", err(&refused));
    assert!(err(&refused).contains("`data`, `took_ms`"), "{}", err(&refused));
    let text = place.read("log.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    let end: serde_json::Value = serde_json::from_str(lines[3]).unwrap();
    let start: serde_json::Value = serde_json::from_str(lines[2]).unwrap();
    assert_eq!(
        (&start["tool"], &start["seq"], &start["call_id"]),
        (&"list_items".into(), &5.into(), &"c9".into())
    );
    assert_eq!((&end["ok"], &end["refused"]), (&false.into(), &"read_guard".into()));
    assert!(end["error"].as_str().unwrap().contains("took_ms"), "{end}");
    // Accepted reads leave a row where that is asked for.
    place.write("body.json", r#"{"items": [1]}"#);
    assert_eq!(code(&place.run(&[&args[..], &log[..]].concat())), 0);
    assert_eq!(place.read("log.jsonl").lines().count(), 4);
    assert_eq!(code(&place.run(&[&args[..], &log[..], &["--log-all"]].concat())), 0);
    assert!(place.read("log.jsonl").lines().last().unwrap().contains("\"seq\":6,\"event\":\"end\""));
}

#[test]
fn a_drop_is_refused_until_it_is_explained() {
    let place = Place::new();
    place.write("guard.yaml", RULES);
    let judged = |count: usize, more: &[&str]| {
        let args = ["guard", "--status", "200", "--rules", "guard.yaml", "--read", "list_parcels"];
        let counts = ["--arguments", r#"{"depot":"n"}"#, "--counts", "counts.json"];
        fed(&place, &[&args[..], &counts[..], more].concat(), parcels(count, "n").as_bytes())
    };
    assert_eq!(code(&judged(40, &[])), 0);
    let dropped = judged(20, &[]);
    assert_eq!(code(&dropped), 1);
    assert!(
        err(&dropped)
            .contains("unexplained_drop: expected no drop of more than 40 % from 40 rows, found 20 rows")
    );
    assert_eq!(code(&judged(20, &["--explained", "the depot moved"])), 0);
    assert_eq!(code(&judged(20, &[])), 0);
    place.write("counts.json", "{\"toolmirage\":\"guard-counts/9\",\"rows\":{}}");
    let newer = judged(20, &[]);
    assert_eq!(code(&newer), 2);
    assert!(
        err(&newer).contains("guard-counts/9") && err(&newer).contains("guard-counts/1"),
        "{}",
        err(&newer)
    );
}

#[test]
fn mistakes_in_rules_are_shown_at_their_place() {
    let place = Place::new();
    for (rules, message, at) in [
        ("toolmirage: guard/1\nreads:\n  a: { rowz: items }\n", "did you mean `rows`", "g.yaml:3:8"),
        ("toolmirage: guard/1\nreads:\n  a: { corpus: 5 }\n", "`rows` does not say", "g.yaml:3:8"),
        ("toolmirage: guard/2\nreads: {}\n", "guard/1", "g.yaml:1"),
        ("toolmirage: guard/1\nreads:\n  a: { rows: x, max_drop_percent: 400 }\n", "400", "g.yaml:3"),
    ] {
        place.write("g.yaml", rules);
        let output = fed(&place, &["guard", "--status", "200", "--rules", "g.yaml", "--read", "a"], b"[1]");
        assert_eq!(code(&output), 2, "{rules}");
        assert!(err(&output).contains(message) && err(&output).contains(at), "{}", err(&output));
    }
    place.write("g.yaml", RULES);
    let unknown =
        fed(&place, &["guard", "--status", "200", "--rules", "g.yaml", "--read", "get_parcels"], b"[1]");
    assert!(err(&unknown).contains("did you mean `get_parcel`?"), "{}", err(&unknown));
    let nameless = fed(&place, &["guard", "--status", "200", "--rules", "g.yaml"], b"[1]");
    assert!(code(&nameless) == 2 && err(&nameless).contains("--read NAME"), "{}", err(&nameless));
    let schema = place.run(&["schema", "guard"]);
    assert!(code(&schema) == 0 && out(&schema).contains("max_drop_percent"));
}

/// The rules that the page shows are rules, and its table has every reason.
#[test]
fn the_page_shows_what_is_there() {
    let page = std::fs::read_to_string(place::root().join("crates/guard/README.md")).unwrap();
    let rules = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let place = Place::new();
    place.write("g.yaml", rules);
    let args = ["guard", "--status", "200", "--rules", "g.yaml", "--read", "search_notes"];
    let passed = fed(&place, &args, br#"{"result": {"hits": [], "count": 0}}"#);
    assert_eq!(code(&passed), 0, "{}", err(&passed));
    let table: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` |").map(|(word, _)| word))
        .collect();
    assert_eq!(table, guard::Reason::ALL.map(guard::Reason::as_str));
    for word in table {
        let explained = place.run(&["explain", word]);
        assert!(out(&explained).contains("why `guard` refuses a read"), "{word}");
    }
}
