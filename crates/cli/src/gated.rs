//! The gate proves itself: what is planted fails, what is unchanged does not, and what lies within a tolerance
//! passes. Everything happens in memory; `TOOLMIRAGE_SEEDS=100 cargo test --release -p toolmirage gated --
//! --nocapture` is the long form.

use std::fmt::Write as _;
use std::sync::Arc;

use probes::{Catalog, RateName, Suite, derive_questions, expand};
use rayon::prelude::*;
use report::{GateVerdict, Gathered, Measured, Policy, RunFacts, join};
use transcript::Tool;

use crate::conclusion::{self, Sides};
use crate::environment;
use crate::selftest::Bench;

/// So many tasks with one control each.
fn bench(tasks: usize) -> Bench {
    let mut suite = String::from(
        "toolmirage: suite/1\nname: gated\nversion: 1\nseed: 9\ncatalog: none\nkinds: [control]\ntasks:\n",
    );
    for task in 0..tasks {
        let _ =
            writeln!(suite, "  - id: task-{task}\n    tool: move_crate\n    user: Move crate number {task}.");
    }
    let suite: Suite = serde_yaml::from_str(&suite).unwrap();
    let tools = ["move_crate", "weigh_crate", "paint_crate"].map(|name| Arc::new(Tool::named(name)));
    let catalog = Arc::new(Catalog::new("gated/1", tools.to_vec()).unwrap());
    let probes = expand(&derive_questions(&suite), &catalog, None).probes;
    assert_eq!(probes.len(), tasks);
    Bench::new(&catalog, probes)
}

fn measured(bench: &Bench, rate: f64, seed: u64) -> Measured {
    let ran = bench.run(&format!("planted:unknown_tool={rate},seed={seed}"), |_, _| {});
    let (card, _) = ran.unwrap_or_else(|failure| panic!("{}", failure.text()));
    Measured {
        header: bench.header.clone(),
        scorecards: vec![card],
        gathered: Gathered::default(),
        facts: RunFacts { finished: true, ..RunFacts::default() },
    }
}

/// The verdict on two sides with these rates.
fn verdict(bench: &Bench, (before, after): (f64, f64), seed: u64, tolerance: Option<f64>) -> GateVerdict {
    let policy = Policy { rates: Some(vec![RateName::UnknownTool]), tolerance, ..Policy::DEFAULT };
    let (baseline, candidate) = (measured(bench, before, 2 * seed), measured(bench, after, 2 * seed + 1));
    let sides = Sides {
        baseline: conclusion::side("before", &baseline.header, &baseline.facts),
        candidate: conclusion::side("after", &candidate.header, &candidate.facts),
        concurrent: false,
        same: false,
        factor: report::FactorChoice::One,
    };
    let scored = conclusion::conclude(join(baseline, candidate), Some(policy), Some(sides), &[]);
    let scored = scored.unwrap_or_else(|failure| panic!("{}", failure.text()));
    scored.report.gate.unwrap().verdict
}

fn count(verdicts: &[GateVerdict], wanted: GateVerdict) -> usize {
    verdicts.iter().filter(|verdict| **verdict == wanted).count()
}

#[test]
fn a_rise_fails_no_change_does_not_and_a_tolerance_passes() {
    let asked: Option<u64> = environment::test_setting("TOOLMIRAGE_SEEDS").and_then(|text| text.parse().ok());
    let seeds = asked.unwrap_or(3);
    let all = |bench: &Bench, rates, tolerance| -> Vec<GateVerdict> {
        (0..seeds).into_par_iter().map(|seed| verdict(bench, rates, seed, tolerance)).collect()
    };
    let (four_hundred, six_hundred) = (bench(400), bench(600));
    let rise = count(&all(&four_hundred, (0.03, 0.12), None), GateVerdict::Fail);
    let unchanged = count(&all(&four_hundred, (0.03, 0.03), None), GateVerdict::Fail);
    let tolerated = count(&all(&six_hundred, (0.03, 0.03), Some(0.05)), GateVerdict::Pass);
    println!(
        "of {seeds} seeds: 3 % against 12 % fails {rise}; 3 % against 3 % fails {unchanged}; with 5 points passes {tolerated}"
    );
    // 97, 8 and 90 of 100; of a few seeds, as many as those shares allow.
    let share = |count: usize| count as f64 / seeds as f64;
    assert!(share(rise) >= 0.97, "{rise} of {seeds} rises were seen");
    assert!(unchanged as f64 <= (0.08 * seeds as f64).max(1.0), "{unchanged} of {seeds} false alarms");
    assert!(
        share(tolerated) >= 0.9 - 0.11 * f64::from(u8::from(asked.is_none())),
        "{tolerated} of {seeds} passed"
    );
}
