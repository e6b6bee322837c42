//! What the harness's own tools answer, call by call (DESIGN.md 3.8).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use transcript::ToolName;

/// The rules of one probe, first match wins. A registered tool that no rule matches answers
/// `{"items": []}` when it reads and `{"status": "accepted"}` when it writes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Script(pub Vec<ScriptRule>);

/// One rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScriptRule {
    /// The tool.
    pub tool: ToolName,
    /// Which call of that tool within the trial, from 0; absent: every call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// Arguments that the call must have (each of these members equal; others do not matter).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
    /// What it answers.
    pub answer: StubAnswer,
}

/// What a stub answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StubAnswer {
    /// A result, as JSON.
    Returns(Value),
    /// A result, as the text that reaches the model byte for byte.
    Text(String),
    /// A failure, with the error that the model is given.
    Fails(String),
}
