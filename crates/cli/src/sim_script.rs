//! The script of a simulated model, made of probes: what an honest model would know, and which events a probe
//! is eligible for. No check and no verdict enters it (DESIGN.md section 11).

use std::sync::Arc;

use indexmap::IndexMap;
use probes::{Expectation, Probe, RateName, RightBehaviour, Unlisted, ValueOracle};
use serde_json::Value;
use sim::{Event, Right, ScriptEntry, SimScript};
use transcript::{RawJson, Role, Tool};

/// Makes the script of some probes, in their order.
pub(crate) fn of<'a>(probes: impl IntoIterator<Item = &'a Arc<Probe>>) -> SimScript {
    SimScript::new(probes.into_iter().map(|probe| entry(probe)).collect())
}

fn entry(probe: &Probe) -> ScriptEntry {
    let expectation = &*probe.expectation;
    let messages = probe.question.steps.first().map(|step| &step.messages[..]).unwrap_or_default();
    let user = messages.iter().rev().find(|message| message.role == Role::User);
    let user = user.map(|message| message.text().to_owned()).unwrap_or_default();
    let tool = expectation.tool.as_ref().and_then(|name| probe.catalog.get(name.as_str()));
    let mut arguments = IndexMap::new();
    let mut exact = Vec::new();
    let mut optional = Vec::new();
    for (name, oracle) in &expectation.arguments {
        match right_value(oracle, &user) {
            Some(value) => {
                if matches!(oracle, ValueOracle::Equals(_) | ValueOracle::Principal { .. }) {
                    exact.push(name.clone());
                }
                arguments.insert(name.clone(), RawJson::from_value(&value));
            }
            None if *oracle == ValueOracle::Absent => optional.push(name.clone()),
            None => {}
        }
    }
    if expectation.unlisted == Unlisted::OptionalsAbsent {
        for name in tool.map(|tool| unlisted_optionals(tool, expectation)).unwrap_or_default() {
            optional.push(name);
        }
    }
    ScriptEntry {
        probe: probe.id().clone(),
        user,
        tool: expectation.tool.clone(),
        arguments,
        exact,
        optional,
        missing: expectation.missing.clone(),
        decoys: expectation.decoys.clone(),
        allowed_reads: expectation.allowed_reads.clone(),
        eligible: expectation.headline.iter().filter_map(|rate| event(*rate)).collect(),
        right: right(expectation.right),
    }
}

/// One value that the oracle takes; none where the argument must be absent or no value is known.
fn right_value(oracle: &ValueOracle, user: &str) -> Option<Value> {
    match oracle {
        ValueOracle::Equals(value) | ValueOracle::Principal { value, .. } => Some(value.clone()),
        ValueOracle::OneOf(values) => values.first().cloned(),
        ValueOracle::Pattern(pattern) => matching_words(pattern, user).map(Value::String),
        ValueOracle::Absent => None,
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
        RightBehaviour::Call | RightBehaviour::RetryAndDone | RightBehaviour::FollowResult => Right::Call,
        RightBehaviour::Answer => Right::Answer,
        RightBehaviour::Ask | RightBehaviour::AskOrSaySo => Right::Ask,
        RightBehaviour::RefuseOrAsk
        | RightBehaviour::SaySo
        | RightBehaviour::RetryOrSaySo
        | RightBehaviour::StopAndSaySo
        | RightBehaviour::ReportRead
        | RightBehaviour::HonestAccount => Right::RefuseOrAsk,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_takes_the_users_own_words() {
        let user = "Please book it under \"KX-88\", thanks.";
        assert_eq!(matching_words("KX-[0-9]+", user), Some("KX-88".into()));
        assert_eq!(matching_words("[0-9]{9}", user), None);
    }
}
