//! Catalogs: a versioned, ordered set of tools, and what a probe changes in it.

mod around;
mod difference;
mod edits;
mod filler;
mod ladder;
mod load;
mod openapi;
mod placed;
mod schema_check;
mod shape;
mod sources;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::{Fingerprint, RawJson, Tool, ToolName, ToolOriginal};

pub use around::check_filler;
pub use difference::{CatalogDifference, ChangedTool, OrderChange, Renamed};
pub(crate) use filler::FILLER;
pub(crate) use ladder::Fillings;
pub use ladder::{Ladder, NeighbourPlace};
pub use placed::{PlacedCatalog, PlacedTool};

/// An ordered set of tools with distinct names.
#[derive(Debug, Clone)]
pub struct Catalog {
    label: String,
    hash: Fingerprint,
    tools: Vec<Arc<Tool>>,
    notes: Vec<String>,
}

impl Catalog {
    /// Makes a catalog of tools with distinct names; `label` is `name/version`.
    ///
    /// # Errors
    /// The first name that stands twice.
    pub fn new(label: &str, tools: Vec<Arc<Tool>>) -> Result<Self, ToolName> {
        let mut seen = std::collections::HashSet::new();
        for tool in &tools {
            if !seen.insert(tool.name.as_str()) {
                return Err(tool.name.clone());
            }
        }
        let hash = hash_as_sent(&tools);
        Ok(Self { label: label.to_owned(), hash, tools, notes: Vec::new() })
    }

    /// `name/version`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Hash of the tools as sent, order kept.
    #[must_use]
    pub fn hash(&self) -> &Fingerprint {
        &self.hash
    }

    /// What its reader should know: what of its file could not be taken over as it stands there.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The tools, in the order in which they are offered.
    #[must_use]
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    /// A tool by name, byte for byte.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.iter().find(|tool| tool.name.as_str() == name)
    }
}

/// The hash of tools as they are sent: name, description and schema, in order, and a provider's own entry, which
/// is sent whole where the target speaks its form. What no request carries (family, annotations) does not enter.
pub(crate) fn hash_as_sent(tools: &[Arc<Tool>]) -> Fingerprint {
    #[derive(Serialize)]
    struct Sent<'a> {
        name: &'a ToolName,
        description: &'a Option<RawJson>,
        input_schema: &'a Option<RawJson>,
        strict: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        original: &'a Option<ToolOriginal>,
    }
    let sent: Vec<Sent<'_>> = tools
        .iter()
        .map(|tool| Sent {
            name: &tool.name,
            description: &tool.description,
            input_schema: &tool.input_schema,
            strict: tool.strict,
            original: &tool.original,
        })
        .collect();
    Fingerprint::of_json(&sent)
}

/// The tools that one step of a probe offers, in order, with a lookup by name.
#[derive(Debug, Clone)]
pub struct Offered {
    tools: Arc<[Arc<Tool>]>,
    /// Made at the first lookup: a suite of many tasks makes thousands of lists, most of which are only hashed.
    by_name: Arc<OnceLock<HashMap<ToolName, usize>>>,
}

impl Offered {
    /// Takes tools in the order in which they are offered. Of equal names the first is found.
    #[must_use]
    pub fn new(tools: Vec<Arc<Tool>>) -> Self {
        Self { tools: tools.into(), by_name: Arc::new(OnceLock::new()) }
    }

    /// The tools, in order.
    #[must_use]
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    /// A tool by name, byte for byte.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Tool>> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name = HashMap::with_capacity(self.tools.len());
            for (at, tool) in self.tools.iter().enumerate() {
                by_name.entry(tool.name.clone()).or_insert(at);
            }
            by_name
        });
        by_name.get(name).and_then(|&at| self.tools.get(at))
    }
}

/// What a probe changes in its cell's catalog. Nothing in it is read from a catalog, so it is part of the
/// question (DESIGN.md section 2). The changes apply in the order of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct CatalogEdits {
    /// Offers nothing at all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nothing: bool,
    /// Offers only these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<ToolName>>,
    /// Leaves these out; one that the catalog does not have is left out already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<ToolName>,
    /// Offers one rung of a ladder of sizes, made of what is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<Ladder>,
    /// Changes tools in place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patches: Vec<ToolPatch>,
    /// Adds tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<AddedTool>,
    /// Replaces what is left by words that say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neutral: Option<Neutral>,
}

/// What of a catalog's words is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Neutral {
    /// The tools' names.
    Names,
    /// Their descriptions.
    Descriptions,
}

/// A change to one tool.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ToolPatch {
    /// Which.
    pub tool: ToolName,
    /// Argument that is taken out of its schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove_argument: Option<String>,
    /// Description in place of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `strict` in place of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}

/// A tool that a probe adds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct AddedTool {
    /// Its name.
    pub name: ToolName,
    /// Its description.
    pub description: String,
    /// Copies the schema of this tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_of: Option<ToolName>,
    /// Its own schema, where it copies none; neither: an object without properties.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<RawJson>,
    /// Where it stands.
    pub place: Place,
}

/// Where an added tool stands. Position is part of the probe (DESIGN.md 3.8).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Before all others.
    First,
    /// After all others.
    Last,
    /// Right before this one.
    Before(ToolName),
    /// Right after this one.
    After(ToolName),
}
