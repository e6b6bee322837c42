//! What tests of single kinds share: one task in a small suite, and a small catalog.

use std::sync::Arc;

use transcript::{RawJson, Tool};

use crate::kind::{Kind, KindSettings, Recipe};
use crate::{Catalog, Expansion, Suite, derive_questions, expand};

/// A tool's schema with two required arguments and an optional one.
const SCHEMA: &str = r#"{"type":"object","properties":{"parcel":{"type":"string"},"speed":{"enum":["slow","fast"]},"clerk":{"type":"string"},"note":{"type":"string"}},"required":["parcel","clerk"]}"#;

/// A task that wants a reading tool, as text of a flow map without its braces.
pub(super) const READS: &str = "id: t, user: Find parcel PX-9 slowly., tool: get_parcel, arguments: { parcel: PX-9, speed: slow, clerk: { principal: user } }";

/// A task that wants a writing tool.
pub(super) const WRITES: &str = "id: t, user: Ship parcel PX-9 slowly., tool: ship_parcel, arguments: { parcel: PX-9, speed: slow, clerk: { principal: user } }, substitutes: [send_crate]";

/// A task that wants a tool which never existed.
pub(super) const ABSENT: &str = "id: t, user: Recall parcel PX-9., absent_tool: recall_parcel";

/// A task that wants none.
pub(super) const NONE: &str = "id: t, user: What is a parcel?, tool: none";

fn suite(kind: &Kind, task: &str) -> Suite {
    let text = format!(
        "{{toolmirage: suite/1, name: s, version: 1, seed: 3, catalog: c, principal: {{ user: m_1 }}, kinds: [{}], tasks: [{{ {task} }}]}}",
        kind.name
    );
    serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What a kind makes of a task.
pub(super) fn recipes(kind: &Kind, task: &str) -> Result<Vec<Recipe>, String> {
    let suite = suite(kind, task);
    (kind.derive)(&suite.tasks[0], &KindSettings::of(&suite))
}

/// Why a kind makes nothing of a task.
pub(super) fn none(kind: &Kind, task: &str) -> String {
    recipes(kind, task).unwrap_err()
}

/// The probes of a task on a catalog of these tools, all with one schema.
pub(super) fn expanded(kind: &Kind, task: &str, tools: &[&str]) -> Expansion {
    let tool = |name: &&str| {
        let mut tool = Tool::named(name);
        tool.family = name.split('_').next_back().map(str::to_owned);
        tool.input_schema = Some(RawJson::parse(SCHEMA).unwrap());
        Arc::new(tool)
    };
    let catalog = Catalog::new("c/1", tools.iter().map(tool).collect()).unwrap();
    expand(&derive_questions(&suite(kind, task)), &Arc::new(catalog), None)
}

/// A catalog in which the writing and the reading task's tools are, with others.
pub(super) const DEPOT: [&str; 6] =
    ["ship_parcel", "get_parcel", "drop_parcel", "send_crate", "list_parcels", "get_rates"];

/// Why a task's questions are stale on a catalog.
pub(super) fn stale(kind: &Kind, task: &str, tools: &[&str]) -> Vec<String> {
    expanded(kind, task, tools).stale.into_iter().map(|(_, reason)| reason).collect()
}

/// The names that a step of the first probe offers.
pub(super) fn offered(expansion: &Expansion, step: usize) -> Vec<String> {
    expansion.probes[0].offered[step].tools().iter().map(|tool| tool.name.to_string()).collect()
}
