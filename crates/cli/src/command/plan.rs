//! `toolmirage plan`: what a run would send and what it could show. Nothing is sent.

use std::collections::HashSet;
use std::fmt::Write as _;

use indexmap::IndexMap;
use report::Policy;
use serde::Serialize;
use transcript::Side;

use super::compare::{Loaded, load};
use crate::args::PlanArgs;
use crate::command::expand::probes_by_arm;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::planning::{self, Outlook, RateOutlook};
use crate::serving::{self, PlannedCheck};
use crate::settled::{self, Settled, Settling};
use crate::spending::{self, ATrial, Spending};
use crate::{gating, output};

/// A plan.
#[derive(Debug, Serialize)]
struct Planned {
    suite: String,
    version: u64,
    probes: u64,
    tasks: u64,
    /// Probes of each arm but the base arm, over all cells.
    arms: IndexMap<String, u64>,
    repeats: u32,
    cells: Vec<PlannedCell>,
    trials: u64,
    /// Trials at most that confirm changed probes.
    confirming: u64,
    requests: Requests,
    /// What endpoints are asked before the first trial; in no other figure.
    checks: Vec<PlannedCheck>,
    /// Tokens, money, time and where data goes.
    spending: Spending,
    stale: u64,
    outlook: Outlook,
}

#[derive(Debug, Serialize)]
struct PlannedCell {
    prompt: Option<String>,
    catalog: String,
    target: String,
    side: &'static str,
    probes: u64,
}

/// Requests of the trials, without tries that are repeated and without those that confirm.
#[derive(Debug, Serialize)]
struct Requests {
    /// If every conversation ends at its first answer.
    least: u64,
    /// If every conversation runs into its limit.
    most: u64,
    /// As many a trial as the run that was named.
    expected: Option<u64>,
}

/// Plans.
pub(crate) fn run(args: &PlanArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    let profile = super::run::profile(args.what.profile.as_deref(), configured)?;
    let settled = match settled::settle(&args.what, configured, profile)? {
        Settling::Run(settled) => settled,
        Settling::NothingToMeasure { git_ref, cells } => {
            return super::run::nothing(&git_ref, cells, args.json);
        }
    };
    let policy = gating::policy(configured, args.what.profile.as_deref())?.unwrap_or(Policy::DEFAULT);
    let before = args.baseline.as_deref().map(load).transpose()?;
    let planned = planned(&settled, &policy, before.as_ref())?;
    if args.json {
        output::print_json(&planned)?;
    } else {
        output::print(&text(&settled, &planned, before.as_ref()))?;
    }
    Ok(Exit::Pass)
}

fn planned(settled: &Settled, policy: &Policy, before: Option<&Loaded>) -> Result<Planned, Failure> {
    let header = &settled.header;
    let all = || settled.cells.iter().flatten();
    let steps: u64 = all().map(|probe| probe.question.steps.len() as u64).sum();
    let repeats = u64::from(header.repeats);
    let trials = header.planned;
    let cells = header.cells.iter().zip(&settled.cells);
    let cards = before.map(|before| before.measured.scorecards.as_slice());
    let candidates =
        || cells.clone().filter(|(cell, _)| cell.side == Side::Candidate).flat_map(|(_, probes)| probes);
    Ok(Planned {
        suite: header.suite.name.clone(),
        version: header.suite.version,
        probes: all().map(|probe| probe.id()).collect::<HashSet<_>>().len() as u64,
        tasks: all().map(|probe| probe.question.task.as_str()).collect::<HashSet<_>>().len() as u64,
        arms: probes_by_arm(all().map(AsRef::as_ref)),
        repeats: header.repeats,
        trials,
        confirming: 2 * u64::from(header.confirm) * candidates().count() as u64,
        requests: Requests {
            least: steps * repeats,
            most: trials * u64::from(header.max_turns),
            expected: before.and_then(|before| before.turns_a_trial()).map(|turns| {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a positive estimate"
                )]
                let expected = (trials as f64 * turns).round() as u64;
                expected
            }),
        },
        checks: serving::planned(settled)?,
        spending: spending::of(
            settled,
            before.and_then(|before| {
                ATrial::of(&before.measured.scorecards, before.measured.gathered.tokens())
            }),
        ),
        stale: header.stale.iter().map(|stale| &stale.probe).collect::<HashSet<_>>().len() as u64,
        outlook: planning::outlook(settled, policy, cards),
        cells: cells
            .map(|(cell, probes)| PlannedCell {
                prompt: cell
                    .prompt
                    .as_ref()
                    .and_then(|hash| header.prompts.get(hash))
                    .map(|p| p.label.clone()),
                catalog: header.catalogs.get(&cell.catalog).map_or_else(String::new, |c| c.label.clone()),
                target: cell.target.to_string(),
                side: if cell.side == Side::Baseline { "baseline" } else { "candidate" },
                probes: probes.len() as u64,
            })
            .collect(),
    })
}

