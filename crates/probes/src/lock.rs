//! Frozen suites: `NAME.lock` beside `NAME.yaml` holds the id and hash of every question. A suite that no longer
//! expands to its lock asks something else than before, and a run refuses it.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::{Fingerprint, ProbeId};

use crate::{Derived, Suite};

/// The format's name and version, first in every lock.
pub const LOCK_FORMAT: &str = "lock/1";

/// The questions of a suite as they were frozen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// `lock/1`: the format and its version.
    pub toolmirage: String,
    /// The suite's name.
    pub suite: String,
    /// The suite's version when it was frozen.
    pub version: u64,
    /// Question hashes by id, in the order of the suite.
    #[schemars(with = "std::collections::BTreeMap<String, Fingerprint>")]
    pub questions: IndexMap<ProbeId, Fingerprint>,
}

/// How a suite differs from its lock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LockDifference {
    /// Questions that the lock does not have.
    pub added: Vec<ProbeId>,
    /// Questions that ask something else.
    pub changed: Vec<ProbeId>,
    /// Questions that only the lock has.
    pub removed: Vec<ProbeId>,
}

impl Lock {
    /// Freezes the questions of a suite, as derived from all of its kinds.
    #[must_use]
    pub fn of(suite: &Suite, derived: &Derived) -> Self {
        let questions = derived.questions.iter().map(|question| (question.id.clone(), question.hash.clone()));
        Self {
            toolmirage: LOCK_FORMAT.to_owned(),
            suite: suite.name.clone(),
            version: suite.version,
            questions: questions.collect(),
        }
    }

    /// How a suite's questions differ from those that were frozen; none where they are the same.
    #[must_use]
    pub fn difference(&self, now: &IndexMap<ProbeId, Fingerprint>) -> Option<LockDifference> {
        let mut difference = LockDifference::default();
        for (id, hash) in now {
            match self.questions.get(id) {
                None => difference.added.push(id.clone()),
                Some(frozen) if frozen != hash => difference.changed.push(id.clone()),
                Some(_) => {}
            }
        }
        difference.removed = self.questions.keys().filter(|id| !now.contains_key(*id)).cloned().collect();
        (difference != LockDifference::default()).then_some(difference)
    }
}

impl LockDifference {
    /// What differs, in one line, with the first few ids of each sort.
    #[must_use]
    pub fn words(&self) -> String {
        let part = |ids: &[ProbeId], one: &str, several: &str| -> Option<String> {
            let shown: Vec<&str> = ids.iter().take(3).map(ProbeId::as_str).collect();
            let more = if ids.len() > shown.len() { ", ..." } else { "" };
            let words = if ids.len() == 1 { one } else { several };
            (!ids.is_empty()).then(|| format!("{} {words} ({}{more})", ids.len(), shown.join(", ")))
        };
        let parts = [
            part(&self.changed, "question changed", "questions changed"),
            part(&self.added, "is new", "are new"),
            part(&self.removed, "is gone", "are gone"),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{derive_questions, read_yaml};

    fn suite() -> Suite {
        serde_yaml::from_str(
            "{toolmirage: suite/1, name: s, version: 1, seed: 1, catalog: c, kinds: [control, decoy], tasks: [
              {id: a, user: u, tool: send}, {id: b, user: v, tool: send}]}",
        )
        .unwrap()
    }

    #[test]
    fn a_suite_equals_its_own_lock_whatever_is_written_for_people() {
        let mut suite = suite();
        let lock = Lock::of(&suite, &derive_questions(&suite));
        suite.version = 2;
        suite.tasks[0].draft = true;
        suite.tasks.reverse();
        assert_eq!(lock.difference(&Lock::of(&suite, &derive_questions(&suite)).questions), None);
    }

    #[test]
    fn what_differs_is_named() {
        let mut suite = suite();
        let lock = Lock::of(&suite, &derive_questions(&suite));
        suite.tasks[0].user = "w".to_owned();
        suite.tasks[1].id = "c".to_owned();
        let difference = lock.difference(&Lock::of(&suite, &derive_questions(&suite)).questions).unwrap();
        assert_eq!(
            difference.words(),
            "2 questions changed (a.control, a.decoy); 2 are new (c.control, c.decoy); 2 are gone (b.control, b.decoy)"
        );
    }

    #[test]
    fn a_lock_reads_back_and_a_newer_one_is_refused() {
        let suite = suite();
        let lock = Lock::of(&suite, &derive_questions(&suite));
        let text = serde_json::to_string_pretty(&lock).unwrap();
        let file = std::path::Path::new("s.lock");
        let (again, _) = read_yaml::<Lock>(file, &text, LOCK_FORMAT, &[]).unwrap();
        assert_eq!(again, lock);
        let newer = text.replace("lock/1", "lock/2");
        let error = read_yaml::<Lock>(file, &newer, LOCK_FORMAT, &[]).unwrap_err().to_string();
        assert!(error.contains("lock/2") && error.contains("lock/1"), "{error}");
    }
}
