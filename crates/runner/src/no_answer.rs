//! Turns that are no answer: which status they give the trial, and how that is put in words (DESIGN.md 3.4).

use transcript::{Ended, ErrorCause, Observed, StopReason, TrialError, TrialStatus, TurnKind};

use crate::Gateway;

use crate::provider::Decoded;
use crate::retry::FailureClass;
use crate::transport::{TransportError, TransportErrorKind};

/// How a trial is over.
pub(crate) struct Close {
    pub(crate) status: TrialStatus,
    pub(crate) ended: Ended,
    pub(crate) error: Option<TrialError>,
    /// Whether a model was reached.
    pub(crate) reached: bool,
}

impl Close {
    pub(crate) fn scored(ended: Ended) -> Self {
        Self { status: TrialStatus::Scored, ended, error: None, reached: true }
    }

    fn unanswered(status: TrialStatus, message: String, http_status: Option<u16>) -> Self {
        let error = Some(TrialError { message, http_status, cause: None });
        Self { status, ended: Ended::NoAnswer, error, reached: true }
    }
}

/// How a trial is over for which no response came.
pub(crate) fn no_response(error: &TransportError) -> Close {
    let status = match error.kind {
        TransportErrorKind::Timeout => TrialStatus::Timeout,
        _ => TrialStatus::EndpointError,
    };
    Close::unanswered(status, error.to_string(), None)
}

/// Why a response is no answer, if it is none. `output_limit` is the limit on tokens that the request set.
pub(crate) fn no_answer(
    http: u16,
    decoded: &Decoded,
    failure: Option<FailureClass>,
    output_limit: Option<u64>,
) -> Option<Close> {
    let close = |status, message| Some(Close::unanswered(status, message, Some(http)));
    if let Some(why) = &decoded.unreadable {
        return close(TrialStatus::Unparsed, why.clone());
    }
    let (observed, usage) = (&decoded.observed, decoded.usage.as_ref());
    let kind = TurnKind::of(observed, usage, output_limit);
    if kind == TurnKind::Text && usage.and_then(|usage| usage.output) == Some(0) {
        return close(TrialStatus::EndpointError, "text without a single generated token".to_owned());
    }
    let status = TrialStatus::of_turn(kind);
    if status == TrialStatus::Scored {
        return None;
    }
    close(status, describe(kind, http, observed, failure))
}

/// Why an answer is none of the model that was asked, if it is none: a gateway answered in its place.
pub(crate) fn not_its_own(gateway: &Gateway, observed: &Observed, http: u16) -> Option<Close> {
    let close = |cause, message: String| {
        let error = Some(TrialError { message, http_status: Some(http), cause: Some(cause) });
        Some(Close { status: TrialStatus::EndpointError, ended: Ended::NoAnswer, error, reached: true })
    };
    if gateway.is_error_text(observed) {
        return close(ErrorCause::ErrorText, "an error served as the assistant's words".to_owned());
    }
    if gateway.is_fallback(observed) {
        let model = observed.model.as_deref().unwrap_or_default();
        return close(ErrorCause::Fallback, format!("another model answered: {model}"));
    }
    None
}

/// A turn that is no answer, in words.
fn describe(kind: TurnKind, http: u16, observed: &Observed, failure: Option<FailureClass>) -> String {
    let said = observed.error.as_ref().map(|error| error.message.as_str());
    match (kind, said) {
        (TurnKind::Error, Some(said)) => {
            let what = match failure {
                Some(FailureClass::ContextLimit) => "the request does not fit the model's context: ",
                Some(FailureClass::Rate) => "too many requests: ",
                Some(FailureClass::NotFound) => "no such path or model: ",
                _ if http < 400 => "an error inside a response: ",
                _ => "",
            };
            format!("{what}{said}")
        }
        (TurnKind::Truncated, _) => "cut off by a limit on tokens".to_owned(),
        (TurnKind::PolicyRefusal, _) => "stopped by the provider's policy".to_owned(),
        (TurnKind::Paused, _) => "paused by the provider".to_owned(),
        (TurnKind::Empty, _) => match observed.stop.as_ref().map(|stop| stop.reason) {
            Some(StopReason::Calls) => "announced calls and made none".to_owned(),
            _ => "neither text nor a call".to_owned(),
        },
        _ => "the endpoint reports an error without words".to_owned(),
    }
}
