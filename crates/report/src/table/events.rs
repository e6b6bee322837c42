//! What happened, by name: outcomes, invented names, shadowed tools, argument and format findings.

use std::collections::BTreeMap;

use super::{Entry, Row, Table, cell_head, number, several, words};
use crate::number::{count, counted, of};
use crate::report::{Invention, Report};

/// Invented names that a table lists.
const INVENTED_LIMIT: usize = 60;
/// The words over what was invented.
pub(crate) const INVENTED_HEAD: &str = "What was invented";
/// Tools of a family that a row lists.
const FAMILY_LIMIT: usize = 6;

/// Outcomes of the trials whose wanted tool is missing, a column a cell.
pub(crate) fn outcomes(report: &Report) -> Option<Table> {
    if report.decoy_trials == 0 {
        return None;
    }
    let mut columns = vec![words("outcome")];
    if several(report) {
        columns.extend(report.cells.iter().map(|cell| number(&crate::text_safe::cropped(&cell.label, 40))));
    }
    columns.push(number("trials"));
    let mut rows: Vec<Row> = report
        .outcomes
        .iter()
        .enumerate()
        .map(|(at, total)| {
            let by_cell = report.cells.iter().map(|cell| cell.outcomes.get(at).map_or(0, |o| o.trials));
            outcome_row(report, total.outcome.as_str(), by_cell, total.trials)
        })
        .collect();
    let by_cell = report.cells.iter().map(|cell| cell.decoy_trials);
    rows.push(outcome_row(report, "all", by_cell, report.decoy_trials));
    Some(Table { title: "Outcomes when the tool was missing".into(), about: None, columns, rows, more: None })
}

fn outcome_row(report: &Report, word: &str, by_cell: impl Iterator<Item = u64>, total: u64) -> Row {
    let mut cells = Vec::new();
    if several(report) {
        cells.extend(by_cell.map(Entry::count));
    }
    cells.push(Entry::count(total));
    Row { heads: vec![Entry::code(word)], cells }
}

/// What was invented, by name.
pub(crate) fn invented(report: &Report) -> Option<Table> {
    if report.invented.is_empty() {
        return None;
    }
    let mut columns = vec![words("name")];
    columns.extend(["trials", "calls"].map(number));
    if several(report) {
        columns.push(number("cells"));
    }
    columns.extend(
        ["why it misses", "nearest offered", "a lenient dispatcher would", "wanted", "example", "family"]
            .map(words),
    );
    let rows = report.invented.iter().take(INVENTED_LIMIT).map(|name| invented_row(report, name)).collect();
    let more = others_words(report, INVENTED_LIMIT);
    Some(Table {
        title: INVENTED_HEAD.into(),
        about: Some("A trial that called two such names stands under both.".into()),
        columns,
        rows,
        more,
    })
}

/// `14 other names in 15 calls`: what stands behind the first `shown`; none where nothing does.
pub(crate) fn others_words(report: &Report, shown: usize) -> Option<String> {
    let others = report.invented.iter().skip(shown);
    let (names, calls) = others.fold((0, 0), |(names, calls), name| (names + 1, calls + name.calls));
    let listed =
        (names > 0).then(|| format!("{} in {}", counted(names, "other name"), counted(calls, "call")));
    let unlisted = report.unlisted_names.calls;
    let unlisted =
        (unlisted > 0).then(|| format!("{} of further names that are not listed", counted(unlisted, "call")));
    let parts: Vec<String> = listed.into_iter().chain(unlisted).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn invented_row(report: &Report, name: &Invention) -> Row {
    let mut cells = vec![Entry::count(name.trials), Entry::count(name.calls)];
    if several(report) {
        cells.push(Entry::number(of(name.by_cell.len() as u64, report.cells.len() as u64)));
    }
    let optional = |tool: &Option<transcript::ToolName>| {
        tool.as_ref().map_or(Entry::Empty, |tool| Entry::code(tool.as_str()))
    };
    cells.extend([
        Entry::code(form_word(name.name_form)),
        optional(&name.nearest_tool),
        Entry::words(&super::would_run(name.would_run.as_ref(), &|tool| {
            crate::text_safe::cropped_name(tool, 60)
        })),
        optional(&name.wanted),
        example(report, name),
        Entry::codes(name.family.iter().map(transcript::ToolName::as_str), FAMILY_LIMIT),
    ]);
    Row { heads: vec![shown_name(&name.name.text, name.name.left_out)], cells }
}

/// The failing trial of the probe to look at.
fn example(report: &Report, name: &Invention) -> Entry {
    let at = report.failing.iter().position(|trial| trial.probe == name.example);
    Entry::Trial { text: crate::text_safe::cropped(name.example.as_str(), super::NAME_WIDTH), at }
}

fn shown_name(text: &str, left_out: u64) -> Entry {
    match (text, left_out) {
        ("", _) => Entry::words("(no name)"),
        (text, 0) => Entry::code(text),
        (text, more) => {
            let shown = crate::text_safe::cropped_name(text, 60);
            Entry::Code { text: format!("{shown} ({} more characters)", count(more)) }
        }
    }
}

/// The word for a form, as files have it.
pub(crate) fn form_word(form: scorer::NameForm) -> &'static str {
    use scorer::NameForm;
    match form {
        NameForm::Novel => "novel",
        NameForm::NearMiss => "near_miss",
        NameForm::Wrapper => "wrapper",
        NameForm::NamespacePrefix => "namespace_prefix",
        NameForm::PrefixDropped => "prefix_dropped",
        NameForm::NamespaceAdded => "namespace_added",
        NameForm::NamespaceFlattened => "namespace_flattened",
        NameForm::SpecialToken => "special_token",
        NameForm::Case => "case",
        NameForm::Whitespace => "whitespace",
        NameForm::Empty => "empty",
        NameForm::Doubled => "doubled",
    }
}

