//! What reading a body takes whatever its format: streams, pages in place of JSON, errors. A format brings what an
//! answer of its own looks like.

use serde_json::value::RawValue;
use transcript::{Arguments, EmittedName, Observed, ProviderError, RawJson, Usage};

use super::error_body::{error_of, policy_refusal, quote};
use super::{Body, Decoded, event_stream};
use crate::json::{self, Members};

/// A format, as far as reading its bodies goes.
pub(super) struct Answer {
    /// The member that every answer has.
    pub(super) mark: &'static str,
    /// Puts an event stream together to a body, or says why it is none.
    pub(super) assemble: fn(&str) -> Result<RawJson, String>,
    /// Reads an answer.
    pub(super) observe: fn(&Members<'_>) -> Observed,
    /// Reads the token counts of an answer or of an error.
    pub(super) usage: fn(&Members<'_>) -> Option<Usage>,
}

type Read = (Observed, Option<Usage>, Option<String>);

impl Answer {
    pub(super) fn decode(&self, status: u16, bytes: &[u8]) -> Decoded {
        let body = Body::of(bytes);
        let stream = match &body {
            Body::Text(text) if event_stream::is_stream(text) => Some((self.assemble)(text)),
            _ => None,
        };
        let (observed, usage, unreadable) = match (&body, &stream) {
            (_, Some(Ok(whole))) => self.read(status, whole),
            (_, Some(Err(why))) => (Observed::default(), None, Some(why.clone())),
            (Body::Text(text), None) => read_text(status, text),
            (Body::Json(raw), None) => self.read(status, raw),
        };
        Decoded { observed, usage, body, assembled: stream.and_then(Result::ok), unreadable }
    }

    fn read(&self, status: u16, raw: &RawJson) -> Read {
        let Ok(body) = serde_json::from_str::<&RawValue>(raw.as_str()) else {
            return (Observed::default(), None, Some("a body that is no JSON".to_owned()));
        };
        let members = json::members(body);
        let usage = members.as_ref().and_then(|members| (self.usage)(members));
        if let Some(error) = error_of(status, body) {
            return (of_error(error, body), usage, None);
        }
        let Some(members) = members.filter(|members| members.has(self.mark)) else {
            let why = format!("JSON without `{}`: {}", self.mark, quote(body.get()));
            return (Observed::default(), None, Some(why));
        };
        if !(200..300).contains(&status) {
            let error = ProviderError { message: format!("HTTP {status}"), ..ProviderError::default() };
            return (of_error(error, body), usage, None);
        }
        ((self.observe)(&members), usage, None)
    }
}

/// A body that is no JSON: an error page where the status says so, else unreadable.
fn read_text(status: u16, text: &str) -> Read {
    let what = if text.trim().is_empty() { "an empty body".to_owned() } else { describe(text) };
    if (200..300).contains(&status) {
        return (Observed::default(), None, Some(format!("HTTP {status} with {what}")));
    }
    let error = ProviderError { message: format!("HTTP {status} with {what}"), ..ProviderError::default() };
    (Observed { error: Some(error), ..Observed::default() }, None, None)
}

fn describe(text: &str) -> String {
    let start = text.trim_start();
    let kind = if start.starts_with('<') {
        "markup in place of JSON"
    } else if start.starts_with('{') || start.starts_with('[') {
        "JSON that is broken or cut off"
    } else {
        "text in place of JSON"
    };
    format!("{kind}: {}", quote(text))
}

fn of_error(error: ProviderError, body: &RawValue) -> Observed {
    let observed = policy_refusal(&error, body)
        .unwrap_or_else(|| Observed { error: Some(error), ..Observed::default() });
    let Some(members) = json::members(body) else { return observed };
    Observed {
        id: json::present_string(&members, "id"),
        model: json::present_string(&members, "model"),
        ..observed
    }
}

/// A call's name as it arrived.
pub(super) fn name_of(raw: Option<&RawValue>) -> EmittedName {
    match raw {
        None => EmittedName::Missing,
        Some(raw) if json::is_null(raw) => EmittedName::Null,
        Some(raw) => json::string(raw).map_or_else(|| EmittedName::Other(raw_json(raw)), EmittedName::Text),
    }
}

/// Arguments where the format has an object in place. A string that holds no JSON value is what a model wrote and
/// nobody could read: that text. Any other string is a value of the wrong type, and stays one.
pub(super) fn arguments_in_place(raw: Option<&RawValue>) -> Arguments {
    let Some(raw) = raw else { return Arguments::Missing };
    match json::string(raw).filter(|text| RawJson::parse(text).is_err()) {
        Some(text) => Arguments::Text(text),
        None => Arguments::Json(raw_json(raw)),
    }
}

fn raw_json(raw: &RawValue) -> RawJson {
    RawJson::parse(raw.get()).unwrap_or_else(|_| RawJson::from_text(raw.get()))
}
