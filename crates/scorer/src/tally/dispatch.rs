use std::collections::BTreeMap;

use transcript::ToolName;

use super::plan::PlannedProbe;
use crate::dispatch::{POLICIES, Policy};
use crate::scorecard::{DispatchOutcome, RoutedTo};
use crate::verdict::{CallVerdict, Surface, Verdict};

/// What each dispatcher would have done with the unknown calls of a cell. Its size does not grow with the trials:
/// a policy routes to tools of the catalogs alone.
#[derive(Debug, Clone, Default)]
pub(super) struct Dispatched {
    unknown_calls: u64,
    /// One for each policy of the table, once there was a call.
    by_policy: Vec<Routed>,
}

#[derive(Debug, Clone, Default)]
struct Routed {
    repaired: u64,
    /// Calls that would have run another tool than the one meant, by that tool.
    other: BTreeMap<ToolName, u64>,
}

impl Dispatched {
    /// Puts the unknown calls of one scored trial through every policy.
    pub(super) fn add(&mut self, planned: &PlannedProbe, verdict: &Verdict) {
        for turn in verdict.turns.iter().filter(|turn| turn.countable) {
            for call in turn.calls.iter().filter(|call| is_unknown(call)) {
                self.unknown_calls += 1;
                if self.by_policy.is_empty() {
                    self.by_policy = vec![Routed::default(); POLICIES.len()];
                }
                for (policy, routed) in POLICIES.iter().zip(&mut self.by_policy) {
                    let Some(tool) = route(policy, planned, turn.step, call) else { continue };
                    if is_meant(tool, planned, call) {
                        routed.repaired += 1;
                    } else {
                        *routed.other.entry(tool.clone()).or_default() += 1;
                    }
                }
            }
        }
    }

    /// Adds what another tally found.
    pub(super) fn merge(&mut self, other: Self) {
        self.unknown_calls += other.unknown_calls;
        if self.by_policy.is_empty() {
            self.by_policy = other.by_policy;
            return;
        }
        for (mine, theirs) in self.by_policy.iter_mut().zip(other.by_policy) {
            mine.repaired += theirs.repaired;
            for (tool, calls) in theirs.other {
                *mine.other.entry(tool).or_default() += calls;
            }
        }
    }

    /// One row a policy, in the order of the table; none where no unknown call was made.
    pub(super) fn finish(self) -> Vec<DispatchOutcome> {
        let unknown_calls = self.unknown_calls;
        let row = |(policy, routed): (&Policy, Routed)| {
            let other: u64 = routed.other.values().sum();
            let mut other_tools: Vec<RoutedTo> =
                routed.other.into_iter().map(|(tool, calls)| RoutedTo { tool, calls }).collect();
            other_tools.sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.tool.cmp(&b.tool)));
            DispatchOutcome {
                policy: policy.name.clone(),
                algorithm: policy.algorithm.words().to_owned(),
                cutoff: policy.cutoff,
                source: policy.source.clone(),
                unknown_calls,
                raised: unknown_calls - routed.repaired - other,
                repaired: routed.repaired,
                other,
                other_tools,
            }
        };
        POLICIES.iter().zip(self.by_policy).map(row).collect()
    }
}

fn is_unknown(call: &CallVerdict) -> bool {
    call.surface == Surface::Structured && call.name_form.is_some()
}

/// The tool that a policy runs for a call, of those that its turn offered.
pub(super) fn route<'a>(
    policy: &Policy,
    planned: &'a PlannedProbe,
    step: u32,
    call: &CallVerdict,
) -> Option<&'a ToolName> {
    let offered = planned.offered.get(step as usize).or(planned.offered.last())?;
    policy.resolve(&call.emitted_name, offered)
}

/// Whether a repair reaches the tool that was meant: the one that the probe wants, or the one that a declared
/// normalisation makes of the name (DESIGN.md 3.2: such a call is absorbed, and no shadow call).
fn is_meant(tool: &ToolName, planned: &PlannedProbe, call: &CallVerdict) -> bool {
    let wanted = planned.expectation.tool.as_ref().filter(|_| planned.expectation.offered);
    wanted == Some(tool) || call.intended_tool.as_ref() == Some(tool)
}
