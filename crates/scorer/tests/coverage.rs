//! Simulates how often the 95 % interval of a rate, and of a difference, holds what was planted.
//!
//! Tasks are alike within themselves (beta-binomial): `icc` is the correlation of two trials of
//! one task. Each trial stands for one probe with one repeat, so the rate is events over trials.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "prints its table")]

use scorer::statistic::{Counts, Interval, Side, SplitMix64, paired_difference, rate_interval};

const SCORINGS: u32 = 1_000;
const ALPHA: f64 = 0.05;

#[test]
fn the_interval_holds_the_rate_in_93_of_100() {
    let mut misses = Vec::new();
    println!("rate  icc  layout        held  low>rate high<rate  mean width");
    for layout in [&[(60, 4)][..], &[(30, 1), (30, 7)]] {
        for icc in [0.0, 0.5] {
            for rate in [0.03, 0.1, 0.2] {
                let share = held(layout, rate, icc);
                if share < 0.93 {
                    misses.push(format!("{layout:?} rate {rate} icc {icc}: {share}"));
                }
            }
        }
    }
    assert!(misses.is_empty(), "under 93 %:\n{}", misses.join("\n"));
}

/// The hardest case for the hybrid: the trials of a task are all alike, and so are most tasks' two sides.
#[test]
fn the_interval_of_a_difference_holds_it_where_trials_repeat() {
    let mut misses = Vec::new();
    println!("tasks rate rising falling held");
    for tasks in [20, 30, 60, 120] {
        for (rate, rising, falling) in
            [(0.1, 0.05, 0.45), (0.3, 0.05, 0.05), (0.5, 0.1, 0.02), (0.5, 0.3, 0.0), (0.4, 0.2, 0.2)]
        {
            let share = difference_held(tasks, rate, rising, falling);
            println!("{tasks:<5} {rate:<4} {rising:<6} {falling:<7} {share:.3}");
            if share < 0.92 {
                misses.push(format!("{tasks} tasks, rate {rate}, {rising} up, {falling} down: {share}"));
            }
        }
    }
    assert!(misses.is_empty(), "under 92 %:\n{}", misses.join("\n"));
}

/// Each task has the event with chance `rate` in all its baseline trials; in the candidate's, a task without it
/// gets it with chance `rising`, and one with it loses it with chance `falling`.
fn difference_held(tasks: u32, rate: f64, rising: f64, falling: f64) -> f64 {
    const REPEATS: u64 = 3;
    let planted = (1.0 - rate) * rising - rate * falling;
    let mut random = SplitMix64::new(2026);
    let mut held = 0_u32;
    for _ in 0..SCORINGS {
        let (mut baseline, mut candidate) = (Vec::new(), Vec::new());
        for _ in 0..tasks {
            let before = random.next_unit() < rate;
            let moved = random.next_unit() < if before { falling } else { rising };
            let counts = |event: bool| Counts { events: u64::from(event) * REPEATS, trials: REPEATS };
            baseline.push(counts(before));
            candidate.push(counts(before != moved));
        }
        let found = paired_difference(side(&baseline), side(&candidate), ALPHA).unwrap();
        held += u32::from(found.interval.contains(planted));
    }
    f64::from(held) / f64::from(SCORINGS)
}

fn side(tasks: &[Counts]) -> Side<'_> {
    let with_event: f64 = tasks.iter().map(|task| f64::from(u8::from(task.events > 0))).sum();
    let all: f64 = tasks.iter().map(|_| 1.0).sum();
    Side { tasks, rate: with_event / all }
}

fn held(layout: &[(usize, u64)], rate: f64, icc: f64) -> f64 {
    let mut random = SplitMix64::new(2026);
    let (mut held, mut above, mut below, mut width) = (0_u32, 0_u32, 0_u32, 0.0);
    for _ in 0..SCORINGS {
        let Interval { low, high } = score(&mut random, layout, rate, icc);
        held += u32::from(low <= rate && rate <= high);
        above += u32::from(low > rate);
        below += u32::from(high < rate);
        width += high - low;
    }
    let share = |count: u32| f64::from(count) / f64::from(SCORINGS);
    println!(
        "{rate:<5} {icc:<4} {:<13} {:.3} {:.3}    {:.3}      {:.4}",
        format!("{layout:?}").replace(['[', ']', ' '], ""),
        share(held),
        share(above),
        share(below),
        width / f64::from(SCORINGS)
    );
    share(held)
}

fn score(random: &mut SplitMix64, layout: &[(usize, u64)], rate: f64, icc: f64) -> Interval {
    let mut tasks = Vec::new();
    let (mut events, mut trials) = (0.0, 0.0);
    for &(count, size) in layout {
        for _ in 0..count {
            let chance = task_chance(random, rate, icc);
            let mut task = Counts { events: 0, trials: size };
            for _ in 0..size {
                let event = random.next_unit() < chance;
                task.events += u64::from(event);
                events += f64::from(u8::from(event));
                trials += 1.0;
            }
            tasks.push(task);
        }
    }
    rate_interval(&tasks, events / trials, ALPHA).unwrap().interval
}

/// Draws a task's own chance from the beta distribution with mean `rate` whose draws give
/// trials the correlation `icc` (Joehnk, 1964; both parameters are below 1 from icc 0.5 on).
fn task_chance(random: &mut SplitMix64, rate: f64, icc: f64) -> f64 {
    if icc == 0.0 {
        return rate;
    }
    let sum = (1.0 - icc) / icc;
    loop {
        let left = random.next_unit().powf(1.0 / (rate * sum));
        let right = random.next_unit().powf(1.0 / ((1.0 - rate) * sum));
        if left + right <= 1.0 && left + right > 0.0 {
            return left / (left + right);
        }
    }
}
