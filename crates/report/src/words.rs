//! A rate's name in prose, and its denominator in two or three words. What each counts stands in the scorer's
//! table of metrics.

use probes::RateName;

/// One rate in words.
pub(crate) struct RateWords {
    /// Its name in prose.
    pub(crate) title: &'static str,
    /// The denominator in two or three words, for the head of a column.
    pub(crate) of: &'static str,
}

/// The words of a rate.
pub(crate) const fn words(rate: RateName) -> RateWords {
    let (title, of) = match rate {
        RateName::UnknownTool => ("unknown-tool", "of eligible trials"),
        RateName::ShadowCall => ("shadow-call", "of lookalike trials"),
        RateName::HallucinatedArgument => ("hallucinated-argument", "of argument trials"),
        RateName::MisusedTool => ("misused-tool", "of decoy-family trials"),
        RateName::OverCall => ("over-call", "of no-tool trials"),
        RateName::PhantomClaim => ("phantom-claim", "of claim trials"),
        RateName::SwallowedFailure => ("swallowed-failure", "of failed-call trials"),
        RateName::IgnoredResult => ("ignored-result", "of canary trials"),
        RateName::FalseFailure => ("false-failure", "of such claims"),
        RateName::UndisclosedCall => ("undisclosed-call", "of claim trials"),
        RateName::AcceptedBrokenRead => ("accepted-broken-read", "of delivered reads"),
        RateName::MissingCall => ("missing-call", "of required-call trials"),
        RateName::RepeatedCall => ("repeated-call", "of failed-call trials"),
        RateName::RepeatedUnknown => ("repeated-unknown", "of answered unknowns"),
        RateName::InnerUnknown => ("inner-unknown", "of router trials"),
        RateName::TextCall => ("text-call", "of scored trials"),
        RateName::Format => ("format", "of scored trials"),
    };
    RateWords { title, of }
}
