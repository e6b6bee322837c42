//! How endpoints serve tools, asked before a run or taken from a check of the last day.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use probes::Probe;
use runner::{CheckError, CheckOptions, Knobs, Meter, Redactor, RetryPolicy, SERVING_RULES};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use transcript::{Cost, EndpointProperties, Fingerprint, Known, ServingCheck, TargetId, TargetRecord, Usage};

use crate::args::RunArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::runs::RUNS;
use crate::settled::Settled;
use crate::spending::BYTES_A_TOKEN;
use crate::targets::{self, SIM, TargetPlan};
use crate::{clock, output, progress};

/// The format's name and version, first in every stored check.
const FORMAT: &str = "serving/1";

/// Where checks are kept, below the runs.
const FOLDER: &str = ".serving";

/// How long a check is fresh.
const FRESH: jiff::SignedDuration = jiff::SignedDuration::from_hours(24);

/// How long a server may be loading before a run.
const PATIENCE: Duration = Duration::from_secs(180);

/// How often a plain line is printed while a check goes on.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// A stored check.
#[derive(Serialize, Deserialize)]
struct Stored {
    toolmirage: String,
    check: ServingCheck,
}

/// Asks the endpoints of a run that have not been asked lately, and puts the answers into its header. A target whose
/// tools do not reach the model cannot be measured.
pub(crate) fn before_run(
    settled: &mut Settled,
    args: &RunArgs,
    meter: &Arc<Meter>,
    quiet: bool,
) -> Result<(), Failure> {
    if args.no_check {
        return Ok(());
    }
    for at in 0..settled.targets.len() {
        let plan = settled.targets[at].clone();
        if is_in_process(&plan.record) && !args.check {
            continue;
        }
        let knobs = knobs(settled, &plan);
        let arms: Vec<String> = knobs.iter().map(Knobs::arm).collect();
        // Without a network there is only what was kept when the responses were.
        let known = match &args.replay {
            Some(folder) => stored(&plan.record, folder),
            None if args.check => None,
            None => stored(&plan.record, Path::new(RUNS)).filter(|check| is_fresh(check, &knobs)),
        };
        let mut check = match known {
            Some(check) => check,
            None if args.replay.is_some() => {
                let place = report::visible(&plan.id.0).into_owned();
                let note =
                    format!("note: how {place} serves tools is unknown: the recordings do not hold it");
                settled.notes.push(note);
                continue;
            }
            None => {
                let options = CheckOptions {
                    request_deadline: Duration::from_secs(args.timeout.max(1)),
                    retry: RetryPolicy { max_retries: args.retries.min(2), ..RetryPolicy::STANDARD },
                    patience: PATIENCE,
                    knobs,
                    meter: Arc::clone(meter),
                };
                match ask(&plan, &options, quiet)? {
                    Ok(check) => check,
                    Err(CheckError::Cancelled) => return Err(interrupted()),
                    // The run meets the same, and knows how to stop so that it can be taken up again.
                    Err(error) => {
                        let place = report::visible(&plan.id.0).into_owned();
                        settled.notes.push(format!("note: how {place} serves tools is unknown: {error}"));
                        continue;
                    }
                }
            }
        };
        if check.endpoint.sees_tools == Known::No {
            return Err(blind(&plan, &check));
        }
        if let Some(cap) = &check.cut_short {
            let place = report::visible(&plan.id.0).into_owned();
            let note = format!("the check of how {place} serves tools stopped at {cap}");
            settled.notes.push(format!("note: {note}: what it did not come to is unknown"));
        }
        if let Some(folder) = &args.record {
            keep(&plan.record, &check, folder)?;
        }
        // A kept check may have answers about arms that this run does not have.
        check.strictness.retain(|cell| arms.contains(&cell.arm));
        let records = settled.header.targets.get_mut(&plan.id).into_iter();
        for record in records.chain([&mut settled.targets[at].record]) {
            record.endpoint = check.endpoint;
            record.serving = Some(Box::new(check.clone()));
        }
    }
    Ok(())
}

