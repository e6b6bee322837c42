//! Converse of Amazon Bedrock, unstreamed: its streams are framed in a binary form of their own.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::chat_request::{ChatRequest, PastCall, ToolParts, list, string, text_of, unreadable};
use super::{Asked, Protocol, Route, in_place, to_json};
use crate::answer::{Answer, FINGERPRINT};
use crate::request::Refused;

pub(super) const PROTOCOL: Protocol = Protocol {
    name: "bedrock_converse",
    paths: "/model/NAME/converse",
    route,
    read,
    write,
    // Nobody can ask for one.
    stream: |answer| vec![String::from_utf8_lossy(&write(answer)).into_owned()],
    stream_type: "application/json",
    error: |problem| to_json(&json!({ "message": problem.message })),
};

fn route(path: &str) -> Option<Route> {
    let (_, model) = path.strip_suffix("/converse")?.rsplit_once("/model/")?;
    Some(Route { model: Some(percent_decoded(model)), streams: false })
}

fn percent_decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let hex = behind.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match hex.filter(|_| byte == b'%').and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                out.push(byte);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(default)]
    system: Value,
    messages: Vec<Value>,
    #[serde(borrow, default)]
    tool_config: Option<ToolConfig<'a>>,
}

#[derive(Deserialize)]
struct ToolConfig<'a> {
    #[serde(borrow, default)]
    tools: Vec<Tool<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool<'a> {
    #[serde(borrow)]
    tool_spec: ToolSpec<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolSpec<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    description: Option<&'a RawValue>,
    #[serde(borrow)]
    input_schema: Schema<'a>,
}

#[derive(Deserialize)]
struct Schema<'a> {
    #[serde(borrow)]
    json: &'a RawValue,
}

fn read<'a>(body: &'a [u8], route: &Route) -> Result<Asked<'a>, Refused> {
    let body: Body<'a> = serde_json::from_slice(body).map_err(unreadable("a request of Converse"))?;
    let mut chat = ChatRequest::default();
    if !body.system.is_null() {
        chat.say("system", &text_of(&body.system));
    }
    for message in &body.messages {
        take(message, &mut chat)?;
    }
    for tool in body.tool_config.iter().flat_map(|config| &config.tools) {
        let ToolSpec { name, description, input_schema } = &tool.tool_spec;
        let parameters = Some(input_schema.json);
        chat.tool(&ToolParts { name: Cow::Borrowed(name), description: *description, parameters });
    }
    let model = route.model.as_deref().unwrap_or_default();
    Ok(Asked { chat: Cow::Owned(chat.finish(model)), streams: false })
}

fn take(message: &Value, chat: &mut ChatRequest) -> Result<(), Refused> {
    let content = &message["content"];
    let role = message["role"].as_str().unwrap_or_default();
    let text = text_of(content);
    if role == "assistant" {
        let uses = list(content).iter().filter_map(|block| block.get("toolUse"));
        let calls: Vec<PastCall> = uses
            .map(|used| PastCall {
                id: string(used, "toolUseId"),
                name: string(used, "name").unwrap_or_default(),
                arguments: used["input"].to_string(),
            })
            .collect();
        chat.model(Some(text.as_str()).filter(|text| !text.is_empty()), &calls);
        return Ok(());
    }
    for result in list(content).iter().filter_map(|block| block.get("toolResult")) {
        chat.result(result["toolUseId"].as_str().unwrap_or_default(), &text_of(&result["content"]))?;
    }
    if list(content).iter().any(|block| block.get("text").is_some()) {
        chat.say(role, &text);
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Block<'a> {
    Text(&'a str),
    ToolUse(ToolUse<'a>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolUse<'a> {
    tool_use_id: String,
    name: &'a str,
    input: Box<RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response<'a> {
    output: Output<'a>,
    stop_reason: &'static str,
    usage: Value,
    metrics: Value,
    #[serde(rename = "system_fingerprint")]
    system_fingerprint: &'static str,
}

#[derive(Serialize)]
struct Output<'a> {
    message: Message<'a>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

fn write(answer: &Answer) -> Vec<u8> {
    let text = answer.text.iter().map(|text| Block::Text(text));
    let calls = answer.calls.iter().map(|call| {
        Block::ToolUse(ToolUse {
            tool_use_id: call.id("tooluse_"),
            name: &call.name,
            input: in_place(&call.arguments),
        })
    });
    let stop_reason = match answer {
        Answer { is_cut: true, .. } => "max_tokens",
        Answer { says_stop: false, calls, .. } if !calls.is_empty() => "tool_use",
        _ => "end_turn",
    };
    let (read, written) = answer.tokens;
    to_json(&Response {
        output: Output { message: Message { role: "assistant", content: text.chain(calls).collect() } },
        stop_reason,
        usage: json!({ "inputTokens": read, "outputTokens": written, "totalTokens": read + written }),
        metrics: json!({ "latencyMs": 1 }),
        system_fingerprint: FINGERPRINT,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_read_from_the_path() {
        let of = |path: &str| route(path).unwrap().model.unwrap();
        assert_eq!(of("/model/fern%3A2%2Fx/converse"), "fern:2/x");
        assert_eq!(of("/gateway/model/100%/converse"), "100%");
    }

    #[test]
    fn blocks_become_messages() {
        let body = r#"{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"dig"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"dig","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"text":"ok"}],"status":"success"}}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"dig","inputSchema":{"json":{"a":1.50}}}}]}}"#;
        let route = Route { model: Some("m".into()), streams: false };
        let asked = read(body.as_bytes(), &route).unwrap();
        let wanted = r#"{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"dig"},{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"dig","arguments":"{}"}}]},{"role":"tool","content":"ok","tool_call_id":"t"}],"tools":[{"type":"function","function":{"name":"dig","parameters":{"a":1.50}}}]}"#;
        assert_eq!(String::from_utf8_lossy(&asked.chat), wanted);
    }
}
