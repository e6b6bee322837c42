//! How an answer reaches whoever asked: whole, in pieces, or not as it should.

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use crate::answer::Answer;
use crate::fault::Fault;
use crate::protocol::{Problem, Protocol};

/// How long nothing comes where nothing comes: longer than anybody waits.
const SILENCE: Duration = Duration::from_secs(3600);
/// The pause of a slow body after each of its pieces, and how many there are.
const PAUSE: Duration = Duration::from_millis(20);
const SLOW_PIECES: usize = 8;
/// Bytes of a piece that ends within characters.
const SPLIT: usize = 5;
/// Bytes of a huge body, in pieces of this many.
const HUGE: usize = 50_000_000;
const PIECE: usize = 1 << 16;

/// The forms in which endpoints name a wait: a header, or none and the body says it.
const WAITS: &[Option<(&str, &str)>] = &[
    Some(("retry-after", "0")),
    Some(("retry-after", "0.02")),
    Some(("retry-after-ms", "20")),
    // A date that is long past: there is no clock here.
    Some(("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")),
    Some(("x-ratelimit-reset-requests", "-1")),
    None,
];

/// Answers, with what goes wrong on the way. `form` decides between the forms of a fault.
pub(crate) async fn deliver(
    protocol: &Protocol,
    answer: Answer,
    streams: bool,
    fault: Option<(Fault, u64)>,
) -> Response {
    let (fault, form) = fault.map_or((None, 0), |(fault, form)| (Some(fault), form));
    let answer = if fault == Some(Fault::Truncated) { answer.cut() } else { answer };
    let content_type = match fault {
        Some(Fault::ContentType) => "text/plain; charset=utf-8",
        _ if streams => protocol.stream_type,
        _ => "application/json",
    };
    let pieces: Vec<Bytes> = if streams {
        (protocol.stream)(&answer).into_iter().map(Bytes::from).collect()
    } else {
        vec![Bytes::from((protocol.write)(&answer))]
    };
    match fault {
        None | Some(Fault::Truncated | Fault::ContentType) => typed(content_type, body(pieces)),
        Some(Fault::RateLimited) => rate_limited(protocol, form),
        Some(Fault::ServerError) => failed(protocol, 500, "something went wrong here"),
        Some(Fault::Unavailable) => failed(protocol, 503, "the model is being loaded"),
        Some(Fault::Overloaded) => failed(protocol, 529, "Overloaded"),
        Some(Fault::Timeout) => {
            tokio::time::sleep(SILENCE).await;
            failed(protocol, 504, "nobody is there")
        }
        Some(Fault::Cut) => cut(content_type, &pieces.concat()),
        Some(Fault::Malformed) => {
            let whole = pieces.concat();
            let half = whole.get(..whole.len() / 2).unwrap_or_default().to_vec();
            typed(content_type, Body::from(half))
        }
        Some(Fault::Html) => typed(
            "text/html",
            Body::from("<!doctype html>\n<title>Sign in</title>\n<p>Please sign in to go on.\n"),
        ),
        Some(Fault::Gzip) => gzip(content_type, &pieces.concat()),
        Some(Fault::Slow) => {
            let whole = pieces.concat();
            typed(content_type, paced(chunks(&whole, whole.len().div_ceil(SLOW_PIECES)), PAUSE))
        }
        Some(Fault::Split) => {
            let pieces = chunks(&pieces.concat(), SPLIT);
            typed(content_type, paced(pieces, Duration::ZERO))
        }
        Some(Fault::Huge) => typed(content_type, repeated(vec![b' '; PIECE], HUGE / PIECE, Duration::ZERO)),
        Some(Fault::Endless) => {
            let piece = b": keep-alive\n\n".repeat(16);
            typed(content_type, repeated(piece, usize::MAX, Duration::from_millis(2)))
        }
    }
}

fn typed(content_type: &'static str, body: Body) -> Response {
    ([(header::CONTENT_TYPE, content_type)], body).into_response()
}

/// One piece has its length said beforehand; several are sent as they are.
fn body(mut pieces: Vec<Bytes>) -> Body {
    if pieces.len() == 1 {
        return pieces.pop().map(Body::from).unwrap_or_default();
    }
    Body::from_stream(stream::iter(pieces.into_iter().map(Ok::<_, Infallible>)))
}

/// An error of the endpoint.
pub(crate) fn failed(protocol: &Protocol, status: u16, message: &str) -> Response {
    error(protocol, Problem { status, message, says_wait: false })
}

fn error(protocol: &Protocol, problem: Problem<'_>) -> Response {
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, typed("application/json", Body::from((protocol.error)(&problem)))).into_response()
}

fn rate_limited(protocol: &Protocol, form: u64) -> Response {
    let forms = WAITS.len() as u64;
    let wait = usize::try_from(form % forms).ok().and_then(|at| WAITS.get(at)).copied().flatten();
    let message = match wait {
        Some(_) => "too many requests",
        None => "too many requests, please try again in 20ms",
    };
    let mut response = error(protocol, Problem { status: 429, message, says_wait: wait.is_none() });
    if let Some((name, value)) = wait {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// The length of the whole is said, and half of it comes.
fn cut(content_type: &'static str, whole: &[u8]) -> Response {
    let half = Bytes::copy_from_slice(whole.get(..whole.len() / 2).unwrap_or_default());
    let broken = io::Error::new(io::ErrorKind::ConnectionReset, "cut");
    let pieces = stream::iter([Ok(half), Err(broken)]);
    let mut response = typed(content_type, Body::from_stream(pieces));
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(whole.len()));
    response
}

fn gzip(content_type: &'static str, whole: &[u8]) -> Response {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let packed = writer.write_all(whole).and_then(|()| writer.finish());
    let Ok(packed) = packed else { return typed(content_type, Body::from(whole.to_vec())) };
    let mut response = typed(content_type, Body::from(packed));
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    response
}

fn chunks(whole: &[u8], length: usize) -> Vec<Bytes> {
    whole.chunks(length.max(1)).map(Bytes::copy_from_slice).collect()
}

/// Pieces with a pause after each.
fn paced(pieces: Vec<Bytes>, pause: Duration) -> Body {
    let pieces = stream::unfold(pieces.into_iter(), move |mut pieces| async move {
        let piece = pieces.next()?;
        rest(pause).await;
        Some((Ok::<_, Infallible>(piece), pieces))
    });
    Body::from_stream(pieces)
}

/// One piece, again and again.
fn repeated(piece: Vec<u8>, times: usize, pause: Duration) -> Body {
    let piece = Bytes::from(piece);
    let pieces = stream::unfold((piece, times), move |(piece, left)| async move {
        let left = left.checked_sub(1)?;
        rest(pause).await;
        Some((Ok::<_, Infallible>(piece.clone()), (piece, left)))
    });
    Body::from_stream(pieces)
}

/// A pause, or at least room for others.
async fn rest(pause: Duration) {
    if pause.is_zero() {
        tokio::task::yield_now().await;
    } else {
        tokio::time::sleep(pause).await;
    }
}
