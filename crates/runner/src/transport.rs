//! How a request reaches a model and a response comes back: over HTTP, or in process for a simulated model.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;

/// Carries one request to one target. It does not retry: every try is the runner's, and recorded.
pub trait Transport: Send + Sync {
    /// Sends a request and waits for the whole response.
    ///
    /// # Errors
    /// There is no complete response, for the reason that the error names.
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>>;

    /// Whether a request that is refused for its key may be sent once more: the next one carries another key.
    fn renews_key(&self) -> bool {
        false
    }

    /// Gets a path at the root of the endpoint's own host, where there is a host: what a server says of itself.
    fn look_up(
        &self,
        path: &str,
        deadline: Duration,
    ) -> Option<BoxFuture<'_, Result<HttpResponse, TransportError>>> {
        let _ = (path, deadline);
        None
    }
}

/// A request, as far as it differs from another to the same target.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// What is appended to the base URL.
    pub path: String,
    /// Which trial it belongs to (`<probe id>/<repeat>`), for simulated targets only; sent as
    /// `x-toolmirage-trial`.
    pub trial: Option<String>,
    /// Which try of that trial it is, from 1; sent as `x-toolmirage-attempt` where the trial is.
    pub attempt: u32,
    /// The body, JSON.
    pub body: Bytes,
    /// How long everything may take, from connecting to the last byte.
    pub deadline: Duration,
}

/// The header that names the trial to a simulated model.
pub const TRIAL_HEADER: &str = "x-toolmirage-trial";

/// The header that counts the tries of a trial for a simulated model: whether one fails is drawn for each.
pub const ATTEMPT_HEADER: &str = "x-toolmirage-attempt";

/// A complete response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse {
    /// HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Bytes,
}

/// Why there is no complete response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct TransportError {
    /// What kind of failure.
    pub kind: TransportErrorKind,
    /// What happened, in words, without the URL.
    pub message: String,
}

/// Kinds of failure that are acted on differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransportErrorKind {
    /// No complete response within the deadline.
    Timeout,
    /// No connection: refused, no such host, no handshake.
    Connect,
    /// The connection ended before the response was complete.
    Cut,
    /// The body is larger than the limit.
    TooLarge,
    /// The request could not be made.
    Other,
}

impl TransportErrorKind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[Self::Timeout, Self::Connect, Self::Cut, Self::TooLarge, Self::Other];

    /// The word that records use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Connect => "connect",
            Self::Cut => "cut_off",
            Self::TooLarge => "too_large",
            Self::Other => "request",
        }
    }

    /// Whether another try can end differently.
    #[must_use]
    pub fn is_worth_a_retry(self) -> bool {
        matches!(self, Self::Timeout | Self::Connect | Self::Cut)
    }
}

impl fmt::Display for TransportErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Timeout => "no answer in time",
            Self::Connect => "cannot connect",
            Self::Cut => "the response was cut off",
            Self::TooLarge => "the response is too large",
            Self::Other => "the request cannot be made",
        })
    }
}
