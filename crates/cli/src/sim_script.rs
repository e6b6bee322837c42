//! The script of a simulated model, made of probes: what an honest model would know, and which events a probe
//! is eligible for. No check and no verdict enters it (DESIGN.md section 11).

use std::sync::Arc;

use indexmap::IndexMap;
use probes::{
    ClaimLine, Expectation, Need, Probe, RateName, RightBehaviour, StubAnswer, Unlisted, ValueOracle,
    pointer_step,
};
use serde_json::Value;
use sim::{Event, LastLine, LaterStep, Right, ScriptCall, ScriptEntry, SimScript};
use transcript::{Message, RawJson, Role, Tool};

/// Makes the script of some probes, in their order.
pub(crate) fn of<'a>(probes: impl IntoIterator<Item = &'a Arc<Probe>>) -> SimScript {
    SimScript::new(probes.into_iter().map(|probe| entry(probe)).collect())
}

fn entry(probe: &Probe) -> ScriptEntry {
    let expectation = &*probe.expectation;
    let words: Vec<String> = probe.question.steps.iter().map(|step| last_words(&step.messages)).collect();
    let user = words.first().cloned().unwrap_or_default();
    let tool = expectation.tool.as_ref().and_then(|name| probe.catalog.get(name.as_str()));
    let mut known = Known::of(expectation, &user);
    if expectation.unlisted == Unlisted::OptionalsAbsent {
        known.optional.extend(tool.map(|tool| unlisted_optionals(tool, expectation)).unwrap_or_default());
    }
    // What is gone at the end may have been there to be called before.
    let is_called = expectation.offered || expectation.earlier_right.contains(&RightBehaviour::Call);
    if let Some(tool) = tool.filter(|_| is_called) {
        known.fill_required(tool, &user);
    }
    for need in &probe.question.needs {
        // A value that the schema cannot take is as good as none: somebody has to be asked.
        if let Need::Refuses { argument, .. } = need {
            known.leave_open(argument);
        }
    }
    let mut rights = expectation.earlier_right.iter().chain([&expectation.right]).map(|one| right(*one));
    let first = rights.next().unwrap_or(Right::Answer);
    let later = words.into_iter().skip(1).zip(rights).map(|(user, right)| LaterStep { user, right });
    ScriptEntry {
        probe: probe.id().clone(),
        user: user.clone(),
        tool: expectation.tool.clone(),
        arguments: known.arguments,
        exact: known.exact,
        optional: known.optional,
        harmless: known.harmless,
        missing: known.missing,
        decoys: expectation.decoys.clone(),
        allowed_reads: expectation.allowed_reads.clone(),
        eligible: expectation.headline.iter().filter_map(|rate| event(*rate)).collect(),
        right: first,
        later: later.collect(),
        calls: calls(expectation, &user),
        line: line(probe),
    }
}

fn last_words(messages: &[Message]) -> String {
    let user = messages.iter().rev().find(|message| message.role == Role::User);
    user.map(|message| message.text().to_owned()).unwrap_or_default()
}

/// What a model that knows the user's intent knows of the wanted tool's arguments.
#[derive(Default)]
struct Known {
    arguments: IndexMap<String, RawJson>,
    exact: Vec<String>,
    optional: Vec<String>,
    harmless: IndexMap<String, Vec<RawJson>>,
    missing: Vec<String>,
}

impl Known {
    fn of(expectation: &Expectation, user: &str) -> Self {
        let mut known = Self { missing: expectation.missing.clone(), ..Self::default() };
        for (name, oracle) in &expectation.arguments {
            match right_value(oracle, user) {
                Some(value) => {
                    if matches!(oracle, ValueOracle::Equals(_) | ValueOracle::Principal { .. }) {
                        known.exact.push(name.clone());
                    }
                    known.arguments.insert(name.clone(), RawJson::from_value(&value));
                }
                None if oracle.may_be_absent() => {
                    known.optional.push(name.clone());
                    if let ValueOracle::AbsentOr(rights) = oracle {
                        let rights = rights.iter().map(RawJson::from_value).collect();
                        known.harmless.insert(name.clone(), rights);
                    }
                }
                None => {}
            }
        }
        known
    }

