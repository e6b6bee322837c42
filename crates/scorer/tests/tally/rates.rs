use std::sync::Arc;

use probes::RateName;
use scorer::{
    Added, Behaviour, Class, DecoyOutcome, Judgement, NOT_SENT, PerArgument, PerCall, RateState, SCORER,
    Unscored, suspect_probes,
};
use transcript::{EndpointProperties, Known, ProbeId, TrialStatus};

use crate::by_hand::*;

#[test]
fn the_figure_is_the_mean_over_probes_and_leaves_out_a_probe_without_a_scored_repeat() {
    let probes = [probe("lamp.decoy"), probe("oven.decoy"), probe("bell.decoy")];
    let mut tally = tally(&probes, 2);
    tally.add(&probes[0].id, 0, &inventing(&probes[0], vec![unknown("lamp_zap", None, None)]), UNREPORTED);
    tally.add(&probes[0].id, 1, &left_out(TrialStatus::Timeout), UNREPORTED);
    tally.add(&probes[1].id, 0, &clean(&probes[1]), UNREPORTED);
    tally.add(&probes[1].id, 1, &clean(&probes[1]), UNREPORTED);
    tally.add(&probes[2].id, 0, &left_out(TrialStatus::Timeout), UNREPORTED);
    let card = tally.finish();
    let rate = rate(&card, RateName::UnknownTool);
    assert_eq!((rate.events, rate.scored, rate.planned), (1, 3, 6));
    assert_eq!((rate.probes, rate.clusters), (2, 2));
    assert_eq!(rate.excluded, [("timeout".to_owned(), 2), (NOT_SENT.to_owned(), 1)].into());
    // 3 of 6 is too little to say anything.
    assert_eq!(rate.state, RateState::CoverageTooLow);
    assert_eq!((rate.mean_over_probes, rate.interval_95, rate.interval_90), (None, None, None));
    let unscored: Vec<&ProbeId> = card.unscored_probes(RateName::UnknownTool).collect();
    assert_eq!(unscored, [&probes[2].id]);
}

#[test]
fn unequal_repeats_weigh_probes_alike() {
    let probes = [probe("lamp.decoy"), probe("oven.decoy")];
    let mut tally = tally(&probes, 3);
    for repeat in 0..3 {
        tally.add(&probes[0].id, repeat, &clean(&probes[0]), UNREPORTED);
    }
    let zap = inventing(&probes[1], vec![unknown("zap", None, None)]);
    tally.add(&probes[1].id, 0, &zap, UNREPORTED);
    tally.add(&probes[1].id, 1, &zap, UNREPORTED);
    tally.add(&probes[1].id, 2, &left_out(TrialStatus::Truncated), UNREPORTED);
    let card = tally.finish();
    let rate = rate(&card, RateName::UnknownTool);
    assert_eq!(rate.state, RateState::Measured);
    assert_eq!(rate.mean_over_probes, Some(0.5));
    assert_eq!((rate.events, rate.scored), (2, 5));
    assert_eq!(rate.range_with_exclusions, Some((1.0 / 3.0, 0.5)));
    let over = rate.over_repeats.unwrap();
    assert_eq!((over.all, over.any, over.probes), (0, 0, 1));
    assert_eq!(rate.by_first_turn.events, 2);
}

#[test]
fn coverage_of_exactly_two_thirds_is_too_low() {
    let probes: Vec<_> = ["a.decoy", "b.decoy", "c.decoy"].map(probe).into();
    let mut enough = tally(&probes, 100);
    let mut short = tally(&probes, 100);
    for at in 0..201_u32 {
        let (place, repeat) = (at as usize / 100, at % 100);
        enough.add(&probes[place].id, repeat, &clean(&probes[place]), UNREPORTED);
        if at < 200 {
            short.add(&probes[place].id, repeat, &clean(&probes[place]), UNREPORTED);
        }
    }
    assert_eq!(rate(&enough.finish(), RateName::UnknownTool).state, RateState::Measured);
    assert_eq!(rate(&short.finish(), RateName::UnknownTool).state, RateState::CoverageTooLow);
}

