//! Tool calls: as a model emitted them, and as a conversation's messages carry them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{RawJson, ToolName};

/// The id that ties a result to its call, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct CallId(pub String);

impl fmt::Display for CallId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A call that the model emitted in the provider's own call field. Nothing is defaulted or repaired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// Absent where the body has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<CallId>,
    /// Name as it arrived.
    pub name: EmittedName,
    /// Namespace beside the name, where the format has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Arguments as they arrived.
    pub arguments: Arguments,
}

/// A call's name as it arrived. The three ways of having none are three different faults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmittedName {
    /// The key is not there.
    Missing,
    /// The key holds `null`.
    Null,
    /// A string, empty or not, untouched.
    Text(String),
    /// Some other JSON value.
    Other(RawJson),
}

impl EmittedName {
    /// The name for comparing with a catalog: `""` where there is none.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(name) => name,
            Self::Missing | Self::Null | Self::Other(_) => "",
        }
    }
}

/// Arguments as they arrived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arguments {
    /// The key is not there.
    Missing,
    /// The format carries arguments as a string: that string, whatever it holds.
    Text(String),
    /// The body carries a JSON value in place: an object as a rule, but also `null` or anything else.
    Json(RawJson),
}

impl Arguments {
    /// The text that should be a JSON object; empty where nothing arrived.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Missing => "",
            Self::Text(text) => text,
            Self::Json(raw) => raw.as_str(),
        }
    }
}

/// A call inside a message, in chat-completions form (`{"id","type":"function","function":{...}}`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "wire::Call", into = "wire::Call")]
#[schemars(with = "wire::Call")]
pub struct MessageCall {
    /// Call id.
    pub id: CallId,
    /// Name, as it was emitted.
    pub name: ToolName,
    /// Arguments, a JSON text as a rule.
    pub arguments: String,
}

mod wire {
    //! The nested form in which messages carry calls.
    use super::{CallId, MessageCall, ToolName};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize, Clone, JsonSchema)]
    pub(super) struct Call {
        id: CallId,
        #[serde(rename = "type", default = "function")]
        kind: String,
        function: Function,
    }

    #[derive(Serialize, Deserialize, Clone, JsonSchema)]
    struct Function {
        name: ToolName,
        arguments: String,
    }

    fn function() -> String {
        "function".to_owned()
    }

    impl From<Call> for MessageCall {
        fn from(call: Call) -> Self {
            Self { id: call.id, name: call.function.name, arguments: call.function.arguments }
        }
    }

    impl From<MessageCall> for Call {
        fn from(call: MessageCall) -> Self {
            Self {
                id: call.id,
                kind: function(),
                function: Function { name: call.name, arguments: call.arguments },
            }
        }
    }
}

/// What a call was answered with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    /// The id of the call; absent where the call had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// The call's name as emitted.
    pub name: ToolName,
    /// The text that the model was given.
    pub content: String,
    /// Whether it was given as an error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}
