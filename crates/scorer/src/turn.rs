//! One turn: what kind of answer it is, its calls on every surface, and what they add up to.

use std::borrow::Cow;
use std::cell::OnceCell;

use transcript::{CallId, Item, StopReason, ToolName, Turn, TurnKind};

use crate::argument::Schemas;
use crate::call::{self, CallContext, Rerouted};
use crate::label;
use crate::name::Names;
use crate::outcome::Classified;
use crate::past::last_user_text;
use crate::spoken_claim;
use crate::text_call;
use crate::verdict::{CallVerdict, Class, Counts, Subject, Surface, Suspect, TurnVerdict};
use crate::why;

/// What judges arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentBasis {
    /// The probe's oracle; grounding only suspects.
    Oracle,
    /// Grounding alone.
    GroundingOnly,
}

/// What checks need to know of a turn beside its verdict. `calls` runs beside `TurnVerdict::calls`.
#[derive(Debug)]
pub(crate) struct TurnFacts<'a> {
    pub(crate) step: usize,
    pub(crate) calls: Vec<CallFacts<'a>>,
    /// The visible text.
    pub(crate) text: Cow<'a, str>,
    /// What the text says, where the probe asks for it and the turn makes no call.
    pub(crate) said: Option<Classified>,
}

/// What checks need to know of a call beside its verdict.
#[derive(Debug)]
pub(crate) struct CallFacts<'a> {
    pub(crate) id: Option<&'a CallId>,
    /// The words that show it: its arguments, or the text that it stands in.
    pub(crate) quote: &'a str,
    /// Members of its arguments.
    pub(crate) arguments: u32,
    /// The registered tool that it reaches, through a router where one is offered.
    pub(crate) target: Option<ToolName>,
    /// Whether a lookalike's decoy was called.
    pub(crate) is_decoy: bool,
    /// Whether every argument that the words justify is there, on a call of the wanted tool.
    pub(crate) is_complete: bool,
    /// The names inside a router's arguments that nobody offers.
    pub(crate) inner_unknown: Vec<String>,
}

/// Judges the turn at `at`.
pub(crate) fn judge_turn<'a>(
    subject: &'a Subject<'a>,
    at: usize,
    schemas: &Schemas,
    basis: ArgumentBasis,
) -> (TurnVerdict, TurnFacts<'a>) {
    let turn = &subject.turns[at];
    let (kind, mut calls, call_facts) = calls(subject, at, schemas, basis);
    call::note_ids(&mut calls, &call_facts, subject, at);
    call::note_finish(&mut calls, &turn.observed, kind, subject.request.provider);
    let text = visible_text(turn);
    let said = label::of_text(subject, at, kind, &text, &calls);
    let facts = TurnFacts { step: turn.step, calls: call_facts, text, said };
    let mut counts = count(&calls);
    let is_later = at.checked_sub(1).is_some_and(|before| subject.turns[before].step == turn.step);
    let choice = subject.request.tool_choice.filter(|_| !is_later || !subject.request.choice_once);
    counts.timing = timing(&calls, choice);
    spoken_claim::count(&mut counts, subject, at, &calls, &facts, kind);
    let verdict = TurnVerdict {
        step: u32::try_from(turn.step).unwrap_or(u32::MAX),
        turn: kind,
        countable: kind.is_countable(),
        counts,
        decoy_outcome: label::of_turn(subject, kind, &calls, &facts),
        suspect: suspect(turn, kind, &calls, subject.request.provider),
        in_unknown_denominator: !calls.iter().any(is_unreadable),
        why: why::of_turn(kind, &calls, &facts, &turn.observed, &counts),
        calls,
    };
    (verdict, facts)
}

fn is_unreadable(call: &CallVerdict) -> bool {
    call.class.is_none() && call.surface == Surface::FinishMessage
}

/// The calls of a turn in the order of its body, and what kind of answer they make of it.
fn calls<'a>(
    subject: &'a Subject<'a>,
    at: usize,
    schemas: &Schemas,
    basis: ArgumentBasis,
) -> (TurnKind, Vec<CallVerdict>, Vec<CallFacts<'a>>) {
    let turn = &subject.turns[at];
    let mut kind = TurnKind::of(&turn.observed, turn.usage.as_ref(), subject.request.max_tokens);
    let Some(step) = subject.steps.get(turn.step).or(subject.steps.last()) else {
        return (kind, Vec::new(), Vec::new());
    };
    let conversation = OnceCell::new();
    let context = CallContext {
        subject,
        at,
        names: Names { offered: step.offered, namespaces: subject.request.namespaces },
        schemas,
        basis,
        rerouted: Rerouted::of(subject.executor.unwrap_or_default(), at),
        conversation: &conversation,
    };
    let mut calls = structured_calls(turn, &context);
    let texts = text_calls(turn, kind, calls.is_empty(), &context);
    if !texts.is_empty() && matches!(kind, TurnKind::Text | TurnKind::Empty) {
        kind = TurnKind::TextCall;
    }
    calls.extend(texts);
    calls.sort_by_key(|(order, _, _)| *order);
    let (verdicts, facts) = calls.into_iter().map(|(_, verdict, facts)| (verdict, facts)).unzip();
    (kind, verdicts, facts)
}

