//! The whole request: what shall be done, and each value where a person would give it.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::draw::Draw;
use crate::words::imperative::Imperative;
use crate::words::label::{capital, is_plural, label, names_a_thing, own_label, says_how};
use crate::words::names::{singular, verb_of};
use crate::words::place::{MAKES, definite, placed};
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
    /// Whether another tool usually says it: then the person says that they know it.
    pub(crate) is_looked_up: bool,
    /// The sentence for what is wanted of it, where nobody knows a valid value.
    pub(crate) plain: Option<String>,
}

impl Part {
    /// Whether it is what something is called, by what is said of it.
    fn is_name(&self) -> bool {
        let description = self.description.to_lowercase();
        [
            "name for the",
            "name of the new",
            "the name for",
            "the name of the new",
            "new name",
            "title for the new",
        ]
        .iter()
        .any(|begin| description.starts_with(begin))
    }

    /// What it is called where it is the name of something new: `name for the new note`.
    fn told_name(&self) -> Option<String> {
        let lower = self.description.to_lowercase();
        let told = lower.strip_prefix("the ").unwrap_or(&lower);
        let thing = told.strip_prefix("name for the new ").or(told.strip_prefix("name of the new "))?;
        let from = self.description.len().checked_sub(thing.len())?;
        let thing = self.description.get(from..)?.split(['.', ';', ',', '(', '\n']).next()?.trim();
        (!thing.is_empty() && thing.len() < 40).then(|| format!("name for the new {thing}"))
    }

    /// Whether it is a state that the thing has afterwards, and neither which thing is meant nor how it is done.
    fn is_change(&self) -> bool {
        let words = crate::words::name_words(&self.name);
        let is_new = words.first().is_some_and(|word| word == "new");
        (is_new || !names_a_thing(&self.name) || ["name", "new_name"].contains(&self.name.as_str()))
            && !says_how(&self.name)
            && !self.is_looked_up
            && !self.value.is_boolean()
            && !self.value.is_object()
            && self.value.as_array().is_none_or(|items| items.iter().all(is_scalar))
    }
}

/// Verbs that change what is there.
const CHANGES: &[&str] = &["update", "edit", "modify", "change", "patch", "manage", "set"];

/// A request, before it is put into words.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) imperative: Imperative,
    pub(crate) parts: Vec<Part>,
    /// The tool's name, where the words alone would fit another tool too.
    pub(crate) tool: Option<String>,
    /// What is so already where the request is made, as a sentence.
    pub(crate) state: Option<&'static str>,
    /// The tool whose call has to come first: the request says that it has been made.
    pub(crate) before: Option<String>,
    pub(crate) draw: Draw,
}

static WHETHER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^whether\s+to\s+([a-z][^.;,(]{2,60})").expect("a fixed pattern"));

/// What a request says of a call that has to come first.
pub(crate) const CALLED: &str = " has been called already";

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
    /// What is known from elsewhere: `the label is value`.
    known: Vec<String>,
    /// `the label to value`.
    changes: Vec<String>,
    /// Whether a short phrase may hang on the first sentence without hanging on something else in it.
    hangs: bool,
}

impl Request {
    /// Whether it gives a value of all that it asks for.
    pub(crate) fn is_whole(&self) -> bool {
        self.parts.iter().all(|part| part.plain.is_none())
    }

