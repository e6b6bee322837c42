//! The phrases of all languages: one file a language under `lexicon/`, read once and compiled into one
//! machine. A language is added by writing its file and naming it in [`FILES`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::machine::{Builder, Machine};
use super::pattern::{parse, words};
use super::vocabulary::{Classes, Vocabulary, WordId};

/// Every language, as the text of its file.
const FILES: &[(&str, &str)] = &[
    ("en", include_str!("lexicon/en.yaml")),
    ("de", include_str!("lexicon/de.yaml")),
    ("fr", include_str!("lexicon/fr.yaml")),
    ("es", include_str!("lexicon/es.yaml")),
    ("zh", include_str!("lexicon/zh.yaml")),
    ("ja", include_str!("lexicon/ja.yaml")),
];

/// The compiled phrases, but for doubts.
pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| embedded(|kind| kind != Kind::Doubt));

/// The doubts alone: what says that a result cannot be relied on is asked only where a result was broken, and must
/// not stand in the way of what other phrases say.
pub(super) static DOUBTS: LazyLock<Lexicon> = LazyLock::new(|| embedded(|kind| kind == Kind::Doubt));

fn embedded(keeps: fn(Kind) -> bool) -> Lexicon {
    #[expect(clippy::expect_used, reason = "the files are part of the program, and a test compiles them")]
    Lexicon::compile(FILES, keeps).expect("the embedded lexicons compile")
}

/// A language's file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Whether a capital marks any noun, so that it shows no name.
    #[serde(default)]
    capital_nouns: bool,
    /// Frequent words by which the language is known.
    function_words: Vec<String>,
    /// Words with a part in how sentences are read.
    #[serde(default)]
    parts: BTreeMap<Part, Vec<String>>,
    /// Names for pieces of patterns.
    #[serde(default)]
    macros: BTreeMap<String, String>,
    /// Sets of single words that patterns name with `@`.
    #[serde(default)]
    classes: BTreeMap<String, Vec<String>>,
    /// What is said, by how.
    phrases: BTreeMap<Kind, Vec<String>>,
}

/// What a phrase says. The order decides between two phrases of one length at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// Nothing, whatever other phrase it overlaps: `can't wait to`.
    Ignore,
    /// Something was looked up or read: `I've checked`.
    Report,
    /// The request is done: `I've cancelled`.
    Claim,
    /// The assistant cannot: `I don't have access to`.
    Refuse,
    /// It cannot, for want of something the user could give: `I can't find`.
    Lack,
    /// What the inability hangs on: `without the`, `until you`.
    Condition,
    /// It asks for what it needs: `which invoice`.
    Ask,
    /// A polite question or an offer: `would you like me to`.
    Offer,
    /// Sends the user elsewhere: `please contact`.
    Redirect,
    /// Tells the user what to do: `you can`.
    Advice,
    /// Speaks of itself, its tools, its plans, or repeats the request.
    Aside,
    /// Leads up to a value: `here are`, `according to`.
    Present,
    /// States how something is: `is out of stock`.
    State,
    /// What was read cannot be relied on: `the response is empty`.
    Doubt,
}

impl Kind {
    /// All, in order.
    pub(super) const ALL: [Self; 14] = [
        Self::Ignore,
        Self::Report,
        Self::Claim,
        Self::Refuse,
        Self::Lack,
        Self::Condition,
        Self::Ask,
        Self::Offer,
        Self::Redirect,
        Self::Advice,
        Self::Aside,
        Self::Present,
        Self::State,
        Self::Doubt,
    ];
}

/// The part that a single word plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    /// Voids a claim later in its clause: `not`, `nothing`, `might`.
    Negator,
    /// Voids claims later in its sentence: `if`, `once`.
    Conditional,
    /// Where it comes first, a comma begins a new segment: `although`, `while`.
    Concessive,
    /// Begins a new segment: `but`, `however`.
    Break,
    /// May stand before a clause: `and`, `so`.
    Lead,
    /// A full stop after it ends no sentence: `Dr`.
    Abbreviation,
    /// A small number in letters.
    Number,
    /// Has a capital and names nobody: `API`, `PDF`.
    Common,
    /// Kept out of the endings of classes: `need` is no past of anything. It is no part that a reader asks for.
    Apart,
}

/// A set of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts(u8);

impl Parts {
    pub(super) const NEGATOR: u8 = 1 << Part::Negator as u8;
    pub(super) const CONDITIONAL: u8 = 1 << Part::Conditional as u8;
    pub(super) const CONCESSIVE: u8 = 1 << Part::Concessive as u8;
    pub(super) const BREAK: u8 = 1 << Part::Break as u8;
    pub(super) const LEAD: u8 = 1 << Part::Lead as u8;
    pub(super) const ABBREVIATION: u8 = 1 << Part::Abbreviation as u8;
    pub(super) const NUMBER: u8 = 1 << Part::Number as u8;
    pub(super) const COMMON: u8 = 1 << Part::Common as u8;

    /// Whether any of these parts is among them.
    pub(super) fn has(self, parts: u8) -> bool {
        self.0 & parts != 0
    }
}

