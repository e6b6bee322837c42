//! Two tools of a catalog that a model can take for each other.

use std::collections::{BTreeSet, HashMap};

use probes::{similarity, singular_of};

use crate::Severity;
use crate::finding::Findings;
use crate::letters::Letters;
use crate::rule::{Check, Rule};
use crate::text::{content_words, overlap};
use crate::view::{CatalogView, ToolView};
use crate::word_sets::WordSets;

pub(super) const RULE: Rule = Rule {
    name: "lookalike_pair",
    severity: Severity::Warning,
    summary: "Two tools of a catalog have names or descriptions so near that a model can take one for the other.",
    page: include_str!("lookalike_pair.md"),
    checks: &[Check::Catalog(check)],
};

/// How alike names are that are taken for each other.
const NEAR: f64 = 0.9;
/// How much of two descriptions must be the same.
const SAME_WORDS: f64 = 0.9;
/// Fewer words are alike by chance.
const ENOUGH_WORDS: usize = 6;

struct Side<'a> {
    tool: &'a ToolView<'a>,
    lower: String,
    letters: Letters,
    /// The words of its name in singular.
    words: Vec<String>,
    description: BTreeSet<String>,
}

fn check(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    let sides: Vec<Side<'_>> = catalog
        .tools
        .iter()
        .map(|tool| Side {
            tool,
            lower: tool.name.to_lowercase(),
            letters: Letters::of(tool.name),
            words: tool.words.iter().map(|word| singular_of(word)).collect(),
            description: content_words(first_paragraph(&tool.description)),
        })
        .collect();
    let others = others(&sides);
    for (second, others) in sides.iter().zip(others) {
        for first in others.into_iter().filter_map(|at| sides.get(at)) {
            if let Some(why) = why(first, second) {
                let message =
                    format!("{} is easily taken for {}: {why}", second.tool.shown(), first.tool.shown());
                let help = "let the first words of each description say when it is the other that is wanted, or merge them";
                findings.push(&[second.tool.name, first.tool.name], second.tool.at_name(message).help(help));
            }
        }
    }
}

/// For each tool, the tools before it that it may be taken for: by each of the reasons the first one. So many tools of
/// one description are as many findings, and not as many as they have pairs.
fn others(sides: &[Side<'_>]) -> Vec<BTreeSet<usize>> {
    let telling = sides.iter().map(|side| &side.description);
    let descriptions = WordSets::of(telling, SAME_WORDS);
    let mut by_words: HashMap<&[String], usize> = HashMap::new();
    let mut by_purpose: HashMap<(&str, &[String]), usize> = HashMap::new();
    let mut others = Vec::with_capacity(sides.len());
    for (at, side) in sides.iter().enumerate() {
        let mut found = BTreeSet::new();
        found.extend(by_words.get(side.words.as_slice()));
        by_words.entry(&side.words).or_insert(at);
        if let Some(purpose) = &side.tool.purpose {
            let key = (purpose.verb(), purpose.object());
            found.extend(by_purpose.get(&key));
            by_purpose.entry(key).or_insert(at);
        }
        let before = sides.iter().take(at);
        found.extend(before.into_iter().position(|first| near_names(first, side)));
        let is_enough = side.description.len() >= ENOUGH_WORDS;
        found.extend(descriptions.near(&side.description).find(|first| *first < at && is_enough));
        others.push(found);
    }
    others
}

fn first_paragraph(text: &str) -> &str {
    text.trim().split("\n\n").next().unwrap_or_default()
}

fn why(one: &Side<'_>, other: &Side<'_>) -> Option<String> {
    if one.tool.name == other.tool.name {
        return None; // `duplicate_name`
    }
    if one.words == other.words {
        return Some("the names differ in spelling or number alone".to_owned());
    }
    if let (Some(first), Some(second)) = (&one.tool.purpose, &other.tool.purpose)
        && first.is_same(second)
    {
        return Some("by their names they do the same to the same".to_owned());
    }
    if near_names(one, other) {
        return Some("the names differ in a letter or two".to_owned());
    }
    let least = one.description.len().min(other.description.len());
    let says_the_same = least >= ENOUGH_WORDS && overlap(&one.description, &other.description) >= SAME_WORDS;
    says_the_same.then(|| "the descriptions begin with the same words".to_owned())
}

fn near_names(one: &Side<'_>, other: &Side<'_>) -> bool {
    let short = one.letters.length.min(other.letters.length);
    if short < 6
        || !one.letters.may_be_alike(&other.letters, NEAR)
        || one.lower == other.lower
        || similarity(&one.lower, &other.lower) < NEAR
    {
        return false;
    }
    if let (Some(first), Some(second)) = (&one.tool.purpose, &other.tool.purpose)
        && first.verb() != second.verb()
    {
        return false;
    }
    let differing: Vec<(&String, &String)> =
        one.words.iter().zip(&other.words).filter(|(one, other)| one != other).collect();
    one.words.len() != other.words.len() || !differing.iter().all(|(one, other)| plainly_other(one, other))
}

/// Words that are near in letters, and opposites or another number in meaning.
fn plainly_other(one: &str, other: &str) -> bool {
    let opposite = |plain: &str, opposed: &str| {
        ["un", "de", "dis", "in", "non"].iter().any(|start| opposed.strip_prefix(start) == Some(plain))
    };
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    opposite(one, other) || opposite(other, one) || (is_number(one) && is_number(other))
}
