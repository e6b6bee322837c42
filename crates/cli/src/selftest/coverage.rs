//! Known rates are planted in a simulated model and scored: the printed 95 % intervals must hold them.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use probes::{Catalog, Probe, RateName, Suite, derive_questions, expand};
use rayon::prelude::*;
use serde::Serialize;
use transcript::{RawJson, Tool};

use super::bench::Bench;
use crate::error::Failure;

/// The share of scorings, in percent, whose interval must hold the planted rate; an interval of 95 % that is
/// worked out for few tasks may fall short by so much and no more.
pub(crate) const NEEDED: u64 = 93;

/// No planted rate is near this one: an interval that holds it as well says nothing.
const FAR: f64 = 0.6;

/// The rates that are planted.
const PLANTED: [f64; 3] = [0.03, 0.10, 0.20];

/// The correlations of the trials of one task that are planted.
const ICC: [f64; 3] = [0.0, 0.3, 0.7];

/// How many eligible trials each task has.
struct Layout {
    name: &'static str,
    trials_of: fn(usize) -> usize,
}

const LAYOUTS: [Layout; 2] = [
    Layout { name: "60 tasks of 4", trials_of: |_| 4 },
    Layout { name: "30 of 1, 30 of 7", trials_of: |task| if task < 30 { 1 } else { 7 } },
];

const TASKS: usize = 60;

/// What the intervals of one rate, planted in one way, came to.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Line {
    /// The rate.
    pub(crate) rate: RateName,
    /// How the trials lie over the tasks.
    pub(crate) layout: &'static str,
    /// What was planted.
    pub(crate) planted: f64,
    /// The correlation that was planted.
    pub(crate) icc: f64,
    /// Scorings.
    pub(crate) scorings: u64,
    /// Those whose 95 % interval holds the planted rate.
    pub(crate) covered: u64,
    /// Those whose interval leaves out a rate that is far away.
    pub(crate) excluding_far: u64,
    /// Mean width of the intervals.
    pub(crate) mean_width: f64,
    /// Mean of the rates found.
    pub(crate) mean_rate: f64,
}

impl Line {
    /// Whether the intervals hold what they must and leave out what they must.
    pub(crate) fn holds(&self) -> bool {
        is_enough(self.covered, self.scorings) && is_enough(self.excluding_far, self.scorings)
    }
}

/// All intervals of a self-test.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Coverage {
    /// Scorings of each line.
    pub(crate) scorings: u64,
    /// Whether each line is judged by itself; with few scorings, all lines are judged together.
    pub(crate) each_line: bool,
    /// One for each rate, layout, planted rate and correlation.
    pub(crate) lines: Vec<Line>,
}

/// So many scorings tell 93 % from 95 % in each line by itself, with an error of a point.
const ENOUGH_EACH: u64 = 500;

impl Coverage {
    /// Plants and scores. `seed` decides every draw.
    ///
    /// # Errors
    /// A run cannot start.
    pub(crate) fn measure(scorings: u64, seed: u64) -> Result<Self, Failure> {
        let (suite, catalog) = planted_suite()?;
        let probes = expand(&derive_questions(&suite), &catalog, None).probes;
        let mut lines = Vec::new();
        for rate in RateName::HEADLINE {
            for layout in &LAYOUTS {
                let bench = Bench::new(&catalog, eligible(&probes, rate, layout.trials_of));
                for planted in PLANTED {
                    for icc in ICC {
                        let first = seed.wrapping_add((lines.len() as u64) << 32);
                        lines.push(line(&bench, (rate, planted, icc), layout, first, scorings)?);
                    }
                }
            }
        }
        Ok(Self { scorings, each_line: scorings >= ENOUGH_EACH, lines })
    }

    /// Intervals that hold what was planted, and all.
    pub(crate) fn covered(&self) -> (u64, u64) {
        self.sum(|line| line.covered)
    }

    /// Intervals that leave a far rate out, and all.
    pub(crate) fn excluding_far(&self) -> (u64, u64) {
        self.sum(|line| line.excluding_far)
    }

    fn sum(&self, count: fn(&Line) -> u64) -> (u64, u64) {
        (self.lines.iter().map(count).sum(), self.lines.iter().map(|line| line.scorings).sum())
    }

    /// The standard error of a coverage of 95 % over the scorings of one line, in points.
    pub(crate) fn monte_carlo_error(&self) -> f64 {
        100.0 * (0.95 * 0.05 / self.scorings.max(1) as f64).sqrt()
    }

    /// What falls short, in words.
    pub(crate) fn failures(&self) -> Vec<String> {
        if self.each_line {
            return self.lines.iter().filter(|line| !line.holds()).map(shortfall).collect();
        }
        let (covered, all) = self.covered();
        let (excluding, _) = self.excluding_far();
        let mut failures = Vec::new();
        if !is_enough(covered, all) {
            failures.push(format!("{covered} of {all} intervals hold the planted rate, under {NEEDED} %"));
        }
        if !is_enough(excluding, all) {
            failures.push(format!("{excluding} of {all} intervals leave out a rate that is far away"));
        }
        failures
    }
}

fn shortfall(line: &Line) -> String {
    format!(
        "{} planted at {:.0} % with icc {} over {}: {} of {} intervals hold it and {} leave out {:.0} %, under {NEEDED} %",
        line.rate,
        100.0 * line.planted,
        line.icc,
        line.layout,
        line.covered,
        line.scorings,
        line.excluding_far,
        100.0 * FAR,
    )
}

fn is_enough(count: u64, of: u64) -> bool {
    of > 0 && count * 100 >= of * NEEDED
}

