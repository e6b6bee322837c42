use probes::RateName;
use scorer::{ArmDelta, DecoyOutcome, PerTrial, Scorecard};
use transcript::{EndpointProperties, Known, TrialStatus};

use crate::by_hand::*;

fn delta(card: &Scorecard, metric: RateName) -> &ArmDelta {
    card.arms.iter().find(|delta| delta.metric == metric).unwrap()
}

/// Eight tasks, each once with the prompt as it is and once with the claim added; in five the claim alone makes
/// the model invent, in one it does so in both.
fn overclaimed(endpoint: EndpointProperties) -> Scorecard {
    let tasks = 0..8;
    let id = |task: u32| format!("t{task}.overclaimed_prompt");
    let pairs: Vec<_> =
        tasks.map(|task| [probe(&id(task)), probe(&format!("{}@overclaimed", id(task)))]).collect();
    let probes = pairs.concat();
    let mut tally = tally_at(&probes, 1, endpoint);
    for (task, [base, treatment]) in pairs.iter().enumerate() {
        for (probe, invents) in [(base, task == 0), (treatment, task < 6)] {
            let mut verdict = clean(probe);
            verdict.decoy_outcome = outcome(DecoyOutcome::Refused);
            if invents {
                verdict = inventing(probe, vec![unknown("zap", None, None)]);
            }
            tally.add(&probe.id, 0, &verdict, UNREPORTED);
        }
    }
    tally.finish()
}

#[test]
fn a_prompt_pair_is_compared_and_enters_no_headline() {
    let card = overclaimed(EndpointProperties::default());
    assert_eq!(rate(&card, RateName::UnknownTool).planned, 0);
    assert!(card.invented.is_empty());
    let unknown = delta(&card, RateName::UnknownTool);
    assert_eq!((unknown.kind.as_str(), unknown.arm.as_str()), ("overclaimed_prompt", "overclaimed"));
    assert_eq!((unknown.pairs, unknown.clusters, unknown.discordant), (8, 8, (0, 5)));
    assert_eq!(unknown.base, PerTrial { events: 1, scored: 8 });
    assert_eq!(unknown.treatment, PerTrial { events: 6, scored: 8 });
    assert_eq!(unknown.difference, Some(0.625));
    // McNemar: 5 of 5 one way.
    assert_eq!(unknown.p, Some((0.0625, 0.03125)));
    let (low, high) = unknown.interval_95.unwrap();
    assert!(low > 0.0 && low < 0.625 && high > 0.625 && high < 1.0);
    assert_eq!(delta(&card, RateName::MisusedTool).discordant, (0, 0));
    let quiet = [RateName::TextCall, RateName::Format];
    assert!(card.arms.iter().all(|delta| !quiet.contains(&delta.metric)));
}

#[test]
fn outcomes_of_a_pair_stand_side_by_side() {
    let card = overclaimed(EndpointProperties::default());
    let [pair] = &card.arm_outcomes[..] else { panic!("one pair") };
    assert_eq!(pair.pairs, 8);
    assert_eq!((pair.base[&DecoyOutcome::Invented], pair.treatment[&DecoyOutcome::Invented]), (1, 6));
    assert_eq!((pair.base[&DecoyOutcome::Refused], pair.treatment[&DecoyOutcome::Refused]), (7, 2));
}

#[test]
fn names_that_cannot_be_seen_are_not_compared() {
    let card = overclaimed(EndpointProperties { constrains_names: Known::Yes, ..Default::default() });
    assert!(card.arms.iter().all(|delta| delta.metric != RateName::UnknownTool));
}

#[test]
fn an_arm_that_constrains_names_keeps_them_out_of_its_own_delta_alone() {
    let probes = ["", "@strict", "@parallel+strict", "@tool_choice", "@strict=off"]
        .map(|arm| probe(&format!("lamp.decoy{arm}")));
    let endpoint = EndpointProperties {
        constrains_names: Known::No,
        strict_constrains_names: Known::Yes,
        ..EndpointProperties::default()
    };
    let card = tally_at(&probes, 1, endpoint).finish();
    let compared: Vec<&str> = card
        .arms
        .iter()
        .filter(|delta| delta.metric == RateName::UnknownTool)
        .map(|delta| delta.arm.as_str())
        .collect();
    assert_eq!(compared, ["tool_choice", "strict=off"]);
}

