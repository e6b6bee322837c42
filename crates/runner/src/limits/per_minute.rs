//! A configured limit on requests or tokens a minute: a bucket that is never emptied faster than the limit allows in
//! any minute, and that spreads what it lets through.

use std::time::Duration;

/// What may be spent at once: a tenth of a minute's worth. The other nine tenths flow in over the minute, so that no
/// minute has more than the limit.
const AT_ONCE: f64 = 0.1;

/// A bucket.
#[derive(Debug, Clone)]
pub(super) struct PerMinute {
    most: f64,
    a_second: f64,
    /// What may be spent now; below 0 where more was spent than was reserved.
    level: f64,
    at: Duration,
}

impl PerMinute {
    #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
    pub(super) fn new(limit: u64) -> Self {
        let limit = limit.max(1) as f64;
        let most = limit * AT_ONCE;
        Self { most, a_second: limit * (1.0 - AT_ONCE) / 60.0, level: most, at: Duration::ZERO }
    }

    fn flow(&mut self, now: Duration) {
        let seconds = now.saturating_sub(self.at).as_secs_f64();
        self.level = self.a_second.mul_add(seconds, self.level).min(self.most);
        self.at = self.at.max(now);
    }

    /// How long until so much may be spent; zero where it may be at once. What is more than fits is let through when
    /// the bucket is full.
    pub(super) fn wait(&mut self, amount: f64, now: Duration) -> Duration {
        self.flow(now);
        let missing = amount.min(self.most) - self.level;
        if missing <= 1e-9 {
            return Duration::ZERO;
        }
        // A nanosecond more than it takes: the clock that wakes us counts in whole ones.
        Duration::try_from_secs_f64(missing / self.a_second).unwrap_or(Duration::MAX / 4)
            + Duration::from_nanos(1)
    }

    pub(super) fn take(&mut self, amount: f64, now: Duration) {
        self.flow(now);
        self.level -= amount;
    }

    /// Sets right what was taken on an estimate.
    pub(super) fn correct(&mut self, taken: f64, spent: f64) {
        self.level = (self.level + taken - spent).min(self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When requests of these sizes go, in milliseconds, each as soon as it may.
    fn goes(limit: u64, amounts: &[f64]) -> Vec<u128> {
        let mut bucket = PerMinute::new(limit);
        let mut now = Duration::ZERO;
        let mut times = Vec::new();
        for amount in amounts {
            now += bucket.wait(*amount, now);
            assert_eq!(bucket.wait(*amount, now), Duration::ZERO, "a wait that was waited is enough");
            bucket.take(*amount, now);
            times.push(now.as_millis());
        }
        times
    }

    #[test]
    fn what_flows_in_goes_out() {
        // 600 a minute: 60 at once, then 9 a second.
        assert_eq!(goes(600, &[60.0, 9.0, 18.0, 0.0]), [0, 1000, 3000, 3000]);
        // 6 a minute is less than one at once: each waits for a full bucket.
        assert_eq!(goes(6, &[1.0, 1.0, 1.0]), [0, 11_111, 22_222]);
        // One that is larger than all that fits.
        assert_eq!(goes(600, &[600.0, 1.0]), [0, 60_111]);
    }

    #[test]
    fn no_minute_has_more_than_the_limit() {
        let times = goes(120, &[1.0; 400]);
        for (at, start) in times.iter().enumerate() {
            let within = times[at..].iter().take_while(|time| **time < start + 60_000).count();
            assert!(within <= 120, "{within} from {start} ms on");
        }
        assert!(times[399] < 400 * 600, "and hardly less: {}", times[399]);
    }

    #[test]
    fn estimates_are_set_right() {
        let mut bucket = PerMinute::new(600);
        bucket.take(60.0, Duration::ZERO);
        bucket.correct(60.0, 10.0);
        assert_eq!(bucket.wait(50.0, Duration::ZERO), Duration::ZERO);
        bucket.correct(0.0, 140.0);
        assert_eq!(bucket.wait(0.0, Duration::ZERO).as_secs(), 10);
    }
}
