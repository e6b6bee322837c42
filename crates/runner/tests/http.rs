//! The transport over HTTP, against servers on loopback that behave well and badly.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::collections::HashSet;
use std::fs;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::post;
use runner::{
    EXECUTOR_FILE, HttpOptions, HttpRequest, HttpTransport, KeyHeader, RECORD_FILE, Redactor, RunFiles,
    Secret, TokenCommand, Transport as _, TransportError, TransportErrorKind, run,
};
use support::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use transcript::TrialStatus;

fn options(address: SocketAddr) -> HttpOptions {
    HttpOptions {
        base_url: format!("http://{address}/v1/"),
        key: None,
        token: None,
        key_header: KeyHeader::Bearer,
        signer: None,
        ca_file: None,
        headers: Vec::new(),
        secret_headers: Vec::new(),
        connect_timeout: Duration::from_secs(2),
        max_connections: 4,
        max_body: 1 << 20,
    }
}

fn request(deadline: Duration) -> HttpRequest {
    HttpRequest {
        path: "/chat/completions".into(),
        trial: Some("a.control/0".into()),
        attempt: 1,
        body: "{}".into(),
        deadline,
    }
}

async fn send(options: HttpOptions, deadline: Duration) -> Result<runner::HttpResponse, TransportError> {
    HttpTransport::new(options).unwrap().send(request(deadline)).await
}

async fn serve(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        axum::serve(listener, app.into_make_service_with_connect_info::<SocketAddr>()).await
    });
    address
}

/// A server that answers every connection with these bytes and, unless told to hold it, closes it.
async fn raw(bytes: &'static [u8], hold: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(bytes).await;
            if hold {
                held.push(stream);
            }
        }
    });
    address
}

const SOON: Duration = Duration::from_secs(5);

#[tokio::test]
async fn headers_go_out_and_come_back() {
    let seen = Arc::new(Mutex::new(HeaderMap::new()));
    let app = Router::new().route(
        "/v1/chat/completions",
        post({
            let seen = seen.clone();
            async move |headers: HeaderMap| {
                *seen.lock().unwrap() = headers;
                (StatusCode::TOO_MANY_REQUESTS, [("Retry-After-Ms", "250")], "{}").into_response()
            }
        }),
    );
    let options = HttpOptions {
        key: Some(Secret::new("k-fern-99182".into())),
        headers: vec![("X-Depot".into(), "north".into())],
        secret_headers: vec![("x-vault".into(), Secret::new("v-1".into()))],
        ..options(serve(app).await)
    };
    let response = send(options, SOON).await.unwrap();
    assert_eq!((response.status, &response.body[..]), (429, &b"{}"[..]));
    assert!(response.headers.contains(&("retry-after-ms".into(), "250".into())));
    let headers = seen.lock().unwrap();
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    assert_eq!(header("authorization"), "Bearer k-fern-99182");
    assert_eq!((header("x-depot"), header("x-vault")), ("north".to_owned(), "v-1".to_owned()));
    assert_eq!(
        (header("content-type"), header("x-toolmirage-trial")),
        ("application/json".to_owned(), "a.control/0".to_owned())
    );
    assert!(header("user-agent").starts_with("toolmirage/"));
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    let followed = Arc::new(AtomicU32::new(0));
    let app = Router::new()
        .route("/v1/chat/completions", post(async || (StatusCode::FOUND, [("location", "/login")], "moved")))
        .route(
            "/login",
            post({
                let followed = followed.clone();
                async move || {
                    followed.fetch_add(1, Ordering::Relaxed);
                }
            }),
        );
    let response = send(options(serve(app).await), SOON).await.unwrap();
    assert_eq!((response.status, followed.load(Ordering::Relaxed)), (302, 0));
}

