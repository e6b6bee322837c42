//! Sending the requests of a check: waiting for a server that is still loading, and giving up where nothing can come.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use transcript::Usage;

use super::exchange::{Answer, Came, Exchange};
use super::recipe::{Carried, Recipe, encode};
use super::{CheckError, CheckOptions, limit_of};
use crate::Target;
use crate::limits::Expected;
use crate::meter::{Bill, Reserved};
use crate::retry::{Failure, FailureClass, RetryDecision, decide};
use crate::transport::{HttpRequest, HttpResponse, TransportError};

/// The status of a server that is still loading its model.
const LOADING: u16 = 503;

/// Longest wait between two tries of a server that is still loading.
const LOADING_WAIT: Duration = Duration::from_secs(5);

/// What every request is sent with.
pub(super) struct Sender<'a> {
    pub(super) target: &'a Target,
    pub(super) options: &'a CheckOptions,
    pub(super) clock: &'a (dyn Fn() -> Timestamp + Sync),
    pub(super) cancel: &'a CancellationToken,
    pub(super) carried: Carried,
    /// Until when a server may be loading.
    pub(super) patient_until: Instant,
    pub(super) requests: u64,
    pub(super) tokens: Usage,
    /// Whether anything was answered yet.
    pub(super) reached: bool,
    /// Whether a key that was refused was asked for anew.
    pub(super) renewed: bool,
}

/// What one try came to.
enum Tried {
    Came(Came),
    Again { loading: bool, decision: RetryDecision, last: String },
}

impl Sender<'_> {
    /// Sends a request, again where that makes sense.
    pub(super) async fn send(&mut self, name: &str, recipe: &Recipe) -> Result<Exchange, CheckError> {
        let (path, body) = encode(self.target, &self.carried, recipe);
        let before = self.requests;
        let mut retry = 0;
        loop {
            let request = HttpRequest {
                path: path.clone(),
                // Counted on, so that a simulated model answers equal requests anew.
                trial: self.target.simulated.then(|| format!("serving_check.{name}/{}", self.requests)),
                attempt: retry + 1,
                body: body.clone(),
                deadline: self.options.request_deadline,
            };
            let limit = recipe.limit.or_else(|| limit_of(self.target, &self.carried));
            let expected = Expected::untold(body.len(), limit);
            let reserved = Reserved::of(expected, self.target.price.as_ref());
            let is_over = self.options.meter.end().is_some_and(|(end, _)| end <= Instant::now());
            if is_over || !self.options.meter.reserve(reserved, self.cancel).await {
                return Err(self.stopped());
            }
            self.requests += 1;
            let sent = tokio::select! {
                () = self.cancel.cancelled() => return Err(CheckError::Cancelled),
                () = self.time_over() => {
                    self.options.meter.settle(reserved, None, Bill::Unknown);
                    return Err(self.stopped());
                }
                sent = self.target.transport.send(request) => sent,
            };
            let (loading, decision, last) = match self.judge(sent, reserved)? {
                Tried::Came(came) => {
                    return Ok(Exchange::of(name, recipe, self.requests - before, came));
                }
                Tried::Again { loading, decision, last } => (loading, decision, last),
            };
            let Some(wait) = self.wait(retry, loading, &decision) else {
                if !self.reached {
                    return Err(CheckError::Unreachable(last));
                }
                return Ok(Exchange::of(name, recipe, self.requests - before, Came::Nothing(last)));
            };
            tracing::debug!(name, retry, ?wait, %last, "another try");
            tokio::select! {
                () = self.cancel.cancelled() => return Err(CheckError::Cancelled),
                () = self.time_over() => return Err(self.stopped()),
                () = tokio::time::sleep(wait) => {}
            }
            retry += 1;
        }
    }

    /// Comes when the time of the run is over; never, where it has no end.
    async fn time_over(&self) {
        match self.options.meter.end() {
            Some((end, _)) => tokio::time::sleep_until(end).await,
            None => std::future::pending().await,
        }
    }

    /// Why nothing more may be sent.
    fn stopped(&self) -> CheckError {
        let meter = &self.options.meter;
        let of_time = meter.end().filter(|(end, _)| *end <= Instant::now()).map(|(_, cap)| cap);
        meter.reached().or(of_time).map_or(CheckError::Cancelled, CheckError::Capped)
    }

    /// How long to wait for another try; none where there is none. A server that is loading is waited for longer than
    /// one that fails.
    fn wait(&self, retry: u32, loading: bool, decision: &RetryDecision) -> Option<Duration> {
        let policy = &self.options.retry;
        let now = Instant::now();
        if loading && !self.reached && now < self.patient_until {
            let doubled = policy.first_wait.saturating_mul(1 << retry.min(16)).min(LOADING_WAIT);
            return Some(decision.wait.unwrap_or(doubled).min(self.patient_until - now));
        }
        policy.wait(retry, decision, 0.0)
    }

    fn judge(
        &mut self,
        sent: Result<HttpResponse, TransportError>,
        reserved: Reserved,
    ) -> Result<Tried, CheckError> {
        let settle = |bill| self.options.meter.settle(reserved, self.target.price.as_ref(), bill);
        let response = match sent {
            Ok(response) => response,
            Err(error) => {
                settle(Bill::of_failure(&error));
                let retry = error.kind.is_worth_a_retry();
                let decision = RetryDecision { retry, wait: None, class: FailureClass::Server };
                return Ok(Tried::Again { loading: false, decision, last: error.to_string() });
            }
        };
        let HttpResponse { status, headers, body } = response;
        let mut decoded = (self.target.provider.decode)(status, &body);
        if let Some(gateway) = &self.target.gateway {
            let said = decoded.observed.model.take();
            decoded.observed.model = gateway.served(&self.target.model, said, &headers, decoded.whole());
        }
        settle(match (&decoded.usage, &decoded.observed.error) {
            (Some(usage), _) => Bill::Counted(usage),
            (None, None) => Bill::Unknown,
            (None, Some(_)) => Bill::Nothing,
        });
        if let Some(usage) = &decoded.usage {
            self.tokens.add(usage);
        }
        let loading = status == LOADING;
        if let Some(why) = &decoded.unreadable {
            let class = if status >= 500 { FailureClass::Server } else { FailureClass::BadRequest };
            let decision = RetryDecision { retry: status >= 500, wait: None, class };
            return Ok(Tried::Again { loading, decision, last: format!("HTTP {status}: {why}") });
        }
        let Some(error) = &decoded.observed.error else {
            self.reached = true;
            let answer = Answer { observed: decoded.observed, usage: decoded.usage, headers, body };
            return Ok(Tried::Came(Came::Answer(Box::new(answer))));
        };
        let whole = decoded.assembled.as_ref().or_else(|| decoded.body.json());
        let failure = Failure { status, headers: &headers, error: Some(error), body: whole };
        let decision = decide(&failure, (self.clock)());
        let said = format!("HTTP {status}: {}", error.message);
        match decision.class {
            FailureClass::Auth if self.target.transport.renews_key() && !self.renewed => {
                self.renewed = true;
                let decision = RetryDecision { retry: true, wait: Some(Duration::ZERO), ..decision };
                Ok(Tried::Again { loading, decision, last: said })
            }
            FailureClass::Auth => Err(CheckError::Authentication(said)),
            FailureClass::Quota => Err(CheckError::Quota(said)),
            FailureClass::NotFound if !self.reached => Err(CheckError::Unreachable(said)),
            FailureClass::BadRequest | FailureClass::ContextLimit => Ok(Tried::Came(Came::Refused(said))),
            _ => Ok(Tried::Again { loading, decision, last: said }),
        }
    }
}
