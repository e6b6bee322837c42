//! What was run: suite, catalogs, prompts, targets, and the cells that they make.

use indexmap::IndexMap;
use schemars::JsonSchema;
use scorer::Scorecard;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use transcript::{
    Cell, CellId, EndpointProperties, Fingerprint, Header, ServingCheck, Side, Stale, StrictnessCell,
    StrictnessState, SuiteRecord, TargetId, ToolName,
};

use super::Excerpt;

/// Characters of a prompt that the report carries.
const PROMPT_LIMIT: usize = 8_000;

/// What was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Identity {
    /// The run's name.
    pub run: String,
    /// Version of the program that recorded it.
    pub toolmirage: String,
    /// Versions of the scoring rules; more than one must not be compared.
    pub scorers: Vec<String>,
    /// The suite.
    pub suite: SuiteRecord,
    /// The profile.
    pub profile: Option<String>,
    /// Distinct probes.
    pub probes: u64,
    /// Distinct tasks.
    pub tasks: u64,
    /// Probes whose task is a draft that nobody reviewed.
    pub drafts: u64,
    /// Repeats of each probe in each cell.
    pub repeats: u32,
    /// Whether probes x repeats x cells is the number of planned trials.
    pub even: bool,
    /// Seed of the suite and of the order of the run.
    pub seed: u64,
    /// Most turns of a trial.
    pub max_turns: u32,
    /// Questions that gave no probe in a cell, with the reason.
    pub stale: Vec<Stale>,
    /// Catalogs by content hash.
    pub catalogs: IndexMap<Fingerprint, CatalogIdentity>,
    /// Prompts by content hash.
    pub prompts: IndexMap<Fingerprint, PromptIdentity>,
    /// Targets.
    pub targets: IndexMap<TargetId, TargetIdentity>,
    /// Cells, in the order of the run.
    pub cells: Vec<CellIdentity>,
}

/// One catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CatalogIdentity {
    /// `name/version`.
    pub label: String,
    /// Its tools, in the order in which they are offered.
    pub tools: Vec<ToolName>,
}

/// One prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptIdentity {
    /// Its name.
    pub label: String,
    /// Its text as rendered.
    pub text: Excerpt,
}

/// One target as it was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetIdentity {
    /// Name of the wire format, or `sim`.
    pub provider: String,
    /// Model asked for; for `sim` its profile.
    pub model: String,
    /// Base URL, without credentials.
    pub base_url: Option<String>,
    /// Model settings that the requests carry. What is not here was not asked for.
    pub settings: IndexMap<String, Value>,
    /// Whether it is a simulated model.
    pub simulated: bool,
    /// The gateway that requests went through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gateway: Option<String>,
    /// What its tokens cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<transcript::Price>,
    /// How the endpoint serves tools, as far as it is known.
    pub endpoint: EndpointProperties,
    /// The check that says so, where one was made. Its requests are counted apart from those of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serving: Option<Box<ServingCheck>>,
}

/// One cell by what makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CellIdentity {
    /// Its id in the record.
    pub id: CellId,
    /// What tells it from the other cells, and at least prompt and model, joined by a space.
    pub label: String,
    /// The same in parts, equally many in every cell.
    pub parts: Vec<String>,
    /// The prompt.
    pub prompt: Option<Fingerprint>,
    /// The catalog.
    pub catalog: Fingerprint,
    /// The target.
    pub target: TargetId,
    /// The side of a comparison made in one run.
    pub side: Side,
    /// The git ref of its prompt and catalog, where not the work tree.
    #[serde(rename = "ref")]
    pub git_ref: Option<String>,
    /// Whether its target is simulated.
    pub simulated: bool,
}

impl Identity {
    pub(super) fn of(header: &Header, scorecards: &[Scorecard]) -> Self {
        let (probes, tasks, drafts) = distinct(scorecards);
        let product = probes * u64::from(header.repeats) * header.cells.len() as u64;
        let planned: u64 = scorecards.iter().map(|card| card.planned).sum();
        let mut scorers: Vec<String> = scorecards.iter().map(|card| card.scorer.clone()).collect();
        scorers.sort_unstable();
        scorers.dedup();
        Self {
            run: header.run.clone(),
            toolmirage: header.toolmirage.clone(),
            scorers,
            suite: header.suite.clone(),
            profile: header.profile.clone(),
            probes,
            tasks,
            drafts,
            repeats: header.repeats,
            even: product == planned,
            seed: header.seed,
            max_turns: header.max_turns,
            stale: header.stale.clone(),
            catalogs: catalogs(header),
            prompts: prompts(header),
            targets: targets(header),
            cells: cells(header),
        }
    }

    /// A cell's identity.
    pub(crate) fn cell(&self, id: &CellId) -> Option<&CellIdentity> {
        self.cells.iter().find(|cell| cell.id == *id)
    }

    /// What the endpoint of a cell makes of the strict schemas, tool choice and parallel calls that an arm asks for;
    /// none where the arm asks for none of them, or nobody looked.
    pub(crate) fn strictness(&self, cell: &CellId, arm: &str) -> Option<&StrictnessCell> {
        let serving = self.targets.get(&self.cell(cell)?.target)?.serving.as_ref()?;
        serving.strictness.iter().find(|known| known.arm == arm)
    }

