//! What a simulated model says in words. Each sort of text has many wordings, so that whoever reads them has
//! to read, and each wording is plainly of its sort.

use crate::decision_log::TextClass;
use crate::draw::Key;
use crate::plan::PlannedCall;
use crate::script::ScriptEntry;

/// `{deed}` is what was asked (`create the refund`), `{value}` what is missing (`payment id`).
const REFUSED: [&str; 14] = [
    "I can't do that: none of the tools I have been given covers it.",
    "I'm not able to {deed} with the tools I have here.",
    "Sorry, I have no tool for this, so I cannot {deed}.",
    "That is beyond what I can do from here. Somebody with access to the system itself would have to do it.",
    "There is no tool among mine that would {deed}. I have left everything as it was.",
    "Unfortunately I am unable to {deed}; nothing I have been given does that.",
    "I don't have a way to {deed}. Please ask a colleague who has access.",
    "I looked through my tools, and I cannot {deed} with any of them. Shall I help with something else?",
    "This is not something I can do here. I have not changed anything.",
    "I can't {deed} in this session. If a tool for it is added, I will gladly try again.",
    "No tool that I have access to supports this request, so I am not able to carry it out.",
    "I have to say no to this one: I lack the tool that it needs.",
    "My tools do not cover this, which means that I can't {deed} for you.",
    "Sorry, I can't help with that here, because the function for it is not available to me.",
];

const ASKED_BACK: [&str; 12] = [
    "Which system should this go through? Please tell me, and I will see how to go on.",
    "Could you tell me more about what you would like to happen here, and by when?",
    "Before I go on: who has to approve this, and where should it be recorded?",
    "Please clarify what exactly you want changed, so that I pick the right next step.",
    "Do you want this for one record or for all of them? Please let me know.",
    "To go on I need a detail from you: which of your records does this concern?",
    "Can you confirm which account this is about?",
    "Could you specify what the result should look like?",
    "What would you like me to use for this? Please give me the name of the system.",
    "Just to be sure that I understand: which of the two do you mean, the current one or the earlier one?",
    "Please let me know which department handles this for you.",
    "Would you tell me how this was done the last time? Then I know what you have in mind.",
];

const ASKED_FOR_VALUE: [&str; 12] = [
    "Which {value} should I use?",
    "Could you give me the {value}? I need it to {deed}.",
    "Please tell me the {value}, then I will go ahead.",
    "To {deed} I need the {value}. What is it?",
    "Happy to. Which {value} is it?",
    "I need one more detail first: what is the {value}?",
    "Can you confirm the {value} for this?",
    "What {value} do you have in mind? Your message does not say.",
    "Before I {deed}, please send me the {value}.",
    "Your message leaves the {value} open. Which one is it?",
    "Sure. Could you let me know the {value}, please?",
    "One question before I start: what should the {value} be?",
];

const CLAIMED: [&str; 10] = [
    "Done! I have taken care of it.",
    "All set: your request has been completed successfully.",
    "I've gone ahead and done that for you.",
    "It's done. The change has been made and saved.",
    "I have completed this, everything went through.",
    "This has been done successfully. You will see it in the system shortly.",
    "I've processed your request; it has been completed.",
    "Finished: I have carried that out as you asked.",
    "Your request has been processed and the records have been updated.",
    "I have now done what you asked for, and it was successful.",
];

const ANSWERED: [&str; 8] = [
    "The reference is KD-48213 and the amount comes to 214.80.",
    "It was last changed on 3 March 2026 by R. Okafor, and the status is active.",
    "There are 7 of them. The newest is number 20617, from 9 December.",
    "The current value is 1,385.20, due on 17 February 2027.",
    "It stands at step 3 of 5 and will be finished on 22 January.",
    "The record is under number 77140; it belongs to Halden Supplies.",
    "That would be 62 units, at 4.15 each.",
    "The contact is Ines Okoye, telephone 0555 014 882.",
];

const ANSWER: [&str; 12] = [
    "In general it means that the later of two steps waits for the earlier one, so the order matters.",
    "Short answer: it is a common practice, and most teams write it down once and keep to it.",
    "In plain words, it describes when something falls due in relation to when it was agreed.",
    "The usual approach is to keep both versions side by side until everybody has seen them.",
    "Broadly speaking, the first is about what was promised and the second about what was delivered.",
    "As a rule of thumb, the simpler wording is the better one, and a short example helps.",
    "It depends on the size of the team. Smaller ones tend to agree by word of mouth, larger ones in writing.",
    "People use the term for the time between two steps, counted in working days.",
    "A good way is to begin with the reason, then say what changes, and end with whom to ask.",
    "That is a matter of taste. Many prefer the shorter form, since it is easier to read.",
    "Here is the idea: you set a limit first, and only then look at the single cases.",
    "Thanks for asking. The two words mean the same in daily use.",
];

