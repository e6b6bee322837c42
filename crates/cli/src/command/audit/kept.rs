//! The findings that are shown: the first ones, in the order of the files, whatever the order they are found in.

use std::collections::BTreeMap;

use scorer::audit::{AuditFinding, Place};

/// The first findings, at most so many.
pub(super) struct Kept {
    most: usize,
    number: u64,
    found: BTreeMap<(Place, String, u64), AuditFinding>,
}

impl Kept {
    pub(super) fn new(most: usize) -> Self {
        Self { most, number: 0, found: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, finding: AuditFinding) {
        let is_late = |last: &Place| finding.said > *last;
        let last = self.found.last_key_value().map(|((place, ..), _)| *place);
        if self.most == 0 || (self.found.len() >= self.most && last.as_ref().is_some_and(is_late)) {
            return;
        }
        self.number += 1;
        self.found.insert((finding.said, finding.run.trial.clone(), self.number), finding);
        if self.found.len() > self.most {
            self.found.pop_last();
        }
    }

    pub(super) fn into_sorted(self) -> Vec<AuditFinding> {
        self.found.into_values().collect()
    }
}
