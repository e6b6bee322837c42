//! What trace formats have in common: spans in which a model asks for calls, and spans in which a tool runs.
//!
//! A call that a model asked for is an act whether or not a tool span follows: an unknown tool has none. A tool
//! span is the answer of the call whose id it has; without an id it answers the oldest request for its tool in the
//! same trace and record that has no answer, and is a call of its own where there is none. So spans that stand one
//! a line and have no call ids count once as asked for and once as run; a record should hold a whole trace.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use serde_json::Value;

use crate::event::{Context, LogEvent, Sink, Stamp};
use crate::format::value::{
    Locator, arguments, by_id, list, tell_answer, tell_call, tell_moment, text, words,
};

/// A span.
#[derive(Debug, Default)]
pub(super) struct Span {
    pub(super) trace: Option<String>,
    pub(super) conversation: Option<String>,
    pub(super) id: Option<String>,
    pub(super) start: Option<String>,
    pub(super) model: Option<String>,
    pub(super) project: Option<String>,
    /// Calls that the model asks for in it.
    pub(super) requests: Vec<Request>,
    /// Answers that are given back to the model in it.
    pub(super) answers: Vec<(String, String)>,
    /// Tools that it offers.
    pub(super) catalog: Vec<String>,
    /// The tool that runs in it.
    pub(super) tool: Option<ToolRun>,
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) arguments: Option<String>,
}

/// A tool that runs.
#[derive(Debug, Default)]
pub(super) struct ToolRun {
    pub(super) call: Option<String>,
    pub(super) name: String,
    pub(super) arguments: Option<String>,
    pub(super) result: String,
    pub(super) is_error: bool,
}

/// Tells all spans of a record.
pub(super) fn tell(mut spans: Vec<Span>, bytes: &[u8], sink: &mut dyn Sink) {
    let mut locator = Locator::new(bytes);
    spans.sort_by(|one, other| one.start.cmp(&other.start));
    let mut open: HashMap<(Option<String>, String), VecDeque<String>> = HashMap::new();
    for span in &spans {
        locator.go(span.id.as_deref(), sink);
        tell_moment(span.start.as_deref(), sink);
        if let (Some(conversation), Some(trace)) = (&span.conversation, &span.trace) {
            sink.event(LogEvent::Context(Context {
                session: Some(Cow::Borrowed(trace)),
                parent: Some(Cow::Borrowed(conversation)),
                ..Context::default()
            }));
        }
        if !span.catalog.is_empty() {
            let names = span.catalog.iter().map(|name| Cow::Borrowed(name.as_str())).collect();
            sink.event(LogEvent::Catalog(names));
        }
        for (number, request) in span.requests.iter().enumerate() {
            let id = request
                .id
                .clone()
                .unwrap_or_else(|| format!("{}#{number}", span.id.as_deref().unwrap_or_default()));
            let arguments = request.arguments.as_deref().map(Cow::Borrowed);
            // Every layer may write down what the model asked for, so only what runs a call tells it from a namesake.
            let stamp = Stamp { uuid: None, ..stamp(span) };
            tell_call(by_id(Some(&id), None), &request.name, arguments, &stamp, sink);
            open.entry((span.trace.clone(), request.name.clone())).or_default().push_back(id);
        }
        if let Some(id) = span.tool.as_ref().and_then(|run| run.call.as_ref()) {
            for ids in open.values_mut() {
                ids.retain(|open| open != id);
            }
        }
    }
    for span in &spans {
        locator.go(span.id.as_deref(), sink);
        for (id, said) in &span.answers {
            tell_answer(by_id(Some(id), None), Cow::Borrowed(said), None, &stamp(span), sink);
        }
        let Some(run) = &span.tool else { continue };
        let arguments = run.arguments.as_deref().map(Cow::Borrowed);
        let asked = open.get_mut(&(span.trace.clone(), run.name.clone())).filter(|_| run.call.is_none());
        let id = match (&run.call, asked.and_then(VecDeque::pop_front)) {
            (Some(id), _) => {
                // Asked for or not, one act by its id.
                tell_call(by_id(Some(id), None), &run.name, arguments, &stamp(span), sink);
                Some(id.clone())
            }
            (None, Some(id)) => Some(id),
            (None, None) => {
                tell_call(by_id(span.id.as_deref(), None), &run.name, arguments, &stamp(span), sink);
                span.id.clone()
            }
        };
        let of = by_id(id.as_deref(), None);
        tell_answer(of, Cow::Borrowed(&run.result), Some(run.is_error), &stamp(span), sink);
    }
}

