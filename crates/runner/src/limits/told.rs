//! What an endpoint says of its limits in the headers of an answer: how much is left of which, and when it is whole
//! again.
//!
//! Servers send these empty, negative and late (Azure: `-1`, `-1`, `0`), so nothing is believed that does not fit
//! together, and no wait that follows from them is longer than a minute: then a request goes out and the endpoint
//! says itself whether it is too early.

use std::time::Duration;

use jiff::Timestamp;

use super::Expected;
use crate::retry::duration;

/// The longest wait that headers can bring about.
const LONGEST: Duration = Duration::from_secs(60);

/// What is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Requests,
    Tokens,
    Input,
    Output,
}

/// Names of the headers by family: limit, remaining, reset.
const FAMILIES: &[(Unit, [&str; 3])] = &[
    // OpenAI and the servers that follow it.
    (
        Unit::Requests,
        ["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
    ),
    (Unit::Tokens, ["x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"]),
    // Anthropic.
    (
        Unit::Requests,
        [
            "anthropic-ratelimit-requests-limit",
            "anthropic-ratelimit-requests-remaining",
            "anthropic-ratelimit-requests-reset",
        ],
    ),
    (
        Unit::Tokens,
        [
            "anthropic-ratelimit-tokens-limit",
            "anthropic-ratelimit-tokens-remaining",
            "anthropic-ratelimit-tokens-reset",
        ],
    ),
    (
        Unit::Input,
        [
            "anthropic-ratelimit-input-tokens-limit",
            "anthropic-ratelimit-input-tokens-remaining",
            "anthropic-ratelimit-input-tokens-reset",
        ],
    ),
    (
        Unit::Output,
        [
            "anthropic-ratelimit-output-tokens-limit",
            "anthropic-ratelimit-output-tokens-remaining",
            "anthropic-ratelimit-output-tokens-reset",
        ],
    ),
    // OpenRouter, and gateways that count requests alone.
    (Unit::Requests, ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]),
    // The IETF's draft on RateLimit header fields, in the form of separate fields.
    (Unit::Requests, ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]),
];

/// What is left of one limit, and since when that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Told {
    unit: Unit,
    limit: f64,
    left: f64,
    /// What was left when it was told.
    told: f64,
    at: Duration,
    whole_at: Duration,
}

impl Told {
    /// All that the headers, their names in lower case, tell at `now`. `clock` is the time of day that dates are held
    /// against.
    pub(super) fn read(headers: &[(String, String)], now: Duration, clock: Timestamp) -> Vec<Self> {
        if !headers.iter().any(|(name, _)| name.contains("ratelimit")) {
            return Vec::new();
        }
        let value = |name: &str| {
            let found = headers.iter().find(|(key, _)| key == name);
            found.map(|(_, value)| value.trim())
        };
        let number = |name: &str| value(name).and_then(|text| text.parse::<u32>().ok()).map(f64::from);
        let family = |(unit, [limit, remaining, reset]): &(Unit, [&str; 3])| {
            let (limit, left) = (number(limit)?, number(remaining)?);
            let wait = until_whole(value(reset)?, clock)?;
            (limit > 0.0 && left <= limit).then_some(Self {
                unit: *unit,
                limit,
                left,
                told: left,
                at: now,
                whole_at: now.saturating_add(wait),
            })
        };
        FAMILIES.iter().filter_map(family).collect()
    }

    pub(super) fn is_of(&self, other: &Self) -> bool {
        self.unit == other.unit
    }

    fn amount(&self, expected: Expected) -> f64 {
        let amount = match self.unit {
            Unit::Requests => 1.0,
            Unit::Tokens => expected.tokens(),
            Unit::Input => expected.input,
            Unit::Output => expected.output,
        };
        amount.min(self.limit)
    }

    /// How long until a request like this fits. What is left grows evenly until it is whole.
    pub(super) fn wait(&self, expected: Expected, now: Duration) -> Duration {
        let missing = self.amount(expected) - self.left;
        if missing <= 0.0 || now >= self.whole_at {
            return Duration::ZERO;
        }
        let grows = (self.limit - self.told).max(f64::MIN_POSITIVE);
        let share = (missing / grows).min(1.0);
        let fits_at = self.at + self.whole_at.saturating_sub(self.at).mul_f64(share);
        fits_at.saturating_sub(now).min(LONGEST)
    }

