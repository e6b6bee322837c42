//! What helps against each finding, one line a word, in one table (DESIGN.md 3.5). A fix is a first thing to try on
//! prompt, catalog or dispatcher; it is no proof of the cause.

/// The table: the finding's word, and what helps.
pub const FIXES: &[(&str, &str)] = &[
    // Calls.
    (
        "unknown_tool",
        "say in the prompt that only the listed tools exist and what to do without one; dispatch strictly, with an error that says so",
    ),
    (
        "shadow_call",
        "tell the two tools apart in the first words of their descriptions, or rename or merge one of them",
    ),
    (
        "hallucinated_argument",
        "say in the parameter's description where its value comes from, and to ask or leave it out where nobody gave one",
    ),
    (
        "misused_tool",
        "write into the tool's description what it is not for, and into the prompt that a missing tool is to be reported",
    ),
    ("over_call", "say in the prompt when to answer without a tool"),
    ("inner_unknown", "list in the router's schema the names that it takes, as an enum"),
    ("text_call", "check the chat template and the tool parser of the serving layer before the prompt"),
    ("format", "switch on strict schemas, or simplify the schema of the tool"),
    // Accounts.
    (
        "phantom_claim",
        "say in the tool's description that nothing happens without the call, or force the call with tool_choice; build the account from the executor log",
    ),
    (
        "swallowed_failure",
        "return failures as errors that say what was not done, and ask for the status of every call in the answer",
    ),
    (
        "false_failure",
        "let a success say so in its first words, and keep warnings of a call apart from its outcome",
    ),
    ("undisclosed_call", "ask for every call that was made, failed and exploratory ones included"),
    ("fabricated_result", "end the turn at the call: accept no text behind it before the result is there"),
    // Results.
    ("ignored_result", "ask for the words of the result that the answer rests on"),
    (
        "not_called",
        "say in the tool's description that only it knows the answer, or force the call with tool_choice",
    ),
    ("no_checkable_answer", "ask for the answer on a line of its own, and show the form once"),
    ("result_not_followed", "answered from habit: ask to quote the result before the answer"),
    (
        "accepted_broken_read",
        "guard the read (`toolmirage guard`), so that a broken result reaches the model as an error",
    ),
    // Calls that are missing, or made again.
    (
        "missing_call",
        "force the call with tool_choice in this turn, or make it in code before the model is asked",
    ),
    ("prose", "force the call with tool_choice; a text in its place is not accepted"),
    (
        "inventory",
        "ask for the call and not for a plan, and do not list the tools in the prompt a second time",
    ),
    ("offer", "say that the user has agreed already, and that no further question is needed"),
    (
        "refusal",
        "say in the prompt that the tool may be used for this, and check that it is offered in this turn",
    ),
    ("other_call", "tell the two tools apart in their descriptions; name the one that the plan means"),
    (
        "repeated_call",
        "say in the error whether trying again can help, and cap equal calls in the dispatcher",
    ),
    (
        "repeated_unknown",
        "list the real catalog in the dispatcher's error (the arm `catalog_in_error` measures what that brings)",
    ),
    // Why a name misses.
    ("novel", "say in the prompt what to do where no tool fits; do not claim more tools than there are"),
    ("near_miss", "make names that can be told apart, without abbreviations"),
    ("wrapper", "say that tools are called by their own names; do not mention wrappers in the prompt"),
    ("namespace_prefix", "check the chat template: it shows names with a prefix that the API does not have"),
    ("prefix_dropped", "write names in the prompt exactly as the catalog has them, prefix included"),
    ("namespace_added", "declare the namespace in the request, or take it out of the prompt"),
    ("namespace_flattened", "send namespaces the way the wire format has them, in a field of their own"),
    ("special_token", "check the chat template and the stop tokens of the serving layer"),
    ("case", "write names in the prompt in the letter case of the catalog"),
    ("whitespace", "take white space out of names in the catalog and the prompt"),
    ("empty", "check the tool parser of the serving layer: a call without a name reached it"),
    ("doubled", "check how the client joins the pieces of a streamed name"),
    // What an argument says.
    ("fabricated_id", "offer a tool that looks ids up, and say in the description that ids come from it"),
    ("fabricated_contact", "say that contacts come from the user or a lookup, and are never guessed"),
    ("fabricated_path", "offer a tool that lists paths, and say that paths come from it"),
    ("fabricated_value", "say in the parameter's description where its value comes from"),
    ("placeholder", "say that a missing value is asked for; take placeholders out of descriptions"),
    ("stale_date", "put today's date into the prompt"),
    ("stale_value", "say that the newest value of the conversation holds"),
    (
        "invented_optional",
        "say in the optional parameter's description to leave it out unless it was asked for",
    ),
    (
        "wrong_principal",
        "fill the caller's identity in the dispatcher and take the parameter out of the schema",
    ),
    ("undeclared_key", "set `additionalProperties: false`, or declare the parameter"),
    ("enum_violation", "list the values in the schema's enum and say in the description what each is for"),
    ("type_mismatch", "state the type with an example in the description, or switch on strict schemas"),
    ("copied_example", "use examples in descriptions that no real call could have"),
    ("filler_string", "make the parameter optional, so that nothing has to be filled in"),
    ("filler_zero", "make the parameter optional, or say what zero means"),
    ("filler_empty", "make the parameter optional"),
    ("filler_null", "make the parameter optional, or nullable where the schema is strict"),
    // How a call is written.
    ("emitted_as_text", "check the chat template and the tool parser of the serving layer"),
    ("emitted_in_reasoning", "check that the serving layer parses calls behind a reasoning block"),
    ("malformed_markup", "check the chat template against the model's own"),
    ("malformed_call", "simplify the schema, or raise the limit on output tokens"),
    ("name_missing", "check the tool parser of the serving layer"),
    ("name_null", "check the tool parser of the serving layer"),
    ("name_empty", "check the tool parser of the serving layer"),
    ("arguments_not_json", "switch on strict schemas"),
    ("python_literal", "switch on strict schemas; write examples in descriptions as JSON"),
    ("trailing_comma", "switch on strict schemas"),
    ("arguments_not_object", "give the schema `type: object` with named properties"),
    ("arguments_truncated", "raise the limit on output tokens"),
    ("arguments_concatenated", "check how the client tells parallel calls of a stream apart"),
    ("arguments_double_encoded", "check that nobody encodes the arguments a second time on the way"),
    ("argument_double_encoded", "give the parameter its real type in the schema, not a string of JSON"),
    ("wrapper_key", "declare the parameters at the top level of the schema"),
    ("nested_calls", "allow parallel calls, or say that calls are made one by one"),
    ("nested_arguments_dropped", "flatten the schema of the tool"),
    ("duplicate_key", "switch on strict schemas"),
    (
        "missing_required",
        "say in the description that the parameter is needed, and to ask where it is not given",
    ),
    ("duplicate_id", "check how the client or the gateway numbers calls"),
    ("id_reused_across_turns", "check how the client or the gateway numbers calls"),
    ("finish_reason_wrong", "dispatch by the calls that are there, not by the finish reason"),
];

