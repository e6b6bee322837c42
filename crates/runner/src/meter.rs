//! What a run has spent in this sitting, and the caps that stop it: once one is reached no further request is sent.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use transcript::Usage;

/// What a run may spend in one sitting. Absent: no cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Caps {
    /// Requests, tries that are repeated included.
    pub requests: Option<u64>,
    /// Tokens read and written, as endpoints count them. What is under way when they are reached still counts, so
    /// that the end is a little above.
    pub tokens: Option<u64>,
    /// How long the run may take.
    pub time: Option<Duration>,
}

/// The cap that stopped a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    /// So many requests.
    Requests(u64),
    /// So many tokens.
    Tokens(u64),
    /// So much time.
    Time(Duration),
}

impl fmt::Display for Cap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Requests(cap) => write!(formatter, "{cap} requests (max_requests)"),
            Self::Tokens(cap) => write!(formatter, "{cap} tokens (max_tokens)"),
            Self::Time(cap) => write!(formatter, "{} minutes (max_minutes)", cap.as_secs_f64() / 60.0),
        }
    }
}

/// Counts what all trials of a sitting spend, over all of its rounds.
#[derive(Debug)]
pub struct Meter {
    caps: Caps,
    started: Instant,
    requests: AtomicU64,
    tokens: AtomicU64,
}

impl Meter {
    /// Begins to count; the time runs from here.
    #[must_use]
    pub fn new(caps: Caps) -> Self {
        Self { caps, started: Instant::now(), requests: AtomicU64::new(0), tokens: AtomicU64::new(0) }
    }

    /// When the time is over, and the cap that says so; none where no clock reaches that far.
    pub(crate) fn end(&self) -> Option<(Instant, Cap)> {
        self.caps.time.and_then(|time| Some((self.started.checked_add(time)?, Cap::Time(time))))
    }

    /// Counts a request that is about to be sent; false where it must not be.
    pub(crate) fn may_send(&self) -> bool {
        if self.tokens_are_spent() {
            return false;
        }
        let cap = self.caps.requests.unwrap_or(u64::MAX);
        let more = |sent| (sent < cap).then(|| sent + 1);
        self.requests.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// Counts what a response cost.
    pub(crate) fn spent(&self, usage: Option<&Usage>) {
        let Some(usage) = usage else { return };
        let tokens = usage.input.unwrap_or(0).saturating_add(usage.output.unwrap_or(0));
        let more = |spent: u64| Some(spent.saturating_add(tokens));
        let _ = self.tokens.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    /// The cap that keeps requests from being sent, if one does.
    pub(crate) fn reached(&self) -> Option<Cap> {
        let requests = self.caps.requests.filter(|cap| self.requests.load(Ordering::Relaxed) >= *cap);
        let tokens = self.caps.tokens.filter(|_| self.tokens_are_spent());
        tokens.map(Cap::Tokens).or(requests.map(Cap::Requests))
    }

    fn tokens_are_spent(&self) -> bool {
        self.caps.tokens.is_some_and(|cap| self.tokens.load(Ordering::Relaxed) >= cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_stop_at_their_cap_and_tokens_behind_it() {
        let meter = Meter::new(Caps { requests: Some(2), ..Caps::default() });
        assert_eq!([(); 3].map(|()| meter.may_send()), [true, true, false]);
        assert_eq!(meter.reached(), Some(Cap::Requests(2)));
        let meter = Meter::new(Caps { tokens: Some(10), ..Caps::default() });
        let usage = |input, output| Usage { input: Some(input), output: Some(output), ..Usage::default() };
        meter.spent(Some(&usage(4, 5)));
        assert!(meter.may_send() && meter.reached().is_none());
        meter.spent(Some(&usage(u64::MAX, 1)));
        assert!(!meter.may_send());
        assert_eq!(meter.reached(), Some(Cap::Tokens(10)));
        assert!(Meter::new(Caps::default()).may_send());
    }
}
