//! What a rule found, and where.

use std::cmp::Reverse;

use probes::{Diagnostic, Heading};
use serde::Serialize;

use crate::Rule;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Invites hallucination, or makes a measurement worth less.
    Warning,
    /// Breaks requests, or measures something else than it says.
    Error,
}

impl Severity {
    /// The word, as files and flags write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// What stands before a message.
    #[must_use]
    pub fn heading(self) -> Heading {
        match self {
            Self::Note => Heading::Note,
            Self::Warning => Heading::Warning,
            Self::Error => Heading::Error,
        }
    }
}

/// One thing that a rule found.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// How bad it is.
    pub severity: Severity,
    /// The tools that it is about, the one at the place first; none where it is about no tool.
    pub tools: Vec<String>,
    /// Where, and in words what.
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// Worst first; then by file, place and rule.
    pub(crate) fn order(&self) -> impl Ord + use<'_> {
        let place = &self.diagnostic;
        (
            Reverse(self.severity),
            place.file.as_ref(),
            place.line,
            place.column,
            self.rule.name,
            place.message.as_str(),
        )
    }
}

/// Takes what rules find.
pub(crate) struct Findings<'a> {
    pub(crate) rule: &'static Rule,
    pub(crate) found: &'a mut Vec<Finding>,
}

impl Findings<'_> {
    /// A finding of the rule's own severity.
    pub(crate) fn push(&mut self, tools: &[&str], diagnostic: Diagnostic) {
        self.push_as(self.rule.severity, tools, diagnostic);
    }

    /// A finding of another severity.
    pub(crate) fn push_as(&mut self, severity: Severity, tools: &[&str], diagnostic: Diagnostic) {
        let tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
        self.found.push(Finding { rule: self.rule, severity, tools, diagnostic });
    }
}