    /// The words; without one argument's value where `without` names it.
    pub(crate) fn words(&self, without: Option<&str>) -> String {
        let mut core = self.imperative.text.clone();
        if let Some(name) = without {
            core = definite(&core, name);
        }
        if let Some(state) = self.state
            && state.contains(" dialog ")
        {
            core = core.replace(" a dialog", " the dialog");
        }
        let mut said = Said::default();
        let mut mine: Vec<String> = Vec::new();
        let mut rest: Vec<&Part> = Vec::new();
        let given = || self.parts.iter().filter(|part| !part.is_verb && Some(part.name.as_str()) != without);
        if let Some(moved) = from_to(&core, &given().collect::<Vec<_>>()) {
            core = moved;
        }
        let compared = between(&core, &given().collect::<Vec<_>>());
        if let Some((with, _)) = &compared {
            core.clone_from(with);
        }
        let (moved, parts) = (core.clone(), given().collect::<Vec<_>>());
        let is_compared = |part: &Part| compared.as_ref().is_some_and(|(_, name)| *name == part.name);
        for part in parts.into_iter().filter(|part| !is_end(&moved, part) && !is_compared(part)) {
            if let Some(plain) = &part.plain {
                said.sentences.push(plain.clone());
                continue;
            }
            if is_mine(&part.name, &part.description) {
                mine.push(format!("My {} is {}", my_label(&part.name), spoken(&part.value)));
                continue;
            }
            let makes = MAKES.contains(&core.split(' ').next().unwrap_or_default());
            let inside = (is_scalar(&part.value)
                && !part.value.is_boolean()
                && !part.is_looked_up
                && !self.is_of_container(&core, part)
                && (makes || part.told_name().is_none()))
            .then(|| placed(&core, &part.name, &spoken(&part.value), part.is_name()))
            .flatten();
            match inside {
                Some(with) => core = with,
                None if is_query(part) && searches(&core) => core = matching(&core, &spoken(&part.value)),
                None => rest.push(part),
            }
        }
        let verb = core.split(' ').next().unwrap_or_default();
        let changes = CHANGES.contains(&verb) && !core.contains(" with ");
        said.hangs =
            !core.split(' ').any(|word| BINDS.contains(&word)) && rest.iter().all(|part| part.hangs());
        let (which, states): (Vec<&Part>, Vec<&Part>) =
            rest.into_iter().partition(|part| !(changes && part.is_change()));
        which.into_iter().for_each(|part| said.add(part, verb));
        states.into_iter().for_each(|part| said.change(part));
        // A verb that an argument chooses stays in the words.
        let is_chosen = self.parts.iter().any(|part| part.is_verb);
        if let Some(only) = said.only_change(&core).filter(|_| !is_chosen) {
            core = only;
            said.changes.clear();
        }
        self.joined(&core, said, mine)
    }

    /// Whether the thing that a name would stand behind is another, whose id is given beside it: `a rule on a sheet`
    /// where the sheet is a page of the spreadsheet with this id.
    fn is_of_container(&self, core: &str, part: &Part) -> bool {
        let words = crate::words::name_words(&part.name);
        let [stem @ .., last] = &words[..] else { return false };
        if stem.is_empty() || !["name", "title"].contains(&last.as_str()) {
            return false;
        }
        let thing = stem.last().map(|word| singular(word)).unwrap_or_default();
        let ids = self.parts.iter().filter_map(|other| {
            let words = crate::words::name_words(&other.name);
            let is_id = words.len() > 1 && words.last().is_some_and(|last| last == "id");
            is_id.then(|| words.get(words.len() - 2).cloned()).flatten()
        });
        // A name of somebody's product stands for the whole thing, and not for what is in it.
        let capital = capital(&thing);
        let is_product = core.split(' ').skip(1).any(|word| singular(word) == capital);
        ids.into_iter().any(|id| id == thing || id.ends_with(&thing) || is_product)
    }

    fn joined(&self, core: &str, said: Said, mine: Vec<String>) -> String {
        let mut draw = self.draw.part("template");
        let template = draw.number(0, 5);
        let mut first = core.replace("a specific ", "a ").replace("a specified ", "a ");
        let mut sentences: Vec<String> = Vec::new();
        let hangs = said.hangs && said.short.len() <= 2 && template % 2 == 0;
        if !hangs {
            sentences.extend(fact(&said.facts));
        } else if !said.short.is_empty() {
            first = format!("{first} with {}", listed(&said.short));
        }
        if let Some(tool) = &self.tool {
            first = format!("use the tool {tool} to {first}");
        }
        sentences.insert(0, opened(&first, template));
        if let Some(state) = self.state {
            sentences.insert(0, state.to_owned());
        }
        if let Some(before) = &self.before {
            sentences.insert(0, format!("{before}{CALLED}"));
        }
        if !said.known.is_empty() {
            sentences.push(format!("From an earlier look I know that {}", listed(&said.known)));
        }
        if !said.changes.is_empty() {
            sentences.push(format!("Change {}", listed(&said.changes)));
        }
        sentences.extend(said.sentences);
        sentences.extend(mine);
        ended(&sentences)
    }
}

