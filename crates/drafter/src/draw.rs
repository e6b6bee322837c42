//! Choices that look random and never are: each depends on the seed and on what it is made for alone, so that
//! the same tools give the same drafts, in whatever order they are worked on.

use sha2::{Digest, Sha256};

/// A source of choices for one thing.
#[derive(Debug, Clone)]
pub(crate) struct Draw {
    state: [u8; 32],
    step: u64,
    /// Where the whole request's choices begin.
    root: [u8; 32],
}

impl Draw {
    /// For the thing that `path` names.
    pub(crate) fn new(seed: u64, path: &[&str]) -> Self {
        let mut hash = Sha256::new();
        hash.update(seed.to_be_bytes());
        for part in path {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part.as_bytes());
        }
        let state = hash.finalize().into();
        Self { state, step: 0, root: state }
    }

    /// For what all parts of the thing have in common: the same, whichever part asks.
    pub(crate) fn shared(&self) -> Self {
        Self { state: self.root, step: 0, root: self.root }
    }

    /// For a part of the thing, or for another try at it.
    pub(crate) fn part(&self, name: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(self.state);
        hash.update(name.as_bytes());
        Self { state: hash.finalize().into(), step: 0, root: self.root }
    }

    fn next(&mut self) -> u64 {
        self.step += 1;
        let mut hash = Sha256::new();
        hash.update(self.state);
        hash.update(self.step.to_be_bytes());
        hash.finalize().iter().take(8).fold(0, |number, byte| (number << 8) | u64::from(*byte))
    }

    /// A whole number of a range, both ends in it. An empty range gives its start.
    pub(crate) fn number(&mut self, from: i64, to: i64) -> i64 {
        let width = i128::from(to) - i128::from(from) + 1;
        if width <= 0 {
            return from;
        }
        let at = i128::from(from) + i128::from(self.next()) % width;
        i64::try_from(at).unwrap_or(from)
    }

    /// One of a list; the default of its type where the list is empty.
    pub(crate) fn pick<T: Copy + Default>(&mut self, among: &[T]) -> T {
        let at = self.next() % (among.len() as u64).max(1);
        usize::try_from(at).ok().and_then(|at| among.get(at)).copied().unwrap_or_default()
    }

    /// So many decimal digits, the first no zero.
    pub(crate) fn digits(&mut self, count: usize) -> String {
        (0..count)
            .map(|at| char::from(b'0' + u8::try_from(self.number(i64::from(at == 0), 9)).unwrap_or(0)))
            .collect()
    }

    /// So many hexadecimal digits.
    pub(crate) fn hex(&mut self, count: usize) -> String {
        (0..count)
            .map(|_| {
                self.pick(&['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'])
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_depend_on_seed_and_path_alone() {
        let number = |seed, path: &[&str]| Draw::new(seed, path).number(0, 1_000_000);
        assert_eq!(number(7, &["a", "b"]), number(7, &["a", "b"]));
        assert_ne!(number(7, &["a", "b"]), number(7, &["ab"]));
        assert_ne!(number(7, &["a"]), number(8, &["a"]));
        let mut draw = Draw::new(1, &["x"]);
        assert!((0..200).all(|_| (3..=5).contains(&draw.number(3, 5))));
        let shared = |part: &str| Draw::new(7, &["a"]).part(part).shared().number(0, 1_000_000);
        assert_eq!(shared("x"), shared("y"));
        assert_eq!(draw.number(5, 4), 5);
        assert_eq!(draw.digits(5).len(), 5);
    }
}
