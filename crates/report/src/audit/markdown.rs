//! An audit for a pull request or the summary of a step.

use std::fmt::Write as _;

use super::{AuditReport, beside, figure, left_out, level_words, title, unwrapped_words};
use crate::number::{count, of};
use crate::render::markdown_inline::{code, name, prose};

/// Characters of a quote, of a sentence.
const QUOTE: usize = 120;
const SENTENCE: usize = 500;
/// Tools without a row that are listed.
const UNWRAPPED: usize = 40;

/// Draws an audit as Markdown.
#[must_use]
pub fn audit_markdown(report: &AuditReport<'_>) -> String {
    let summary = report.summary;
    let mut out = format!("### toolmirage audit: {}\n\n", report.verdict());
    let runs = &summary.runs;
    let _ = writeln!(
        out,
        "{} runs, {} with a final message, {} with rows in an executor log.\n",
        count(runs.runs),
        count(runs.with_final),
        count(runs.with_rows)
    );
    if !summary.rates.is_empty() {
        out.push_str(
            "| rate | evidence | of the runs that could be judged | left out |\n|---|---|---|---|\n",
        );
    }
    for rate in &summary.rates {
        let mut cell = figure(rate).sentence();
        if let Some(beside) = beside(rate) {
            let _ = write!(cell, "; {beside}");
        }
        let _ = writeln!(
            out,
            "| {} | {} | {cell} | {} |",
            code(&title(rate), QUOTE),
            code(level_words(rate.level), QUOTE),
            left_out(rate).replace('_', "\\_")
        );
    }
    if !report.findings.is_empty() {
        let shown = report.findings.len() as u64;
        let _ = writeln!(out, "\n{} findings:\n", of(shown, summary.findings));
    }
    for finding in report.findings {
        let trial = if finding.run.trial.is_empty() {
            String::new()
        } else {
            format!(" {}", name(&finding.run.trial))
        };
        let _ = writeln!(
            out,
            "- **{}** {}{trial}: {} said {} at {}. {}",
            finding.finding.as_str().replace('_', "\\_"),
            name(&finding.run.run),
            prose(&finding.message, SENTENCE),
            code(&finding.quote, QUOTE),
            code(&report.file(finding.said), QUOTE),
            prose(finding.fix, SENTENCE)
        );
    }
    if let Some(required) = summary.required_tools {
        let _ = writeln!(out, "\nTools without a row: {}\n", of(summary.unwrapped.len() as u64, required));
        for tool in summary.unwrapped.iter().take(UNWRAPPED) {
            let _ = writeln!(out, "- {}: {}", name(&tool.tool), unwrapped_words(tool.called, tool.claimed));
        }
        if summary.unwrapped.len() > UNWRAPPED {
            let _ = writeln!(out, "- and {} more", count((summary.unwrapped.len() - UNWRAPPED) as u64));
        }
    }
    let notes = report.notes();
    if !notes.is_empty() {
        out.push('\n');
    }
    for note in notes {
        let _ = writeln!(out, "- {}", prose(&note, SENTENCE));
    }
    out
}
