//! Rungs of a ladder of sizes (DESIGN.md section 4, `size_ladder`): nested catalogs around one tool. A rung is a
//! recipe; which tools it comes to is known with a catalog.

use std::collections::HashMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::{Tool, ToolName};

use crate::catalog::filler::{FILLER, Filler};
use crate::near_name::{Purpose, name_words, nearest_name, similarity};

/// One rung. The tools that fill it are drawn from the catalog, and where that is too small from made-up ones;
/// each rung holds the filling of the one below it, in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Ladder {
    /// The tool around which it is built.
    pub tool: ToolName,
    /// How many tools it offers.
    pub size: u32,
    /// Whether the tool is among them. Where it is not, one more filling tool is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub present: bool,
    /// The quarter of the list, from 0, in which the tool stands or would stand.
    pub quarter: u32,
    /// Where its nearest neighbour of the catalog stands.
    pub neighbour: NeighbourPlace,
    /// Draws what fills the rung.
    pub seed: u64,
}

/// Where the nearest neighbour stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NeighbourPlace {
    /// Right before the tool.
    Before,
    /// Right after it.
    After,
}

/// From this likeness on a made-up name is near.
const NEAR: f64 = 0.6;

/// What can fill the rungs around one tool, in order: worked out once, since each rung takes the beginning of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filling {
    neighbour: Option<Arc<Tool>>,
    tools: Vec<Arc<Tool>>,
}

/// The fillings of one catalog: by tool, seed and what is left out.
pub(crate) type Fillings = HashMap<(ToolName, u64, Vec<ToolName>), Filling>;

/// As many tools as any rung offers.
const MOST: usize = 512;

impl Ladder {
    /// The tools of the rung, in order, out of those of a catalog.
    pub(super) fn rung(&self, tools: &[Arc<Tool>], filling: &Filling) -> Vec<Arc<Tool>> {
        let size = usize::try_from(self.size).unwrap_or(usize::MAX).min(MOST);
        let mut middle: Vec<Arc<Tool>> =
            tools.iter().filter(|tool| self.present && tool.name == self.tool).cloned().collect();
        if let Some(neighbour) = &filling.neighbour {
            let at = if self.neighbour == NeighbourPlace::Before { 0 } else { middle.len() };
            middle.insert(at, Arc::clone(neighbour));
        }
        middle.truncate(size);
        let mut rung: Vec<Arc<Tool>> = filling.tools.iter().take(size - middle.len()).cloned().collect();
        let at = self.place(size).min(rung.len());
        rung.splice(at..at, middle);
        rung
    }

    /// What can fill its rungs: the catalog's own tools, then made-up ones.
    pub(super) fn filling(&self, tools: &[Arc<Tool>]) -> Filling {
        let wanted = self.tool.as_str();
        let purpose = Purpose::of(wanted);
        let mut own: Vec<Arc<Tool>> = tools
            .iter()
            .filter(|tool| tool.name != self.tool && !answers(purpose.as_ref(), tool.name.as_str()))
            .cloned()
            .collect();
        let neighbour = nearest_name(wanted, own.iter().map(|tool| tool.name.as_str())).map(ToolName::new);
        let neighbour = neighbour.and_then(|name| own.iter().position(|tool| tool.name == name));
        let neighbour = neighbour.map(|at| own.remove(at));
        own.sort_by_cached_key(|tool| draw(self.seed, tool.name.as_str()));
        let missing = MOST.saturating_sub(own.len());
        own.extend(self.made_up(tools).take(missing));
        Filling { neighbour, tools: own }
    }

    /// Made-up tools in their order, without those whose names are near the wanted tool's.
    fn made_up<'a>(&'a self, tools: &'a [Arc<Tool>]) -> impl Iterator<Item = Arc<Tool>> + 'a {
        let mut made: Vec<&Filler> = FILLER.iter().collect();
        made.sort_by_cached_key(|filler| draw(self.seed, filler.tool.name.as_str()));
        let wanted = self.tool.as_str();
        let words = name_words(wanted);
        let is_far = move |filler: &&Filler| {
            let name = filler.tool.name.as_str();
            !filler.words.iter().any(|word| words.iter().any(|other| other == word))
                && similarity(name, wanted) < NEAR
                && !tools.iter().any(|other| other.name == filler.tool.name)
        };
        made.into_iter().filter(is_far).map(|filler| Arc::clone(&filler.tool))
    }

