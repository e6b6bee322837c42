//! Ollama's own chat, which streams lines unless it is asked not to.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::chat_request::{ChatRequest, PastCall, ToolParts, list, string, text_of, unreadable};
use super::{Asked, Protocol, Route, in_place, route_if, to_json, to_text};
use crate::answer::{Answer, FINGERPRINT, pieces};
use crate::request::Refused;

pub(super) const PROTOCOL: Protocol = Protocol {
    name: "ollama",
    paths: "/api/chat",
    route: |path| route_if(path, "/api/chat"),
    read,
    write: |answer| {
        let calls = calls(answer);
        to_json(&Line::last(answer, answer.text.as_deref().unwrap_or_default(), calls))
    },
    stream,
    stream_type: "application/x-ndjson",
    error: |problem| to_json(&json!({ "error": problem.message })),
};

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(default)]
    model: String,
    messages: Vec<Value>,
    #[serde(borrow, default)]
    tools: Vec<Tool<'a>>,
    #[serde(default)]
    stream: Option<bool>,
}

#[derive(Deserialize)]
struct Tool<'a> {
    #[serde(borrow)]
    function: ToolParts<'a>,
}

fn read<'a>(body: &'a [u8], _: &Route) -> Result<Asked<'a>, Refused> {
    let body: Body<'a> = serde_json::from_slice(body).map_err(unreadable("a chat request"))?;
    let mut chat = ChatRequest::default();
    for message in &body.messages {
        let text = text_of(&message["content"]);
        match message["role"].as_str().unwrap_or_default() {
            "tool" => match string(message, "tool_call_id") {
                Some(id) => chat.result(&id, &text)?,
                None => chat.unpaired_result("", &text),
            },
            "assistant" => {
                let calls: Vec<PastCall> = list(&message["tool_calls"])
                    .iter()
                    .map(|call| PastCall {
                        id: string(call, "id"),
                        name: string(&call["function"], "name").unwrap_or_default(),
                        arguments: call["function"]["arguments"].to_string(),
                    })
                    .collect();
                chat.model(Some(text.as_str()).filter(|text| !text.is_empty()), &calls);
            }
            role => chat.say(role, &text),
        }
    }
    body.tools.iter().for_each(|tool| chat.tool(&tool.function));
    Ok(Asked { chat: Cow::Owned(chat.finish(&body.model)), streams: body.stream != Some(false) })
}

#[derive(Serialize)]
struct Line<'a> {
    model: &'a str,
    /// There is no clock here.
    created_at: &'static str,
    system_fingerprint: &'static str,
    message: Message<'a>,
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    done_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_eval_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval_count: Option<usize>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
}

#[derive(Serialize)]
struct Call<'a> {
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: Box<RawValue>,
}

fn calls(answer: &Answer) -> Vec<Call<'_>> {
    let calls = answer.calls.iter();
    calls
        .map(|call| Call { function: Function { name: &call.name, arguments: in_place(&call.arguments) } })
        .collect()
}

impl<'a> Line<'a> {
    fn of(answer: &'a Answer, content: &'a str, tool_calls: Vec<Call<'a>>) -> Self {
        Self {
            model: &answer.model,
            created_at: "1970-01-01T00:00:00Z",
            system_fingerprint: FINGERPRINT,
            message: Message { role: "assistant", content, tool_calls },
            done: false,
            done_reason: None,
            prompt_eval_count: None,
            eval_count: None,
        }
    }

    fn last(answer: &'a Answer, content: &'a str, tool_calls: Vec<Call<'a>>) -> Self {
        Self {
            done: true,
            done_reason: Some(if answer.is_cut { "length" } else { "stop" }),
            prompt_eval_count: Some(answer.tokens.0),
            eval_count: Some(answer.tokens.1),
            ..Self::of(answer, content, tool_calls)
        }
    }
}

fn stream(answer: &Answer) -> Vec<String> {
    let texts = answer.text.as_deref().map(pieces).into_iter().flatten();
    let mut lines: Vec<String> =
        texts.map(|text| to_text(&Line::of(answer, text, Vec::new())) + "\n").collect();
    for call in calls(answer) {
        lines.push(to_text(&Line::of(answer, "", vec![call])) + "\n");
    }
    lines.push(to_text(&Line::last(answer, "", Vec::new())) + "\n");
    lines
}
