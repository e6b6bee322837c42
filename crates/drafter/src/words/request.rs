//! The whole request: what shall be done, and each value where a person would give it.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::draw::Draw;
use crate::words::imperative::Imperative;
use crate::words::label::{capital, is_plural, label, own_label};
use crate::words::place::placed;
use crate::words::spoken::{is_scalar, listed, spoken, things};

/// A value that the request gives.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// The argument's name.
    pub(crate) name: String,
    pub(crate) value: Value,
    pub(crate) description: String,
    /// Whether the verb says it already.
    pub(crate) is_verb: bool,
    /// Whether it has members that no schema names, so that it is given as it is written.
    pub(crate) is_pasted: bool,
}

/// A request, before it is put into words.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) imperative: Imperative,
    pub(crate) parts: Vec<Part>,
    /// The tool's name, where the words alone would fit another tool too.
    pub(crate) tool: Option<String>,
    pub(crate) draw: Draw,
}

static WHETHER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^whether\s+to\s+([a-z][^.;,(]{2,60})").expect("a fixed pattern"));

/// Texts longer than this have a sentence of their own.
const SHORT: usize = 44;

/// What is said beside the request itself.
#[derive(Default)]
struct Said {
    /// `label value`, to hang on the first sentence.
    short: Vec<String>,
    /// `the label is value`.
    facts: Vec<String>,
    /// Whole sentences.
    sentences: Vec<String>,
}

impl Request {
    /// The words; without one argument's value where `without` names it.
    pub(crate) fn words(&self, without: Option<&str>) -> String {
        let mut core = self.imperative.text.clone();
        let mut said = Said::default();
        let mut mine: Vec<String> = Vec::new();
        for part in self.parts.iter().filter(|part| !part.is_verb && Some(part.name.as_str()) != without) {
            if is_mine(&part.name, &part.description) {
                mine.push(format!("My {} is {}", my_label(&part.name), spoken(&part.value)));
                continue;
            }
            let inside = (is_scalar(&part.value) && !part.value.is_boolean())
                .then(|| placed(&core, &part.name, &spoken(&part.value)))
                .flatten();
            match inside {
                Some(with) => core = with,
                None if is_query(part) && searches(&core) => {
                    core = format!("{core} matching {}", spoken(&part.value));
                }
                None => said.add(part),
            }
        }
        self.joined(&core, said, mine)
    }

    fn joined(&self, core: &str, said: Said, mine: Vec<String>) -> String {
        let mut draw = self.draw.part("template");
        let template = draw.number(0, 5);
        let mut first = core.replace("a specific ", "a ").replace("a specified ", "a ");
        let mut sentences: Vec<String> = Vec::new();
        let many =
            said.short.len() > 2 || (template % 2 == 1 && !said.short.iter().any(|item| item.contains('=')));
        if many {
            sentences.extend(fact(&said.facts));
        } else if !said.short.is_empty() {
            let with = if core.contains(" with ") { ", with" } else { " with" };
            first = format!("{first}{with} {}", listed(&said.short));
        }
        if let Some(tool) = &self.tool {
            first = format!("use the tool {tool} to {first}");
        }
        sentences.insert(0, opened(&first, template));
        sentences.extend(said.sentences);
        sentences.extend(mine);
        ended(&sentences)
    }
}

/// Whether a value is what is looked for.
fn is_query(part: &Part) -> bool {
    let name = part.name.to_lowercase();
    let names = ["query", "q", "search", "search_query", "searchquery", "keyword", "term", "search_term"];
    part.value.is_string() && names.contains(&name.as_str())
}

fn searches(core: &str) -> bool {
    let verb = core.split(' ').next().unwrap_or_default();
    ["search", "find", "list", "look", "query"].contains(&verb) && !core.contains(" matching ")
}

/// The first sentence, asked or ordered.
fn opened(first: &str, template: i64) -> String {
    match template {
        1 => format!("Please {first}"),
        2 => format!("Could you {first}?"),
        3 => format!("I need you to {first}"),
        4 => format!("Can you {first}?"),
        _ => capital(first),
    }
}

fn fact(facts: &[String]) -> Option<String> {
    (!facts.is_empty()).then(|| capital(&listed(facts)))
}

/// Sentences one after another, each with its end.
fn ended(sentences: &[String]) -> String {
    let mut out = String::new();
    for (at, sentence) in sentences.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        out.push_str(sentence);
        let is_last = at + 1 == sentences.len();
        let ends_itself = sentence.ends_with(['.', '?', '!', '}', ']'])
            || [".\"", "!\"", "?\""].iter().any(|end| sentence.ends_with(end));
        // A full stop right behind an address or a number could be taken for a part of it.
        let word = sentence.rsplit(' ').next().unwrap_or_default();
        let could_be_part =
            is_last && word.chars().any(|c| c.is_ascii_digit() || "/@._".contains(c)) && !word.ends_with('"');
        if !ends_itself && !could_be_part {
            out.push('.');
        }
    }
    out
}

