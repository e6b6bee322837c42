//! One request and its tries: sends, waits, sends again, and says in the end what came of it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use transcript::{TargetId, TrialId};

use crate::provider::Decoded;
use crate::retry::{Failure, FailureClass, RetryDecision, decide};
use crate::split_mix::SplitMix64;
use crate::transport::{HttpRequest, HttpResponse, TransportError, TransportErrorKind};
use crate::{Plan, Target};

/// What a request needs beside itself.
pub(crate) struct Asker<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) clock: &'a (dyn Fn() -> Timestamp + Sync),
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) pauses: Pauses,
}

/// What came of a request.
pub(crate) enum Asked {
    /// A response: an answer, an error body, or something that nobody can read.
    Response(Box<Response>),
    /// No response.
    Nothing(TransportError),
    /// The run was cancelled, or had spent what it may, before another try.
    Cancelled,
}

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) decoded: Decoded,
    /// Where it is an error: what kind.
    pub(crate) failure: Option<FailureClass>,
}

impl Asker<'_> {
    /// Sends a body until there is an answer or no sense in another try. `attempts` counts the tries.
    pub(crate) async fn ask(
        &self,
        target: &Target,
        trial: &TrialId,
        body: Bytes,
        attempts: &mut u32,
    ) -> Asked {
        let mut jitter = SplitMix64::keyed(self.plan.seed, trial);
        for retry in 0.. {
            if !self.wait_until(self.pauses.until(&target.id)).await {
                return Asked::Cancelled;
            }
            if !self.plan.meter.may_send() {
                return Asked::Cancelled;
            }
            *attempts += 1;
            let request = HttpRequest {
                path: (target.provider.path)(&target.model),
                trial: target.simulated.then(|| format!("{}/{}", trial.probe, trial.repeat)),
                body: body.clone(),
                deadline: self.plan.request_deadline,
            };
            let (asked, decision) = self.judge(target, target.transport.send(request).await);
            let Some(decision) = decision else { return asked };
            let Some(wait) = self.plan.retry.wait(retry, &decision, jitter.unit()) else { return asked };
            tracing::debug!(%trial, retry, ?wait, class = ?decision.class, "another try");
            if decision.class == FailureClass::Rate && decision.wait.is_some() {
                self.pauses.set(&target.id, wait);
            }
            if !self.wait_until(Some(Instant::now() + wait)).await {
                return Asked::Cancelled;
            }
        }
        Asked::Cancelled
    }

    /// What a response is, and, where it is no answer, whether to try again.
    fn judge(
        &self,
        target: &Target,
        sent: Result<HttpResponse, TransportError>,
    ) -> (Asked, Option<RetryDecision>) {
        let response = match sent {
            Ok(response) => response,
            Err(error) => {
                let retry = error.kind.is_worth_a_retry();
                let decision = RetryDecision { retry, wait: None, class: FailureClass::Server };
                return (Asked::Nothing(error), Some(decision));
            }
        };
        let status = response.status;
        let decoded = (target.provider.decode)(status, &response.body);
        self.plan.meter.spent(decoded.usage.as_ref());
        let decision = decoded.observed.error.as_ref().map(|error| {
            let body = decoded.whole();
            let failure = Failure { status, headers: &response.headers, error: Some(error), body };
            decide(&failure, (self.clock)())
        });
        let failure = decision.map(|decision| decision.class);
        (Asked::Response(Box::new(Response { status, decoded, failure })), decision)
    }

    /// Waits; false where the run is cancelled, at once.
    async fn wait_until(&self, until: Option<Instant>) -> bool {
        if self.cancel.is_cancelled() {
            return false;
        }
        let Some(until) = until else { return true };
        tokio::select! {
            () = self.cancel.cancelled() => false,
            () = tokio::time::sleep_until(until) => true,
        }
    }
}

/// Waits that an endpoint asked for, kept by all trials that go to it: sixty-four trials that each learn of a
/// limit on their own are sixty-four more requests over it.
#[derive(Default)]
pub(crate) struct Pauses(Mutex<BTreeMap<TargetId, Instant>>);

impl Pauses {
    fn until(&self, target: &TargetId) -> Option<Instant> {
        let until = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(target).copied();
        until.filter(|until| *until > Instant::now())
    }

    fn set(&self, target: &TargetId, wait: Duration) {
        let until = Instant::now() + wait;
        let mut pauses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = pauses.entry(target.clone()).or_insert(until);
        *entry = until.max(*entry);
    }
}

impl Asked {
    /// Whether a model, or at least an endpoint that knows it, was reached.
    pub(crate) fn reached(&self) -> bool {
        match self {
            Self::Response(response) => response.failure != Some(FailureClass::NotFound),
            Self::Nothing(error) => error.kind != TransportErrorKind::Connect,
            Self::Cancelled => true,
        }
    }
}
