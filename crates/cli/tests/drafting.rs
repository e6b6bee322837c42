//! The built binary from somebody's own tools to a suite: `init`, `review`, `catalog`, and live MCP servers.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::{Value, json};

use place::{Place, code, err, out};

const TOOLS: &str = r#"{"tools":[
  {"name":"get_crate","description":"Returns one crate.","inputSchema":{"type":"object","properties":{"crate_id":{"type":"string","description":"Which crate."},"verbose":{"type":"boolean"}},"required":["crate_id"]}},
  {"name":"move_crate","description":"Moves a crate to another bay.","inputSchema":{"type":"object","properties":{"crate_id":{"type":"string"},"bay":{"type":"string","enum":["north","south"]},"note":{"type":"string"}},"required":["crate_id","bay"]}},
  {"name":"count: \"odd\" # name","inputSchema":{"type":"object","properties":{"yes":{"type":"integer","minimum":3},"- x":{"type":"string"}},"required":["yes","- x"]}}
]}"#;

fn run_with_input(place: &Place, args: &[&str], input: &str) -> Output {
    let mut child = place
        .command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    out(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The tools that are asked for, without those that never existed.
fn wanted(lines: &[Value]) -> BTreeSet<String> {
    let never_existed = ["sibling_gap", "familiar_neighbour"];
    let real = lines.iter().filter(|line| !never_existed.iter().any(|kind| line["kind"] == *kind));
    real.filter_map(|line| line["tool"].as_str()).map(str::to_owned).collect()
}

#[test]
fn init_covers_every_tool_and_its_suite_runs_at_once() {
    let place = Place::new();
    place.write("depot.mcp.json", TOOLS);
    let made = place.run(&["init", "--tools", "depot.mcp.json", "--dir", "made"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert_eq!(place.read("made/catalogs/depot.mcp.json"), TOOLS);
    assert!(out(&made).contains("next      toolmirage review made/suites/depot.yaml"), "{}", out(&made));
    assert!(err(&made).contains("no `principal` probes (semantic fabrication) come of"), "{}", err(&made));
    // From anywhere: the configuration above the suite is its own.
    let expanded = place.run(&["expand", "made/suites/depot.yaml", "--json"]);
    assert_eq!(code(&expanded), 0, "{}", err(&expanded));
    let probes = lines(&expanded);
    let tools = ["count: \"odd\" # name", "get_crate", "move_crate"].map(str::to_owned);
    assert_eq!(wanted(&probes), BTreeSet::from(tools));
    for key in ["id", "question_hash", "kind", "arm", "task", "tool", "catalog"] {
        assert!(probes.iter().all(|probe| probe.get(key).is_some()), "{key}");
    }
    assert!(probes.iter().filter(|probe| probe["tool"].is_string()).all(|probe| probe["draft"] == true));
    let ran = place.run(&["run", "made/suites/depot.yaml", "--target", "sim:honest", "--out", "r", "-q"]);
    assert_eq!(code(&ran), 0, "{}{}", out(&ran), err(&ran));
    let report: Value = serde_json::from_str(&place.read("r/report.json")).unwrap();
    assert_eq!(report["failing"].as_array().map_or(0, Vec::len), 0, "{}", report["failing"]);
    for passing in ["get-crate.control", "get-crate.control/", "get-crate.control/0"] {
        let explained = place.run(&["explain", "r", passing]);
        assert_eq!(code(&explained), 0, "{passing}: {}", err(&explained));
    }
    assert_eq!(code(&place.run(&["explain", "r", "get-crate.contrl/0"])), 2);

    // Why a task has no probe of a kind is summed up, unless each is asked for.
    let shown = out(&place.run(&["expand", "made/suites/depot.yaml"]));
    assert!(shown.contains("; --all shows which has none:\n") && !shown.contains("\nnone "), "{shown}");
    let all = out(&place.run(&["expand", "made/suites/depot.yaml", "--all"]));
    assert!(all.contains("\nnone     no_tool_needed: "), "{all}");

    // The same again gives the same bytes, and what a person changed is not written over.
    let suite = place.read("made/suites/depot.yaml");
    assert_eq!(code(&place.run(&["init", "--tools", "depot.mcp.json", "--dir", "made"])), 0);
    assert_eq!(place.read("made/suites/depot.yaml"), suite);
    place.write("made/suites/depot.yaml", &format!("# mine\n{suite}"));
    let again = place.run(&["init", "--tools", "depot.mcp.json", "--dir", "made"]);
    assert_eq!(code(&again), 2);
    assert!(
        err(&again).contains("would be written over")
            && place.read("made/suites/depot.yaml").starts_with("# mine")
    );
}

#[test]
fn several_sources_make_one_catalog_and_names_that_two_give_are_told_apart() {
    let place = Place::new();
    place.write("depot.json", TOOLS);
    place.write("yard.json", TOOLS);
    let made =
        place.run(&["init", "--tools", "depot.json", "yard.json", "gone.json", "--dir", "made", "--json"]);
    assert_eq!(code(&made), 2, "a source that cannot be read is a mistake, and the others are kept");
    let said: Value = serde_json::from_str(&out(&made)).unwrap();
    assert_eq!(said["tools"], 6);
    assert!(said["notes"][0].as_str().unwrap().contains("both give a tool"), "{said}");
    assert!(said["left_out"][0].as_str().unwrap().contains("gone.json"), "{said}");
    let probes = lines(&place.run(&["expand", "made/suites/agent.yaml", "--json"]));
    assert!(wanted(&probes).contains("yard__get_crate"), "{:?}", wanted(&probes));
    let none = place.run(&["init", "--dir", "none"]);
    assert_eq!((code(&none), place.path("none").exists()), (2, false));
}

#[test]
fn a_captured_request_gives_tools_prompt_settings_and_what_the_catalog_must_equal() {
    let place = Place::new();
    let body = json!({"model": "m-1", "temperature": 0.5, "messages": [
        {"role": "system", "content": "You watch a depot."}, {"role": "user", "content": "private words"}],
        "tools": [{"type": "function", "function": {"name": "get_crate", "description": "Returns one crate.",
            "parameters": {"type": "object", "properties": {"crate_id": {"type": "string"}}, "required": ["crate_id"]}}}]});
    place.write("depot.json", &body.to_string());
    let made = place.run(&["init", "--from-request", "depot.json", "--dir", "made"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert_eq!(place.read("made/prompts/depot.md"), "You watch a depot.");
    let config = place.read("made/toolmirage.yaml");
    assert!(config.contains("model: m-1") && config.contains("temperature: 0.5"), "{config}");
    for file in ["made/catalogs/depot.json", "made/captured/depot.request.json"] {
        assert!(!place.read(file).contains("private words"));
    }
    let config = ["--config", "made/toolmirage.yaml"];
    let check = || place.run(&[&["catalog", "check"][..], &config].concat());
    assert_eq!(code(&check()), 0, "{}", err(&check()));
    place.write(
        "made/catalogs/depot.json",
        &place.read("made/catalogs/depot.json").replace("Returns one", "Finds a"),
    );
    let checked = check();
    assert_eq!(code(&checked), 1);
    assert!(
        out(&checked).contains("changed  get_crate") && out(&checked).contains("the description differs")
    );
    let run = place.run(&["run", "made/suites/depot.yaml", "--target", "sim:honest", "-q"]);
    assert_eq!(code(&run), 2);
    assert!(err(&run).contains("must equal"), "{}", err(&run));
}

#[test]
fn a_difference_names_the_probes_that_it_touches() {
    let place = Place::new();
    place.write("depot.mcp.json", TOOLS);
    place.run(&["init", "--tools", "depot.mcp.json", "--dir", "made"]);
    place.write(
        "new.json",
        &TOOLS.replace("\"bay\":", "\"place\":").replace("\"crate_id\",\"bay\"", "\"crate_id\""),
    );
    let args = ["catalog", "diff", "depot.mcp.json", "new.json", "--suite", "made/suites/depot.yaml"];
    let told = place.run(&args);
    assert_eq!(code(&told), 0, "{}", err(&told));
    let text = out(&told);
    assert!(text.contains("changed  move_crate  (") && text.contains("move-crate.control"), "{text}");
    assert!(
        text.contains("argument `bay` is removed") && text.contains("argument `place` is added"),
        "{text}"
    );
    let told: Value = serde_json::from_str(&out(&place.run(&[&args[..], &["--json"]].concat()))).unwrap();
    assert!(told["probes"]["move_crate"].as_array().unwrap().len() > 3);

    // What no longer holds is told with its reason, also where no tool says something else.
    place.write("gone.json", &TOOLS.replace("\"move_crate\"", "\"weigh_pallet\""));
    let gone = ["catalog", "diff", "depot.mcp.json", "gone.json", "--suite", "made/suites/depot.yaml"];
    let text = out(&place.run(&gone));
    assert!(text.contains("stale    its tool `move_crate` is not in catalog"), "{text}");
    let told: Value = serde_json::from_str(&out(&place.run(&[&gone[..], &["--json"]].concat()))).unwrap();
    let reasons = told["stale"].as_object().unwrap();
    assert!(
        reasons.values().all(|ids| ids.as_array().unwrap().iter().all(|id| id.as_str().is_some())),
        "{told}"
    );
    let own = |mark: &str| {
        format!(
            "toolmirage: catalog/1\nname: a\nversion: 1\ntools:\n  - {{ name: move_crate, description: Moves it.{mark} }}\n"
        )
    };
    place.write("old.yaml", &own(""));
    place.write("new.yaml", &own(", deprecated: true"));
    let text = out(&place.run(&["catalog", "diff", "old.yaml", "new.yaml"]));
    assert!(text.contains("changed  move_crate") && text.contains("it is deprecated"), "{text}");
    let alone = Place::new();
    let asked = alone.run(&["catalog", "diff", "main"]);
    assert!(code(&asked) == 2 && err(&asked).contains("in no git repository"), "{}", err(&asked));
}

#[test]
fn review_changes_the_lines_of_one_task() {
    let place = Place::new();
    place.write("depot.mcp.json", TOOLS);
    place.run(&["init", "--tools", "depot.mcp.json", "--dir", "made"]);
    let suite = "made/suites/depot.yaml";
    let before = format!("# a comment that stays\n{}", place.read(suite));
    place.write(suite, &before);
    let reviewed = run_with_input(&place, &["review", suite], "a\nx\nn\ns\nq\n");
    assert_eq!(code(&reviewed), 0, "{}", err(&reviewed));
    let text = out(&reviewed);
    assert!(text.contains(" of 7   get-crate") && text.contains("verbose: absent"), "{text}");
    assert!(text.contains("accepted 1, edited 0, left out 1, skipped 1; 5 drafts are left"), "{text}");
    let after = place.read(suite);
    assert!(after.starts_with("# a comment that stays\n"));
    assert!(after.contains("  # no sensible task for move_crate\n") && !after.contains("id: move-crate"));
    assert_eq!(after.matches("draft: true").count(), before.matches("draft: true").count() - 2);

    // An editor that spoils the file changes nothing; one that mends a word is taken over and read again.
    let edit = |editor: &str, input: &str| {
        let mut command = place.command(&["review", suite, "--only", "count"]);
        command
            .env_remove("VISUAL")
            .env("EDITOR", editor)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let spoilt = edit("sed -i s/user:/usr:/", "e\nq\n");
    assert!(err(&spoilt).contains("unknown key `usr`"), "{}", err(&spoilt));
    assert_eq!(place.read(suite), after);
    let mended = edit("sed -i s/written:/written:/;s/draft/draft/;s/seldom/often/", "e\na\n");
    assert!(out(&mended).contains("accepted 1, edited 1"), "{}{}", out(&mended), err(&mended));
}

#[test]
fn traces_become_tasks_without_people_in_them() {
    let place = Place::new();
    place.write("depot.mcp.json", TOOLS);
    let call = json!([{"id": "1", "function": {"name": "move_crate", "arguments": "{\"crate_id\":\"CRT-9\",\"bay\":\"south\"}"}}]);
    let line = json!({"messages": [{"role": "user", "content": "Bring CRT-9 to the south bay and tell kim@corp.test"},
        {"role": "assistant", "tool_calls": call}, {"role": "tool", "tool_call_id": "1", "content": "moved"}]});
    place.write("june.jsonl", &format!("{line}\nnot json\n"));
    let made =
        place.run(&["init", "--tools", "depot.mcp.json", "--from-traces", "june.jsonl", "--dir", "made"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert!(err(&made).contains("1 tasks from 1 turns"), "{}", err(&made));
    let suite = place.read("made/suites/depot.yaml");
    assert!(suite.contains("id: trace-move-crate") && suite.contains("traces: june, redacted: true"));
    assert!(!suite.contains("kim@corp"));
    let probes = lines(&place.run(&["expand", "made/suites/depot.yaml", "--json"]));
    assert!(probes.iter().any(|probe| probe["task"] == "trace-move-crate" && probe["source"] == "traces"));
}

#[test]
fn names_in_traces_are_replaced_or_told() {
    let place = Place::new();
    place.write("depot.mcp.json", TOOLS);
    let line = |words: &str, crate_id: &str| {
        let call = json!([{"id": "1", "function": {"name": "get_crate", "arguments": json!({"crate_id": crate_id}).to_string()}}]);
        json!({"messages": [{"role": "user", "content": words}, {"role": "assistant", "tool_calls": call},
            {"role": "tool", "tool_call_id": "1", "content": "found"}]})
        .to_string()
    };
    let lines = [line("Hi Ottilie, show CRT-1 to Ottilie", "CRT-1"), line("Show CRT-2 to Ottilie", "CRT-2")];
    place.write("june.jsonl", &lines.join("\n"));
    let made =
        place.run(&["init", "--tools", "depot.mcp.json", "--from-traces", "june.jsonl", "--dir", "made"]);
    let suite = place.read("made/suites/depot.yaml");
    assert!(suite.contains("Hi Robin, show CRT-1 to Robin"), "{suite}");
    assert!(
        suite.contains("{ traces: june, redacted: true }")
            && suite.contains("{ traces: june, redacted: false }")
    );
    assert!(
        err(&made).contains("trace-get-crate-2 stays `redacted: false`: Ottilie may be names"),
        "{}",
        err(&made)
    );
}

const MAIL: &str = r#"{"tools":[
  {"name":"send_note","description":"Sends a note to a person.","inputSchema":{"type":"object","properties":{"user_email":{"type":"string"},"text":{"type":"string"},"priority":{"type":"string","enum":["low","high"]}},"required":["user_email","text","priority"]}},
  {"name":"get_folder","description":"Returns details of a folder.","inputSchema":{"type":"object","properties":{"folder_id":{"type":"string"},"deep":{"type":"boolean"}},"required":["folder_id"]}},
  {"name":"create_folder","description":"Creates a folder.","inputSchema":{"type":"object","properties":{"folder_name":{"type":"string"}},"required":["folder_name"]}},
  {"name":"send_email","description":"Sends an e-mail.","inputSchema":{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"}},"required":["to","body"]}}
]}"#;

#[test]
fn every_kind_is_drafted_where_the_tools_support_it() {
    let place = Place::new();
    place.write("mail.mcp.json", MAIL);
    let made = place.run(&["init", "--tools", "mail.mcp.json", "--dir", "made"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert!(err(&made).contains("prompts/caller.md says it"), "{}", err(&made));
    let expanded = place.run(&["expand", "made/suites/mail.yaml", "--json"]);
    assert_eq!(code(&expanded), 0, "{}", err(&expanded));
    let probes = lines(&expanded);
    let kinds: BTreeSet<&str> = probes.iter().filter_map(|probe| probe["kind"].as_str()).collect();
    let all = probes::KINDS.iter().map(|kind| kind.name).collect::<BTreeSet<_>>();
    assert_eq!(kinds, all);
    let config = place.read("made/toolmirage.yaml");
    for said in ["probes on each side", "not a passing grade", "{ file: prompts/caller.md }"] {
        assert!(config.contains(said), "{config}");
    }
    // A prompt of one's own that does not show who is acting leaves it to the words.
    place.write("own.md", "You send notes.");
    let own = place.run(&["init", "--tools", "mail.mcp.json", "--prompt", "own=own.md", "--dir", "own"]);
    assert_eq!(code(&own), 0, "{}", err(&own));
    assert!(err(&own).contains("not every prompt shows `{{principal.email}}`"), "{}", err(&own));
    let kinds = lines(&place.run(&["expand", "own/suites/mail.yaml", "--json"]));
    assert!(!kinds.iter().any(|probe| probe["kind"] == "principal"));
    place.write("own.md", "You send notes for {{principal.email}}.");
    place.run(&["init", "--tools", "mail.mcp.json", "--prompt", "own=own.md", "--dir", "shown"]);
    let kinds = lines(&place.run(&["expand", "shown/suites/mail.yaml", "--json"]));
    assert!(kinds.iter().any(|probe| probe["kind"] == "principal"));
}

#[test]
fn what_is_asked_for_in_plain_words_or_has_a_default_can_be_passed_and_failed() {
    let place = Place::new();
    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/../drafter/tests/catalogs/harbour.mcp.json");
    let made = place.run(&["init", "--tools", tools, "--dir", "made"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let suite = "made/suites/harbour.yaml";
    let failing = |target: &str, kinds: &str, folder: &str| -> Vec<Value> {
        let ran = place.run(&["run", suite, "--target", target, "--kinds", kinds, "--out", folder, "-q"]);
        assert!(code(&ran) != 2, "{}", err(&ran));
        let report: Value = serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap();
        report["failing"].as_array().cloned().unwrap_or_default()
    };
    let honest = failing("sim:honest", "control,optional_argument,missing_argument,stale_tool,phantom", "h");
    assert!(honest.is_empty(), "{honest:?}");
    let probes = lines(&place.run(&["expand", suite, "--json"]));
    let with_optionals = probes.iter().filter(|probe| probe["kind"] == "optional_argument").count();
    assert!(with_optionals > 4);
    assert_eq!(failing("sim:liar", "optional_argument", "l").len(), with_optionals, "a default is no lie");
}

/// A model that says each request again behind "Kindly", and names a tool for every second one.
fn wording_model() -> (String, thread::JoinHandle<Vec<String>>, std::sync::mpsc::Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let (stop, stopped) = std::sync::mpsc::channel();
    listener.set_nonblocking(true).unwrap();
    let handle = thread::spawn(move || {
        let mut bodies: Vec<String> = Vec::new();
        while stopped.try_recv().is_err() {
            let Ok((mut stream, _)) = listener.accept() else {
                thread::yield_now();
                continue;
            };
            stream.set_nonblocking(false).unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                    break;
                }
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let message: Value = serde_json::from_slice(&body).unwrap_or_default();
            bodies.push(message.to_string());
            let asked = message["messages"][1]["content"].as_str().unwrap_or_default();
            let own = asked.rsplit("The request: ").next().unwrap_or_default();
            let said = if own.contains("folder") {
                format!("Use get_folder. {own}")
            } else {
                format!("Kindly: {own}")
            };
            let answer = json!({"id": "1", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
                "message": {"role": "assistant", "content": said}}]}).to_string();
            let _ = stream.write_all(
                format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{answer}", answer.len()).as_bytes(),
            );
        }
        bodies
    });
    (address, handle, stop)
}

#[test]
fn a_model_words_drafts_and_what_fails_a_check_keeps_its_own_words() {
    let place = Place::new();
    place.write("mail.mcp.json", MAIL);
    place.run(&["init", "--tools", "mail.mcp.json", "--dir", "plain"]);
    let (address, model, stop) = wording_model();
    let init = |dir: &str| {
        place.run(&[
            "init",
            "--tools",
            "mail.mcp.json",
            "--dir",
            dir,
            "--draft-with",
            "openai_chat:m",
            "--base-url",
            &address,
        ])
    };
    let made = init("made");
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert_eq!(code(&init("again")), 0);
    stop.send(()).unwrap();
    let bodies = model.join().unwrap();
    assert!(
        !bodies.is_empty()
            && bodies.iter().all(|body| !body.contains("input_schema") && !body.contains("\"tools\""))
    );
    let (plain, suite) = (place.read("plain/suites/mail.yaml"), place.read("made/suites/mail.yaml"));
    assert!(suite.contains("Kindly: ") && suite.contains("# worded by a model"), "{suite}");
    assert!(!suite.contains("Use get_folder"), "{suite}");
    assert_eq!(suite, place.read("again/suites/mail.yaml"), "the same answers give the same bytes");
    assert!(err(&made).contains("it names a tool ("), "{}", err(&made));
    let rules = |text: &str| text.lines().filter(|line| !line.contains("    user: ")).count();
    assert_eq!(rules(&plain), rules(&suite));
    // Nobody there: nothing is lost. A simulated model words nothing.
    let gone = place.run(&[
        "init",
        "--tools",
        "mail.mcp.json",
        "--dir",
        "gone",
        "--draft-with",
        "openai_chat:m",
        "--base-url",
        "http://127.0.0.1:9/v1",
    ]);
    assert_eq!(code(&gone), 0, "{}", err(&gone));
    assert!(err(&gone).contains("0 are in its words"), "{}", err(&gone));
    assert_eq!(place.read("gone/suites/mail.yaml"), plain);
    let sim = place.run(&["init", "--tools", "mail.mcp.json", "--dir", "sim", "--draft-with", "sim:honest"]);
    assert_eq!((code(&sim), place.path("sim").exists()), (2, false));
}

/// A server for the shell: answers `initialize`, then two pages, as far as `$1` lets it.
const SERVER: &str = r#"
say() { printf '%s\n' "$1"; }
case "$1" in dead) echo "no database" >&2; exit 3;; silent) exec sleep 100;; garbage) say "Listening ..."; exec sleep 100;; esac
while read -r line; do
  case "$line" in
    *'"initialize"'*) say "a banner"; say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{}}}';;
    *'"cursor":"two"'*) [ "$1" = half ] && exit 1
      say '{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"drop_crate","description":"Drops a crate.","inputSchema":{"type":"object","properties":{"crate_id":{"type":"string"}},"required":["crate_id"]},"_meta":{"odd":1.0}}]}}';;
    *'"tools/list"'*) say '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"get_crate","description":"Returns a crate.","inputSchema":{"type":"object","properties":{"crate_id":{"type":"string"}},"required":["crate_id"]}}],"nextCursor":"two"}}';;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn a_live_server_is_read_page_by_page_and_its_faults_are_told() {
    let place = Place::new();
    place.write("server.sh", SERVER);
    let init = |mode: &str, dir: &str| {
        place.run(&[
            "init",
            "--mcp",
            &format!("depot=sh server.sh {mode}"),
            "--dir",
            dir,
            "--mcp-timeout",
            "2",
        ])
    };
    let good = init("good", "good");
    assert_eq!(code(&good), 0, "{}", err(&good));
    assert!(place.read("good/catalogs/depot.mcp.json").contains(r#""_meta":{"odd":1.0}"#));
    let config = place.read("good/toolmirage.yaml");
    assert!(config.contains("- mcp: depot\n        command: sh server.sh good"), "{config}");
    let probes = lines(&place.run(&["expand", "good/suites/depot.yaml", "--json"]));
    assert_eq!(wanted(&probes), BTreeSet::from(["drop_crate".to_owned(), "get_crate".to_owned()]));

    let half = init("half", "half");
    assert_eq!(code(&half), 4, "{}", err(&half));
    assert!(err(&half).contains("what comes behind its first 1 tools: the server ended"), "{}", err(&half));
    assert!(place.read("half/catalogs/depot.mcp.json").contains("get_crate"));
    for (mode, said) in [
        ("dead", "ended (exit status: 3) before it answered `initialize`; on standard error: no database"),
        ("silent", "no answer to `initialize` within 2 s"),
        ("garbage", "it printed 1 line that is no message, such as `Listening ...`"),
    ] {
        let bad = init(mode, mode);
        assert_eq!((code(&bad), place.path(mode).exists()), (4, false), "{}", err(&bad));
        assert!(err(&bad).contains(said), "{}", err(&bad));
    }

    // `pull` asks again; runs never do.
    let pull =
        |more: &[&str]| place.run(&[&["catalog", "pull", "--config", "good/toolmirage.yaml"], more].concat());
    assert_eq!(code(&pull(&["--check"])), 0, "{}", err(&pull(&["--check"])));
    let pinned = place.read("good/catalogs/depot.mcp.json");
    place.write("good/catalogs/depot.mcp.json", &pinned.replace("drop_crate", "throw_crate"));
    let checked = pull(&["--check"]);
    assert_eq!(code(&checked), 1, "{}", err(&checked));
    assert!(out(&checked).contains("renamed  throw_crate to drop_crate"), "{}", out(&checked));
    assert_eq!(code(&pull(&[])), 0);
    assert_eq!(place.read("good/catalogs/depot.mcp.json"), pinned);

    // A server that dies half way changes nothing, and is compared with nothing.
    place.write("good/toolmirage.yaml", &config.replace("server.sh good", "server.sh half"));
    let died = pull(&["--json"]);
    let told: Value = serde_json::from_str(&out(&died)).unwrap();
    assert_eq!((code(&died), &told[0]["difference"]), (4, &Value::Null), "{told}");
    assert_eq!(place.read("good/catalogs/depot.mcp.json"), pinned);
    std::fs::remove_file(place.path("good/catalogs/depot.mcp.json")).unwrap();
    assert_eq!((code(&pull(&[])), place.path("good/catalogs/depot.mcp.json").exists()), (4, false));
}

/// A server that lists two thousand tools, fifty a page, or the same page for ever.
const LONG_SERVER: &str = r#"
say() { printf '%s\n' "$1"; }
id=1
while read -r line; do
  case "$line" in
    *'"initialize"'*) say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{}}}';;
    *'"tools/list"'*)
      id=$((id+1)); page=$((id-2)); tools=""; n=0
      while [ $n -lt 50 ]; do
        at=$((page*50+n)); n=$((n+1))
        tools="$tools,{\"name\":\"read_gauge_$at\",\"description\":\"Returns gauge $at.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"unit\":{\"type\":\"string\"}}}}"
      done
      next=",\"nextCursor\":\"p$id\""
      [ "$1" = endless ] && next=',"nextCursor":"same"'
      [ "$1" = long ] && [ $id -gt 40 ] && next=""
      say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[${tools#,}]$next}}";;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn a_server_of_two_thousand_tools_is_read_whole_and_one_without_end_is_not_waited_for() {
    let place = Place::new();
    place.write("server.sh", LONG_SERVER);
    let init = |mode: &str| {
        let server = format!("gauges=sh server.sh {mode}");
        place.run(&["init", "--mcp", &server, "--dir", mode, "--mcp-timeout", "20", "--json", "-q"])
    };
    let long = init("long");
    assert_eq!(code(&long), 0, "{}", err(&long));
    let said: Value = serde_json::from_str(&out(&long)).unwrap();
    assert_eq!(said["tools"], 2000, "{said}");
    let endless = init("endless");
    assert_eq!(code(&endless), 4, "{}", err(&endless));
    assert!(err(&endless).contains("gauges"), "{}", err(&endless));
}

#[test]
fn broken_sources_are_named_and_the_others_are_kept() {
    let place = Place::new();
    place.write("depot.json", TOOLS);
    place.write("broken.json", "{\"tools\": [{\"name\": \"a\"");
    place.write("empty.json", "{\"tools\": []}");
    place.write(
        "round.json",
        r##"{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/nodes":{"post":{"operationId":"create_node","summary":"Creates a node.",
        "requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Node"}}}},"responses":{"200":{"description":"ok"}}}}},
        "components":{"schemas":{"Node":{"type":"object","required":["label"],"properties":{"label":{"type":"string"},"child":{"$ref":"#/components/schemas/Node"}}}}}}"##,
    );
    let made = place.run(&["init", "--tools", "depot.json", "broken.json", "round.json", "--dir", "made"]);
    assert_eq!(code(&made), 2, "{}", err(&made));
    assert!(
        err(&made).contains("left out broken.json: ") && err(&made).contains("broken.json:1"),
        "{}",
        err(&made)
    );
    let probes = lines(&place.run(&["expand", "made/suites/agent.yaml", "--json"]));
    assert!(wanted(&probes).contains("create_node") && wanted(&probes).contains("get_crate"));
    let none = place.run(&["init", "--tools", "broken.json", "empty.json", "--dir", "none"]);
    assert_eq!((code(&none), place.path("none").exists()), (2, false), "{}", err(&none));
}

