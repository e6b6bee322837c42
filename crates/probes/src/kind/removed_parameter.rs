//! The parameter that the request needs is out of the schema: does the model say so, or send it all the same.

use crate::kind::recipe::{argument_of, is_of};
use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault, slug};
use crate::{ArgumentRule, ClaimLine, Need, RateName, RightBehaviour, Task, ToolPatch, ValueOracle};

pub(super) const KIND: Kind = Kind {
    name: "removed_parameter",
    summary: "The whole catalog, with a parameter that the request needs taken out of the wanted tool's schema.",
    isolates: "undeclared keys",
    headline: &[RateName::UnknownTool, RateName::HallucinatedArgument],
    side: &[],
    right: RightBehaviour::SaySo,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let mut recipe = KIND.recipe_with_tool(task, settings)?;
    let argument = removed(task).ok_or("the words give no value that a parameter takes")?;
    recipe.variant = Some(slug(argument));
    recipe.first().patches = vec![ToolPatch {
        tool: task.wanted().unwrap_or_default().into(),
        remove_argument: Some(argument.to_owned()),
        description: None,
        strict: None,
    }];
    recipe.expectation.arguments.retain(|name, _| name == argument || !is_of(name, argument));
    recipe.expectation.arguments.insert(argument.to_owned(), ValueOracle::Absent);
    recipe.needs.push(Need::Declares { argument: argument.to_owned() });
    Ok(vec![recipe])
}

/// The argument that the task names; else the last one whose value the words give.
fn removed(task: &Task) -> Option<&str> {
    if let Some(told) = &task.kinds.removed_parameter {
        return Some(&told.argument);
    }
    let given = task.arguments.iter().filter(|(_, rule)| {
        !matches!(rule, ArgumentRule::Principal(_) | ArgumentRule::Absent | ArgumentRule::AbsentOr(_))
    });
    given.filter_map(|(name, _)| argument_of(name)).rfind(|name| !slug(name).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{DEPOT, NONE, WRITES, expanded, none, recipes, stale};

    #[test]
    fn a_value_that_is_held_part_by_part_loses_them_all() {
        let told = "id: t, user: Ship PX-9., tool: ship_parcel, arguments: { by: Mo, /crate/label: PX-9, /crate/note: absent }";
        let recipes = recipes(&KIND, told).unwrap();
        let left: Vec<&String> = recipes[0].expectation.arguments.keys().collect();
        assert_eq!(left, ["by", "crate"]);
        assert_eq!(recipes[0].variant.as_deref(), Some("crate"));
    }

    #[test]
    fn the_last_value_of_the_words_loses_its_parameter() {
        let expansion = expanded(&KIND, WRITES, &DEPOT);
        let probe = &expansion.probes[0];
        assert_eq!(probe.id().as_str(), "t.removed_parameter.speed");
        let schema = probe.offered[0].tools()[0].input_schema.as_ref().unwrap().as_str();
        assert!(!schema.contains("speed") && schema.contains("note"));
        assert_eq!(probe.expectation.arguments["speed"], ValueOracle::Absent);
    }

    #[test]
    fn a_task_may_choose_and_a_schema_must_declare_it() {
        let told = format!("{WRITES}, kinds: {{ removed_parameter: {{ argument: parcel }} }}");
        assert_eq!(recipes(&KIND, &told).unwrap()[0].variant.as_deref(), Some("parcel"));
        assert!(none(&KIND, NONE).contains("no tool"));
        assert!(none(&KIND, "id: t, user: u, tool: x").contains("no value"));
        let other = "id: t, user: u 4, tool: ship_parcel, arguments: { weight: 4 }";
        assert!(stale(&KIND, other, &DEPOT)[0].contains("not among the schema's own `properties`"));
    }
}
