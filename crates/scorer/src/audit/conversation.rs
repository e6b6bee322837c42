//! A transcript as messages: those of chat completions, and those with content blocks (`tool_use`, `tool_result`).

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use transcript::{
    Arguments, CallId, EmittedName, Item, Message, Outcome, RawJson, Role, ToolCall, ToolName, ToolResult,
    Turn,
};

use super::Place;
use super::grounded::{self, Conversation};
use super::line::{AuditReader, LineError, account};
use super::result_text::ended;
use super::run::{Ending, Fragment, Piece, ResultsBy, Told, ToldCall};

/// A message as it stands in a log.
#[derive(Deserialize)]
struct Written<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(default)]
    content: Value,
    #[serde(default)]
    tool_calls: Option<Vec<WrittenCall>>,
    #[serde(default)]
    tool_call_id: Option<String>,
    #[serde(default)]
    is_error: Option<bool>,
}

#[derive(Deserialize)]
struct WrittenCall {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Value,
}

/// A call with what became of it.
struct Call {
    id: Option<String>,
    name: String,
    arguments: Value,
    result: Option<(String, Option<Outcome>)>,
}

/// Reads the messages of a transcript.
pub(super) fn read(
    reader: &mut AuditReader,
    messages: &RawValue,
    tools: Option<&RawValue>,
    by_agent: Option<bool>,
    place: Place,
) -> Result<Fragment, LineError> {
    let written: Vec<Written<'_>> = serde_json::from_str(messages.get())
        .map_err(|_| LineError::NotKnown("a list that is no list of messages"))?;
    if written.is_empty() {
        return Err(LineError::NotKnown("a transcript without messages"));
    }
    let transcript = Transcript::of(written);
    let calls: Vec<ToldCall> = transcript
        .calls()
        .map(|call| ToldCall {
            tool: reader.name(&call.name),
            ending: match call.result {
                None => Ending::Unanswered,
                Some((_, None)) => Ending::Untold,
                Some((_, Some(outcome))) => Ending::Told(outcome),
            },
        })
        .collect();
    let by_agent = by_agent.unwrap_or(reader.options().results_by_agent);
    let answered = calls.iter().any(|call| call.ending != Ending::Unanswered);
    let results = match (by_agent, calls.is_empty() || answered) {
        (true, _) => ResultsBy::Agent,
        (false, true) => ResultsBy::Harness,
        (false, false) => ResultsBy::Nobody,
    };
    let given = reader.options().catalog.clone();
    let offered = match tools {
        Some(tools) => reader.catalogs.of(tools.get()),
        None => reader.catalogs.given(given.as_ref()),
    };
    let grounded = offered.map(|offered| {
        grounded::judge(&transcript.conversation(), &offered, &reader.catalogs.schemas, results)
    });
    let account = transcript.last.as_deref().map(|text| account(text, place));
    let told = Told { calls, results, grounded, place };
    Ok(Fragment(Piece::Transcript { told, account, task: None }))
}

/// A transcript in order.
struct Transcript {
    parts: Vec<Part>,
    /// The text that the run ended with; none where it ended otherwise.
    last: Option<String>,
}

enum Part {
    /// Of the user, or the system prompt.
    Words(Role, String),
    /// Of the model.
    Turn(String, Vec<Call>),
}

impl Transcript {
    fn of(written: Vec<Written<'_>>) -> Self {
        let mut parts: Vec<Part> = Vec::with_capacity(written.len());
        let mut by_id: HashMap<String, (usize, usize)> = HashMap::new();
        let mut last = None;
        for message in written {
            last = None;
            let text = text(&message.content);
            match &*message.role {
                "assistant" => {
                    let calls = calls(&message);
                    for (at, call) in calls.iter().enumerate() {
                        if let Some(id) = &call.id {
                            by_id.insert(id.clone(), (parts.len(), at));
                        }
                    }
                    last = (calls.is_empty() && !text.trim().is_empty()).then(|| text.clone());
                    parts.push(Part::Turn(text, calls));
                }
                "tool" | "function" => {
                    let outcome = message.is_error.map(by_mark).or_else(|| ended(&text));
                    answer(&mut parts, &by_id, message.tool_call_id.as_deref(), text, outcome);
                }
                "system" | "developer" => parts.push(Part::Words(Role::System, text)),
                _ => {
                    for (id, text, outcome) in results(&message.content) {
                        answer(&mut parts, &by_id, id.as_deref(), text, outcome);
                    }
                    if !text.is_empty() {
                        parts.push(Part::Words(Role::User, text));
                    }
                }
            }
        }
        Self { parts, last }
    }

