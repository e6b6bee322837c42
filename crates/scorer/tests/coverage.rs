//! Simulates how often the 95 % interval of a rate holds the rate that was planted.
//!
//! Tasks are alike within themselves (beta-binomial): `icc` is the correlation of two trials of
//! one task. Each trial stands for one probe with one repeat, so the rate is events over trials.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "prints its table")]

use scorer::statistic::{Counts, Interval, SplitMix64, rate_interval};

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
