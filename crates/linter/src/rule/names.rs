//! Names that stand twice, that a provider does not take, or that become one where a client crops them.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::Severity;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::view::{CatalogView, ToolView};

pub(super) const DUPLICATE: Rule = Rule {
    name: "duplicate_name",
    severity: Severity::Error,
    summary: "Two tools of a catalog have the same name.",
    page: include_str!("duplicate_name.md"),
    checks: &[Check::Catalog(duplicates)],
};

pub(super) const ILLEGAL: Rule = Rule {
    name: "illegal_name",
    severity: Severity::Warning,
    summary: "A tool or an argument has a name that a provider does not take.",
    page: include_str!("illegal_name.md"),
    checks: &[Check::Catalog(illegal)],
};

pub(super) const COLLISION: Rule = Rule {
    name: "name_collision",
    severity: Severity::Error,
    summary: "Two names become one where a client makes them fit a provider.",
    page: include_str!("name_collision.md"),
    checks: &[Check::Catalog(collisions)],
};

/// What a provider takes as a tool's name.
struct NameRule {
    provider: &'static str,
    most: usize,
    /// Characters beside ASCII letters, digits, `_` and `-`.
    more: &'static str,
    /// Whether the first must be a letter or `_`.
    starts_with_letter: bool,
}

/// From the providers' API references: OpenAI `^[a-zA-Z0-9_-]{1,64}$`, Anthropic `^[a-zA-Z0-9_-]{1,128}$`, Gemini
/// a letter or underscore and then `[a-zA-Z0-9_.:-]`, 128 at most, Mistral and Bedrock as OpenAI.
const PROVIDERS: &[NameRule] = &[
    NameRule { provider: "OpenAI", most: 64, more: "", starts_with_letter: false },
    NameRule { provider: "Anthropic", most: 128, more: "", starts_with_letter: false },
    NameRule { provider: "Gemini", most: 128, more: ".:", starts_with_letter: true },
    NameRule { provider: "Mistral", most: 64, more: "", starts_with_letter: false },
    NameRule { provider: "Bedrock", most: 64, more: "", starts_with_letter: false },
];

impl NameRule {
    fn takes(&self, name: &str) -> bool {
        self.cropped(name) == name && !name.is_empty()
    }

    fn has(&self, character: char) -> bool {
        character.is_ascii_alphanumeric() || matches!(character, '_' | '-') || self.more.contains(character)
    }

    /// The name as clients make it fit: other characters become `_`, and what is too long is cut off.
    fn cropped(&self, name: &str) -> String {
        let fits = name.chars().map(|c| if self.has(c) { c } else { '_' });
        let mut cropped: String = fits.take(self.most).collect();
        if self.starts_with_letter && !cropped.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            cropped.insert(0, '_');
        }
        cropped
    }
}

fn duplicates(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for tool in &catalog.tools {
        if !seen.insert(tool.name) {
            let message = format!("two tools are named {}", tool.shown());
            let help = "a model cannot tell them apart, and no run takes the catalog; rename one, by a source's `name` template where they come from two sources";
            findings.push(&[tool.name], tool.at_name(message).help(help));
        }
    }
}

fn illegal(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    for tool in &catalog.tools {
        let refusing: Vec<&str> =
            PROVIDERS.iter().filter(|rule| !rule.takes(tool.name)).map(|rule| rule.provider).collect();
        if refusing.is_empty() {
            argument_names(tool, findings);
            continue;
        }
        let why = why(tool.name);
        let message = format!("{} is no name of a tool at {}: {why}", tool.shown(), refusing.join(", "));
        let help = "letters, digits, `_` and `-`, a letter first, at most 64: every provider takes that";
        let severity =
            if refusing.len() == PROVIDERS.len() { Severity::Error } else { findings.rule.severity };
        findings.push_as(severity, &[tool.name], tool.at_name(message).help(help));
    }
}

fn why(name: &str) -> String {
    let length = name.chars().count();
    let odd = name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    match odd {
        Some(odd) => format!("it has the character `{odd}`"),
        None if length > 64 => format!("it has {length} characters"),
        None if name.is_empty() => "it is empty".to_owned(),
        None => "it starts with no letter".to_owned(),
    }
}

/// Anthropic takes `^[a-zA-Z0-9_.-]{1,64}$` as names of arguments, and refuses the whole request otherwise.
fn argument_names(tool: &ToolView<'_>, findings: &mut Findings<'_>) {
    let fits = |name: &str| {
        (1..=64).contains(&name.chars().count())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
    };
    for argument in tool.arguments.iter().filter(|argument| !fits(&argument.name)) {
        let message = format!("the argument `{}` of {} is no name at Anthropic", argument.name, tool.shown());
        let help = "letters, digits, `_`, `.` and `-`, at most 64";
        findings.push(&[tool.name], tool.at_schema(&argument.pointer, message).help(help));
    }
}

fn collisions(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    let mut found: BTreeMap<(usize, usize), (String, Vec<&str>)> = BTreeMap::new();
    for rule in PROVIDERS {
        let mut by_name: HashMap<String, usize> = HashMap::new();
        for (at, tool) in catalog.tools.iter().enumerate() {
            let cropped = rule.cropped(tool.name);
            let first = *by_name.entry(cropped.clone()).or_insert(at);
            if catalog.tools.get(first).is_some_and(|first| first.name != tool.name) {
                found.entry((first, at)).or_insert_with(|| (cropped, Vec::new())).1.push(rule.provider);
            }
        }
    }
    for ((first, second), (cropped, providers)) in found {
        let (Some(first), Some(second)) = (catalog.tools.get(first), catalog.tools.get(second)) else {
            continue;
        };
        let message = format!(
            "{} and {} both become `{cropped}` where names are made to fit {}",
            first.shown(),
            second.shown(),
            providers.join(", ")
        );
        let help = "a call of the one would run the other; choose names that differ in their first 64 letters and digits";
        findings.push(&[second.name, first.name], second.at_name(message).help(help));
    }
}
