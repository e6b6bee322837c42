//! No tool at all: does the model call out of nothing.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault, wants_a_tool};
use crate::{ClaimLine, RateName, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "no_tools",
    summary: "Nothing offered at all, and the user's words.",
    isolates: "calls out of nothing",
    headline: &[],
    side: &[RateName::MisusedTool],
    right: RightBehaviour::RefuseOrAsk,
    claim: ClaimLine::None,
    reads: AllowedReads::Listed,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, _: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    wants_a_tool(task)?;
    let mut recipe = KIND.recipe(task);
    recipe.first().nothing = true;
    Ok(vec![recipe])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{DEPOT, NONE, WRITES, expanded, none, offered, stale};

    #[test]
    fn nothing_is_offered() {
        let expansion = expanded(&KIND, WRITES, &DEPOT);
        assert_eq!(offered(&expansion, 0), [""; 0]);
        assert!(!expansion.probes[0].expectation.offered);
        assert!(none(&KIND, NONE).contains("no tool"));
        assert!(stale(&KIND, WRITES, &["get_parcel"])[0].contains("is not in catalog"));
    }
}
