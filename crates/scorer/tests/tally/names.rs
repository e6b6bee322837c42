use scorer::{NameForm, PlannedProbe, Tally, UnlistedNames};
use transcript::ToolName;

use crate::by_hand::*;

#[test]
fn names_are_grouped_with_what_there_is_instead() {
    let probes = [probe("oven.decoy"), probe("lamp.decoy"), probe("lamp.decoy@strict"), probe("bell.decoy")];
    let mut tally = tally(&probes, 1);
    let blink = || unknown("lamp_blink", Some("lamp_get"), Some("lamp"));
    let lists = unknown("lamp_blink", Some("lamp_list"), Some("lamp"));
    tally.add(&probes[0].id, 0, &inventing(&probes[0], vec![blink(), blink(), lists]), UNREPORTED);
    tally.add(
        &probes[1].id,
        0,
        &inventing(&probes[1], vec![blink(), unknown("zap", None, None)]),
        UNREPORTED,
    );
    // A treatment arm is compared with its base arm, and enters no list.
    tally.add(&probes[2].id, 0, &inventing(&probes[2], vec![blink()]), UNREPORTED);
    tally.add(&probes[3].id, 0, &inventing(&probes[3], vec![unknown("arc", None, None)]), UNREPORTED);
    let card = tally.finish();
    let lines: Vec<_> = card.invented.iter().map(|n| (n.name.as_str(), n.trials, n.calls)).collect();
    assert_eq!(lines, [("lamp_blink", 2, 4), ("arc", 1, 1), ("zap", 1, 1)]);
    let first = &card.invented[0];
    assert_eq!(first.name_form, NameForm::Novel);
    assert_eq!(first.nearest_tool, Some(ToolName::new("lamp_get")));
    assert_eq!(first.family, [ToolName::new("lamp_list"), ToolName::new("lamp_get")]);
    assert_eq!(first.wanted, Some(ToolName::new("lamp_run")));
    assert_eq!(first.example.as_str(), "lamp.decoy");
    assert!(card.invented[1].family.is_empty() && card.unlisted_names == UnlistedNames::default());
}

#[test]
fn names_without_end_are_cut_to_the_shortest_in_any_order() {
    let probes = [probe("lamp.decoy")];
    let name = |at: u32| if at % 500 == 7 { format!("n{at}") } else { format!("a_longer_name_{at:06}") };
    let trials: Vec<(u32, Vec<String>)> =
        (0..90).map(|repeat| (repeat, (repeat * 500..repeat * 500 + 700).map(name).collect())).collect();
    let there = fill(&probes, trials.iter());
    let back = fill(&probes, trials.iter().rev());
    let (left, right) = trials.split_at(31);
    let merged = fill(&probes, left.iter()).merge(fill(&probes, right.iter()));
    let card = there.finish();
    assert_eq!(card.invented.len(), 10_000);
    assert!(card.invented.iter().filter(|name| name.name.starts_with('n')).count() >= 90);
    let listed: u64 = card.invented.iter().map(|name| name.calls).sum();
    assert_eq!(listed + card.unlisted_names.calls, 90 * 700);
    let text = serde_json::to_string(&card).unwrap();
    assert_eq!(text, serde_json::to_string(&back.finish()).unwrap());
    assert_eq!(text, serde_json::to_string(&merged.finish()).unwrap());
}

fn fill<'a>(probes: &[PlannedProbe], trials: impl Iterator<Item = &'a (u32, Vec<String>)>) -> Tally {
    let mut tally = tally(probes, 90);
    for (repeat, names) in trials {
        let calls = names.iter().map(|name| unknown(name, None, None)).collect();
        tally.add(&probes[0].id, *repeat, &inventing(&probes[0], calls), UNREPORTED);
    }
    tally
}

#[test]
fn a_name_of_a_megabyte_is_kept_short() {
    let probes = [probe("lamp.decoy")];
    let mut tally = tally(&probes, 1);
    let calls = vec![unknown(&"x".repeat(1 << 20), None, None)];
    tally.add(&probes[0].id, 0, &inventing(&probes[0], calls), UNREPORTED);
    let card = tally.finish();
    assert_eq!(card.invented[0].name, format!("{}… (+1048376 bytes)", "x".repeat(200)));
}
