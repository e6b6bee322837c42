//! What a report needs of the trials themselves, gathered as they are judged: the failing ones, the excluded
//! ones, the models that answered, requests and tokens. Trials may come in any order.

use std::collections::{BTreeMap, HashMap};

use probes::RateName;
use schemars::JsonSchema;
use scorer::Scorecard;
use serde::{Deserialize, Serialize};
use transcript::{CellId, ProbeId, ServedModel, ServedVerdict, TrialId, TrialStatus, Usage};

use super::excerpt::short;
use super::shown_trial::events;
use super::{JudgedTrial, ServedCount, ShownTrial};

/// Excluded trials that a report lists; the others are counted.
const EXCLUDED_LIMIT: usize = 200;

/// Characters of an excluded trial's reason.
const REASON_LIMIT: usize = 300;

/// A trial that is in no rate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExcludedTrial {
    /// `probe/cell/repeat`.
    pub trial: String,
    /// Its status.
    pub status: TrialStatus,
    /// What is known of why.
    pub reason: Option<String>,
}

/// The trials that are in no rate. Planned trials that were never sent are counted beside, in `trials`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ExcludedTrials {
    /// The first of them, in the order of cells, probes and repeats.
    pub listed: Vec<ExcludedTrial>,
    /// How many more there are.
    pub more: u64,
}

/// Collects what a report shows of single trials.
#[derive(Debug, Default)]
pub struct Gathered {
    failing: Vec<(TrialId, ShownTrial)>,
    excluded: Vec<(TrialId, ExcludedTrial)>,
    served: BTreeMap<(CellId, String, Option<String>), (ServedVerdict, u64)>,
    usage: UsageTotals,
    confirmations: Vec<Confirmation>,
}

/// A further trial of a changed probe: for reading alone.
#[derive(Debug, Clone)]
pub(crate) struct Confirmation {
    pub(crate) cell: CellId,
    pub(crate) probe: ProbeId,
    /// The rates whose event it has; none where it is not scored.
    pub(crate) events: Option<Vec<RateName>>,
}

/// Requests and tokens.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct UsageTotals {
    pub(super) requests: u64,
    pub(super) tokens: Option<Usage>,
}

/// What `Gathered` holds once it is complete and in order.
pub(super) struct Sorted {
    pub(super) failing: Vec<ShownTrial>,
    pub(super) excluded: ExcludedTrials,
    pub(super) served: HashMap<CellId, Vec<ServedCount>>,
    pub(super) usage: UsageTotals,
}

impl Gathered {
    /// Takes in one judged trial.
    pub fn add(&mut self, judged: &JudgedTrial<'_>) {
        let trial = judged.trial;
        self.usage.add(trial);
        if let Some(served) = &trial.served_model {
            let key = (trial.cell.clone(), served.asked.clone(), served.answered.clone());
            self.served.entry(key).or_insert((served.verdict, 0)).1 += 1;
        }
        if judged.verdict.status != TrialStatus::Scored {
            let reason = trial.error.as_ref().map(|error| match error.http_status {
                Some(status) => format!("HTTP {status}: {}", short(&error.message, REASON_LIMIT)),
                None => short(&error.message, REASON_LIMIT),
            });
            let id = trial.id();
            let excluded = ExcludedTrial { trial: id.to_string(), status: judged.verdict.status, reason };
            self.excluded.push((id, excluded));
        } else if ShownTrial::is_failing(judged.verdict) {
            self.failing.push((trial.id(), ShownTrial::of(judged)));
        }
    }

    /// Takes in a further trial of a changed probe: it enters no rate and no list.
    pub fn add_confirmation(&mut self, judged: &JudgedTrial<'_>) {
        self.usage.add(judged.trial);
        let is_scored = judged.verdict.status == TrialStatus::Scored;
        self.confirmations.push(Confirmation {
            cell: judged.trial.cell.clone(),
            probe: judged.trial.probe.clone(),
            events: is_scored.then(|| events(&judged.verdict.checks)),
        });
    }

    /// Further trials of changed probes.
    pub(crate) fn confirmations(&self) -> &[Confirmation] {
        &self.confirmations
    }

