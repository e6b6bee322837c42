//! Values that a task expects and that nobody gave to the model.

mod grounded;

use probes::{ArgumentRule, Task};
use serde_json::Value;

use crate::Severity;
use crate::argument::step;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::view::SuiteView;

use grounded::Given;

pub(super) const RULE: Rule = Rule {
    name: "ungrounded_value",
    severity: Severity::Warning,
    summary: "A task expects a value that neither the user's words nor the prompt gives.",
    page: include_str!("ungrounded_value.md"),
    checks: &[Check::Suite(check)],
};

fn check(suite: &SuiteView<'_>, findings: &mut Findings<'_>) {
    for (task, pointer) in suite.tasks() {
        let given = Given::of(&task.user, &suite.subject.prompts);
        for (name, rule) in &task.arguments {
            if is_settled_by_schema(suite, task, name) {
                continue;
            }
            let values: Vec<&Value> = match rule {
                ArgumentRule::Equals(value) => vec![value],
                ArgumentRule::OneOf(values) => values.iter().collect(),
                // The schema's own default may stand among them: the words need not give it.
                ArgumentRule::AbsentOr(_) => continue,
                ArgumentRule::Pattern(_) | ArgumentRule::Principal(_) | ArgumentRule::Absent => continue,
            };
            if values.iter().any(|value| given.supports(value)) {
                continue;
            }
            let shown = values.first().map(ToString::to_string).unwrap_or_default();
            let message =
                format!("task `{}` expects `{name}` to be {shown}, which its words do not say", task.id);
            let help =
                "say it in `user`, take it from `principal`, or leave the argument out of the expectation";
            let place = suite.at(&format!("{pointer}/arguments/{}", step(name)), message).help(help);
            findings.push(&[task.tool_word()], place);
        }
    }
}

/// Whether the schema lists what the value can be: which member is meant follows from the words, not by letters.
fn is_settled_by_schema(suite: &SuiteView<'_>, task: &Task, name: &str) -> bool {
    let own = name.strip_prefix('/').map_or(name, |path| path.split('/').next().unwrap_or_default());
    let tool = task.wanted().and_then(|wanted| suite.tool(wanted));
    let argument = tool.and_then(|tool| tool.arguments.iter().find(|argument| argument.name == own));
    argument.is_some_and(|argument| {
        let items = argument.schema.get("items");
        argument.has(&["enum", "const"]) || items.is_some_and(|items| items.get("enum").is_some())
    })
}