#[test]
fn nothing_scored_and_nothing_asked_are_not_zero() {
    let probes = [probe("lamp.decoy")];
    let mut tally = tally(&probes, 1);
    tally.add(&probes[0].id, 0, &left_out(TrialStatus::EndpointError), UNREPORTED);
    let card = tally.finish();
    for name in RateName::HEADLINE {
        let rate = rate(&card, name);
        assert_eq!(rate.state, RateState::NotMeasured, "{name}");
        assert_eq!(rate.planned, u64::from(name == RateName::UnknownTool));
        assert_eq!((rate.mean_over_probes, rate.interval_95, rate.range_with_exclusions), (None, None, None));
        assert_eq!(rate.per_call, None);
    }
    assert_eq!(rate(&card, RateName::UnknownTool).excluded, [("endpoint_error".to_owned(), 1)].into());
    assert_eq!(card.statuses, [("endpoint_error".to_owned(), 1)].into());
    assert_eq!((card.scorer.as_str(), card.planned), (SCORER, 1));
}

#[test]
fn zero_events_have_an_upper_end() {
    let probes: Vec<_> = (0..60).map(|task| probe(&format!("t{task}.decoy"))).collect();
    let mut tally = tally(&probes, 4);
    for probe in &probes {
        for repeat in 0..4 {
            tally.add(&probe.id, repeat, &clean(probe), UNREPORTED);
        }
    }
    let card = tally.finish();
    let rate = rate(&card, RateName::UnknownTool);
    let z = 1.959_963_984_540_054_f64;
    let (low, high) = rate.interval_95.unwrap();
    assert_eq!((rate.events, rate.scored, rate.clusters, low), (0, 240, 60, 0.0));
    assert!((high - z * z / (60.0 + z * z)).abs() < 1e-12);
    assert!(rate.interval_90.unwrap().1 < high);
}

#[test]
fn names_that_cannot_be_seen_are_censored() {
    let probes = [probe("lamp.lookalike")];
    for endpoint in [
        EndpointProperties { constrains_names: Known::Yes, ..Default::default() },
        EndpointProperties { filters_unknown_names: Known::Yes, ..Default::default() },
    ] {
        let mut tally = tally_at(&probes, 1, endpoint);
        tally.add(&probes[0].id, 0, &clean(&probes[0]), UNREPORTED);
        let card = tally.finish();
        let hidden = rate(&card, RateName::UnknownTool);
        assert_eq!((hidden.state, hidden.scored), (RateState::Censored, 1));
        assert_eq!((hidden.mean_over_probes, hidden.interval_95), (None, None));
        assert_eq!(rate(&card, RateName::ShadowCall).state, RateState::Measured);
    }
    let open = EndpointProperties { constrains_names: Known::No, ..Default::default() };
    let mut tally = tally_at(&probes, 1, open);
    tally.add(&probes[0].id, 0, &clean(&probes[0]), UNREPORTED);
    assert_eq!(rate(&tally.finish(), RateName::UnknownTool).state, RateState::Measured);
}

#[test]
fn a_check_that_could_not_be_judged_is_left_out_with_its_reason() {
    let probes = [probe("lamp.decoy"), probe("oven.decoy"), probe("bell.decoy"), probe("gate.decoy")];
    let mut tally = tally(&probes, 1);
    let mut unreadable = clean(&probes[0]);
    unreadable.checks.insert(RateName::UnknownTool, Judgement::Unscored(Unscored::UnreadableName));
    tally.add(&probes[0].id, 0, &unreadable, UNREPORTED);
    for probe in &probes[1..] {
        tally.add(&probe.id, 0, &clean(probe), UNREPORTED);
    }
    let card = tally.finish();
    let unknown = rate(&card, RateName::UnknownTool);
    assert_eq!((unknown.scored, unknown.planned), (3, 4));
    assert_eq!(unknown.excluded, [("unreadable_name".to_owned(), 1)].into());
    assert_eq!(rate(&card, RateName::MisusedTool).scored, 4);
}

#[test]
fn a_check_that_nobody_made_is_never_free_of_the_event() {
    let probes = [probe("lamp.decoy")];
    let mut tally = tally(&probes, 1);
    let mut verdict = clean(&probes[0]);
    verdict.checks.shift_remove(&RateName::UnknownTool);
    tally.add(&probes[0].id, 0, &verdict, UNREPORTED);
    let card = tally.finish();
    let rate = rate(&card, RateName::UnknownTool);
    assert_eq!((rate.state, rate.scored), (RateState::NotMeasured, 0));
    assert_eq!(rate.excluded, [("not_judged".to_owned(), 1)].into());
}

