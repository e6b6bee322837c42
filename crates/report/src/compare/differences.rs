//! What differs between the two sides, in their own words: prompts line by line, catalogs tool by tool, targets
//! setting by setting.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};
use transcript::{CatalogRecord, Fingerprint, Header, PromptRecord, TargetRecord, Tool, ToolName};

use super::cells::{Matched, same_target};
use super::{
    CatalogChange, ComparedSide, DiffLine, Differences, FieldChange, PromptChange, TargetChange, ToolChange,
};
use crate::report::Excerpt;

/// Lines of a prompt's difference that are carried.
const LINES: usize = 200;
/// Characters of one line, and of one description.
const TEXT: usize = 600;

/// Everything that differs between cells that are compared.
pub(super) fn between(
    header: &Header,
    matched: &Matched<'_>,
    (before, after): (&ComparedSide, &ComparedSide),
) -> Differences {
    let mut prompts = IndexMap::new();
    let mut catalogs = IndexMap::new();
    let mut targets = IndexMap::new();
    for pair in &matched.pairs {
        let (baseline, candidate) = (pair.baseline, pair.candidate);
        if baseline.prompt != candidate.prompt {
            let key = (baseline.prompt.as_ref(), candidate.prompt.as_ref());
            prompts.entry(key).or_insert_with(|| prompt_change(header, key));
        }
        if baseline.catalog != candidate.catalog {
            let sides = header.catalogs.get(&baseline.catalog).zip(header.catalogs.get(&candidate.catalog));
            if let Some((before, after)) = sides {
                let key = (&baseline.catalog, &candidate.catalog);
                catalogs.entry(key).or_insert_with(|| catalog_change(before, after));
            }
        }
        let sides = header.targets.get(&baseline.target).zip(header.targets.get(&candidate.target));
        if let Some((before, after)) = sides.filter(|(before, after)| !same_target(before, after)) {
            let key = (&baseline.target, &candidate.target);
            targets.entry(key).or_insert_with(|| TargetChange {
                label: super::sides::unmarked(&candidate.target.0).to_owned(),
                fields: target_fields(before, after),
            });
        }
    }
    Differences {
        prompts: prompts.into_values().collect(),
        catalogs: catalogs.into_values().collect(),
        targets: targets.into_values().collect(),
        runs: run_fields(before, after),
    }
}

fn prompt_change(
    header: &Header,
    (baseline, candidate): (Option<&Fingerprint>, Option<&Fingerprint>),
) -> PromptChange {
    let record = |hash: Option<&Fingerprint>| hash.and_then(|hash| header.prompts.get(hash));
    let (before, after) = (record(baseline), record(candidate));
    let text = |prompt: Option<&PromptRecord>| prompt.map_or("", |prompt| &prompt.text).to_owned();
    let (old, new) = (text(before), text(after));
    let diff = TextDiff::from_lines(&old, &new);
    let mut lines = Vec::new();
    let mut more = 0;
    for change in diff.iter_all_changes() {
        let (added, at) = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Insert => (true, change.new_index()),
            ChangeTag::Delete => (false, change.old_index()),
        };
        if lines.len() == LINES {
            more += 1;
            continue;
        }
        let text = change.value().trim_end_matches(['\n', '\r']);
        let line = at.map_or(0, |at| at as u64 + 1);
        lines.push(DiffLine { added, line, text: Excerpt::of(text, TEXT) });
    }
    let named = after.or(before);
    PromptChange {
        label: named.map_or_else(String::new, |prompt| prompt.label.clone()),
        file: named.and_then(|prompt| prompt.file.clone()),
        baseline: baseline.cloned(),
        candidate: candidate.cloned(),
        lines,
        more,
    }
}

fn catalog_change(before: &CatalogRecord, after: &CatalogRecord) -> CatalogChange {
    let (old, new) = (by_name(before), by_name(after));
    let (added, kept): (Vec<&ToolName>, Vec<&ToolName>) =
        new.keys().copied().partition(|&name| !old.contains_key(name));
    let (removed, kept_before): (Vec<&ToolName>, Vec<&ToolName>) =
        old.keys().copied().partition(|&name| !new.contains_key(name));
    CatalogChange {
        label: after.label.clone(),
        added: added.into_iter().cloned().collect(),
        removed: removed.into_iter().cloned().collect(),
        changed: new.iter().filter_map(|(name, tool)| tool_change(old.get(name)?, tool)).collect(),
        reordered: kept_before != kept,
    }
}

fn by_name(catalog: &CatalogRecord) -> IndexMap<&ToolName, &Tool> {
    catalog.tools.iter().map(|tool| (&tool.name, tool)).collect()
}

fn tool_change(before: &Tool, after: &Tool) -> Option<ToolChange> {
    let (old, new) = (before.description_text(), after.description_text());
    let schema = before.input_schema != after.input_schema;
    if old == new && !schema {
        return None;
    }
    let (declared_before, declared_after) = (arguments(before), arguments(after));
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        these.iter().filter(|name| !those.contains(name)).cloned().collect()
    };
    Some(ToolChange {
        name: after.name.clone(),
        description: (old != new).then(|| (Excerpt::of(&old, TEXT), Excerpt::of(&new, TEXT))),
        arguments_added: only(&declared_after, &declared_before),
        arguments_removed: only(&declared_before, &declared_after),
        schema,
    })
}

/// The arguments that a schema declares at its top.
fn arguments(tool: &Tool) -> Vec<String> {
    let schema = tool.input_schema.as_ref().and_then(|raw| raw.to_value());
    let properties = schema.as_ref().and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}

fn target_fields(before: &TargetRecord, after: &TargetRecord) -> Vec<FieldChange> {
    let fields = |target: &TargetRecord| -> BTreeMap<String, String> {
        let mut fields = BTreeMap::from([
            ("model".to_owned(), target.model.clone()),
            ("provider".to_owned(), target.provider.clone()),
        ]);
        fields.extend(target.base_url.clone().map(|url| ("base_url".to_owned(), url)));
        fields.extend(target.settings.iter().map(|(key, value)| (key.clone(), value.as_str().to_owned())));
        fields.extend(target.headers.iter().map(|(key, value)| (format!("header {key}"), value.clone())));
        fields
    };
    let (old, new) = (fields(before), fields(after));
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .filter(|name| old.get(*name) != new.get(*name))
        .map(|name| FieldChange {
            name: name.clone(),
            baseline: old.get(name).cloned(),
            candidate: new.get(name).cloned(),
        })
        .collect()
}

fn run_fields(before: &ComparedSide, after: &ComparedSide) -> Vec<FieldChange> {
    let fields = [
        ("suite version", before.suite.version.to_string(), after.suite.version.to_string()),
        ("repeats", before.repeats.to_string(), after.repeats.to_string()),
        ("most turns", before.max_turns.to_string(), after.max_turns.to_string()),
    ];
    fields
        .into_iter()
        .filter(|(_, old, new)| old != new)
        .map(|(name, old, new)| FieldChange {
            name: name.to_owned(),
            baseline: Some(old),
            candidate: Some(new),
        })
        .collect()
}
