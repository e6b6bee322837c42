//! One call: its name against the catalog of its turn, its arguments, its class, its format faults.

mod class;
mod elsewhere;
mod notes;
mod principal;

use std::cell::OnceCell;

use transcript::{Arguments, EmittedName, Tool, ToolCall};

use crate::argument::{ArgumentInput, Conversation, Schemas, judge_arguments};
use crate::finding::FormatFinding;
use crate::name::{self, Miss, Names};
use crate::past;
use crate::turn::{ArgumentBasis, CallFacts};
use crate::verdict::{CallVerdict, NameForm, Subject, Surface};

pub(crate) use class::Rerouted;
pub(crate) use elsewhere::{judge_malformed, judge_written};
pub(crate) use notes::{note_finish, note_ids};

/// What a call is judged against.
pub(crate) struct CallContext<'a, 'c> {
    pub(crate) subject: &'a Subject<'a>,
    /// The turn, from 0.
    pub(crate) at: usize,
    pub(crate) names: Names<'a>,
    pub(crate) schemas: &'c Schemas,
    pub(crate) basis: ArgumentBasis,
    pub(crate) rerouted: Rerouted<'a>,
    /// Put together for the first call that needs it.
    pub(crate) conversation: &'c OnceCell<Conversation<'a>>,
}

/// Judges a structured call. `sole`: the turn makes no other.
pub(crate) fn judge<'a>(
    call: &'a ToolCall,
    sole: bool,
    context: &CallContext<'a, '_>,
) -> (CallVerdict, CallFacts<'a>) {
    let emitted = call.name.as_str();
    let text = call.arguments.text();
    let mut verdict = blank(emitted, Surface::Structured);
    let mut facts = CallFacts { id: call.id.as_ref(), ..no_facts(text) };
    verdict.format_findings.extend(name_fault(&call.name));
    match context.names.find(call.namespace.as_deref(), emitted) {
        Some(tool) => registered(tool, call, context, &mut verdict, &mut facts),
        None => {
            let miss = context.names.miss(call.namespace.as_deref(), emitted, text);
            unknown(&miss, call, sole, context, &mut verdict);
        }
    }
    if let Some(told) = context.rerouted.wrong_principal(call, context.at) {
        principal::note(&mut verdict, call, told, context.subject.expectation);
    }
    let ran = context.rerouted.get(call);
    verdict.class = Some(class::of(&mut verdict, &facts, ran, context.subject.expectation));
    (verdict, facts)
}

fn blank(name: &str, surface: Surface) -> CallVerdict {
    CallVerdict {
        emitted_name: name.to_owned(),
        surface,
        class: None,
        name_form: None,
        intended_tool: None,
        executed_as: None,
        seen_in_history: false,
        nearest_tool: None,
        family: None,
        schema_valid: None,
        format_findings: Vec::new(),
        argument_findings: Vec::new(),
    }
}

fn no_facts(quote: &str) -> CallFacts<'_> {
    CallFacts {
        id: None,
        quote,
        arguments: 0,
        target: None,
        is_decoy: false,
        is_complete: false,
        inner_unknown: Vec::new(),
    }
}

fn name_fault(name: &EmittedName) -> Option<FormatFinding> {
    match name {
        EmittedName::Missing => Some(FormatFinding::NameMissing),
        EmittedName::Null | EmittedName::Other(_) => Some(FormatFinding::NameNull),
        EmittedName::Text(text) if text.trim().is_empty() => Some(FormatFinding::NameEmpty),
        EmittedName::Text(_) => None,
    }
}

fn registered<'a>(
    tool: &'a Tool,
    call: &'a ToolCall,
    context: &CallContext<'a, '_>,
    verdict: &mut CallVerdict,
    facts: &mut CallFacts<'a>,
) {
    let expectation = context.subject.expectation;
    note_target(tool, facts, context);
    if name::is_wrapper_name(tool.name.as_str()) {
        unwrap_router(call, context, facts);
    }
    // A registered tool is offered in its step, whatever the last step offers.
    let wanted = expectation.filter(|e| e.tool.as_ref() == Some(&tool.name));
    let judged = judge_arguments(
        &ArgumentInput {
            tool,
            arguments: &call.arguments,
            oracle: wanted.filter(|_| context.basis == ArgumentBasis::Oracle),
            conversation: context
                .conversation
                .get_or_init(|| past::conversation(context.subject, context.at)),
            strict: context.subject.request.strict || tool.strict == Some(true),
            clock: context.subject.request.clock,
            grounding_counts: context.basis == ArgumentBasis::GroundingOnly,
        },
        context.schemas,
    );
    verdict.schema_valid = judged.schema_valid;
    verdict.format_findings.extend(judged.format_findings);
    verdict.argument_findings = judged.argument_findings;
    if context.basis == ArgumentBasis::Oracle && wanted.is_none() {
        // A run's headline takes confirmed findings only, and there is no oracle for another tool's arguments.
        verdict.argument_findings.iter_mut().for_each(|finding| finding.counted = false);
    }
    facts.arguments = judged.keys;
    facts.is_complete = judged.object.is_some() && judged.left_out.is_empty();
}

