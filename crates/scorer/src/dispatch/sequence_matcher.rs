//! How alike two names are by the measure of Python's `difflib.SequenceMatcher` (Ratcliff and Obershelp):
//! twice the characters in matching blocks over the characters of both. Dispatchers have their cutoffs in it, so
//! the figure has to be the same to the last bit, the order of the two names included.

/// From this length on Python leaves out characters that are too frequent in the second name ("autojunk").
const LONG: usize = 200;

/// A name that others are compared with: the second one of the pair.
#[derive(Debug)]
pub(super) struct SecondName {
    characters: Vec<char>,
    /// How often each character stands there, the characters ascending.
    counts: Vec<(char, usize)>,
    /// Whether a block may begin at each place: not at a character that is too frequent.
    begins: Vec<bool>,
}

/// Half-open ranges of both names in which blocks are still looked for.
type Span = (usize, usize, usize, usize);

impl SecondName {
    pub(super) fn of(name: &str) -> Self {
        let characters: Vec<char> = name.chars().collect();
        let counts = counted(&characters);
        let most = if characters.len() >= LONG { characters.len() / 100 + 1 } else { usize::MAX };
        let count = |character: &char| {
            let at = counts.binary_search_by_key(character, |(counted, _)| *counted);
            at.ok().and_then(|at| counts.get(at)).map_or(0, |(_, count)| *count)
        };
        let begins = characters.iter().map(|character| count(character) <= most).collect();
        Self { characters, counts, begins }
    }

    /// The ratio with `first` before it, where that is at least `least`; none below. Two bounds that need no
    /// blocks come before the work.
    pub(super) fn ratio(&self, first: &str, least: f64) -> Option<f64> {
        let first: Vec<char> = first.chars().collect();
        let both = first.len() + self.characters.len();
        let of = |matches: usize| if both == 0 { 1.0 } else { 2.0 * matches as f64 / both as f64 };
        if of(first.len().min(self.characters.len())) < least || of(self.common(&first)) < least {
            return None;
        }
        let ratio = of(self.matches(&first));
        (ratio >= least).then_some(ratio)
    }

    /// Characters that both have, wherever they stand.
    fn common(&self, first: &[char]) -> usize {
        let counts = counted(first);
        let mut theirs = counts.iter().peekable();
        let mut common = 0;
        for (character, count) in &self.counts {
            while theirs.next_if(|(other, _)| other < character).is_some() {}
            if let Some((_, other)) = theirs.next_if(|(other, _)| other == character) {
                common += count.min(other);
            }
        }
        common
    }

    /// Characters in matching blocks.
    fn matches(&self, first: &[char]) -> usize {
        // The lengths of the runs that end at each place, of the row before and of this one.
        let mut rows = (vec![0; self.characters.len()], vec![0; self.characters.len()]);
        let mut open: Vec<Span> = vec![(0, first.len(), 0, self.characters.len())];
        let mut total = 0;
        while let Some(span) = open.pop() {
            let (at, here, length) = self.longest(first, span, &mut rows);
            if length == 0 {
                continue;
            }
            let (from, to, from_here, to_here) = span;
            total += length;
            open.push((from, at, from_here, here));
            open.push((at + length, to, here + length, to_here));
        }
        total
    }

    /// The longest block within a span: of equally long ones the first in the first name, then in this one.
    fn longest(
        &self,
        first: &[char],
        (from, to, from_here, to_here): Span,
        (before, now): &mut (Vec<usize>, Vec<usize>),
    ) -> (usize, usize, usize) {
        let (mut at, mut here, mut length) = (from, from_here, 0);
        before.fill(0);
        for (place, character) in first.iter().enumerate().take(to).skip(from) {
            let row = self.characters.iter().zip(&self.begins).enumerate().take(to_here).skip(from_here);
            for (there, (other, begins)) in row {
                let run = if *begins && other == character {
                    let previous = there.checked_sub(1).filter(|previous| *previous >= from_here);
                    previous.and_then(|previous| before.get(previous)).copied().unwrap_or(0) + 1
                } else {
                    0
                };
                if let Some(slot) = now.get_mut(there) {
                    *slot = run;
                }
                if run > length {
                    (at, here, length) = (place + 1 - run, there + 1 - run, run);
                }
            }
            std::mem::swap(before, now);
        }
        // What is too frequent to begin a block still lengthens one.
        let same = |one: usize, other: usize| first.get(one) == self.characters.get(other);
        while at > from && here > from_here && same(at - 1, here - 1) {
            (at, here, length) = (at - 1, here - 1, length + 1);
        }
        while at + length < to && here + length < to_here && same(at + length, here + length) {
            length += 1;
        }
        (at, here, length)
    }
}

/// How often each character stands in a name, the characters ascending.
fn counted(characters: &[char]) -> Vec<(char, usize)> {
    let mut sorted = characters.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(PartialEq::eq).filter_map(|same| Some((*same.first()?, same.len()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First name, second name, ratio as CPython 3.12 prints it.
    const WORKED: &[(&str, &str, f64)] = &[
        ("stamp_letter", "stamp_letters", 0.96),
        ("create_parcel", "cancel_parcel", 0.6923076923076923),
        ("cancel_parcel", "create_parcel", 0.7692307692307693),
        ("weigh", "", 0.0),
        ("", "", 1.0),
        ("abcd", "bcde", 0.75),
        ("qabxcd", "abycdf", 0.6666666666666666),
        ("letters_get", "letters_merge", 0.8333333333333334),
        ("find_courier", "courier_find", 0.5833333333333334),
        ("größe_lesen", "grösse_lesen", 0.8695652173913043),
        ("aaaaaaaa", "aaaa", 0.6666666666666666),
        ("abab", "baba", 0.75),
        ("send_fax", "sendFax", 0.8),
        ("list_all_the_open_parcels_of_a_customer", "list_parcels", 0.47058823529411764),
    ];

    #[test]
    fn ratios_are_those_of_python() {
        for &(first, second, ratio) in WORKED {
            let ours = SecondName::of(second).ratio(first, 0.0);
            assert_eq!(ours, Some(ratio), "{first} {second}");
        }
    }

    #[test]
    fn long_names_are_compared_as_python_does() {
        let pairs = [
            (format!("{}x", "ab_".repeat(90)), format!("{}abyz", "ab_".repeat(89)), 0.992619926199262),
            ("ab_".repeat(90), "ab_xyz".repeat(40), 0.011764705882352941),
            (
                format!("get_the_note_of_{}", "x".repeat(190)),
                format!("get_the_note_of_{}yy", "x".repeat(188)),
                0.9902912621359223,
            ),
        ];
        for (first, second, ratio) in pairs {
            assert_eq!(SecondName::of(&second).ratio(&first, 0.0), Some(ratio), "{first} {second}");
        }
    }

    #[test]
    fn what_is_below_the_cutoff_is_not_told() {
        let name = SecondName::of("stamp_letter");
        assert_eq!(name.ratio("weigh", 0.6), None);
        assert_eq!(name.ratio("stamp_letters", 0.99), None);
        assert!(name.ratio("stamp_letters", 0.9).is_some());
    }

    #[test]
    fn the_bounds_never_hide_a_match() {
        for &(first, second, ratio) in WORKED {
            assert_eq!(SecondName::of(second).ratio(first, ratio), Some(ratio), "{first} {second}");
        }
    }
}
