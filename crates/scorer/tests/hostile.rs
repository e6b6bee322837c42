//! Whatever a model writes, `score` answers: no panic, events within opportunities, the same verdict twice.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::sync::Arc;

use probes::{Expectation, Offered};
use proptest::prelude::*;
use scorer::{Judgement, RequestFacts, Schemas, Subject, SubjectStep, score};
use transcript::{
    Arguments, CallId, EmittedName, Item, Message, Observed, RawJson, Stop, StopReason, Tool, ToolCall,
    TrialStatus, Turn,
};

/// Pieces that calls are made of, to be put together wrongly.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    ":",
    ",",
    "`",
    "```json\n",
    "\n",
    " ",
    "<tool_call>",
    "</tool_call>",
    "<function=",
    ">",
    "</function>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "<|channel|>",
    "to=functions.",
    "plant_tree",
    "\"name\"",
    "\"arguments\"",
    "Action: ",
    "Action Input: ",
    "species=\"oak\"",
    "é",
    "\u{200b}",
    "｜",
    "1",
    "null",
    "for example ",
    "I can't ",
    ". ",
];

fn mixture() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat()),
    ]
}

fn name() -> impl Strategy<Value = EmittedName> {
    prop_oneof![
        Just(EmittedName::Missing),
        Just(EmittedName::Null),
        Just(EmittedName::Text("plant_tree".to_owned())),
        mixture().prop_map(EmittedName::Text),
    ]
}

fn item() -> impl Strategy<Value = Item> {
    let call = (name(), mixture(), prop::option::of("[a-c]?")).prop_map(|(name, arguments, id)| {
        let arguments = Arguments::Text(arguments);
        Item::Call(ToolCall { id: id.map(CallId), name, namespace: None, arguments })
    });
    prop_oneof![
        mixture().prop_map(Item::Text),
        mixture().prop_map(Item::Reasoning),
        mixture().prop_map(Item::MalformedCall),
        call,
    ]
}

fn turn() -> impl Strategy<Value = Turn> {
    let reasons = [StopReason::End, StopReason::Calls, StopReason::Length, StopReason::MalformedCall];
    let step = 0..4_usize;
    (prop::collection::vec(item(), 0..4), prop::sample::select(reasons.to_vec()), step).prop_map(
        |(items, reason, step)| Turn {
            step,
            observed: Observed {
                items,
                stop: Some(Stop { raw: String::new(), reason }),
                ..Observed::default()
            },
            ..Turn::default()
        },
    )
}

fn offered() -> Offered {
    let schema = r#"{"type":"object","properties":{"species":{"type":"string"}},"required":["species"]}"#;
    let mut tree = Tool::named("plant_tree");
    tree.input_schema = Some(RawJson::parse(schema).unwrap());
    Offered::new(vec![Arc::new(tree), Arc::new(Tool::named("call_tool")), Arc::new(Tool::named("récolte"))])
}

fn expectation() -> impl Strategy<Value = Option<Expectation>> {
    let of = |text: &str| serde_json::from_str::<Expectation>(text).unwrap();
    prop::sample::select(vec![
        None,
        Some(of(r#"{"headline":["unknown_tool","hallucinated_argument"],"right":"call","tool":"plant_tree",
            "offered":true,"arguments":{"species":{"equals":"oak"}}}"#)),
        Some(of(
            r#"{"headline":["unknown_tool"],"side":["misused_tool"],"right":"refuse_or_ask","tool":"fell_tree"}"#,
        )),
        Some(of(
            r#"{"headline":["unknown_tool"],"side":["missing_call","phantom_claim"],"right":"ask","tool":"plant_tree",
            "offered":true,"missing":["species"],"earlier_right":["answer"]}"#,
        )),
    ])
}

proptest! {
    #[test]
    fn any_transcript_is_judged(
        turns in prop::collection::vec(turn(), 0..4),
        expectation in expectation(),
        user in mixture(),
        steps in 0..3_usize,
    ) {
        let offered = offered();
        let messages = [Message::system("You plant trees."), Message::user(&user)];
        let steps = vec![SubjectStep { messages: &messages, offered: &offered }; steps];
        let subject = Subject {
            expectation: expectation.as_ref(),
            steps: &steps,
            turns: &turns,
            executor: None,
            request: RequestFacts { provider: "openai_chat", ..RequestFacts::default() },
            status: TrialStatus::Scored,
            cause: None,
            turn_limit: false,
        };
        let schemas = Schemas::default();
        let verdict = score(&subject, &schemas);
        prop_assert_eq!(&score(&subject, &schemas), &verdict);
        prop_assert_eq!(verdict.turns.len(), turns.len());
        for judgement in verdict.checks.values() {
            if let Judgement::Judged { opportunities, events, findings, .. } = judgement {
                prop_assert!(events.trials <= opportunities.trials);
                prop_assert!(events.calls <= opportunities.calls);
                prop_assert!(events.arguments <= opportunities.arguments);
                prop_assert_eq!(usize::try_from(events.calls).unwrap(), findings.len());
            }
        }
    }
}
