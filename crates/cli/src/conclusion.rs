//! From what was measured to what is said of it: the report, the comparison of two sides, the gate.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use probes::RateName;
use report::{
    CompareOptions, ComparedSide, Comparison, FactorChoice, GateVerdict, Incomparable, Measured, Policy,
    Report, RunFacts, Share, ShownTrial, compare, decide,
};
use scorer::{RateState, Scorecard};
use transcript::{CellId, Header, ProbeId, Side};

use crate::error::Failure;
use crate::exit::Exit;
use crate::scoring;

/// Changed probes of each pair of cells whose trials are shown.
const SHOWN: usize = 150;

/// A run's figures.
pub(crate) struct Scored {
    /// One for each cell.
    pub(crate) scorecards: Vec<Scorecard>,
    /// All that any format shows.
    pub(crate) report: Report,
}

impl Scored {
    /// The same, its report with no more than is shared.
    pub(crate) fn shared(mut self, share: Share) -> Self {
        self.report = self.report.shared(share);
        if share == Share::Summary {
            for card in &mut self.scorecards {
                for name in card.invented.drain(..) {
                    card.unlisted_names.trials += name.trials;
                    card.unlisted_names.calls += name.calls;
                }
            }
        }
        self
    }
}

/// A record that trials are shown from.
pub(crate) struct Source {
    /// The record.
    pub(crate) record: PathBuf,
    /// What its cells are called where they stand in another record: its prefix.
    pub(crate) prefix: &'static str,
}

/// How two sides are set beside each other.
pub(crate) struct Sides {
    /// The baseline as the caller knows it.
    pub(crate) baseline: ComparedSide,
    /// The candidate.
    pub(crate) candidate: ComparedSide,
    /// Whether both were measured in one run.
    pub(crate) concurrent: bool,
    /// Whether both are the same record: then nothing can differ.
    pub(crate) same: bool,
    /// What may differ.
    pub(crate) factor: FactorChoice,
}

impl Sides {
    /// What a comparison of them is asked for.
    pub(crate) fn options(self, policy: &Policy) -> CompareOptions<'_> {
        CompareOptions {
            baseline: self.baseline,
            candidate: self.candidate,
            concurrent: self.concurrent,
            factor: self.factor,
            policy,
        }
    }
}

/// Concludes a run of its own: with a comparison where it has two sides, with a gate where it has a policy or
/// two sides.
pub(crate) fn of_run(measured: Measured, policy: Option<Policy>, record: PathBuf) -> Result<Scored, Failure> {
    let sides = sides_of(&measured.header, &measured.facts);
    conclude(measured, policy, sides, &[Source { record, prefix: "" }])
}

/// The two sides of one record; none where it has one.
pub(crate) fn sides_of(header: &Header, facts: &RunFacts) -> Option<Sides> {
    let has = |side: Side| header.cells.iter().any(|cell| cell.side == side);
    if !has(Side::Baseline) || !has(Side::Candidate) {
        return None;
    }
    let label = match &header.against {
        Some(against) => against.name.clone(),
        None => "baseline".to_owned(),
    };
    Some(Sides {
        baseline: side(&label, header, facts),
        candidate: side("this change", header, facts),
        concurrent: true,
        same: false,
        factor: FactorChoice::All,
    })
}

/// One side as its record has it.
pub(crate) fn side(label: &str, header: &Header, facts: &RunFacts) -> ComparedSide {
    ComparedSide {
        label: label.to_owned(),
        run: header.run.clone(),
        folder: facts.folder.clone(),
        accepted: false,
        window: facts.window.clone(),
        suite: header.suite.clone(),
        repeats: header.repeats,
        max_turns: header.max_turns,
    }
}

