//! A request body captured in production: its tools as they were sent, its rendered prompt, and its settings. What the
//! user and the model said is not taken over.

use std::path::Path;

use indexmap::IndexMap;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::Failure;

/// Members that are no settings of the model.
const NOT_SETTINGS: &[&str] = &[
    "model",
    "messages",
    "tools",
    "system",
    "input",
    "instructions",
    "stream",
    "stream_options",
    "user",
    "metadata",
    "store",
    "contents",
    "systemInstruction",
    "system_instruction",
    "previous_response_id",
    "n",
    "service_tier",
    "prompt_cache_key",
];

/// What is taken over of a request.
pub(crate) struct Captured {
    /// A tool list, each tool as it was sent, in order.
    pub(crate) tools: String,
    /// The body without what was said in it: what the catalog must equal.
    pub(crate) body: String,
    /// The rendered prompt.
    pub(crate) prompt: Option<String>,
    /// The model.
    pub(crate) model: Option<String>,
    /// Settings, as JSON by key.
    pub(crate) settings: Vec<(String, String)>,
}

/// Reads a request body.
pub(crate) fn read(path: &Path) -> Result<Captured, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read `{shown}`: {error}")))?;
    let body: IndexMap<String, Box<RawValue>> = serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("`{shown}` is no request body: {error}")))?;
    let Some(tools) = body.get("tools") else {
        return Err(Failure::usage(format!("the request in `{shown}` offers no tools")));
    };
    let whole: Value = serde_json::from_str(&text)?;
    let is_setting = |key: &&String| !NOT_SETTINGS.contains(&key.as_str());
    let settings =
        body.keys().filter(is_setting).filter_map(|key| Some((key.clone(), whole.get(key)?.to_string())));
    let kept = body.iter().filter(|(key, _)| {
        ![
            "messages",
            "input",
            "contents",
            "system",
            "instructions",
            "systemInstruction",
            "system_instruction",
            "user",
            "metadata",
        ]
        .contains(&key.as_str())
    });
    let kept: Vec<String> =
        kept.map(|(key, value)| format!("  {}: {}", Value::String(key.clone()), value.get())).collect();
    Ok(Captured {
        tools: format!("{{\n  \"tools\": {}\n}}\n", tools.get()),
        body: format!("{{\n{}\n}}\n", kept.join(",\n")),
        prompt: prompt(&whole),
        model: whole.get("model").and_then(Value::as_str).map(str::to_owned),
        settings: settings.collect(),
    })
}

/// The system prompt, in the forms that providers take it.
fn prompt(body: &Value) -> Option<String> {
    let whole = ["system", "instructions"].iter().find_map(|key| text(body.get(*key)?));
    let messages = ["messages", "input"].iter().find_map(|key| body.get(*key)?.as_array());
    let of_system = |message: &&Value| {
        message
            .get("role")
            .and_then(Value::as_str)
            .is_some_and(|role| role == "system" || role == "developer")
    };
    let said: Vec<String> = messages
        .into_iter()
        .flatten()
        .take_while(of_system)
        .filter_map(|message| text(message.get("content")?))
        .collect();
    whole.or_else(|| (!said.is_empty()).then(|| said.join("\n\n")))
}

fn text(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        _ => None,
    }
}