/// Words behind which a phrase would hang on what they begin.
const BINDS: &[&str] = &[
    "of",
    "in",
    "from",
    "for",
    "to",
    "on",
    "at",
    "by",
    "into",
    "within",
    "between",
    "with",
    "as",
    "across",
    "about",
    "that",
    "and",
    "including",
    "using",
    "matching",
    "called",
];

impl Part {
    /// Whether `with LABEL VALUE` says what the thing made or done is like.
    fn hangs(&self) -> bool {
        is_scalar(&self.value)
            && (!names_a_thing(&self.name) || ["name", "title"].contains(&self.name.as_str()))
    }
}

const ORIGINS: &[&str] = &["source", "from", "source_path", "from_path", "old_path", "src"];
const ENDS: &[&str] = &["destination", "to", "dest", "destination_path", "to_path", "new_path", "dst"];
const TRANSFERS: &[&str] = &["move", "copy", "rename"];

/// `move files and directories` of one file: `move the file A to B`.
fn from_to(core: &str, parts: &[&Part]) -> Option<String> {
    let verb = core.split(' ').next().filter(|verb| TRANSFERS.contains(verb))?;
    let end = |names: &[&str]| {
        let part = parts.iter().find(|part| names.contains(&part.name.to_lowercase().as_str()))?;
        part.value.as_str().filter(|text| text.contains('/')).map(|_| spoken(&part.value))
    };
    let (from, to) = (end(ORIGINS)?, end(ENDS)?);
    let is_file = from.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let thing = if is_file { "file" } else { "directory" };
    Some(format!("{verb} the {thing} {from} to {to}"))
}

/// `differences between branches` of which one is given: `differences between the current branch and X`. With the
/// name of the part that stands there.
fn between(core: &str, parts: &[&Part]) -> Option<(String, String)> {
    const SIDES: &[&str] =
        &["target", "branch", "commit", "revision", "ref", "version", "base", "head", "with"];
    let (before, things) = core.split_once(" between ")?;
    let one = singular(things.trim_start_matches("two ").trim_start_matches("the "));
    if !["branch", "commit", "revision", "version"].contains(&one.as_str()) || one == things {
        return None;
    }
    let is_side = |part: &&&Part| {
        crate::words::name_words(&part.name).iter().any(|word| SIDES.contains(&word.as_str()))
            && part.value.is_string()
    };
    let sides: Vec<&&Part> = parts.iter().filter(is_side).collect();
    let [side] = sides[..] else { return None };
    Some((format!("{before} between the current {one} and {}", spoken(&side.value)), side.name.clone()))
}

/// Whether a part is one of the two ends that the request speaks of already.
fn is_end(core: &str, part: &Part) -> bool {
    let name = part.name.to_lowercase();
    let is_one = ORIGINS.contains(&name.as_str()) || ENDS.contains(&name.as_str());
    is_one
        && core.split(' ').next().is_some_and(|verb| TRANSFERS.contains(&verb))
        && core.contains(&spoken(&part.value))
}

/// The query right behind what is looked for: `search files matching "x" in my folder`.
fn matching(core: &str, query: &str) -> String {
    let words: Vec<&str> = core.split(' ').collect();
    let skip = 1 + usize::from(words.get(1).is_some_and(|word| *word == "for"));
    let is_place = |word: &&str| ["in", "within", "across", "on", "from", "by"].contains(word);
    let at = words.iter().skip(skip).position(is_place).map(|at| at + skip);
    match at.filter(|at| *at > skip) {
        Some(at) => {
            let (before, behind) = words.split_at(at);
            format!("{} matching {query} {}", before.join(" "), behind.join(" "))
        }
        None => format!("{core} matching {query}"),
    }
}

