//! From questions to probes: what each offers on one catalog beside one prompt, or why it is stale.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;
use transcript::{Fingerprint, Message, ProbeId, Tool, ToolName};

use crate::arm;
use crate::near_name;
use crate::offer::{Offer, Offers};
use crate::probe::system;
use crate::stale::{Holds, Staleness};
use crate::{
    ArmSettings, Catalog, CatalogEdits, Derived, Expectation, Neutral, Offered, Probe, Prompt, Question,
    Skipped,
};

/// The probes of a suite on one catalog and prompt.
#[derive(Debug, Clone)]
pub struct Expansion {
    /// The probes, in the order of the questions.
    pub probes: Vec<Arc<Probe>>,
    /// Questions that give no probe on this catalog, with the reason.
    pub stale: Vec<(ProbeId, String)>,
    /// Tasks that yield no probe of a kind, because they or their tool lack what it needs.
    pub skipped: Vec<Skipped>,
}

/// Puts the questions of a suite to a catalog and a prompt.
#[must_use]
pub fn expand(derived: &Derived, catalog: &Arc<Catalog>, prompt: Option<&Arc<Prompt>>) -> Expansion {
    let mut offers = Offers::new(catalog.tools());
    let mut staleness = Staleness::new(catalog);
    let mut expansion = Expansion { probes: Vec::new(), stale: Vec::new(), skipped: derived.skipped.clone() };
    for question in &derived.questions {
        match staleness.holds(question) {
            Holds::Yes => expansion.probes.push(Arc::new(probe(question, catalog, prompt, &mut offers))),
            Holds::Stale(reason) => expansion.stale.push((question.id.clone(), reason)),
            Holds::NotAsked(reason) => {
                let (task, kind) = (question.task.clone(), question.kind.clone());
                expansion.skipped.push(Skipped { task, kind, reason });
            }
        }
    }
    expansion
}

fn probe(
    question: &Arc<Question>,
    catalog: &Arc<Catalog>,
    prompt: Option<&Arc<Prompt>>,
    offers: &mut Offers,
) -> Probe {
    let of_steps: Vec<Offer> = question.steps.iter().map(|step| offers.of(&step.catalog)).collect();
    let sent_hash = sent_hash(question, prompt.map(AsRef::as_ref), &of_steps);
    let offered: Vec<Offered> = of_steps.into_iter().map(|offer| offer.offered).collect();
    let named = named_offer(question, offers);
    let mut expectation = on_catalog(&question.expectation, catalog, named.as_ref().or(offered.last()));
    let mut question = question.clone();
    if named.is_some() {
        arm::expect_neutral(&mut expectation);
        arm::script_neutral(&mut Arc::make_mut(&mut question).script);
    }
    // Most catalogs add nothing to most questions.
    let same = *question.expectation == expectation;
    let expectation = if same { Arc::clone(&question.expectation) } else { Arc::new(expectation) };
    let (prompt, catalog) = (prompt.cloned(), catalog.clone());
    Probe { question, prompt, catalog, offered, expectation, sent_hash }
}

/// What the last step offers by its own names, where it is offered by neutral ones: what a tool is for shows in
/// its name.
fn named_offer(question: &Question, offers: &mut Offers) -> Option<Offered> {
    let last = question.steps.last().filter(|step| step.catalog.neutral == Some(Neutral::Names))?;
    Some(offers.of(&CatalogEdits { neutral: None, ..last.catalog.clone() }).offered)
}

/// The expectation with what the catalog adds: whether the tool is offered, and which reads are allowed. Both
/// as the last step has them, which is the one that is judged.
fn on_catalog(expectation: &Expectation, catalog: &Catalog, last: Option<&Offered>) -> Expectation {
    let mut expectation = expectation.clone();
    let Some(offered) = last else { return expectation };
    // A few names: for them the list is looked through, which makes no lookup of its own.
    let is_offered = |name: &ToolName| offered.tools().iter().any(|tool| tool.name == *name);
    expectation.offered = expectation.tool.as_ref().is_some_and(is_offered);
    expectation.allowed_reads.retain(is_offered);
    let wanted = expectation.tool.clone().filter(|_| expectation.family_reads);
    if let Some(wanted) = wanted {
        let families = families(&wanted, catalog);
        let mut allowed: HashSet<ToolName> = expectation.allowed_reads.iter().cloned().collect();
        for tool in offered.tools() {
            let is_sibling = families.contains(tool.family()) && tool.name != wanted;
            if is_sibling && near_name::reads(tool) && allowed.insert(tool.name.clone()) {
                expectation.allowed_reads.push(tool.name.clone());
            }
        }
    }
    expectation
}

/// The families that a tool belongs to: its own, or those of the tools that work on the same thing where the
/// catalog never had it.
fn families<'c>(wanted: &ToolName, catalog: &'c Catalog) -> HashSet<&'c str> {
    match catalog.get(wanted.as_str()) {
        Some(tool) => HashSet::from([tool.family()]),
        None => {
            let same = |tool: &&Arc<Tool>| near_name::shares_object(tool.name.as_str(), wanted.as_str());
            catalog.tools().iter().filter(same).map(|tool| tool.family()).collect()
        }
    }
}

