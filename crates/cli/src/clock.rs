//! The clock. No other place looks at it.

use jiff::Timestamp;

/// The time, to the millisecond.
#[must_use]
pub(crate) fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
}

/// Today's date in UTC, `YYYY-MM-DD`.
#[must_use]
pub(crate) fn today() -> String {
    now().to_string().chars().take(10).collect()
}
