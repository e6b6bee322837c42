//! Five lying successes are refused and a true one is accepted; every reason can be given, and each names what was
//! found instead.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use guard::{Read, ReadRule, Reason, Refusal, judge};
use serde_json::{Map, Value, json};

fn rule(text: &str) -> ReadRule {
    serde_json::from_str(text).unwrap()
}

fn refused(rule: &ReadRule, status: u16, body: &str) -> Refusal {
    let read = Read { status, body: body.as_bytes(), arguments: &Map::new(), remembered: None };
    judge(rule, &read).unwrap_err()
}

fn accepted(rule: &ReadRule, body: &str) -> Option<u64> {
    let read = Read { status: 200, body: body.as_bytes(), arguments: &Map::new(), remembered: None };
    judge(rule, &read).unwrap_or_else(|refusal| panic!("{refusal}")).rows
}

#[test]
fn five_lying_successes_are_refused_and_a_true_one_is_accepted() {
    let parcels = rule(r#"{"rows": "parcels", "corpus": 900}"#);
    let all: Vec<Value> = (0..900).map(|at| json!({ "id": at })).collect();
    let liars = [
        ("<!doctype html><title>Sign in</title>".to_owned(), Reason::Markup),
        (String::new(), Reason::Empty),
        (json!({"data": [{"id": 1}]}).to_string(), Reason::MissingKey),
        (json!({ "parcels": all }).to_string(), Reason::WholeCorpus),
        (json!({"parcels": {"id": 1}}).to_string(), Reason::NotAList),
    ];
    for (body, reason) in liars {
        assert_eq!(refused(&parcels, 200, &body).reason, reason, "{body}");
    }
    assert_eq!(accepted(&parcels, r#"{"parcels": [{"id": 1}, {"id": 2}]}"#), Some(2));
}

/// Rule, status, body, reason, and words that name what was found.
const CASES: &[(&str, u16, &str, Reason, &str)] = &[
    ("{}", 503, "upstream away", Reason::Status, "status 503, body `upstream away`"),
    ("{}", 0, "", Reason::Status, "no answer"),
    ("{}", 204, "", Reason::Status, "status 204"),
    ("{}", 200, " \n", Reason::Empty, "2 bytes"),
    ("{}", 200, "null", Reason::Empty, "null"),
    ("{}", 200, "{}", Reason::Empty, "an object without keys"),
    ("{}", 200, "\u{feff} <html>", Reason::Markup, "`<html>`"),
    ("{}", 200, r#"{"text": " <HTML lang=en>\u001b[2J"}"#, Reason::Markup, "`<HTML lang=en>\\u{1b}[2J`"),
    ("{}", 200, "not available", Reason::NotJson, "`not available`"),
    ("{}", 200, r#"{"rows": [1, 2"#, Reason::NotJson, "EOF"),
    ("{}", 200, r#"{"rows": []} trailing"#, Reason::NotJson, "trailing"),
    ("{}", 200, r#"{"ok": false, "rows": [1]}"#, Reason::InnerError, "`ok`: `false`"),
    ("{}", 200, r#"{"error": {"code": 42}}"#, Reason::InnerError, "{\"code\":42}"),
    ("{}", 200, r#"{"errors": ["partial"], "data": 1}"#, Reason::InnerError, "partial"),
    (
        r#"{"keys": ["/data/name"]}"#,
        200,
        r#"{"data": {"nom": 1, "x": 2}}"#,
        Reason::MissingKey,
        "`nom`, `x` in `/data`",
    ),
    (r#"{"keys": ["name"]}"#, 200, "[1]", Reason::MissingKey, "a list of 1, which has no keys"),
    (r#"{"rows": "items"}"#, 200, r#"{"data": []}"#, Reason::MissingKey, "the key `data` in the body"),
    (r#"{"rows": "items"}"#, 200, r#"{"items": null}"#, Reason::NotAList, "null"),
    (r#"{"rows": "."}"#, 200, r#"{"a": 1}"#, Reason::NotAList, "an object with the key `a`"),
    (r#"{"rows": "items"}"#, 200, r#"{"items": []}"#, Reason::TooFewRows, "0 rows"),
    ("{}", 200, "[]", Reason::TooFewRows, "0 rows"),
    (r#"{"rows": ".", "expect_min": 3}"#, 200, "[1, 2]", Reason::TooFewRows, "2 rows"),
    (
        r#"{"rows": ".", "filter": {"town": {"equals": "Brno"}}}"#,
        200,
        r#"[{"town": "Brno"}, {"town": "Ghent"}]"#,
        Reason::DroppedFilter,
        "1 of 2 with another, row 2 with the text `Ghent`",
    ),
    (r#"{"rows": ".", "corpus": 2}"#, 200, "[1, 2]", Reason::WholeCorpus, "2 rows"),
    (r#"{"rows": ".", "page_cap": 2}"#, 200, "[1, 2]", Reason::PageCap, "a page holds 2"),
    (
        r#"{"rows": "r", "more": "next"}"#,
        200,
        r#"{"r": [1], "next": "c2"}"#,
        Reason::PageCap,
        "`next` is the text `c2`",
    ),
    (r#"{"rows": "r", "total": "n"}"#, 200, r#"{"r": [1], "n": 40}"#, Reason::PageCap, "`n` says 40"),
    (r#"{"body": "mcp"}"#, 200, r#"{"content": []}"#, Reason::Empty, "an empty `content` list"),
    (r#"{"body": "mcp"}"#, 200, r#"{"content": [], "isError": true}"#, Reason::InnerError, "`isError`"),
    (
        r#"{"body": "mcp"}"#,
        200,
        r#"{"content": [{"type": "text", "text": "gone"}]}"#,
        Reason::NotJson,
        "`gone`",
    ),
];

#[test]
fn every_reason_is_given_with_what_was_found() {
    let mut seen = BTreeSet::from([Reason::UnexplainedDrop]);
    for (rule_text, status, body, reason, found) in CASES {
        let refusal = refused(&rule(rule_text), *status, body);
        assert_eq!(refusal.reason, *reason, "{rule_text} {body}: {refusal}");
        assert!(refusal.found.contains(found), "{rule_text} {body}: {refusal}");
        seen.insert(refusal.reason);
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), Reason::ALL);
}

#[test]
fn what_can_be_defended_passes() {
    for (rule_text, body, rows) in [
        ("{}", r#"{"name": "Ada", "error": null, "errors": []}"#, None),
        (r#"{"rows": "r", "expect_min": 0}"#, r#"{"r": []}"#, Some(0)),
        (r#"{"rows": "r", "page_cap": 2, "more": "more"}"#, r#"{"r": [1, 2], "more": false}"#, Some(2)),
        (r#"{"rows": "r", "page_cap": 2, "total": "n"}"#, r#"{"r": [1, 2], "n": 2}"#, Some(2)),
        (r#"{"rows": "r", "inner_error": "allow"}"#, r#"{"r": [1], "success": false}"#, Some(1)),
        (r#"{"rows": "/d/r", "keys": ["/d/at"]}"#, r#"{"d": {"r": [1], "at": null}}"#, Some(1)),
        (
            r#"{"body": "mcp", "rows": "r"}"#,
            r#"{"content": [{"type": "text", "text": "{\"r\": [1]}"}]}"#,
            Some(1),
        ),
        (r#"{"body": "mcp", "rows": "r"}"#, r#"{"content": [], "structuredContent": {"r": [1]}}"#, Some(1)),
        ("{}", r#"{"note": "the tag <html> opens a page"}"#, None),
    ] {
        assert_eq!(accepted(&rule(rule_text), body), rows, "{rule_text} {body}");
    }
}

#[test]
fn a_filter_is_that_of_the_request() {
    let rule = rule(r#"{"rows": ".", "filter": {"/owner/id": {"argument": "owner"}}}"#);
    let judged = |owner: Value, body: &str| {
        let arguments = Map::from_iter([("owner".to_owned(), owner)]);
        judge(&rule, &Read { status: 200, body: body.as_bytes(), arguments: &arguments, remembered: None })
    };
    let body = r#"[{"owner": {"id": 7}}, {"owner": {"id": 7}}]"#;
    assert!(judged(json!(7), body).is_ok());
    assert!(judged(json!("7"), body).is_ok());
    assert!(judged(json!([6, 7]), body).is_ok());
    assert!(judged(Value::Null, body).is_ok());
    assert_eq!(judged(json!(8), body).unwrap_err().reason, Reason::DroppedFilter);
    assert!(judged(json!(7), "[[]]").unwrap_err().found.contains("nothing there"));
}

#[test]
fn a_drop_is_seen_against_the_last_accepted_count() {
    let judged = |text: &str, rows: usize, before: Option<u64>| {
        let body = Value::Array(vec![json!(1); rows]).to_string();
        let read = Read { status: 200, body: body.as_bytes(), arguments: &Map::new(), remembered: before };
        judge(&rule(text), &read).map_err(|refusal| refusal.reason)
    };
    let all_rows = r#"{"rows": "."}"#;
    assert!(judged(all_rows, 50, Some(100)).is_ok());
    assert_eq!(judged(all_rows, 49, Some(100)), Err(Reason::UnexplainedDrop));
    assert!(judged(all_rows, 1, None).is_ok());
    assert_eq!(
        judged(r#"{"rows": ".", "max_drop_percent": 0}"#, 99, Some(100)),
        Err(Reason::UnexplainedDrop)
    );
    assert!(judged(r#"{"rows": ".", "max_drop_percent": 100, "expect_min": 0}"#, 0, Some(u64::MAX)).is_ok());
}

proptest::proptest! {
    #[test]
    fn no_body_makes_it_panic_or_span_lines(body in proptest::collection::vec(proptest::num::u8::ANY, 0..200), status in 0u16..700) {
        let rule = rule(r#"{"rows": "r", "keys": ["k"], "total": "n", "more": "m", "page_cap": 1}"#);
        let read = Read { status, body: &body, arguments: &Map::new(), remembered: Some(3) };
        if let Err(refusal) = judge(&rule, &read) {
            let text = refusal.to_string();
            proptest::prop_assert!(!text.contains('\n') && text.len() < 1_500, "{}", text);
        }
    }
}
