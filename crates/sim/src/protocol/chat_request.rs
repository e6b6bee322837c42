//! Putting a request together in the form of chat completions.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::to_text;
use crate::request::Refused;

/// A request under way.
#[derive(Default)]
pub(super) struct ChatRequest {
    messages: Vec<String>,
    tools: Vec<String>,
    forbids_calls: bool,
    parallel: Option<bool>,
    /// Ids of the calls so far.
    calls: HashSet<String>,
}

/// A call of the history.
pub(super) struct PastCall {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) arguments: String,
}

/// A tool's parts, wherever a protocol has them. Description and schema stay as they were written.
#[derive(Debug, Deserialize)]
pub(super) struct ToolParts<'a> {
    #[serde(borrow)]
    pub(super) name: std::borrow::Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) description: Option<&'a RawValue>,
    #[serde(borrow, default, alias = "input_schema", alias = "parametersJsonSchema")]
    pub(super) parameters: Option<&'a RawValue>,
}

impl ChatRequest {
    /// A message of text.
    pub(super) fn say(&mut self, role: &str, text: &str) {
        self.messages.push(format!(r#"{{"role":"{role}","content":{}}}"#, to_text(&text)));
    }

    /// The model's own turn.
    pub(super) fn model(&mut self, text: Option<&str>, calls: &[PastCall]) {
        let mut message = format!(r#"{{"role":"assistant","content":{}"#, to_text(&text));
        let calls: Vec<String> = calls
            .iter()
            .map(|call| {
                let id = call.id.clone().unwrap_or_default();
                let text = format!(
                    r#"{{"id":{},"type":"function","function":{{"name":{},"arguments":{}}}}}"#,
                    to_text(&id),
                    to_text(&call.name),
                    to_text(&call.arguments)
                );
                self.calls.insert(id);
                text
            })
            .collect();
        if !calls.is_empty() {
            message.push_str(&format!(r#","tool_calls":[{}]"#, calls.join(",")));
        }
        message.push('}');
        self.messages.push(message);
    }

    /// What a tool returned, to a call that the history has.
    pub(super) fn result(&mut self, id: &str, text: &str) -> Result<(), Refused> {
        if !self.calls.contains(id) {
            return Err(Refused(format!("a tool result for `{id}`, and no call of that id before it")));
        }
        self.unpaired_result(id, text);
        Ok(())
    }

    /// What a tool returned, where the protocol does not say to which call.
    pub(super) fn unpaired_result(&mut self, id: &str, text: &str) {
        let (content, id) = (to_text(&text), to_text(&id));
        self.messages.push(format!(r#"{{"role":"tool","content":{content},"tool_call_id":{id}}}"#));
    }

    pub(super) fn tool(&mut self, tool: &ToolParts<'_>) {
        let mut text = format!(r#"{{"type":"function","function":{{"name":{}"#, to_text(&tool.name.as_ref()));
        for (key, value) in [("description", tool.description), ("parameters", tool.parameters)] {
            if let Some(value) = value {
                text.push_str(&format!(r#","{key}":{}"#, value.get()));
            }
        }
        text.push_str("}}");
        self.tools.push(text);
    }

    /// No call may be made.
    pub(super) fn forbid_calls(&mut self) {
        self.forbids_calls = true;
    }

    /// Whether several calls may stand in one answer.
    pub(super) fn parallel(&mut self, parallel: bool) {
        self.parallel = Some(parallel);
    }

    pub(super) fn finish(self, model: &str) -> Vec<u8> {
        let mut out = format!(r#"{{"model":{},"messages":[{}]"#, to_text(&model), self.messages.join(","));
        if !self.tools.is_empty() {
            out.push_str(&format!(r#","tools":[{}]"#, self.tools.join(",")));
        }
        if self.forbids_calls {
            out.push_str(r#","tool_choice":"none""#);
        }
        if let Some(parallel) = self.parallel {
            out.push_str(&format!(r#","parallel_tool_calls":{parallel}"#));
        }
        out.push('}');
        out.into_bytes()
    }
}

/// Text that stands as a string or as parts with a `text` each.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect()
        }
        _ => String::new(),
    }
}

/// A member that is a string.
pub(super) fn string(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

/// The elements of a list; none where it is none.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// What is said of a body that cannot be read.
pub(super) fn unreadable(what: &'static str) -> impl Fn(serde_json::Error) -> Refused {
    move |error| Refused(format!("the body is not {what}: {error}"))
}
