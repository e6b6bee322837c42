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

/// One source of a catalog: a file, or a live MCP server whose tools are pinned in one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogSource {
    /// A tool list of any known shape, by a path relative to the file that names it. With `mcp`: where the server's
    /// tools are pinned [default: catalogs/NAME.mcp.json].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Name of an MCP server. Its tools are read from their pinned file; `catalog pull` asks the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp: Option<String>,
    /// Command that starts the server, which is talked to over standard input and output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Address of the server's streamable HTTP endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Headers whose values are in environment variables of these names.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers_env: IndexMap<String, String>,
    /// Command that prints a token, sent as `Authorization: Bearer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_command: Option<String>,
    /// How its tools are named: `{tool}` stands for the tool's own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"\{tool\}"))]
    pub name: Option<String>,
}

impl CatalogSource {
    /// The file that its tools are read from, relative to the file that names the source.
    #[must_use]
    pub fn path(&self) -> String {
        match (&self.file, &self.mcp) {
            (Some(file), _) => file.clone(),
            (None, Some(server)) => format!("catalogs/{server}.mcp.json"),
            (None, None) => String::new(),
        }
    }

    /// What is wrong with its keys, where something is.
    pub(crate) fn mistake(&self) -> Option<&'static str> {
        let is_file_name = |name: &str| {
            let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ' ' | '@');
            !name.is_empty() && !name.starts_with('.') && name.chars().all(plain)
        };
        if self.mcp.as_deref().is_some_and(|name| !is_file_name(name)) {
            return Some("the name of an `mcp` server names its file too: letters, digits, `.`, `_` and `-`");
        }
        match (&self.mcp, self.file.is_some(), self.command.is_some(), self.url.is_some()) {
            (None, false, false, false) => {
                Some("a source has a `file`, or an `mcp` server with its `command` or `url`")
            }
            (None, _, true, _) | (None, _, _, true) => {
                Some("`command` and `url` are those of a server: give it a name with `mcp`")
            }
            (Some(_), _, true, true) => Some("a server has a `command` or a `url`, not both"),
            _ => None,
        }
    }
}
