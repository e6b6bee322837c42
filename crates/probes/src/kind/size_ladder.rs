//! The same request among more and more tools, with the wanted one there and without it.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault, digest, wants_a_tool};
use crate::{ClaimLine, Ladder, NeighbourPlace, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "size_ladder",
    summary: "The user's words among 4, 8, 16 ... 512 tools, with the wanted tool and without it.",
    isolates: "growth with size",
    headline: &[],
    side: &[],
    right: RightBehaviour::Call,
    claim: ClaimLine::None,
    reads: AllowedReads::Family,
    stubs: StubDefault::AsTheyAre,
    derive,
};

/// The sizes.
pub(crate) const RUNGS: [u32; 8] = [4, 8, 16, 32, 64, 128, 256, 512];

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let tool = wants_a_tool(task)?;
    let told = task.kinds.size_ladder.as_ref().map(|told| told.rungs.as_slice());
    let (filling, turn) = draw(settings.seed, &task.id);
    let mut recipes = Vec::new();
    for (rung, size) in (0..).zip(RUNGS).filter(|(_, size)| told.is_none_or(|told| told.contains(size))) {
        let (quarter, neighbour) = place(turn, rung);
        let ladder =
            |present| Some(Ladder { tool: tool.into(), size, present, quarter, neighbour, seed: filling });
        let mut present = KIND.recipe_with_tool(task, settings)?;
        present.variant = Some(format!("{size}-present"));
        present.first().without = task.substitutes.clone();
        present.first().ladder = ladder(true);
        let mut absent = KIND.recipe(task);
        absent.variant = Some(format!("{size}-absent"));
        absent.first().without = task.substitutes.clone();
        absent.expectation.right = RightBehaviour::RefuseOrAsk;
        absent.first().ladder = ladder(false);
        recipes.extend([present, absent]);
    }
    Ok(recipes)
}

/// Where tool and neighbour stand on a rung. Over the eight rungs of a task each quarter comes twice, once with
/// the neighbour before the tool and once with it behind, so that position is balanced within every task; tasks
/// begin at turns of their own, so that it is on every rung too, as far as the tasks go.
fn place(turn: u32, rung: u32) -> (u32, NeighbourPlace) {
    let at = (turn + rung) % 8;
    // The other half goes through the quarters from behind, so that no quarter has a side of its own.
    let before = (at < 4) ^ (at % 2 == 1);
    (at % 4, if before { NeighbourPlace::Before } else { NeighbourPlace::After })
}

/// What draws the filling, and where the task begins its turn.
fn draw(seed: u64, task: &str) -> (u64, u32) {
    let digest = digest(seed, task);
    let number = digest.iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    (number >> 11, u32::from(digest[31]) % 8)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::kind::testing::{DEPOT, NONE, WRITES, expanded, none, recipes};

    #[test]
    fn each_rung_has_a_probe_with_the_tool_and_one_without() {
        let expansion = expanded(&KIND, WRITES, &DEPOT);
        assert_eq!((expansion.probes.len(), expansion.stale.len()), (16, 0));
        for (at, probe) in expansion.probes.iter().enumerate() {
            let size = RUNGS[at / 2] as usize;
            assert_eq!(probe.offered[0].tools().len(), size, "{}", probe.id());
            assert_eq!(probe.offered[0].get("ship_parcel").is_some(), at % 2 == 0);
            assert!(probe.offered[0].get("send_crate").is_none(), "a substitute");
            let right = if at % 2 == 0 { RightBehaviour::Call } else { RightBehaviour::RefuseOrAsk };
            assert_eq!(probe.expectation.right, right);
        }
        assert_eq!(expansion.probes[2].id().as_str(), "t.size_ladder.8-present");
        assert!(none(&KIND, NONE).contains("no tool"));
        let told = format!("{WRITES}, kinds: {{ size_ladder: {{ rungs: [8, 64] }} }}");
        assert_eq!(recipes(&KIND, &told).unwrap().len(), 4);
    }

    #[test]
    fn positions_are_balanced_within_each_task_and_over_tasks_on_each_rung() {
        for turn in 0..8 {
            let places: HashSet<_> = (0..8).map(|rung| place(turn, rung)).collect();
            assert_eq!(places.len(), 8);
        }
        for rung in 0..8 {
            let places: HashSet<_> = (0..8).map(|turn| place(turn, rung)).collect();
            assert_eq!(places.len(), 8);
        }
        let turns: HashSet<_> = (0..80).map(|task| draw(1, &format!("t-{task}")).1).collect();
        assert_eq!(turns.len(), 8);
    }
}
