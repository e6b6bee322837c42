//! What a simulated model reads of a chat-completions request. Schemas stay text until one is needed: a
//! request may offer a hundred tools, and a model that calls none reads none.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A request, borrowed from its body.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    body: &'a str,
    model: Option<Cow<'a, str>>,
    messages: Vec<Said<'a>>,
    tools: Vec<ToolHead<'a>>,
    /// Whether several calls may stand in one response.
    pub(crate) parallel: bool,
    /// Whether calls are allowed at all (`tool_choice: none` forbids them).
    pub(crate) may_call: bool,
}

/// Why a body is refused, in words for an error body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub(crate) String);

#[derive(Debug)]
struct Said<'a> {
    role: Cow<'a, str>,
    content: Option<&'a RawValue>,
    /// Where the message ends in the body.
    end: usize,
}

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow, default)]
    model: Option<Cow<'a, str>>,
    #[serde(borrow)]
    messages: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    tools: Option<Vec<ToolHead<'a>>>,
    #[serde(borrow, default)]
    tool_choice: Option<&'a RawValue>,
    #[serde(default)]
    parallel_tool_calls: Option<bool>,
}

#[derive(Deserialize)]
struct MessageHead<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

/// A tool, nested or flat.
#[derive(Debug, Deserialize)]
struct ToolHead<'a> {
    #[serde(borrow, default)]
    function: Option<Function<'a>>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    parameters: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
struct Function<'a> {
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    parameters: Option<&'a RawValue>,
}

impl ToolHead<'_> {
    fn name(&self) -> &str {
        self.function.as_ref().map_or(&self.name, |function| &function.name)
    }
}

impl<'a> Request<'a> {
    /// Reads a body.
    pub(crate) fn parse(body: &'a [u8]) -> Result<Self, Refused> {
        let body = std::str::from_utf8(body).map_err(|_| Refused("the body is not UTF-8".to_owned()))?;
        let read: Body<'a> = serde_json::from_str(body)
            .map_err(|error| Refused(format!("the body is not a chat-completions request: {error}")))?;
        let messages = read.messages.into_iter().map(|raw| said(body, raw)).collect::<Result<Vec<_>, _>>()?;
        if messages.is_empty() {
            return Err(Refused("`messages` is empty".to_owned()));
        }
        Ok(Self {
            body,
            model: read.model,
            messages,
            tools: read.tools.unwrap_or_default(),
            parallel: read.parallel_tool_calls != Some(false),
            may_call: read.tool_choice.is_none_or(|choice| choice.get() != r#""none""#),
        })
    }

    /// The model that was asked for.
    pub(crate) fn model(&self) -> &str {
        self.model.as_deref().unwrap_or("sim")
    }

    /// Names of the tools offered, in order.
    pub(crate) fn offered(&self) -> impl Iterator<Item = &str> + Clone {
        self.tools.iter().map(ToolHead::name)
    }

    pub(crate) fn offers(&self, name: &str) -> bool {
        self.offered().any(|offered| offered == name)
    }

    /// The schema of an offered tool; `null` where it has none.
    pub(crate) fn schema(&self, name: &str) -> Value {
        let tool = self.tools.iter().find(|tool| tool.name() == name);
        let raw = tool.and_then(|tool| match &tool.function {
            Some(function) => function.parameters,
            None => tool.parameters,
        });
        raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or(Value::Null)
    }

    /// The user's messages with their places.
    pub(crate) fn user_words(&self) -> impl Iterator<Item = (usize, String)> {
        self.messages
            .iter()
            .enumerate()
            .filter(|(_, said)| said.role == "user")
            .map(|(at, said)| (at, said.text()))
    }

    /// The system prompt.
    pub(crate) fn system(&self) -> String {
        let instructs = |said: &&Said<'_>| matches!(said.role.as_ref(), "system" | "developer");
        self.messages.iter().find(instructs).map(Said::text).unwrap_or_default()
    }

    /// The place of the last user message before any assistant message: where a trial's first request ends
    /// as far as the request itself shows.
    pub(crate) fn first_question(&self) -> usize {
        let opening = self.messages.iter().take_while(|said| said.role != "assistant");
        let asked = opening.enumerate().filter(|(_, said)| said.role == "user").last();
        asked.map_or(0, |(at, _)| at)
    }

    /// Which step of a conversation this is, and the place of the message that opens it: the first one is at this
    /// place, and each later user message opens another, as far as there are so many.
    pub(crate) fn step(&self, first: usize, later: usize) -> (usize, usize) {
        let users = self.messages.iter().enumerate().filter(|(at, said)| *at > first && said.role == "user");
        users.take(later).fold((0, first), |(step, _), (at, _)| (step + 1, at))
    }

    /// The body as it was when the message at this place was the last one: what stands before the message's
    /// end, and what stands behind the end of the list's last message.
    pub(crate) fn first_body(&self, question: usize) -> (&'a [u8], &'a [u8]) {
        let end_of = |said: Option<&Said<'_>>| said.map_or(self.body.len(), |said| said.end);
        let head = self.body.get(..end_of(self.messages.get(question))).unwrap_or(self.body);
        let tail = self.body.get(end_of(self.messages.last())..).unwrap_or_default();
        (head.as_bytes(), tail.as_bytes())
    }

    /// What was said after the message at this place, as text.
    pub(crate) fn later(&self, question: usize) -> &'a [u8] {
        let end = |said: Option<&Said<'_>>| said.map_or(0, |said| said.end);
        let later = self.body.get(end(self.messages.get(question))..end(self.messages.last()));
        later.unwrap_or_default().as_bytes()
    }

