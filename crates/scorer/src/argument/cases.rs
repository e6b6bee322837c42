//! Agreement with handed wire cases, and false alarms on a public benchmark's justified arguments, where the folders
//! that hold them lie beside the workspace. The module's own cases stand in `examples.rs`; these are counted, and
//! skipped with a word where they are not there.

use std::path::{Path, PathBuf};

use serde_json::Value;
use transcript::{Arguments, Message, RawJson, Tool};

use super::{ArgumentInput, ArgumentVerdict, Conversation, Schemas, judge_arguments};

fn folder(name: &str) -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = here.ancestors().map(|above| above.join("shared").join(name)).find(|folder| folder.is_dir());
    if found.is_none() {
        println!("skipped: no folder shared/{name} above the workspace");
    }
    found
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

/// Pointer, word, counted.
type Findings = Vec<(String, String, bool)>;

/// What of a verdict is compared: the first format finding that the arguments can show, validity, and the findings.
fn shown(verdict: &Value) -> (Option<String>, Option<bool>, Findings) {
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
    let mut findings: Findings = list("argument_findings")
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
    let Some(folder) = folder("cases/wire") else { return };
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

/// One question of the benchmark with the call that answers it.
struct Answered {
    question: String,
    tool: Tool,
    call: serde_json::Map<String, Value>,
}

fn lines(path: PathBuf) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The benchmark's schema dialect in JSON Schema's words.
fn plain(schema: &mut Value) {
    if let Some(kind) = schema.get("type").and_then(Value::as_str) {
        let kind = match kind {
            "dict" => "object",
            "float" => "number",
            "tuple" => "array",
            other => other,
        };
        schema["type"] = kind.into();
    }
    match schema {
        Value::Object(members) => members.values_mut().for_each(plain),
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

/// The first allowed value of each argument that may not be left out.
fn first_allowed(allowed: &Value) -> serde_json::Map<String, Value> {
    let mut call = serde_json::Map::new();
    for (key, values) in allowed.as_object().unwrap() {
        let values = values.as_array().unwrap();
        if values.contains(&"".into()) {
            continue;
        }
        let value = match &values[0] {
            object @ Value::Object(_) => Value::Object(first_allowed(object)),
            other => other.clone(),
        };
        call.insert(key.clone(), value);
    }
    call
}

fn answered(folder: &Path) -> Vec<Answered> {
    let questions = lines(folder.join("BFCL_v4_multiple.json"));
    let answers = lines(folder.join("possible_answer/BFCL_v4_multiple.json"));
    let pairs = questions.iter().zip(&answers);
    pairs
        .map(|(question, answer)| {
            let (name, allowed) = answer["ground_truth"][0].as_object().unwrap().iter().next().unwrap();
            let functions = question["function"].as_array().unwrap();
            let mut function = functions.iter().find(|function| function["name"] == *name).unwrap().clone();
            plain(&mut function["parameters"]);
            let mut tool = Tool::named(name);
            tool.description = function.get("description").map(RawJson::from_value);
            tool.input_schema = Some(RawJson::from_value(&function["parameters"]));
            let question = question["question"][0][0]["content"].as_str().unwrap().to_owned();
            Answered { question, tool, call: first_allowed(allowed) }
        })
        .collect()
}

/// Arguments with a counted finding, of all, where each call is held against the question `shift` places on.
fn suspected(all: &[Answered], shift: usize) -> (usize, usize) {
    let schemas = Schemas::new();
    let (mut suspected, mut arguments) = (0, 0);
    for (at, answered) in all.iter().enumerate() {
        let mut conversation = Conversation::new();
        conversation.say(transcript::Role::User, &all[(at + shift) % all.len()].question);
        let input = ArgumentInput {
            tool: &answered.tool,
            arguments: &Arguments::Json(RawJson::from_value(&answered.call.clone().into())),
            oracle: None,
            conversation: &conversation,
            strict: false,
            clock: None,
            grounding_counts: true,
        };
        let verdict = judge_arguments(&input, &schemas);
        let counted = verdict.argument_findings.iter().filter(|finding| finding.counted);
        let keys: std::collections::BTreeSet<&str> =
            counted.filter_map(|found| found.path.split('/').nth(1)).collect();
        suspected += keys.len();
        arguments += answered.call.len();
        if shift == 0 && !keys.is_empty() {
            println!(
                "suspected: {keys:?} of {} in: {}",
                Value::Object(answered.call.clone()),
                answered.question
            );
        }
    }
    (suspected, arguments)
}

#[test]
fn justified_arguments_of_a_benchmark_are_seldom_suspected() {
    let Some(folder) = folder("real/benchmarks/bfcl") else { return };
    let all = answered(&folder);
    let (false_alarms, arguments) = suspected(&all, 0);
    let (caught, of_others) = suspected(&all, 1);
    println!(
        "justified: {false_alarms} of {arguments} suspected; of another question: {caught} of {of_others}"
    );
    assert!(false_alarms * 50 <= arguments, "false alarms {false_alarms} of {arguments}");
    assert!(caught * 2 >= of_others, "caught {caught} of {of_others}");
}
