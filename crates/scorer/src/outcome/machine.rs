//! Finds all phrases of all languages in one walk: a prefix tree over words, classes of words and gaps. From
//! each word of a text the tree is followed as far as it goes; its depth is bounded by the longest phrase, so
//! that the time is linear in the text.

use std::collections::BTreeMap;

use super::pattern::{Element, Pattern, Place};
use super::vocabulary::{ClassId, Classes, MARK_WORD, Vocabulary, WordId};

/// The tree while it grows.
#[derive(Default)]
pub(super) struct Builder {
    nodes: Vec<Growing>,
}

#[derive(Default)]
struct Growing {
    words: BTreeMap<WordId, u32>,
    classes: BTreeMap<ClassId, u32>,
    gaps: BTreeMap<u8, u32>,
    accepts: Vec<Accept>,
}

/// What has been said when a node is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accept {
    /// Number of the kind of phrase.
    pub(super) kind: u8,
    /// It began with a gap, which the walk has measured.
    pub(super) after_gap: bool,
    /// Where it may stand.
    pub(super) place: Place,
}

impl Builder {
    /// Adds all ways of a pattern.
    pub(super) fn add(
        &mut self,
        pattern: &Pattern,
        kind: u8,
        vocabulary: &mut Vocabulary,
        classes: &mut Classes,
    ) -> Result<(), String> {
        let gap_first = |way: &Vec<Element>| matches!(way.first(), Some(Element::Gap(_)));
        if !pattern.place.clause_start && pattern.ways.iter().any(gap_first) {
            return Err("a gap may come first only after `^`".to_owned());
        }
        if self.nodes.is_empty() {
            self.nodes.push(Growing::default());
        }
        for way in &pattern.ways {
            let mut node = 0;
            for element in way {
                node = self.step(node, element, vocabulary, classes)?;
            }
            // Whether a clause begins so many words before is asked by the walk itself.
            let gap = gap_first(way);
            let clause_start = pattern.place.clause_start && !gap;
            let accept = Accept { kind, after_gap: gap, place: Place { clause_start, ..pattern.place } };
            let accepts = &mut self.nodes[node as usize].accepts;
            if !accepts.contains(&accept) {
                accepts.push(accept);
            }
        }
        Ok(())
    }

    /// The node after an element, a new one where there is none.
    fn step(
        &mut self,
        node: u32,
        element: &Element,
        vocabulary: &mut Vocabulary,
        classes: &mut Classes,
    ) -> Result<u32, String> {
        let fresh = u32::try_from(self.nodes.len()).map_err(|error| error.to_string())?;
        let growing = &mut self.nodes[node as usize];
        let next = *match element {
            Element::Word(word) => growing.words.entry(vocabulary.intern(word)?).or_insert(fresh),
            Element::OneOf(words) => {
                let words = words.iter().map(|word| vocabulary.intern(word)).collect::<Result<_, _>>()?;
                growing.classes.entry(classes.spell(words)?).or_insert(fresh)
            }
            Element::Class(name) => growing.classes.entry(classes.named(name)?).or_insert(fresh),
            Element::Gap(most) => growing.gaps.entry(*most).or_insert(fresh),
        };
        if next == fresh {
            self.nodes.push(Growing::default());
        }
        Ok(next)
    }

    /// The tree, laid flat. All words must be in their classes by then.
    pub(super) fn build(self, vocabulary: &Vocabulary, classes: &Classes) -> Machine {
        let mut machine = Machine::default();
        for growing in &self.nodes {
            let edges = growing.edges(classes);
            let node = Node {
                extra: !growing.gaps.is_empty() || !growing.accepts.is_empty(),
                next: edges.iter().fold(0, |bits, &(word, _)| bits | next_bit(word)),
                edges: machine.edges.push(edges),
                gaps: machine.gaps.push(growing.gaps.iter().map(|(&most, &next)| (most, next))),
                accepts: machine.accepts.push(growing.accepts.iter().copied()),
            };
            machine.nodes.push(node);
        }
        machine.index(vocabulary.len());
        machine
    }
}

