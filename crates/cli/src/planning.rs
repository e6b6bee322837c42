//! What a run could show before it is sent: by the gate's own rule, for the probes that are planned.

use std::collections::HashSet;

use probes::RateName;
use report::{OnInconclusive, Policy};
use scorer::statistic::{
    Chances, Counts, GATE_ALPHA, GateRule, PairedDesign, SEEN, UNKNOWN_CORRELATION, chances, detectable_rise,
    fewest_tasks_to_fail, fewest_tasks_to_pass, least_tolerance, rate_interval,
};
use scorer::{PlannedProbe, Repeats, Scorecard, paired_rate};
use serde::Serialize;
use transcript::Side;

use crate::error::Failure;
use crate::settled::Settled;

/// The rate that is taken where nothing was measured.
const RATE: f64 = 0.03;

/// What a run could show.
#[derive(Debug, Serialize)]
pub(crate) struct Outlook {
    /// Gated rates over all pairs of cells: Holm's family.
    pub(crate) family: u64,
    /// Tasks that must all move one way before the gate can fail; none where no number of them would do.
    pub(crate) fewest_tasks_to_fail: Option<u64>,
    /// The rise that is put up with, in shares of 1.
    pub(crate) tolerance: Option<f64>,
    /// Tasks with which that tolerance can be met at all.
    pub(crate) fewest_tasks_to_pass: Option<u64>,
    /// The gated rates of one cell.
    pub(crate) rates: Vec<RateOutlook>,
    /// Rates that the gate names and no probe enters.
    pub(crate) without_probe: Vec<RateName>,
    /// The ceilings.
    pub(crate) ceilings: Vec<CeilingOutlook>,
}

/// What a run could show of one rate.
#[derive(Debug, Serialize)]
pub(crate) struct RateOutlook {
    /// Which.
    pub(crate) metric: RateName,
    /// Probes that enter it, in one cell.
    pub(crate) probes: u64,
    /// Their tasks.
    pub(crate) tasks: u64,
    /// Their trials.
    pub(crate) trials: u64,
    /// The rate of today that is assumed, in shares of 1.
    pub(crate) assumed_rate: f64,
    /// The correlation within a task that is assumed.
    pub(crate) assumed_correlation: f64,
    /// Whether both were measured.
    pub(crate) measured: bool,
    /// The rise that is shown with a chance of 80 %.
    pub(crate) sees_rise: Option<f64>,
    /// What becomes of a cell in which nothing changed.
    pub(crate) unchanged: Option<Chances>,
    /// The smallest tolerance that so many tasks can meet.
    pub(crate) least_tolerance: Option<f64>,
}

/// Whether a ceiling can be met at all.
#[derive(Debug, Serialize)]
pub(crate) struct CeilingOutlook {
    /// Which rate.
    pub(crate) metric: RateName,
    /// The limit, in shares of 1.
    pub(crate) at: f64,
    /// The upper end of the 90 % interval without one event; none where nothing of it is planned.
    pub(crate) least_upper_end: Option<f64>,
    /// Whether the limit is held against the figure itself.
    pub(crate) on_point: bool,
}

/// What enters a rate in one cell.
struct Entering {
    probes: u64,
    tasks: u64,
}

/// Of the cells of the candidate, the one with most probes that enter a rate.
fn entering(settled: &Settled, metric: RateName) -> Entering {
    let cells = settled.header.cells.iter().zip(&settled.cells);
    let mut most = Entering { probes: 0, tasks: 0 };
    for (_, probes) in cells.filter(|(cell, _)| cell.side == Side::Candidate) {
        let entering = probes.iter().filter(|probe| PlannedProbe::of(probe).enters(metric));
        let tasks: Vec<&str> = entering.map(|probe| probe.question.task.as_str()).collect();
        let distinct = tasks.iter().collect::<HashSet<_>>().len() as u64;
        if tasks.len() as u64 > most.probes {
            most = Entering { probes: tasks.len() as u64, tasks: distinct };
        }
    }
    most
}

/// The rates that the gate looks at and the suite asks for.
fn gated(settled: &Settled, policy: &Policy) -> Vec<(RateName, Entering)> {
    let all = scorer::METRICS.iter().map(|metric| metric.name).filter(|metric| policy.gates(*metric));
    all.map(|metric| (metric, entering(settled, metric))).filter(|(_, it)| it.probes > 0).collect()
}

