//! The runs of an audit, gathered from lines in whatever order they come. As long as they fit into memory they stay
//! there; beyond that, they are put into temporary files by a hash of the run, and judged part by part.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use scorer::audit::{AuditRun, Fragment, Place, RunKey};

use crate::error::Failure;

use super::spill::Spill;

/// What a run takes in memory beside its fragments.
const RUN: usize = 320;

/// Runs under way.
pub(super) struct Ledger {
    runs: HashMap<RunKey, AuditRun>,
    budget: usize,
    weight: usize,
    spill: Option<Spill>,
    /// The first run of the log, and the first with a final message.
    first_row: Option<RunKey>,
    first_account: Option<RunKey>,
}

impl Ledger {
    /// An empty one that holds so many bytes.
    pub(super) fn new(budget: usize) -> Self {
        Self { runs: HashMap::new(), budget, weight: 0, spill: None, first_row: None, first_account: None }
    }

    /// Adds what a line says of a run.
    pub(super) fn add(&mut self, key: RunKey, place: Place, fragment: Fragment) -> Result<(), Failure> {
        if self.first_row.is_none() && fragment.is_row() {
            self.first_row = Some(key.clone());
        }
        if self.first_account.is_none() && fragment.is_account() {
            self.first_account = Some(key.clone());
        }
        if let Some(spill) = &mut self.spill {
            return spill.write(part(&key), &key, place, &fragment);
        }
        self.weight += AuditRun::weight(&fragment);
        let length = key.run.len() + key.trial.len();
        let weight = &mut self.weight;
        let run = self.runs.entry(key).or_insert_with(|| {
            *weight += RUN + length;
            AuditRun::default()
        });
        run.add(place, fragment);
        if self.weight > self.budget { self.spill_over() } else { Ok(()) }
    }

    fn spill_over(&mut self) -> Result<(), Failure> {
        let mut spill = Spill::new(PARTS)?;
        for (key, run) in std::mem::take(&mut self.runs) {
            for (place, fragment) in run.into_fragments() {
                spill.write(part(&key), &key, place, &fragment)?;
            }
        }
        self.spill = Some(spill);
        Ok(())
    }

    pub(super) fn has_rows(&self) -> bool {
        self.first_row.is_some()
    }

    pub(super) fn has_accounts(&self) -> bool {
        self.first_account.is_some()
    }

    /// A run of the log, and one with a final message.
    pub(super) fn examples(&self) -> (Option<&RunKey>, Option<&RunKey>) {
        (self.first_row.as_ref(), self.first_account.as_ref())
    }

    /// The only run that there is; none where there are several, or none.
    pub(super) fn only(&self) -> Option<&RunKey> {
        let mut keys = self.runs.keys();
        keys.next().filter(|_| self.runs.len() == 1 && self.spill.is_none())
    }

    /// The run of a name: the only one that has it, whatever its trial.
    ///
    /// # Errors
    /// Several trials have it.
    pub(super) fn named(&self, run: &str) -> Result<RunKey, Failure> {
        let mut known = self.runs.keys().filter(|key| key.run == run);
        match (known.next(), known.next()) {
            (Some(_), Some(_)) => Err(Failure::usage(format!("run `{run}` has several trials")).with_help(
                "put the message into a file of JSON Lines: {\"run\": ..., \"trial\": ..., \"final\": ...}",
            )),
            (Some(key), None) => Ok(key.clone()),
            (None, _) => Ok(RunKey { run: run.to_owned(), trial: String::new() }),
        }
    }

    /// How many runs there are, as far as they are in memory.
    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether some run has both rows and a final message.
    pub(super) fn overlap(&mut self) -> Result<bool, Failure> {
        let both = |run: &AuditRun| run.has_rows() && run.has_account();
        let Some(spill) = &mut self.spill else { return Ok(self.runs.values().any(both)) };
        for at in 0..PARTS {
            if spill.runs(at)?.values().any(both) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Hands each run over, in the order of first lines within a part.
    pub(super) fn each(
        mut self,
        mut judge: impl FnMut(&RunKey, &AuditRun) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(spill) = &mut self.spill else { return ordered(self.runs, &mut judge) };
        for at in 0..PARTS {
            ordered(spill.runs(at)?, &mut judge)?;
        }
        Ok(())
    }
}

fn ordered(
    runs: HashMap<RunKey, AuditRun>,
    judge: &mut impl FnMut(&RunKey, &AuditRun) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut runs: Vec<(RunKey, AuditRun)> = runs.into_iter().collect();
    runs.sort_by(|(a, one), (b, other)| one.first().cmp(&other.first()).then_with(|| a.cmp(b)));
    runs.iter().try_for_each(|(key, run)| judge(key, run))
}

/// How many temporary files there are at most.
const PARTS: usize = 64;

/// The part that a run belongs to: the same in every run of the program.
fn part(key: &RunKey) -> usize {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    usize::try_from(hasher.finish() % PARTS as u64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use scorer::audit::{AuditContext, AuditReader, AuditTally, ReadOptions, judge_run};

    use super::*;

    /// 300 runs, their lines shuffled among each other, finals before rows and after them.
    fn lines() -> Vec<String> {
        let mut lines = Vec::new();
        for run in 0..300 {
            let tool = if run % 10 == 0 { "other" } else { "send" };
            lines.push((
                run * 7 % 300,
                format!(r#"{{"run":"r{run}","seq":0,"event":"start","at":"t{run}","tool":"{tool}"}}"#),
            ));
            lines.push((
                run * 11 % 300 + 150,
                format!(r#"{{"run":"r{run}","seq":0,"event":"end","at":"t{run}","ok":{}}}"#, run % 3 > 0),
            ));
            lines.push((
                run * 13 % 300,
                format!(r#"{{"run":"r{run}","final":"Sent.\nACTIONS: {{\"send\": \"done\"}}"}}"#),
            ));
        }
        lines.sort();
        lines.into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn runs_that_were_spilled_are_judged_alike() {
        let judged = |budget: usize| {
            let (mut reader, mut ledger) = (AuditReader::new(ReadOptions::default()), Ledger::new(budget));
            for (line, text) in (1..).zip(lines()) {
                let place = Place { file: 0, line };
                for (key, fragment) in reader.read(text.as_bytes(), place, "x").unwrap() {
                    ledger.add(key, place, fragment).unwrap();
                }
            }
            let spilled = ledger.spill.is_some();
            assert!(ledger.overlap().unwrap());
            let mut context = AuditContext { log_given: true, ..AuditContext::default() };
            let (mut tally, mut found) = (AuditTally::default(), Vec::new());
            ledger
                .each(|key, run| {
                    let verdict = judge_run(key, run, &mut context);
                    tally.add(&verdict);
                    found
                        .extend(verdict.findings.into_iter().map(|one| (one.said, one.finding, one.message)));
                    Ok(())
                })
                .unwrap();
            found.sort();
            (spilled, tally.finish(Vec::new(), None), found)
        };
        let (held, whole, found) = judged(usize::MAX);
        assert!(!held && found.len() == 30 + 30 + 90, "{}", found.len());
        for budget in [0, 4_000, 60_000] {
            let (spilled, parts, in_parts) = judged(budget);
            assert!(spilled);
            assert_eq!((parts, in_parts), (whole.clone(), found.clone()));
        }
    }
}
