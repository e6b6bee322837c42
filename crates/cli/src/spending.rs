//! What a run would use before it is sent: tokens, money, time at our share, and where data goes.

use std::collections::{BTreeMap, BTreeSet};

use scorer::Scorecard;
use serde::Serialize;
use transcript::{Cost, TargetId, TargetRecord, Usage};

use crate::settled::Settled;
use crate::targets::{SIM, SIM_SPEAKS};

/// Bytes of a body to a token, where nothing was measured: about what tokenizers make of English and JSON.
pub(crate) const BYTES_A_TOKEN: u64 = 4;

/// Tokens of an answer, where nothing was measured.
const ANSWER: u64 = 150;

/// What a run would use, target by target.
#[derive(Debug, Serialize)]
pub(crate) struct Spending {
    /// Whether tokens are those of an earlier run, and not estimated from what is sent.
    pub(crate) measured: bool,
    /// The targets.
    pub(crate) targets: Vec<TargetSpending>,
    /// All of them; none where one has no price.
    pub(crate) cost: Option<Cost>,
    /// Minutes that our shares of requests and tokens make it last at least; none where nothing is limited.
    pub(crate) minutes_at_share: Option<f64>,
}

/// What one target would use.
#[derive(Debug, Serialize)]
pub(crate) struct TargetSpending {
    /// Which.
    pub(crate) target: TargetId,
    /// The host that data goes to; none for a model in this process.
    pub(crate) host: Option<String>,
    /// The gateway on the way.
    pub(crate) gateway: Option<String>,
    /// Requests.
    pub(crate) requests: u64,
    /// Tokens read.
    pub(crate) input: u64,
    /// Of these, tokens from the provider's cache; none where nothing tells.
    pub(crate) cached: Option<u64>,
    /// Tokens written.
    pub(crate) output: u64,
    /// What they cost; none without a price.
    pub(crate) cost: Option<Cost>,
    /// The day of the list that the price stands on.
    pub(crate) price_as_of: Option<String>,
    /// Whether it is a simulated model, which costs nothing.
    pub(crate) simulated: bool,
}

/// What an earlier run used a trial.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ATrial {
    requests: f64,
    input: f64,
    output: f64,
    /// Of the tokens read, the share that came from the provider's cache.
    cached: Option<f64>,
}

impl ATrial {
    /// From an earlier run's scorecards and all of its tokens; none where its endpoints did not count them.
    #[expect(clippy::cast_precision_loss, reason = "means")]
    pub(crate) fn of(cards: &[Scorecard], tokens: Option<&Usage>) -> Option<Self> {
        let trials = cards.iter().map(Scorecard::scored).sum::<u64>() as f64;
        let sum = |pick: fn(&Scorecard) -> u64| cards.iter().map(pick).sum::<u64>() as f64;
        let input = sum(|card| card.totals.input_tokens);
        let output = sum(|card| card.totals.output_tokens);
        if trials < 1.0 || input < 1.0 {
            return None;
        }
        let cached = tokens.and_then(|usage| Some(usage.cached? as f64 / (usage.input? as f64).max(1.0)));
        Some(Self {
            requests: sum(|card| card.totals.turns) / trials,
            input: input / trials,
            output: output / trials,
            cached: cached.map(|share| share.min(1.0)),
        })
    }
}

/// What a run would use. Without an earlier run it is the least: every conversation ends at its first answer.
pub(crate) fn of(settled: &Settled, before: Option<ATrial>) -> Spending {
    let header = &settled.header;
    let repeats = u64::from(header.repeats);
    let targets: Vec<TargetSpending> = settled
        .targets
        .iter()
        .map(|plan| {
            let cells = header.cells.iter().zip(&settled.cells).filter(|(cell, _)| cell.target == plan.id);
            let probes: Vec<_> = cells.flat_map(|(_, probes)| probes).collect();
            let trials = probes.len() as u64 * repeats;
            let (requests, usage) = match before {
                Some(each) => measured(each, trials),
                None => {
                    let bodies = probes.iter().flat_map(|probe| first_bodies(&plan.record, probe));
                    let (requests, bytes) =
                        bodies.fold((0, 0), |(count, sum), bytes| (count + 1, sum + bytes));
                    let input = (bytes as u64 / BYTES_A_TOKEN).saturating_mul(repeats);
                    let requests = requests * repeats;
                    (
                        requests,
                        Usage { input: Some(input), output: Some(requests * ANSWER), ..Usage::default() },
                    )
                }
            };
            let (host, record) = (host(&plan.record), &plan.record);
            TargetSpending {
                target: plan.id.clone(),
                host,
                gateway: record.gateway.as_ref().map(|gateway| gateway.name.clone()),
                requests,
                input: usage.input.unwrap_or(0),
                cached: usage.cached,
                output: usage.output.unwrap_or(0),
                cost: record.price.as_ref().and_then(|price| price.cost(&usage)),
                price_as_of: record.price.as_ref().and_then(|price| price.as_of.clone()),
                simulated: record.simulated,
            }
        })
        .collect();
    let cost = targets
        .iter()
        .filter(|target| !target.simulated)
        .try_fold(Cost::default(), |sum, target| target.cost.map(|cost| sum.plus(cost)));
    Spending {
        measured: before.is_some(),
        minutes_at_share: minutes_at_share(settled, &targets),
        cost: cost.filter(|_| targets.iter().any(|target| !target.simulated)),
        targets,
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive estimates"
)]
fn measured(each: ATrial, trials: u64) -> (u64, Usage) {
    let times = |amount: f64| (amount * trials as f64).round() as u64;
    let usage = Usage {
        input: Some(times(each.input)),
        output: Some(times(each.output)),
        cached: each.cached.map(|share| times(each.input * share)),
        ..Usage::default()
    };
    (times(each.requests), usage)
}

