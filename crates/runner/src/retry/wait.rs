//! How long an endpoint asks us to wait: in headers, in fields of the body, in Google's error details, in words.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::value::RawValue;
use transcript::RawJson;

use super::{Failure, header};
use crate::json;

/// The wait that a failure names; header before body, milliseconds before seconds.
pub(super) fn wait_of(failure: &Failure<'_>, now: Timestamp) -> Option<Duration> {
    let milliseconds = header(failure, "retry-after-ms").and_then(|text| text.parse::<f64>().ok());
    if let Some(wait) = milliseconds.and_then(|ms| seconds(ms / 1000.0)) {
        return Some(wait);
    }
    header(failure, "retry-after")
        .and_then(|text| retry_after(text, now))
        .or_else(|| failure.body.and_then(retry_field))
        .or_else(|| failure.body.and_then(retry_info))
        .or_else(|| failure.error.and_then(|error| wait_in_message(&error.message)))
}

/// Seconds as a duration; what lies in the past is no wait.
fn seconds(value: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(value.max(0.0)).ok()
}

/// Seconds, or an HTTP date (RFC 9110, 10.2.3).
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(value) = text.parse::<f64>() {
        return seconds(value);
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
    Some(Duration::try_from(at.duration_since(now)).unwrap_or_default())
}

/// Fields of a body that name the wait, and how many of their units make a second.
const FIELDS: &[(&str, f64)] = &[
    ("retry_after_ms", 1000.0),
    ("retry_after", 1.0),
    ("retry_after_seconds", 1.0),
    ("retryAfterMs", 1000.0),
    ("retryAfter", 1.0),
    ("retryAfterSeconds", 1.0),
];

/// Gateways put the wait into the body: beside the error, in it, or in what it brings along. A number, or a text with
/// a number or a duration.
fn retry_field(body: &RawJson) -> Option<Duration> {
    let outer = json::parse_members(body.as_str())?;
    let error = json::present(&outer, "error").and_then(json::members);
    let inner = |key: &str| {
        let error = error.as_ref()?;
        json::present(error, key).and_then(json::members)
    };
    let (details, metadata) = (inner("details"), inner("metadata"));
    [error.as_ref(), metadata.as_ref(), details.as_ref(), Some(&outer)].into_iter().flatten().find_map(
        |members| {
            FIELDS.iter().find_map(|(field, unit)| {
                let value = json::present(members, field)?;
                let text = json::string(value).unwrap_or_else(|| value.get().to_owned());
                match text.trim().parse::<f64>() {
                    Ok(number) => seconds(number / unit),
                    Err(_) => duration(text.trim()),
                }
            })
        },
    )
}

/// The entries of a Google error's `details`.
fn details(body: &RawJson) -> Vec<json::Members<'_>> {
    let text = body.as_str();
    let outer = if text.starts_with('[') {
        serde_json::from_str::<Vec<&RawValue>>(text).ok().and_then(|list| list.first().copied())
    } else {
        serde_json::from_str::<&RawValue>(text).ok()
    };
    outer
        .and_then(json::members)
        .and_then(|members| json::members(json::present(&members, "error")?))
        .and_then(|error| json::elements(json::present(&error, "details")?))
        .unwrap_or_default()
        .into_iter()
        .filter_map(json::members)
        .collect()
}

/// Gemini: `google.rpc.RetryInfo` with `"retryDelay": "46s"`.
fn retry_info(body: &RawJson) -> Option<Duration> {
    details(body).iter().find_map(|entry| duration(&json::present_string(entry, "retryDelay")?))
}

/// Gemini: a violated quota that is counted by the day does not heal within a run.
pub(super) fn daily_quota(body: &RawJson) -> bool {
    let violations: Vec<String> = details(body)
        .iter()
        .filter_map(|entry| json::elements(json::present(entry, "violations")?))
        .flatten()
        .filter_map(json::members)
        .filter_map(|violation| json::present_string(&violation, "quotaId"))
        .collect();
    violations.iter().any(|id| id.contains("PerDay"))
}

/// "Please try again in 1.2s", "retry in 46s", "try again in 1m30s".
fn wait_in_message(message: &str) -> Option<Duration> {
    let lower = message.to_ascii_lowercase();
    let at = ["try again in ", "retry in ", "retry after "]
        .iter()
        .find_map(|lead| Some(lower.find(lead)? + lead.len()))?;
    let rest = lower.get(at..)?;
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ')')).unwrap_or(rest.len());
    duration(rest.get(..end)?.trim_end_matches('.'))
}

/// `46s`, `6.5s`, `120ms`, `1m30s`, `2h`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let mut total = 0.0;
    let mut rest = text;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').filter(|&at| at > 0)?;
        let value: f64 = rest.get(..digits)?.parse().ok()?;
        let unit_text = rest.get(digits..)?;
        let length = unit_text.find(|c: char| c.is_ascii_digit()).unwrap_or(unit_text.len());
        total += value
            * match unit_text.get(..length)? {
                "ms" => 0.001,
                "s" | "sec" | "second" | "seconds" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                _ => return None,
            };
        rest = unit_text.get(length..)?;
    }
    seconds(total)
}
