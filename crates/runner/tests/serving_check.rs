//! The serving check against servers made up here: what it waits for, what it leaves out, what it makes of streams.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indexmap::IndexMap;
use runner::{
    Cap, Caps, CheckError, CheckOptions, HttpResponse, Meter, RetryPolicy, Target, TransportError,
    TransportErrorKind, check_serving, provider, serving_requests,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use transcript::{Known, RawJson, ServingCheck, ServingState, SettingState, TargetId};

use support::{clock, respond, scripted, text};

type Response = Result<HttpResponse, TransportError>;

fn target(
    name: &str,
    settings: &[(&str, &str)],
    answer: impl Fn(&Value) -> Response + Send + Sync + 'static,
) -> Target {
    let setting = |(key, value): &(&str, &str)| ((*key).to_owned(), RawJson::parse(value).unwrap());
    Target {
        id: TargetId("t0".into()),
        provider: provider(name).unwrap(),
        model: "fern-2".into(),
        settings: settings.iter().map(setting).collect::<IndexMap<_, _>>(),
        simulated: false,
        place: "here".into(),
        headers: Vec::new(),
        lane: "here".into(),
        share: None,
        gateway: None,
        price: None,
        transport: scripted(answer),
    }
}

async fn check(target: &Target) -> Result<ServingCheck, CheckError> {
    capped(target, Caps::default()).await
}

async fn capped(target: &Target, caps: Caps) -> Result<ServingCheck, CheckError> {
    let options = CheckOptions {
        request_deadline: Duration::from_secs(5),
        retry: RetryPolicy {
            max_retries: 1,
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_millis(1),
            longest_asked: Duration::from_millis(1),
        },
        patience: Duration::from_millis(200),
        knobs: Vec::new(),
        meter: Arc::new(Meter::new(caps)),
    };
    check_serving(target, &options, &clock, &CancellationToken::new(), &mut |_, _| {}).await
}

fn answer(check: &ServingCheck, question: &str) -> ServingState {
    check.answer(question).unwrap().answer
}

fn error(status: u16, message: &str) -> Response {
    respond(status, json!({ "error": { "message": message, "type": "invalid_request_error" } }))
}

/// The call that a request spells out as a block.
fn block(body: &Value) -> Option<Value> {
    let words = body["messages"].as_array()?.last()?["content"].as_str()?.to_owned();
    let inner = words.split("<tool_call>").nth(1)?.split("</tool_call>").next()?.to_owned();
    serde_json::from_str(inner.trim()).ok()
}

/// A model that says again whatever call it reads, and counts a token a byte.
fn echoing(body: &Value) -> Response {
    let usage = json!({ "prompt_tokens": body.to_string().len(), "completion_tokens": 9 });
    let message = match block(body).filter(|_| body.get("tools").is_some()) {
        Some(call) => {
            json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "c1", "type": "function",
            "function": { "name": call["name"], "arguments": call["arguments"].to_string() } }] })
        }
        None => json!({ "role": "assistant", "content": "Ahoy." }),
    };
    respond(
        200,
        json!({ "model": "fern-2", "choices": [{ "index": 0, "finish_reason": "stop", "message": message }], "usage": usage }),
    )
}

#[tokio::test]
async fn a_server_that_is_loading_is_waited_for() {
    let tries = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&tries);
    let target = target("openai_chat", &[], move |body| match seen.fetch_add(1, Ordering::Relaxed) {
        0..5 => respond(503, json!({ "error": { "message": "Loading model", "type": "unavailable_error" } })),
        _ => echoing(body),
    });
    let check = check(&target).await.unwrap();
    assert_eq!(check.endpoint.sees_tools, Known::Yes);
    assert_eq!(check.requests, tries.load(Ordering::Relaxed));
    let never = support::scripted(|_| respond(503, json!({ "error": { "message": "Loading model" } })));
    let target = Target { transport: never, ..target };
    assert!(matches!(self::check(&target).await, Err(CheckError::Unreachable(_))));
}

#[tokio::test]
async fn caps_bound_a_check_and_what_was_answered_until_then_is_kept() {
    let tries = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&tries);
    let target = target("openai_chat", &[], move |body| {
        seen.fetch_add(1, Ordering::Relaxed);
        echoing(body)
    });
    let whole = check(&target).await.unwrap();
    assert_eq!(whole.cut_short, None);
    let most = serving_requests(&target, &[]);
    assert!(
        whole.requests <= most.len() as u64 && whole.requests > 10,
        "{} of {}",
        whole.requests,
        most.len()
    );
    let read: u64 = most.iter().map(|(bytes, _)| *bytes as u64).sum();
    assert!(whole.tokens.input.unwrap() <= read, "a token a byte, and no more bytes than were announced");

    tries.store(0, Ordering::Relaxed);
    let few = capped(&target, Caps { requests: Some(4), ..Caps::default() }).await.unwrap();
    assert_eq!((few.requests, tries.load(Ordering::Relaxed)), (4, 4));
    assert_eq!(few.cut_short.as_deref(), Some("4 requests (max_requests)"));
    assert_eq!(few.endpoint.sees_tools, Known::Yes);
    assert_eq!(answer(&few, "honours_none"), ServingState::Unknown);

    let tokens = capped(&target, Caps { tokens: Some(3000), ..Caps::default() }).await.unwrap();
    let used = tokens.tokens.input.unwrap() + tokens.tokens.output.unwrap();
    assert!(used > 0 && used <= 3000 && tokens.requests < whole.requests, "{used}");
    assert_eq!(tokens.cut_short.as_deref(), Some("3000 tokens (max_tokens)"));

    let nothing = capped(&target, Caps { tokens: Some(3), ..Caps::default() }).await;
    assert_eq!(nothing, Err(CheckError::Capped(Cap::Tokens(3))));
    let over = Caps { time: Some(Duration::ZERO), ..Caps::default() };
    assert!(matches!(capped(&target, over).await, Err(CheckError::Capped(Cap::Time(_)))));
}

