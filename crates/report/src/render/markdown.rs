//! Markdown for a pull request: a sticky comment, or the summary of a step (EXAMPLES.md section 4). Names and
//! quotes of others are inert (`inline`), and the whole stays below what a comment may hold (`page`).

mod comparison;
mod differing;
mod example;
mod gate;
mod heading;
pub(crate) mod inline;
mod invented;
mod page;
mod run;

use std::fmt::Write as _;
use std::io::Write;

use inline::{marker_part, prose};
use page::Page;

use super::shell;
use crate::number::{count, counted, of, window};
use crate::report::cause_words;
use crate::table::{Entry, Row, Table, reasons};
use crate::{Report, ReportError};

/// Characters of a sentence.
const SENTENCE: usize = 700;
/// Notes that are shown.
const NOTES: usize = 6;

/// Writes the report as Markdown.
pub(super) fn draw(report: &Report, out: &mut dyn Write) -> Result<(), ReportError> {
    let mut page = Page::default();
    page.keep(marker(report));
    page.keep(alert(report.notice.as_deref()));
    page.keep(alert(report.unfinished.as_deref()));
    match &report.comparison {
        Some(comparison) => comparison::draw(report, comparison, &mut page),
        None => run::draw(report, &mut page),
    }
    page.keep(report.share.words().map_or_else(String::new, |words| format!("*{words}.*")));
    page.keep(alert(report.end_notice.as_deref()));
    out.write_all(page.finish(&elsewhere(report)).as_bytes())?;
    Ok(())
}

/// Finds the comment again on the next run: one for each suite and profile.
fn marker(report: &Report) -> String {
    let policy = report.gate.as_ref().and_then(|gate| gate.policy.profile.as_deref());
    let profile = policy.or(report.identity.profile.as_deref()).unwrap_or("default");
    format!("<!-- toolmirage:{}:{} -->", marker_part(&report.identity.suite.name), marker_part(profile))
}

/// A sentence that has to be seen.
fn alert(sentence: Option<&str>) -> String {
    sentence.map_or_else(String::new, |sentence| format!("> **{}**", prose(sentence, 400)))
}

/// Where the whole is.
fn elsewhere(report: &Report) -> String {
    match report.run.folder.as_deref().and_then(shell::word) {
        Some(folder) => format!("All of it is in `{folder}/report.html`."),
        None => "All of it is in `report.html`.".to_owned(),
    }
}

/// With a capital letter, where words of ours begin.
fn capital(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// A list of sentences.
fn bullets(sentences: &[String], limit: usize) -> String {
    let mut lines: Vec<String> =
        sentences.iter().take(limit).map(|sentence| format!("- {}", prose(sentence, SENTENCE))).collect();
    if sentences.len() > limit {
        lines.push(format!("- and {} more", count((sentences.len() - limit) as u64)));
    }
    lines.join("\n")
}

/// A table: heads, then rows, every cell inline Markdown.
fn table(heads: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| inline::in_cell(cell)).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines = vec![line(heads), format!("|{}", "---|".repeat(heads.len()))];
    lines.extend(rows.iter().map(|row| line(row)));
    lines.join("\n")
}

/// One of the tables that the formats share, under its title.
pub(crate) fn shared_table(of: &Table) -> String {
    let heads: Vec<String> = of.columns.iter().map(|column| prose(&column.head, SENTENCE)).collect();
    let row = |row: &Row| row.heads.iter().chain(&row.cells).map(entry).collect();
    let rows: Vec<Vec<String>> = of.rows.iter().map(row).collect();
    let more = of.more.as_ref().map(|more| format!("\n{}\n", prose(more, SENTENCE))).unwrap_or_default();
    format!("**{}**\n\n{}\n{more}", prose(&of.title, SENTENCE), table(&heads, &rows))
}

/// What stands in a cell of a shared table, whose texts are visible and cropped already.
fn entry(entry: &Entry) -> String {
    let span = |text: &str| inline::code(text, usize::MAX - 1);
    match entry {
        Entry::Empty => "–".to_owned(),
        Entry::Words { text } | Entry::Number { text } => prose(text, SENTENCE),
        Entry::Code { text } | Entry::Trial { text, .. } => span(text),
        Entry::Codes { texts, more } => {
            let mut told: Vec<String> = texts.iter().map(|text| span(text)).collect();
            told.extend((*more > 0).then(|| format!("+{more}")));
            told.join(" ")
        }
        Entry::Figure { main, counts, interval, .. } => {
            let parts = [Some(main), counts.as_ref(), interval.as_ref()];
            prose(&parts.into_iter().flatten().cloned().collect::<Vec<_>>().join("; "), SENTENCE)
        }
    }
}

/// Something to unfold. `head` is HTML, `body` Markdown.
fn details(head: &str, body: &str) -> String {
    format!("<details><summary>{head}</summary>\n\n{body}\n\n</details>")
}

/// What is in no rate.
fn left_out(report: &Report) -> String {
    let trials = &report.trials;
    let mut sentence = format!("Left out {} trials", of(trials.left_out, trials.planned));
    if let Some(reasons) = reasons(&trials.reasons) {
        sentence.push_str(": ");
        sentence.push_str(&reasons);
    }
    if let Some(causes) = cause_words(&trials.causes) {
        let _ = write!(sentence, " ({causes})");
    }
    sentence.push('.');
    match report.suspect.len() as u64 {
        0 => {}
        1 => sentence.push_str(" 1 probe is suspect: it looks broken, and is counted."),
        several => {
            let _ = write!(
                sentence,
                " {} probes are suspect: they look broken, and are counted.",
                count(several)
            );
        }
    }
    prose(&sentence, SENTENCE)
}

/// What ran, in a sentence or two.
fn what_ran(report: &Report) -> String {
    let identity = &report.identity;
    let suite = &identity.suite;
    let mut parts = vec![format!(
        "Suite {} v{} ({})",
        inline::name(&suite.name),
        suite.version,
        inline::name(suite.hash.short())
    )];
    for (hash, catalog) in identity.catalogs.iter().take(2) {
        parts.push(format!(
            "catalog {}, {} ({})",
            inline::name(&catalog.label),
            counted(catalog.tools.len() as u64, "tool"),
            inline::name(hash.short())
        ));
    }
    if identity.catalogs.len() > 2 {
        parts.push(counted(identity.catalogs.len() as u64 - 2, "more catalog"));
    }
    parts.push(counted(report.run.requests, "request"));
    parts.extend(report.run.kept_words());
    parts.extend(report.run.cost.as_ref().map(|cost| prose(&cost.words(), 80)));
    if let Some((from, to)) = &report.run.window {
        parts.push(prose(&window(from, to), 80));
    }
    parts.push(format!("toolmirage {}", prose(&identity.toolmirage, 20)));
    format!("{}.", parts.join(" · "))
}

/// Where to look next: a command that explains a probe of a run, and the page.
fn next_steps(report: &Report, run: Option<&str>, probe: Option<&str>) -> String {
    let mut steps = Vec::new();
    if let Some(command) = run.zip(probe).and_then(|(run, probe)| shell::explain(run, probe)) {
        steps.push(format!("why: `{command}`"));
    }
    if let Some(folder) = report.run.folder.as_deref().and_then(shell::word) {
        steps.push(format!("everything: `{folder}/report.html`"));
    }
    if steps.is_empty() { String::new() } else { format!("**Next** · {}", steps.join(" · ")) }
}
