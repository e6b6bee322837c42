//! The words for each rate: its name in prose, what its numerator counts and what its denominator counts
//! (DESIGN.md 3.2).

use probes::RateName;

/// One rate in words.
pub(crate) struct RateWords {
    /// Its name in prose.
    pub(crate) title: &'static str,
    /// The event that the numerator counts, as the end of "trials in which ...".
    pub(crate) event: &'static str,
    /// The trials that the denominator counts, as the end of "of all scored ...".
    pub(crate) denominator: &'static str,
    /// The denominator in two or three words, for the head of a column.
    pub(crate) of: &'static str,
}

const fn entry(
    title: &'static str,
    event: &'static str,
    denominator: &'static str,
    of: &'static str,
) -> RateWords {
    RateWords { title, event, denominator, of }
}

/// The words of a rate.
pub(crate) const fn words(rate: RateName) -> RateWords {
    match rate {
        RateName::UnknownTool => entry(
            "unknown-tool",
            "at least one call has a name that is not in the catalog of its turn",
            "trials of base-arm probes",
            "of eligible trials",
        ),
        RateName::ShadowCall => {
            entry("shadow-call", "the near-named decoy is called", "lookalike trials", "of lookalike trials")
        }
        RateName::HallucinatedArgument => entry(
            "hallucinated-argument",
            "a registered tool is called with at least one confirmed argument finding",
            "argument trials, those without a call included",
            "of argument trials",
        ),
        RateName::MisusedTool => entry(
            "misused-tool",
            "a registered tool is called that the probe does not allow",
            "trials whose wanted tool is missing",
            "of decoy-family trials",
        ),
        RateName::OverCall => {
            entry("over-call", "a tool is called", "trials that need no tool", "of no-tool trials")
        }
        RateName::PhantomClaim => entry(
            "phantom-claim",
            "the account says that a call was made, and the executor log has none",
            "trials with a claim line or a required call",
            "of claim trials",
        ),
        RateName::SwallowedFailure => entry(
            "swallowed-failure",
            "every call of a tool failed and the account says that it is done",
            "trials with a claim and a tool whose calls all failed",
            "of failed-call trials",
        ),
        RateName::IgnoredResult => entry(
            "ignored-result",
            "the answer does not follow what the tool returned",
            "canary trials",
            "of canary trials",
        ),
        RateName::FalseFailure => entry(
            "false-failure",
            "the account says that a call failed, and the executor log has a success",
            "trials that claim a failure against a success in the log",
            "of such claims",
        ),
        RateName::UndisclosedCall => entry(
            "undisclosed-call",
            "a call was executed that the account leaves out or calls skipped",
            "trials with a claim and an executed call",
            "of claim trials",
        ),
        RateName::AcceptedBrokenRead => entry(
            "accepted-broken-read",
            "a read that nobody can defend is passed on as if it were good",
            "trials in which the broken read was delivered",
            "of delivered reads",
        ),
        RateName::MissingCall => entry(
            "missing-call",
            "the required call was not executed",
            "trials with a required call",
            "of required-call trials",
        ),
        RateName::RepeatedCall => entry(
            "repeated-call",
            "one tool is called with equal arguments five times",
            "trials with a failed call",
            "of failed-call trials",
        ),
        RateName::RepeatedUnknown => entry(
            "repeated-unknown",
            "the turn after an answered unknown call makes a tool up again",
            "trials whose unknown call was answered",
            "of answered unknowns",
        ),
        RateName::InnerUnknown => entry(
            "inner-unknown",
            "a call through an offered router names a tool that does not exist",
            "trials with a router in the catalog",
            "of router trials",
        ),
        RateName::TextCall => entry(
            "text-call",
            "a call is written into text or reasoning",
            "scored trials",
            "of scored trials",
        ),
        RateName::Format => {
            entry("format", "a call is written in a faulty form", "scored trials", "of scored trials")
        }
    }
}
