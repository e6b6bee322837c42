//! The built binary on files in the shape of public benchmarks: `import`, and what `run` and `lint` make of it.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use serde_json::{Value, json};

use place::{Place, code, err, out};

/// Small files in BFCL's shape, where its own lie: answers and documented functions beside the cases.
fn bfcl() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path("data/possible_answer")).unwrap();
    std::fs::create_dir_all(place.path("data/multi_turn_func_doc")).unwrap();
    let turn = |words: &str| json!([{"role": "user", "content": words}]);
    let schema = |required: &[&str], optional: &[&str]| {
        let all: serde_json::Map<String, Value> = required
            .iter()
            .chain(optional)
            .map(|name| ((*name).to_owned(), json!({"type": "string"})))
            .collect();
        json!({"type": "dict", "properties": all, "required": required})
    };
    let function =
        |name: &str, schema: Value| json!({"name": name, "description": "Does it.", "parameters": schema});
    let weigh = function("scale.weigh", schema(&["crate"], &["unit"]));
    let lift = function("crane.lift", schema(&["crate"], &[]));
    let mv = function("mv", schema(&["source", "destination"], &[]));
    let ls = function("ls", schema(&[], &[]));
    let line = |value: Value| format!("{value}\n");
    let files = [
        ("data/BFCL_v4_irrelevance.json", [
            line(json!({"id": "irrelevance_0", "question": [turn("Who wrote the anthem?")], "function": [lift]})),
            line(json!({"id": "irrelevance_1", "question": [turn("Lift crate K-7.")], "function": [lift]})),
        ].concat()),
        ("data/BFCL_v4_multiple.json",
            line(json!({"id": "multiple_0", "question": [turn("Weigh crate K-7.")], "function": [weigh, lift]}))),
        ("data/possible_answer/BFCL_v4_multiple.json",
            line(json!({"id": "multiple_0", "ground_truth": [{"scale.weigh": {"crate": ["K-7"], "unit": ["", "kg"]}}]}))),
        ("data/BFCL_v4_multi_turn_miss_func.json",
            line(json!({"id": "multi_turn_miss_func_0", "question": [turn("Move a.txt to the box."), []],
                "involved_classes": ["GorillaFileSystem"], "missed_function": {"1": ["mv"]}}))),
        ("data/possible_answer/BFCL_v4_multi_turn_miss_func.json",
            line(json!({"id": "multi_turn_miss_func_0", "ground_truth": [[], ["mv('a.txt', 'box')"]]}))),
        ("data/multi_turn_func_doc/gorilla_file_system.json", [line(mv), line(ls)].concat()),
        ("ours.yaml", "toolmirage: quarantine/1\nbenchmark: bfcl\ncases: { irrelevance_1: it fits, irrelevance_9: gone }\n".to_owned()),
    ];
    for (name, text) in &files {
        place.write(name, text);
    }
    place
}

fn import(place: &Place, more: &[&str]) -> std::process::Output {
    place.run(&[&["import", "bfcl"], more].concat())
}