    fn calls(&self) -> impl Iterator<Item = &Call> {
        self.parts.iter().flat_map(|part| match part {
            Part::Turn(_, calls) => calls.as_slice(),
            Part::Words(..) => &[],
        })
    }

    /// The same in the form that the scorer judges.
    fn conversation(&self) -> Conversation {
        let mut steps: Vec<Vec<Message>> = vec![Vec::new()];
        let mut turns: Vec<Turn> = Vec::new();
        let mut since_turn = false;
        for part in &self.parts {
            match part {
                Part::Words(role, text) => {
                    if since_turn {
                        steps.push(Vec::new());
                        since_turn = false;
                    }
                    let message =
                        if *role == Role::System { Message::system(text) } else { Message::user(text) };
                    if let Some(step) = steps.last_mut() {
                        step.push(message);
                    }
                }
                Part::Turn(text, calls) => {
                    turns.push(turn(steps.len() - 1, text, calls));
                    since_turn = true;
                }
            }
        }
        Conversation { steps, turns }
    }
}

fn turn(step: usize, text: &str, calls: &[Call]) -> Turn {
    let mut turn = Turn { step, http_status: Some(200), ..Turn::default() };
    if !text.is_empty() {
        turn.observed.items.push(Item::Text(text.to_owned()));
    }
    for call in calls {
        let arguments = match &call.arguments {
            Value::Null => Arguments::Missing,
            Value::String(text) => Arguments::Text(text.clone()),
            other => Arguments::Json(RawJson::from_value(other)),
        };
        let id = call.id.clone().map(CallId);
        let name = EmittedName::Text(call.name.clone());
        turn.observed.items.push(Item::Call(ToolCall { id: id.clone(), name, namespace: None, arguments }));
        if let Some((content, outcome)) = &call.result {
            let name = ToolName::new(&call.name);
            turn.results.push(ToolResult {
                call_id: id,
                name,
                content: content.clone(),
                is_error: *outcome == Some(Outcome::Failed),
            });
        }
    }
    turn
}

/// The calls of a message, in either form.
fn calls(message: &Written<'_>) -> Vec<Call> {
    let of_chat = message.tool_calls.iter().flatten().map(|call| {
        let function = call.function.as_ref();
        Call {
            id: call.id.clone(),
            name: function.and_then(|function| function.name.clone()).unwrap_or_default(),
            arguments: function.map(|function| function.arguments.clone()).unwrap_or_default(),
            result: None,
        }
    });
    let text_of = |block: &Value, key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned);
    let of_blocks = blocks(&message.content, "tool_use").map(|block| Call {
        id: text_of(block, "id"),
        name: text_of(block, "name").unwrap_or_default(),
        arguments: block.get("input").cloned().unwrap_or_default(),
        result: None,
    });
    of_chat.chain(of_blocks).collect()
}

/// How a call ended whose result is marked as an error, or as none.
fn by_mark(is_error: bool) -> Outcome {
    if is_error { Outcome::Failed } else { Outcome::Ok }
}

/// The results that a user's message carries: call id, text, how the call ended.
fn results(content: &Value) -> impl Iterator<Item = (Option<String>, String, Option<Outcome>)> {
    blocks(content, "tool_result").map(|block| {
        let text = text(block.get("content").unwrap_or(&Value::Null));
        let marked = block.get("is_error").and_then(Value::as_bool);
        let outcome = marked.map(by_mark).or_else(|| ended(&text));
        (block.get("tool_use_id").and_then(Value::as_str).map(str::to_owned), text, outcome)
    })
}

/// Ties a result to its call: by id, else to the first call of the last turn that has none.
fn answer(
    parts: &mut [Part],
    by_id: &HashMap<String, (usize, usize)>,
    id: Option<&str>,
    text: String,
    outcome: Option<Outcome>,
) {
    let by_id = id.and_then(|id| by_id.get(id)).copied();
    let call = match by_id {
        Some((part, at)) => match parts.get_mut(part) {
            Some(Part::Turn(_, calls)) => calls.get_mut(at),
            _ => None,
        },
        None => parts
            .iter_mut()
            .rev()
            .find_map(|part| match part {
                Part::Turn(_, calls) => Some(calls.iter_mut().find(|call| call.result.is_none())),
                Part::Words(..) => None,
            })
            .flatten(),
    };
    if let Some(call) = call {
        call.result = Some((text, outcome));
    }
}

fn blocks<'a>(content: &'a Value, kind: &'static str) -> impl Iterator<Item = &'a Value> {
    let blocks = content.as_array().into_iter().flatten();
    blocks.filter(move |block| block.get("type").and_then(Value::as_str) == Some(kind))
}

/// The text of a message's content, whole or in blocks.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block.get("text").and_then(Value::as_str));
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