/// Answers requests of one connection after another, as a server of streamable HTTP does.
fn http_server() -> (String, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    let handle = thread::spawn(move || {
        let mut heads = Vec::new();
        while let Ok((mut stream, _)) = listener.accept() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                    break;
                }
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                head.push_str(&line.to_lowercase());
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let is_last = head.starts_with("delete");
            heads.push(head);
            let message: Value = serde_json::from_slice(&body).unwrap_or_default();
            let id = &message["id"];
            let answer = match message["method"].as_str() {
                Some("initialize") => {
                    let body =
                        json!({"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": "2025-06-18"}})
                            .to_string();
                    format!(
                        "200 OK\r\ncontent-type: application/json\r\nmcp-session-id: s-1\r\ncontent-length: {}\r\n\r\n{body}",
                        body.len()
                    )
                }
                Some("tools/list") => {
                    // It sends the key back.
                    let key = heads
                        .last()
                        .and_then(|head| head.lines().find(|line| line.starts_with("x-depot-key")));
                    let body = json!({"jsonrpc": "2.0", "id": id, "result": {"tools": [{"name": "get_crate", "description": format!("Returns a crate. {key:?}"), "inputSchema": {"type": "object", "properties": {}}}]}});
                    let body = format!(
                        "event: message\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}}\n\nevent: message\ndata: {body}\n\n"
                    );
                    format!(
                        "200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
                        body.len()
                    )
                }
                _ => "202 Accepted\r\ncontent-length: 0\r\n\r\n".to_owned(),
            };
            let _ = stream.write_all(
                format!("HTTP/1.1 {}", answer.replacen("\r\n", "\r\nconnection: close\r\n", 1)).as_bytes(),
            );
            if is_last {
                break;
            }
        }
        heads
    });
    (address, handle)
}

