//! The words of a tool's name, and what they ask for.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

const VERBS: &str = include_str!("verbs.txt");
const NOUNS: &str = include_str!("nouns.txt");

/// A group of verbs that ask for the same thing.
pub(super) struct VerbGroup {
    pub(super) reads: bool,
    pub(super) verbs: Vec<&'static str>,
}

/// A noun with its short form and its synonyms.
pub(super) struct Noun {
    pub(super) noun: &'static str,
    pub(super) abbreviation: Option<&'static str>,
    pub(super) synonyms: Vec<&'static str>,
}

pub(super) static VERB_GROUPS: LazyLock<Vec<VerbGroup>> = LazyLock::new(|| {
    let lines = VERBS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            VerbGroup { reads: words.next() == Some("reads"), verbs: words.collect() }
        })
        .collect()
});

pub(super) static NOUN_LIST: LazyLock<Vec<Noun>> = LazyLock::new(|| {
    let given = |word: &&str| *word != "-";
    let lines = NOUNS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            Noun {
                noun: words.next().unwrap_or_default(),
                abbreviation: words.next().filter(given),
                synonyms: words.filter(given).collect(),
            }
        })
        .collect()
});

static VERB_GROUP_OF: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let numbered = VERB_GROUPS.iter().enumerate();
    numbered.flat_map(|(at, group)| group.verbs.iter().map(move |verb| (*verb, at))).collect()
});

static NOUN_OF: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let mut map = HashMap::new();
    for (at, noun) in NOUN_LIST.iter().enumerate() {
        map.insert(noun.noun, at);
        map.extend(noun.abbreviation.iter().chain(&noun.synonyms).map(|word| (*word, at)));
    }
    map
});

/// Words that say nothing about what a tool works on.
const FILLERS: &[&str] = &[
    "a", "an", "the", "of", "for", "to", "in", "on", "by", "with", "from", "and", "or", "id", "ids", "all",
    "new",
];

/// A word of a name: where it stands, and in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) range: Range<usize>,
    pub(super) lower: String,
}

/// Where a name's own part begins: behind `mcp__server__`, `server__`, `server.`, `server:` or `server/`.
pub(super) fn own_part(name: &str) -> usize {
    let behind_underscores = name.rfind("__").map(|at| at + 2);
    let behind_mark = name.rfind(['.', ':', '/']).map(|at| at + 1);
    let start = behind_underscores.max(behind_mark).unwrap_or(0);
    if start < name.len() { start } else { 0 }
}

/// Splits a name in snake, kebab, dotted or camel case into words. A run of capitals is one word
/// (`getURLList`: get, url, list); digits belong to the letters before them.
pub(super) fn words(name: &str, from: usize) -> Vec<Word> {
    let characters: Vec<(usize, char)> = name.char_indices().filter(|(at, _)| *at >= from).collect();
    let mut words: Vec<Word> = Vec::new();
    let mut start: Option<usize> = None;
    let mut push = |start: &mut Option<usize>, end: usize| {
        if let Some(begin) = start.take() {
            words.push(Word { range: begin..end, lower: name[begin..end].to_lowercase() });
        }
    };
    for (index, &(at, character)) in characters.iter().enumerate() {
        if !character.is_alphanumeric() {
            push(&mut start, at);
            continue;
        }
        let before = index.checked_sub(1).map(|before| characters[before].1);
        let after = characters.get(index + 1).map(|(_, after)| *after);
        let camel = character.is_uppercase()
            && (before.is_some_and(|c| c.is_lowercase() || c.is_numeric())
                || (before.is_some_and(char::is_uppercase) && after.is_some_and(char::is_lowercase)));
        if camel {
            push(&mut start, at);
        }
        start.get_or_insert(at);
    }
    push(&mut start, name.len());
    words
}

/// The group of a verb.
pub(super) fn verb_group(word: &str) -> Option<usize> {
    VERB_GROUP_OF.get(word).copied()
}

/// Which of some words is the verb: the first that is one.
pub(super) fn verb_at(words: &[Word]) -> Option<usize> {
    words.iter().position(|word| verb_group(&word.lower).is_some())
}

/// The noun that a word is, stands for or is a plural of.
pub(super) fn noun(word: &str) -> Option<&'static Noun> {
    let at = NOUN_OF.get(word).or_else(|| NOUN_OF.get(singular(word).as_str()))?;
    NOUN_LIST.get(*at)
}

/// Whether a name's verbs only look: its first verb reads, and no writing verb is joined to it
/// (`search_and_replace`, `get_or_create`).
pub(crate) fn name_reads(name: &str) -> bool {
    let words = words(name, own_part(name));
    let Some(first) = verb_at(&words) else { return false };
    let reads = |word: &Word| verb_group(&word.lower).and_then(|at| VERB_GROUPS.get(at)).map(|g| g.reads);
    let joined_write = words
        .windows(2)
        .any(|pair| matches!(pair[0].lower.as_str(), "and" | "or") && reads(&pair[1]) == Some(false));
    reads(&words[first]) == Some(true) && !joined_write
}

/// Whether two names speak of the same thing: a noun of the one, in singular and synonyms as one, is the last noun
/// of the other.
pub(crate) fn shares_object(one: &str, other: &str) -> bool {
    let (one, other) = (things(one), things(other));
    let within = |few: &[String], many: &[String]| few.last().is_some_and(|last| many.contains(last));
    within(&one, &other) || within(&other, &one)
}

/// The things that a name speaks of: its words without the verb.
fn things(name: &str) -> Vec<String> {
    let words = words(name, own_part(name));
    let verb = verb_at(&words);
    let told = words.iter().enumerate().filter(|(at, word)| {
        Some(*at) != verb.or(Some(0).filter(|_| words.len() > 1)) && !FILLERS.contains(&word.lower.as_str())
    });
    told.map(|(_, word)| thing(&word.lower)).collect()
}

