//! One tool's drafted task: what is given, what is left out on purpose, and the words.

use std::rc::Rc;
use std::sync::LazyLock;

use indexmap::IndexMap;
use probes::{ArgumentRule, TaskKinds, reads};
use regex::Regex;
use serde_json::Value;
use transcript::Tool;

use crate::caller::Caller;
use crate::draw::Draw;
use crate::kinds::{canary, wrong_value};
use crate::schema::{Argument, Schema, type_of};
use crate::similar::Neighbours;
use crate::value::{Purpose, options, value};
use crate::words::{Part, Request, first_sentence, imperative, is_mine, is_verb, name_words, scalars};

/// How many optional arguments are left out by name at most; in `optional_argument` the others must be absent too.
pub(crate) const ABSENT: usize = 3;

/// How many optional arguments are given where no required one says what shall be done.
const GIVEN: usize = 3;

/// Arguments that choose what a tool does.
const ACTIONS: &[&str] = &["action", "operation", "command", "op"];

/// Verbs that change what is there: a request says to what.
const CHANGES: &[&str] = &[
    "update",
    "edit",
    "modify",
    "patch",
    "change",
    "set",
    "format",
    "resize",
    "emulate",
    "configure",
    "adjust",
    "grant",
    "share",
];

/// Optional arguments without which a request asks for nothing, most telling first.
const CORE: &[&str] = &[
    "to",
    "recipient",
    "recipients",
    "query",
    "q",
    "search",
    "text",
    "subject",
    "title",
    "name",
    "summary",
    "body",
    "content",
    "message",
    "code",
    "path",
    "paths",
    "url",
    "id",
    "description",
    "value",
    "values",
];

/// A task, as it stands in a suite.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftedTask {
    /// Unique in the suite.
    pub id: String,
    /// The user's words.
    pub user: String,
    /// The tool wanted; none where none is.
    pub tool: Option<String>,
    /// A tool that the words want and that never existed.
    pub absent_tool: Option<String>,
    /// What each argument must be.
    pub arguments: IndexMap<String, ArgumentRule>,
    /// Tools that could do it too.
    pub substitutes: Vec<String>,
    /// Reading tools that are fine to look with.
    pub read_only: Vec<String>,
    /// Argument: the words without its value.
    pub missing_argument: IndexMap<String, String>,
    /// What single kinds are told.
    pub kinds: TaskKinds,
    /// Whether an answer without a call is right.
    pub answerable_without_tool: bool,
    /// Where the words come from.
    pub source: DraftSource,
    /// Whether a model worded what the schema gave.
    pub is_reworded: bool,
}

impl DraftedTask {
    /// A task of these words, without anything else.
    pub(crate) fn of(id: String, user: String, source: DraftSource) -> Self {
        Self {
            id,
            user,
            tool: None,
            absent_tool: None,
            arguments: IndexMap::new(),
            substitutes: Vec::new(),
            read_only: Vec::new(),
            missing_argument: IndexMap::new(),
            kinds: TaskKinds::default(),
            answerable_without_tool: false,
            source,
            is_reworded: false,
        }
    }
}

/// Where a drafted task's words come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftSource {
    /// A tool's schema.
    Schema,
    /// Traces.
    Traces {
        /// What they are called.
        name: String,
        /// Whether nothing is left in the words that may be somebody's.
        redacted: bool,
    },
    /// Nothing of the user's: the same for every catalog.
    Written,
}

/// A tool on its way to a task.
pub(crate) struct Draft<'a> {
    tool: &'a Tool,
    schema: Schema,
    description: String,
    context: String,
    draw: Draw,
}

impl<'a> Draft<'a> {
    pub(crate) fn of(tool: &'a Tool, seed: u64) -> Self {
        let description = tool.description_text();
        let context = format!("{} | {}", name_words(tool.name.as_str()).join(" "), first_words(&description))
            .to_lowercase();
        let draw = Draw::new(seed, &["task", tool.name.as_str()]);
        Self { tool, schema: Schema::of(tool), description, context, draw }
    }