#[test]
fn a_server_behind_an_address_is_read_with_its_headers_by_variable() {
    let place = Place::new();
    let (address, server) = http_server();
    let flag = format!("depot={address}");
    let args = [
        "init",
        "--mcp-url",
        &flag,
        "--mcp-header",
        "depot:X-Depot-Key=DEPOT_KEY",
        "--dir",
        "made",
        "--mcp-timeout",
        "10",
    ];
    let unset = place.run(&args);
    assert_eq!(code(&unset), 2, "{}", err(&unset));
    assert!(err(&unset).contains("`DEPOT_KEY`"), "{}", err(&unset));
    let made = place.command(&args).env("DEPOT_KEY", "k-moss-7781").output().unwrap();
    assert_eq!(code(&made), 0, "{}", err(&made));
    let heads = server.join().unwrap();
    assert!(heads.iter().all(|head| head.contains("x-depot-key: k-moss-7781")));
    assert!(heads.iter().skip(1).all(|head| head.contains("mcp-session-id: s-1")), "{heads:?}");
    let config = place.read("made/toolmirage.yaml");
    assert!(
        config.contains("headers_env: { X-Depot-Key: DEPOT_KEY }") && !config.contains("moss"),
        "{config}"
    );
    let listed = place.read("made/catalogs/depot.mcp.json");
    assert!(listed.contains("x-depot-key: [redacted]") && !listed.contains("moss"), "{listed}");
    let told =
        place.run(&["init", "--mcp-url", "depot=http://127.0.0.1:9/mcp?api_key=moss", "--dir", "told"]);
    assert!(code(&told) == 2 && !err(&told).contains("moss"), "{}", err(&told));
    let gone = place.run(&[
        "init",
        "--mcp-url",
        "depot=http://127.0.0.1:9/mcp",
        "--dir",
        "gone",
        "--mcp-timeout",
        "5",
    ]);
    assert_eq!(code(&gone), 4, "{}", err(&gone));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the tests' own switch")]
fn real_servers_of_the_npm_registry_are_read_live() {
    // It downloads three packages: a step of its own, asked for by name.
    if std::env::var_os("TOOLMIRAGE_NPM").is_none() {
        eprintln!("skipped: TOOLMIRAGE_NPM=1 reads three servers of the npm registry");
        return;
    }
    let has_npm = Command::new("npx").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_npm {
        eprintln!("skipped: there is no npx on this machine");
        return;
    }
    let place = Place::new();
    let probe = Command::new("npm").args(["view", "@modelcontextprotocol/server-memory", "version"]).output();
    if !probe.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: the npm registry cannot be reached");
        return;
    }
    let made = place.run(&[
        "init",
        "--mcp",
        "everything=npx -y @modelcontextprotocol/server-everything",
        "--mcp",
        "files=npx -y @modelcontextprotocol/server-filesystem .",
        "--mcp",
        "memory=npx -y @modelcontextprotocol/server-memory",
        "--dir",
        "made",
        "--mcp-timeout",
        "180",
    ]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let expanded = lines(&place.run(&["expand", "made/suites/agent.yaml", "--json"]));
    let listed: usize = ["everything", "files", "memory"]
        .iter()
        .map(|name| {
            let file: Value =
                serde_json::from_str(&place.read(&format!("made/catalogs/{name}.mcp.json"))).unwrap();
            file["tools"].as_array().unwrap().len()
        })
        .sum();
    assert_eq!(wanted(&expanded).len(), listed);
    for name in ["echo", "read_text_file", "create_entities"] {
        assert!(wanted(&expanded).contains(name), "{name}");
    }
}
