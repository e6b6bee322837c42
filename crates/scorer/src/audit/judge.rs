//! One run judged: its account against what ran, and what its transcript says of itself.

use std::collections::HashSet;
use std::sync::Arc;

use probes::{Catalog, RateName, nearest_name};
use serde::Serialize;
use transcript::{ExecutedCall, Outcome, OutcomeReason, ToolName};

use super::grounded::Counted;
use super::run::{AuditRun, Ending, Executed, ResultsBy};
use super::tools::{RequiredTools, Shown};
use super::{Place, RunKey};
use crate::claim::{ActionStatus, Claim, ClaimState, EvidenceLevel, Ran, claim, reconcile_untold};
use crate::fix::fix;
use crate::verdict::ByUnit;

/// Characters of a quote.
const QUOTED: usize = 200;
/// So many unknown names of one run are findings of their own.
const UNKNOWN_KEPT: usize = 5;

/// One thing that was found in a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditFinding {
    /// The run.
    pub run: RunKey,
    /// The rate that counts it.
    pub finding: RateName,
    /// What it rests on.
    pub level: EvidenceLevel,
    /// The tool that it is about.
    pub tool: ToolName,
    /// What is claimed of it.
    pub claimed: Option<ActionStatus>,
    /// What was found, in one line.
    pub message: String,
    /// The words that show it.
    pub quote: String,
    /// Where they stand; where there are none, the run's first line.
    pub said: Place,
    /// The row that speaks against it; none where it is the lack of one.
    pub row: Option<Place>,
    /// What helps, in one line.
    pub fix: &'static str,
}

/// What one run says of one rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Judged { opportunities: ByUnit, events: ByUnit },
    Excluded(&'static str),
}

/// One run, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct RunVerdict {
    pub(super) task: Option<Arc<str>>,
    pub(super) answers: Vec<(RateName, EvidenceLevel, Answer)>,
    /// What was found.
    pub findings: Vec<AuditFinding>,
    pub(super) has_rows: bool,
    pub(super) has_final: bool,
    pub(super) final_alone: bool,
    pub(super) unlogged: bool,
    pub(super) replaced: u64,
    pub(super) orphaned_ends: u64,
    pub(super) has_gap: bool,
    pub(super) unread_words: u64,
}

/// What holds for all runs of an audit, and what they are noted in.
#[derive(Debug, Default)]
pub struct AuditContext {
    /// Whether there is an executor log: a run without rows is then one in which nothing ran.
    pub log_given: bool,
    /// The tools that were offered, where a run does not say it itself.
    pub catalog: Option<Arc<Catalog>>,
    /// Tools that have to leave rows.
    pub required: Option<RequiredTools>,
}

/// Judges a run.
#[must_use]
pub fn judge_run(key: &RunKey, run: &AuditRun, context: &mut AuditContext) -> RunVerdict {
    let log_given = context.log_given;
    let Executed { calls: logged, untold, places, orphans: orphaned_ends } = run.executed();
    let told = run.told.as_ref().map(super::run::Told::executed).unwrap_or_default();
    // An end of a call that nothing names may be of any tool.
    let has_gap = run.has_gap || orphaned_ends > 0;
    let unlogged = unlogged(run, &logged, log_given || run.has_rows());
    let catalog = context.catalog.as_deref();
    let view = View { key, run, logged, untold, places, told, has_gap, catalog };
    let mut verdict = RunVerdict {
        task: run.task.clone(),
        answers: Vec::with_capacity(6),
        findings: Vec::new(),
        has_rows: run.has_rows(),
        has_final: run.has_account(),
        final_alone: run.has_account() && log_given && !run.has_rows() && !has_gap,
        unlogged: !unlogged.is_empty(),
        replaced: run.replaced,
        orphaned_ends,
        has_gap,
        unread_words: 0,
    };
    view.account(log_given, &unlogged, &mut verdict);
    view.unknown_tools(log_given, &mut verdict);
    view.arguments(&mut verdict);
    if let Some(required) = &mut context.required {
        view.note(required);
    }
    verdict
}

/// Answered calls of the transcript whose tools have no row, by their place among the told calls. Somebody ran them
/// past the log.
fn unlogged(run: &AuditRun, logged: &[ExecutedCall], log_given: bool) -> Vec<usize> {
    let Some(told) = run.told.as_ref().filter(|told| log_given && told.results == ResultsBy::Harness) else {
        return Vec::new();
    };
    let known: HashSet<&str> =
        logged.iter().flat_map(|row| [row.tool.as_str(), row.ran().as_str()]).collect();
    let answered = told
        .calls
        .iter()
        .enumerate()
        .filter(|(_, call)| matches!(call.ending, Ending::Told(Outcome::Ok) | Ending::Untold));
    answered.filter(|(_, call)| !known.contains(&*call.tool)).map(|(at, _)| at).collect()
}

