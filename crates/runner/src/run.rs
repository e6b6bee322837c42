//! A run: puts the trials of a plan, so many at once, and records each as it ends.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use jiff::Timestamp;
use probes::Probe;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use transcript::Trial;

use crate::ask::Asker;
use crate::conversation::{Conversation, TrialEnd};
use crate::ledger::Ledger;
use crate::limits::Limits;
use crate::meter::Cap;
use crate::record_file::RunFiles;
use crate::schedule::{Queue, Slot};
use crate::stub::StubLog;
use crate::{Plan, RunError};

/// Something that happens while a run goes on.
pub enum RunEvent<'a> {
    /// A trial ended and is on disk.
    Trial {
        /// The trial, as it reads from the record.
        trial: &'a Trial,
        /// Its probe.
        probe: &'a Arc<Probe>,
        /// Trials that the record holds.
        done: u64,
        /// Trials planned.
        planned: u64,
    },
}

/// How a run ended. Whatever was measured is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEnd {
    /// Why it ended.
    pub why: EndReason,
    /// Trials planned.
    pub planned: u64,
    /// Trials that the record holds, of earlier sittings too.
    pub done: u64,
    /// Of these, trials with status `scored`.
    pub scored: u64,
}

/// Why a run ended. All but the first leave a record without a footer, which can be taken up again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndReason {
    /// Every planned trial is recorded.
    Complete,
    /// The endpoint refuses the key.
    Authentication {
        /// Where.
        place: String,
        /// What it says.
        message: String,
    },
    /// Quota or credit is used up.
    Quota {
        /// Where.
        place: String,
        /// What the endpoint says.
        message: String,
    },
    /// No trial of a target reached a model: no connection, no such path, no such model.
    Unreachable {
        /// Where.
        place: String,
        /// What happened last.
        message: String,
    },
    /// A request that is not among the recordings, where nothing may be sent.
    NotRecorded {
        /// Which trial asks.
        trial: String,
        /// The hash of what it asks.
        key: String,
    },
    /// What it may spend is spent.
    Capped(Cap),
    /// Cancelled.
    Interrupted,
}

/// Carries out a plan. Trials that the record holds are not put again.
///
/// # Errors
/// Nothing is planned, or the record or the executor log cannot be written.
pub async fn run(
    plan: &Plan,
    files: &mut RunFiles,
    clock: &(dyn Fn() -> Timestamp + Sync),
    cancel: &CancellationToken,
    on_event: &mut (dyn FnMut(RunEvent<'_>) + Send),
) -> Result<RunEnd, RunError> {
    if plan.planned() == 0 {
        return Err(RunError::NothingPlanned);
    }
    // A child: stopping for a reason of our own must not cancel the caller's token.
    let cancel = cancel.child_token();
    let asker = Asker { plan, clock, cancel: &cancel, limits: Limits::new(plan.concurrency) };
    let time = plan.meter.end();
    let RunFiles { record, executor, resumptions, .. } = files;
    // Trials that an earlier sitting left half done leave rows too; theirs must not mix with ours.
    let name = if *resumptions == 0 { plan.run.clone() } else { format!("{}+{resumptions}", plan.run) };
    let log = StubLog { file: executor, run: &name, clock };
    let mut ledger = Ledger::new(plan, record, on_event);
    let mut queue = Queue::new(plan);
    let mut under_way = FuturesUnordered::new();
    // Trials that ended and are not entered yet: what can be sent goes first, since an endpoint that waits for us
    // is time lost, and scoring can be done while it answers.
    let mut ended: VecDeque<(Slot, TrialEnd)> = VecDeque::new();
    let most = plan.concurrency.max(1);
    let mut stop: Option<Stop> = None;
    loop {
        while stop.is_none() && under_way.len() < most && ended.len() < most {
            let next = queue.next(|slot| ledger.open(slot).is_some());
            let Some((slot, at)) = next.and_then(|slot| ledger.open(slot)) else { break };
            let conversation = Conversation::new(&asker, log, at.target, at.probe, at.id);
            under_way.push(async move { (slot, conversation.hold().await) });
        }
        if under_way.is_empty() && ended.is_empty() {
            break;
        }
        let deadline = stop.as_ref().map(|stop| stop.deadline);
        let step = tokio::select! {
            biased;
            () = cancel.cancelled(), if stop.is_none() => {
                stop = Some(Stop::now(plan, EndReason::Interrupted));
                continue;
            }
            // Before what is under way: a model in process always has something ready.
            () = sleep_until(time.map(|(end, _)| end)), if stop.is_none() => {
                stop = time.map(|(_, cap)| Stop::now(plan, EndReason::Capped(cap)));
                cancel.cancel();
                continue;
            }
            finished = under_way.next(), if ended.len() < most && !under_way.is_empty() => match finished {
                Some(finished) => Next::Finished(finished),
                None => continue,
            },
            // A model in process is always ready: without this the task that waits for Ctrl-C would never be
            // polled.
            () = tokio::task::yield_now(), if !ended.is_empty() => Next::Enter,
            () = sleep_until(deadline) => Next::End,
        };
        let (slot, outcome) = match step {
            Next::Finished((slot, outcome)) => {
                queue.ended(slot);
                match outcome? {
                    // The usual end, which says nothing of those that come next.
                    outcome @ TrialEnd::Done { reached: true, .. } => {
                        ended.push_back((slot, outcome));
                        continue;
                    }
                    outcome => (slot, outcome),
                }
            }
            Next::Enter => match ended.pop_front() {
                Some(entry) => entry,
                None => continue,
            },
            Next::End => break,
        };
        let is_dropped = matches!(outcome, TrialEnd::Dropped);
        let capped = plan.meter.reached().filter(|_| is_dropped).map(EndReason::Capped);
        let reason = ledger.enter(slot, outcome)?.map(|reason| capped.unwrap_or(reason));
        if let Some(reason) = reason.filter(|_| stop.is_none()) {
            stop = Some(Stop::now(plan, reason));
            cancel.cancel();
        }
    }
    for (slot, outcome) in ended {
        ledger.enter(slot, outcome)?;
    }
    drop(under_way);
    let reason = stop.map_or(EndReason::Complete, |stop| stop.reason);
    Ok(ledger.close(reason, clock())?)
}

/// What a run does next.
enum Next<F> {
    /// A trial ended.
    Finished(F),
    /// One that ended is entered.
    Enter,
    /// Nothing is left, or the time is up.
    End,
}

/// Nothing is put any more; what is under way may go on for a while.
struct Stop {
    reason: EndReason,
    deadline: Instant,
}

impl Stop {
    fn now(plan: &Plan, reason: EndReason) -> Self {
        Self { reason, deadline: Instant::now() + plan.cancel_grace }
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
