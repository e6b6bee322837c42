//! A simulated model as a chat-completions server, on loopback only: it is an instrument for measuring, not
//! a model for anyone to reach.

use std::future::Future;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::completion::error_body;
use crate::decision_log::DecisionLog;
use crate::respond::{Reply, Sim};

/// The header that names a trial: `<probe id>/<repeat>`.
pub const TRIAL_HEADER: &str = "x-toolmirage-trial";

/// Largest request body, in bytes. The largest real catalog known here makes a request of some 300 kB.
const MAX_BODY_BYTES: usize = 16 << 20;

/// Listens on loopback; port 0 takes any free one.
///
/// # Errors
/// The port cannot be had.
pub async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

/// Serves until `shutdown` is ready, then ends the requests under way. Decisions go to `log`, where there is
/// one.
///
/// # Errors
/// The listener is not on loopback.
pub async fn serve(
    sim: Arc<Sim>,
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
    axum::serve(listener, router(sim, log)).with_graceful_shutdown(shutdown).await
}

struct Endpoint {
    sim: Arc<Sim>,
    log: Option<Arc<DecisionLog>>,
    unnamed: AtomicU64,
}

fn router(sim: Arc<Sim>, log: Option<Arc<DecisionLog>>) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(chat))
        .route("/chat/completions", post(chat))
        .route("/v1/models", get(models))
        .route("/models", get(models))
        .route("/health", get(|| async { json(StatusCode::OK, br#"{"status":"ok"}"#.to_vec()) }))
        .fallback(|| async {
            error(StatusCode::NOT_FOUND, "no such path; chat completions are at /v1/chat/completions")
        })
        .method_not_allowed_fallback(|| async {
            error(StatusCode::METHOD_NOT_ALLOWED, "this path takes another method")
        })
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(Arc::new(Endpoint { sim, log, unnamed: AtomicU64::new(0) }))
}

async fn chat(
    State(endpoint): State<Arc<Endpoint>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejection) => return error(rejection.status(), &rejection.body_text()),
    };
    let trial = headers.get(TRIAL_HEADER).and_then(|value| value.to_str().ok());
    let number = match trial {
        Some(_) => 0,
        None => endpoint.unnamed.fetch_add(1, Ordering::Relaxed),
    };
    let Reply { status, body, decision } = endpoint.sim.respond_numbered(trial, &body, number);
    if let (Some(log), Some(decision)) = (&endpoint.log, decision) {
        log.record(decision);
    }
    json(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), body)
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
    json(StatusCode::OK, model.to_string().into_bytes())
}

fn error(status: StatusCode, message: &str) -> Response {
    json(status, error_body(message))
}

fn json(status: StatusCode, body: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