#[test]
fn repeats_pair_with_their_own_number() {
    let probes = [probe("lamp.decoy"), probe("lamp.decoy@strict")];
    let mut tally = tally(&probes, 4);
    let zap = |at: usize| inventing(&probes[at], vec![unknown("zap", None, None)]);
    // Repeat 0: only the base arm; 1: both; 2: only the treatment; 3: one side is not scored.
    for (repeat, base, treatment) in [(0, true, false), (1, true, true), (2, false, true)] {
        for (at, invents) in [(0, base), (1, treatment)] {
            let verdict = if invents { zap(at) } else { clean(&probes[at]) };
            tally.add(&probes[at].id, repeat, &verdict, UNREPORTED);
        }
    }
    tally.add(&probes[0].id, 3, &zap(0), UNREPORTED);
    tally.add(&probes[1].id, 3, &left_out(TrialStatus::Timeout), UNREPORTED);
    let card = tally.finish();
    let unknown = delta(&card, RateName::UnknownTool);
    assert_eq!((unknown.pairs, unknown.clusters, unknown.discordant), (3, 1, (1, 1)));
    assert_eq!((unknown.difference, unknown.p), (Some(0.0), Some((1.0, 1.0))));
    // The base arm's own headline has all four.
    assert_eq!(rate(&card, RateName::UnknownTool).scored, 4);
}

#[test]
fn an_arm_without_its_base_and_a_pair_without_a_scored_trial_say_nothing() {
    let alone = [probe("lamp.decoy@strict")];
    assert!(tally(&alone, 1).finish().arms.is_empty());
    let pair = [probe("lamp.decoy"), probe("lamp.decoy@strict")];
    let card = tally(&pair, 1).finish();
    let unknown = delta(&card, RateName::UnknownTool);
    assert_eq!((unknown.pairs, unknown.difference, unknown.interval_95, unknown.p), (0, None, None, None));
    assert!(card.arm_outcomes.is_empty());
}

/// Six tasks under two kinds, each plain and under an arm that takes every invention away.
#[test]
fn an_arm_over_several_kinds_is_also_told_over_all_of_them() {
    let mut probes = Vec::new();
    for task in 0..6 {
        for kind in ["control", "decoy"] {
            for arm in ["", "@strict"] {
                probes.push(probe(&format!("t{task}.{kind}{arm}")));
            }
        }
    }
    let mut tally = tally_at(&probes, 1, EndpointProperties::default());
    for probe in &probes {
        let verdict = if probe.arm.is_none() && probe.kind == "decoy" {
            inventing(probe, vec![unknown("zap", None, None)])
        } else {
            clean(probe)
        };
        tally.add(&probe.id, 0, &verdict, UNREPORTED);
    }
    let card = tally.finish();
    let all: Vec<&ArmDelta> = card.arms.iter().filter(|delta| delta.is_over_all_kinds()).collect();
    let [unknown] = &all[..] else { panic!("{all:?}") };
    assert_eq!((unknown.metric, unknown.pairs, unknown.clusters), (RateName::UnknownTool, 12, 6));
    assert_eq!((unknown.base.events, unknown.treatment.events, unknown.discordant), (6, 0, (6, 0)));
    assert_eq!(unknown.difference, Some(-0.5));
    // Six of six tasks one way; one test makes the whole family.
    assert!(unknown.p.is_some_and(|(exact, _)| (exact - 0.03125).abs() < 1e-12));
    assert_eq!(unknown.q, unknown.p.map(|(_, mid)| mid));
    assert!(card.arms.iter().filter(|delta| !delta.is_over_all_kinds()).all(|delta| delta.q.is_none()));
    assert_eq!(rate(&card, RateName::UnknownTool).planned, 12);
}