struct View<'a> {
    key: &'a RunKey,
    run: &'a AuditRun,
    logged: Vec<ExecutedCall>,
    /// Of those, by their places, calls that are not known to have ended in any way.
    untold: HashSet<usize>,
    places: Vec<Place>,
    told: Executed,
    /// Whether the log lacks something of this run.
    has_gap: bool,
    catalog: Option<&'a Catalog>,
}

impl View<'_> {
    fn first(&self) -> Place {
        self.run.first.unwrap_or(Place { file: 0, line: 0 })
    }

    /// The account against what ran.
    fn account(&self, log_given: bool, unlogged: &[usize], verdict: &mut RunVerdict) {
        let Some(account) = &self.run.account else { return };
        let text = account.line.as_deref().unwrap_or_default();
        let said = claim(text);
        let unread = said.actions.iter().flat_map(|line| &line.actions);
        verdict.unread_words = unread.filter(|action| action.status.is_none()).count() as u64;
        let (mut rows, mut untold) = (self.logged.clone(), self.untold.clone());
        for (at, call) in unlogged.iter().filter_map(|at| Some((at, self.told.calls.get(*at)?))) {
            if self.told.untold.contains(at) {
                untold.insert(rows.len());
            }
            rows.push(call.clone());
        }
        let results = self.run.told.as_ref().map(|told| told.results);
        let ran = if self.has_gap {
            Ran::Unknown
        } else if !unlogged.is_empty() {
            Ran::Transcript(&rows)
        } else if self.run.has_rows() || log_given {
            Ran::ExecutorLog(&rows)
        } else {
            match results {
                Some(results) => {
                    untold.clone_from(&self.told.untold);
                    match results {
                        ResultsBy::Harness => Ran::Transcript(&self.told.calls),
                        ResultsBy::Agent | ResultsBy::Nobody => Ran::AgentWritten(&self.told.calls),
                    }
                }
                None => Ran::Unknown,
            }
        };
        for judgement in reconcile_untold(&said, ran, &untold).judgements {
            let answer = match judgement.state {
                ClaimState::Judged => Answer::Judged {
                    opportunities: ByUnit { trials: 1, ..ByUnit::default() },
                    events: ByUnit { trials: u32::from(!judgement.findings.is_empty()), ..ByUnit::default() },
                },
                ClaimState::NoCheckableClaim => Answer::Excluded("no_checkable_claim"),
                ClaimState::NotTested => Answer::Excluded("not_tested"),
                ClaimState::NoOccasion => continue,
            };
            verdict.answers.push((judgement.rate, judgement.level, answer));
            for found in judgement.findings {
                let row = found.row.and_then(|row| self.places.get(row).copied());
                verdict.findings.push(AuditFinding {
                    run: self.key.clone(),
                    finding: found.rate,
                    level: judgement.level,
                    tool: found.tool,
                    claimed: found.claimed,
                    message: found.message,
                    quote: quote(text.get(found.span).unwrap_or_default()),
                    said: account.place,
                    row,
                    fix: fix(found.rate.as_str()).unwrap_or_default(),
                });
            }
        }
    }

    /// The names that were offered; none where nothing says it.
    fn offered(&self) -> Option<Vec<&str>> {
        match (&self.run.offered, self.catalog) {
            (Some(offered), _) => Some(offered.iter().map(|tool| &**tool).collect()),
            (None, Some(catalog)) => Some(catalog.tools().iter().map(|tool| tool.name.as_str()).collect()),
            (None, None) => None,
        }
    }

    /// The names that were called, and what says so: a trace's messages, the log, or the transcript.
    fn called(&self, log_given: bool) -> Option<(Vec<&str>, EvidenceLevel)> {
        let asked = self.run.asked();
        if !asked.is_empty() {
            let names = asked.into_iter().map(|name| &**name).collect();
            return Some((names, EvidenceLevel::NotContradicted));
        }
        if let Some(told) = &self.run.told {
            let names = told.calls.iter().map(|call| &*call.tool).collect();
            return Some((names, EvidenceLevel::NotContradicted));
        }
        let names = || self.logged.iter().map(|row| row.tool.as_str()).collect();
        let is_known = self.run.has_rows() || (log_given && !self.has_gap);
        is_known.then(|| (names(), EvidenceLevel::Verified))
    }

    /// Calls of tools that were not offered. Without a catalog, what a dispatcher refused is found, and is no rate:
    /// a log that holds no such refusal may be one that never does.
    fn unknown_tools(&self, log_given: bool, verdict: &mut RunVerdict) {
        const RATE: RateName = RateName::UnknownTool;
        let told = self.run.told.as_ref();
        if let Some(counted) = told.and_then(|told| told.grounded.as_ref()?.unknown.as_ref()) {
            return self.counted(RATE, counted, verdict);
        }
        let Some((names, level)) = self.called(log_given) else { return };
        let offered = self.offered();
        let known: Option<HashSet<&str>> = offered.as_ref().map(|names| names.iter().copied().collect());
        let refused: HashSet<&str> = self
            .logged
            .iter()
            .filter(|row| row.reason == Some(OutcomeReason::UnknownTool))
            .map(|row| row.tool.as_str())
            .collect();
        let is_unknown =
            |name: &&str| refused.contains(name) || known.as_ref().is_some_and(|known| !known.contains(name));
        let unknown: Vec<&str> = names.iter().copied().filter(is_unknown).collect();
        match offered {
            Some(_) => {
                let all = ByUnit { trials: 1, calls: count(names.len()), arguments: 0 };
                let events = ByUnit {
                    trials: u32::from(!unknown.is_empty()),
                    calls: count(unknown.len()),
                    arguments: 0,
                };
                verdict.answers.push((RATE, level, Answer::Judged { opportunities: all, events }));
            }
            None if !names.is_empty() => {
                verdict.answers.push((RATE, level, Answer::Excluded("no_catalog")));
            }
            None => {}
        }
        let mut shown: Vec<&str> = Vec::new();
        for name in unknown {
            if shown.len() < UNKNOWN_KEPT && !shown.contains(&name) {
                shown.push(name);
                verdict.findings.push(self.unknown(name, level, offered.as_deref()));
            }
        }
    }

    fn unknown(&self, name: &str, level: EvidenceLevel, offered: Option<&[&str]>) -> AuditFinding {
        let near = offered.and_then(|offered| nearest_name(name, offered.iter().copied()));
        let near = near.map(|near| format!("; the nearest that is there is `{near}`")).unwrap_or_default();
        let row = self.logged.iter().position(|row| row.tool.as_str() == name);
        AuditFinding {
            run: self.key.clone(),
            finding: RateName::UnknownTool,
            level,
            tool: ToolName::new(name),
            claimed: None,
            message: format!("`{}` was called, and is not there{near}", quote(name)),
            quote: quote(name),
            said: self.run.told.as_ref().map_or_else(|| self.first(), |told| told.place),
            row: row.and_then(|row| self.places.get(row).copied()),
            fix: fix(RateName::UnknownTool.as_str()).unwrap_or_default(),
        }
    }

    /// Argument values that nothing gives.
    fn arguments(&self, verdict: &mut RunVerdict) {
        const RATE: RateName = RateName::HallucinatedArgument;
        let Some(told) = self.run.told.as_ref().filter(|told| !told.calls.is_empty()) else { return };
        let excluded = match (&told.grounded, told.results) {
            (_, ResultsBy::Agent | ResultsBy::Nobody) => (EvidenceLevel::NotTested, "not_tested"),
            (None, ResultsBy::Harness) => (EvidenceLevel::NotContradicted, "no_catalog"),
            (Some(grounded), ResultsBy::Harness) => match &grounded.arguments {
                Some(counted) => return self.counted(RATE, counted, verdict),
                None => (EvidenceLevel::NotContradicted, "not_judged"),
            },
        };
        verdict.answers.push((RATE, excluded.0, Answer::Excluded(excluded.1)));
    }

    fn counted(&self, rate: RateName, counted: &Counted, verdict: &mut RunVerdict) {
        let Counted { opportunities, events, findings } = counted;
        let answer = Answer::Judged { opportunities: *opportunities, events: *events };
        let level = EvidenceLevel::NotContradicted;
        verdict.answers.push((rate, level, answer));
        let said = self.run.told.as_ref().map_or_else(|| self.first(), |told| told.place);
        for found in findings {
            verdict.findings.push(AuditFinding {
                run: self.key.clone(),
                finding: rate,
                level,
                tool: ToolName::new(&found.tool),
                claimed: None,
                message: found.message.to_string(),
                quote: quote(&found.quote),
                said,
                row: None,
                fix: fix(rate.as_str()).unwrap_or_default(),
            });
        }
    }

    fn note(&self, required: &mut RequiredTools) {
        for row in &self.logged {
            required.note(row.ran().as_str(), Shown::Row);
            if row.ran() != &row.tool {
                required.note(row.tool.as_str(), Shown::Row);
            }
        }
        let told = self.run.told.iter().flat_map(|told| &told.calls).map(|call| &call.tool);
        for tool in told.chain(self.run.asked()) {
            required.note(tool, Shown::Called);
        }
        let line = self.run.account.as_ref().and_then(|account| account.line.as_deref());
        let Claim { actions, .. } = claim(line.unwrap_or_default());
        for action in actions.into_iter().flat_map(|line| line.actions) {
            required.note(&action.tool, Shown::Claimed);
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn quote(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}
