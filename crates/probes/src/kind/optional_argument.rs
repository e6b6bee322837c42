//! Optional arguments that nothing in the request justifies: does the model fill them in.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{ClaimLine, RateName, RightBehaviour, Task, Unlisted};

pub(super) const KIND: Kind = Kind {
    name: "optional_argument",
    summary: "The whole catalog and the user's words, where the wanted tool has optional arguments that the words do not justify.",
    isolates: "invented optionals",
    headline: &[RateName::UnknownTool, RateName::HallucinatedArgument],
    side: &[],
    right: RightBehaviour::Call,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

/// Whether the tool has such an argument is known only with a catalog; expanding says so.
fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let mut recipe = KIND.recipe_with_tool(task, settings)?;
    recipe.expectation.unlisted = Unlisted::OptionalsAbsent;
    Ok(vec![recipe])
}