    /// Joins what was gathered elsewhere.
    pub fn merge(&mut self, other: Self) {
        self.confirmations.extend(other.confirmations);
        self.failing.extend(other.failing);
        self.excluded.extend(other.excluded);
        for (key, (verdict, trials)) in other.served {
            self.served.entry(key).or_insert((verdict, 0)).1 += trials;
        }
        self.usage.requests += other.usage.requests;
        if let Some(tokens) = other.usage.tokens {
            self.usage.tokens.get_or_insert_default().add(&tokens);
        }
    }

    /// Gives every cell another name.
    pub(crate) fn rename_cells(&mut self, rename: &dyn Fn(&CellId) -> CellId) {
        for (id, trial) in &mut self.failing {
            id.cell = rename(&id.cell);
            trial.cell = id.cell.clone();
            trial.trial = id.to_string();
        }
        for confirmation in &mut self.confirmations {
            confirmation.cell = rename(&confirmation.cell);
        }
        for (id, trial) in &mut self.excluded {
            id.cell = rename(&id.cell);
            trial.trial = id.to_string();
        }
        self.served = std::mem::take(&mut self.served)
            .into_iter()
            .map(|((cell, asked, answered), count)| ((rename(&cell), asked, answered), count))
            .collect();
    }

    /// Leaves out the trials of all other cells. Requests and tokens stay those of the whole run.
    pub(crate) fn retain_cells(&mut self, kept: &[CellId]) {
        self.failing.retain(|(id, _)| kept.contains(&id.cell));
        self.excluded.retain(|(id, _)| kept.contains(&id.cell));
        self.confirmations.retain(|trial| kept.contains(&trial.cell));
        self.served.retain(|(cell, _, _), _| kept.contains(cell));
    }

    /// Puts everything into the order of cells, probes and repeats.
    pub(super) fn finish(mut self, scorecards: &[Scorecard]) -> Sorted {
        let order = Order::of(scorecards);
        self.failing.sort_by_cached_key(|(id, _)| order.of_trial(id));
        self.excluded.sort_by_cached_key(|(id, _)| order.of_trial(id));
        let more = self.excluded.len().saturating_sub(EXCLUDED_LIMIT) as u64;
        let mut served: HashMap<CellId, Vec<ServedCount>> = HashMap::new();
        for ((cell, asked, answered), (verdict, trials)) in self.served {
            let model = ServedModel { asked, answered, verdict };
            served.entry(cell).or_default().push(ServedCount { model, trials });
        }
        Sorted {
            failing: self.failing.into_iter().map(|(_, trial)| trial).collect(),
            excluded: ExcludedTrials {
                listed: self.excluded.into_iter().take(EXCLUDED_LIMIT).map(|(_, trial)| trial).collect(),
                more,
            },
            served,
            usage: self.usage,
        }
    }
}

/// Where trials stand: the order of cells and of the suite, not of the alphabet or of the clock.
struct Order<'a> {
    cells: HashMap<&'a CellId, usize>,
    probes: HashMap<&'a ProbeId, usize>,
}

impl<'a> Order<'a> {
    fn of(scorecards: &'a [Scorecard]) -> Self {
        let cells = scorecards.iter().enumerate().map(|(at, card)| (&card.cell, at)).collect();
        let mut probes = HashMap::new();
        for probe in scorecards.iter().flat_map(|card| &card.probes) {
            let next = probes.len();
            probes.entry(&probe.id).or_insert(next);
        }
        Self { cells, probes }
    }

    fn of_trial(&self, id: &TrialId) -> (usize, usize, TrialId) {
        let cell = self.cells.get(&id.cell).copied().unwrap_or(usize::MAX);
        let probe = self.probes.get(&id.probe).copied().unwrap_or(usize::MAX);
        (cell, probe, id.clone())
    }
}

impl UsageTotals {
    fn add(&mut self, trial: &transcript::Trial) {
        self.requests += u64::from(trial.attempts);
        for usage in trial.turns.iter().filter_map(|turn| turn.usage.as_ref()) {
            self.tokens.get_or_insert_default().add(usage);
        }
    }
}
