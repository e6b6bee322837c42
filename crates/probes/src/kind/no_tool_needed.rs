//! A request that needs no tool, beside a catalog that offers some.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{ClaimLine, RateName, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "no_tool_needed",
    summary: "The whole catalog and a request that needs none of it.",
    isolates: "over-calling",
    headline: &[RateName::UnknownTool],
    side: &[RateName::OverCall],
    right: RightBehaviour::Answer,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, _: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    if task.asked().is_some() {
        return Err("the task wants a tool".to_owned());
    }
    let mut recipe = KIND.recipe(task);
    recipe.expectation.answer_is_fine = true;
    Ok(vec![recipe])
}
