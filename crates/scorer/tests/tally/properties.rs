use probes::RateName;
use proptest::prelude::*;
use scorer::{DecoyOutcome, Judgement, PlannedProbe, Rate, Scorecard, Tally, Unscored, Verdict};
use transcript::TrialStatus;

use crate::by_hand::*;

const REPEATS: u32 = 3;

/// What becomes of one planned trial: its place in the plan, its repeat, and one of the verdicts below.
type Trial = (usize, u32, u8);

fn plan() -> Vec<PlannedProbe> {
    let mut probes = Vec::new();
    for task in ["lamp", "oven", "bell"] {
        for kind in ["control", "decoy", "lookalike", "optional_argument", "no_tool_needed"] {
            probes.push(probe(&format!("{task}.{kind}")));
        }
        for arm in ["", "@overclaimed"] {
            probes.push(probe(&format!("{task}.overclaimed_prompt{arm}")));
        }
    }
    probes
}

fn verdict(probe: &PlannedProbe, choice: u8) -> Verdict {
    let mut verdict = clean(probe);
    verdict.decoy_outcome = outcome(DecoyOutcome::SHOWN[usize::from(choice) % 7]);
    match choice {
        0 => return left_out(TrialStatus::Timeout),
        1 => return left_out(TrialStatus::EndpointError),
        2 => {
            verdict = inventing(probe, vec![unknown("zap", None, None), unknown("arc", Some("ping"), None)]);
        }
        3 => {
            let unreadable = Judgement::Unscored(Unscored::UnreadableName);
            verdict.checks.insert(RateName::UnknownTool, unreadable);
        }
        4 => {
            verdict.checks.insert(RateName::Format, judged(true, 2, 1));
            verdict.checks.insert(RateName::RepeatedUnknown, judged(false, 1, 0));
        }
        5 => {
            verdict.checks.shift_remove(&RateName::MisusedTool);
        }
        6 => {
            verdict.checks.insert(RateName::HallucinatedArgument, judged(true, 3, 1));
        }
        _ => {}
    }
    verdict
}

fn fill(plan: &[PlannedProbe], trials: &[Trial]) -> Tally {
    let mut tally = tally(plan, REPEATS);
    for &(place, repeat, choice) in trials {
        let probe = &plan[place];
        tally.add(&probe.id, repeat, &verdict(probe, choice), tokens(5, 1));
    }
    tally
}

fn text(tally: Tally) -> String {
    serde_json::to_string(&tally.finish()).unwrap()
}

/// Trials of the plan, some never sent, some handed in twice; the same trial has the same verdict.
fn trials() -> impl Strategy<Value = Vec<Trial>> {
    let all = 21 * REPEATS as usize;
    (prop::collection::vec(0_u8..12, all), prop::collection::vec(0..all, 0..2 * all)).prop_map(
        |(choices, picks)| {
            let trial = |pick: usize| (pick / REPEATS as usize, pick as u32 % REPEATS, choices[pick]);
            picks.into_iter().map(trial).collect()
        },
    )
}

