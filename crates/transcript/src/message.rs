//! Messages of a conversation, in chat-completions form whatever the target speaks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CallId, MessageCall, ToolName};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The system prompt.
    #[serde(alias = "developer")]
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// Text; absent for a message of calls alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The calls of an assistant message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<MessageCall>,
    /// The call that a tool message answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<CallId>,
    /// The tool that a tool message comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<ToolName>,
    /// Whether a tool message is an error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

impl Message {
    fn plain(role: Role, content: &str) -> Self {
        Self {
            role,
            content: Some(content.to_owned()),
            tool_calls: Vec::new(),
            tool_call_id: None,
            name: None,
            is_error: false,
        }
    }

    /// A system message.
    #[must_use]
    pub fn system(content: &str) -> Self {
        Self::plain(Role::System, content)
    }

    /// A user message.
    #[must_use]
    pub fn user(content: &str) -> Self {
        Self::plain(Role::User, content)
    }

    /// An assistant message of text alone.
    #[must_use]
    pub fn assistant(content: &str) -> Self {
        Self::plain(Role::Assistant, content)
    }

    /// The text; empty where there is none.
    #[must_use]
    pub fn text(&self) -> &str {
        self.content.as_deref().unwrap_or_default()
    }
}
