//! One trial (DESIGN.md 3.8): says what the probe says, answers calls with stubs, and ends at the first turn
//! without a call, or at a limit.

use std::sync::Arc;

use indexmap::IndexMap;
use jiff::Timestamp;
use probes::{Offered, Probe, Step};
use tokio::time::Instant;
use transcript::{
    CallId, Ended, Message, Observed, ProviderError, RawJson, Role, ToolResult, Trial, TrialId, Turn,
};

use crate::ask::{Asked, Asker, Response, Tries};
use crate::no_answer::{Close, no_answer, no_response, not_its_own};
use crate::provenance;
use crate::provider::{Body, ModelRequest, Said};
use crate::retry::FailureClass;
use crate::stub::{StubLog, Stubs};
use crate::transport::TransportError;
use crate::{RecordError, Target};

/// What came of a trial.
pub(crate) enum TrialEnd {
    /// It ended.
    Done {
        /// As it is recorded.
        trial: Box<Trial>,
        /// Whether a model was reached.
        reached: bool,
    },
    /// The endpoint will answer no trial: key or quota. Nothing is recorded, so that a resumed run puts it.
    Refused {
        /// Key or quota.
        class: FailureClass,
        /// What the endpoint says.
        message: String,
    },
    /// A request of it is not among the recordings, and nothing may be sent. Nothing is recorded.
    NotRecorded {
        /// Which trial.
        trial: String,
        /// The hash of what it asks.
        key: String,
    },
    /// Cancelled before it ended. Nothing is recorded.
    Dropped,
}

/// A trial under way.
pub(crate) struct Conversation<'a> {
    asker: &'a Asker<'a>,
    target: &'a Target,
    probe: &'a Probe,
    id: TrialId,
    said: Vec<Said>,
    stubs: Stubs<'a>,
    turns: Vec<Turn>,
    tries: Tries,
    /// The limit on output tokens that the requests ask for.
    output_limit: Option<u64>,
}

/// What follows a turn.
enum Next {
    /// Another turn of the same step.
    Turn,
    /// The step is over.
    Step,
    /// The trial is over.
    End(Close),
    Refused(FailureClass, String),
    NotRecorded(String),
    Dropped,
}

impl<'a> Conversation<'a> {
    pub(crate) fn new(
        asker: &'a Asker<'a>,
        log: StubLog<'a>,
        target: &'a Target,
        probe: &'a Arc<Probe>,
        id: TrialId,
    ) -> Self {
        let question = &*probe.question;
        let stubs = Stubs::new(probe, log, id.to_string());
        let (_, output_limit) = target.provider.asked(&target.settings, &question.settings);
        Self {
            asker,
            target,
            probe,
            id,
            said: Vec::new(),
            stubs,
            turns: Vec::new(),
            tries: Tries::new(asker.plan),
            output_limit,
        }
    }