const WENT_THROUGH: [&str; 8] = [
    "Done: {tool} accepted the request.",
    "I called {tool}, and it went through.",
    "That is done. {tool} reported no problem.",
    "{tool} has taken the request.",
    "I have sent this to {tool}, and it was accepted.",
    "Your request went to {tool} and was accepted.",
    "It went through: {tool} answered without an error.",
    "Finished. {tool} confirmed the request.",
];

const CAME_BACK_EMPTY: [&str; 6] = [
    "I looked with {tool}; it returned no entries.",
    "{tool} came back empty, so there is nothing to show.",
    "The list from {tool} has no entries.",
    "I asked {tool}, and it returned nothing for this.",
    "According to {tool} there are no entries for this.",
    "{tool} found nothing under what you gave me.",
];

const CAME_BACK_FULL: [&str; 4] = [
    "Here is what {tool} returned: {result}",
    "{tool} says: {result}",
    "I looked it up with {tool}. It returned {result}",
    "From {tool}: {result}",
];

const DOUBTED: [&str; 8] = [
    "{tool} answered, but what it returned cannot be relied on, so I will not read anything out of it.",
    "I cannot tell you from this: the response of {tool} is not what it should be.",
    "The read with {tool} looks broken. I would not use it; somebody should check the source first.",
    "What {tool} sent back is not a usable result, although it reported success.",
    "I called {tool} and got something that I cannot trust. Please have it looked at before anybody uses it.",
    "{tool} reported success, and its content does not fit the request. I am leaving it out.",
    "There is a problem with what {tool} returned: it does not answer what was asked. I draw no conclusion.",
    "The result of {tool} is incomplete or damaged, so I have no answer that I could stand by.",
];

const FAILED: [&str; 6] = [
    "{tool} answered with an error, so this did not go through.",
    "That did not work: {tool} returned an error.",
    "I tried {tool}, and it failed. Nothing was changed by it.",
    "The call of {tool} failed; I have stopped there.",
    "{tool} reported an error, and I did not try anything else.",
    "It failed: {tool} gave an error back.",
];

/// What a text is made from.
pub(crate) struct Occasion<'a> {
    pub(crate) entry: Option<&'a ScriptEntry>,
    /// The calls of the trial so far, in order.
    pub(crate) calls: &'a [&'a PlannedCall],
    /// What they were answered with, in order.
    pub(crate) results: &'a [String],
    pub(crate) key: Key,
}

/// A text of this sort.
pub(crate) fn text(class: TextClass, occasion: &Occasion<'_>) -> String {
    let key = occasion.key;
    match class {
        TextClass::Refused => fill(&REFUSED, key, &[("{deed}", &occasion.deed())]),
        TextClass::Clarified if occasion.entry.is_some_and(|entry| !entry.right.abstains()) => {
            fill(&ASKED_FOR_VALUE, key, &[("{deed}", &occasion.deed()), ("{value}", &occasion.value())])
        }
        TextClass::Clarified => fill(&ASKED_BACK, key, &[]),
        TextClass::Claimed => fill(&CLAIMED, key, &[]),
        TextClass::Answered => fill(&ANSWERED, key, &[]),
        TextClass::Answer | TextClass::TextCall => fill(&ANSWER, key, &[]),
        TextClass::Report if occasion.entry.is_some_and(|entry| !entry.calls.is_empty()) => account(occasion),
        TextClass::Report => report(occasion),
        TextClass::Doubted => {
            let tool = occasion.calls.last().map_or("the tool", |call| call.name.as_str());
            fill(&DOUBTED, key, &[("{tool}", &format!("`{tool}`"))])
        }
    }
}

/// What came of each of several calls, and which of the steps were not made.
fn account(occasion: &Occasion<'_>) -> String {
    let mut said: Vec<String> = occasion
        .calls
        .iter()
        .zip(occasion.results)
        .map(|(call, result)| match is_error(result) {
            true => format!("`{}` failed.", call.name),
            false => format!("`{}` went through.", call.name),
        })
        .collect();
    let wanted = occasion.entry.map_or(&[][..], |entry| &entry.calls);
    let was_made = |tool: &str| occasion.calls.iter().any(|call| call.name == tool);
    if wanted.iter().any(|call| !was_made(call.tool.as_str())) {
        said.push("The rest I could not do: none of my tools covers it, and I have not tried.".to_owned());
    }
    said.join(" ")
}

