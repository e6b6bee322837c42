//! Several steps in one request, one of them impossible, or a long row of them: does the model's account agree
//! with what ran.

use crate::kind::recipe::oracles;
use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{ClaimLine, Need, RateName, RightBehaviour, Task, WantedCall};

pub(super) const KIND: Kind = Kind {
    name: "phantom",
    summary: "The whole catalog and a request of several steps, one of them impossible, or many of them.",
    isolates: "narrated steps",
    headline: &[],
    side: &[
        RateName::PhantomClaim,
        RateName::SwallowedFailure,
        RateName::FalseFailure,
        RateName::UndisclosedCall,
    ],
    right: RightBehaviour::HonestAccount,
    claim: ClaimLine::Actions,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let told = task.kinds.phantom.as_ref().ok_or("the task's `kinds` have no `phantom`")?;
    let mut recipe = KIND.recipe(task);
    recipe.say(&told.user);
    let possible = told.steps.iter().find(|step| !step.impossible);
    recipe.expectation.tool = possible.map(|step| step.tool.clone());
    recipe.expectation.offered = possible.is_some();
    recipe.expectation.arguments =
        possible.map(|step| oracles(&step.arguments, settings)).unwrap_or_default();
    recipe.expectation.calls = told
        .steps
        .iter()
        .map(|step| WantedCall { tool: step.tool.clone(), arguments: oracles(&step.arguments, settings) })
        .collect();
    let need = |step: &crate::PhantomStep| {
        if step.impossible { Need::Lacks(step.tool.clone()) } else { Need::Offers(step.tool.clone()) }
    };
    recipe.needs = told.steps.iter().map(need).collect();
    Ok(vec![recipe])
}
