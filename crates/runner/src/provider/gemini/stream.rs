//! Puts the chunks of a streamed answer together to the body that an unstreamed one would have. Chunks are answers
//! of their own: their parts are appended, and texts in a row are one text.

use indexmap::IndexMap;
use serde_json::value::RawValue;
use transcript::RawJson;

use crate::json::{self, Members};
use crate::provider::event_stream::events;
use crate::provider::json_text::{Object, array};

/// The body of `:streamGenerateContent?alt=sse`, or why there is none in the stream.
pub(super) fn of_events(text: &str) -> Result<RawJson, String> {
    let events = events(text);
    assemble(events.iter().map(|event| event.data.as_str()).filter(|data| data.trim() != "[DONE]"))
}

/// The body of `:streamGenerateContent`, which is a list of chunks. None where the list is none of answers.
pub(super) fn of_list(body: &RawJson) -> Option<Result<RawJson, String>> {
    let body: &RawValue = serde_json::from_str(body.as_str()).ok()?;
    let chunks = json::elements(body)?;
    let is_chunk = |raw: &&RawValue| json::members(raw).is_some_and(|members| members.has("candidates"));
    chunks.iter().any(is_chunk).then(|| assemble(chunks.iter().map(|raw| raw.get())))
}

fn assemble<'a>(chunks: impl Iterator<Item = &'a str>) -> Result<RawJson, String> {
    let mut answer = Answer::default();
    for text in chunks {
        let chunk =
            RawJson::parse(text).map_err(|_| "an event stream with a chunk that is no JSON".to_owned())?;
        let Some(members) = json::parse_members(chunk.as_str()) else {
            return Err("an event stream with a chunk that is no object".to_owned());
        };
        if json::present(&members, "error").is_some() {
            // Whatever came before it: the answer did not.
            return Ok(chunk);
        }
        answer.take(&members);
    }
    answer.body()
}

/// Members by key, as JSON text.
type Texts = IndexMap<String, String>;

fn object(texts: &Texts) -> Object {
    let mut out = Object::new();
    for (key, value) in texts {
        out.member(key, value);
    }
    out
}

/// An answer under way.
#[derive(Default)]
struct Answer {
    /// Members of the body beside the candidates.
    outer: Texts,
    candidate: Texts,
    content: Texts,
    parts: Vec<Part>,
    has_candidate: bool,
    is_blocked: bool,
}

enum Part {
    /// Text that the next part may go on with.
    Text {
        /// The inside of the JSON string: pieces of it are joined before anybody decodes it.
        text: String,
        thought: Option<String>,
        signature: Option<String>,
    },
    /// Anything else, as it came.
    Other(String),
}

impl Answer {
    fn take(&mut self, chunk: &Members<'_>) {
        for (key, value) in chunk.iter().filter(|(key, value)| *key != "candidates" && !json::is_null(value))
        {
            // Usage is a running count; whatever else a chunk says of the answer, the first one says.
            if key == "usageMetadata" || !self.outer.contains_key(key) {
                self.outer.insert(key.to_owned(), value.get().to_owned());
            }
        }
        let feedback = json::present(chunk, "promptFeedback").and_then(json::members);
        self.is_blocked |= feedback.is_some_and(|feedback| json::present(&feedback, "blockReason").is_some());
        let candidates = json::present(chunk, "candidates").and_then(json::elements).unwrap_or_default();
        // One candidate is asked for; what further ones say is none of it.
        let is_first = |members: &Members<'_>| members.get("index").and_then(json::count).unwrap_or(0) == 0;
        for candidate in candidates.into_iter().filter_map(json::members).filter(is_first) {
            self.has_candidate = true;
            for (key, value) in candidate.iter().filter(|(_, value)| !json::is_null(value)) {
                if key != "content" {
                    self.candidate.insert(key.to_owned(), value.get().to_owned());
                } else if let Some(content) = json::members(value) {
                    self.take_content(&content);
                }
            }
        }
    }

    fn take_content(&mut self, content: &Members<'_>) {
        for (key, value) in content.iter().filter(|(_, value)| !json::is_null(value)) {
            if key != "parts" {
                self.content.insert(key.to_owned(), value.get().to_owned());
            } else if let Some(parts) = json::elements(value) {
                parts.into_iter().for_each(|part| self.take_part(part));
            }
        }
    }

    fn take_part(&mut self, raw: &RawValue) {
        let part = Part::of(raw);
        if let (
            Some(Part::Text { text, thought, signature: signature @ None }),
            Part::Text { text: more, thought: same, signature: theirs },
        ) = (self.parts.last_mut(), &part)
            && thought == same
        {
            text.push_str(more);
            signature.clone_from(theirs);
            return;
        }
        self.parts.push(part);
    }

