//! Two sides: what got worse, by how much, how sure, and where to look.

use super::inline::{name, prose};
use super::page::Page;
use super::{
    NOTES, SENTENCE, bullets, capital, details, differing, example, gate, heading, invented, left_out,
};
use super::{next_steps, table, what_ran};
use crate::Report;
use crate::compare::{Change, ComparedCell, Comparison, Direction};
use crate::gate::{Gate, GateLine, GateQuestion, GateVerdict, figures};
use crate::number::{count, counted};
use crate::table::compared::{
    all_rates_words, cautious_words, change_figures, change_of, changed_count_words, circumstances_words,
    gated_rates, moved_beside, moved_words, outcome_words, pairs_words, repeated_words, sees_words,
};
use crate::words::words;

/// Rises that have a sentence, cells that have a row, cells that have tables of their own.
const RISES: usize = 3;
const ROWS: usize = 16;
const CELLS: usize = 2;

pub(super) fn draw(report: &Report, comparison: &Comparison, page: &mut Page) {
    page.keep(heading::of_comparison(report, comparison));
    if let Some(gate) =
        report.gate.as_ref().filter(|gate| report.notes.is_empty() && is_quiet(gate, comparison))
    {
        page.keep(quiet(report, gate, comparison));
        return;
    }
    let notes: Vec<String> = comparison.notes.iter().chain(&report.notes).cloned().collect();
    page.keep(bullets(&notes, NOTES));
    page.keep(rises(comparison));
    let circumstances = circumstances_words(comparison);
    page.keep(
        circumstances.map_or_else(String::new, |words| format!("{}.", prose(&capital(&words), SENTENCE))),
    );
    if let Some(gate) = &report.gate {
        page.keep(gate::open_lines(gate));
        page.keep(gate::policy(gate));
    }
    page.add("the table of rates", rates(comparison));
    page.keep(unclear(comparison));
    page.add("what differs", differing::section(comparison));
    for cell in told(comparison) {
        page.add("what is called that does not exist", invented::compared(comparison, cell));
        page.keep(outcomes(comparison, cell));
    }
    let chosen = told(comparison).find_map(example::chosen);
    if let Some(probe) = chosen {
        page.add("the example", example::one(comparison, probe));
    }
    page.add("the changed probes", details(&changed_head(comparison), &example::all(comparison)));
    page.add("what ran", details("What was left out · what ran", &ran(report, comparison)));
    let any = comparison.cells.iter().find_map(|cell| cell.changed.first());
    let run = comparison.candidate.folder.as_deref();
    page.keep(next_steps(report, run, chosen.or(any).map(|probe| probe.probe.as_str())));
}

/// Whether nothing was found: what the gate says passes, nothing rose, and no line but unclear rises is open.
fn is_quiet(gate: &Gate, comparison: &Comparison) -> bool {
    let line = |line: &GateLine| {
        line.verdict == GateVerdict::Pass
            || (line.verdict == GateVerdict::Inconclusive && line.question == GateQuestion::Regression)
    };
    let mut changes = comparison.cells.iter().flat_map(|cell| &cell.changes);
    gate.passes()
        && gate.lines.iter().all(line)
        && !changes.any(|change| change.direction == Direction::Rose)
        && comparison.notes.is_empty()
}

/// All that there is to say then.
fn quiet(report: &Report, gate: &Gate, comparison: &Comparison) -> String {
    let rates = all_rates_words(comparison);
    let ruled_out = if gate.verdict == GateVerdict::Pass { "within tolerance" } else { "unclear or better" };
    let sees =
        sees_words(comparison).map_or_else(String::new, |sees| format!("; this run would have seen {sees}"));
    let folder = report.run.folder.as_deref().and_then(super::shell::word);
    let more = folder.map_or_else(String::new, |folder| format!(". Details: `{folder}/report.html`"));
    format!("{}, {rates} {ruled_out}{sees}{more}", pairs_words(comparison))
}

/// A sentence for each rise that is shown, the gated ones first.
fn rises(comparison: &Comparison) -> String {
    let shown: Vec<(&ComparedCell, &Change)> = comparison
        .cells
        .iter()
        .flat_map(|cell| cell.changes.iter().map(move |change| (cell, change)))
        .filter(|(_, change)| change.gated && change.direction == Direction::Rose)
        .collect();
    let mut out: Vec<String> = shown
        .iter()
        .take(RISES)
        .filter_map(|(cell, change)| Some(rise(comparison, cell, change, change.rate.as_ref()?)))
        .collect();
    let cautious = |(_, change): &(_, &Change)| change.rate.as_ref().and_then(cautious_words);
    out.extend(shown.iter().take(RISES).find_map(cautious).map(str::to_owned));
    if shown.len() > RISES {
        out.push(format!("And {} rose.", counted((shown.len() - RISES) as u64, "more rate")));
    }
    let beside = moved_beside(comparison);
    if !beside.is_empty() {
        out.push(format!("Beside the gate (q: corrected over these rates):\n{}", bullets(&beside, 4)));
    }
    out.join("\n\n")
}

fn rise(comparison: &Comparison, cell: &ComparedCell, change: &Change, rate: &scorer::PairedRate) -> String {
    let figures = figures(rate, change.adjusted_p, comparison.family);
    // The bold part ends where the counts begin.
    let (from_to, counts) = figures.split_at(figures.find('(').unwrap_or(figures.len()));
    let head = format!("{} on {} rose {from_to}", words(change.metric).title, cell.label);
    let mut sentences =
        vec![format!("**{}** {}.", prose(head.trim_end(), SENTENCE), prose(counts, SENTENCE))];
    if let Some(moved) = moved_words(change) {
        let repeated =
            repeated_words(cell, change.metric).map_or_else(String::new, |repeated| format!("; {repeated}"));
        sentences.push(format!("{moved}{repeated}."));
    }
    sentences.join(" ")
}

