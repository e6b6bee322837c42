//! Finds all phrases of all languages in one walk: a prefix tree over words, classes of words and gaps. From
//! each word of a text the tree is followed as far as it goes; its depth is bounded by the longest phrase, so
//! that the time is linear in the text.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use super::pattern::{Element, Pattern, Place};

/// A word's number; 0 is any word that no lexicon knows.
pub(super) type WordId = u16;

/// All words that some lexicon knows.
#[derive(Default)]
pub(super) struct Vocabulary {
    ids: HashMap<Box<str>, WordId, BuildHasherDefault<WordHasher>>,
    endings: Vec<(Box<str>, WordId)>,
    classes: Vec<ClassSet>,
}

/// The classes of a word, one bit each.
type ClassSet = [u64; CLASS_WORDS];
const CLASS_WORDS: usize = 8;

/// How many classes there may be.
pub(super) const MOST_CLASSES: usize = CLASS_WORDS * 64;

impl Vocabulary {
    /// The number of a word in lower case, of its ending where only that is known, or 0.
    pub(super) fn id(&self, word: &str) -> WordId {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let ending =
            self.endings.iter().find(|(ending, _)| word.len() > ending.len() && word.ends_with(&**ending));
        ending.map_or(0, |&(_, id)| id)
    }

    /// Takes a word in; `*ed` stands for all words with that ending that are not in themselves known.
    pub(super) fn intern(&mut self, word: &str) -> WordId {
        if self.classes.is_empty() {
            self.classes.push(ClassSet::default());
        }
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        // Lexicons hold some thousands of words; a test holds them under the limit.
        let id = WordId::try_from(self.classes.len()).unwrap_or(0);
        self.classes.push(ClassSet::default());
        self.ids.insert(word.into(), id);
        if let Some(ending) = word.strip_prefix('*') {
            self.endings.push((ending.into(), id));
        }
        id
    }

    /// Puts every known word into the classes of its ending, but for those that `apart` names.
    pub(super) fn close(&mut self, apart: impl Fn(WordId) -> bool) {
        for (word, &id) in &self.ids {
            let ending = self
                .endings
                .iter()
                .find(|(ending, _)| word.len() > ending.len() && word.ends_with(&**ending));
            if let Some(&(_, from)) = ending
                && !apart(id)
            {
                let inherited = self.classes[usize::from(from)];
                for (own, more) in self.classes[usize::from(id)].iter_mut().zip(inherited) {
                    *own |= more;
                }
            }
        }
    }

    /// Puts a word into a class.
    pub(super) fn join(&mut self, word: WordId, class: u16) {
        self.classes[usize::from(word)][usize::from(class / 64)] |= 1 << (class % 64);
    }

    /// Whether a word is in a class.
    fn is_in(&self, word: WordId, class: u16) -> bool {
        self.classes[usize::from(word)][usize::from(class / 64)] & (1 << (class % 64)) != 0
    }

    /// By class: a bit for each of its words, words sharing bits.
    fn bits_by_class(&self, classes: u16) -> Vec<u64> {
        let mut bits = vec![0; usize::from(classes)];
        for word in (0..).take(self.len()) {
            for class in (0..classes).filter(|&class| self.is_in(word, class)) {
                bits[usize::from(class)] |= next_bit(word);
            }
        }
        bits
    }

    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }
}

/// Numbers for classes: those with a name in the file at hand, and sets of words that patterns spell out.
#[derive(Default)]
pub(super) struct Classes {
    named: BTreeMap<String, u16>,
    spelt: BTreeMap<Vec<String>, u16>,
    count: u16,
}

impl Classes {
    /// A new number for the words of a class. `named`: under this name, until [`Classes::forget_names`].
    pub(super) fn define(
        &mut self,
        name: Option<&str>,
        words: &[String],
        vocabulary: &mut Vocabulary,
    ) -> Result<u16, String> {
        let class = self.count;
        if usize::from(class) == MOST_CLASSES {
            return Err(format!("more than {MOST_CLASSES} classes"));
        }
        for word in words {
            let id = vocabulary.intern(word);
            vocabulary.join(id, class);
        }
        match name {
            Some(name) => self.named.insert(name.to_owned(), class),
            None => self.spelt.insert(words.to_vec(), class),
        };
        self.count += 1;
        Ok(class)
    }

    /// The next file has names of its own.
    pub(super) fn forget_names(&mut self) {
        self.named.clear();
    }

