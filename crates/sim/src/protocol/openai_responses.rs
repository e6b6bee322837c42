//! Responses. A reasoning item stands before calls, and a history that has a call without it is refused.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, json};

use super::chat_request::{ChatRequest, PastCall, ToolParts, string, text_of, unreadable};
use super::{Asked, Protocol, Route, named_event, route_if, to_json};
use crate::answer::{Answer, FINGERPRINT, pieces};
use crate::request::Refused;

pub(super) const PROTOCOL: Protocol = Protocol {
    name: "openai_responses",
    paths: "/v1/responses",
    route: |path| route_if(path, "/responses"),
    read,
    write: |answer| to_json(&response(answer, status(answer), output(answer))),
    stream,
    stream_type: "text/event-stream",
    error: |problem| super::openai_chat::error(problem),
};

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(default)]
    model: String,
    #[serde(default)]
    instructions: Option<String>,
    #[serde(default)]
    input: Value,
    #[serde(borrow, default)]
    tools: Vec<ToolParts<'a>>,
    #[serde(default)]
    tool_choice: Value,
    #[serde(default)]
    parallel_tool_calls: Option<bool>,
    #[serde(default)]
    stream: bool,
}

/// The ids of our own calls: those of a canned history are not of this form, and nobody reasoned before them.
const CALL_ITEM: &str = "fc_sim_";

fn read<'a>(body: &'a [u8], _: &Route) -> Result<Asked<'a>, Refused> {
    let body: Body<'a> = serde_json::from_slice(body).map_err(unreadable("a request for a response"))?;
    let mut chat = ChatRequest::default();
    if let Some(text) = &body.instructions {
        chat.say("system", text);
    }
    match &body.input {
        Value::String(text) => chat.say("user", text),
        Value::Array(items) => Items::default().take(items, &mut chat)?,
        _ => return Err(Refused("`input` is neither a text nor a list".to_owned())),
    }
    body.tools.iter().for_each(|tool| chat.tool(tool));
    if body.tool_choice == "none" {
        chat.forbid_calls();
    }
    if let Some(parallel) = body.parallel_tool_calls {
        chat.parallel(parallel);
    }
    Ok(Asked { chat: Cow::Owned(chat.finish(&body.model)), streams: body.stream })
}

/// Items of one turn of the model's, gathered until something else comes.
#[derive(Default)]
struct Items {
    text: Option<String>,
    calls: Vec<PastCall>,
    reasoned: bool,
}

impl Items {
    fn take(mut self, items: &[Value], chat: &mut ChatRequest) -> Result<(), Refused> {
        for item in items {
            let role = item["role"].as_str();
            match item["type"].as_str().unwrap_or("message") {
                "reasoning" => self.reasoned = true,
                "function_call" => self.call(item)?,
                "function_call_output" => {
                    self.flush(chat);
                    let text =
                        item["output"].as_str().map_or_else(|| text_of(&item["output"]), str::to_owned);
                    chat.result(item["call_id"].as_str().unwrap_or_default(), &text)?;
                }
                "message" if role == Some("assistant") => {
                    self.text.get_or_insert_default().push_str(&text_of(&item["content"]));
                }
                "message" => {
                    self.flush(chat);
                    chat.say(role.unwrap_or("user"), &text_of(&item["content"]));
                }
                other => return Err(Refused(format!("an input item of type `{other}`"))),
            }
        }
        self.flush(chat);
        Ok(())
    }

    fn call(&mut self, item: &Value) -> Result<(), Refused> {
        let is_ours = item["id"].as_str().is_some_and(|id| id.starts_with(CALL_ITEM));
        if is_ours && !self.reasoned {
            let id = &item["id"];
            return Err(Refused(format!(
                "the call {id} was given back without the reasoning item before it"
            )));
        }
        self.calls.push(PastCall {
            id: string(item, "call_id"),
            name: string(item, "name").unwrap_or_default(),
            arguments: string(item, "arguments").unwrap_or_default(),
        });
        Ok(())
    }

    fn flush(&mut self, chat: &mut ChatRequest) {
        let turn = std::mem::take(self);
        if turn.text.is_some() || !turn.calls.is_empty() {
            chat.model(turn.text.as_deref(), &turn.calls);
        }
    }
}

fn status(answer: &Answer) -> &'static str {
    if answer.is_cut { "incomplete" } else { "completed" }
}

