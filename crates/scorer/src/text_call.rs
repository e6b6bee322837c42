//! Calls that a model wrote into its text or reasoning instead of the provider's call field. Nobody dispatches
//! them: they are format faults, judged on a surface of their own (wire rule 2).
//!
//! A mention of a tool in prose, markup that is quoted on request, and a call that reasoning weighs and drops
//! are no calls. Where the two cannot be told apart, none is reported.

mod json;
mod markup;
mod notation;
mod quoted;

use std::ops::Range;

use probes::Offered;

/// One call written as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextCall {
    /// The name as written; empty where it cannot be read.
    pub(crate) name: String,
    /// Where the call stands in the text.
    pub(crate) span: Range<usize>,
    /// Whether its own syntax is broken (no JSON, a tag that never closes).
    pub(crate) broken: bool,
    /// Whether it stands in markup that is made for calls and nothing else.
    pub(crate) marked: bool,
}

/// The calls in visible text. `user` is the last thing that the user said: who asks to see a call gets a
/// quotation.
pub(crate) fn in_content(text: &str, user: &str, offered: &Offered) -> Vec<TextCall> {
    if !may_hold_a_call(text) || quoted::is_asked_for(user, offered) {
        return Vec::new();
    }
    let mut calls = all(text, offered);
    calls.retain(|call| !quoted::is_quoted(text, call, user));
    calls
}

/// The calls in reasoning, for a turn that has no other output: reasoning that leads to an answer weighed the
/// call and dropped it. Only a call that ends the reasoning was meant.
pub(crate) fn in_reasoning(text: &str, offered: &Offered) -> Vec<TextCall> {
    if !may_hold_a_call(text) {
        return Vec::new();
    }
    let mut calls = all(text, offered);
    let Some(last) = calls.iter().map(|call| call.span.end).max() else { return calls };
    if text[last..].chars().any(char::is_alphanumeric) {
        return Vec::new();
    }
    calls.retain(|call| !quoted::is_weighed(text, call));
    calls
}

/// Prose without any of these characters holds no call: the usual case, told in one pass.
fn may_hold_a_call(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'{' | b'<' | b'[' | b'(' | b'=')) || text.contains("Action:")
}

fn all(text: &str, offered: &Offered) -> Vec<TextCall> {
    let mut calls = markup::find(text, offered);
    json::find(text, offered, &mut calls);
    notation::find(text, offered, &mut calls);
    calls.sort_by_key(|call| (call.span.start, call.span.end));
    calls
}

