//! Catalog files in our own form (`toolmirage: catalog/1`, EXAMPLES.md section 5).

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The format's name and version, first in every catalog file of our own form.
pub const CATALOG_FORMAT: &str = "catalog/1";

/// A catalog file in our own form: `tools`, or `sources` in their place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogFile {
    /// `catalog/1`: the format and its version.
    pub toolmirage: String,
    /// What reports call the catalog.
    pub name: String,
    /// Version, for people; the content hash says whether two are equal.
    pub version: u64,
    /// The tools, in the order in which they are offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<ToolEntry>>,
    /// Catalogs that make up this one, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<Vec<CatalogSource>>,
}

/// One tool in our own form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolEntry {
    /// Its name, as the model sees it.
    pub name: String,
    /// What it does, as the model sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON Schema of its arguments, sent as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<IndexMap<String, Value>>,
    /// Tools that belong together; default: its source, or the first word of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Date since when it is offered (`YYYY-MM-DD`). Kept; no figure of this build reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub since: Option<String>,
    /// Whether it only reads; default: by a list of verbs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// Whether it is on its way out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deprecated: bool,
}

/// One source of a catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogSource {
    /// A tool list of any known shape, by a path relative to the file that names it.
    pub file: String,
    /// How its tools are named: `{tool}` stands for the tool's own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"\{tool\}"))]
    pub name: Option<String>,
}
