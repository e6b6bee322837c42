//! BFCL: our own small files, and the real ones where they lie beside the workspace (`../shared/real/benchmarks`).

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod support;

use importer::{Imported, Outcome};
use probes::ArgumentRule;
use serde_json::{Value, json};
use support::{answers, imported, lines, probes, real, source, suites};

/// A function in BFCL's dialect.
fn function(name: &str, required: &[&str], optional: &[&str]) -> Value {
    let argument = |name: &&str| ((*name).to_owned(), json!({"type": "string", "optional": true}));
    let properties: serde_json::Map<String, Value> = required.iter().chain(optional).map(argument).collect();
    json!({"name": name, "description": "d", "parameters":
        {"type": "dict", "properties": properties, "required": required}})
}

fn case(id: &str, words: &str, functions: &[Value]) -> Value {
    json!({"id": id, "question": [[{"role": "user", "content": words}]], "function": functions})
}

fn bfcl(files: &[(&str, Vec<Value>)]) -> Imported {
    let named = |(name, rows): &(&str, Vec<Value>)| source(name, &lines(rows));
    imported("bfcl", &files.iter().map(named).collect::<Vec<_>>())
}

#[test]
fn irrelevance_wants_no_call_and_takes_any_words() {
    let odd = json!({"id": "irrelevance_1", "question": [[
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi."}, {"role": "user", "content": "Sing: \"a\"\n- b"}]], "function": []});
    let rows = vec![case("irrelevance_0", "Peel an apple.", &[function("sky.colour", &["a"], &[])]), odd];
    let made = bfcl(&[("BFCL_v4_irrelevance.json", rows)]);
    let suite = &suites(&made)[0];
    let [first, second] = &suite.tasks[..] else { panic!("{suite:?}") };
    assert_eq!((first.tool.as_deref(), first.answerable_without_tool), (Some("none"), true));
    assert_eq!(first.offers.as_ref().unwrap()[0].as_str(), "sky_colour");
    let upstream = first.source.benchmark.as_ref().unwrap();
    assert_eq!((upstream.version.as_str(), upstream.id.as_str()), ("v4", "irrelevance_0"));
    assert_eq!(second.system.as_deref(), Some("Be brief."));
    assert_eq!((second.history.len(), second.user.as_str()), (2, "Sing: \"a\"\n- b"));
    assert_eq!(second.offers.as_deref(), Some(&[][..]));
    assert_eq!(made.account.names[0].original, "sky.colour");
    assert!(probes(&made).iter().all(|probe| probe.question.kind == "no_tool_needed"));
    assert_eq!(probes(&made)[1].offered[0].tools().len(), 0);
}

#[test]
fn what_may_be_left_out_is_absent_or_one_of_the_allowed_values() {
    let functions = [function("a.b", &["x"], &["y", "z"]), function("a_b", &[], &[])];
    let rows = vec![case("multiple_0", "Take 5.", &functions), case("multiple_1", "Take 6.", &functions)];
    let answer = json!({"a.b": {"x": ["5", "five"], "y": ["", "km"], "z": [""]}});
    let answers = answers(&[("multiple_0", json!([answer]))]);
    let made = bfcl(&[("BFCL_v4_multiple.json", rows), ("possible_answer/BFCL_v4_multiple.json", answers)]);
    let task = &suites(&made)[0].tasks[0];
    assert_eq!(task.arguments["x"], ArgumentRule::OneOf(vec!["5".into(), "five".into()]));
    assert_eq!(task.arguments["y"], ArgumentRule::AbsentOr(vec!["km".into()]));
    assert_eq!(task.arguments["z"], ArgumentRule::Absent);
    let kinds: Vec<String> = probes(&made).iter().map(|probe| probe.question.kind.clone()).collect();
    assert_eq!(kinds, ["control", "optional_argument"]);
    let left_out = &made.account.cases[1];
    assert!(
        left_out.outcome == Outcome::LeftOut && left_out.reason.as_ref().unwrap().contains("possible_answer")
    );
    let renamed: Vec<_> = made.account.names.iter().map(|one| (&*one.name, &*one.original)).collect();
    assert_eq!(renamed, [("a_b", "a.b"), ("a_b_2", "a_b")]);
}

