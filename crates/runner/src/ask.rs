//! One request and its tries: sends, waits, sends again, and says in the end what came of it.

use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use transcript::{KeptResponse, TrialId};

use crate::limits::{Ended, Limits, Load};
use crate::meter::{Bill, Reserved};
use crate::provider::Decoded;
use crate::recording::{Kept, stamp};
use crate::retry::{Failure, FailureClass, RetryDecision, decide};
use crate::split_mix::SplitMix64;
use crate::transport::{HttpRequest, HttpResponse, TransportError, TransportErrorKind};
use crate::{Plan, RecordError, RecordingMode, RequestKey, Target};

/// What a request needs beside itself.
pub(crate) struct Asker<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) clock: &'a (dyn Fn() -> Timestamp + Sync),
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) limits: Limits,
}

/// What the tries of a trial have used so far.
pub(crate) struct Tries {
    /// How many there were.
    pub(crate) attempts: u32,
    /// How long they may still take.
    pub(crate) time: Duration,
}

impl Tries {
    /// Before the first.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self { attempts: 0, time: plan.trial_deadline.unwrap_or(Duration::MAX) }
    }

    fn used(&mut self, since: Instant) {
        self.time = self.time.saturating_sub(since.elapsed());
    }
}

/// What came of a request.
pub(crate) enum Asked {
    /// A response: an answer, an error body, or something that nobody can read.
    Response(Box<Response>),
    /// No response.
    Nothing(TransportError),
    /// It is not among the recordings, and nothing may be sent: the hash of what was asked.
    NotRecorded(String),
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
    /// Gets the response to a body: one that is kept, where there is one, else by asking. `limit` is the most that the
    /// answer may be long, in tokens, where the request says so.
    ///
    /// # Errors
    /// Kept responses cannot be read or written.
    pub(crate) async fn ask(
        &self,
        target: &Target,
        trial: &TrialId,
        (body, limit): (Bytes, Option<u64>),
        tries: &mut Tries,
    ) -> Result<(Asked, Option<KeptResponse>), RecordError> {
        let request = HttpRequest {
            path: (target.provider.path)(&target.model),
            trial: target.simulated.then(|| format!("{}/{}", trial.probe, trial.repeat)),
            attempt: 0,
            body,
            deadline: self.plan.request_deadline,
        };
        let Some(recordings) = self.plan.recordings.as_deref() else {
            return Ok((self.send(target, trial, (&request, limit), tries).await.asked, None));
        };
        let key = RequestKey::of(target, &request, trial.repeat);
        if let Some(kept) = recordings.find(&key).await? {
            let Kept { outcome, latency_ms, stored } = kept;
            // What is kept ended the tries then: it is not tried again now.
            return Ok((self.judge(target, outcome).asked, Some(KeptResponse { latency_ms, stored })));
        }
        if recordings.mode() == RecordingMode::Replay {
            return Ok((Asked::NotRecorded(key.hash().0.to_string()), None));
        }
        let Sent { asked, last } = self.send(target, trial, (&request, limit), tries).await;
        if let Some(kept) = last {
            let is_answer = match &asked {
                Asked::Response(response) => {
                    response.status == 200 && response.failure.is_none() && response.decoded.whole().is_some()
                }
                _ => false,
            };
            recordings.keep(&key, &request, &kept, is_answer).await?;
        }
        Ok((asked, None))
    }

    /// Sends a request until there is an answer or no sense in another try.
    async fn send(
        &self,
        target: &Target,
        trial: &TrialId,
        (request, limit): (&HttpRequest, Option<u64>),
        tries: &mut Tries,
    ) -> Sent {
        let nothing = |asked| Sent { asked, last: None };
        let mut jitter = SplitMix64::keyed(self.plan.seed, trial);
        let mut renewed = false;
        for retry in 0.. {
            if self.cancel.is_cancelled() {
                return nothing(Asked::Cancelled);
            }
            if tries.time.is_zero() {
                return nothing(Asked::Nothing(self.too_long()));
            }
            let expected = self.limits.expect(target, request.body.len(), limit);
            let reserved = Reserved::of(expected, target.price.as_ref());
            if !self.plan.meter.reserve(reserved, self.cancel).await {
                return nothing(Asked::Cancelled);
            }
            let leave = self.limits.leave(target, (expected, request.body.len()), self.cancel).await;
            let Some(leave) = leave else {
                self.plan.meter.settle(reserved, None, Bill::Nothing);
                return nothing(Asked::Cancelled);
            };
            tries.attempts += 1;
            let request = HttpRequest {
                attempt: tries.attempts,
                deadline: self.plan.request_deadline.min(tries.time),
                ..request.clone()
            };
            let sent_at = Instant::now();
            let sent = target.transport.send(request).await;
            tries.used(sent_at);
            let last = self.plan.recordings.is_some().then(|| Kept {
                outcome: sent.clone(),
                latency_ms: u64::try_from(sent_at.elapsed().as_millis()).unwrap_or(u64::MAX),
                stored: stamp((self.clock)()),
            });
            let judged = self.judge(target, sent);
            self.settle(target, reserved, &judged);
            let class = judged.decision.map(|decision| decision.class);
            let wait =
                judged.decision.and_then(|decision| self.plan.retry.wait(retry, &decision, jitter.unit()));
            // A wait that the endpoint asks for is one for all: sixty-four trials that each learn of a limit on their
            // own are sixty-four more requests over it.
            let asked_for_all = judged
                .decision
                .filter(|decision| decision.class == FailureClass::Rate)
                .and_then(|decision| decision.wait);
            let ended = Ended {
                load: judged.load,
                usage: judged.usage(),
                headers: &judged.headers,
                pause: asked_for_all.filter(|_| wait.is_some()),
            };
            self.limits.end(target, leave, &ended, (self.clock)());
            // A key may run out in the middle of a run: once, and no more, a new one is asked for.
            if !renewed && judged.status() == Some(401) && target.transport.renews_key() {
                renewed = true;
                continue;
            }
            let Some(wait) = wait else { return Sent { asked: judged.asked, last } };
            tracing::debug!(%trial, retry, ?wait, ?class, "another try");
            if asked_for_all.is_some() {
                continue;
            }
            let waits_at = Instant::now();
            if !self.wait(wait.min(tries.time)).await {
                return nothing(Asked::Cancelled);
            }
            tries.used(waits_at);
        }
        nothing(Asked::Cancelled)
    }

