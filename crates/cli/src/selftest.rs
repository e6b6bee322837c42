//! The instrument proves itself: liars are caught, honest models pass, verdicts agree with what a simulated model
//! decided call by call, and planted rates come back inside the printed intervals. Everything happens in memory, and
//! nothing of it measures a model.

mod bench;
mod cases;
mod coverage;
mod figures;
mod outcomes;
mod pairs;
mod suite;
mod text;
mod trials;
mod words;

use std::collections::BTreeSet;

use probes::RateName;
use serde::Serialize;

use crate::error::Failure;

#[cfg(test)]
pub(crate) use bench::Bench;
use cases::Cases;
use coverage::Coverage;
use figures::Figures;
pub(crate) use outcomes::Outcomes;
use pairs::Pairs;
pub(crate) use suite::Ready;
use trials::Trials;

/// How much is done.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Models of each conduct that a suite is put to.
    pub(crate) models: u64,
    /// Scorings of each planted rate.
    pub(crate) scorings: u64,
}

impl Effort {
    /// All of it.
    pub(crate) const FULL: Self = Self { models: 10, scorings: 1_000 };
    /// What takes seconds.
    pub(crate) const QUICK: Self = Self { models: 3, scorings: 4 };
}

/// Rates that no simulated model raises, and what does: a pair of responses written by hand.
const BY_HAND: &[RateName] = &[RateName::InnerUnknown];

/// What a self-test came to, as programs read it.
#[derive(Debug, Serialize)]
pub(crate) struct SelfTest {
    /// Always true: every answer was scripted, and no figure measures a model.
    simulated: bool,
    /// Whether every check was seen to fail and to pass.
    pub(crate) passed: bool,
    /// What fell short, in words.
    failures: Vec<String>,
    /// The suite that was put.
    suite: String,
    /// Whether it is the one that the program carries.
    embedded: bool,
    /// Its probes, over all prompts.
    probes: usize,
    /// Models of each conduct that it was put to.
    models: u64,
    /// Decides every draw.
    seed: u64,
    /// Liars, honest and careless models.
    trials: Trials,
    /// Responses written by hand, in pairs.
    pairs: Pairs,
    /// Trials written by hand.
    cases: Cases,
    /// Figures worked out by hand.
    figures: Figures,
    /// Findings that were raised by a lie, of those that there are, by sort.
    findings: Vec<Findings>,
    /// Planted rates.
    coverage: Coverage,
}

/// The findings of one sort.
#[derive(Debug, Serialize)]
struct Findings {
    sort: words::Sort,
    /// Words that a lie raised.
    raised: u64,
    /// Words that there are.
    words: u64,
    /// Those that nothing raised.
    not_raised: Vec<String>,
}

impl SelfTest {
    /// Does all of it.
    ///
    /// # Errors
    /// A run cannot start.
    pub(crate) fn run(ready: &Ready, effort: Effort, seed: u64) -> Result<Self, Failure> {
        let pairs = Pairs::judge()?;
        let cases = Cases::judge()?;
        let figures = Figures::compare()?;
        let trials = Trials::put(ready, effort.models, seed)?;
        let coverage = Coverage::measure(effort.scorings, seed)?;
        let findings = findings(&trials, &pairs, &cases);
        let mut failures = trials.failures(ready.embedded, BY_HAND);
        failures.extend(pairs.mistakes.iter().chain(&cases.mistakes).chain(&figures.mistakes).cloned());
        if ready.embedded {
            for sort in &findings {
                failures.extend(sort.not_raised.iter().map(|word| {
                    format!("no lie raises the {} finding {word}: the check cannot fail", sort.sort.as_str())
                }));
            }
        }
        failures.extend(coverage.failures());
        Ok(Self {
            simulated: true,
            passed: failures.is_empty(),
            failures,
            suite: ready.name.clone(),
            embedded: ready.embedded,
            probes: ready.probes(),
            models: effort.models,
            seed,
            trials,
            pairs,
            cases,
            figures,
            findings,
            coverage,
        })
    }
}

fn findings(trials: &Trials, pairs: &Pairs, cases: &Cases) -> Vec<Findings> {
    let all = words::all();
    let raised: BTreeSet<_> = trials.found.iter().chain(&pairs.words).chain(&cases.found).collect();
    let of_sort = |sort: words::Sort| {
        let words: Vec<_> = all.iter().filter(|(one, _)| *one == sort).collect();
        let not_raised: Vec<String> =
            words.iter().filter(|word| !raised.contains(*word)).map(|(_, word)| word.clone()).collect();
        Findings {
            sort,
            raised: (words.len() - not_raised.len()) as u64,
            words: words.len() as u64,
            not_raised,
        }
    };
    words::Sort::ALL.map(of_sort).into()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::args::SuiteArgs;
    use crate::environment;
    use crate::inputs::Inputs;

    fn sure<T>(result: Result<T, Failure>) -> T {
        result.unwrap_or_else(|failure| panic!("{}", failure.text()))
    }

    /// `TOOLMIRAGE_SCORINGS=1000 cargo test --release -p toolmirage selftest -- --nocapture` is the long form.
    #[test]
    fn the_instrument_holds() {
        let asked = environment::test_setting("TOOLMIRAGE_SCORINGS").and_then(|text| text.parse().ok());
        let effort = Effort { models: 2, scorings: asked.unwrap_or(1) };
        let result = sure(SelfTest::run(&sure(Ready::embedded()), effort, 1));
        println!("{}", result.text());
        assert!(result.passed, "{:#?}", result.failures);
        assert_eq!(result.trials.kinds.len(), probes::KINDS.len());
        assert!(result.trials.compared().0 > 1_000, "few calls were compared");
    }

    /// Suites that the project ships beside the one that is built in; the first with `TOOLMIRAGE_LONG` unset.
    const SHIPPED: [(&str, bool); 12] = [
        ("starter", false),
        ("failures", false),
        ("defences", false),
        ("ladder", true),
        ("documents", true),
        ("support", true),
        ("messaging", true),
        ("deployments", true),
        ("customers", true),
        ("bank", true),
        ("files", true),
        ("travel", true),
    ];

    fn shipped(suite: &str) -> Ready {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites");
        let args = SuiteArgs {
            suite: Some(root.join(suite).with_extension("yaml")),
            filler: None,
            kinds: Vec::new(),
            arms: Vec::new(),
            only: Vec::new(),
            limit: None,
        };
        sure(Ready::of(&sure(Inputs::load(&args, None, None))))
    }

    #[test]
    fn liars_are_caught_and_honest_models_pass_on_every_suite_that_is_shipped() {
        let long = environment::test_setting("TOOLMIRAGE_LONG").is_some();
        for (suite, _) in SHIPPED.into_iter().filter(|(_, only_long)| long || !only_long) {
            let trials = sure(Trials::put(&shipped(suite), 1, 0));
            let failures = trials.failures(false, &[]);
            assert!(failures.is_empty(), "{suite}: {failures:#?}");
            let sum = trials.over_kinds();
            assert_eq!((sum.liar.of_them, sum.honest.of_them), (sum.liar.trials, 0), "{suite}");
        }
    }
}
