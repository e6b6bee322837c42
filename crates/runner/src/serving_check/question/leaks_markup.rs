//! Whether the markup of calls leaks into text or reasoning, in answers to requests that hold no markup themselves.

use serde_json::value::RawValue;
use transcript::Confidence;

use super::{Decision, Question};
use crate::json;
use crate::serving_check::ask::{
    ABSENT_BEFORE, ABSENT_TOLD, CALL_TOLD, NAMED, NO_ARGUMENTS, NONE, ONE_CALL, REQUIRED, TOOLS, TWO_CALLS,
};
use crate::serving_check::exchange::Exchanges;
use crate::serving_check::recipe::Wording;

pub(super) const QUESTION: Question =
    Question { key: "leaks_markup", says: "markup of calls leaks into text or reasoning", decide };

/// What templates write calls with, and nobody writes in an answer.
const MARKUP: &[&str] = &[
    "<tool_call",
    "</tool_call",
    "<|tool_call",
    "<toolcall>",
    "<tool_calls>",
    "<｜tool▁call",
    "<function=",
    "<function_call",
    "<invoke ",
    "<start_function_call",
    "<|python_tag|>",
    "[TOOL_CALLS]",
    "[TOOL_CALL]",
    "[TOOL_REQUEST]",
    "to=functions.",
    "<|channel|>",
    "```tool_code",
    "```tool_call",
];

/// Requests in plain words whatever the wording.
const PLAIN_WORDS: &[&str] = &[TOOLS, CALL_TOLD, ABSENT_TOLD, ABSENT_BEFORE, REQUIRED];
/// Requests in the wording that works.
const AS_IT_WORKS: &[&str] = &[NONE, NAMED, TWO_CALLS, ONE_CALL, NO_ARGUMENTS];

/// Whether a text has markup of calls in it, or begins with what stands inside of it: a call as a bare object.
pub(in crate::serving_check) fn has_markup(text: &str) -> bool {
    MARKUP.iter().any(|markup| text.contains(markup)) || is_bare_call(text)
}

fn is_bare_call(text: &str) -> bool {
    let text = text.trim_start();
    let text = text.strip_prefix("```json").or_else(|| text.strip_prefix("```")).unwrap_or(text);
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let Some(members) = values.next().and_then(Result::ok).and_then(json::members) else { return false };
    json::present_string(&members, "name").is_some()
        && (members.has("arguments") || members.has("parameters"))
}

fn decide(exchanges: &Exchanges) -> Decision {
    let told = Wording::that_works(exchanges) == Wording::Told;
    let beside: &[&'static str] = if told { AS_IT_WORKS } else { &[] };
    let asked: Vec<&'static str> =
        PLAIN_WORDS.iter().chain(beside).copied().filter(|name| exchanges.answer(name).is_some()).collect();
    let leaks = |name: &str| exchanges.answer(name).is_some_and(|answer| answer.words_in().any(has_markup));
    let leaked: Vec<&'static str> = asked.iter().copied().filter(|name| leaks(name)).collect();
    if let Some(&first) = leaked.first() {
        // Under `none` a model may write what it must not call.
        let confidence = if leaked == [NONE] { Confidence::Low } else { Confidence::High };
        return Decision::yes(confidence).shown_by(exchanges, first, "asked without any markup");
    }
    let calls = asked.iter().filter(|name| exchanges.get(name).is_some_and(|it| it.calls().next().is_some()));
    match calls.count() {
        0 => Decision::unknown().on(&asked),
        made => Decision::no(if made > 1 { Confidence::High } else { Confidence::Medium })
            .because(format!("none in {} answers, {made} of them with calls", asked.len()))
            .on(&asked),
    }
}

#[cfg(test)]
mod tests {
    use transcript::Item;
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, call, text};

    #[test]
    fn markup_in_text_and_in_reasoning_is_seen_where_it_was_not_asked_for() {
        let told = |items| decide(&all(vec![answered(CALL_TOLD, items, None)])).answer;
        assert_eq!(told(vec![text("<tool_call>\n{}\n</tool_call>")]), Yes);
        assert_eq!(told(vec![Item::Reasoning("to=functions.tide_table".into()), text("Ahoy.")]), Yes);
        let bare = "{\"name\": \"mooring_status\", \"arguments\": {\"mooring\": \"south\"}}\nDone.";
        assert_eq!([told(vec![text(bare)]), told(vec![text("{\"mooring\": \"south\"}")])], [Yes, Unknown]);
        assert_eq!(told(vec![call("mooring_status", "{}")]), No);
        assert_eq!(told(vec![text("I would call `mooring_status`.")]), Unknown);
        let echoed = vec![answered("call_echo", vec![text("<tool_call>")], None)];
        assert_eq!(decide(&all(echoed)).answer, Unknown);
    }
}
