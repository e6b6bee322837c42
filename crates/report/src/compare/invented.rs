//! Names that are in no catalog, on both sides.

use indexmap::IndexMap;
use scorer::{InventedName, NameForm, Scorecard};

use super::InventedChange;
use crate::report::Excerpt;

/// Characters of a name.
const NAME_LIMIT: usize = 200;
/// Tools of a family.
const FAMILY_LIMIT: usize = 12;
/// Names that are carried.
const NAMES: usize = 200;

/// One entry a name and form: those that grew most first, then by how often the candidate called them, then by
/// name.
pub(super) fn merged(baseline: &Scorecard, candidate: &Scorecard) -> Vec<InventedChange> {
    let mut by_name: IndexMap<(&str, NameForm), InventedChange> = IndexMap::new();
    for name in &candidate.invented {
        entry(&mut by_name, name).candidate += name.trials;
    }
    for name in &baseline.invented {
        entry(&mut by_name, name).baseline += name.trials;
    }
    let mut all: Vec<InventedChange> = by_name.into_values().collect();
    let grown = |name: &InventedChange| i128::from(name.candidate) - i128::from(name.baseline);
    all.sort_by(|a, b| {
        grown(b)
            .cmp(&grown(a))
            .then_with(|| b.candidate.cmp(&a.candidate))
            .then_with(|| a.name.text.cmp(&b.name.text))
    });
    all.truncate(NAMES);
    all
}

fn entry<'a, 'b>(
    by_name: &'b mut IndexMap<(&'a str, NameForm), InventedChange>,
    name: &'a InventedName,
) -> &'b mut InventedChange {
    by_name.entry((name.name.as_str(), name.name_form)).or_insert_with(|| InventedChange {
        name: Excerpt::of(&name.name, NAME_LIMIT),
        name_form: name.name_form,
        baseline: 0,
        candidate: 0,
        nearest_tool: name.nearest_tool.clone(),
        would_run: name.would_run.clone(),
        family: name.family.iter().take(FAMILY_LIMIT).cloned().collect(),
        example: name.example.clone(),
    })
}
