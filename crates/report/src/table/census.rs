//! The tables of mined logs, which the page and Markdown share.

use miner::{Census, MinedRate};

use super::{Column, Entry, Row, Table, number, words};
use crate::census::{members, mined_rate_label};
use crate::number::{Figure, PROBES_FOR_A_PERCENTAGE, count, one_in, percent_sign};
use crate::text_safe::cropped;

/// Characters of a path, of a reason in the log's own words.
const PATH: usize = 400;
const WORDS: usize = 300;

/// How many rows a table of names has.
const NAMES: usize = 40;

/// The rates, each with its denominator.
pub(crate) fn mined_rates(census: &Census) -> Table {
    let rows = census.rates.iter().map(|rate| rate_row(Entry::words(&mined_rate_label(&rate.name)), rate));
    let title = "Tools called that were not there".to_owned();
    table(title, None, rate_columns("out of"), rows.collect(), usize::MAX)
}

/// The parts of what `--by` named.
pub(crate) fn mined_parts(census: &Census) -> Vec<Table> {
    let one = |(dimension, parts): (&String, &Vec<miner::Part>)| {
        let head = |name: &str| if name.is_empty() { Entry::words("(not said)") } else { Entry::code(name) };
        let rows = parts.iter().map(|part| rate_row(head(&part.name), &part.rate)).collect();
        table(format!("By {dimension}"), None, rate_columns(dimension), rows, 200)
    };
    census.by.iter().map(one).collect()
}

/// What the absent tools are, split up; without an event, none.
pub(crate) fn absences(census: &Census) -> Vec<Table> {
    let absent = &census.absent;
    if absent.unique == 0 {
        return Vec::new();
    }
    let states: Vec<(String, u64)> =
        absent.by_state.iter().map(|(state, events)| (crate::render::word(state), *events)).collect();
    vec![
        names("State", "state", states.iter().map(|(name, events)| (name.as_str(), *events))),
        names("Names called", "tool", by_name(&absent.by_tool)),
        names("Why the name misses", "name form", by_name(&absent.by_name_form)),
        names("Reason given", "reason", by_name(&absent.by_clause)),
        names("Framework whose words they are", "framework", by_name(&absent.by_framework)),
    ]
}

/// The tools that were called.
pub(crate) fn tools_called(census: &Census) -> Table {
    names("Calls by tool, each act once", "tool", by_name(&census.calls.by_tool))
}

/// What the raw occurrences are.
pub(crate) fn raw_hits(census: &Census) -> Option<Table> {
    if census.absent.raw_hits == 0 {
        return None;
    }
    let rows = members(&census.absent.raw_hits_by_cause);
    let rows = rows.iter().filter(|(_, hits)| *hits > 0).map(|(name, hits)| (name.as_str(), *hits));
    Some(names("What the occurrences are", "cause", rows))
}

/// Every event with its place, at most `limit` of them.
pub(crate) fn events(census: &Census, limit: usize) -> Option<Table> {
    let columns =
        ["file", "line", "tool", "state", "reason", "name form", "model", "project", "time"].map(words);
    let rows: Vec<Row> = census
        .absent
        .events
        .iter()
        .take(limit)
        .map(|event| Row {
            heads: vec![path(&event.file), line(event.line)],
            cells: vec![
                match &event.inner_tool {
                    None => Entry::code(&event.tool),
                    Some(inner) => Entry::codes([inner.as_str(), "inside", event.tool.as_str()], 3),
                },
                Entry::code(&crate::render::word(&event.state)),
                quoted(&event.clause),
                Entry::code(&event.name_form),
                name(event.model.as_deref()),
                name(event.project.as_deref()),
                event.time.as_deref().map_or(Entry::Empty, Entry::words),
            ],
        })
        .collect();
    let mut table = listed("Events", columns.to_vec(), rows, census.absent.events.len())?;
    table.columns[1].numeric = true;
    Some(table)
}

/// The other surface: words in place of a call, at most `limit` of them.
pub(crate) fn owed(census: &Census, limit: usize) -> Option<Table> {
    let columns = ["file", "line", "kind", "names", "words"].map(words);
    let rows: Vec<Row> = census
        .owed
        .events
        .iter()
        .take(limit)
        .map(|event| Row {
            heads: vec![path(&event.file), line(event.line)],
            cells: vec![
                Entry::code(&crate::render::word(&event.kind)),
                name(event.tool.as_deref()),
                quoted(&event.span),
            ],
        })
        .collect();
    let title = "Words in place of a call, counted apart and never added";
    let mut table = listed(title, columns.to_vec(), rows, census.owed.events.len())?;
    table.columns[1].numeric = true;
    Some(table)
}