#[test]
fn a_folder_becomes_suites_that_the_honest_pass_and_the_liar_does_not() {
    let place = bfcl();
    let made = import(&place, &["data", "--dir", "evals", "--quarantine", "ours.yaml"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let text = out(&made);
    assert!(text.contains("4 read = 3 imported + 1 quarantined + 0 left out"), "{text}");
    assert!(text.contains("no case has the id `irrelevance_9`"), "{text}");
    for suite in ["irrelevance", "multiple", "miss-func"] {
        let path = format!("evals/suites/bfcl-{suite}.yaml");
        let expanded = place.run(&["expand", &path]);
        assert!(
            code(&expanded) == 0 && !out(&expanded).contains("\nstale"),
            "{}{}",
            out(&expanded),
            err(&expanded)
        );
        for (target, fails) in [("sim:honest", false), ("sim:liar", true)] {
            let folder = format!("{suite}-{target}").replace(':', "-");
            let ran =
                place.run(&["run", &path, "--target", target, "--repeats", "3", "--out", &folder, "-q"]);
            assert_eq!(code(&ran), 0, "{}", err(&ran));
            assert_eq!(out(&ran).contains("Failing"), fails, "{suite} {target}\n{}", out(&ran));
        }
    }
    let record = place.read("multiple-sim-honest/run.jsonl");
    assert!(
        record.contains(
            r#""upstream":{"name":"BFCL","version":"v4","licence":"Apache-2.0","id":"multiple_0"}"#
        )
    );
    let linted = place.run(&["lint", "evals", "--deny", "error"]);
    assert_eq!(code(&linted), 0, "{}{}", out(&linted), err(&linted));
}

#[test]
fn names_lead_back_to_the_benchmarks() {
    let place = bfcl();
    let made = import(&place, &["data/BFCL_v4_multiple.json", "--dir", "evals", "--json"]);
    let account: Value = serde_json::from_str(&out(&made)).unwrap();
    assert_eq!(out(&made), place.read("evals/imports/bfcl-multiple.json"));
    assert_eq!(account["files"][1]["name"], "possible_answer/BFCL_v4_multiple.json");
    let suite = place.read("evals/suites/bfcl-multiple.yaml");
    let mut back = suite.clone();
    for name in account["names"].as_array().unwrap() {
        back = back.replace(name["name"].as_str().unwrap(), name["original"].as_str().unwrap());
    }
    assert!(
        suite.contains("tool: scale_weigh") && back.contains("offers: [scale.weigh, crane.lift]"),
        "{back}"
    );
    // The same files give the same bytes, and what is there already is no reason to stop.
    assert_eq!(code(&import(&place, &["data/BFCL_v4_multiple.json", "--dir", "evals"])), 0);
    let other =
        import(&place, &["data/BFCL_v4_irrelevance.json", "--dir", "evals", "--name", "bfcl-multiple"]);
    assert!(code(&other) == 2 && err(&other).contains("would be written over"), "{}", err(&other));
}

#[test]
fn what_cannot_be_used_is_said_and_nothing_is_written() {
    let place = bfcl();
    place.write(
        "old.json",
        "{\"id\": \"simple_0\", \"question\": \"words\", \"function\": {}}\n{broken\n[1]\n",
    );
    let made = import(&place, &["old.json", "--dir", "evals"]);
    assert_eq!(code(&made), 2);
    for said in [
        "its `question` is no list of turns (simple_0)",
        "old.json:2: no JSON",
        "old.json:3: no BFCL record",
        "no case could be imported",
    ] {
        assert!(err(&made).contains(said), "{said}\n{}", err(&made));
    }
    assert!(!place.path("evals").exists());
    std::fs::write(place.path("latin.json"), b"{}\n\xe9").unwrap();
    let wrong = [
        (vec!["import", "bfkl", "old.json"], "did you mean `bfcl`?"),
        (vec!["import", "bfcl", "absent.json"], "cannot read `absent.json`"),
        (vec!["import", "bfcl", "latin.json"], "line 2 is not UTF-8"),
        (vec!["import", "bfcl", "catalogs"], "has no .json"),
        (vec!["import", "bfcl", "old.json", "--name", "No Name"], "`no-name`"),
        (vec!["import", "acebench", "data", "--quarantine", "ours.yaml"], "not of `acebench`"),
        (vec!["import", "bfcl"], "required"),
    ];
    for (args, said) in wrong {
        let ran = place.run(&args);
        assert!(code(&ran) == 2 && err(&ran).contains(said), "{args:?}\n{}", err(&ran));
    }
    let listed = out(&place.run(&["import", "--list"]));
    for benchmark in importer::BENCHMARKS {
        assert!(listed.contains(benchmark.name));
    }
}

#[test]
fn a_filler_can_be_made_for_a_suite() {
    let place = Place::new();
    let tool =
        |name: &str| json!({"name": name, "description": "Does it.", "inputSchema": {"type": "object"}});
    let servers =
        json!([{"name": "x", "tools": {"x": {"tools": [tool("fetch_invoice"), tool("water_plants")]}}}]);
    place.write("tools.json", &servers.to_string());
    let made = place.run(&[
        "import",
        "livemcpbench",
        "tools.json",
        "--dir",
        "evals",
        "--around",
        "suites/starter.yaml",
    ]);
    assert!(code(&made) == 0 && out(&made).contains("(fetch_invoice)"), "{}{}", out(&made), err(&made));
    let filler = "evals/catalogs/livemcpbench.json";
    let expanded = place.run(&["expand", "suites/starter.yaml", "--filler", filler, "--limit", "2"]);
    assert_eq!(code(&expanded), 0, "{}", err(&expanded));
}
