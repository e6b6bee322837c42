//! Which failures are tried again, and how long to wait. Pure: the caller brings the time and does the waiting.
//!
//! The rules are those of the official SDKs (WIRE.md section 1): 408, 409, 429 and everything from 500 on is
//! tried again, `x-should-retry` overrides, `retry-after-ms` beats `retry-after`, Gemini's wait stands in the
//! body, and a quota that is used up is never worth another try. `x-ratelimit-*` headers make no wait after a
//! failure: servers send them empty, negative and late (`limits` reads what they say of what is left).

mod policy;
mod wait;

use std::time::Duration;

use jiff::Timestamp;
use transcript::{ProviderError, RawJson};

pub use policy::RetryPolicy;
pub(crate) use wait::duration;
use wait::{daily_quota, wait_of};

/// What one failed request means for the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryDecision {
    /// Whether another try makes sense.
    pub retry: bool,
    /// How long the endpoint asks us to wait; absent where it does not say.
    pub wait: Option<Duration>,
    /// What kind of failure it is.
    pub class: FailureClass,
}

/// Kinds of failure that are acted on differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureClass {
    /// Too many requests for now.
    Rate,
    /// Quota, credit or spending limit used up; waiting does not help.
    Quota,
    /// Key missing, wrong, or without the right.
    Auth,
    /// No such path or model.
    NotFound,
    /// The request does not fit the model's context.
    ContextLimit,
    /// The endpoint does not take the request.
    BadRequest,
    /// The endpoint failed.
    Server,
}

/// A failed response, as far as the decision needs it.
#[derive(Debug, Clone, Copy)]
pub struct Failure<'a> {
    /// HTTP status.
    pub status: u16,
    /// Headers, names in any case.
    pub headers: &'a [(String, String)],
    /// The error in the body, where there is one.
    pub error: Option<&'a ProviderError>,
    /// The body, where it is JSON.
    pub body: Option<&'a RawJson>,
}

/// Codes and types of an account that has nothing left.
const QUOTA_WORDS: &[&str] = &[
    "insufficient_quota",
    "credit_balance_exhausted",
    "billing_hard_limit_reached",
    "billing_not_active",
    "billing_error",
    "enforced_spend_limit_reached",
    "spend_limit_reached",
    "quota_exhausted",
    "insufficient_credits",
    "insufficient_balance",
];

/// What messages say of such an account where no code does.
const QUOTA_TEXTS: &[&str] = &[
    "credit balance is too low",
    "insufficient credits",
    "insufficient balance",
    "billing hard limit",
    "limit: 0",
];

/// What Gemini says, under 400, of a key that it does not take.
const AUTH_TEXTS: &[&str] = &["api key not valid", "api key expired"];

/// Codes and texts of a request that is longer than the model can read.
const CONTEXT_TEXTS: &[&str] = &[
    "context_length_exceeded",
    "context length",
    "context window",
    "context size",
    "maximum context",
    "exceed_context_size",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "exceeds the available context",
    "input token count",
];

/// Words for a server that has too much to do, whatever the HTTP status.
const RATE_WORDS: &[&str] = &[
    "throttling",
    "toomanyrequests",
    "too_many_requests",
    "rate_limit",
    "resource_exhausted",
    "modelnotready",
];
const SERVER_WORDS: &[&str] = &[
    "overloaded",
    "server_error",
    "api_error",
    "internal",
    "unavailable",
    "timeout",
    "modelerror",
    "bad_gateway",
];

/// Decides about a response that is no answer. `now` is needed for a `retry-after` that is a date.
#[must_use]
pub fn decide(failure: &Failure<'_>, now: Timestamp) -> RetryDecision {
    let class = class_of(failure);
    let by_class = match class {
        FailureClass::Quota => return RetryDecision { retry: false, wait: None, class },
        FailureClass::Rate | FailureClass::Server => true,
        FailureClass::Auth
        | FailureClass::NotFound
        | FailureClass::ContextLimit
        | FailureClass::BadRequest => false,
    };
    let retry = match header(failure, "x-should-retry") {
        Some("true") => true,
        Some("false") => false,
        _ => by_class,
    };
    let wait = if retry { wait_of(failure, now) } else { None };
    RetryDecision { retry, wait, class }
}