fn text(settled: &Settled, planned: &Planned, before: Option<&Loaded>) -> String {
    let mut out = String::new();
    let header = &settled.header;
    let _ = writeln!(out, "suite {} v{}   nothing is sent", planned.suite, planned.version);
    let _ = writeln!(
        out,
        "{} probes of {} tasks x {} in {} = {} trials",
        planned.probes,
        planned.tasks,
        counted(u64::from(planned.repeats), "repeat"),
        counted(planned.cells.len() as u64, "cell"),
        planned.trials
    );
    for cell in &planned.cells {
        let side = if header.against.is_some() { format!("{:<10}", cell.side) } else { String::new() };
        let prompt = cell.prompt.as_deref().unwrap_or("no prompt");
        let _ = writeln!(out, "  {side}{prompt}  {}  {}  {} probes", cell.catalog, cell.target, cell.probes);
    }
    if !planned.arms.is_empty() {
        let arms: Vec<String> = planned.arms.iter().map(|(arm, probes)| format!("{arm} {probes}")).collect();
        let base = settled.cells.iter().flatten().count() as u64 - planned.arms.values().sum::<u64>();
        let _ = writeln!(out, "arms       base {base}, {}", arms.join(", "));
    }
    let requests = &planned.requests;
    let _ = write!(out, "requests   {} to {}", requests.least, requests.most);
    if let (Some(expected), Some(before)) = (requests.expected, before) {
        let _ = write!(out, ", about {expected} by {}", before.name);
    }
    out.push('\n');
    if planned.confirming > 0 {
        let _ =
            writeln!(out, "           and at most {} trials that confirm changed probes", planned.confirming);
    }
    for line in serving::lines(&planned.checks).into_iter().chain(spending::lines(&planned.spending)) {
        let _ = writeln!(out, "{line}");
    }
    if planned.stale > 0 {
        let _ = writeln!(out, "stale      {} questions give no probe", planned.stale);
    }
    out.push('\n');
    outlook(&planned.outlook, header.against.is_some(), &mut out);
    report::visible_block(&out).into_owned()
}

fn outlook(outlook: &Outlook, against: bool, out: &mut String) {
    let with =
        if against { "This comparison" } else { "Compared with another run of the same plan, this run" };
    let _ = writeln!(out, "{with} tests {} together", counted(outlook.family, "rate"));
    let _ = writeln!(
        out,
        "{:<23}{:>7}{:>8}{:>9}{:>16}   with nothing changed",
        "", "tasks", "trials", "today", "sees rises from"
    );
    for rate in &outlook.rates {
        let _ = writeln!(out, "{}", rate_line(rate));
    }
    if outlook.rates.is_empty() {
        out.push_str("  no gated rate has a probe\n");
    }
    if outlook.rates.len() > 1 {
        let pass: f64 = outlook.rates.iter().filter_map(|rate| rate.unchanged).map(|it| it.pass).product();
        let _ = writeln!(
            out,
            "  a cell in which nothing changed passes in all of them: about {:.0} %",
            pass * 100.0
        );
    }
    for metric in &outlook.without_probe {
        let _ = writeln!(out, "note  {metric} is gated and no probe enters it: the gate will be invalid");
    }
    let measured = outlook.rates.iter().all(|rate| rate.measured);
    if !measured {
        out.push_str(
            "  today: assumed, with a correlation of 0.5 within a task; --baseline RUN takes measured ones\n",
        );
    }
    out.push('\n');
    if let Some(tasks) = outlook.fewest_tasks_to_fail {
        let _ = writeln!(
            out,
            "note  fewer than {tasks} tasks that move one way can never fail this family, unless other rates moved significantly too"
        );
    }
    match (outlook.tolerance, outlook.fewest_tasks_to_pass) {
        (Some(tolerance), Some(needed)) => {
            let short = outlook.rates.iter().filter(|rate| rate.tasks < needed);
            for rate in short {
                let _ = writeln!(
                    out,
                    "note  {} has {} tasks: without a fall, a tolerance of {:.1} points cannot be met with fewer than {needed}",
                    rate.metric,
                    rate.tasks,
                    tolerance * 100.0
                );
            }
        }
        _ => out.push_str(
            "note  no tolerance is set: a cell in which nothing changed is inconclusive, and never passes\n",
        ),
    }
    for ceiling in &outlook.ceilings {
        let at = ceiling.at * 100.0;
        match ceiling.least_upper_end {
            Some(least) if least > ceiling.at && !ceiling.on_point => {
                let _ = writeln!(
                    out,
                    "note  {} cannot be shown to lie within its ceiling of {at:.1} %: without one event it would be at most {:.1} %",
                    ceiling.metric,
                    least * 100.0
                );
            }
            None => {
                let _ = writeln!(out, "note  {} has a ceiling and no probe", ceiling.metric);
            }
            _ => {}
        }
    }
}

/// `1 cell`, `6 cells`.
fn counted(number: u64, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

fn rate_line(rate: &RateOutlook) -> String {
    let sees = rate.sees_rise.map_or_else(|| "none".to_owned(), |rise| format!("{:.1} points", rise * 100.0));
    let chances = rate.unchanged.map_or_else(String::new, |chances| {
        format!(
            "passes {:.0} %, inconclusive {:.0} %, fails {}",
            chances.pass * 100.0,
            chances.inconclusive * 100.0,
            if chances.fail < 0.001 {
                "< 0.1 %".to_owned()
            } else {
                format!("{:.1} %", chances.fail * 100.0)
            }
        )
    });
    let today = format!("{:.1} %", rate.assumed_rate * 100.0);
    let name = rate.metric.as_str();
    format!("  {name:<21}{:>7}{:>8}{today:>9}{sees:>16}   {chances}", rate.tasks, rate.trials)
}