    /// The middle of the quarter.
    fn place(&self, size: usize) -> usize {
        let quarter = usize::try_from(self.quarter % 4).unwrap_or(0);
        (2 * quarter + 1) * size.saturating_sub(1) / 8
    }
}

/// Whether a tool could do what is asked, by its name.
fn answers(purpose: Option<&Purpose>, name: &str) -> bool {
    let Some((purpose, other)) = purpose.zip(Purpose::of(name)) else { return false };
    purpose.is_same(&other) || purpose.covers(&other)
}

/// A tool's place in the filling: it depends on the seed and the name alone (FNV-1a over both, then the finish of
/// SplitMix64, so that names with a common beginning lie apart).
fn draw(seed: u64, name: &str) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for byte in seed.to_be_bytes().into_iter().chain(name.bytes()) {
        state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn catalog() -> Vec<Arc<Tool>> {
        [
            "create_invoice",
            "get_invoice",
            "bill__make_invoices",
            "send_invoice",
            "get_customer",
            "pay_invoice",
        ]
        .map(|name| Arc::new(Tool::named(name)))
        .to_vec()
    }

    fn ladder(size: u32, present: bool) -> Ladder {
        let (quarter, neighbour) = (1, NeighbourPlace::Before);
        Ladder { tool: "create_invoice".into(), size, present, quarter, neighbour, seed: 4 }
    }

    fn names(ladder: &Ladder) -> Vec<String> {
        ladder
            .rung(&catalog(), &ladder.filling(&catalog()))
            .iter()
            .map(|tool| tool.name.to_string())
            .collect()
    }

    /// The tool whose name is nearest, of those that cannot do the task.
    fn near() -> String {
        let others = ["get_invoice", "send_invoice", "get_customer", "pay_invoice"];
        crate::nearest_name("create_invoice", others).unwrap().to_owned()
    }

    #[test]
    fn each_rung_has_its_size_and_holds_the_one_below_in_order() {
        for present in [false, true] {
            let mut below: Vec<String> = Vec::new();
            for size in [4, 8, 16, 32, 64, 128, 256, 512] {
                let rung = names(&ladder(size, present));
                assert_eq!(rung.len(), size as usize);
                assert_eq!(rung.iter().collect::<HashSet<_>>().len(), rung.len());
                assert_eq!(rung.contains(&"create_invoice".to_owned()), present);
                let moved = |name: &&String| **name != "create_invoice" && **name != near();
                let filling: Vec<&String> = rung.iter().filter(moved).collect();
                let before: Vec<&String> = below.iter().filter(moved).collect();
                assert!(filling.starts_with(&before), "{before:?} {filling:?}");
                below = rung.clone();
            }
        }
    }

    #[test]
    fn nothing_in_a_rung_could_do_the_task() {
        let rung = names(&ladder(512, false));
        assert!(!rung.contains(&"bill__make_invoices".to_owned()));
        let far = |name: &&String| !name.contains("invoice") && !name.contains("create");
        assert_eq!(rung.iter().filter(far).count(), 512 - 3);
    }

    #[test]
    fn the_tool_stands_in_its_quarter_with_its_neighbour_beside_it() {
        for size in [4_usize, 8, 64] {
            for quarter in 0..4 {
                for (neighbour, behind) in [(NeighbourPlace::Before, false), (NeighbourPlace::After, true)] {
                    let recipe = Ladder { quarter, neighbour, ..ladder(size as u32, true) };
                    let rung = names(&recipe);
                    let at = rung.iter().position(|name| name == "create_invoice").unwrap();
                    let beside = if behind { at + 1 } else { at - 1 };
                    assert_eq!(rung.get(beside), Some(&near()), "{size} {quarter} {rung:?}");
                    assert!(at.abs_diff((2 * quarter as usize + 1) * size / 8) <= 1, "{size} {quarter} {at}");
                }
            }
        }
    }

    #[test]
    fn another_seed_draws_another_filling() {
        let other = Ladder { seed: 5, ..ladder(64, true) };
        assert_ne!(names(&other), names(&ladder(64, true)));
        assert_eq!(names(&other), names(&other));
    }
}
