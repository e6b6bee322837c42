//! Limits over a whole run: caps that hold whatever is under way, slots that fall and recover, waits and deadlines.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use probes::Probe;
use runner::{
    Cap, Caps, EndReason, HttpRequest, HttpResponse, Meter, Plan, RunEnd, RunFiles, Share, Transport,
    TransportError, run,
};
use serde_json::{Value, json};
use support::{clock, create, plan, probe, recorded, resume, target, text};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use transcript::{Cost, Price, TrialStatus, UsdPerMillion};

async fn carry_out(plan: &Plan, files: &mut RunFiles) -> RunEnd {
    run(plan, files, &clock, &CancellationToken::new(), &mut |_| {}).await.unwrap()
}

fn many(count: usize) -> Vec<Probe> {
    (0..count).map(|at| probe(&format!("t{at}.control"))).collect()
}

type Answer = dyn Fn(usize) -> (u16, Vec<(String, String)>, Value) + Send + Sync;

/// A model that takes its time: by the number of the request to the answer, and what it saw.
struct Slow {
    takes: Duration,
    answer: Box<Answer>,
    under_way: AtomicUsize,
    /// When each request came, in milliseconds, and how many were under way with it.
    seen: Mutex<Vec<(u128, usize)>>,
    began: Instant,
}

impl Slow {
    fn new(
        takes: Duration,
        answer: impl Fn(usize) -> (u16, Vec<(String, String)>, Value) + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            takes,
            answer: Box::new(answer),
            under_way: AtomicUsize::new(0),
            seen: Mutex::default(),
            began: Instant::now(),
        })
    }

    fn seen(&self) -> Vec<(u128, usize)> {
        self.seen.lock().unwrap().clone()
    }
}

impl Transport for Slow {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        async move {
            let under_way = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
            let number = {
                let mut seen = self.seen.lock().unwrap();
                seen.push((self.began.elapsed().as_millis(), under_way));
                seen.len() - 1
            };
            let takes = self.takes.min(request.deadline);
            tokio::time::sleep(takes).await;
            self.under_way.fetch_sub(1, Ordering::SeqCst);
            if takes < self.takes {
                let message = "nothing complete in time".to_owned();
                return Err(TransportError { kind: runner::TransportErrorKind::Timeout, message });
            }
            let (status, headers, mut body) = (self.answer)(number);
            if body.get("choices").is_some() {
                body["id"] = json!(format!("chatcmpl-{number}"));
            }
            Ok(HttpResponse { status, headers, body: body.to_string().into() })
        }
        .boxed()
    }
}

/// An answer that says what it used.
fn answer(input: u64, output: u64) -> (u16, Vec<(String, String)>, Value) {
    let mut body = text("In Turku.");
    body["usage"] = json!({ "prompt_tokens": input, "completion_tokens": output });
    (200, Vec::new(), body)
}

fn refused(header: &str, value: &str) -> (u16, Vec<(String, String)>, Value) {
    (429, vec![(header.to_owned(), value.to_owned())], json!({ "error": { "message": "slow down" } }))
}

