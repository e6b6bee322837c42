//! Servers that hide what a model does: faults of the layer between a model and whoever asks it, put on purpose over a
//! simulated model, so that a check of servers can be held against servers that are known.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde_json::{Value, json};

use crate::answer::{Answer, EmittedCall};
use crate::draw::Key;

/// What a server does to requests and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ServingFault {
    /// Never shows the tools to the model, and answers 200.
    Blind,
    /// Constrains calls to the tools that are offered: their names, and arguments by their schemas.
    Constrained,
    /// Drops calls of tools that are not offered.
    Filtering,
    /// Takes calls of tools that are not offered for the nearest one that is.
    Rewriting,
    /// Hands calls of tools that are not offered back as text.
    HandingBack,
    /// Leaves the markup of every call in the text.
    Leaking,
    /// Reads no `tool_choice`.
    IgnoringChoice,
    /// Refuses every `tool_choice` but `auto` and `none`.
    RefusingChoice,
    /// Reads no `parallel_tool_calls`.
    IgnoringParallel,
    /// Makes the arguments of strict tools keep to their schemas.
    EnforcingStrict,
    /// Refuses tools that are strict.
    RefusingStrict,
    /// Answers equal requests with equal bodies.
    Replaying,
    /// Counts no tokens of prompts.
    NoUsage,
    /// Reads no limit on tokens.
    IgnoringLimit,
    /// Writes the arguments of a call without any as an empty text.
    EmptyArguments,
    /// Refuses members of the body that it does not know.
    RefusingMembers,
}

/// Every fault by its name.
const FAULTS: [(&str, ServingFault); 16] = [
    ("blind", ServingFault::Blind),
    ("constrained", ServingFault::Constrained),
    ("filtering", ServingFault::Filtering),
    ("rewriting", ServingFault::Rewriting),
    ("handing_back", ServingFault::HandingBack),
    ("leaking", ServingFault::Leaking),
    ("ignoring_choice", ServingFault::IgnoringChoice),
    ("refusing_choice", ServingFault::RefusingChoice),
    ("ignoring_parallel", ServingFault::IgnoringParallel),
    ("enforcing_strict", ServingFault::EnforcingStrict),
    ("refusing_strict", ServingFault::RefusingStrict),
    ("replaying", ServingFault::Replaying),
    ("no_usage", ServingFault::NoUsage),
    ("ignoring_limit", ServingFault::IgnoringLimit),
    ("empty_arguments", ServingFault::EmptyArguments),
    ("refusing_members", ServingFault::RefusingMembers),
];

/// Members of the body that a server which refuses others knows.
const MEMBERS: &[&str] = &[
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "max_tokens",
    "temperature",
    "seed",
    "stream",
];

/// The faults of one server; none: it hides nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Serving(BTreeSet<ServingFault>);

/// A fault that there is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown fault of a server `{given}`; did you mean `{nearest}`? ({})", FAULTS.map(|(name, _)| name).join(", "))]
pub struct UnknownFault {
    given: String,
    nearest: &'static str,
}

impl FromStr for Serving {
    type Err = UnknownFault;

    /// Names with `+` or `,` between them.
    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let names = text.split(['+', ',']).map(str::trim).filter(|name| !name.is_empty());
        let fault = |name: &str| {
            let found = FAULTS.iter().find(|(known, _)| *known == name);
            found
                .map(|(_, fault)| *fault)
                .ok_or_else(|| UnknownFault { given: name.to_owned(), nearest: nearest(name) })
        };
        names.map(fault).collect::<Result<_, _>>().map(Self)
    }
}

fn nearest(given: &str) -> &'static str {
    let likeness = |name: &str| strsim::jaro_winkler(given, name);
    let best = FAULTS.iter().max_by(|(a, _), (b, _)| likeness(a).total_cmp(&likeness(b)));
    best.map_or("", |(name, _)| name)
}

