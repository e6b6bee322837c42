//! Names that are near a tool's name, for another purpose. Nothing but the name and the suite's seed is read,
//! so that a lookalike is the same whatever catalog it is put to (DESIGN.md section 2).

use sha2::{Digest, Sha256};

use crate::near_name::words::{self, Word};

/// The longest name that every provider takes.
const MAX_NAME: usize = 64;

/// A decoy for one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lookalike {
    /// The rule's slug: part of the probe's id.
    pub(crate) rule: &'static str,
    pub(crate) name: String,
    pub(crate) description: String,
}

/// A rule: how a near name is made, and what a tool of that name is said to be for. `{thing}` and `{things}`
/// in a purpose are what the tool works on; none of the purposes can do what the tool does.
struct Rule {
    slug: &'static str,
    make: fn(&Name<'_>) -> Option<String>,
    purpose: &'static str,
}

/// All rules. The order and the slugs are part of every lookalike's identity.
const RULES: &[Rule] = &[
    Rule {
        slug: "abbreviation",
        make: abbreviation,
        purpose: "Looks up what a short form means in the glossary. No {thing} is read or changed.",
    },
    Rule {
        slug: "synonym-verb",
        make: synonym_verb,
        purpose: "Adds a paragraph about {things} to the training handbook. No {thing} is read or changed.",
    },
    Rule {
        slug: "synonym-noun",
        make: synonym_noun,
        purpose: "Sets the wording that the public help page uses for {things}. No {thing} is read or changed.",
    },
    Rule {
        slug: "plural",
        make: plural,
        purpose: "Changes the page layout in which {things} are printed. No {thing} is read or changed.",
    },
    Rule {
        slug: "version-suffix",
        make: version_suffix,
        purpose: "Rehearses a coming release on made-up data. No real {thing} is reached.",
    },
    Rule {
        slug: "namespace-twin",
        make: namespace_twin,
        purpose: "Works on practice data for new colleagues only. No real {thing} is reached.",
    },
    Rule {
        slug: "separator-twin",
        make: separator_twin,
        purpose: "Notes in the audit trail that somebody asked about {things}. No {thing} is read or changed.",
    },
];

/// A name taken apart.
struct Name<'a> {
    whole: &'a str,
    own: usize,
    words: Vec<Word>,
    verb: Option<usize>,
    draw: u64,
}

/// The lookalike of a tool: one rule of those that apply, drawn by the seed and the name.
pub(crate) fn lookalike(tool: &str, seed: u64) -> Option<Lookalike> {
    let own = words::own_part(tool);
    let words = words::words(tool, own);
    let verb = words::verb_at(&words);
    let draw = draw(seed, tool);
    let name = Name { whole: tool, own, words, verb, draw };
    let made: Vec<(&Rule, String)> = RULES
        .iter()
        .filter_map(|rule| (rule.make)(&name).map(|made| (rule, made)))
        .filter(|(_, made)| made != tool && made.chars().count() <= MAX_NAME)
        .collect();
    let at = usize::try_from(draw % (made.len() as u64).max(1)).unwrap_or(0);
    let (rule, near) = made.into_iter().nth(at)?;
    Some(Lookalike { rule: rule.slug, name: near, description: purpose(rule.purpose, &name) })
}

