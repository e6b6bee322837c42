//! generateContent. The first call of a turn carries a signature, and a history that lost it is refused.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::chat_request::{ChatRequest, PastCall, ToolParts, list, string, text_of, unreadable};
use super::{Asked, Problem, Protocol, Route, data_event, in_place, to_json};
use crate::answer::{Answer, FINGERPRINT, pieces};
use crate::request::Refused;

pub(super) const PROTOCOL: Protocol = Protocol {
    name: "gemini",
    paths: "/v1beta/models/NAME:generateContent",
    route,
    read,
    write: |answer| to_json(&response(answer, parts(answer), Some(finish_reason(answer)))),
    stream,
    stream_type: "text/event-stream",
    error,
};

fn route(path: &str) -> Option<Route> {
    let (model, verb) = path.rsplit_once(':')?;
    let streams = match verb {
        "generateContent" => false,
        "streamGenerateContent" => true,
        _ => return None,
    };
    let model = model.rsplit_once('/').map_or(model, |(_, model)| model).to_owned();
    Some(Route { model: Some(model), streams })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(default)]
    system_instruction: Value,
    contents: Vec<Value>,
    #[serde(borrow, default)]
    tools: Vec<Declarations<'a>>,
    #[serde(default)]
    tool_config: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Declarations<'a> {
    #[serde(borrow, default)]
    function_declarations: Vec<ToolParts<'a>>,
}

fn read<'a>(body: &'a [u8], route: &Route) -> Result<Asked<'a>, Refused> {
    let body: Body<'a> = serde_json::from_slice(body).map_err(unreadable("a request for content"))?;
    let mut chat = ChatRequest::default();
    if !body.system_instruction.is_null() {
        chat.say("system", &text_of(&body.system_instruction["parts"]));
    }
    let is_user = |content: &Value| content["role"] == "user" && !text_of(&content["parts"]).is_empty();
    let last_user = body.contents.iter().rposition(is_user);
    for (at, content) in body.contents.iter().enumerate() {
        take(content, last_user.is_none_or(|last| at > last), &mut chat)?;
    }
    body.tools.iter().flat_map(|tools| &tools.function_declarations).for_each(|tool| chat.tool(tool));
    if body.tool_config["functionCallingConfig"]["mode"] == "NONE" {
        chat.forbid_calls();
    }
    let model = route.model.as_deref().unwrap_or_default();
    Ok(Asked { chat: Cow::Owned(chat.finish(model)), streams: route.streams })
}

fn take(content: &Value, is_current: bool, chat: &mut ChatRequest) -> Result<(), Refused> {
    let parts = list(&content["parts"]);
    if content["role"] == "model" {
        let calls = parts.iter().filter(|part| part.get("functionCall").is_some());
        let unsigned = calls.clone().next().filter(|part| part.get("thoughtSignature").is_none());
        if let Some(part) = unsigned.filter(|_| is_current) {
            let name = &part["functionCall"]["name"];
            return Err(Refused(format!("function call {name} is missing a thought_signature")));
        }
        let calls: Vec<PastCall> = calls
            .map(|part| PastCall {
                id: string(&part["functionCall"], "id"),
                name: string(&part["functionCall"], "name").unwrap_or_default(),
                arguments: part["functionCall"]["args"].to_string(),
            })
            .collect();
        let text = text_of(&content["parts"]);
        chat.model(Some(text.as_str()).filter(|text| !text.is_empty()), &calls);
        return Ok(());
    }
    for result in parts.iter().filter_map(|part| part.get("functionResponse")) {
        let response = &result["response"];
        let text = string(response, "output").or_else(|| string(response, "error")).unwrap_or_default();
        match string(result, "id") {
            Some(id) => chat.result(&id, &text)?,
            None => chat.unpaired_result("", &text),
        }
    }
    let text = text_of(&content["parts"]);
    if !text.is_empty() {
        chat.say("user", &text);
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(untagged)]
enum Part<'a> {
    Text {
        text: &'a str,
    },
    #[serde(rename_all = "camelCase")]
    Call {
        function_call: FunctionCall<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        thought_signature: Option<String>,
    },
}

