//! Puts the chunks of a streamed answer together to the body that an unstreamed one would have (WIRE.md, "Chat
//! stream").

use serde_json::{Map, Value, json};
use transcript::RawJson;

use crate::provider::event_stream::events;

/// The body, or why there is none in the stream.
pub(super) fn assemble(text: &str) -> Result<RawJson, String> {
    let mut answer = Answer::default();
    for event in events(text) {
        if event.data.trim() == "[DONE]" {
            answer.ended = true;
            continue;
        }
        let chunk: Value = serde_json::from_str(&event.data)
            .map_err(|_| "an event stream with a chunk that is no JSON".to_owned())?;
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            // Whatever came before it: the answer did not.
            return Ok(RawJson::from_value(&chunk));
        }
        answer.take(&chunk);
    }
    answer.body()
}

/// Members of a message whose pieces are texts to be joined.
const TEXTS: &[&str] = &["content", "refusal", "reasoning", "reasoning_content"];

/// An answer under way.
#[derive(Default)]
struct Answer {
    /// Members of the body beside the choices, as the first chunk that has them says.
    outer: Map<String, Value>,
    message: Map<String, Value>,
    calls: Vec<Call>,
    choice: Map<String, Value>,
    /// Whether the stream says that it is over.
    ended: bool,
    has_choice: bool,
}

/// A call under way: its place in the chunks, and what came of it so far.
struct Call {
    index: u64,
    id: String,
    name: Option<String>,
    arguments: Option<String>,
    /// Members that are kept as they came.
    others: Map<String, Value>,
    function_others: Map<String, Value>,
}

