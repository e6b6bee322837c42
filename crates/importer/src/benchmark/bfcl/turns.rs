//! Multi-turn cases: a turn that should end without a call, and the next one, which hands over what was missing.

use indexmap::IndexMap;
use probes::{ArgumentRule, EarlierWords, MissingArguments, StaleOrder, StaleTool, Task};
use serde_json::Value;
use transcript::ToolName;

use super::{Companions, MISS_FUNC, answer, messages, turns_of};
use crate::case::{Made, task};
use crate::function::Function;
use crate::python::PythonCall;
use crate::words::give;

/// Classes of the benchmark's own simulators, and the files that document their functions.
const DOCUMENTED: &[(&str, &str)] = &[
    ("GorillaFileSystem", "gorilla_file_system"),
    ("MathAPI", "math_api"),
    ("MessageAPI", "message_api"),
    ("TwitterAPI", "posting_api"),
    ("TicketAPI", "ticket_api"),
    ("TradingBot", "trading_bot"),
    ("TravelAPI", "travel_booking"),
    ("VehicleControlAPI", "vehicle_control"),
];

/// What an earlier request was answered with. The benchmark has the calls and not what they returned, so no calls
/// stand in the history.
const CANNED: &str = "That is done.";

/// Whether a task has such an answer in its history.
pub(super) fn is_canned(task: &Task) -> bool {
    task.history.iter().any(|said| matches!(said, EarlierWords::Assistant(text) if text == CANNED))
}

/// A multi-turn case with its answers.
struct Turns<'a> {
    words: Vec<Option<&'a str>>,
    calls: Vec<Vec<PythonCall>>,
    functions: Vec<Function>,
}

/// A function is held out in one turn and handed over in the next.
pub(super) fn held_out(case: &Value, companions: &Companions<'_>) -> Result<Made, String> {
    let turns = Turns::of(case, companions)?;
    let (at, missed) = handed_over(case)?;
    let before = at.checked_sub(1).filter(|before| turns.calls.get(*before).is_some_and(Vec::is_empty));
    let Some(before) = before else {
        return Err(format!(
            "its answer has calls in the turn before turn {at}, which hands the function over"
        ));
    };
    let calls = turns.calls.get(at).map_or(&[][..], Vec::as_slice);
    let is_missed = |name: &str| missed.contains(&name);
    let wanted = calls.iter().find(|call| is_missed(&call.name));
    let Some(tool) = wanted.map(|call| call.name.as_str()).or(missed.first().copied()) else {
        return Err("its `missed_function` names no function".to_owned());
    };
    let mut task = turns.task(before)?;
    task.tool = Some(tool.to_owned());
    task.substitutes = missed.iter().filter(|name| **name != tool).map(|name| ToolName::new(name)).collect();
    task.read_only = others(calls, |name| is_missed(name) || name == tool);
    if let Some(call) = wanted {
        task.arguments = turns.given(call, before);
    }
    task.kinds.stale_tool = Some(StaleTool { only: Some(StaleOrder::OfferedAgain), ..StaleTool::default() });
    turns.known(std::iter::once(tool).chain(missed.iter().copied()))?;
    Ok(Made { part: &MISS_FUNC, functions: turns.functions, task })
}

/// A value that a call requires is said only in the next turn.
pub(super) fn unsaid(case: &Value, companions: &Companions<'_>) -> Result<Made, String> {
    let turns = Turns::of(case, companions)?;
    for at in 1..turns.calls.len().min(turns.words.len()) {
        if !turns.calls[at - 1].is_empty() {
            continue;
        }
        let Some(said) = turns.words[at] else { continue };
        for call in &turns.calls[at] {
            let Some(function) = turns.functions.iter().find(|function| function.name == call.name) else {
                continue;
            };
            let before = turns.so_far(at - 1);
            let is_unsaid = |(name, value): &(String, Value)| {
                function.requires(name) && give(said, value) && !give(&before, value)
            };
            let arguments = call.arguments(function.arguments());
            let missing: Vec<String> =
                arguments.into_iter().filter(is_unsaid).map(|(name, _)| name).collect();
            if missing.is_empty() {
                continue;
            }
            let mut task = turns.task(at - 1)?;
            task.arguments = turns.given(call, at - 1);
            task.arguments.retain(|name, _| !missing.contains(name));
            task.tool = Some(call.name.clone());
            task.read_only = others(&turns.calls[at], |name| name == call.name);
            task.kinds.missing_argument = Some(MissingArguments { of: missing });
            return Ok(Made { part: &MISS_FUNC, functions: turns.functions, task });
        }
    }
    Err("no turn without calls is followed by words that give a required argument of the next call"
        .to_owned())
}

