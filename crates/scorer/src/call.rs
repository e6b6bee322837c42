//! One call: its name against the catalog of its turn, its arguments, its class, its format faults.

use std::cell::OnceCell;
use std::sync::LazyLock;

use probes::Expectation;
use regex::Regex;
use transcript::{
    Arguments, CallId, EmittedName, ExecutedCall, Message, Observed, Role, StopReason, Tool, ToolCall,
    ToolName, TurnKind,
};

use crate::argument::{ArgumentInput, Conversation, Schemas, judge_arguments};
use crate::finding::FormatFinding;
use crate::name::{self, Miss, Names};
use crate::text_call::TextCall;
use crate::turn::{self, ArgumentBasis, CallFacts};
use crate::verdict::{CallVerdict, Class, NameForm, Subject, Surface};

/// What a call is judged against.
pub(crate) struct CallContext<'a, 'c> {
    pub(crate) subject: &'a Subject<'a>,
    /// The turn, from 0.
    pub(crate) at: usize,
    pub(crate) names: Names<'a>,
    pub(crate) schemas: &'c Schemas,
    pub(crate) basis: ArgumentBasis,
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
    let mut facts = CallFacts {
        id: call.id.as_ref(),
        quote: text,
        arguments: 0,
        target: None,
        is_decoy: false,
        is_complete: false,
        inner_unknown: Vec::new(),
    };
    verdict.format_findings.extend(name_fault(&call.name));
    match context.names.find(call.namespace.as_deref(), emitted) {
        Some(tool) => registered(tool, call, context, &mut verdict, &mut facts),
        None => {
            let miss = context.names.miss(call.namespace.as_deref(), emitted, text);
            unknown(&miss, call, sole, context, &mut verdict);
        }
    }
    let ran = dispatched(context, call, emitted);
    verdict.class = Some(class(&mut verdict, &facts, ran, context.subject.expectation));
    (verdict, facts)
}

/// Judges a call that stands in text or reasoning: its name, and nothing of its arguments (wire rule 7).
pub(crate) fn judge_written<'a>(
    written: &TextCall,
    text: &'a str,
    surface: Surface,
    context: &CallContext<'a, '_>,
) -> (CallVerdict, CallFacts<'a>) {
    let mut verdict = blank(&written.name, surface);
    let mut facts = no_facts(text.get(written.span.clone()).unwrap_or_default());
    verdict.format_findings.push(match surface {
        Surface::Reasoning => FormatFinding::EmittedInReasoning,
        _ => FormatFinding::EmittedAsText,
    });
    if written.broken {
        verdict.format_findings.push(FormatFinding::MalformedMarkup);
    }
    if !written.name.is_empty() {
        name_only(&mut verdict, &mut facts, context);
    }
    (verdict, facts)
}

/// Judges a call that the provider itself reports as unreadable. A name in its message is advisory.
pub(crate) fn judge_malformed<'a>(
    message: &'a str,
    context: &CallContext<'a, '_>,
) -> (CallVerdict, CallFacts<'a>) {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:(?:default_api|functions)[.:])?([A-Za-z_][A-Za-z0-9_-]*)\(").expect("a fixed pattern")
    });
    let mut found = NAME.captures_iter(message).filter_map(|hit| hit.get(1)).map(|name| name.as_str());
    let name = found.find(|name| *name != "print").unwrap_or_default();
    let mut verdict = blank(name, Surface::FinishMessage);
    let mut facts = no_facts(message);
    verdict.format_findings.push(FormatFinding::MalformedCall);
    if name.is_empty() {
        verdict.format_findings.push(FormatFinding::NameMissing);
    } else {
        name_only(&mut verdict, &mut facts, context);
    }
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

