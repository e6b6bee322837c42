//! What came before a turn: messages, earlier turns, and what the model was given to know.

use std::borrow::Cow;
use std::collections::HashSet;

use transcript::{CallId, Item, Message, Role, ToolResult, Turn};

use crate::argument::Conversation;
use crate::verdict::Subject;

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

/// What the user and the prompt said before a turn, without what tools returned.
pub(crate) fn asked(subject: &Subject<'_>, at: usize) -> String {
    let mut all = String::new();
    for piece in past(subject, at) {
        if let Past::Message(message) = piece
            && matches!(message.role, Role::System | Role::User)
        {
            all.push_str(message.text());
            all.push('\n');
        }
    }
    all
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

/// Whether a name was a tool's in an earlier turn: offered in an earlier step, or called in the history
/// without being answered as unknown.
pub(crate) fn was_valid(subject: &Subject<'_>, at: usize, name: &str) -> bool {
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

/// The ids of the calls in the history and in earlier turns.
pub(crate) fn used_ids<'a>(subject: &Subject<'a>, at: usize) -> HashSet<&'a CallId> {
    let step = subject.turns.get(at).map_or(0, |turn| turn.step);
    let told = subject.steps.iter().take(step + 1).flat_map(|s| s.messages).flat_map(|m| &m.tool_calls);
    let made = subject.turns.iter().take(at).flat_map(|turn| turn.observed.calls());
    told.map(|call| &call.id).chain(made.filter_map(|call| call.id.as_ref())).collect()
}
