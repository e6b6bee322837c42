use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use probes::RateName;
use serde::Serialize;
use transcript::{ToolName, Usage};

use super::plan::{Plan, PlannedProbe};
use super::probe_tally::ProbeTally;
use crate::finding::{ArgumentFault, FormatFinding};
use crate::scorecard::{ArgumentCount, ShadowedTool, Totals};
use crate::verdict::{CallVerdict, Class, Judgement, Surface, Verdict};

/// What is counted over all scored trials of a cell, call by call.
#[derive(Debug, Clone, Default)]
pub(super) struct Faults {
    pub(super) totals: Totals,
    /// Counted and listed findings, in trials that enter the rate of hallucinated arguments.
    arguments: BTreeMap<ArgumentFault, (u64, u64)>,
    format: BTreeMap<FormatFinding, u64>,
    /// Trials by decoy that was called and tool that was wanted.
    shadowed: BTreeMap<(ToolName, ToolName), u64>,
}

impl Faults {
    /// Adds one scored trial.
    pub(super) fn add(&mut self, planned: &PlannedProbe, verdict: &Verdict, usage: Usage) {
        self.add_totals(verdict, usage);
        let judges_arguments = planned.is_headline(RateName::HallucinatedArgument);
        for call in calls(verdict) {
            for finding in &call.format_findings {
                *self.format.entry(*finding).or_default() += 1;
            }
            if judges_arguments && call.surface == Surface::Structured {
                self.add_arguments(call);
            }
        }
        if planned.is_headline(RateName::ShadowCall) {
            self.add_shadowed(planned, verdict);
        }
    }

    fn add_totals(&mut self, verdict: &Verdict, usage: Usage) {
        let totals = &mut self.totals;
        totals.turns += verdict.turns.len() as u64;
        for turn in &verdict.turns {
            totals.calls += u64::from(turn.counts.calls);
            totals.text_calls += u64::from(turn.counts.text_calls);
        }
        let known = |call: &&CallVerdict| {
            call.surface == Surface::Structured && call.class.is_some() && !call.is_unknown()
        };
        totals.known_calls += calls(verdict).filter(known).count() as u64;
        if let Some(Judgement::Judged { opportunities, .. }) =
            verdict.checks.get(&RateName::HallucinatedArgument)
        {
            totals.arguments += u64::from(opportunities.arguments);
        }
        // What an endpoint reports may be any number.
        totals.input_tokens = totals.input_tokens.saturating_add(usage.input.unwrap_or(0));
        totals.output_tokens = totals.output_tokens.saturating_add(usage.output.unwrap_or(0));
    }

    fn add_arguments(&mut self, call: &CallVerdict) {
        for finding in &call.argument_findings {
            let (counted, listed) = self.arguments.entry(finding.finding).or_default();
            *(if finding.counted { counted } else { listed }) += 1;
        }
    }

    fn add_shadowed(&mut self, planned: &PlannedProbe, verdict: &Verdict) {
        let Some(wanted) = &planned.expectation.tool else { return };
        let shadow = |call: &&CallVerdict| call.class == Some(Class::ShadowCall);
        let called: BTreeSet<&str> =
            calls(verdict).filter(shadow).map(|call| call.emitted_name.as_str()).collect();
        for decoy in &planned.expectation.decoys {
            if called.contains(decoy.as_str()) {
                *self.shadowed.entry((decoy.clone(), wanted.clone())).or_default() += 1;
            }
        }
    }

    /// Adds what another tally counted.
    pub(super) fn merge(&mut self, other: Self) {
        self.totals.add(other.totals);
        for (finding, (counted, listed)) in other.arguments {
            let mine = self.arguments.entry(finding).or_default();
            mine.0 += counted;
            mine.1 += listed;
        }
        for (finding, count) in other.format {
            *self.format.entry(finding).or_default() += count;
        }
        for (pair, trials) in other.shadowed {
            *self.shadowed.entry(pair).or_default() += trials;
        }
    }

    pub(super) fn argument_counts(&self) -> Vec<ArgumentCount> {
        let count = |(finding, &(counted, listed)): (&ArgumentFault, &(u64, u64))| ArgumentCount {
            finding: word(finding),
            counted,
            listed,
        };
        self.arguments.iter().map(count).collect()
    }

    pub(super) fn format_counts(&self) -> IndexMap<String, u64> {
        self.format.iter().map(|(finding, &count)| (word(finding), count)).collect()
    }

    /// The decoys that were called, most frequent first, each over the scored trials that offered it.
    pub(super) fn shadowed(&self, plan: &Plan, tallies: &[ProbeTally]) -> Vec<ShadowedTool> {
        let mut offered: BTreeMap<(&ToolName, &ToolName), u64> = BTreeMap::new();
        for (probe, tally) in plan.probes.iter().zip(tallies) {
            let rate = tally.rates.get(RateName::ShadowCall);
            let Some((rate, wanted)) = rate.zip(probe.expectation.tool.as_ref()) else { continue };
            if !probe.is_headline(RateName::ShadowCall) {
                continue;
            }
            for decoy in &probe.expectation.decoys {
                *offered.entry((decoy, wanted)).or_default() += u64::from(rate.scored.len());
            }
        }
        let mut all: Vec<ShadowedTool> = self
            .shadowed
            .iter()
            .map(|((decoy, wanted), &trials)| ShadowedTool {
                decoy: decoy.clone(),
                wanted: wanted.clone(),
                trials,
                of: offered.get(&(decoy, wanted)).copied().unwrap_or(0),
            })
            .collect();
        all.sort_by_key(|shadowed| std::cmp::Reverse(shadowed.trials));
        all
    }
}

fn calls(verdict: &Verdict) -> impl Iterator<Item = &CallVerdict> {
    verdict.turns.iter().flat_map(|turn| &turn.calls)
}

/// The word by which files name a finding: the one under which it is written.
fn word<T: Serialize>(finding: &T) -> String {
    match serde_json::to_value(finding) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