fn name_only(verdict: &mut CallVerdict, facts: &mut CallFacts<'_>, context: &CallContext<'_, '_>) {
    let name = verdict.emitted_name.clone();
    match context.names.find(None, &name) {
        Some(tool) => note_target(tool, facts, context),
        None => note_miss(&context.names.miss(None, &name, ""), &name, context, verdict),
    }
    verdict.class = Some(class(verdict, facts, None, context.subject.expectation));
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
    let wanted = expectation.filter(|e| e.offered && e.tool.as_ref() == Some(&tool.name));
    let judged = judge_arguments(
        &ArgumentInput {
            tool,
            arguments: &call.arguments,
            oracle: wanted.filter(|_| context.basis == ArgumentBasis::Oracle),
            conversation: context
                .conversation
                .get_or_init(|| turn::conversation(context.subject, context.at)),
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
                if !turn::is_told(context.subject, context.at, &nested.name) {
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
    verdict.seen_in_history = was_valid(context.subject, context.at, name);
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
                .get_or_init(|| turn::conversation(context.subject, context.at)),
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

/// The class, by precedence; with a dispatch record the dispatcher's choice stands beside the name (rule 5).
fn class(
    verdict: &mut CallVerdict,
    facts: &CallFacts<'_>,
    ran: Option<&ToolName>,
    expectation: Option<&Expectation>,
) -> Class {
    let misrouted = ran.is_some_and(|ran| is_misrouted(verdict, ran, expectation));
    if let Some(ran) = ran {
        verdict.executed_as = Some(ran.clone());
    }
    if facts.is_decoy || misrouted {
        if verdict.intended_tool.is_none() {
            let wanted = expectation.filter(|e| e.offered).and_then(|e| e.tool.clone());
            verdict.intended_tool = wanted.or_else(|| facts.target.clone().filter(|_| misrouted));
        }
        return Class::ShadowCall;
    }
    if verdict.is_unknown() {
        return Class::UnknownTool;
    }
    let asked = expectation.filter(|e| e.side.contains(&probes::RateName::MisusedTool));
    if asked.is_some_and(|e| turn::is_misuse(facts.target.as_ref(), e)) {
        return Class::MisusedTool;
    }
    if verdict.has_counted_argument() { Class::HallucinatedArgument } else { Class::Ok }
}

/// Whether the dispatcher ran another tool than the one meant. Reaching the tool meant is a repair.
fn is_misrouted(verdict: &CallVerdict, ran: &ToolName, expectation: Option<&Expectation>) -> bool {
    if !verdict.is_unknown() {
        return true;
    }
    let wanted = expectation.filter(|e| e.offered).and_then(|e| e.tool.as_ref());
    match verdict.intended_tool.as_ref().or(wanted) {
        Some(meant) => meant != ran,
        None => !name::same_purpose(&verdict.emitted_name, ran.as_str()),
    }
}

/// What the dispatcher ran in place of the emitted name.
fn dispatched<'a>(context: &CallContext<'a, '_>, call: &ToolCall, emitted: &str) -> Option<&'a ToolName> {
    let log = context.subject.executor?;
    let rerouted =
        |row: &&ExecutedCall| row.executed_as.as_ref().is_some_and(|ran| ran.as_str() != row.tool.as_str());
    let same = |row: &&ExecutedCall| row.tool.as_str() == emitted && row.call_id == call.id;
    let here = |row: &&ExecutedCall| usize::try_from(row.turn).is_ok_and(|turn| turn == context.at);
    let rows = || log.iter().filter(rerouted).filter(same);
    rows().find(here).or_else(|| rows().next())?.executed_as.as_ref()
}

/// Whether a name was a tool's in an earlier turn: offered in an earlier step, or called in the history
/// without being answered as unknown.
fn was_valid(subject: &Subject<'_>, at: usize, name: &str) -> bool {
    if name.is_empty() {
        return false;
    }
    let step = subject.turns.get(at).map_or(0, |turn| turn.step);
    if subject.steps.iter().take(step).any(|earlier| earlier.offered.get(name).is_some()) {
        return true;
    }
    let messages: Vec<&Message> = subject.steps.iter().take(step + 1).flat_map(|s| s.messages).collect();
    let calls = messages.iter().flat_map(|message| &message.tool_calls);
    calls.filter(|call| call.name.as_str() == name).any(|call| !was_refused(&messages, &call.id))
}

fn was_refused(messages: &[&Message], id: &CallId) -> bool {
    const REFUSALS: &[&str] = &[
        "unknown tool",
        "no such tool",
        "tool not found",
        "unknown function",
        "not a valid tool",
        "no tool named",
    ];
    let answers = messages.iter().filter(|m| m.role == Role::Tool && m.tool_call_id.as_ref() == Some(id));
    let mut texts = answers.map(|message| message.text().to_lowercase());
    texts.any(|text| REFUSALS.iter().any(|refusal| text.contains(refusal)))
}

/// Notes ids that stand twice in the turn, and ids of earlier turns. An id that is empty ties nothing.
pub(crate) fn note_ids(
    verdicts: &mut [CallVerdict],
    facts: &[CallFacts<'_>],
    subject: &Subject<'_>,
    at: usize,
) {
    for (here, fact) in facts.iter().enumerate() {
        let Some(id) = fact.id.filter(|id| !id.0.is_empty() && id.0 != "null") else { continue };
        let twice = facts.iter().enumerate().any(|(other, fact)| other != here && fact.id == Some(id));
        let verdict = &mut verdicts[here];
        if twice {
            verdict.format_findings.push(FormatFinding::DuplicateId);
        }
        if was_used(subject, at, id) {
            verdict.format_findings.push(FormatFinding::IdReusedAcrossTurns);
        }
    }
}

fn was_used(subject: &Subject<'_>, at: usize, id: &CallId) -> bool {
    let step = subject.turns.get(at).map_or(0, |turn| turn.step);
    let mut told = subject.steps.iter().take(step + 1).flat_map(|s| s.messages).flat_map(|m| &m.tool_calls);
    told.any(|call| call.id == *id)
        || subject
            .turns
            .iter()
            .take(at)
            .flat_map(|turn| turn.observed.calls())
            .any(|c| c.id.as_ref() == Some(id))
}

/// Notes a stop reason that the calls beside it belie: `stop` in a chat body, or anything but `length` on a
/// turn that was cut off.
pub(crate) fn note_finish(verdicts: &mut [CallVerdict], observed: &Observed, kind: TurnKind, provider: &str) {
    /// Formats whose bodies say `stop` beside calls as a matter of course.
    const STOP_IS_NORMAL: &[&str] = &["gemini", "ollama"];
    let Some(stop) = &observed.stop else { return };
    let wrong = match kind {
        TurnKind::Calls => stop.reason == StopReason::End && !STOP_IS_NORMAL.contains(&provider),
        TurnKind::Truncated => stop.reason != StopReason::Length,
        _ => false,
    };
    if wrong {
        let calls = verdicts.iter_mut().filter(|call| call.surface == Surface::Structured);
        calls.for_each(|call| call.format_findings.push(FormatFinding::FinishReasonWrong));
    }
}
