//! In which order trials are put: blocks of (probe, repeat) in seeded order, and within a block all cells and
//! arms of that probe next to each other, their order seeded (DESIGN.md section 6). What is compared is then
//! measured in the same minutes.
//!
//! The first of a block at each target goes alone, and the others follow when it has ended: they begin with the same
//! tools and often the same prompt, which the provider's cache has by then. Other blocks go on meanwhile.

use std::collections::{BTreeMap, HashMap, VecDeque};

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
    /// Index of the block.
    block: u32,
}

/// All trials of a plan, in the order in which they are put. Depends on the plan's seed and content alone, so
/// that a resumed run keeps the order.
fn order(plan: &Plan) -> Vec<Slot> {
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
    for (block, (group, repeat)) in (0..).zip(blocks) {
        let start = order.len();
        order.extend(group.iter().map(|&(cell, probe)| Slot { cell, probe, repeat, block }));
        random.shuffle(order.get_mut(start..).unwrap_or_default());
    }
    order
}

/// Arms of one probe share everything before the `@`.
fn without_arm(id: &str) -> &str {
    id.split_once('@').map_or(id, |(base, _)| base)
}

/// The trials that are still to be put.
pub(crate) struct Queue {
    order: std::iter::Peekable<std::vec::IntoIter<Slot>>,
    ready: VecDeque<Slot>,
    /// Those that follow the first of their block at their target.
    followers: HashMap<(u32, u32), Vec<Slot>>,
    /// By cell: which target it has, and none where nothing is cached there.
    caches: Vec<Option<u32>>,
}

impl Queue {
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut targets = Vec::new();
        let caches = plan.cells.iter().map(|cell| {
            if cell.target.simulated {
                return None;
            }
            let at = targets.iter().position(|id| *id == &cell.target.id).unwrap_or_else(|| {
                targets.push(&cell.target.id);
                targets.len() - 1
            });
            u32::try_from(at).ok()
        });
        Self {
            caches: caches.collect(),
            order: order(plan).into_iter().peekable(),
            ready: VecDeque::new(),
            followers: HashMap::new(),
        }
    }

    fn key(&self, slot: Slot) -> Option<(u32, u32)> {
        let target = self.caches.get(slot.cell as usize).copied().flatten()?;
        Some((slot.block, target))
    }

    /// The next trial of those that are `open`. None: there is none, or those that are left follow one under way.
    pub(crate) fn next(&mut self, open: impl Fn(Slot) -> bool) -> Option<Slot> {
        while self.ready.is_empty() {
            let block = self.order.peek()?.block;
            while let Some(slot) = self.order.next_if(|slot| slot.block == block) {
                if !open(slot) {
                    continue;
                }
                match self.key(slot).map(|key| self.followers.entry(key)) {
                    None => self.ready.push_back(slot),
                    Some(std::collections::hash_map::Entry::Vacant(entry)) => {
                        entry.insert(Vec::new());
                        self.ready.push_back(slot);
                    }
                    Some(std::collections::hash_map::Entry::Occupied(mut entry)) => {
                        entry.get_mut().push(slot)
                    }
                }
            }
        }
        self.ready.pop_front()
    }

    /// A trial ended: those that waited for it are next.
    pub(crate) fn ended(&mut self, slot: Slot) {
        let Some(followers) = self.key(slot).and_then(|key| self.followers.remove(&key)) else { return };
        followers.into_iter().rev().for_each(|slot| self.ready.push_front(slot));
    }
}
