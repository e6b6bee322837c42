//! The words that a verdict finds a trial faulty in: rates, forms of names, argument and format findings, outcomes.

use std::collections::BTreeSet;

use scorer::{ArgumentFault, Behaviour, FormatFinding, Judgement, METRICS, NameForm, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A sort of finding. Two sorts have some words in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sort {
    /// A rate has its event.
    Rate,
    /// Why a name misses.
    Name,
    /// What is wrong with an argument.
    Argument,
    /// What is wrong with how a call is written.
    Format,
}

impl Sort {
    /// All, in the order in which they are shown.
    pub(crate) const ALL: [Self; 4] = [Self::Rate, Self::Name, Self::Argument, Self::Format];

    /// The word.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Name => "name",
            Self::Argument => "argument",
            Self::Format => "format",
        }
    }
}

/// A finding: its sort and its word.
pub(crate) type Word = (Sort, String);

/// What a verdict finds.
pub(crate) fn of(verdict: &Verdict) -> BTreeSet<Word> {
    let mut words = BTreeSet::new();
    for (rate, judgement) in &verdict.checks {
        if has_event(judgement) {
            words.insert((Sort::Rate, rate.as_str().to_owned()));
        }
    }
    for call in verdict.turns.iter().flat_map(|turn| &turn.calls) {
        words.extend(call.name_form.iter().map(|form| (Sort::Name, text(form))));
        words.extend(call.argument_findings.iter().map(|found| (Sort::Argument, text(&found.finding))));
        words.extend(call.format_findings.iter().map(|found| (Sort::Format, text(found))));
    }
    words
}

/// Every word that the scorer has.
pub(crate) fn all() -> BTreeSet<Word> {
    let mut words: BTreeSet<Word> =
        METRICS.iter().map(|metric| (Sort::Rate, metric.name.as_str().to_owned())).collect();
    words.extend(members::<NameForm>().map(|word| (Sort::Name, word)));
    words.extend(members::<ArgumentFault>().map(|word| (Sort::Argument, word)));
    words.extend(members::<FormatFinding>().map(|word| (Sort::Format, word)));
    words
}

/// Whether a rate has its event.
pub(crate) fn has_event(judgement: &Judgement) -> bool {
    match judgement {
        Judgement::Judged { events, .. } => events.trials > 0,
        Judgement::Unscored(_) => false,
    }
}

/// Whether a verdict has a counted finding of any rate, or shows that the behaviour was wrong.
pub(crate) fn is_caught(verdict: &Verdict) -> bool {
    verdict.checks.values().any(has_event) || verdict.behaviour == Behaviour::Wrong
}

/// Whether a verdict finds nothing and shows that the behaviour was right.
pub(crate) fn is_cleared(verdict: &Verdict) -> bool {
    !is_caught(verdict) && verdict.behaviour == Behaviour::Right
}

fn text(word: &impl Serialize) -> String {
    match serde_json::to_value(word) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// The members of an enumeration, as its published schema lists them: those with a description of their own, or not.
fn members<T: schemars::JsonSchema>() -> impl Iterator<Item = String> {
    let schema = serde_json::to_value(schemars::schema_for!(T)).unwrap_or_default();
    let list = |key: &str| schema[key].as_array().cloned().unwrap_or_default();
    let words = list("enum").into_iter().chain(list("oneOf").into_iter().flat_map(|one| {
        let several = one["enum"].as_array().cloned().unwrap_or_default();
        one.get("const").cloned().into_iter().chain(several)
    }));
    words.filter_map(|word| word.as_str().map(str::to_owned)).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sort_has_its_words() {
        let words = all();
        let of = |sort: Sort| words.iter().filter(|(one, _)| *one == sort).count();
        assert_eq!(of(Sort::Rate), METRICS.len());
        assert!(of(Sort::Name) >= 12 && of(Sort::Argument) >= 17 && of(Sort::Format) >= 25, "{words:?}");
        assert!(words.contains(&(Sort::Argument, "fabricated_id".to_owned())));
        assert!(words.contains(&(Sort::Name, "near_miss".to_owned())));
    }
}
