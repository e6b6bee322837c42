//! Which arguments a request gives: those that every call needs, those that what is chosen needs, those that the
//! tool's own sentence speaks of, and where all that does not say yet what is wanted, what such a request is about.

use std::sync::LazyLock;

use probes::{names_in, reads};
use regex::Regex;
use serde_json::Value;

use crate::schema::{Argument, type_of};
use crate::task::{Draft, is_of_user};
use crate::told::{
    chooses_verb, depends_on, described_by, is_choice, is_choice_of, is_for, is_needed_for, is_of_action,
    is_of_other, names_another, needed_by_lines, says_the_same, speaks_of, speaks_of_several,
    speaks_of_specified, undoes, verbs_of_lines,
};
use crate::value::options;
use crate::words::{first_sentence, is_verb, name_words, names_a_thing, placed, says_how, settled};

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
    "rename",
    "set",
    "format",
    "resize",
    "emulate",
    "configure",
    "adjust",
    "grant",
    "share",
    "manage",
];

/// Words of arguments that say where something goes, the plainest first.
const ENDS: &[&str] =
    &["destination", "target", "new", "to", "position", "index", "after", "before", "parent"];

/// Verbs that make something else of what they are given: a request says of what.
const TRANSFORMS: &[&str] =
    &["compress", "convert", "import", "upload", "translate", "summarize", "parse", "encode", "gzip"];

/// What a tool that transforms something is given, the plainest first.
const INPUTS: &[&str] =
    &["file_url", "url", "file_path", "path", "file", "data", "content", "text", "source", "image"];

/// Verbs of actions that only show, and need nothing beside what every call needs.
const SHOWS: &[&str] = &["list", "get", "read", "show", "search"];

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

/// The arguments that a request gives.
pub(crate) struct Given {
    /// Their names.
    pub(crate) names: Vec<String>,
    /// Those of them that a call needs and that nothing says a valid value of.
    pub(crate) open: Vec<String>,
    /// Whether what is asked for would do anything.
    pub(crate) says_enough: bool,
}

