//! `selftest` as a command: the classifier on labelled texts, and what it refuses.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod place;

use std::path::Path;

use place::{Place, code, err, out};
use serde_json::Value;

const LABELLED: &str = r#"{"user":"Move my appointment.","text":"I'm sorry, I can't move appointments.","label":"refused"}
{"user":"Move my appointment.","text":"Which day would suit you?","label":"clarified"}

{"user":"Move my appointment.","text":"Done, I've moved your appointment to Friday.","label":"direct","note":"x"}
{"user":"Move my appointment.","text":"Perhaps.","label":"refused","disputed":true}
"#;

#[test]
fn labelled_texts_give_precision_recall_counts_and_a_table() {
    let place = Place::new();
    place.write("labelled.jsonl", LABELLED);
    let json = place.run(&["selftest", "--outcomes", "labelled.jsonl", "--json"]);
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(code(&json), 0, "{}", err(&json));
    assert_eq!((&report["texts"], &report["disputed"], &report["judged"]), (&4.into(), &1.into(), &3.into()));
    for label in ["refused", "clarified", "direct"] {
        assert_eq!(report["labels"][label]["precision"], 1.0, "{label}");
        assert_eq!(report["labels"][label]["labelled"], 1, "{label}");
        assert_eq!(report["confusion"][label][label], 1, "{label}");
    }
    assert_eq!(report["unclassified_share"], 0.0);
    let text = place.run(&["selftest", "--outcomes", "labelled.jsonl"]);
    assert!(out(&text).contains("100.0 % (1 of 1)") && out(&text).contains("1 disputed"), "{}", out(&text));
}

#[test]
fn what_is_no_labelled_text_is_told_with_its_line() {
    let place = Place::new();
    place.write(
        "wrong.jsonl",
        "{\"text\":\"x\",\"label\":\"refused\"}\n{\"text\":\"x\",\"label\":\"clarifed\"}\n",
    );
    let wrong = place.run(&["selftest", "--outcomes", "wrong.jsonl"]);
    assert_eq!((code(&wrong), out(&wrong)), (2, String::new()));
    assert!(err(&wrong).contains("wrong.jsonl:2") && err(&wrong).contains("`clarified`"), "{}", err(&wrong));
    std::fs::write(
        place.path("bytes.jsonl"),
        b"{\"text\":\"\xff\"}\n[\n{\"text\":\"x\",\"label\":\"refused\"}\n",
    )
    .unwrap();
    let wrong = place.run(&["selftest", "--outcomes", "bytes.jsonl"]);
    assert_eq!((code(&wrong), out(&wrong)), (2, String::new()));
    assert!(
        err(&wrong).contains("bytes.jsonl:1: not UTF-8") && err(&wrong).contains("bytes.jsonl:2"),
        "{}",
        err(&wrong)
    );
    place.write("empty.jsonl", "\n");
    assert_eq!(code(&place.run(&["selftest", "--outcomes", "empty.jsonl"])), 4);
    assert_eq!(code(&place.run(&["selftest", "--outcomes", "missing.jsonl"])), 2);
    assert_eq!(code(&place.run(&["selftest", "--outcomes", "empty.jsonl", "--quick"])), 2);
    assert_eq!(code(&place.run(&["selftest", "--suite", "missing.yaml"])), 2);
}

/// Texts that others labelled, where they lie beside the checkout: at least 95 % precision on each label, and at most
/// 10 % unclassified.
#[test]
fn others_labels_are_met() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/outcomes/labelled.jsonl");
    if !file.is_file() {
        println!("skipped: no labelled texts beside the checkout");
        return;
    }
    let place = Place::new();
    let json = place.run(&["selftest", "--outcomes", file.to_str().unwrap(), "--json"]);
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    for label in ["refused", "clarified", "direct"] {
        let precision = report["labels"][label]["precision"].as_f64().unwrap();
        assert!(precision >= 0.95, "{label}: {precision}");
    }
    assert!(report["unclassified_share"].as_f64().unwrap() <= 0.10, "{report}");
}
