//! A tool that comes or goes while the conversation runs: called while it is there, and not once it is gone.

use crate::kind::recipe::tool_and_substitutes;
use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{CatalogEdits, ClaimLine, RightBehaviour, StaleOrder, Task};

pub(super) const KIND: Kind = Kind {
    name: "stale_tool",
    summary: "Two requests in one conversation: the tool is offered, then gone; and held out, then offered again.",
    isolates: "removed tools",
    headline: &[],
    side: &[],
    right: RightBehaviour::RefuseOrAsk,
    claim: ClaimLine::None,
    reads: AllowedReads::Family,
    stubs: StubDefault::AsTheyAre,
    derive,
};

/// The second message where the tool is gone, if the task has none.
const AGAIN: &str = "Thanks. Please do exactly the same once more.";
/// The second message where the tool is offered again, if the task has none.
const BACK: &str = "You should have what you need for it by this time. Please do it, exactly as I asked.";

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let words = task.kinds.stale_tool.clone().unwrap_or_default();
    let out = CatalogEdits { without: tool_and_substitutes(task), ..CatalogEdits::default() };
    let mut gone = KIND.recipe_with_tool(task, settings)?;
    gone.variant = Some("gone".to_owned());
    gone.then(words.again.as_deref().unwrap_or(AGAIN), out.clone());
    gone.expectation.offered = false;
    gone.expectation.earlier_right = vec![RightBehaviour::Call];
    let mut back = KIND.recipe_with_tool(task, settings)?;
    back.variant = Some("offered-again".to_owned());
    *back.first() = out;
    back.then(words.back.as_deref().unwrap_or(BACK), CatalogEdits::default());
    back.expectation.right = RightBehaviour::Call;
    back.expectation.earlier_right = vec![RightBehaviour::RefuseOrAsk];
    Ok(match words.only {
        None => vec![gone, back],
        Some(StaleOrder::Gone) => vec![gone],
        Some(StaleOrder::OfferedAgain) => vec![back],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{DEPOT, NONE, WRITES, expanded, none, offered, recipes, stale};

    #[test]
    fn the_tool_goes_and_the_tool_comes_back() {
        let expansion = expanded(&KIND, WRITES, &DEPOT);
        let (gone, back) = (&expansion.probes[0], &expansion.probes[1]);
        assert_eq!(offered(&expansion, 0), DEPOT);
        assert!(!offered(&expansion, 1).iter().any(|name| name == "ship_parcel" || name == "send_crate"));
        assert_eq!(gone.expectation.earlier_right, [RightBehaviour::Call]);
        assert_eq!(gone.expectation.right, RightBehaviour::RefuseOrAsk);
        assert_eq!(back.expectation.earlier_right, [RightBehaviour::RefuseOrAsk]);
        assert!(back.expectation.offered && !gone.expectation.offered);
        assert!(back.offered[0].get("ship_parcel").is_none() && back.offered[1].get("ship_parcel").is_some());
    }

    #[test]
    fn the_second_message_may_be_the_tasks_own() {
        let told = format!("{WRITES}, kinds: {{ stale_tool: {{ again: And PX-10 too. }} }}");
        let recipes = recipes(&KIND, &told).unwrap();
        assert_eq!(recipes[0].steps[1].messages[0].text(), "And PX-10 too.");
        assert_eq!(recipes[1].steps[1].messages[0].text(), BACK);
        let again = format!("{WRITES}, kinds: {{ stale_tool: {{ only: offered-again }} }}");
        let ids: Vec<_> = super::super::testing::recipes(&KIND, &again).unwrap();
        assert!(ids.len() == 1 && ids[0].variant.as_deref() == Some("offered-again"));
        assert!(none(&KIND, NONE).contains("no tool"));
        let solved = stale(&KIND, WRITES, &["ship_parcel", "send_parcel", "deliver_parcels"]);
        assert!(solved.is_empty() || solved.iter().all(|reason| reason.contains("could be solved")));
    }
}
