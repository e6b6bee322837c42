//! What a report needs of the trials themselves, gathered as they are judged: the failing ones, the excluded
//! ones, the models that answered, requests and tokens. Trials may come in any order.

use std::collections::{BTreeMap, HashMap};

use probes::RateName;
use schemars::JsonSchema;
use scorer::{Scorecard, Verdict};
use serde::{Deserialize, Serialize};
use transcript::{
    CellId, ErrorCause, ProbeId, ServedModel, ServedVerdict, Trial, TrialId, TrialStatus, Usage,
};

use super::excerpt::short;
use super::shown_trial::events;
use super::{JudgedTrial, ServedCount, ShownTrial};

/// Excluded trials that a report lists; the others are counted.
const EXCLUDED_LIMIT: usize = 200;

/// Failing trials that a report lists; the others are counted. A report of a hundred thousand trials stays one that can
/// be read, and the run one that fits into memory.
pub(crate) const FAILING_LIMIT: usize = 3_000;

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
    /// Each elsewhere: a list that grows is moved, and one of these takes a kilobyte.
    failing: Vec<(TrialId, Box<ShownTrial>)>,
    lists_all: bool,
    /// By cell: all of them, listed or not.
    failing_trials: BTreeMap<CellId, u64>,
    excluded: Vec<(TrialId, ExcludedTrial)>,
    served: BTreeMap<(CellId, String, Option<String>), (ServedVerdict, u64)>,
    usage: UsageTotals,
    /// Tokens by cell, further trials included.
    of_cell: BTreeMap<CellId, Usage>,
    /// What gateways answered in models' places.
    causes: BTreeMap<(CellId, ErrorCause), u64>,
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
    /// Responses that were taken from those kept on disk, in place of requests.
    pub(super) kept: u64,
    pub(super) tokens: Option<Usage>,
}

/// What `Gathered` holds once it is complete and in order.
pub(super) struct Sorted {
    pub(super) failing: Vec<ShownTrial>,
    pub(super) more_failing: u64,
    pub(super) excluded: ExcludedTrials,
    pub(super) served: HashMap<CellId, Vec<ServedCount>>,
    pub(super) usage: UsageTotals,
    pub(super) of_cell: BTreeMap<CellId, Usage>,
    pub(super) causes: BTreeMap<ErrorCause, u64>,
}

impl Gathered {
    /// One that lists every failing trial, however many there are: for looking one of them up.
    #[must_use]
    pub fn listing_all() -> Self {
        Self { lists_all: true, ..Self::default() }
    }

    /// Takes in one judged trial.
    pub fn add(&mut self, judged: &JudgedTrial<'_>) {
        if self.count(judged.trial, judged.verdict) {
            self.list(judged.trial, ShownTrial::of(judged));
        }
    }

    /// Takes in one judged trial but for what is shown of it; says whether it is to be listed.
    #[must_use]
    pub fn count(&mut self, trial: &Trial, verdict: &Verdict) -> bool {
        self.spend(trial);
        if let Some(served) = &trial.served_model {
            let key = (trial.cell.clone(), served.asked.clone(), served.answered.clone());
            self.served.entry(key).or_insert((served.verdict, 0)).1 += 1;
        }
        if verdict.status != TrialStatus::Scored {
            if let Some(cause) = trial.error.as_ref().and_then(|error| error.cause) {
                *self.causes.entry((trial.cell.clone(), cause)).or_default() += 1;
            }
            let reason = trial.error.as_ref().map(|error| match error.http_status {
                Some(status) => format!("HTTP {status}: {}", short(&error.message, REASON_LIMIT)),
                None => short(&error.message, REASON_LIMIT),
            });
            let id = trial.id();
            let excluded = ExcludedTrial { trial: id.to_string(), status: verdict.status, reason };
            self.excluded.push((id, excluded));
            return false;
        }
        ShownTrial::is_failing(verdict)
    }