#[tokio::test]
async fn each_way_of_not_answering_has_its_kind() {
    let kind = async |options, deadline| send(options, deadline).await.unwrap_err();
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let refused = kind(options(free), SOON).await;
    assert_eq!(refused.kind, TransportErrorKind::Connect, "{refused}");
    assert!(!refused.message.contains("http://"), "{refused}");

    let half = raw(b"HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{\"id\":", false).await;
    assert_eq!(kind(options(half), SOON).await.kind, TransportErrorKind::Cut);
    let nothing = raw(b"", false).await;
    assert_eq!(kind(options(nothing), SOON).await.kind, TransportErrorKind::Cut);
    let stalled = raw(b"HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{", true).await;
    assert_eq!(kind(options(stalled), Duration::from_millis(100)).await.kind, TransportErrorKind::Timeout);
    let packed =
        raw(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope", false).await;
    assert_eq!(kind(options(packed), SOON).await.kind, TransportErrorKind::Cut);

    let app = Router::new().route("/v1/chat/completions", post(async || "x".repeat(3000)));
    let small = HttpOptions { max_body: 2000, ..options(serve(app).await) };
    assert_eq!(kind(small, SOON).await.kind, TransportErrorKind::TooLarge);
}

#[tokio::test]
async fn half_a_body_costs_the_trial_and_not_the_run() {
    let half = raw(b"HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{\"id\":", false).await;
    let mut target = target(Arc::new(HttpTransport::new(options(half)).unwrap()));
    target.place = format!("http://{half}/v1");
    let plan = plan(target, vec![probe("a.control"), probe("b.control")], 1);
    let folder = tempfile::tempdir().unwrap();
    let end = run(&plan, &mut create(folder.path(), &plan), &clock, &CancellationToken::new(), &mut |_| {})
        .await
        .unwrap();
    assert_eq!((end.done, end.scored), (2, 0));
    let (trials, complete) = recorded(folder.path());
    assert!(
        complete
            && trials.iter().all(|trial| trial.status == TrialStatus::EndpointError && trial.attempts == 3)
    );
    assert!(trials[0].error.as_ref().unwrap().message.starts_with("the response was cut off"));
}

#[tokio::test]
async fn a_key_is_nowhere_on_disk_even_if_the_endpoint_repeats_it() {
    let key = "k-fern-99182-moss";
    let app = Router::new().route(
        "/v1/chat/completions",
        post(async |headers: HeaderMap, body: String| {
            let key = headers["authorization"].to_str().unwrap().to_owned();
            let request: serde_json::Value = serde_json::from_str(&body).unwrap();
            let arguments = serde_json::json!({ "parcel_id": key }).to_string();
            let answer = if turns_so_far(&request) == 0 {
                calls(&[("get_parcel", &arguments), ("reroute_parcel", &key)])
            } else {
                text(&key)
            };
            answer.to_string()
        }),
    );
    let secret = Secret::new(key.into());
    let address = serve(app).await;
    let transport =
        HttpTransport::new(HttpOptions { key: Some(secret.clone()), ..options(address) }).unwrap();
    let plan = plan(target(Arc::new(transport)), vec![probe("a.control")], 1);
    let folder = tempfile::tempdir().unwrap();
    let mut files =
        RunFiles::create(folder.path(), &header(&plan), lines(&plan), &Redactor::new([&secret])).unwrap();
    let end = run(&plan, &mut files, &clock, &CancellationToken::new(), &mut |_| {}).await.unwrap();
    assert_eq!(end.scored, 1);
    for file in [RECORD_FILE, EXECUTOR_FILE] {
        let written = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(!written.contains("moss") && written.contains("[redacted]"), "{file}: {written}");
    }
    assert_eq!(recorded(folder.path()).0.len(), 1, "what is left is still a record");
}

#[tokio::test]
async fn connections_are_kept() {
    let peers = Arc::new(Mutex::new(HashSet::new()));
    let app = Router::new().route(
        "/v1/chat/completions",
        post({
            let peers = peers.clone();
            async move |ConnectInfo(peer): ConnectInfo<SocketAddr>| {
                peers.lock().unwrap().insert(peer);
                text("In Turku.").to_string()
            }
        }),
    );
    let transport = HttpTransport::new(options(serve(app).await)).unwrap();
    let probes = (0..50).map(|at| probe(&format!("t{at}.control"))).collect();
    let plan = plan(target(Arc::new(transport)), probes, 2);
    let end =
        run(&plan, &mut RunFiles::in_memory(), &clock, &CancellationToken::new(), &mut |_| {}).await.unwrap();
    assert_eq!(end.done, 100);
    // A slot may connect while another's connection comes free, so a few more than four are fine.
    assert!(peers.lock().unwrap().len() <= 8, "{}", peers.lock().unwrap().len());
}

#[cfg(unix)]
#[tokio::test]
async fn a_key_that_a_command_prints_is_asked_for_anew_once() {
    let keys = Arc::new(Mutex::new(Vec::new()));
    let seen = keys.clone();
    // The endpoint takes no key but the second, and no key at all where the path says so.
    let app = Router::new().route(
        "/v1/chat/completions",
        post(move |headers: HeaderMap| async move {
            let key = headers["authorization"].to_str().unwrap().to_owned();
            seen.lock().unwrap().push(key.clone());
            if key == "Bearer key-number-2" {
                (StatusCode::OK, text(&format!("I saw {key}.")).to_string())
            } else {
                (StatusCode::UNAUTHORIZED, format!(r#"{{"error":{{"message":"{key} is over"}}}}"#))
            }
        }),
    );
    let address = serve(app).await;
    let folder = tempfile::tempdir().unwrap();
    let (script, count) = (folder.path().join("key.sh"), folder.path().join("count"));
    fs::write(&script, format!("echo x >> '{0}'; echo key-number-$(wc -l < '{0}')", count.display()))
        .unwrap();
    let command = Arc::new(TokenCommand::new(&format!("sh '{}'", script.display())).unwrap());
    let transport =
        HttpTransport::new(HttpOptions { token: Some(command.clone()), ..options(address) }).unwrap();
    let plan = plan(target(Arc::new(transport)), (0..12).map(|at| probe(&format!("t{at}.x"))).collect(), 1);
    let record = folder.path().join("record");
    fs::create_dir(&record).unwrap();
    let redactor = Redactor::default().with(command.redactor());
    let mut files = RunFiles::create(&record, &header(&plan), lines(&plan), &redactor).unwrap();
    let end = run(&plan, &mut files, &clock, &CancellationToken::new(), &mut |_| {}).await.unwrap();
    assert_eq!((end.why, end.scored), (runner::EndReason::Complete, 12));
    let refused = keys.lock().unwrap().iter().filter(|key| *key == "Bearer key-number-1").count();
    assert!((1..=4).contains(&refused), "{refused}: those that were under way together");
    assert_eq!(fs::read_to_string(&count).unwrap().lines().count(), 2, "one new key for all");
    let written = fs::read_to_string(record.join(RECORD_FILE)).unwrap();
    assert!(written.contains("I saw Bearer [redacted].") && !written.contains("key-number"), "{written}");
    // A command whose keys are never taken stops the run, as a wrong key does.
    fs::write(&script, "echo key-number-9").unwrap();
    let command = Arc::new(TokenCommand::new(&format!("sh '{}'", script.display())).unwrap());
    let transport =
        HttpTransport::new(HttpOptions { token: Some(command.clone()), ..options(address) }).unwrap();
    let plan = self::plan(target(Arc::new(transport)), vec![probe("t.x")], 1);
    let end = run(&plan, &mut RunFiles::in_memory(), &clock, &CancellationToken::new(), &mut |_| {}).await;
    assert!(matches!(end.unwrap().why, runner::EndReason::Authentication { .. }));
    assert_eq!(keys.lock().unwrap().iter().filter(|key| *key == "Bearer key-number-9").count(), 2);
}

#[tokio::test]
async fn what_a_gateway_answers_in_a_models_place_is_told_apart() {
    let count = Arc::new(AtomicU32::new(0));
    let app = Router::new().route(
        "/v1/chat/completions",
        post(move || async move {
            let number = count.fetch_add(1, Ordering::SeqCst);
            let (model, words) = match number {
                0 => ("fern-2-0917", "In Turku."),
                1 => ("moss-1", "In Turku."),
                2 => ("fern-2-0917", "upstream fern unavailable"),
                _ => ("", "In Turku."),
            };
            let mut body = text(words);
            body["id"] = serde_json::json!(format!("id-{number}"));
            ([("x-upstream-model", model)], body.to_string())
        }),
    );
    let address = serve(app).await;
    let mut target = target(Arc::new(HttpTransport::new(options(address)).unwrap()));
    let at = transcript::ServedAt {
        header: Some("X-Upstream-Model".into()),
        equals: vec!["fern-2-0917".into()],
        ..transcript::ServedAt::default()
    };
    target.gateway = Some(runner::Gateway::new(Some(at), &["^upstream .* unavailable".to_owned()]).unwrap());
    let mut plan = plan(target, (0..4).map(|at| probe(&format!("t{at}.x"))).collect(), 1);
    plan.concurrency = 1;
    let folder = tempfile::tempdir().unwrap();
    run(&plan, &mut create(folder.path(), &plan), &clock, &CancellationToken::new(), &mut |_| {})
        .await
        .unwrap();
    let found: Vec<_> = recorded(folder.path())
        .0
        .iter()
        .map(|trial| {
            let served = trial.served_model.as_ref().unwrap();
            (trial.status, trial.error.as_ref().and_then(|error| error.cause), served.verdict)
        })
        .collect();
    use transcript::{ErrorCause, ServedVerdict};
    assert_eq!(
        found,
        [
            (TrialStatus::Scored, None, ServedVerdict::Equal),
            (TrialStatus::EndpointError, Some(ErrorCause::Fallback), ServedVerdict::Different),
            (TrialStatus::EndpointError, Some(ErrorCause::ErrorText), ServedVerdict::Equal),
            (TrialStatus::Scored, None, ServedVerdict::NotVerifiable),
        ]
    );
}