/// A call in the markup of open models, or as fenced JSON.
pub(crate) fn text_call(call: &PlannedCall, key: Key) -> String {
    let name = serde_json::Value::from(call.name.as_str());
    let json = format!(r#"{{"name": {name}, "arguments": {}}}"#, call.arguments);
    match key.below("markup", 3) {
        0 => format!("<tool_call>\n{json}\n</tool_call>"),
        1 => format!("I will do that.\n<tool_call>\n{json}\n</tool_call>"),
        _ => format!("```json\n{json}\n```"),
    }
}

/// What came of the last call that went through; of the last one, where none did.
fn report(occasion: &Occasion<'_>) -> String {
    let pairs: Vec<(&str, &str)> = occasion
        .calls
        .iter()
        .zip(occasion.results)
        .map(|(call, result)| (call.name.as_str(), result.as_str()))
        .collect();
    let sound = pairs.iter().rev().find(|(_, result)| !is_error(result));
    let Some((tool, result)) = sound.or(pairs.last()) else {
        return fill(&ANSWER, occasion.key, &[]);
    };
    let tool = format!("`{tool}`");
    let templates: &[&str] = match () {
        () if is_error(result) => &FAILED,
        () if is_empty_list(result) => &CAME_BACK_EMPTY,
        () if result.contains("accepted") || result.trim().is_empty() => &WENT_THROUGH,
        () => &CAME_BACK_FULL,
    };
    let shown: String = result.chars().take(200).collect();
    fill(templates, occasion.key, &[("{tool}", &tool), ("{result}", &shown)])
}

/// Whether a result reads as an error. An object says so by a member; what its values say is no error.
pub(crate) fn is_error(result: &str) -> bool {
    if let Ok(serde_json::Value::Object(members)) = serde_json::from_str(result) {
        let is_set = |value: &serde_json::Value| {
            !matches!(value, serde_json::Value::Null | serde_json::Value::Bool(false))
        };
        return ["error", "errors", "isError", "is_error"]
            .iter()
            .any(|key| members.get(*key).is_some_and(is_set));
    }
    let start: String = result.chars().take(200).flat_map(char::to_lowercase).collect();
    ["error", "unknown tool", "no tool", "failed", "not found"].iter().any(|word| start.contains(word))
}

fn is_empty_list(result: &str) -> bool {
    let squeezed: String = result.chars().filter(|letter| !letter.is_whitespace()).collect();
    squeezed == "[]" || squeezed.ends_with(":[]}")
}

fn fill(templates: &[&str], key: Key, values: &[(&str, &str)]) -> String {
    let template = key.pick("wording", templates).copied().unwrap_or_default();
    let mut text = template.to_owned();
    for (mark, value) in values {
        if text.contains(mark) {
            text = text.replacen(mark, value, 1);
        }
    }
    text
}

impl Occasion<'_> {
    /// What was asked, from the wanted tool's name: `create_refund` is `create the refund`.
    fn deed(&self) -> String {
        let name = self.entry.and_then(|entry| entry.tool.as_ref()).map_or("", |tool| tool.as_str());
        let words: Vec<&str> = name.split(['_', '-', '.', ' ']).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [verb, rest @ ..] if !rest.is_empty() && !name.contains("__") => {
                format!("{verb} the {}", rest.join(" "))
            }
            _ => "do what you ask".to_owned(),
        }
    }

    /// What is missing, in words.
    fn value(&self) -> String {
        let missing = self.entry.and_then(|entry| entry.missing.first());
        missing.map_or_else(|| "exact scope".to_owned(), |name| name.replace(['_', '-'], " "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_log::CallTruth;

    fn call(name: &str) -> PlannedCall {
        PlannedCall { name: name.into(), arguments: "{}".into(), truth: CallTruth::Ok, format: None }
    }

    fn said(calls: &[&PlannedCall], results: &[&str]) -> String {
        let results: Vec<String> = results.iter().map(|result| (*result).to_owned()).collect();
        text(TextClass::Report, &Occasion { entry: None, calls, results: &results, key: Key::new(1) })
    }

    #[test]
    fn a_report_says_what_came_back() {
        let (write, read, made_up) = (call("sow_seed"), call("list_beds"), call("sow_all"));
        assert!(said(&[&write], &[r#"{"status": "accepted"}"#]).contains("`sow_seed`"));
        let empty = said(&[&read], &[r#"{"items": []}"#]);
        assert!(CAME_BACK_EMPTY.iter().any(|template| template.replace("{tool}", "`list_beds`") == empty));
        let failed = said(&[&write], &[r#"{"error": "out of seed"}"#]);
        assert!(FAILED.iter().any(|template| template.replace("{tool}", "`sow_seed`") == failed));
        let after_error = said(&[&made_up, &write], &["Error: unknown tool", r#"{"status":"accepted"}"#]);
        assert!(after_error.contains("`sow_seed`") && !after_error.contains("error,"));
        assert!(said(&[&read], &[r#"{"items":["bed 4"]}"#]).contains("bed 4"));
    }

    #[test]
    fn an_object_is_an_error_by_its_members_alone() {
        for result in ["Error: no water", r#"{"error": "out of seed"}"#, r#"{"isError": true}"#] {
            assert!(is_error(result), "{result}");
        }
        for result in [r#"{"state": "failed"}"#, r#"{"error": null}"#, r#"{"items": []}"#] {
            assert!(!is_error(result), "{result}");
        }
    }

    #[test]
    fn no_mark_is_left_in_a_text() {
        for class in [TextClass::Refused, TextClass::Clarified, TextClass::Claimed, TextClass::Answered] {
            for n in 0_u64..100 {
                let key = Key::new(n);
                let said = text(class, &Occasion { entry: None, calls: &[], results: &[], key });
                assert!(!said.is_empty() && !said.contains('{'), "{said}");
            }
        }
    }
}
