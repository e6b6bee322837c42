use std::collections::{BTreeMap, BTreeSet};

use transcript::{ProbeId, ToolName};

use super::dispatch::route;
use super::plan::{Plan, PlannedProbe};
use crate::dispatch::Policy;
use crate::scorecard::{InventedName, UnlistedNames};
use crate::verdict::{CallVerdict, NameForm, Surface, Verdict};

/// Most names that are listed; names are made up without end, and so is what a hostile model can send.
const MOST_NAMES: usize = 10_000;
/// Most characters of a name that are kept.
const MOST_CHARACTERS: usize = 200;

/// The unknown names of structured calls, grouped by name and form.
///
/// Where there are too many, the shortest stay: that choice does not depend on the order in which trials are
/// added, and a name that somebody could mean is short.
#[derive(Debug, Clone, Default)]
pub(super) struct InventedNames {
    names: BTreeMap<NameKey, Entry>,
    unlisted: UnlistedNames,
}

/// Length first, so that the map ends with the names to give up.
type NameKey = (usize, String, NameForm);

#[derive(Debug, Clone)]
struct Entry {
    trials: u64,
    calls: u64,
    /// Calls by the offered name that is nearest.
    nearest: BTreeMap<ToolName, u64>,
    /// Calls by the tool that a lenient dispatcher would run.
    would_run: BTreeMap<ToolName, u64>,
    /// Trials by the tool that the probe wanted.
    wanted: BTreeMap<ToolName, u64>,
    /// The family in the example.
    family: Option<String>,
    /// The first probe by id.
    example: ProbeId,
}

impl InventedNames {
    /// Adds the unknown names of one scored trial.
    pub(super) fn add(&mut self, planned: &PlannedProbe, verdict: &Verdict) {
        let mut in_this_trial = BTreeSet::new();
        let turns = verdict.turns.iter().filter(|turn| turn.countable);
        for (step, call) in turns.flat_map(|turn| turn.calls.iter().map(|call| (turn.step, call))) {
            let Some(form) = call.name_form.filter(|_| call.surface == Surface::Structured) else { continue };
            let name = cropped(&call.emitted_name);
            let key = (name.len(), name, form);
            let first_in_trial = in_this_trial.insert(key.clone());
            let would_run = Policy::lenient().and_then(|policy| route(policy, planned, step, call));
            self.entry(key, planned, call).add(planned, call, would_run, first_in_trial);
        }
        self.shorten(2 * MOST_NAMES);
    }

    /// Adds what another tally found.
    pub(super) fn merge(&mut self, other: Self) {
        self.unlisted.add(other.unlisted);
        for (key, theirs) in other.names {
            match self.names.entry(key) {
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert(theirs);
                }
                std::collections::btree_map::Entry::Occupied(mut mine) => mine.get_mut().merge(theirs),
            }
        }
        self.shorten(2 * MOST_NAMES);
    }

    /// The names, most frequent first, and what was too much to list.
    pub(super) fn finish(mut self, plan: &Plan) -> (Vec<InventedName>, UnlistedNames) {
        self.shorten(MOST_NAMES);
        let mut all: Vec<InventedName> =
            self.names.into_iter().map(|((_, name, form), entry)| entry.finish(name, form, plan)).collect();
        all.sort_by(|a, b| {
            let by_name = a.name.cmp(&b.name).then(a.name_form.cmp(&b.name_form));
            b.trials.cmp(&a.trials).then(by_name)
        });
        (all, self.unlisted)
    }

    fn entry(&mut self, key: NameKey, planned: &PlannedProbe, call: &CallVerdict) -> &mut Entry {
        self.names.entry(key).or_insert_with(|| Entry {
            trials: 0,
            calls: 0,
            nearest: BTreeMap::new(),
            would_run: BTreeMap::new(),
            wanted: BTreeMap::new(),
            family: call.family.clone(),
            example: planned.id.clone(),
        })
    }

    /// Gives up the longest names where there are more than `limit`, down to the number that is listed. The
    /// shortest are never among them, so what is listed in the end was counted from its first call on.
    fn shorten(&mut self, limit: usize) {
        if self.names.len() <= limit {
            return;
        }
        while self.names.len() > MOST_NAMES {
            let Some((_, entry)) = self.names.pop_last() else { return };
            self.unlisted.add(UnlistedNames { trials: entry.trials, calls: entry.calls });
        }
    }
}