/// Decoys that were called in place of the tool.
pub(crate) fn shadowed(report: &Report) -> Option<Table> {
    let mut rows = Vec::new();
    for cell in &report.cells {
        for shadow in &cell.shadowed {
            let mut heads = vec![Entry::code(shadow.decoy.as_str())];
            heads.extend(cell_head(report, cell));
            let cells =
                vec![Entry::code(shadow.wanted.as_str()), Entry::number(of(shadow.trials, shadow.of))];
            rows.push(Row { heads, cells });
        }
    }
    let mut columns = vec![words("decoy called")];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.extend([words("tool meant"), number("lookalike trials")]);
    (!rows.is_empty()).then(|| Table {
        title: "Tools in the shadow".into(),
        about: None,
        columns,
        rows,
        more: None,
    })
}

/// Argument findings by word.
pub(crate) fn argument_findings(report: &Report) -> Option<Table> {
    let mut rows = Vec::new();
    for cell in &report.cells {
        for found in &cell.argument_findings {
            let mut heads = vec![Entry::code(&found.finding)];
            heads.extend(cell_head(report, cell));
            rows.push(Row { heads, cells: vec![Entry::count(found.counted), Entry::count(found.listed)] });
        }
    }
    let mut columns = vec![words("finding")];
    if several(report) {
        columns.push(words("cell"));
    }
    columns.extend(["counted", "listed or suspected"].map(number));
    (!rows.is_empty()).then(|| Table {
        title: "Argument findings".into(),
        about: None,
        columns,
        rows,
        more: None,
    })
}

/// What follows on an unknown call that was answered, a column a cell.
pub(crate) fn after_unknown(report: &Report) -> Option<Table> {
    let counts = |after: scorer::AfterUnknown| {
        let of = move |cell: &crate::report::CellReport| cell.after_unknown.get(&after).copied().unwrap_or(0);
        report.cells.iter().map(of).map(Entry::count).collect()
    };
    let mut columns = vec![words("the next turn")];
    if several(report) {
        columns.extend(report.cells.iter().map(|cell| number(&crate::text_safe::cropped(&cell.label, 40))));
    } else {
        columns.push(number("trials"));
    }
    let row =
        |after: scorer::AfterUnknown| Row { heads: vec![Entry::code(after.as_str())], cells: counts(after) };
    let any = report.cells.iter().any(|cell| !cell.after_unknown.is_empty());
    any.then(|| Table {
        title: "After an unknown call was answered".into(),
        about: None,
        columns,
        rows: scorer::AfterUnknown::ALL.into_iter().map(row).collect(),
        more: None,
    })
}

/// Format findings by word, a column a cell.
pub(crate) fn format_findings(report: &Report) -> Option<Table> {
    let mut by_word: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (at, cell) in report.cells.iter().enumerate() {
        for (word, &calls) in cell.format_findings.iter().filter(|(_, calls)| **calls > 0) {
            if let Some(slot) = by_word.entry(word).or_insert_with(|| vec![0; report.cells.len()]).get_mut(at)
            {
                *slot += calls;
            }
        }
    }
    let mut columns = vec![words("finding")];
    if several(report) {
        columns.extend(report.cells.iter().map(|cell| number(&crate::text_safe::cropped(&cell.label, 40))));
    } else {
        columns.push(number("calls"));
    }
    let rows: Vec<Row> = by_word
        .into_iter()
        .map(|(word, counts)| Row {
            heads: vec![Entry::code(word)],
            cells: counts.into_iter().map(Entry::count).collect(),
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "Format findings".into(),
        about: None,
        columns,
        rows,
        more: None,
    })
}
