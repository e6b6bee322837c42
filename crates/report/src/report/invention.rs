//! What was invented, grouped by name over all cells.

use indexmap::IndexMap;
use schemars::JsonSchema;
use scorer::{InventedName, NameForm, Scorecard, UnlistedNames};
use serde::{Deserialize, Serialize};
use transcript::{CellId, ProbeId, ToolName};

use super::Excerpt;

/// Characters of a name that the report carries.
const NAME_LIMIT: usize = 200;
/// Tools of a family that the report carries.
const FAMILY_LIMIT: usize = 12;

/// A name that was called and is in no catalog of its turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Invention {
    /// The name as emitted.
    pub name: Excerpt,
    /// Why it misses.
    pub name_form: NameForm,
    /// Scored trials that called it. A trial that called two such names stands under both.
    pub trials: u64,
    /// Calls.
    pub calls: u64,
    /// Trials by cell.
    pub by_cell: IndexMap<CellId, u64>,
    /// The offered name that is nearest.
    pub nearest_tool: Option<ToolName>,
    /// Tools of the same family that are offered.
    pub family: Vec<ToolName>,
    /// The tool that a lenient dispatcher would have run for it, most often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_run: Option<ToolName>,
    /// The tool that was wanted, most often.
    pub wanted: Option<ToolName>,
    /// One probe to look at.
    pub example: ProbeId,
}

/// One entry a name and form, most frequent first, by name among equals.
pub(super) fn merge(scorecards: &[Scorecard]) -> Vec<Invention> {
    let mut by_name: IndexMap<(&str, NameForm), (Invention, u64)> = IndexMap::new();
    for card in scorecards {
        for name in &card.invented {
            let key = (name.name.as_str(), name.name_form);
            let (entry, most) = by_name.entry(key).or_insert_with(|| (first(name), name.trials));
            entry.trials += name.trials;
            entry.calls += name.calls;
            *entry.by_cell.entry(card.cell.clone()).or_default() += name.trials;
            // The cell in which the name is most frequent gives what stands beside it.
            if name.trials > *most {
                *most = name.trials;
                let (trials, calls) = (entry.trials, entry.calls);
                let by_cell = std::mem::take(&mut entry.by_cell);
                *entry = Invention { trials, calls, by_cell, ..first(name) };
            }
        }
    }
    let mut all: Vec<Invention> = by_name.into_values().map(|(entry, _)| entry).collect();
    all.sort_by(|a, b| b.trials.cmp(&a.trials).then_with(|| a.name.text.cmp(&b.name.text)));
    all
}

/// What the scorecards had no room for.
pub(super) fn unlisted(scorecards: &[Scorecard]) -> UnlistedNames {
    let mut unlisted = UnlistedNames::default();
    for names in scorecards.iter().map(|card| card.unlisted_names) {
        unlisted.trials += names.trials;
        unlisted.calls += names.calls;
    }
    unlisted
}

fn first(name: &InventedName) -> Invention {
    Invention {
        name: Excerpt::of(&name.name, NAME_LIMIT),
        name_form: name.name_form,
        trials: 0,
        calls: 0,
        by_cell: IndexMap::new(),
        nearest_tool: name.nearest_tool.clone(),
        family: name.family.iter().take(FAMILY_LIMIT).cloned().collect(),
        would_run: name.would_run.clone(),
        wanted: name.wanted.clone(),
        example: name.example.clone(),
    }
}
