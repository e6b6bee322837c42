//! In which order trials are put: blocks of (probe, repeat) in seeded order, and within a block all cells and
//! arms of that probe next to each other, their order seeded (DESIGN.md section 6). What is compared is then
//! measured in the same minutes.

use std::collections::BTreeMap;

use crate::Plan;
use crate::split_mix::SplitMix64;

/// One trial to be put, by its places in the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot {
    /// Index of the cell.
    pub(crate) cell: u32,
    /// Index of the probe within the cell.
    pub(crate) probe: u32,
    /// The repeat.
    pub(crate) repeat: u32,
}

/// All trials of a plan, in the order in which they are put. Depends on the plan's seed and content alone, so
/// that a resumed run keeps the order.
pub(crate) fn order(plan: &Plan) -> Vec<Slot> {
    let mut groups: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
    for (cell, planned) in (0..).zip(&plan.cells) {
        for (probe, it) in (0..).zip(&planned.probes) {
            groups.entry(without_arm(it.id().as_str())).or_default().push((cell, probe));
        }
    }
    let repeats = plan.round.first_repeat..plan.round.first_repeat.saturating_add(plan.repeats);
    let mut blocks: Vec<(&Vec<(u32, u32)>, u32)> =
        repeats.flat_map(|repeat| groups.values().map(move |group| (group, repeat))).collect();
    let mut random = SplitMix64::new(plan.seed);
    random.shuffle(&mut blocks);
    let mut order = Vec::with_capacity(blocks.iter().map(|(group, _)| group.len()).sum());
    for (group, repeat) in blocks {
        let start = order.len();
        order.extend(group.iter().map(|&(cell, probe)| Slot { cell, probe, repeat }));
        random.shuffle(order.get_mut(start..).unwrap_or_default());
    }
    order
}

/// Arms of one probe share everything before the `@`.
fn without_arm(id: &str) -> &str {
    id.split_once('@').map_or(id, |(base, _)| base)
}
