//! A plan that says that a call happens in this turn: does the model make it, or write about it.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault, wants_a_tool};
use crate::{ClaimLine, RateName, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "required_call",
    summary: "The whole catalog and a prompt whose plan says that the wanted tool is called in this turn.",
    isolates: "prose instead of a call",
    headline: &[RateName::UnknownTool],
    side: &[RateName::PhantomClaim, RateName::MissingCall],
    right: RightBehaviour::Call,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let tool = wants_a_tool(task)?;
    let mut recipe = KIND.recipe_with_tool(task, settings)?;
    let plan = task.kinds.required_call.as_ref().map(|told| told.plan.clone());
    recipe.prompt_suffix = Some(plan.unwrap_or_else(|| {
        format!("Plan for this turn: first call `{tool}` for what the user asks, then tell them how it went.")
    }));
    Ok(vec![recipe])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{NONE, WRITES, none, recipes};

    #[test]
    fn the_plan_owes_the_call() {
        let recipe = recipes(&KIND, WRITES).unwrap().remove(0);
        assert!(recipe.prompt_suffix.unwrap().contains("`ship_parcel`"));
        assert!(recipe.expectation.side.contains(&RateName::MissingCall));
        let told = format!("{WRITES}, kinds: {{ required_call: {{ plan: Ship now. }} }}");
        assert_eq!(recipes(&KIND, &told).unwrap()[0].prompt_suffix.as_deref(), Some("Ship now."));
        assert!(none(&KIND, NONE).contains("no tool"));
    }
}
