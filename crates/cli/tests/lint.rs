//! `toolmirage lint`, as it is run: what it prints, in which form, and how it ends.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::process::Command;

use serde_json::Value;

use place::{Place, code, err, out};

const PROMPT: &str =
    "You speak for the office.\nYou have a full suite of tools.\nUse `audit_invoice` first.\n";

const CATALOG: &str = r#"{"tools": [
  {"name": "create_crate", "description": "Makes a crate of planks.", "inputSchema": {"type": "object"}},
  {"name": "get_crate",
   "inputSchema": {"type": "object", "properties": {
     "user_id": {"type": "string"},
     "note": {"type": "string"}}, "required": ["user_id"]}},
  {"name": "list_crates", "description": "Lists crates\u001b[2J \u202e by yard.", "inputSchema": {"type": "object"}}
]}"#;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn place() -> Place {
    let place = Place::new();
    place.write("crates.mcp.json", CATALOG);
    place.write("system.md", PROMPT);
    place
}

#[test]
fn a_finding_is_a_line_of_json_with_its_place() {
    let place = place();
    let output = place.run(&["lint", "crates.mcp.json", "system.md", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let found = lines(&out(&output));
    let places = |rule: &str| -> Vec<(String, u64, u64)> {
        let of_rule = found.iter().filter(|finding| finding["rule"] == rule);
        of_rule
            .map(|finding| {
                let file = finding["file"].as_str().unwrap().to_owned();
                (file, finding["line"].as_u64().unwrap(), finding["column"].as_u64().unwrap())
            })
            .collect()
    };
    assert_eq!(places("sibling_gap"), [("crates.mcp.json".to_owned(), 2, 12)]);
    assert_eq!(places("thin_description"), [("crates.mcp.json".to_owned(), 3, 12)]);
    assert_eq!(places("identity_argument"), [("crates.mcp.json".to_owned(), 5, 6)]);
    assert_eq!(places("undescribed_optional"), [("crates.mcp.json".to_owned(), 6, 6)]);
    assert_eq!(places("overclaim"), [("system.md".to_owned(), 2, 12)]);
    assert_eq!(places("absent_tool"), [("system.md".to_owned(), 3, 6)]);
    for finding in &found {
        for key in ["rule", "severity", "file", "line", "tool", "message"] {
            assert!(finding.get(key).is_some(), "{key}: {finding}");
        }
    }
    let identity = found.iter().find(|finding| finding["rule"] == "identity_argument").unwrap();
    assert_eq!(identity["tool"], "get_crate");
    assert_eq!(out(&place.run(&["lint", "crates.mcp.json", "system.md", "--json"])), out(&output));
}

#[test]
fn people_see_the_five_worst_with_their_lines_and_hostile_text_is_inert() {
    let place = place();
    let text = out(&place.run(&["lint", "crates.mcp.json", "system.md"]));
    assert!(text.starts_with("error[absent_tool]: "), "{text}");
    assert!(text.contains("3 | Use `audit_invoice` first.\n  |      ^^^^^^^^^^^^^"), "{text}");
    assert!(text.matches("\n  |\n").count() >= 5, "{text}");
    assert!(text.contains("--all shows them"), "{text}");
    let all = out(&place.run(&["lint", "crates.mcp.json", "system.md", "--all"]));
    assert!(all.len() > text.len() && !all.contains("--all shows them"), "{all}");
    for shown in [&text, &all] {
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
    }
}

#[test]
fn deny_fails_at_or_above_a_severity_alone() {
    let place = place();
    let run = |deny: &str, file: &str| code(&place.run(&["lint", file, "--deny", deny]));
    assert_eq!(run("warning", "crates.mcp.json"), 1);
    assert_eq!(run("error", "crates.mcp.json"), 0);
    assert_eq!(run("note", "crates.mcp.json"), 1);
    place.write("honest.md", "Be brief. If no tool fits, say so.\n");
    let output = place.run(&["lint", "honest.md", "--deny", "note"]);
    assert_eq!(code(&output), 0);
    assert_eq!(out(&output), "nothing found in 1 prompt\n");
    assert!(err(&output).contains("no catalog is named"), "{}", err(&output));
}

#[test]
fn bad_input_ends_with_2_and_its_place() {
    let place = place();
    place.write("broken.json", "{\"tools\": [\n  {\"name\": 3}]}");
    let output = place.run(&["lint", "broken.json"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("broken.json:2:12"), "{}", err(&output));
    assert!(out(&output).is_empty());
    place.write("odd.csv", "a,b\n");
    assert_eq!(code(&place.run(&["lint", "odd.csv"])), 2);
    assert_eq!(code(&place.run(&["lint", "nothing-here"])), 2);
    let output = place.run(&["lint", "--explain", "sibling_gab"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("did you mean `sibling_gap`?"), "{}", err(&output));
    assert!(out(&place.run(&["lint", "--explain", "sibling_gap"])).contains("Why: "));
}

#[test]
fn sarif_has_rules_places_and_levels() {
    let place = place();
    let output = place.run(&["lint", "crates.mcp.json", "system.md", "--sarif"]);
    let log: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].as_str().is_some_and(|uri| !uri.is_empty()));
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    }
}

#[test]
fn line_endings_anchors_and_marks_of_order_do_not_hide_a_place() {
    let place = Place::new();
    place.write("system.md", "\u{feff}You speak for the office.\r\n\r\nBe resourceful.\r\n");
    place.write(
        "yard.yaml",
        "toolmirage: catalog/1\r\nname: yard\r\nversion: 1\r\ntools:\r\n  - name: get_crate\r\n    description: &said Reads a crate of planks by its number.\r\n  - name: find_pier\r\n    description: *said\r\n  - name: \"odd\\e[2J\\u202e\"\r\n    description: Odd things in a name.\r\n",
    );
    let output = place.run(&["lint", "system.md", "yard.yaml", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let found = lines(&out(&output));
    let line = |rule: &str| found.iter().find(|finding| finding["rule"] == rule).unwrap()["line"].as_u64();
    assert_eq!((line("licence_to_improvise"), line("lookalike_pair")), (Some(3), Some(7)));
    assert_eq!(line("illegal_name"), Some(9));
    for form in ["--all", "--sarif", "--json"] {
        let shown = out(&place.run(&["lint", "system.md", "yard.yaml", form]));
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }
    place.write("traces.jsonl", "{\"role\": \"user\", \"content\": \"a\"}\n{broken\n");
    let broken = place.run(&["lint", "yard.yaml", "--traces", "traces.jsonl"]);
    assert!(code(&broken) == 2 && err(&broken).contains("traces.jsonl:2"), "{}", err(&broken));
}

fn git(place: &Place, args: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@t.example", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").args(identity).args(args).current_dir(place.path(".")).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn new_since_shows_what_a_ref_does_not_have_whatever_the_line() {
    let place = place();
    git(&place, &["init", "-q"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "-qm", "first"]);
    let args = ["lint", "crates.mcp.json", "system.md", "--new-since", "HEAD", "--json"];
    assert_eq!(out(&place.run(&args)), "");
    place.write("system.md", &format!("Hello.\n\n{PROMPT}Be resourceful.\n"));
    let found = lines(&out(&place.run(&args)));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0]["rule"].as_str(), found[0]["line"].as_u64()),
        (Some("licence_to_improvise"), Some(6))
    );
    place.write("new.md", "You can handle any request.\n");
    let new = out(&place.run(&["lint", "new.md", "--new-since", "HEAD", "--json", "--deny", "warning"]));
    assert_eq!(lines(&new).len(), 1);
    assert_eq!(code(&place.run(&["lint", "new.md", "--new-since", "no-such-ref"])), 2);
}