    /// Has the conversation.
    ///
    /// # Errors
    /// The executor log cannot be written.
    pub(crate) async fn hold(mut self) -> Result<TrialEnd, RecordError> {
        let (started, clock) = ((self.asker.clock)(), Instant::now());
        self.said.extend(self.probe.system().map(|text| Said::Ours(Message::system(&text))));
        let mut close = Close::scored(Ended::NoCall);
        let probe = self.probe;
        'steps: for (number, (step, offered)) in probe.question.steps.iter().zip(&probe.offered).enumerate() {
            self.append(step);
            loop {
                if self.turns.len() >= self.asker.plan.max_turns as usize {
                    close = Close::scored(Ended::TurnLimit);
                    break 'steps;
                }
                match self.turn(number, offered).await? {
                    Next::Turn => {}
                    Next::Step => break,
                    Next::End(end) => {
                        close = end;
                        break 'steps;
                    }
                    Next::Refused(class, message) => return Ok(TrialEnd::Refused { class, message }),
                    Next::NotRecorded(key) => {
                        return Ok(TrialEnd::NotRecorded { trial: self.id.to_string(), key });
                    }
                    Next::Dropped => return Ok(TrialEnd::Dropped),
                }
            }
        }
        Ok(self.close(close, started, clock))
    }

    fn append(&mut self, step: &Step) {
        self.said.extend(step.messages.iter().cloned().map(Said::Ours));
    }

    async fn turn(&mut self, step: usize, offered: &Offered) -> Result<Next, RecordError> {
        let is_later = self.turns.last().is_some_and(|turn| turn.step == step);
        let settings = &self.probe.question.settings;
        let arm = if is_later { &settings.in_later_turn() } else { settings };
        let body = (self.target.provider.encode)(&ModelRequest {
            model: &self.target.model,
            messages: &self.said,
            tools: offered.tools(),
            settings: &self.target.settings,
            arm,
        });
        let hash = transcript::Fingerprint::of(&body);
        let request_sha256 = hash.0.strip_prefix("sha256:").unwrap_or(&hash.0).to_owned();
        let mut turn = Turn { request_sha256, step, ..Turn::default() };
        let sent = (body, self.output_limit);
        let (asked, kept) = self.asker.ask(self.target, &self.id, sent, &mut self.tries).await?;
        turn.kept = kept;
        // Only the first request tells whether anything is there at all.
        let reached = !self.turns.is_empty() || asked.reached();
        match asked {
            Asked::Cancelled => Ok(Next::Dropped),
            Asked::NotRecorded(key) => Ok(Next::NotRecorded(key)),
            Asked::Nothing(error) => Ok(Next::End(Close { reached, ..self.lost(turn, &error) })),
            Asked::Response(response) => match response.failure {
                Some(class @ (FailureClass::Auth | FailureClass::Quota)) => {
                    let message =
                        response.decoded.observed.error.map(|error| error.message).unwrap_or_default();
                    Ok(Next::Refused(class, format!("HTTP {}: {message}", response.status)))
                }
                _ => self.response(turn, *response, offered).map(|next| match next {
                    Next::End(close) => Next::End(Close { reached, ..close }),
                    next => next,
                }),
            },
        }
    }

    /// A turn that never came: the error stands in its place.
    fn lost(&mut self, mut turn: Turn, error: &TransportError) -> Close {
        turn.observed.error = Some(ProviderError {
            kind: Some(error.kind.as_str().to_owned()),
            code: None,
            message: error.to_string(),
        });
        self.turns.push(turn);
        no_response(error)
    }

    fn response(
        &mut self,
        mut turn: Turn,
        response: Response,
        offered: &Offered,
    ) -> Result<Next, RecordError> {
        let Response { status: http, decoded, failure } = response;
        let close = no_answer(http, &decoded, failure, self.output_limit).or_else(|| {
            let target = (self.target.model.as_str(), self.target.gateway.as_ref());
            not_its_own(target, &self.turns, &decoded.observed, http)
        });
        let ids = self.call_ids(&decoded.observed);
        let is_readable = decoded.whole().is_some();
        // Nothing is sent after the last turn that the plan allows.
        let goes_on = close.is_none() && self.turns.len() + 1 < self.asker.plan.max_turns as usize;
        let body = decoded.whole().filter(|_| goes_on);
        let echo = body.map(|body| (self.target.provider.echo)(body, &decoded.observed, &ids));
        turn.http_status = Some(http);
        match decoded.body {
            Body::Json(raw) => turn.response = Some(raw),
            Body::Text(text) => turn.response_text = Some(text),
        }
        turn.observed = decoded.observed;
        turn.usage = decoded.usage;
        let next = match close {
            Some(close) => Next::End(close),
            None if ids.is_empty() || !is_readable => {
                self.said.extend(echo.map(Said::Model));
                Next::Step
            }
            None => self.calls(&mut turn, &ids, echo, offered)?,
        };
        self.turns.push(turn);
        Ok(next)
    }

    /// Runs the calls of a turn, all of them whatever follows, and takes turn and results into the history.
    fn calls(
        &mut self,
        turn: &mut Turn,
        ids: &[CallId],
        echo: Option<RawJson>,
        offered: &Offered,
    ) -> Result<Next, RecordError> {
        let number = u32::try_from(self.turns.len()).unwrap_or(u32::MAX);
        let mut echoable = true;
        for call in turn.observed.calls() {
            turn.results.push(self.stubs.answer(number, call, offered)?);
            // An endpoint that takes a name in `tools` takes it in a history too.
            let name = call.name.as_str();
            echoable &= (self.target.provider.can_echo)(name) || offered.get(name).is_some();
        }
        if !echoable {
            return Ok(Next::End(Close::scored(Ended::NameNotEchoable)));
        }
        self.said.extend(echo.map(Said::Model));
        self.said
            .extend(turn.results.iter().zip(ids).map(|(result, id)| Said::Ours(result_message(result, id))));
        Ok(Next::Turn)
    }

    /// Each call's own id, or one that is made up for the history alone (nine letters and digits: Mistral
    /// takes no other).
    fn call_ids(&self, observed: &Observed) -> Vec<CallId> {
        let turn = self.turns.len();
        observed
            .calls()
            .enumerate()
            .map(|(at, call)| {
                call.id.clone().unwrap_or_else(|| CallId(format!("call{:02}{:03}", turn % 100, at % 1000)))
            })
            .collect()
    }

    /// The names under which the model answers beside its own.
    fn own_names(&self) -> &[String] {
        self.target.gateway.as_ref().map_or(&[], crate::Gateway::own_names)
    }

    fn close(self, close: Close, started: Timestamp, clock: Instant) -> TrialEnd {
        // What was kept took as long as it took when it was fresh.
        let kept = self.turns.iter().filter_map(|turn| turn.kept.as_ref()).map(|kept| kept.latency_ms);
        let latency =
            kept.fold(u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX), u64::saturating_add);
        let arm = &self.probe.question.settings;
        let served_model = provenance::served_model(&self.target.model, self.own_names(), &self.turns);
        let trial = Trial {
            probe: self.id.probe,
            cell: self.id.cell,
            repeat: self.id.repeat,
            status: close.status,
            started: format!("{started:.3}"),
            latency_ms: latency,
            attempts: self.tries.attempts,
            served_model,
            settings: provenance::settings(&self.target.settings, arm, &self.turns),
            turns: self.turns,
            executor: Some(self.stubs.into_log()),
            ended: Some(close.ended),
            error: close.error,
        };
        TrialEnd::Done { trial: Box::new(trial), reached: close.reached }
    }
}

/// How many bytes the first request of each step of a probe has, were nothing said in between.
#[must_use]
pub fn first_bodies(
    provider: &crate::Provider,
    model: &str,
    settings: &IndexMap<String, RawJson>,
    probe: &Probe,
) -> Vec<usize> {
    let mut said: Vec<Said> =
        probe.system().map(|text| Said::Ours(Message::system(&text))).into_iter().collect();
    let steps = probe.question.steps.iter().zip(&probe.offered);
    let sizes = steps.map(|(step, offered)| {
        said.extend(step.messages.iter().cloned().map(Said::Ours));
        let arm = &probe.question.settings;
        let tools = offered.tools();
        (provider.encode)(&ModelRequest { model, messages: &said, tools, settings, arm }).len()
    });
    sizes.collect()
}

fn result_message(result: &ToolResult, id: &CallId) -> Message {
    Message {
        role: Role::Tool,
        content: Some(result.content.clone()),
        tool_calls: Vec::new(),
        tool_call_id: Some(id.clone()),
        name: Some(result.name.clone()),
        is_error: result.is_error,
    }
}
