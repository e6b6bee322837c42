//! What is asked of the logs.

use crate::rule::Rule;

/// How the figures are split up besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// By the model that answered.
    Model,
    /// By project.
    Project,
    /// By day, in UTC.
    Day,
    /// By the version of the program that wrote the log.
    Version,
    /// By log format.
    Format,
}

impl Dimension {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Project => "project",
            Self::Day => "day",
            Self::Version => "version",
            Self::Format => "format",
        }
    }
}

/// What is asked of the logs.
#[derive(Debug, Clone)]
pub struct Options {
    /// Only acts from this moment on, in milliseconds since 1970.
    pub since: Option<i64>,
    /// Only acts before this moment.
    pub until: Option<i64>,
    /// Only acts of projects whose name holds this.
    pub project: Option<String>,
    /// How the figures are split up besides.
    pub by: Vec<Dimension>,
    /// How many of the most frequent tools the second denominator takes.
    pub top: usize,
    /// Whether every line is parsed, also those that cannot matter for the figures.
    pub strict: bool,
    /// Rules that say when a call is owed. Where there are any, every line is parsed.
    pub rules: Vec<Rule>,
}

impl Options {
    /// Whether a rule, by its place, asks for this tool.
    pub(crate) fn owes(&self, rule: usize, tool: &str) -> bool {
        self.rules.get(rule).is_some_and(|rule| rule.tools().iter().any(|name| name == tool))
    }

    /// Whether acts are left out by time or project.
    pub(crate) fn filters(&self) -> bool {
        self.since.is_some() || self.until.is_some() || self.project.is_some()
    }

    /// Whether an act of this time and project is wanted.
    pub(crate) fn wants(&self, time: Option<i64>, project: Option<&str>) -> bool {
        let after = self.since.is_none_or(|since| time.is_some_and(|time| time >= since));
        let before = self.until.is_none_or(|until| time.is_some_and(|time| time < until));
        let inside =
            self.project.as_deref().is_none_or(|wanted| project.unwrap_or_default().contains(wanted));
        after && before && inside
    }
}
