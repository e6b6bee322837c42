//! What keeps requests back: how many may be under way to one model, what its endpoint told of its limits, and our
//! own share of requests and tokens a minute. All decisions are functions of what happened and the time; only
//! `Limits` waits.

mod estimate;
mod per_minute;
mod slots;
mod told;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use transcript::Usage;

use crate::Target;
use estimate::Estimator;
pub(crate) use estimate::Expected;
use per_minute::PerMinute;
pub(crate) use slots::Load;
use slots::Slots;
use told::Told;

/// Requests and tokens a minute that several models may have together: our share of a gateway, say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// What it is a share of: targets that name the same one draw on it together.
    pub name: String,
    /// Requests a minute.
    pub requests_per_minute: Option<u64>,
    /// Tokens a minute, read and written.
    pub tokens_per_minute: Option<u64>,
}

/// What keeps the requests to one model back.
#[derive(Debug, Clone)]
struct Lane {
    slots: Slots,
    told: Vec<Told>,
    /// No request goes before: a wait that the endpoint asked for.
    paused: Duration,
    estimator: Estimator,
}

/// What is left of a share.
#[derive(Debug, Clone, Default)]
struct Spending {
    requests: Option<PerMinute>,
    tokens: Option<PerMinute>,
}

/// What a request has to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    /// Another to end.
    Room,
    /// So long, at the least.
    Time(Duration),
}

/// A request that may go. What came of it is told with it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leave {
    taken: u64,
    expected: Expected,
    bytes: usize,
}

/// What came of a request, as far as limits look at it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended<'a> {
    pub(crate) load: Load,
    /// Tokens, where the endpoint counted them.
    pub(crate) usage: Option<&'a Usage>,
    /// The answer's headers.
    pub(crate) headers: &'a [(String, String)],
    /// A wait that the endpoint asks everybody for.
    pub(crate) pause: Option<Duration>,
}

impl Lane {
    fn new(most: u32) -> Self {
        Self {
            slots: Slots::new(most),
            told: Vec::new(),
            paused: Duration::ZERO,
            estimator: Estimator::default(),
        }
    }

    /// Lets a request go, or says what it has to wait for.
    fn admit(
        &mut self,
        spending: Option<&mut Spending>,
        expected: Expected,
        now: Duration,
    ) -> Result<u64, Hold> {
        if !self.slots.has_room() {
            return Err(Hold::Room);
        }
        let told = self.told.iter().map(|told| told.wait(expected, now)).max().unwrap_or_default();
        let mut wait = told.max(self.paused.saturating_sub(now));
        let mut none = Spending::default();
        let spending = spending.unwrap_or(&mut none);
        let amounts = [(&mut spending.requests, 1.0), (&mut spending.tokens, expected.tokens())];
        let mut buckets: Vec<(&mut PerMinute, f64)> =
            amounts.into_iter().filter_map(|(bucket, amount)| Some((bucket.as_mut()?, amount))).collect();
        for (bucket, amount) in &mut buckets {
            wait = wait.max(bucket.wait(*amount, now));
        }
        if wait > Duration::ZERO {
            return Err(Hold::Time(wait));
        }
        buckets.iter_mut().for_each(|(bucket, amount)| bucket.take(*amount, now));
        self.told.iter_mut().for_each(|told| told.take(expected));
        Ok(self.slots.take())
    }