/// The hash over what is sent: prompt, messages, tools in order, arm settings.
fn sent_hash(question: &Question, prompt: Option<&Prompt>, offers: &[Offer]) -> Fingerprint {
    #[derive(Serialize)]
    struct Sent<'a> {
        system: Option<String>,
        steps: Vec<(&'a [Message], &'a Fingerprint)>,
        settings: &'a ArmSettings,
    }
    let steps = question.steps.iter().zip(offers);
    Fingerprint::of_json(&Sent {
        system: system(prompt, question.prompt_suffix.as_deref()),
        steps: steps.map(|(step, offer)| (step.messages.as_slice(), &offer.hash)).collect(),
        settings: &question.settings,
    })
}

#[cfg(test)]
mod tests {
    use transcript::RawJson;

    use super::*;
    use crate::{RateName, Suite, derive_questions};

    const SUITE: &str = "
toolmirage: suite/1
name: depot
version: 1
seed: 5
catalog: x
principal: { user: m_17 }
kinds: [control, no_tool_needed, decoy, lookalike, optional_argument, missing_argument, overclaimed_prompt]
tasks:
  - id: ship
    user: Ship parcel PX-9 for 12 CHF.
    tool: ship_parcel
    arguments: { parcel_id: PX-9, price: 12, clerk: { principal: user } }
    missing_argument: { parcel_id: Ship the parcel for 12 CHF. }
    substitutes: [send_crate]
    read_only: [read_rates, gone_tool]
  - { id: greet, user: What does CHF mean?, tool: none }
";

    fn tool(name: &str, family: &str, schema: &str) -> Tool {
        let mut tool = Tool::named(name);
        tool.family = Some(family.into());
        tool.input_schema = Some(RawJson::parse(schema).unwrap());
        tool
    }

    fn catalog(more: Vec<Tool>) -> Arc<Catalog> {
        let schema = r#"{"type":"object","properties":{"parcel_id":{},"price":{},"clerk":{},"note":{}},"required":["parcel_id","price"]}"#;
        let mut tools = vec![
            tool("ship_parcel", "parcels", schema),
            tool("send_crate", "crates", schema),
            tool("get_parcel", "parcels", "{}"),
            tool("drop_parcel", "parcels", "{}"),
            tool("read_rates", "rates", "{}"),
        ];
        tools.extend(more);
        Arc::new(Catalog::new("depot/1", tools.into_iter().map(Arc::new).collect()).unwrap())
    }

    fn suite() -> Suite {
        serde_yaml::from_str(SUITE).unwrap()
    }

