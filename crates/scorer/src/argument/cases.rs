//! Agreement with handed wire cases, where the folder that holds them lies beside the workspace. The module's own
//! cases stand in `examples.rs`; these are counted, and skipped with a word where they are not there.

use std::path::{Path, PathBuf};

use serde_json::Value;
use transcript::{Arguments, Message, RawJson, Tool};

use super::{ArgumentInput, ArgumentVerdict, Conversation, Schemas, judge_arguments};

fn folder() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().map(|above| above.join("shared/cases/wire")).find(|folder| folder.is_dir())
}

/// Names and arguments of the structured calls of an unstreamed body.
fn calls(body: &Value) -> Vec<(String, Arguments)> {
    let mut found = Vec::new();
    let mut add = |call: &Value, name: &str, arguments: &str| {
        let name = call[name].as_str().unwrap_or_default().to_owned();
        let arguments = match call.get(arguments) {
            None => Arguments::Missing,
            Some(Value::String(text)) => Arguments::Text(text.clone()),
            Some(other) => Arguments::Json(RawJson::from_value(other)),
        };
        found.push((name, arguments));
    };
    let list = |at: &str| body.pointer(at).and_then(Value::as_array).cloned().unwrap_or_default();
    for call in list("/choices/0/message/tool_calls").iter().chain(&list("/message/tool_calls")) {
        add(&call["function"], "name", "arguments");
    }
    for item in list("/output").iter().filter(|item| item["type"] == "function_call") {
        add(item, "name", "arguments");
    }
    for block in list("/content").iter().filter(|block| block["type"] == "tool_use") {
        add(block, "name", "input");
    }
    for part in list("/candidates/0/content/parts").iter().filter_map(|part| part.get("functionCall")) {
        add(part, "name", "args");
    }
    for block in list("/output/message/content").iter().filter_map(|block| block.get("toolUse")) {
        add(block, "name", "input");
    }
    found
}

fn tool(catalog: &Value, name: &str) -> Option<Tool> {
    let entry =
        catalog.as_array()?.iter().map(|entry| &entry["function"]).find(|entry| entry["name"] == name)?;
    let mut tool = Tool::named(name);
    tool.description = entry.get("description").map(RawJson::from_value);
    tool.input_schema = entry.get("parameters").map(RawJson::from_value);
    tool.strict = entry.get("strict").and_then(Value::as_bool);
    Some(tool)
}

type Shown = (Option<String>, Option<bool>, Vec<(String, String, bool)>);

/// What of a verdict is compared: the first format finding that the arguments can show, validity, and the findings.
fn shown(verdict: &Value) -> Shown {
    const OF_ARGUMENTS: [&str; 12] = [
        "arguments_not_json",
        "arguments_not_object",
        "arguments_truncated",
        "arguments_concatenated",
        "arguments_double_encoded",
        "argument_double_encoded",
        "wrapper_key",
        "missing_required",
        "type_mismatch",
        "enum_violation",
        "python_literal",
        "trailing_comma",
    ];
    let list = |key: &str| verdict.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let root = list("format_findings")
        .iter()
        .filter_map(Value::as_str)
        .find(|word| OF_ARGUMENTS.contains(word))
        .map(str::to_owned);
    let mut findings: Vec<_> = list("argument_findings")
        .iter()
        .map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
            (text("path"), text("finding"), finding["counted"] == true)
        })
        .collect();
    findings.sort();
    (root, verdict.get("schema_valid").and_then(Value::as_bool), findings)
}

fn as_json(verdict: &ArgumentVerdict) -> Value {
    serde_json::json!({
        "schema_valid": verdict.schema_valid,
        "format_findings": verdict.format_findings,
        "argument_findings": verdict.argument_findings,
    })
}

#[test]
fn agrees_with_the_handed_wire_cases() {
    let Some(folder) = folder() else {
        println!("skipped: no folder shared/cases/wire above the workspace");
        return;
    };
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    let schemas = Schemas::new();
    let (mut compared, mut roots, mut valid, mut words, mut counted) = (0, 0, 0, 0, 0);
    for path in &paths {
        let case: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let messages: Vec<Message> = serde_json::from_value(case["messages"].clone()).unwrap();
        let mut conversation = Conversation::new();
        messages.iter().for_each(|message| conversation.add_message(message));
        let expected: Vec<&Value> = case["verdict"]["calls"].as_array().unwrap().iter().collect();
        for (at, (name, arguments)) in calls(&case["response"]).iter().enumerate() {
            let Some(tool) = tool(&case["catalog"], name) else { continue };
            let input = ArgumentInput {
                tool: &tool,
                arguments,
                oracle: None,
                conversation: &conversation,
                strict: false,
                clock: None,
                grounding_counts: true,
            };
            let verdict = as_json(&judge_arguments(&input, &schemas));
            let (ours, theirs) = (shown(&verdict), shown(expected[at]));
            let any = |findings: &[(String, String, bool)]| findings.iter().any(|finding| finding.2);
            compared += 1;
            roots += usize::from(ours.0 == theirs.0);
            valid += usize::from(ours.1 == theirs.1);
            words += usize::from(ours.2 == theirs.2);
            counted += usize::from(any(&ours.2) == any(&theirs.2));
            if ours != theirs {
                println!("{} call {at}:\n   ours {ours:?}\n theirs {theirs:?}", path.display());
            }
        }
    }
    println!(
        "{compared} calls of offered tools: root format finding {roots}, schema_valid {valid}, findings {words}, counted {counted}"
    );
    assert!(compared > 0);
    for agreed in [roots, valid, counted, words] {
        assert!(agreed * 100 >= compared * 98, "{agreed} of {compared}");
    }
}