/// What a run could show. `before` are the scorecards of an earlier run.
pub(crate) fn outlook(settled: &Settled, policy: &Policy, before: Option<&[Scorecard]>) -> Outlook {
    let header = &settled.header;
    let cells = header.cells.iter().filter(|cell| cell.side == Side::Candidate).count() as u64;
    let gated = gated(settled, policy);
    let family = (gated.len() as u64 * cells).max(1);
    let rule = GateRule { family_error: policy.family_error, tolerance: policy.tolerance };
    let rates = gated.into_iter().map(|(metric, entering)| {
        let (rate, correlation, measured) = assumed(metric, before);
        let trials = entering.probes * u64::from(header.repeats);
        let design = PairedDesign {
            tasks: entering.tasks,
            trials,
            baseline_rate: rate,
            task_correlation: correlation,
            side_correlation: 0.0,
        };
        RateOutlook {
            metric,
            probes: entering.probes,
            tasks: entering.tasks,
            trials,
            assumed_rate: rate,
            assumed_correlation: correlation,
            measured,
            sees_rise: detectable_rise(&design, &rule, family, SEEN),
            unchanged: chances(&design, 0.0, &rule, family),
            least_tolerance: least_tolerance(entering.tasks),
        }
    });
    let rates = rates.collect();
    let ceilings = policy.ceilings.iter().map(|ceiling| CeilingOutlook {
        metric: ceiling.metric,
        at: ceiling.at,
        least_upper_end: least_upper_end(entering(settled, ceiling.metric).tasks),
        on_point: ceiling.on_point,
    });
    Outlook {
        family,
        fewest_tasks_to_fail: fewest_tasks_to_fail(&rule, family),
        tolerance: policy.tolerance,
        fewest_tasks_to_pass: policy.tolerance.and_then(fewest_tasks_to_pass),
        rates,
        without_probe: policy
            .rates
            .iter()
            .flatten()
            .filter(|metric| !policy.waive.contains(metric) && entering(settled, **metric).probes == 0)
            .copied()
            .collect(),
        ceilings: ceilings.collect(),
    }
}

/// The upper end of the 90 % interval of no event in so many tasks.
fn least_upper_end(tasks: u64) -> Option<f64> {
    let tasks = usize::try_from(tasks).ok().filter(|tasks| *tasks > 0)?;
    let none = vec![Counts { events: 0, trials: 1 }; tasks];
    rate_interval(&none, 0.0, GATE_ALPHA).map(|interval| interval.interval.high)
}

/// The rate of today and the correlation within a task: measured where an earlier run has them.
fn assumed(metric: RateName, before: Option<&[Scorecard]>) -> (f64, f64, bool) {
    let probes = before.into_iter().flatten().flat_map(|card| card.probes.iter());
    let pairs = probes.filter_map(|probe| {
        let repeats: Repeats = *probe.rates.get(&metric)?;
        Some((probe.task.as_str(), repeats, repeats))
    });
    match paired_rate(metric, pairs) {
        Some(rate) => (rate.baseline_rate, rate.task_correlation, true),
        None => (RATE, UNKNOWN_CORRELATION, false),
    }
}

/// Refuses a run whose gate could not pass whatever came of it: a tolerance that so few tasks cannot meet,
/// under a profile in which what cannot be told fails.
pub(crate) fn check_tolerance(settled: &Settled, policy: Option<&Policy>) -> Result<(), Failure> {
    let has_sides = settled.header.cells.iter().any(|cell| cell.side == Side::Baseline);
    let Some(policy) = policy.filter(|policy| policy.inconclusive == OnInconclusive::Fail && has_sides)
    else {
        return Ok(());
    };
    let Some(tolerance) = policy.tolerance else { return Ok(()) };
    for (metric, entering) in gated(settled, policy) {
        let Some(least) = least_tolerance(entering.tasks).filter(|least| *least > tolerance) else {
            continue;
        };
        let failure = Failure::usage(format!(
            "a tolerance of {:.1} points cannot be met: {metric} has {} tasks, and with nothing changed a rise of {:.1} points would still not be ruled out",
            tolerance * 100.0,
            entering.tasks,
            least * 100.0
        ));
        return Err(match fewest_tasks_to_pass(tolerance) {
            Some(tasks) => failure.with_help(format!(
                "it takes at least {tasks} tasks, or a greater `gate.tolerance`; `toolmirage plan` shows what a run could tell"
            )),
            None => failure,
        });
    }
    Ok(())
}
