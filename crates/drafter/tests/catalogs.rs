//! What is drafted over catalogs: every tool has a task, every value fits its schema and stands in the words, and the
//! text reads back. The shipped catalogs, and those that lie beside the workspace (`../shared/real/catalogs`).

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::format_push_string,
    reason = "a test says so by failing, or that it was skipped, and is told to write what is expected"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drafter::{Caller, DraftedSuite, DraftedTask, draft_tasks, suite_yaml};
use probes::{ArgumentRule, Catalog, KINDS, Suite, derive_questions, expand};
use serde_json::{Map, Value};

fn catalogs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = root.join("../shared/real/catalogs");
    let beside = if beside.is_dir() { beside } else { root.join("../../shared/real/catalogs") };
    if !beside.is_dir() {
        eprintln!("skipped: no catalogs beside the workspace");
    }
    let files =
        |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_catalog =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml" || ending == "json");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/catalogs");
    let all = files(root.join("catalogs")).chain(files(beside)).chain(files(own));
    let mut found: Vec<PathBuf> = all.filter(is_catalog).collect();
    found.sort();
    found
}

fn suite(catalog: &Catalog, seed: u64) -> DraftedSuite {
    DraftedSuite {
        name: "drafted".into(),
        seed,
        catalog: "c".into(),
        prompts: Vec::new(),
        principal: Caller::of(catalog, seed).values().clone(),
        kinds: KINDS.iter().map(|kind| kind.name.to_owned()).collect(),
        tasks: draft_tasks(catalog, seed, &Caller::of(catalog, seed)),
    }
}

