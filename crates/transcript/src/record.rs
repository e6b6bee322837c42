//! The lines of a run record (`run.jsonl`): what was planned, the probes, the trials as they end, a footer.
//!
//! Lines are externally tagged (`{"trial": {...}}`): raw JSON survives no other tagging (DESIGN.md section 5).

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    EndpointProperties, Fingerprint, GatewayRecord, Price, ProbeId, RawJson, ServedAt, ServingCheck,
    ShareRecord, Tool, Trial, TrialStatus,
};

/// The format's name and version, first in every header.
pub const RECORD_FORMAT: &str = "toolmirage-run/1";

/// One line of a record. `P` is the probe line's type, which belongs to the crate that makes probes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordLine<P> {
    /// What was planned. Always the first line.
    Header(Box<Header>),
    /// A probe that trials refer to.
    Probe(Box<P>),
    /// A trial that ended.
    Trial(Box<Trial>),
    /// The run was taken up again here.
    Resumed(Resumed),
    /// The run is complete. Without it a record is unfinished, and every reader says so.
    Footer(Footer),
}

/// What was planned: enough to score the record with nothing else at hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// `RECORD_FORMAT`.
    pub format: String,
    /// Version of the program that wrote it.
    pub toolmirage: String,
    /// The run's name; the folder below `reports/` bears it.
    #[serde(default)]
    pub run: String,
    /// The suite.
    pub suite: SuiteRecord,
    /// Catalogs by content hash, each once.
    pub catalogs: IndexMap<Fingerprint, CatalogRecord>,
    /// Prompts by content hash, each once, as rendered.
    pub prompts: IndexMap<Fingerprint, PromptRecord>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The targets that cells name.
    pub targets: IndexMap<TargetId, TargetRecord>,
    /// Repeats of each probe in each cell.
    pub repeats: u32,
    /// The seed of the suite, and of the order of the run.
    pub seed: u64,
    /// Most turns of a trial.
    #[serde(default = "default_max_turns")]
    pub max_turns: u32,
    /// Trials planned: probes x repeats, summed over cells.
    #[serde(default)]
    pub planned: u64,
    /// Questions that gave no probe in a cell, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<Stale>,
    /// The profile that was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// What the baseline's cells were taken from, where the run has two sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<GitRef>,
    /// Further trials of each changed probe on each side, for reading alone: their repeats are numbered from
    /// `repeats` on, and they are no part of `planned`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub confirm: u32,
    /// What was taken out of this record before it was written, tokens such as `<email:1>` in its place: `email`,
    /// `phone`, `iban`, and `private` for each pattern of the user's own, which may itself be what nobody shall read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redact: Vec<String>,
}

/// A state of the repository that prompts and catalogs were taken from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GitRef {
    /// As the user named it.
    pub name: String,
    /// The commit that it was.
    pub commit: String,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn default_max_turns() -> u32 {
    6
}

/// A question that gave no probe in one cell. On another catalog it may give one, or be stale for another reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stale {
    /// The cell.
    pub cell: CellId,
    /// The question.
    pub probe: ProbeId,
    /// Why.
    pub reason: String,
}

/// Which suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuiteRecord {
    /// Name.
    pub name: String,
    /// Version, as written.
    pub version: u64,
    /// Hash over ids and question hashes.
    pub hash: Fingerprint,
}

/// One catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CatalogRecord {
    /// `name/version`.
    pub label: String,
    /// The tools, in the order in which they are offered.
    pub tools: Vec<Tool>,
}

/// One prompt, as rendered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptRecord {
    /// Its name.
    pub label: String,
    /// Its text.
    pub text: String,
    /// Its file, as it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A cell's id within its record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct CellId(#[schemars(with = "String")] pub Arc<str>);

impl fmt::Display for CellId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A target's id within its record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TargetId(#[schemars(with = "String")] pub Arc<str>);

impl fmt::Display for TargetId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Suite x prompt version x catalog version x target: the unit that has rates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// Id within the record.
    pub id: CellId,
    /// The prompt; none where the suite has none.
    pub prompt: Option<Fingerprint>,
    /// The catalog.
    pub catalog: Fingerprint,
    /// The target.
    pub target: TargetId,
    /// Which side of a comparison made in one run it is.
    pub side: Side,
    /// The git ref that its prompt and catalog came from, where not the work tree.
    #[serde(rename = "ref")]
    pub git_ref: Option<String>,
}

/// A side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// What is there already.
    Baseline,
    /// What is being measured.
    Candidate,
}

/// A target as it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TargetRecord {
    /// Name of the wire format, or `sim`.
    pub provider: String,
    /// Model asked for; for `sim` its profile.
    pub model: String,
    /// Base URL without credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Name of the environment variable that holds the key. The key itself is written nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// The region that requests are signed for, where the target names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Headers that the requests carry; none of them is a secret.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    /// Headers whose values are in environment variables of these names.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers_env: IndexMap<String, String>,
    /// Model settings and extra body fields that the requests carry. None is ever defaulted.
    pub settings: IndexMap<String, RawJson>,
    /// Whether it is a simulated model: its rates are never a measurement.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    /// The gateway that requests go through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gateway: Option<GatewayRecord>,
    /// Where an answer names the model that gave it, and under which names it may, without a gateway.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<ServedAt>,
    /// Our share of requests and tokens a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<ShareRecord>,
    /// What its tokens cost, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// How the endpoint serves tools.
    #[serde(default)]
    pub endpoint: EndpointProperties,
    /// The check that says so, where one was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serving: Option<Box<ServingCheck>>,
}

/// A run taken up again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resumed {
    /// When, RFC 3339.
    pub at: String,
    /// Trials that the record already held.
    pub done: u64,
    /// Version of the program that took it up.
    pub toolmirage: String,
}

/// The end of a complete run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Footer {
    /// When, RFC 3339.
    pub finished: String,
    /// Start of the first and end of the last trial, RFC 3339.
    pub window: (String, String),
    /// Trials planned.
    pub planned: u64,
    /// Trials by status.
    #[schemars(with = "std::collections::BTreeMap<String, u64>")]
    pub statuses: IndexMap<TrialStatus, u64>,
}