/// Whether a place lies in a call that is found already.
fn is_taken(calls: &[TextCall], at: usize) -> bool {
    calls.iter().any(|call| call.span.contains(&at))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use transcript::Tool;

    use super::*;

    fn offered() -> Offered {
        let names = ["water_plant", "list_plants", "set_lamp"];
        Offered::new(names.iter().map(|name| Arc::new(Tool::named(name))).collect())
    }

    fn names(text: &str, user: &str) -> Vec<String> {
        in_content(text, user, &offered()).into_iter().map(|call| call.name).collect()
    }

    /// One call to `water_plant` (or to what the second member says), each in another dialect.
    const CALLS: &[(&str, &str)] = &[
        (r#"{"name": "water_plant", "arguments": {"litres": 2}}"#, "water_plant"),
        (r#"[{"name": "water_plant", "parameters": {"litres": 2}}]"#, "water_plant"),
        (r#"{"tool": "mist_plant", "args": {"litres": 2}}"#, "mist_plant"),
        (r#"{"tool_calls":[{"function":{"name":"water_plant","arguments":"{}"}}]}"#, "water_plant"),
        (r#"{"type":"function","function":{"name":"water_plant","arguments":{}}}"#, "water_plant"),
        (r#"{"function_call": {"name": "water_plant", "arguments": "{}"}}"#, "water_plant"),
        (r#"{"action": "water_plant", "action_input": {"litres": 2}}"#, "water_plant"),
        (r#"{"water_plant": {"litres": 2}}"#, "water_plant"),
        ("{'name': 'water_plant', 'arguments': {'litres': 2}}", "water_plant"),
        (r#"{"name": "water_plant", "arguments": {"litres": 2}"#, "water_plant"),
        ("```json\n{\"name\": \"water_plant\", \"arguments\": {}}\n```", "water_plant"),
        ("I will do it.\n\n```\n{\"name\": \"water_plant\", \"arguments\": {}}\n```", "water_plant"),
        ("Watering. {\"name\": \"water_plant\", \"arguments\": {}}", "water_plant"),
        ("<tool_call>\n{\"name\": \"water_plant\", \"arguments\": {}}\n</tool_call>", "water_plant"),
        ("<tool_call>{\"name\": \"mist_plant\"}</tool_call>", "mist_plant"),
        (
            "<tool_call>\n<function=mist_plant>\n<parameter=litres>\n2\n</parameter>\n</function>\n</tool_call>",
            "mist_plant",
        ),
        ("<function=water_plant>{\"litres\": 2}</function>", "water_plant"),
        (
            "<tool_call>water_plant\n<arg_key>litres</arg_key><arg_value>2</arg_value></tool_call>",
            "water_plant",
        ),
        (
            "<function_calls><invoke name=\"mist_plant\"><parameter name=\"litres\">2</parameter></invoke></function_calls>",
            "mist_plant",
        ),
        ("[TOOL_CALLS][{\"name\": \"water_plant\", \"arguments\": {}}]", "water_plant"),
        ("[TOOL_CALLS]mist_plant{\"litres\": 2}", "mist_plant"),
        ("[TOOL_CALLS]mist_plant[ARGS]{\"litres\": 2}", "mist_plant"),
        ("<|python_tag|>water_plant(litres=2)", "water_plant"),
        ("<|tool_call_start|>[mist_plant(litres=2)]<|tool_call_end|>", "mist_plant"),
        (
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.mist_plant:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
            "mist_plant",
        ),
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>mist_plant\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            "mist_plant",
        ),
        (
            "<|channel|>commentary to=functions.mist_plant <|constrain|>json<|message|>{}<|call|>",
            "mist_plant",
        ),
        ("analysis to=functions.water_plant code{\"litres\":2}", "water_plant"),
        ("```tool_code\nprint(default_api.mist_plant(litres=2))\n```", "mist_plant"),
        ("<water_plant><litres>2</litres></water_plant>", "water_plant"),
        ("Action: mist_plant\nAction Input: {\"litres\": 2}", "mist_plant"),
        ("water_plant(litres=2)", "water_plant"),
        ("water_plant(litres=2, note=\"a (b\") Done, it has its water.", "water_plant"),
        ("water_plant({\"litres\": 2})", "water_plant"),
        ("functions.water_plant(litres=2)", "water_plant"),
        ("[water_plant(litres=2)]", "water_plant"),
        ("list_plants()", "list_plants"),
        ("mist_plant(litres=2)", "mist_plant"),
    ];

    #[test]
    fn every_dialect_is_one_call() {
        for (text, name) in CALLS {
            assert_eq!(names(text, "Please water the fern."), [*name], "{text}");
        }
    }

    #[test]
    fn several_calls_are_several() {
        let two = r#"<tool_call>{"name":"water_plant","arguments":{}}</tool_call>
<tool_call>{"name":"set_lamp","arguments":{}}</tool_call>"#;
        assert_eq!(names(two, ""), ["water_plant", "set_lamp"]);
        let list = r#"[{"name":"water_plant","arguments":{}},{"name":"set_lamp","arguments":{}}]"#;
        assert_eq!(names(list, ""), ["water_plant", "set_lamp"]);
        assert_eq!(names("[water_plant(litres=1), set_lamp(on=True)]", ""), ["water_plant", "set_lamp"]);
    }

    /// None of these is a call.
    const PROSE: &[&str] = &[
        "I watered the fern (2 litres).",
        "None of my tools can do that: I have `water_plant`, `list_plants` and `set_lamp`.",
        "I can use water_plant(litres) to water and list_plants() to list.",
        "- water_plant(litres, plant): waters one plant\n- list_plants(): lists all",
        "I have no such tool; a call such as {\"name\": \"mist_plant\", \"arguments\": {}} would be needed.",
        "For example, `<tool_call>{\"name\": \"water_plant\", \"arguments\": {}}</tool_call>` would do it.",
        "{\"name\": \"Fern\", \"litres\": 2}",
        "{\"name\": \"water_plant\", \"description\": \"Waters\", \"parameters\": {\"type\": \"object\", \"properties\": {}}}",
        "```python\nprint(\"hello\")\n```",
        "total = sum(values)",
        "see [the list](https://plants.test/a) and x < 3, y > 2",
        "Use f(x) = 2x.",
    ];

    #[test]
    fn prose_is_no_call() {
        for text in PROSE {
            assert!(names(text, "Please water the fern.").is_empty(), "{text}");
        }
    }

    #[test]
    fn a_call_that_was_asked_for_as_text_is_a_quotation() {
        let text = "```json\n{\"name\": \"water_plant\", \"arguments\": {}}\n```";
        assert!(names(text, "Show me an example of a tool call in JSON, do not run it.").is_empty());
        assert!(names(text, "What does a function call look like?").is_empty());
        assert!(names(text, "I need the JSON of water_plant for my manual.").is_empty());
        assert_eq!(names(text, "Call the tool and print the result."), ["water_plant"]);
    }

    #[test]
    fn words_of_an_order_ask_for_no_quotation() {
        let text = "```json\n{\"name\": \"water_plant\", \"arguments\": {}}\n```";
        for user in [
            "Use water_plant for mira@lake.example.",
            "Use water_plant, and write to example@lake.test or mira@example.com.",
            "Use water_plant with the beds as JSON: [\"north\"]",
            "See https://lake.test/example/7 and use water_plant.",
            "My colleague at lake.example is away; call the tool water_plant.",
            "For example, take my water_planter; I like JSON.",
        ] {
            assert_eq!(names(text, user), ["water_plant"], "{user}");
        }
    }

    #[test]
    fn reasoning_counts_only_where_it_ends_in_the_call() {
        let call = "<tool_call>{\"name\": \"water_plant\", \"arguments\": {}}</tool_call>";
        let count = |text: &str| in_reasoning(text, &offered()).len();
        assert_eq!(count(call), 1);
        assert_eq!(count(&format!("The fern is dry.\n{call}")), 1);
        assert_eq!(count(&format!("I could call {call} but it rained.")), 0);
        assert_eq!(count(&format!("Maybe I could emit {call}")), 0);
    }

    #[test]
    fn hostile_text_ends() {
        for piece in ["{", "[", "<tool_call>", "{\"name\": \"", "water_plant(", "```json\n{", "[TOOL_CALLS]"]
        {
            let text = piece.repeat(20_000);
            let _ = in_content(&text, "", &offered());
            let _ = in_content(&text.replace('{', "\n{"), "", &offered());
        }
    }
}
