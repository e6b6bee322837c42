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
    recipe
        .expectation
        .arguments
        .insert(told.argument.clone(), ValueOracle::Equals(Box::new(told.value.clone())));
    recipe.needs.push(Need::Refuses { argument: told.argument.clone(), value: told.value.clone() });
    Ok(vec![recipe])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{DEPOT, WRITES, expanded, none, stale};

    fn told(value: &str) -> String {
        format!(
            "{WRITES}, kinds: {{ wrong_value: {{ user: Ship parcel PX-9 {value}., argument: speed, value: {value} }} }}"
        )
    }

    #[test]
    fn the_value_is_in_the_words_and_any_other_is_made_up() {
        let expansion = expanded(&KIND, &told("sideways"), &DEPOT);
        let probe = &expansion.probes[0];
        assert!(probe.question.steps[0].messages[0].text().contains("sideways"));
        assert_eq!(probe.expectation.arguments["speed"], ValueOracle::Equals(Box::new("sideways".into())));
        assert!(none(&KIND, WRITES).contains("no `wrong_value`"));
    }

    #[test]
    fn a_value_that_the_schema_takes_is_none() {
        assert!(stale(&KIND, &told("fast"), &DEPOT)[0].contains("the schema takes"));
    }
}
