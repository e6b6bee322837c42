//! Compares seeded pairs of sides between which nothing changed: how often the rule says that harm is shown.
//!
//! Each task has a chance of its own (beta, correlation 0.3), and both sides are put the same tasks. On top of that a
//! side's repeats of a probe are alike: each does what the probe did there first, with chance root 0.3. The default is a
//! short form, judged over all cells together; `TOOLMIRAGE_LONG=1` draws 2,000 pairs and judges each cell.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "reads how long to take, and prints its table"
)]

use probes::RateName;
use scorer::statistic::{GateRule, Interval, RuleVerdict, SplitMix64, holm};
use scorer::{PairedRate, Repeats, paired_rate};

const CORRELATION: f64 = 0.3;
const LONG: u32 = 2_000;
const SHORT: u32 = 60;
/// At most so many of the pairs may fail.
const MOST: f64 = 0.04;
const RULE: GateRule = GateRule { family_error: 0.05, tolerance: None };

#[derive(Debug, Clone, Copy)]
struct Cell {
    tasks: u32,
    probes: u32,
    repeats: u32,
    rate: f64,
}

/// What was counted over the pairs of a cell.
#[derive(Debug, Default)]
struct Counted {
    /// Of the first rate alone.
    alone: u32,
    /// Of any of three rates.
    of_three: u32,
    without_width: u32,
}

#[test]
fn nothing_changed_seldom_fails_and_no_interval_is_a_point() {
    let is_long = std::env::var_os("TOOLMIRAGE_LONG").is_some();
    let pairs = if is_long { LONG } else { SHORT };
    let counted = count(&cells(), pairs);
    println!("tasks probes repeats rate   fails alone  of three");
    let (mut misses, mut all) = (Vec::new(), Counted::default());
    for (cell, Counted { alone, of_three, without_width }) in counted {
        let Cell { tasks, probes, repeats, rate } = cell;
        let (share, share_of_three) = (share(alone, pairs), share(of_three, pairs));
        println!("{tasks:<5} {probes:<6} {repeats:<7} {rate:<6} {share:<12.4} {share_of_three:.4}");
        if is_long && share.max(share_of_three) > MOST {
            misses.push(format!("{cell:?}: {share}, of three {share_of_three}"));
        }
        all.alone += alone;
        all.of_three += of_three;
        all.without_width += without_width;
    }
    let most = MOST * f64::from(pairs) * f64::from(u32::try_from(cells().len()).unwrap());
    assert!(misses.is_empty(), "more than {MOST} fail:\n{}", misses.join("\n"));
    assert!(f64::from(all.alone) <= most && f64::from(all.of_three) <= most, "{all:?}, at most {most}");
    assert_eq!(all.without_width, 0);
}

/// The other side of the same coin: a rule that never fails would pass the test above.
#[test]
fn a_planted_rise_fails() {
    let cell = Cell { tasks: 60, probes: 4, repeats: 3, rate: 0.03 };
    let names: Vec<String> = (0..cell.tasks).map(|task| task.to_string()).collect();
    let mut random = SplitMix64::new(2_026);
    for _ in 0..20 {
        let changed = draw(&mut random, cell, &names, 0.2);
        let others = [(); 2].map(|()| draw(&mut random, cell, &names, 0.0));
        let [left, right] = others;
        assert!(fails(&[left, changed, right]));
    }
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for tasks in [60, 300] {
        for probes in [1, 4] {
            for repeats in [1, 3] {
                for rate in [0.005, 0.03, 0.1] {
                    cells.push(Cell { tasks, probes, repeats, rate });
                }
            }
        }
    }
    cells
}

/// Counts the cells side by side, each with a seed of its own.
fn count(cells: &[Cell], pairs: u32) -> Vec<(Cell, Counted)> {
    std::thread::scope(|scope| {
        let running: Vec<_> = (2_026..)
            .zip(cells)
            .map(|(seed, &cell)| scope.spawn(move || (cell, count_one(cell, pairs, seed))))
            .collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn count_one(cell: Cell, pairs: u32, seed: u64) -> Counted {
    let mut random = SplitMix64::new(seed);
    let names: Vec<String> = (0..cell.tasks).map(|task| task.to_string()).collect();
    let mut counted = Counted::default();
    for _ in 0..pairs {
        let rates = [(); 3].map(|()| draw(&mut random, cell, &names, 0.0));
        counted.alone += u32::from(fails(&rates[..1]));
        counted.of_three += u32::from(fails(&rates));
        for rate in &rates {
            let (narrow, wide) = (rate.interval_90.unwrap(), rate.interval_95.unwrap());
            let has_width = |(low, high): (f64, f64)| low < high;
            counted.without_width += u32::from(!has_width(narrow) || !has_width(wide));
        }
    }
    counted
}

/// Says whether any of a family of rates fails.
fn fails(family: &[PairedRate]) -> bool {
    let p_values: Vec<f64> = family.iter().map(|rate| rate.mid_p.unwrap()).collect();
    let adjusted = holm(&p_values).unwrap();
    family.iter().zip(adjusted).any(|(rate, p)| {
        let interval = rate.interval_90.map(|(low, high)| Interval { low, high });
        RULE.rise(rate.difference, interval, Some(p)) == RuleVerdict::Fail
    })
}

/// In the candidate, what has no event gets one with chance `lift`.
fn draw(random: &mut SplitMix64, cell: Cell, names: &[String], lift: f64) -> PairedRate {
    let mut probes = Vec::new();
    for name in names {
        let chance = task_chance(random, cell.rate);
        for _ in 0..cell.probes {
            let baseline = repeats(random, chance, cell.repeats);
            let candidate = repeats(random, chance + (1.0 - chance) * lift, cell.repeats);
            probes.push((name.as_str(), baseline, candidate));
        }
    }
    paired_rate(RateName::UnknownTool, probes).unwrap()
}

fn repeats(random: &mut SplitMix64, chance: f64, scored: u32) -> Repeats {
    let first = random.next_unit() < chance;
    let mut events = u32::from(first);
    for _ in 1..scored {
        let own = random.next_unit() < chance;
        let is_alike = random.next_unit() < CORRELATION.sqrt();
        events += u32::from(if is_alike { first } else { own });
    }
    Repeats { events, scored }
}

/// Draws a task's own chance from the beta distribution with mean `rate` whose draws give trials the planted
/// correlation (Joehnk, 1964).
fn task_chance(random: &mut SplitMix64, rate: f64) -> f64 {
    let sum = (1.0 - CORRELATION) / CORRELATION;
    loop {
        let left = random.next_unit().powf(1.0 / (rate * sum));
        let right = random.next_unit().powf(1.0 / ((1.0 - rate) * sum));
        if left + right <= 1.0 && left + right > 0.0 {
            return left / (left + right);
        }
    }
}

fn share(count: u32, pairs: u32) -> f64 {
    f64::from(count) / f64::from(pairs)
}
