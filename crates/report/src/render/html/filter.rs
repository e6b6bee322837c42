//! What a list can be filtered by: the values of its entries, counted. The filtering itself is the page's
//! script; without it the list is whole.

use indexmap::IndexMap;
use serde::Serialize;
use transcript::ToolName;

use crate::text_safe::{cropped, cropped_name};

/// The filter over one list.
#[derive(Debug, Serialize)]
pub(super) struct Filter {
    /// The id of the list.
    list: &'static str,
    /// What an entry is called, in the plural.
    noun: &'static str,
    total: u64,
    choices: Vec<Choice>,
}

#[derive(Debug, Serialize)]
struct Choice {
    key: &'static str,
    label: &'static str,
    options: Vec<Opt>,
}

#[derive(Debug, Serialize)]
struct Opt {
    value: String,
    entries: u64,
}

/// One thing that entries are filtered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) key: &'static str,
    pub(super) label: &'static str,
}

pub(super) const DIRECTION: Key = Key { key: "direction", label: "Direction" };
pub(super) const CHANGE: Key = Key { key: "change", label: "Its probe" };
pub(super) const CELL: Key = Key { key: "cell", label: "Cell" };
pub(super) const RATE: Key = Key { key: "rate", label: "Rate" };
pub(super) const KIND: Key = Key { key: "kind", label: "Kind" };
pub(super) const TOOL: Key = Key { key: "tool", label: "Tool" };
pub(super) const OUTCOME: Key = Key { key: "outcome", label: "Outcome" };

/// What one entry has of each key, in the order in which the page shows the choices.
pub(super) type Values = Vec<(Key, Vec<String>)>;

/// A kind and its arm as one value.
pub(super) fn kind(kind: &str, arm: Option<&str>) -> String {
    match arm {
        Some(arm) => cropped(&format!("{kind} @{arm}"), 80),
        None => cropped(kind, 80),
    }
}

/// The tool wanted as a value.
pub(super) fn tool(tool: Option<&ToolName>) -> String {
    tool.map_or_else(|| "no tool".to_owned(), |tool| cropped_name(tool.as_str(), 60))
}

/// One entry's values as the attributes that the script reads; several values of a key stand on lines of their
/// own, which no value contains.
pub(super) fn attributes(values: &Values) -> Vec<(&'static str, String)> {
    let of = |(key, values): &(Key, Vec<String>)| (key.key, values.join("\n"));
    values.iter().filter(|(_, values)| !values.is_empty()).map(of).collect()
}

impl Filter {
    /// The filter over a list; none where there is nothing to choose from.
    pub(super) fn over<'a>(
        list: &'static str,
        noun: &'static str,
        entries: impl Iterator<Item = &'a Values>,
    ) -> Option<Self> {
        let mut total = 0;
        let mut counts: IndexMap<Key, IndexMap<&str, u64>> = IndexMap::new();
        for entry in entries {
            total += 1;
            for (key, values) in entry {
                let counts = counts.entry(*key).or_default();
                for value in values {
                    *counts.entry(value).or_default() += 1;
                }
            }
        }
        let choices = counts
            .into_iter()
            .filter(|(_, counts)| counts.len() > 1 || counts.values().any(|&entries| entries < total))
            .map(|(key, counts)| Choice {
                key: key.key,
                label: key.label,
                options: counts
                    .into_iter()
                    .map(|(value, entries)| Opt { value: value.to_owned(), entries })
                    .collect(),
            })
            .collect();
        (total > 1).then_some(Self { list, noun, total, choices })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: &str, rates: &[&str]) -> Values {
        vec![(KIND, vec![kind.to_owned()]), (RATE, rates.iter().map(|&rate| rate.to_owned()).collect())]
    }

    #[test]
    fn a_choice_is_offered_where_it_would_leave_something_out() {
        let entries = [entry("decoy", &["unknown_tool"]), entry("decoy", &["unknown_tool", "format"])];
        let filter = Filter::over("failing", "trials", entries.iter()).unwrap();
        assert_eq!(filter.choices.len(), 1, "every entry is a decoy");
        let rates: Vec<(&str, u64)> =
            filter.choices[0].options.iter().map(|option| (option.value.as_str(), option.entries)).collect();
        assert_eq!(rates, [("unknown_tool", 2), ("format", 1)]);
        assert_eq!(
            attributes(&entries[1]),
            [("kind", "decoy".to_owned()), ("rate", "unknown_tool\nformat".to_owned())]
        );
    }

    #[test]
    fn one_entry_needs_no_filter() {
        assert!(Filter::over("failing", "trials", [entry("decoy", &[])].iter()).is_none());
    }
}
