//! The table of frameworks: how each reports a tool that is not there.

use std::sync::{LazyLock, OnceLock};

use regex::Regex;
use serde::Deserialize;

use super::State;
use crate::format::{LOG_FORMATS, LogFormat};

/// How one framework reports an absent tool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Framework {
    /// Its name.
    pub framework: String,
    /// The package and version, or the commit, in which the template was read.
    pub read_in: String,
    /// The words, X being the name.
    pub template: String,
    /// What a result starts with to be such a report.
    pattern: String,
    /// A piece of the template for the raw count.
    pub needle: Option<String>,
    /// Whether the result has to be marked as an error.
    #[serde(default)]
    error_only: bool,
    /// Whether the name in the text has to be the call's.
    #[serde(default = "yes")]
    name_is_the_calls: bool,
    /// Whether the name in the text ends with the call's: what stands before it is a namespace.
    #[serde(default)]
    name_ends_with_the_calls: bool,
    /// The log formats that it is held against; all that hold messages where there is none.
    #[serde(default)]
    formats: Vec<String>,
    /// The state that the template itself tells.
    #[serde(default)]
    state: Option<State>,
    /// The reason that the template itself gives.
    #[serde(default)]
    clause: Option<String>,
    /// Whether names are repaired or routed before they are reported.
    pub repairs: String,
    /// The pattern, from its first use on: most runs meet the words of one or two frameworks.
    #[serde(skip)]
    compiled: OnceLock<Regex>,
}

impl Framework {
    fn compiled(&self) -> &Regex {
        self.compiled.get_or_init(|| Regex::new(&self.pattern).expect("the table is read by a test"))
    }
}

fn yes() -> bool {
    true
}

/// Every framework whose words are known.
pub static FRAMEWORKS: LazyLock<Vec<Framework>> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("frameworks.yaml")).expect("the table is read by a test")
});

/// The report of an absent tool, read without its call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Report {
    /// The row of [`FRAMEWORKS`].
    pub(crate) framework: usize,
    /// The name as the text has it.
    pub(crate) name: Option<Box<str>>,
    /// Name and what follows it, where the two cannot be told apart without the call.
    pub(crate) tail: Option<Box<str>>,
}

impl Report {
    fn row(&self) -> Option<&'static Framework> {
        FRAMEWORKS.get(self.framework)
    }

    /// Whether the report is about a call of this name.
    pub(crate) fn is_about(&self, call: &str) -> bool {
        if let Some(tail) = &self.tail {
            return tail.trim_end() == call.trim_end() || tail.starts_with(call);
        }
        let Some(row) = self.row() else { return true };
        if row.name_ends_with_the_calls {
            return self.name.as_deref().is_some_and(|name| name.ends_with(call.trim_end()));
        }
        !row.name_is_the_calls || self.name.as_deref() == Some(call)
    }

    /// The name of the framework.
    pub(crate) fn framework(&self) -> &'static str {
        self.row().map_or("", |row| row.framework.as_str())
    }

    /// State and reason by the template alone.
    pub(crate) fn told(&self) -> (Option<State>, Option<&'static str>) {
        self.row().map_or((None, None), |row| (row.state, row.clause.as_deref()))
    }
}

/// How much of a text is held against the patterns.
const LONGEST_REPORT: usize = 1 << 20;

/// The rows that one log format is held against.
#[derive(Debug)]
pub(crate) struct Templates {
    rows: Vec<usize>,
    /// Whether every report has to be marked as an error.
    marks_errors: bool,
    /// What the raw count counts.
    pub(crate) needles: Vec<&'static str>,
}

/// Those of a log format, by its number in the table.
pub(crate) fn templates(format: usize) -> Option<&'static Templates> {
    static OF_FORMATS: [OnceLock<Templates>; LOG_FORMATS.len()] =
        [const { OnceLock::new() }; LOG_FORMATS.len()];
    let row = LOG_FORMATS.get(format)?;
    Some(OF_FORMATS.get(format)?.get_or_init(|| Templates::of(row)))
}

impl Templates {
    /// Those of a format.
    fn of(format: &LogFormat) -> Self {
        let mut templates = Self { rows: Vec::new(), marks_errors: format.marks_errors, needles: Vec::new() };
        for (at, row) in FRAMEWORKS.iter().enumerate() {
            let is_own = row.formats.iter().any(|name| name == format.name);
            let is_held = is_own || (row.formats.is_empty() && !format.has_own_words);
            if !is_held {
                continue;
            }
            templates.rows.push(at);
            let needle = row.needle.as_deref().filter(|needle| !templates.needles.contains(needle));
            templates.needles.extend(needle);
        }
        templates
    }

    /// The report that a text is, if it is one.
    pub(crate) fn report(&self, text: &str, is_error: Option<bool>) -> Option<Report> {
        // A report is a few lines, and as much as the name in it; a page that starts with one is cut, so that no
        // pattern runs over many megabytes.
        let mut end = text.len().min(LONGEST_REPORT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text.get(..end)?;
        self.rows.iter().find_map(|at| {
            let row = FRAMEWORKS.get(*at)?;
            if (row.error_only || self.marks_errors) && is_error != Some(true) {
                return None;
            }
            let found = row.compiled().captures(text)?;
            let group = |name| found.name(name).map(|part| part.as_str().into());
            Some(Report { framework: *at, name: group("name"), tail: group("tail") })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_row_is_whole_and_named_once() {
        let mut names = HashSet::new();
        for row in FRAMEWORKS.iter() {
            assert!(names.insert(&row.framework), "{} stands twice", row.framework);
            assert!(row.pattern.contains('^'), "{}: the pattern is not anchored", row.framework);
            let pattern = Regex::new(&row.pattern).unwrap();
            assert!(!row.read_in.is_empty() && !row.repairs.is_empty(), "{}", row.framework);
            // The template itself, with a name put in, is a report, and a quotation of it is none.
            let words = row.template.replace('X', "stamp_it").replace("CLAUSE", "Ask first.");
            let found = pattern.captures(&words).unwrap_or_else(|| panic!("{}: {words}", row.framework));
            if let Some(name) = found.name("name") {
                assert_eq!(name.as_str(), "stamp_it", "{}", row.framework);
            }
            assert!(!pattern.is_match(&format!("the log says: {words}")), "{}", row.framework);
            if let Some(needle) = &row.needle {
                assert!(words.contains(needle.as_str()), "{}", row.framework);
            }
            for format in &row.formats {
                assert!(crate::format::by_name(format).is_some(), "{}: no format {format}", row.framework);
            }
        }
    }

    #[test]
    fn the_name_in_the_text_has_to_be_the_call_s() {
        let templates = Templates::of(crate::format::by_name("chat_messages").unwrap());
        let report = templates.report("Tool 'weigh' not found. Available tools: stamp", None).unwrap();
        assert!(report.is_about("weigh") && !report.is_about("stamp"));
        assert!(templates.report("I read: Tool 'weigh' not found.", None).is_none());
    }

    #[test]
    fn claude_code_has_to_mark_it_as_an_error() {
        let templates = Templates::of(crate::format::by_name("claude_code").unwrap());
        let text = "<tool_use_error>Error: No such tool available: a.b. a.b is gone.</tool_use_error>";
        assert!(templates.report(text, None).is_none());
        let report = templates.report(text, Some(true)).unwrap();
        assert!(report.is_about("a.b") && !report.is_about("c"));
    }
}