/// Sizes of the first request of each step, without what the model says in between.
fn first_bodies(record: &TargetRecord, probe: &probes::Probe) -> Vec<usize> {
    let name = if record.provider == SIM { SIM_SPEAKS } else { &record.provider };
    runner::provider(name)
        .map(|provider| runner::first_bodies(provider, &record.model, &record.settings, probe))
        .unwrap_or_default()
}

/// The host of a target; none for a model in this process.
pub(crate) fn host(record: &TargetRecord) -> Option<String> {
    if record.provider == SIM && record.base_url.is_none() {
        return None;
    }
    let home = runner::provider(&record.provider).and_then(|provider| provider.base_url);
    let url = runner::public_url(record.base_url.as_deref().or(home)?);
    let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
    Some(rest.split(['/', '?']).next().unwrap_or_default().to_owned())
}

/// How long the slowest share takes.
#[expect(clippy::cast_precision_loss, reason = "minutes")]
fn minutes_at_share(settled: &Settled, targets: &[TargetSpending]) -> Option<f64> {
    let mut shares: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (plan, spending) in settled.targets.iter().zip(targets) {
        let Some(share) = &plan.record.share else { continue };
        let (requests, tokens) = shares.entry(&share.of).or_default();
        *requests +=
            spending.requests as f64 / share.requests_per_minute.map_or(f64::INFINITY, |limit| limit as f64);
        let used = spending.input.saturating_add(spending.output) as f64;
        *tokens += used / share.tokens_per_minute.map_or(f64::INFINITY, |limit| limit as f64);
    }
    shares.into_values().map(|(requests, tokens)| requests.max(tokens)).reduce(f64::max)
}

/// The lines of `plan`.
pub(crate) fn lines(spending: &Spending) -> Vec<String> {
    let mut lines = Vec::new();
    for target in &spending.targets {
        let mut parts = vec![format!("{} tokens in", report::count(target.input))];
        parts.extend(target.cached.map(|cached| format!("{} of them cached", report::count(cached))));
        parts.push(format!("{} out", report::count(target.output)));
        let money = match (target.simulated, target.cost, &target.price_as_of) {
            (true, _, _) => "costs nothing: simulated".to_owned(),
            (_, Some(cost), Some(day)) => format!("{cost} by the list of {day}"),
            (_, Some(cost), None) => format!("{cost} by `prices`"),
            (_, None, _) => "price unknown: `prices` of the configuration says one".to_owned(),
        };
        lines.push(format!("tokens     {}: {}; {money}", target.target, parts.join(", ")));
    }
    if spending.targets.iter().any(|target| !target.simulated) {
        lines.push(
            match spending.measured {
                true => "           as the earlier run used them",
                false => {
                    "           at least: every conversation ends at its first answer, nothing is cached"
                }
            }
            .to_owned(),
        );
    }
    if let (Some(cost), true) = (spending.cost, spending.targets.len() > 1) {
        lines.push(format!("money      {cost} in all"));
    }
    lines.extend(spending.minutes_at_share.map(|minutes| {
        format!("time       at least {} at our share", crate::progress::duration(minutes * 60.0))
    }));
    let to: BTreeSet<String> = spending
        .targets
        .iter()
        .map(|target| match (&target.host, &target.gateway) {
            (None, _) => "nowhere: a model in this process".to_owned(),
            (Some(host), Some(gateway)) => format!("{host} (gateway {gateway})"),
            (Some(host), None) => host.clone(),
        })
        .collect();
    lines.push(
        format!("data goes  to {}", to.into_iter().collect::<Vec<_>>().join(", "))
            .replace("to nowhere", "nowhere"),
    );
    lines
}
