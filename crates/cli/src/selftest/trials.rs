//! Liars, honest and careless models put to a suite: each lie is caught, no honest trial is faulted, and each call is
//! judged as the model decided it.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use probes::RateName;
use rayon::prelude::*;
use scorer::{Class, Judgement, Surface, TurnVerdict, Verdict};
use serde::Serialize;
use sim::{CallSurface, CallTruth, Decision};
use transcript::ProbeId;

use super::bench::Bench;
use super::suite::Ready;
use super::words::{self, Word};
use crate::error::Failure;

/// So many mistakes are named; the others are counted.
const NAMED: usize = 5;

/// Rates that are judged only where something went wrong before.
const AFTER_A_LIE: &[RateName] = &[RateName::RepeatedUnknown];

/// How a simulated model behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Conduct {
    Liar,
    Honest,
    Careless,
}

impl Conduct {
    const ALL: [Self; 3] = [Self::Liar, Self::Honest, Self::Careless];

    fn as_str(self) -> &'static str {
        match self {
            Self::Liar => "liar",
            Self::Honest => "honest",
            Self::Careless => "careless",
        }
    }
}

/// Trials and those among them with what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Share {
    /// Those with it.
    pub(crate) of_them: u64,
    /// All.
    pub(crate) trials: u64,
}

impl Share {
    fn add(&mut self, holds: bool) {
        self.trials += 1;
        self.of_them += u64::from(holds);
    }

    fn join(&mut self, other: Self) {
        self.trials += other.trials;
        self.of_them += other.of_them;
    }
}

/// A kind of probe or a rate: what became of lies and of honest trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Held {
    /// Lying trials, and those that were caught (a kind) or raised the rate.
    pub(crate) liar: Share,
    /// Honest trials, and those that were faulted.
    pub(crate) honest: Share,
}

/// What the trials came to.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Trials {
    /// By kind of probe.
    pub(crate) kinds: IndexMap<String, Held>,
    /// By rate, over the trials in which it was judged; careless models' lies are counted among the liars'.
    pub(crate) rates: BTreeMap<RateName, Held>,
    /// Calls by what the model decided and by what the scorer found. `none`: the other side has no such call.
    pub(crate) calls: BTreeMap<String, BTreeMap<String, u64>>,
    /// Mistakes of the scorer, in words; the first ones.
    pub(crate) mistakes: Vec<String>,
    /// How many there are.
    pub(crate) mistakes_in_all: u64,
    /// Findings raised by models that do not behave.
    #[serde(skip)]
    pub(crate) found: BTreeSet<Word>,
}

impl Trials {
    /// Puts a suite to `models` models of each conduct.
    ///
    /// # Errors
    /// A run cannot start.
    pub(crate) fn put(ready: &Ready, models: u64, seed: u64) -> Result<Self, Failure> {
        let mut jobs = Vec::new();
        for bench in &ready.benches {
            for conduct in Conduct::ALL {
                jobs.extend((0..models).map(|at| (bench, conduct, seed.wrapping_add(at))));
            }
        }
        let parts = jobs.into_par_iter().map(|(bench, conduct, seed)| put(bench, conduct, seed));
        let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
        let mut whole = Self::default();
        parts.into_iter().for_each(|part| whole.join(part));
        Ok(whole)
    }

    /// Calls that were compared, and those that were judged otherwise than decided.
    pub(crate) fn compared(&self) -> (u64, u64) {
        let mut sum = (0, 0);
        for (decided, row) in &self.calls {
            for (judged, count) in row {
                sum.0 += count;
                sum.1 += if decided == judged { 0 } else { *count };
            }
        }
        sum
    }

    /// All kinds together.
    pub(crate) fn over_kinds(&self) -> Held {
        let mut sum = Held::default();
        for held in self.kinds.values() {
            sum.liar.join(held.liar);
            sum.honest.join(held.honest);
        }
        sum
    }

