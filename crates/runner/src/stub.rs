//! The harness's own tools: they answer with what the probe scripts, and write the executor log, row first,
//! then result (DESIGN.md 3.8).

use std::collections::HashMap;

use jiff::Timestamp;
use probes::{
    ArmSettings, Expectation, Offered, Probe, Question, Script, ScriptRule, StubAnswer, ValueOracle,
    pointer_step, reads,
};
use serde_json::Value;
use transcript::{
    Arguments, ExecutedCall, ExecutorEvent, ExecutorLog, ExecutorRow, Outcome, OutcomeReason, RawJson,
    ToolCall, ToolName, ToolResult,
};

use crate::RecordError;
use crate::executor_file::ExecutorFile;

/// Where stubs write down what they do; all trials of a run share it.
#[derive(Clone, Copy)]
pub(crate) struct StubLog<'a> {
    pub(crate) file: &'a ExecutorFile,
    /// The run's name, as rows have it.
    pub(crate) run: &'a str,
    pub(crate) clock: &'a (dyn Fn() -> Timestamp + Sync),
}

/// The stubs of one trial.
pub(crate) struct Stubs<'a> {
    script: &'a Script,
    settings: &'a ArmSettings,
    expectation: &'a Expectation,
    to: StubLog<'a>,
    trial: String,
    /// Calls that ran so far, by tool: scripts count them.
    calls: HashMap<ToolName, u32>,
    log: ExecutorLog,
}

/// How a call ended, and what the model is told.
struct Ended {
    outcome: Outcome,
    reason: Option<OutcomeReason>,
    text: String,
}

impl<'a> Stubs<'a> {
    pub(crate) fn new(probe: &'a Probe, to: StubLog<'a>, trial: String) -> Self {
        let Question { script, settings, .. } = &*probe.question;
        let expectation = &*probe.expectation;
        Self { script, settings, expectation, to, trial, calls: HashMap::new(), log: Vec::new() }
    }

    /// What ran, in the order in which it started.
    pub(crate) fn into_log(self) -> ExecutorLog {
        self.log
    }

    /// Answers one call. The row that says that it starts is in the file before anything else is done.
    ///
    /// # Errors
    /// The executor log cannot be written.
    pub(crate) fn answer(
        &mut self,
        turn: u32,
        call: &ToolCall,
        offered: &Offered,
    ) -> Result<ToolResult, RecordError> {
        let name = ToolName::new(call.name.as_str());
        let mut entry = ExecutedCall {
            seq: u32::try_from(self.log.len()).unwrap_or(u32::MAX),
            turn,
            call_id: call.id.clone(),
            tool: name.clone(),
            executed_as: None,
            arguments: logged(&call.arguments),
            outcome: Outcome::Crashed,
            reason: None,
            error: None,
            result: None,
        };
        self.to.file.write(&self.start_row(&entry))?;
        let ended = self.execute(&name, call, offered);
        let is_error = ended.outcome != Outcome::Ok;
        entry.outcome = ended.outcome;
        entry.reason = ended.reason;
        *(if is_error { &mut entry.error } else { &mut entry.result }) = Some(ended.text.clone());
        self.to.file.write(&self.end_row(&entry))?;
        self.log.push(entry);
        Ok(ToolResult { call_id: call.id.clone(), name, content: ended.text, is_error })
    }

    fn start_row(&self, call: &ExecutedCall) -> ExecutorRow {
        ExecutorRow {
            tool: Some(call.tool.clone()),
            arguments: Some(call.arguments.clone()),
            ..self.row(call, ExecutorEvent::Start)
        }
    }

    fn end_row(&self, call: &ExecutedCall) -> ExecutorRow {
        ExecutorRow {
            ok: call.reason.is_none().then_some(call.outcome == Outcome::Ok),
            error: call.error.clone(),
            refused: call.reason,
            result: call.result.clone(),
            ..self.row(call, ExecutorEvent::End)
        }
    }

    fn row(&self, call: &ExecutedCall, event: ExecutorEvent) -> ExecutorRow {
        ExecutorRow {
            run: self.to.run.to_owned(),
            trial: self.trial.clone(),
            seq: call.seq,
            event,
            at: format!("{:.3}", (self.to.clock)()),
            call_id: call.call_id.clone(),
            tool: None,
            executed_as: None,
            arguments: None,
            ok: None,
            error: None,
            refused: None,
            result: None,
        }
    }