/// A multi-turn case over the file system's functions.
fn turns(id: &str, words: &[&str], more: Value) -> Value {
    let turn = |words: &&str| match *words {
        "" => json!([]),
        words => json!([{"role": "user", "content": words}]),
    };
    let mut case = json!({"id": id, "question": words.iter().map(turn).collect::<Vec<_>>(),
        "involved_classes": ["GorillaFileSystem"], "excluded_function": ["cp"]});
    for (key, value) in more.as_object().unwrap() {
        case[key] = value.clone();
    }
    case
}

fn file_system() -> (&'static str, Vec<Value>) {
    let functions = vec![
        function("mv", &["source", "destination"], &[]),
        function("cd", &["folder"], &[]),
        function("cp", &["source"], &[]),
    ];
    ("multi_turn_func_doc/gorilla_file_system.json", functions)
}

#[test]
fn a_function_is_held_out_then_offered_again() {
    let words = ["Hello there.", "Move log.txt to the archive.", "", "Thanks."];
    let missed = json!({"missed_function": {"2": ["mv"]}});
    let truth = json!([[], [], ["cd('work')", "mv('log.txt', destination='old')"], []]);
    let rows = vec![turns("multi_turn_miss_func_0", &words, missed)];
    let answers = answers(&[("multi_turn_miss_func_0", truth)]);
    let file = "BFCL_v4_multi_turn_miss_func.json";
    let made = bfcl(&[(file, rows), ("possible_answer/x.json", answers), file_system()]);
    let task = &suites(&made)[0].tasks[0];
    assert_eq!((task.user.as_str(), task.history.len()), ("Move log.txt to the archive.", 2));
    assert_eq!(task.read_only, ["cd".into()]);
    // Nobody can know `old` from the words.
    assert_eq!(task.arguments.keys().collect::<Vec<_>>(), ["source"]);
    let probes = probes(&made);
    let [probe] = &probes[..] else { panic!("{probes:?}") };
    assert_eq!(probe.id().as_str(), "multi-turn-miss-func-0.stale_tool.offered-again");
    assert!(probe.offered[0].get("mv").is_none() && probe.offered[1].get("mv").is_some());
    assert!(probe.offered[1].get("cp").is_none(), "excluded functions are never offered");
    assert!(made.account.notes[0].starts_with("1 cases begin in a later turn"));
}

#[test]
fn a_turn_that_has_calls_before_the_hand_over_is_left_out() {
    let missed = json!({"missed_function": {"1": ["mv"]}});
    let rows = vec![
        turns("multi_turn_miss_func_0", &["Move it.", ""], missed.clone()),
        turns("multi_turn_miss_func_1", &["Move it.", ""], missed),
    ];
    let answers = answers(&[
        ("multi_turn_miss_func_0", json!([["cd('a')"], ["mv('a', 'b')"]])),
        ("multi_turn_miss_func_1", json!([[], ["mv(a, 'b')"]])),
    ]);
    let made = bfcl(&[("x.json", rows), ("answers.json", answers), file_system()]);
    let reasons: Vec<&str> = made.account.cases.iter().filter_map(|case| case.reason.as_deref()).collect();
    assert!(reasons[0].contains("has calls in the turn before turn 1"), "{reasons:?}");
    assert!(reasons[1].contains("`mv(a, 'b')`, which is no call of literals"), "{reasons:?}");
    assert!(made.account.is_empty());
}

#[test]
fn a_value_that_comes_a_turn_later_is_asked_for() {
    let words = ["Move log.txt somewhere.", "Into the box."];
    let rows = vec![turns("multi_turn_miss_param_0", &words, json!({}))];
    let answers =
        answers(&[("multi_turn_miss_param_0", json!([[], ["mv(source='log.txt', destination='box')"]]))]);
    let made = bfcl(&[("x.json", rows), ("answers.json", answers), file_system()]);
    let probes = probes(&made);
    let [probe] = &probes[..] else { panic!("{:?}", made.account) };
    assert_eq!(probe.expectation.missing, ["destination"]);
    assert_eq!(probe.expectation.arguments.keys().collect::<Vec<_>>(), ["source"]);
    assert_eq!(probe.question.steps[0].messages[0].text(), "Move log.txt somewhere.");
}

