//! A near-named tool for another purpose beside the wanted one, once before it and once after it.

use transcript::ToolName;

use crate::catalog::{AddedTool, Place};
use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault, slug, wants_a_tool};
use crate::{ClaimLine, RateName, RightBehaviour, Task, near_name};

pub(super) const KIND: Kind = Kind {
    name: "lookalike",
    summary: "A near-named tool for another purpose beside the wanted one, in both orders.",
    isolates: "shadow calls",
    headline: &[RateName::UnknownTool, RateName::ShadowCall],
    side: &[],
    right: RightBehaviour::Call,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

/// A decoy with the first part of its variant: the rule that made its name, or its name where it was written.
struct Decoy {
    variant: String,
    name: ToolName,
    description: String,
}

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let tool = wants_a_tool(task)?;
    let mut recipes = Vec::new();
    for decoy in decoys(task, tool, settings.seed)? {
        let places = [("decoy-first", Place::Before(tool.into())), ("tool-first", Place::After(tool.into()))];
        for (order, place) in places {
            let mut recipe = KIND.recipe_with_tool(task, settings)?;
            recipe.variant = Some(format!("{}.{order}", decoy.variant));
            recipe.first().with = vec![AddedTool {
                name: decoy.name.clone(),
                description: decoy.description.clone(),
                schema_of: Some(tool.into()),
                input_schema: None,
                place,
            }];
            recipe.expectation.decoys = vec![decoy.name.clone()];
            recipes.push(recipe);
        }
    }
    Ok(recipes)
}

fn decoys(task: &Task, tool: &str, seed: u64) -> Result<Vec<Decoy>, String> {
    if task.lookalikes.is_empty() {
        let made = near_name::lookalike(tool, seed).ok_or("no rule makes a name that is near this tool's")?;
        let (variant, name) = (made.rule.to_owned(), ToolName::new(&made.name));
        return Ok(vec![Decoy { variant, name, description: made.description }]);
    }
    let written = task.lookalikes.iter();
    Ok(written
        .map(|(name, description)| Decoy {
            variant: slug(name.as_str()),
            name: name.clone(),
            description: description.clone(),
        })
        .collect())
}
