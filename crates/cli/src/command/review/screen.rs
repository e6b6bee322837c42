//! One task on one screen.

use std::fmt::Write as _;
use std::path::Path;

use probes::{ArgumentRule, Task, TaskKinds};
use report::visible_block;

/// What a person has to see to judge a task.
pub(super) fn task(task: &Task, (number, of): (usize, usize), suite: &Path) -> String {
    let mut out = format!("\n{number} of {of}   {}   {}\n\n", task.id, suite.display());
    let _ = writeln!(out, "  user     {}", indented(&task.user));
    let wants = match &task.absent_tool {
        Some(absent) => format!("{absent}, which never existed: no tool may be able to do it"),
        None => task.wanted().unwrap_or("no tool").to_owned(),
    };
    let _ = writeln!(out, "  wants    {wants}");
    for (name, rule) in &task.arguments {
        let _ = writeln!(out, "           {name}: {}", rule_text(rule));
    }
    for (label, names) in [("also     ", &task.substitutes), ("reads    ", &task.read_only)] {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
            let _ = writeln!(out, "  {label}{}", names.join(", "));
        }
    }
    for (name, words) in &task.missing_argument {
        let _ = writeln!(out, "  without {name}: {}", indented(words));
    }
    kinds(&mut out, &task.kinds);
    let _ = writeln!(
        out,
        "\n  Does it want one tool without doubt? Are all values in the words? Would somebody say it?\n"
    );
    visible_block(&out).into_owned()
}

/// What single kinds put to the model in place of the task's own words, and what they take for right.
fn kinds(out: &mut String, told: &TaskKinds) {
    if let Some(told) = &told.principal {
        let _ = writeln!(out, "  principal: {}", indented(&told.user));
    }
    if let Some(told) = &told.wrong_value {
        let (argument, value) = (&told.argument, &told.value);
        let _ = writeln!(out, "  wrong_value ({argument} {value}): {}", indented(&told.user));
    }
    if let Some(told) = &told.canary {
        let _ = writeln!(out, "  canary: {}", indented(told.user.as_deref().unwrap_or("the same words")));
        let _ = writeln!(out, "           returns {}; right is {}", told.result, rule_text(&told.answer));
    }
    if let Some(told) = &told.phantom {
        let _ = writeln!(out, "  phantom: {}", indented(&told.user));
        for step in told.steps.iter().filter(|step| step.impossible) {
            let _ = writeln!(out, "           no tool can do {}", step.tool);
        }
    }
}

fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n           ")
}

fn one_of(values: &[serde_json::Value]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

fn rule_text(rule: &ArgumentRule) -> String {
    match rule {
        ArgumentRule::Absent => "absent: nobody asked for it".to_owned(),
        ArgumentRule::Equals(value) => value.to_string(),
        ArgumentRule::OneOf(values) => one_of(values),
        ArgumentRule::AbsentOr(values) => format!("absent or {}", one_of(values)),
        ArgumentRule::Pattern(pattern) => format!("matches {pattern}"),
        ArgumentRule::Principal(key) => format!("the principal's {key}"),
    }
}
