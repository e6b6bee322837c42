//! From bits to rates: numerator, denominator, exclusions, intervals.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use probes::RateName;
use transcript::TrialStatus;

use super::plan::{Entry, PlannedProbe};
use super::probe_tally::{ProbeTally, RateTally};
use crate::metric::{METRICS, Metric};
use crate::rate::{FirstTurns, OverRepeats, PerArgument, PerCall, Rate, RateState};
use crate::scorecard::Repeats;
use crate::statistic::{Counts, rate_interval};
use crate::verdict::Unscored;

/// At or below this share of planned trials there is no rate (DESIGN.md 3.4): 2 of 3.
const COVERAGE: (u64, u64) = (2, 3);

/// A planned probe with what its trials gave.
#[derive(Clone, Copy)]
pub(super) struct Counted<'a> {
    pub(super) planned: &'a PlannedProbe,
    pub(super) tally: &'a ProbeTally,
}

/// What holds for all rates of a cell.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) repeats: u32,
    pub(super) names_hidden: bool,
}

/// Works out a rate over some probes; none where none of them can enter it.
pub(super) fn rate<'a>(
    metric: &Metric,
    probes: impl IntoIterator<Item = Counted<'a>>,
    frame: Frame,
) -> Option<Rate> {
    let mut sums = Sums::default();
    for probe in probes {
        if let Some(entry) = probe.planned.entry(metric) {
            sums.add(probe, metric.name, entry, frame.repeats);
        }
    }
    (sums.planned > 0).then(|| sums.finish(metric, frame))
}

/// A headline rate that no probe enters.
pub(super) fn not_asked(metric: &Metric, frame: Frame) -> Rate {
    Sums::default().finish(metric, frame)
}

/// One probe's counts for every rate that it enters.
pub(super) fn of_probe(probe: Counted<'_>) -> IndexMap<RateName, Repeats> {
    let mut rates = IndexMap::new();
    for metric in METRICS {
        let Some(entry) = probe.planned.entry(metric) else { continue };
        let counts = probe.tally.rates.get(metric.name).map(repeats).unwrap_or_default();
        if entry == Entry::Planned || counts.scored > 0 {
            rates.insert(metric.name, counts);
        }
    }
    rates
}

fn repeats(rate: &RateTally) -> Repeats {
    Repeats { events: rate.events.len(), scored: rate.scored.len() }
}

/// What one pass over the probes gathers.
#[derive(Default)]
struct Sums<'a> {
    events: u64,
    scored: u64,
    planned: u64,
    first_turns: u64,
    probes: u64,
    /// Sum over probes with a scored repeat of their shares.
    shares: f64,
    /// Sums over probes with a planned trial of their least and greatest share.
    least: f64,
    most: f64,
    planned_probes: u64,
    clusters: IndexMap<&'a str, Counts>,
    excluded: BTreeMap<Exclusion, u64>,
    over_repeats: OverRepeats,
    calls: PerCall,
    arguments: PerArgument,
}

/// Why a planned trial is not scored for a rate, in the order in which reasons are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Exclusion {
    Status(TrialStatus),
    Check(Unscored),
    NotSent,
}

impl Exclusion {
    fn key(self) -> &'static str {
        match self {
            Self::Status(status) => status.as_str(),
            Self::Check(reason) => reason.as_str(),
            Self::NotSent => super::NOT_SENT,
        }
    }
}

impl<'a> Sums<'a> {
    fn add(&mut self, probe: Counted<'a>, name: RateName, entry: Entry, repeats: u32) {
        let nothing = RateTally::default();
        let rate = probe.tally.rates.get(name).unwrap_or(&nothing);
        let scored = rate.scored.len();
        let events = rate.events.len();
        let left_out = self.exclude(probe.tally, rate, entry, repeats);
        let planned = scored + left_out;
        if planned == 0 {
            return;
        }
        self.events += u64::from(events);
        self.scored += u64::from(scored);
        self.planned += u64::from(planned);
        self.first_turns += u64::from(rate.first_turns.len());
        self.planned_probes += 1;
        self.least += f64::from(events) / f64::from(planned);
        self.most += f64::from(events + left_out) / f64::from(planned);
        self.calls.events += rate.calls.events;
        self.calls.calls += rate.calls.calls;
        self.arguments.events += rate.arguments.events;
        self.arguments.arguments += rate.arguments.arguments;
        if scored == 0 {
            return;
        }
        self.probes += 1;
        self.shares += f64::from(events) / f64::from(scored);
        let cluster = self.clusters.entry(probe.planned.task.as_str()).or_default();
        cluster.events += u64::from(events);
        cluster.trials += u64::from(scored);
        if scored == repeats {
            self.over_repeats.probes += 1;
            self.over_repeats.all += u64::from(events == repeats);
            self.over_repeats.any += u64::from(events > 0);
        }
    }

    /// Counts the trials that could have been scored and are not; gives their number.
    fn exclude(&mut self, probe: &ProbeTally, rate: &RateTally, entry: Entry, repeats: u32) -> u32 {
        let mut left_out = 0;
        let mut exclude = |reason: Exclusion, trials: u32| {
            if trials > 0 {
                *self.excluded.entry(reason).or_default() += u64::from(trials);
                left_out += trials;
            }
        };
        for (reason, trials) in rate.unscored.iter() {
            exclude(Exclusion::Check(reason), trials.len());
        }
        if entry == Entry::Planned {
            for (status, trials) in probe.statuses.iter() {
                if status != TrialStatus::Scored {
                    exclude(Exclusion::Status(status), trials.len());
                }
            }
            exclude(Exclusion::NotSent, repeats.saturating_sub(probe.seen.len()));
        }
        left_out
    }

    fn finish(self, metric: &Metric, frame: Frame) -> Rate {
        let state = self.state(metric.name, frame.names_hidden);
        let has_figure = state == RateState::Measured;
        let mean = has_figure.then(|| self.shares / float(self.probes));
        let clusters: Vec<Counts> = self.clusters.values().copied().collect();
        let interval = |alpha| {
            let found = rate_interval(&clusters, mean?, alpha)?;
            Some((found.interval.low, found.interval.high))
        };
        let probes = float(self.planned_probes);
        Rate {
            metric: metric.name,
            unit: metric.unit,
            events: self.events,
            scored: self.scored,
            planned: self.planned,
            mean_over_probes: mean,
            probes: self.probes,
            clusters: clusters.len() as u64,
            interval_95: interval(0.05),
            interval_90: interval(0.10),
            range_with_exclusions: has_figure.then(|| (self.least / probes, self.most / probes)),
            excluded: self.excluded.iter().map(|(reason, &count)| (reason.key().to_owned(), count)).collect(),
            state,
            per_call: (metric.per_call.is_some() && self.calls.calls > 0).then_some(self.calls),
            per_argument: (metric.per_argument.is_some() && self.arguments.arguments > 0)
                .then_some(self.arguments),
            by_first_turn: FirstTurns { events: self.first_turns, scored: self.scored },
            over_repeats: (frame.repeats > 1).then_some(self.over_repeats),
        }
    }

    fn state(&self, name: RateName, names_hidden: bool) -> RateState {
        if name == RateName::UnknownTool && names_hidden {
            return RateState::Censored;
        }
        if self.scored == 0 {
            return RateState::NotMeasured;
        }
        let (part, whole) = COVERAGE;
        if self.scored.saturating_mul(whole) <= self.planned.saturating_mul(part) {
            return RateState::CoverageTooLow;
        }
        RateState::Measured
    }
}

/// Exact up to 2^53, which no count reaches.
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
pub(super) fn float(count: u64) -> f64 {
    count as f64
}