    fn end(
        &mut self,
        spending: Option<&mut Spending>,
        leave: Leave,
        ended: &Ended<'_>,
        (now, clock): (Duration, Timestamp),
    ) {
        self.slots.give_back(leave.taken, ended.load);
        for told in Told::read(ended.headers, now, clock) {
            self.told.retain(|other| !other.is_of(&told));
            self.told.push(told);
        }
        if let Some(pause) = ended.pause {
            self.paused = self.paused.max(now.saturating_add(pause));
        }
        let Some(usage) = ended.usage else { return };
        self.estimator.learn(leave.bytes, usage);
        if let Some(tokens) = spending.and_then(|spending| spending.tokens.as_mut()) {
            tokens.correct(leave.expected.tokens(), spent(usage));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53, or a claim that cannot be")]
fn spent(usage: &Usage) -> f64 {
    usage.input.unwrap_or(0).saturating_add(usage.output.unwrap_or(0)).min(1 << 30) as f64
}

/// The limits of a run.
pub(crate) struct Limits {
    most: u32,
    started: Instant,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    lanes: BTreeMap<String, Lane>,
    shares: BTreeMap<String, Spending>,
}

impl State {
    fn parts(&mut self, target: &Target, most: u32) -> (&mut Lane, Option<&mut Spending>) {
        if !self.lanes.contains_key(&target.lane) {
            self.lanes.insert(target.lane.clone(), Lane::new(most));
        }
        let spending = target.share.as_ref().map(|share| {
            self.shares.entry(share.name.clone()).or_insert_with(|| Spending {
                requests: share.requests_per_minute.map(PerMinute::new),
                tokens: share.tokens_per_minute.map(PerMinute::new),
            })
        });
        let lane = self.lanes.entry(target.lane.clone()).or_insert_with(|| Lane::new(most));
        (lane, spending)
    }
}

impl Limits {
    /// Limits under which at most so many requests are under way to each model.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most: u32::try_from(most).unwrap_or(u32::MAX),
            started: Instant::now(),
            state: Mutex::default(),
            changed: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a request is expected to use.
    pub(crate) fn expect(&self, target: &Target, bytes: usize, limit: Option<u64>) -> Expected {
        self.state().parts(target, self.most).0.estimator.expect(bytes, limit)
    }

    /// Waits until a request may go; none where the run is cancelled.
    pub(crate) async fn leave(
        &self,
        target: &Target,
        (expected, bytes): (Expected, usize),
        cancel: &CancellationToken,
    ) -> Option<Leave> {
        loop {
            if cancel.is_cancelled() {
                return None;
            }
            // Before looking, so that what changes in between wakes it.
            let changed = self.changed.notified();
            let held = {
                let mut state = self.state();
                let (lane, spending) = state.parts(target, self.most);
                lane.admit(spending, expected, self.started.elapsed())
            };
            match held {
                Ok(taken) => return Some(Leave { taken, expected, bytes }),
                Err(Hold::Room) => tokio::select! {
                    () = cancel.cancelled() => return None,
                    () = changed => {}
                },
                Err(Hold::Time(wait)) => tokio::select! {
                    () = cancel.cancelled() => return None,
                    // An answer that used less than was reserved makes the wait shorter.
                    () = changed => {}
                    () = tokio::time::sleep(wait) => {}
                },
            }
        }
    }

    /// Takes in what came of a request.
    pub(crate) fn end(&self, target: &Target, leave: Leave, ended: &Ended<'_>, clock: Timestamp) {
        let now = self.started.elapsed();
        {
            let mut state = self.state();
            let (lane, spending) = state.parts(target, self.most);
            lane.end(spending, leave, ended, (now, clock));
        }
        self.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: Expected = Expected { input: 800.0, output: 200.0 };

    fn clock() -> Timestamp {
        "2027-02-18T09:00:00Z".parse().unwrap()
    }

    fn ended<'a>(load: Load, headers: &'a [(String, String)], usage: Option<&'a Usage>) -> Ended<'a> {
        Ended { load, usage, headers, pause: None }
    }

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn the_longest_of_all_waits_counts() {
        let mut lane = Lane::new(2);
        let mut spending = Spending { requests: None, tokens: Some(PerMinute::new(10_000)) };
        let first = lane.admit(Some(&mut spending), EXPECTED, seconds(0)).unwrap();
        // A thousand at once, then 150 a second.
        let Err(Hold::Time(wait)) = lane.admit(Some(&mut spending), EXPECTED, seconds(0)) else { panic!() };
        assert_eq!(wait.as_millis(), 6666);
        let headers: Vec<(String, String)> = [
            ("x-ratelimit-limit-requests", "60"),
            ("x-ratelimit-remaining-requests", "0"),
            ("x-ratelimit-reset-requests", "20m"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
        let usage = Usage { input: Some(80), output: Some(20), ..Usage::default() };
        let leave = Leave { taken: first, expected: EXPECTED, bytes: 2400 };
        lane.end(
            Some(&mut spending),
            leave,
            &ended(Load::Answered, &headers, Some(&usage)),
            (seconds(1), clock()),
        );
        // The tokens that were not used are there again; the requests that are used up are not.
        assert_eq!(lane.admit(Some(&mut spending), EXPECTED, seconds(1)), Err(Hold::Time(seconds(20))));
        assert_eq!(lane.admit(Some(&mut spending), EXPECTED, seconds(15)), Err(Hold::Time(seconds(6))));
        lane.admit(Some(&mut spending), EXPECTED, seconds(22)).unwrap();
        let pause = Ended { pause: Some(seconds(30)), ..ended(Load::Busy, &[], None) };
        lane.end(None, leave, &pause, (seconds(23), clock()));
        assert_eq!(lane.admit(None, EXPECTED, seconds(40)), Err(Hold::Time(seconds(13))));
        // Half of two, and nothing under way any more.
        lane.admit(None, EXPECTED, seconds(53 + 1200)).unwrap();
        assert_eq!(lane.admit(None, EXPECTED, seconds(53 + 1200)), Err(Hold::Room));
    }
}