/// The phrases of all languages, compiled.
pub(super) struct Lexicon {
    /// All words.
    pub(super) vocabulary: Vocabulary,
    /// All phrases.
    pub(super) machine: Machine,
    traits: Vec<Traits>,
    /// By language: whether a capital marks any noun.
    pub(super) capital_nouns: Vec<bool>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Traits {
    /// Eight bits a language, one for each part.
    parts: u64,
    /// One bit a language.
    languages: u8,
}

/// The languages that a text may be in: the first bit of every eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spoken(u64);

impl Spoken {
    /// Any of ours.
    pub(super) const ANY: Self = Self(0x0101_0101_0101_0101);

    /// Those with at least half of the most votes. One word is several words in several languages: `once` is
    /// a conditional or eleven.
    pub(super) fn by_votes(votes: [usize; 8]) -> Self {
        let most = votes.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return Self::ANY;
        }
        let heard = votes.iter().enumerate().filter(|&(_, &vote)| vote * 2 >= most);
        Self(heard.map(|(language, _)| 1 << (8 * language)).sum())
    }
}

impl Lexicon {
    /// The parts that a word plays in these languages.
    pub(super) fn parts(&self, word: WordId, spoken: Spoken) -> Parts {
        let Some(traits) = self.traits.get(usize::from(word)) else { return Parts(0) };
        // Eight bits of each language at once, folded into eight.
        let mut parts = traits.parts & (spoken.0 * 0xff);
        if parts == 0 {
            return Parts(0);
        }
        parts |= parts >> 32;
        parts |= parts >> 16;
        parts |= parts >> 8;
        Parts((parts & 0xff) as u8)
    }

    /// The languages that a word is frequent in, one bit each.
    pub(super) fn languages(&self, word: WordId) -> u8 {
        self.traits[usize::from(word)].languages
    }

    fn compile(files: &[(&str, &str)], keeps: fn(Kind) -> bool) -> Result<Self, String> {
        let mut compiler = Compiler::default();
        for (index, (name, text)) in files.iter().enumerate() {
            let file: File = serde_yaml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
            compiler.take(index, &file, keeps).map_err(|error| format!("{name}: {error}"))?;
        }
        let words = compiler.vocabulary.len();
        compiler.traits.resize(words, Traits::default());
        let Compiler { vocabulary, builder, traits, capital_nouns, mut classes, apart } = compiler;
        classes.close(&vocabulary, &apart);
        Ok(Self { machine: builder.build(&vocabulary, &classes), vocabulary, traits, capital_nouns })
    }
}

#[derive(Default)]
struct Compiler {
    vocabulary: Vocabulary,
    builder: Builder,
    traits: Vec<Traits>,
    capital_nouns: Vec<bool>,
    classes: Classes,
    apart: BTreeSet<WordId>,
}

impl Compiler {
    fn take(&mut self, language: usize, file: &File, keeps: fn(Kind) -> bool) -> Result<(), String> {
        self.capital_nouns.push(file.capital_nouns);
        for word in file.function_words.iter().flat_map(|entry| words(entry)) {
            self.mark(&word, |traits| traits.languages |= 1 << language)?;
        }
        for (&part, entries) in &file.parts {
            for entry in entries {
                let mut words = words(entry);
                let (Some(word), None) = (words.next(), words.next()) else {
                    return Err(format!("`{entry}` under `{part:?}` is not one word"));
                };
                if part == Part::Apart {
                    self.apart.insert(self.vocabulary.intern(&word)?);
                } else {
                    self.mark(&word, |traits| traits.parts |= 1 << (8 * language + part as usize))?;
                }
            }
        }
        self.classes.forget_names();
        for (name, members) in &file.classes {
            let words = members.iter().map(|word| self.vocabulary.intern(word)).collect::<Result<_, _>>()?;
            self.classes.name(name, words)?;
        }
        for (&kind, sources) in file.phrases.iter().filter(|(kind, _)| keeps(**kind)) {
            for source in sources {
                let pattern = parse(source, &file.macros)?;
                self.builder
                    .add(&pattern, kind as u8, &mut self.vocabulary, &mut self.classes)
                    .map_err(|error| format!("`{source}`: {error}"))?;
            }
        }
        Ok(())
    }

    fn mark(&mut self, word: &str, set: impl Fn(&mut Traits)) -> Result<(), String> {
        let id = usize::from(self.vocabulary.intern(word)?);
        if self.traits.len() <= id {
            self.traits.resize(id + 1, Traits::default());
        }
        set(&mut self.traits[id]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_files_compile_and_leave_room() {
        let lexicon = Lexicon::compile(FILES, |_| true).unwrap();
        assert!(lexicon.vocabulary.len() < usize::from(WordId::MAX));
        assert!(FILES.len() <= 8, "a language is one bit of a byte");
    }

    #[test]
    fn a_misspelt_key_or_class_is_refused() {
        for wrong in [
            "function_words: []\nphrases: { refuze: [] }",
            "function_words: []\nphrases: { refuse: ['no @tool'] }",
            "function_words: []\nphrases: { refuse: ['{cannot}'] }",
            "function_words: []\nphrases: {}\nextra: 1",
        ] {
            assert!(Lexicon::compile(&[("xx", wrong)], |_| true).is_err(), "{wrong}");
        }
    }

    #[test]
    fn kinds_stand_in_their_order() {
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
        }
    }
}
