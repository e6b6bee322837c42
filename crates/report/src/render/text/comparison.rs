//! Two sides on one screen: what got worse, by how much, how sure, what differs, where to look.

use ::probes::RateName;

use super::layout::{columns, labelled, push_wrapped, sentence};
use super::{LINES, Limits, WIDEST, left_out, verdict, why};
use crate::Report;
use crate::compare::{Change, ComparedCell, ComparedSide, Comparison, Direction, ProbeDirection};
use crate::number::{count, counted, window};
use crate::table::compared::{
    change_figures, change_of, changed_count_words, changed_words, gated_rates, invented_rows, moved_words,
    pairs_words, repeated_words, sees_words,
};
use crate::table::differing::{Piece, differing, tool_words};
use crate::text_safe::{cropped, cropped_name};
use crate::words::words;

/// Rates that have a column.
const RATES: usize = 3;
/// Changed probes that are named.
const PROBES: usize = 6;
/// Characters of a cell's name, and of a reason in a table.
const LABEL: usize = 24;
const REASON: usize = 26;
/// Space between columns.
const GAP: &str = "   ";

pub(super) fn draw(report: &Report, comparison: &Comparison, limits: Limits, lines: &mut Vec<String>) {
    identity(report, comparison, lines);
    for note in comparison.notes.iter().chain(&report.notes).take(limits.notes + 1) {
        sentence("note  ", note, 1, lines);
    }
    lines.push(String::new());
    if let Some(gate) = &report.gate {
        verdict::draw(gate, lines);
    }
    moved(comparison, lines);
    lines.push(String::new());
    rates(comparison, limits.cells.min(5), lines);
    unclear(comparison, lines);
    lines.push(String::new());
    let mut tail = Vec::new();
    left_out(report, &mut tail);
    pointers(report, comparison, &mut tail);
    // What is left of the screen is for the lists; the end notice has a line too.
    let used = lines.len() + tail.len() + usize::from(report.end_notice.is_some());
    lists(comparison, LINES.saturating_sub(used), lines);
    lines.extend(tail);
}

/// Suite, profile and both sides.
fn identity(report: &Report, comparison: &Comparison, lines: &mut Vec<String>) {
    let identity = &report.identity;
    let suite = &identity.suite;
    let mut first = vec![
        format!("toolmirage {}", identity.toolmirage),
        format!("suite {} v{} ({})", cropped(&suite.name, 24), suite.version, suite.hash.short()),
    ];
    let profile = report.gate.as_ref().and_then(|gate| gate.policy.profile.as_ref());
    first.extend(profile.map(|profile| format!("profile {}", cropped(profile, 16))));
    first.push(pairs_words(comparison));
    push_wrapped(&first, GAP, lines);
    let side = |word: &str, side: &ComparedSide| {
        let kind = if side.accepted { "accepted baseline" } else { "run" };
        let ran = side.window.as_ref().map_or_else(String::new, |(from, to)| window(from, to));
        vec![word.to_owned(), cropped(&side.label, 28), format!("{kind} {}", cropped(&side.run, 28)), ran]
    };
    columns(&[side("baseline", &comparison.baseline), side("candidate", &comparison.candidate)], GAP, lines);
}

/// How many probes moved where the first rise is, and what further trials of them showed.
fn moved(comparison: &Comparison, lines: &mut Vec<String>) {
    let rise = comparison.cells.iter().find_map(|cell| {
        let rose = |change: &&Change| change.gated && change.direction == Direction::Rose;
        cell.changes.iter().find(rose).map(|change| (cell, change))
    });
    let Some((cell, change)) = rise else { return };
    let parts: Vec<String> =
        moved_words(change).into_iter().chain(repeated_words(cell, change.metric)).collect();
    if !parts.is_empty() {
        sentence("      ", &parts.join("; "), 2, lines);
    }
}

