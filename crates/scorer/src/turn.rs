//! One turn: what kind of answer it is, its calls on every surface, and what they add up to.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use probes::{Expectation, RightBehaviour};
use transcript::{CallId, Item, Message, Role, StopReason, ToolName, ToolResult, Turn, TurnKind};

use crate::argument::{Conversation, Schemas};
use crate::call::{self, CallContext};
use crate::name::Names;
use crate::outcome::{self, Classified};
use crate::spoken_claim;
use crate::text_call;
use crate::verdict::{CallVerdict, Class, Counts, DecoyOutcome, Subject, Surface, Suspect, TurnVerdict};

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
    let Some(step) = subject.steps.get(turn.step).or(subject.steps.last()) else {
        return (nothing(TurnKind::of(&turn.observed, turn.usage.as_ref(), None)), no_facts(turn.step));
    };
    let mut kind = TurnKind::of(&turn.observed, turn.usage.as_ref(), subject.request.max_tokens);
    let conversation = OnceCell::new();
    let context = CallContext {
        subject,
        at,
        names: Names { offered: step.offered, namespaces: subject.request.namespaces },
        schemas,
        basis,
        conversation: &conversation,
    };
    let user = last_user_text(subject, turn.step);
    let mut calls = structured_calls(turn, &context);
    let has_structured = !calls.is_empty();
    let text = visible_text(turn);
    let texts = text_calls(turn, user, kind, has_structured, &context);
    if !texts.is_empty() && matches!(kind, TurnKind::Text | TurnKind::Empty) {
        kind = TurnKind::TextCall;
    }
    calls.extend(texts);
    calls.sort_by_key(|(order, _, _)| *order);
    let (mut verdicts, facts): (Vec<_>, Vec<_>) =
        calls.into_iter().map(|(_, verdict, facts)| (verdict, facts)).unzip();
    call::note_ids(&mut verdicts, &facts, subject, at);
    call::note_finish(&mut verdicts, &turn.observed, kind, subject.request.provider);

    let said = label_of_text(subject, at, kind, &text, has_structured);
    let mut counts = count(&verdicts);
    counts.timing = timing(&verdicts, subject.request.tool_choice);
    let facts = TurnFacts { step: turn.step, calls: facts, text, said };
    spoken_claim::count(&mut counts, subject, at, &verdicts, &facts, kind);
    let decoy_outcome = label_of_turn(subject, kind, &verdicts, &facts);
    let in_unknown_denominator =
        !verdicts.iter().any(|call| call.class.is_none() && call.surface == Surface::FinishMessage);
    let verdict = TurnVerdict {
        turn: kind,
        countable: kind.is_countable(),
        suspect: suspect(turn, kind, &verdicts, subject.request.provider),
        why: crate::why::of_turn(kind, &verdicts, &facts, &turn.observed, &counts),
        calls: verdicts,
        counts,
        decoy_outcome,
        in_unknown_denominator,
    };
    (verdict, facts)
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
    user: &str,
    kind: TurnKind,
    has_structured: bool,
    context: &CallContext<'a, '_>,
) -> Vec<Ordered<'a>> {
    let mut calls = Vec::new();
    let silent = kind == TurnKind::Empty && !has_structured;
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

/// The last thing that the user said before a turn of this step.
pub(crate) fn last_user_text<'a>(subject: &Subject<'a>, step: usize) -> &'a str {
    let steps = subject.steps.iter().take(step + 1).rev();
    let mut messages = steps.flat_map(|step| step.messages.iter().rev());
    messages.find(|message| message.role == Role::User).map_or("", Message::text)
}

/// A piece of what came before a turn.
#[derive(Clone, Copy)]
enum Past<'a> {
    Message(&'a Message),
    Turn(&'a Turn),
}

/// What came before a turn, in order: each step's messages, then its turns.
fn past<'a>(subject: &Subject<'a>, at: usize) -> impl Iterator<Item = Past<'a>> {
    let last = subject.turns.get(at).map_or(0, |turn| turn.step);
    let turns = &subject.turns[..at.min(subject.turns.len())];
    subject.steps.iter().take(last + 1).enumerate().flat_map(move |(number, step)| {
        let of_step = turns.iter().filter(move |turn| turn.step == number);
        step.messages.iter().map(Past::Message).chain(of_step.map(Past::Turn))
    })
}

/// Everything said before a turn, for grounding.
pub(crate) fn conversation<'a>(subject: &Subject<'a>, at: usize) -> Conversation<'a> {
    let mut conversation = Conversation::new();
    for piece in past(subject, at) {
        match piece {
            Past::Message(message) => conversation.add_message(message),
            Past::Turn(turn) => {
                for item in &turn.observed.items {
                    match item {
                        Item::Text(text) => conversation.say(Role::Assistant, text),
                        Item::Call(call) => conversation.add_call(call.arguments.text()),
                        Item::Reasoning(_) | Item::Refusal(_) | Item::MalformedCall(_) => {}
                    }
                }
                turn.results.iter().for_each(|result| conversation.add_result(result));
            }
        }
    }
    conversation
}

