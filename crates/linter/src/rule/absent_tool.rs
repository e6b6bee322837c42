//! Names of tools in prompts and descriptions that the catalog does not have.

mod ability;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use probes::{TextFile, name_words, similarity, thing_of, verb_of};
use regex::Regex;
use serde_json::Value;

use crate::Severity;
use crate::finding::Findings;
use crate::letters::Letters;
use crate::rule::{Check, Rule};
use crate::text::{boundary, listed, pattern, sentence};
use crate::view::CatalogView;

pub(super) const RULE: Rule = Rule {
    name: "absent_tool",
    severity: Severity::Error,
    summary: "A prompt or a description names a tool that the catalog does not have.",
    page: include_str!("absent_tool.md"),
    checks: &[Check::Prompt(prompt), Check::Catalog(descriptions)],
};

/// How far from a name the next member of its list may end.
const NEARBY: usize = 160;

/// How alike a name is to the one that was meant.
const SLIP: f64 = 0.8;

static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"`(?P<ticked>[A-Za-z][A-Za-z0-9_-]{2,127})(?:\(\))?`|(?P<bare>[A-Za-z][A-Za-z0-9]*(?:[_-]{1,2}[A-Za-z0-9]+)+|[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]+)+)").expect("a fixed pattern")
});

/// What stands in a sentence that says itself that a tool is not there.
static GONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&[
        "not available",
        "unavailable",
        "does not exist",
        "doesn't exist",
        "do not exist",
        "don't exist",
        "do not have",
        "don't have",
        "no longer",
        "disabled",
        "removed",
        "not offered",
        "deprecated",
        "no such",
        "is no",
        "there is no",
        "not a tool",
        "not part of",
        "retired",
        r"replac\w+",
        r"consolidat\w+",
        "not enabled",
        "missing",
        "formerly",
        "renamed",
    ])
});

/// Words behind a verb with which a name is an argument or a word of prose, and no tool.
const NO_THING: &[&str] = &[
    "only", "id", "ids", "at", "by", "on", "in", "up", "out", "off", "time", "date", "count", "to", "from",
    "type", "name", "mode", "token", "key", "url", "limit", "size", "and", "or", "ended", "through", "based",
    "specific", "friendly", "level", "first", "write", "host", "ready", "of", "as", "is", "all",
];

/// What a text may name beside tools.
struct Known<'a> {
    tools: Vec<(&'a str, Letters)>,
    /// The things that the tools' names speak of.
    things: HashSet<String>,
    is_prompt: bool,
    lower: HashSet<String>,
    /// Names of arguments and members of enums.
    others: HashSet<String>,
    /// First words of tools' names: families.
    families: HashSet<&'a str>,
    kebab: bool,
    camel: bool,
}

impl<'a> Known<'a> {
    fn of(catalogs: &[&'a CatalogView<'a>], is_prompt: bool) -> Self {
        let tools: Vec<&str> = catalogs.iter().flat_map(|c| &c.tools).map(|tool| tool.name).collect();
        let words = catalogs.iter().flat_map(|c| &c.tools).flat_map(|tool| &tool.words);
        let things = words.filter(|word| verb_of(word).is_none()).map(|word| thing_of(word)).collect();
        let mut others = HashSet::new();
        for tool in catalogs.iter().flat_map(|catalog| &catalog.tools) {
            tool.schema.iter().for_each(|schema| gather(schema, &mut others, 0));
            for extra in tool.placed.tool.extras.values().filter_map(transcript::RawJson::to_value) {
                gather(&extra, &mut others, 0);
            }
        }
        let of_families = catalogs.iter().flat_map(|c| &c.tools).filter_map(|tool| tool.words.first());
        let families = of_families.map(String::as_str).filter(|word| verb_of(word).is_none()).collect();
        Self {
            lower: tools.iter().flat_map(|name| [name.to_lowercase(), name_words(name).join("_")]).collect(),
            others,
            families,
            kebab: tools.iter().any(|name| name.contains('-')),
            camel: tools.iter().any(|name| !name.contains(['_', '-']) && name.contains(char::is_uppercase)),
            tools: tools.into_iter().map(|name| (name, Letters::of(name))).collect(),
            things,
            is_prompt,
        }
    }
}

