use std::collections::BTreeMap;

/// A set of repeats in a few bits each, so that a tally grows with its probes and hardly with its trials.
/// Sparse: a large number in a damaged record costs one word, not the memory up to it.
#[derive(Debug, Clone, Default)]
pub(super) struct RepeatSet {
    /// Repeats 0 to 63, which is nearly always all of them.
    low: u64,
    /// Words of 64 further repeats by their place, from 1; a tally has some twenty sets a probe, and hardly ever this.
    #[expect(
        clippy::box_collection,
        reason = "a map takes three words where there is none, a box takes one"
    )]
    high: Option<Box<BTreeMap<u32, u64>>>,
}

impl RepeatSet {
    /// Adds a repeat; false where it was there.
    pub(super) fn insert(&mut self, repeat: u32) -> bool {
        let bit = 1_u64 << (repeat % 64);
        let word = match repeat / 64 {
            0 => &mut self.low,
            place => self.high.get_or_insert_default().entry(place).or_default(),
        };
        let absent = *word & bit == 0;
        *word |= bit;
        absent
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.words().map(|(_, word)| word.count_ones()).sum()
    }

    /// Adds those of `other`.
    pub(super) fn extend(&mut self, other: &Self) {
        self.low |= other.low;
        for (&place, &word) in other.high.iter().flat_map(|high| high.iter()) {
            *self.high.get_or_insert_default().entry(place).or_default() |= word;
        }
    }

    /// Takes out those of `other`.
    pub(super) fn remove(&mut self, other: &Self) {
        for (place, word) in other.words() {
            if place == 0 {
                self.low &= !word;
            } else if let Some(mine) = self.high.as_mut().and_then(|high| high.get_mut(&place)) {
                *mine &= !word;
            }
        }
    }

    /// Those that are in both.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        let shared = self.words().map(|(place, word)| (place, word & other.word(place)));
        let high: BTreeMap<u32, u64> = shared.filter(|&(place, word)| place != 0 && word != 0).collect();
        Self { low: self.low & other.low, high: (!high.is_empty()).then(|| Box::new(high)) }
    }

    /// All, rising.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words().flat_map(|(place, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| place * 64 + bit)
        })
    }

    fn word(&self, place: u32) -> u64 {
        if place == 0 {
            return self.low;
        }
        self.high.as_ref().and_then(|high| high.get(&place)).copied().unwrap_or(0)
    }

    fn words(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let high = self.high.iter().flat_map(|high| high.iter());
        std::iter::once((0, self.low)).chain(high.map(|(&place, &word)| (place, word)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set(repeats: &BTreeSet<u32>) -> RepeatSet {
        let mut set = RepeatSet::default();
        for &repeat in repeats {
            assert!(set.insert(repeat) && !set.insert(repeat));
        }
        set
    }

    proptest! {
        #[test]
        fn it_is_a_set(
            left in prop::collection::btree_set(0_u32..200, 0..40),
            right in prop::collection::btree_set(0_u32..200, 0..40),
        ) {
            let (mine, other) = (set(&left), set(&right));
            prop_assert_eq!(mine.len() as usize, left.len());
            prop_assert!(mine.iter().eq(left.iter().copied()));
            prop_assert!(mine.intersection(&other).iter().eq(left.intersection(&right).copied()));
            let mut both = mine.clone();
            both.extend(&other);
            prop_assert!(both.iter().eq(left.union(&right).copied()));
            let mut rest = mine.clone();
            rest.remove(&other);
            prop_assert!(rest.iter().eq(left.difference(&right).copied()));
        }
    }

    #[test]
    fn the_largest_repeat_costs_one_word() {
        let mut set = RepeatSet::default();
        assert!(set.insert(u32::MAX) && !set.insert(u32::MAX));
        assert_eq!(set.iter().collect::<Vec<_>>(), [u32::MAX]);
    }
}