const A_SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn caps_on_tokens_and_money_hold_at_any_concurrency() {
    for (caps, price) in [
        (Caps { tokens: Some(30_000), ..Caps::default() }, None),
        (Caps { cost: Cost::of_dollars(0.06), ..Caps::default() }, Some(2.0)),
    ] {
        let usd = |dollars| UsdPerMillion::of_dollars(dollars).unwrap();
        let model = Slow::new(A_SECOND, |_| answer(150, 50));
        let mut target = target(model.clone());
        target.price = price.map(|price| Price {
            input: usd(price),
            cached_input: None,
            cache_write: None,
            output: usd(price),
            as_of: None,
            source: None,
        });
        let mut plan = plan(target, many(1000), 1);
        plan.concurrency = 64;
        plan.meter = Arc::new(Meter::new(caps));
        let folder = tempfile::tempdir().unwrap();
        let end = carry_out(&plan, &mut create(folder.path(), &plan)).await;
        let cap = caps.tokens.map(Cap::Tokens).or(caps.cost.map(Cap::Cost)).unwrap();
        assert_eq!(end.why, EndReason::Capped(cap));
        let spent = model.seen().len() * 200;
        assert!(spent <= 30_000, "{spent} of 30000 tokens");
        assert!(spent > 29_000, "{spent}: as much as fits is used");
        let (trials, complete) = recorded(folder.path());
        assert_eq!((trials.len() as u64, complete), (end.done, false));
        assert_eq!(trials.len(), model.seen().len(), "what was paid for is kept");
        plan.meter = Arc::new(Meter::new(Caps::default()));
        let end = carry_out(&plan, &mut resume(folder.path(), &plan).unwrap()).await;
        assert_eq!((end.why, end.done), (EndReason::Complete, 1000));
    }
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_has_too_much_to_do_is_asked_less_and_then_more_again() {
    let model = Slow::new(A_SECOND, |number| if number < 16 { refused("x", "y") } else { answer(9, 9) });
    let mut plan = plan(target(model.clone()), many(400), 1);
    plan.concurrency = 16;
    let end = carry_out(&plan, &mut RunFiles::in_memory()).await;
    assert_eq!((end.why, end.scored), (EndReason::Complete, 400));
    let under_way: Vec<usize> = model.seen().iter().map(|(_, under_way)| *under_way).collect();
    assert_eq!(under_way[..16].iter().max(), Some(&16), "it starts at what was asked for");
    let later = &under_way[16..];
    assert!(later[..24].iter().all(|under_way| *under_way <= 9), "{later:?}");
    let first_full = later.iter().position(|under_way| *under_way == 16).unwrap();
    // 8 + 9 + ... + 15 answers, one more slot after each wave.
    assert!((80..120).contains(&first_full), "{first_full}");
    assert!(later.iter().all(|under_way| *under_way <= 16));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_one_is_asked_for_is_one_for_all() {
    let model =
        Slow::new(A_SECOND, |number| if number == 0 { refused("retry-after", "30") } else { answer(9, 9) });
    let mut plan = plan(target(model.clone()), many(40), 1);
    plan.retry.longest_asked = Duration::from_secs(60);
    let end = carry_out(&plan, &mut RunFiles::in_memory()).await;
    assert_eq!(end.scored, 40);
    let seen = model.seen();
    assert_eq!(seen.iter().filter(|(at, _)| *at < 1000).count(), 4);
    assert!(seen.iter().skip(4).all(|(at, _)| *at >= 31_000), "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_does_not_heal_stops_the_run() {
    let model =
        Slow::new(A_SECOND, |number| if number < 10 { answer(9, 9) } else { refused("retry-after", "3600") });
    let plan = plan(target(model.clone()), many(100), 1);
    let folder = tempfile::tempdir().unwrap();
    let end = carry_out(&plan, &mut create(folder.path(), &plan)).await;
    assert!(matches!(&end.why, EndReason::Quota { message, .. } if message.contains("slow down")), "{end:?}");
    assert_eq!(recorded(folder.path()).0.len(), 10);
    assert!(model.seen().len() < 20);
}

#[tokio::test(start_paused = true)]
async fn our_share_of_a_minute_is_kept() {
    for share in [
        Share { name: "corp".into(), requests_per_minute: Some(120), tokens_per_minute: None },
        Share { name: "corp".into(), requests_per_minute: None, tokens_per_minute: Some(24_000) },
    ] {
        let model = Slow::new(A_SECOND, |_| answer(150, 50));
        let mut target = target(model.clone());
        target.share = Some(share);
        let mut plan = plan(target, many(300), 1);
        plan.concurrency = 64;
        let end = carry_out(&plan, &mut RunFiles::in_memory()).await;
        assert_eq!(end.scored, 300);
        let times: Vec<u128> = model.seen().iter().map(|(at, _)| *at).collect();
        for (at, start) in times.iter().enumerate() {
            let within = times[at..].iter().take_while(|time| **time < start + 60_000).count();
            assert!(within <= 122, "{within} from {start} ms on");
        }
        assert!((120_000..200_000).contains(&times[299]), "{}", times[299]);
    }
}

#[tokio::test(start_paused = true)]
async fn what_headers_say_is_left_is_not_run_into() {
    let model = Slow::new(A_SECOND, |number| {
        let (status, _, body) = answer(9, 9);
        let left = (19_usize.saturating_sub(number % 20)).to_string();
        let headers = [
            ("x-ratelimit-limit-requests", "20"),
            ("x-ratelimit-remaining-requests", &left),
            ("x-ratelimit-reset-requests", "20s"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        (status, headers.to_vec(), body)
    });
    let mut plan = plan(target(model.clone()), many(40), 1);
    plan.concurrency = 1;
    carry_out(&plan, &mut RunFiles::in_memory()).await;
    let times: Vec<u128> = model.seen().iter().map(|(at, _)| *at).collect();
    assert_eq!(times[19], 19_000);
    // None is left, and the limit of twenty is whole again within twenty seconds: one a second.
    assert_eq!(times[20], 21_000);
}

#[tokio::test(start_paused = true)]
async fn a_trial_ends_at_its_deadline_whatever_its_requests_do() {
    let model =
        Slow::new(Duration::from_secs(4), |_| (500, Vec::new(), json!({ "error": { "message": "m" } })));
    let mut plan = plan(target(model.clone()), many(4), 1);
    plan.concurrency = 1;
    plan.retry.max_retries = 100;
    plan.trial_deadline = Some(Duration::from_secs(10));
    let folder = tempfile::tempdir().unwrap();
    let end = carry_out(&plan, &mut create(folder.path(), &plan)).await;
    assert_eq!((end.why, end.done), (EndReason::Complete, 4));
    let (trials, _) = recorded(folder.path());
    assert!(
        trials.iter().all(|trial| trial.status == TrialStatus::Timeout && trial.attempts == 3),
        "{trials:?}"
    );
    let message = &trials[0].error.as_ref().unwrap().message;
    assert!(message.contains("the trial has taken 10.0 s"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn the_first_of_a_block_goes_alone() {
    let model = Slow::new(A_SECOND, |_| answer(9, 9));
    let arms = ["t.control", "t.control@strict", "t.control@parallel", "t.control@thinking"];
    let mut simulated = plan(target(model.clone()), arms.map(probe).to_vec(), 1);
    simulated.concurrency = 8;
    let mut real = simulated.clone();
    carry_out(&real, &mut RunFiles::in_memory()).await;
    let times: Vec<u128> = model.seen().iter().map(|(at, _)| *at).collect();
    assert_eq!(times, [0, 1000, 1000, 1000]);
    // Other blocks go on meanwhile.
    let model = Slow::new(A_SECOND, |_| answer(9, 9));
    let two = [arms, ["u.control", "u.control@strict", "u.control@parallel", "u.control@thinking"]].concat();
    real = plan(target(model.clone()), two.into_iter().map(probe).collect(), 1);
    real.concurrency = 4;
    carry_out(&real, &mut RunFiles::in_memory()).await;
    let times: Vec<u128> = model.seen().iter().map(|(at, _)| *at).collect();
    assert_eq!(times, [0, 0, 1000, 1000, 1000, 1000, 2000, 2000]);
    // Nothing is cached in a model that is made up.
    let model = Slow::new(A_SECOND, |_| answer(9, 9));
    let mut target = target(model.clone());
    target.simulated = true;
    simulated.cells[0].target = Arc::new(target);
    carry_out(&simulated, &mut RunFiles::in_memory()).await;
    assert!(model.seen().iter().all(|(at, _)| *at == 0));
}
