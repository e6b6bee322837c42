//! What must hold in a suite whatever the catalog, each mistake at its place.

use std::collections::HashMap;
use std::path::Path;

use regex::Regex;
use transcript::ToolName;

use crate::arm::ArmChoice;
use crate::document::step;
use crate::error::{Diagnostic, all_clear};
use crate::kind::{KINDS, kind, slug};
use crate::prompt::as_text;
use crate::whole_words::stands_in;
use crate::yaml::{read_yaml, read_yaml_file};
use crate::{ArgumentRule, EarlierWords, Places, SUITE_FORMAT, Suite, SuiteError, Task};

/// Keys of a suite or a task that other builds know.
const NOT_IN_THIS_BUILD: &[&str] = &["clock", "principal"];

impl Suite {
    /// Reads a suite file and checks all that can be checked without a catalog.
    ///
    /// # Errors
    /// The file cannot be read, or all the mistakes in it.
    pub fn load(path: &Path) -> Result<(Self, Places), SuiteError> {
        checked(read_yaml_file(path, SUITE_FORMAT, NOT_IN_THIS_BUILD)?)
    }

    /// The same, from a text; `file` names it in messages.
    ///
    /// # Errors
    /// All the mistakes in it.
    pub fn from_text(file: &Path, text: &str) -> Result<(Self, Places), SuiteError> {
        checked(read_yaml(file, text, SUITE_FORMAT, NOT_IN_THIS_BUILD)?)
    }
}

fn checked((suite, places): (Suite, Places)) -> Result<(Suite, Places), SuiteError> {
    let mut check = Check { suite: &suite, places: &places, mistakes: Vec::new() };
    check.suite();
    all_clear(check.mistakes)?;
    Ok((suite, places))
}

pub(super) struct Check<'a> {
    suite: &'a Suite,
    places: &'a Places,
    mistakes: Vec<Diagnostic>,
}

impl<'a> Check<'a> {
    fn suite(&mut self) {
        if self.suite.tasks.is_empty() {
            self.value("/tasks", "the suite has no tasks");
        }
        if let Some(kinds) = &self.suite.kinds {
            if kinds.is_empty() {
                self.value("/kinds", "the suite derives no kind of probe");
            }
            for (at, name) in kinds.iter().enumerate() {
                self.kind(name, &format!("/kinds/{at}"));
                if kinds.iter().take(at).any(|before| before == name) {
                    self.value(&format!("/kinds/{at}"), format!("kind `{name}` stands twice"));
                }
            }
        }
        if let Some(clock) = &self.suite.clock
            && clock.parse::<jiff::Timestamp>().is_err()
        {
            let message = format!("`{clock}` is no moment with its offset");
            self.push("/clock", message, "write RFC 3339, such as 2027-01-14T10:30:00+01:00");
        }
        self.arms();
        self.ids();
        for (at, task) in self.suite.tasks.iter().enumerate() {
            self.task(task, &format!("/tasks/{at}"));
        }
    }

    pub(super) fn value(&mut self, pointer: &str, message: impl Into<String>) {
        self.mistakes.push(self.places.value(pointer, message));
    }

    pub(super) fn key(&mut self, pointer: &str, message: impl Into<String>) {
        self.mistakes.push(self.places.key(pointer, message));
    }

    pub(super) fn push(&mut self, pointer: &str, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(self.places.value(pointer, message).help(help));
    }