    fn spelt(&mut self, words: &[String], vocabulary: &mut Vocabulary) -> Result<u16, String> {
        match self.spelt.get(words) {
            Some(&class) => Ok(class),
            None => self.define(None, words, vocabulary),
        }
    }
}

/// The tree while it grows.
#[derive(Default)]
pub(super) struct Builder {
    nodes: Vec<Growing>,
}

#[derive(Default, Clone)]
struct Growing {
    words: BTreeMap<WordId, u32>,
    classes: BTreeMap<u16, u32>,
    gaps: BTreeMap<u8, u32>,
    accepts: Vec<Accept>,
}

impl Growing {
    fn next_words(&self, by_class: &[u64]) -> u64 {
        let own = self.words.keys().copied().map(next_bit);
        let shared = self.classes.keys().map(|&class| by_class[usize::from(class)]);
        own.chain(shared).fold(0, |bits, bit| bits | bit)
    }
}

fn next_bit(word: WordId) -> u64 {
    1 << (word % 64)
}

/// What has been said when a node is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accept {
    /// Number of the kind of phrase.
    pub(super) kind: u8,
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
        if self.nodes.is_empty() {
            self.nodes.push(Growing::default());
        }
        let accept = Accept { kind, place: pattern.place };
        let gap_first = |way: &Vec<Element>| matches!(way.first(), Some(Element::Gap(_)));
        if !pattern.place.clause_start && pattern.ways.iter().any(gap_first) {
            return Err("a gap may come first only after `^`".to_owned());
        }
        for way in &pattern.ways {
            if let [Element::OneOf(words), rest @ ..] = way.as_slice() {
                // The root tells words apart by an index, which is faster than asking for classes.
                for word in words {
                    let first = Element::Word(word.clone());
                    self.add_way(std::iter::once(&first).chain(rest), accept, vocabulary, classes)?;
                }
            } else {
                self.add_way(way.iter(), accept, vocabulary, classes)?;
            }
        }
        Ok(())
    }

    fn add_way<'e>(
        &mut self,
        way: impl Iterator<Item = &'e Element>,
        accept: Accept,
        vocabulary: &mut Vocabulary,
        classes: &mut Classes,
    ) -> Result<(), String> {
        let mut node = 0;
        for element in way {
            let fresh = u32::try_from(self.nodes.len()).map_err(|error| error.to_string())?;
            let growing = &mut self.nodes[node as usize];
            let next = match element {
                Element::Word(word) => growing.words.entry(vocabulary.intern(word)).or_insert(fresh),
                Element::OneOf(words) => {
                    growing.classes.entry(classes.spelt(words, vocabulary)?).or_insert(fresh)
                }
                Element::Class(name) => {
                    let class = classes.named.get(name).ok_or_else(|| format!("no class `{name}`"))?;
                    growing.classes.entry(*class).or_insert(fresh)
                }
                Element::Gap(most) => growing.gaps.entry(*most).or_insert(fresh),
            };
            node = *next;
            if node == fresh {
                self.nodes.push(Growing::default());
            }
        }
        let accepts = &mut self.nodes[node as usize].accepts;
        if !accepts.contains(&accept) {
            accepts.push(accept);
        }
        Ok(())
    }

    /// The tree, laid flat. All words must be in their classes by then.
    pub(super) fn build(self, vocabulary: &Vocabulary, classes: &Classes) -> Machine {
        let mut machine = Machine::default();
        let by_class = vocabulary.bits_by_class(classes.count);
        for growing in &self.nodes {
            let node = Node {
                next: growing.next_words(&by_class),
                words: machine.words.push(growing.words.iter().map(|(&k, &v)| (k, v))),
                classes: machine.classes.push(growing.classes.iter().map(|(&k, &v)| (k, v))),
                gaps: machine.gaps.push(growing.gaps.iter().map(|(&k, &v)| (k, v))),
                accepts: machine.accepts.push(growing.accepts.iter().copied()),
            };
            machine.nodes.push(node);
        }
        let Some(root) = self.nodes.first() else { return machine };
        for word in 0..vocabulary.len() {
            let word = WordId::try_from(word).unwrap_or(0);
            let own = root.words.get(&word).copied();
            let shared = root
                .classes
                .iter()
                .filter(|&(&class, _)| vocabulary.is_in(word, class))
                .map(|(_, &next)| next);
            let slice = machine.seconds.push(own.into_iter().chain(shared));
            machine.first.push(slice);
        }
        machine
    }
}

