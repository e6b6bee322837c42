//! A census as one page that needs neither scripts nor a network.

use std::io::Write;

use miner::Census;

use super::{LIMITS, facts, headline, raw_sentence, unvalidated};
use crate::ReportError;
use crate::render::{HtmlPage, HtmlSection, html_section};
use crate::table::census::{
    absences, events, mined_parts, mined_rates, owed, raw_hits, refused_arguments, rules, tools_called,
    unread,
};

/// Rows of a list.
const ROWS: usize = 2_000;

/// Writes a census as a page. Everything of the logs in it is inert.
///
/// # Errors
/// Writing failed.
pub fn census_html(census: &Census, out: &mut dyn Write) -> Result<(), ReportError> {
    let section = |id, title, notes: Vec<String>, tables: Vec<crate::table::Table>| HtmlSection {
        id,
        title,
        notes,
        tables,
    };
    let mut rates = vec![mined_rates(census)];
    rates.extend(mined_parts(census));
    let mut absent = absences(census);
    absent.extend(events(census, ROWS));
    let none = (absent.is_empty())
        .then(|| "No call met such an error. That is not zero: the rates say at most how many.".to_owned());
    let mut sections = vec![
        section("rates", "Rates", Vec::new(), rates),
        section("absent", "Tools that were not there", none.into_iter().collect(), absent),
    ];
    if let Some(sentence) = raw_sentence(census) {
        sections.push(section(
            "raw",
            "The raw count",
            vec![sentence],
            raw_hits(census).into_iter().collect(),
        ));
    }
    let beside: Vec<_> =
        refused_arguments(census).into_iter().chain(rules(census)).chain(owed(census, ROWS)).collect();
    if !beside.is_empty() {
        let note = "In none of the rates above.".to_owned();
        sections.push(section("beside", "Beside that", vec![note], beside));
    }
    sections.push(section("calls", "Calls", Vec::new(), vec![tools_called(census)]));
    let left_out = unread(census, ROWS);
    sections.push(section("left-out", "Left out", unvalidated(census), left_out.into_iter().collect()));
    let page = HtmlPage {
        product: "toolmirage mine",
        question: "How often was a tool called that was not there?",
        headline: headline(census),
        facts: facts(census),
        sections,
        limits: LIMITS,
    };
    html_section(&page, out)
}