impl fmt::Display for Serving {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = FAULTS.iter().filter(|(_, fault)| self.has(*fault)).map(|(name, _)| *name);
        formatter.write_str(&names.collect::<Vec<_>>().join("+"))
    }
}

impl Serving {
    /// Whether it hides nothing.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn has(&self, fault: ServingFault) -> bool {
        self.0.contains(&fault)
    }

    /// The request as the model gets it; `Err` says why it is refused.
    pub(crate) fn taken(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let Ok(mut request) = serde_json::from_slice::<Value>(body) else { return Ok(body.to_vec()) };
        if let Some(message) = self.refusal(&request) {
            return Err(message);
        }
        if let Some(members) = request.as_object_mut() {
            if self.has(ServingFault::Blind) {
                members.remove("tools");
            }
            if self.has(ServingFault::Blind) || self.has(ServingFault::IgnoringChoice) {
                members.remove("tool_choice");
            }
            if self.has(ServingFault::IgnoringParallel) {
                members.remove("parallel_tool_calls");
            }
            if self.has(ServingFault::IgnoringLimit) {
                members.remove("max_tokens");
            }
        }
        Ok(request.to_string().into_bytes())
    }

    fn refusal(&self, request: &Value) -> Option<String> {
        let choice = request.get("tool_choice");
        let owes = choice.is_some_and(|choice| !matches!(choice.as_str(), Some("auto" | "none")));
        if self.has(ServingFault::RefusingChoice) && owes {
            return Some("`tool_choice` must be auto or none".to_owned());
        }
        if self.has(ServingFault::RefusingStrict) && tools(request).any(is_strict) {
            return Some("`strict` is not supported".to_owned());
        }
        let known = |member: &String| MEMBERS.contains(&member.as_str());
        let odd = request.as_object()?.keys().find(|member| !known(member))?;
        self.has(ServingFault::RefusingMembers).then(|| format!("unknown member `{odd}`"))
    }

    /// The answer as the server hands it on, to this request.
    pub(crate) fn handed_on(&self, request: &[u8], mut answer: Answer) -> Answer {
        let request: Value = serde_json::from_slice(request).unwrap_or_default();
        if self.has(ServingFault::Replaying) {
            answer.id = Key::new(0).with(request.to_string().as_bytes());
        }
        if self.has(ServingFault::NoUsage) {
            answer.tokens.0 = 0;
        }
        let mut text = String::new();
        let calls = std::mem::take(&mut answer.calls);
        answer.calls = calls.into_iter().filter_map(|call| self.call(&request, call, &mut text)).collect();
        if !text.is_empty() {
            answer.text = Some(text);
        }
        answer
    }

    /// A call as it is handed on; none where it is not, or where it is put into the text.
    fn call(&self, request: &Value, mut call: EmittedCall, text: &mut String) -> Option<EmittedCall> {
        let tool = tools(request).find(|tool| name_of(tool) == call.name);
        let as_text =
            self.has(ServingFault::Leaking) || (tool.is_none() && self.has(ServingFault::HandingBack));
        if as_text {
            text.push_str(&format!(
                "<tool_call>\n{{\"name\": \"{}\", \"arguments\": {}}}\n</tool_call>\n",
                call.name, call.arguments
            ));
            return None;
        }
        if tool.is_none() && self.has(ServingFault::Filtering) {
            return None;
        }
        if tool.is_none() && self.has(ServingFault::Rewriting) {
            let likeness = |tool: &&Value| strsim::jaro_winkler(&call.name, name_of(tool));
            let near = tools(request).max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
            call.name = name_of(near).to_owned();
        }
        if self.has(ServingFault::Constrained) {
            let tool = tool.or_else(|| tools(request).next())?;
            call.name = name_of(tool).to_owned();
            call.arguments = fitting(tool, &call.arguments);
        }
        if let Some(tool) = tool.filter(|tool| is_strict(tool) && self.has(ServingFault::EnforcingStrict)) {
            call.arguments = fitting(tool, &call.arguments);
        }
        if self.has(ServingFault::EmptyArguments) && call.arguments.trim() == "{}" {
            call.arguments.clear();
        }
        Some(call)
    }
}

