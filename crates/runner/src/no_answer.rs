//! Turns that are no answer: which status they give the trial, and how that is put in words (DESIGN.md 3.4).

use transcript::{Ended, ErrorCause, Observed, StopReason, TrialError, TrialStatus, Turn, TurnKind};

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

/// Why an answer is none of the model that was asked, if it is none: a gateway or another model answered in its place.
/// `earlier` are the turns of the same conversation before it.
pub(crate) fn not_its_own(
    (asked, gateway): (&str, Option<&Gateway>),
    earlier: &[Turn],
    observed: &Observed,
    http: u16,
) -> Option<Close> {
    let close = |cause, message: String| {
        let error = Some(TrialError { message, http_status: Some(http), cause: Some(cause) });
        Some(Close { status: TrialStatus::EndpointError, ended: Ended::NoAnswer, error, reached: true })
    };
    if gateway.is_some_and(|gateway| gateway.is_error_text(observed)) {
        return close(ErrorCause::ErrorText, "an error served as the assistant's words".to_owned());
    }
    let model = observed.model.as_deref()?;
    let names = gateway.map_or(&[][..], Gateway::own_names);
    if names.iter().any(|name| name == model) || (model == asked && !observed.took_over) {
        return None;
    }
    let before = earlier.iter().rev().find_map(|turn| turn.observed.model.as_deref());
    // Where the names are not known, any of them may be the model's own; two models in one conversation are not.
    let message = match before.filter(|before| *before != model) {
        Some(before) => format!("{model} answered after {before}"),
        None if observed.took_over => format!("another model took over: {model}"),
        None if !names.is_empty() => format!("another model answered: {model}"),
        None => return None,
    };
    close(ErrorCause::Fallback, message)
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

#[cfg(test)]
mod tests {
    use transcript::ServedAt;

    use super::*;

    fn answered(model: Option<&str>, took_over: bool) -> Observed {
        Observed { model: model.map(str::to_owned), took_over, ..Observed::default() }
    }

    /// The message that another model's answer comes to.
    fn told(names: Option<&[&str]>, earlier: &[&str], observed: &Observed) -> Option<String> {
        let at = |names: &[&str]| ServedAt {
            equals: names.iter().map(|name| (*name).to_owned()).collect(),
            ..ServedAt::default()
        };
        let gateway = names.map(|names| Gateway::new(Some(at(names)), &[]).unwrap());
        let turn = |model: &&str| Turn { observed: answered(Some(model), false), ..Turn::default() };
        let earlier: Vec<Turn> = earlier.iter().map(turn).collect();
        let close = not_its_own(("fern-2", gateway.as_ref()), &earlier, observed, 200)?;
        let error = close.error.unwrap();
        assert_eq!((close.status, error.cause), (TrialStatus::EndpointError, Some(ErrorCause::Fallback)));
        Some(error.message)
    }

    #[test]
    fn another_models_answer_is_none_where_it_shows() {
        let (moss, fern) = (answered(Some("moss-1"), false), answered(Some("fern-2-0917"), false));
        let known = Some(&["fern-2-0917", "fern-2-1001"][..]);
        assert_eq!(told(known, &[], &moss).unwrap(), "another model answered: moss-1");
        assert_eq!(told(known, &["fern-2-1001"], &fern), None, "both are its own");
        assert_eq!(told(known, &[], &answered(None, false)), None, "nothing was said");
        assert_eq!(told(known, &[], &answered(Some("fern-2"), false)), None, "it is what was asked");
        // Without names there is no telling whether a name is the model's own,
        for names in [None, Some(&[][..])] {
            assert_eq!(told(names, &[], &moss), None);
            assert_eq!(told(names, &["moss-1"], &moss), None);
            // but a conversation has one model,
            assert_eq!(told(names, &["fern-2"], &moss).unwrap(), "moss-1 answered after fern-2");
            // and some providers say so.
            let took_over = answered(Some("moss-1"), true);
            assert_eq!(told(names, &[], &took_over).unwrap(), "another model took over: moss-1");
        }
        assert_eq!(told(Some(&["moss-1"]), &[], &answered(Some("moss-1"), true)), None, "it was allowed to");
    }
}