#[test]
fn a_suite_is_read_with_its_catalog_and_played() {
    let place = place();
    let suite = |words: &str| {
        format!(
            "toolmirage: suite/1\nname: crates\nversion: 1\nseed: 1\ncatalog: crates.mcp.json\nprompts: [system.md]\ntasks:\n  - id: one\n    user: {words}\n    tool: get_crate\n    arguments:\n      user_id: u_7\n"
        )
    };
    place.write("crates.yaml", &suite("Look the crate of u_7 up, please, it is the tall one."));
    place.write("traces.jsonl", "{\"messages\": [{\"role\": \"user\", \"content\": \"look the crate of u_7 up please, it is the tall one\"}]}\n");
    let few = place.run(&["lint", "crates.yaml", "--play", "1"]);
    assert!(code(&few) == 0 && err(&few).contains("more probes were not played"), "{}", err(&few));
    assert!(!err(&place.run(&["lint", "crates.yaml", "--play", "0"])).contains("not played"));
    let output = place.run(&["lint", "crates.yaml", "--traces", "traces.jsonl", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let rules: Vec<String> =
        lines(&out(&output)).iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect();
    assert_eq!(rules, ["seen_in_traces", "unprobed_tool", "unprobed_tool"]);
    // A value that nobody gave cannot be right: the honest model is still handed it, and reading finds it.
    place.write("crates.yaml", &suite("Look the tall crate up, please."));
    let rules: Vec<Value> = lines(&out(&place.run(&["lint", "crates.yaml", "--json"])));
    assert!(
        rules.iter().any(|finding| finding["rule"] == "ungrounded_value" && finding["line"] == 12),
        "{rules:?}"
    );
}

#[test]
fn without_a_path_the_configuration_or_the_usual_folders_are_read() {
    let place = place();
    let output = place.run(&["lint", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let found = lines(&out(&output));
    assert!(found.iter().any(|finding| finding["file"] == "catalogs/billing.yaml"));
    assert!(found.iter().all(|finding| finding["severity"] != "error"), "{found:?}");
    place.write(
        "toolmirage.yaml",
        "toolmirage: config/1\ncatalogs:\n  crates: { sources: [ { file: crates.mcp.json } ] }\nprompts:\n  office: { file: system.md }\n",
    );
    let found = lines(&out(&place.run(&["lint", "--json"])));
    let mut files: Vec<&str> = found.iter().map(|finding| finding["file"].as_str().unwrap()).collect();
    files.sort_unstable();
    files.dedup();
    assert_eq!(files, ["crates.mcp.json", "system.md"]);
    // What is named by itself and by the configuration is looked at once.
    let twice = lines(&out(&place.run(&["lint", "system.md", "toolmirage.yaml", "--json"])));
    assert_eq!(twice, found);
}