    /// What the tool requires, and neither the words nor the task say anything of: an honest model finds it in the
    /// conversation. The script takes a word of the user's, so that the call is whole and nothing in it made up.
    fn fill_required(&mut self, tool: &Tool, user: &str) {
        let Some(schema) = tool.input_schema.as_ref().and_then(RawJson::to_value) else { return };
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let pointer = format!("/{name}");
            let known = |listed: &String| listed == name || listed.starts_with(&pointer);
            if !self.arguments.keys().any(known) && !self.missing.iter().any(known) {
                let value = found_value(&schema["properties"][name], user, 0);
                self.arguments.insert(name.to_owned(), RawJson::from_value(&value));
            }
        }
    }

    fn leave_open(&mut self, argument: &str) {
        self.arguments.shift_remove(argument);
        self.exact.retain(|name| name != argument);
        self.missing.push(argument.to_owned());
    }
}

/// The calls that the words want where they want several.
fn calls(expectation: &Expectation, user: &str) -> Vec<ScriptCall> {
    let call = |wanted: &probes::WantedCall| {
        let values = wanted.arguments.iter().filter_map(|(name, oracle)| {
            Some((name.clone(), RawJson::from_value(&right_value(oracle, user)?)))
        });
        ScriptCall { tool: wanted.tool.clone(), arguments: values.collect() }
    };
    expectation.calls.iter().map(call).collect()
}

/// The line that the last message is asked to end with, and where the answer stands in what the tool returns.
fn line(probe: &Probe) -> Option<LastLine> {
    let expectation = &*probe.expectation;
    match expectation.claim {
        ClaimLine::None => None,
        ClaimLine::Actions => Some(LastLine::Actions),
        ClaimLine::Answer => {
            let returned = probe.question.script.0.iter().find_map(|rule| match &rule.answer {
                StubAnswer::Returns(value) => Some(value),
                StubAnswer::Text(_) | StubAnswer::Fails(_) => None,
            });
            let answer = expectation.answer.as_ref();
            let at = returned.zip(answer).and_then(|(value, answer)| pointer_to(value, &answer.follows, ""));
            let habit = answer.and_then(|answer| answer.habit.as_ref()).map(RawJson::from_value);
            Some(LastLine::Answer { at, habit })
        }
    }
}

/// Where a value stands that an oracle takes, the first of several.
fn pointer_to(value: &Value, oracle: &ValueOracle, at: &str) -> Option<String> {
    let takes = match oracle {
        ValueOracle::Equals(right) | ValueOracle::Principal { value: right, .. } => *value == **right,
        ValueOracle::OneOf(rights) | ValueOracle::AbsentOr(rights) => rights.contains(value),
        ValueOracle::Pattern(pattern) => value.as_str().is_some_and(|text| is_whole(pattern, text)),
        ValueOracle::Absent => false,
    };
    if takes {
        return Some(at.to_owned());
    }
    match value {
        Value::Object(members) => members
            .iter()
            .find_map(|(key, member)| pointer_to(member, oracle, &format!("{at}/{}", pointer_step(key)))),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(n, item)| pointer_to(item, oracle, &format!("{at}/{n}")))
        }
        _ => None,
    }
}

fn is_whole(pattern: &str, text: &str) -> bool {
    regex::Regex::new(&format!("^(?:{pattern})$")).is_ok_and(|whole| whole.is_match(text))
}

/// One value that the oracle takes; none where the argument must be absent or no value is known.
fn right_value(oracle: &ValueOracle, user: &str) -> Option<Value> {
    match oracle {
        ValueOracle::Equals(value) | ValueOracle::Principal { value, .. } => Some((**value).clone()),
        ValueOracle::OneOf(values) => values.first().cloned(),
        ValueOracle::Pattern(pattern) => matching_words(pattern, user).map(Value::String),
        ValueOracle::Absent | ValueOracle::AbsentOr(_) => None,
    }
}

/// A value that fits a schema, from the user's words where they have one.
fn found_value(schema: &Value, user: &str, depth: usize) -> Value {
    let members = schema["enum"].as_array().and_then(|members| members.first());
    if let Some(value) = members.or(schema.get("default").filter(|value| !value.is_null())) {
        return value.clone();
    }
    let trim = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    match schema["type"].as_str().unwrap_or_default() {
        "integer" | "number" => {
            let number = user.split_whitespace().find_map(|word| trim(word).parse::<i64>().ok());
            number.unwrap_or(1).into()
        }
        "boolean" => true.into(),
        "array" if depth < 4 => vec![found_value(&schema["items"], user, depth + 1)].into(),
        "object" if depth < 4 => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            properties.map(|(name, one)| (name.clone(), found_value(one, user, depth + 1))).collect()
        }
        _ => user.split_whitespace().map(trim).find(|word| !word.is_empty()).unwrap_or_default().into(),
    }
}

