//! Writes a chat-completions request. The body is text put together from raw JSON: schemas and descriptions
//! are sent as their file wrote them.

use bytes::Bytes;
use probes::{ArmSettings, ToolChoice};
use serde::Serialize;
use transcript::{CallId, Message, MessageCall, RawJson, Role, Tool, ToolForm};

use super::PROVIDER;
use crate::json;
use crate::provider::{ModelRequest, Said, effort};

/// Members that the endpoint refuses where no tool is offered.
const NEEDS_TOOLS: &[&str] = &["tool_choice", "parallel_tool_calls"];

/// The member that says how much to reason.
const REASONING_EFFORT: &str = "reasoning_effort";

/// Words in which dialects differ.
pub(in crate::provider) struct Words {
    /// The tool choice by which a call is owed.
    pub(in crate::provider) required: &'static str,
}

pub(super) fn encode(request: &ModelRequest<'_>) -> Bytes {
    encode_with(request, &Words { required: "required" })
}

/// Writes the request in the words of a dialect.
pub(in crate::provider) fn encode_with(request: &ModelRequest<'_>, words: &Words) -> Bytes {
    let mut body = Body { text: String::with_capacity(512) };
    body.text.push('{');
    body.member("model", &json_text(request.model));
    body.key("messages");
    messages(&mut body.text, request.messages);
    if !request.tools.is_empty() {
        body.key("tools");
        tools(&mut body.text, request);
    }
    let choice = tool_choice(request.arm, words);
    if let Some(choice) = &choice {
        body.member_if_tools(request, "tool_choice", choice);
    }
    let parallel = request.arm.parallel;
    if let Some(parallel) = parallel {
        body.member_if_tools(request, "parallel_tool_calls", if parallel { "true" } else { "false" });
    }
    let thinking = request.arm.thinking.map(|thinking| effort(thinking).unwrap_or("none"));
    if let Some(effort) = thinking {
        body.member(REASONING_EFFORT, &json_text(effort));
    }
    let set_by_arm = |key: &str| {
        request.arm.body.contains_key(key)
            || (thinking.is_some() && key == REASONING_EFFORT)
            || (choice.is_some() && key == "tool_choice")
            || (parallel.is_some() && key == "parallel_tool_calls")
    };
    let settings = request.settings.iter().filter(|(key, _)| !set_by_arm(key));
    for (key, value) in settings.chain(&request.arm.body) {
        if !PROVIDER.reserved.contains(&key.as_str()) {
            body.member_if_tools(request, key, value.as_str());
        }
    }
    body.text.push('}');
    Bytes::from(body.text)
}

struct Body {
    text: String,
}

impl Body {
    fn key(&mut self, key: &str) {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push_str(&json_text(key));
        self.text.push(':');
    }

    fn member(&mut self, key: &str, value: &str) {
        self.key(key);
        self.text.push_str(value);
    }

    fn member_if_tools(&mut self, request: &ModelRequest<'_>, key: &str, value: &str) {
        if !request.tools.is_empty() || !NEEDS_TOOLS.contains(&key) {
            self.member(key, value);
        }
    }
}

/// Appends the separator of a list's elements, but not before the first.
fn separate(out: &mut String) {
    if !out.ends_with('[') {
        out.push(',');
    }
}

fn messages(out: &mut String, said: &[Said]) {
    out.push('[');
    for message in said {
        separate(out);
        match message {
            Said::Model(raw) => out.push_str(raw.as_str()),
            Said::Ours(message) => out.push_str(&json_text(&WireMessage::of(message))),
        }
    }
    out.push(']');
}

/// A message of ours in wire form.
#[derive(Serialize)]
struct WireMessage<'a> {
    role: Role,
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tool_calls: &'a [MessageCall],
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a CallId>,
}

impl<'a> WireMessage<'a> {
    fn of(message: &'a Message) -> Self {
        Self {
            role: message.role,
            content: message.content.as_deref(),
            tool_calls: &message.tool_calls,
            tool_call_id: message.tool_call_id.as_ref(),
        }
    }
}

fn tools(out: &mut String, request: &ModelRequest<'_>) {
    out.push('[');
    for tool in request.tools {
        separate(out);
        let original = tool.original.as_ref().filter(|original| original.form == ToolForm::OpenaiNested);
        match (original, request.arm.strict) {
            (Some(original), None) => out.push_str(original.json.as_str()),
            (Some(original), Some(strict)) => match with_strict(&original.json, strict) {
                Some(text) => out.push_str(&text),
                None => push_tool(out, tool, Some(strict)),
            },
            (None, strict) => push_tool(out, tool, strict.or(tool.strict)),
        }
    }
    out.push(']');
}