    pub(super) fn take(&mut self, expected: Expected) {
        self.left -= self.amount(expected);
    }
}

/// How long until a limit is whole again: `6m0s`, a number of seconds, seconds or milliseconds of the epoch, a date.
fn until_whole(text: &str, clock: Timestamp) -> Option<Duration> {
    if let Ok(number) = text.parse::<f64>() {
        let epoch_ms = clock.as_millisecond() as f64;
        let seconds = match number {
            0.0..1e7 => number,
            1e9..1e11 => number - epoch_ms / 1000.0,
            1e12..1e14 => (number - epoch_ms) / 1000.0,
            _ => return None,
        };
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    if let Some(wait) = duration(text) {
        return Some(wait);
    }
    let at: Timestamp = text.parse().ok()?;
    Some(Duration::try_from(at.duration_since(clock)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> Timestamp {
        "2027-02-18T09:00:00Z".parse().unwrap()
    }

    fn read(headers: &[(&str, &str)]) -> Vec<Told> {
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Told::read(&headers, Duration::ZERO, clock())
    }

    #[test]
    fn every_form_of_a_reset_is_read() {
        let epoch = clock().as_second() + 30;
        for (text, seconds) in [
            ("1s", Some(1.0)),
            ("6m0s", Some(360.0)),
            ("120ms", Some(0.12)),
            ("1h2m3s", Some(3723.0)),
            ("17", Some(17.0)),
            (&epoch.to_string(), Some(30.0)),
            (&(epoch * 1000).to_string(), Some(30.0)),
            ("2027-02-18T09:00:45Z", Some(45.0)),
            ("2027-02-18T08:00:00Z", Some(0.0)),
            ("", None),
            ("soon", None),
            ("-1", None),
            ("NaN", None),
        ] {
            let found = until_whole(text, clock()).map(|wait| wait.as_secs_f64());
            assert_eq!(found, seconds, "{text}");
        }
    }

    #[test]
    fn only_what_fits_together_is_believed() {
        let named = |limit, left, reset| {
            read(&[
                ("x-ratelimit-limit-requests", limit),
                ("x-ratelimit-remaining-requests", left),
                ("x-ratelimit-reset-requests", reset),
            ])
        };
        assert_eq!(named("60", "2", "1s").len(), 1);
        for (limit, left, reset) in
            [("-1", "-1", "0"), ("0", "0", "0"), ("60", "61", "1s"), ("60", "", "1s"), ("60", "2", "")]
        {
            assert!(named(limit, left, reset).is_empty(), "{limit} {left} {reset}");
        }
        assert!(read(&[("x-ratelimit-remaining-requests", "0")]).is_empty());
    }

    #[test]
    fn waits_follow_from_what_is_left() {
        let expected = Expected { input: 900.0, output: 100.0 };
        let tokens = |left: &str, reset: &str| {
            read(&[
                ("anthropic-ratelimit-tokens-limit", "10000"),
                ("anthropic-ratelimit-tokens-remaining", left),
                ("anthropic-ratelimit-tokens-reset", reset),
            ])[0]
        };
        let at = "2027-02-18T09:00:50Z";
        let wait = |told: &Told, now: u64| told.wait(expected, Duration::from_secs(now)).as_secs_f64();
        assert_eq!(wait(&tokens("1000", at), 0), 0.0);
        // 1,000 of the 10,000 that are missing: a tenth of the 50 seconds.
        assert_eq!(wait(&tokens("0", at), 0), 5.0);
        assert_eq!(wait(&tokens("0", at), 2), 3.0);
        assert_eq!(wait(&tokens("0", at), 50), 0.0);
        let mut told = tokens("1500", at);
        told.take(expected);
        assert!(wait(&told, 0) > 0.0);
        // A limit of a day, and one that is smaller than the request.
        let none = tokens("0", "2027-02-19T09:00:00Z");
        assert_eq!(wait(&none, 0), 60.0);
        let small = read(&[("ratelimit-limit", "1"), ("ratelimit-remaining", "1"), ("ratelimit-reset", "9")]);
        assert_eq!(wait(&small[0], 0), 0.0);
    }
}
