//! `toolmirage run`: sends probes, scores what comes back, reports.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use probes::Probe;
use report::{Format, Policy};
use runner::{
    Caps, EndReason, Meter, Plan, PlannedCell, RecordingMode, Recordings, Redactor, RetryPolicy, Round,
    RunEnd,
};
use transcript::{GitRef, TargetId};

use crate::args::RunArgs;
use crate::conclusion::{self, Scored};
use crate::config::ProfileConfig;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::money::MaxCost;
use crate::rounds::{self, Open};
use crate::runs::RunPath;
use crate::settled::{self, Settled, Settling};
use crate::{gating, output, planning, prices, privacy, progress, recorded, runs, serving, targets};

/// How long requests under way may go on after Ctrl-C.
const CANCEL_GRACE: Duration = Duration::from_secs(2);

/// Runs a suite, or goes on with an unfinished run.
pub(crate) fn run(args: &RunArgs, configured: Option<&Configured>, quiet: bool) -> Result<Exit, Failure> {
    let profile = profile(args.what.profile.as_deref(), configured)?;
    let mut settled = match &args.resume {
        Some(run) => resumed(&runs::find(run)?, args, configured)?,
        None => match settled::settle(&args.what, configured, profile)? {
            Settling::Run(settled) => *settled,
            Settling::NothingToMeasure { git_ref, cells } => return nothing(&git_ref, cells, args.json),
        },
    };
    if !quiet {
        settled.notes.iter().for_each(|note| progress::print(note));
    }
    let policy = gating::policy(configured, settled.header.profile.as_deref())?;
    let simulated = settled.targets.iter().all(|target| target.record.simulated);
    let asked = args.concurrency.or(profile.and_then(|profile| profile.concurrency));
    let concurrency = asked.unwrap_or(if simulated { 64 } else { 8 });
    if concurrency == 0 {
        return Err(Failure::usage("`--concurrency` takes at least 1"));
    }
    let caps = caps(args, profile)?;
    let redactor = privacy::redactor(configured)?;
    privacy::check_kept(args, &redactor)?;
    let (max_cost, meter) = (caps.cost, Arc::new(Meter::new(caps)));
    if max_cost.is_some() {
        prices::check_capped(&settled.targets)?;
    }
    if args.resume.is_none() {
        planning::check_tolerance(&settled, policy.as_ref())?;
        let before = settled.notes.len();
        serving::before_run(&mut settled, args, &meter, quiet)?;
        if !quiet {
            settled.notes.iter().skip(before).for_each(|note| progress::print(note));
        }
        settled.begin(args)?;
    }
    let (plan, redactor) = open(&settled, args, concurrency, meter, redactor)?;
    let started = Instant::now();
    let open = Open {
        max_cost,
        settled: &settled,
        plan,
        redactor,
        resumed: args.resume.is_some(),
        quiet,
        policy: policy.clone().unwrap_or(Policy::DEFAULT),
    };
    let carried_out = rounds::carry_out(&open, started)?;
    // What was put is on disk; what comes needs the room.
    drop(open);
    settled.cells = Vec::new();
    let end = carried_out.end.clone();
    let measured = carried_out.measured();
    let record = settled.folder.join(runner::RECORD_FILE);
    let scored = conclusion::of_run(measured, policy, record)?.shared(privacy::share(args.share, configured));
    if args.json {
        output::print_json(&scored.report)?;
    } else {
        let text = output::rendered(&scored.report, Format::Text)?;
        output::print(&String::from_utf8_lossy(&text))?;
    }
    // The verdict is out, and the record holds all of it: a disk that is full changes neither.
    let written = output::write_reports(&scored.report, &settled.folder);
    let exit = conclude(&end, &scored, &settled.folder)?;
    let Err(failure) = written else { return Ok(exit) };
    progress::print(&failure.text());
    progress::print(&format!(
        "  = help: `toolmirage score {}` writes the reports again",
        settled.folder.display()
    ));
    Ok(if exit == Exit::Pass { Exit::Stopped } else { exit })
}

/// Settles a run again: from its record, which holds all that it was begun with; or, where something was taken out of
/// the record, from the same flags and files again, which must come to the same plan.
fn resumed(run: &RunPath, args: &RunArgs, configured: Option<&Configured>) -> Result<Settled, Failure> {
    let recorded = recorded::settle(run)?;
    if recorded.header.redact.is_empty() {
        let given = args.what.given().or(args.out.as_ref().map(|_| "--out"));
        return match given {
            None => Ok(recorded),
            Some(flag) => Err(Failure::usage(format!("`--resume` takes no {flag}"))
                .with_help("what was begun goes on as it was planned; its record has the plan")),
        };
    }
    let name = args.what.profile.as_deref().or(recorded.header.profile.as_deref());
    let again = settled::settle(&args.what, configured, profile(name, configured)?)?;
    let Settling::Run(mut again) = again else {
        return Err(Failure::usage("these flags come to nothing to measure, and the record has a plan"));
    };
    // How the endpoints serve tools was asked when it was begun.
    for plan in &mut again.targets {
        let Some(known) = recorded.header.targets.get(&plan.id) else { continue };
        for record in again.header.targets.get_mut(&plan.id).into_iter().chain([&mut plan.record]) {
            (record.endpoint, record.serving) = (known.endpoint, known.serving.clone());
        }
    }
    again.header.profile = recorded.header.profile;
    again.header.run = recorded.header.run;
    again.folder = recorded.folder;
    Ok(*again)
}

