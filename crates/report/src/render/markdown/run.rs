//! One run without another to set beside it.

use ::probes::RateName;

use super::inline::{code, name, prose};
use super::page::Page;
use super::{
    NOTES, SENTENCE, bullets, details, gate, heading, invented, left_out, next_steps, table, what_ran,
};
use crate::Report;
use crate::number::{Figure, count, counted, of};
use crate::table::{ArmLine, arm_lines, correctness_words, dispatch_words};
use crate::words::words;

/// Cells that have a row, and failing trials that are named.
const ROWS: usize = 16;
const FAILING: usize = 10;

pub(super) fn draw(report: &Report, page: &mut Page) {
    page.keep(heading::of_run(report));
    page.keep(bullets(&report.notes, NOTES));
    if let Some(gate) = &report.gate {
        page.keep(format!("**{}.**", prose(&gate.headline, SENTENCE)));
        page.keep(gate::lines(gate));
        page.keep(gate::policy(gate));
    }
    page.add("the table of rates", rates(report));
    page.keep(beside(report));
    page.add("what each arm bought", arms(report));
    page.keep(outcomes(report));
    page.add("what was invented", invented::of_run(report));
    page.keep(dispatched(report));
    page.keep(correctness(report));
    page.add("the failing trials", failing(report));
    page.keep(left_out(report));
    page.add("what ran", what_ran(report));
    let first = report.failing.first().map(|trial| trial.probe.as_str());
    page.keep(next_steps(report, report.run.folder.as_deref(), first));
}

/// The cells by the three rates.
fn rates(report: &Report) -> String {
    let head = |metric: RateName| {
        let words = words(metric);
        let (title, of) = report.definition(metric).map_or((words.title, words.of), |definition| {
            (definition.title.as_str(), definition.of.as_str())
        });
        format!("{title}, {of}")
    };
    let mut heads = vec!["cell".to_owned()];
    heads.extend(RateName::HEADLINE.map(head));
    let rows: Vec<Vec<String>> = report
        .cells
        .iter()
        .take(ROWS)
        .map(|cell| {
            let mut row = vec![prose(&cell.label, 80)];
            row.extend(
                RateName::HEADLINE
                    .map(|metric| cell.rate(metric).map_or(Figure::NotMeasured, Figure::of).sentence()),
            );
            row
        })
        .collect();
    let more = report.cells.len().saturating_sub(ROWS) as u64;
    let more = if more > 0 { format!("\n\nAnd {}.", counted(more, "more cell")) } else { String::new() };
    format!("{}{more}", table(&heads, &rows))
}

/// What dispatchers would have done with the unknown calls.
fn dispatched(report: &Report) -> String {
    dispatch_words(report)
        .map_or_else(String::new, |words| format!("Of these calls {}.", prose(&words, SENTENCE)))
}

/// The figure that other frameworks print.
fn correctness(report: &Report) -> String {
    correctness_words(report).map_or_else(String::new, |words| {
        format!("Tool correctness as others define it: {}.", prose(&words, SENTENCE))
    })
}

/// Side rates that have an event, cell by cell.
fn beside(report: &Report) -> String {
    let mut parts = Vec::new();
    for cell in &report.cells {
        for rate in cell.rates.iter().filter(|rate| !RateName::HEADLINE.contains(&rate.metric)) {
            if rate.events > 0 {
                let which =
                    if report.cells.len() > 1 { format!(" on {}", cell.label) } else { String::new() };
                parts.push(format!("{}{which} {}", words(rate.metric).title, of(rate.events, rate.scored)));
            }
        }
    }
    let shown = parts.len().min(12);
    let more = parts.len() - shown;
    if shown == 0 {
        return String::new();
    }
    let more = if more > 0 { format!("; and {} more", count(more as u64)) } else { String::new() };
    prose(&format!("Also: {}{more}.", parts[..shown].join("; ")), 2 * SENTENCE)
}

/// What the arms of a suite bought, for the three rates.
fn arms(report: &Report) -> String {
    let all = arm_lines(report);
    if all.is_empty() {
        return String::new();
    }
    let mut heads = vec!["what each arm bought".to_owned()];
    heads.extend(RateName::HEADLINE.map(|metric| words(metric).title.to_owned()));
    let row = |line: &ArmLine| {
        let cell = line.cell.as_ref().map(|cell| format!(", {}", prose(cell, 80))).unwrap_or_default();
        let endpoint = line.endpoint.map(|state| format!(", {state} by the endpoint")).unwrap_or_default();
        let mut row = vec![format!("{}{endpoint}{cell}", code(&line.arm, 80))];
        row.extend(line.rates.iter().map(|rate| rate.clone().unwrap_or_else(|| "not asked".to_owned())));
        row
    };
    let rows: Vec<Vec<String>> = all.iter().take(ROWS).map(row).collect();
    table(&heads, &rows)
}

fn outcomes(report: &Report) -> String {
    if report.decoy_trials == 0 {
        return String::new();
    }
    let parts: Vec<String> = report
        .outcomes
        .iter()
        .map(|outcome| format!("{} {}", outcome.outcome.as_str(), count(outcome.trials)))
        .collect();
    format!("When the tool was missing ({} trials): {}.", count(report.decoy_trials), parts.join(", "))
}

/// The first failing trials, with what was found in each.
fn failing(report: &Report) -> String {
    if report.failing.is_empty() {
        return String::new();
    }
    let head = format!(
        "{} scored trials have a finding or a wrong behaviour",
        of(report.failing_trials(), report.trials.scored)
    );
    let mut lines: Vec<String> = report
        .failing
        .iter()
        .take(FAILING)
        .map(|trial| {
            let found = trial.findings.first().map_or_else(
                || match &trial.outcome {
                    Some(outcome) => outcome.label.as_str().to_owned(),
                    None => "wrong behaviour".to_owned(),
                },
                |finding| format!("{}: {}", words(finding.rate).title, code(&finding.message.text, 160)),
            );
            format!("- {}: {found}", name(&trial.trial))
        })
        .collect();
    let more = report.failing_trials().saturating_sub(FAILING as u64);
    if more > 0 {
        lines.push(format!("- and {} more", count(more)));
    }
    details(&head, &lines.join("\n"))
}