fn output(answer: &Answer) -> Vec<Value> {
    let reasoning = (!answer.calls.is_empty()).then(|| {
        json!({ "id": answer.response_id("rs_sim_"), "type": "reasoning", "summary": [], "encrypted_content": answer.response_id("sim") })
    });
    let message = answer.text.as_ref().map(|text| {
        let part = json!({ "type": "output_text", "text": text, "annotations": [] });
        json!({ "id": answer.response_id("msg_sim_"), "type": "message", "status": status(answer), "role": "assistant", "content": [part] })
    });
    let calls = answer.calls.iter().map(|call| {
        json!({ "id": call.id(CALL_ITEM), "type": "function_call", "status": "completed", "call_id": call.id("call_"), "name": call.name, "arguments": call.arguments })
    });
    reasoning.into_iter().chain(message).chain(calls).collect()
}

fn response(answer: &Answer, status: &str, output: Vec<Value>) -> Value {
    let (read, written) = answer.tokens;
    json!({
        "id": answer.response_id("resp_sim_"),
        "object": "response",
        "created_at": 0,
        "status": status,
        "error": null,
        "incomplete_details": answer.is_cut.then(|| json!({ "reason": "max_output_tokens" })),
        "model": answer.model,
        "system_fingerprint": FINGERPRINT,
        "output": output,
        "usage": { "input_tokens": read, "output_tokens": written, "total_tokens": read + written },
    })
}

fn stream(answer: &Answer) -> Vec<String> {
    let event = |name: &str, mut value: Value| {
        value["type"] = json!(name);
        named_event(name, &value)
    };
    let begun = response(answer, "in_progress", Vec::new());
    let mut frames = vec![
        event("response.created", json!({ "response": begun })),
        event("response.in_progress", json!({ "response": begun })),
    ];
    let whole = output(answer);
    for (at, item) in whole.iter().enumerate() {
        let mut begun = item.clone();
        let (name, text, empty): (&str, &str, Value) = match item["type"].as_str() {
            Some("function_call") => (
                "response.function_call_arguments",
                item["arguments"].as_str().unwrap_or_default(),
                json!(""),
            ),
            Some("message") => {
                ("response.output_text", item["content"][0]["text"].as_str().unwrap_or_default(), json!([]))
            }
            _ => ("", "", Value::Null),
        };
        for key in ["arguments", "content"] {
            if let Some(member) = begun.get_mut(key) {
                *member = empty.clone();
            }
        }
        frames.push(event("response.output_item.added", json!({ "output_index": at, "item": begun })));
        for piece in pieces(text) {
            let delta =
                json!({ "output_index": at, "item_id": item["id"], "content_index": 0, "delta": piece });
            frames.push(event(&format!("{name}.delta"), delta));
        }
        frames.push(event("response.output_item.done", json!({ "output_index": at, "item": item })));
    }
    let last = if answer.is_cut { "response.incomplete" } else { "response.completed" };
    frames.push(event(last, json!({ "response": response(answer, status(answer), whole) })));
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat(body: &str) -> Result<String, Refused> {
        let asked = read(body.as_bytes(), &Route::default())?;
        Ok(String::from_utf8(asked.chat.into_owned()).unwrap())
    }

    #[test]
    fn items_become_messages_and_a_turn_is_one() {
        let body = r#"{"model":"m","instructions":"s","input":[{"role":"user","content":"dig"},{"type":"reasoning"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]},{"type":"function_call","id":"fc_sim_1","call_id":"c","name":"dig","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"ok"}],"tools":[{"type":"function","name":"dig","parameters":{"a":1.50},"strict":false}]}"#;
        let wanted = r#"{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"dig"},{"role":"assistant","content":"Yes.","tool_calls":[{"id":"c","type":"function","function":{"name":"dig","arguments":"{}"}}]},{"role":"tool","content":"ok","tool_call_id":"c"}],"tools":[{"type":"function","function":{"name":"dig","parameters":{"a":1.50}}}]}"#;
        assert_eq!(chat(body).unwrap(), wanted);
    }

    #[test]
    fn what_is_not_given_back_is_missed() {
        let call = r#"{"type":"function_call","id":"fc_sim_1","call_id":"c","name":"dig","arguments":"{}"}"#;
        let body = format!(r#"{{"input":[{{"role":"user","content":"x"}},{call}]}}"#);
        assert!(chat(&body).unwrap_err().0.contains("without the reasoning item"));
        let body = r#"{"input":[{"type":"function_call_output","call_id":"c","output":"ok"}]}"#;
        assert!(chat(body).unwrap_err().0.contains("no call of that id"));
    }
}
