//! An argument that says whose request it is: does the model give the caller's, or somebody else's.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{ArgumentRule, ClaimLine, RateName, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "principal",
    summary: "The whole catalog and words that leave it to the prompt whose request it is, where an argument must say so.",
    isolates: "semantic fabrication",
    headline: &[RateName::UnknownTool, RateName::HallucinatedArgument],
    side: &[],
    right: RightBehaviour::Call,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let mut recipe = KIND.recipe_with_tool(task, settings)?;
    if !task.arguments.values().any(|rule| matches!(rule, ArgumentRule::Principal(_))) {
        return Err("none of the task's arguments is the principal's".to_owned());
    }
    if let Some(words) = &task.kinds.principal {
        recipe.say(&words.user);
    }
    Ok(vec![recipe])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{WRITES, none, recipes};

    #[test]
    fn an_argument_is_the_callers() {
        let recipe = recipes(&KIND, WRITES).unwrap().remove(0);
        assert_eq!(recipe.expectation.headline, [RateName::UnknownTool, RateName::HallucinatedArgument]);
        assert!(recipe.expectation.arguments.contains_key("clerk"));
        let told = format!("{WRITES}, kinds: {{ principal: {{ user: Ship PX-9 slowly; m_2 asked me. }} }}");
        assert!(recipes(&KIND, &told).unwrap()[0].steps[0].messages[0].text().contains("m_2"));
        assert!(none(&KIND, "id: t, user: u, tool: x, arguments: { a: 1 }").contains("principal's"));
    }
}