    /// The arms that the endpoint of a cell refuses.
    pub(crate) fn refused_arms(&self, cell: &CellId) -> impl Iterator<Item = &StrictnessCell> {
        let target = self.cell(cell).and_then(|cell| self.targets.get(&cell.target));
        let cells = target.and_then(|target| target.serving.as_ref()).map(|check| &check.strictness);
        cells.into_iter().flatten().filter(|cell| cell.state == StrictnessState::Refused)
    }

    /// A cell's label; its id where the header does not list it.
    pub(crate) fn label(&self, id: &CellId) -> String {
        self.cell(id).map_or_else(|| id.to_string(), |cell| cell.label.clone())
    }
}

/// Distinct probes, tasks and probes on drafts.
fn distinct(scorecards: &[Scorecard]) -> (u64, u64, u64) {
    let mut probes = std::collections::HashMap::new();
    let mut tasks = std::collections::HashSet::new();
    for probe in scorecards.iter().flat_map(|card| card.probes.iter()) {
        probes.insert(&probe.id, probe.draft);
        tasks.insert(probe.task.as_str());
    }
    let drafts = probes.values().filter(|&&draft| draft).count();
    (probes.len() as u64, tasks.len() as u64, drafts as u64)
}

fn catalogs(header: &Header) -> IndexMap<Fingerprint, CatalogIdentity> {
    let catalog = |record: &transcript::CatalogRecord| CatalogIdentity {
        label: record.label.clone(),
        tools: record.tools.iter().map(|tool| tool.name.clone()).collect(),
    };
    header.catalogs.iter().map(|(hash, record)| (hash.clone(), catalog(record))).collect()
}

fn prompts(header: &Header) -> IndexMap<Fingerprint, PromptIdentity> {
    let prompt = |record: &transcript::PromptRecord| PromptIdentity {
        label: record.label.clone(),
        text: Excerpt::of(&record.text, PROMPT_LIMIT),
    };
    header.prompts.iter().map(|(hash, record)| (hash.clone(), prompt(record))).collect()
}

fn targets(header: &Header) -> IndexMap<TargetId, TargetIdentity> {
    let target = |record: &transcript::TargetRecord| TargetIdentity {
        provider: record.provider.clone(),
        model: record.model.clone(),
        base_url: record.base_url.clone(),
        settings: record
            .settings
            .iter()
            // What `Value` cannot hold is kept as its text.
            .map(|(key, raw)| {
                (key.clone(), raw.to_value().unwrap_or_else(|| Value::String(raw.as_str().to_owned())))
            })
            .collect(),
        simulated: record.simulated,
        gateway: record.gateway.as_ref().map(|gateway| gateway.name.clone()),
        price: record.price.clone(),
        endpoint: record.endpoint,
        serving: record.serving.clone(),
    };
    header.targets.iter().map(|(id, record)| (id.clone(), target(record))).collect()
}

fn cells(header: &Header) -> Vec<CellIdentity> {
    let parts = Parts::of(header);
    header
        .cells
        .iter()
        .map(|cell| {
            let parts = parts.name(header, cell);
            CellIdentity {
                id: cell.id.clone(),
                label: parts.join(" "),
                parts,
                prompt: cell.prompt.clone(),
                catalog: cell.catalog.clone(),
                target: cell.target.clone(),
                side: cell.side,
                git_ref: cell.git_ref.clone(),
                simulated: header.targets.get(&cell.target).is_some_and(|target| target.simulated),
            }
        })
        .collect()
}

/// Which coordinates name a cell: prompt and model always, the others where cells differ in them.
struct Parts {
    catalog: bool,
    target: bool,
    side: bool,
}

impl Parts {
    fn of(header: &Header) -> Self {
        let mut first: IndexMap<&str, &TargetId> = IndexMap::new();
        let mut same_model_twice = false;
        for cell in &header.cells {
            if let Some(target) = header.targets.get(&cell.target) {
                same_model_twice |= *first.entry(&target.model).or_insert(&cell.target) != &cell.target;
            }
        }
        let differ = |of: fn(&Cell) -> String| {
            let mut all: Vec<String> = header.cells.iter().map(of).collect();
            all.sort_unstable();
            all.dedup();
            all.len() > 1
        };
        Self {
            catalog: differ(|cell| cell.catalog.to_string()),
            target: same_model_twice,
            side: differ(side_words),
        }
    }

    fn name(&self, header: &Header, cell: &Cell) -> Vec<String> {
        let prompt = cell.prompt.as_ref().and_then(|hash| header.prompts.get(hash));
        let mut parts = vec![prompt.map_or("no prompt", |prompt| &prompt.label).to_owned()];
        let target = header.targets.get(&cell.target);
        parts.push(target.map_or_else(|| cell.target.to_string(), |target| target.model.clone()));
        if self.target {
            parts.push(cell.target.to_string());
        }
        if self.catalog {
            let catalog = header.catalogs.get(&cell.catalog);
            parts.push(catalog.map_or_else(|| cell.catalog.short().to_owned(), |c| c.label.clone()));
        }
        if self.side {
            parts.push(side_words(cell));
        }
        parts
    }
}

fn side_words(cell: &Cell) -> String {
    let side = match cell.side {
        Side::Baseline => "baseline",
        Side::Candidate => "candidate",
    };
    match &cell.git_ref {
        Some(git_ref) => format!("{side} {git_ref}"),
        None => side.to_owned(),
    }
}
