//! ACEBench, When2Call, RelyToolBench and LiveMCPBench: our own small files, and the real ones where they lie beside the
//! workspace (`../shared/real/benchmarks`).

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod support;

use importer::{Imported, Outcome};
use probes::{EarlierWords, Probe};
use serde_json::{Value, json};
use support::{answers, imported, lines, probes, real, source, suites};

fn function(name: &str, required: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> =
        required.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    json!({"name": name, "description": "d", "parameters":
        {"type": "object", "properties": properties, "required": required}})
}

fn reasons(made: &Imported) -> Vec<&str> {
    made.account.cases.iter().filter_map(|case| case.reason.as_deref()).collect()
}

fn ids(probes: &[Probe]) -> Vec<&str> {
    probes.iter().map(|probe| probe.id().as_str()).collect()
}

#[test]
fn acebench_says_what_the_words_leave_out() {
    let case = |id: &str, words: &str| json!({"id": id, "question": words, "function": [function("book", &["room", "day"])], "time": "It is noon. "});
    let rows = [
        case("special_incomplete_0", "user: Hi.\nsystem: Yes?\nuser: Book\na room.\n"),
        case("special_incomplete_1", "user: Book it."),
        case("special_incomplete_2", "user: Book it."),
        case("special_irrelevant_0", "user: Sing.\n"),
        case("normal_0", "user: Sing.\n"),
    ];
    let answers = answers(&[
        ("special_incomplete_0", json!({"book": ["day "]})),
        ("special_incomplete_1", json!({"book": ["floor"]})),
    ]);
    let files =
        [source("data_x.json", &lines(&rows)), source("possible_answer/data_x.json", &lines(&answers))];
    let made = imported("acebench", &files);
    let probes = probes(&made);
    assert_eq!(
        ids(&probes),
        ["special-incomplete-0.missing_argument", "special-irrelevant-0.no_tool_needed"]
    );
    assert_eq!(probes[0].expectation.missing, ["day"]);
    let task = &suites(&made)[0].tasks[0];
    assert_eq!((task.user.as_str(), task.system.as_deref()), ("Book\na room.", Some("It is noon.")));
    assert_eq!(task.history[1], EarlierWords::Assistant("Yes?".into()));
    let reasons = reasons(&made);
    assert!(
        reasons[0].contains("part of an argument")
            && reasons[1].contains("no answer")
            && reasons[2].contains("`normal`")
    );
    assert!(made.account.version.starts_with("files "), "{}", made.account.version);
}

#[test]
fn the_real_acebench_cases() {
    let file = |name: &str| real(&format!("acebench/{name}"));
    let Some(irrelevant) = file("data_special_irrelevant.json") else { return };
    let mut files = vec![irrelevant];
    files.extend(file("data_special_incomplete.json"));
    files.extend(file("possible_answer/data_special_incomplete.json"));
    files.extend(file("possible_answer/data_special_irrelevant.json"));
    let made = imported("acebench", &files);
    let of_kind = |kind: &str| probes(&made).iter().filter(|probe| probe.question.kind == kind).count();
    assert_eq!((made.account.read, of_kind("no_tool_needed")), (100, 50));
    assert_eq!(of_kind("missing_argument"), 42, "{}", made.account.text());
}

/// A record as When2Call writes it: functions are texts.
fn when2call(id: &str, answer: &str, more: Value) -> Value {
    let text = |function: &Value| Value::String(function.to_string());
    let all = [function("find.room", &["day"]), function("list_days", &[])];
    let mut case = json!({"uuid": id, "question": "A room for Monday, please.", "correct_answer": answer,
        "answers": {"tool_call": "{\"name\": \"find.room\", \"arguments\": {\"day\": \"Monday\", \"floor\": 1}}"},
        "target_tool": null, "tools": all.iter().map(text).collect::<Vec<_>>(),
        "orig_tools": all.iter().map(text).collect::<Vec<_>>(), "held_out_param": null});
    for (key, value) in more.as_object().unwrap() {
        case[key] = value.clone();
    }
    case
}

#[test]
fn when2call_has_a_kind_for_every_answer() {
    let left = json!({"tools": [function("list_days", &[]).to_string()]});
    let rows = [
        when2call("a", "cannot_answer", left),
        when2call("b", "request_for_info", json!({"held_out_param": "day", "question": "A room, please."})),
        when2call("c", "tool_call", json!({})),
        when2call("d", "cannot_answer", json!({})),
        when2call("e", "direct", json!({})),
        when2call("f", "request_for_info", json!({"held_out_param": "floor"})),
        when2call("g", "guess", json!({})),
    ];
    let made = imported("when2call", &[source("when2call_test_mcq.jsonl", &lines(&rows))]);
    let probes = probes(&made);
    let wanted = ["a.decoy", "b.missing_argument", "c.control", "d.no_tool_needed", "e.no_tool_needed"];
    assert_eq!(ids(&probes), wanted);
    let offered: Vec<&str> = probes[0].offered[0].tools().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(
        (offered, probes[0].expectation.tool.as_ref().unwrap().as_str()),
        (vec!["list_days"], "find_room")
    );
    assert_eq!(probes[1].expectation.missing, ["day"]);
    // The words give the day, and the function has no floor.
    assert_eq!(probes[2].expectation.arguments.keys().collect::<Vec<_>>(), ["day"]);
    let reasons = reasons(&made);
    assert!(
        reasons[0].contains("`floor`, its `held_out_param`") && reasons[1].contains("`guess`"),
        "{reasons:?}"
    );
}