#[derive(Serialize)]
struct FunctionCall<'a> {
    id: String,
    name: &'a str,
    args: Box<RawValue>,
}

fn parts(answer: &Answer) -> Vec<Part<'_>> {
    let text = answer.text.iter().map(|text| Part::Text { text });
    text.chain(calls(answer)).collect()
}

fn calls(answer: &Answer) -> impl Iterator<Item = Part<'_>> {
    answer.calls.iter().enumerate().map(|(at, call)| Part::Call {
        function_call: FunctionCall {
            id: call.id("sim-"),
            name: &call.name,
            args: in_place(&call.arguments),
        },
        thought_signature: (at == 0).then(|| answer.response_id("sim")),
    })
}

fn finish_reason(answer: &Answer) -> &'static str {
    if answer.is_cut { "MAX_TOKENS" } else { "STOP" }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response<'a> {
    candidates: [Candidate<'a>; 1],
    usage_metadata: Value,
    model_version: &'a str,
    response_id: String,
    #[serde(rename = "system_fingerprint")]
    system_fingerprint: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Candidate<'a> {
    content: Content<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finish_reason: Option<&'static str>,
    index: u8,
}

#[derive(Serialize)]
struct Content<'a> {
    parts: Vec<Part<'a>>,
    role: &'static str,
}

fn response<'a>(answer: &'a Answer, parts: Vec<Part<'a>>, finish: Option<&'static str>) -> Response<'a> {
    let (read, written) = answer.tokens;
    Response {
        candidates: [Candidate {
            content: Content { parts, role: "model" },
            finish_reason: finish,
            index: 0,
        }],
        usage_metadata: json!({ "promptTokenCount": read, "candidatesTokenCount": written, "totalTokenCount": read + written }),
        model_version: &answer.model,
        response_id: answer.response_id("sim-"),
        system_fingerprint: FINGERPRINT,
    }
}

fn stream(answer: &Answer) -> Vec<String> {
    let texts = answer.text.as_deref().map(pieces).into_iter().flatten().map(|text| Part::Text { text });
    let mut parts: Vec<Part<'_>> = texts.chain(calls(answer)).collect();
    let last = parts.pop().unwrap_or(Part::Text { text: "" });
    let begun = parts.into_iter().map(|part| data_event(&response(answer, vec![part], None)));
    let end = data_event(&response(answer, vec![last], Some(finish_reason(answer))));
    begun.chain([end]).collect()
}

fn error(problem: &Problem<'_>) -> Vec<u8> {
    let status = match problem.status {
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        503 | 529 => "UNAVAILABLE",
        500.. => "INTERNAL",
        _ => "INVALID_ARGUMENT",
    };
    let details = problem
        .says_wait
        .then(|| json!({ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0s" }));
    let details: Vec<Value> = details.into_iter().collect();
    to_json(
        &json!({ "error": { "code": problem.status, "message": problem.message, "status": status, "details": details } }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat(body: &str) -> Result<String, Refused> {
        let route = route("/v1beta/models/m:generateContent").unwrap();
        Ok(String::from_utf8(read(body.as_bytes(), &route)?.chat.into_owned()).unwrap())
    }

    #[test]
    fn parts_become_messages_and_a_lost_signature_is_missed() {
        let signed = r#"{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"dig"}]},{"role":"model","parts":[{"functionCall":{"id":"c","name":"dig","args":{}},"thoughtSignature":"x"}]},{"role":"user","parts":[{"functionResponse":{"id":"c","name":"dig","response":{"output":"ok"}}}]}],"tools":[{"functionDeclarations":[{"name":"dig","parametersJsonSchema":{"a":1.50}}]}]}"#;
        let wanted = r#"{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"dig"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"dig","arguments":"{}"}}]},{"role":"tool","content":"ok","tool_call_id":"c"}],"tools":[{"type":"function","function":{"name":"dig","parameters":{"a":1.50}}}]}"#;
        assert_eq!(chat(signed).unwrap(), wanted);
        let lost = chat(&signed.replace(r#","thoughtSignature":"x""#, "")).unwrap_err();
        assert!(lost.0.contains("thought_signature"), "{}", lost.0);
    }
}
