//! What reading a body takes whatever its format: streams, pages in place of JSON, errors. A format brings what an
//! answer of its own looks like.

use serde_json::value::RawValue;
use transcript::{Arguments, Observed, ProviderError, RawJson, Usage};

use super::{Body, Decoded, error_body, event_stream, json_text};
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
            (Body::Text(text), None) => match error_body::of_text(status, text) {
                Ok(observed) => (observed, None, None),
                Err(why) => (Observed::default(), None, Some(why)),
            },
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
        if let Some(error) = error_body::error_of(status, body) {
            return (error_body::observed(error, body), usage, None);
        }
        let Some(members) = members.filter(|members| members.has(self.mark)) else {
            let why = format!("JSON without `{}`: {}", self.mark, error_body::quote(body.get()));
            return (Observed::default(), None, Some(why));
        };
        if !(200..300).contains(&status) {
            let error = ProviderError { message: format!("HTTP {status}"), ..ProviderError::default() };
            return (error_body::observed(error, body), usage, None);
        }
        ((self.observe)(&members), usage, None)
    }
}

/// Arguments where the format has an object in place. A string that holds no JSON value is what a model wrote and
/// nobody could read: that text. Any other string is a value of the wrong type, and stays one.
pub(super) fn arguments_in_place(raw: Option<&RawValue>) -> Arguments {
    let Some(raw) = raw else { return Arguments::Missing };
    match json::string(raw).filter(|text| RawJson::parse(text).is_err()) {
        Some(text) => Arguments::Text(text),
        None => Arguments::Json(json_text::raw(raw.get())),
    }
}
