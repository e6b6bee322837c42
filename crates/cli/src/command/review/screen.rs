//! One task on one screen.

use std::fmt::Write as _;
use std::path::Path;

use probes::{ArgumentRule, Task};
use report::visible_block;

/// What a person has to see to judge a task.
pub(super) fn task(task: &Task, (number, of): (usize, usize), suite: &Path) -> String {
    let mut out = format!("\n{number} of {of}   {}   {}\n\n", task.id, suite.display());
    let _ = writeln!(out, "  user     {}", indented(&task.user));
    let _ = writeln!(out, "  wants    {}", task.wanted().unwrap_or("no tool"));
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
    let _ = writeln!(
        out,
        "\n  Does it want one tool without doubt? Are all values in the words? Would somebody say it?\n"
    );
    visible_block(&out).into_owned()
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
