//! `explain --json` against the wire cases, where they lie beside the workspace (`../shared/cases/wire`): all whose
//! verdict is not disputed. Formats that this build lacks are counted and passed over. Without the folder the test
//! says that it was skipped; the kinds of fault are held by `crates/scorer/tests/cases` too.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test says so by failing, and says what it skipped"
)]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

/// Of a hundred cases so many may differ.
const MAY_MISS: usize = 1;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/wire")
}

/// What `explain` says; none where this build lacks the format.
fn explain(file: &Path) -> Option<Value> {
    let output =
        Command::cargo_bin("toolmirage").unwrap().arg("explain").arg("--json").arg(file).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("known, not in this build") {
        return None;
    }
    assert!(output.status.success(), "{}: {said}", file.display());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// What must agree: the kind of turn, whether it counts, all counts, the outcome where the wanted tool is missing, and
/// of each call its class, the root of its format faults and its counted argument findings.
fn essence(verdict: &Value) -> Vec<Value> {
    let mut all =
        vec![verdict["turn"].clone(), verdict["countable"].clone(), verdict["decoy_outcome"].clone()];
    let counts = [
        "calls",
        "unknown_tool",
        "shadow_call",
        "hallucinated_argument",
        "format",
        "text_calls",
        "timing",
        "phantom_claims",
        "fabricated_results",
        "swallowed_failures",
    ];
    all.extend(counts.map(|count| serde_json::json!({ count: verdict["counts"][count] })));
    for call in verdict["calls"].as_array().into_iter().flatten() {
        let counted = call["argument_findings"].as_array().into_iter().flatten();
        let counted = counted.filter(|finding| finding["counted"] == true);
        let mut counted: Vec<String> =
            counted.map(|finding| format!("{} {}", finding["path"], finding["finding"])).collect();
        counted.sort_unstable();
        all.push(call["class"].clone());
        all.push(call["format_findings"][0].clone());
        all.push(counted.into());
    }
    all
}

#[test]
fn explain_agrees_with_the_wire_cases() {
    let Ok(entries) = std::fs::read_dir(folder()) else {
        eprintln!("skipped: {} is not there", folder().display());
        return;
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let (mut judged, mut lacking, mut misses) = (0, 0, Vec::new());
    for file in files {
        let case: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        if case["verdict"].get("ambiguity").is_some() {
            continue;
        }
        let Some(verdict) = explain(&file) else {
            lacking += 1;
            continue;
        };
        judged += 1;
        let (expected, got) = (essence(&case["verdict"]), essence(&verdict));
        if expected != got {
            misses.push(format!("{}: expected {expected:?}, got {got:?}", case["id"]));
        }
    }
    eprintln!("{} of {judged} agree; {lacking} are of formats that this build lacks", judged - misses.len());
    assert!(judged > 0 && misses.len() <= MAY_MISS, "{}", misses.join("\n"));
}
