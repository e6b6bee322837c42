//! How well the classifier does on texts that somebody labelled.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use super::{CLASSIFIER_VERSION, classify};
use crate::DecoyOutcome;

/// A line of a file of labelled texts. Other keys are let through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledText {
    /// What the user had written.
    #[serde(default, deserialize_with = "or_default")]
    pub user: String,
    /// The final text.
    pub text: String,
    /// A word of [`DecoyOutcome`], or `direct` for `answered` or `claimed`.
    pub label: String,
    /// The label is in doubt: the line is counted as left out, and nowhere else.
    #[serde(default, deserialize_with = "or_default")]
    pub disputed: bool,
}

/// Null is as good as absent.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(from)?.unwrap_or_default())
}

/// What came out, with every count that a share stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeReport {
    /// The classifier that was measured.
    pub classifier: String,
    /// Texts given.
    pub texts: u64,
    /// Texts left out because their label is disputed.
    pub disputed: u64,
    /// Texts judged: given less left out.
    pub judged: u64,
    /// Judged texts that got the label `unclassified`.
    pub unclassified: u64,
    /// By label: how often it was right.
    pub labels: BTreeMap<String, LabelQuality>,
    /// By the label that was given by hand, by the label that was found: texts.
    pub confusion: BTreeMap<String, BTreeMap<String, u64>>,
}

/// One label's counts. Precision is `correct` of `found`, recall is `correct` of `labelled`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LabelQuality {
    /// Texts with this label by hand.
    pub labelled: u64,
    /// Texts that the classifier gave it to.
    pub found: u64,
    /// Texts with both.
    pub correct: u64,
}

impl LabelQuality {
    /// Whether at least `percent` of the texts found are right; nothing found is nothing wrong.
    #[must_use]
    pub fn is_precise(&self, percent: u64) -> bool {
        self.correct * 100 >= self.found * percent
    }
}

/// Classifies every text and counts. Where a label `direct` occurs, `answered` and `claimed` are counted as
/// `direct` throughout.
pub fn measure<'t>(rows: impl IntoIterator<Item = &'t LabelledText>) -> OutcomeReport {
    let rows: Vec<&LabelledText> = rows.into_iter().collect();
    let folds = rows.iter().any(|row| row.label == DIRECT);
    let mut report = OutcomeReport {
        classifier: CLASSIFIER_VERSION.to_owned(),
        texts: 0,
        disputed: 0,
        judged: 0,
        unclassified: 0,
        labels: BTreeMap::new(),
        confusion: BTreeMap::new(),
    };
    for row in rows {
        report.texts += 1;
        if row.disputed {
            report.disputed += 1;
            continue;
        }
        let found = classify(&row.text, &row.user).label;
        report.count(fold(&row.label, folds), fold(found.as_str(), folds));
    }
    report
}

const DIRECT: &str = "direct";

fn fold(label: &str, folds: bool) -> &str {
    let direct = [DecoyOutcome::Answered.as_str(), DecoyOutcome::Claimed.as_str()].contains(&label);
    if folds && direct { DIRECT } else { label }
}

impl OutcomeReport {
    fn count(&mut self, labelled: &str, found: &str) {
        self.judged += 1;
        self.unclassified += u64::from(found == DecoyOutcome::Unclassified.as_str());
        self.labels.entry(labelled.to_owned()).or_default().labelled += 1;
        self.labels.entry(found.to_owned()).or_default().found += 1;
        if labelled == found {
            self.labels.entry(found.to_owned()).or_default().correct += 1;
        }
        *self.confusion.entry(labelled.to_owned()).or_default().entry(found.to_owned()).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, text: &str) -> LabelledText {
        LabelledText { user: String::new(), text: text.to_owned(), label: label.to_owned(), disputed: false }
    }

    #[test]
    fn counts_add_up() {
        let rows = [
            row("refused", "I'm unable to do that."),
            row("clarified", "I'm unable to do that."),
            row("direct", "I've sent the letter."),
            row("refused", "Well then."),
            LabelledText { disputed: true, ..row("direct", "Well then.") },
        ];
        let report = measure(&rows);
        assert_eq!((report.texts, report.disputed, report.judged, report.unclassified), (5, 1, 4, 1));
        assert_eq!(report.labels["refused"], LabelQuality { labelled: 2, found: 2, correct: 1 });
        assert_eq!(report.labels["direct"], LabelQuality { labelled: 1, found: 1, correct: 1 });
        assert_eq!(report.confusion["clarified"]["refused"], 1);
        assert!(report.labels["refused"].is_precise(50) && !report.labels["refused"].is_precise(51));
    }

    #[test]
    fn nothing_measured_counts_nothing() {
        let report = measure(&[]);
        assert_eq!((report.judged, report.labels.len()), (0, 0));
    }
}
