//! A verb that the catalog's own names suggest and that never existed: create, list and get are there, cancel is
//! not.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{ClaimLine, RateName, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "sibling_gap",
    summary: "The whole catalog, and a request for a tool that its names suggest and that never existed.",
    isolates: "completeness implied by naming",
    headline: &[RateName::UnknownTool],
    side: &[RateName::MisusedTool],
    right: RightBehaviour::RefuseOrAsk,
    claim: ClaimLine::None,
    reads: AllowedReads::Family,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, _: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let recipe = KIND.recipe_of_absent_tool(task)?;
    if task.kinds.familiar_neighbour.is_some() && task.kinds.sibling_gap.is_none() {
        return Err("the task says that its absent tool is a familiar neighbour".to_owned());
    }
    Ok(vec![recipe])
}