type Ordered<'a> = ((usize, usize), CallVerdict, CallFacts<'a>);

fn structured_calls<'a>(turn: &'a Turn, context: &CallContext<'a, '_>) -> Vec<Ordered<'a>> {
    let sole = turn.observed.calls().count() == 1;
    let mut calls = Vec::new();
    for (order, item) in turn.observed.items.iter().enumerate() {
        let (verdict, facts) = match item {
            Item::Call(emitted) => call::judge(emitted, sole, context),
            Item::MalformedCall(message) => call::judge_malformed(message, context),
            _ => continue,
        };
        calls.push(((order, 0), verdict, facts));
    }
    let reported = turn.observed.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::MalformedCall);
    if calls.is_empty() && reported {
        let (verdict, facts) = call::judge_malformed("", context);
        calls.push(((0, 0), verdict, facts));
    }
    calls
}

fn text_calls<'a>(
    turn: &'a Turn,
    kind: TurnKind,
    alone: bool,
    context: &CallContext<'a, '_>,
) -> Vec<Ordered<'a>> {
    let mut calls = Vec::new();
    let user = last_user_text(context.subject, turn.step);
    let silent = kind == TurnKind::Empty && alone;
    for (order, item) in turn.observed.items.iter().enumerate() {
        let (text, surface, found) = match item {
            Item::Text(text) => {
                (text, Surface::Content, text_call::in_content(text, user, context.names.offered))
            }
            Item::Reasoning(text) if silent => {
                (text, Surface::Reasoning, text_call::in_reasoning(text, context.names.offered))
            }
            _ => continue,
        };
        for written in found {
            let start = written.span.start;
            let (verdict, facts) = call::judge_written(&written, text, surface, context);
            calls.push(((order, start), verdict, facts));
        }
    }
    calls
}

fn visible_text(turn: &Turn) -> Cow<'_, str> {
    let mut texts = turn.observed.items.iter().filter_map(|item| match item {
        Item::Text(text) => Some(text.as_str()),
        _ => None,
    });
    match (texts.next(), texts.next()) {
        (None, _) => Cow::Borrowed(""),
        (Some(text), None) => Cow::Borrowed(text),
        _ => Cow::Owned(turn.observed.text()),
    }
}

fn count(calls: &[CallVerdict]) -> Counts {
    let mut counts = Counts::default();
    for call in calls {
        counts.format += u32::from(!call.format_findings.is_empty());
        match call.surface {
            Surface::Content | Surface::Reasoning => counts.text_calls += 1,
            Surface::FinishMessage => counts.calls += 1,
            Surface::Structured => {
                counts.calls += 1;
                counts.unknown_tool += u32::from(call.is_unknown());
                counts.shadow_call += u32::from(call.class == Some(Class::ShadowCall));
                counts.hallucinated_argument += u32::from(call.has_counted_argument());
            }
        }
    }
    counts
}

/// Calls that the request forbade, or others than the one that it forced.
fn timing(calls: &[CallVerdict], choice: Option<&str>) -> u32 {
    let structured = calls.iter().filter(|call| call.surface == Surface::Structured);
    let broken = match choice {
        None | Some("auto" | "required" | "any") => 0,
        Some("none") => structured.count(),
        Some(forced) => structured.filter(|call| call.emitted_name != forced).count(),
    };
    u32::try_from(broken).unwrap_or(u32::MAX)
}

/// A server that hands a call back as text, or that swallows it.
fn suspect(turn: &Turn, kind: TurnKind, calls: &[CallVerdict], provider: &str) -> Option<Suspect> {
    const FILTERING: &[&str] = &["sglang", "ollama"];
    let returned = FILTERING.contains(&provider)
        && kind == TurnKind::TextCall
        && calls.iter().any(|call| call.surface == Surface::Content && call.is_unknown());
    let swallowed = calls.is_empty()
        && match kind {
            TurnKind::Empty => turn.usage.and_then(|usage| usage.output).is_some_and(|output| output > 0),
            TurnKind::Text => {
                turn.observed.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::Calls)
            }
            _ => false,
        };
    (returned || swallowed).then_some(Suspect::ServerFilter)
}

/// Most characters of a quotation: evidence is to be read, and the record holds the whole.
const LONGEST_QUOTE: usize = 400;

/// A text as a quotation, short enough to print: a long one is cropped, with a mark that says so.
pub(crate) fn quote(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{} [cropped]", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_quotations_are_cropped_between_characters() {
        assert_eq!(quote("short"), "short");
        let exact = "ß".repeat(LONGEST_QUOTE);
        assert_eq!(quote(&exact), exact);
        assert_eq!(quote(&format!("{exact}ß")), format!("{exact} [cropped]"));
    }
}