impl Answer {
    fn take(&mut self, chunk: &Value) {
        for (key, value) in chunk.as_object().into_iter().flatten() {
            // Usage comes last, and some servers send a running count.
            if key == "usage" && !value.is_null() {
                self.outer.insert(key.clone(), value.clone());
            } else if key != "choices" && !value.is_null() {
                self.outer.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        let choices = chunk.get("choices").and_then(Value::as_array).into_iter().flatten();
        // One answer is asked for; what further choices say is none of it.
        for choice in choices.filter(|choice| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0) {
            self.has_choice = true;
            for (key, value) in choice.as_object().into_iter().flatten() {
                if key != "delta" && key != "message" && !value.is_null() {
                    self.choice.insert(key.clone(), value.clone());
                }
            }
            let delta = choice.get("delta").or_else(|| choice.get("message"));
            for (key, value) in delta.and_then(Value::as_object).into_iter().flatten() {
                self.piece(key, value);
            }
        }
    }

    fn piece(&mut self, key: &str, value: &Value) {
        match (key, value) {
            (_, Value::Null) => {}
            ("tool_calls", Value::Array(calls)) => calls.iter().for_each(|call| self.call(call)),
            (key, Value::String(text)) if TEXTS.contains(&key) => match self.message.get_mut(key) {
                Some(Value::String(so_far)) => so_far.push_str(text),
                _ => {
                    self.message.insert(key.to_owned(), Value::String(text.clone()));
                }
            },
            (key, Value::Array(parts)) => match self.message.get_mut(key) {
                Some(Value::Array(so_far)) => so_far.extend(parts.iter().cloned()),
                _ => {
                    self.message.insert(key.to_owned(), value.clone());
                }
            },
            (key, value) => {
                self.message.insert(key.to_owned(), value.clone());
            }
        }
    }

    /// A piece of a call. A new id opens a call, whatever its index says; a name is joined unless the piece says
    /// the whole name again, as some servers do with every chunk (WIRE.md 0.9).
    fn call(&mut self, piece: &Value) {
        let id = piece.get("id").and_then(Value::as_str).unwrap_or_default();
        let last = self.calls.last().map_or(0, |call| call.index);
        let index = piece.get("index").and_then(Value::as_u64).unwrap_or(last);
        let open = self.calls.iter_mut().rev().find(|call| call.index == index);
        let call = match open.filter(|call| id.is_empty() || call.id.is_empty() || call.id == id) {
            Some(call) => call,
            None => {
                self.calls.push(Call {
                    index,
                    id: String::new(),
                    name: None,
                    arguments: None,
                    others: Map::new(),
                    function_others: Map::new(),
                });
                let at = self.calls.len() - 1;
                &mut self.calls[at]
            }
        };
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        for (key, value) in piece.as_object().into_iter().flatten() {
            if !matches!(key.as_str(), "index" | "id" | "function") && !value.is_null() {
                call.others.insert(key.clone(), value.clone());
            }
        }
        for (key, value) in piece.get("function").and_then(Value::as_object).into_iter().flatten() {
            match (key.as_str(), value) {
                (_, Value::Null) => {}
                ("name", Value::String(name)) => {
                    let so_far = call.name.get_or_insert_default();
                    if so_far.is_empty() || so_far != name {
                        so_far.push_str(name);
                    }
                }
                ("arguments", value) => {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    call.arguments.get_or_insert_default().push_str(&text);
                }
                (key, value) => {
                    call.function_others.insert(key.to_owned(), value.clone());
                }
            }
        }
    }

    fn body(mut self) -> Result<RawJson, String> {
        if !self.has_choice {
            return Err("an event stream without an answer".to_owned());
        }
        if !self.ended && !self.choice.contains_key("finish_reason") {
            return Err("an event stream that ends before its answer does".to_owned());
        }
        if !self.calls.is_empty() {
            let calls = self.calls.into_iter().map(Call::value).collect();
            self.message.insert("tool_calls".to_owned(), Value::Array(calls));
        }
        self.choice.insert("message".to_owned(), Value::Object(self.message));
        self.outer.insert("choices".to_owned(), json!([self.choice]));
        Ok(RawJson::from_value(&Value::Object(self.outer)))
    }
}

impl Call {
    fn value(self) -> Value {
        let mut function = Map::new();
        function.extend(self.name.map(|name| ("name".to_owned(), Value::String(name))));
        function.extend(self.arguments.map(|text| ("arguments".to_owned(), Value::String(text))));
        function.extend(self.function_others);
        let mut call = Map::new();
        if !self.id.is_empty() {
            call.insert("id".to_owned(), Value::String(self.id));
        }
        call.extend(self.others);
        call.insert("function".to_owned(), Value::Object(function));
        Value::Object(call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(chunks: &[Value]) -> String {
        let lines = chunks.iter().map(|chunk| format!("data: {chunk}\n\n"));
        lines.chain(["data: [DONE]\n\n".to_owned()]).collect()
    }

    fn delta(delta: Value) -> Value {
        json!({ "id": "c1", "model": "fern-2", "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
    }

    fn calls(chunks: &[Value]) -> Value {
        let body = assemble(&stream(chunks)).unwrap().to_value().unwrap();
        body["choices"][0]["message"]["tool_calls"].clone()
    }

    #[test]
    fn pieces_become_the_body_of_an_unstreamed_answer() {
        let chunks = [
            delta(json!({ "role": "assistant", "content": "It is " })),
            delta(json!({ "content": "there." })),
            json!({ "id": "c1", "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }),
            json!({ "id": "c1", "choices": [], "usage": { "prompt_tokens": 3, "completion_tokens": 4 } }),
        ];
        let body = assemble(&stream(&chunks)).unwrap().to_value().unwrap();
        assert_eq!(body["choices"][0]["message"], json!({ "role": "assistant", "content": "It is there." }));
        assert_eq!(body["choices"][0]["finish_reason"], "stop");
        assert_eq!((&body["model"], &body["usage"]["prompt_tokens"]), (&json!("fern-2"), &json!(3)));
    }

    #[test]
    fn names_in_pieces_are_joined_and_names_said_again_are_not() {
        let piece = |index: u64, id: Value, name: Value, arguments: &str| {
            delta(
                json!({ "tool_calls": [{ "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] }),
            )
        };
        let null = Value::Null;
        let joined = calls(&[
            piece(0, json!("a"), json!("get_"), ""),
            piece(0, null.clone(), json!("parcel"), "{\"n\":"),
            piece(0, null.clone(), null.clone(), "1}"),
        ]);
        assert_eq!(
            joined,
            json!([{ "id": "a", "function": { "name": "get_parcel", "arguments": "{\"n\":1}" } }])
        );
        let again = calls(&[
            piece(0, json!("a"), json!("ping"), "{"),
            piece(0, json!("a"), json!("ping"), "}"),
            piece(0, json!("b"), json!("pong"), "{}"),
        ]);
        assert_eq!(again[0]["function"], json!({ "name": "ping", "arguments": "{}" }));
        assert_eq!((&again[1]["id"], &again[1]["function"]["name"]), (&json!("b"), &json!("pong")));
    }

    #[test]
    fn what_is_no_answer_is_said() {
        assert!(assemble("data: {\"id\":\"c1\"}\n\n").unwrap_err().contains("without an answer"));
        let cut = format!("data: {}\n\n", delta(json!({ "content": "It" })));
        assert!(assemble(&cut).unwrap_err().contains("ends before"));
        assert!(assemble("data: {\n\n").unwrap_err().contains("no JSON"));
        let failed = "data: {\"error\":{\"message\":\"gone\"}}\n\n";
        assert!(assemble(failed).unwrap().as_str().contains("gone"));
    }
}
