//! `explain` on a file: what it prints, and what it says of files that it cannot judge.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use assert_cmd::Command;
use serde_json::{Value, json};

fn explain(content: &str, arguments: &[&str]) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("response.json");
    std::fs::write(&file, content).unwrap();
    let tools = folder.path().join("tools.json");
    std::fs::write(&tools, json!([tool("ring_bell")]).to_string()).unwrap();
    let arguments = arguments.iter().map(|argument| argument.replace("TOOLS", &tools.to_string_lossy()));
    Command::cargo_bin("toolmirage").unwrap().arg("explain").arg(&file).args(arguments).output().unwrap()
}

fn tool(name: &str) -> Value {
    json!({"type": "function", "function": {"name": name, "parameters": {
        "type": "object", "properties": {"times": {"type": "integer"}}, "required": ["times"]}}})
}

fn body(message: Value, finish: &str) -> Value {
    json!({"id": "r1", "choices": [{"index": 0, "message": message, "finish_reason": finish}]})
}

fn call(name: &str, arguments: &str) -> Value {
    let call = json!({"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}});
    body(json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
}

fn case(response: &Value) -> Value {
    json!({"provider": "openai_chat", "catalog": [tool("ring_bell")],
        "messages": [{"role": "user", "content": "Ring the bell 3 times."}], "response": response})
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

#[test]
fn an_honest_call_is_ok() {
    let output = explain(&case(&call("ring_bell", "{\"times\": 3}")).to_string(), &["--json"]);
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verdict["turn"], "calls");
    assert_eq!(verdict["calls"][0]["class"], "ok");
    assert_eq!(verdict["calls"][0]["schema_valid"], true);
    assert!(verdict["why"].as_str().is_some_and(|why| !why.is_empty()));
    assert!(verdict.get("retry").is_none());
}

#[test]
fn an_invented_call_is_explained_in_words() {
    let output = explain(&case(&call("sound_horn", "{}")).to_string(), &[]);
    assert_eq!(output.status.code(), Some(0));
    let words = text(&output.stdout);
    for part in ["`sound_horn`: unknown_tool, novel", "byte for byte", "unknown_tool 1"] {
        assert!(words.contains(part), "{words}");
    }
}

#[test]
fn a_dispatch_record_shows_what_ran() {
    let mut case = case(&call("sound_horn", "{}"));
    case["dispatch"] = json!([{"call_id": "c1", "tool": "ring_bell", "arguments": {}}]);
    let verdict: Value = serde_json::from_slice(&explain(&case.to_string(), &["--json"]).stdout).unwrap();
    assert_eq!(verdict["calls"][0]["class"], "shadow_call");
    assert_eq!(verdict["calls"][0]["executed_as"], "ring_bell");
    assert_eq!(verdict["counts"]["unknown_tool"], 1);
    assert_eq!(verdict["counts"]["shadow_call"], 1);
}

#[test]
fn an_error_body_says_whether_to_try_again() {
    let mut case = case(&json!({"error": {"message": "slow down", "type": "rate_limit_error"}}));
    case["http"] = json!({"status": 429, "headers": {"retry-after": "3"}});
    let verdict: Value = serde_json::from_slice(&explain(&case.to_string(), &["--json"]).stdout).unwrap();
    assert_eq!(verdict["turn"], "error");
    assert_eq!(verdict["countable"], false);
    assert_eq!(verdict["retry"], json!({"retry": true, "wait_ms": 3000}));
}

#[test]
fn a_bare_body_is_judged_by_grounding() {
    let body = call("ring_bell", "{\"times\": 7}").to_string();
    let verdict: Value =
        serde_json::from_slice(&explain(&body, &["--json", "--catalog", "TOOLS"]).stdout).unwrap();
    assert_eq!(verdict["counts"]["unknown_tool"], 0);
    let words = text(&explain(&body, &[]).stdout);
    assert!(words.contains("none given"), "{words}");
}

/// Every shape of catalog file does, and a file of no shape is a usage error.
#[test]
fn a_catalog_beside_a_bare_body_has_any_known_shape() {
    let folder = tempfile::tempdir().unwrap();
    let ours = "toolmirage: catalog/1\nname: tower\nversion: 1\ntools:\n  - name: ring_bell\n";
    let files = [
        ("ours.yaml", ours, 0),
        ("mcp.json", r#"{"tools": [{"name": "ring_bell", "inputSchema": {"type": "object"}}]}"#, 0),
        ("anthropic.json", r#"[{"name": "ring_bell", "input_schema": {"type": "object"}}]"#, 0),
        ("none.json", r#"[{"label": "ring_bell"}]"#, 2),
    ];
    for (name, content, status) in files {
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        let body = call("ring_bell", "{}").to_string();
        let output = explain(&body, &["--json", "--catalog", &file.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(status), "{name}: {}", text(&output.stderr));
        if status == 0 {
            let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(verdict["counts"]["unknown_tool"], 0, "{name}");
        }
    }
    let missing = explain(&call("ring_bell", "{}").to_string(), &["--catalog", "nowhere.yaml"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn model_output_is_inert() {
    let hostile = "\u{1b}[2J\u{202e}<script>";
    let output =
        explain(&case(&body(json!({"role": "assistant", "content": hostile}), "stop")).to_string(), &[]);
    let words = text(&output.stdout);
    assert!(!words.contains('\u{1b}') && !words.contains('\u{202e}'), "{words:?}");
}

#[test]
fn bad_input_ends_with_status_2_and_a_reason() {
    let mut other = case(&json!({"choices": []}));
    other["provider"] = "smoke_signals".into();
    let mut probe = case(&call("ring_bell", "{}"));
    probe["probe"] = json!({"type": "riddle"});
    let inputs = [
        ("{", "no JSON"),
        ("[1]", "expected a JSON object"),
        (r#"{"a": 1}"#, "choices"),
        (&other.to_string(), "unknown provider `smoke_signals`"),
        (&probe.to_string(), "unknown probe type `riddle`"),
        (r#"{"provider": "openai_chat", "response": {}}"#, "catalog"),
    ];
    for (content, reason) in inputs {
        let output = explain(content, &[]);
        assert_eq!(output.status.code(), Some(2), "{content}");
        let error = text(&output.stderr);
        assert!(error.contains(reason), "{content}: {error}");
        assert!(output.stdout.is_empty());
    }
}
