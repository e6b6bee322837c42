//! Whether a prompt tells the model what tasks expect it to know.

use crate::document::step;
use crate::error::all_clear;
use crate::prompt::as_text;
use crate::whole_words::stands_in;
use crate::{ArgumentRule, Places, Prompt, Suite, SuiteError, Task};

impl Suite {
    /// Checks that a prompt gives the values of the principal that tasks want: what a model is not told it
    /// could only make up (DESIGN.md 3.6).
    ///
    /// # Errors
    /// Each task whose value does not stand in the prompt's text.
    pub fn check_prompt(&self, prompt: Option<&Prompt>, places: &Places) -> Result<(), SuiteError> {
        let (label, text) = prompt.map_or(("", ""), |prompt| (&prompt.label, &prompt.text));
        let mut mistakes = Vec::new();
        for (at, task) in self.tasks.iter().enumerate() {
            for (pointer, rule) in rules(task, &format!("/tasks/{at}")) {
                let ArgumentRule::Principal(key) = rule else { continue };
                let Some(value) = self.principal.get(key) else { continue };
                if !stands_in(&as_text(value), text) {
                    let message = match prompt {
                        Some(_) => format!("prompt `{label}` does not give the principal's `{key}`"),
                        None => format!("without a prompt nothing gives the principal's `{key}`"),
                    };
                    let help = format!("put `{{{{principal.{key}}}}}` into the prompt");
                    mistakes.push(places.value(&pointer, message).help(help));
                }
            }
        }
        all_clear(mistakes)
    }
}

/// Every rule for an argument that a task has, with its place.
fn rules<'t>(task: &'t Task, base: &str) -> Vec<(String, &'t ArgumentRule)> {
    let place = |base: &str, name: &str| format!("{base}/arguments/{}", step(name));
    let own = task.arguments.iter().map(|(name, rule)| (place(base, name), rule));
    let steps = task.kinds.phantom.iter().flat_map(|told| &told.steps).enumerate();
    let later = steps.flat_map(|(at, step)| {
        let base = format!("{base}/kinds/phantom/steps/{at}");
        step.arguments.iter().map(move |(name, rule)| (place(&base, name), rule))
    });
    own.chain(later).collect()
}