#[test]
fn lines_by_call_and_by_argument_count_their_own_objects() {
    let probes = [probe("lamp.optional_argument"), probe("oven.optional_argument")];
    let mut tally = tally(&probes, 1);
    let mut first = clean(&probes[0]);
    first.checks.insert(RateName::UnknownTool, judged(true, 4, 2));
    first.checks.insert(RateName::HallucinatedArgument, judged(true, 2, 1));
    let mut second = clean(&probes[1]);
    second.checks.insert(RateName::HallucinatedArgument, judged(false, 0, 0));
    tally.add(&probes[0].id, 0, &first, UNREPORTED);
    tally.add(&probes[1].id, 0, &second, UNREPORTED);
    let card = tally.finish();
    let arguments = rate(&card, RateName::HallucinatedArgument);
    // The trial without a call stays in: it had the same chance.
    assert_eq!((arguments.events, arguments.scored), (1, 2));
    assert_eq!(arguments.per_call, Some(PerCall { events: 1, calls: 2 }));
    assert_eq!(arguments.per_argument, Some(PerArgument { events: 1, arguments: 6 }));
    assert_eq!(card.unknown_calls(), Some(PerCall { events: 2, calls: 5 }));
    assert_eq!(rate(&card, RateName::Format).per_call, None);
}

#[test]
fn an_occasion_that_did_not_arise_is_not_planned() {
    let probes = [probe("lamp.decoy"), probe("oven.decoy")];
    let mut tally = tally(&probes, 1);
    let mut again = inventing(&probes[0], vec![unknown("zap", None, None)]);
    again.checks.insert(RateName::RepeatedUnknown, judged(true, 1, 1));
    tally.add(&probes[0].id, 0, &again, UNREPORTED);
    tally.add(&probes[1].id, 0, &left_out(TrialStatus::Timeout), UNREPORTED);
    let card = tally.finish();
    let rate = rate(&card, RateName::RepeatedUnknown);
    assert_eq!((rate.events, rate.scored, rate.planned), (1, 1, 1));
    assert!(card.rate(RateName::RepeatedCall).is_none());
}

#[test]
fn side_rates_have_their_own_denominators() {
    let probes = [
        probe("lamp.decoy"),
        probe("lamp.control"),
        probe("lamp.no_tool_needed"),
        probe("lamp.overclaimed_prompt"),
        probe("lamp.overclaimed_prompt@overclaimed"),
    ];
    let mut tally = tally(&probes, 1);
    for probe in &probes {
        tally.add(&probe.id, 0, &clean(probe), UNREPORTED);
    }
    let card = tally.finish();
    let scored = |name| rate(&card, name).scored;
    assert_eq!(scored(RateName::UnknownTool), 3);
    assert_eq!(scored(RateName::MisusedTool), 3);
    assert_eq!(scored(RateName::OverCall), 1);
    assert_eq!((scored(RateName::TextCall), scored(RateName::Format)), (5, 5));
    assert_eq!(scored(RateName::ShadowCall), 0);
}

#[test]
fn slices_hold_headline_rates_of_their_part() {
    let mut probes = vec![probe("lamp.decoy"), probe("oven.lookalike"), probe("oven.decoy@strict")];
    probes[1].draft = true;
    probes[1].source = "traces".to_owned();
    let mut tally = tally(&probes, 1);
    tally.add(&probes[0].id, 0, &inventing(&probes[0], vec![unknown("zap", None, None)]), UNREPORTED);
    tally.add(&probes[1].id, 0, &clean(&probes[1]), UNREPORTED);
    tally.add(&probes[2].id, 0, &clean(&probes[2]), UNREPORTED);
    let card = tally.finish();
    let counts = |rate: &scorer::Rate| (rate.metric, rate.events, rate.scored);
    let rates = |slice: &scorer::Slice| slice.rates.iter().map(counts).collect::<Vec<_>>();
    let found: Vec<_> = card.slices.iter().map(|s| (s.by.as_str(), s.value.as_str(), rates(s))).collect();
    let one = vec![(RateName::UnknownTool, 1, 1)];
    let two = vec![(RateName::UnknownTool, 0, 1), (RateName::ShadowCall, 0, 1)];
    assert_eq!(
        found,
        [
            ("kind", "decoy", one.clone()),
            ("kind", "lookalike", two.clone()),
            ("tool", "lamp_run", one.clone()),
            ("tool", "oven_run", two.clone()),
            ("source", "written", one.clone()),
            ("source", "traces", two.clone()),
            ("draft", "false", one),
            ("draft", "true", two),
        ]
    );
    assert!(card.slices.iter().flat_map(|slice| &slice.rates).all(|rate| rate.interval_95.is_some()));
}