impl Entry {
    fn add(
        &mut self,
        planned: &PlannedProbe,
        call: &CallVerdict,
        would_run: Option<&ToolName>,
        first_in_trial: bool,
    ) {
        self.calls += 1;
        if let Some(tool) = would_run {
            *self.would_run.entry(tool.clone()).or_default() += 1;
        }
        if let Some(nearest) = &call.nearest_tool {
            *self.nearest.entry(nearest.clone()).or_default() += 1;
        }
        if first_in_trial {
            self.trials += 1;
            if let Some(tool) = &planned.expectation.tool {
                *self.wanted.entry(tool.clone()).or_default() += 1;
            }
        }
        self.prefer_example(&planned.id, &call.family);
    }

    fn merge(&mut self, other: Self) {
        self.trials += other.trials;
        self.calls += other.calls;
        let pairs = [
            (&mut self.nearest, other.nearest),
            (&mut self.would_run, other.would_run),
            (&mut self.wanted, other.wanted),
        ];
        for (mine, theirs) in pairs {
            for (tool, count) in theirs {
                *mine.entry(tool).or_default() += count;
            }
        }
        self.prefer_example(&other.example, &other.family);
    }

    /// Of equal probes the greater family word stands, so that no order of adding shows.
    fn prefer_example(&mut self, example: &ProbeId, family: &Option<String>) {
        if *example < self.example {
            self.example = example.clone();
            self.family.clone_from(family);
        } else if *example == self.example && *family > self.family {
            self.family.clone_from(family);
        }
    }

    fn finish(self, name: String, name_form: NameForm, plan: &Plan) -> InventedName {
        let example = plan.place(&self.example).map(|place| &plan.probes[place]);
        let family = self.family.as_deref().zip(example).map(|(family, probe)| relatives(family, probe));
        InventedName {
            name,
            name_form,
            trials: self.trials,
            calls: self.calls,
            nearest_tool: most_frequent(self.nearest),
            family: family.unwrap_or_default(),
            would_run: most_frequent(self.would_run),
            wanted: most_frequent(self.wanted),
            example: self.example,
        }
    }
}

/// The tools of a family that a probe offers, in the order in which they are offered.
fn relatives(family: &str, probe: &PlannedProbe) -> Vec<ToolName> {
    let mut names = Vec::new();
    for tool in probe.offered.iter().flat_map(|offered| offered.tools()) {
        if tool.family() == family && !names.contains(&tool.name) {
            names.push(tool.name.clone());
        }
    }
    names
}

/// Of equally frequent ones the first by name.
fn most_frequent(counts: BTreeMap<ToolName, u64>) -> Option<ToolName> {
    let best = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    best.map(|(tool, _)| tool)
}

/// A name with at most `MOST_CHARACTERS` characters, and how many bytes more it had.
fn cropped(name: &str) -> String {
    match name.char_indices().nth(MOST_CHARACTERS) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}… (+{} bytes)", &name[..end], name.len() - end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cropped_at_a_character() {
        assert_eq!(cropped("ping"), "ping");
        let exact = "é".repeat(200);
        assert_eq!(cropped(&exact), exact);
        assert_eq!(cropped(&"é".repeat(203)), format!("{exact}… (+6 bytes)"));
    }

    #[test]
    fn of_equally_frequent_tools_the_first_by_name_stands() {
        let counts = [("b", 2), ("a", 2), ("c", 1)];
        let counts = counts.into_iter().map(|(name, count)| (ToolName::new(name), count)).collect();
        assert_eq!(most_frequent(counts), Some(ToolName::new("a")));
        assert_eq!(most_frequent(BTreeMap::new()), None);
    }
}