/// Rules that say when a call is owed: turns with and without it.
pub(crate) fn rules(census: &Census) -> Option<Table> {
    let columns = vec![
        words("rule"),
        number("turns without the call"),
        number("turns that ended"),
        number("turns that the log does not end"),
    ];
    let rows: Vec<Row> = census
        .owed
        .rules
        .iter()
        .map(|rule| Row {
            heads: vec![quoted(&rule.rule)],
            cells: [rule.unmet, rule.met + rule.unmet, rule.open]
                .map(|turns| Entry::words(&count(turns)))
                .to_vec(),
        })
        .collect();
    let all = rows.len();
    listed("Calls that a rule asks for", columns, rows, all)
}

/// Calls whose arguments were refused, by fault.
pub(crate) fn refused_arguments(census: &Census) -> Option<Table> {
    let errors = &census.argument_errors;
    let faults: Vec<(String, u64)> =
        errors.by_fault.iter().map(|(fault, calls)| (crate::render::word(fault), *calls)).collect();
    let rows = faults.iter().map(|(name, calls)| (name.as_str(), *calls));
    (errors.unique > 0).then(|| names("Arguments refused before the tool ran", "fault", rows))
}

/// Lines and files that were left out, each named, at most `limit` of them.
pub(crate) fn unread(census: &Census, limit: usize) -> Option<Table> {
    let skipped = &census.skipped;
    let files = skipped.files.iter().map(|file| (&file.file, None, &file.why));
    let lines = skipped.lines.iter().map(|line| (&line.file, Some(line.line), &line.why));
    let rows: Vec<Row> = files
        .chain(lines)
        .take(limit)
        .map(|(file, at, why)| Row {
            heads: vec![path(file)],
            cells: vec![at.map_or(Entry::Empty, line), Entry::words(&cropped(why, WORDS))],
        })
        .collect();
    let all = skipped.file_count + skipped.bad_lines + skipped.non_object_lines + skipped.long_lines;
    let columns = vec![words("file"), number("line"), words("why")];
    listed("Left out", columns, rows, usize::try_from(all).unwrap_or(usize::MAX))
}

fn rate_columns(head: &str) -> Vec<Column> {
    vec![
        words(head),
        number("rate"),
        number("1 in"),
        number("at most, if calls were independent"),
        number("sessions"),
    ]
}

fn rate_row(head: Entry, rate: &MinedRate) -> Row {
    let (events, scored) = (rate.numerator, rate.denominator);
    let figure = match rate.share {
        None => Figure::NotMeasured,
        Some(_) if scored < PROBES_FOR_A_PERCENTAGE => Figure::Counts { events, scored },
        Some(_) if events == 0 => Figure::Zero { scored, at_most: rate.high },
        Some(share) => Figure::Share { share, events, scored, interval: rate.low.zip(rate.high) },
    };
    let times = rate.share.and_then(one_in).map(|times| times.trim_start_matches("1 in ").to_owned());
    let cells = vec![
        Entry::from(&figure),
        Entry::optional(times),
        Entry::optional(rate.high_if_independent.map(percent_sign)),
        Entry::count(rate.clusters),
    ];
    Row { heads: vec![head], cells }
}

fn by_name(counts: &miner::ByName) -> impl Iterator<Item = (&str, u64)> {
    counts.iter().map(|(name, events)| (name.as_str(), *events))
}

/// Names with their counts, and what they add up to.
fn names<'a>(title: &str, head: &str, counts: impl Iterator<Item = (&'a str, u64)>) -> Table {
    let counts: Vec<(&str, u64)> = counts.collect();
    let total: u64 = counts.iter().map(|(_, events)| events).sum();
    let row = |(name, events): &(&str, u64)| Row {
        heads: vec![Entry::code(name)],
        cells: vec![Entry::number(crate::number::of(*events, total))],
    };
    let rows = counts.iter().map(row).collect();
    table(title.to_owned(), None, vec![words(head), number("count")], rows, NAMES)
}

fn table(title: String, about: Option<String>, columns: Vec<Column>, rows: Vec<Row>, limit: usize) -> Table {
    let mut rows = rows;
    let more = rows.len().saturating_sub(limit);
    rows.truncate(limit);
    let more = (more > 0).then(|| format!("and {} more", count(more as u64)));
    let mut table = Table { title, about, columns, rows, more };
    table.drop_empty_columns();
    table
}

/// A list that may be longer than its rows.
fn listed(title: &str, columns: Vec<Column>, rows: Vec<Row>, all: usize) -> Option<Table> {
    let more = all.saturating_sub(rows.len());
    let more =
        (more > 0).then(|| format!("and {} more; the census (`--json`) names them", count(more as u64)));
    (!rows.is_empty()).then(|| Table { title: title.to_owned(), about: None, columns, rows, more })
}

fn path(file: &str) -> Entry {
    Entry::Code { text: cropped(file, PATH) }
}

fn line(line: u64) -> Entry {
    Entry::number(line.to_string())
}

fn quoted(text: &str) -> Entry {
    if text.is_empty() { Entry::Empty } else { Entry::Code { text: cropped(text, WORDS) } }
}

fn name(name: Option<&str>) -> Entry {
    name.map_or(Entry::Empty, Entry::code)
}
