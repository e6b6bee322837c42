//! `toolmirage run`: sends probes, scores what comes back, reports.

use std::collections::HashMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use probes::{Probe, RateName};
use report::Format;
use runner::{EndReason, Plan, PlannedCell, Redactor, RetryPolicy, RunEnd, RunEvent, RunFiles};
use scorer::{RateState, Scorecard};
use tokio_util::sync::CancellationToken;
use transcript::{Cell, CellId, Header, RECORD_FORMAT, Side, Stale, TargetId};

use crate::args::RunArgs;
use crate::config::ProfileConfig;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::{Configured, Inputs};
use crate::progress::{self, Output, Progress};
use crate::scoring::{Scored, Scoring};
use crate::targets::{self, TargetPlan};
use crate::{clock, output, recorded, runs};

/// How long requests under way may go on after Ctrl-C.
const CANCEL_GRACE: Duration = Duration::from_secs(2);

/// A run that is settled: everything but the connections.
pub(crate) struct Settled {
    /// The record's header.
    pub(crate) header: Header,
    /// The targets, as the header names them.
    pub(crate) targets: Vec<TargetPlan>,
    /// The probes of each cell, in the order of the header.
    pub(crate) cells: Vec<Vec<Arc<Probe>>>,
    /// The folder for the record and the reports.
    pub(crate) folder: PathBuf,
}

/// Runs a suite, or goes on with an unfinished run.
pub(crate) fn run(args: &RunArgs, configured: Option<&Configured>, quiet: bool) -> Result<Exit, Failure> {
    let profile = profile(args, configured)?;
    let settled = match &args.resume {
        Some(run) => recorded::settle(&runs::find(run)?)?,
        None => settle(args, configured, profile)?,
    };
    let simulated = settled.targets.iter().all(|target| target.record.simulated);
    let asked = args.concurrency.or(profile.and_then(|profile| profile.concurrency));
    let concurrency = asked.unwrap_or(if simulated { 64 } else { 8 });
    if concurrency == 0 {
        return Err(Failure::usage("`--concurrency` takes at least 1"));
    }
    let (plan, redactor) = open(&settled, args, concurrency)?;
    let started = Instant::now();
    let (end, scored) = carry_out(&settled, &plan, &redactor, args.resume.is_some(), quiet, started)?;
    output::write_reports(&scored.report, &settled.folder)?;
    if args.json {
        output::print_json(&scored.report)?;
    } else {
        let text = output::rendered(&scored.report, Format::Text)?;
        output::print(&String::from_utf8_lossy(&text))?;
    }
    conclude(&end, &scored, &settled.folder)
}

fn profile<'a>(
    args: &RunArgs,
    configured: Option<&'a Configured>,
) -> Result<Option<&'a ProfileConfig>, Failure> {
    let Some(name) = &args.profile else { return Ok(None) };
    let Some(configured) = configured else {
        return Err(Failure::usage(format!("there is no configuration with a profile `{name}`"))
            .with_help("profiles stand in toolmirage.yaml, or in the file that --config names"));
    };
    let profiles = &configured.config.profiles;
    profiles.get(name).map(Some).ok_or_else(|| {
        let failure = Failure::usage(format!("unknown profile `{name}`"));
        match probes::nearest(name, profiles.keys().map(String::as_str)) {
            Some(near) => failure.with_help(format!("did you mean `{near}`?")),
            None => failure,
        }
    })
}

fn settle(
    args: &RunArgs,
    configured: Option<&Configured>,
    profile: Option<&ProfileConfig>,
) -> Result<Settled, Failure> {
    let kinds = profile.and_then(|profile| profile.kinds.as_deref());
    let inputs = Inputs::load(&args.suite, configured, kinds)?;
    let targets = targets::settle(args, configured, profile.and_then(|profile| profile.targets.as_deref()))?;
    let repeats = args.repeats.or(profile.and_then(|profile| profile.repeats)).unwrap_or(1);
    let max_turns = args.max_turns.or(profile.and_then(|profile| profile.max_turns)).unwrap_or(6);
    if repeats == 0 || max_turns == 0 {
        return Err(Failure::usage("`--repeats` and `--max-turns` take at least 1"));
    }
    let mut cells = Vec::new();
    let mut probes = Vec::new();
    let mut stale = Vec::new();
    for of_prompt in inputs.cells()? {
        for target in &targets {
            let id = CellId(format!("c{}", cells.len()).into());
            stale.extend(of_prompt.stale.iter().map(|(probe, reason)| Stale {
                cell: id.clone(),
                probe: probe.clone(),
                reason: reason.clone(),
            }));
            cells.push(Cell {
                id,
                prompt: of_prompt.prompt.as_ref().map(|prompt| prompt.hash.clone()),
                catalog: inputs.catalog.hash().clone(),
                target: target.id.clone(),
                side: Side::Candidate,
                git_ref: None,
            });
            probes.push(of_prompt.probes.clone());
        }
    }
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => runs::new_folder(&clock::today(), args.profile.as_deref().unwrap_or(&inputs.suite.name))?,
    };
    let name =
        folder.file_name().map_or_else(|| inputs.suite.name.clone(), |n| n.to_string_lossy().into_owned());
    let header = Header {
        format: RECORD_FORMAT.to_owned(),
        toolmirage: env!("CARGO_PKG_VERSION").to_owned(),
        run: name,
        suite: inputs.suite_record(),
        catalogs: inputs.catalog_records(),
        prompts: inputs.prompt_records(),
        cells,
        targets: targets.iter().map(|target| (target.id.clone(), target.record.clone())).collect(),
        repeats,
        seed: args.seed.unwrap_or(inputs.suite.seed),
        max_turns,
        planned: probes.iter().map(|of_cell| of_cell.len() as u64).sum::<u64>() * u64::from(repeats),
        stale,
        profile: args.profile.clone(),
    };
    Ok(Settled { header, targets, cells: probes, folder })
}

