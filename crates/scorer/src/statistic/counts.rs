/// Counts the trials of one task or probe, and those of them that had the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Trials with the event.
    pub events: u64,
    /// Scored trials, those with the event included.
    pub trials: u64,
}

impl Counts {
    /// Says whether there are no more events than trials.
    #[must_use]
    pub fn is_consistent(self) -> bool {
        self.events <= self.trials
    }

    /// Gives events over trials; `None` without a trial.
    pub(crate) fn rate(self) -> Option<f64> {
        (self.trials > 0).then(|| float(self.events) / float(self.trials))
    }
}

/// Turns a count into a float; exact up to 2^53, which no count of trials reaches.
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
pub(super) fn float(count: u64) -> f64 {
    count as f64
}

/// Gives how far `got` is from `wanted`, as a share of `wanted`.
#[cfg(test)]
pub(super) fn relative_error(got: f64, wanted: f64) -> f64 {
    (got - wanted).abs() / wanted.abs().max(f64::MIN_POSITIVE)
}
