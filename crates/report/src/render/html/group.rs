//! Failing trials, grouped so that what belongs together stands together.

use std::collections::HashMap;

use indexmap::IndexMap;
use scorer::Class;
use serde::Serialize;
use transcript::{CellId, ProbeId};

use super::filter::{self, CELL, CHANGE, KIND, OUTCOME, RATE, TOOL, Values};
use super::overview::probe_class;
use crate::compare::Comparison;
use crate::report::{Report, ShownTrial};
use crate::text_safe::{cropped, cropped_name};

/// Failing trials of one cell and kind.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    anchor: String,
    cell: Option<String>,
    kind: String,
    total: u64,
    #[serde(skip)]
    pub(super) entries: Vec<Entry>,
}

/// One failing trial by its place in the report.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) at: usize,
    pub(super) values: Values,
}

/// The label of a failing trial's system prompt.
pub(super) fn prompt_label<'a>(report: &'a Report, trial: &ShownTrial) -> Option<&'a str> {
    let prompt = report.identity.prompts.get(trial.prompt.as_ref()?)?;
    Some(&prompt.label)
}

/// The name of the first call that is at fault, so that a list of trials can be read without opening each.
pub(super) fn culprit(trial: &ShownTrial) -> Option<String> {
    let call = trial.turns.iter().flat_map(|turn| &turn.calls).find(|call| call.class != Some(Class::Ok))?;
    (!call.name.text.is_empty()).then(|| cropped_name(&call.name.text, 48))
}

/// The first `limit` failing trials by cell and kind, in the order in which cells and kinds appear.
pub(super) fn groups(report: &Report, limit: usize) -> Vec<Group> {
    let directions = report.comparison.as_ref().map(directions);
    let mut groups: IndexMap<(&str, String), Group> = IndexMap::new();
    for (at, trial) in report.failing.iter().take(limit).enumerate() {
        let kind = filter::kind(&trial.kind, trial.arm.as_deref());
        let number = groups.len();
        let group = groups.entry((&trial.cell.0, kind.clone())).or_insert_with(|| Group {
            anchor: format!("g{number}"),
            cell: (report.cells.len() > 1).then(|| cropped(&report.identity.label(&trial.cell), 60)),
            kind,
            total: 0,
            entries: Vec::new(),
        });
        group.total += 1;
        let values = values(report, trial, directions.as_ref());
        group.entries.push(Entry { at, values });
    }
    groups.into_values().collect()
}

fn values(report: &Report, trial: &ShownTrial, directions: Option<&Directions<'_>>) -> Values {
    let mut values = Vec::new();
    if let Some(directions) = directions {
        let change = directions.get(&(&trial.cell, &trial.probe)).map_or_else(
            || vec!["unchanged".to_owned()],
            |direction| vec!["changed".to_owned(), format!("changed: {direction}")],
        );
        values.push((CHANGE, change));
    }
    if report.cells.len() > 1 {
        values.push((CELL, vec![cropped(&report.identity.label(&trial.cell), 60)]));
    }
    values.push((RATE, trial.events.iter().map(|rate| rate.as_str().to_owned()).collect()));
    values.push((KIND, vec![filter::kind(&trial.kind, trial.arm.as_deref())]));
    values.push((TOOL, vec![filter::tool(trial.tool.as_ref())]));
    let outcome = trial.outcome.as_ref().map(|outcome| outcome.label.as_str().to_owned());
    values.push((OUTCOME, outcome.into_iter().collect()));
    values
}

/// Changed probes of either side's cells, and which way they changed.
type Directions<'a> = HashMap<(&'a CellId, &'a ProbeId), &'static str>;

fn directions(comparison: &Comparison) -> Directions<'_> {
    let mut directions = HashMap::new();
    for pair in &comparison.cells {
        for changed in &pair.changed {
            for cell in [&pair.baseline, &pair.candidate] {
                directions.insert((cell, &changed.probe), probe_class(changed.direction));
            }
        }
    }
    directions
}
