//! Every choice of a simulated model is a hash: of the seed, the trial, its first request and a label that
//! says what is chosen. Nothing is remembered, so resumed runs and retries choose the same again, while
//! repeats (another trial name) and sides (another request) choose anew.

/// What has been hashed so far. Two keys that were given different bytes choose independently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(u64);

// The fractional parts of square roots of primes, made odd: constants without a structure of their own.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
const LEFT: u64 = 0x6a09_e667_f3bc_c909;
const RIGHT: u64 = 0xbb67_ae85_84ca_a73b;

impl Key {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix(seed.wrapping_add(STEP)))
    }

    /// A key that also stands on these bytes. Sixteen bytes a step, since a request may be 200 kB long.
    pub(crate) fn with(self, bytes: &[u8]) -> Self {
        let mut state = self.0 ^ fold(LEFT ^ bytes.len() as u64, RIGHT);
        let mut chunks = bytes.chunks_exact(16);
        for chunk in &mut chunks {
            state = step(state, chunk);
        }
        let rest = chunks.remainder();
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        Self(mix(step(state, &last)))
    }

    /// A number that belongs to this label.
    pub(crate) fn roll(self, label: &str) -> u64 {
        self.with(label.as_bytes()).0
    }

    /// A number from 0 to 1, 1 excluded.
    pub(crate) fn unit(self, label: &str) -> f64 {
        unit(self.roll(label))
    }

    /// A whole number below `count`; 0 where `count` is 0.
    pub(crate) fn below(self, label: &str, count: usize) -> usize {
        let product = u128::from(self.roll(label)) * count as u128;
        (product >> 64) as usize
    }

    /// One of the items; none where there are none.
    pub(crate) fn pick<'a, T>(self, label: &str, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(label, items.len()))
    }
}

/// The probability of an event in one task, where events have the given mean `rate` over tasks.
///
/// With intra-class correlation `icc`, tasks have probabilities from a beta distribution with parameters
/// `rate * t` and `(1 - rate) * t`, `t = 1 / icc - 1`: its mean is the rate, and two trials of one task
/// correlate by `icc` (the beta-binomial model). `icc` 0 gives every task the rate itself, `icc` 1 gives it
/// 0 or 1. `key` names seed, task and event.
pub(crate) fn task_probability(rate: f64, icc: f64, key: Key) -> f64 {
    if icc <= 0.0 || rate <= 0.0 || rate >= 1.0 {
        return rate;
    }
    let total = 1.0 / icc - 1.0;
    if total <= 0.0 {
        return if key.unit("task") < rate { 1.0 } else { 0.0 };
    }
    let mut stream = Stream(key.roll("beta"));
    let left = ln_gamma_variate(rate * total, &mut stream);
    let right = ln_gamma_variate((1.0 - rate) * total, &mut stream);
    1.0 / (1.0 + (right - left).exp())
}

/// The logarithm of a gamma variate: Marsaglia and Tsang (2000), with their boost by `u^(1/shape)` below
/// shape 1. Logarithms, since small shapes give variates that no `f64` holds.
fn ln_gamma_variate(shape: f64, stream: &mut Stream) -> f64 {
    let boosted = if shape < 1.0 { shape + 1.0 } else { shape };
    let boost = if shape < 1.0 { stream.positive_unit().ln() / shape } else { 0.0 };
    let d = boosted - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = stream.normal();
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && stream.positive_unit().ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return boost + d.ln() + v.ln();
        }
    }
}

/// A stream of numbers from one hash (SplitMix64).
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Above 0, at most 1.
    fn positive_unit(&mut self) -> f64 {
        1.0 - unit(self.next())
    }

    /// A standard normal (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.positive_unit().ln()).sqrt();
        radius * (std::f64::consts::TAU * unit(self.next())).cos()
    }
}

fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

fn step(state: u64, chunk: &[u8]) -> u64 {
    let word = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&chunk[at..at + 8]);
        u64::from_le_bytes(bytes)
    };
    fold(word(0) ^ LEFT, word(8) ^ state)
}

/// The two halves of a product, laid over each other.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The finalizer of SplitMix64.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_byte_changes_the_key() {
        let text = b"a request of some length, longer than two steps of sixteen bytes".to_vec();
        let key = Key::new(1).with(&text);
        for at in 0..text.len() {
            let mut other = text.clone();
            other[at] ^= 1;
            assert_ne!(Key::new(1).with(&other), key, "byte {at}");
        }
        assert_ne!(Key::new(2).with(&text), key);
        assert_ne!(Key::new(1).with(b"a\0"), Key::new(1).with(b"a"));
        assert_ne!(Key::new(1).with(b"ab").with(b"c"), Key::new(1).with(b"a").with(b"bc"));
    }

    #[test]
    fn units_are_uniform() {
        let mut bins = [0_u32; 20];
        for n in 0_u32..20_000 {
            bins[(Key::new(5).with(&n.to_le_bytes()).unit("x") * 20.0) as usize] += 1;
        }
        let chi: f64 = bins.iter().map(|n| (f64::from(*n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi < 45.0, "{chi}"); // 99.9 % of chi square with 19 degrees of freedom is 43.8
    }

    #[test]
    fn task_probabilities_have_the_mean_and_the_variance_of_the_beta() {
        for rate in [0.03, 0.1, 0.2, 0.5] {
            for icc in [0.05, 0.3, 0.5, 0.9] {
                let n = 40_000_u32;
                let draws: Vec<f64> = (0..n)
                    .map(|task| task_probability(rate, icc, Key::new(9).with(&task.to_le_bytes())))
                    .collect();
                let mean = draws.iter().sum::<f64>() / f64::from(n);
                let variance = draws.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / f64::from(n);
                let expected = icc * rate * (1.0 - rate);
                assert!((mean - rate).abs() < 5.0 * (expected / f64::from(n)).sqrt(), "{rate} {icc}: {mean}");
                assert!((variance / expected - 1.0).abs() < 0.08, "{rate} {icc}: {variance} {expected}");
            }
        }
        assert_eq!(task_probability(0.2, 0.0, Key::new(1)), 0.2);
        let ends = |task: u32| task_probability(0.5, 1.0, Key::new(1).with(&task.to_le_bytes()));
        assert!((0..50).all(|task| ends(task) == 0.0 || ends(task) == 1.0));
    }
}
