//! What differs between the sides, as the first screen shows it: the first lines, and the rest behind a fold.

use serde::Serialize;

use crate::compare::{
    CatalogChange, Comparison, Differences, FieldChange, PromptChange, TargetChange, ToolChange,
};
use crate::number::counted;
use crate::report::Excerpt;
use crate::table::differing::{Differing, differing};
use crate::text_safe::{cropped, cropped_name};

/// Lines of a prompt that stand on the first screen.
const LINES: usize = 8;
/// Names of tools that stand on the first screen.
const NAMES: usize = 12;
/// Changed tools that stand on the first screen.
const TOOLS: usize = 4;
/// Characters of a value of a setting.
const VALUE: usize = 200;

#[derive(Serialize)]
pub(super) struct Differs {
    nothing: bool,
    prompts: Vec<Prompt>,
    catalogs: Vec<Catalog>,
    fields: Vec<Fields>,
}

#[derive(Serialize)]
struct Prompt {
    name: String,
    summary: String,
    lines: Vec<Line>,
    folded: Vec<Line>,
    fold: String,
    /// What the report does not carry.
    more: Option<String>,
}

#[derive(Clone, Serialize)]
struct Line {
    added: bool,
    number: u64,
    text: Excerpt,
}

#[derive(Serialize)]
struct Catalog {
    label: String,
    /// Names behind a word: added, removed.
    names: Vec<(&'static str, Vec<String>, usize)>,
    changed: Vec<Tool>,
    folded: Vec<Tool>,
    fold: String,
    reordered: bool,
}

#[derive(Serialize)]
struct Tool {
    name: String,
    what: String,
    description: Option<(Excerpt, Excerpt)>,
}

#[derive(Serialize)]
struct Fields {
    label: String,
    fields: Vec<Field>,
}

#[derive(Serialize)]
struct Field {
    name: String,
    before: Option<String>,
    after: Option<String>,
}

pub(super) fn differs(comparison: &Comparison) -> Differs {
    let Differences { prompts, catalogs, targets, runs } = &comparison.differences;
    let told = differing(comparison);
    let mut fields: Vec<Fields> = targets.iter().map(target).collect();
    if !runs.is_empty() {
        fields.push(Fields { label: "Runs".to_owned(), fields: runs.iter().map(field).collect() });
    }
    Differs {
        nothing: prompts.is_empty() && catalogs.is_empty() && fields.is_empty(),
        // Prompts are what is told of first.
        prompts: prompts.iter().zip(&told).map(|(change, told)| prompt(change, told)).collect(),
        catalogs: catalogs.iter().map(catalog).collect(),
        fields,
    }
}

fn prompt(change: &PromptChange, told: &Differing<'_>) -> Prompt {
    let mut lines: Vec<Line> = change
        .lines
        .iter()
        .filter(|line| !line.text.text.trim().is_empty())
        .map(|line| Line { added: line.added, number: line.line, text: line.text.clone() })
        .collect();
    let summary = match (&change.baseline, &change.candidate) {
        (None, _) => "there was none before".to_owned(),
        (_, None) => "there is none any more".to_owned(),
        _ => told.summary.clone(),
    };
    let folded = lines.split_off(lines.len().min(LINES));
    Prompt {
        name: cropped(told.name.unwrap_or(&change.label), 80),
        summary,
        fold: counted(folded.len() as u64, "more line"),
        lines,
        folded,
        more: (change.more > 0).then(|| format!("{} are not listed", counted(change.more, "further line"))),
    }
}

fn catalog(change: &CatalogChange) -> Catalog {
    let names = |word: &'static str, tools: &[transcript::ToolName]| {
        let shown = tools.iter().take(NAMES).map(|tool| cropped_name(tool.as_str(), 80)).collect();
        (!tools.is_empty()).then(|| (word, shown, tools.len().saturating_sub(NAMES)))
    };
    let mut changed: Vec<Tool> = change.changed.iter().map(tool).collect();
    let folded = changed.split_off(changed.len().min(TOOLS));
    Catalog {
        label: cropped(&change.label, 60),
        names: [names("added", &change.added), names("removed", &change.removed)]
            .into_iter()
            .flatten()
            .collect(),
        fold: counted(folded.len() as u64, "more changed tool"),
        changed,
        folded,
        reordered: change.reordered,
    }
}

fn tool(change: &ToolChange) -> Tool {
    let list = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| cropped_name(name, 60)).collect();
        names.join(", ")
    };
    let mut what = Vec::new();
    if !change.arguments_added.is_empty() {
        what.push(format!("arguments added: {}", list(&change.arguments_added)));
    }
    if !change.arguments_removed.is_empty() {
        what.push(format!("arguments removed: {}", list(&change.arguments_removed)));
    }
    if change.schema && what.is_empty() {
        what.push("schema".to_owned());
    }
    if change.description.is_some() {
        what.push("description".to_owned());
    }
    Tool {
        name: cropped_name(change.name.as_str(), 80),
        what: what.join("; "),
        // Where it is not shared there is none to show.
        description: change
            .description
            .clone()
            .filter(|(old, new)| !old.text.is_empty() || !new.text.is_empty()),
    }
}

fn target(change: &TargetChange) -> Fields {
    Fields {
        label: format!("Target {}", cropped(&change.label, 60)),
        fields: change.fields.iter().map(field).collect(),
    }
}

fn field(change: &FieldChange) -> Field {
    let value = |value: &Option<String>| value.as_deref().map(|value| cropped(value, VALUE));
    Field {
        name: cropped(&change.name, 60),
        before: value(&change.baseline),
        after: value(&change.candidate),
    }
}
