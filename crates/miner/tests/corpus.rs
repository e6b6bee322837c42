//! A corpus of sessions that a generator makes beside the checkout, against what the generator says that it planted.
//! `TOOLMIRAGE_LONG=1` makes it 640 MB instead of 20. Without the generator or Python this test says so and checks
//! nothing.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test says so by failing"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use miner::{Census, Options, OwedKind, Sources, State, mine};
use serde_json::Value;

fn census(paths: Vec<PathBuf>, strict: bool) -> Census {
    let options = Options {
        since: None,
        until: None,
        project: None,
        by: Vec::new(),
        top: 5,
        strict,
        rules: Vec::new(),
    };
    mine(Sources { paths, stream: None }, &options).unwrap()
}

/// Makes the corpus; `None` where it cannot be made.
fn made(folder: &Path, size: &[&str]) -> Option<Value> {
    let generator = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/rig/gen_corpus.py");
    if !generator.exists() {
        eprintln!("skipped: {} is not there", generator.display());
        return None;
    }
    let Ok(output) = Command::new("python3").arg(generator).arg(folder).args(size).output() else {
        eprintln!("skipped: there is no python3");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_str(&std::fs::read_to_string(folder.join("manifest.json")).unwrap()).unwrap())
}

#[test]
fn what_was_planted_is_counted() {
    let is_long = std::env::var_os("TOOLMIRAGE_LONG").is_some();
    let folder = tempfile::tempdir().unwrap();
    let size: &[&str] = if is_long { &[] } else { &["--files", "101", "--mb", "20"] };
    let Some(planted) = made(folder.path(), size) else { return };
    let number = |key: &str| planted[key].as_u64().unwrap();
    let census = census(vec![folder.path().join("projects")], false);

    let window = &census.window;
    assert_eq!(
        (window.files, window.bytes, window.lines),
        (number("files"), number("bytes"), number("lines"))
    );
    let by_tool: BTreeMap<String, u64> = census.calls.by_tool.clone().into_iter().collect();
    let wanted: BTreeMap<String, u64> = serde_json::from_value(planted["unique_calls"].clone()).unwrap();
    assert_eq!((census.calls.unique, by_tool), (number("unique_calls_total"), wanted));

    // An event that a resumed session copies is cited where it is met first, so places may differ from where it was
    // planted; what is cited is one all the same.
    let events = planted["absent"].as_array().unwrap();
    let mut wanted: Vec<&str> = events.iter().map(|event| event["name"].as_str().unwrap()).collect();
    wanted.sort_unstable();
    let mut found: Vec<&str> = census.absent.events.iter().map(|event| event.tool.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, wanted);
    for event in &census.absent.events {
        let text = std::fs::read_to_string(&event.file).unwrap();
        let line = text.lines().nth(usize::try_from(event.line).unwrap() - 1).unwrap();
        let words = format!("\"content\":\"<tool_use_error>Error: No such tool available: {}", event.tool);
        assert!(line.contains(&words), "{event:?}: {line}");
    }
    let withheld = events.iter().filter(|event| event["kind"] == "withheld").count() as u64;
    assert_eq!(census.absent.by_state.get(&State::Withheld), Some(&withheld));
    assert_eq!(census.absent.unique, events.len() as u64);

    let raw = &census.absent.raw_hits_by_cause;
    let copies = number("absent_result_copies");
    assert_eq!((raw.event, raw.event + raw.replay, raw.field_copy), (events.len() as u64, copies, copies));
    assert_eq!((raw.quoted, raw.prose, raw.unread), (number("quote_bait_lines"), 0, 0));
    let sum = raw.event + raw.replay + raw.field_copy + raw.quoted + raw.without_call;
    assert_eq!(census.absent.raw_hits, sum);

    let refusals = planted["prose_refusals"].as_array().unwrap().len() as u64;
    assert_eq!(census.owed.by_kind.get(&OwedKind::Refusal), Some(&refusals));
    assert_eq!(census.owed.unique, refusals);
    let cut = number("cut_last_lines");
    assert_eq!((census.skipped.bad_lines, census.skipped.cut_last_lines), (cut, cut));
    assert_eq!(census.skipped.lines.len() as u64, cut);

    if is_long {
        assert_eq!((census.calls.unique, census.absent.unique, census.absent.raw_hits), (21_782, 16, 178));
        let figures: Vec<_> = census.rates.iter().map(|rate| (rate.denominator, rate.one_in)).collect();
        assert_eq!(figures[..2], [(21_782, Some(1_361)), (20_881, Some(1_305))]);
    } else {
        let strict = self::census(vec![folder.path().join("projects")], true);
        assert_eq!(
            (strict.calls, strict.absent, strict.owed, strict.skipped),
            (census.calls, census.absent, census.owed, census.skipped)
        );
    }
}