fn stamp(span: &Span) -> Stamp<'_> {
    Stamp {
        context: Context {
            session: span.trace.as_deref().map(Cow::Borrowed),
            model: span.model.as_deref().map(Cow::Borrowed),
            project: span.project.as_deref().map(Cow::Borrowed),
            ..Context::default()
        },
        uuid: span.id.as_deref().map(Cow::Borrowed),
        time: span.start.as_deref().map(Cow::Borrowed),
        ..Stamp::default()
    }
}

/// How deep calls are looked for in what a model returned.
const DEEPEST: usize = 10;

/// The calls in what a model returned, in whatever form it is kept: `tool_calls` anywhere, or `tool_use` blocks.
pub(super) fn requests(value: Option<&Value>) -> Vec<Request> {
    let mut out = Vec::new();
    let parsed: Option<Value> =
        value.and_then(Value::as_str).and_then(|text| serde_json::from_str(text).ok());
    if let Some(value) = parsed.as_ref().or(value) {
        collect(value, DEEPEST, &mut out);
    }
    out
}

fn collect(value: &Value, depth: usize, out: &mut Vec<Request>) {
    if depth == 0 {
        return;
    }
    if let Some(items) = value.as_array() {
        items.iter().for_each(|item| collect(item, depth - 1, out));
    }
    let Some(members) = value.as_object() else { return };
    if text(value, &["type"]) == Some("tool_use") && members.contains_key("name") {
        out.extend(request(value));
        return;
    }
    let before = out.len();
    for call in list(value, "tool_calls") {
        let function = call.get("function").filter(|function| function.is_object()).unwrap_or(call);
        let id = text(call, &["id"]).map(str::to_owned);
        out.extend(request(function).map(|request| Request { id, ..request }));
    }
    // Other members repeat the same calls in another form.
    if out.len() == before {
        members.values().for_each(|member| collect(member, depth - 1, out));
    }
}

fn request(value: &Value) -> Option<Request> {
    let given = ["arguments", "args", "input"].iter().find_map(|key| value.get(*key));
    Some(Request {
        id: text(value, &["id"]).map(str::to_owned),
        name: value.get("name")?.as_str()?.to_owned(),
        arguments: arguments(given).map(Cow::into_owned),
    })
}

/// What a tool returned, as text.
pub(super) fn result(value: Option<&Value>) -> String {
    words(value).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_found_once_in_any_form() {
        let names = |value: Value| -> Vec<String> {
            requests(Some(&value)).into_iter().map(|call| call.name).collect()
        };
        let chat =
            json!({"choices": [{"message": {"tool_calls": [{"id": "a", "function": {"name": "moor"}}]}}]});
        assert_eq!(names(chat.clone()), ["moor"]);
        assert_eq!(names(json!(chat.to_string())), ["moor"]);
        let twice = json!({"kwargs": {"tool_calls": [{"id": "a", "name": "moor", "args": {}}],
            "additional_kwargs": {"tool_calls": [{"id": "a", "function": {"name": "moor"}}]}}});
        assert_eq!(names(twice), ["moor"]);
        assert_eq!(
            names(json!({"content": [{"type": "tool_use", "id": "a", "name": "moor", "input": {}}]})),
            ["moor"]
        );
        assert!(requests(None).is_empty() && names(json!("moor")).is_empty());
    }
}
