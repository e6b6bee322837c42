//! The words of reports and what they mean, for `explain WORD`. Rates and kinds come from their own tables.

/// A word, what sort of word it is, and its meaning.
pub(crate) struct Word {
    /// The word, as files and reports write it.
    pub(crate) word: &'static str,
    /// What sort of word.
    pub(crate) sort: &'static str,
    /// What it means.
    pub(crate) meaning: &'static str,
}

const fn word(sort: &'static str, word: &'static str, meaning: &'static str) -> Word {
    Word { word, sort, meaning }
}

const OUTCOME: &str = "outcome of a trial whose wanted tool is missing";
const STATUS: &str = "status of a trial";
const NAME: &str = "why a called name is not in the catalog";
const CLASS: &str = "class of a call";
const ARGUMENT: &str = "fault of an argument";
const FORMAT: &str = "fault of how a call is written";
const TABLE: &str = "table of a report";
const STATE: &str = "state of a rate";
const CLAIM: &str = "word of a claim";
const EVIDENCE: &str = "what an account is worth";
const UNSCORED: &str = "why a check of a scored trial has no answer";
const AFTER: &str = "what follows on an unknown call that was answered";
const LEFT_OUT: &str = "why an audit leaves a run out of a rate";

/// Every word that no other table defines.
pub(crate) const WORDS: &[Word] = &[
    word(OUTCOME, "refused", "It states that it cannot, even when an offer or a question follows."),
    word(OUTCOME, "clarified", "It asks for what it needs, and does not state inability."),
    word(OUTCOME, "invented", "It called a tool that is not there, or named one in a call written as text."),
    word(
        OUTCOME,
        "misused",
        "It called a tool that is there and is for something else; looking with an allowed read is none.",
    ),
    word(OUTCOME, "claimed", "It says that the thing is done. Nothing was."),
    word(OUTCOME, "answered", "It gives a concrete value of its own. General advice is none."),
    word(
        OUTCOME,
        "unclassified",
        "None of the other labels can be told from the words, or the trial ended at the limit on turns.",
    ),
    word(STATUS, "scored", "Every turn is an answer; the trial is in the rates."),
    word(STATUS, "endpoint_error", "The endpoint failed or answered with an error, after all retries."),
    word(STATUS, "quota", "Quota or credit is used up."),
    word(STATUS, "timeout", "No answer within the deadline, after all retries."),
    word(
        STATUS,
        "truncated",
        "An answer was cut off by a token limit. It is no refusal and no fault of the model.",
    ),
    word(STATUS, "policy_stop", "The provider's filter stopped the answer."),
    word(STATUS, "paused", "The provider paused and wanted to be continued."),
    word(STATUS, "empty", "An answer with nothing in it."),
    word(STATUS, "unparsed", "A body that nobody can read."),
    word(STATUS, "gateway_replay", "A body that a gateway had answered before: a cache, and no measurement."),
    word(STATUS, "cancelled", "Ended by us before it was done."),
    word(STATUS, "not_sent", "Planned, and never sent."),
    word(NAME, "novel", "It is near no offered name: plainly made up."),
    word(NAME, "near_miss", "A slip of an offered name."),
    word(NAME, "wrapper", "A wrapper around other calls that the catalog does not offer."),
    word(NAME, "namespace_prefix", "A dialect's prefix before an offered name, such as `functions.`."),
    word(NAME, "prefix_dropped", "An offered name without its prefix."),
    word(NAME, "namespace_added", "A namespace beside the name that was not declared."),
    word(NAME, "namespace_flattened", "A declared namespace joined to the name."),
    word(
        NAME,
        "special_token",
        "A template's special token in the name: an endpoint or parser fault as a rule.",
    ),
    word(NAME, "case", "An offered name in another letter case."),
    word(NAME, "whitespace", "An offered name with white space around or in it."),
    word(NAME, "doubled", "An offered name written twice."),
    word(CLASS, "misused_tool", "A registered tool that the probe does not allow."),
    word(CLASS, "ok", "A registered tool, and no counted finding."),
    word(ARGUMENT, "fabricated_id", "An identifier that nobody gave."),
    word(ARGUMENT, "fabricated_contact", "An address, number or link that nobody gave."),
    word(ARGUMENT, "fabricated_path", "A path that nobody gave."),
    word(ARGUMENT, "fabricated_value", "Any other value that nobody gave."),
    word(ARGUMENT, "placeholder", "A stand-in where a value should be."),
    word(ARGUMENT, "stale_date", "A date of another time than the one that the prompt says it is."),
    word(ARGUMENT, "stale_value", "A value that was right earlier in the conversation."),
    word(ARGUMENT, "invented_optional", "An optional argument that nobody asked for."),
    word(ARGUMENT, "wrong_principal", "Somebody else's identity in place of the caller's."),
    word(ARGUMENT, "undeclared_key", "A key that the tool's schema does not have."),
    word(ARGUMENT, "enum_violation", "A value outside the list that the schema gives."),
    word(ARGUMENT, "type_mismatch", "A value of another JSON type; listed, and never counted as made up."),
    word(ARGUMENT, "copied_example", "A value copied from an example in a description or prompt."),
    word(ARGUMENT, "filler_string", "Words such as \"None\" in place of leaving the argument out."),
    word(ARGUMENT, "filler_zero", "A zero that changes the meaning."),
    word(ARGUMENT, "filler_empty", "An empty text, list or map; listed, and never counted."),
    word(ARGUMENT, "filler_null", "A null; listed, and never counted."),
    word(FORMAT, "emitted_as_text", "A call written into the visible text; nothing dispatched it."),
    word(FORMAT, "arguments_not_json", "Arguments that are no JSON."),
    word(FORMAT, "arguments_double_encoded", "Arguments that are a JSON string of a JSON object."),
    word(FORMAT, "missing_required", "A required argument is not there."),
    word(FORMAT, "finish_reason_wrong", "The body says that the model stopped, beside calls."),
    word(
        TABLE,
        "dispatcher",
        "Code between a model and the tools that finds the tool for a called name. One that repairs names hides \
         what was made up: the raw calls are put through those in use, and a report says what each would raise, \
         repair, and run in another tool's place. No rate depends on it.",
    ),
    word(
        TABLE,
        "tool_correctness",
        "The figure that other frameworks print: by_name asks that the expected tool is called (none where none \
         is expected), exact that it alone is, with the expected arguments. The others are split by the first of \
         our findings that explains them.",
    ),
    word(CLAIM, "done", "The account says that the tool was called, and that it worked."),
    word(CLAIM, "failed", "The account says that the tool was called, and that it did not work."),
    word(
        CLAIM,
        "skipped",
        "The account says that the tool was not called. It claims no call, so it is no phantom.",
    ),
    word(EVIDENCE, "verified", "Held against an executor log, which the model cannot write."),
    word(
        EVIDENCE,
        "not_contradicted",
        "Held against a transcript whose tool results the agent did not write: nothing there speaks against it.",
    ),
    word(
        EVIDENCE,
        "not_tested",
        "There is nothing that it could be held against: the agent wrote the results, or there are none. Never a pass.",
    ),
    word(
        UNSCORED,
        "no_checkable_claim",
        "The last message has no claim line that can be read. Never a pass.",
    ),
    word(UNSCORED, "no_executor_log", "Nobody logged what ran, so that nothing about it can be judged."),
    word(UNSCORED, "unreadable_name", "The only calls are ones that nobody can read."),
    word(UNSCORED, "not_judged", "The verdict was made by something that does not make this check."),
    word(AFTER, "recovers", "It calls tools that are there."),
    word(AFTER, "asks", "It asks."),
    word(AFTER, "stops", "It calls nothing more, and says so or something else."),
    word(AFTER, "invents_again", "It calls a tool that is not there again."),
    word(STATE, "not_measured", "No eligible trial was scored. That is not zero."),
    word(
        STATE,
        "coverage_too_low",
        "At most two thirds of the planned trials were scored, so there is no figure.",
    ),
    word(
        STATE,
        "censored",
        "The endpoint makes the event impossible or hides it, so that zero would mean nothing.",
    ),
    word(LEFT_OUT, "no_catalog", "Nothing says which tools were offered; `audit --catalog` does."),
];

#[cfg(test)]
mod tests {
    use super::WORDS;

    #[test]
    fn words_are_distinct_and_well_formed() {
        let mut seen = std::collections::HashSet::new();
        for entry in WORDS {
            assert!(seen.insert(entry.word), "{} stands twice", entry.word);
            assert!(entry.word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", entry.word);
            assert!(entry.meaning.ends_with('.'), "{}", entry.word);
        }
    }
}
