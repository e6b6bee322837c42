//! One tool's drafted task: what is given, what is left out on purpose, and the words.

use std::rc::Rc;

use indexmap::IndexMap;
use probes::{ArgumentRule, TaskKinds, pointer_step};
use serde_json::Value;
use transcript::Tool;

use crate::bounded::{is_bounded, without_all};
use crate::caller::Caller;
use crate::draw::Draw;
use crate::given::Given;
use crate::hints::Hints;
use crate::implied::left_out;
use crate::kinds::{canary, wrong_value};
use crate::missing::missing;
use crate::nested::Members;
use crate::own_work::is_own_work;
use crate::plain::plainly;
use crate::prerequisite::Prerequisites;
use crate::schema::{Argument, Schema, type_of};
use crate::similar::Neighbours;
use crate::state::state_of;
use crate::told::{described_by, names_another};
use crate::value::{Purpose, file_name, value};
use crate::words::{
    Part, Request, imperative, is_mine, name_words, names_a_thing, scalars, settled, singular,
    without_unnamed,
};

/// How many optional arguments are left out by name at most; in `optional_argument` the others must be absent too.
pub(crate) const ABSENT: usize = 3;

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
    pub(crate) tool: &'a Tool,
    pub(crate) schema: Schema,
    pub(crate) description: String,
    context: String,
    pub(crate) draw: Draw,
    hints: &'a Hints,
}

impl<'a> Draft<'a> {
    pub(crate) fn of(tool: &'a Tool, seed: u64, hints: &'a Hints) -> Self {
        let description = tool.description_text();
        let context = format!("{} | {}", name_words(tool.name.as_str()).join(" "), first_words(&description))
            .to_lowercase();
        let draw = Draw::new(seed, &["task", tool.name.as_str()]);
        Self { tool, schema: Schema::of(tool), description, context, draw, hints }
    }

