//! Files that are nothing, too large, or written to break things.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod support;

use importer::{BENCHMARKS, Options, Quarantine, benchmark, import};
use serde_json::{Value, json};
use support::{imported, lines, probes, source, suites};

#[test]
fn the_table_is_well_formed() {
    for (at, one) in BENCHMARKS.iter().enumerate() {
        assert!(BENCHMARKS[..at].iter().all(|other| other.name != one.name));
        assert!(!one.summary.is_empty() && !one.licence.is_empty());
        let Some(text) = one.quarantine else { continue };
        let (quarantine, _) = Quarantine::from_text(std::path::Path::new("q.yaml"), text).unwrap();
        assert_eq!(quarantine.benchmark, one.name);
        assert!(quarantine.cases.values().all(|reason| reason.len() > 20));
    }
}

#[test]
fn odd_records_are_named_and_never_break_an_import() {
    let odd = [
        json!(null),
        json!(5),
        json!([]),
        json!({}),
        json!({"id": 5}),
        json!({"id": "", "question": []}),
        json!({"id": "irrelevance_0", "question": [[]], "function": []}),
        json!({"id": "irrelevance_1", "question": [[{"role": "user"}]], "function": []}),
        json!({"id": "irrelevance_2", "question": [[{"role": "tool", "content": "x"}]], "function": {}}),
        json!({"id": "irrelevance_3", "question": [[{"role": "user", "content": "x"}]], "function": [{}]}),
        json!({"id": "irrelevance_4", "question": [[{"role": "user", "content": "x"}]], "function": [{"name": "f", "parameters": 5}]}),
        json!({"id": "multi_turn_miss_func_0", "question": [[], []], "missed_function": {"99999999999999999999": ["f"]}}),
        json!({"id": "multi_turn_miss_func_1", "question": [[], []], "missed_function": {"0": []}, "involved_classes": []}),
        json!({"id": "multi_turn_miss_func_1", "ground_truth": [[], []]}),
        json!({"id": "multiple_0", "question": [[{"role": "user", "content": "x"}]], "function": [{"name": "f"}]}),
        json!({"id": "multiple_0", "ground_truth": [{"f": {"a": {}}}]}),
        json!({"uuid": "u", "correct_answer": 5, "tools": "["}),
        json!({"uuid": "u", "correct_answer": "direct", "tools": ["{"]}),
        json!({"query_id": 1, "api_list": [5], "query": "x"}),
        json!({"tools": {"s": 5}}),
        json!({"tools": {"s": {"tools": [5]}}}),
        json!({"id": "special_incomplete_0", "question": "", "function": []}),
    ];
    for one in BENCHMARKS {
        let made = imported(one.name, &[source("G1_missing_all_arguments.json", &lines(&odd))]);
        let said = made.account.cases.iter().all(|case| case.reason.is_some());
        assert!(said && !made.account.unreadable.is_empty(), "{}: {}", one.name, made.account.text());
        assert!(imported(one.name, &[]).account.is_empty());
        assert!(imported(one.name, &[source("x", "\u{0}\u{1}[[[{{{")]).account.is_empty());
    }
}

#[test]
fn words_read_back_as_they_were_whatever_they_hold() {
    let words = [
        "a: b # c",
        "- x\n- y",
        "'\"\\ \t\r\n end",
        "*a &b !c %d @e `f",
        "{{principal.x}} {{clock}}",
        "null",
        "~",
        "2027-01-14",
        "0x10",
        "\u{feff}bom \u{2028} \u{85} \u{7f} \u{fffe}",
        "|\n  folded\n",
        "😀 \u{202e}rtl",
        "yes",
        "=1+1",
        "<script>",
        "...",
        "---",
    ];
    let row = |(at, words): (usize, &&str)| {
        json!({"id": format!("irrelevance_{at}"), "question": [[{"role": "user", "content": words}]],
            "function": [{"name": format!("f.{words}"), "description": words, "parameters": {"type": "dict", "properties": {*words: {"type": "string", "default": words}}}}]})
    };
    let rows: Vec<Value> = words.iter().enumerate().map(row).collect();
    let made = imported("bfcl", &[source("BFCL_v4_irrelevance.json", &lines(&rows))]);
    assert_eq!(made.account.imported, words.len(), "{}", made.account.text());
    let read: Vec<String> = suites(&made)[0].tasks.iter().map(|task| task.user.clone()).collect();
    assert_eq!(read, words);
    for (probe, words) in probes(&made).iter().zip(words) {
        let tool = &probe.offered[0].tools()[0];
        assert_eq!(tool.description.as_ref().unwrap().to_text().unwrap(), words);
        let original = made.account.names.iter().find(|one| one.name == tool.name.as_str()).unwrap();
        assert_eq!(original.original, format!("f.{words}"));
    }
}

#[test]
fn quarantine_renames_nothing_and_says_what_it_missed() {
    let row = |at: usize, schema: Value| {
        json!({"id": format!("irrelevance_{at}"), "question": [[{"role": "user", "content": "x"}]],
            "function": [{"name": "f", "parameters": schema}]})
    };
    let open = |name: &str| json!({"type": "dict", "properties": {name: {"type": "string"}}});
    let file = [source("x.json", &lines(&[row(0, open("a")), row(1, open("b"))]))];
    let text = "toolmirage: quarantine/1\nbenchmark: bfcl\ncases: { irrelevance_0: it fits, irrelevance_77: gone }\n";
    let (quarantine, _) = Quarantine::from_text(std::path::Path::new("q.yaml"), text).unwrap();
    let options = Options {
        name: Some("mine"),
        version: Some("v5"),
        shipped: None,
        quarantine: Some(quarantine),
        around: None,
    };
    let made = import(benchmark("bfcl").unwrap(), &file, &options);
    assert_eq!((made.account.imported, made.account.quarantined), (1, 1));
    assert_eq!(made.account.unmatched_quarantine, ["irrelevance_77"]);
    assert_eq!(suites(&made)[0].tasks[0].offers.as_ref().unwrap()[0].as_str(), "f_2");
    assert_eq!((made.account.name(), made.account.version.as_str()), ("mine", "v5"));
    let whole = suites(&imported("bfcl", &file)).remove(0);
    assert_eq!(whole.tasks[1].offers.as_ref().unwrap()[0].as_str(), "f_2");
}

#[test]
fn equal_files_give_equal_bytes_and_many_lines_take_linear_time() {
    let row = |at: usize| {
        format!(
            "{{\"id\":\"live_irrelevance_{at}-0-0\",\"question\":[[{{\"role\":\"user\",\"content\":\"w {at}\"}}]],\"function\":[]}}\n"
        )
    };
    let text: String = (0..1_000).map(row).collect();
    let one = imported("bfcl", &[source("x.jsonl", &text)]);
    // Without any function there is no catalog to be asked with.
    assert!(one.account.is_empty() && one.account.left_out == 1_000);
    let text = text.replace(
        "\"function\":[]",
        "\"function\":[{\"name\":\"f\",\"parameters\":{\"type\":\"dict\",\"properties\":{}}}]",
    );
    let (one, other) =
        (imported("bfcl", &[source("x.jsonl", &text)]), imported("bfcl", &[source("x.jsonl", &text)]));
    assert_eq!(one.account.imported, 1_000);
    assert_eq!(one.files, other.files);
    assert_eq!(serde_json::to_string(&one.account).unwrap(), serde_json::to_string(&other.account).unwrap());
}
