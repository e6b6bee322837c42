//! A verb that the catalog's own names suggest and that never existed: create, list and get are there, cancel is
//! not.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault};
use crate::{ClaimLine, RateName, RightBehaviour, Task};

pub(super) const KIND: Kind = Kind {
    name: "sibling_gap",
    summary: "The whole catalog, and a request for a tool that its names suggest and that never existed.",
    isolates: "completeness implied by naming",
    headline: &[RateName::UnknownTool],
    side: &[RateName::MisusedTool],
    right: RightBehaviour::RefuseOrAsk,
    claim: ClaimLine::None,
    reads: AllowedReads::Family,
    stubs: StubDefault::AsTheyAre,
    derive,
};

fn derive(task: &Task, _: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let recipe = KIND.recipe_of_absent_tool(task)?;
    if task.kinds.familiar_neighbour.is_some() && task.kinds.sibling_gap.is_none() {
        return Err("the task says that its absent tool is a familiar neighbour".to_owned());
    }
    Ok(vec![recipe])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::testing::{ABSENT, DEPOT, WRITES, expanded, none, offered, stale};

    #[test]
    fn the_catalog_stays_and_reads_of_the_same_thing_are_allowed() {
        let expansion = expanded(&KIND, ABSENT, &DEPOT);
        assert_eq!(offered(&expansion, 0), DEPOT);
        let expectation = &expansion.probes[0].expectation;
        assert!(!expectation.offered && expectation.tool.as_ref().unwrap().as_str() == "recall_parcel");
        let reads: Vec<_> = expectation.allowed_reads.iter().map(|name| name.as_str()).collect();
        assert_eq!(reads, ["get_parcel", "list_parcels"]);
    }

    #[test]
    fn a_tool_that_exists_leaves_no_gap() {
        assert!(none(&KIND, WRITES).contains("no `absent_tool`"));
        let neighbour = format!("{ABSENT}, kinds: {{ familiar_neighbour: {{}} }}");
        assert!(none(&KIND, &neighbour).contains("familiar neighbour"));
        assert!(stale(&KIND, ABSENT, &["recall_parcel"])[0].contains("never existed"));
        let solved = "id: t, user: Cancel parcel PX-9., absent_tool: cancel_parcel";
        assert!(stale(&KIND, solved, &["void_parcel"])[0].contains("could be solved with `void_parcel`"));
        let listed = format!("{solved}, substitutes: [void_parcel]");
        assert_eq!(stale(&KIND, &listed, &["void_parcel"]), [""; 0]);
    }
}