/// Opens the targets. Nothing is sent.
fn open(settled: &Settled, args: &RunArgs, concurrency: usize) -> Result<(Plan, Redactor), Failure> {
    let mut opened: HashMap<TargetId, Arc<runner::Target>> = HashMap::new();
    let mut secrets = Vec::new();
    for plan in &settled.targets {
        let of_target =
            settled.header.cells.iter().zip(&settled.cells).filter(|(cell, _)| cell.target == plan.id);
        let probes: Vec<Arc<Probe>> = of_target.flat_map(|(_, probes)| probes.iter().cloned()).collect();
        let target = targets::open(plan, concurrency, settled.header.seed, &probes)?;
        secrets.extend(target.secrets);
        opened.insert(plan.id.clone(), target.target);
    }
    let cells = settled.header.cells.iter().zip(&settled.cells).filter_map(|(cell, probes)| {
        let target = opened.get(&cell.target)?.clone();
        Some(PlannedCell { id: cell.id.clone(), target, probes: probes.clone() })
    });
    let plan = Plan {
        run: settled.header.run.clone(),
        cells: cells.collect(),
        repeats: settled.header.repeats,
        seed: settled.header.seed,
        max_turns: settled.header.max_turns,
        concurrency,
        request_deadline: Duration::from_secs(args.timeout.max(1)),
        retry: RetryPolicy { max_retries: args.retries, ..RetryPolicy::STANDARD },
        give_up_after: 5,
        cancel_grace: CANCEL_GRACE,
    };
    Ok((plan, Redactor::new(&secrets)))
}

fn carry_out(
    settled: &Settled,
    plan: &Plan,
    redactor: &Redactor,
    resumed: bool,
    quiet: bool,
    started: Instant,
) -> Result<(RunEnd, Scored), Failure> {
    let lines = || {
        let cells = settled.header.cells.iter().zip(&settled.cells);
        cells.flat_map(|(cell, probes)| probes.iter().map(|probe| probe.line(&cell.id)))
    };
    let mut scoring = Scoring::new(settled.header.clone(), &settled.folder);
    for line in lines() {
        scoring.probe(line)?;
    }
    if resumed {
        scoring.recorded_trials(&settled.folder.join(runner::RECORD_FILE))?;
    }
    let mut files = if resumed {
        RunFiles::resume(&settled.folder, &settled.header, lines(), redactor, clock::now())?
    } else {
        RunFiles::create(&settled.folder, &settled.header, lines(), redactor)?
    };
    let where_to = match (quiet, std::io::stderr().is_terminal()) {
        (true, _) => Output::None,
        (false, true) => Output::Terminal,
        (false, false) => Output::Plain,
    };
    let mut progress = Progress::new(where_to, files.recorded(), plan.planned());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let end = runtime.block_on(async {
        let cancel = CancellationToken::new();
        let on_signal = cancel.clone();
        let signal = tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                on_signal.cancel();
            }
        });
        let mut on_event = |event: RunEvent<'_>| {
            let RunEvent::Trial { trial, .. } = event;
            if let Some(verdict) = scoring.trial(trial) {
                progress.trial(&verdict, || scoring.so_far());
            }
        };
        let end = runner::run(plan, &mut files, &clock::now, &cancel, &mut on_event).await;
        signal.abort();
        end
    });
    progress.finish();
    let end = end?;
    let wall = (!resumed).then(|| u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX));
    let scored = scoring.finish(end.why == EndReason::Complete, wall);
    Ok((end, scored))
}

/// What is left to say, and the status.
fn conclude(end: &RunEnd, scored: &Scored, folder: &Path) -> Result<Exit, Failure> {
    let resume = format!("`toolmirage run --resume {}` goes on with it", folder.display());
    let saved = format!("{} of {} trials are saved", end.done, end.planned);
    match &end.why {
        EndReason::Complete => Ok(exit_of(&scored.scorecards)),
        EndReason::Interrupted => {
            progress::print(&format!("interrupted: {saved}; {resume}"));
            Ok(Exit::Interrupted)
        }
        EndReason::Authentication { place, message } => Err(Failure {
            exit: Exit::Stopped,
            error: anyhow::anyhow!("{place} refuses the key: {message} ({saved})"),
            help: Some(format!("name the variable that holds the key with `key_env` or --key-env; {resume}")),
        }),
        EndReason::Quota { place, message } => Err(Failure {
            exit: Exit::Stopped,
            error: anyhow::anyhow!("quota or credit at {place} is used up: {message} ({saved})"),
            help: Some(resume),
        }),
        EndReason::Unreachable { place, message } => {
            Err(Failure::invalid(format!("no trial reached a model at {place}: {message} ({saved})"))
                .with_help(format!("see that the endpoint is up and the base URL ends in /v1; {resume}")))
        }
    }
}

/// Invalid where a headline rate that was planned has no figure.
pub(crate) fn exit_of(scorecards: &[Scorecard]) -> Exit {
    let planned = |card: &Scorecard| {
        let rates = RateName::HEADLINE.into_iter().filter_map(|name| card.rate(name));
        rates.filter(|rate| rate.planned > 0).map(|rate| rate.state).collect::<Vec<_>>()
    };
    let states: Vec<RateState> = scorecards.iter().flat_map(planned).collect();
    let scored: u64 = scorecards.iter().filter_map(|card| card.statuses.get("scored")).sum();
    let no_figure = |state: &RateState| matches!(state, RateState::NotMeasured | RateState::CoverageTooLow);
    if scored == 0 || states.iter().any(no_figure) { Exit::Invalid } else { Exit::Pass }
}
