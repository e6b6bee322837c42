//! What reading a body takes whatever its format: streams, pages in place of JSON, errors. A format brings what an
//! answer of its own looks like.

use serde_json::value::RawValue;
use transcript::{Arguments, Observed, ProviderError, RawJson, Usage};

use super::{Body, Decoded, error_body, event_stream, json_text};
use crate::json::{self, Members};

/// An answer in pieces, put together to one body, or why that cannot be done.
pub(super) type Assembled = Result<RawJson, String>;

/// A format, as far as reading its bodies goes.
pub(super) struct Answer {
    /// Members of which every answer has at least one.
    pub(super) marks: &'static [&'static str],
    /// Puts a body that came in pieces together; none where it is whole.
    pub(super) assemble: fn(&Body) -> Option<Assembled>,
    /// Reads an answer.
    pub(super) observe: fn(&Members<'_>) -> Observed,
    /// Reads the token counts of an answer or of an error.
    pub(super) usage: fn(&Members<'_>) -> Option<Usage>,
}

/// The events of a body, put together; none where it is no event stream.
pub(super) fn of_events(body: &Body, assemble: fn(&str) -> Assembled) -> Option<Assembled> {
    match body {
        Body::Text(text) if event_stream::is_stream(text) => Some(assemble(text)),
        Body::Text(_) | Body::Json(_) => None,
    }
}

/// What a body says: the answer, its tokens, or why nobody can read it.
type Read = (Observed, Option<Usage>, Option<String>);

fn unreadable(why: String) -> Read {
    (Observed::default(), None, Some(why))
}

impl Answer {
    pub(super) fn decode(&self, status: u16, bytes: &[u8]) -> Decoded {
        let body = Body::of(bytes);
        let assembled = (self.assemble)(&body);
        let (observed, usage, unreadable) = match (&body, &assembled) {
            (_, Some(Ok(whole))) => self.read(status, whole),
            (_, Some(Err(why))) => unreadable(why.clone()),
            (Body::Text(text), None) => match error_body::of_text(status, text) {
                Ok(observed) => (observed, None, None),
                Err(why) => unreadable(why),
            },
            (Body::Json(raw), None) => self.read(status, raw),
        };
        Decoded { observed, usage, body, assembled: assembled.and_then(Result::ok), unreadable }
    }

    fn read(&self, status: u16, raw: &RawJson) -> Read {
        let Ok(body) = serde_json::from_str::<&RawValue>(raw.as_str()) else {
            return unreadable("a body that is no JSON".to_owned());
        };
        let members = json::members(body);
        let usage = members.as_ref().and_then(|members| (self.usage)(members));
        let error = match &members {
            Some(members) => error_body::error_in(status, members, body),
            None => error_body::error_of(status, body),
        };
        if let Some(error) = error {
            return (error_body::observed(error, body), usage, None);
        }
        let Some(members) = members.filter(|members| self.marks.iter().any(|mark| members.has(mark))) else {
            let mark = self.marks.first().copied().unwrap_or_default();
            return unreadable(format!("JSON without `{mark}`: {}", error_body::quote(body.get())));
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