/// A tool in the nested form. What the catalog does not have is not sent.
fn push_tool(out: &mut String, tool: &Tool, strict: Option<bool>) {
    out.push_str(r#"{"type":"function","function":{"name":"#);
    out.push_str(&json_text(&tool.name));
    for (key, value) in [("description", &tool.description), ("parameters", &tool.input_schema)] {
        if let Some(raw) = value {
            push_member(out, key, raw.as_str());
        }
    }
    if let Some(strict) = strict {
        push_member(out, "strict", if strict { "true" } else { "false" });
    }
    out.push_str("}}");
}

fn push_member(out: &mut String, key: &str, value: &str) {
    if !out.ends_with('{') {
        out.push(',');
    }
    out.push_str(&json_text(key));
    out.push(':');
    out.push_str(value);
}

/// An original entry with its `function.strict` put to what the arm asks for, all else as it stands.
fn with_strict(original: &RawJson, strict: bool) -> Option<String> {
    let strict = if strict { "true" } else { "false" };
    let entry = json::parse_members(original.as_str())?;
    let function = json::members(entry.get("function")?)?;
    let mut inner = String::from("{");
    for (key, value) in function.iter() {
        push_member(&mut inner, key, if key == "strict" { strict } else { value.get() });
    }
    if !function.has("strict") {
        push_member(&mut inner, "strict", strict);
    }
    inner.push('}');
    let mut out = String::from("{");
    for (key, value) in entry.iter() {
        push_member(&mut out, key, if key == "function" { &inner } else { value.get() });
    }
    out.push('}');
    Some(out)
}

fn tool_choice(arm: &ArmSettings, words: &Words) -> Option<String> {
    Some(match arm.tool_choice.as_ref()? {
        ToolChoice::Auto => json_text("auto"),
        ToolChoice::Required => json_text(words.required),
        ToolChoice::None => json_text("none"),
        ToolChoice::Tool(name) => {
            format!(r#"{{"type":"function","function":{{"name":{}}}}}"#, json_text(name))
        }
    })
}

/// Types of ours always print as JSON.
fn json_text<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use indexmap::IndexMap;
    use probes::Thinking;
    use transcript::{ToolName, ToolOriginal};

    use super::*;

    fn raw(text: &str) -> RawJson {
        RawJson::parse(text).unwrap()
    }

    fn body(tools: &[Arc<Tool>], settings: &IndexMap<String, RawJson>, arm: &ArmSettings) -> String {
        let messages = [Said::Ours(Message::user("Weigh parcel PX-1."))];
        let request = ModelRequest { model: "fern-2", messages: &messages, tools, settings, arm };
        String::from_utf8(encode(&request).to_vec()).unwrap()
    }

    fn weigh() -> Tool {
        Tool {
            description: Some(raw(r#""Weighs \u00e0 parcel.""#)),
            input_schema: Some(raw(r#"{"type":"object","properties":{"max":{"default":1.0}}}"#)),
            ..Tool::named("weigh_parcel")
        }
    }

    #[test]
    fn nothing_is_sent_that_nobody_asked_for() {
        let text = body(&[], &IndexMap::new(), &ArmSettings::default());
        assert_eq!(text, r#"{"model":"fern-2","messages":[{"role":"user","content":"Weigh parcel PX-1."}]}"#);
    }

    #[test]
    fn tools_go_out_as_their_file_wrote_them() {
        let bare = Tool { strict: Some(false), ..Tool::named("ping") };
        let entry = r#"{"function":{"parameters":{},"name":"own"},"type":"function","x":1e2}"#;
        let original = ToolOriginal { form: ToolForm::OpenaiNested, json: raw(entry) };
        let own = Tool { original: Some(original), ..Tool::named("own") };
        let tools = [Arc::new(weigh()), Arc::new(bare), Arc::new(own)];
        let text = body(&tools, &IndexMap::new(), &ArmSettings::default());
        let sent = text.split_once(r#""tools":"#).unwrap().1;
        let wanted = concat!(
            r#"[{"type":"function","function":{"name":"weigh_parcel","description":"Weighs \u00e0 parcel.","#,
            r#""parameters":{"type":"object","properties":{"max":{"default":1.0}}}}},"#,
            r#"{"type":"function","function":{"name":"ping","strict":false}},"#,
            r#"{"function":{"parameters":{},"name":"own"},"type":"function","x":1e2}]}"#
        );
        assert_eq!(sent, wanted);
    }

    #[test]
    fn the_arm_wins_over_the_settings() {
        let settings = IndexMap::from([
            ("temperature".to_owned(), raw("0.50")),
            ("tool_choice".to_owned(), raw(r#""auto""#)),
            ("n".to_owned(), raw("2")),
            ("reasoning_effort".to_owned(), raw(r#""high""#)),
        ]);
        let arm = ArmSettings {
            tool_choice: Some(ToolChoice::Tool("weigh_parcel".into())),
            parallel: Some(false),
            strict: Some(true),
            thinking: Some(Thinking::Off),
            body: IndexMap::from([("temperature".to_owned(), raw("1"))]),
            ..ArmSettings::default()
        };
        let text = body(&[Arc::new(weigh())], &settings, &arm);
        assert!(text.contains(r#""strict":true}}]"#), "{text}");
        let tail = text.split_once("}}],").unwrap().1;
        let wanted = concat!(
            r#""tool_choice":{"type":"function","function":{"name":"weigh_parcel"}},"#,
            r#""parallel_tool_calls":false,"reasoning_effort":"none","temperature":1}"#
        );
        assert_eq!(tail, wanted);
        let without_tools = body(&[], &settings, &arm);
        assert!(
            without_tools.ends_with(r#"],"reasoning_effort":"none","temperature":1}"#),
            "{without_tools}"
        );
    }

    #[test]
    fn strict_is_set_inside_an_original_entry() {
        let entry =
            raw(r#"{"type":"function","function":{"name":"own","strict":false,"parameters":{"a":1.0}}}"#);
        assert_eq!(
            with_strict(&entry, true).unwrap(),
            r#"{"type":"function","function":{"name":"own","strict":true,"parameters":{"a":1.0}}}"#
        );
        assert!(with_strict(&raw(r#"{"type":"function"}"#), true).is_none());
    }

    #[test]
    fn a_tool_result_is_tied_to_its_call() {
        let result = Message {
            role: Role::Tool,
            content: Some("{}".into()),
            tool_calls: Vec::new(),
            tool_call_id: Some(CallId("c1".into())),
            name: Some(ToolName::new("ping")),
            is_error: true,
        };
        let mut out = String::new();
        messages(&mut out, &[Said::Model(raw(r#"{"role":"assistant"}"#)), Said::Ours(result)]);
        assert_eq!(out, r#"[{"role":"assistant"},{"role":"tool","content":"{}","tool_call_id":"c1"}]"#);
    }
}
