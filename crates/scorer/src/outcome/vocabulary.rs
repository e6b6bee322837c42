//! The words that some lexicon knows, and the classes that they are in.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

/// A word's number; 0 is any word that no lexicon knows.
pub(super) type WordId = u16;

/// A class's number.
pub(super) type ClassId = u16;

/// All known words.
#[derive(Default)]
pub(super) struct Vocabulary {
    ids: HashMap<Box<str>, WordId, BuildHasherDefault<WordHasher>>,
    endings: Vec<(Box<str>, WordId)>,
}

impl Vocabulary {
    /// The number of a word in lower case, of its ending where only that is known, or 0.
    pub(super) fn id(&self, word: &str) -> WordId {
        self.ids.get(word).copied().or_else(|| self.ending(word)).unwrap_or(0)
    }

    /// Takes a word in; `*ed` stands for all words with that ending that are not in themselves known.
    pub(super) fn intern(&mut self, word: &str) -> Result<WordId, String> {
        if let Some(&id) = self.ids.get(word) {
            return Ok(id);
        }
        let id = WordId::try_from(self.len()).map_err(|_| format!("`{word}` is one word too many"))?;
        self.ids.insert(word.into(), id);
        if let Some(ending) = word.strip_prefix('*') {
            self.endings.push((ending.into(), id));
        }
        Ok(id)
    }

    /// One more than the greatest number.
    pub(super) fn len(&self) -> usize {
        self.ids.len() + 1
    }

    fn ending(&self, word: &str) -> Option<WordId> {
        let mut endings = self.endings.iter();
        endings.find(|(ending, _)| word.len() > ending.len() && word.ends_with(&**ending)).map(|&(_, id)| id)
    }
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
        let known = vocabulary.ids.iter().filter(|(_, id)| !apart.contains(id));
        let endings = known.filter_map(|(word, &id)| vocabulary.ending(word).map(|ending| (ending, id)));
        let endings: Vec<(WordId, WordId)> = endings.collect();
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