    /// The task. `id` is unique in its suite; what the caller's prompt says of them, the words leave to it.
    pub(crate) fn task(&self, id: String, neighbours: &Neighbours<'_>, caller: &Caller) -> DraftedTask {
        let arguments = self.schema.arguments();
        let action = self.action(&arguments);
        let given = self.given(&arguments, action.as_ref());
        let mut request = self.request(&arguments, &given, action.as_ref());
        let callers = caller.take(&arguments, &mut request);
        let substitutes = neighbours.substitutes(self.tool, &request.imperative.text);
        if neighbours.is_ambiguous(self.tool, &request.imperative.text, &substitutes) {
            request.tool = Some(self.tool.name.to_string());
        }
        let mut task = DraftedTask::of(id, request.words(None), DraftSource::Schema);
        task.tool = Some(self.tool.name.to_string());
        task.read_only = neighbours.reads(self.tool, &substitutes);
        task.substitutes = neighbours.with_same_names(self.tool, substitutes);
        let is_callers = |name: &str| callers.iter().find(|(own, _)| own == name);
        for argument in arguments.iter().filter(|argument| given.contains(&argument.name.as_str())) {
            let part = request.parts.iter().find(|part| part.name == argument.name);
            let rule = match (is_callers(&argument.name), part) {
                (Some((_, key)), _) => ArgumentRule::Principal((*key).to_owned()),
                (None, Some(part)) => ArgumentRule::Equals(part.value.clone()),
                (None, None) => continue,
            };
            task.arguments.insert(argument.name.clone(), rule);
        }
        let left_out =
            arguments.iter().filter(|a| !a.required && !given.contains(&a.name.as_str())).take(ABSENT);
        task.arguments.extend(left_out.map(|argument| (argument.name.clone(), ArgumentRule::Absent)));
        task.missing_argument = missing(&arguments, &request, &task.user);
        task.kinds.principal = caller.lure(&callers, &task.user, self.draw.part("lure"));
        task.kinds.wrong_value = wrong_value(&self.schema, &arguments, &request, &self.draw.part("wrong"));
        task.kinds.canary = canary(self.tool, &task.user, &self.draw.part("canary"));
        task
    }

    /// A request about the thing that this tool works on, for another verb than the tool's own.
    pub(crate) fn request_about(&self, text: &str) -> Request {
        let arguments = self.schema.arguments();
        let is_named = |argument: &&Argument| {
            argument.required && names_a_thing(&argument.name) && !is_of_user(argument)
        };
        let given: Vec<&str> = arguments.iter().filter(is_named).map(|a| a.name.as_str()).collect();
        let mut request = self.request(&arguments, &given, None);
        text.clone_into(&mut request.imperative.text);
        request
    }