    /// What falls short, in words. Of the suite that the program carries, each kind and each rate but those of
    /// `otherwise` must have been put both ways.
    pub(crate) fn failures(&self, embedded: bool, otherwise: &[RateName]) -> Vec<String> {
        let mut failures = self.mistakes.clone();
        let named = failures.len() as u64;
        if self.mistakes_in_all > named {
            failures.push(format!("and {} more mistakes of this sort", self.mistakes_in_all - named));
        }
        let (compared, _) = self.compared();
        if compared == 0 {
            failures.push("no call was compared with the decision log".to_owned());
        }
        if !embedded {
            return failures;
        }
        for kind in probes::KINDS {
            if !self.kinds.get(kind.name).is_some_and(|held| held.liar.trials > 0 && held.honest.trials > 0) {
                failures.push(format!("no probe of kind {} was put both ways", kind.name));
            }
        }
        for metric in scorer::METRICS.iter().filter(|metric| !otherwise.contains(&metric.name)) {
            let held = self.rates.get(&metric.name).copied().unwrap_or_default();
            if held.liar.of_them == 0 {
                failures.push(format!("no lie raises {}: the check cannot fail", metric.name));
            }
            // Whoever is honest gives no occasion for a check of what follows a lie; lies without the event do.
            let spared = held.liar.trials - held.liar.of_them;
            if held.honest.trials == 0 && (spared == 0 || !AFTER_A_LIE.contains(&metric.name)) {
                failures.push(format!("{} is judged in no honest trial: the check cannot pass", metric.name));
            }
        }
        failures
    }

    fn mistake(&mut self, words: impl FnOnce() -> String) {
        self.mistakes_in_all += 1;
        if self.mistakes.len() < NAMED {
            self.mistakes.push(words());
        }
    }

    fn join(&mut self, other: Self) {
        for (kind, held) in other.kinds {
            let sum = self.kinds.entry(kind).or_default();
            sum.liar.join(held.liar);
            sum.honest.join(held.honest);
        }
        for (rate, held) in other.rates {
            let sum = self.rates.entry(rate).or_default();
            sum.liar.join(held.liar);
            sum.honest.join(held.honest);
        }
        for (decided, row) in other.calls {
            let sum = self.calls.entry(decided).or_default();
            for (judged, count) in row {
                *sum.entry(judged).or_default() += count;
            }
        }
        let room = NAMED.saturating_sub(self.mistakes.len());
        self.mistakes.extend(other.mistakes.into_iter().take(room));
        self.mistakes_in_all += other.mistakes_in_all;
        self.found.extend(other.found);
    }

    /// Takes in one judged trial.
    fn add(&mut self, conduct: Conduct, kind: &str, trial: &str, verdict: &Verdict) {
        let (caught, cleared) = (words::is_caught(verdict), words::is_cleared(verdict));
        let held = self.kinds.entry(kind.to_owned()).or_default();
        match conduct {
            Conduct::Liar => held.liar.add(caught),
            Conduct::Honest => held.honest.add(!cleared),
            Conduct::Careless => {}
        }
        if conduct == Conduct::Liar && !caught {
            self.mistake(|| format!("{kind}: a lie in {trial} was not caught"));
        }
        if conduct == Conduct::Honest && !cleared {
            self.mistake(|| {
                let found = found(verdict);
                format!("{kind}: the honest trial {trial} was faulted ({found})")
            });
        }
        for (rate, judgement) in &verdict.checks {
            if let Judgement::Judged { .. } = judgement {
                let held = self.rates.entry(*rate).or_default();
                let share = if conduct == Conduct::Honest { &mut held.honest } else { &mut held.liar };
                share.add(words::has_event(judgement));
            }
        }
        if conduct != Conduct::Honest {
            self.found.extend(words::of(verdict));
        }
    }

    /// Compares a trial's turns with what was decided.
    fn compare(&mut self, trial: &str, misuse_asked: bool, turns: &[TurnVerdict], decisions: &[Decision]) {
        for at in 0..turns.len().max(decisions.len()) {
            let asked = |class: Class| match class {
                // Whether a tool is misused is asked only where the probe enters that rate.
                Class::MisusedTool if !misuse_asked => Class::Ok,
                class => class,
            };
            let decided: Vec<_> = decisions
                .get(at)
                .map(|d| d.calls.as_slice())
                .unwrap_or_default()
                .iter()
                .map(|call| {
                    let structured = call.surface == CallSurface::Structured;
                    (call.name.as_str(), structured, asked(class_of(call.truth)))
                })
                .collect();
            let judged: Vec<_> = turns
                .get(at)
                .map(|turn| turn.calls.as_slice())
                .unwrap_or_default()
                .iter()
                .map(|call| {
                    let structured = call.surface == Surface::Structured;
                    (call.emitted_name.as_str(), structured, call.class.unwrap_or(Class::Ok))
                })
                .collect();
            for place in 0..decided.len().max(judged.len()) {
                let (one, other) = (decided.get(place), judged.get(place));
                let same_call = one.map(|call| (call.0, call.1)) == other.map(|call| (call.0, call.1));
                if same_call {
                    self.count(one.map(|call| call.2), other.map(|call| call.2));
                } else {
                    // Another name or another place is another call: one is missing, and one too many.
                    one.into_iter().for_each(|call| self.count(Some(call.2), None));
                    other.into_iter().for_each(|call| self.count(None, Some(call.2)));
                }
                if one != other {
                    self.mistake(|| format!("{trial}: decided {one:?}, judged {other:?}"));
                }
            }
        }
    }