impl Said {
    fn add(&mut self, part: &Part) {
        let label = own_label(&part.name);
        let value = &part.value;
        if let Value::Bool(is_so) = value {
            return self.switch(part, &label, *is_so);
        }
        if !is_scalar(value)
            && !matches!(value, Value::Array(items) if items.iter().all(is_scalar) && !items.is_empty())
        {
            let sentence = match things(value).filter(|_| !part.is_pasted) {
                Some(things) => format!("{}: {things}", capital(&label)),
                None => format!("{} as JSON: {value}", capital(&label)),
            };
            return self.sentences.push(sentence);
        }
        let said = spoken(value);
        if said.chars().count() > SHORT && value.is_string() {
            let reads = if is_plural(&label) { "should read" } else { "should read:" };
            return self.sentences.push(format!("The {label} {reads} {said}"));
        }
        let several = value.as_array().is_some_and(|items| items.len() > 1) || is_plural(&label);
        let is = if several { "are" } else { "is" };
        let is_letter = label.chars().count() == 1;
        self.short.push(if is_letter { format!("{label} = {said}") } else { format!("{label} {said}") });
        self.facts.push(if is_letter {
            format!("{label} {is} {said}")
        } else {
            format!("the {label} {is} {said}")
        });
    }

    /// Something that is so or not.
    fn switch(&mut self, part: &Part, label: &str, is_so: bool) {
        if let Some(found) = WHETHER.captures(&part.description) {
            let what = found[1].trim().trim_end_matches('.');
            let sentence = if is_so { capital(what) } else { format!("Do not {what}") };
            return self.sentences.push(sentence);
        }
        self.short.push(format!("{label} set to {is_so}"));
        self.facts.push(format!("{label} should be {is_so}"));
    }
}

/// Whether a value says who the person is.
pub(crate) fn is_mine(name: &str, description: &str) -> bool {
    let (name, description) = (name.to_lowercase(), description.to_lowercase());
    let is_email = name.starts_with("user") && name.contains("email");
    let of_user =
        description.contains("user's") || description.starts_with("your ") || name.starts_with("my_");
    let is_identity = ["email", "account", "user_id", "userid", "username", "address"]
        .iter()
        .any(|word| name.contains(word));
    is_email || (of_user && is_identity)
}

fn my_label(name: &str) -> String {
    let label = label(name);
    label.strip_prefix("user ").or(label.strip_prefix("my ")).unwrap_or(&label).to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::words::imperative;

    fn request(description: &str, parts: &[(&str, Value, &str)], seed: u64) -> Request {
        let part = |(name, value, description): &(&str, Value, &str)| Part {
            name: (*name).to_owned(),
            value: value.clone(),
            description: (*description).to_owned(),
            is_verb: false,
            is_pasted: false,
        };
        Request {
            imperative: imperative("t", description, None),
            parts: parts.iter().map(part).collect(),
            tool: None,
            draw: Draw::new(seed, &["r"]),
        }
    }

    #[test]
    fn every_value_is_said_and_one_can_be_left_out() {
        let parts = [
            ("task_id", json!("TSK-31"), ""),
            ("files", json!([{"path": "a.md", "content": "Dry again."}]), ""),
            ("notify", json!(false), "Whether to notify the owner."),
            ("user_google_email", json!("mira@harbour.example"), "The user's address."),
            ("due", json!("2027-03-18"), ""),
        ];
        for seed in 0..12 {
            let request = request("Updates a task with files.", &parts, seed);
            let words = request.words(None);
            for value in [
                "task TSK-31",
                "path a.md",
                "\"Dry again.\"",
                "Do not notify the owner",
                "mira@harbour.example",
                "2027-03-18",
            ] {
                assert!(words.contains(value), "{value}: {words}");
            }
            let without = request.words(Some("task_id"));
            assert!(!without.contains("TSK-31") && without.contains("a task"), "{without}");
        }
    }
}
