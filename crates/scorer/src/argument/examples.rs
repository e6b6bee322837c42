//! The module's own cases, a line each in `examples.jsonl`: what was said, the call, and what must be found. Every
//! word stands there from both sides: a call that earns it, and one that looks like it and does not.

use std::collections::{BTreeMap, BTreeSet};

use probes::{Expectation, RightBehaviour, Unlisted, ValueOracle};
use serde::Deserialize;
use serde_json::Value;
use transcript::{Arguments, RawJson, Role, Tool};

use super::{ArgumentInput, ArgumentVerdict, Conversation, Schemas, judge_arguments};
use crate::finding::FormatFinding;

#[derive(Deserialize)]
struct Case {
    case: String,
    tool: CaseTool,
    /// Who speaks (`system`, `user`, `assistant`, `tool`; `call` for the arguments of an earlier call) and what.
    said: Vec<(String, String)>,
    /// The arguments: an object, or their text.
    call: Value,
    valid: Option<bool>,
    format: Vec<FormatFinding>,
    /// Pointer, word, counted.
    findings: Vec<(String, String, bool)>,
    #[serde(default)]
    note: BTreeMap<String, String>,
    #[serde(default)]
    required: Vec<String>,
    #[serde(default)]
    left_out: Vec<String>,
    oracle: Option<CaseOracle>,
    #[serde(default = "yes")]
    grounding_counts: bool,
    clock: Option<String>,
}

#[derive(Deserialize)]
struct CaseTool {
    name: String,
    description: Option<String>,
    schema: Value,
    #[serde(default)]
    strict: bool,
}

#[derive(Deserialize)]
struct CaseOracle {
    arguments: indexmap::IndexMap<String, ValueOracle>,
    #[serde(default)]
    unlisted: Unlisted,
    #[serde(default)]
    missing: Vec<String>,
}

fn yes() -> bool {
    true
}

impl Case {
    fn tool(&self) -> Tool {
        let mut tool = Tool::named(&self.tool.name);
        tool.description = self.tool.description.as_deref().map(RawJson::from_text);
        tool.input_schema = Some(RawJson::from_value(&self.tool.schema));
        tool.strict = self.tool.strict.then_some(true);
        tool
    }

    fn arguments(&self) -> Arguments {
        match &self.call {
            Value::Null => Arguments::Missing,
            Value::String(text) => Arguments::Text(text.clone()),
            other => Arguments::Json(RawJson::from_value(other)),
        }
    }

    fn conversation(&self) -> Conversation<'_> {
        let mut conversation = Conversation::new();
        for (who, text) in &self.said {
            match who.as_str() {
                "system" => conversation.say(Role::System, text),
                "user" => conversation.say(Role::User, text),
                "assistant" => conversation.say(Role::Assistant, text),
                "tool" => conversation.say(Role::Tool, text),
                "call" => conversation.add_call(text),
                other => panic!("{}: nobody is called {other}", self.case),
            }
        }
        conversation
    }

    fn expectation(&self) -> Option<Expectation> {
        let oracle = self.oracle.as_ref()?;
        Some(Expectation {
            headline: Vec::new(),
            side: Vec::new(),
            every_arm: false,
            right: RightBehaviour::Call,
            earlier_right: Vec::new(),
            tool: Some(self.tool.name.as_str().into()),
            offered: true,
            decoys: Vec::new(),
            arguments: oracle.arguments.clone(),
            unlisted: oracle.unlisted,
            missing: oracle.missing.clone(),
            allowed_reads: Vec::new(),
            family_reads: false,
            answer_is_fine: false,
            calls: Vec::new(),
            answer: None,
            claim: probes::ClaimLine::None,
            must_pass: false,
        })
    }

    fn judge(&self, schemas: &Schemas) -> ArgumentVerdict {
        let (tool, arguments, conversation) = (self.tool(), self.arguments(), self.conversation());
        let expectation = self.expectation();
        let input = ArgumentInput {
            tool: &tool,
            arguments: &arguments,
            oracle: expectation.as_ref(),
            conversation: &conversation,
            strict: false,
            clock: self.clock.as_deref(),
            grounding_counts: self.grounding_counts,
        };
        judge_arguments(&input, schemas)
    }

    /// What differs between a verdict and what the case expects, in words; empty where nothing does.
    fn differences(&self, verdict: &ArgumentVerdict) -> Vec<String> {
        let mut differences = Vec::new();
        let mut compare = |what: &str, ours: String, expected: String| {
            if ours != expected {
                differences.push(format!("{what}: {ours}, expected {expected}"));
            }
        };
        let mut found: Vec<_> = verdict
            .argument_findings
            .iter()
            .map(|finding| (finding.path.clone(), word_of(finding.finding), finding.counted))
            .collect();
        let mut expected = self.findings.clone();
        found.sort();
        expected.sort();
        compare("findings", format!("{found:?}"), format!("{expected:?}"));
        compare("valid", format!("{:?}", verdict.schema_valid), format!("{:?}", self.valid));
        compare("format", format!("{:?}", verdict.format_findings), format!("{:?}", self.format));
        compare("left out", format!("{:?}", verdict.left_out), format!("{:?}", self.left_out));
        for finding in &verdict.argument_findings {
            if let Some(start) = self.note.get(&finding.path) {
                let note = finding.note.clone().unwrap_or_default();
                compare("note", note.get(..start.len()).unwrap_or(&note).to_owned(), start.clone());
            }
            if self.required.contains(&finding.path) {
                compare("required", finding.required.to_string(), true.to_string());
            }
        }
        differences
    }
}