    /// The task. `id` is unique in its suite; what the caller's prompt says of them, the words leave to it.
    pub(crate) fn task(&self, id: String, neighbours: &Neighbours<'_>, caller: &Caller) -> DraftedTask {
        let arguments = self.schema.arguments();
        let prerequisites = Prerequisites::of(self.tool, &arguments, self.hints);
        let mut request = self.whole_request(&arguments);
        let given: Vec<String> = request.parts.iter().map(|part| part.name.clone()).collect();
        request.before = prerequisites.first().map(str::to_owned);
        for part in &mut request.parts {
            part.is_looked_up = prerequisites.give(&part.name);
        }
        let callers = caller.take(&arguments, &mut request);
        let names: Vec<String> = request.parts.iter().map(|part| part.name.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let substitutes = neighbours.substitutes(self.tool, &request.imperative.text, &names);
        if neighbours.is_ambiguous(self.tool, &request.imperative.text, &substitutes) {
            request.tool = Some(self.tool.name.to_string());
        }
        let mut task = DraftedTask::of(id, request.words(None), DraftSource::Schema);
        task.tool = Some(self.tool.name.to_string());
        let verb = request.imperative.text.split(' ').next().unwrap_or_default();
        task.substitutes = neighbours.with_same_names(self.tool, substitutes, verb, &names);
        let is_open = |name: &str| request.parts.iter().any(|part| part.name == name && part.plain.is_some());
        let is_callers = |name: &str| callers.iter().find(|(own, _)| own == name);
        let rule = |argument: &Argument| match caller.may_give(argument) {
            Some(own) => ArgumentRule::AbsentOr(vec![own.into()]),
            None => left_out(argument, &request.parts, &task.user),
        };
        let members = Members { schema: &self.schema, left_out: &rule };
        let mut given_rules: Vec<(String, ArgumentRule)> = Vec::new();
        let mut is_given: Vec<&str> = Vec::new();
        for argument in arguments.iter().filter(|argument| given.contains(&argument.name)) {
            let part = request.parts.iter().find(|part| part.name == argument.name);
            let rule = match (is_callers(&argument.name), part) {
                (Some((_, key)), _) => ArgumentRule::Principal((*key).to_owned()),
                // What the model says for people beside the thing itself.
                (None, Some(part))
                    if part.plain.is_none()
                        && !argument.required
                        && described_by(argument, &arguments)
                            .is_some_and(|other| given.contains(&other.name)) =>
                {
                    ArgumentRule::AbsentOr(vec![part.value.clone()])
                }
                (None, Some(part)) if part.plain.is_none() => {
                    is_given.push(&argument.name);
                    match self.schema.written(&argument.name).filter(|_| !part.is_pasted) {
                        Some(written) => {
                            given_rules.extend(members.rules(&argument.name, written, &part.value))
                        }
                        None => given_rules
                            .push((argument.name.clone(), ArgumentRule::Equals(part.value.clone()))),
                    }
                    continue;
                }
                (None, _) => continue,
            };
            is_given.push(&argument.name);
            given_rules.push((argument.name.clone(), rule));
        }
        let is_left_out = |a: &&Argument| !a.required && !is_given.contains(&a.name.as_str());
        // Of what is given in a form of the model's own, more than the words ask for is made up: that is said of an
        // argument that a call may leave out, which would have to be absent where nothing is said of it.
        let more = |argument: &Argument| match type_of(&argument.schema).as_str() {
            "array" => format!("/{}/1", pointer_step(&argument.name)),
            _ => format!("/{}/comment", pointer_step(&argument.name)),
        };
        let rules: Vec<(String, ArgumentRule)> = arguments
            .iter()
            .filter(is_left_out)
            .map(|argument| match is_open(&argument.name) {
                true => (more(argument), ArgumentRule::Absent),
                false => (argument.name.clone(), rule(argument)),
            })
            .collect();
        task.arguments.extend(given_rules);
        // What may be given always has its rule: where nothing is said of an argument, it has to be absent.
        let mut absent = 0;
        for (name, rule) in rules {
            absent += usize::from(rule == ArgumentRule::Absent);
            if rule != ArgumentRule::Absent || absent <= ABSENT || name.starts_with('/') {
                task.arguments.insert(name, rule);
            }
        }
        task.missing_argument = missing(self.tool, &arguments, &request, &task.user, self.hints);
        let missed = arguments.iter().filter(|argument| task.missing_argument.contains_key(&argument.name));
        let mut first = neighbours.yielding(self.tool, missed, &names);
        first.extend(prerequisites.names().iter().cloned());
        task.read_only = neighbours.reads(self.tool, &task.substitutes, &first, &names);
        task.answerable_without_tool = is_own_work(self.tool, &request.imperative.text, &arguments);
        task.kinds.principal = caller.lure(&callers, &task.user, self.draw.part("lure"));
        task.kinds.wrong_value = wrong_value(&self.schema, &arguments, &request, &self.draw.part("wrong"));
        task.kinds.canary = canary(self.tool, &arguments, &task.user, &self.draw.part("canary"));
        task
    }

    /// The request for the first action of which all that it needs has a known value; where there is none, what is
    /// wanted of the rest is said in plain words.
    fn whole_request(&self, arguments: &[Argument]) -> Request {
        let mut least: Option<Request> = None;
        for action in self.actions(arguments) {
            let given = self.given(arguments, action.as_ref());
            let request = self.request(arguments, &given, action.as_ref());
            if given.says_enough && request.is_whole() {
                return request;
            }
            least.get_or_insert(request);
        }
        let nothing = Given { names: Vec::new(), open: Vec::new(), says_enough: true };
        least.unwrap_or_else(|| self.request(arguments, &nothing, None))
    }

    /// A request about the thing that this tool works on, for another verb than the tool's own.
    pub(crate) fn request_about(&self, text: &str) -> Option<Request> {
        let arguments = self.schema.arguments();
        let is_named = |argument: &&Argument| {
            argument.required && names_a_thing(&argument.name) && !is_of_user(argument)
        };
        let names: Vec<String> = arguments.iter().filter(is_named).map(|a| a.name.clone()).collect();
        let given = Given { names, open: Vec::new(), says_enough: true };
        let mut request = Some(self.request(&arguments, &given, None)).filter(Request::is_whole)?;
        text.clone_into(&mut request.imperative.text);
        // What the tool's own description says of a value is of its own verb (`Name for the new file`).
        request.parts.iter_mut().for_each(|part| part.description.clear());
        Some(request)
    }

    /// A value for an argument, other than those of others; none where nothing says what would be valid.
    pub(crate) fn value(
        &self,
        argument: &Argument,
        others: &[Value],
        beside: &[String],
        is_one: bool,
    ) -> Option<Value> {
        if let Some(ending) = names_another(argument) {
            return Some(file_name(ending, &mut self.draw.part(&argument.name)).into());
        }
        let mut made = None;
        for again in 0..12 {
            let draw = self.draw.part(&format!("{}/{again}", argument.name));
            let purpose = Purpose {
                schema: &self.schema,
                name: argument.name.clone(),
                tool: &self.context,
                draw,
                parts: Rc::default(),
                hints: self.hints,
                beside: beside.into(),
                top: argument.name.clone(),
                is_one,
                is_unknown: Rc::default(),
                described: None,
            };
            made = value(&argument.schema, &purpose);
            let is_stale = made.as_ref().and_then(Value::as_str).is_some_and(|made| self.is_stale(made));
            let is_callers = made
                .as_ref()
                .is_some_and(|made| scalars(made).iter().any(|text| self.hints.is_callers(text)));
            if !is_stale
                && !is_callers
                && made.as_ref().is_none_or(|made| made.is_boolean() || !others.contains(made))
            {
                break;
            }
        }
        made
    }

    /// Whether a choice is of an argument that is deprecated: what nobody should choose any more.
    fn is_stale(&self, choice: &str) -> bool {
        let says = |schema: &serde_json::Map<String, Value>| {
            let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            text.trim_start_matches('[').to_lowercase().starts_with("deprecated")
        };
        self.schema.arguments().iter().filter(|argument| argument.name == choice).any(|argument| {
            let branches = argument.schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
            says(&argument.schema) || branches.filter_map(Value::as_object).any(says)
        })
    }

    /// What the tool does, in words that no argument has settled yet.
    pub(crate) fn core(&self, action: Option<&str>) -> String {
        imperative(self.tool.name.as_str(), &self.description, action).text
    }

    /// The request. What the call needs and has no known value is said in plain words.
    fn request(&self, arguments: &[Argument], given: &Given, action: Option<&(String, Value)>) -> Request {
        let verb = action.and_then(|(_, value)| value.as_str());
        let mut imperative = imperative(self.tool.name.as_str(), &self.description, verb);
        let mut values: Vec<Value> = Vec::new();
        let mut parts: Vec<Part> = Vec::new();
        for argument in arguments.iter().filter(|argument| given.names.contains(&argument.name)) {
            let is_one =
                type_of(&argument.schema) == "array" && speaks_of_one(&imperative.text, &argument.name);
            let value = match action {
                Some((name, chosen)) if *name == argument.name => Some(chosen.clone()),
                _ => self.value(argument, &values, &given.names, is_one),
            };
            let value = match value {
                Some(value) => Some(value),
                None if argument.required || given.open.contains(&argument.name) => None,
                None => continue,
            };
            let plain = match &value {
                Some(_) => None,
                None => Some(plainly(argument, &mut self.draw.part(&format!("plain/{}", argument.name)))),
            };
            let value = value.unwrap_or_default();
            values.push(value.clone());
            let is_verb = action.is_some_and(|(name, value)| {
                name == &argument.name && value.as_str().is_some_and(|word| begins(&imperative.text, word))
            });
            let description = argument.description().to_owned();
            let is_pasted = self.schema.is_open(&argument.schema);
            let name = argument.name.clone();
            parts.push(Part { name, value, description, is_verb, is_pasted, is_looked_up: false, plain });
        }
        for argument in arguments {
            let Some(other) = described_by(argument, arguments) else { continue };
            let of = |name: &str| parts.iter().find(|part| part.name == name);
            let said = of(&other.name)
                .and_then(|part| part.value.as_str())
                .map(|target| target.trim_start_matches(['#', '.']).replace(['-', '_'], " "));
            if let (Some(said), Some(part)) = (said, parts.iter_mut().find(|part| part.name == argument.name))
            {
                part.value = said.into();
            }
        }
        imperative.text = settled(&imperative.text, &|words| is_said(words, &parts));
        let names: Vec<&str> = arguments.iter().map(|argument| argument.name.as_str()).collect();
        imperative.text = without_unnamed(&imperative.text, &names);
        if is_bounded(arguments) {
            imperative.text = without_all(&imperative.text);
        }
        // Where nothing says which one is meant, there is one.
        if arguments.iter().all(is_of_user) {
            for word in ["about", "of", "from"] {
                for article in ["a", "an"] {
                    imperative.text =
                        imperative.text.replace(&format!(" {word} {article} "), &format!(" {word} the "));
                }
            }
        }
        let state = state_of(self.tool, arguments);
        Request { imperative, parts, tool: None, state, before: None, draw: self.draw.part("words") }
    }
}

/// Whether a request speaks of one thing where an argument takes several.
fn speaks_of_one(core: &str, argument: &str) -> bool {
    const ENDS: &[&str] = &["in", "of", "from", "for", "to", "on", "with", "at", "by", "into", "within"];
    let is_many = |word: &str| {
        let word = word.trim_end_matches(',');
        word.len() > 3 && singular(word) != word
    };
    let mut object = core.split(' ').skip(1).skip_while(|word| ENDS.contains(word));
    let object_is_many = object.by_ref().take_while(|word| !ENDS.contains(word)).any(is_many);
    let stems: Vec<String> = name_words(argument).iter().map(|word| singular(word)).collect();
    let names_many = core
        .split(' ')
        .any(|word| is_many(word) && stems.contains(&singular(&word.trim_end_matches(',').to_lowercase())));
    !object_is_many && !names_many
}

/// Whether an argument says which of several alternatives is meant: its name, or its value.
fn is_said(words: &str, parts: &[Part]) -> bool {
    let last = words.rsplit(' ').next().unwrap_or_default();
    let last = singular(last.trim_end_matches(','));
    let says = |part: &Part| match &part.value {
        Value::String(text) if last == "url" => text.starts_with("http"),
        Value::String(text) if text.starts_with('/') || text.contains('/') => {
            let is_file = text.rsplit('/').next().is_some_and(|name| name.contains('.'));
            match last.as_str() {
                "file" => is_file,
                "directory" | "folder" => !is_file,
                _ => false,
            }
        }
        Value::String(text) if singular(&text.to_lowercase()) == last => true,
        _ => name_words(&part.name).iter().any(|word| singular(word) == last),
    };
    parts.iter().any(says)
}

fn begins(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn first_words(description: &str) -> String {
    description.chars().take(200).collect()
}

/// Whether an argument says who the user is.
pub(crate) fn is_of_user(argument: &Argument) -> bool {
    is_mine(&argument.name, argument.description())
}
