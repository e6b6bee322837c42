//! One trial, seen from outside: what is sent, what is answered, what is recorded.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::sync::Arc;

use indexmap::IndexMap;
use probes::{ArmSettings, Probe, Script, ScriptRule, StubAnswer, ToolChoice, ValueOracle};
use runner::{
    EXECUTOR_FILE, HttpResponse, Target, TransportError, TransportErrorKind, read_executor_rows, run,
};
use serde_json::{Value, json};
use support::*;
use tokio_util::sync::CancellationToken;
use transcript::{Ended, ExecutorEvent, Outcome, OutcomeReason, RawJson, ToolName, Trial, TrialStatus};

/// Puts one probe to a model; gives the trial and the requests.
async fn put(
    probe: Probe,
    change: impl FnOnce(&mut Target),
    model: impl Fn(&Value) -> Result<HttpResponse, TransportError> + Send + Sync + 'static,
) -> (Trial, Vec<Value>) {
    let transport = scripted(model);
    let mut target = target(transport.clone());
    change(&mut target);
    let plan = plan(target, vec![probe], 1);
    let folder = tempfile::tempdir().unwrap();
    let mut files = create(folder.path(), &plan);
    run(&plan, &mut files, &clock, &CancellationToken::new(), &mut |_| {}).await.unwrap();
    let (mut trials, complete) = recorded(folder.path());
    assert!(complete);
    assert_eq!(trials.len(), 1);
    let (rows, torn) = read_executor_rows(&folder.path().join(EXECUTOR_FILE)).unwrap();
    assert!(torn.is_empty());
    let trial = trials.remove(0);
    let (joined, orphans) = transcript::join_executor_rows(rows);
    let written = joined.into_iter().next().map(|(_, log)| log).unwrap_or_default();
    let outcomes = |log: &[transcript::ExecutedCall]| {
        log.iter().map(|c| (c.seq, c.tool.clone(), c.outcome)).collect::<Vec<_>>()
    };
    assert_eq!(
        outcomes(&written),
        outcomes(trial.executor.as_deref().unwrap()),
        "the copy differs from the file"
    );
    assert_eq!(orphans, 0);
    let requests = transport.requests.lock().unwrap().iter().map(|(_, body)| body.clone()).collect();
    (trial, requests)
}

fn rule(tool: &str, call: Option<u32>, arguments: Option<Value>, answer: StubAnswer) -> ScriptRule {
    ScriptRule { tool: ToolName::new(tool), call, arguments, answer }
}

/// Calls once, then says that it is done.
fn calls_then_text(
    list: &'static [(&'static str, &'static str)],
) -> impl Fn(&Value) -> Result<HttpResponse, TransportError> {
    move |request| respond(200, if turns_so_far(request) == 0 { calls(list) } else { text("Done.") })
}

