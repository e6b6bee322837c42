//! Event rows as Parquet read back as the events that they are.

#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use miner::{Census, Options, Sources, mine};
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::json;

/// The census of a session in which two tools are absent; the second is said by no model at no time.
fn census() -> Census {
    let folder = tempfile::tempdir().unwrap();
    let absent = |number: u8, tool: &str| {
        let call = json!({"type": "tool_use", "id": format!("t{number}"), "name": tool, "input": {}});
        let answer = json!({"type": "tool_result", "tool_use_id": format!("t{number}"), "is_error": true,
            "content": format!("<tool_use_error>Error: No such tool available: {tool}</tool_use_error>")});
        let mut call = json!({"type": "assistant", "sessionId": "s", "uuid": format!("c{number}"),
            "message": {"id": format!("m{number}"), "role": "assistant", "content": [call]}});
        if number == 1 {
            call["message"]["model"] = json!("heron-2");
            call["timestamp"] = json!("2031-03-09T07:00:00.000Z");
        }
        let answer = json!({"type": "user", "sessionId": "s", "uuid": format!("a{number}"),
            "message": {"role": "user", "content": [answer]}});
        format!("{call}\n{answer}\n")
    };
    std::fs::write(folder.path().join("a.jsonl"), absent(1, "Stow") + &absent(2, "Hoist")).unwrap();
    let options = Options {
        since: None,
        until: None,
        project: None,
        by: Vec::new(),
        top: 5,
        strict: false,
        rules: Vec::new(),
    };
    mine(Sources { paths: vec![folder.path().to_owned()], stream: None }, &options).unwrap()
}

fn rows(census: &Census) -> Vec<String> {
    let mut bytes = Vec::new();
    report::census_parquet(census, &mut bytes).unwrap();
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
}

#[test]
fn rows_read_back_as_they_were() {
    let mut census = census();
    let rows_of_two = rows(&census);
    let [first, second] = &rows_of_two[..] else { panic!("{rows_of_two:?}") };
    for part in
        ["line: 2,", "tool: \"Stow\"", "state: \"unavailable\"", "call_line: 1,", "model: \"heron-2\""]
    {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(first.contains("time: 2031-03-09 07:00:00"), "{first}");
    for part in ["line: 4,", "call_line: 3,", "model: null", "time: null", "inner_tool: null"] {
        assert!(second.contains(part), "{part}: {second}");
    }
    census.absent.events.clear();
    assert_eq!(rows(&census).len(), 0);
}