    /// The dispatcher is strict: a name is looked up byte for byte, and no argument is repaired.
    fn execute(&mut self, name: &ToolName, call: &ToolCall, offered: &Offered) -> Ended {
        let Some(tool) = offered.get(name.as_str()) else {
            return refused(OutcomeReason::UnknownTool, self.unknown(name, offered));
        };
        let Some(arguments) = readable(&call.arguments) else {
            let text = format!("Error: the arguments of {name} are no JSON object.");
            return refused(OutcomeReason::ArgumentsUnreadable, text);
        };
        if let Some(argument) = self.wrong_principal(name, &arguments) {
            let text =
                format!("Error: {argument} is not that of the person who is signed in. Nothing was done.");
            return refused(OutcomeReason::WrongPrincipal, text);
        }
        let count = self.calls.entry(name.clone()).or_default();
        let index = *count;
        *count += 1;
        let rule = self.script.0.iter().find(|rule| matches(rule, name, index, &arguments));
        match rule.map(|rule| &rule.answer) {
            Some(StubAnswer::Returns(value)) => succeeded(value.to_string()),
            Some(StubAnswer::Text(text)) => succeeded(text.clone()),
            Some(StubAnswer::Fails(error)) => {
                Ended { outcome: Outcome::Failed, reason: None, text: error.clone() }
            }
            None if reads(tool) => succeeded(r#"{"items": []}"#.to_owned()),
            None => succeeded(r#"{"status": "accepted"}"#.to_owned()),
        }
    }

    /// The first argument of the wanted tool that must be the caller's own and is given as somebody else's, where
    /// such calls are refused.
    fn wrong_principal(&self, name: &ToolName, arguments: &Value) -> Option<&'a str> {
        let is_checked = self.settings.principal_check && self.expectation.tool.as_ref() == Some(name);
        let mut oracles = self.expectation.arguments.iter().filter(|_| is_checked);
        let is_wrong = |(argument, oracle): &(&'a String, &ValueOracle)| match oracle {
            ValueOracle::Principal { value, .. } => {
                let pointer = if argument.starts_with('/') {
                    (*argument).clone()
                } else {
                    format!("/{}", pointer_step(argument))
                };
                arguments.pointer(&pointer).is_some_and(|given| !is_same(given, value))
            }
            _ => false,
        };
        oracles.find(is_wrong).map(|(argument, _)| argument.as_str())
    }

    fn unknown(&self, name: &ToolName, offered: &Offered) -> String {
        let mut text = format!("Error: there is no tool named {}.", RawJson::from_text(name.as_str()));
        if self.settings.catalog_in_error {
            let names: Vec<&str> = offered.tools().iter().map(|tool| tool.name.as_str()).collect();
            text.push_str(&format!(" Available tools: {}.", names.join(", ")));
        }
        text
    }
}

/// Whether two values are one: numbers by value, all else as it stands.
fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().is_some_and(|number| other.as_f64() == Some(number))
}

fn refused(reason: OutcomeReason, text: String) -> Ended {
    Ended { outcome: Outcome::Refused, reason: Some(reason), text }
}

fn succeeded(text: String) -> Ended {
    Ended { outcome: Outcome::Ok, reason: None, text }
}

/// Arguments as the log holds them: the JSON value where they are one, else a JSON string of the text.
fn logged(arguments: &Arguments) -> RawJson {
    match arguments {
        Arguments::Json(raw) => raw.clone(),
        Arguments::Missing | Arguments::Text(_) => {
            RawJson::parse(arguments.text()).unwrap_or_else(|_| RawJson::from_text(arguments.text()))
        }
    }
}

/// The arguments' value where they are a JSON object; nothing at all, `""` and `null` are an empty one. An
/// object that cannot be held as a value (a lone surrogate in it) counts as one that matches no script.
fn readable(arguments: &Arguments) -> Option<Value> {
    let empty = || Some(Value::Object(serde_json::Map::new()));
    let text = arguments.text().trim();
    if text.is_empty() || text == "null" {
        return empty();
    }
    if !text.starts_with('{') {
        return None;
    }
    RawJson::parse(text).ok().and_then(|raw| raw.to_value().or_else(empty))
}

fn matches(rule: &ScriptRule, name: &ToolName, index: u32, arguments: &Value) -> bool {
    rule.tool == *name
        && rule.call.is_none_or(|call| call == index)
        && match rule.arguments.as_ref() {
            Some(Value::Object(wanted)) => {
                wanted.iter().all(|(key, value)| arguments.get(key) == Some(value))
            }
            Some(other) => other == arguments,
            None => true,
        }
}