    fn count(&mut self, decided: Option<Class>, judged: Option<Class>) {
        let row = self.calls.entry(class_word(decided).to_owned()).or_default();
        *row.entry(class_word(judged).to_owned()).or_default() += 1;
    }
}

/// What a verdict finds, for a message.
fn found(verdict: &Verdict) -> String {
    let words: Vec<String> = words::of(verdict).into_iter().map(|(_, word)| word).collect();
    let behaviour = format!("{:?}", verdict.behaviour).to_lowercase();
    if words.is_empty() { format!("behaviour {behaviour}") } else { words.join(", ") }
}

/// Puts every probe of a bench to one model.
fn put(bench: &Bench, conduct: Conduct, seed: u64) -> Result<Trials, Failure> {
    let probes: IndexMap<&ProbeId, (&str, bool)> = bench
        .probes
        .iter()
        .map(|probe| {
            let misuse_asked = probe.expectation.side.contains(&RateName::MisusedTool);
            (probe.id(), (probe.question.kind.as_str(), misuse_asked))
        })
        .collect();
    let profile = format!("{}:seed={seed}", conduct.as_str());
    let mut part = Trials::default();
    let mut turns: Vec<(ProbeId, String, Vec<TurnVerdict>)> = Vec::new();
    let (_, decisions) = bench.run(&profile, |trial, verdict| {
        let kind = probes.get(&trial.probe).map_or("", |(kind, _)| *kind);
        let name = format!("{profile} {}", trial.id());
        part.add(conduct, kind, &name, verdict);
        turns.push((trial.probe.clone(), name, verdict.turns.clone()));
    })?;
    let planned = bench.probes.len();
    if turns.len() != planned {
        part.mistake(|| format!("{profile}: {} trials were judged of {planned}", turns.len()));
    }
    // A trial ends before the next begins, so each trial's decisions lie together and in its order.
    let mut rest = decisions.as_slice();
    for (probe, name, turns) in &turns {
        let misuse_asked = probes.get(probe).is_some_and(|(_, asked)| *asked);
        let of_trial = rest.iter().take_while(|decision| decision.probe.as_ref() == Some(probe)).count();
        let (decided, left) = rest.split_at(of_trial);
        part.compare(name, misuse_asked, turns, decided);
        rest = left;
    }
    if !rest.is_empty() {
        part.mistake(|| format!("{profile}: {} decisions belong to no judged trial", rest.len()));
    }
    Ok(part)
}

/// What a decision says of a call, in the scorer's words.
fn class_of(truth: CallTruth) -> Class {
    match truth {
        CallTruth::Ok => Class::Ok,
        CallTruth::UnknownTool => Class::UnknownTool,
        CallTruth::ShadowCall => Class::ShadowCall,
        CallTruth::MisusedTool => Class::MisusedTool,
        CallTruth::HallucinatedArgument => Class::HallucinatedArgument,
    }
}

/// The classes in the order of tables, and the word for no call.
pub(crate) const CLASSES: [&str; 6] =
    ["ok", "unknown_tool", "shadow_call", "hallucinated_argument", "misused_tool", "none"];

fn class_word(class: Option<Class>) -> &'static str {
    match class {
        Some(Class::Ok) => "ok",
        Some(Class::UnknownTool) => "unknown_tool",
        Some(Class::ShadowCall) => "shadow_call",
        Some(Class::HallucinatedArgument) => "hallucinated_argument",
        Some(Class::MisusedTool) => "misused_tool",
        None => "none",
    }
}
