//! Cases of one request: no call, or one call with the values that its arguments may have.

use indexmap::IndexMap;
use probes::{EarlierWords, Task};
use serde_json::Value;

use super::{Companions, IRRELEVANCE, answer, messages, turns_of};
use crate::case::{Made, task};
use crate::function::Function;
use crate::oracle::rule;

/// None of the functions fits. Whatever is said without a call is right: the label says no more.
pub(super) fn without_call(case: &Value) -> Result<Made, String> {
    let mut task = request(case)?;
    task.answerable_without_tool = true;
    Ok(Made { part: &IRRELEVANCE, functions: Function::list(case.get("function"))?, task })
}

/// One call, with the values that its arguments may have.
pub(super) fn one_call(case: &Value, companions: &Companions<'_>) -> Result<Made, String> {
    let mut task = request(case)?;
    let functions = Function::list(case.get("function"))?;
    let answer = answer(case, companions)?;
    let calls = answer.as_array().filter(|calls| calls.len() == 1).and_then(|calls| calls[0].as_object());
    let Some((name, allowed)) = calls.filter(|call| call.len() == 1).and_then(|call| call.iter().next())
    else {
        return Err("its answer is not one call, `[{FUNCTION: {ARGUMENT: [VALUES]}}]`".to_owned());
    };
    let Some(function) = functions.iter().find(|function| function.name == *name) else {
        return Err(format!("its answer calls `{name}`, which it does not offer"));
    };
    let Some(allowed) = allowed.as_object() else {
        return Err("its answer has no map of arguments".to_owned());
    };
    let mut arguments = IndexMap::new();
    for (argument, values) in allowed {
        let rule = rule(values, function.requires(argument)).map_err(|why| format!("`{argument}`: {why}"))?;
        arguments.insert(argument.clone(), rule);
    }
    task.arguments = arguments;
    task.tool = Some(name.clone());
    Ok(Made { part: &IRRELEVANCE, functions, task })
}

/// The words of a case of one turn: the last message is the request, what stands before it was said before.
fn request(case: &Value) -> Result<Task, String> {
    let [turn] = &turns_of(case)?[..] else {
        return Err("it has several turns, and its sort has one".to_owned());
    };
    let mut said = messages(turn)?;
    let Some(("user", words)) = said.pop() else {
        return Err("its last message is not the user's".to_owned());
    };
    let mut task = task(words);
    let system: Vec<&str> =
        said.iter().filter(|(role, _)| *role == "system").map(|(_, text)| *text).collect();
    task.system = (!system.is_empty()).then(|| system.join("\n\n"));
    let earlier = said.into_iter().filter_map(|(role, text)| match role {
        "user" => Some(EarlierWords::User(text.to_owned())),
        "assistant" => Some(EarlierWords::Assistant(text.to_owned())),
        _ => None,
    });
    task.history = earlier.collect();
    Ok(task)
}