fn class_of(failure: &Failure<'_>) -> FailureClass {
    let status = effective_status(failure);
    let words = words_of(failure);
    let message = failure.error.map(|error| error.message.to_ascii_lowercase()).unwrap_or_default();
    let says = |texts: &[&str]| texts.iter().any(|text| message.contains(text));
    if status == 402 || words.iter().any(|word| QUOTA_WORDS.contains(&word.as_str())) || says(QUOTA_TEXTS) {
        return FailureClass::Quota;
    }
    if status == 429 && failure.body.is_some_and(daily_quota) {
        return FailureClass::Quota;
    }
    let names = |list: &[&str]| words.iter().any(|word| list.iter().any(|known| word.contains(known)));
    match status {
        429 => FailureClass::Rate,
        401 | 403 => FailureClass::Auth,
        400 if says(AUTH_TEXTS) => FailureClass::Auth,
        400 | 413 | 422 | 500 if names(CONTEXT_TEXTS) || says(CONTEXT_TEXTS) => FailureClass::ContextLimit,
        _ if names(RATE_WORDS) => FailureClass::Rate,
        404 | 405 => FailureClass::NotFound,
        408 | 409 | 424 | 425 | 500.. => FailureClass::Server,
        _ if names(SERVER_WORDS) => FailureClass::Server,
        // An error under 200 that says nothing of itself: the generation failed on the way.
        200..300 if words.is_empty() => FailureClass::Server,
        _ => FailureClass::BadRequest,
    }
}

/// The status that counts: gateways answer 200 and put the upstream's status into the error's code.
fn effective_status(failure: &Failure<'_>) -> u16 {
    let inner = failure.error.and_then(|error| error.code.as_deref()).and_then(|code| code.parse().ok());
    match inner {
        Some(code @ 400..600) if failure.status < 400 => code,
        _ => failure.status,
    }
}

/// Type, code and AWS's error header, in lower case.
fn words_of(failure: &Failure<'_>) -> Vec<String> {
    let error = failure.error;
    [
        error.and_then(|error| error.kind.as_deref()),
        error.and_then(|error| error.code.as_deref()),
        header(failure, "x-amzn-errortype"),
    ]
    .into_iter()
    .flatten()
    .map(str::to_ascii_lowercase)
    .collect()
}

