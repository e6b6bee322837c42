//! Puts the events of a streamed answer together to the body that an unstreamed one would have. The last event
//! carries it as a rule; items that came whole before count more than its own: some servers end with an empty
//! `output`, and reasoning may be encrypted in full in its own event alone (WIRE.md, "Responses stream").

use std::collections::HashMap;

use serde_json::value::RawValue;
use transcript::RawJson;

use crate::json::{self, Members};
use crate::provider::event_stream::{self, Event};
use crate::provider::json_text::{Object, array, raw};

/// The body, or why there is none in the stream.
pub(super) fn assemble(text: &str) -> Result<RawJson, String> {
    let events = event_stream::events(text);
    let mut answer = Answer::default();
    for event in &events {
        if event.data.trim() == "[DONE]" {
            answer.said_done = true;
            continue;
        }
        let data: &RawValue = serde_json::from_str(&event.data)
            .map_err(|_| "an event stream with an event that is no JSON".to_owned())?;
        let Some(members) = json::members(data) else { continue };
        let kind = json::present_string(&members, "type").or_else(|| event.name.clone()).unwrap_or_default();
        if kind == "error" || (!kind.starts_with("response.") && json::present(&members, "error").is_some()) {
            // Whatever came before it: the answer did not.
            return Ok(error(event, &members));
        }
        answer.take(&kind, &members);
    }
    answer.body()
}

/// The body of an error. An event may say that it is one in its name alone.
fn error(event: &Event, members: &Members<'_>) -> RawJson {
    if json::present(members, "error").is_some() || members.has("type") {
        return raw(&event.data);
    }
    let mut body = Object::new();
    body.member("error", &event.data);
    body.into_raw()
}

/// An answer under way.
#[derive(Default)]
struct Answer<'a> {
    /// The response as the newest event that carries it whole has it.
    response: Option<&'a RawValue>,
    /// Whether that event was a last one.
    ended: bool,
    /// Whether the stream says that it is over, as those of chat completions do.
    said_done: bool,
    /// Items that are done, each with its place in the output.
    done: Vec<(u64, &'a RawValue)>,
    /// Where the item of an id stands in `done`.
    places: HashMap<String, usize>,
    /// How many items were begun.
    added: usize,
    has_pieces: bool,
}

impl<'a> Answer<'a> {
    fn take(&mut self, kind: &str, event: &Members<'a>) {
        match kind {
            "response.created" | "response.queued" | "response.in_progress" if !self.ended => {
                self.response = json::present(event, "response").or(self.response);
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                self.response = json::present(event, "response").or(self.response);
                self.ended |= json::present(event, "response").is_some();
            }
            "response.output_item.added" => self.added += 1,
            "response.output_item.done" => {
                let Some(item) = json::present(event, "item") else { return };
                let index = event.get("output_index").and_then(json::count).unwrap_or(self.done.len() as u64);
                self.item_done(index, item);
            }
            _ => self.has_pieces |= kind.ends_with(".delta"),
        }
    }

    /// An item that is said to be done twice is one item.
    fn item_done(&mut self, index: u64, item: &'a RawValue) {
        let at = self.done.len();
        let place = id(item).map_or(at, |id| *self.places.entry(id).or_insert(at));
        match self.done.get_mut(place) {
            Some(known) => *known = (index, item),
            None => self.done.push((index, item)),
        }
    }

    fn body(mut self) -> Result<RawJson, String> {
        let response = self.response.and_then(json::members);
        if response.is_none() && self.done.is_empty() {
            return Err("an event stream without an answer".to_owned());
        }
        let is_over = self.ended || self.said_done || self.seems_whole();
        if !is_over {
            return Err("an event stream that ends before its answer does".to_owned());
        }
        let output = self.output(response.as_ref());
        if output.is_empty() && self.has_pieces {
            return Err("an event stream of pieces without the items that they belong to".to_owned());
        }
        let mut body = Object::new();
        for (key, value) in response.iter().flat_map(Members::iter) {
            // What the first event says of the status does not hold at the end.
            if key != "output" && (self.ended || key != "status") {
                body.member(key, value.get());
            }
        }
        body.member("output", &array(&output));
        Ok(body.into_raw())
    }

    /// Without a last event: whether all that was begun is done, and the last of it answers something.
    fn seems_whole(&self) -> bool {
        let last = self.done.iter().max_by_key(|(index, _)| *index).and_then(|(_, item)| json::members(item));
        let kind = last.and_then(|item| json::present_string(&item, "type"));
        self.added <= self.done.len() && kind.is_some_and(|kind| kind != "reasoning")
    }

