//! Puts the events of a streamed message together to the body that an unstreamed one would have (WIRE.md, "Anthropic
//! stream"). Strings are joined as they are written, so that a signature, or a character that two events share, comes
//! out whole.

use serde_json::value::RawValue;
use transcript::RawJson;

use crate::json::{self, Members};
use crate::provider::event_stream::events;
use crate::provider::json_text::{Object, array, json_text, raw};

/// The body, or why there is none in the stream.
pub(super) fn assemble(text: &str) -> Result<RawJson, String> {
    let mut message = Message::default();
    for event in events(text) {
        let data: &RawValue = serde_json::from_str(&event.data)
            .map_err(|_| "an event stream with an event that is no JSON".to_owned())?;
        let members = json::members(data)
            .ok_or_else(|| "an event stream with an event that is no object".to_owned())?;
        let kind = json::present_string(&members, "type").or(event.name).unwrap_or_default();
        if kind == "error" || json::present(&members, "error").is_some() {
            // Whatever came before it: the answer did not.
            return Ok(raw(data.get()));
        }
        message.take(&kind, &members)?;
    }
    message.body()
}

/// Members by name, in the order in which they came, as JSON texts.
#[derive(Default)]
struct Fields(Vec<(String, String)>);

impl Fields {
    fn of(members: &Members<'_>) -> Self {
        Self(members.iter().map(|(key, value)| (key.to_owned(), value.get().to_owned())).collect())
    }

