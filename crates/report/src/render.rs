//! From a report to bytes. Each format is one function in one file and one entry of `FORMATS`; none of them
//! counts anything.

mod csv;
mod html;
mod json;
mod junit;
mod markdown;
mod shell;
mod text;
mod trial;

use std::io::Write;

use crate::{Report, ReportError};
pub(crate) use csv::{failed as csv_failed, number as csv_number, text as csv_text};
pub(crate) use html::{Page as HtmlPage, Section as HtmlSection, section as html_section};
pub(crate) use json::line as json_line;
pub(crate) use junit::write as write_junit;
pub(crate) use markdown::{inline as markdown_inline, shared_table as markdown_table};
pub use trial::trial_text;

/// A form in which a report can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For a terminal: at most 40 lines.
    Text,
    /// For a pull request: below what a comment may hold.
    Markdown,
    /// The report itself.
    Json,
    /// One self-contained page.
    Html,
    /// A case a probe, for programs that read test results.
    Junit,
    /// A row a rate, for spreadsheets and notebooks.
    Csv,
}

/// What is known of one format.
#[derive(Debug)]
pub struct FormatEntry {
    /// The format.
    pub format: Format,
    /// The word that `--format` takes.
    pub name: &'static str,
    /// The file that it is written to below a run's folder; none where it is for a terminal.
    pub file: Option<&'static str>,
    /// What it is for, in one line.
    pub summary: &'static str,
    draw: fn(&Report, &mut dyn Write) -> Result<(), ReportError>,
}

/// Every format, in the order in which lists show them.
pub const FORMATS: &[FormatEntry] = &[
    FormatEntry {
        format: Format::Text,
        name: "text",
        file: None,
        summary: "the figures on one screen",
        draw: text::draw,
    },
    FormatEntry {
        format: Format::Markdown,
        name: "md",
        file: Some("report.md"),
        summary: "what a reviewer has to know, for a pull request or the summary of a step",
        draw: markdown::draw,
    },
    FormatEntry {
        format: Format::Json,
        name: "json",
        file: Some("report.json"),
        summary: "everything, for programs; its schema is reports/schema.json",
        draw: json::draw,
    },
    FormatEntry {
        format: Format::Html,
        name: "html",
        file: Some("report.html"),
        summary: "everything, for people; one file that needs neither scripts nor a network",
        draw: html::draw,
    },
    FormatEntry {
        format: Format::Junit,
        name: "junit",
        file: Some("junit.xml"),
        summary: "a case a probe and a case a line of the gate, for programs that read test results",
        draw: junit::draw,
    },
    FormatEntry {
        format: Format::Csv,
        name: "csv",
        file: Some("rates.csv"),
        summary: "every rate in long form, for spreadsheets and notebooks",
        draw: csv::draw,
    },
];

impl Format {
    /// What is known of it.
    ///
    /// # Panics
    /// Never: a test holds that every format is in the table.
    #[must_use]
    pub fn entry(self) -> &'static FormatEntry {
        FORMATS.iter().find(|entry| entry.format == self).expect("every format is in the table")
    }
}

/// The word that files use for a value of one of our enumerations.
pub(crate) fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Draws a report.
///
/// # Errors
/// Writing failed, or a template of ours is broken.
pub fn render(report: &Report, format: Format, out: &mut dyn Write) -> Result<(), ReportError> {
    (format.entry().draw)(report, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_in_the_table_once() {
        let all = [Format::Text, Format::Markdown, Format::Json, Format::Html, Format::Junit, Format::Csv];
        for format in all {
            assert_eq!(FORMATS.iter().filter(|entry| entry.format == format).count(), 1, "{format:?}");
        }
        let mut names: Vec<&str> = FORMATS.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FORMATS.len());
    }
}
