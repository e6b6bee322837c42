//! A simulated model as a server that speaks the providers' protocols, on loopback only: it is an instrument for
//! measuring, not a model for anyone to reach.

use std::future::Future;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::decision_log::{Decision, DecisionLog};
use crate::delivery::{deliver, failed};
use crate::fault::Faults;
use crate::protocol::{Asked, OPENAI_CHAT, PROTOCOLS, Protocol, of_path};
use crate::request::Refused;
use crate::respond::Sim;

/// The header that names a trial: `<probe id>/<repeat>`.
pub const TRIAL_HEADER: &str = "x-toolmirage-trial";

/// The header that counts the tries of a trial, from 1: a fault that one try meets need not meet the next.
pub const ATTEMPT_HEADER: &str = "x-toolmirage-attempt";

/// Largest request body, in bytes. The largest real catalog known here makes a request of some 300 kB.
const MAX_BODY_BYTES: usize = 16 << 20;

/// Listens on loopback; port 0 takes any free one.
///
/// # Errors
/// The port cannot be had.
pub async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

/// Serves until `shutdown` is ready, then ends the requests under way. Decisions go to `log`, where there is one;
/// `faults` keeps some of them from whoever asked, drawn by the simulated model's seed.
///
/// # Errors
/// The listener is not on loopback.
pub async fn serve(
    sim: Arc<Sim>,
    faults: Faults,
    log: Option<Arc<DecisionLog>>,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        let message = format!("a simulated model serves loopback only, not {address}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    // Replies are small and come at once; waiting to fill a packet would cost more than making them.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let endpoint = Endpoint { sim, faults, log, unnamed: AtomicU64::new(0) };
    axum::serve(listener, router(endpoint)).with_graceful_shutdown(shutdown).await
}

struct Endpoint {
    sim: Arc<Sim>,
    faults: Faults,
    log: Option<Arc<DecisionLog>>,
    unnamed: AtomicU64,
}

fn router(endpoint: Endpoint) -> Router {
    Router::new()
        .route("/v1/models", get(models))
        .route("/models", get(models))
        .route("/health", get(|| async { json(br#"{"status":"ok"}"#.to_vec()) }))
        .fallback(any)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(Arc::new(endpoint))
}

/// Every protocol's requests: which it is, the path says.
async fn any(
    State(endpoint): State<Arc<Endpoint>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let Some((protocol, route)) = of_path(uri.path()) else {
        let path = |protocol: &Protocol| format!("{} ({})", protocol.paths, protocol.name);
        let paths: Vec<String> = PROTOCOLS.iter().map(path).collect();
        return failed(&OPENAI_CHAT, 404, &format!("no such path; there are {}", paths.join(", ")));
    };
    if method != Method::POST {
        return failed(protocol, 405, "this path takes another method");
    }
    let body = match body {
        Ok(body) => body,
        Err(rejection) => return failed(protocol, rejection.status().as_u16(), &rejection.body_text()),
    };
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let trial = text(TRIAL_HEADER);
    let number = match trial {
        Some(_) => 0,
        None => endpoint.unnamed.fetch_add(1, Ordering::Relaxed),
    };
    let asked = (protocol.read)(&body, &route);
    let answered = asked.and_then(|Asked { chat, streams }| {
        endpoint.sim.answer(trial, &chat, number).map(|answered| (streams, answered))
    });
    let (streams, (answer, decision)) = match answered {
        Ok(answered) => answered,
        Err(Refused(message)) => return failed(protocol, 400, &message),
    };
    let attempt: Option<u64> = text(ATTEMPT_HEADER).and_then(|attempt| attempt.parse().ok());
    // Where nobody counts the tries, each request is one of its own.
    let fault = endpoint.faults.draw(
        endpoint.sim.seed(),
        trial.unwrap_or_default(),
        &body,
        attempt.unwrap_or(number),
    );
    if let Some(log) = &endpoint.log {
        log.record(Decision { attempt, fault: fault.map(|(fault, _)| fault.to_string()), ..decision });
    }
    deliver(protocol, answer, streams, fault).await
}

async fn models(State(endpoint): State<Arc<Endpoint>>) -> Response {
    let model = serde_json::json!({
        "object": "list",
        "data": [{
            "id": endpoint.sim.profile().to_string(),
            "object": "model",
            "created": 0,
            "owned_by": "toolmirage-sim"
        }]
    });
    json(model.to_string().into_bytes())
}

fn json(body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}
