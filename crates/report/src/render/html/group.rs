//! Failing trials, grouped so that what belongs together stands together.

use indexmap::IndexMap;
use scorer::Class;
use serde::Serialize;

use crate::report::{Report, ShownTrial};
use crate::text_safe::cropped_name;

/// Failing trials of one cell and kind.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    anchor: String,
    cell: Option<String>,
    kind: String,
    total: u64,
    #[serde(skip)]
    pub(super) trials: Vec<usize>,
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
    let mut groups: IndexMap<(&str, String), Group> = IndexMap::new();
    for (at, trial) in report.failing.iter().take(limit).enumerate() {
        let kind = match &trial.arm {
            Some(arm) => format!("{} @{arm}", trial.kind),
            None => trial.kind.clone(),
        };
        let number = groups.len();
        let group = groups.entry((&trial.cell.0, kind.clone())).or_insert_with(|| Group {
            anchor: format!("g{number}"),
            cell: (report.cells.len() > 1).then(|| report.identity.label(&trial.cell)),
            kind,
            total: 0,
            trials: Vec::new(),
        });
        group.total += 1;
        group.trials.push(at);
    }
    groups.into_values().collect()
}