/// The first run of the user's words that a pattern matches as a whole.
fn matching_words(pattern: &str, user: &str) -> Option<String> {
    let whole = regex::Regex::new(&format!("^(?:{pattern})$")).ok()?;
    let trim: &[char] = &['.', ',', ';', ':', '!', '?', '"', '\'', '(', ')'];
    let words: Vec<&str> = user.split_whitespace().collect();
    for length in 1..=words.len().min(8) {
        for run in words.windows(length) {
            let text = run.join(" ");
            for candidate in [text.as_str(), text.trim_matches(trim)] {
                if whole.is_match(candidate) {
                    return Some(candidate.to_owned());
                }
            }
        }
    }
    None
}

fn unlisted_optionals(tool: &Tool, expectation: &Expectation) -> Vec<String> {
    let Some(schema) = tool.input_schema.as_ref().and_then(RawJson::to_value) else { return Vec::new() };
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object();
    let names = properties.into_iter().flatten().map(|(name, _)| name);
    names
        .filter(|name| !required.contains(&name.as_str()) && !expectation.arguments.contains_key(*name))
        .cloned()
        .collect()
}

fn event(rate: RateName) -> Option<Event> {
    match rate {
        RateName::UnknownTool => Some(Event::UnknownTool),
        RateName::ShadowCall => Some(Event::ShadowCall),
        RateName::HallucinatedArgument => Some(Event::HallucinatedArgument),
        _ => None,
    }
}

fn right(right: RightBehaviour) -> Right {
    match right {
        RightBehaviour::Call => Right::Call,
        RightBehaviour::Answer => Right::Answer,
        RightBehaviour::Ask | RightBehaviour::AskOrSaySo => Right::Ask,
        RightBehaviour::RefuseOrAsk => Right::RefuseOrAsk,
        RightBehaviour::SaySo => Right::SaySo,
        RightBehaviour::RetryOrSaySo => Right::RetryOrSaySo,
        RightBehaviour::RetryAndDone => Right::RetryAndDone,
        RightBehaviour::StopAndSaySo => Right::StopAndSaySo,
        RightBehaviour::FollowResult => Right::FollowResult,
        RightBehaviour::ReportRead => Right::ReportRead,
        RightBehaviour::HonestAccount => Right::HonestAccount,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_requires_is_filled_from_the_words() {
        let mut tool = Tool::named("book");
        let schema = r#"{"required":["to","seats","class","tags","way"],"properties":{"to":{"type":"string"},
            "seats":{"type":"integer"},"class":{"enum":["eco","first"]},"tags":{"type":"array","items":{"type":"string"}},
            "way":{"type":"object","properties":{"n":{"type":"number"}}},"note":{"type":"string"}}}"#;
        tool.input_schema = Some(RawJson::parse(schema).unwrap());
        let mut known = Known { missing: vec!["seats".into()], ..Known::default() };
        known.fill_required(&tool, "\"Ulm\", 3 seats");
        let filled: Vec<_> =
            known.arguments.iter().map(|(name, value)| format!("{name}={}", value.as_str())).collect();
        assert_eq!(filled, ["to=\"Ulm\"", "class=\"eco\"", "tags=[\"Ulm\"]", "way={\"n\":3}"]);
    }

    #[test]
    fn an_answer_is_found_in_what_the_tool_returns() {
        let result = serde_json::json!({ "a": [{ "b/c": "x" }, { "b/c": 41.2 }] });
        let at = |oracle: &ValueOracle| pointer_to(&result, oracle, "");
        assert_eq!(at(&ValueOracle::Equals(Box::new(41.2.into()))), Some("/a/1/b~1c".into()));
        assert_eq!(at(&ValueOracle::Pattern("[x-z]".into())), Some("/a/0/b~1c".into()));
        assert_eq!(at(&ValueOracle::OneOf(vec!["q".into()])), None);
    }

    #[test]
    fn a_pattern_takes_the_users_own_words() {
        let user = "Please book it under \"KX-88\", thanks.";
        assert_eq!(matching_words("KX-[0-9]+", user), Some("KX-88".into()));
        assert_eq!(matching_words("[0-9]{9}", user), None);
    }
}
