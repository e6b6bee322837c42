//! The rules: what each looks for, how bad it is, and a page on why and what to do.

mod absent_tool;
mod ambiguous_task;
mod decoy_solvable;
mod gone_tool;
mod identity_argument;
mod improvise;
mod lookalike_choice;
mod lookalike_pair;
mod names;
mod overclaim;
mod phrases;
mod played;
mod seen_in_traces;
mod sibling_gap;
mod strict_schema;
mod thin_description;
mod token_cost;
mod undescribed_optional;
mod ungrounded_value;
mod unprobed_tool;

use probes::TextFile;

use crate::Severity;
use crate::finding::Findings;
use crate::view::{CatalogView, SuiteView};

/// Every rule, in the order in which lists show them.
pub const RULES: &[Rule] = &[
    names::DUPLICATE,
    names::ILLEGAL,
    names::COLLISION,
    sibling_gap::RULE,
    lookalike_pair::RULE,
    thin_description::RULE,
    absent_tool::RULE,
    overclaim::RULE,
    improvise::RULE,
    undescribed_optional::RULE,
    identity_argument::RULE,
    strict_schema::RULE,
    token_cost::RULE,
    ambiguous_task::RULE,
    ungrounded_value::RULE,
    decoy_solvable::RULE,
    lookalike_choice::RULE,
    unprobed_tool::RULE,
    gone_tool::RULE,
    gone_tool::STALE,
    seen_in_traces::RULE,
    played::UNFAILABLE,
    played::UNPASSABLE,
];

/// One rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its name: in output and flags.
    pub name: &'static str,
    /// How bad its findings are as a rule.
    pub severity: Severity,
    /// What it finds, in one sentence.
    pub summary: &'static str,
    /// A page for people: what it looks for, why, what to do, what it leaves alone.
    pub page: &'static str,
    pub(crate) checks: &'static [Check],
}

/// What a rule looks at.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Check {
    /// Each catalog.
    Catalog(fn(&CatalogView<'_>, &mut Findings<'_>)),
    /// Each prompt, with the catalogs that it is sent with.
    Prompt(fn(&TextFile, &[&CatalogView<'_>], &mut Findings<'_>)),
    /// Each suite.
    Suite(fn(&SuiteView<'_>, &mut Findings<'_>)),
    /// All suites at once.
    Suites(fn(&[SuiteView<'_>], &mut Findings<'_>)),
    /// Nothing here: the caller plays probes with simulated models and finds it.
    Played,
}

/// The rule of a name.
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_table_is_well_formed() {
        let mut names = HashSet::new();
        for rule in RULES {
            assert!(names.insert(rule.name), "`{}` stands twice", rule.name);
            assert!(rule.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{}", rule.name);
            assert!(rule.summary.ends_with('.') && !rule.checks.is_empty(), "{}", rule.name);
            assert!(rule.page.lines().count() >= 5, "`{}` has no page of help", rule.name);
            for part in ["Why", "What to do", "Left alone"] {
                assert!(rule.page.contains(&format!("{part}:")), "`{}` lacks `{part}:`", rule.name);
            }
        }
        assert!(rule("sibling_gap").is_some() && rule("sibling-gap").is_none());
    }
}