#[tokio::test]
async fn what_keeps_a_check_from_being_made_is_told_apart() {
    let of = |status, message: &'static str| target("openai_chat", &[], move |_| error(status, message));
    assert!(matches!(check(&of(401, "bad key")).await, Err(CheckError::Authentication(_))));
    assert!(matches!(check(&of(402, "pay")).await, Err(CheckError::Quota(_))));
    assert!(matches!(check(&of(404, "no such model")).await, Err(CheckError::Unreachable(_))));
    assert!(matches!(check(&of(400, "never")).await, Err(CheckError::Refused(_))));
    let silent = target("openai_chat", &[], |_| {
        Err(TransportError { kind: TransportErrorKind::Connect, message: "nobody".into() })
    });
    assert!(matches!(check(&silent).await, Err(CheckError::Unreachable(_))));
}

#[tokio::test]
async fn settings_that_are_refused_are_left_out_and_named() {
    let settings = [("temperature", "0"), ("cache_prompt", "false"), ("max_completion_tokens", "64")];
    let target = target("openai_chat", &settings, |body| match body.get("temperature") {
        Some(_) => error(400, "Unsupported parameter: 'temperature' is not supported with this model."),
        None => echoing(body),
    });
    let check = check(&target).await.unwrap();
    assert_eq!(check.settings["temperature"], SettingState::Refused);
    assert_eq!(check.settings["cache_prompt"], SettingState::Asked);
    assert_eq!(check.endpoint.constrains_names, Known::No);
}

#[tokio::test]
async fn the_limit_goes_by_its_newer_name_where_the_older_is_refused() {
    let target = target("openai_chat", &[], |body| match body.get("max_tokens") {
        Some(_) => error(400, "'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
        None => {
            assert!(body.get("max_completion_tokens").is_some());
            echoing(body)
        }
    });
    assert_eq!(check(&target).await.unwrap().endpoint.sees_tools, Known::Yes);
}

#[tokio::test]
async fn a_stream_that_loses_a_call_is_told_from_one_that_does_not() {
    let streamed = |keeps: bool| {
        target("openai_chat", &[], move |body| {
            if body.get("stream") != Some(&json!(true)) {
                return echoing(body);
            }
            let call = block(body).unwrap();
            let delta = match keeps {
                true => {
                    json!({ "role": "assistant", "tool_calls": [{ "index": 0, "id": "c2", "type": "function",
                    "function": { "name": call["name"], "arguments": call["arguments"].to_string() } }] })
                }
                false => json!({ "role": "assistant", "content": "<tool_call>{}</tool_call>" }),
            };
            let chunk = |delta: Value, finish: Value| {
                let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
                format!("data: {}\n\n", json!({ "id": "s1", "model": "fern-2", "choices": [choice] }))
            };
            let body = chunk(delta, Value::Null) + &chunk(json!({}), json!("stop")) + "data: [DONE]\n\n";
            Ok(HttpResponse { status: 200, headers: Vec::new(), body: body.into() })
        })
    };
    assert_eq!(answer(&check(&streamed(true)).await.unwrap(), "streams_alike"), ServingState::Yes);
    assert_eq!(answer(&check(&streamed(false)).await.unwrap(), "streams_alike"), ServingState::No);
}

#[tokio::test]
async fn a_weak_model_proves_nothing_and_a_failing_server_neither() {
    let ahoy = target("openai_chat", &[], |_| respond(200, text("Ahoy.")));
    let weak = check(&ahoy).await.unwrap();
    assert_eq!(weak.endpoint, transcript::EndpointProperties::default());
    for question in ["constrains_names", "filters_unknown_names", "honours_none", "leaks_markup"] {
        assert_eq!(answer(&weak, question), ServingState::Unknown, "{question}");
    }
    // Answers without tools, and fails with them.
    let failing = target("openai_chat", &[], |body| match body.get("tools") {
        Some(_) => respond(500, json!({ "error": { "message": "template error" } })),
        None => echoing(body),
    });
    let failed = check(&failing).await.unwrap();
    assert_eq!(failed.endpoint, transcript::EndpointProperties::default());
    assert!(failed.answer("sees_tools").unwrap().evidence.join(" ").contains("template error"));
}

#[tokio::test]
async fn every_provider_s_requests_can_be_made() {
    for entry in runner::PROVIDERS {
        let settings: &[(&str, &str)] =
            if entry.required.contains(&"max_tokens") { &[("max_tokens", "64")] } else { &[] };
        let target = target(entry.name, settings, |_| error(400, "no"));
        assert!(matches!(check(&target).await, Err(CheckError::Refused(_))), "{}", entry.name);
    }
}