impl Growing {
    /// Every word that may come next with the node after it; a word may stand there more than once.
    fn edges(&self, classes: &Classes) -> Vec<(WordId, u32)> {
        let own = self.words.iter().map(|(&word, &next)| (word, next));
        let shared = self
            .classes
            .iter()
            .flat_map(|(&class, &next)| classes.members(class).map(move |word| (word, next)));
        let mut edges: Vec<(WordId, u32)> = own.chain(shared).collect();
        edges.sort_unstable();
        edges
    }
}

/// The tree laid flat: nodes point at slices of three tables.
#[derive(Default)]
pub(super) struct Machine {
    nodes: Vec<Node>,
    edges: Table<(WordId, u32)>,
    gaps: Table<(u8, u32)>,
    accepts: Table<Accept>,
    /// By word: the nodes after it where it comes first, and how far it may stand from where its clause
    /// began. Every word of a text asks this, so that it is worked out beforehand.
    first: Vec<Slice>,
    starts: Table<Start>,
}

/// A node after a first word.
#[derive(Clone, Copy)]
struct Start {
    node: u32,
    /// How far the first word may stand from where its clause began.
    most: u8,
    /// As in the node, but all bits where the node has more to it than words.
    next: u128,
}

#[derive(Clone, Copy)]
struct Node {
    /// It has accepts or gaps.
    extra: bool,
    /// A bit for each word that may come next, words sharing bits: most words are turned away by it.
    next: u128,
    /// Sorted by word.
    edges: Slice,
    gaps: Slice,
    accepts: Slice,
}

/// In place of a distance: none is asked for.
const ANYWHERE: u8 = u8::MAX;

fn next_bit(word: WordId) -> u128 {
    1 << (word % 128)
}

/// A place in a text, as the tree reads it.
pub(super) trait Word: Copy {
    /// Its word; [`MARK_WORD`] where a mark stands, which no gap crosses.
    fn word(self) -> WordId;
}

impl Machine {
    /// Calls `found` for every phrase that begins at `at`, with the place after its last word. `clause` is
    /// where the clause begins: phrases that begin with a gap are measured from there.
    pub(super) fn walk<W: Word>(
        &self,
        text: &[W],
        at: usize,
        clause: usize,
        found: &mut impl FnMut(Accept, usize),
    ) {
        let Some(&starts) = text.get(at).and_then(|word| self.first.get(usize::from(word.word()))) else {
            return;
        };
        let distance = at - clause;
        // At the end of the text only what has more to it than words is of use.
        let bit = text.get(at + 1).map_or(0, |word| next_bit(word.word()));
        for start in self.starts.get(starts) {
            let near = start.most == ANYWHERE || distance <= usize::from(start.most);
            if near && (start.next & bit != 0 || start.next == u128::MAX) {
                self.follow(&self.nodes[start.node as usize], text, at + 1, found);
            }
        }
    }

    fn index(&mut self, words: usize) {
        let mut starts: Vec<(WordId, u8, u32)> = Vec::new();
        if let Some(root) = self.nodes.first() {
            let edges = |node: &Node| self.edges.get(node.edges).iter().copied();
            starts.extend(edges(root).map(|(word, next)| (word, ANYWHERE, next)));
            for &(most, after) in self.gaps.get(root.gaps) {
                let after = &self.nodes[after as usize];
                starts.extend(edges(after).map(|(word, next)| (word, most, next)));
            }
        }
        starts.sort_unstable();
        self.first = vec![Slice::default(); words];
        for same in starts.chunk_by(|a, b| a.0 == b.0) {
            let start = |&(_, most, node): &(WordId, u8, u32)| {
                let after = &self.nodes[node as usize];
                Start { node, most, next: if after.extra { u128::MAX } else { after.next } }
            };
            let slice = self.starts.push(same.iter().map(start));
            self.first[usize::from(same[0].0)] = slice;
        }
    }