/// Notes which tool a call reaches, and whether that is a lookalike's decoy.
fn note_target(tool: &Tool, facts: &mut CallFacts<'_>, context: &CallContext<'_, '_>) {
    facts.target = Some(tool.name.clone());
    facts.is_decoy = context.subject.expectation.is_some_and(|e| e.decoys.contains(&tool.name));
}

/// Looks through a router that the catalog offers: an offered tool inside is the one that is reached; a name
/// that nobody gave is an invention of its own kind.
fn unwrap_router<'a>(call: &'a ToolCall, context: &CallContext<'a, '_>, facts: &mut CallFacts<'a>) {
    let inner = name::inner_calls(call.arguments.text());
    for nested in &inner {
        match context.names.find(None, &nested.name) {
            Some(tool) if inner.len() == 1 => note_target(tool, facts, context),
            Some(_) => {}
            None => {
                if !past::is_told(context.subject, context.at, &nested.name) {
                    facts.inner_unknown.push(nested.name.clone());
                }
            }
        }
    }
}

fn unknown<'a>(
    miss: &Miss,
    call: &'a ToolCall,
    sole: bool,
    context: &CallContext<'a, '_>,
    verdict: &mut CallVerdict,
) {
    let name = verdict.emitted_name.clone();
    note_miss(miss, &name, context, verdict);
    if verdict.intended_tool.is_none() && sole && miss.form != NameForm::Wrapper {
        // The task makes plain what the only call of the turn was meant for.
        let wanted = context.subject.expectation.filter(|e| e.offered && !name.is_empty());
        verdict.intended_tool = wanted.and_then(|e| e.tool.clone());
    }
    if miss.form == NameForm::Wrapper {
        let inner = name::inner_calls(call.arguments.text());
        if !inner.is_empty() {
            verdict.format_findings.push(FormatFinding::NestedCalls);
        }
        let dropped = inner.iter().filter(|nested| nested.bare).any(|nested| {
            let tool = context.names.find(None, nested.name.rsplit(['.', ':']).next().unwrap_or_default());
            tool.is_some_and(requires_arguments)
        });
        if dropped {
            verdict.format_findings.push(FormatFinding::NestedArgumentsDropped);
        }
    }
    verdict.format_findings.extend(unreadable(&call.arguments, context));
}

fn note_miss(miss: &Miss, name: &str, context: &CallContext<'_, '_>, verdict: &mut CallVerdict) {
    verdict.name_form = Some(miss.form);
    verdict.intended_tool.clone_from(&miss.intended);
    verdict.nearest_tool.clone_from(&miss.nearest);
    verdict.family.clone_from(&miss.family);
    verdict.seen_in_history = past::was_valid(context.subject, context.at, name);
}

fn requires_arguments(tool: &Tool) -> bool {
    let schema = tool.input_schema.as_ref().and_then(transcript::RawJson::to_value);
    schema.and_then(|schema| Some(!schema.get("required")?.as_array()?.is_empty())).unwrap_or(false)
}

/// The faults of arguments that nobody can read: they show without a schema.
fn unreadable<'a>(arguments: &'a Arguments, context: &CallContext<'a, '_>) -> Vec<FormatFinding> {
    use FormatFinding as F;
    let stranger = Tool::named("");
    let judged = judge_arguments(
        &ArgumentInput {
            tool: &stranger,
            arguments,
            oracle: None,
            conversation: context
                .conversation
                .get_or_init(|| past::conversation(context.subject, context.at)),
            strict: false,
            clock: None,
            grounding_counts: false,
        },
        context.schemas,
    );
    let mut findings = judged.format_findings;
    findings.retain(|finding| {
        matches!(
            finding,
            F::ArgumentsNotJson
                | F::PythonLiteral
                | F::TrailingComma
                | F::ArgumentsNotObject
                | F::ArgumentsTruncated
                | F::ArgumentsConcatenated
                | F::ArgumentsDoubleEncoded
                | F::DuplicateKey
        )
    });
    findings
}
