//! Draws comparisons from the model that the power is worked out for, puts each to the gate's rule, and holds the share
//! of its verdicts beside the chances that were foretold.
//!
//! A trial has the event as its task has it on that side, with chance root r, else by a draw of its own; that
//! gives trials of a task the correlation r. The two sides of a task come from one draw, with chance s / r, else
//! from two. So this is what `PairedDesign` describes, and the rule under it is the real one: sign-flip by task,
//! Tango's or the hybrid interval.
//!
//! The default is a short form; `TOOLMIRAGE_LONG=1` draws more and judges more closely.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "reads how long to take, and prints its table"
)]

use probes::RateName;
use scorer::statistic::{Chances, GateRule, Interval, PairedDesign, RuleVerdict, SplitMix64, chances};
use scorer::{Repeats, paired_rate};

const FAMILY: u32 = 3;
const LONG: u32 = 1_000;
const SHORT: u32 = 50;
/// How far the mean over all lines may be off in the short form.
const MOST_MEAN: f64 = 0.03;

/// One line of the table.
struct Planted {
    design: PairedDesign,
    rise: f64,
    tolerance: Option<f64>,
}

#[test]
fn single_trials_come_out_as_foretold() {
    let mut lines = Vec::new();
    for (tasks, rate, rise) in [(60, 0.03, 0.15), (300, 0.03, 0.06), (300, 0.1, 0.0), (300, 0.2, -0.05)] {
        for side_correlation in [0.0, 0.4] {
            for tolerance in [None, Some(0.05)] {
                let design = PairedDesign {
                    tasks,
                    trials: tasks,
                    baseline_rate: rate,
                    task_correlation: 0.5,
                    side_correlation,
                };
                lines.push(Planted { design, rise, tolerance });
            }
        }
    }
    assert_near(&lines, 0.0);
}

#[test]
fn trials_that_are_alike_come_out_about_as_foretold() {
    let mut lines = Vec::new();
    for (tasks, rate, rises) in [
        (20, 0.1, [0.1, 0.2, 0.4]),
        (60, 0.03, [0.0, 0.05, 0.1]),
        (60, 0.1, [0.0, 0.08, 0.15]),
        (300, 0.03, [0.0, 0.02, 0.04]),
        (300, 0.1, [0.0, 0.03, 0.06]),
    ] {
        for side_correlation in [0.0, 0.15, 0.3] {
            for rise in rises {
                for tolerance in [None, Some(0.05)] {
                    let design = PairedDesign {
                        tasks,
                        trials: 4 * tasks,
                        baseline_rate: rate,
                        task_correlation: 0.3,
                        side_correlation,
                    };
                    lines.push(Planted { design, rise, tolerance });
                }
            }
        }
    }
    assert_near(&lines, 0.07);
}

/// Holds what was found to what was foretold, within `most` and four standard errors of a share; and on the mean over the
/// lines, where single errors do not hide a leaning to one side.
fn assert_near(lines: &[Planted], most: f64) {
    let comparisons = if std::env::var_os("TOOLMIRAGE_LONG").is_some() { LONG } else { SHORT };
    let (mut misses, mut fail_off, mut pass_off, mut count) = (Vec::new(), 0.0, 0.0, 0.0);
    println!("tasks trials rate  sides rise   tolerance  fail: foretold, found  pass: foretold, found");
    for line in lines {
        let PairedDesign { tasks, trials, baseline_rate, side_correlation, .. } = line.design;
        let rule = GateRule { family_error: 0.05, tolerance: line.tolerance };
        let foretold = chances(&line.design, line.rise, &rule, FAMILY.into()).unwrap();
        let found = shares(line, &rule, comparisons);
        let text = format!(
            "{tasks:<5} {trials:<6} {baseline_rate:<5} {side_correlation:<5} {:<6} {:<10} {:.3} {:.3}   {:.3} {:.3}",
            line.rise,
            line.tolerance.unwrap_or(f64::NAN),
            foretold.fail,
            found.fail,
            foretold.pass,
            found.pass
        );
        println!("{text}");
        let is_off = |foretold: f64, found: f64| {
            // A chance next to 0 is met by a single comparison.
            let likely = foretold.clamp(0.01, 0.99);
            let error = (likely * (1.0 - likely) / f64::from(comparisons)).sqrt();
            (foretold - found).abs() > most + 4.0 * error
        };
        if is_off(foretold.fail, found.fail) || is_off(foretold.pass, found.pass) {
            misses.push(text);
        }
        fail_off += found.fail - foretold.fail;
        pass_off += found.pass - foretold.pass;
        count += 1.0;
    }
    println!("mean of found less foretold: fail {:.4}, pass {:.4}", fail_off / count, pass_off / count);
    assert!(misses.is_empty(), "more than {most} apart:\n{}", misses.join("\n"));
    let mean = f64::abs(fail_off / count).max(f64::abs(pass_off / count));
    assert!(mean <= MOST_MEAN, "the lines are off by {mean} on the mean");
}

fn shares(line: &Planted, rule: &GateRule, comparisons: u32) -> Chances {
    let names: Vec<String> = (0..line.design.tasks).map(|task| task.to_string()).collect();
    let mut random = SplitMix64::new(2026);
    let (mut fail, mut pass) = (0_u32, 0_u32);
    for _ in 0..comparisons {
        match verdict(&mut random, line, rule, &names) {
            RuleVerdict::Fail => fail += 1,
            RuleVerdict::Pass => pass += 1,
            RuleVerdict::Inconclusive => {}
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(comparisons);
    Chances { fail: share(fail), pass: share(pass), inconclusive: share(comparisons - fail - pass) }
}

fn verdict(random: &mut SplitMix64, line: &Planted, rule: &GateRule, names: &[String]) -> RuleVerdict {
    let PairedDesign { tasks, trials, baseline_rate, task_correlation, side_correlation } = line.design;
    let rates = [baseline_rate, baseline_rate + line.rise];
    let copied = task_correlation.sqrt();
    let mut probes = Vec::new();
    for name in names {
        let own = random.next_unit();
        let is_shared = random.next_unit() < side_correlation / task_correlation;
        let other = if is_shared { own } else { random.next_unit() };
        for _ in 0..trials / tasks {
            let mut trial = |task: f64, rate: f64| {
                let draw = if random.next_unit() < copied { task } else { random.next_unit() };
                Repeats { events: u32::from(draw < rate), scored: 1 }
            };
            probes.push((name.as_str(), trial(own, rates[0]), trial(other, rates[1])));
        }
    }
    let rate = paired_rate(RateName::UnknownTool, probes).unwrap();
    let (low, high) = rate.interval_90.unwrap();
    let adjusted = (rate.mid_p.unwrap() * f64::from(FAMILY)).min(1.0);
    rule.rise(rate.difference, Some(Interval { low, high }), Some(adjusted))
}
