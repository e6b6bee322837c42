//! What mining logs counted, for files: event rows, CSV, a page and Markdown. The screen is the command's own.

mod csv;
mod events;
mod html;
mod markdown;
#[cfg(feature = "parquet")]
mod parquet;

use miner::Census;
use serde::Serialize;

use crate::number::{count, counted, window};

pub use csv::census_csv;
pub use events::census_events;
pub use html::census_html;
pub use markdown::census_markdown;
#[cfg(feature = "parquet")]
pub use parquet::census_parquet;

/// What a rate of a census is out of, in words: the label that every format gives it.
#[must_use]
pub fn mined_rate_label(name: &str) -> String {
    match name {
        "absent_tool" => "of all calls".to_owned(),
        "absent_tool_among_answered" => "of answered calls".to_owned(),
        "argument_error" => "arguments refused, of all calls".to_owned(),
        _ => match (name.strip_prefix("absent_tool_over_top_"), name.strip_prefix("absent_tool_within_top_"))
        {
            (Some(top), _) => format!("over the {top} most frequent"),
            (_, Some(top)) => format!("among the {top} most frequent"),
            _ => name.to_owned(),
        },
    }
}

/// What the figures rest on, as pairs of a label and words.
fn facts(census: &Census) -> Vec<(&'static str, String)> {
    let of = &census.window;
    let formats: Vec<String> =
        of.formats.iter().map(|(name, files)| format!("{name} {}", count(*files))).collect();
    let mut facts = vec![
        ("logs", format!("{} ({})", count(of.files), formats.join(", "))),
        ("bytes", count(of.bytes)),
        ("lines", count(of.lines)),
        ("sessions with a call", count(of.sessions)),
        ("calls, each act once", count(census.calls.unique)),
        ("times that they are written", count(census.calls.occurrences)),
        ("never answered", count(census.calls.unanswered)),
        ("results without a call", count(census.calls.results_without_call)),
        ("calls that share an id", count(census.calls.id_reuse)),
    ];
    if let (Some(first), Some(last)) = (&of.first, &of.last) {
        facts.insert(0, ("window", window(first, last)));
    }
    if let Some(asked) = &of.asked {
        let mut parts = Vec::new();
        parts.extend(asked.since.iter().map(|since| format!("from {since}")));
        parts.extend(asked.until.iter().map(|until| format!("before {until}")));
        parts.extend(asked.project.iter().map(|project| format!("projects with `{project}`")));
        parts.push(format!("{} outside it", counted(asked.calls_outside, "call")));
        facts.push(("asked for", parts.join(", ")));
    }
    facts
}

/// The first thing that a reader has to know.
fn headline(census: &Census) -> String {
    let absent = &census.absent;
    match census.calls.unique {
        0 => "Not measured: the logs hold no tool call.".to_owned(),
        calls => format!(
            "{} of {} called a tool that was not there.",
            count(absent.unique),
            counted(calls, "call")
        ),
    }
}

/// Why the raw count is no count of events.
fn raw_sentence(census: &Census) -> Option<String> {
    let hits = census.absent.raw_hits;
    (hits > 0).then(|| {
        format!(
            "The error's words stand in these logs {}; as a count of events that is wrong.",
            counted(hits, "time")
        )
    })
}

/// Lines that nobody validated.
fn unvalidated(census: &Census) -> Vec<String> {
    let lines = census.window.lines_not_parsed;
    let said = || {
        format!(
            "{} looked at and not parsed, so not validated; `--strict` parses all.",
            counted(lines, "line")
        )
    };
    (lines > 0).then(said).into_iter().collect()
}

/// What no figure here can say.
const LIMITS: &str = "Matching is anchored: an error result that begins with a framework's words, and the name of the call. Turns that owed a call and have none are counted apart and never added. Intervals are two-sided, 95 %, by session lineages. A low rate is a floor to push down, not a passing grade.";

/// The members of a structure of counts, in its own order.
pub(crate) fn members<T: Serialize>(counts: &T) -> Vec<(String, u64)> {
    let value = serde_json::to_value(counts).unwrap_or_default();
    let members = value.as_object().into_iter().flatten();
    members.filter_map(|(name, events)| Some((name.clone(), events.as_u64()?))).collect()
}