/// The thing that a word in lower case names: in singular, synonyms as one.
pub(super) fn thing(word: &str) -> String {
    noun(word).map_or_else(|| singular(word), |noun| noun.noun.to_owned())
}

/// One thing instead of several, by the usual endings.
pub(super) fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    for ending in ["sses", "ches", "shes", "xes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    let keeps_s = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 1 && !keeps_s => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// Several things instead of one, by the usual endings.
pub(super) fn plural(word: &str) -> String {
    let vowel_before_y = ["ay", "ey", "oy", "uy"].iter().any(|ending| word.ends_with(ending));
    if let Some(stem) = word.strip_suffix('y').filter(|_| !vowel_before_y) {
        return format!("{stem}ies");
    }
    if ["s", "x", "ch", "sh"].iter().any(|ending| word.ends_with(ending)) {
        return format!("{word}es");
    }
    format!("{word}s")
}

/// What a name asks for: a group of verbs, and the things that it works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purpose {
    verb: usize,
    /// Sorted, in singular, synonyms as one.
    object: Vec<String>,
    /// The last of them as written: what the others only describe.
    head: String,
}

impl Purpose {
    /// Of a tool's name; none where it has no known verb, or nothing beside it.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let words = words(name, own_part(name));
        let verb_at = verb_at(&words)?;
        let things = |words: &[Word]| -> Vec<String> {
            let told = words.iter().filter(|word| !FILLERS.contains(&word.lower.as_str()));
            told.map(|word| thing(&word.lower)).collect()
        };
        let mut object = things(&words[verb_at + 1..]);
        if object.is_empty() {
            object = things(&words[..verb_at]);
        }
        let head = object.last()?.clone();
        object.sort();
        object.dedup();
        Some(Self { verb: verb_group(&words[verb_at].lower)?, object, head })
    }

    /// The first verb of the group that asks for the same.
    #[must_use]
    pub fn verb(&self) -> &'static str {
        VERB_GROUPS.get(self.verb).and_then(|group| group.verbs.first()).copied().unwrap_or_default()
    }

    /// What it works on: words in singular, synonyms as one, sorted.
    #[must_use]
    pub fn object(&self) -> &[String] {
        &self.object
    }

    /// Whether both ask for the same of the same.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.verb == other.verb && self.object == other.object
    }

    /// Whether both ask for the same, and the one works on a narrower sort of what the other works on
    /// (`get_report`, `get_revenue_report`).
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let within = |few: &Self, many: &Self| few.object.iter().all(|word| many.object.contains(word));
        self.verb == other.verb && self.head == other.head && (within(self, other) || within(other, self))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn split(name: &str) -> Vec<String> {
        words(name, own_part(name)).into_iter().map(|word| word.lower).collect()
    }

    #[test]
    fn names_of_every_case_split_into_words() {
        assert_eq!(split("create_invoice"), ["create", "invoice"]);
        assert_eq!(split("create-invoiceLine"), ["create", "invoice", "line"]);
        assert_eq!(split("getURLList2"), ["get", "url", "list2"]);
        assert_eq!(split("mcp__desk__closeTicket"), ["close", "ticket"]);
        assert_eq!(split("desk.close_ticket"), ["close", "ticket"]);
        assert_eq!(split("odd__"), ["odd"]);
    }

    #[test]
    fn each_word_of_the_lists_stands_once() {
        let mut seen = HashSet::new();
        for verb in VERB_GROUPS.iter().flat_map(|group| &group.verbs) {
            assert!(seen.insert(*verb), "verb `{verb}` stands twice");
        }
        let mut seen = HashSet::new();
        for noun in NOUN_LIST.iter() {
            for word in noun.abbreviation.iter().chain(&noun.synonyms).chain([&noun.noun]) {
                assert!(seen.insert(*word), "noun `{word}` stands twice");
            }
        }
        assert!(
            VERBS.lines().all(|l| l.starts_with('#') || l.starts_with("reads ") || l.starts_with("writes "))
        );
    }

    #[test]
    fn reading_names() {
        assert!(name_reads("API-get-user"));
        assert!(name_reads("tickets__search_tickets"));
        assert!(!name_reads("search_and_replace"));
        assert!(!name_reads("get_or_create_user"));
        assert!(!name_reads("fetch__post_message"));
    }

    #[test]
    fn what_names_speak_of() {
        assert!(shares_object("void_invoice", "list_bills"));
        assert!(shares_object("cancel_refund", "billing__get_refund"));
        assert!(shares_object("reopen_ticket", "get_ticket_history"));
        assert!(!shares_object("cancel_refund", "cancel_order"));
        assert_eq!(crate::near_name::name_words("desk__getOpen_order"), ["get", "open", "order"]);
    }

    #[test]
    fn purposes() {
        let purpose = |name: &str| Purpose::of(name).unwrap();
        assert!(purpose("send_message").is_same(&purpose("slack_post_message")));
        assert!(purpose("createInvoice").is_same(&purpose("billing__create_bills")));
        assert!(!purpose("get_invoice").is_same(&purpose("create_invoice")));
        assert!(purpose("get_report").covers(&purpose("get_revenue_report")));
        assert!(!purpose("get_customer").covers(&purpose("get_customer_note")));
        assert!(Purpose::of("echo").is_none());
    }

    #[test]
    fn singular_and_plural() {
        for (one, many) in [
            ("refund", "refunds"),
            ("category", "categories"),
            ("box", "boxes"),
            ("branch", "branches"),
            ("day", "days"),
        ] {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
        }
        assert_eq!(singular("status"), "status");
    }
}