    /// The argument that chooses what the tool does, and the choice.
    fn action(&self, arguments: &[Argument]) -> Option<(String, Value)> {
        let is_action = |argument: &&Argument| {
            argument.required
                && ACTIONS.contains(&argument.name.as_str())
                && type_of(&argument.schema) == "string"
        };
        let argument = arguments.iter().find(is_action)?;
        let members = argument.schema.get("enum").and_then(Value::as_array);
        let members =
            members.map(|members| members.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        let choices: Vec<String> = members
            .or_else(|| options(&argument.name, argument.description()))
            .or_else(|| verbs_of_lines(&self.description))?;
        let verbs: Vec<&str> = choices.iter().map(String::as_str).filter(|word| is_verb(word)).collect();
        let chosen = if verbs.is_empty() {
            self.value(argument, &[])
        } else {
            self.draw.part(&argument.name).pick(&verbs).into()
        };
        Some((argument.name.clone(), chosen))
    }

    fn value(&self, argument: &Argument, others: &[Value]) -> Value {
        let mut made = Value::Null;
        for again in 0..6 {
            let draw = self.draw.part(&format!("{}/{again}", argument.name));
            let purpose = Purpose {
                schema: &self.schema,
                name: argument.name.clone(),
                tool: &self.context,
                draw,
                parts: Rc::default(),
            };
            made = value(&argument.schema, &purpose);
            if made.is_boolean() || !others.contains(&made) {
                break;
            }
        }
        made
    }

    /// The names of the arguments that the words give: the required ones, those that the chosen action or another
    /// choice needs, and where all that does not say yet what is wanted, what such a request is about.
    fn given<'b>(&self, arguments: &'b [Argument], action: Option<&(String, Value)>) -> Vec<&'b str> {
        let chosen = action.and_then(|(_, value)| value.as_str());
        let choices: Vec<Value> = arguments
            .iter()
            .filter(|argument| argument.required && argument.schema.get("enum").is_some())
            .map(|argument| self.value(argument, &[]))
            .collect();
        let sentence = first_sentence(&self.description).to_lowercase();
        let sentence = sentence
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        // Of "a or b" the one that the sentence names may be the one that is not meant.
        let offers_choice = sentence.contains(" or ");
        let is_given = |argument: &&Argument| {
            argument.required
                || chosen.is_some_and(|action| is_needed_for(argument.description(), action))
                || chosen.is_some_and(|action| self.names_its_thing(argument, action))
                || choices.iter().any(|choice| *choice == argument.name)
                || (!offers_choice && speaks_of(&sentence, &argument.name) && !argument.has_default())
        };
        let mut given: Vec<&str> =
            arguments.iter().filter(is_given).map(|argument| argument.name.as_str()).collect();
        if !self.says_enough(arguments, &given, chosen) {
            self.add_telling(arguments, &mut given, chosen);
        }
        given
    }

    /// Whether an argument is the id of what an action is done to, where that is there already.
    fn names_its_thing(&self, argument: &Argument, action: &str) -> bool {
        let words = name_words(&argument.name);
        let [.., stem, last] = &words[..] else { return false };
        let own = name_words(self.tool.name.as_str());
        let makes = ["create", "add", "insert", "list", "import", "search"].contains(&action);
        last == "id"
            && !makes
            && own.last().is_some_and(|thing| crate::words::singular(thing) == *stem || own.contains(stem))
    }

    /// Whether the values say what is wanted: for a tool that looks, always; for one that changes something, if
    /// more is given than what it changes.
    fn says_enough(&self, arguments: &[Argument], given: &[&str], action: Option<&str>) -> bool {
        let words = name_words(self.tool.name.as_str());
        let has = |among: &[&str]| words.iter().any(|word| among.contains(&word.as_str()));
        let changes = match action {
            Some(action) => CHANGES.contains(&action),
            None => has(CHANGES),
        };
        let tells = |argument: &Argument| {
            given.contains(&argument.name.as_str())
                && !is_of_user(argument)
                && !ACTIONS.contains(&argument.name.as_str())
                && (!changes || !names_a_thing(&argument.name))
        };
        let only_looks = ["get", "list", "read", "search", "find", "delete"];
        let seeks = has(&["search", "find", "query", "fetch", "ask", "wait"]);
        let looks = !changes
            && ((reads(self.tool) && !seeks)
                || action.is_some_and(|action| only_looks.contains(&action))
                || has(&["get", "list", "read", "show", "count", "status", "delete"]));
        looks || arguments.iter().all(|argument| argument.required) || arguments.iter().any(tells)
    }

    /// Adds optional arguments that say what is wanted, the most telling first.
    fn add_telling<'b>(&self, arguments: &'b [Argument], given: &mut Vec<&'b str>, action: Option<&str>) {
        let can = |argument: &&Argument, given: &[&str]| {
            !argument.required && !argument.has_default() && !given.contains(&argument.name.as_str())
        };
        let mut added = 0;
        let for_action = arguments.iter().find(|argument| {
            let description = argument.description().to_lowercase();
            can(argument, given) && action.is_some_and(|action| is_for(&description, action))
        });
        if let Some(argument) = for_action {
            given.push(&argument.name);
            return;
        }
        for core in CORE {
            let found = arguments.iter().find(|a| a.name.eq_ignore_ascii_case(core) && can(a, given));
            if let Some(argument) = found {
                given.push(&argument.name);
                added += 1;
            }
            if added >= GIVEN {
                return;
            }
        }
        let is_simple = |argument: &&Argument| {
            !matches!(type_of(&argument.schema).as_str(), "array" | "object")
                && !names_a_thing(&argument.name)
                && !argument.description().to_lowercase().contains("instead of")
        };
        if added == 0 {
            let is_closed = |argument: &&Argument| {
                type_of(&argument.schema) != "string" || argument.schema.get("enum").is_some()
            };
            let simple = || arguments.iter().filter(|a| can(a, given) && is_simple(a));
            // Where every choice has a default, the request is for something else than the default.
            let set = || {
                let is_choice =
                    |a: &&Argument| type_of(&a.schema) == "boolean" || a.schema.get("enum").is_some();
                arguments.iter().find(|a| !a.required && a.has_default() && is_choice(a) && is_simple(a))
            };
            let first = simple().find(is_closed).or_else(|| simple().next());
            // What works on many things names them in lists.
            let is_list = |a: &&Argument| {
                let items = a.schema.get("items").and_then(Value::as_object);
                type_of(&a.schema) == "array" && items.is_some_and(|items| type_of(items) == "string")
            };
            let lists = || arguments.iter().filter(|a| can(a, given) && is_list(a)).take(2);
            let chosen: Vec<&Argument> = match first {
                Some(first) => vec![first],
                None => lists().collect(),
            };
            let chosen = if chosen.is_empty() { set().into_iter().collect() } else { chosen };
            given.extend(chosen.iter().map(|argument| argument.name.as_str()));
        }
    }

    fn request(&self, arguments: &[Argument], given: &[&str], action: Option<&(String, Value)>) -> Request {
        let verb = action.and_then(|(_, value)| value.as_str());
        let imperative = imperative(self.tool.name.as_str(), &self.description, verb);
        let mut values: Vec<Value> = Vec::new();
        let mut parts: Vec<Part> = Vec::new();
        for argument in arguments.iter().filter(|argument| given.contains(&argument.name.as_str())) {
            let value = match action {
                Some((name, chosen)) if *name == argument.name => chosen.clone(),
                _ => self.value(argument, &values),
            };
            values.push(value.clone());
            let is_verb = action.is_some_and(|(name, value)| {
                name == &argument.name && value.as_str().is_some_and(|word| begins(&imperative.text, word))
            });
            let description = argument.description().to_owned();
            let is_pasted = self.schema.is_open(&argument.schema);
            parts.push(Part { name: argument.name.clone(), value, description, is_verb, is_pasted });
        }
        Request { imperative, parts, tool: None, draw: self.draw.part("words") }
    }
}

