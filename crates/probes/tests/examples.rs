//! The files that people write and programs read, as the documentation shows them: each reads, and what is
//! written back reads equal.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::path::Path;

use probes::{CatalogFile, ExpandLine, ProbeLine, Suite};
use transcript::{ExecutorRow, RecordLine};

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples").join(name);
    std::fs::read_to_string(path).expect("an example file")
}

fn round_trip_json<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
    text: &str,
) {
    for line in text.lines() {
        let read: T = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}\n{line}"));
        let written = serde_json::to_string(&read).unwrap();
        let again: T = serde_json::from_str(&written).unwrap();
        assert_eq!(again, read);
        assert!(
            keeps_members(&serde_json::from_str(line).unwrap(), &serde_json::from_str(&written).unwrap()),
            "{line}\n{written}"
        );
    }
}

/// Whether every member of the one is in the other; empty lists may be left out.
fn keeps_members(read: &serde_json::Value, written: &serde_json::Value) -> bool {
    match (read, written) {
        (serde_json::Value::Object(read), serde_json::Value::Object(written)) => {
            read.iter().all(|(key, value)| match written.get(key) {
                Some(other) => keeps_members(value, other),
                None => value.is_null() || value == &serde_json::json!([]),
            })
        }
        (serde_json::Value::Array(read), serde_json::Value::Array(written)) => {
            read.len() == written.len() && read.iter().zip(written).all(|(a, b)| keeps_members(a, b))
        }
        (read, written) => read == written,
    }
}

#[test]
fn run_record() {
    round_trip_json::<RecordLine<ProbeLine>>(&example("run.jsonl"));
}

#[test]
fn executor_log() {
    round_trip_json::<ExecutorRow>(&example("executor.jsonl"));
}

#[test]
fn expand_line() {
    round_trip_json::<ExpandLine>(&example("expand.jsonl"));
}

fn round_trip_yaml<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
    text: &str,
) {
    let read: T = serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error}"));
    let written = serde_yaml::to_string(&read).unwrap();
    let again: T = serde_yaml::from_str(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, read);
}

#[test]
fn suite() {
    round_trip_yaml::<Suite>(&example("suite.yaml"));
}

#[test]
fn catalog() {
    round_trip_yaml::<CatalogFile>(&example("catalog.yaml"));
}