    /// Lists a trial that `count` said is to be listed.
    pub fn list(&mut self, trial: &Trial, shown: ShownTrial) {
        *self.failing_trials.entry(trial.cell.clone()).or_default() += 1;
        self.failing.push((trial.id(), Box::new(shown)));
        self.bound(2 * FAILING_LIMIT);
    }

    /// Takes in a further trial of a changed probe: it enters no rate and no list.
    pub fn add_confirmation(&mut self, judged: &JudgedTrial<'_>) {
        self.spend(judged.trial);
        let is_scored = judged.verdict.status == TrialStatus::Scored;
        self.confirmations.push(Confirmation {
            cell: judged.trial.cell.clone(),
            probe: judged.trial.probe.clone(),
            events: is_scored.then(|| events(&judged.verdict.checks)),
        });
    }

    fn spend(&mut self, trial: &Trial) {
        self.usage.add(trial);
        self.of_cell.entry(trial.cell.clone()).or_default().add(&trial.usage());
    }

    /// Tokens over all trials, as far as they were counted.
    #[must_use]
    pub fn tokens(&self) -> Option<&Usage> {
        self.usage.tokens.as_ref()
    }

    /// Further trials of changed probes.
    pub(crate) fn confirmations(&self) -> &[Confirmation] {
        &self.confirmations
    }

    /// Joins what was gathered elsewhere.
    pub fn merge(&mut self, other: Self) {
        self.confirmations.extend(other.confirmations);
        self.failing.extend(other.failing);
        self.bound(2 * FAILING_LIMIT);
        for (cell, trials) in other.failing_trials {
            *self.failing_trials.entry(cell).or_default() += trials;
        }
        self.excluded.extend(other.excluded);
        for (key, (verdict, trials)) in other.served {
            self.served.entry(key).or_insert((verdict, 0)).1 += trials;
        }
        for (cell, usage) in other.of_cell {
            self.of_cell.entry(cell).or_default().add(&usage);
        }
        for (key, trials) in other.causes {
            *self.causes.entry(key).or_default() += trials;
        }
        self.usage.requests += other.usage.requests;
        self.usage.kept += other.usage.kept;
        if let Some(tokens) = other.usage.tokens {
            self.usage.tokens.get_or_insert_default().add(&tokens);
        }
    }

