//! Suites as YAML that people go on writing in. Everything that could be read as something else stands in quotation
//! marks: what is written reads back equal, whatever names and schemas hold.

use std::fmt::Write as _;

use probes::{ArgumentRule, TaskKinds, yaml_flow as flow, yaml_scalar as scalar};
use serde_json::Value;

use crate::suite::DraftedSuite;
use crate::task::{DraftSource, DraftedTask};

/// Settings that are longer than this stand on lines of their own.
const LONG_SETTING: usize = 80;

/// The longest line of a list before it is broken into one entry a line.
const LINE: usize = 100;

/// A suite file. `head` are lines of comment that stand before everything.
#[must_use]
pub fn suite_yaml(suite: &DraftedSuite, head: &[&str]) -> String {
    let mut out = String::new();
    for line in head {
        let _ = writeln!(out, "{}", format!("# {line}").trim_end());
    }
    let _ =
        writeln!(out, "toolmirage: suite/1\nname: {}\nversion: 1\nseed: {}", scalar(&suite.name), suite.seed);
    let _ = writeln!(out, "catalog: {}", scalar(&suite.catalog));
    if !suite.prompts.is_empty() {
        let _ = writeln!(out, "prompts: [{}]", scalars(&suite.prompts));
    }
    if !suite.principal.is_empty() {
        let values = suite.principal.iter().map(|(key, value)| format!("{}: {}", scalar(key), scalar(value)));
        let values = values.collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "principal: {{ {values} }}   # whose requests they are; the prompt says it");
    }
    list_at(&mut out, "", "kinds", &suite.kinds);
    out.push_str("\ntasks:\n");
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
    let worded = if task.is_reworded { "   # worded by a model" } else { "" };
    let _ = writeln!(out, "  - id: {}\n    user: {}{worded}", scalar(&task.id), scalar(&task.user));
    let _ = match (&task.absent_tool, &task.tool) {
        (Some(absent), _) => writeln!(out, "    absent_tool: {}", scalar(absent)),
        (None, Some(tool)) => writeln!(out, "    tool: {}", scalar(tool)),
        (None, None) => writeln!(out, "    tool: none"),
    };
    if !task.arguments.is_empty() {
        out.push_str("    arguments:\n");
        for (name, rule) in &task.arguments {
            let _ = writeln!(out, "      {}: {}", scalar(name), rule_yaml(rule));
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
    kinds(&mut out, &task.kinds);
    let _ = writeln!(out, "    answerable_without_tool: {}", task.answerable_without_tool);
    let source = match &task.source {
        DraftSource::Schema => "{ schema: true }".to_owned(),
        DraftSource::Written => "{ written: true }".to_owned(),
        DraftSource::Traces { name, redacted } => {
            let comment = if *redacted { "" } else { "   # a capitalised word may be a name: read it" };
            format!("{{ traces: {}, redacted: {redacted} }}{comment}", scalar(name))
        }
    };
    let _ = writeln!(out, "    source: {source}\n    draft: true");
    out
}

/// What single kinds are told, each member on a line of its own.
fn kinds(out: &mut String, kinds: &TaskKinds) {
    let told = serde_json::to_value(kinds).unwrap_or_default();
    let Some(told) = told.as_object().filter(|told| !told.is_empty()) else { return };
    out.push_str("    kinds:\n");
    for (name, settings) in told {
        let members = settings.as_object();
        match members.filter(|members| members.len() > 1 || settings.to_string().len() > LONG_SETTING) {
            None => _ = writeln!(out, "      {name}: {}", flow(settings)),
            Some(members) => {
                let _ = writeln!(out, "      {name}:");
                for (key, value) in members {
                    member(out, key, value);
                }
            }
        }
    }
}

/// One member of a kind's settings; the things of a list stand below one another.
fn member(out: &mut String, key: &str, value: &Value) {
    match value.as_array().filter(|items| items.iter().any(Value::is_object)) {
        None => _ = writeln!(out, "        {}: {}", scalar(key), flow(value)),
        Some(items) => {
            let _ = writeln!(out, "        {}:", scalar(key));
            for item in items {
                let _ = writeln!(out, "          - {}", flow(item));
            }
        }
    }
}

fn list(out: &mut String, key: &str, items: &[String]) {
    list_at(out, "    ", key, items);
}

fn list_at(out: &mut String, indent: &str, key: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let line = format!("{indent}{key}: [{}]", scalars(items));
    if line.chars().count() <= LINE {
        let _ = writeln!(out, "{line}");
        return;
    }
    let _ = writeln!(out, "{indent}{key}:");
    for item in items {
        let _ = writeln!(out, "{indent}  - {}", scalar(item));
    }
}

fn scalars(items: &[String]) -> String {
    items.iter().map(|item| scalar(item)).collect::<Vec<_>>().join(", ")
}

/// What an argument must be, as suites write it.
fn rule_yaml(rule: &ArgumentRule) -> String {
    match rule {
        ArgumentRule::Absent => "absent".to_owned(),
        ArgumentRule::Equals(value) if value == "absent" => format!("{{ equals: {} }}", flow(value)),
        rule => serde_json::to_value(rule).map_or_else(|_| "absent".to_owned(), |rule| flow(&rule)),
    }
}