/// The cells by the gated rates: shares and a word, below them counts and p. Nothing is cut at the end of a line:
/// where that is too wide p goes below the counts, and where that is too wide still a rate less has a column.
fn rates(comparison: &Comparison, limit: usize, lines: &mut Vec<String>) {
    let all = gated_rates(comparison);
    let columned = all.len().min(RATES);
    let forms = (1..=columned).rev().flat_map(|rates| [2, 3].map(|height| (rates, height)));
    let (mut drawn, mut rates, mut cells) = (Vec::new(), columned, limit);
    for (fewer, height) in forms {
        // As many lines, whatever the height of a cell.
        (drawn, rates, cells) = (Vec::new(), fewer, limit * 2 / height);
        table(comparison, &all[..rates], cells, height, &mut drawn);
        if drawn.iter().all(|line| line.chars().count() <= WIDEST) {
            break;
        }
    }
    lines.extend(drawn);
    let mut more = Vec::new();
    if comparison.cells.len() > cells {
        more.push(counted((comparison.cells.len() - cells) as u64, "more cell"));
    }
    if all.len() > rates {
        more.push(counted((all.len() - rates) as u64, "more gated rate"));
    }
    if !more.is_empty() {
        lines.push(format!("and {}, in the report", more.join(" and ")));
    }
}

/// The table with a cell on `height` lines.
fn table(comparison: &Comparison, shown: &[RateName], cells: usize, height: usize, lines: &mut Vec<String>) {
    let sides =
        format!("{} → {}", cropped(&comparison.baseline.label, 11), cropped(&comparison.candidate.label, 11));
    let mut head = vec![sides];
    head.extend(shown.iter().map(|&metric| words(metric).title.to_owned()));
    let mut rows = vec![head];
    for cell in comparison.cells.iter().take(cells) {
        let figures: Vec<Vec<String>> = shown
            .iter()
            .map(|&metric| change_of(cell, metric).map_or_else(not_asked, |change| figure(change, height)))
            .collect();
        for line in 0..height {
            let label = if line == 0 { cropped(&cell.label, LABEL) } else { String::new() };
            let mut row = vec![label];
            row.extend(figures.iter().map(|figure| figure.get(line).cloned().unwrap_or_default()));
            rows.push(row);
        }
    }
    columns(&rows, GAP, lines);
}

fn not_asked() -> Vec<String> {
    vec!["not asked".to_owned()]
}

/// A rate of a cell on at most `height` lines.
fn figure(change: &Change, height: usize) -> Vec<String> {
    let figures = change_figures(change);
    // A rise is the one thing that must not be overlooked.
    let word = match figures.direction {
        Direction::Rose => "WORSE".to_owned(),
        other => other.word().to_owned(),
    };
    if let Some(absent) = figures.absent {
        return vec![word, cropped(&absent, REASON)];
    }
    let main = figures.shares.map_or_else(|| word.clone(), |shares| format!("{shares}  {word}"));
    let below: Vec<String> = figures.counts.into_iter().chain(figures.p).collect();
    if height > 2 { [vec![main], below].concat() } else { vec![main, below.join(", ")] }
}

fn unclear(comparison: &Comparison, lines: &mut Vec<String>) {
    let mut changes = comparison.cells.iter().flat_map(|cell| &cell.changes);
    if !changes.any(|change| change.gated && change.direction == Direction::Unclear) {
        return;
    }
    let sees = sees_words(comparison).map_or_else(String::new, |sees| format!("; this run could see {sees}"));
    sentence("", &format!("unclear: no difference was shown, none was ruled out{sees}"), 2, lines);
}

/// What differs, what is called that does not exist, and which probes changed: as much as there is room for.
fn lists(comparison: &Comparison, room: usize, lines: &mut Vec<String>) {
    let differs = differs(comparison);
    let invented = invented(comparison);
    let changed = changed(comparison);
    let mut room = room.saturating_sub(invented.len());
    // Half for each, and what one does not need for the other.
    let half = room / 2;
    let for_differs = differs.len().min(half.max(room.saturating_sub(changed.len())));
    push_some(differs, for_differs, lines);
    room -= for_differs.min(room);
    lines.extend(invented);
    push_some(changed, room, lines);
}

/// The first lines of a list; the last says how many there are beyond them.
fn push_some(list: Vec<String>, room: usize, lines: &mut Vec<String>) {
    if list.len() <= room {
        lines.extend(list);
    } else if room > 0 {
        let more = list.len() - (room - 1);
        lines.extend(list.into_iter().take(room - 1));
        lines.push(format!("{:10}and {}, in the report", "", counted(more as u64, "more line")));
    }
}

