//! Rates: every one with both denominators, and an interval by session lineages.

use std::collections::{BTreeMap, HashMap, HashSet};

use scorer::statistic::{Counts, rate_interval, wilson};

use crate::census::{MinedRate, Part};
use crate::count::counted;
use crate::dedup::{Act, Acts, Mark};
use crate::format::LOG_FORMATS;
use crate::labels::Label;
use crate::lineage::Session;
use crate::options::{Dimension, Options};
use crate::time::day_text;

/// A 95 % interval.
const ALPHA: f64 = 0.05;

/// The rates of the logs, in their order.
pub(crate) fn rates(acts: &mut Acts, top: usize) -> Vec<MinedRate> {
    let clusters = Clusters::of(acts);
    let most_frequent = most_frequent(acts, top);
    let is_absent = |act: &Act| act.marks.has(Mark::Absent);
    let in_top = |act: &Act| most_frequent.contains(&act.name);
    let all = clusters.rate(acts, "absent_tool", |_| true, is_absent);
    let within = clusters.rate(acts, &format!("absent_tool_within_top_{top}"), in_top, is_absent);
    let over_top = over_top(&all, &within, top);
    let answered = |act: &Act| act.marks.has(Mark::Answered);
    let refused = |act: &Act| act.marks.has_any_fault();
    vec![
        clusters.rate(acts, "absent_tool_among_answered", answered, is_absent),
        clusters.rate(acts, "argument_error", |_| true, refused),
    ]
    .into_iter()
    .fold(vec![all, over_top, within], |mut rates, rate| {
        rates.push(rate);
        rates
    })
}

/// All events over the calls of the most frequent tools: the second denominator in use. The events need not be
/// among those calls, so it is a ratio, and has no interval of its own; of more events than calls it is no share.
fn over_top(all: &MinedRate, within: &MinedRate, top: usize) -> MinedRate {
    let is_share = all.numerator <= within.denominator;
    MinedRate {
        name: format!("absent_tool_over_top_{top}"),
        numerator: all.numerator,
        unit: "call".to_owned(),
        share: share(all.numerator, within.denominator).filter(|_| is_share),
        one_in: one_in(all.numerator, within.denominator).filter(|_| is_share),
        low: None,
        high: None,
        high_if_independent: None,
        ..within.clone()
    }
}

/// The names of the most frequent tools; of equal ones, the first by name.
fn most_frequent(acts: &Acts, top: usize) -> HashSet<Label> {
    let mut counts: HashMap<Label, u64> = HashMap::new();
    for act in counted(acts) {
        *counts.entry(act.name).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    let text = |label: Label| acts.labels.text(label).unwrap_or_default();
    counts.sort_by(|(label, count), (other, others)| {
        others.cmp(count).then_with(|| text(*label).cmp(text(*other)))
    });
    counts.into_iter().take(top).map(|(label, _)| label).collect()
}

/// Calls and absent tools by what is asked for.
pub(crate) fn parts(acts: &mut Acts, options: &Options) -> BTreeMap<String, Vec<Part>> {
    let clusters = Clusters::of(acts);
    let mut out = BTreeMap::new();
    for dimension in &options.by {
        let mut names: Vec<String> = counted(acts).map(|act| part_of(acts, act, *dimension)).collect();
        names.sort_unstable();
        names.dedup();
        let mut parts: Vec<Part> = names
            .into_iter()
            .map(|name| {
                let inside = |act: &Act| part_of(acts, act, *dimension) == name;
                let rate = clusters.rate(acts, "absent_tool", inside, |act| act.marks.has(Mark::Absent));
                Part { calls: rate.denominator, absent: rate.numerator, name, rate }
            })
            .collect();
        parts.sort_by(|part, other| other.calls.cmp(&part.calls).then_with(|| part.name.cmp(&other.name)));
        out.insert(dimension.name().to_owned(), parts);
    }
    out
}

fn part_of(acts: &Acts, act: &Act, dimension: Dimension) -> String {
    let text = |label| acts.labels.text(label).unwrap_or_default().to_owned();
    match dimension {
        Dimension::Model => text(act.model),
        Dimension::Project => text(act.project),
        Dimension::Version => text(act.version),
        Dimension::Day => day_text(act.time).unwrap_or_default(),
        Dimension::Format => {
            LOG_FORMATS.get(usize::from(act.format)).map(|format| format.name.to_owned()).unwrap_or_default()
        }
    }
}

/// The lineage of every act.
struct Clusters(Vec<Session>);

impl Clusters {
    fn of(acts: &mut Acts) -> Self {
        let sessions: Vec<Session> = counted(acts).map(|act| act.session).collect();
        Self(sessions.into_iter().map(|session| acts.lineages.root(session)).collect())
    }

    fn rate(
        &self,
        acts: &Acts,
        name: &str,
        among: impl Fn(&Act) -> bool,
        event: impl Fn(&Act) -> bool,
    ) -> MinedRate {
        let mut counts: BTreeMap<Session, Counts> = BTreeMap::new();
        for (act, root) in counted(acts).zip(&self.0).filter(|(act, _)| among(act)) {
            let count = counts.entry(*root).or_default();
            count.trials += 1;
            count.events += u64::from(event(act));
        }
        let counts: Vec<Counts> = counts.into_values().collect();
        let numerator: u64 = counts.iter().map(|count| count.events).sum();
        let denominator: u64 = counts.iter().map(|count| count.trials).sum();
        let share = share(numerator, denominator);
        let interval =
            share.and_then(|share| rate_interval(&counts, share, ALPHA)).map(|found| found.interval);
        let independent = (numerator == 0).then(|| wilson(0, denominator, ALPHA)).flatten();
        MinedRate {
            name: name.to_owned(),
            numerator,
            denominator,
            unit: "call".to_owned(),
            share,
            one_in: one_in(numerator, denominator),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            high_if_independent: independent.map(|interval| interval.high),
            clusters: counts.len() as u64,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
fn share(numerator: u64, denominator: u64) -> Option<f64> {
    (denominator > 0).then(|| numerator as f64 / denominator as f64)
}

/// Rounded half up.
fn one_in(numerator: u64, denominator: u64) -> Option<u64> {
    (numerator > 0 && denominator > 0).then(|| (denominator + numerator / 2) / numerator)
}
