//! How long `score` takes for one trial: a good call, an invented call and a refusal, among 20 and 120 tools.

use std::sync::Arc;

use probes::{Expectation, Offered};
use scorer::{RequestFacts, Schemas, Subject, SubjectStep, score};
use serde_json::json;
use transcript::{
    Arguments, CallId, EmittedName, Item, Message, Observed, RawJson, Stop, StopReason, Tool, ToolCall,
    TrialStatus, Turn,
};

fn main() {
    divan::main();
}

struct Setting {
    expectation: Expectation,
    offered: Offered,
    messages: Vec<Message>,
    schemas: Schemas,
}

fn setting(tools: usize) -> Setting {
    let schema = json!({"type": "object", "properties": {
        "crate_id": {"type": "string", "description": "Number of the crate"},
        "weight_kg": {"type": "number"}, "note": {"type": "string"}}, "required": ["crate_id", "weight_kg"]});
    let tool = |name: String| {
        let mut tool = Tool::named(&name);
        tool.input_schema = Some(RawJson::from_value(&schema));
        Arc::new(tool)
    };
    let mut all: Vec<_> = (1..tools).map(|number| tool(format!("crate_task_{number}"))).collect();
    all.push(tool("crate_weigh".to_owned()));
    Setting {
        expectation: serde_json::from_value(json!({
            "headline": ["unknown_tool", "hallucinated_argument"], "right": "call", "tool": "crate_weigh",
            "offered": true, "unlisted": "optionals_absent",
            "arguments": {"crate_id": {"equals": "CR-118"}, "weight_kg": {"equals": 12.5}}}))
        .expect("an expectation"),
        offered: Offered::new(all),
        messages: vec![
            Message::system("You keep the books of a warehouse. Say so when you cannot do what is asked."),
            Message::user("Crate CR-118 weighs 12.5 kg. Please put that down."),
        ],
        schemas: Schemas::default(),
    }
}

fn turn(item: Item, reason: StopReason) -> Turn {
    let stop = Some(Stop { raw: "x".to_owned(), reason });
    Turn { observed: Observed { items: vec![item], stop, ..Observed::default() }, ..Turn::default() }
}

fn call(name: &str) -> Turn {
    let arguments = Arguments::Text(r#"{"crate_id": "CR-118", "weight_kg": 12.5}"#.to_owned());
    let name = EmittedName::Text(name.to_owned());
    let call = ToolCall { id: Some(CallId("c1".to_owned())), name, namespace: None, arguments };
    turn(Item::Call(call), StopReason::Calls)
}

fn measure(bencher: divan::Bencher<'_, '_>, tools: usize, turn: &Turn) {
    let setting = setting(tools);
    let steps = [SubjectStep { messages: &setting.messages, offered: &setting.offered }];
    let subject = Subject {
        expectation: Some(&setting.expectation),
        steps: &steps,
        turns: std::slice::from_ref(turn),
        executor: None,
        request: RequestFacts { provider: "openai_chat", ..RequestFacts::default() },
        status: TrialStatus::Scored,
        cause: None,
        turn_limit: false,
    };
    bencher.bench_local(|| score(divan::black_box(&subject), &setting.schemas));
}

#[divan::bench(args = [20, 120])]
fn good_call(bencher: divan::Bencher<'_, '_>, tools: usize) {
    measure(bencher, tools, &call("crate_weigh"));
}

#[divan::bench(args = [20, 120])]
fn invented_call(bencher: divan::Bencher<'_, '_>, tools: usize) {
    measure(bencher, tools, &call("pallet_weigh"));
}

#[divan::bench(args = [20, 120])]
fn text(bencher: divan::Bencher<'_, '_>, tools: usize) {
    let text = "I can't put weights down: none of my tools (there are a few) does that. Shall I look it up?";
    measure(bencher, tools, &turn(Item::Text(text.to_owned()), StopReason::End));
}
