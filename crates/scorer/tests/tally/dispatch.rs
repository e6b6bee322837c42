use indexmap::IndexMap;
use scorer::{Behaviour, Class, DispatchOutcome, RoutedTo, Scorecard, Surface};
use transcript::ToolName;

use crate::by_hand::*;

/// Three unknown calls: a slip of the wanted tool, one of another tool's name, and one that nothing is near.
fn card() -> Scorecard {
    let mut wanted = probe("lamp.control");
    wanted.offered = vec![offered(&["lamp_run", "lamp_list", "oven_get"])];
    let probes = [wanted, probe("oven.decoy"), probe("bell.decoy"), probe("oven.decoy@strict")];
    let calls = ["LAMP_RUN", "lamp_lists", "zap"];
    let mut left = tally(&probes, 1);
    let right = left.fork();
    let mut right =
        [(1, "oven_gets"), (2, "zap"), (3, "lamp_lists")].into_iter().fold(right, |mut right, (at, name)| {
            let trial = inventing(&probes[at], vec![unknown(name, None, None)]);
            right.add(&probes[at].id, 0, &trial, UNREPORTED);
            right
        });
    let first = inventing(&probes[0], calls.iter().map(|name| unknown(name, None, None)).collect());
    left.add(&probes[0].id, 0, &first, UNREPORTED);
    // A call in text is no call that a dispatcher sees.
    let mut written = unknown("oven_gets", None, None);
    written.surface = Surface::Content;
    right.add(&probes[1].id, 0, &inventing(&probes[1], vec![written]), UNREPORTED);
    left.merge(right).finish()
}

fn row<'a>(card: &'a Scorecard, policy: &str) -> &'a DispatchOutcome {
    card.dispatch.iter().find(|row| row.policy == policy).unwrap()
}

#[test]
fn unknown_calls_are_raised_repaired_or_sent_elsewhere_and_sum_up() {
    let card = card();
    for row in &card.dispatch {
        assert_eq!(row.unknown_calls, 5, "{}", row.policy);
        assert_eq!(row.raised + row.repaired + row.other, 5, "{}", row.policy);
        assert_eq!(row.other_tools.iter().map(|routed| routed.calls).sum::<u64>(), row.other);
    }
    assert_eq!((row(&card, "strict").raised, row(&card, "strict").absorbed()), (5, 0));
    let by_case = row(&card, "case_insensitive");
    assert_eq!((by_case.raised, by_case.repaired, by_case.other), (4, 1, 0));
    let closest = row(&card, "closest_match@0.85");
    assert_eq!((closest.raised, closest.repaired, closest.other), (2, 1, 2));
    let routed = |tool: &str| RoutedTo { tool: ToolName::new(tool), calls: 1 };
    assert_eq!(closest.other_tools, [routed("lamp_list"), routed("oven_get")]);
    assert_eq!(closest.cutoff, Some(0.85));
}

#[test]
fn a_repair_reaches_the_tool_meant_also_where_only_its_name_says_so() {
    let probes = [probe("oven.decoy")];
    let mut tally = tally(&probes, 1);
    let mut slip = unknown("Lamp_Get", None, None);
    slip.intended_tool = Some(ToolName::new("lamp_get"));
    tally.add(&probes[0].id, 0, &inventing(&probes[0], vec![slip]), UNREPORTED);
    let card = tally.finish();
    assert_eq!(row(&card, "case_insensitive").repaired, 1);
    assert_eq!(card.invented[0].would_run, Some(ToolName::new("lamp_get")));
}

#[test]
fn without_an_unknown_call_there_is_no_table() {
    let probes = [probe("oven.decoy")];
    let mut tally = tally(&probes, 1);
    tally.add(&probes[0].id, 0, &clean(&probes[0]), UNREPORTED);
    assert!(tally.finish().dispatch.is_empty());
}

#[test]
fn tool_correctness_is_split_by_what_explains_its_misses() {
    let probes = [
        probe("lamp.control"),
        probe("oven.control"),
        probe("bell.control"),
        probe("gate.control"),
        probe("oven.decoy"),
        probe("bell.decoy"),
        probe("bell.decoy@strict"),
    ];
    let mut tally = tally(&probes, 1);
    let calling = |at: usize, names: &[(&str, Class)], behaviour| {
        let mut verdict = clean(&probes[at]);
        verdict.turns.insert(0, turn(names.iter().map(|&(name, class)| call(name, class)).collect()));
        verdict.behaviour = behaviour;
        verdict
    };
    let trials = [
        (0, calling(0, &[("lamp_run", Class::Ok)], Behaviour::Right)),
        // Called, with a look around before it: right by name, not exactly.
        (1, calling(1, &[("lamp_get", Class::Ok), ("oven_run", Class::Ok)], Behaviour::Right)),
        (2, calling(2, &[("bell_run", Class::HallucinatedArgument)], Behaviour::Wrong)),
        (3, calling(3, &[], Behaviour::Wrong)),
        (4, calling(4, &[], Behaviour::Right)),
        (5, inventing(&probes[5], vec![unknown("bell_ring", None, None)])),
        (6, inventing(&probes[6], vec![unknown("bell_ring", None, None)])),
    ];
    for (at, verdict) in &trials {
        tally.add(&probes[*at].id, 0, verdict, UNREPORTED);
    }
    let card = tally.finish();
    let rows: Vec<_> =
        card.tool_correctness.iter().map(|r| (r.definition.as_str(), r.correct, r.scored)).collect();
    assert_eq!(rows, [("by_name", 4, 6), ("exact", 2, 6)]);
    let misses = |at: usize| -> IndexMap<&str, u64> {
        card.tool_correctness[at].misses.iter().map(|(word, &trials)| (word.as_str(), trials)).collect()
    };
    assert_eq!(misses(0), IndexMap::from([("unknown_tool", 1), ("no_call", 1)]));
    assert_eq!(
        misses(1),
        IndexMap::from([
            ("unknown_tool", 1),
            ("hallucinated_argument", 1),
            ("no_call", 1),
            ("other_calls", 1)
        ])
    );
}