    /// What a trial comes to that has no time left for another try.
    fn too_long(&self) -> TransportError {
        let seconds = self.plan.trial_deadline.unwrap_or_default().as_secs_f64();
        let message = format!("the trial has taken {seconds:.1} s");
        TransportError { kind: TransportErrorKind::Timeout, message }
    }

    /// What a response is, and, where it is no answer, whether to try again.
    fn judge(&self, target: &Target, sent: Result<HttpResponse, TransportError>) -> Judged {
        let response = match sent {
            Ok(response) => response,
            Err(error) => {
                let retry = error.kind.is_worth_a_retry();
                let load = match error.kind {
                    TransportErrorKind::Timeout => Load::Failed,
                    _ => Load::Silent,
                };
                return Judged {
                    decision: Some(RetryDecision { retry, wait: None, class: FailureClass::Server }),
                    load,
                    headers: Vec::new(),
                    asked: Asked::Nothing(error),
                };
            }
        };
        let HttpResponse { status, headers, body } = response;
        let mut decoded = (target.provider.decode)(status, &body);
        if let Some(gateway) = &target.gateway {
            let said = decoded.observed.model.take();
            decoded.observed.model = gateway.served(&target.model, said, &headers, decoded.whole());
        }
        let mut decision = decoded.observed.error.as_ref().map(|error| {
            let body = decoded.whole();
            let failure = Failure { status, headers: &headers, error: Some(error), body };
            decide(&failure, (self.clock)())
        });
        if let Some(decision) = &mut decision {
            decision.class = self.plan.retry.class(decision);
        }
        let failure = decision.map(|decision| decision.class);
        let load = match failure {
            None => Load::Answered,
            Some(FailureClass::Rate | FailureClass::Quota) => Load::Busy,
            Some(_) if matches!(status, 503 | 529) => Load::Busy,
            Some(_) if status >= 500 => Load::Failed,
            Some(_) => Load::Silent,
        };
        Judged {
            decision,
            load,
            headers,
            asked: Asked::Response(Box::new(Response { status, decoded, failure })),
        }
    }

    /// Counts what a request used.
    fn settle(&self, target: &Target, reserved: Reserved, judged: &Judged) {
        let bill = match (&judged.asked, judged.usage()) {
            (_, Some(usage)) => Bill::Counted(usage),
            (Asked::Response(response), None) if response.failure.is_none() => Bill::Unknown,
            (Asked::Nothing(error), None) => Bill::of_failure(error),
            _ => Bill::Nothing,
        };
        self.plan.meter.settle(reserved, target.price.as_ref(), bill);
    }

    /// Waits; false where the run is cancelled, at once.
    async fn wait(&self, wait: Duration) -> bool {
        tokio::select! {
            () = self.cancel.cancelled() => false,
            () = tokio::time::sleep(wait) => true,
        }
    }
}

/// What ended a request's tries, and the bare response or failure that did, where one is to be kept.
struct Sent {
    asked: Asked,
    last: Option<Kept>,
}

/// A try, judged.
struct Judged {
    asked: Asked,
    decision: Option<RetryDecision>,
    load: Load,
    headers: Vec<(String, String)>,
}

impl Judged {
    fn status(&self) -> Option<u16> {
        match &self.asked {
            Asked::Response(response) => Some(response.status),
            _ => None,
        }
    }

    fn usage(&self) -> Option<&transcript::Usage> {
        match &self.asked {
            Asked::Response(response) => response.decoded.usage.as_ref(),
            _ => None,
        }
    }
}

impl Asked {
    /// Whether a model, or at least an endpoint that knows it, was reached.
    pub(crate) fn reached(&self) -> bool {
        match self {
            Self::Response(response) => response.failure != Some(FailureClass::NotFound),
            Self::Nothing(error) => error.kind != TransportErrorKind::Connect,
            Self::Cancelled | Self::NotRecorded(_) => true,
        }
    }
}
