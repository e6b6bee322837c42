//! A census as CSV in long form: a row a figure, its denominator beside it. An empty field is something that there
//! is not: it is never 0.

use std::io::Write;

use miner::{Census, MinedRate};
use serde::Serialize;

use super::members;
use crate::ReportError;
use crate::render::{csv_failed as failed, csv_number as number, csv_text as text, word};

/// Every column with what stands in it, in order. `reports/README.md` has this table.
const COLUMNS: &[(&str, &str)] = &[
    ("metric", "a rate of the census, or what is counted"),
    ("by", "`all`, what `--by` named, or what the count is split by"),
    ("part", "which; empty of `all`, and where the log does not say"),
    ("events", "the numerator"),
    ("denominator", "what it is out of"),
    ("unit", "what both count"),
    ("share", "`events` over `denominator`; of rates alone"),
    ("one_in", "the same as 1 in N, rounded; empty without an event"),
    ("low_95", "lower end of the two-sided 95 % interval, by session lineages"),
    ("high_95", "its upper end; without an event, at most this"),
    ("high_95_if_independent", "the same if calls were independent; told where there is no event"),
    ("sessions", "session lineages among the denominator"),
    ("first", "the earliest moment in the logs"),
    ("last", "the latest one"),
    ("files", "logs that were read"),
    ("bytes", "their bytes, unpacked"),
];

/// Writes a census as CSV.
///
/// # Errors
/// Writing failed.
pub fn census_csv(census: &Census, out: &mut dyn Write) -> Result<(), ReportError> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS.iter().map(|(name, _)| name)).map_err(failed)?;
    let window = &census.window;
    let moment = |moment: &Option<String>| text(moment.as_deref().unwrap_or_default());
    let tail =
        [moment(&window.first), moment(&window.last), window.files.to_string(), window.bytes.to_string()];
    let mut write = |mut record: Vec<String>| {
        record.resize(COLUMNS.len() - tail.len(), String::new());
        record.extend(tail.iter().cloned());
        writer.write_record(&record).map_err(failed)
    };
    for rate in &census.rates {
        write(of_rate(rate, "all", ""))?;
    }
    for (dimension, parts) in &census.by {
        for part in parts {
            write(of_rate(&part.rate, dimension, &part.name))?;
        }
    }
    for count in counts(census) {
        write(vec![
            count.metric.to_owned(),
            count.by.to_owned(),
            text(&count.part),
            count.events.to_string(),
            count.of.to_string(),
            count.unit.to_owned(),
        ])?;
    }
    writer.flush()?;
    Ok(())
}

fn of_rate(rate: &MinedRate, by: &str, part: &str) -> Vec<String> {
    vec![
        text(&rate.name),
        text(by),
        text(part),
        rate.numerator.to_string(),
        rate.denominator.to_string(),
        rate.unit.clone(),
        number(rate.share),
        rate.one_in.map_or_else(String::new, |times| times.to_string()),
        number(rate.low),
        number(rate.high),
        number(rate.high_if_independent),
        rate.clusters.to_string(),
    ]
}

/// A count with what it is out of.
struct Counted {
    metric: &'static str,
    by: &'static str,
    part: String,
    events: u64,
    of: u64,
    unit: &'static str,
}

/// Every count that is split by something.
fn counts(census: &Census) -> Vec<Counted> {
    let mut all = All(Vec::new());
    let (calls, absent) = (&census.calls, &census.absent);
    all.add("calls", "tool", named(&calls.by_tool), calls.unique, "call");
    let single = [
        ("unanswered", calls.unanswered),
        ("by_sub_agents", calls.by_sub_agents),
        ("only_mirrored", calls.only_mirrored),
        ("inner_unknown", calls.inner_unknown),
        ("inner_errors", calls.inner_errors),
        ("id_reuse", calls.id_reuse),
    ];
    for (metric, events) in single {
        all.add(metric, "all", vec![(String::new(), events)], calls.unique, "call");
    }
    all.add("absent_tool", "tool", named(&absent.by_tool), absent.unique, "event");
    all.add("absent_tool", "state", worded(&absent.by_state), absent.unique, "event");
    all.add("absent_tool", "name_form", named(&absent.by_name_form), absent.unique, "event");
    all.add("absent_tool", "clause", named(&absent.by_clause), absent.unique, "event");
    all.add("absent_tool", "framework", named(&absent.by_framework), absent.unique, "event");
    all.add("raw_hits", "cause", members(&absent.raw_hits_by_cause), absent.raw_hits, "occurrence");
    let errors = &census.argument_errors;
    all.add("argument_error", "tool", named(&errors.by_tool), errors.unique, "call");
    all.add("argument_error", "fault", worded(&errors.by_fault), errors.unique, "call");
    all.add("owed", "kind", worded(&census.owed.by_kind), census.owed.unique, "text");
    for rule in &census.owed.rules {
        let unmet = vec![(rule.rule.clone(), rule.unmet)];
        all.add("owed_rule", "rule", unmet, rule.met + rule.unmet, "turn");
    }
    all.0
}

struct All(Vec<Counted>);

impl All {
    fn add(
        &mut self,
        metric: &'static str,
        by: &'static str,
        parts: Vec<(String, u64)>,
        of: u64,
        unit: &'static str,
    ) {
        let counted = |(part, events)| Counted { metric, by, part, events, of, unit };
        self.0.extend(parts.into_iter().map(counted));
    }
}

fn named(counts: &miner::ByName) -> Vec<(String, u64)> {
    counts.iter().map(|(name, events)| (name.clone(), *events)).collect()
}

fn worded<K: Serialize>(counts: &std::collections::BTreeMap<K, u64>) -> Vec<(String, u64)> {
    counts.iter().map(|(kind, events)| (word(kind), *events)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_documented() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reports/README.md");
        let readme = std::fs::read_to_string(path).unwrap_or_default();
        let rows: Vec<String> =
            COLUMNS.iter().map(|(name, meaning)| format!("| `{name}` | {meaning} |\n")).collect();
        let table = format!("| column | what stands in it |\n|---|---|\n{}", rows.concat());
        assert!(readme.contains(&table), "reports/README.md should have:\n{table}");
    }
}