fn header<'a>(failure: &Failure<'a>, name: &str) -> Option<&'a str> {
    failure.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::provider;

    fn now() -> Timestamp {
        "2027-02-18T09:00:00Z".parse().unwrap()
    }

    fn judge(status: u16, headers: &[(&str, &str)], body: &str) -> RetryDecision {
        let decoded = (provider("openai_chat").unwrap().decode)(status, body.as_bytes());
        let headers: Vec<(String, String)> =
            headers.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let failure = Failure {
            status,
            headers: &headers,
            error: decoded.observed.error.as_ref(),
            body: decoded.body.json(),
        };
        decide(&failure, now())
    }

    fn yes(class: FailureClass, wait_ms: Option<u64>) -> RetryDecision {
        RetryDecision { retry: true, wait: wait_ms.map(Duration::from_millis), class }
    }

    fn no(class: FailureClass) -> RetryDecision {
        RetryDecision { retry: false, wait: None, class }
    }

    #[test]
    fn headers_name_the_wait_in_this_order() {
        use FailureClass::Rate;
        assert_eq!(
            judge(429, &[("Retry-After", "3"), ("Retry-After-Ms", "2500")], "{}"),
            yes(Rate, Some(2500))
        );
        assert_eq!(judge(429, &[("retry-after", "3")], "{}"), yes(Rate, Some(3000)));
        assert_eq!(
            judge(429, &[("retry-after", "Thu, 18 Feb 2027 09:00:09 GMT")], "{}"),
            yes(Rate, Some(9000))
        );
        assert_eq!(judge(429, &[("retry-after", "Thu, 18 Feb 2027 08:00:00 GMT")], "{}"), yes(Rate, Some(0)));
        assert_eq!(judge(429, &[("retry-after-ms", "-1")], "{}"), yes(Rate, Some(0)));
        assert_eq!(judge(429, &[("retry-after", "soon")], "{}"), yes(Rate, None));
        assert_eq!(judge(429, &[("x-ratelimit-reset-requests", "9s")], "{}"), yes(Rate, None));
    }

    #[test]
    fn bodies_name_the_wait_where_no_header_does() {
        use FailureClass::Rate;
        let gemini = r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"busy","details":[{"violations":[{"quotaId":"RequestsPerMinute"}]},{"retryDelay":"12.5s"}]}}"#;
        assert_eq!(judge(429, &[], gemini), yes(Rate, Some(12_500)));
        assert_eq!(judge(429, &[], &format!("[{gemini}]")), yes(Rate, Some(12_500)));
        let text = r#"{"error":{"message":"Limit reached. Please try again in 1m2s.","type":"tokens"}}"#;
        assert_eq!(judge(429, &[], text), yes(Rate, Some(62_000)));
        for (body, ms) in [
            (r#"{"error":{"message":"m","retry_after":7}}"#, 7_000),
            (r#"{"error":{"message":"m"},"retry_after_ms":"250"}"#, 250),
            (r#"{"error":{"message":"m","metadata":{"retryAfterSeconds":1.5}}}"#, 1_500),
            (r#"{"error":{"message":"try again in 9s","details":{"retry_after":"2m"}}}"#, 120_000),
        ] {
            assert_eq!(judge(429, &[], body), yes(Rate, Some(ms)), "{body}");
        }
        for body in [r#"{"error":{"message":"m","retry_after":"soon"}}"#, r#"{"retry_after":{},"error":"m"}"#]
        {
            assert_eq!(judge(429, &[], body), yes(Rate, None), "{body}");
        }
        assert_eq!(
            judge(429, &[("retry-after", "3")], r#"{"retry_after":9,"error":"m"}"#),
            yes(Rate, Some(3000))
        );
        let vague = r#"{"error":{"message":"wait before trying again."}}"#;
        assert_eq!(judge(429, &[], vague), yes(Rate, None));
    }

    #[test]
    fn an_account_with_nothing_left_is_not_tried_again() {
        use FailureClass::Quota;
        let coded = |code: &str| format!(r#"{{"error":{{"message":"no","code":"{code}"}}}}"#);
        assert_eq!(judge(429, &[("retry-after", "5")], &coded("insufficient_quota")), no(Quota));
        assert_eq!(judge(429, &[("x-should-retry", "true")], &coded("credit_balance_exhausted")), no(Quota));
        assert_eq!(judge(402, &[], &coded("402")), no(Quota));
        assert_eq!(judge(400, &[], r#"{"error":{"message":"Your credit balance is too low"}}"#), no(Quota));
        let daily = r#"{"error":{"code":429,"message":"q","details":[{"violations":[{"quotaId":"RequestsPerDayPerProject"}]},{"retryDelay":"9s"}]}}"#;
        assert_eq!(judge(429, &[], daily), no(Quota));
    }

    #[test]
    fn the_server_s_word_overrides_the_status() {
        assert_eq!(judge(400, &[("x-should-retry", "true")], "{}"), yes(FailureClass::BadRequest, None));
        assert_eq!(judge(503, &[("x-should-retry", "false")], "{}"), no(FailureClass::Server));
    }

    #[test]
    fn classes_follow_status_and_words() {
        use FailureClass::{Auth, BadRequest, ContextLimit, NotFound, Rate, Server};
        assert_eq!(judge(401, &[], r#"{"error":"bad key"}"#), no(Auth));
        assert_eq!(judge(403, &[], "<html>"), no(Auth));
        let gemini = r#"{"error":{"code":400,"message":"API key not valid. Look at it.","status":"INVALID_ARGUMENT"}}"#;
        assert_eq!(judge(400, &[], gemini), no(Auth));
        assert_eq!(judge(404, &[], r#"{"error":{"message":"no such model"}}"#), no(NotFound));
        let long =
            r#"{"error":{"message":"This model's maximum context length is 4096 tokens","code":null}}"#;
        assert_eq!(judge(400, &[], long), no(ContextLimit));
        assert_eq!(
            judge(400, &[], r#"{"error":{"message":"bad schema","type":"invalid_request_error"}}"#),
            no(BadRequest)
        );
        assert_eq!(
            judge(400, &[("x-amzn-errortype", "ThrottlingException")], r#"{"message":"m"}"#),
            yes(Rate, None)
        );
        assert_eq!(judge(529, &[], "busy"), yes(Server, None));
        assert_eq!(judge(200, &[], r#"{"error":{"code":502,"message":"upstream"}}"#), yes(Server, None));
        assert_eq!(judge(200, &[], r#"{"error":{"code":429,"message":"m"}}"#), yes(Rate, None));
        assert_eq!(
            judge(200, &[], r#"{"error":{"type":"invalid_request_error","message":"m"}}"#),
            no(BadRequest)
        );
    }
}