/// All keys and all short texts of a schema.
fn gather(value: &Value, into: &mut HashSet<String>, depth: usize) {
    match value {
        _ if depth > 64 => {}
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            into.insert(key.to_lowercase());
            gather(value, into, depth + 1);
        }),
        Value::Array(items) => items.iter().for_each(|item| gather(item, into, depth + 1)),
        Value::String(text) if text.len() <= 64 => _ = into.insert(text.to_lowercase()),
        _ => {}
    }
}

fn prompt(prompt: &TextFile, catalogs: &[&CatalogView<'_>], findings: &mut Findings<'_>) {
    if catalogs.is_empty() {
        return;
    }
    let known = Known::of(catalogs, true);
    for (range, name) in absent(prompt.text(), &known) {
        let message = format!("the prompt names the tool `{name}`, which is not in the catalog");
        findings.push(&[name], prompt.at(range, message).help(help(name, &known)));
    }
    for (range, deed) in ability::without_tool(prompt.text(), catalogs) {
        let message =
            format!("the prompt says that the model can {deed}, and no tool of the catalog does that");
        let help = "say only what the tools can do; a model calls the name that such a tool would have";
        findings.push(&[], prompt.at(range, message).help(help));
    }
}

fn descriptions(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    let catalogs = [catalog];
    let known = Known::of(&catalogs, false);
    for tool in &catalog.tools {
        let mut texts = vec![(None, tool.description.as_str())];
        texts.extend(tool.arguments.iter().map(|argument| (Some(argument), argument.description())));
        for (argument, text) in texts {
            let names: Vec<&str> = absent(text, &known).into_iter().map(|(_, name)| name).collect();
            let Some(first) = names.first() else { continue };
            let message = format!(
                "the description of {} names {}, which {} not in the catalog",
                tool.shown(),
                listed(&names, 4),
                if names.len() == 1 { "is" } else { "are" }
            );
            let place = match argument {
                Some(argument) => tool.at_schema(&format!("{}/description", argument.pointer), message),
                None => tool.at_description(message),
            };
            findings.push(&[tool.name], place.help(help(first, &known)));
        }
    }
}

fn help(name: &str, known: &Known<'_>) -> String {
    let letters = Letters::of(name);
    let may = known.tools.iter().filter(|(_, other)| letters.may_be_alike(other, SLIP));
    let alike = may.map(|(tool, _)| (*tool, similarity(name, tool))).filter(|(_, alike)| *alike >= SLIP);
    let nearest = alike.reduce(|best, next| if next.1 > best.1 { next } else { best });
    match nearest.map(|(tool, _)| tool) {
        Some(near) => format!("a model calls what it is told of; did you mean `{near}`?"),
        None => "a model calls what it is told of; take the name out, or offer the tool".to_owned(),
    }
}

/// Names in a text that are meant as tools, and are none of those known: each once, where it first stands.
fn absent<'t>(text: &'t str, known: &Known<'_>) -> Vec<(Range<usize>, &'t str)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for captures in NAMES.captures_iter(text) {
        let ticked = captures.name("ticked");
        let Some(name) = ticked.or_else(|| captures.name("bare")) else { continue };
        let range = name.range();
        if is_meant(text, &range, name.as_str(), ticked.is_some(), known) && seen.insert(name.as_str()) {
            found.push((range, name.as_str()));
        }
    }
    found
}

fn is_meant(text: &str, range: &Range<usize>, name: &str, ticked: bool, known: &Known<'_>) -> bool {
    let lower = name.to_lowercase();
    let words = name_words(name);
    if known.lower.contains(&lower)
        || known.lower.contains(&words.join("_"))
        || known.others.contains(&lower)
        || is_part_of_more(text, range, ticked)
        || GONE.is_match(sentence(text, range).1)
    {
        return false;
    }
    let called_tool = is_called_a_tool(text, range, ticked);
    if ticked && (called_tool || (words.len() > 1 && is_to_be_called(text, range))) {
        return true;
    }
    // A name in the notation of tools: never a word of prose.
    let is_written = name.contains('_') && !name.contains(char::is_uppercase);
    if is_written && called_tool && words.last().is_some_and(|word| !NO_THING.contains(&word.as_str())) {
        return true;
    }
    if known.is_prompt && (ticked || is_written) && words.len() > 1 && is_beside_a_tool(text, range, known) {
        return true;
    }
    let own = usize::from(words.first().is_some_and(|word| known.families.contains(word.as_str())));
    let has_verb = words.get(own).is_some_and(|word| verb_of(word).is_some());
    let thing = words.get(own + 1);
    if !has_verb || thing.is_none_or(|word| NO_THING.contains(&word.as_str())) {
        return false;
    }
    let is_call = known.is_prompt
        && text.get(range.end..).is_some_and(|behind| behind.starts_with('('))
        && words.iter().any(|word| known.things.contains(&thing_of(word)));
    let form_fits = if name.contains('_') {
        name.chars().all(|c| !c.is_uppercase()) || ticked
    } else if name.contains('-') {
        known.kebab && (ticked || called_tool)
    } else {
        ticked || known.camel || called_tool || is_call
    };
    form_fits && words.len() > own + 1
}

