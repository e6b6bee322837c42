//! An audit for a terminal.

use std::fmt::Write as _;

use super::{AuditReport, level_words, sentence, title, unwrapped_words};
use crate::number::{count, of};
use crate::text_safe::{cropped, cropped_name};

/// Characters of a message, of a quote, of a name.
const MESSAGE: usize = 300;
const QUOTE: usize = 160;
const NAME: usize = 80;
/// Tools without a row that are listed.
const UNWRAPPED: usize = 40;

/// Draws an audit as text.
#[must_use]
pub fn audit_text(report: &AuditReport<'_>) -> String {
    let summary = report.summary;
    let runs = &summary.runs;
    let mut out = format!("{}\n", report.verdict());
    let _ = writeln!(
        out,
        "runs   {}, {} with a final message, {} with rows in an executor log",
        count(runs.runs),
        count(runs.with_final),
        count(runs.with_rows)
    );
    if !summary.rates.is_empty() {
        let _ = writeln!(out, "\nof the runs that could be judged");
    }
    let titles: Vec<String> = summary.rates.iter().map(title).collect();
    let width = titles.iter().map(String::len).max().unwrap_or(0);
    for (rate, title) in summary.rates.iter().zip(&titles) {
        let level = level_words(rate.level);
        let _ = writeln!(out, "  {title:<width$}  {level:<16}  {}", sentence(rate));
    }
    findings(report, &mut out);
    unwrapped(report, &mut out);
    let notes = report.notes();
    if !notes.is_empty() {
        out.push('\n');
    }
    for note in notes {
        let _ = writeln!(out, "note   {}", cropped(&note, 2 * MESSAGE));
    }
    if summary.findings > 0 {
        let word = report.findings.first().map_or("phantom_claim", |finding| finding.finding.as_str());
        let _ = writeln!(out, "\nwhy    toolmirage explain {word}");
    }
    out
}

fn findings(report: &AuditReport<'_>, out: &mut String) {
    let summary = report.summary;
    if report.findings.is_empty() {
        return;
    }
    let shown = report.findings.len() as u64;
    if shown < summary.findings {
        let _ = writeln!(out, "\nfindings, the first {} (all with --json)", of(shown, summary.findings));
    } else {
        let _ = writeln!(out, "\nfindings");
    }
    let mut told = Vec::new();
    for finding in report.findings {
        let run = cropped_name(&finding.run.run, NAME);
        let trial = if finding.run.trial.is_empty() {
            String::new()
        } else {
            format!(" {}", cropped_name(&finding.run.trial, NAME))
        };
        let _ = writeln!(
            out,
            "  {}  {run}{trial}: {}",
            finding.finding.as_str(),
            cropped(&finding.message, MESSAGE)
        );
        let _ = writeln!(
            out,
            "    said  {}  {}",
            cropped(&report.file(finding.said), NAME),
            cropped(&finding.quote, QUOTE)
        );
        if let Some(row) = finding.row {
            let _ = writeln!(out, "    ran   {}", cropped(&report.file(row), NAME));
        }
        // What helps is said once a rate.
        if !told.contains(&finding.finding) {
            told.push(finding.finding);
            let _ = writeln!(out, "    fix   {}", finding.fix);
        }
    }
}

fn unwrapped(report: &AuditReport<'_>, out: &mut String) {
    let Some(required) = report.summary.required_tools else { return };
    let without = &report.summary.unwrapped;
    let _ = writeln!(out, "\ntools without a row: {}", of(without.len() as u64, required));
    for tool in without.iter().take(UNWRAPPED) {
        let words = unwrapped_words(tool.called, tool.claimed);
        let _ = writeln!(out, "  {}  {words}", cropped_name(&tool.tool, NAME));
    }
    if without.len() > UNWRAPPED {
        let _ = writeln!(out, "  and {} more", count((without.len() - UNWRAPPED) as u64));
    }
}
