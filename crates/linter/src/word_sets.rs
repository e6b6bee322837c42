//! Sets of words, and which of them share most of their words: found without setting every one beside every other.

use std::collections::{BTreeSet, HashMap};

use crate::text::share;

/// Sets of words that others are looked up in.
pub(crate) struct WordSets {
    /// How much two sets must have in common (Jaccard).
    least: f64,
    /// Each word's rank: rare ones first.
    ranks: HashMap<String, usize>,
    /// The ranks of each set, sorted.
    sets: Vec<Vec<usize>>,
    /// By rank: the sets that have it among their rarest words. Two sets that share enough share one of those.
    having: HashMap<usize, Vec<usize>>,
}

impl WordSets {
    pub(crate) fn of<'a>(sets: impl IntoIterator<Item = &'a BTreeSet<String>>, least: f64) -> Self {
        let sets: Vec<&BTreeSet<String>> = sets.into_iter().collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        sets.iter().copied().flatten().for_each(|word| *counts.entry(word).or_default() += 1);
        let mut words: Vec<(usize, &str)> = counts.into_iter().map(|(word, count)| (count, word)).collect();
        words.sort_unstable();
        let ranks = words.into_iter().enumerate().map(|(rank, (_, word))| (word.to_owned(), rank)).collect();
        let mut of = Self { least, ranks, sets: Vec::new(), having: HashMap::new() };
        for (at, set) in sets.into_iter().enumerate() {
            let ranks = of.known(set);
            for rank in ranks.iter().take(of.telling(ranks.len())) {
                of.having.entry(*rank).or_default().push(at);
            }
            of.sets.push(ranks);
        }
        of
    }

    /// The sets that share enough with another one.
    pub(crate) fn near<'a>(&'a self, set: &BTreeSet<String>) -> impl Iterator<Item = usize> + 'a {
        let (known, all) = (self.known(set), set.len());
        // Words that no set has are the rarest.
        let telling = self.telling(all).saturating_sub(all - known.len());
        let ranks: Vec<usize> = known.iter().take(telling).copied().collect();
        let candidates = ranks.into_iter().filter_map(|rank| self.having.get(&rank)).flatten().copied();
        candidates.filter(move |at| {
            self.sets
                .get(*at)
                .is_some_and(|other| share(common(&known, other), all, other.len()) >= self.least)
        })
    }

    fn known(&self, set: &BTreeSet<String>) -> Vec<usize> {
        let mut ranks: Vec<usize> = set.iter().filter_map(|word| self.ranks.get(word).copied()).collect();
        ranks.sort_unstable();
        ranks
    }

    /// Of how many of its rarest words a set of this size must share one.
    fn telling(&self, size: usize) -> usize {
        let shared = (self.least * size as f64).ceil() as usize;
        (size + 1).saturating_sub(shared.max(1))
    }
}

/// How many numbers two sorted lists have in common.
fn common(one: &[usize], other: &[usize]) -> usize {
    let (mut at, mut count) = (0, 0);
    for number in one {
        while other.get(at).is_some_and(|other| other < number) {
            at += 1;
        }
        count += usize::from(other.get(at) == Some(number));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::content_words;

    #[test]
    fn what_is_found_is_what_looking_at_every_pair_finds() {
        let texts = [
            "pier one crane two gate three rope four",
            "pier one crane two gate three rope five",
            "pier one crane two gate seven rope five",
            "a wholly other sentence",
            "",
        ];
        let sets: Vec<BTreeSet<String>> = texts.iter().map(|text| content_words(text)).collect();
        for least in [0.5, 0.7, 0.8, 0.9, 1.0] {
            let index = WordSets::of(&sets, least);
            let strange = content_words("pier one crane two gate three rope nine");
            for set in sets.iter().chain([&strange]) {
                let shares = |other: &BTreeSet<String>| {
                    share(set.intersection(other).count(), set.len(), other.len()) >= least
                };
                let slow: Vec<usize> = (0..sets.len()).filter(|at| shares(&sets[*at])).collect();
                let fast: BTreeSet<usize> = index.near(set).collect();
                assert_eq!(Vec::from_iter(fast), slow, "{set:?} at {least}");
            }
        }
    }
}
