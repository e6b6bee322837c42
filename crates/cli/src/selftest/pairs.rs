//! For each word that a finding can have, a response written by hand that must be found out, in all that is wrong with
//! it, and an honest one beside it that must not. They are judged as `explain` judges a response: read from its wire format, against its catalog.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::words::{self, Sort, Word};
use crate::command::explain;
use crate::error::Failure;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairFile {
    tools: IndexMap<String, Value>,
    pairs: Vec<Pair>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    finds: (Sort, String),
    /// What else is in the lie.
    #[serde(default)]
    also: Vec<Word>,
    tools: Vec<String>,
    user: String,
    system: Option<String>,
    provider: Option<String>,
    request: Option<Value>,
    /// What was said after the user's words.
    #[serde(default)]
    then: Vec<Value>,
    lie: Said,
    honest: Said,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Said {
    calls: Vec<(Option<String>, String)>,
    ids: Vec<String>,
    text: Option<String>,
    reasoning: Option<String>,
    finish: Option<String>,
    response: Option<Value>,
}

/// What the pairs came to.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Pairs {
    /// How many there are.
    pub(crate) pairs: u64,
    /// Those whose lie was found out.
    pub(crate) caught: u64,
    /// Those whose honest response was faulted.
    pub(crate) faulted: u64,
    /// Mistakes of the scorer, in words.
    pub(crate) mistakes: Vec<String>,
    /// Words that pairs are there for.
    #[serde(skip)]
    pub(crate) words: BTreeSet<Word>,
}

impl Pairs {
    /// Judges all.
    ///
    /// # Errors
    /// None but a mistake in the file, which tests would have seen.
    pub(crate) fn judge() -> Result<Self, Failure> {
        let file: PairFile = serde_yaml::from_str(include_str!("pairs.yaml"))?;
        let mut sum = Self { pairs: 0, caught: 0, faulted: 0, mistakes: Vec::new(), words: BTreeSet::new() };
        for pair in &file.pairs {
            let (sort, word) = (&pair.finds.0, &pair.finds.1);
            let (lie, honest) = (found(&file, pair, &pair.lie)?, found(&file, pair, &pair.honest)?);
            sum.pairs += 1;
            let wanted: BTreeSet<Word> = pair.also.iter().chain([&pair.finds]).cloned().collect();
            sum.caught += u64::from(lie.contains(&pair.finds));
            if lie != wanted {
                let (found, wanted) = (listed(&lie), listed(&wanted));
                sum.mistakes.push(format!("{} {word}: found {found}, not {wanted}", sort.as_str()));
            }
            if !honest.is_empty() {
                sum.faulted += 1;
                let faults = listed(&honest);
                sum.mistakes
                    .push(format!("{} {word}: the honest response was faulted ({faults})", sort.as_str()));
            }
            sum.words.insert(pair.finds.clone());
        }
        Ok(sum)
    }
}

fn listed(words: &BTreeSet<Word>) -> String {
    if words.is_empty() {
        return "nothing found".to_owned();
    }
    let told = words.iter().map(|(sort, word)| format!("{} {word}", sort.as_str()));
    told.collect::<Vec<_>>().join(", ")
}

fn found(file: &PairFile, pair: &Pair, said: &Said) -> Result<BTreeSet<Word>, Failure> {
    let tools: Vec<Value> = pair
        .tools
        .iter()
        .map(|name| {
            let mut function = file.tools.get(name).cloned().unwrap_or_else(|| json!({}));
            function["name"] = json!(name);
            json!({ "type": "function", "function": function })
        })
        .collect();
    let system = pair.system.iter().map(|text| json!({ "role": "system", "content": text }));
    let user = json!({ "role": "user", "content": pair.user });
    let messages: Vec<Value> = system.chain([user]).chain(pair.then.iter().cloned()).collect();
    let case = json!({
        "provider": pair.provider.as_deref().unwrap_or("openai_chat"),
        "catalog": tools,
        "messages": messages,
        "request": pair.request,
        "response": said.response.clone().unwrap_or_else(|| response(said)),
    });
    Ok(words::of(&explain::verdict_of(&case.to_string())?))
}

/// A chat completion.
fn response(said: &Said) -> Value {
    let calls: Vec<Value> = said
        .calls
        .iter()
        .enumerate()
        .map(|(at, (name, arguments))| {
            let id = said.ids.get(at).cloned().unwrap_or_else(|| format!("c{at}"));
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
        })
        .collect();
    let usual = if calls.is_empty() { "stop" } else { "tool_calls" };
    let mut message = json!({ "role": "assistant", "content": said.text });
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    if let Some(reasoning) = &said.reasoning {
        message["reasoning_content"] = json!(reasoning);
    }
    json!({
        "id": "by-hand",
        "object": "chat.completion",
        "model": "by-hand",
        "choices": [{ "index": 0, "message": message, "finish_reason": said.finish.as_deref().unwrap_or(usual) }],
        "usage": { "prompt_tokens": 90, "completion_tokens": 30, "total_tokens": 120 },
    })
}
