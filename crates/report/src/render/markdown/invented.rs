//! What is called that does not exist.

use super::inline::name;
use super::table;
use crate::Report;
use crate::compare::{ComparedCell, Comparison, InventedChange};
use crate::number::{count, counted};
use crate::table::compared::{invented_over, invented_rows};
use crate::table::{others_words, others_would_run, would_run};
use scorer::NameForm;

/// The head over what a lenient dispatcher does.
const LENIENT: &str = "a lenient dispatcher would";

/// Names of a table, and offered tools beside one.
const NAMES: usize = 8;
const OFFERED: usize = 3;

/// The table of a pair of cells; empty where neither side made a name up.
pub(super) fn compared(comparison: &Comparison, cell: &ComparedCell) -> String {
    if cell.invented.is_empty() {
        return String::new();
    }
    let sides = format!("{} → {}", name(&comparison.baseline.label), name(&comparison.candidate.label));
    let over = invented_over(cell).map_or_else(String::new, |over| format!(" ({over})"));
    let heads =
        ["name".to_owned(), format!("trials{over}, {sides}"), "what exists".to_owned(), LENIENT.to_owned()];
    let rows = invented_rows(cell, NAMES);
    let mut lines: Vec<Vec<String>> = rows
        .listed
        .iter()
        .map(|row| {
            vec![
                name(&row.name.text),
                format!("{} → {}", count(row.baseline), count(row.candidate)),
                existing(row),
                would_run(row.would_run.as_ref(), &name),
            ]
        })
        .collect();
    if let Some((names, before, after)) = rows.others {
        let others = cell.invented.iter().skip(NAMES).map(|row| (row.candidate, row.would_run.is_some()));
        lines.push(vec![
            counted(names, "other"),
            format!("{} → {}", count(before), count(after)),
            String::new(),
            others_would_run(others),
        ]);
    }
    format!("**What {} calls that does not exist**\n\n{}", name(&cell.target), table(&heads, &lines))
}

/// The nearest offered tool, where it is near at all, and others of its family.
fn existing(row: &InventedChange) -> String {
    let is_near = |tool: &&str| row.name_form != NameForm::Novel || share_a_word(&row.name.text, tool);
    let nearest = row.nearest_tool.iter().map(transcript::ToolName::as_str);
    let mut tools: Vec<&str> = nearest.filter(is_near).collect();
    for tool in row.family.iter().map(transcript::ToolName::as_str) {
        if !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    let more = tools.len().saturating_sub(OFFERED);
    let mut shown: Vec<String> = tools.iter().take(OFFERED).map(|tool| name(tool)).collect();
    if more > 0 {
        shown.push(format!("{} more", count(more as u64)));
    }
    if shown.is_empty() { "nothing near".to_owned() } else { shown.join(", ") }
}

/// Whether two names have a word in common: of novel names something is always nearest, and that alone says
/// nothing.
fn share_a_word(one: &str, other: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        let parts = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 2);
        parts.map(|word| word.trim_end_matches('s').to_lowercase()).collect()
    };
    let others = words(other);
    words(one).iter().any(|word| others.contains(word))
}

/// The table of a run.
pub(super) fn of_run(report: &Report) -> String {
    if report.invented.is_empty() {
        return String::new();
    }
    let heads = ["name", "trials", "why it misses", "nearest offered", LENIENT].map(str::to_owned);
    let rows: Vec<Vec<String>> = report
        .invented
        .iter()
        .take(NAMES)
        .map(|row| {
            let nearest = row.nearest_tool.as_ref();
            vec![
                name(&row.name.text),
                count(row.trials),
                name(crate::table::form_word(row.name_form)),
                nearest.map_or_else(String::new, |tool| name(tool.as_str())),
                would_run(row.would_run.as_ref(), &name),
            ]
        })
        .collect();
    let others = others_words(report, NAMES).map_or_else(String::new, |others| format!("\n\nAnd {others}."));
    format!("**{}**\n\n{}{others}", crate::table::INVENTED_HEAD, table(&heads, &rows))
}
