//! How near two names are: slips of an offered name, the nearest name, names of the same purpose.

use probes::Offered;
use transcript::ToolName;

/// Words that say nothing about what a tool does: with or without them a name is the same.
const FILLER_WORDS: &[&str] =
    &["tool", "function", "func", "fn", "api", "call", "v1", "v2", "v3", "the", "current", "new", "my"];

/// Verbs that ask for the same thing. One row each; words of two rows are never mixed.
///
/// The list of `probes` (`near_name/verbs.txt`) serves to make probes and to tell what reads, and is free to
/// grow. A row here moves `intended_tool` and with it `shadow_call`: it changes with the scorer's version alone.
const VERBS: &[&[&str]] = &[
    &["get", "read", "fetch", "view", "show", "open", "retrieve", "load", "cat", "lookup"],
    &["create", "add", "make", "insert"],
    &["delete", "remove", "erase", "destroy"],
    &["update", "edit", "modify", "change"],
    &["search", "find", "query"],
    &["list", "ls"],
    &["send", "dispatch"],
    &["run", "execute", "exec"],
];

/// The first word of a name, as its tool's family takes it.
pub(super) fn first_word(name: &str) -> &str {
    let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
    &name[..end]
}

/// A name as its words in snake, kebab, dotted or camel case, in lower case.
#[derive(Debug)]
struct Words(String);

impl Words {
    fn of(name: &str) -> Self {
        if name.is_ascii() {
            return Self::of_ascii(name);
        }
        let mut words = String::with_capacity(name.len() + 4);
        let mut previous_lower = false;
        for character in name.chars() {
            let boundary = !character.is_alphanumeric() || (previous_lower && character.is_uppercase());
            if boundary && !words.is_empty() && !words.ends_with(' ') {
                words.push(' ');
            }
            if character.is_alphanumeric() {
                words.extend(character.to_lowercase());
            }
            previous_lower = character.is_lowercase() || character.is_numeric();
        }
        Self(words)
    }

    fn of_ascii(name: &str) -> Self {
        let mut words = String::with_capacity(name.len() + 4);
        let mut previous_lower = false;
        for byte in name.bytes() {
            let boundary = !byte.is_ascii_alphanumeric() || (previous_lower && byte.is_ascii_uppercase());
            if boundary && !words.is_empty() && !words.ends_with(' ') {
                words.push(' ');
            }
            if byte.is_ascii_alphanumeric() {
                words.push(char::from(byte.to_ascii_lowercase()));
            }
            previous_lower = byte.is_ascii_lowercase() || byte.is_ascii_digit();
        }
        Self(words)
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').filter(|word| !word.is_empty())
    }

    /// The words that say what a tool does, in the singular.
    fn telling(&self) -> Vec<&str> {
        self.all().filter(|word| !FILLER_WORDS.contains(word)).map(singular).collect()
    }

    /// What it does, as a sorted set of concepts.
    fn concepts(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.telling().into_iter().map(verb).collect();
        all.sort_unstable();
        all
    }
}

/// An unknown name beside the words of all offered ones, which are taken apart once.
pub(super) struct Neighbours<'a> {
    name: &'a str,
    words: Words,
    offered: Vec<(&'a ToolName, Words)>,
}

/// A word without the ending of its plural.
fn singular(word: &str) -> &str {
    if let Some(stem) = word.strip_suffix("es")
        && stem.ends_with(['x', 's', 'z', 'h'])
    {
        return stem;
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem,
        _ => word,
    }
}

impl<'a> Neighbours<'a> {
    pub(super) fn of(name: &'a str, offered: &'a Offered) -> Self {
        let tools = offered.tools().iter().map(|tool| (&tool.name, Words::of(tool.name.as_str())));
        Self { name, words: Words::of(name), offered: tools.collect() }
    }

    /// The offered tool of which the name is a slip: another spelling, number or order of the same words, a
    /// word that says nothing, or one mistyped word. Another verb or another noun is no slip.
    pub(super) fn near_miss(&self) -> Option<ToolName> {
        let emitted = self.words.telling();
        let mut hits = self.offered.iter().filter(|(_, words)| is_slip(&emitted, &words.telling()));
        hits.next().map(|(tool, _)| (*tool).clone())
    }

    /// The one offered tool that has the purpose of the name; none where there are two.
    pub(super) fn only_synonym(&self) -> Option<ToolName> {
        let concepts = self.words.concepts();
        let mut hits = self.offered.iter().filter(|(_, words)| words.concepts() == concepts);
        let (first, _) = hits.next().filter(|_| !concepts.is_empty())?;
        hits.next().is_none().then(|| (*first).clone())
    }

    /// The offered name that is nearest: most words in common, then closest in letters, then first in the
    /// catalog.
    pub(super) fn nearest(&self) -> Option<ToolName> {
        let wanted: Vec<&str> = self.words.all().collect();
        let shared = |words: &Words| {
            let (mut common, mut count) = (0, 0);
            for word in words.all() {
                count += 1;
                common += usize::from(wanted.contains(&word));
            }
            2.0 * as_f64(common) / as_f64(wanted.len() + count).max(1.0)
        };
        let all: Vec<(f64, &ToolName)> =
            self.offered.iter().map(|(tool, words)| (shared(words), *tool)).collect();
        let most = all.iter().map(|(share, _)| *share).fold(0.0, f64::max);
        let mut best: Option<(f64, &ToolName)> = None;
        for (_, tool) in all.iter().filter(|(share, _)| *share >= most) {
            let likeness = strsim::normalized_levenshtein(self.name, tool.as_str());
            if best.is_none_or(|(top, _)| likeness > top) {
                best = Some((likeness, tool));
            }
        }
        best.map(|(_, tool)| tool.clone())
    }
}

fn is_slip(emitted: &[&str], offer: &[&str]) -> bool {
    if emitted.is_empty() || offer.is_empty() {
        return false;
    }
    let length = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
    if length(emitted) == length(offer) && emitted.concat() == offer.concat() {
        return true;
    }
    if emitted.len() != offer.len() {
        return false;
    }
    if emitted.iter().all(|word| offer.contains(word)) && offer.iter().all(|word| emitted.contains(word)) {
        return true;
    }
    let mut differing = emitted.iter().zip(offer).filter(|(a, b)| a != b);
    match (differing.next(), differing.next()) {
        (Some((a, b)), None) => is_typo(a, b),
        _ => false,
    }
}

/// One mistyped word. `deactivate` is no typo of `activate`: an opposite is not a slip.
fn is_typo(a: &str, b: &str) -> bool {
    if a.ends_with(b) || b.ends_with(a) {
        return false;
    }
    let shorter = a.chars().count().min(b.chars().count());
    let distance = strsim::damerau_levenshtein(a, b);
    let same_start = a.chars().next() == b.chars().next();
    (distance <= 1 && shorter >= 5) || (distance <= 2 && shorter >= 7 && same_start)
}

/// Whether two names ask for the same thing in other words: `fetch_letter` and `get_letter`.
pub(crate) fn same_purpose(a: &str, b: &str) -> bool {
    let (a, b) = (Words::of(a), Words::of(b));
    !a.concepts().is_empty() && a.concepts() == b.concepts()
}

fn verb(word: &str) -> &str {
    VERBS.iter().find(|row| row.contains(&word)).map_or(word, |row| row[0])
}

fn as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