/// What helps against a finding, by its word; none for a word that is no finding's.
#[must_use]
pub fn fix(word: &str) -> Option<&'static str> {
    FIXES.iter().find(|(known, _)| *known == word).map(|(_, fix)| *fix)
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;

    use super::*;
    use crate::finding::{ArgumentFault, FormatFinding};
    use crate::verdict::NameForm;

    fn words<T: JsonSchema>() -> Vec<String> {
        let schema = serde_json::to_value(schemars::schema_for!(T)).unwrap();
        let listed = schema["enum"].as_array().or(schema["oneOf"].as_array()).unwrap();
        let word = |entry: &serde_json::Value| entry.as_str().or(entry["const"].as_str()).map(str::to_owned);
        listed.iter().map(|entry| word(entry).unwrap_or_else(|| panic!("{entry}"))).collect()
    }

    #[test]
    fn every_finding_has_one_fix() {
        let all = [
            words::<probes::RateName>(),
            words::<ArgumentFault>(),
            words::<FormatFinding>(),
            words::<NameForm>(),
        ];
        for word in all.iter().flatten() {
            assert!(fix(word).is_some(), "`{word}` has no fix");
        }
        for (at, (word, text)) in FIXES.iter().enumerate() {
            assert!(FIXES[at + 1..].iter().all(|(other, _)| other != word), "`{word}` stands twice");
            assert!(!text.ends_with('.') && !text.contains('\n') && text.len() > 10, "{word}");
        }
    }
}
