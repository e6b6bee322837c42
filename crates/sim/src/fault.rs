//! What goes wrong between a model and whoever asks it: at known shares, drawn for each try of each request, so that
//! a try can fail and the next one succeed, and a run that is taken up again meets the same faults.

use std::fmt;
use std::str::FromStr;

use crate::draw::Key;

/// One thing that goes wrong. A request meets one at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// 429, with the wait in one of the forms in which endpoints name it, or in none.
    RateLimited,
    /// 500.
    ServerError,
    /// 503.
    Unavailable,
    /// 529, as an overloaded endpoint of Anthropic says it.
    Overloaded,
    /// No answer at all.
    Timeout,
    /// The connection ends in the middle of the body.
    Cut,
    /// Half a body under 200, complete as far as HTTP goes.
    Malformed,
    /// A limit on tokens ends the answer.
    Truncated,
    /// A page under 200.
    Html,
    /// The right body under the wrong content type.
    ContentType,
    /// The right body, compressed.
    Gzip,
    /// The right body with a pause after each of its pieces.
    Slow,
    /// The right body in pieces of a few bytes, which end within characters.
    Split,
    /// A body of 50 MB.
    Huge,
    /// A body that never ends.
    Endless,
}

/// Every fault with the name that `toolmirage sim --faults` takes, in the order in which lists show them.
pub const FAULTS: &[(&str, Fault)] = &[
    ("429", Fault::RateLimited),
    ("500", Fault::ServerError),
    ("503", Fault::Unavailable),
    ("529", Fault::Overloaded),
    ("timeout", Fault::Timeout),
    ("cut", Fault::Cut),
    ("malformed", Fault::Malformed),
    ("truncated", Fault::Truncated),
    ("html", Fault::Html),
    ("content_type", Fault::ContentType),
    ("gzip", Fault::Gzip),
    ("slow", Fault::Slow),
    ("split", Fault::Split),
    ("huge", Fault::Huge),
    ("endless", Fault::Endless),
];

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(FAULTS.iter().find(|(_, other)| other == self).map_or("", |(name, _)| name))
    }
}

/// The share of requests that meets each fault, as people write it: `429=0.05,cut=0.05,seed=3`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faults {
    shares: Vec<(Fault, f64)>,
    /// Decides every draw, in place of the seed that the server is given.
    seed: Option<u64>,
}

/// Faults that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    /// A part is no `name=share`.
    #[error("`{0}` is not of the form `fault=share`, such as `429=0.05`")]
    NotAPair(String),
    /// No fault has this name.
    #[error("unknown fault `{given}`; did you mean `{nearest}`? ({}, seed)", FAULTS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "))]
    Unknown {
        /// As written.
        given: String,
        /// The name nearest to it.
        nearest: &'static str,
    },
    /// A share is no number from 0 to 1.
    #[error("the share of `{name}` is a number from 0 to 1, not `{value}`")]
    NotAShare {
        /// The fault.
        name: &'static str,
        /// As written.
        value: String,
    },
    /// The seed is no whole number.
    #[error("`seed` is a whole number from 0 to 18446744073709551615, not `{0}`")]
    NotASeed(String),
    /// A name stands twice.
    #[error("`{0}` is given twice")]
    Repeated(String),
    /// The shares are those of parts of one whole.
    #[error("the shares come to {0}, which is more than 1")]
    TooMuch(String),
}

impl Faults {
    /// The fault that a try of a request meets, if it meets one. `attempt` counts the tries of a trial from 1; `seed`
    /// is used where the faults have none of their own.
    pub(crate) fn draw(&self, seed: u64, trial: &str, body: &[u8], attempt: u64) -> Option<(Fault, u64)> {
        if self.shares.is_empty() {
            return None;
        }
        let key = Key::new(self.seed.unwrap_or(seed)).with(trial.as_bytes()).with(body);
        let key = key.with(&attempt.to_le_bytes());
        let mut at = key.unit("fault");
        for (fault, share) in &self.shares {
            if at < *share {
                return Some((*fault, key.roll("form")));
            }
            at -= share;
        }
        None
    }
}