#[test]
fn outcomes_are_those_of_the_base_arm_and_sum() {
    let probes =
        [probe("lamp.decoy"), probe("lamp.decoy@strict"), probe("oven.decoy"), probe("oven.control")];
    let mut tally = tally(&probes, 1);
    let mut refused = clean(&probes[0]);
    refused.decoy_outcome = outcome(DecoyOutcome::Refused);
    tally.add(&probes[0].id, 0, &refused, UNREPORTED);
    tally.add(&probes[1].id, 0, &refused, UNREPORTED);
    tally.add(&probes[2].id, 0, &inventing(&probes[2], vec![unknown("zap", None, None)]), UNREPORTED);
    tally.add(&probes[3].id, 0, &clean(&probes[3]), UNREPORTED);
    let card = tally.finish();
    assert_eq!(card.decoy_trials, 2);
    assert_eq!(card.outcomes.values().sum::<u64>(), 2);
    assert_eq!(card.outcomes[&DecoyOutcome::Refused], 1);
    assert_eq!(card.outcomes[&DecoyOutcome::Invented], 1);
    assert_eq!(card.outcomes.keys().copied().collect::<Vec<_>>(), DecoyOutcome::SHOWN);
}

#[test]
fn a_trial_counts_once_and_only_if_it_was_planned() {
    let probes = [probe("lamp.decoy")];
    let mut tally = tally(&probes, 2);
    let zap = inventing(&probes[0], vec![unknown("zap", None, None)]);
    assert_eq!(tally.add(&probes[0].id, 0, &zap, tokens(10, 2)), Added::Counted);
    assert_eq!(tally.add(&probes[0].id, 0, &zap, tokens(10, 2)), Added::Duplicate);
    assert_eq!(tally.add(&probes[0].id, 2, &zap, tokens(10, 2)), Added::Unplanned);
    assert_eq!(tally.add(&ProbeId::new("x.decoy"), 0, &zap, tokens(10, 2)), Added::Unplanned);
    assert_eq!(tally.add(&probes[0].id, 1, &left_out(TrialStatus::Timeout), tokens(10, 2)), Added::Counted);
    assert_eq!(tally.so_far(RateName::UnknownTool).events, 1);
    let card = tally.finish();
    assert_eq!((card.duplicates, card.unplanned), (1, 2));
    assert_eq!((card.totals.turns, card.totals.calls), (2, 1));
    assert_eq!((card.totals.input_tokens, card.totals.output_tokens), (10, 2));
    assert_eq!(card.invented[0].calls, 1);
}

#[test]
fn of_two_accounts_of_one_trial_the_first_stands() {
    let probes = [probe("lamp.decoy")];
    let accounts = [
        clean(&probes[0]),
        inventing(&probes[0], vec![unknown("zap", None, None)]),
        left_out(TrialStatus::Timeout),
    ];
    let one = |verdict| {
        let mut tally = tally(&probes, 1);
        tally.add(&probes[0].id, 0, verdict, UNREPORTED);
        tally
    };
    for first in &accounts {
        for second in &accounts {
            let alone = one(first).finish();
            let mut added = one(first);
            added.add(&probes[0].id, 0, second, UNREPORTED);
            for both in [added.finish(), one(first).merge(one(second)).finish()] {
                assert_eq!((&both.probes, &both.statuses), (&alone.probes, &alone.statuses));
                let (both, alone) = (rate(&both, RateName::UnknownTool), rate(&alone, RateName::UnknownTool));
                assert_eq!((both.scored, both.events), (alone.scored, alone.events));
                assert_eq!(both.excluded, alone.excluded);
                assert_eq!(both.by_first_turn, alone.by_first_turn);
            }
        }
    }
}