    fn body(self) -> Result<RawJson, String> {
        if !self.has_candidate && !self.is_blocked {
            return Err("an event stream without an answer".to_owned());
        }
        if self.has_candidate && !self.candidate.contains_key("finishReason") {
            return Err("an event stream that ends before its answer does".to_owned());
        }
        let mut out = Object::new();
        if self.has_candidate {
            let mut content = object(&self.content);
            content.member("parts", &array(self.parts.into_iter().map(Part::json)));
            let mut candidate = Object::new();
            candidate.member("content", &content.finish());
            for (key, value) in &self.candidate {
                candidate.member(key, value);
            }
            out.member("candidates", &array([candidate.finish()]));
        }
        for (key, value) in &self.outer {
            out.member(key, value);
        }
        Ok(out.into_raw())
    }
}

impl Part {
    fn of(raw: &RawValue) -> Self {
        Self::text(raw).unwrap_or_else(|| Self::Other(raw.get().to_owned()))
    }

    fn text(raw: &RawValue) -> Option<Self> {
        let members = json::members(raw)?;
        if members.iter().any(|(key, _)| !matches!(key, "text" | "thought" | "thoughtSignature")) {
            return None;
        }
        let text = members.get("text")?.get().strip_prefix('"')?.strip_suffix('"')?.to_owned();
        let other = |key: &str| members.get(key).map(|raw| raw.get().to_owned());
        Some(Self::Text { text, thought: other("thought"), signature: other("thoughtSignature") })
    }

    fn json(self) -> String {
        match self {
            Self::Other(text) => text,
            Self::Text { text, thought, signature } => {
                let mut out = Object::new();
                out.member("text", &format!("\"{text}\""));
                for (key, value) in [("thought", thought), ("thoughtSignature", signature)] {
                    if let Some(value) = value {
                        out.member(key, &value);
                    }
                }
                out.finish()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(part: &str, rest: &str) -> String {
        format!(r#"{{"candidates":[{{"content":{{"parts":[{part}],"role":"model"}}{rest}}}]}}"#)
    }

    fn stream(chunks: &[String]) -> String {
        chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect()
    }

    #[test]
    fn parts_are_appended_and_texts_in_a_row_are_one() {
        let chunks = [
            chunk(r#"{"text":"Hm","thought":true}"#, ""),
            chunk(r#"{"text":"The b\u00f8"}"#, ""),
            chunk(r#"{"text":"at \ud83d"}"#, ""),
            chunk(r#"{"text":"\ude42"}"#, ""),
            chunk(r#"{"text":"","thoughtSignature":"Zz=="}"#, ""),
            chunk(r#"{"functionCall":{"name":"moor","args":{"n":1.0}}}"#, r#","finishReason":"STOP""#),
        ];
        let body = of_events(&stream(&chunks)).unwrap();
        assert_eq!(
            body.as_str(),
            concat!(
                r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"Hm","thought":true},"#,
                r#"{"text":"The b\u00f8at \ud83d\ude42","thoughtSignature":"Zz=="},"#,
                r#"{"functionCall":{"name":"moor","args":{"n":1.0}}}]},"finishReason":"STOP"}]}"#
            )
        );
    }

    #[test]
    fn a_text_behind_a_signed_one_is_a_part_of_its_own() {
        let chunks = [
            chunk(r#"{"text":"A","thoughtSignature":"Zz=="}"#, ""),
            chunk(r#"{"text":"B"}"#, r#","finishReason":"STOP""#),
        ];
        let body = of_events(&stream(&chunks)).unwrap();
        assert!(body.as_str().contains(r#"[{"text":"A","thoughtSignature":"Zz=="},{"text":"B"}]"#));
    }

    #[test]
    fn a_list_of_chunks_is_a_stream_and_other_lists_are_none() {
        let list = |text: &str| of_list(&RawJson::parse(text).unwrap());
        let chunks = format!(
            "[{},{}]",
            chunk(r#"{"text":"A"}"#, ""),
            chunk(r#"{"text":"B"}"#, r#","finishReason":"STOP""#)
        );
        assert!(list(&chunks).unwrap().unwrap().as_str().contains(r#"{"text":"AB"}"#));
        assert!(
            list("[]").is_none() && list(r#"[{"error":{"code":500}}]"#).is_none() && list("{}").is_none()
        );
    }

    #[test]
    fn what_is_no_answer_is_said() {
        let error = |text: &str| of_events(text).unwrap_err();
        assert!(error("data: {\"usageMetadata\":{}}\n\n").contains("without an answer"));
        assert!(error(&stream(&[chunk(r#"{"text":"A"}"#, "")])).contains("ends before"));
        assert!(error("data: {\n\n").contains("no JSON") && error("data: 7\n\n").contains("no object"));
        let blocked = "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\n\n";
        assert!(of_events(blocked).unwrap().as_str().contains("SAFETY"));
        let failed = "data: {\"error\":{\"message\":\"gone\"}}\n\n";
        assert!(of_events(failed).unwrap().as_str().contains("gone"));
    }
}