    /// The last event's items, each as its own event had it; where that event has fewer, those that were done.
    fn output(&mut self, response: Option<&Members<'a>>) -> Vec<&'a str> {
        let listed = response.and_then(|response| json::present(response, "output")).and_then(json::elements);
        let listed = listed.filter(|_| self.ended).unwrap_or_default();
        if listed.len() < self.done.len() {
            self.done.sort_by_key(|(index, _)| *index);
            return self.done.iter().map(|(_, item)| item.get()).collect();
        }
        let own = |item: &&'a RawValue| {
            let place = self.places.get(&id(item)?)?;
            self.done.get(*place).map(|(_, done)| done.get())
        };
        listed.iter().map(|item| own(item).unwrap_or_else(|| item.get())).collect()
    }
}

fn id(item: &RawValue) -> Option<String> {
    json::present_string(&json::members(item)?, "id")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(events: &[&str]) -> Result<String, String> {
        let text: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        assemble(&text).map(|body| body.as_str().to_owned())
    }

    const CREATED: &str = r#"{"type":"response.created","response":{"id":"r1","model":"fern-3","status":"in_progress","output":[]}}"#;
    const CALL_ADDED: &str = r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"f","name":"ring"}}"#;
    const CALL: &str = r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"f","call_id":"c","name":"ring","arguments":"{}"}}"#;
    const THOUGHT: &str = r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"t","summary":[],"encrypted_content":"whole"}}"#;

    #[test]
    fn the_last_event_is_the_body_with_items_as_their_own_events_had_them() {
        let last = r#"{"type":"response.completed","response":{"id":"r1","status":"completed","output":[{"type":"reasoning","id":"t","summary":[]},{"type":"function_call","id":"f","call_id":"c","name":"ring","arguments":"{}"}],"usage":{"input_tokens":1.0}}}"#;
        assert_eq!(
            stream(&[CREATED, THOUGHT, CALL, last]).unwrap(),
            r#"{"id":"r1","status":"completed","usage":{"input_tokens":1.0},"output":[{"type":"reasoning","id":"t","summary":[],"encrypted_content":"whole"},{"type":"function_call","id":"f","call_id":"c","name":"ring","arguments":"{}"}]}"#
        );
    }

    #[test]
    fn items_stand_in_for_an_output_that_is_empty_or_never_came() {
        let items = r#""output":[{"type":"reasoning","id":"t","summary":[],"encrypted_content":"whole"},{"type":"function_call","id":"f","call_id":"c","name":"ring","arguments":"{}"}]}"#;
        let last = r#"{"type":"response.completed","response":{"id":"r1","status":"completed","output":[]}}"#;
        let wanted = format!(r#"{{"id":"r1","status":"completed",{items}"#);
        assert_eq!(stream(&[CREATED, CALL_ADDED, CALL, THOUGHT, CALL, last]).unwrap(), wanted);
        let wanted = format!(r#"{{"id":"r1","model":"fern-3",{items}"#);
        assert_eq!(stream(&[CREATED, THOUGHT, CALL_ADDED, CALL]).unwrap(), wanted);
        assert_eq!(stream(&[CREATED, THOUGHT, CALL, "[DONE]"]).unwrap(), wanted);
    }

    #[test]
    fn what_is_no_answer_is_said() {
        assert!(stream(&[r#"{"choices":[]}"#]).unwrap_err().contains("without an answer"));
        assert!(stream(&[CREATED, THOUGHT]).unwrap_err().contains("ends before"));
        assert!(stream(&[CREATED, CALL_ADDED]).unwrap_err().contains("ends before"));
        assert!(stream(&["{"]).unwrap_err().contains("no JSON"));
        let delta = r#"{"type":"response.output_text.delta","delta":"Hi"}"#;
        let last = r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#;
        assert!(stream(&[delta, last]).unwrap_err().contains("pieces"));
    }

    #[test]
    fn an_error_is_the_body_whatever_came_before() {
        let error = r#"{"type":"error","code":"server_error","message":"gone","sequence_number":3}"#;
        assert_eq!(stream(&[CREATED, CALL, error]).unwrap(), error);
        let nested = r#"{"error":{"message":"gone"}}"#;
        assert_eq!(stream(&[nested]).unwrap(), nested);
        let named = assemble("event: error\ndata: {\"message\":\"gone\"}\n\n").unwrap();
        assert_eq!(named.as_str(), r#"{"error":{"message":"gone"}}"#);
    }
}