/// The failure of a target whose model never sees the tools.
pub(crate) fn blind(plan: &TargetPlan, check: &ServingCheck) -> Failure {
    let evidence = check.answer("sees_tools").map(|answer| answer.evidence.join("; ")).unwrap_or_default();
    Failure::invalid(format!(
        "target `{}` is not measurable: the tools do not reach the model ({evidence})",
        plan.id
    ))
    .with_help("the server's chat template drops them: give it one with tool support; `toolmirage check-endpoint` says more")
}

/// The failure of a check that was interrupted.
pub(crate) fn interrupted() -> Failure {
    Failure {
        exit: Exit::Interrupted,
        error: anyhow::anyhow!("interrupted while the endpoint was asked how it serves tools"),
        help: None,
    }
}

/// Whether no endpoint is there at all.
fn is_in_process(record: &TargetRecord) -> bool {
    record.provider == SIM && record.base_url.is_none()
}

/// What a run would ask its endpoints before its first trial.
#[derive(Debug, Serialize)]
pub(crate) struct PlannedCheck {
    /// Which endpoint's model.
    pub(crate) target: TargetId,
    /// When it was last asked all of that: then it is not asked again.
    pub(crate) known_since: Option<String>,
    /// Requests at most, tries that are repeated not counted; 0 where it is not asked.
    pub(crate) requests: u64,
    /// Tokens read at most, about.
    pub(crate) input: u64,
    /// Tokens written at most: every answer as long as its request allows.
    pub(crate) output: u64,
    /// What they cost; none without a price.
    pub(crate) cost: Option<Cost>,
}

/// What a run without flags of its own would ask its endpoints.
pub(crate) fn planned(settled: &Settled) -> Result<Vec<PlannedCheck>, Failure> {
    let mut planned = Vec::new();
    for plan in settled.targets.iter().filter(|plan| !is_in_process(&plan.record)) {
        let knobs = knobs(settled, plan);
        let known = stored(&plan.record, Path::new(RUNS)).filter(|check| is_fresh(check, &knobs));
        let target = targets::open_kept(plan)?.target;
        let sizes = if known.is_some() { Vec::new() } else { runner::serving_requests(&target, &knobs) };
        let bytes: u64 = sizes.iter().map(|(bytes, _)| *bytes as u64).sum();
        let (input, output) = (bytes / BYTES_A_TOKEN, sizes.iter().map(|(_, limit)| limit).sum());
        let usage = Usage { input: Some(input), output: Some(output), ..Usage::default() };
        planned.push(PlannedCheck {
            target: plan.id.clone(),
            known_since: known.map(|check| check.checked),
            requests: sizes.len() as u64,
            input,
            output,
            cost: plan.record.price.as_ref().and_then(|price| price.cost(&usage)),
        });
    }
    Ok(planned)
}

/// The lines of `plan`.
pub(crate) fn lines(planned: &[PlannedCheck]) -> Vec<String> {
    let mut lines: Vec<String> = planned
        .iter()
        .map(|check| match &check.known_since {
            Some(since) => format!("check      {}: none, it was asked {since}", check.target),
            None => {
                let money = check.cost.map(|cost| format!("; {cost}")).unwrap_or_default();
                format!(
                    "check      {}: at most {} requests before the first trial, {} tokens in, {} out{money}",
                    check.target,
                    check.requests,
                    report::count(check.input),
                    report::count(check.output)
                )
            }
        })
        .collect();
    if planned.iter().any(|check| check.requests > 0) {
        lines.push(
            "           of how the endpoint serves tools: not in the figures of this plan, within every cap of the run; --no-check leaves it out"
                .to_owned(),
        );
    }
    lines
}

/// What the arms of a target's probes ask for of strict schemas, tool choice and parallel calls.
fn knobs(settled: &Settled, plan: &TargetPlan) -> Vec<Knobs> {
    let cells = settled.header.cells.iter().zip(&settled.cells).filter(|(cell, _)| cell.target == plan.id);
    let probes = cells.flat_map(|(_, probes)| probes.iter());
    let of_arm = |probe: &Probe| probe.question.arm.as_ref().and(Knobs::of(&probe.question.settings));
    let all: BTreeSet<Knobs> = probes.filter_map(|probe| of_arm(probe)).collect();
    all.into_iter().collect()
}

