//! What a reply looks like, and what a request may look like.

use std::collections::BTreeSet;

use crate::garden::{KINDS, first_request, play, probe, sim};
use serde_json::{Value, json};

#[test]
fn a_reply_is_a_chat_completion() {
    let probe = probe("water-fern", "control");
    let sim = sim("honest", std::slice::from_ref(&probe), 1);
    let request = first_request(&probe, "p").to_string();
    let reply = sim.respond(Some("water-fern.control/0"), request.as_bytes());
    let body: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((&body["object"], &body["model"]), (&json!("chat.completion"), &json!("garden-1")));
    let choice = &body["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    let call = &choice["message"]["tool_calls"][0];
    assert_eq!((&call["type"], &call["function"]["name"]), (&json!("function"), &json!("water_plant")));
    assert_eq!(
        call["function"]["arguments"], r#"{"plant_id":"P-1070","litres":2.50}"#,
        "number text is kept"
    );
    let usage = &body["usage"];
    assert_eq!(usage["prompt_tokens"], request.len() / 4 + 1);
    assert_eq!(
        usage["total_tokens"].as_u64().unwrap(),
        usage["prompt_tokens"].as_u64().unwrap() + usage["completion_tokens"].as_u64().unwrap()
    );
}

#[test]
fn ids_of_responses_are_unique_over_turns_repeats_and_probes() {
    let mut seen = BTreeSet::new();
    for kind in KINDS {
        let probe = probe("water-fern", kind);
        let sim = sim("careless", std::slice::from_ref(&probe), 1);
        for repeat in 0..100 {
            for id in play(&sim, &probe, repeat, "p").response_ids {
                assert!(seen.insert(id));
            }
        }
    }
}

#[test]
fn a_request_without_a_name_finds_its_probe_by_its_words() {
    let probes: Vec<_> = KINDS.iter().map(|kind| probe("water-fern", kind)).collect();
    let sim = sim("honest", &probes, 1);
    for (kind, found) in [
        ("control", "control"),
        ("decoy", "decoy"),
        ("missing_argument.plant-id", "missing_argument.plant-id"),
    ] {
        let request = first_request(&probe("water-fern", kind), "p").to_string();
        let decision = sim.respond(None, request.as_bytes()).decision.unwrap();
        assert_eq!(decision.probe.unwrap().as_str(), format!("water-fern.{found}"));
        assert!(decision.trial.starts_with("request:"));
    }
    let stranger = json!({ "messages": [{ "role": "user", "content": "Anything else?" }] }).to_string();
    let decision = sim.respond(None, stranger.as_bytes()).decision.unwrap();
    assert_eq!((decision.probe, decision.calls.len()), (None, 0));
}

#[test]
fn calls_are_made_one_by_one_or_not_at_all_where_the_request_says_so() {
    let probe = probe("water-fern", "optional_argument");
    let sim = sim("planted:unknown_tool=1,hallucinated_argument=1", std::slice::from_ref(&probe), 1);
    for repeat in 0..100 {
        let trial = format!("water-fern.optional_argument/{repeat}");
        let mut request = first_request(&probe, "p");
        request["parallel_tool_calls"] = json!(false);
        let one = sim.respond(Some(&trial), request.to_string().as_bytes()).decision.unwrap();
        assert_eq!(one.calls.len(), 1);
        request["tool_choice"] = json!("none");
        let none = sim.respond(Some(&trial), request.to_string().as_bytes()).decision.unwrap();
        assert!(none.calls.is_empty() && none.text.is_some());
    }
}

#[test]
fn canned_history_belongs_to_the_first_request() {
    let probe = probe("water-fern", "control");
    let sim = sim("honest", std::slice::from_ref(&probe), 1);
    let mut request = first_request(&probe, "p");
    let history =
        [json!({ "role": "user", "content": "Hello" }), json!({ "role": "assistant", "content": "Hello!" })];
    request["messages"].as_array_mut().unwrap().splice(1..1, history);
    let decision =
        sim.respond(Some("water-fern.control/0"), request.to_string().as_bytes()).decision.unwrap();
    assert_eq!((decision.turn, decision.calls.len()), (0, 1));
}

#[test]
fn what_is_no_request_gets_an_error_in_the_usual_shape() {
    let sim = sim("honest", &[], 1);
    for body in ["", "{", "null", r#"{"messages":"x"}"#, r#"{"messages":[],"stream":true}"#] {
        let reply = sim.respond(None, body.as_bytes());
        let told: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!((reply.status, &told["error"]["type"]), (400, &json!("invalid_request_error")));
        assert!(reply.decision.is_none());
    }
}