    fn get_mut(&mut self, key: &str) -> Option<&mut String> {
        self.0.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    fn set(&mut self, key: &str, value: String) {
        match self.get_mut(key) {
            Some(own) => *own = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    fn set_present(&mut self, members: &Members<'_>) {
        for (key, value) in members.iter().filter(|(_, value)| !json::is_null(value)) {
            self.set(key, value.get().to_owned());
        }
    }

    /// Appends to a string: the two texts without the quotes between them.
    fn join(&mut self, key: &str, piece: &RawValue) {
        let piece = piece.get();
        let Some(inner) = piece.strip_prefix('"') else { return };
        match self.get_mut(key) {
            Some(own) if own.starts_with('"') => {
                own.pop();
                own.push_str(inner);
            }
            _ => self.set(key, piece.to_owned()),
        }
    }

    /// Appends to a list.
    fn push(&mut self, key: &str, element: &RawValue) {
        match self.get_mut(key) {
            Some(own) if own.starts_with('[') => {
                own.pop();
                own.push_str(if own.len() > 1 { "," } else { "" });
                own.push_str(element.get());
                own.push(']');
            }
            _ => self.set(key, array([element.get()])),
        }
    }

    fn text(&self) -> String {
        let mut out = Object::new();
        for (key, value) in &self.0 {
            out.member(key, value);
        }
        out.finish()
    }
}

/// A message under way.
#[derive(Default)]
struct Message {
    /// Members beside the content.
    outer: Fields,
    usage: Fields,
    blocks: Vec<Block>,
    started: bool,
    /// Whether the stream says that the message is over.
    ended: bool,
}

/// A block under way.
struct Block {
    index: u64,
    fields: Fields,
    /// The text of a call's input so far, as a JSON string under this one key.
    input: Fields,
}

const INPUT: &str = "input";

impl Message {
    fn take(&mut self, kind: &str, event: &Members<'_>) -> Result<(), String> {
        let index = || event.get("index").and_then(json::count).unwrap_or(0);
        let inner = |key: &str| json::present(event, key).and_then(json::members).unwrap_or_default();
        match kind {
            "message_start" => {
                self.started = true;
                let message = inner("message");
                self.outer = Fields::of(&message);
                self.outer.0.retain(|(key, _)| key != "content" && key != "usage");
                self.add_usage(&message);
            }
            "content_block_start" => {
                let fields = Fields::of(&inner("content_block"));
                self.blocks.push(Block { index: index(), fields, input: Fields::default() });
            }
            "content_block_delta" => {
                let index = index();
                let block = self.blocks.iter_mut().rev().find(|block| block.index == index);
                let block = block
                    .ok_or_else(|| "an event stream with a piece of a block that never began".to_owned())?;
                block.take(&inner("delta"));
            }
            "message_delta" => {
                self.outer.set_present(&inner("delta"));
                self.add_usage(event);
                for (key, value) in event.iter().filter(|(_, value)| !json::is_null(value)) {
                    if !matches!(key, "type" | "delta" | "usage") {
                        self.outer.set(key, value.get().to_owned());
                    }
                }
                self.ended |= self.outer.get_mut("stop_reason").is_some_and(|reason| reason != "null");
            }
            "message_stop" => self.ended = true,
            _ => {}
        }
        Ok(())
    }

    /// Counts of later events are sums so far: they take the place of earlier ones, where they are there at all.
    fn add_usage(&mut self, around: &Members<'_>) {
        if let Some(usage) = json::present(around, "usage").and_then(json::members) {
            self.usage.set_present(&usage);
        }
    }

    fn body(mut self) -> Result<RawJson, String> {
        if !self.started {
            return Err("an event stream without an answer".to_owned());
        }
        if !self.ended {
            return Err("an event stream that ends before its answer does".to_owned());
        }
        self.outer.set("content", array(self.blocks.into_iter().map(Block::text)));
        if !self.usage.0.is_empty() {
            self.outer.set("usage", self.usage.text());
        }
        Ok(raw(&self.outer.text()))
    }
}

impl Block {
    fn take(&mut self, delta: &Members<'_>) {
        let kind = json::present_string(delta, "type").unwrap_or_default();
        for (key, value) in delta.iter().filter(|(key, value)| *key != "type" && !json::is_null(value)) {
            match (kind.as_str(), key) {
                ("text_delta", "text") | ("thinking_delta", "thinking") => self.fields.join(key, value),
                ("input_json_delta", "partial_json") => self.input.join(INPUT, value),
                ("citations_delta", "citation") => self.fields.push("citations", value),
                // A signature comes whole.
                _ => self.fields.set(key, value.get().to_owned()),
            }
        }
    }

    /// Input that is no JSON stays the text that it is. No text at all means what the block began with, or else `{}`.
    fn text(mut self) -> String {
        if let Some(written) = self.input.get_mut(INPUT) {
            let decoded = serde_json::from_str::<&RawValue>(written).ok().and_then(json::string);
            let decoded = decoded.unwrap_or_default();
            match RawJson::parse(&decoded) {
                Ok(input) => self.fields.set(INPUT, input.as_str().to_owned()),
                Err(_) if !decoded.is_empty() => self.fields.set(INPUT, json_text(&decoded)),
                Err(_) if self.fields.get_mut(INPUT).is_none() => self.fields.set(INPUT, "{}".to_owned()),
                Err(_) => {}
            }
        }
        self.fields.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(events: &[&str]) -> String {
        let start = r#"{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"oak-3","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}"#;
        let end = [
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":12}}"#,
            r#"{"type":"message_stop"}"#,
        ];
        let all = [start].into_iter().chain(events.iter().copied()).chain(end);
        all.map(|event| format!("data: {event}\n\n")).collect()
    }

    fn content(events: &[&str]) -> String {
        let body = assemble(&stream(events)).unwrap();
        let members = json::parse_members(body.as_str()).unwrap();
        members.get("content").unwrap().get().to_owned()
    }

    #[test]
    fn strings_are_joined_as_they_are_written() {
        let text = content(&[
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"clay \ud83d"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\ude00 h\u00e9"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"S1=="}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
        ]);
        assert_eq!(
            text,
            r#"[{"type":"thinking","thinking":"clay \ud83d\ude00 h\u00e9","signature":"S1=="}]"#
        );
    }

    #[test]
    fn input_keeps_its_numbers_and_what_is_none_stays_text() {
        let call = |pieces: &[&str]| {
            let mut events = vec![
                r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"fire_kiln","input":{}}}"#.to_owned(),
            ];
            events.extend(pieces.iter().map(|piece| {
                let delta = format!(r#"{{"type":"input_json_delta","partial_json":{}}}"#, json_text(*piece));
                format!(r#"{{"type":"content_block_delta","index":1,"delta":{delta}}}"#)
            }));
            let events: Vec<&str> = events.iter().map(String::as_str).collect();
            let text = content(&events);
            let block = json::parse_members(text.trim_matches(['[', ']'])).unwrap();
            block.get(INPUT).unwrap().get().to_owned()
        };
        assert_eq!(call(&["", r#"{"degrees": 98"#, r#"0.50}"#]), r#"{"degrees":980.50}"#);
        assert_eq!(call(&[""]), "{}");
        assert_eq!(call(&[]), "{}");
        assert_eq!(call(&[r#"{"degrees": 9"#]), r#""{\"degrees\": 9""#);
    }

    #[test]
    fn later_counts_take_the_place_of_earlier_ones() {
        let body = assemble(&stream(&[])).unwrap();
        let wanted = r#"{"id":"m1","type":"message","role":"assistant","model":"oak-3","stop_reason":"end_turn","content":[],"usage":{"input_tokens":9,"output_tokens":12}}"#;
        assert_eq!(body.as_str(), wanted);
    }

    #[test]
    fn what_is_no_answer_is_said() {
        let whole = stream(&[]);
        assert!(assemble("data: {\"type\":\"ping\"}\n\n").unwrap_err().contains("without an answer"));
        let cut = whole.split_once("data: {\"type\":\"message_delta\"").unwrap().0;
        assert!(assemble(cut).unwrap_err().contains("ends before"));
        let orphan = r#"{"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"a"}}"#;
        assert!(assemble(&stream(&[orphan])).unwrap_err().contains("never began"));
        assert!(assemble("data: {\n\n").unwrap_err().contains("no JSON"));
        assert!(assemble("data: 7\n\n").unwrap_err().contains("no object"));
        let failed = "event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"full\"}}\n\n";
        assert!(assemble(&format!("{cut}{failed}")).unwrap().as_str().contains("full"));
    }
}