/// Asks an endpoint, and keeps what it answered. The outer failure is ours, the inner one the endpoint's.
pub(crate) fn ask(
    plan: &TargetPlan,
    options: &CheckOptions,
    quiet: bool,
) -> Result<Result<ServingCheck, CheckError>, Failure> {
    let opened = targets::open(plan, 1, 1, &[])?;
    let redactor = Redactor::new(&opened.secrets).with(&opened.redactor);
    if !quiet {
        let place = report::visible(&opened.target.place).into_owned();
        progress::print(&format!("asking how {place} serves tools, in some 25 requests"));
    }
    let mut told = Instant::now();
    let mut on_request = |name: &str, behind: u64| {
        if !quiet && told.elapsed() >= TOLD_EVERY {
            told = Instant::now();
            progress::print(&format!("  request {}: {name}", behind + 1));
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let asked = runtime.block_on(async {
        let cancel = CancellationToken::new();
        let on_signal = cancel.clone();
        let signal = tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                on_signal.cancel();
            }
        });
        let asked =
            runner::check_serving(&opened.target, options, &clock::now, &cancel, &mut on_request).await;
        signal.abort();
        asked
    });
    let clean = |text: &str| redactor.clean(text).into_owned();
    let check = match asked {
        Ok(check) => redacted(&check, &redactor)?,
        Err(error) => {
            return Ok(Err(match error {
                CheckError::Authentication(words) => CheckError::Authentication(clean(&words)),
                CheckError::Quota(words) => CheckError::Quota(clean(&words)),
                CheckError::Unreachable(words) => CheckError::Unreachable(clean(&words)),
                CheckError::Refused(words) => CheckError::Refused(clean(&words)),
                error @ (CheckError::Capped(_) | CheckError::Cancelled) => error,
            }));
        }
    };
    // A result that cannot be kept is asked for again; that is no reason to stop.
    if !is_in_process(&plan.record)
        && let Err(failure) = keep(&plan.record, &check, Path::new(RUNS))
        && !quiet
    {
        progress::print(&failure.text());
    }
    Ok(Ok(check))
}

/// A check without secrets: an endpoint may have sent the key back.
fn redacted(check: &ServingCheck, redactor: &Redactor) -> Result<ServingCheck, Failure> {
    let text = serde_json::to_string(check)?;
    Ok(serde_json::from_str(&redactor.clean_line(&text))?)
}

/// The file of a target's check within a folder: by all that makes up its requests.
fn file(record: &TargetRecord, folder: &Path) -> PathBuf {
    let identity = TargetRecord { endpoint: EndpointProperties::default(), serving: None, ..record.clone() };
    let hash = Fingerprint::of_json(&identity);
    let hex = hash.0.strip_prefix("sha256:").unwrap_or(&hash.0);
    let short = hex.get(..24).unwrap_or(hex);
    folder.join(FOLDER).join(format!("{short}.json"))
}

/// Keeps a check that came to its end.
fn keep(record: &TargetRecord, check: &ServingCheck, folder: &Path) -> Result<(), Failure> {
    if check.cut_short.is_some() {
        return Ok(());
    }
    let file = file(record, folder);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::usage(format!("cannot make the folder `{}`: {error}", folder.display()))
        })?;
    }
    let stored = Stored { toolmirage: FORMAT.to_owned(), check: check.clone() };
    let mut text = serde_json::to_vec_pretty(&stored)?;
    text.push(b'\n');
    output::write_file(&file, &text)
}

/// The check that a folder holds of a target, by the rules of this build.
fn stored(record: &TargetRecord, folder: &Path) -> Option<ServingCheck> {
    let stored: Stored = serde_json::from_slice(&std::fs::read(file(record, folder)).ok()?).ok()?;
    Some(stored.check).filter(|check| stored.toolmirage == FORMAT && check.rules == SERVING_RULES)
}

/// Whether a check is of the last day and has all that is asked for. One that found the tools missing is not believed
/// twice: templates are mended under the same address.
fn is_fresh(check: &ServingCheck, knobs: &[Knobs]) -> bool {
    let Ok(checked) = check.checked.parse::<jiff::Timestamp>() else { return false };
    let age = clock::now().duration_since(checked);
    let has = |knobs: &Knobs| check.strictness.iter().any(|cell| cell.arm == knobs.arm());
    (jiff::SignedDuration::ZERO..FRESH).contains(&age)
        && check.endpoint.sees_tools != Known::No
        && knobs.iter().all(has)
}