    /// Drops failing trials beyond the limit, once there are `most` of them: first those that no gate asks for, then
    /// later repeats, so that as many probes as possible have one. Which remain does not depend on the order in which
    /// they came.
    fn bound(&mut self, most: usize) {
        if !self.lists_all && self.failing.len() > FAILING_LIMIT && self.failing.len() >= most {
            self.failing.sort_by_cached_key(|(id, trial)| (!trial.must_pass, id.repeat, id.clone()));
            self.failing.truncate(FAILING_LIMIT);
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
        self.failing_trials = std::mem::take(&mut self.failing_trials)
            .into_iter()
            .map(|(cell, n)| (rename(&cell), n))
            .collect();
        self.of_cell = std::mem::take(&mut self.of_cell)
            .into_iter()
            .map(|(cell, usage)| (rename(&cell), usage))
            .collect();
        self.causes = std::mem::take(&mut self.causes)
            .into_iter()
            .map(|((cell, cause), trials)| ((rename(&cell), cause), trials))
            .collect();
        self.served = std::mem::take(&mut self.served)
            .into_iter()
            .map(|((cell, asked, answered), count)| ((rename(&cell), asked, answered), count))
            .collect();
    }

    /// Leaves out the trials of all other cells. Requests and tokens stay those of the whole run.
    pub(crate) fn retain_cells(&mut self, kept: &[CellId]) {
        self.failing.retain(|(id, _)| kept.contains(&id.cell));
        self.failing_trials.retain(|cell, _| kept.contains(cell));
        self.excluded.retain(|(id, _)| kept.contains(&id.cell));
        self.confirmations.retain(|trial| kept.contains(&trial.cell));
        self.served.retain(|(cell, _, _), _| kept.contains(cell));
        self.causes.retain(|(cell, _), _| kept.contains(cell));
    }

    /// Puts everything into the order of cells, probes and repeats.
    pub(super) fn finish(mut self, scorecards: &[Scorecard]) -> Sorted {
        let order = Order::of(scorecards);
        self.bound(FAILING_LIMIT);
        let all_failing: u64 = self.failing_trials.values().sum();
        let more_failing = all_failing.saturating_sub(self.failing.len() as u64);
        self.failing.sort_by_cached_key(|(id, _)| order.of_trial(id));
        self.excluded.sort_by_cached_key(|(id, _)| order.of_trial(id));
        let more = self.excluded.len().saturating_sub(EXCLUDED_LIMIT) as u64;
        let mut served: HashMap<CellId, Vec<ServedCount>> = HashMap::new();
        for ((cell, asked, answered), (verdict, trials)) in self.served {
            let model = ServedModel { asked, answered, verdict };
            served.entry(cell).or_default().push(ServedCount { model, trials });
        }
        let mut causes = BTreeMap::new();
        for ((_, cause), trials) in self.causes {
            *causes.entry(cause).or_default() += trials;
        }
        Sorted {
            of_cell: self.of_cell,
            causes,
            failing: self.failing.into_iter().map(|(_, trial)| *trial).collect(),
            more_failing,
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
        for probe in scorecards.iter().flat_map(|card| card.probes.iter()) {
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
        self.kept += trial.turns.iter().filter(|turn| turn.kept.is_some()).count() as u64;
        for usage in trial.turns.iter().filter_map(|turn| turn.usage.as_ref()) {
            self.tokens.get_or_insert_default().add(usage);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing(repeat: u32, probe: usize, must_pass: bool) -> (TrialId, ShownTrial) {
        let id = TrialId {
            probe: ProbeId::new(&format!("t{probe:05}.control")),
            cell: CellId("c0".into()),
            repeat,
        };
        let shown = serde_json::json!({
            "trial": id.to_string(), "probe": id.probe, "cell": id.cell, "repeat": repeat, "kind": "control",
            "arm": null, "task": "t", "must_pass": must_pass, "right": "call", "behaviour": "wrong",
            "events": [], "findings": [], "more_findings": 0, "outcome": null, "tool": null,
            "tool_offered": false, "offering": { "total": 0, "names": [], "without": [], "decoys": [] },
            "prompt": null, "prompt_suffix": null, "messages": [], "more_messages": 0, "turns": [],
            "more_turns": 0
        });
        (id, serde_json::from_value(shown).unwrap())
    }

    #[test]
    fn which_of_very_many_failing_trials_are_listed_does_not_depend_on_their_order() {
        let all: Vec<_> = (0..FAILING_LIMIT * 2 + 100)
            .map(|at| failing((at % 3) as u32, at / 3, at == FAILING_LIMIT * 2))
            .collect();
        let listed = |trials: &mut dyn Iterator<Item = &(TrialId, ShownTrial)>| {
            let mut gathered = Gathered::default();
            for (id, shown) in trials {
                *gathered.failing_trials.entry(id.cell.clone()).or_default() += 1;
                gathered.failing.push((id.clone(), Box::new(shown.clone())));
                gathered.bound(2 * FAILING_LIMIT);
            }
            gathered.finish(&[])
        };
        let (forth, back) = (listed(&mut all.iter()), listed(&mut all.iter().rev()));
        assert_eq!(forth.failing, back.failing);
        assert_eq!((forth.failing.len(), forth.more_failing), (FAILING_LIMIT, FAILING_LIMIT as u64 + 100));
        assert!(
            forth.failing.iter().any(|trial| trial.must_pass),
            "what a gate asks for is never dropped first"
        );
        assert!(forth.failing.iter().all(|trial| trial.repeat < 2 || trial.must_pass));
    }
}
