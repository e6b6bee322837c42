//! The words that some lexicon knows, and the classes that they are in.

use std::collections::{BTreeMap, BTreeSet};

/// A word's number; 0 is any word that no lexicon knows.
pub(super) type WordId = u16;

/// A class's number.
pub(super) type ClassId = u16;

/// All known words. Every word of a text is looked up here, so that short words, which are most, are kept as
/// one number each, and no lower-case copy is made of any.
pub(super) struct Vocabulary {
    short: Vec<(u64, WordId)>,
    long: Vec<(Box<str>, WordId)>,
    endings: Vec<(Box<str>, WordId)>,
    count: usize,
}

/// Places in each of the two tables: at least twice as many as there may be words.
const PLACES: usize = 1 << 14;

impl Default for Vocabulary {
    fn default() -> Self {
        let (short, long) = (vec![(0, 0); PLACES], vec![(Box::default(), 0); PLACES]);
        Self { short, long, endings: Vec::new(), count: 1 }
    }
}

impl Vocabulary {
    /// The number of a word in any case, of its ending where only that is known, or 0.
    pub(super) fn id(&self, word: &str) -> WordId {
        if !word.is_ascii() && word.chars().any(char::is_uppercase) {
            return self.lower_id(&word.to_lowercase());
        }
        self.lower_id(word)
    }

    /// The same for a word without capitals other than those of ASCII.
    fn lower_id(&self, word: &str) -> WordId {
        let known = match pack(word) {
            Some(packed) => self.short[self.short_place(packed)].1,
            None => self.long[self.long_place(word)].1,
        };
        if known == 0 { self.ending(word).unwrap_or(0) } else { known }
    }

    /// Takes a word in; `*ed` stands for all words with that ending that are not in themselves known.
    pub(super) fn intern(&mut self, word: &str) -> Result<WordId, String> {
        if self.count * 2 >= PLACES {
            return Err(format!("`{word}` is one word too many"));
        }
        let word = word.to_lowercase();
        let fresh = WordId::try_from(self.count).map_err(|error| error.to_string())?;
        let id = if let Some(packed) = pack(&word) {
            let place = self.short_place(packed);
            let slot = &mut self.short[place];
            *slot = (packed, if slot.1 == 0 { fresh } else { slot.1 });
            slot.1
        } else {
            let place = self.long_place(&word);
            let slot = &mut self.long[place];
            *slot = (word.as_str().into(), if slot.1 == 0 { fresh } else { slot.1 });
            slot.1
        };
        if id == fresh {
            self.count += 1;
            if let Some(ending) = word.strip_prefix('*') {
                self.endings.push((ending.into(), id));
            }
        }
        Ok(id)
    }

    /// The place of a short word: its own, or the free one where it would go.
    fn short_place(&self, packed: u64) -> usize {
        let mut place = first_place(packed.wrapping_mul(SPREAD));
        while self.short[place].0 != packed && self.short[place].1 != 0 {
            place = (place + 1) % PLACES;
        }
        place
    }

    fn long_place(&self, word: &str) -> usize {
        let mut place = first_place(hash(word.as_bytes()));
        while self.long[place].1 != 0 && !self.long[place].0.eq_ignore_ascii_case(word) {
            place = (place + 1) % PLACES;
        }
        place
    }

    /// One more than the greatest number.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    fn ending(&self, word: &str) -> Option<WordId> {
        let ends = |ending: &str| {
            let at = word.len().checked_sub(ending.len()).filter(|&at| at > 0);
            at.and_then(|at| word.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
        };
        self.endings.iter().find(|(ending, _)| ends(ending)).map(|&(_, id)| id)
    }

    /// All words with their numbers.
    fn words(&self) -> impl Iterator<Item = (String, WordId)> {
        let short = self.short.iter().map(|&(packed, id)| (unpack(packed), id));
        let long = self.long.iter().map(|(word, id)| (word.to_string(), *id));
        short.chain(long).filter(|&(_, id)| id != 0)
    }
}

/// In place of a word where a mark stands.
pub(super) const MARK_WORD: WordId = WordId::MAX;

/// An odd number that spreads near keys far.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

fn first_place(hash: u64) -> usize {
    (hash >> 48) as usize % PLACES
}

/// Up to eight bytes as one number, in the small letters of ASCII.
fn pack(word: &str) -> Option<u64> {
    let bytes = word.as_bytes();
    (bytes.len() <= 8).then(|| pack_bytes(bytes))
}

fn pack_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |packed, byte| packed << 8 | u64::from(byte.to_ascii_lowercase()))
}

fn unpack(packed: u64) -> String {
    String::from_utf8_lossy(&packed.to_le_bytes()).trim_end_matches('\0').to_owned()
}