#[test]
fn shadowed_tools_stand_over_the_trials_that_offered_the_decoy() {
    let probes = [probe("lamp.lookalike.first"), probe("lamp.lookalike.last"), probe("oven.lookalike")];
    let mut tally = tally(&probes, 1);
    let mut shadowed = clean(&probes[0]);
    shadowed.checks.insert(RateName::ShadowCall, judged(true, 2, 2));
    let twice = vec![call("lamp_start", Class::ShadowCall), call("lamp_start", Class::ShadowCall)];
    shadowed.turns.insert(0, turn(twice));
    tally.add(&probes[0].id, 0, &shadowed, UNREPORTED);
    tally.add(&probes[1].id, 0, &clean(&probes[1]), UNREPORTED);
    tally.add(&probes[2].id, 0, &clean(&probes[2]), UNREPORTED);
    let card = tally.finish();
    let found: Vec<_> =
        card.shadowed.iter().map(|s| (s.decoy.as_str(), s.wanted.as_str(), s.trials, s.of)).collect();
    assert_eq!(found, [("lamp_start", "lamp_run", 1, 2)]);
    assert_eq!(card.totals.known_calls, 2);
}

#[test]
fn a_control_that_no_trial_passes_is_suspect() {
    let probes = [probe("lamp.control"), probe("oven.control"), probe("bell.decoy"), probe("gate.control")];
    let mut first = tally(&probes, 3);
    let mut second = tally(&probes, 3);
    for repeat in 0..3 {
        for tally in [&mut first, &mut second] {
            tally.add(&probes[0].id, repeat, &behaving(&probes[0], Behaviour::Wrong), UNREPORTED);
            let turned = if repeat == 0 { Behaviour::Right } else { Behaviour::Wrong };
            tally.add(&probes[1].id, repeat, &behaving(&probes[1], turned), UNREPORTED);
            tally.add(&probes[2].id, repeat, &behaving(&probes[2], Behaviour::Wrong), UNREPORTED);
            tally.add(&probes[3].id, repeat, &behaving(&probes[3], Behaviour::Unclear), UNREPORTED);
        }
    }
    let cards = [first.finish(), second.finish()];
    assert_eq!(cards[0].suspect, [probes[0].id.clone()]);
    assert_eq!(suspect_probes(&cards), [probes[0].id.clone(), probes[2].id.clone()]);
    assert_eq!(suspect_probes(&cards[..1]), [probes[0].id.clone()]);
    assert!(suspect_probes(&[]).is_empty());
}

#[test]
fn two_failed_trials_are_no_suspicion_and_three_over_cells_are() {
    let probes = [probe("lamp.control"), probe("bell.decoy")];
    let card = |repeats: u32| {
        let mut tally = tally(&probes, 2);
        for (probe, repeat) in probes.iter().flat_map(|probe| (0..repeats).map(move |at| (probe, at))) {
            tally.add(&probe.id, repeat, &behaving(probe, Behaviour::Wrong), UNREPORTED);
        }
        tally.finish()
    };
    assert!(card(2).suspect.is_empty());
    assert!(suspect_probes(&[card(2)]).is_empty());
    assert!(suspect_probes(&[card(1), card(1)]).is_empty());
    let both = [probes[0].id.clone(), probes[1].id.clone()];
    assert_eq!(suspect_probes(&[card(2), card(1)]), both);
}

/// What makes a control is what should happen, not the word for its kind.
#[test]
fn a_control_is_told_by_its_expectation() {
    let mut renamed = probe("lamp.control");
    renamed.kind = "warm_up".to_owned();
    let mut tempting = probe("oven.control");
    Arc::make_mut(&mut tempting.expectation).unlisted = probes::Unlisted::OptionalsAbsent;
    let probes = [renamed, tempting];
    let mut tally = tally(&probes, 3);
    for (probe, repeat) in probes.iter().flat_map(|probe| (0..3).map(move |at| (probe, at))) {
        tally.add(&probe.id, repeat, &behaving(probe, Behaviour::Wrong), UNREPORTED);
    }
    assert_eq!(tally.finish().suspect, [probes[0].id.clone()]);
}

fn behaving(probe: &scorer::PlannedProbe, behaviour: Behaviour) -> scorer::Verdict {
    let mut verdict = clean(probe);
    verdict.behaviour = behaviour;
    verdict
}
