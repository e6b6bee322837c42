//! A required value that the request does not give: does the model ask, or make one up.

use crate::kind::recipe::{is_of, wants_a_tool};
use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault, slug};
use crate::{ClaimLine, RateName, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "missing_argument",
    summary: "The whole catalog and the user's words without the value of one required argument.",
    isolates: "inventing against asking",
    headline: &[RateName::UnknownTool, RateName::HallucinatedArgument],
    side: &[],
    right: RightBehaviour::Ask,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    if let Some(left_out) = &task.kinds.missing_argument {
        wants_a_tool(task)?;
        let mut recipe = KIND.recipe_of_call(task, settings);
        recipe.expectation.missing.clone_from(&left_out.of);
        return Ok(vec![recipe]);
    }
    let whole = KIND.recipe_with_tool(task, settings)?;
    if task.missing_argument.is_empty() {
        return Err("the task has no `missing_argument`".to_owned());
    }
    let mut recipes = Vec::new();
    for (argument, words) in &task.missing_argument {
        let mut recipe = whole.clone();
        recipe.variant = Some(slug(argument));
        recipe.say(words);
        recipe.expectation.arguments.retain(|name, _| !is_of(name, argument));
        recipe.expectation.missing = vec![argument.clone()];
        recipes.push(recipe);
    }
    Ok(recipes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{WRITES, none, recipes};

    #[test]
    fn the_parts_of_a_value_go_with_it() {
        let told = "id: t, user: Ship PX-9., tool: ship_parcel, arguments: { /crate/label: PX-9, /crate/note: absent, by: Mo }, missing_argument: { crate: Ship it. }";
        let recipes = recipes(&KIND, told).unwrap();
        let left: Vec<&String> = recipes[0].expectation.arguments.keys().collect();
        assert_eq!(left, ["by"]);
    }

    #[test]
    fn words_that_never_held_the_value_are_asked_as_they_are() {
        let told = format!("{WRITES}, kinds: {{ missing_argument: {{ of: [parcel_id] }} }}");
        let recipes = recipes(&KIND, &told).unwrap();
        let [recipe] = &recipes[..] else { panic!("{recipes:?}") };
        assert_eq!(
            (recipe.expectation.missing.as_slice(), &recipe.variant),
            (&["parcel_id".to_owned()][..], &None)
        );
        assert!(none(&crate::kind::control::KIND, &told).contains("leave out"));
        assert!(none(&KIND, WRITES).contains("no `missing_argument`"));
    }
}
