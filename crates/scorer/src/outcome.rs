//! stand-in
use crate::DecoyOutcome;
use std::ops::Range;
/// stand-in
#[derive(Debug, Clone)]
pub struct Classified {
    #[allow(missing_docs)]
    pub label: DecoyOutcome,
    #[allow(missing_docs)]
    pub span: Option<Range<usize>>,
    #[allow(missing_docs)]
    pub rule: &'static str,
}
/// stand-in
#[must_use]
pub fn classify(text: &str, _user: &str) -> Classified {
    Classified {
        label: if text.contains('?') { DecoyOutcome::Clarified } else { DecoyOutcome::Refused },
        span: None,
        rule: "",
    }
}
