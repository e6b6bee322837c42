//! Rates over any number of runs. A run is forgotten as soon as it was added; what is kept is counts.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use indexmap::IndexMap;
use probes::RateName;

use super::judge::{Answer, RunVerdict};
use super::summary::{AuditFile, AuditRate, AuditSummary, RunCounts};
use super::tools::RequiredTools;
use crate::claim::EvidenceLevel;
use crate::metric::METRICS;
use crate::rate::{PerArgument, PerCall, RateState};
use crate::statistic::{Counts, grouped_rate_interval};

/// So many tools are counted by name; those of hostile logs have no end.
const TOOLS: usize = 10_000;
/// So many of them are told.
const TOLD: usize = 20;

/// Counts over runs.
#[derive(Debug, Default)]
pub struct AuditTally {
    runs: RunCounts,
    findings: u64,
    rates: BTreeMap<(usize, EvidenceLevel), Counting>,
    tools: HashMap<(RateName, String), u64>,
}

#[derive(Debug, Default)]
struct Counting {
    /// Runs that name no task: how often each count.
    alone: BTreeMap<(u64, u64), u64>,
    by_task: HashMap<Arc<str>, Counts>,
    events: u64,
    scored: u64,
    calls: (u64, u64),
    arguments: (u64, u64),
    excluded: BTreeMap<&'static str, u64>,
}

impl AuditTally {
    /// Adds a run.
    pub fn add(&mut self, verdict: &RunVerdict) {
        let RunVerdict { has_rows, has_final, .. } = *verdict;
        let runs = &mut self.runs;
        runs.runs += 1;
        runs.with_final += u64::from(has_final);
        runs.with_rows += u64::from(has_rows);
        runs.rows_alone += u64::from(has_rows && !has_final);
        runs.final_alone += u64::from(verdict.final_alone);
        runs.unlogged += u64::from(verdict.unlogged);
        runs.replaced += verdict.replaced;
        runs.orphaned_ends += verdict.orphaned_ends;
        runs.with_gap += u64::from(verdict.has_gap);
        runs.unread_words += verdict.unread_words;
        self.findings += verdict.findings.len() as u64;
        for (rate, level, answer) in &verdict.answers {
            let place = METRICS.iter().position(|metric| metric.name == *rate).unwrap_or(METRICS.len());
            self.rates.entry((place, *level)).or_default().add(answer, verdict.task.as_ref());
        }
        for finding in &verdict.findings {
            let key = (finding.finding, finding.tool.as_str().to_owned());
            if self.tools.len() < TOOLS || self.tools.contains_key(&key) {
                *self.tools.entry(key).or_default() += 1;
            }
        }
    }

    /// What it comes to.
    #[must_use]
    pub fn finish(self, files: Vec<AuditFile>, required: Option<&RequiredTools>) -> AuditSummary {
        let mut tools: Vec<_> = self.tools.into_iter().map(|((rate, tool), n)| (rate, tool, n)).collect();
        tools.sort_by(|a, b| {
            b.2.cmp(&a.2).then_with(|| a.0.as_str().cmp(b.0.as_str())).then_with(|| a.1.cmp(&b.1))
        });
        tools.truncate(TOLD);
        let rates = self.rates.into_iter();
        let rates = rates.filter_map(|((place, level), counting)| {
            METRICS.get(place).map(|metric| counting.rate(metric.name, level))
        });
        AuditSummary {
            runs: self.runs,
            rates: rates.collect(),
            findings: self.findings,
            tools,
            required_tools: required.map(RequiredTools::count),
            unwrapped: required.map(RequiredTools::unwrapped).unwrap_or_default(),
            files,
        }
    }
}

impl Counting {
    fn add(&mut self, answer: &Answer, task: Option<&Arc<str>>) {
        let (opportunities, events) = match answer {
            Answer::Excluded(reason) => return *self.excluded.entry(reason).or_default() += 1,
            Answer::Judged { opportunities, events } => (opportunities, events),
        };
        let (event, trial) = (u64::from(events.trials > 0), u64::from(opportunities.trials > 0));
        self.events += event;
        self.scored += trial;
        match task {
            Some(task) => {
                let counts = self.by_task.entry(Arc::clone(task)).or_default();
                counts.events += event;
                counts.trials += trial;
            }
            None => *self.alone.entry((event, trial)).or_default() += 1,
        }
        self.calls.0 += u64::from(events.calls);
        self.calls.1 += u64::from(opportunities.calls);
        self.arguments.0 += u64::from(events.arguments);
        self.arguments.1 += u64::from(opportunities.arguments);
    }

    fn rate(self, metric: RateName, level: EvidenceLevel) -> AuditRate {
        let mut groups = self.alone;
        for counts in self.by_task.values() {
            *groups.entry((counts.events, counts.trials)).or_default() += 1;
        }
        let clusters: u64 =
            groups.iter().filter(|((_, trials), _)| *trials > 0).map(|(_, times)| times).sum();
        let groups: Vec<(Counts, u64)> =
            groups.into_iter().map(|((events, trials), times)| (Counts { events, trials }, times)).collect();
        let left_out: u64 = self.excluded.values().sum();
        let planned = self.scored + left_out;
        let state = match self.scored {
            0 => RateState::NotMeasured,
            // At or below two thirds there is no rate (DESIGN.md 3.4).
            scored if scored * 3 <= planned * 2 => RateState::CoverageTooLow,
            _ => RateState::Measured,
        };
        let share = (state == RateState::Measured).then(|| over(self.events, self.scored));
        let interval = share.and_then(|share| grouped_rate_interval(&groups, share, 0.05));
        let range =
            (self.scored > 0).then(|| (over(self.events, planned), over(self.events + left_out, planned)));
        AuditRate {
            metric,
            level,
            by_grounding: metric == RateName::HallucinatedArgument,
            events: self.events,
            scored: self.scored,
            share,
            clusters,
            interval_95: interval.map(|found| (found.interval.low, found.interval.high)),
            range_with_exclusions: range,
            excluded: self
                .excluded
                .into_iter()
                .map(|(reason, runs)| (reason.to_owned(), runs))
                .collect::<IndexMap<_, _>>(),
            state,
            per_call: (self.calls.1 > 0).then_some(PerCall { events: self.calls.0, calls: self.calls.1 }),
            per_argument: (self.arguments.1 > 0)
                .then_some(PerArgument { events: self.arguments.0, arguments: self.arguments.1 }),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
fn over(events: u64, runs: u64) -> f64 {
    events as f64 / runs as f64
}
