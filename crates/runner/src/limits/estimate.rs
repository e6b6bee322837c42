//! What a request will probably cost, before it is sent: caps and limits reserve it, and what the answer says sets it
//! right.

use transcript::{Price, Usage};

/// Tokens a byte of a body, before any answer told: more than any tokenizer makes of English or JSON.
const TOKENS_A_BYTE: f64 = 1.0 / 3.0;

/// Tokens of an answer, before any answer told and where the request sets no limit.
const OUTPUT: f64 = 1000.0;

/// Room for the difference between one body and the next.
const ROOM: f64 = 1.1;

/// What a request is expected to use.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Expected {
    /// Tokens read.
    pub(crate) input: f64,
    /// Tokens written.
    pub(crate) output: f64,
}

impl Expected {
    /// What a body of so many bytes is expected to use before any answer told, where it asks for at most `limit` tokens.
    pub(crate) fn untold(bytes: usize, limit: Option<u64>) -> Self {
        Estimator::default().expect(bytes, limit)
    }

    pub(crate) fn tokens(self) -> f64 {
        self.input + self.output
    }

    /// As an endpoint would count it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative; the cast saturates"
    )]
    pub(crate) fn usage(self) -> Usage {
        Usage {
            input: Some(self.input.ceil() as u64),
            output: Some(self.output.ceil() as u64),
            ..Usage::default()
        }
    }

    /// What it costs where the model has a price; nothing is taken to come from a cache.
    pub(crate) fn cost(self, price: Option<&Price>) -> Option<transcript::Cost> {
        price?.cost(&self.usage())
    }
}

/// Learns from answers what requests to one model use.
#[derive(Debug, Clone, Default)]
pub(super) struct Estimator {
    bytes: f64,
    read: f64,
    most_written: f64,
}

impl Estimator {
    /// What a body of so many bytes is expected to use, where it asks for at most `limit` tokens.
    #[expect(clippy::cast_precision_loss, reason = "bodies and limits are far below 2^53")]
    pub(super) fn expect(&self, bytes: usize, limit: Option<u64>) -> Expected {
        let a_byte = if self.bytes > 0.0 { ROOM * self.read / self.bytes } else { TOKENS_A_BYTE };
        let most = limit.map_or(f64::INFINITY, |limit| limit as f64);
        let output = if self.most_written > 0.0 { self.most_written } else { OUTPUT };
        Expected { input: bytes as f64 * a_byte, output: output.min(most) }
    }

    /// Learns what a body of so many bytes used.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn learn(&mut self, bytes: usize, usage: &Usage) {
        // An endpoint may claim any number; beyond a token a byte it counts something else.
        if let Some(input) = usage.input.filter(|input| (1..=bytes as u64).contains(input)) {
            self.bytes += bytes as f64;
            self.read += input as f64;
        }
        if let Some(output) = usage.output.filter(|output| *output <= 1 << 20) {
            self.most_written = self.most_written.max(output as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_follow_what_was_seen() {
        let mut estimator = Estimator::default();
        assert_eq!(estimator.expect(3000, None), Expected { input: 1000.0, output: 1000.0 });
        assert_eq!(estimator.expect(3000, Some(64)).output, 64.0);
        let usage = |input, output| Usage { input: Some(input), output: Some(output), ..Usage::default() };
        estimator.learn(4000, &usage(1000, 40));
        estimator.learn(4000, &usage(1000, 30));
        let expected = estimator.expect(2000, None);
        assert!((expected.input - 550.0).abs() < 1e-6 && expected.output == 40.0, "{expected:?}");
        estimator.learn(10, &usage(u64::MAX, u64::MAX));
        assert_eq!(estimator.expect(2000, None), expected, "what cannot be is not learnt from");
    }
}