/// What the model was given to know before a turn: everything but its own words.
pub(crate) fn given<'a>(subject: &Subject<'a>, at: usize) -> Cow<'a, str> {
    let mut texts = past(subject, at).flat_map(told).filter(|text| !text.is_empty());
    let first = texts.next().unwrap_or_default();
    texts.fold(Cow::Borrowed(first), |all, text| Cow::Owned(all.into_owned() + "\n" + text))
}

/// The texts of a piece that are not the model's.
fn told<'a>(piece: Past<'a>) -> impl Iterator<Item = &'a str> {
    let (message, results) = match piece {
        Past::Message(message) if message.role != Role::Assistant => (Some(message.text()), [].iter()),
        Past::Message(_) => (None, [].iter()),
        Past::Turn(turn) => (None, turn.results.iter()),
    };
    message.into_iter().chain(results.map(|result: &ToolResult| result.content.as_str()))
}

/// Whether what the model was given names something.
pub(crate) fn is_told(subject: &Subject<'_>, at: usize, name: &str) -> bool {
    past(subject, at).flat_map(told).any(|text| text.contains(name))
}

/// Whether the probe's outcome is one of DESIGN.md 3.3: the tool that the task wants is not there.
pub(crate) fn is_decoy(expectation: &Expectation) -> bool {
    !expectation.offered && !matches!(expectation.right, RightBehaviour::Answer | RightBehaviour::Call)
}

/// What is right in the step of a turn.
fn right_of_step(subject: &Subject<'_>, expectation: &Expectation, at: usize) -> RightBehaviour {
    let step = subject.turns.get(at).map_or(0, |turn| turn.step);
    if step + 1 >= subject.steps.len() {
        return expectation.right;
    }
    expectation.earlier_right.get(step).copied().unwrap_or(expectation.right)
}

fn label_of_text(
    subject: &Subject<'_>,
    at: usize,
    kind: TurnKind,
    text: &str,
    has_structured: bool,
) -> Option<Classified> {
    let expectation = subject.expectation?;
    let asked = is_decoy(expectation)
        || !matches!(right_of_step(subject, expectation, at), RightBehaviour::Answer | RightBehaviour::Call)
        || expectation.side.contains(&probes::RateName::MissingCall);
    let answers = matches!(kind, TurnKind::Text | TurnKind::TextCall) && !has_structured;
    (asked && answers).then(|| outcome::classify(text, &given(subject, at)))
}

/// The outcome that one turn shows by itself.
fn label_of_turn(
    subject: &Subject<'_>,
    kind: TurnKind,
    calls: &[CallVerdict],
    facts: &TurnFacts<'_>,
) -> Option<DecoyOutcome> {
    let expectation = subject.expectation.filter(|expectation| is_decoy(expectation))?;
    if !kind.is_countable() {
        return None;
    }
    if calls.iter().any(CallVerdict::is_unknown) {
        return Some(DecoyOutcome::Invented);
    }
    if facts.calls.iter().any(|call| is_misuse(call.target.as_ref(), expectation)) {
        return Some(DecoyOutcome::Misused);
    }
    if !calls.is_empty() {
        let unreadable = calls.iter().any(|call| call.class.is_none());
        return (unreadable || kind == TurnKind::TextCall).then_some(DecoyOutcome::Unclassified);
    }
    facts.said.as_ref().map(|said| said.label)
}

/// Whether a registered tool is one that the probe does not allow.
pub(crate) fn is_misuse(target: Option<&ToolName>, expectation: &Expectation) -> bool {
    let Some(target) = target else { return false };
    let wanted = expectation.offered && expectation.tool.as_ref() == Some(target);
    !wanted && !expectation.allowed_reads.contains(target)
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

fn nothing(kind: TurnKind) -> TurnVerdict {
    TurnVerdict {
        turn: kind,
        countable: kind.is_countable(),
        calls: Vec::new(),
        counts: Counts::default(),
        decoy_outcome: None,
        suspect: None,
        in_unknown_denominator: true,
        why: Vec::new(),
    }
}

fn no_facts<'a>(step: usize) -> TurnFacts<'a> {
    TurnFacts { step, calls: Vec::new(), text: Cow::Borrowed(""), said: None }
}

/// A span of a text as a quotation, short enough to print.
pub(crate) fn quote(text: &str, span: &Range<usize>) -> String {
    text.get(span.clone()).unwrap_or_default().to_owned()
}