/// The turn in which functions are handed over, and which.
fn handed_over(case: &Value) -> Result<(usize, Vec<&str>), String> {
    let missed = case.get("missed_function").and_then(Value::as_object).filter(|missed| missed.len() == 1);
    let Some((at, names)) = missed.and_then(|missed| missed.iter().next()) else {
        return Err("it has no `missed_function` with one turn: `{TURN: [FUNCTIONS]}`".to_owned());
    };
    let at =
        at.parse().map_err(|_| format!("`missed_function` names the turn `{at}`, which is no number"))?;
    Ok((at, names.as_array().into_iter().flatten().filter_map(Value::as_str).collect()))
}

/// The other functions that the turn calls: going there first is part of the request.
fn others(calls: &[PythonCall], is_own: impl Fn(&str) -> bool) -> Vec<ToolName> {
    let mut names: Vec<ToolName> = Vec::new();
    for call in calls.iter().filter(|call| !is_own(&call.name)) {
        let name = ToolName::new(&call.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

impl<'a> Turns<'a> {
    fn of(case: &'a Value, companions: &Companions<'_>) -> Result<Self, String> {
        let mut words = Vec::new();
        for turn in turns_of(case)? {
            words.push(messages(turn)?.iter().rev().find(|(role, _)| *role == "user").map(|(_, text)| *text));
        }
        let mut calls = Vec::new();
        for turn in answer(case, companions)?.as_array().ok_or("its answer is no list of turns")? {
            let texts = turn.as_array().into_iter().flatten().filter_map(Value::as_str);
            let parsed = |text: &str| {
                PythonCall::parse(text)
                    .ok_or_else(|| format!("its answer has `{text}`, which is no call of literals"))
            };
            calls.push(texts.map(parsed).collect::<Result<_, _>>()?);
        }
        if words.len() != calls.len() {
            return Err(format!("it has {} turns, and its answer {}", words.len(), calls.len()));
        }
        Ok(Self { words, calls, functions: functions(case, companions)? })
    }

    /// The words of a turn, with those before it as history.
    fn task(&self, at: usize) -> Result<Task, String> {
        let Some(words) = self.words[at] else {
            return Err(format!("in turn {at}, which has no calls, the user says nothing"));
        };
        let mut task = task(words);
        for earlier in self.words[..at].iter().flatten() {
            task.history.push(EarlierWords::User((*earlier).to_owned()));
            task.history.push(EarlierWords::Assistant(CANNED.to_owned()));
        }
        Ok(task)
    }

    fn so_far(&self, at: usize) -> String {
        self.words[..=at].iter().flatten().copied().collect::<Vec<_>>().join("\n")
    }

    /// The arguments whose values the words give. Others come from what calls returned, which nobody can hold a
    /// model to here.
    fn given(&self, call: &PythonCall, at: usize) -> IndexMap<String, ArgumentRule> {
        let words = self.so_far(at);
        let function = self.functions.iter().find(|function| function.name == call.name);
        let parameters = function.into_iter().flat_map(Function::arguments);
        let given = call.arguments(parameters).into_iter().filter(|(_, value)| give(&words, value));
        given.map(|(name, value)| (name, ArgumentRule::Equals(value))).collect()
    }

    fn known<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> Result<(), String> {
        let unknown = names.find(|name| !self.functions.iter().any(|function| function.name == *name));
        unknown.map_or(Ok(()), |name| Err(format!("no class that it involves has a function `{name}`")))
    }
}

/// The functions of the classes that a case involves.
fn functions(case: &Value, companions: &Companions<'_>) -> Result<Vec<Function>, String> {
    let names = |key| case.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut functions: Vec<Function> = Vec::new();
    for class in names("involved_classes") {
        let Some((_, file)) = DOCUMENTED.iter().find(|(name, _)| *name == class) else {
            return Err(format!("it involves the unknown class `{class}`"));
        };
        let Some(documented) = companions.documented.get(file) else {
            return Err(format!(
                "`{file}.json`, which has the functions of {class}, was not given; it stands in `multi_turn_func_doc/`"
            ));
        };
        for function in documented {
            let excluded = names("excluded_function").any(|name| name == function.name);
            if !excluded && !functions.iter().any(|other| other.name == function.name) {
                functions.push(function.clone());
            }
        }
    }
    Ok(functions)
}