#[test]
fn every_tool_is_covered_and_everything_reads_back() {
    let mut faults = Vec::new();
    for path in catalogs() {
        let catalog = Catalog::load(&path).unwrap();
        for seed in [20_270_114] {
            let drafted = suite(&catalog, seed);
            let text = suite_yaml(&drafted, &["a comment"]);
            let (read, places) =
                Suite::from_text(Path::new("drafted.yaml"), &text).unwrap_or_else(|e| panic!("{e}"));
            let gone =
                read.check_catalog(&catalog, &places).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert!(gone.is_empty());
            let offered: BTreeSet<&str> = catalog.tools().iter().map(|tool| tool.name.as_str()).collect();
            let wanted: BTreeSet<&str> =
                drafted.tasks.iter().filter_map(|task| task.tool.as_deref()).collect();
            assert_eq!(wanted, offered, "every tool has a task: {}", path.display());
            for (task, back) in drafted.tasks.iter().zip(&read.tasks) {
                assert_eq!(task.user, back.user);
                assert_eq!(task.arguments, back.arguments);
                assert_eq!(task.missing_argument, back.missing_argument);
                assert_eq!(task.kinds, *back.kinds);
            }
            let catalog = Arc::new(catalog.clone());
            let expansion = expand(&derive_questions(&read), &catalog, None);
            // A near name may be a tool's, and a deprecated tool is asked for by nobody.
            let is_fault = |(id, why): &&(_, String)| {
                !format!("{id:?}").contains(".lookalike.") && !why.ends_with("is deprecated")
            };
            let stale: Vec<_> = expansion.stale.iter().filter(is_fault).collect();
            faults.extend(stale.iter().map(|(id, why)| format!("{}: {id:?}: {why}", path.display())));
            assert_eq!(
                text,
                suite_yaml(&suite(&catalog, seed), &["a comment"]),
                "the same seed, the same bytes"
            );
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The words of the catalogs in `tests/catalogs`, a line a tool, beside them, and under each what else a right answer
/// may do: what changes in them is read before it is kept (`TOOLMIRAGE_UPDATE=1` writes them).
#[test]
fn the_words_of_our_own_catalogs_are_as_they_were_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/catalogs");
    for name in ["calendar", "forge", "harbour", "viewer", "warehouse"] {
        let catalog = Catalog::load(&folder.join(format!("{name}.mcp.json"))).unwrap();
        let tasks = draft_tasks(&catalog, 20_270_114, &Caller::of(&catalog, 20_270_114));
        let mut words = String::new();
        for task in tasks.iter().filter(|task| task.tool.is_some() || task.absent_tool.is_some()) {
            let absent = task.absent_tool.as_deref().map(|tool| format!("{tool}, absent"));
            let tool = task.tool.clone().or(absent).unwrap_or_default();
            words.push_str(&format!("{tool}: {}\n", task.user));
            words.push_str(&beside(task));
        }
        let file = folder.join(format!("{name}.drafts.txt"));
        if std::env::var_os("TOOLMIRAGE_UPDATE").is_some() {
            std::fs::write(&file, &words).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), words, "{}", file.display());
    }
}

/// What a task allows beside the call that its words ask for, a line each.
fn beside(task: &DraftedTask) -> String {
    let mut text = String::new();
    if let Some(question) = task.kinds.canary.as_ref().and_then(|canary| canary.user.as_ref()) {
        text.push_str(&format!("  canary: {}\n", question.rsplit('\n').next().unwrap_or_default()));
    }
    for (name, rule) in &task.arguments {
        if let ArgumentRule::AbsentOr(values) = rule {
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            text.push_str(&format!("  may give {name}: {}\n", values.join(", ")));
        }
    }
    let lists = [
        ("asks for", task.missing_argument.keys().map(String::as_str).collect::<Vec<_>>()),
        ("done by", task.substitutes.iter().map(String::as_str).collect()),
        ("may read", task.read_only.iter().map(String::as_str).collect()),
    ];
    for (what, names) in lists.iter().filter(|(_, names)| !names.is_empty()) {
        text.push_str(&format!("  {what}: {}\n", names.join(", ")));
    }
    text
}

#[test]
fn every_value_fits_its_schema_and_stands_in_the_words() {
    let mut wrong = Vec::new();
    for path in catalogs() {
        let catalog = Catalog::load(&path).unwrap();
        for seed in [7, 20_270_114] {
            for task in draft_tasks(&catalog, seed, &Caller::default()) {
                let Some(tool) = task.tool.as_deref().and_then(|name| catalog.get(name)) else { continue };
                wrong.extend(
                    ungrounded(&task)
                        .map(|value| format!("{}: `{value}` is not in: {}", tool.name, task.user)),
                );
                let Some(schema) = tool.input_schema.as_ref().and_then(transcript::RawJson::to_value) else {
                    continue;
                };
                let schema = without_open(schema, &task);
                let mut given = Value::Object(Map::new());
                for (name, rule) in &task.arguments {
                    if let ArgumentRule::Equals(value) = rule {
                        put(&mut given, name, value);
                    }
                }
                let validator = jsonschema::options().build(&schema).unwrap();
                wrong.extend(validator.iter_errors(&given).map(|error| format!("{}: {error}", tool.name)));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong, such as\n{}",
        wrong.len(),
        wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n")
    );
}

/// The schema without the need of what the task gives in plain words: its form is nobody's to say.
fn without_open(mut schema: Value, task: &DraftedTask) -> Value {
    let is_given =
        |name: &str| task.arguments.keys().any(|own| own == name || own.starts_with(&format!("/{name}/")));
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name.as_str().is_some_and(is_given));
    }
    schema
}

/// Puts a value at an argument's name or at the JSON pointer that an expectation has for a part of it.
fn put(arguments: &mut Value, name: &str, value: &Value) {
    let Some(path) = name.strip_prefix('/') else {
        arguments[name] = value.clone();
        return;
    };
    let mut place = arguments;
    for step in path.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")) {
        place = match step.parse::<usize>() {
            Ok(at) => {
                if place.is_null() {
                    *place = Value::Array(Vec::new());
                }
                let items = place.as_array_mut().unwrap();
                items.resize(items.len().max(at + 1), Value::Null);
                &mut items[at]
            }
            Err(_) => &mut place[step],
        };
    }
    *place = value.clone();
}

/// Values of the expectation that the words do not hold. What is true or false is said by a sentence of its own.
fn ungrounded(task: &DraftedTask) -> impl Iterator<Item = String> {
    fn scalars(value: &Value) -> Vec<String> {
        match value {
            Value::String(text) => vec![text.clone()],
            Value::Number(number) => vec![number.to_string()],
            Value::Array(items) => items.iter().flat_map(scalars).collect(),
            Value::Object(members) => members.values().flat_map(scalars).collect(),
            _ => Vec::new(),
        }
    }
    let words = task.user.to_lowercase();
    let in_words = move |value: &String| {
        let written = Value::String(value.clone()).to_string();
        words.contains(&value.to_lowercase())
            || words.contains(written.trim_matches('"').to_lowercase().as_str())
    };
    let values = task.arguments.values().filter_map(|rule| match rule {
        ArgumentRule::Equals(value) => Some(value),
        _ => None,
    });
    values.flat_map(scalars).filter(move |value| !in_words(value))
}