/// The verbs that a tool's description explains line by line, or that its first sentence begins with.
fn verbs_of_lines(description: &str) -> Option<Vec<String>> {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?m)^\s*[-*]?\s*["'`]?([a-z]{3,20})["'`]?\s*[:(=-]"#).expect("a fixed pattern")
    });
    let lines = LINE.captures_iter(description).map(|found| found[1].to_owned());
    let found: Vec<String> = lines.filter(|word| is_verb(word)).collect();
    if !found.is_empty() {
        return Some(found);
    }
    let first = first_sentence(description).to_lowercase();
    let words =
        first.split([' ', ',', '/']).filter(|word| !word.is_empty() && *word != "or" && *word != "and");
    let verbs: Vec<String> = words.take_while(|word| is_verb(word)).map(str::to_owned).collect();
    (!verbs.is_empty() && verbs != ["manage"]).then_some(verbs)
}

/// Whether a name is that of a thing which is worked on, and not what is done with it.
fn names_a_thing(name: &str) -> bool {
    let words = name_words(name);
    let last = words.last().map_or("", String::as_str);
    [
        "id",
        "ids",
        "number",
        "owner",
        "repo",
        "repository",
        "project",
        "path",
        "database",
        "collection",
        "range",
        "name",
        "key",
        "token",
        "branch",
        "index",
    ]
    .contains(&last)
        && !name.starts_with("new")
}

/// Whether a sentence, its words in lower case with one space between them, speaks of an argument as of something
/// that is there.
fn speaks_of(sentence: &str, name: &str) -> bool {
    let words = name_words(name).join(" ");
    sentence.match_indices(&words).any(|(at, _)| {
        let before = sentence[..at].trim_end().rsplit(' ').next().unwrap_or_default();
        let is_whole =
            sentence[..at].ends_with(' ') && !sentence[at + words.len()..].starts_with(|c: char| c != ' ');
        is_whole && ["the", "a", "an", "specified", "given"].contains(&before)
    })
}

fn begins(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn first_words(description: &str) -> String {
    description.chars().take(200).collect()
}

static NEEDED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)\b(?:required|needed|mandatory)\s+(?:for|when|if|with|by)\s+([^.;]{3,120})"#)
        .expect("a fixed pattern")
});

/// Whether a description says that an action needs the argument.
fn is_needed_for(description: &str, action: &str) -> bool {
    let mut said = NEEDED.captures_iter(description).map(|found| found[1].to_lowercase());
    said.any(|said| {
        !said.contains("except")
            && !said.contains(" unless ")
            && said
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .any(|word| word == action.to_lowercase())
    })
}

/// Whether a description in lower case says that an argument is for an action: `used for close/select`.
fn is_for(description: &str, action: &str) -> bool {
    description.match_indices("for ").any(|(at, _)| {
        let said = description[at + 4..].split(['.', ';', '\n', ')']).next().unwrap_or_default();
        said.split(|c: char| !(c.is_alphanumeric() || c == '_')).take(6).any(|word| word == action)
    })
}

/// Whether an argument says who the user is.
fn is_of_user(argument: &Argument) -> bool {
    is_mine(&argument.name, argument.description())
}

/// For each required argument whose value can be left out of the words: the words without it.
fn missing(arguments: &[Argument], request: &Request, user: &str) -> IndexMap<String, String> {
    let mut out = IndexMap::new();
    for part in request.parts.iter().filter(|part| !part.is_verb && !part.value.is_boolean()) {
        let argument = arguments.iter().find(|argument| argument.name == part.name);
        if !argument.is_some_and(|argument| argument.required && can_be_missed(argument)) {
            continue;
        }
        let words = request.words(Some(&part.name));
        let still = scalars(&part.value).iter().any(|value| words.contains(value.as_str()));
        if !still && words != user {
            out.insert(part.name.clone(), words);
        }
    }
    out
}

/// Whether somebody who is not told the value has to ask for it: the schema has no default, and does not say what
/// to take.
fn can_be_missed(argument: &Argument) -> bool {
    let description = argument.description().to_lowercase();
    let says_what = ["if no ", "if not ", "if omitted", "default", "when omitted", "leave empty", "if none"];
    !argument.has_default()
        && !says_what.iter().any(|words| description.contains(words))
        && argument.schema.get("const").is_none()
}
