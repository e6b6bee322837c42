//! Suites as YAML that people go on writing in. Everything that could be read as something else stands in quotation
//! marks: what is written reads back equal, whatever names and schemas hold.

use std::fmt::Write as _;

use serde_json::Value;

use crate::suite::DraftedSuite;
use crate::task::{DraftSource, DraftedTask};

/// The longest line of a list before it is broken into one entry a line.
const LINE: usize = 100;

/// A suite file. `head` are lines of comment that stand before everything.
#[must_use]
pub fn suite_yaml(suite: &DraftedSuite, head: &[&str]) -> String {
    let mut out = String::new();
    for line in head {
        let _ = writeln!(out, "# {line}");
    }
    let _ =
        writeln!(out, "toolmirage: suite/1\nname: {}\nversion: 1\nseed: {}", scalar(&suite.name), suite.seed);
    let _ = writeln!(out, "catalog: {}", scalar(&suite.catalog));
    if !suite.prompts.is_empty() {
        let _ = writeln!(out, "prompts: [{}]", scalars(&suite.prompts));
    }
    let _ = writeln!(out, "kinds: [{}]\n\ntasks:", scalars(&suite.kinds));
    for (at, task) in suite.tasks.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(&task_yaml(task));
    }
    out
}

/// One entry of a suite's `tasks`.
#[must_use]
pub fn task_yaml(task: &DraftedTask) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "  - id: {}\n    user: {}", scalar(&task.id), scalar(&task.user));
    let _ = writeln!(out, "    tool: {}", task.tool.as_deref().map_or_else(|| "none".to_owned(), scalar));
    if !task.arguments.is_empty() {
        out.push_str("    arguments:\n");
        for (name, rule) in &task.arguments {
            let _ = writeln!(
                out,
                "      {}: {}",
                scalar(name),
                rule.as_ref().map_or_else(|| "absent".to_owned(), equals)
            );
        }
    }
    list(&mut out, "substitutes", &task.substitutes);
    list(&mut out, "read_only", &task.read_only);
    if !task.missing_argument.is_empty() {
        out.push_str("    missing_argument:\n");
        for (name, words) in &task.missing_argument {
            let _ = writeln!(out, "      {}: {}", scalar(name), scalar(words));
        }
    }
    let _ = writeln!(out, "    answerable_without_tool: {}", task.answerable_without_tool);
    let source = match &task.source {
        DraftSource::Schema => "{ schema: true }".to_owned(),
        DraftSource::Written => "{ written: true }".to_owned(),
        DraftSource::Traces(name) => format!("{{ traces: {}, redacted: true }}", scalar(name)),
    };
    let _ = writeln!(out, "    source: {source}\n    draft: true");
    out
}

fn list(out: &mut String, key: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let line = format!("    {key}: [{}]", scalars(items));
    if line.chars().count() <= LINE {
        let _ = writeln!(out, "{line}");
        return;
    }
    let _ = writeln!(out, "    {key}:");
    for item in items {
        let _ = writeln!(out, "      - {}", scalar(item));
    }
}

fn scalars(items: &[String]) -> String {
    items.iter().map(|item| scalar(item)).collect::<Vec<_>>().join(", ")
}

/// What an argument must equal. A map, and the word `absent`, would be read as rules.
fn equals(value: &Value) -> String {
    match value {
        Value::Object(_) => format!("{{ equals: {} }}", flow(value)),
        Value::String(text) if text == "absent" => format!("{{ equals: {} }}", scalar(text)),
        value => flow(value),
    }
}

/// A value on one line. JSON is YAML, once what YAML forbids unescaped is escaped.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{}: {}", scalar(name), flow(value));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A text: plain where it can only be read as that text, else in quotation marks.
#[must_use]
pub fn scalar(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./ ".contains(c))
        && !text.ends_with([' ', '-', '.'])
        && !text.contains(" -")
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n", "none", "absent", "nan", "inf"]
            .contains(&text.to_ascii_lowercase().as_str());
    if is_plain {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || ('\u{2028}'..='\u{2029}').contains(&c) || c == '\u{feff}' => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
