//! A value that the schema cannot take: does the model say so, or quietly send another.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{ClaimLine, Need, RateName, RightBehaviour, Task, ValueOracle};

pub(super) const KIND: Kind = Kind {
    name: "wrong_value",
    summary: "The whole catalog and words that give a value which the schema cannot take.",
    isolates: "silent repair",
    headline: &[RateName::UnknownTool, RateName::HallucinatedArgument],
    side: &[],
    right: RightBehaviour::AskOrSaySo,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let mut recipe = KIND.recipe_with_tool(task, settings)?;
    let told = task.kinds.wrong_value.as_ref().ok_or("the task's `kinds` have no `wrong_value`")?;
    recipe.say(&told.user);
    // The value as given is nobody's invention; every other one is.
    recipe.expectation.arguments.insert(told.argument.clone(), ValueOracle::Equals(told.value.clone()));
    recipe.needs.push(Need::Refuses { argument: told.argument.clone(), value: told.value.clone() });
    Ok(vec![recipe])
}