#[test]
fn relytoolbench_makes_functions_of_apis() {
    let parameter = |name: &str| json!({"name": name, "type": "STRING", "description": "", "default": "x1"});
    let api = |name: &str, required: &[&str]| {
        json!({"category_name": "c", "tool_name": "Bus & Co", "api_name": name, "api_description": "d",
            "required_parameters": required.iter().map(|name| parameter(name)).collect::<Vec<_>>(),
            "optional_parameters": [parameter("page")], "method": "GET"})
    };
    let case = |id: usize, relevant: &[&str]| {
        let relevant: Vec<_> = relevant.iter().map(|api| json!(["Bus & Co", api])).collect();
        json!({"api_list": [api("/stops", &[]), api("/times", &["stop", "day"])], "query": "When does it go?",
            "relevant APIs": relevant, "query_id": id})
    };
    let list = |cases: &[Value]| serde_json::to_string_pretty(cases).unwrap();
    let files = [
        source(
            "G1_missing_all_arguments.json",
            &list(&[case(1, &["/stops", "/times"]), case(2, &["/stops"])]),
        ),
        source("G1_missing_arguments.json", &list(&[case(1, &["/times"])])),
        source("G1_with_unmatched_tools.json", &list(&[case(1, &["/prices"]), case(2, &["/stops"])])),
        source("G1_train.json", &list(&[case(1, &["/times"])])),
    ];
    let made = imported("relytoolbench", &files);
    let probes = probes(&made);
    let wanted = ["g1-missing-all-arguments-1.missing_argument", "g1-with-unmatched-tools-1.no_tool_needed"];
    assert_eq!(ids(&probes), wanted);
    assert_eq!(probes[0].expectation.missing, ["stop", "day"]);
    assert_eq!(probes[0].expectation.tool.as_ref().unwrap().as_str(), "_times_for_Bus___Co");
    let reasons = reasons(&made);
    assert_eq!(reasons.len(), 4, "{reasons:?}");
    assert!(made.account.names.iter().any(|one| one.original == "/times for Bus & Co"));
    assert!(made.account.cases.iter().all(|case| case.outcome != Outcome::Quarantined));
}

#[test]
fn livemcpbench_is_a_catalog() {
    let tool = |name: &str, schema: Value| json!({"name": name, "description": "d", "inputSchema": schema, "annotations": null});
    let open = json!({"type": "object", "properties": {"q": {"type": "string"}}});
    let server = |name: &str, tools: Vec<Value>| json!({"name": name, "tools": {name: {"server_name": name, "tools": tools}}});
    let servers = json!([
        server("a", vec![tool("search", open.clone()), tool("read.me", open.clone())]),
        server("b", vec![tool("search", json!({"type": "object"})), json!({"description": "nameless"})]),
        {"name": "c"},
    ]);
    let made = imported("livemcpbench", &[source("tools.json", &servers.to_string())]);
    let catalog = &made.files[0];
    let path = std::path::Path::new(&catalog.path);
    let catalog = probes::Catalog::from_text(path, &catalog.text).unwrap();
    let names: Vec<&str> = catalog.tools().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["search", "read_me", "search_2"]);
    assert_eq!(made.account.unreadable.len(), 2);
    assert_eq!((made.account.read, made.account.suites[0].suite.clone()), (0, None));
}

#[test]
fn a_filler_for_a_suite_has_no_tool_that_does_what_a_task_wants() {
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    let tools = ["fetch_parcel", "get_parcel", "ship_parcel", "read_mail"].map(tool);
    let servers = json!([{"name": "a", "tools": {"a": {"tools": tools}}}]);
    let text = "{toolmirage: suite/1, name: s, version: 1, seed: 1, catalog: c, tasks: [{id: t, user: u, tool: get_parcel}]}";
    let (suite, _) = probes::Suite::from_text(std::path::Path::new("s.yaml"), text).unwrap();
    let own = ["get_parcel", "ship_parcel"].map(|name| std::sync::Arc::new(transcript::Tool::named(name)));
    let own = probes::Catalog::new("own/1", own.to_vec()).unwrap();
    let around = Some(importer::Around { tasks: &suite.tasks, catalog: &own });
    let options = importer::Options { name: None, version: None, shipped: None, quarantine: None, around };
    let benchmark = importer::benchmark("livemcpbench").unwrap();
    let made = importer::import(benchmark, &[source("tools.json", &servers.to_string())], &options);
    let left_out: Vec<&str> = made.account.left_out_tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(left_out, ["fetch_parcel", "get_parcel", "ship_parcel"]);
    let path = std::path::Path::new(&made.files[0].path);
    let filler = probes::Catalog::from_text(path, &made.files[0].text).unwrap();
    assert!(probes::check_filler(&suite.tasks, &filler).is_ok() && own.around(&filler).is_ok());
}

#[test]
fn the_real_livemcpbench_tools() {
    let Some(file) = real("livemcpbench/tools.json") else { return };
    let made = imported("livemcpbench", &[file]);
    let catalog = &made.files[0];
    let catalog = probes::Catalog::from_text(std::path::Path::new(&catalog.path), &catalog.text).unwrap();
    assert!(made.account.notes[0].starts_with("527 tools of 70 servers"), "{}", made.account.text());
    assert!(catalog.tools().len() > 500);
}
