//! Planted rates come out at the rates that were planted, and nothing else comes out.

use std::collections::BTreeMap;

use crate::garden::{Probe, first_request, play, probe, sim};
use sim::{Event, Sim};

/// Whether the events were drawn in this trial, by its first request alone: the plan of a trial does not
/// depend on later turns.
fn drawn(sim: &Sim, probe: &Probe, repeat: u32) -> [bool; 3] {
    let events = play(sim, probe, repeat, "You help in a garden.").events;
    Event::ALL.map(|event| events.contains(&event))
}

fn tasks(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("task-{n}")).collect()
}

#[test]
fn a_rate_comes_out_of_whole_trials_as_it_was_planted() {
    let (tasks, repeats, rate) = (tasks(120), 4, 0.2);
    let mut events = [0_u32; 3];
    for task in &tasks {
        for kind in ["lookalike.a", "optional_argument"] {
            let probe = probe(task, kind);
            let profile = "planted:unknown_tool=0.2,shadow_call=0.2,hallucinated_argument=0.2,icc=0.3,seed=4";
            let sim = sim(profile, std::slice::from_ref(&probe), 0);
            for repeat in 0..repeats {
                let drawn = drawn(&sim, &probe, repeat);
                events.iter_mut().zip(drawn).for_each(|(count, happened)| *count += u32::from(happened));
            }
        }
    }
    // Five standard errors, with the design effect of clusters of the size that a task has.
    for (count, a_task) in events.into_iter().zip([2 * repeats, repeats, repeats].map(f64::from)) {
        let trials = tasks.len() as f64 * a_task;
        let error = (rate * (1.0 - rate) / trials * (1.0 + (a_task - 1.0) * 0.3)).sqrt();
        assert!((f64::from(count) / trials - rate).abs() < 5.0 * error, "{count} of {trials}");
    }
}

#[test]
fn probes_of_one_task_share_its_probability_and_tasks_do_not() {
    let profile = "planted:unknown_tool=0.5,icc=1";
    let always = |task: &str, kind: &str| {
        let probe = probe(task, kind);
        drawn(&sim(profile, std::slice::from_ref(&probe), 3), &probe, 0)[0]
    };
    let mut happened = 0;
    for task in tasks(100) {
        assert_eq!(always(&task, "control"), always(&task, "decoy"), "{task}");
        happened += u32::from(always(&task, "control"));
    }
    assert!((30..=70).contains(&happened), "{happened}");
}

#[test]
fn exactly_the_drawn_events_are_in_the_calls_and_in_the_log() {
    let kinds =
        ["control", "decoy", "no_tool_needed", "lookalike.a", "optional_argument", "missing_argument.b"];
    let mut sets = BTreeMap::new();
    for task in tasks(150) {
        for kind in kinds {
            let mut probe = probe(&task, kind);
            if kind.starts_with("lookalike") {
                probe.entry.eligible = Event::ALL.to_vec(); // so that all three can coincide
            }
            let profile = "planted:unknown_tool=0.5,shadow_call=0.5,hallucinated_argument=0.5,seed=1";
            let played = play(&sim(profile, std::slice::from_ref(&probe), 0), &probe, 0, "p");
            assert_eq!(played.events, played.logged(), "{played:?}");
            for decision in &played.decisions {
                for call in &decision.calls {
                    assert_eq!(probe.judge(&call.name, &call.arguments), call.truth.event(), "{call:?}");
                }
            }
            *sets.entry((kind, played.events)).or_insert(0) += 1;
        }
    }
    let of = |kind: &str| sets.keys().filter(|(of, _)| *of == kind).count();
    assert_eq!(kinds.map(of), [2, 2, 2, 8, 4, 4], "{sets:?}");
}

#[test]
fn a_trial_is_decided_by_its_name_its_first_request_and_the_seed() {
    let probe = probe("water-fern", "control");
    let first = first_request(&probe, "p").to_string();
    let calls = |seed: u64, trial: &str, body: &str| {
        let sim = sim("planted:unknown_tool=0.5", std::slice::from_ref(&probe), seed);
        let decision = sim.respond(Some(trial), body.as_bytes()).decision.unwrap();
        decision.calls.first().map(|call| call.name.clone())
    };
    let base: Vec<_> =
        (0..64).map(|repeat| calls(1, &format!("water-fern.control/{repeat}"), &first)).collect();
    let again: Vec<_> =
        (0..64).map(|repeat| calls(1, &format!("water-fern.control/{repeat}"), &first)).collect();
    assert_eq!(base, again, "a resumed run decides the same");
    let side = first_request(&probe, "another prompt").to_string();
    let other: Vec<_> =
        (0..64).map(|repeat| calls(1, &format!("water-fern.control/{repeat}"), &side)).collect();
    assert_ne!(base, other, "the other side decides anew");
    assert_ne!(base[..32], base[32..], "repeats differ");
    let seeded: Vec<_> =
        (0..64).map(|repeat| calls(2, &format!("water-fern.control/{repeat}"), &first)).collect();
    assert_ne!(base, seeded, "seeds differ");
}
