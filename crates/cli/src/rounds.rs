//! Carrying a run out: the round that is measured, and the one that puts changed probes again for reading.

use std::collections::{HashMap, HashSet};
use std::io::IsTerminal as _;
use std::time::Instant;

use probes::ProbeLine;
use report::{Measured, Policy, RunFacts};
use runner::{EndReason, Plan, Redactor, Round, RunEnd, RunEvent, RunFiles};
use tokio_util::sync::CancellationToken;
use transcript::{CellId, ProbeId};

use crate::clock;
use crate::conclusion;
use crate::error::Failure;
use crate::exit::Exit;
use crate::progress::{Output, Progress};
use crate::scoring::Scoring;
use crate::settled::Settled;

/// Changed probes of a pair of cells that are put again at most.
const CONFIRMED: usize = 200;

/// A run that is open: its plan, and what must not be written.
pub(crate) struct Open<'a> {
    /// The run.
    pub(crate) settled: &'a Settled,
    /// What is sent.
    pub(crate) plan: Plan,
    /// What takes secrets out.
    pub(crate) redactor: Redactor,
    /// Whether a record is taken up again.
    pub(crate) resumed: bool,
    /// Whether nothing is said while it goes on.
    pub(crate) quiet: bool,
    /// The cap on its cost.
    pub(crate) max_cost: Option<transcript::Cost>,
    /// By which rates probes count as changed.
    pub(crate) policy: Policy,
}

/// A run that was carried out, its scores not added up yet: that takes room of its own, which the plan has until it
/// is let go.
pub(crate) struct CarriedOut {
    scoring: Scoring,
    wall_ms: Option<u64>,
    max_cost: Option<transcript::Cost>,
    /// How it ended.
    pub(crate) end: RunEnd,
}

impl CarriedOut {
    /// What was measured.
    pub(crate) fn measured(self) -> Measured {
        let mut measured = self.scoring.finish(self.end.why == EndReason::Complete, self.wall_ms);
        measured.facts.max_cost = self.max_cost;
        measured
    }
}

/// Sends, records and scores, round after round.
pub(crate) fn carry_out(open: &Open<'_>, started: Instant) -> Result<CarriedOut, Failure> {
    let Open { settled, resumed, .. } = *open;
    let lines = || {
        let cells = settled.header.cells.iter().zip(&settled.cells);
        cells.flat_map(|(cell, probes)| probes.iter().map(|probe| probe.line(&cell.id)))
    };
    let mut scoring = scoring(open, lines())?;
    if resumed {
        scoring.recorded_trials(&settled.folder.join(runner::RECORD_FILE))?;
    }
    let mut files = if resumed {
        RunFiles::resume(&settled.folder, &settled.header, lines(), &open.redactor, clock::now())?
    } else {
        RunFiles::create(&settled.folder, &settled.header, lines(), &open.redactor)?
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let end = runtime.block_on(async {
        let cancel = CancellationToken::new();
        let on_signal = cancel.clone();
        let signal = tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                on_signal.cancel();
            }
        });
        let end = rounds(open, &mut scoring, &mut files, &cancel).await;
        signal.abort();
        end
    })?;
    let wall_ms = (!resumed).then(|| u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX));
    Ok(CarriedOut { scoring, wall_ms, max_cost: open.max_cost, end })
}

/// What scores the trials. Where something is taken out of what is written, trials come as they are written, and are
/// held against the plan as it is written.
fn scoring(open: &Open<'_>, lines: impl Iterator<Item = ProbeLine>) -> Result<Scoring, Failure> {
    let Open { settled, redactor, .. } = open;
    if !redactor.has_patterns() {
        let mut scoring = Scoring::new(settled.header.clone(), &settled.folder);
        for (cell, probes) in settled.header.cells.iter().zip(&settled.cells) {
            probes.iter().for_each(|probe| scoring.planned(probe, &cell.id));
        }
        return Ok(scoring);
    }
    let too_much = || {
        Failure::usage("`privacy.redact` takes out what a record cannot do without")
            .with_help("a pattern finds words of the format itself; make it narrower")
    };
    let header = redactor.clean_header(&settled.header).ok_or_else(too_much)?;
    let mut scoring = Scoring::new(header, &settled.folder);
    for line in lines {
        scoring.probe(redactor.clean_probe(&line).ok_or_else(too_much)?)?;
    }
    Ok(scoring)
}