impl FromStr for Faults {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let mut faults = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let pair = part.split_once('=').ok_or_else(|| FaultError::NotAPair(part.to_owned()))?;
            let (name, value) = (pair.0.trim(), pair.1.trim());
            if name == "seed" {
                let seed = value.parse().map_err(|_| FaultError::NotASeed(value.to_owned()))?;
                if faults.seed.replace(seed).is_some() {
                    return Err(FaultError::Repeated(name.to_owned()));
                }
                continue;
            }
            let (name, fault) = known(name)?;
            if faults.shares.iter().any(|(other, _)| *other == fault) {
                return Err(FaultError::Repeated(name.to_owned()));
            }
            let share = value.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
            let share = share.ok_or_else(|| FaultError::NotAShare { name, value: value.to_owned() })?;
            faults.shares.push((fault, share));
        }
        let sum: f64 = faults.shares.iter().map(|(_, share)| share).sum();
        // A little room for decimals that have no binary form.
        if sum > 1.0 + 1e-9 {
            return Err(FaultError::TooMuch(format!("{sum:.3}")));
        }
        Ok(faults)
    }
}

fn known(given: &str) -> Result<(&'static str, Fault), FaultError> {
    if let Some(entry) = FAULTS.iter().find(|(name, _)| *name == given) {
        return Ok(*entry);
    }
    let mut nearest = ("429", f64::NEG_INFINITY);
    for (name, _) in FAULTS {
        let likeness = strsim::jaro_winkler(given, name);
        if likeness > nearest.1 {
            nearest = (name, likeness);
        }
    }
    Err(FaultError::Unknown { given: given.to_owned(), nearest: nearest.0 })
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares = self.shares.iter().map(|(fault, share)| format!("{fault}={share}"));
        let parts: Vec<String> = shares.chain(self.seed.map(|seed| format!("seed={seed}"))).collect();
        formatter.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_printed_back() {
        for text in ["", "429=0.05,cut=0.1,seed=3", "endless=1"] {
            assert_eq!(text.parse::<Faults>().unwrap().to_string(), text);
        }
        for (text, part) in [
            ("429", "fault=share"),
            ("timeuot=0.1", "did you mean `timeout`"),
            ("cut=1.5", "from 0 to 1"),
            ("cut=0.6,500=0.6", "more than 1"),
            ("cut=0.1,cut=0.2", "twice"),
            ("seed=x", "whole number"),
        ] {
            let message = text.parse::<Faults>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn each_fault_has_its_share_and_another_try_another_draw() {
        let faults: Faults = "429=0.2,cut=0.1,timeout=0.3".parse().unwrap();
        let mut met = [0_u32; 3];
        let n = 20_000_u32;
        for trial in 0..n {
            let name = trial.to_string();
            match faults.draw(7, &name, b"body", 1).map(|(fault, _)| fault) {
                Some(Fault::RateLimited) => met[0] += 1,
                Some(Fault::Cut) => met[1] += 1,
                Some(Fault::Timeout) => met[2] += 1,
                _ => {}
            }
            assert_eq!(faults.draw(7, &name, b"body", 1), faults.draw(7, &name, b"body", 1));
        }
        for (met, share) in met.iter().zip([0.2, 0.1, 0.3]) {
            let found = f64::from(*met) / f64::from(n);
            assert!((found - share).abs() < 0.015, "{found} {share}");
        }
        let tries = |attempt| (0..500_u32).map(move |t| (t.to_string(), attempt));
        let of = |attempt| -> Vec<_> {
            tries(attempt).map(|(name, attempt)| faults.draw(7, &name, b"body", attempt)).collect()
        };
        assert_ne!(of(1), of(2));
    }
}
