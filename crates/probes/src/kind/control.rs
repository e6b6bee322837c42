//! The task as it is: can the model make the call at all.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{ClaimLine, RateName, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "control",
    summary: "The whole catalog and the user's words.",
    isolates: "can it call; false alarms",
    headline: &[RateName::UnknownTool],
    side: &[],
    right: RightBehaviour::Call,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    Ok(vec![KIND.recipe_with_tool(task, settings)?])
}