fn line(
    bench: &Bench,
    (rate, planted, icc): (RateName, f64, f64),
    layout: &Layout,
    first_seed: u64,
    scorings: u64,
) -> Result<Line, Failure> {
    let one = |at: u64| -> Result<(bool, bool, f64, f64), Failure> {
        let seed = first_seed.wrapping_add(at);
        let (card, _) = bench.run(&format!("planted:{rate}={planted},icc={icc},seed={seed}"), |_, _| {})?;
        // A rate without figures, or of other trials than were planted in, holds nothing.
        let found = card.rate(rate).filter(|found| found.scored == bench.probes.len() as u64);
        let Some(((low, high), mean)) = found.and_then(|found| found.interval_95.zip(found.mean_over_probes))
        else {
            return Ok((false, false, 1.0, 0.0));
        };
        let holds = |value: f64| low <= value && value <= high;
        Ok((holds(planted), !holds(FAR), high - low, mean))
    };
    let results = (0..scorings).into_par_iter().map(one).collect::<Result<Vec<_>, Failure>>()?;
    let count = |pick: fn(&(bool, bool, f64, f64)) -> bool| results.iter().filter(|r| pick(r)).count() as u64;
    let mean = |pick: fn(&(bool, bool, f64, f64)) -> f64| {
        results.iter().map(pick).sum::<f64>() / results.len().max(1) as f64
    };
    Ok(Line {
        rate,
        layout: layout.name,
        planted,
        icc,
        scorings,
        covered: count(|r| r.0),
        excluding_far: count(|r| r.1),
        mean_width: mean(|r| r.2),
        mean_rate: mean(|r| r.3),
    })
}

/// Sixty tasks of one tool, each with eight lookalikes and eight missing arguments. The catalog is small, since
/// every request carries it.
fn planted_suite() -> Result<(Suite, Arc<Catalog>), Failure> {
    let slots = || 0..8;
    let mut suite = String::from(
        "toolmirage: suite/1\nname: planted\nversion: 1\nseed: 9\ncatalog: none\nkinds: [control, decoy, lookalike, missing_argument]\ntasks:\n",
    );
    for task in 0..TASKS {
        let words: Vec<String> = slots().map(|slot| format!("w{slot}x{task}")).collect();
        let _ = writeln!(suite, "  - id: task-{task}\n    tool: move_crate");
        let _ = writeln!(suite, "    user: Move crate C{task} by {}.\n    arguments:", words.join(" "));
        for (slot, word) in words.iter().enumerate() {
            let _ = writeln!(suite, "      way_{slot}: {word}");
        }
        suite.push_str("    missing_argument:\n");
        for slot in slots() {
            let _ = writeln!(suite, "      way_{slot}: Move crate C{task}, way {slot} open.");
        }
        suite.push_str("    lookalikes:\n");
        for place in ["shelf", "yard", "ship", "shop"] {
            let _ = writeln!(suite, "      move_crate_{place}: Lists crates that were moved.");
        }
    }
    let properties: Vec<String> =
        slots().map(|slot| format!("\"way_{slot}\":{{\"type\":\"string\"}}")).collect();
    let required: Vec<String> = slots().map(|slot| format!("\"way_{slot}\"")).collect();
    let (properties, required) = (properties.join(","), required.join(","));
    let schema = format!("{{\"type\":\"object\",\"properties\":{{{properties}}},\"required\":[{required}]}}");
    let mut tool = Tool::named("move_crate");
    tool.input_schema = RawJson::parse(&schema).ok();
    let tools =
        vec![Arc::new(tool), Arc::new(Tool::named("weigh_crate")), Arc::new(Tool::named("paint_crate"))];
    let catalog = Catalog::new("planted/1", tools)
        .map_err(|twice| Failure::usage(format!("the planted catalog has `{twice}` twice")))?;
    Ok((Suite::from_text(Path::new("planted.yaml"), &suite)?.0, Arc::new(catalog)))
}

/// The first so many probes of each task that are eligible for a rate.
fn eligible(probes: &[Arc<Probe>], rate: RateName, trials_of: impl Fn(usize) -> usize) -> Vec<Arc<Probe>> {
    let mut of_task: IndexMap<&str, Vec<&Arc<Probe>>> = IndexMap::new();
    for probe in probes.iter().filter(|probe| probe.expectation.headline.contains(&rate)) {
        of_task.entry(probe.question.task.as_str()).or_default().push(probe);
    }
    let chosen = of_task.into_values().enumerate();
    chosen.flat_map(|(task, probes)| probes.into_iter().take(trials_of(task)).cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_planted_suite_has_as_many_eligible_trials_as_the_layouts_say() {
        let (suite, catalog) = planted_suite().unwrap_or_else(|failure| panic!("{}", failure.text()));
        let probes = expand(&derive_questions(&suite), &catalog, None).probes;
        for rate in RateName::HEADLINE {
            for layout in &LAYOUTS {
                assert_eq!(eligible(&probes, rate, layout.trials_of).len(), 240, "{rate} {}", layout.name);
            }
        }
    }

    #[test]
    fn few_scorings_are_judged_together_and_many_line_by_line() {
        let line = |covered| Line {
            rate: RateName::UnknownTool,
            layout: "x",
            planted: 0.1,
            icc: 0.0,
            scorings: 1_000,
            covered,
            excluding_far: 1_000,
            mean_width: 0.1,
            mean_rate: 0.1,
        };
        let coverage = |each_line| Coverage { scorings: 1_000, each_line, lines: vec![line(929), line(990)] };
        assert_eq!(coverage(true).failures().len(), 1);
        assert!(coverage(false).failures().is_empty());
        let wide = Line { excluding_far: 0, ..line(1_000) };
        assert!(!wide.holds(), "an interval that holds everything says nothing");
    }
}
