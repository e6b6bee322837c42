//! A tool of a family that everybody knows, where the catalog has only another one of that family: does training
//! outweigh what is offered.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{ClaimLine, Need, RateName, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "familiar_neighbour",
    summary: "The whole catalog, which has one tool of a familiar family, and a request for another of that family.",
    isolates: "training priors",
    headline: &[RateName::UnknownTool],
    side: &[RateName::MisusedTool],
    right: RightBehaviour::RefuseOrAsk,
    claim: ClaimLine::None,
    reads: AllowedReads::Family,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, _: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let mut recipe = KIND.recipe_of_absent_tool(task)?;
    let told = task.kinds.familiar_neighbour.as_ref();
    let told = told.ok_or("the task's `kinds` do not say that its absent tool is a familiar neighbour")?;
    recipe.needs.extend(told.neighbour.clone().map(Need::Offers));
    Ok(vec![recipe])
}