/// A number that depends on the seed and the name alone.
fn draw(seed: u64, tool: &str) -> u64 {
    let mut hash = Sha256::new();
    hash.update(seed.to_be_bytes());
    hash.update(tool.as_bytes());
    let digest = hash.finalize();
    digest.iter().take(8).fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

fn purpose(template: &str, name: &Name<'_>) -> String {
    let behind = name.verb.map_or(0, |verb| verb + 1);
    let mut things: Vec<&str> =
        name.words.get(behind..).unwrap_or_default().iter().map(|word| word.lower.as_str()).collect();
    if things.is_empty() {
        things.push("record");
    }
    let last = things.pop().unwrap_or("record");
    let before = things.iter().map(|word| format!("{word} ")).collect::<String>();
    let thing = words::singular(last);
    let several = if thing == last { words::plural(last) } else { last.to_owned() };
    template
        .replace("{things}", &format!("{before}{several}"))
        .replace("{thing}", &format!("{before}{thing}"))
}

impl Name<'_> {
    /// The name with one word replaced, in the letter case of the word.
    fn replaced(&self, at: usize, by: &str) -> Option<String> {
        let word = self.words.get(at)?;
        let old = self.whole.get(word.range.clone())?;
        let new = match old.chars().next() {
            Some(first) if first.is_uppercase() && old.len() > 1 && old == old.to_uppercase() => {
                by.to_uppercase()
            }
            Some(first) if first.is_uppercase() => capital(by),
            _ => by.to_owned(),
        };
        Some(format!("{}{new}{}", self.whole.get(..word.range.start)?, self.whole.get(word.range.end..)?))
    }

    /// The last word that is not the verb.
    fn head(&self) -> Option<usize> {
        (0..self.words.len()).rev().find(|at| Some(*at) != self.verb)
    }

    /// What stands between words; none in camel case.
    fn separator(&self) -> Option<char> {
        let own = self.whole.get(self.own..)?;
        own.chars().find(|c| !c.is_alphanumeric())
    }

    fn is_camel(&self) -> bool {
        self.separator().is_none() && self.words.len() > 1
    }

    fn pick<'b>(&self, among: &[&'b str]) -> Option<&'b str> {
        // The low bits choose the rule; these choose within it.
        let at = usize::try_from((self.draw >> 32) % (among.len() as u64).max(1)).unwrap_or(0);
        among.get(at).copied()
    }
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// `create_document`: `create_doc`.
fn abbreviation(name: &Name<'_>) -> Option<String> {
    let short = |at: &usize| {
        let word = &name.words[*at].lower;
        words::noun(word).filter(|noun| noun.noun == words::singular(word)).and_then(|noun| noun.abbreviation)
    };
    let at =
        (0..name.words.len()).rev().filter(|at| Some(*at) != name.verb).find(|at| short(at).is_some())?;
    name.replaced(at, short(&at)?)
}

/// `create_refund`: `issue_refund`.
fn synonym_verb(name: &Name<'_>) -> Option<String> {
    let at = name.verb?;
    let word = &name.words[at].lower;
    let group = words::VERB_GROUPS.get(words::verb_group(word)?)?;
    let others: Vec<&str> = group.verbs.iter().copied().filter(|verb| verb != word).collect();
    name.replaced(at, name.pick(&others)?)
}

/// `get_invoice`: `get_bill`.
fn synonym_noun(name: &Name<'_>) -> Option<String> {
    let other = |at: &usize| {
        let word = &name.words[*at].lower;
        let one = words::singular(word);
        let noun = words::noun(word)?;
        let twin = noun.synonyms.iter().chain([&noun.noun]).find(|other| **other != one)?;
        Some(if one == *word { (*twin).to_owned() } else { words::plural(twin) })
    };
    let at =
        (0..name.words.len()).rev().filter(|at| Some(*at) != name.verb).find(|at| other(at).is_some())?;
    name.replaced(at, &other(&at)?)
}

/// `get_invoice`: `get_invoices`, and the other way round.
fn plural(name: &Name<'_>) -> Option<String> {
    let at = name.head().filter(|_| name.words.len() > 1)?;
    let word = &name.words[at].lower;
    let one = words::singular(word);
    if !word.chars().all(char::is_alphabetic) {
        return None;
    }
    if one == *word { name.replaced(at, &words::plural(word)) } else { name.replaced(at, &one) }
}

/// `create_refund`: `create_refund_v2`.
fn version_suffix(name: &Name<'_>) -> Option<String> {
    let last = name.words.last()?;
    if let Some(version) = last.lower.strip_prefix('v').and_then(|digits| digits.parse::<u32>().ok()) {
        return name.replaced(name.words.len() - 1, &format!("v{}", version.checked_add(1)?));
    }
    Some(match name.separator() {
        Some(separator) => format!("{}{separator}v2", name.whole),
        None if name.is_camel() => format!("{}V2", name.whole),
        None => format!("{}_v2", name.whole),
    })
}

