//! A turn of very many calls costs by the call, not by the pair of calls.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use probes::Offered;
use scorer::{RequestFacts, Schemas, Subject, SubjectStep, Verdict, score};
use transcript::{
    Arguments, CallId, EmittedName, ExecutedCall, Item, Message, Observed, Outcome, RawJson, Tool, ToolCall,
    ToolName, TrialStatus, Turn,
};

/// Calls of one turn.
const CALLS: usize = 20_000;

/// What all of them may take in a debug build on a busy machine: alone they take about a second.
const PATIENCE: Duration = Duration::from_secs(15);

fn call(at: usize, name: String, id: String) -> Item {
    Item::Call(ToolCall {
        id: Some(CallId(id)),
        name: EmittedName::Text(name),
        namespace: None,
        arguments: Arguments::Text(format!("{{\"pot\": {at}}}")),
    })
}

fn turn(items: Vec<Item>) -> Turn {
    Turn { observed: Observed { items, ..Observed::default() }, ..Turn::default() }
}

fn judge(turns: &[Turn], executor: Option<&[ExecutedCall]>) -> Verdict {
    let messages: Vec<Message> =
        vec![serde_json::from_value(serde_json::json!({"role": "user", "content": "Water pot 7."})).unwrap()];
    let offered = Offered::new(vec![Arc::new(Tool::named("water_pot")), Arc::new(Tool::named("list_pots"))]);
    let steps = [SubjectStep { messages: &messages, offered: &offered }];
    let subject = Subject {
        expectation: None,
        steps: &steps,
        turns,
        executor,
        request: RequestFacts::default(),
        status: TrialStatus::Scored,
        cause: None,
        turn_limit: false,
    };
    let start = Instant::now();
    let verdict = score(&subject, &Schemas::default());
    let took = start.elapsed();
    assert!(took < PATIENCE, "{took:?}");
    verdict
}

#[test]
fn known_calls_with_ids_of_their_own() {
    let items = |turn: usize| {
        (0..CALLS).map(move |at| call(at, "water_pot".into(), format!("t{turn}n{at}"))).collect::<Vec<_>>()
    };
    let verdict = judge(&[turn(items(0)), turn(items(1))], None);
    assert_eq!(verdict.turns[1].calls.len(), CALLS);
}

#[test]
fn unknown_calls_with_ids_that_stand_twice() {
    let items = (0..CALLS).map(|at| call(at, format!("mist_{at}"), format!("n{}", at / 2))).collect();
    let verdict = judge(&[turn(items)], None);
    assert_eq!(verdict.turns[0].counts.unknown_tool as usize, CALLS);
    assert_eq!(verdict.turns[0].counts.format as usize, CALLS);
}

#[test]
fn calls_that_a_dispatcher_sent_elsewhere() {
    let items = (0..CALLS).map(|at| call(at, "drench".into(), format!("n{at}"))).collect();
    let row = |at: usize| ExecutedCall {
        seq: 0,
        turn: 0,
        call_id: Some(CallId(format!("n{at}"))),
        tool: ToolName::new("drench"),
        executed_as: Some(ToolName::new("list_pots")),
        arguments: RawJson::parse("{}").unwrap(),
        outcome: Outcome::Ok,
        reason: None,
        error: None,
        result: None,
    };
    let log: Vec<ExecutedCall> = (0..CALLS).map(row).collect();
    let verdict = judge(&[turn(items)], Some(&log));
    assert_eq!(verdict.turns[0].counts.shadow_call as usize, CALLS);
}

#[test]
fn pieces_of_text_and_calls_written_in_them() {
    let list: Vec<String> = (0..CALLS)
        .map(|at| format!("{{\"name\": \"water_pot\", \"arguments\": {{\"pot\": {at}}}}}"))
        .collect();
    judge(&[turn(vec![Item::Text(format!("[{}]", list.join(", ")))])], None);
    judge(&[turn(list.into_iter().map(Item::Text).collect())], None);
}