/// The cells by the gated rates.
fn rates(comparison: &Comparison) -> String {
    let rates = gated_rates(comparison);
    let mut heads =
        vec![format!("{} → {}", name(&comparison.baseline.label), name(&comparison.candidate.label))];
    heads.extend(rates.iter().map(|&metric| words(metric).title.to_owned()));
    let rows: Vec<Vec<String>> = comparison
        .cells
        .iter()
        .take(ROWS)
        .map(|cell| {
            let figures: Vec<String> = rates
                .iter()
                .map(|&metric| change_of(cell, metric).map_or_else(|| "not asked".to_owned(), figure))
                .collect();
            let label = prose(&cell.label, 80);
            let rose = cell.changes.iter().any(|change| change.gated && change.direction == Direction::Rose);
            let mut row = vec![if rose { format!("**{label}**") } else { label }];
            row.extend(figures);
            row
        })
        .collect();
    let more = comparison.cells.len().saturating_sub(ROWS) as u64;
    let more = if more > 0 { format!("\n\nAnd {}.", counted(more, "more cell")) } else { String::new() };
    format!("{}{more}", table(&heads, &rows))
}

/// `**1.6 → 6.6 % worse** (5 → 21 of 316)`.
fn figure(change: &Change) -> String {
    let figures = change_figures(change);
    if let Some(absent) = &figures.absent {
        return format!("{}: {}", figures.direction.word(), prose(absent, 200));
    }
    let word = figures.direction.word();
    let main = figures.shares.map_or_else(|| word.to_owned(), |shares| format!("{shares} {word}"));
    let main = if change.direction == Direction::Rose { format!("**{main}**") } else { main };
    figures.counts.map_or(main.clone(), |counts| format!("{main} ({counts})"))
}

/// What *unclear* means, and what this run could have seen.
fn unclear(comparison: &Comparison) -> String {
    let mut changes = comparison.cells.iter().flat_map(|cell| &cell.changes);
    if !changes.any(|change| change.gated && change.direction == Direction::Unclear) {
        return String::new();
    }
    let sees = sees_words(comparison)
        .map_or_else(String::new, |sees| format!(" This run could see {}.", prose(&sees, SENTENCE)));
    format!("*unclear*: no difference was shown, none was ruled out.{sees}")
}

/// Cells that have tables of their own: those with a rise, else the first.
fn told(comparison: &Comparison) -> impl Iterator<Item = &ComparedCell> {
    let rose = |cell: &&ComparedCell| cell.changes.iter().any(|change| change.direction == Direction::Rose);
    let any = comparison.cells.iter().any(|cell| rose(&cell));
    comparison.cells.iter().filter(move |cell| !any || rose(cell)).take(if any { CELLS } else { 1 })
}

fn outcomes(comparison: &Comparison, cell: &ComparedCell) -> String {
    let Some((words, outcomes)) = outcome_words(cell).zip(cell.outcomes.as_ref()) else {
        return String::new();
    };
    let which =
        if comparison.cells.len() > 1 { format!(" on {}", prose(&cell.label, 80)) } else { String::new() };
    format!("When the tool is missing{which} ({}): {words}.", counted(outcomes.pairs, "probe"))
}

fn changed_head(comparison: &Comparison) -> String {
    let parts: Vec<String> = comparison
        .cells
        .iter()
        .take(4)
        .map(|cell| {
            let which = if comparison.cells.len() > 1 {
                format!("{}: ", super::inline::html_code(&cell.label, 60))
            } else {
                String::new()
            };
            format!("{which}{}", changed_count_words(cell))
        })
        .collect();
    format!("The probes that changed ({})", parts.join("; "))
}

fn ran(report: &Report, comparison: &Comparison) -> String {
    let mut lines = vec![left_out(report)];
    let unpaired: Vec<_> = comparison
        .cells
        .iter()
        .flat_map(|cell| cell.unpaired.iter().map(move |probe| (cell, probe)))
        .collect();
    if !unpaired.is_empty() {
        let listed: Vec<String> = unpaired
            .iter()
            .take(8)
            .map(|(cell, probe)| {
                format!(
                    "- {} on {}: {}",
                    name(probe.probe.as_str()),
                    prose(&cell.label, 60),
                    prose(&probe.reason, 200)
                )
            })
            .collect();
        let more = unpaired.len().saturating_sub(8) as u64;
        let more = if more > 0 { format!("\n- and {} more", count(more)) } else { String::new() };
        lines.push(format!(
            "Not paired: {}.\n\n{}{more}",
            counted(unpaired.len() as u64, "probe"),
            listed.join("\n")
        ));
    }
    if let Some(gate) = &report.gate {
        lines.push(gate::passed_lines(gate));
    }
    lines.push(what_ran(report));
    for side in [&comparison.baseline, &comparison.candidate] {
        let kind = if side.accepted { "accepted baseline" } else { "run" };
        let window = side.window.as_ref().map_or_else(String::new, |(from, to)| {
            format!(", {}", prose(&crate::number::window(from, to), 80))
        });
        lines.push(format!(
            "{}: {kind} {}, suite v{} ({}), {}{window}.",
            name(&side.label),
            name(&side.run),
            side.suite.version,
            name(side.suite.hash.short()),
            counted(u64::from(side.repeats), "repeat")
        ));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n\n")
}
