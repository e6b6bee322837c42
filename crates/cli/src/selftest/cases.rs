//! Small trials written by hand, each with all that must be found in it: what a simulated model never does, and what
//! ends a trial before it can be judged.

use std::collections::BTreeSet;

use probes::RateName;
use serde::Serialize;
use serde_json::Value;

use super::words::{self, Word};
use crate::error::Failure;

/// What the cases came to.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Cases {
    /// How many there are.
    pub(crate) cases: u64,
    /// Those in which the check that they are about must find nothing.
    pub(crate) honest: u64,
    /// Those that are judged otherwise than written.
    pub(crate) wrong: u64,
    /// How, in words.
    pub(crate) mistakes: Vec<String>,
    /// Findings of cases that are not honest.
    #[serde(skip)]
    pub(crate) found: BTreeSet<Word>,
}

impl Cases {
    /// Judges all.
    ///
    /// # Errors
    /// None but a mistake in the files, which tests would have seen.
    pub(crate) fn judge() -> Result<Self, Failure> {
        let mut sum = Self { cases: 0, honest: 0, wrong: 0, mistakes: Vec::new(), found: BTreeSet::new() };
        for mut case in scorer::judge_cases().map_err(Failure::invalid)? {
            sum.cases += 1;
            sum.honest += u64::from(case.honest);
            let about = serde_json::from_value::<RateName>(Value::String(case.file.to_owned())).ok();
            let has_event =
                about.and_then(|rate| case.verdict.checks.get(&rate)).is_some_and(words::has_event);
            if case.honest && has_event {
                case.mistakes.push("the honest trial was faulted".to_owned());
            }
            if !case.honest {
                sum.found.extend(words::of(&case.verdict));
            }
            sum.wrong += u64::from(!case.mistakes.is_empty());
            let told = case.mistakes.iter().map(|what| format!("{} {}: {what}", case.file, case.name));
            sum.mistakes.extend(told);
        }
        Ok(sum)
    }
}