    /// How often the model has answered since the message at this place.
    pub(crate) fn turn(&self, question: usize) -> usize {
        self.since(question).filter(|said| said.role == "assistant").count()
    }

    /// What tools have returned since the message at this place.
    pub(crate) fn results(&self, question: usize) -> impl Iterator<Item = String> {
        self.since(question).filter(|said| said.role == "tool").map(Said::text)
    }

    fn since(&self, question: usize) -> impl Iterator<Item = &Said<'a>> {
        self.messages.iter().skip(question + 1)
    }
}

impl Said<'_> {
    /// The text; that of its parts where it has parts.
    fn text(&self) -> String {
        let Some(raw) = self.content else { return String::new() };
        if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
            return text;
        }
        let parts: Vec<Value> = serde_json::from_str(raw.get()).unwrap_or_default();
        parts.iter().filter_map(|part| part.get("text")?.as_str()).collect()
    }
}

fn said<'a>(body: &str, raw: &'a RawValue) -> Result<Said<'a>, Refused> {
    let text = raw.get();
    let head: MessageHead<'a> =
        serde_json::from_str(text).map_err(|error| Refused(format!("a message cannot be read: {error}")))?;
    // Both are slices of one buffer, so the difference of their addresses is the message's place in it.
    let start = (text.as_ptr() as usize).saturating_sub(body.as_ptr() as usize);
    Ok(Said { role: head.role, content: head.content, end: start + text.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = r#"{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"a \"b\""}],"tools":[{"type":"function","function":{"name":"dig","parameters":{"type":"object"}}},{"type":"function","name":"sow"}]}"#;

    #[test]
    fn reads_nested_and_flat_tools_and_escaped_text() {
        let request = Request::parse(FIRST.as_bytes()).unwrap();
        assert_eq!(request.offered().collect::<Vec<_>>(), ["dig", "sow"]);
        assert_eq!(request.schema("dig"), serde_json::json!({ "type": "object" }));
        assert_eq!(request.schema("sow"), Value::Null);
        assert_eq!(request.user_words().collect::<Vec<_>>(), [(1, "a \"b\"".to_owned())]);
        assert_eq!((request.model(), request.parallel, request.may_call), ("m", true, true));
    }

    #[test]
    fn a_later_request_gives_back_the_first_body() {
        let later = FIRST.replace(
            r#"}],"tools""#,
            r#"},{"role":"assistant","content":null},{"role":"tool","content":[{"type":"text","text":"ok"}]}],"tools""#,
        );
        let (first, later) =
            (Request::parse(FIRST.as_bytes()).unwrap(), Request::parse(later.as_bytes()).unwrap());
        assert_eq!(later.first_question(), 1);
        assert_eq!(first.first_body(1), later.first_body(1));
        assert_eq!((first.turn(1), later.turn(1)), (0, 1));
        assert_eq!(later.results(1).collect::<Vec<_>>(), ["ok"]);
    }

    #[test]
    fn a_body_that_is_no_request_is_refused_in_words() {
        for body in ["{", "[]", "{}", r#"{"messages":[]}"#, r#"{"messages":[{}]}"#, "\u{0}"] {
            assert!(Request::parse(body.as_bytes()).is_err(), "{body}");
        }
        assert!(Request::parse(b"\xff").is_err());
    }
}