/// No input differs from the ref: that is a result too.
pub(crate) fn nothing(git_ref: &GitRef, cells: usize, json: bool) -> Result<Exit, Failure> {
    let short = git_ref.commit.get(..10).unwrap_or(&git_ref.commit);
    if json {
        output::print_json(&serde_json::json!({
            "nothing_to_measure": true,
            "ref": git_ref.name,
            "commit": git_ref.commit,
            "prompts": cells,
        }))?;
    } else {
        output::print(&format!(
            "nothing to measure: no prompt and no catalog of the suite differs from {} ({short})\n",
            report::visible(&git_ref.name)
        ))?;
    }
    Ok(Exit::Pass)
}

/// The profile of that name.
pub(crate) fn profile<'a>(
    name: Option<&str>,
    configured: Option<&'a Configured>,
) -> Result<Option<&'a ProfileConfig>, Failure> {
    let Some(name) = name else { return Ok(None) };
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

/// What the run may spend: flags before the profile.
fn caps(args: &RunArgs, profile: Option<&ProfileConfig>) -> Result<Caps, Failure> {
    let of_profile = |pick: fn(&ProfileConfig) -> Option<u64>| profile.and_then(pick);
    let requests = args.max_requests.or(of_profile(|profile| profile.max_requests));
    let tokens = args.max_tokens.or(of_profile(|profile| profile.max_tokens));
    let minutes = args.max_minutes.or(profile.and_then(|profile| profile.max_minutes));
    if requests == Some(0) || tokens == Some(0) {
        return Err(Failure::usage("a cap of 0 lets nothing be sent"));
    }
    let time = minutes.map(|minutes| {
        let seconds = Some(minutes * 60.0).filter(|seconds| *seconds > 0.0);
        seconds
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .ok_or_else(|| Failure::usage(format!("{minutes} minutes is no time that a run can take")))
    });
    let cost = args.max_cost.or(profile.and_then(|profile| profile.max_cost)).map(|MaxCost(cost)| cost);
    Ok(Caps { requests, tokens, cost, time: time.transpose()? })
}

/// Opens the targets. Nothing is sent.
fn open(
    settled: &Settled,
    args: &RunArgs,
    concurrency: usize,
    meter: Arc<Meter>,
    mut redactor: Redactor,
) -> Result<(Plan, Redactor), Failure> {
    let mut opened: HashMap<TargetId, Arc<runner::Target>> = HashMap::new();
    let mut secrets = Vec::new();
    for plan in &settled.targets {
        let of_target =
            settled.header.cells.iter().zip(&settled.cells).filter(|(cell, _)| cell.target == plan.id);
        let probes: Vec<Arc<Probe>> = of_target.flat_map(|(_, probes)| probes.iter().cloned()).collect();
        let target = match args.replay {
            Some(_) => targets::open_kept(plan)?,
            None => targets::open(plan, concurrency, settled.header.seed, &probes)?,
        };
        secrets.extend(target.secrets);
        redactor = redactor.with(&target.redactor);
        opened.insert(plan.id.clone(), target.target);
    }
    let cells = settled.header.cells.iter().zip(&settled.cells).filter_map(|(cell, probes)| {
        let target = opened.get(&cell.target)?.clone();
        Some(PlannedCell { id: cell.id.clone(), target, probes: probes.clone() })
    });
    secrets.iter().for_each(|secret| redactor.learn(secret));
    let plan = Plan {
        run: settled.header.run.clone(),
        cells: cells.collect(),
        repeats: settled.header.repeats,
        round: Round::ONLY,
        seed: settled.header.seed,
        max_turns: settled.header.max_turns,
        concurrency,
        request_deadline: Duration::from_secs(args.timeout.max(1)),
        trial_deadline: args.trial_timeout.map(Duration::from_secs),
        retry: RetryPolicy { max_retries: args.retries, ..RetryPolicy::STANDARD },
        give_up_after: 5,
        meter,
        recordings: recordings(args, &redactor),
        cancel_grace: CANCEL_GRACE,
    };
    Ok((plan, redactor))
}

/// Where responses are kept, if they are.
fn recordings(args: &RunArgs, redactor: &Redactor) -> Option<Arc<Recordings>> {
    let modes = [
        (&args.cache, RecordingMode::Cache),
        (&args.record, RecordingMode::Record),
        (&args.replay, RecordingMode::Replay),
    ];
    let (folder, mode) = modes.into_iter().find_map(|(folder, mode)| Some((folder.clone()?, mode)))?;
    Some(Arc::new(Recordings::new(folder, mode, redactor.clone())))
}

/// What is left to say, and the status.
fn conclude(end: &RunEnd, scored: &Scored, folder: &Path) -> Result<Exit, Failure> {
    let resume = format!("`toolmirage run --resume {}` goes on with it", folder.display());
    let saved = format!("{} of {} trials are saved", end.done, end.planned);
    match &end.why {
        EndReason::Complete => Ok(conclusion::exit_of(scored)),
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
        EndReason::NotRecorded { trial, key } => Err(Failure::invalid(format!(
            "no recording has the answer to a request of `{trial}`, key {key}; nothing was sent ({saved})"
        ))
        .with_help(format!(
            "--record makes recordings; another suite, prompt, catalog, setting or base URL makes other requests; {resume}"
        ))),
        EndReason::Capped(cap) => Err(Failure {
            exit: Exit::Stopped,
            error: anyhow::anyhow!("stopped at {cap}: {saved}"),
            help: Some(resume),
        }),
        EndReason::Unreachable { place, message } => {
            Err(Failure::invalid(format!("no trial reached a model at {place}: {message} ({saved})"))
                .with_help(format!("see that the endpoint is up and the base URL ends in /v1; {resume}")))
        }
    }
}