    fn kind(&mut self, name: &str, pointer: &str) {
        if kind(name).is_some() {
            return;
        }
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        let help = match crate::nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? `toolmirage expand --list-kinds` lists them all"),
            None => "`toolmirage expand --list-kinds` lists them all".to_owned(),
        };
        self.push(pointer, format!("unknown probe kind `{name}`"), help);
    }

    fn arms(&mut self) {
        let mut names: Vec<String> = Vec::new();
        for (at, text) in self.suite.arms.iter().enumerate() {
            let pointer = format!("/arms/{at}");
            match ArmChoice::parse(text) {
                Ok(arm) if names.contains(&arm.name()) => {
                    self.value(&pointer, format!("arm `{}` stands twice", arm.name()));
                }
                Ok(arm) => names.push(arm.name()),
                Err((message, Some(help))) => self.push(&pointer, message, help),
                Err((message, None)) => self.value(&pointer, message),
            }
        }
        for (name, _) in self.suite.surfaces.iter().filter(|(_, tools)| tools.is_empty()) {
            self.value(&format!("/surfaces/{}", step(name)), format!("surface `{name}` has no tools"));
        }
    }

    fn surface(&mut self, task: &'a Task, base: &str) {
        let Some(name) = &task.surface else { return };
        let pointer = format!("{base}/surface");
        let Some(tools) = self.suite.surfaces.get(name) else {
            let message = format!("the suite has no surface `{name}`");
            let known: Vec<&str> = self.suite.surfaces.keys().map(String::as_str).collect();
            self.mistakes.push(self.places.value(&pointer, message).nearest(name, &known));
            return;
        };
        if let Some(wanted) =
            task.wanted().filter(|wanted| !tools.iter().any(|tool| tool.as_str() == *wanted))
        {
            self.value(&pointer, format!("surface `{name}` has no `{wanted}`, which the task wants"));
        }
    }

    fn ids(&mut self) {
        let mut first: HashMap<&str, usize> = HashMap::new();
        for (at, task) in self.suite.tasks.iter().enumerate() {
            match first.get(task.id.as_str()) {
                Some(before) => {
                    let (line, _) = self.places.at(&format!("/tasks/{before}/id"));
                    let help = format!("the first is in line {line}; comparisons pair by it");
                    self.push(
                        &format!("/tasks/{at}/id"),
                        format!("two tasks have the id `{}`", task.id),
                        help,
                    );
                }
                None => {
                    first.insert(&task.id, at);
                }
            }
        }
    }

    fn task(&mut self, task: &'a Task, base: &str) {
        if task.user.trim().is_empty() {
            self.value(&format!("{base}/user"), "the user says nothing");
        }
        if task.system.as_deref().is_some_and(|text| text.trim().is_empty()) {
            self.value(&format!("{base}/system"), "this says nothing");
        }
        for (at, said) in task.history.iter().enumerate().filter(|(_, said)| said.text().trim().is_empty()) {
            let speaker = if matches!(said, EarlierWords::User(_)) { "user" } else { "assistant" };
            self.value(&format!("{base}/history/{at}/{speaker}"), "this says nothing");
        }
        self.named_tool(task, base);
        self.surface(task, base);
        for (at, name) in task.must_pass.iter().enumerate() {
            let pointer = format!("{base}/must_pass/{at}");
            self.kind(name, &pointer);
            if kind(name).is_some() && !self.suite.wanted_kinds().any(|kind| kind.name == name) {
                self.value(&pointer, format!("the suite does not derive `{name}`, so it can never fail"));
            }
        }
        self.kind_settings(task, base);
        if task.wanted().is_none() {
            return self.without_tool(task, base);
        }
        self.tools(task, base);
        for (name, rule) in &task.arguments {
            self.rule(rule, &format!("{base}/arguments/{}", step(name)));
        }
        self.slugs(task.lookalikes.keys().map(ToolName::as_str), &format!("{base}/lookalikes"));
        self.slugs(task.missing_argument.keys().map(String::as_str), &format!("{base}/missing_argument"));
        for (name, words) in &task.missing_argument {
            self.missing(task, name, words, &format!("{base}/missing_argument/{}", step(name)));
        }
    }

    /// A task says which tool it wants: one that is there, one that never was, or none.
    fn named_tool(&mut self, task: &Task, base: &str) {
        let help = "write the tool's name, or `none` where nothing should be called";
        for (key, name) in [("tool", &task.tool), ("absent_tool", &task.absent_tool)] {
            if name.as_deref() == Some("") {
                self.push(&format!("{base}/{key}"), "the tool's name is empty", help);
            }
        }
        match (&task.tool, &task.absent_tool) {
            (None, None) => self.push(base, "the task names no tool: `tool` is missing", help),
            (Some(_), Some(_)) => {
                let message = "a task has `tool` or `absent_tool`, not both";
                self.key(&format!("{base}/absent_tool"), message);
            }
            _ => {}
        }
    }

    fn without_tool(&mut self, task: &Task, base: &str) {
        let none = if task.absent_tool.is_some() { "absent_tool" } else { "tool: none" };
        // What stands in for a tool that never existed is left out with it.
        let given = [
            ("arguments", task.arguments.is_empty()),
            ("missing_argument", task.missing_argument.is_empty()),
            ("substitutes", task.substitutes.is_empty() || task.absent_tool.is_some()),
            ("lookalikes", task.lookalikes.is_empty()),
        ];
        for (key, _) in given.iter().filter(|(_, is_empty)| !is_empty) {
            self.key(&format!("{base}/{key}"), format!("a task with `{none}` has no `{key}`"));
        }
    }

    fn tools(&mut self, task: &Task, base: &str) {
        let offered =
            |wanted: &str| task.offers.iter().all(|all| all.iter().any(|name| name.as_str() == wanted));
        if let Some(wanted) = task.wanted().filter(|wanted| !offered(wanted)) {
            let message = format!("`{wanted}`, which the task wants, is not among what it offers");
            let help = "a `decoy` leaves it out by itself; `absent_tool` is for tools that never existed";
            self.push(&format!("{base}/offers"), message, help);
        }
        for (key, names) in [("substitutes", &task.substitutes), ("read_only", &task.read_only)] {
            for (at, name) in names.iter().enumerate() {
                if Some(name.as_str()) == task.wanted() {
                    self.value(&format!("{base}/{key}/{at}"), format!("`{name}` is the wanted tool itself"));
                }
            }
        }
        for (at, name) in
            task.read_only.iter().enumerate().filter(|(_, name)| task.substitutes.contains(name))
        {
            let message = format!("`{name}` is a substitute too, and a decoy leaves those out");
            self.value(&format!("{base}/read_only/{at}"), message);
        }
        for name in task.lookalikes.keys() {
            let pointer = format!("{base}/lookalikes/{}", step(name.as_str()));
            if Some(name.as_str()) == task.wanted()
                || task.substitutes.contains(name)
                || task.read_only.contains(name)
            {
                self.key(&pointer, format!("`{name}` is a tool of this task, and cannot be its lookalike"));
            } else if slug(name.as_str()).is_empty() {
                self.key(&pointer, format!("`{name}` has no letter or digit that an id could be made of"));
            }
        }
    }

    pub(super) fn rule(&mut self, rule: &ArgumentRule, pointer: &str) {
        match rule {
            ArgumentRule::Pattern(pattern) => {
                if let Err(error) = Regex::new(pattern) {
                    let what = error.to_string();
                    let what = what.lines().last().unwrap_or_default().trim_start_matches("error: ");
                    self.value(&format!("{pointer}/pattern"), format!("no regular expression: {what}"));
                }
            }
            ArgumentRule::Principal(key) if !self.suite.principal.contains_key(key) => {
                let known: Vec<&str> = self.suite.principal.keys().map(String::as_str).collect();
                let message = format!("the suite's `principal` has no `{key}`");
                let place = self.places.value(&format!("{pointer}/principal"), message);
                self.mistakes.push(place.nearest(key, &known));
            }
            _ => {}
        }
    }

    /// The words without a value must not give it, and the argument must be one that the whole words give.
    fn missing(&mut self, task: &Task, name: &str, words: &str, pointer: &str) {
        if words.trim().is_empty() {
            self.value(pointer, "the user says nothing");
        }
        match task.arguments.get(name) {
            Some(ArgumentRule::Absent) => {
                self.key(
                    pointer,
                    format!("`{name}` is `absent` in `arguments`, so its value cannot be missing"),
                );
            }
            Some(ArgumentRule::Principal(_)) => {
                self.key(
                    pointer,
                    format!("`{name}` is the principal's, which the prompt gives whatever the words say"),
                );
            }
            Some(ArgumentRule::Equals(value)) => self.still_given(&as_text(value), words, pointer),
            Some(ArgumentRule::OneOf(values) | ArgumentRule::AbsentOr(values)) => {
                values.iter().for_each(|value| self.still_given(&as_text(value), words, pointer));
            }
            Some(ArgumentRule::Pattern(_)) | None => {}
        }
        if words.trim() == task.user.trim() {
            self.value(pointer, "these are the user's words unchanged");
        }
    }

    pub(super) fn still_given(&mut self, value: &str, words: &str, pointer: &str) {
        if stands_in(value, words) {
            self.value(pointer, format!("these words still give `{value}`"));
        }
    }

    /// Two names can become one slug; then two probes would share an id.
    fn slugs<'n>(&mut self, names: impl Iterator<Item = &'n str>, base: &str) {
        let mut seen: HashMap<String, &str> = HashMap::new();
        for name in names {
            if let Some(other) = seen.insert(slug(name), name) {
                let message = format!("`{name}` and `{other}` would give probes of one id");
                self.key(&format!("{base}/{}", step(name)), message);
            }
        }
    }
}
