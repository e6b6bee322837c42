//! The questions of a check. Each is decided from what was asked and what came back alone: whoever sends has no say.

mod absent;
mod constrains_names;
mod empty_arguments;
mod filters_unknown_names;
mod honours_named;
mod honours_none;
mod honours_required;
mod leaks_markup;
mod one_call;
mod output_limit;
mod parallel_calls;
mod replays;
mod required_names;
mod sees_tools;
mod streams_alike;
mod strict_names;
mod strict_schemas;
mod unknown_members;

use transcript::{Confidence, ServingAnswer, ServingState};

use super::exchange::Exchanges;

pub(super) use leaks_markup::has_markup;
pub(super) use sees_tools::is_blind;
pub(super) use strict_schemas::keeps;

/// One question.
#[derive(Debug)]
pub(super) struct Question {
    /// Its key in records.
    pub(super) key: &'static str,
    /// What a yes says.
    pub(super) says: &'static str,
    /// Decides it.
    pub(super) decide: fn(&Exchanges) -> Decision,
}

/// Every question, in the order in which they are shown.
pub(super) const QUESTIONS: &[Question] = &[
    sees_tools::QUESTION,
    constrains_names::QUESTION,
    filters_unknown_names::QUESTION,
    required_names::QUESTION,
    strict_names::QUESTION,
    strict_schemas::QUESTION,
    honours_required::QUESTION,
    honours_none::QUESTION,
    honours_named::QUESTION,
    parallel_calls::QUESTION,
    one_call::QUESTION,
    streams_alike::QUESTION,
    leaks_markup::QUESTION,
    empty_arguments::QUESTION,
    replays::QUESTION,
    output_limit::QUESTION,
    unknown_members::QUESTION,
];

/// What a question comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) answer: ServingState,
    pub(super) how: Option<&'static str>,
    pub(super) confidence: Option<Confidence>,
    pub(super) evidence: Vec<String>,
    /// Requests that it stands on.
    pub(super) used: Vec<&'static str>,
}

impl Decision {
    pub(super) fn yes(confidence: Confidence) -> Self {
        Self::new(ServingState::Yes, Some(confidence))
    }

    pub(super) fn no(confidence: Confidence) -> Self {
        Self::new(ServingState::No, Some(confidence))
    }

    pub(super) fn unknown() -> Self {
        Self::new(ServingState::Unknown, None)
    }

    /// The endpoint took none of it.
    pub(super) fn refused() -> Self {
        Self::new(ServingState::Refused, Some(Confidence::High))
    }

    fn new(answer: ServingState, confidence: Option<Confidence>) -> Self {
        Self { answer, how: None, confidence, evidence: Vec::new(), used: Vec::new() }
    }

    pub(super) fn how(mut self, how: &'static str) -> Self {
        self.how = Some(how);
        self
    }

    /// Adds evidence in words of its own.
    pub(super) fn because(mut self, words: impl Into<String>) -> Self {
        self.evidence.push(words.into());
        self
    }

    /// Adds what came of a request: `what was asked: what came`.
    pub(super) fn shown_by(mut self, exchanges: &Exchanges, name: &'static str, asked: &str) -> Self {
        if let Some(exchange) = exchanges.get(name) {
            self.evidence.push(format!("{asked}: {}", exchange.words()));
            self = self.on(&[name]);
        }
        self
    }

    /// Names requests that it stands on.
    pub(super) fn on(mut self, names: &[&'static str]) -> Self {
        for name in names {
            if !self.used.contains(name) {
                self.used.push(name);
            }
        }
        self
    }

    /// As it is recorded.
    pub(super) fn recorded(self, key: &str, exchanges: &Exchanges) -> ServingAnswer {
        let attempts = self.used.iter().filter_map(|name| exchanges.get(name)).map(|it| it.attempts).sum();
        ServingAnswer {
            question: key.to_owned(),
            answer: self.answer,
            how: self.how.map(str::to_owned),
            confidence: self.confidence,
            evidence: self.evidence,
            requests: attempts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distinct_and_well_formed() {
        let mut seen = std::collections::HashSet::new();
        for question in QUESTIONS {
            assert!(seen.insert(question.key), "{}", question.key);
            assert!(question.key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
            assert!(!question.says.is_empty() && !question.says.ends_with('.'));
        }
    }

    #[test]
    fn where_nothing_was_asked_nothing_is_known() {
        for question in QUESTIONS {
            let decision = (question.decide)(&Exchanges::default());
            assert_eq!(decision.answer, ServingState::Unknown, "{}", question.key);
            assert_eq!(decision.confidence, None, "{}", question.key);
        }
    }
}
