//! What a run does, settled before anything is sent.

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use probes::Probe;
use transcript::{CellId, Price, RawJson, TargetId};

use crate::{Gateway, Meter, Provider, Recordings, RetryPolicy, Share, Transport};

/// A run. Everything that decides about it stands here; nothing is defaulted.
#[derive(Clone)]
pub struct Plan {
    /// The run's name, as the record's header has it; executor rows carry it.
    pub run: String,
    /// The cells, in the order of the record's header.
    pub cells: Vec<PlannedCell>,
    /// Repeats of each probe in each cell.
    pub repeats: u32,
    /// Which of several rounds it is that make one record.
    pub round: Round,
    /// Decides the order of the trials.
    pub seed: u64,
    /// Most turns of a trial.
    pub max_turns: u32,
    /// Trials under way at once, at least 1. Requests to one model may be fewer: see `Target::lane`.
    pub concurrency: usize,
    /// How long one request may take.
    pub request_deadline: Duration,
    /// How long the requests of one trial and the waits between its tries may take together; waits that limits impose
    /// are not counted. Absent: as long as they take.
    pub trial_deadline: Option<Duration>,
    /// Which failures are tried again.
    pub retry: RetryPolicy,
    /// After so many trials that reached no model, with none that did, the run stops. At least 1.
    pub give_up_after: usize,
    /// What it has spent in this sitting, and may.
    pub meter: Arc<Meter>,
    /// Responses that are kept on disk, where they are.
    pub recordings: Option<Arc<Recordings>>,
    /// How long requests under way may go on after a cancellation.
    pub cancel_grace: Duration,
}

/// A round of a run: what was planned before it, and whether another follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// The number of its first repeat: those before belong to earlier rounds.
    pub first_repeat: u32,
    /// Trials that earlier rounds planned.
    pub earlier: u64,
    /// Whether the record is complete after it, and gets its footer.
    pub is_last: bool,
}

impl Round {
    /// The one round of a run that has no other.
    pub const ONLY: Self = Self { first_repeat: 0, earlier: 0, is_last: true };
}

/// A cell and its probes.
#[derive(Clone)]
pub struct PlannedCell {
    /// Id within the record.
    pub id: CellId,
    /// What answers.
    pub target: Arc<Target>,
    /// The probes, in the order of the suite.
    pub probes: Vec<Arc<Probe>>,
}

/// A model at an endpoint.
#[derive(Clone)]
pub struct Target {
    /// Id within the record.
    pub id: TargetId,
    /// The wire format.
    pub provider: &'static Provider,
    /// Model to ask for.
    pub model: String,
    /// Model settings and further members of the body.
    pub settings: IndexMap<String, RawJson>,
    /// Whether it is a simulated model. Only such a one is told which trial a request belongs to.
    pub simulated: bool,
    /// Where it is, for messages: `public_url` of the base URL, or a word.
    pub place: String,
    /// What shares the endpoint's limits: targets with the same provider, address, model and key have the same. How
    /// many requests may be under way falls and rises for all of them together.
    pub lane: String,
    /// Our share of requests and tokens a minute, where it is limited.
    pub share: Option<Share>,
    /// The gateway that requests go through, or what is known of how the endpoint names its models.
    pub gateway: Option<Gateway>,
    /// What its tokens cost, where that is known.
    pub price: Option<Price>,
    /// Headers of the configuration whose values are no secrets.
    pub headers: Vec<(String, String)>,
    /// What carries requests there.
    pub transport: Arc<dyn Transport>,
}

impl Plan {
    /// Trials planned, those of earlier rounds included.
    #[must_use]
    pub fn planned_in_all(&self) -> u64 {
        self.round.earlier + self.planned()
    }

    /// Trials planned in this round: probes x repeats, summed over cells.
    #[must_use]
    pub fn planned(&self) -> u64 {
        self.cells.iter().map(|cell| cell.probes.len() as u64).sum::<u64>() * u64::from(self.repeats)
    }
}