    fn probe_of<'a>(expansion: &'a Expansion, id: &str) -> &'a Probe {
        let found = expansion.probes.iter().find(|probe| probe.id().as_str() == id);
        found.unwrap_or_else(|| panic!("no probe {id}"))
    }

    #[test]
    fn every_kind_becomes_its_probe() {
        let expansion = expand(&derive_questions(&suite()), &catalog(vec![]), None);
        assert!(expansion.stale.is_empty(), "{:?}", expansion.stale);
        let ids: Vec<_> = expansion.probes.iter().map(|probe| probe.id().to_string()).collect();
        let rule = ids[2].split('.').nth(2).unwrap();
        assert_eq!(
            ids,
            [
                "ship.control".to_owned(),
                "ship.decoy".to_owned(),
                format!("ship.lookalike.{rule}.decoy-first"),
                format!("ship.lookalike.{rule}.tool-first"),
                "ship.optional_argument".to_owned(),
                "ship.missing_argument.parcel-id".to_owned(),
                "ship.overclaimed_prompt".to_owned(),
                "ship.overclaimed_prompt@overclaimed".to_owned(),
                "greet.no_tool_needed".to_owned(),
            ]
        );
        assert_eq!(expansion.skipped.len(), 1 + 6);
    }

    #[test]
    fn a_decoy_leaves_tool_and_substitutes_out_and_allows_reads_of_the_family() {
        let expansion = expand(&derive_questions(&suite()), &catalog(vec![]), None);
        let decoy = probe_of(&expansion, "ship.decoy");
        let names: Vec<_> = decoy.offered[0].tools().iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["get_parcel", "drop_parcel", "read_rates"]);
        let reads: Vec<_> = decoy.expectation.allowed_reads.iter().map(ToolName::as_str).collect();
        assert_eq!(reads, ["read_rates", "get_parcel"]);
        assert!(!decoy.expectation.offered);
        let control = probe_of(&expansion, "ship.control");
        assert!(control.expectation.offered);
        assert_eq!(control.expectation.allowed_reads.len(), 1);
        let missing = probe_of(&expansion, "ship.missing_argument.parcel-id");
        assert_eq!(missing.expectation.missing, ["parcel_id"]);
        assert!(!missing.expectation.arguments.contains_key("parcel_id"));
    }

    #[test]
    fn hashes_follow_what_they_cover() {
        let derived = derive_questions(&suite());
        let (one, other) = (catalog(vec![]), catalog(vec![tool("extra", "x", "{}")]));
        let prompt = |text: &str| Arc::new(crate::Prompt::new("p", text));
        let sent = |catalog, prompt: Option<&Arc<Prompt>>| {
            probe_of(&expand(&derived, catalog, prompt), "ship.control").sent_hash.clone()
        };
        assert_eq!(sent(&one, None), sent(&one, None));
        assert_ne!(sent(&one, None), sent(&other, None));
        assert_ne!(sent(&one, None), sent(&one, Some(&prompt("a"))));
        assert_ne!(sent(&one, Some(&prompt("a"))), sent(&one, Some(&prompt("b"))));
        let mut changed = suite();
        changed.tasks[0].must_pass = vec!["control".into()];
        changed.tasks[0].draft = true;
        assert_eq!(derive_questions(&changed).hash(), derived.hash());
        changed.tasks[0].user.push('!');
        assert_ne!(derive_questions(&changed).hash(), derived.hash());
        changed = suite();
        changed.clock = Some("2027-01-14T10:30:00+01:00".into());
        assert_ne!(derive_questions(&changed).hash(), derived.hash());
    }

    #[test]
    fn a_task_has_a_prompt_of_its_own_and_may_offer_nothing() {
        let mut suite = suite();
        suite.tasks[1].offers = Some(Vec::new());
        suite.tasks[1].system = Some("Be brief.".into());
        let prompt = Arc::new(crate::Prompt::new("p", "You help."));
        let expansion = expand(&derive_questions(&suite), &catalog(vec![]), Some(&prompt));
        let greet = probe_of(&expansion, "greet.no_tool_needed");
        assert!(greet.offered[0].tools().is_empty());
        assert!(
            greet.system().unwrap().ends_with("Be brief.")
                && greet.system().unwrap().starts_with("You help.")
        );
        assert!(!probe_of(&expansion, "ship.control").offered[0].tools().is_empty());
    }

    #[test]
    fn what_may_be_absent_is_left_open_by_the_words() {
        let mut suite = suite();
        let rule = crate::ArgumentRule::AbsentOr(vec!["none".into()]);
        suite.tasks[0].arguments.insert("note".into(), rule);
        let expansion = expand(&derive_questions(&suite), &catalog(vec![]), None);
        assert!(probe_of(&expansion, "ship.optional_argument").expectation.arguments["note"].may_be_absent());
        suite.tasks[0].arguments.insert("note".into(), crate::ArgumentRule::OneOf(vec!["none".into()]));
        suite.tasks[0].arguments.insert("clerk".into(), crate::ArgumentRule::Equals("m_17".into()));
        let expansion = expand(&derive_questions(&suite), &catalog(vec![]), None);
        assert!(expansion.probes.iter().all(|probe| probe.id().as_str() != "ship.optional_argument"));
    }

    #[test]
    fn a_part_that_may_be_absent_is_left_open_and_an_item_is_not() {
        let mut suite = suite();
        suite.tasks[0].arguments.insert("clerk".into(), crate::ArgumentRule::Equals("m_17".into()));
        suite.tasks[0].arguments.insert("note".into(), crate::ArgumentRule::Equals("none".into()));
        let asked = |suite: &Suite| {
            let expansion = expand(&derive_questions(suite), &catalog(vec![]), None);
            assert!(expansion.stale.is_empty(), "{:?}", expansion.stale);
            expansion.probes.iter().any(|probe| probe.id().as_str() == "ship.optional_argument")
        };
        suite.tasks[0].arguments.insert("/note/1".into(), crate::ArgumentRule::Absent);
        assert!(!asked(&suite));
        suite.tasks[0].arguments.insert("/note/0/why".into(), crate::ArgumentRule::Absent);
        assert!(asked(&suite));
    }

    #[test]
    fn arms_share_a_question_but_for_the_claim() {
        let expansion = expand(&derive_questions(&suite()), &catalog(vec![]), None);
        let base = probe_of(&expansion, "ship.overclaimed_prompt");
        let treatment = probe_of(&expansion, "ship.overclaimed_prompt@overclaimed");
        assert_eq!(base.system(), None);
        assert!(treatment.system().unwrap().contains("`ship_parcel`"));
        assert!(base.expectation.headline.is_empty());
        assert_eq!(treatment.expectation.side, [RateName::MisusedTool]);
        assert_ne!(base.sent_hash, treatment.sent_hash);
        assert_eq!(base.sent_hash, probe_of(&expansion, "ship.decoy").sent_hash);
    }

    #[test]
    fn equal_edits_share_what_they_offer() {
        let mut suite = suite();
        let twin = suite.tasks[0].clone();
        suite.tasks.push(crate::Task { id: "ship-2".into(), ..twin });
        let expansion = expand(&derive_questions(&suite), &catalog(vec![]), None);
        let tools = |id: &str| probe_of(&expansion, id).offered[0].tools().as_ptr();
        assert_eq!(tools("ship.decoy"), tools("ship-2.decoy"));
        assert_eq!(tools("ship.control"), tools("ship-2.missing_argument.parcel-id"));
        assert_ne!(tools("ship.control"), tools("ship.decoy"));
    }
}
