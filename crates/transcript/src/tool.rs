//! Tools as catalogs hold them.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::RawJson;

/// The name of a tool, byte for byte as it is offered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ToolName(#[schemars(with = "String")] Arc<str>);

impl ToolName {
    /// Takes a name as it stands.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<&str> for ToolName {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// One callable: what a request offers to the model, and what we know about it beside that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Name as offered, after a source's name template.
    pub name: ToolName,
    /// Description, a JSON string as its file wrote it (escapes kept). Absent stays absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<RawJson>,
    /// JSON Schema of the arguments as its file wrote it. Absent stays absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<RawJson>,
    /// `strict` as its file asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// Whether it only reads: our own key, or MCP's `readOnlyHint`. Absent: nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// Whether the catalog marks it as deprecated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deprecated: bool,
    /// Family as written; see `Tool::family`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Date since when it is offered (`YYYY-MM-DD`). Kept; no figure of this build reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The source it came from, where a catalog has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Members that its file has and no request of another dialect carries (`annotations`, `outputSchema`,
    /// `_meta`, `title`, ...), in file order.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub extras: IndexMap<String, RawJson>,
    /// The whole entry as a provider's own tool list wrote it: sent as it stands where the target speaks that
    /// form. None where the name was changed, or the form is ours or MCP's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<ToolOriginal>,
}

/// A tool entry in the shape of one provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolOriginal {
    /// Whose shape it is.
    pub form: ToolForm,
    /// The entry.
    pub json: RawJson,
}

/// The shapes in which providers take tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolForm {
    /// `{"type":"function","function":{...}}` (chat completions).
    OpenaiNested,
    /// `{"type":"function","name":...}` (Responses), or the namespace around it.
    OpenaiFlat,
    /// `{"name","description","input_schema"}`.
    Anthropic,
    /// One entry of `functionDeclarations`.
    Gemini,
}

impl Tool {
    /// A tool with nothing but a name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            name: ToolName::new(name),
            description: None,
            input_schema: None,
            strict: None,
            read_only: None,
            deprecated: false,
            family: None,
            since: None,
            source: None,
            extras: IndexMap::new(),
            original: None,
        }
    }

    /// The decoded description; empty where there is none.
    #[must_use]
    pub fn description_text(&self) -> String {
        self.description.as_ref().and_then(RawJson::to_text).unwrap_or_default()
    }

    /// The namespace that it is offered in, where the list that it comes from has one around it.
    #[must_use]
    pub fn namespace(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Entry {
            #[serde(rename = "type")]
            kind: String,
            name: String,
        }
        let original = self.original.as_ref().filter(|original| original.form == ToolForm::OpenaiFlat)?;
        let entry: Entry = serde_json::from_str(original.json.as_str()).ok()?;
        (entry.kind == "namespace").then_some(entry.name)
    }

    /// The family it belongs to: as written, else its source, else the first word of its name
    /// (EXAMPLES.md section 5).
    #[must_use]
    pub fn family(&self) -> &str {
        if let Some(family) = &self.family {
            return family;
        }
        if let Some(source) = &self.source {
            return source;
        }
        first_word(self.name.as_str())
    }
}

/// The first word of a name in snake, kebab, dotted or camel case.
fn first_word(name: &str) -> &str {
    let mut previous_lower = false;
    for (at, character) in name.char_indices() {
        let boundary = !character.is_alphanumeric() || (previous_lower && character.is_uppercase());
        if boundary && at > 0 {
            return &name[..at];
        }
        previous_lower = character.is_lowercase();
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn family_falls_back_to_source_then_to_the_first_word() {
        let mut tool = Tool::named("billing_create_refund");
        assert_eq!(tool.family(), "billing");
        tool.source = Some("tickets".into());
        assert_eq!(tool.family(), "tickets");
        tool.family = Some("refunds".into());
        assert_eq!(tool.family(), "refunds");
        assert_eq!(Tool::named("createInvoice").family(), "create");
        assert_eq!(Tool::named("ping").family(), "ping");
    }
}