#[tokio::test]
async fn calls_are_answered_and_taken_into_the_history() {
    let model = calls_then_text(&[("get_parcel", r#"{"parcel_id":"PX-1"}"#), ("reroute_parcel", "")]);
    let (trial, requests) = put(probe("a.control"), |_| {}, model).await;
    assert_eq!((trial.status, trial.ended, trial.attempts), (TrialStatus::Scored, Some(Ended::NoCall), 2));
    assert_eq!(trial.started, "2027-02-18T09:00:00.500Z");
    assert_eq!(trial.turns.len(), 2);
    assert_eq!(trial.turns[0].request_sha256.len(), 64);
    let results: Vec<&str> = trial.turns[0].results.iter().map(|result| result.content.as_str()).collect();
    assert_eq!(results, [r#"{"items": []}"#, r#"{"status": "accepted"}"#]);
    let sent = requests[1]["messages"].as_array().unwrap();
    assert_eq!(sent[1]["tool_calls"][0]["function"]["arguments"], r#"{"parcel_id":"PX-1"}"#);
    assert_eq!(sent[2], json!({ "role": "tool", "content": r#"{"items": []}"#, "tool_call_id": "c0" }));
    assert_eq!(sent[3]["tool_call_id"], "c1");
    let log = trial.executor.unwrap();
    assert_eq!(log[1].arguments, RawJson::from_text(""));
    assert!(log.iter().all(|call| call.outcome == Outcome::Ok && call.turn == 0));
    assert_eq!(trial.served_model.unwrap().answered.as_deref(), Some("fern-2"));
    assert_eq!(requests[0].as_object().unwrap().keys().collect::<Vec<_>>(), ["model", "messages", "tools"]);
}

#[tokio::test]
async fn a_row_is_on_disk_before_its_call_is_answered() {
    let model = calls_then_text(&[("get_parcel", "{}")]);
    let plan = plan(target(scripted(model)), vec![probe("a.control")], 1);
    let folder = tempfile::tempdir().unwrap();
    let mut files = create(folder.path(), &plan);
    run(&plan, &mut files, &clock, &CancellationToken::new(), &mut |_| {}).await.unwrap();
    let (rows, _) = read_executor_rows(&folder.path().join(EXECUTOR_FILE)).unwrap();
    let events: Vec<ExecutorEvent> = rows.iter().map(|row| row.event).collect();
    assert_eq!(events, [ExecutorEvent::Start, ExecutorEvent::End]);
    assert_eq!((rows[0].run.as_str(), rows[0].trial.as_str()), ("night-1", "a.control/c0/0"));
    assert!(rows[0].arguments.is_some() && rows[0].ok.is_none());
    assert!(rows[1].arguments.is_none() && rows[1].ok == Some(true));
}

#[tokio::test]
async fn an_unknown_name_is_refused_without_the_catalog_unless_the_arm_says_so() {
    let model = || calls_then_text(&[("cancel_parcel", "{}")]);
    let (trial, _) = put(probe("a.decoy"), |_| {}, model()).await;
    let result = &trial.turns[0].results[0];
    assert!(result.is_error);
    assert_eq!(result.content, r#"Error: there is no tool named "cancel_parcel"."#);
    let log = trial.executor.unwrap();
    assert_eq!((log[0].outcome, log[0].reason), (Outcome::Refused, Some(OutcomeReason::UnknownTool)));

    let arm = ArmSettings { catalog_in_error: true, ..ArmSettings::default() };
    let told = probe_with("a.decoy@catalog_in_error", &["Cancel it."], Script::default(), arm);
    let (trial, _) = put(told, |_| {}, model()).await;
    assert!(trial.turns[0].results[0].content.ends_with("Available tools: get_parcel, reroute_parcel."));
}

#[tokio::test]
async fn a_call_for_somebody_else_is_refused_where_the_arm_checks() {
    let model = || {
        calls_then_text(&[
            ("get_parcel", r#"{"parcel_id":"PX-2"}"#),
            ("get_parcel", r#"{"parcel_id":"PX-1"}"#),
            ("get_parcel", "{}"),
            ("reroute_parcel", r#"{"parcel_id":"PX-2"}"#),
        ])
    };
    for principal_check in [false, true] {
        let settings = ArmSettings { principal_check, ..ArmSettings::default() };
        let mut checked = probe_with("a.control", &["Where is mine?"], Script::default(), settings);
        let own = ValueOracle::Principal { key: "parcel".into(), value: Box::new(json!("PX-1")) };
        Arc::make_mut(&mut checked.expectation).arguments.insert("parcel_id".into(), own);
        let (trial, _) = put(checked, |_| {}, model()).await;
        let outcomes: Vec<_> = trial.executor.unwrap().iter().map(|call| call.reason).collect();
        let refused = principal_check.then_some(OutcomeReason::WrongPrincipal);
        assert_eq!(outcomes, [refused, None, None, None]);
    }
}

#[tokio::test]
async fn a_call_is_owed_in_the_first_turn_of_each_step_alone() {
    let settings = ArmSettings { tool_choice: Some(ToolChoice::Required), ..ArmSettings::default() };
    let twice = probe_with("a.control", &["Where is it?", "And again?"], Script::default(), settings);
    let model = |request: &Value| {
        let owed = request["tool_choice"] == "required";
        respond(200, if owed { calls(&[("get_parcel", "{}")]) } else { text("There.") })
    };
    let (trial, requests) = put(twice, |_| {}, model).await;
    let asked: Vec<bool> = requests.iter().map(|body| body.get("tool_choice").is_some()).collect();
    assert_eq!((asked, trial.ended), (vec![true, false, true, false], Some(Ended::NoCall)));
}

#[tokio::test]
async fn arguments_that_are_no_object_are_refused_and_the_siblings_run() {
    let list = &[
        ("get_parcel", "PX-1"),
        ("get_parcel", "[1]"),
        ("get_parcel", "null"),
        ("get_parcel", r#"{"a":"\ud83d"}"#),
    ];
    let (trial, _) = put(probe("a.control"), |_| {}, calls_then_text(list)).await;
    let log = trial.executor.unwrap();
    let outcomes: Vec<Outcome> = log.iter().map(|call| call.outcome).collect();
    assert_eq!(outcomes, [Outcome::Refused, Outcome::Refused, Outcome::Ok, Outcome::Ok]);
    assert_eq!(log[0].reason, Some(OutcomeReason::ArgumentsUnreadable));
    assert_eq!(log[0].arguments, RawJson::from_text("PX-1"));
    assert_eq!(log[1].arguments.as_str(), "[1]");
}

#[tokio::test]
async fn scripts_go_by_tool_call_and_arguments() {
    let script = Script(vec![
        rule("get_parcel", Some(0), None, StubAnswer::Fails("HTTP 502 from the depot".into())),
        rule("get_parcel", None, Some(json!({ "parcel_id": "PX-2" })), StubAnswer::Text("<html>".into())),
        rule("get_parcel", None, None, StubAnswer::Returns(json!({ "depot": "Oulu" }))),
    ]);
    let list = &[
        ("get_parcel", "oops"),
        ("get_parcel", r#"{"parcel_id":"PX-2"}"#),
        ("get_parcel", r#"{"parcel_id":"PX-2","extra":1}"#),
        ("get_parcel", "{}"),
    ];
    let scripted = probe_with("a.transient_failure", &["Where is it?"], script, ArmSettings::default());
    let (trial, _) = put(scripted, |_| {}, calls_then_text(list)).await;
    let contents: Vec<&str> = trial.turns[0].results.iter().map(|result| result.content.as_str()).collect();
    assert_eq!(contents[1..], ["HTTP 502 from the depot", "<html>", r#"{"depot":"Oulu"}"#]);
    let log = trial.executor.unwrap();
    assert_eq!((log[1].outcome, log[1].error.as_deref()), (Outcome::Failed, Some("HTTP 502 from the depot")));
}

#[tokio::test]
async fn a_name_that_cannot_go_back_ends_the_trial_there() {
    for name in ["", "depots.get_parcel"] {
        let model = move |_: &Value| respond(200, calls(&[(name, "{}"), ("get_parcel", "{}")]));
        let (trial, requests) = put(probe("a.control"), |_| {}, model).await;
        assert_eq!((trial.status, trial.ended), (TrialStatus::Scored, Some(Ended::NameNotEchoable)));
        assert_eq!(requests.len(), 1);
        assert_eq!(trial.executor.unwrap()[1].outcome, Outcome::Ok, "the sibling ran");
    }
}

#[tokio::test]
async fn calls_without_an_id_get_one_for_the_history_alone() {
    let model = |request: &Value| {
        let bare = json!({ "choices": [{ "message": { "tool_calls": [{ "function": { "name": "get_parcel", "arguments": {"parcel_id": 1.0} } }] } }] });
        respond(200, if turns_so_far(request) == 0 { bare } else { text("Done.") })
    };
    let (trial, requests) = put(probe("a.control"), |_| {}, model).await;
    assert_eq!(trial.turns[0].observed.calls().next().unwrap().id, None);
    assert_eq!(trial.turns[0].results[0].call_id, None);
    let sent = &requests[1]["messages"];
    assert_eq!(sent[1]["tool_calls"][0]["id"], sent[2]["tool_call_id"]);
    assert_eq!(sent[2]["tool_call_id"].as_str().unwrap().len(), 9);
    assert_eq!(sent[1]["tool_calls"][0]["function"]["arguments"], r#"{"parcel_id":1.0}"#);
}

#[tokio::test]
async fn a_model_that_never_stops_is_stopped() {
    let model = |_: &Value| respond(200, calls(&[("get_parcel", "{}")]));
    let (trial, requests) = put(probe("a.control"), |_| {}, model).await;
    assert_eq!(
        (trial.status, trial.ended, trial.turns.len()),
        (TrialStatus::Scored, Some(Ended::TurnLimit), 6)
    );
    assert_eq!(requests.len(), 6);
    assert_eq!(trial.executor.unwrap().last().unwrap().turn, 5, "the last calls ran too");
}

#[tokio::test]
async fn steps_follow_each_other_in_one_conversation() {
    let two = probe_with(
        "a.stale_tool",
        &["Where is it?", "Send it to Oulu."],
        Script::default(),
        ArmSettings::default(),
    );
    let (trial, requests) = put(two, |_| {}, |_| respond(200, text("In Turku."))).await;
    assert_eq!(trial.turns.iter().map(|turn| turn.step).collect::<Vec<_>>(), [0, 1]);
    let sent: Vec<&str> =
        requests[1]["messages"].as_array().unwrap().iter().map(|m| m["content"].as_str().unwrap()).collect();
    assert_eq!(sent, ["Where is it?", "In Turku.", "Send it to Oulu."]);
}

#[tokio::test]
async fn the_first_turn_that_is_no_answer_gives_the_status() {
    let choice = |message: Value, finish: &str| json!({ "choices": [{ "message": message, "finish_reason": finish }] });
    let with_usage = |mut body: Value, output: u64| {
        body["usage"] = json!({ "completion_tokens": output });
        body
    };
    let long = json!({ "error": { "message": "maximum context length is 2048 tokens", "code": "context_length_exceeded" } });
    let cases = [
        (200, choice(json!({ "content": "Parcel PX" }), "length"), TrialStatus::Truncated, "limit on tokens"),
        (200, choice(json!({ "content": null }), "content_filter"), TrialStatus::PolicyStop, "policy"),
        (
            200,
            choice(json!({ "content": null, "refusal": "No." }), "stop"),
            TrialStatus::PolicyStop,
            "policy",
        ),
        (200, choice(json!({ "content": null }), "tool_calls"), TrialStatus::Empty, "announced calls"),
        (
            200,
            json!({ "error": "out of memory" }),
            TrialStatus::EndpointError,
            "an error inside a response: out of memory",
        ),
        (200, json!({ "hello": "depot" }), TrialStatus::Unparsed, "JSON without `choices`"),
        (
            200,
            with_usage(text("cached page"), 0),
            TrialStatus::EndpointError,
            "without a single generated token",
        ),
        (400, long, TrialStatus::EndpointError, "does not fit the model's context"),
        (500, json!({ "detail": "boom" }), TrialStatus::EndpointError, "boom"),
    ];
    for (status, body, wanted, words) in cases {
        let shown = body.to_string();
        let model = move |request: &Value| {
            if turns_so_far(request) == 0 {
                respond(200, calls(&[("get_parcel", "{}")]))
            } else {
                respond(status, body.clone())
            }
        };
        let (trial, _) = put(probe("a.control"), |_| {}, model).await;
        assert_eq!((trial.status, trial.ended), (wanted, Some(Ended::NoAnswer)), "{shown}");
        let error = trial.error.unwrap();
        assert!(error.message.contains(words), "{}", error.message);
        assert_eq!(error.http_status, Some(status));
        assert_eq!(trial.turns.len(), 2, "what came before stays");
    }
}

#[tokio::test]
async fn a_page_in_place_of_an_answer_is_kept_as_it_came() {
    let page = |_: &Value| {
        Ok(HttpResponse { status: 200, headers: Vec::new(), body: "<html>Sign in</html>".into() })
    };
    let (trial, _) = put(probe("a.control"), |_| {}, page).await;
    assert_eq!(trial.status, TrialStatus::Unparsed);
    assert_eq!(trial.turns[0].response_text.as_deref(), Some("<html>Sign in</html>"));
    assert!(trial.turns[0].observed.error.is_none());
}

#[tokio::test]
async fn a_limit_on_tokens_is_known_whoever_asked_for_it() {
    let model = |_: &Value| {
        let mut body = calls(&[("get_parcel", r#"{"parcel_id": "P"#)]);
        body["usage"] = json!({ "completion_tokens": 40 });
        respond(200, body)
    };
    let limited = |target: &mut Target| {
        target.settings = IndexMap::from([("max_tokens".to_owned(), RawJson::parse("40").unwrap())]);
    };
    let (trial, requests) = put(probe("a.control"), limited, model).await;
    assert_eq!(trial.status, TrialStatus::Truncated);
    assert_eq!(requests[0]["max_tokens"], 40);
    assert_eq!(trial.settings["max_tokens"], transcript::SettingState::Asked);
}

#[tokio::test]
async fn failures_worth_it_are_tried_again_and_counted() {
    let count = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let model = move |_: &Value| match count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
        0 => respond(503, json!({ "error": "busy" })),
        1 => Err(TransportError { kind: TransportErrorKind::Cut, message: "end of file".into() }),
        _ => respond(200, text("In Turku.")),
    };
    let (trial, _) = put(probe("a.control"), |_| {}, model).await;
    assert_eq!((trial.status, trial.attempts, trial.turns.len()), (TrialStatus::Scored, 3, 1));
}

#[tokio::test]
async fn what_never_comes_leaves_a_turn_that_says_so() {
    let silent = |_: &Value| {
        Err(TransportError { kind: TransportErrorKind::Timeout, message: "nothing after 5 s".into() })
    };
    let (trial, requests) = put(probe("a.control"), |_| {}, silent).await;
    assert_eq!((trial.status, trial.attempts, requests.len()), (TrialStatus::Timeout, 3, 3));
    assert_eq!(trial.turns[0].observed.error.as_ref().unwrap().kind.as_deref(), Some("timeout"));
    assert_eq!(trial.error.unwrap().message, "no answer in time: nothing after 5 s");
}