/// Whether a value is what is looked for.
fn is_query(part: &Part) -> bool {
    let name = part.name.to_lowercase();
    let names =
        ["query", "q", "search", "search_query", "searchquery", "keyword", "keywords", "term", "search_term"];
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
    /// A state that the thing has afterwards.
    fn change(&mut self, part: &Part) {
        let words = own_label(&part.name);
        let label = words.strip_prefix("new ").unwrap_or(&words);
        self.changes.push(format!("the {label} to {}", spoken(&part.value)));
    }

    /// `change the title of note N-1 to "x"`, where that is all that is asked for.
    fn only_change(&self, core: &str) -> Option<String> {
        let [change] = &self.changes[..] else { return None };
        let (_, thing) = core.split_once(' ')?;
        let is_all = self.short.is_empty() && self.sentences.is_empty() && self.known.is_empty();
        let names_one = thing.split(' ').any(|word| word.chars().any(|c| c.is_ascii_digit()));
        let binds = thing.split(' ').any(|word| BINDS.contains(&word));
        let (label, value) = change.split_once(" to ")?;
        (is_all && names_one && !binds).then(|| format!("change {label} of {thing} to {value}"))
    }

    fn add(&mut self, part: &Part, verb: &str) {
        let own = own_label(&part.name);
        // "Add labels" says already that the label IDs are to be added.
        let is_said = ["add", "remove", "delete", "insert", "append"].contains(&verb);
        let stripped = own.strip_prefix(&format!("{verb} ")).filter(|_| is_said);
        let own = stripped.map_or(own.clone(), str::to_owned);
        let is_one = part.value.as_array().is_some_and(|items| items.len() == 1);
        let label = match () {
            () if is_one => singular(&own),
            () if part.value.is_number() && is_plural(&own) => format!("number of {own}"),
            () => part.told_name().unwrap_or(own),
        };
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
        if part.is_looked_up {
            return self.known.push(format!("the {label} is {said}"));
        }
        let several = value.as_array().is_some_and(|items| items.len() > 1)
            || (is_plural(&label) && !value.is_number());
        let is = if several { "are" } else { "is" };
        let is_letter = label.chars().count() == 1;
        self.short.push(if is_letter { format!("{label} = {said}") } else { format!("{label} {said}") });
        self.facts.push(if is_letter {
            format!("let {label} be {said}")
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
        let not = if is_so { "" } else { "not " };
        // `is_published`: it should be published.
        let state = label.strip_prefix("is ").filter(|state| verb_of(state).is_none());
        self.sentences.push(match state {
            Some(state) => format!("It should {not}be {state}"),
            None => format!("Set {label} to {is_so}"),
        });
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
            is_looked_up: false,
            plain: None,
        };
        Request {
            imperative: imperative("t", description, None),
            parts: parts.iter().map(part).collect(),
            tool: None,
            state: None,
            before: None,
            draw: Draw::new(seed, &["r"]),
        }
    }

    #[test]
    fn a_name_stands_behind_its_own_thing() {
        let parts = [("workbook_id", json!("WB-31"), ""), ("book_name", json!("Spring tides"), "")];
        let words = request("Deletes a rule on a book.", &parts, 3).words(None);
        assert!(!words.contains("book \"Spring") && words.contains("book name"), "{words}");
        let parts = [("file_id", json!("F-31"), ""), ("card_name", json!("Spring tides"), "")];
        let words = request("Deletes a rule on an Acme Card.", &parts, 3).words(None);
        assert!(words.contains("card name"), "{words}");
        let words = request("Deletes a rule on a card.", &parts, 3).words(None);
        assert!(words.contains("card \"Spring tides\""), "{words}");
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
            assert!(!without.contains("TSK-31") && without.contains("the task"), "{without}");
        }
    }

    #[test]
    fn one_side_is_compared_with_what_is_current() {
        let words = |parts: &[(&str, Value, &str)]| {
            let mut request = request("Shows differences between branches", parts, 4);
            request.state = Some("The store is open.");
            request.words(None)
        };
        let target = ("target", json!("weir-notes"), "");
        let one = words(std::slice::from_ref(&target));
        assert!(one.starts_with("The store is open. "), "{one}");
        assert!(one.contains("between the current branch and weir-notes"), "{one}");
        assert!(!words(&[target, ("base", json!("main"), "")]).contains("current"));
    }
}
