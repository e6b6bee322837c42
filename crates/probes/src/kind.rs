//! The kinds of probe: how a task becomes questions (DESIGN.md section 4). A kind sees a task and the suite's
//! settings, never a catalog or a prompt.

mod broken_read;
mod canary;
mod control;
mod decoy;
mod familiar_neighbour;
mod lookalike;
mod missing_argument;
mod no_tool_needed;
mod no_tools;
mod optional_argument;
mod overclaimed_prompt;
mod permanent_failure;
mod phantom;
mod principal;
mod recipe;
mod removed_parameter;
mod required_call;
mod resourceful;
mod sibling_gap;
mod size_ladder;
mod stale_tool;
#[cfg(test)]
mod testing;
mod transient_failure;
mod withheld_tool;
mod wrong_value;

use indexmap::IndexMap;
use serde_json::Value;
use sha2::{Digest, Sha256};

pub(crate) use self::broken_read::FORMS as BROKEN_READS;
pub(crate) use self::recipe::Recipe;
use self::recipe::{oracle, wants_a_tool};
pub(crate) use self::size_ladder::RUNGS;
use crate::{ClaimLine, RateName, RightBehaviour, Suite, Task};

/// Every kind of probe, in the order in which lists show them.
pub const KINDS: &[Kind] = &[
    control::KIND,
    no_tool_needed::KIND,
    decoy::KIND,
    no_tools::KIND,
    sibling_gap::KIND,
    familiar_neighbour::KIND,
    lookalike::KIND,
    optional_argument::KIND,
    missing_argument::KIND,
    principal::KIND,
    wrong_value::KIND,
    removed_parameter::KIND,
    overclaimed_prompt::KIND,
    stale_tool::KIND,
    withheld_tool::KIND,
    required_call::KIND,
    resourceful::KIND,
    transient_failure::KIND,
    permanent_failure::KIND,
    canary::KIND,
    broken_read::KIND,
    phantom::KIND,
    size_ladder::KIND,
];

/// One kind of probe.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name: in suites, ids and reports.
    pub name: &'static str,
    /// What it puts to the model, in one sentence.
    pub summary: &'static str,
    /// What it isolates.
    pub isolates: &'static str,
    /// Headline rates that its probes enter.
    pub headline: &'static [RateName],
    /// Side rates that its probes enter, beside those that every scored trial enters.
    pub side: &'static [RateName],
    /// What a good answer does.
    pub right: RightBehaviour,
    /// The machine-readable last line that it asks for.
    pub claim: ClaimLine,
    /// Which reading tools may be called for looking.
    pub reads: AllowedReads,
    /// What the wanted tool's stub answers.
    pub stubs: StubDefault,
    /// How a task becomes questions; `Err` says in words why it yields none.
    pub(crate) derive: fn(&Task, &KindSettings<'_>) -> Result<Vec<Recipe>, String>,
}

/// Which reading tools may be called for looking, and are no misuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AllowedReads {
    /// Those that the task lists.
    Listed,
    /// Those, and the reading tools of the wanted tool's family.
    Family,
}

/// What the wanted tool's stub answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StubDefault {
    /// What every stub answers that has no script.
    AsTheyAre,
    /// Its first call fails, the others do not.
    FailsFirst,
    /// All its calls fail.
    FailsAlways,
    /// What the kind puts into the script.
    Scripted,
}

/// The kind of a name.
#[must_use]
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// What a suite gives to every kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KindSettings<'a> {
    pub(crate) seed: u64,
    pub(crate) principal: &'a IndexMap<String, Value>,
}

impl<'a> KindSettings<'a> {
    pub(crate) fn of(suite: &'a Suite) -> Self {
        Self { seed: suite.seed, principal: &suite.principal }
    }
}

/// What draws for a task: it depends on the suite's seed and the task's id alone.
fn digest(seed: u64, task: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(seed.to_be_bytes());
    hash.update(task.as_bytes());
    hash.finalize().into()
}

/// A name as part of an id: lower-case letters, digits and hyphens.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for character in name.chars().flat_map(char::to_lowercase) {
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_table_is_well_formed() {
        let mut names = HashSet::new();
        for kind in KINDS {
            assert!(names.insert(kind.name), "`{}` stands twice", kind.name);
            assert!(kind.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
            assert!(kind.summary.ends_with('.') && !kind.isolates.is_empty());
            assert!(kind.headline.iter().all(|rate| RateName::HEADLINE.contains(rate)));
            assert!(kind.side.iter().all(|rate| !RateName::HEADLINE.contains(rate)));
        }
    }

    #[test]
    fn every_kind_of_the_design_is_there() {
        assert_eq!(KINDS.len(), 23);
        let arms = ["overclaimed_prompt", "resourceful"];
        assert!(arms.iter().all(|name| kind(name).is_some_and(|kind| kind.headline.is_empty())));
    }

    #[test]
    fn slugs() {
        assert_eq!(slug("subscription_id"), "subscription-id");
        assert_eq!(slug("/address/City"), "address-city");
        assert_eq!(slug("__"), "");
    }
}