async fn rounds(
    open: &Open<'_>,
    scoring: &mut Scoring,
    files: &mut RunFiles,
    cancel: &CancellationToken,
) -> Result<RunEnd, Failure> {
    let confirms = open.settled.header.confirm > 0;
    let mut plan = open.plan.clone();
    plan.round.is_last = !confirms;
    let end = round(open, &plan, scoring, files, cancel).await?;
    if !confirms || end.why != EndReason::Complete {
        return Ok(end);
    }
    let again = confirming(open, &plan, scoring);
    if again.planned() == 0 {
        files.finish(end.planned, clock::now())?;
        return Ok(end);
    }
    round(open, &again, scoring, files, cancel).await
}

async fn round(
    open: &Open<'_>,
    plan: &Plan,
    scoring: &mut Scoring,
    files: &mut RunFiles,
    cancel: &CancellationToken,
) -> Result<RunEnd, Failure> {
    let where_to = match (open.quiet, std::io::stderr().is_terminal()) {
        (true, _) => Output::None,
        (false, true) => Output::Terminal,
        (false, false) => Output::Plain,
    };
    let mut progress = Progress::new(where_to, files.recorded(), plan.planned_in_all());
    let mut on_event = |event: RunEvent<'_>| {
        let RunEvent::Trial { trial, .. } = event;
        if let Some(verdict) = scoring.trial(trial) {
            progress.trial(&verdict, || scoring.so_far());
        }
    };
    let end = runner::run(plan, files, &clock::now, cancel, &mut on_event).await;
    progress.finish();
    end.map_err(|error| {
        let folder = open.settled.folder.display();
        let mut failure = Failure::from(error);
        // Requests were sent, and what was measured is on disk.
        failure.exit = Exit::Stopped;
        failure.with_help(format!("`toolmirage run --resume {folder}` goes on with it"))
    })
}

/// The round that puts the changed probes of gated rates again, on both sides.
fn confirming(open: &Open<'_>, plan: &Plan, scoring: &mut Scoring) -> Plan {
    let header = &open.settled.header;
    let mut again = plan.clone();
    again.repeats = header.confirm;
    again.round = Round { first_repeat: header.repeats, earlier: plan.planned(), is_last: true };
    let wanted = changed(open, scoring);
    for cell in &mut again.cells {
        let of_cell = wanted.get(&cell.id);
        cell.probes.retain(|probe| of_cell.is_some_and(|probes| probes.contains(probe.id())));
    }
    again
}

/// By cell, the probes that changed in a gated rate; none where the run has one side.
fn changed(open: &Open<'_>, scoring: &mut Scoring) -> HashMap<CellId, HashSet<ProbeId>> {
    let mut wanted: HashMap<CellId, HashSet<ProbeId>> = HashMap::new();
    let header = &open.settled.header;
    let Some(sides) = conclusion::sides_of(header, &RunFacts::default()) else { return wanted };
    let options = sides.options(&open.policy);
    let Ok(comparison) = report::compare(header, &scoring.scorecards(), options) else { return wanted };
    for cell in &comparison.cells {
        let gated = cell.changed.iter().filter(|probe| probe.rates.iter().any(|rate| rate.gated));
        for probe in gated.take(CONFIRMED) {
            for side in [&cell.baseline, &cell.candidate] {
                wanted.entry(side.clone()).or_default().insert(probe.probe.clone());
            }
        }
    }
    wanted
}
