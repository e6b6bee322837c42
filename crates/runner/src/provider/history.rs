//! A conversation as the formats want it that have one message a turn: the system prompt apart, what the user and
//! the tools say in one message, results first.

use serde_json::value::RawValue;
use transcript::{Message, RawJson, Role};

use super::Said;
use super::json_text::json_text;
use super::splice::object;

/// A conversation, turn by turn.
#[derive(Debug)]
pub(super) struct History<'a> {
    /// What the system says before anybody else does.
    pub(super) system: Vec<&'a str>,
    /// What follows.
    pub(super) turns: Vec<Spoken<'a>>,
}

/// One turn.
#[derive(Debug)]
pub(super) enum Spoken<'a> {
    /// A system message in the middle of the conversation.
    System(&'a str),
    /// User messages and tool results that follow each other, results first.
    User(Vec<&'a Message>),
    /// Canned words and calls of the model.
    Assistant(&'a Message),
    /// The model's own turn, in the provider's form.
    Model(&'a RawJson),
}

impl<'a> History<'a> {
    pub(super) fn of(said: &'a [Said]) -> Self {
        let mut history = Self { system: Vec::new(), turns: Vec::new() };
        for said in said {
            match said {
                Said::Model(raw) => history.turns.push(Spoken::Model(raw)),
                Said::Ours(message) => history.take(message),
            }
        }
        for turn in &mut history.turns {
            if let Spoken::User(messages) = turn {
                messages.sort_by_key(|message| message.role != Role::Tool);
            }
        }
        history
    }

    fn take(&mut self, message: &'a Message) {
        match (message.role, self.turns.last_mut()) {
            (Role::System, None) => self.system.push(message.text()),
            (Role::System, _) => self.turns.push(Spoken::System(message.text())),
            (Role::Assistant, _) => self.turns.push(Spoken::Assistant(message)),
            (_, Some(Spoken::User(messages))) => messages.push(message),
            _ => self.turns.push(Spoken::User(vec![message])),
        }
    }
}

/// The key that Anthropic's documentation names for a call's input that is no JSON ("Fine-grained tool streaming").
const UNREADABLE: &str = "INVALID_JSON";

/// Arguments where a format takes an object and nothing else: a text that is none is wrapped in one. Nothing and `null`
/// are an empty object.
pub(super) fn arguments_object(arguments: &str) -> String {
    match RawJson::parse(arguments) {
        Ok(raw) if raw.is_object() => raw.as_str().to_owned(),
        Ok(raw) if raw.is_null() => "{}".to_owned(),
        _ if arguments.is_empty() => "{}".to_owned(),
        _ => object(UNREADABLE, &json_text(arguments)),
    }
}

/// What goes into a history for a call's input that is no object, unread as it is; none where it is one.
pub(super) fn object_in_place(input: Option<&RawValue>) -> Option<String> {
    match input {
        Some(input) if input.get().starts_with('{') => None,
        Some(input) if input.get().starts_with('"') => Some(object(UNREADABLE, input.get())),
        Some(input) => Some(arguments_object(input.get())),
        None => Some("{}".to_owned()),
    }
}

/// Whether a text block has nothing to read. Endpoints send such blocks and refuse a history that has one.
pub(super) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use transcript::CallId;

    use super::*;

    #[test]
    fn what_follows_each_other_is_one_turn_with_results_first() {
        let result =
            Message { role: Role::Tool, tool_call_id: Some(CallId("c".into())), ..Message::user("4 kg") };
        let said = [
            Message::system("Be brief."),
            Message::user("Weigh it."),
            Message::assistant("Which?"),
            Message::user("The red one."),
            result,
            Message::system("Closing time."),
        ];
        let said: Vec<Said> = said.into_iter().map(Said::Ours).collect();
        let history = History::of(&said);
        assert_eq!(history.system, ["Be brief."]);
        let Spoken::User(merged) = &history.turns[2] else { panic!("{history:?}") };
        assert_eq!(merged.iter().map(|m| m.text()).collect::<Vec<_>>(), ["4 kg", "The red one."]);
        assert!(matches!(history.turns[3], Spoken::System("Closing time.")));
    }

    #[test]
    fn arguments_become_an_object() {
        assert_eq!(arguments_object(r#"{ "a": 1.0 }"#), r#"{"a":1.0}"#);
        assert_eq!(arguments_object(""), "{}");
        assert_eq!(arguments_object("null"), "{}");
        assert_eq!(arguments_object(r#"{"a":"#), r#"{"INVALID_JSON":"{\"a\":"}"#);
        assert_eq!(arguments_object("[1]"), r#"{"INVALID_JSON":"[1]"}"#);
    }
}