/// Concludes.
pub(crate) fn conclude(
    measured: Measured,
    policy: Option<Policy>,
    sides: Option<Sides>,
    sources: &[Source],
) -> Result<Scored, Failure> {
    let Measured { header, scorecards, gathered, facts } = measured;
    let policy = policy.or_else(|| sides.as_ref().map(|_| Policy::DEFAULT));
    let mut comparison = None;
    if let (Some(sides), Some(policy)) = (sides, &policy) {
        let same = sides.same;
        let mut compared = compare(&header, &scorecards, sides.options(policy)).map_err(incomparable)?;
        if same {
            compared.notes.insert(0, "both sides are one and the same record".to_owned());
        }
        compared.confirm(&gathered);
        let shown = shown(&compared, sources)?;
        compared.show(shown);
        comparison = Some(compared);
    }
    let mut report = Report::of(&header, scorecards.clone(), gathered, facts);
    report.gate = policy.map(|policy| decide(&policy, &report, &scorecards, comparison.as_ref()));
    report.comparison = comparison;
    Ok(Scored { scorecards, report })
}

fn incomparable(error: Incomparable) -> Failure {
    let help = match &error {
        Incomparable::SeveralFactors(_) => Some(
            "`--factor all` compares them all the same; `--factor prompt` takes the cells that differ in it alone",
        ),
        Incomparable::NoPair => Some("both sides have to run the same suite"),
        Incomparable::NoCounterpart { .. } => {
            Some("name the coordinate that is meant to differ: `--factor target`")
        }
        Incomparable::NoCell(_) | Incomparable::NotThatFactor(_) => None,
    };
    let failure = Failure::invalid(error);
    match help {
        Some(help) => failure.with_help(help),
        None => failure,
    }
}

/// Reads the trials of changed probes again: which those are is known only when all are scored.
fn shown(comparison: &Comparison, sources: &[Source]) -> Result<Vec<ShownTrial>, Failure> {
    let mut wanted: HashMap<CellId, HashSet<ProbeId>> = HashMap::new();
    for (cell, probe) in comparison.to_show(SHOWN) {
        for side in [&cell.baseline, &cell.candidate] {
            wanted.entry(side.clone()).or_default().insert(probe.probe.clone());
        }
    }
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut trials = Vec::new();
    for source in sources {
        let of_source: HashMap<CellId, HashSet<ProbeId>> = wanted
            .iter()
            .filter_map(|(cell, probes)| {
                let own = cell.0.strip_prefix(source.prefix)?;
                Some((CellId(own.into()), probes.clone()))
            })
            .collect();
        for trial in scoring::shown_trials(&source.record, &of_source)? {
            let cell = CellId(format!("{}{}", source.prefix, trial.cell).into());
            trials.push(trial.in_cell(cell));
        }
    }
    Ok(trials)
}

/// The status of a run that came to its end: the gate's, where there is one; else invalid where a headline rate
/// that was planned has no figure.
pub(crate) fn exit_of(scored: &Scored) -> Exit {
    if let Some(gate) = &scored.report.gate {
        return match gate.verdict {
            GateVerdict::Fail => Exit::Failed,
            GateVerdict::Invalid => Exit::Invalid,
            GateVerdict::Inconclusive if gate.inconclusive_fails => Exit::Inconclusive,
            GateVerdict::Inconclusive | GateVerdict::Pass => Exit::Pass,
        };
    }
    let planned = |card: &Scorecard| {
        let rates = RateName::HEADLINE.into_iter().filter_map(|name| card.rate(name));
        rates.filter(|rate| rate.planned > 0).map(|rate| rate.state).collect::<Vec<_>>()
    };
    let states: Vec<RateState> = scored.scorecards.iter().flat_map(planned).collect();
    let trials: u64 = scored.scorecards.iter().map(Scorecard::scored).sum();
    let no_figure = |state: &RateState| matches!(state, RateState::NotMeasured | RateState::CoverageTooLow);
    if trials == 0 || states.iter().any(no_figure) { Exit::Invalid } else { Exit::Pass }
}