/// `create_refund`: `sandbox_create_refund`; `desk__close`: `desk_sandbox__close`.
fn namespace_twin(name: &Name<'_>) -> Option<String> {
    let world = name.pick(&["sandbox", "training", "demo", "practice"])?;
    let (space, own) = name.whole.split_at_checked(name.own)?;
    if let Some(space) = space.strip_suffix("__") {
        return Some(format!("{space}_{world}__{own}"));
    }
    Some(match name.separator() {
        _ if name.is_camel() => format!("{space}{world}{}", capital(own)),
        Some(separator) => format!("{space}{world}{separator}{own}"),
        None => format!("{space}{world}_{own}"),
    })
}

/// `create_refund`: `createRefund`; `createRefund` and `create-refund`: `create_refund`.
fn separator_twin(name: &Name<'_>) -> Option<String> {
    if name.words.len() < 2 {
        return None;
    }
    let space = name.whole.get(..name.own)?;
    let words = || name.words.iter().map(|word| word.lower.as_str());
    let twin = if name.separator() == Some('_') {
        let first = words().next()?;
        first.chars().chain(words().skip(1).map(capital).collect::<String>().chars()).collect()
    } else {
        words().collect::<Vec<_>>().join("_")
    };
    Some(format!("{space}{twin}"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn by(slug: &str, tool: &str) -> Option<String> {
        by_draw(slug, tool, 0)
    }

    fn by_draw(slug: &str, tool: &str, draw: u64) -> Option<String> {
        let own = words::own_part(tool);
        let words = words::words(tool, own);
        let verb = words::verb_at(&words);
        let name = Name { whole: tool, own, words, verb, draw };
        (RULES.iter().find(|rule| rule.slug == slug).unwrap().make)(&name)
    }

    #[test]
    fn each_rule_makes_its_near_name() {
        for (slug, tool, near) in [
            ("abbreviation", "create_document", Some("create_doc")),
            ("abbreviation", "create_row", None),
            ("synonym-verb", "create_refund", Some("add_refund")),
            ("synonym-verb", "echo", None),
            ("synonym-noun", "listInvoices", Some("listBills")),
            ("plural", "get_invoices", Some("get_invoice")),
            ("plural", "desk__get_reply", Some("desk__get_replies")),
            ("version-suffix", "get-invoice", Some("get-invoice-v2")),
            ("version-suffix", "getInvoiceV2", Some("getInvoiceV3")),
            ("namespace-twin", "desk__close_ticket", Some("desk_sandbox__close_ticket")),
            ("namespace-twin", "closeTicket", Some("sandboxCloseTicket")),
            ("separator-twin", "close_ticket", Some("closeTicket")),
            ("separator-twin", "CloseTicket", Some("close_ticket")),
            ("separator-twin", "echo", None),
        ] {
            assert_eq!(by(slug, tool).as_deref(), near, "{slug} of {tool}");
        }
    }

    #[test]
    fn the_page_on_suites_names_every_rule_with_its_example() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/README.md");
        let page = std::fs::read_to_string(page).unwrap();
        for rule in RULES {
            let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", rule.slug)));
            let row = row.unwrap_or_else(|| panic!("no row for `{}`", rule.slug));
            let near: Vec<_> =
                (0..40).filter_map(|draw| by_draw(rule.slug, "get_invoice", draw << 32)).collect();
            assert!(near.iter().any(|near| row.contains(&format!("`{near}`"))), "{row}: {near:?}");
        }
    }

    #[test]
    fn drawing_depends_on_seed_and_name_alone_and_reaches_every_rule() {
        assert_eq!(lookalike("get_invoice", 7), lookalike("get_invoice", 7));
        let slugs: HashSet<_> =
            (0..200).filter_map(|seed| lookalike("get_invoice", seed)).map(|l| l.rule).collect();
        assert_eq!(slugs.len(), RULES.len());
    }

    #[test]
    fn every_name_has_one_within_the_length_that_providers_take() {
        for tool in ["echo", "a", "x".repeat(64).as_str(), "get_invoice", "ünï_côde", "__", "42"] {
            if let Some(near) = lookalike(tool, 3) {
                assert!(near.name != tool && near.name.chars().count() <= MAX_NAME);
                assert!(!near.description.contains('{'));
            } else {
                assert!(tool.len() >= 60 || tool == "__", "{tool}");
            }
        }
    }
}