/// Whether the name is part of a path, an address, a setting or a placeholder.
fn is_part_of_more(text: &str, range: &Range<usize>, ticked: bool) -> bool {
    let before = text.get(..range.start).and_then(|text| text.chars().next_back());
    let behind = text.get(range.end..).unwrap_or_default();
    let next = behind.chars().next();
    let ends_a_sentence = behind.len() < 2 || behind.chars().nth(1).is_some_and(char::is_whitespace);
    let marks = |c: char| {
        matches!(c, '"' | '\'' | '/' | '\\' | '@' | '{' | '$' | '#' | '=' | '.' | '<' | '%' | '-' | '_')
    };
    let alphanumeric = before.is_some_and(char::is_alphanumeric);
    let joined = next.is_some_and(|c| matches!(c, '/' | '\\' | '@' | '}' | '=' | '>' | '-' | '_' | '['))
        || (matches!(next, Some('.' | ':')) && !ends_a_sentence);
    !ticked && (alphanumeric || before.is_some_and(marks) || joined)
}

/// Whether it is the next or the last member of a list beside a tool of the catalog (`get_note, find_pier`).
fn is_beside_a_tool(text: &str, range: &Range<usize>, known: &Known<'_>) -> bool {
    let joins = |between: &str| {
        let words = between
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | '`' | '(' | ')' | '/' | '+' | '&'));
        let mut words = words.filter(|word| !word.is_empty());
        let is_mark = between.contains([',', '/', '+', '&']);
        let is_word = between.split_whitespace().any(|word| ["and", "or"].contains(&word));
        (is_mark || is_word) && words.all(|word| ["and", "or"].contains(&word))
    };
    let near = |from: usize, to: usize| text.get(boundary(text, from)..boundary(text, to));
    let is_tool = |name: &str| known.lower.contains(&name.to_lowercase());
    let before = near(range.start.saturating_sub(NEARBY), range.start).unwrap_or_default();
    let behind = near(range.end, range.end + NEARBY).unwrap_or_default();
    let last = NAMES.find_iter(before).last();
    let next = NAMES.find(behind);
    let name = |found: &regex::Match<'_>| is_tool(found.as_str().trim_matches(['`', '(', ')']));
    last.is_some_and(|last| name(&last) && joins(before.get(last.end()..).unwrap_or_default()))
        || next.is_some_and(|next| name(&next) && joins(behind.get(..next.start()).unwrap_or_default()))
}

/// Whether the word before it asks for a call.
fn is_to_be_called(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start.saturating_sub(1)).unwrap_or_default().trim_end();
    let last = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    ["use", "call", "calling", "invoke", "run", "running", "using", "via", "trigger"].contains(&last.as_str())
}

/// Whether the words beside it call it a tool.
fn is_called_a_tool(text: &str, range: &Range<usize>, ticked: bool) -> bool {
    let (start, end) =
        if ticked { (range.start.saturating_sub(1), range.end + 1) } else { (range.start, range.end) };
    let before = text.get(..start).unwrap_or_default().trim_end();
    let behind = text.get(end..).unwrap_or_default().trim_start_matches(['`', '(', ')']).trim_start();
    let ends_with = |word: &str| {
        let end = before.len().checked_sub(word.len()).and_then(|at| before.get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(word))
    };
    let starts_with =
        |word: &str| behind.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    ends_with("tool") || ends_with("the function") || starts_with("tool") || starts_with("function")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_beside_a_name_call_it_a_tool_whatever_stands_beside_them() {
        let called = |text: &str| is_called_a_tool(text, &(5..12), true);
        assert!(
            called("Use `find_it` tools \u{2014} often.")
                && is_called_a_tool("Tool `find_it`", &(6..13), true)
        );
        assert!(called("Use `find_it` Function."));
        assert!(!called("Use `find_it` \u{2014} often."));
    }
}