fn differs(comparison: &Comparison) -> Vec<String> {
    let mut all = Vec::new();
    for thing in differing(comparison) {
        let name = thing.name.map_or_else(String::new, |name| format!(" {}", cropped_name(name, 40)));
        all.push(format!("{}{name}: {}", thing.what, thing.summary));
        all.extend(thing.pieces.iter().map(|piece| format!("  {}", written(piece))));
    }
    if all.is_empty() {
        all.push("nothing in prompt, catalog or target".to_owned());
    }
    behind("Differs", all)
}

fn written(piece: &Piece<'_>) -> String {
    let sign = |added: bool| if added { '+' } else { '-' };
    let value = |value: &Option<String>| value.as_ref().map_or("(not set)".to_owned(), |v| cropped(v, 30));
    match *piece {
        Piece::Line { added, line, text } => {
            format!("{} line {line}: {}", sign(added), cropped(text.trim(), 74))
        }
        Piece::Tool { added, name } => format!("{} {}", sign(added), cropped_name(name, 60)),
        Piece::Changed(tool) => {
            format!("{}: {}", cropped_name(tool.name.as_str(), 50), tool_words(tool))
        }
        Piece::Field(field) => format!(
            "{}: {} → {}",
            cropped_name(&field.name, 24),
            value(&field.baseline),
            value(&field.candidate)
        ),
        Piece::Reordered => "the tools stand in another order".to_owned(),
    }
}

/// A list behind its label.
fn behind(label: &str, list: Vec<String>) -> Vec<String> {
    list.into_iter()
        .enumerate()
        .map(|(at, line)| format!("{:<10}{line}", if at == 0 { label } else { "" }))
        .collect()
}

/// The cell to tell of: the first in which something rose, else the first.
fn told(comparison: &Comparison) -> Option<&ComparedCell> {
    let rose = |cell: &&ComparedCell| {
        cell.changes.iter().any(|change| change.gated && change.direction == Direction::Rose)
    };
    comparison.cells.iter().find(rose).or(comparison.cells.first())
}

fn invented(comparison: &Comparison) -> Vec<String> {
    let Some(cell) = told(comparison).filter(|cell| !cell.invented.is_empty()) else { return Vec::new() };
    let rows = invented_rows(cell, 6);
    let mut parts: Vec<String> = rows
        .listed
        .iter()
        .map(|name| {
            let shown = if name.name.text.is_empty() { "(no name)" } else { &name.name.text };
            format!("{} {} → {}", cropped_name(shown, 40), count(name.baseline), count(name.candidate))
        })
        .collect();
    if let Some((names, before, after)) = rows.others {
        parts.push(format!("{} {} → {}", counted(names, "other"), count(before), count(after)));
    }
    let mut lines = Vec::new();
    labelled("Invented", &parts, ", ", 2, &mut lines);
    lines
}

fn changed(comparison: &Comparison) -> Vec<String> {
    let mut all = Vec::new();
    for cell in &comparison.cells {
        let label = match comparison.cells.len() {
            1 => "probes".to_owned(),
            _ => cropped(&cell.label, LABEL),
        };
        all.push(format!("{label}: {}", changed_count_words(cell)));
    }
    if let Some(cell) = told(comparison) {
        let worse = || cell.changed.iter().filter(|probe| probe.direction != ProbeDirection::Better);
        all.extend(
            worse().take(PROBES).map(|probe| {
                format!("  {}  {}", cropped_name(probe.probe.as_str(), 56), changed_words(probe))
            }),
        );
        let more = worse().count().saturating_sub(PROBES) as u64;
        if more > 0 {
            all.push(format!("  and {} more", count(more)));
        }
    }
    behind("Changed", all)
}

fn pointers(report: &Report, comparison: &Comparison, lines: &mut Vec<String>) {
    if let Some(folder) = &report.run.folder {
        lines.push(format!("report    {folder}/report.html"));
    }
    let probe = told(comparison).and_then(|cell| cell.changed.first());
    if let Some((folder, probe)) = comparison.candidate.folder.as_ref().zip(probe) {
        lines.extend(why(folder, probe.probe.as_str()));
    }
}