fn every_rate(card: &Scorecard) -> impl Iterator<Item = &Rate> {
    card.rates.iter().chain(card.slices.iter().flat_map(|slice| &slice.rates))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn numerator_and_exclusions_add_up_to_what_was_planned(trials in trials()) {
        let card = fill(&plan(), &trials).finish();
        for rate in every_rate(&card) {
            let excluded: u64 = rate.excluded.values().sum();
            prop_assert_eq!(rate.scored + excluded, rate.planned, "{:?}", rate);
            prop_assert!(rate.events <= rate.scored && rate.by_first_turn.events <= rate.scored);
            prop_assert!(rate.clusters <= rate.probes && rate.probes <= rate.scored);
        }
        prop_assert_eq!(card.statuses.values().sum::<u64>(), card.planned);
        prop_assert_eq!(card.outcomes.values().sum::<u64>(), card.decoy_trials);
        for probe in card.probes.iter() {
            prop_assert!(probe.statuses.values().sum::<u32>() <= probe.planned);
        }
        for pair in &card.arm_outcomes {
            prop_assert_eq!(pair.base.values().sum::<u64>(), pair.pairs);
            prop_assert_eq!(pair.treatment.values().sum::<u64>(), pair.pairs);
        }
    }

    #[test]
    fn what_is_written_reads_back_equal(trials in trials()) {
        let card = fill(&plan(), &trials).finish();
        let read: Scorecard = serde_json::from_str(&serde_json::to_string(&card).unwrap()).unwrap();
        prop_assert_eq!((&read.probes, &read.outcomes), (&card.probes, &card.outcomes));
        prop_assert_eq!((&read.invented, &read.arm_outcomes), (&card.invented, &card.arm_outcomes));
        for (read, card) in every_rate(&read).zip(every_rate(&card)) {
            prop_assert_eq!((read.events, read.state, &read.excluded), (card.events, card.state, &card.excluded));
        }
    }

    #[test]
    fn a_headline_is_the_sum_of_each_way_to_slice_it(trials in trials()) {
        let card = fill(&plan(), &trials).finish();
        for name in RateName::HEADLINE {
            let whole = rate(&card, name);
            for by in ["kind", "tool", "source", "draft"] {
                let parts = card.slices.iter().filter(|slice| slice.by == by).flat_map(|slice| &slice.rates);
                let parts: Vec<&Rate> = parts.filter(|rate| rate.metric == name).collect();
                prop_assert_eq!(parts.iter().map(|rate| rate.events).sum::<u64>(), whole.events);
                prop_assert_eq!(parts.iter().map(|rate| rate.planned).sum::<u64>(), whole.planned);
            }
        }
    }

    #[test]
    fn a_figure_lies_within_its_interval_and_its_range(trials in trials()) {
        let card = fill(&plan(), &trials).finish();
        for rate in every_rate(&card) {
            let Some(mean) = rate.mean_over_probes else {
                prop_assert!(rate.interval_95.is_none() && rate.interval_90.is_none());
                continue;
            };
            let within = |(low, high): (f64, f64)| low <= mean + 1e-12 && mean <= high + 1e-12;
            let (wide, narrow) = (rate.interval_95.unwrap(), rate.interval_90.unwrap());
            prop_assert!(within(wide) && within(narrow) && wide.0 < wide.1, "{:?}", rate);
            prop_assert!(wide.0 <= narrow.0 && narrow.1 <= wide.1);
            prop_assert!(within(rate.range_with_exclusions.unwrap()), "{:?}", rate);
        }
    }

    #[test]
    fn the_order_of_adding_changes_no_byte(trials in trials(), keys in prop::collection::vec(any::<u32>(), 200)) {
        let plan = plan();
        let mut shuffled: Vec<(u32, Trial)> = keys.into_iter().cycle().zip(trials.iter().copied()).collect();
        shuffled.sort_by_key(|(key, _)| *key);
        let shuffled: Vec<Trial> = shuffled.into_iter().map(|(_, trial)| trial).collect();
        prop_assert_eq!(text(fill(&plan, &trials)), text(fill(&plan, &shuffled)));
    }

    #[test]
    fn merging_is_associative(a in trials(), b in trials(), c in trials()) {
        let plan = plan();
        let fill = |trials: &[Trial]| fill(&plan, trials);
        let left = fill(&a).merge(fill(&b)).merge(fill(&c));
        let right = fill(&a).merge(fill(&b).merge(fill(&c)));
        prop_assert_eq!(text(left), text(right));
    }

    #[test]
    fn merging_parts_is_adding_all(trials in trials(), cut in 0_usize..126) {
        let plan = plan();
        let mut once = trials.clone();
        once.sort_unstable();
        once.dedup();
        let whole = fill(&plan, &once);
        let (left, right) = once.split_at(cut.min(once.len()));
        let mut second = whole.fork();
        for &(place, repeat, choice) in right {
            let probe = &plan[place];
            second.add(&probe.id, repeat, &verdict(probe, choice), tokens(5, 1));
        }
        prop_assert_eq!(text(fill(&plan, left).merge(second)), text(whole));
    }

    #[test]
    fn a_trial_in_both_parts_counts_once_by_trial(trials in trials()) {
        let plan = plan();
        let once = fill(&plan, &trials).finish();
        let twice = fill(&plan, &trials).merge(fill(&plan, &trials)).finish();
        prop_assert_eq!(&once.statuses, &twice.statuses);
        prop_assert_eq!(&once.probes, &twice.probes);
        for (once, twice) in once.rates.iter().zip(&twice.rates) {
            prop_assert_eq!((once.events, once.scored, &once.excluded), (twice.events, twice.scored, &twice.excluded));
        }
        prop_assert_eq!(twice.duplicates, 2 * once.duplicates + once.planned - not_sent(&once));
    }
}

fn not_sent(card: &Scorecard) -> u64 {
    card.statuses.get(scorer::NOT_SENT).copied().unwrap_or(0)
}