#[test]
fn every_line_has_its_place_in_the_account() {
    let good = case("irrelevance_0", "Peel an apple.", &[function("f", &[], &[])]);
    let sort = case("parallel_3", "Peel two.", &[function("f", &[], &[])]);
    let text = format!(
        "{good}\n{{\"id\": \"irrelevance_1\", \"question\": \"old\", \"function\": []}}\n{{broken\n{good}\n{sort}\n{{}}\n"
    );
    let made = imported("bfcl", &[source("BFCL_v9_irrelevance.json", &text)]);
    let account = &made.account;
    assert_eq!((account.read, account.imported, account.left_out), (4, 1, 3));
    let reasons: Vec<&str> = account.cases.iter().filter_map(|case| case.reason.as_deref()).collect();
    assert_eq!(reasons[0], "its `question` is no list of turns");
    assert_eq!(reasons[1], "BFCL_v9_irrelevance.json:1 has a case of this id");
    assert!(reasons[2].starts_with("cases of the sort `parallel` are not imported"));
    let places: Vec<&str> = account.unreadable.iter().map(|one| one.place.as_str()).collect();
    assert_eq!(places, ["BFCL_v9_irrelevance.json:3", "BFCL_v9_irrelevance.json:6"]);
    assert_eq!(account.version, "v9");
}

#[test]
fn the_real_irrelevance_cases_are_all_imported() {
    let expected = [("BFCL_v4_irrelevance.json", 240), ("BFCL_v4_live_irrelevance.first200.jsonl", 200)];
    for (file, cases) in expected {
        let Some(file) = real(&format!("bfcl/{file}")) else { return };
        let made = imported("bfcl", &[file]);
        assert_eq!((made.account.read, made.account.imported), (cases, cases), "{}", made.account.text());
        assert_eq!(probes(&made).len(), cases);
    }
}

#[test]
fn the_real_omissible_arguments_are_all_there() {
    let Some(cases) = real("bfcl/BFCL_v4_multiple.json") else { return };
    let Some(answers) = real("bfcl/possible_answer/BFCL_v4_multiple.json") else { return };
    // Counted in the file itself: arguments whose allowed values hold the empty text.
    let (mut omissible, mut of_cases) = (0, 0);
    for line in answers.text.lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        let calls = answer["ground_truth"][0].as_object().unwrap();
        let values = calls.values().flat_map(|arguments| arguments.as_object().unwrap().values());
        let here = values.filter(|allowed| allowed.as_array().unwrap().contains(&json!(""))).count();
        omissible += here;
        of_cases += usize::from(here > 0);
    }
    let made = imported("bfcl", &[cases, answers]);
    let suite = &suites(&made)[0];
    let may_be_absent =
        |rule: &&ArgumentRule| matches!(rule, ArgumentRule::Absent | ArgumentRule::AbsentOr(_));
    let rules = suite.tasks.iter().flat_map(|task| task.arguments.values()).filter(may_be_absent).count();
    assert_eq!((made.account.imported, rules), (200, omissible));
    let probes = probes(&made);
    let of_kind = |kind: &str| probes.iter().filter(|probe| probe.question.kind == kind).count();
    assert_eq!((of_kind("control"), of_kind("optional_argument")), (200, of_cases));
    assert_eq!((omissible, of_cases), (93, 88));
}

#[test]
fn the_real_functions_are_all_handed_over_right_behind_the_empty_turn() {
    let Some(cases) = real("bfcl/BFCL_v4_multi_turn_miss_func.json") else { return };
    let mut files = vec![cases];
    files.extend(real("bfcl/possible_answer/BFCL_v4_multi_turn_miss_func.json"));
    for name in [
        "gorilla_file_system",
        "math_api",
        "message_api",
        "posting_api",
        "ticket_api",
        "trading_bot",
        "travel_booking",
        "vehicle_control",
    ] {
        files.extend(real(&format!("bfcl/multi_turn_func_doc/{name}.json")));
    }
    let made = imported("bfcl", &files);
    assert_eq!((made.account.read, made.account.imported), (200, 200), "{}", made.account.text());
    let probes = probes(&made);
    let held_out = |probe: &&probes::Probe| {
        let tool = probe.expectation.tool.as_ref().unwrap().as_str();
        probe.offered[0].get(tool).is_none() && probe.offered[1].get(tool).is_some()
    };
    assert_eq!(probes.iter().filter(held_out).count(), 200);
}