/// The tree laid flat: nodes point at slices of four tables.
#[derive(Default)]
pub(super) struct Machine {
    nodes: Vec<Node>,
    words: Table<(WordId, u32)>,
    classes: Table<(u16, u32)>,
    gaps: Table<(u8, u32)>,
    accepts: Table<Accept>,
    /// By word: the nodes after it where it comes first. Every word of a text asks this, so that it is
    /// worked out beforehand.
    first: Vec<Slice>,
    seconds: Table<u32>,
}

#[derive(Clone, Copy)]
struct Node {
    /// A bit for each word that may come next, words sharing bits: most words are turned away by it.
    next: u64,
    words: Slice,
    classes: Slice,
    gaps: Slice,
    accepts: Slice,
}

/// The words that a phrase may be looked for in: ids in order, 0 to the end of the sentence.
pub(super) trait Words {
    /// The word at this place; `None` at the end.
    fn word(&self, at: usize) -> Option<WordId>;
    /// Whether this place holds a mark, which no gap crosses.
    fn is_mark(&self, at: usize) -> bool;
}

impl Machine {
    /// Calls `found` for every phrase that begins at `at`, with the place after its last word. Phrases that
    /// begin with a gap are looked for only where a clause starts.
    pub(super) fn walk<W: Words>(
        &self,
        text: &W,
        vocabulary: &Vocabulary,
        at: usize,
        clause_start: bool,
        found: &mut impl FnMut(Accept, usize),
    ) {
        let Some(word) = text.word(at) else { return };
        for &node in self.seconds.get(self.first[usize::from(word)]) {
            self.follow(node, text, vocabulary, at + 1, found);
        }
        if clause_start && let Some(root) = self.nodes.first() {
            for &(most, next) in self.gaps.get(root.gaps) {
                self.leap(usize::from(most), next, text, vocabulary, at, found);
            }
        }
    }

    fn follow<W: Words>(
        &self,
        node: u32,
        text: &W,
        vocabulary: &Vocabulary,
        at: usize,
        found: &mut impl FnMut(Accept, usize),
    ) {
        let node = self.nodes[node as usize];
        for &accept in self.accepts.get(node.accepts) {
            found(accept, at);
        }
        for &(most, next) in self.gaps.get(node.gaps) {
            self.leap(usize::from(most), next, text, vocabulary, at, found);
        }
        let Some(word) = text.word(at) else { return };
        if node.next & next_bit(word) == 0 {
            return;
        }
        let words = self.words.get(node.words);
        if word != 0
            && let Ok(index) = words.binary_search_by_key(&word, |&(word, _)| word)
        {
            self.follow(words[index].1, text, vocabulary, at + 1, found);
        }
        for &(class, next) in self.classes.get(node.classes) {
            if vocabulary.is_in(word, class) {
                self.follow(next, text, vocabulary, at + 1, found);
            }
        }
    }

    fn leap<W: Words>(
        &self,
        most: usize,
        node: u32,
        text: &W,
        vocabulary: &Vocabulary,
        at: usize,
        found: &mut impl FnMut(Accept, usize),
    ) {
        for skipped in 0..=most {
            self.follow(node, text, vocabulary, at + skipped, found);
            if text.word(at + skipped).is_none() || text.is_mark(at + skipped) {
                return;
            }
        }
    }
}

struct Table<T> {
    rows: Vec<T>,
}

#[derive(Clone, Copy)]
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
    fn push(&mut self, rows: impl Iterator<Item = T>) -> Slice {
        let start = self.rows.len();
        self.rows.extend(rows);
        // The embedded lexicons have some ten thousand rows.
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Slice { start: place(start), end: place(self.rows.len()) }
    }

    fn get(&self, slice: Slice) -> &[T] {
        &self.rows[slice.start as usize..slice.end as usize]
    }
}

/// A quick hash of short words, eight bytes at a time. The keys that it spreads are all from our own files.
#[derive(Default)]
pub(super) struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut eight = [0; 8];
            eight[..chunk.len()].copy_from_slice(chunk);
            let mixed =
                (self.0.rotate_left(23) ^ u64::from_le_bytes(eight)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.0 = mixed ^ (mixed >> 32);
        }
    }
}
