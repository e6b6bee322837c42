//! What dispatchers would have done with the unknown calls, and tool correctness as others define it.

use indexmap::IndexMap;

use super::{Entry, Row, Table, cell_head, number, several, words};
use crate::number::{count, counted, of};
use crate::report::{CellReport, Report};

/// Tools that a row lists.
const TOOLS: usize = 4;

/// Every policy by cell: what it would have raised, repaired, and run in another tool's place.
pub(crate) fn dispatch(report: &Report) -> Option<Table> {
    let mut rows = Vec::new();
    for cell in &report.cells {
        for policy in &cell.dispatch {
            let mut heads = vec![Entry::code(&policy.policy)];
            heads.extend(cell_head(report, cell));
            let tools: Vec<String> = policy
                .other_tools
                .iter()
                .take(TOOLS)
                .map(|routed| format!("{} {}", routed.tool, count(routed.calls)))
                .collect();
            let beyond = policy.other_tools.len().saturating_sub(TOOLS);
            rows.push(Row {
                heads,
                cells: vec![
                    Entry::number(of(policy.raised, policy.unknown_calls)),
                    Entry::count(policy.repaired),
                    Entry::count(policy.other),
                    Entry::Codes { texts: visible(&tools), more: beyond },
                    Entry::words(&policy.algorithm),
                    Entry::words(&policy.source),
                ],
            });
        }
    }
    let mut columns = vec![words("dispatcher")];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.extend(["raises", "repairs", "runs another tool"].map(number));
    columns.extend(["which", "rule", "who does that"].map(words));
    (!rows.is_empty()).then(|| Table {
        title: "What a dispatcher would have done with these calls".into(),
        about: Some(
            "The raw unknown calls put through dispatchers that are in use. What one raises is all that its error \
             log shows: the lower bound; all unknown calls are the upper one. None of it moves a rate."
                .into(),
        ),
        columns,
        rows,
        more: None,
    })
}

fn visible(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| crate::text_safe::cropped_name(text, super::NAME_WIDTH)).collect()
}

/// `strict raises 71, closest_match@0.85 absorbs 40`, over all cells; none where nothing was unknown.
pub(crate) fn dispatch_words(report: &Report) -> Option<String> {
    let lenient = &scorer::Policy::lenient()?.name;
    let sum = |of: &dyn Fn(&CellReport) -> u64| report.cells.iter().map(of).sum::<u64>();
    let unknown = sum(&|cell| cell.dispatch.first().map_or(0, |strict| strict.raised));
    let absorbed = sum(&|cell| {
        let policy = cell.dispatch.iter().find(|policy| policy.policy == *lenient);
        policy.map_or(0, scorer::DispatchOutcome::absorbed)
    });
    (unknown > 0).then(|| format!("strict raises {}, {lenient} absorbs {}", count(unknown), count(absorbed)))
}

/// `run billing_create_refund`, `raise an error`: what a lenient dispatcher does with a name.
pub(crate) fn would_run(tool: Option<&transcript::ToolName>, name: &dyn Fn(&str) -> String) -> String {
    tool.map_or_else(|| "raise an error".to_owned(), |tool| format!("run {}", name(tool.as_str())))
}

/// Tool correctness by cell and definition, its misses split by what explains them.
pub(crate) fn tool_correctness(report: &Report) -> Option<Table> {
    let mut rows = Vec::new();
    for cell in &report.cells {
        for row in &cell.tool_correctness {
            let mut heads = vec![Entry::code(&row.definition)];
            heads.extend(cell_head(report, cell));
            let misses = row.misses.iter().map(|(word, &trials)| (word.as_str(), trials));
            rows.push(Row {
                heads,
                cells: vec![
                    Entry::number(of(row.correct, row.scored)),
                    Entry::words(&miss_words(misses)),
                    Entry::words(&row.words),
                ],
            });
        }
    }
    let mut columns = vec![words("definition")];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.push(number("correct"));
    columns.extend(["the others, by what explains them", "asks that"].map(words));
    (!rows.is_empty()).then(|| Table {
        title: "Tool correctness as other frameworks define it".into(),
        about: Some(
            "Scored base-arm trials in which a call is right, or none. One figure for all that can go wrong: the \
             rates above say what did."
                .into(),
        ),
        columns,
        rows,
        more: None,
    })
}

/// `by name 84 of 96 trials; exact 71 of 96 (unknown_tool 12, no_call 13)`, over all cells.
pub(crate) fn correctness_words(report: &Report) -> Option<String> {
    let mut by_definition: IndexMap<&str, (u64, u64, IndexMap<&str, u64>)> = IndexMap::new();
    for row in report.cells.iter().flat_map(|cell| &cell.tool_correctness) {
        let (correct, scored, misses) = by_definition.entry(&row.definition).or_default();
        *correct += row.correct;
        *scored += row.scored;
        for (word, trials) in &row.misses {
            *misses.entry(word).or_default() += trials;
        }
    }
    let parts: Vec<String> = by_definition
        .into_iter()
        .map(|(definition, (correct, scored, misses))| {
            let misses = miss_words(misses.into_iter());
            let misses = if misses.is_empty() { misses } else { format!(" ({misses})") };
            format!("{definition} {} trials{misses}", of(correct, scored))
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn miss_words<'a>(misses: impl Iterator<Item = (&'a str, u64)>) -> String {
    misses.map(|(word, trials)| format!("{word} {}", count(trials))).collect::<Vec<_>>().join(", ")
}

/// How many of the calls of further names a lenient dispatcher would run: for the row that has the others.
pub(crate) fn others_would_run(names: impl Iterator<Item = (u64, bool)>) -> String {
    let (all, runs) = names
        .fold((0, 0), |(all, runs), (trials, is_run)| (all + trials, runs + if is_run { trials } else { 0 }));
    if runs == 0 { "raise an error".to_owned() } else { format!("run a tool in {}", trials_of(runs, all)) }
}

fn trials_of(some: u64, all: u64) -> String {
    if some == all { format!("all {}", counted(all, "trial")) } else { format!("{} trials", of(some, all)) }
}