fn word_of(fault: crate::ArgumentFault) -> String {
    serde_json::to_value(fault).unwrap().as_str().unwrap().to_owned()
}

fn cases() -> Vec<Case> {
    include_str!("examples.jsonl").lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn every_case_is_judged_as_it_says() {
    let schemas = Schemas::new();
    let mut wrong = 0;
    for case in cases() {
        let differences = case.differences(&case.judge(&schemas));
        if !differences.is_empty() {
            wrong += 1;
            println!("{}\n    {}", case.case, differences.join("\n    "));
        }
    }
    assert_eq!(wrong, 0, "cases that are judged otherwise");
}

#[test]
fn every_word_is_earned_by_a_case() {
    let earned: BTreeSet<String> =
        cases().iter().flat_map(|case| case.findings.iter().map(|finding| finding.1.clone())).collect();
    let all = [
        "fabricated_id",
        "fabricated_contact",
        "fabricated_path",
        "fabricated_value",
        "placeholder",
        "stale_date",
        "stale_value",
        "invented_optional",
        "wrong_principal",
        "undeclared_key",
        "enum_violation",
        "type_mismatch",
        "copied_example",
        "filler_string",
        "filler_zero",
        "filler_empty",
        "filler_null",
    ];
    let missing: Vec<&str> = all.into_iter().filter(|word| !earned.contains(*word)).collect();
    assert!(missing.is_empty(), "no case earns {missing:?}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_judged(
        arguments in ".*|[\\[{\"':,a-c0-9 .\\-/\\\\]{0,60}",
        value in ".{0,40}|[0-9a-fé€:/@.\\-, T+]{0,24}",
        said in ".{0,80}|([0-9]{1,4}[-/. ]?|may |next week |an hour |e\\.g\\. |not |€|#|\n){0,12}",
        prompt in ".{0,40}|(today is |example:|## examples|\n|2027-01-14|K-7 ){0,8}",
    ) {
        static PREPARED: std::sync::LazyLock<(Schemas, Vec<Case>)> =
            std::sync::LazyLock::new(|| (Schemas::new(), cases()));
        let (schemas, cases) = &*PREPARED;
        for case in cases.iter().step_by(9) {
            let mut conversation = Conversation::new();
            conversation.say(Role::System, &prompt);
            conversation.say(Role::User, &said);
            let tool = case.tool();
            let expectation = case.expectation();
            let keys = case.tool.schema["properties"].as_object().unwrap().keys();
            let filled: serde_json::Map<String, Value> = keys.map(|key| (key.clone(), value.clone().into())).collect();
            for arguments in [Arguments::Text(arguments.clone()), Arguments::Json(RawJson::from_value(&filled.into()))] {
                let input = ArgumentInput {
                    tool: &tool,
                    arguments: &arguments,
                    oracle: expectation.as_ref(),
                    conversation: &conversation,
                    strict: false,
                    clock: None,
                    grounding_counts: true,
                };
                let verdict = judge_arguments(&input, schemas);
                let object = Value::from(verdict.object.unwrap_or_default());
                for finding in &verdict.argument_findings {
                    proptest::prop_assert!(object.pointer(&finding.path).is_some(), "{}", finding.path);
                }
            }
        }
    }
}
