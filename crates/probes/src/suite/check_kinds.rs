//! What must hold in what a task tells single kinds, whatever the catalog.

use serde_json::Value;

use crate::document::step;
use crate::kind::{BROKEN_READS, RUNGS};
use crate::prompt::as_text;
use crate::suite::check::Check;
use crate::whole_words::stands_in;
use crate::{ArgumentRule, Canary, Phantom, Task, WrongValue};

/// Kinds that ask for a tool which never existed.
const OF_ABSENT_TOOLS: &[&str] = &["sibling_gap", "familiar_neighbour"];

impl<'a> Check<'a> {
    pub(super) fn kind_settings(&mut self, task: &'a Task, base: &str) {
        if task.kinds.is_empty() {
            return;
        }
        let base = format!("{base}/kinds");
        self.fits_task(task, &base);
        self.words(task, &base);
        if let Some(told) = &task.kinds.wrong_value {
            self.wrong_value(task, told, &format!("{base}/wrong_value"));
        }
        if let Some(told) = &task.kinds.removed_parameter
            && !task.arguments.contains_key(&told.argument)
        {
            let message = format!("the task's `arguments` have no `{}`", told.argument);
            self.value(&format!("{base}/removed_parameter/argument"), message);
        }
        if let Some(told) = &task.kinds.missing_argument {
            self.left_out(task, &told.of, &format!("{base}/missing_argument"));
        }
        if let Some(told) = &task.kinds.canary {
            self.canary(task, told, &format!("{base}/canary"));
        }
        if let Some(told) = &task.kinds.phantom {
            self.phantom(told, &format!("{base}/phantom"));
        }
        self.listed(task, &base);
    }

    /// Settings are for kinds that the task can have.
    fn fits_task(&mut self, task: &Task, base: &str) {
        let told = serde_json::to_value(&task.kinds).unwrap_or_default();
        for name in told.as_object().into_iter().flat_map(|told| told.keys()) {
            let pointer = format!("{base}/{name}");
            let of_absent = OF_ABSENT_TOOLS.contains(&name.as_str());
            if of_absent && task.absent_tool.is_none() {
                self.key(
                    &pointer,
                    format!("`{name}` asks for a tool that never existed: name it in `absent_tool`"),
                );
            } else if !of_absent && task.wanted().is_none() && name != "phantom" {
                self.key(&pointer, format!("a task without a tool yields no `{name}`"));
            }
        }
    }

    /// Whatever is put to the model says something.
    fn words(&mut self, task: &Task, base: &str) {
        let kinds = &task.kinds;
        let stale = kinds.stale_tool.as_ref();
        let texts = [
            ("principal/user", kinds.principal.as_ref().map(|told| &told.user)),
            ("wrong_value/user", kinds.wrong_value.as_ref().map(|told| &told.user)),
            ("stale_tool/again", stale.and_then(|told| told.again.as_ref())),
            ("stale_tool/back", stale.and_then(|told| told.back.as_ref())),
            ("withheld_tool/notice", kinds.withheld_tool.as_ref().map(|told| &told.notice)),
            ("required_call/plan", kinds.required_call.as_ref().map(|told| &told.plan)),
            ("resourceful/error", kinds.resourceful.as_ref().map(|told| &told.error)),
            ("transient_failure/error", kinds.transient_failure.as_ref().map(|told| &told.error)),
            ("permanent_failure/error", kinds.permanent_failure.as_ref().map(|told| &told.error)),
            ("canary/user", kinds.canary.as_ref().and_then(|told| told.user.as_ref())),
            ("phantom/user", kinds.phantom.as_ref().map(|told| &told.user)),
        ];
        for (at, text) in texts {
            if text.is_some_and(|text| text.trim().is_empty()) {
                self.value(&format!("{base}/{at}"), "this says nothing");
            }
        }
    }

    fn wrong_value(&mut self, task: &Task, told: &WrongValue, base: &str) {
        match task.arguments.get(&told.argument) {
            None => {
                let message = format!("the task's `arguments` have no `{}`", told.argument);
                self.value(&format!("{base}/argument"), message);
            }
            Some(ArgumentRule::Equals(value)) if *value == told.value => {
                self.value(&format!("{base}/value"), "this is the right value of the task");
            }
            Some(_) => {}
        }
        let value = as_text(&told.value);
        if !stands_in(&value, &told.user) {
            self.value(&format!("{base}/user"), format!("these words do not give `{value}`"));
        }
    }