/// The tools of a request.
pub(crate) fn tools(request: &Value) -> impl Iterator<Item = &Value> {
    request.get("tools").and_then(Value::as_array).into_iter().flatten()
}

/// The name of a tool, nested or flat.
pub(crate) fn name_of(tool: &Value) -> &str {
    tool.pointer("/function/name").or_else(|| tool.get("name")).and_then(Value::as_str).unwrap_or_default()
}

fn is_strict(tool: &Value) -> bool {
    tool.pointer("/function/strict").or_else(|| tool.get("strict")) == Some(&Value::Bool(true))
}

/// Arguments that keep to the tool's schema: what of these does, and a value for each that is missing.
pub(crate) fn fitting(tool: &Value, arguments: &str) -> String {
    let given: Value = serde_json::from_str(arguments).unwrap_or_default();
    let schema = tool.pointer("/function/parameters").or_else(|| tool.get("parameters"));
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let fits = |property: &Value, value: &Value| {
        property.get("enum").and_then(Value::as_array).is_none_or(|members| members.contains(value))
    };
    let value = |(key, property): (&String, &Value)| {
        let own = given.get(key).filter(|value| fits(property, value)).cloned();
        let member = property.pointer("/enum/0").cloned();
        (key.clone(), own.or(member).unwrap_or_else(|| json!("north")))
    };
    let fitted: serde_json::Map<String, Value> = properties.into_iter().flatten().map(value).collect();
    Value::Object(fitted).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_and_printed_back() {
        let text = "blind+no_usage";
        assert_eq!(text.parse::<Serving>().unwrap().to_string(), text);
        assert!("".parse::<Serving>().unwrap().is_open());
        let told = "filterin".parse::<Serving>().unwrap_err().to_string();
        assert!(told.contains("did you mean `filtering`?"), "{told}");
    }

    fn handed_on(faults: &str, name: &str, arguments: &str) -> Answer {
        let request = json!({ "messages": [], "tools": [{ "type": "function", "function": { "name": "moor",
            "strict": true, "parameters": { "properties": { "side": { "enum": ["port"] } } } } }] });
        let call = EmittedCall { name: name.to_owned(), arguments: arguments.to_owned(), number: 1 };
        let answer = Answer {
            model: "m".to_owned(),
            id: Key::new(1),
            text: None,
            calls: vec![call],
            says_stop: false,
            is_cut: false,
            tokens: (9, 9),
        };
        let serving: Serving = faults.parse().unwrap();
        serving.handed_on(request.to_string().as_bytes(), answer)
    }

    fn name(answer: &Answer) -> Option<&str> {
        answer.calls.first().map(|call| call.name.as_str())
    }

    #[test]
    fn names_that_are_not_offered_meet_their_fate() {
        assert_eq!(name(&handed_on("", "moor_all", "{}")), Some("moor_all"));
        assert_eq!(name(&handed_on("constrained", "moor_all", "{}")), Some("moor"));
        assert_eq!(name(&handed_on("rewriting", "moor_all", "{\"x\":1}")), Some("moor"));
        let dropped = handed_on("filtering", "moor_all", "{}");
        assert_eq!((name(&dropped), dropped.text.as_deref()), (None, None));
        assert!(handed_on("handing_back", "moor_all", "{}").text.unwrap().contains("moor_all"));
        assert_eq!(name(&handed_on("handing_back", "moor", "{}")), Some("moor"));
    }

    #[test]
    fn strict_arguments_keep_to_their_schema() {
        let answer = handed_on("enforcing_strict", "moor", "{\"side\":\"lee\",\"depth\":4}");
        assert_eq!(answer.calls[0].arguments, "{\"side\":\"port\"}");
    }
}
