//! A census for a pull request or the summary of a step.

use std::fmt::Write as _;

use miner::Census;

use super::{LIMITS, facts, headline, raw_sentence, unvalidated};
use crate::render::markdown_inline::prose;
use crate::render::markdown_table;
use crate::table::census::{
    absences, events, mined_parts, mined_rates, owed, raw_hits, refused_arguments, rules, unread,
};

/// Rows of a list; the page has more.
const ROWS: usize = 20;
/// Characters of a sentence.
const SENTENCE: usize = 700;

/// Draws a census as Markdown. Everything of the logs in it is inert.
#[must_use]
pub fn census_markdown(census: &Census) -> String {
    let mut out = format!("### toolmirage mine: {}\n\n", prose(&headline(census), SENTENCE));
    for (label, words) in facts(census) {
        let _ = writeln!(out, "- {label}: {}", prose(&words, SENTENCE));
    }
    let mut tables = vec![mined_rates(census)];
    tables.extend(mined_parts(census));
    tables.extend(absences(census));
    tables.extend(events(census, ROWS));
    for table in &tables {
        let _ = write!(out, "\n{}", markdown_table(table));
    }
    if let Some(sentence) = raw_sentence(census) {
        let _ = writeln!(out, "\n{}", prose(&sentence, SENTENCE));
    }
    let rest = raw_hits(census).into_iter().chain(refused_arguments(census));
    for table in rest.chain(rules(census)).chain(owed(census, ROWS)).chain(unread(census, ROWS)) {
        let _ = write!(out, "\n{}", markdown_table(&table));
    }
    for note in unvalidated(census) {
        let _ = writeln!(out, "\n{}", prose(&note, SENTENCE));
    }
    let _ = writeln!(out, "\n{LIMITS}");
    out
}