    /// Goes on from a node, if the word at `at` may come next or the node has more to it than words: most are
    /// turned away here, which is why it is inlined.
    #[inline]
    fn enter<W: Word>(&self, node: u32, text: &[W], at: usize, found: &mut impl FnMut(Accept, usize)) {
        let node = &self.nodes[node as usize];
        let comes_next = text.get(at).is_some_and(|word| node.next & next_bit(word.word()) != 0);
        if node.extra || comes_next {
            self.follow(node, text, at, found);
        }
    }

    fn follow<W: Word>(&self, node: &Node, text: &[W], at: usize, found: &mut impl FnMut(Accept, usize)) {
        if node.extra {
            for &accept in self.accepts.get(node.accepts) {
                found(accept, at);
            }
            for &(most, next) in self.gaps.get(node.gaps) {
                self.leap(usize::from(most), next, text, at, found);
            }
        }
        let Some(word) = text.get(at).map(|word| word.word()) else { return };
        if node.next & next_bit(word) == 0 {
            return;
        }
        let edges = self.edges.get(node.edges);
        let from = edges.partition_point(|&(other, _)| other < word);
        for &(_, next) in edges[from..].iter().take_while(|&&(other, _)| other == word) {
            self.enter(next, text, at + 1, found);
        }
    }

    fn leap<W: Word>(
        &self,
        most: usize,
        node: u32,
        text: &[W],
        at: usize,
        found: &mut impl FnMut(Accept, usize),
    ) {
        for place in at..=at + most {
            self.enter(node, text, place, found);
            if text.get(place).is_none_or(|word| word.word() == MARK_WORD) {
                return;
            }
        }
    }
}

struct Table<T> {
    rows: Vec<T>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slice {
    start: u32,
    end: u32,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<T> Table<T> {
    fn push(&mut self, rows: impl IntoIterator<Item = T>) -> Slice {
        let start = self.rows.len();
        self.rows.extend(rows);
        // The embedded lexicons have some hundred thousand rows.
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Slice { start: place(start), end: place(self.rows.len()) }
    }

    fn get(&self, slice: Slice) -> &[T] {
        &self.rows[slice.start as usize..slice.end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::parse;
    use super::*;

    impl Word for WordId {
        fn word(self) -> WordId {
            self
        }
    }

    fn ends(patterns: &[&str], text: &str) -> Vec<usize> {
        let mut vocabulary = Vocabulary::default();
        let mut classes = Classes::default();
        let mut builder = Builder::default();
        for pattern in patterns {
            let pattern = parse(pattern, &BTreeMap::new()).unwrap();
            builder.add(&pattern, 0, &mut vocabulary, &mut classes).unwrap();
        }
        let machine = builder.build(&vocabulary, &classes);
        let words = text.split(' ').map(|word| if word == "," { MARK_WORD } else { vocabulary.id(word) });
        let mut found = Vec::new();
        let words: Vec<WordId> = words.collect();
        for at in 0..words.len() {
            machine.walk(&words, at, 0, &mut |_, last| found.push(last));
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn every_phrase_is_found_with_its_end() {
        assert_eq!(ends(&["a b", "a (b|c|d) e", "a"], "a b e"), [1, 2, 3]);
        assert_eq!(ends(&["a b"], "b b a"), [0; 0]);
    }

    #[test]
    fn gaps_take_any_words_but_cross_no_mark() {
        assert_eq!(ends(&["a _2 b"], "a x x b"), [4]);
        assert_eq!(ends(&["a _2 b"], "a b"), [2]);
        assert_eq!(ends(&["a _2 b"], "a x x x b"), [0; 0]);
        assert_eq!(ends(&["a _2 b"], "a , b"), [0; 0]);
        assert_eq!(ends(&["^ _1 b"], "x b"), [2]);
        assert_eq!(ends(&["^ _1 b"], "x x b"), [0; 0]);
    }

    #[test]
    fn a_gap_comes_first_only_where_a_clause_begins() {
        let pattern = parse("_2 b", &BTreeMap::new()).unwrap();
        let refused =
            Builder::default().add(&pattern, 0, &mut Vocabulary::default(), &mut Classes::default());
        assert!(refused.is_err());
    }
}