/// A quick hash of words whatever the case of their ASCII letters.
pub(super) fn hash(word: &[u8]) -> u64 {
    word.chunks(8).fold(word.len() as u64, |hash, eight| {
        let mixed = (hash.rotate_left(23) ^ pack_bytes(eight)).wrapping_mul(SPREAD);
        mixed ^ (mixed >> 32)
    })
}

/// Sets of words: those with a name in the file at hand, and those that patterns spell out.
#[derive(Default)]
pub(super) struct Classes {
    named: BTreeMap<String, ClassId>,
    spelt: BTreeMap<BTreeSet<WordId>, ClassId>,
    members: Vec<BTreeSet<WordId>>,
}

impl Classes {
    /// Gives a class its name, until [`Classes::forget_names`].
    pub(super) fn name(&mut self, name: &str, words: BTreeSet<WordId>) -> Result<(), String> {
        let class = self.spell(words)?;
        self.named.insert(name.to_owned(), class);
        Ok(())
    }

    /// The next file has names of its own.
    pub(super) fn forget_names(&mut self) {
        self.named.clear();
    }

    /// The class of this name.
    pub(super) fn named(&self, name: &str) -> Result<ClassId, String> {
        self.named.get(name).copied().ok_or_else(|| format!("no class `{name}`"))
    }

    /// The class of exactly these words.
    pub(super) fn spell(&mut self, words: BTreeSet<WordId>) -> Result<ClassId, String> {
        if let Some(&class) = self.spelt.get(&words) {
            return Ok(class);
        }
        let class = ClassId::try_from(self.members.len()).map_err(|_| "too many classes".to_owned())?;
        self.members.push(words.clone());
        self.spelt.insert(words, class);
        Ok(class)
    }

    /// Puts every known word into the classes of its ending, but for those that stand apart.
    pub(super) fn close(&mut self, vocabulary: &Vocabulary, apart: &BTreeSet<WordId>) {
        let known = vocabulary.words().filter(|(_, id)| !apart.contains(id));
        let endings = known.filter_map(|(word, id)| vocabulary.ending(&word).map(|ending| (ending, id)));
        let endings: Vec<(WordId, WordId)> = endings.filter(|(ending, id)| ending != id).collect();
        for members in &mut self.members {
            let more: Vec<WordId> =
                endings.iter().filter(|(ending, _)| members.contains(ending)).map(|&(_, id)| id).collect();
            members.extend(more);
        }
    }

    /// The words of a class.
    pub(super) fn members(&self, class: ClassId) -> impl Iterator<Item = WordId> {
        self.members[usize::from(class)].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_stand_for_words_that_are_not_known() {
        let mut vocabulary = Vocabulary::default();
        let ending = vocabulary.intern("*ed").unwrap();
        let need = vocabulary.intern("need").unwrap();
        assert_eq!(vocabulary.id("painted"), ending);
        assert_eq!(vocabulary.id("need"), need);
        assert_eq!((vocabulary.id("ed"), vocabulary.id("paint")), (0, 0));
    }

    #[test]
    fn words_of_any_length_and_case_keep_their_numbers() {
        let mut vocabulary = Vocabulary::default();
        let words = ["a", "eight__b", "unfortunately", "größe", "schlüssel", "无", "able"];
        let ids: Vec<WordId> = words.iter().map(|word| vocabulary.intern(word).unwrap()).collect();
        for (word, id) in words.iter().zip(&ids) {
            assert_eq!(vocabulary.id(word), *id, "{word}");
            if word.is_ascii() {
                assert_eq!(vocabulary.id(&word.to_uppercase()), *id, "{word}");
            }
        }
        // A capital that has no small letter.
        assert_eq!(vocabulary.id("𝐀"), 0);
        assert_eq!(vocabulary.id("Schlüssel"), vocabulary.id("schlüssel"));
        assert_eq!(vocabulary.len(), words.len() + 1);
        assert_eq!((vocabulary.id("b"), vocabulary.id("fortunately"), vocabulary.id("有")), (0, 0, 0));
    }

    #[test]
    fn known_words_join_the_classes_of_their_ending_unless_apart() {
        let mut vocabulary = Vocabulary::default();
        let [ending, painted, need] = ["*ed", "painted", "need"].map(|word| vocabulary.intern(word).unwrap());
        let mut classes = Classes::default();
        classes.name("done", BTreeSet::from([ending])).unwrap();
        classes.close(&vocabulary, &BTreeSet::from([need]));
        let class = classes.named("done").unwrap();
        assert_eq!(classes.members(class).collect::<Vec<_>>(), [ending, painted]);
        assert!(classes.named("undone").is_err());
    }
}
