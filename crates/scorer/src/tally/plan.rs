use std::collections::HashMap;
use std::sync::Arc;

use probes::{Arm, Expectation, Offered, Probe, ProbeLine, RateName, RightBehaviour, Unlisted};
use transcript::{CellId, EndpointProperties, Fingerprint, Known, ProbeId};

use crate::metric::{EnteredBy, METRICS, Metric};

/// What a tally knows of a planned probe: what the probe's line in a run record says, without its messages.
#[derive(Debug, Clone)]
pub struct PlannedProbe {
    /// Stable id.
    pub id: ProbeId,
    /// The question's hash.
    pub question_hash: Fingerprint,
    /// The sent hash.
    pub sent_hash: Fingerprint,
    /// The kind.
    pub kind: String,
    /// The arm; none for the base arm.
    pub arm: Option<Arm>,
    /// The task: the cluster.
    pub task: String,
    /// Where the task's words come from.
    pub source: String,
    /// Whether the task is a draft that nobody reviewed.
    pub draft: bool,
    /// What should happen: says which rates the probe enters.
    pub expectation: Arc<Expectation>,
    /// What each step offers, for the families of invented names. Cheap to clone.
    pub offered: Vec<Offered>,
}

impl PlannedProbe {
    /// What a tally needs of a probe.
    #[must_use]
    pub fn of(probe: &Probe) -> Self {
        let question = &*probe.question;
        Self {
            id: question.id.clone(),
            question_hash: question.hash.clone(),
            sent_hash: probe.sent_hash.clone(),
            kind: question.kind.clone(),
            arm: question.arm.clone(),
            task: question.task.clone(),
            source: question.source.clone(),
            draft: question.draft,
            expectation: Arc::clone(&probe.expectation),
            offered: probe.offered.clone(),
        }
    }

    /// What a tally needs of a probe's line in a run record, with what its steps offer.
    #[must_use]
    pub fn of_line(line: &ProbeLine, offered: Vec<Offered>) -> Self {
        Self {
            id: line.id.clone(),
            question_hash: line.question_hash.clone(),
            sent_hash: line.sent_hash.clone(),
            kind: line.kind.clone(),
            arm: line.arm.clone(),
            task: line.task.clone(),
            source: line.source.clone(),
            draft: line.draft,
            expectation: Arc::new(line.expectation.clone()),
            offered,
        }
    }

    /// How the probe's trials enter a rate, if they do.
    ///
    /// A treatment arm enters no headline, whatever its expectation lists: it appears as a paired delta. It enters
    /// the other rates only where the expectation says that every arm counts.
    pub(super) fn entry(&self, metric: &Metric) -> Option<Entry> {
        let listed = |rates: &[RateName]| rates.contains(&metric.name).then_some(Entry::Planned);
        let beside = self.arm.is_none() || self.expectation.every_arm;
        match metric.entered_by {
            EnteredBy::EveryTrial => beside.then_some(Entry::Planned),
            EnteredBy::Headline if self.arm.is_none() => listed(&self.expectation.headline),
            EnteredBy::Side if beside => listed(&self.expectation.side),
            EnteredBy::Occasion if beside => listed(&self.expectation.side).or(Some(Entry::Occasion)),
            EnteredBy::Headline | EnteredBy::Side | EnteredBy::Occasion => None,
        }
    }

    /// Whether every planned trial of the probe enters a rate.
    #[must_use]
    pub fn enters(&self, name: RateName) -> bool {
        METRICS.iter().any(|metric| metric.name == name && self.entry(metric) == Some(Entry::Planned))
    }

    /// Whether everybody should pass the probe: the tool is offered, a call of it is right, and neither decoys
    /// nor values that are missing nor temptations to fill optional arguments stand in the way.
    pub(super) fn is_control(&self) -> bool {
        let expectation = &*self.expectation;
        expectation.offered
            && expectation.right == RightBehaviour::Call
            && expectation.decoys.is_empty()
            && expectation.missing.is_empty()
            && expectation.unlisted == Unlisted::Grounding
    }

    /// Whether the probe stands in the headline of a rate.
    pub(super) fn is_headline(&self, name: RateName) -> bool {
        self.arm.is_none() && self.expectation.headline.contains(&name)
    }
}

/// How a probe's trials enter a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// Every planned trial does.
    Planned,
    /// Those do in which the occasion arose.
    Occasion,
}

/// What one cell planned.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) cell: CellId,
    pub(super) repeats: u32,
    /// Whether unknown names cannot be seen at this endpoint.
    pub(super) names_hidden: bool,
    /// How the endpoint serves tools: under some arms it hides more.
    endpoint: EndpointProperties,
    pub(super) probes: Vec<PlannedProbe>,
    /// By probe: the rates that all its trials enter.
    pub(super) entered: Vec<Vec<RateName>>,
    /// By treatment arm: its base arm's place, where the plan has it.
    pub(super) base_arm: Vec<Option<usize>>,
    places: HashMap<ProbeId, usize>,
}

impl Plan {
    /// Takes the probes in the order of the suite. Of equal ids the first stands.
    pub(super) fn new(
        cell: CellId,
        planned: impl IntoIterator<Item = PlannedProbe>,
        repeats: u32,
        endpoint: EndpointProperties,
    ) -> Self {
        let mut probes: Vec<PlannedProbe> = Vec::new();
        let mut places = HashMap::new();
        for probe in planned {
            if !places.contains_key(&probe.id) {
                places.insert(probe.id.clone(), probes.len());
                probes.push(probe);
            }
        }
        let base_arm = probes.iter().map(|probe| places.get(&base_id(probe)?).copied()).collect();
        let names_hidden = endpoint.hides_names();
        let entered = probes.iter().map(entered_by_plan).collect();
        Self { cell, repeats, names_hidden, endpoint, probes, entered, base_arm, places }
    }

    /// Whether unknown names cannot be seen under an arm: at this endpoint at all, or since the arm constrains names
    /// there, so that its delta would be the endpoint's doing (DESIGN.md 3.7).
    pub(super) fn hides_names_under(&self, arm: &str) -> bool {
        let constrains = |part: &str| match part {
            "strict" => self.endpoint.strict_constrains_names == Known::Yes,
            "tool_choice" => self.endpoint.required_constrains_names == Known::Yes,
            _ => false,
        };
        self.names_hidden || arm.split('+').any(constrains)
    }

    /// Trials planned.
    pub(super) fn trials(&self) -> u64 {
        (self.probes.len() as u64).saturating_mul(u64::from(self.repeats))
    }

    /// Where a probe stands.
    pub(super) fn place(&self, probe: &ProbeId) -> Option<usize> {
        self.places.get(probe).copied()
    }
}

fn entered_by_plan(probe: &PlannedProbe) -> Vec<RateName> {
    let entered = METRICS.iter().filter(|metric| probe.entry(metric) == Some(Entry::Planned));
    entered.map(|metric| metric.name).collect()
}

/// The id of the base arm of the same task, kind and variant (`task.kind[.variant]` without `@arm`).
fn base_id(probe: &PlannedProbe) -> Option<ProbeId> {
    probe.arm.as_ref()?;
    let (base, _) = probe.id.as_str().rsplit_once('@')?;
    Some(ProbeId::new(base))
}
