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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{ABSENT, DEPOT, expanded, none, stale};

    #[test]
    fn the_task_says_that_it_is_one_and_which_neighbour_it_has() {
        assert!(none(&KIND, ABSENT).contains("do not say"));
        let task = format!("{ABSENT}, kinds: {{ familiar_neighbour: {{ neighbour: drop_parcel }} }}");
        assert_eq!(expanded(&KIND, &task, &DEPOT).probes.len(), 1);
        assert!(stale(&KIND, &task, &["get_parcel"])[0].contains("needs `drop_parcel`"));
    }
}
