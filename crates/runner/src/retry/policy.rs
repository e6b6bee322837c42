//! How often and how patiently requests are tried again.

use std::time::Duration;

use super::{FailureClass, RetryDecision};

/// The schedule of retries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Further tries after the first.
    pub max_retries: u32,
    /// Wait before the first retry where the endpoint names none; it doubles with each.
    pub first_wait: Duration,
    /// Longest such wait.
    pub longest_wait: Duration,
    /// A longer wait that the endpoint asks for is not waited: the request has failed, and where it is a limit that
    /// asks, the run stops and can be taken up again.
    pub longest_asked: Duration,
}

impl RetryPolicy {
    /// The SDKs' schedule (0.5 s, doubled, at most 8 s; an asked wait of at most 120 s), with more tries: a
    /// trial that is given up costs more than a wait.
    pub const STANDARD: Self = Self {
        max_retries: 4,
        first_wait: Duration::from_millis(500),
        longest_wait: Duration::from_secs(8),
        longest_asked: Duration::from_secs(120),
    };

    /// What a failure comes to under this schedule: a limit that does not heal while anybody waits is a quota.
    #[must_use]
    pub fn class(&self, decision: &RetryDecision) -> FailureClass {
        let too_long = decision.wait.is_some_and(|wait| wait > self.longest_asked);
        match decision.class {
            FailureClass::Rate if too_long => FailureClass::Quota,
            class => class,
        }
    }

    /// How long to wait before retry number `retry` (from 0), or none where there is no other try.
    /// `jitter` in [0, 1) takes up to a quarter off a wait of our own choice.
    #[must_use]
    pub fn wait(&self, retry: u32, decision: &RetryDecision, jitter: f64) -> Option<Duration> {
        if !decision.retry || retry >= self.max_retries {
            return None;
        }
        match decision.wait {
            Some(wait) => (wait <= self.longest_asked).then_some(wait),
            None => {
                let doubled = self.first_wait.saturating_mul(1 << retry.min(16)).min(self.longest_wait);
                Some(doubled.mul_f64(1.0 - 0.25 * jitter.clamp(0.0, 1.0)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retry::FailureClass;

    #[test]
    fn waits_double_and_end() {
        let policy = RetryPolicy::STANDARD;
        let failed = |retry, class, wait: Option<u64>| RetryDecision {
            retry,
            wait: wait.map(Duration::from_millis),
            class,
        };
        let own = failed(true, FailureClass::Server, None);
        let waits: Vec<_> =
            (0..6).map(|retry| policy.wait(retry, &own, 0.0).map(|w| w.as_millis())).collect();
        assert_eq!(waits, [Some(500), Some(1000), Some(2000), Some(4000), None, None]);
        assert_eq!(policy.wait(0, &own, 0.999).map(|w| w.as_millis()), Some(375));
        let long = failed(true, FailureClass::Rate, Some(121_000));
        assert_eq!((policy.wait(0, &long, 0.0), policy.class(&long)), (None, FailureClass::Quota));
        assert_eq!(policy.class(&failed(true, FailureClass::Rate, Some(120_000))), FailureClass::Rate);
        assert_eq!(
            policy.wait(0, &failed(true, FailureClass::Rate, Some(46_000)), 0.0),
            Some(Duration::from_secs(46))
        );
        assert_eq!(policy.wait(0, &failed(false, FailureClass::Auth, None), 0.0), None);
    }
}
