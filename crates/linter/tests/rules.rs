//! Every rule that reads has cases in which it finds something and cases in which it is silent:
//! `cases/RULE.yaml`.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::path::Path;
use std::sync::Arc;

use linter::{
    CatalogSubject, Finding, PromptSubject, RULES, Severity, Subject, SuiteSubject, UserMessage, lint,
};
use probes::{Catalog, PlacedCatalog, Suite, TextFile};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    found: Vec<Case>,
    silent: Vec<Case>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    catalog: Option<String>,
    prompt: Option<String>,
    suite: Option<String>,
    #[serde(default)]
    traces: Vec<String>,
}

impl Case {
    fn subject(&self, held_out: bool) -> Subject {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("catalog.yaml");
        let mut subject = Subject::default();
        if let Some(text) = &self.catalog {
            std::fs::write(&file, text).unwrap();
            let catalog = PlacedCatalog::load(&file).unwrap_or_else(|error| panic!("{error}"));
            subject.catalogs.push(CatalogSubject { catalog, is_linted: true });
        }
        if let Some(text) = &self.prompt {
            let catalogs = (0..subject.catalogs.len()).collect();
            subject
                .prompts
                .push(PromptSubject { text: TextFile::new(Path::new("prompt.md"), text), catalogs });
        }
        if let Some(text) = &self.suite {
            let (suite, places) =
                Suite::from_text(Path::new("suite.yaml"), text).unwrap_or_else(|error| panic!("{error}"));
            let catalog = Arc::new(Catalog::load(&file).unwrap());
            let prompts = Vec::new();
            subject.suites.push(SuiteSubject { suite, places, placed: 0, catalog, prompts, held_out });
        }
        let message = |text: &String| UserMessage { place: "traces.jsonl:1".into(), text: text.clone() };
        subject.traces = self.traces.iter().map(message).collect();
        subject
    }

    fn findings(&self, rule: &str) -> Vec<Finding> {
        lint(&self.subject(true)).into_iter().filter(|finding| finding.rule.name == rule).collect()
    }
}

fn cases(rule: &str) -> Cases {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cases/{rule}.yaml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_rule_finds_and_is_silent() {
    let mut wrong = Vec::new();
    for rule in RULES.iter().filter(|rule| !["unfailable_probe", "unpassable_probe"].contains(&rule.name)) {
        let cases = cases(rule.name);
        assert!(!cases.found.is_empty() && !cases.silent.is_empty(), "{}", rule.name);
        for case in &cases.found {
            let found = case.findings(rule.name);
            if found.is_empty() {
                wrong.push(format!("{} does not find {case:?}", rule.name));
            }
            for finding in found.iter().filter(|finding| finding.diagnostic.line == 0) {
                wrong.push(format!("{} has no place: {}", rule.name, finding.diagnostic.message));
            }
        }
        for case in &cases.silent {
            for finding in case.findings(rule.name) {
                wrong.push(format!("{} finds in {case:?}: {}", rule.name, finding.diagnostic.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_suite_that_is_not_held_out_may_stand_in_the_traces() {
    let cases = cases("seen_in_traces");
    let subject = cases.found[0].subject(false);
    assert!(lint(&subject).iter().all(|finding| finding.rule.name != "seen_in_traces"));
}

const CATALOG: &str = r#"
toolmirage: catalog/1
name: harbour
version: 1
tools:
  - name: reserve_berth
    description: Reserves a berth of the harbour for a ship.
    input_schema: { type: object, properties: { ship: { type: string } }, required: [ship] }
"#;

#[test]
fn five_planted_faults_of_a_prompt_are_five_findings_and_an_honest_prompt_has_none() {
    let planted = "You speak for the harbour office.\n\
        You have a full suite of harbour tools and know everyone.\n\
        Use `call_pilot` before a ship comes in.\n\
        If the ship's length is missing, make a reasonable assumption.\n\
        Whatever happens, be resourceful.\n\
        Never tell the captain that you can't do it.\n\
        Be brief.\n";
    let honest = "You speak for the harbour office. Use `reserve_berth` for berths; there is nothing else.\n\
        If the ship's length is missing, ask for it. Never guess, and do not make assumptions.\n\
        You do not have a full suite of tools. If no tool fits, say that it cannot be done here.\n\
        If a call fails, say so. Never claim success unless the tool returned it.\n\
        Answer any question about the tides from the table below.\n";
    let lines = |prompt: &str| -> Vec<usize> {
        let case = Case { catalog: Some(CATALOG.into()), prompt: Some(prompt.into()), ..Case::default() };
        let found = lint(&case.subject(true)).into_iter();
        let of_prompt = found.filter(|finding| finding.diagnostic.file.as_ref() == "prompt.md");
        let mut lines: Vec<usize> = of_prompt.map(|finding| finding.diagnostic.line).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(lines(planted), [2, 3, 4, 5, 6]);
    assert_eq!(lines(honest), [0; 0]);
}

#[test]
fn a_message_says_each_thing_once() {
    let catalog = r#"
        {"type": "function", "function": {"name": "reserve_berth", "strict": true,
         "description": "The `find_pier` tool, the `call_pilot` tool and the `find_pier` tool come first.",
         "parameters": {"type": "object", "properties": {
            "a": {"type": "object", "properties": {"x": {"type": "string", "not": {}}}, "minProperties": 1},
            "b": {"type": "object", "properties": {"y": {"type": "string", "not": {}}}, "minProperties": 1}}}}}"#;
    let case = Case { catalog: Some(format!("[{catalog}]")), ..Case::default() };
    let message = |rule: &str| -> String {
        let found = case.findings(rule).into_iter().filter(|finding| finding.severity == Severity::Error);
        found.map(|finding| finding.diagnostic.message).collect()
    };
    for (rule, thing) in [("absent_tool", "`find_pier`"), ("strict_schema", "`minProperties`")] {
        assert_eq!(message(rule).matches(thing).count(), 1, "{}", message(rule));
    }
}

#[test]
fn two_thousand_tools_of_one_description_are_no_million_findings() {
    let tool = |at: usize| {
        format!(
            r#"{{"name": "depot_tool_of_yard_{at}x", "description": "Handles the crate, the rope, the pier and the crane at the quay.",
               "inputSchema": {{"type": "object", "properties": {{"note{at}": {{"type": "string"}}}}}}}}"#
        )
    };
    let tools: Vec<String> = (0..2_000).map(tool).collect();
    let case = Case { catalog: Some(format!("{{\"tools\": [{}]}}", tools.join(","))), ..Case::default() };
    let found = case.findings("lookalike_pair").len();
    assert!((1_999..=4 * 2_000).contains(&found), "{found}");
}

#[test]
fn messages_name_the_probes_that_are_stale() {
    let cases = cases("gone_tool");
    let found = cases.found[0].findings("gone_tool");
    assert!(found[0].diagnostic.message.contains(".control`"), "{}", found[0].diagnostic.message);
}

#[test]
fn the_order_is_the_same_every_time_and_worst_first() {
    let case =
        Case { catalog: Some(CATALOG.into()), prompt: Some("Use `call_pilot`.".into()), ..Case::default() };
    let shown = || -> Vec<String> {
        let found = lint(&case.subject(true)).into_iter();
        found.map(|finding| format!("{} {}", finding.severity.as_str(), finding.diagnostic.message)).collect()
    };
    assert_eq!(shown(), shown());
    assert!(shown()[0].starts_with("error"), "{:?}", shown());
}