    /// Words that leave something out give no value for it, and have no shorter version.
    fn left_out(&mut self, task: &Task, of: &[String], base: &str) {
        if of.is_empty() {
            self.value(&format!("{base}/of"), "this names no argument");
        }
        for (at, name) in of.iter().enumerate().filter(|(_, name)| task.arguments.contains_key(*name)) {
            let message = format!("`arguments` give `{name}`, which the words are said to leave out");
            self.value(&format!("{base}/of/{at}"), message);
        }
        if !task.missing_argument.is_empty() {
            self.key(
                base,
                "the task's words leave something out already, so they have no `missing_argument`",
            );
        }
    }

    /// The answer stands in the result and nowhere else: what the words give already proves nothing.
    fn canary(&mut self, task: &Task, told: &Canary, base: &str) {
        let pointer = format!("{base}/answer");
        self.rule(&told.answer, &pointer);
        let values: Vec<&Value> = match &told.answer {
            ArgumentRule::Equals(value) => vec![value],
            ArgumentRule::OneOf(values) => values.iter().collect(),
            ArgumentRule::Pattern(_) => return,
            ArgumentRule::Principal(_) | ArgumentRule::Absent | ArgumentRule::AbsentOr(_) => {
                return self.value(&pointer, "an answer is a value of `result`, `one_of` or a `pattern`");
            }
        };
        if !values.iter().any(|value| holds(&told.result, value)) {
            self.value(&pointer, "no value of `result` is this answer");
        }
        let words = told.user.as_ref().unwrap_or(&task.user);
        for value in values {
            self.still_given(&as_text(value), words, &pointer);
            if told.habit.as_ref() == Some(value) {
                self.value(&format!("{base}/habit"), "the habit answer is the one that follows the result");
            }
        }
        if told.habit.as_ref().is_some_and(|habit| holds(&told.result, habit)) {
            self.value(&format!("{base}/habit"), "the habit answer stands in `result`");
        }
    }

    fn phantom(&mut self, told: &Phantom, base: &str) {
        for (at, wanted) in told.steps.iter().enumerate() {
            for (name, rule) in &wanted.arguments {
                self.rule(rule, &format!("{base}/steps/{at}/arguments/{}", step(name)));
            }
        }
        let impossible = told.steps.iter().filter(|step| step.impossible).count();
        if impossible == told.steps.len() {
            self.value(&format!("{base}/steps"), "no step can be done");
        } else if impossible == 0 && told.steps.len() < LONG {
            let message = format!("no step is `impossible`, and there are fewer than {LONG}");
            self.value(&format!("{base}/steps"), message);
        }
    }

    /// Names and sizes that are chosen out of lists.
    fn listed(&mut self, task: &Task, base: &str) {
        let forms = task.kinds.broken_read.iter().filter_map(|told| told.forms.as_ref()).flatten();
        let known: Vec<&str> = BROKEN_READS.iter().map(|form| form.slug).collect();
        for (at, name) in forms.enumerate().filter(|(_, name)| !known.contains(&name.as_str())) {
            let help = match crate::nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the forms are {}", known.join(", ")),
            };
            let message = format!("no read is broken in the form `{name}`");
            self.push(&format!("{base}/broken_read/forms/{at}"), message, help);
        }
        let rungs = task.kinds.size_ladder.iter().flat_map(|told| &told.rungs);
        for (at, size) in rungs.enumerate().filter(|(_, size)| !RUNGS.contains(size)) {
            let message =
                format!("{size} is no rung; they are {}", RUNGS.map(|size| size.to_string()).join(", "));
            self.value(&format!("{base}/size_ladder/rungs/{at}"), message);
        }
    }
}

/// From so many steps on a request is long.
const LONG: usize = 4;

/// Whether a value stands somewhere in a result, as a value or as words of a text.
fn holds(result: &Value, value: &Value) -> bool {
    match result {
        Value::Array(items) => items.iter().any(|item| holds(item, value)),
        Value::Object(members) => members.values().any(|member| holds(member, value)),
        Value::String(text) if value.is_string() => stands_in(&as_text(value), text),
        Value::Number(number) => value.as_f64().is_some_and(|other| number.as_f64() == Some(other)),
        other => other == value,
    }
}