impl Draft<'_> {
    /// The argument that chooses what the tool does, with each of its choices in the order in which they are tried;
    /// none where no argument does.
    pub(crate) fn actions(&self, arguments: &[Argument]) -> Vec<Option<(String, Value)>> {
        let is_action = |argument: &&Argument| {
            argument.required
                && type_of(&argument.schema) == "string"
                && (ACTIONS.contains(&argument.name.as_str()) || chooses_verb(argument, &self.description))
        };
        let Some(argument) = arguments.iter().find(is_action) else { return vec![None] };
        let members = argument.schema.get("enum").and_then(Value::as_array);
        let members =
            members.map(|members| members.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        let choices: Option<Vec<String>> = members
            .or_else(|| options(&argument.name, argument.description()))
            .or_else(|| verbs_of_lines(&self.description));
        let Some(choices) = choices else { return vec![None] };
        let mut verbs: Vec<String> = choices.into_iter().filter(|word| is_verb(word)).collect();
        if verbs.is_empty() {
            let chosen = self.value(argument, &[], &[], false);
            return vec![chosen.map(|chosen| (argument.name.clone(), chosen))];
        }
        let last = i64::try_from(verbs.len()).unwrap_or(1) - 1;
        let at = usize::try_from(self.draw.part(&argument.name).number(0, last)).unwrap_or(0);
        let at = at.min(verbs.len() - 1);
        verbs.rotate_left(at);
        verbs.into_iter().map(|verb| Some((argument.name.clone(), verb.into()))).collect()
    }

    /// The arguments that the words give.
    pub(crate) fn given(&self, arguments: &[Argument], action: Option<&(String, Value)>) -> Given {
        let chosen = action.and_then(|(_, value)| value.as_str());
        let core = settled(&self.core(chosen), &|_| false);
        let choices: Vec<Value> = arguments
            .iter()
            .filter(|argument| {
                argument.required
                    && is_choice(argument)
                    && action.is_none_or(|(name, _)| *name != argument.name)
            })
            .filter_map(|argument| self.value(argument, &[], &[], false))
            .collect();
        let others = self.other_actions(arguments, chosen);
        let listed = chosen.map(|action| needed_by_lines(&self.description, action)).unwrap_or_default();
        let is_needed = |argument: &Argument| {
            let description = argument.description();
            chosen.is_some_and(|action| is_needed_for(description, action))
                || listed.contains(&argument.name)
                || chosen.is_some_and(|action| self.names_its_thing(argument, action))
                || chosen.is_some_and(|action| is_of_action(argument, action))
                || chosen.is_some_and(|action| is_choice_of(argument, action))
                || choices.iter().any(|choice| {
                    *choice == argument.name
                        || choice.as_str().is_some_and(|choice| is_needed_for(description, choice))
                })
        };
        let shows = chosen.is_some_and(|action| SHOWS.contains(&action));
        let is_free = |argument: &Argument| {
            let is_alone = depends_on(argument, arguments).iter().all(|name| {
                arguments.iter().any(|other| other.name == *name && (other.required || is_needed(other)))
            });
            !shows && is_alone && !is_of_other(argument, chosen, &others) && !undoes(&argument.name, &core)
        };

        // What is needed without a known value is asked for in plain words.
        let is_known = |argument: &Argument| self.value(argument, &[], &[], false).is_some();
        let is_open =
            |argument: &&Argument| (argument.required || is_needed(argument)) && !is_known(argument);
        let open: Vec<String> =
            arguments.iter().filter(is_open).map(|argument| argument.name.clone()).collect();
        let mut says_enough = true;
        // A place in the sentence is one argument's: what is needed takes it first.
        let mut filled = core.clone();
        let needed = |argument: &&Argument| argument.required || is_needed(argument);
        for argument in arguments.iter().filter(needed) {
            filled = placed(&filled, &argument.name, "V", false).unwrap_or(filled);
        }
        let mut spoken_of: Vec<&str> = Vec::new();
        for argument in arguments.iter().filter(|argument| !needed(argument) && is_free(argument)) {
            let is_said =
                arguments.iter().any(|other| needed(&other) && says_the_same(&argument.name, &other.name));
            if !is_said && self.is_spoken_of(argument, &filled) && is_known(argument) {
                filled = placed(&filled, &argument.name, "V", false).unwrap_or(filled);
                spoken_of.push(&argument.name);
            }
        }
        let mut given: Vec<&str> = arguments
            .iter()
            .filter(|argument| needed(argument) || spoken_of.contains(&argument.name.as_str()))
            .map(|argument| argument.name.as_str())
            .collect();
        let can = |argument: &Argument| is_free(argument) && is_known(argument);
        self.add_one_of(arguments, &mut given, &can);
        self.add_input(arguments, &mut given, &can, &core);
        self.add_place(arguments, &mut given, &can, &core);
        // Whoever points at a thing says what it is, and what has another's name by default has its own.
        let goes_with = |argument: &&Argument| {
            let is_described =
                described_by(argument, arguments).is_some_and(|other| given.contains(&other.name.as_str()));
            // What is made has a title of its own, and not everybody's.
            let is_title = core.starts_with("create ")
                && ["title", "name"].contains(&argument.name.as_str())
                && argument
                    .schema
                    .get("default")
                    .is_some_and(|default| default.as_str().is_some_and(|text| !text.is_empty()))
                && type_of(&argument.schema) == "string";
            !given.contains(&argument.name.as_str())
                && (is_described || is_title || names_another(argument).is_some())
        };
        let beside: Vec<&str> = arguments.iter().filter(goes_with).map(|a| a.name.as_str()).collect();
        given.extend(beside);
        if !shows && !self.says_enough(arguments, &given, chosen, &core) {
            self.add_telling(arguments, &mut given, chosen, &can);
        }
        let changes = ["update", "edit", "modify", "patch", "rename"];
        let is_update = chosen.is_some_and(|action| changes.contains(&action));
        if is_update && !self.says_enough(arguments, &given, chosen, &core) {
            says_enough = false;
        }
        // What is moved goes somewhere.
        if chosen.is_some_and(|action| ["move", "reorder"].contains(&action)) {
            let is_end = |name: &str, end: &str| name_words(name).iter().any(|word| word == end);
            let has = given.iter().any(|name| ENDS.iter().any(|end| is_end(name, end)));
            let mut ends = ENDS.iter().filter_map(|end| {
                arguments.iter().find(|argument| is_end(&argument.name, end) && can(argument))
            });
            match ends.next() {
                _ if has => {}
                Some(end) => given.push(&end.name),
                None => says_enough = false,
            }
        }
        let names = given.into_iter().map(str::to_owned).collect();
        Given { names, open, says_enough }
    }

    /// Whether the tool's own sentence speaks of an argument as of something that is there.
    fn is_spoken_of(&self, argument: &Argument, core: &str) -> bool {
        let sentence = first_sentence(&self.description).to_lowercase();
        let words = sentence
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>();
        let sentence = words.join(" ");
        // Of "a or b" the one that the sentence names may be the one that is not meant.
        let offers_choice = sentence.contains(" or ");
        let kind = type_of(&argument.schema);
        let is_scalar = ["string", "integer", "number"].contains(&kind.as_str());
        let is_page = name_words(&argument.name)
            .iter()
            .any(|word| ["cursor", "token", "page", "limit"].contains(&word.as_str()));
        (!offers_choice && speaks_of(&sentence, &argument.name) && !argument.has_default())
            || (is_scalar
                && !is_page
                && !is_of_user(argument)
                && placed(core, &argument.name, "V", false).is_some())
            || (kind == "array" && speaks_of_several(core, &argument.name))
            || (is_choice(argument) && speaks_of_specified(core, &argument.name))
    }

    /// Words of the actions that are not chosen.
    fn other_actions(&self, arguments: &[Argument], chosen: Option<&str>) -> Vec<String> {
        let all = if chosen.is_some() { self.actions(arguments) } else { Vec::new() };
        let word = |action: Option<(String, Value)>| action?.1.as_str().map(str::to_owned);
        let mut all: Vec<String> = all.into_iter().filter_map(word).collect();
        let argument = arguments.iter().find(|argument| ACTIONS.contains(&argument.name.as_str()));
        all.extend(
            argument.and_then(|argument| options(&argument.name, argument.description())).unwrap_or_default(),
        );
        all.retain(|action| Some(action.as_str()) != chosen);
        all
    }

    /// Of arguments of which a call needs one, the first that can be given, where none is yet.
    fn add_one_of<'b>(
        &self,
        arguments: &'b [Argument],
        given: &mut Vec<&'b str>,
        can: &dyn Fn(&Argument) -> bool,
    ) {
        static ONE_OF: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"(?i)\b(?:at least one of|exactly one of|either|one of)\b([^.\n]{3,160})")
                .expect("a fixed pattern")
        });
        for found in ONE_OF.captures_iter(&self.description) {
            let named: Vec<&Argument> = arguments
                .iter()
                .filter(|argument| !argument.required && names_in(&argument.name, &found[1]))
                .collect();
            let has = named.iter().any(|argument| given.contains(&argument.name.as_str()));
            if named.len() > 1
                && !has
                && let Some(first) = named.into_iter().find(|argument| can(argument))
            {
                given.push(&first.name);
            }
        }
    }

    /// Where in a text something is changed, as no request for a change of it can leave open.
    fn add_place<'b>(
        &self,
        arguments: &'b [Argument],
        given: &mut Vec<&'b str>,
        can: &dyn Fn(&Argument) -> bool,
        core: &str,
    ) {
        const PLACES: &[&str] = &["start_index", "index", "position", "offset", "line", "range", "start"];
        let mut words = core.split(' ');
        let changes = words.next().is_some_and(|verb| ["modify", "edit", "insert", "change"].contains(&verb));
        let is_part = words.next().is_some_and(|object| ["text", "content", "lines"].contains(&object));
        let is_place = |argument: &&Argument| PLACES.contains(&argument.name.as_str());
        let has = arguments.iter().filter(is_place).any(|argument| given.contains(&argument.name.as_str()));
        let first = arguments.iter().filter(is_place).find(|argument| can(argument));
        if let Some(place) = first.filter(|_| changes && is_part && !has) {
            given.push(&place.name);
            // What takes another's place has an end too.
            let end = place.name.replace("start", "end");
            given.extend(
                arguments
                    .iter()
                    .filter(|argument| argument.name == end && end != place.name && can(argument))
                    .map(|argument| argument.name.as_str()),
            );
        }
    }

    /// What a tool that transforms something is given, and what a file that is made holds.
    fn add_input<'b>(
        &self,
        arguments: &'b [Argument],
        given: &mut Vec<&'b str>,
        can: &dyn Fn(&Argument) -> bool,
        core: &str,
    ) {
        let verb = core.split(' ').next().unwrap_or_default();
        let makes_file = ["create", "write"].contains(&verb)
            && name_words(self.tool.name.as_str()).iter().any(|word| word == "file");
        let inputs: &[&str] = match () {
            () if TRANSFORMS.contains(&verb) => INPUTS,
            () if makes_file => &["content"],
            () => return,
        };
        let find = |name: &&str| arguments.iter().find(|argument| argument.name.eq_ignore_ascii_case(name));
        let has = inputs.iter().filter_map(find).any(|argument| given.contains(&argument.name.as_str()));
        if let Some(input) = inputs.iter().filter_map(find).find(|argument| can(argument)).filter(|_| !has) {
            given.push(&input.name);
        }
    }

    /// Whether an argument is the id of what an action is done to, where that is there already.
    fn names_its_thing(&self, argument: &Argument, action: &str) -> bool {
        let words = name_words(&argument.name);
        let [.., stem, last] = &words[..] else { return false };
        // What it lies in is another.
        if words.iter().any(|word| word == "parent") {
            return false;
        }
        let own = name_words(self.tool.name.as_str());
        let makes = ["create", "add", "insert", "list", "import", "search"].contains(&action);
        last == "id"
            && !makes
            && own.last().is_some_and(|thing| crate::words::singular(thing) == *stem || own.contains(stem))
    }

    /// Whether the values say what is wanted: for a tool that looks, always; for one that changes something, if
    /// more is given than what it changes.
    fn says_enough(&self, arguments: &[Argument], given: &[&str], action: Option<&str>, core: &str) -> bool {
        let words = name_words(self.tool.name.as_str());
        let has = |among: &[&str]| words.iter().any(|word| among.contains(&word.as_str()));
        let changes = match action {
            Some(action) => CHANGES.contains(&action),
            None => has(CHANGES),
        };
        // A name that is given beside an id is the new one.
        let has_id = given.iter().any(|name| name.to_lowercase().ends_with("id"));
        let is_name = |argument: &Argument| has_id && ["name", "new_name"].contains(&argument.name.as_str());
        let tells = |argument: &Argument| {
            // `add_label_ids` says what "add labels" adds.
            let is_of_verb = name_words(&argument.name)
                .first()
                .is_some_and(|first| core.starts_with(&format!("{first} ")));
            if is_of_verb && given.contains(&argument.name.as_str()) {
                return true;
            }
            given.contains(&argument.name.as_str())
                && !is_of_user(argument)
                && !ACTIONS.contains(&argument.name.as_str())
                && (!changes || argument.required || !says_how(&argument.name))
                && (!changes || !names_a_thing(&argument.name) || is_name(argument))
        };
        let only_looks = ["get", "list", "read", "search", "find", "delete"];
        let seeks = has(&["search", "find", "query", "fetch", "ask", "wait"]);
        let looks = !changes
            && ((reads(self.tool) && !seeks)
                || action.is_some_and(|action| only_looks.contains(&action))
                || has(&["get", "list", "read", "show", "count", "status", "delete"]));
        let says_what = changes && core.contains(" with the ");
        looks
            || says_what
            || arguments.iter().all(|argument| argument.required)
            || arguments.iter().any(tells)
    }

    /// Adds optional arguments that say what is wanted, the most telling first.
    fn add_telling<'b>(
        &self,
        arguments: &'b [Argument],
        given: &mut Vec<&'b str>,
        action: Option<&str>,
        is_free: &dyn Fn(&Argument) -> bool,
    ) {
        let is_change = action.is_some_and(|action| CHANGES.contains(&action));
        let can = |argument: &&Argument, given: &[&str]| {
            let is_how = is_change && says_how(&argument.name);
            let is_there = argument.required || given.contains(&argument.name.as_str());
            !is_there && !is_how && !argument.has_default() && is_free(argument)
        };

        let mut added = 0;
        let for_action = arguments.iter().find(|argument| {
            let description = argument.description().to_lowercase();
            let is_value = ["string", "integer", "number"].contains(&type_of(&argument.schema).as_str())
                && !description.contains("default");
            is_value && can(argument, given) && action.is_some_and(|action| is_for(&description, action))
        });
        if let Some(argument) = for_action {
            given.push(&argument.name);
            return;
        }
        let words = name_words(self.tool.name.as_str());
        let most = match action {
            Some(action) if CHANGES.contains(&action) => 1,
            None if words.iter().any(|word| CHANGES.contains(&word.as_str())) => 2,
            _ => GIVEN,
        };
        for core in CORE {
            let found = arguments.iter().find(|a| a.name.eq_ignore_ascii_case(core) && can(a, given));
            if let Some(argument) = found {
                given.push(&argument.name);
                added += 1;
            }
            if added >= most {
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
                arguments
                    .iter()
                    .find(|a| !a.required && a.has_default() && is_choice(a) && is_simple(a) && is_free(a))
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
}
