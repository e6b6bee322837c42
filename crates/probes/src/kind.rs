//! The kinds of probe: how a task becomes questions (DESIGN.md section 4). A kind sees a task and the suite's
//! settings, never a catalog or a prompt.

mod control;
mod decoy;
mod lookalike;
mod missing_argument;
mod no_tool_needed;
mod optional_argument;
mod overclaimed_prompt;

use indexmap::IndexMap;
use serde_json::Value;
use transcript::{Message, ToolName};

use crate::{
    ArgumentRule, Arm, CatalogEdits, ClaimLine, Expectation, RateName, RightBehaviour, Step, Suite, Task,
    Unlisted, ValueOracle,
};

/// Every kind of probe, in the order in which lists show them.
pub const KINDS: &[Kind] = &[
    control::KIND,
    no_tool_needed::KIND,
    decoy::KIND,
    lookalike::KIND,
    optional_argument::KIND,
    missing_argument::KIND,
    overclaimed_prompt::KIND,
];

/// Kinds of DESIGN.md section 4 that this build does not derive.
pub(crate) const KINDS_NOT_IN_THIS_BUILD: &[&str] = &[
    "no_tools",
    "sibling_gap",
    "familiar_neighbour",
    "principal",
    "wrong_value",
    "removed_parameter",
    "stale_tool",
    "withheld_tool",
    "required_call",
    "resourceful",
    "transient_failure",
    "permanent_failure",
    "canary",
    "broken_read",
    "phantom",
    "size_ladder",
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
    /// How a task becomes questions; `Err` says in words why it yields none.
    pub(crate) derive: fn(&Task, &KindSettings<'_>) -> Result<Vec<Recipe>, String>,
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

/// What a kind makes of a task: one question, without what all questions have.
#[derive(Debug, Clone)]
pub(crate) struct Recipe {
    pub(crate) variant: Option<String>,
    pub(crate) arm: Option<Arm>,
    pub(crate) step: Step,
    pub(crate) prompt_suffix: Option<String>,
    pub(crate) expectation: Expectation,
}

impl Kind {
    /// The recipe that most kinds begin with: the task's words, the catalog as it is.
    fn recipe(&self, task: &Task) -> Recipe {
        Recipe {
            variant: None,
            arm: None,
            step: Step { messages: vec![Message::user(&task.user)], catalog: CatalogEdits::default() },
            prompt_suffix: None,
            expectation: Expectation {
                headline: self.headline.to_vec(),
                side: self.side.to_vec(),
                every_arm: false,
                right: self.right,
                earlier_right: Vec::new(),
                tool: task.wanted().map(ToolName::new),
                offered: false,
                decoys: Vec::new(),
                arguments: IndexMap::new(),
                unlisted: Unlisted::Grounding,
                missing: Vec::new(),
                allowed_reads: task.read_only.clone(),
                family_reads: false,
                answer_is_fine: task.answerable_without_tool,
                claim: self.claim,
                must_pass: task.must_pass.iter().any(|name| name == self.name),
            },
        }
    }

    /// A recipe in which the wanted tool is offered and its arguments are judged.
    fn recipe_with_tool(&self, task: &Task, settings: &KindSettings<'_>) -> Result<Recipe, String> {
        wants_a_tool(task)?;
        let mut recipe = self.recipe(task);
        recipe.expectation.offered = true;
        recipe.expectation.arguments =
            task.arguments.iter().map(|(name, rule)| (name.clone(), oracle(rule, settings))).collect();
        Ok(recipe)
    }

    /// A recipe in which the wanted tool and its substitutes are left out. The arguments are not judged:
    /// nothing that is left could be called with them.
    fn recipe_without_tool(&self, task: &Task) -> Result<Recipe, String> {
        let tool = wants_a_tool(task)?;
        let mut recipe = self.recipe(task);
        recipe.step.catalog.without =
            std::iter::once(ToolName::new(tool)).chain(task.substitutes.iter().cloned()).collect();
        recipe.expectation.family_reads = true;
        Ok(recipe)
    }
}

fn wants_a_tool(task: &Task) -> Result<&str, String> {
    task.wanted().ok_or_else(|| "the task wants no tool".to_owned())
}

fn oracle(rule: &ArgumentRule, settings: &KindSettings<'_>) -> ValueOracle {
    match rule {
        ArgumentRule::Equals(value) => ValueOracle::Equals(value.clone()),
        ArgumentRule::OneOf(values) => ValueOracle::OneOf(values.clone()),
        ArgumentRule::Pattern(pattern) => ValueOracle::Pattern(pattern.clone()),
        ArgumentRule::Principal(key) => ValueOracle::Principal {
            key: key.clone(),
            value: settings.principal.get(key).cloned().unwrap_or(Value::Null),
        },
        ArgumentRule::Absent => ValueOracle::Absent,
    }
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
            assert!(!KINDS_NOT_IN_THIS_BUILD.contains(&kind.name));
            assert!(kind.headline.iter().all(|rate| RateName::HEADLINE.contains(rate)));
            assert!(kind.side.iter().all(|rate| !RateName::HEADLINE.contains(rate)));
        }
    }

    #[test]
    fn slugs() {
        assert_eq!(slug("subscription_id"), "subscription-id");
        assert_eq!(slug("/address/City"), "address-city");
        assert_eq!(slug("__"), "");
    }
}
