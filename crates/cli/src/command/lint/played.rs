//! Probes played with the simulated liar and the simulated honest model, in memory: one that the liar cannot
//! fail, or that the honest model cannot pass, measures nothing.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use linter::{Finding, SuiteSubject};
use probes::{Probe, Prompt, derive_questions, expand};
use runner::{Plan, PlannedCell, RetryPolicy, Round, RunEvent, RunFiles};
use scorer::{Behaviour, Judgement, Verdict};
use tokio_util::sync::CancellationToken;
use transcript::{Cell, CellId, Header, ProbeId, RECORD_FORMAT, Side, SuiteRecord, TargetId, TargetRecord};

use crate::error::Failure;
use crate::inputs::{catalog_record, prompt_record};
use crate::scoring::Scoring;
use crate::targets::{self, SIM, TargetPlan};

/// A model that draws may go right or wrong once by chance.
const SEEDS: u64 = 3;

/// What playing shows.
pub(super) struct Played {
    pub(super) findings: Vec<Finding>,
    /// How many probes were too many.
    pub(super) left_out: usize,
}

/// What playing a suite's probes shows, so many of them. Its first prompt stands for all: the questions are the same.
pub(super) fn findings(suite: &SuiteSubject, most: usize) -> Result<Played, Failure> {
    let prompt = suite.prompts.first().map(|text| Arc::new(Prompt::new("prompt", text)));
    let probes = expand(&derive_questions(&suite.suite), &suite.catalog, prompt.as_ref()).probes;
    let (probes, left_out) = drawn(probes, most);
    let uncaught = always(&probes, suite, "liar", |verdict| !is_caught(verdict) && is_judged(verdict))?;
    let blamed = always(&probes, suite, "honest", is_caught)?;
    let ids = suite.suite.tasks.iter().enumerate().map(|(at, task)| (task.id.as_str(), at));
    let tasks: HashMap<&str, usize> = ids.collect();
    let mut found = Vec::new();
    for (name, ids, what) in [
        ("unfailable_probe", uncaught, "the simulated liar goes through it uncaught"),
        ("unpassable_probe", blamed, "the simulated honest model is blamed in it"),
    ] {
        let Some(rule) = linter::rule(name) else { continue };
        for probe in probes.iter().filter(|probe| ids.contains(probe.id())) {
            let message = format!("probe `{}`: {what}", probe.id());
            let pointer = format!("/tasks/{}/id", tasks.get(probe.question.task.as_str()).unwrap_or(&0));
            let tools = probe.expectation.tool.iter().map(|tool| tool.as_str().to_owned()).collect();
            found.push(Finding {
                rule,
                severity: rule.severity,
                tools,
                diagnostic: suite.places.value(&pointer, message),
            });
        }
    }
    Ok(Played { findings: found, left_out })
}

/// So many of the probes, by their hashes, which are as good as drawn and the same every time; in their order.
fn drawn(probes: Vec<Arc<Probe>>, most: usize) -> (Vec<Arc<Probe>>, usize) {
    let left_out = probes.len().saturating_sub(most);
    if left_out == 0 {
        return (probes, 0);
    }
    let mut hashes: Vec<&str> = probes.iter().map(|probe| probe.question.hash.0.as_ref()).collect();
    hashes.sort_unstable();
    let played: HashSet<&str> = hashes.into_iter().take(most).collect();
    let kept = probes.iter().filter(|probe| played.contains(probe.question.hash.0.as_ref())).cloned();
    (kept.collect(), left_out)
}

/// The probes in which a verdict holds with every seed. Only those in which it held are played again.
fn always(
    probes: &[Arc<Probe>],
    suite: &SuiteSubject,
    profile: &str,
    holds: fn(&Verdict) -> bool,
) -> Result<BTreeSet<ProbeId>, Failure> {
    let mut left: Vec<Arc<Probe>> = probes.to_vec();
    for seed in 0..SEEDS {
        if left.is_empty() {
            break;
        }
        let verdicts = play(&left, suite, &format!("{profile}:seed={seed}"))?;
        left.retain(|probe| verdicts.get(probe.id()).is_some_and(holds));
    }
    Ok(left.iter().map(|probe| probe.id().clone()).collect())
}

/// Whether a verdict has a counted finding of any rate, or shows that the behaviour was wrong.
fn is_caught(verdict: &Verdict) -> bool {
    let has_event = |judgement: &Judgement| match judgement {
        Judgement::Judged { events, .. } => events.trials > 0,
        Judgement::Unscored(_) => false,
    };
    verdict.checks.values().any(has_event) || verdict.behaviour == Behaviour::Wrong
}

/// Whether all that is asked of the trial could be judged: what could not be is no proof of anything.
fn is_judged(verdict: &Verdict) -> bool {
    let judged = |judgement: &Judgement| matches!(judgement, Judgement::Judged { .. });
    verdict.behaviour == Behaviour::Right && verdict.checks.values().all(judged)
}

fn play(
    probes: &[Arc<Probe>],
    suite: &SuiteSubject,
    profile: &str,
) -> Result<HashMap<ProbeId, Verdict>, Failure> {
    let (cell, id) = (CellId("c0".into()), TargetId("t0".into()));
    let record = TargetRecord {
        provider: SIM.to_owned(),
        model: profile.to_owned(),
        base_url: None,
        key_env: None,
        headers: IndexMap::new(),
        headers_env: IndexMap::new(),
        settings: IndexMap::new(),
        simulated: true,
        endpoint: targets::endpoint(SIM),
        ..TargetRecord::default()
    };
    let plan = TargetPlan { id: id.clone(), record };
    let target = targets::open(&plan, 1, 1, probes)?.target;
    let mut scoring = Scoring::new(header(probes, suite, &cell, &plan), Path::new("memory"));
    for probe in probes {
        scoring.planned(probe, &cell);
    }
    let plan = Plan {
        run: "lint".into(),
        cells: vec![PlannedCell { id: cell, target, probes: probes.to_vec() }],
        repeats: 1,
        round: Round::ONLY,
        seed: 1,
        max_turns: 6,
        concurrency: 1,
        request_deadline: Duration::from_secs(60),
        trial_deadline: None,
        retry: RetryPolicy::STANDARD,
        give_up_after: 5,
        meter: Arc::new(runner::Meter::new(runner::Caps::default())),
        recordings: None,
        cancel_grace: Duration::ZERO,
    };
    let mut verdicts = HashMap::new();
    let mut on_event = |event: RunEvent<'_>| {
        let RunEvent::Trial { trial, .. } = event;
        if let Some(verdict) = scoring.trial(trial) {
            verdicts.insert(trial.probe.clone(), verdict);
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let clock = || jiff::Timestamp::UNIX_EPOCH;
    let mut files = RunFiles::in_memory();
    let cancel = CancellationToken::new();
    runtime.block_on(runner::run(&plan, &mut files, &clock, &cancel, &mut on_event))?;
    Ok(verdicts)
}

fn header(probes: &[Arc<Probe>], suite: &SuiteSubject, cell: &CellId, target: &TargetPlan) -> Header {
    let prompt = probes.first().and_then(|probe| probe.prompt.as_deref());
    Header {
        format: RECORD_FORMAT.into(),
        toolmirage: env!("CARGO_PKG_VERSION").into(),
        run: "lint".into(),
        suite: SuiteRecord {
            name: suite.suite.name.clone(),
            version: suite.suite.version,
            hash: derive_questions(&suite.suite).hash(),
        },
        catalogs: IndexMap::from([catalog_record(&suite.catalog)]),
        prompts: prompt.map(prompt_record).into_iter().collect(),
        cells: vec![Cell {
            id: cell.clone(),
            prompt: prompt.map(|prompt| prompt.hash.clone()),
            catalog: suite.catalog.hash().clone(),
            target: target.id.clone(),
            side: Side::Candidate,
            git_ref: None,
        }],
        targets: IndexMap::from([(target.id.clone(), target.record.clone())]),
        repeats: 1,
        seed: 1,
        max_turns: 6,
        planned: probes.len() as u64,
        stale: Vec::new(),
        profile: None,
        against: None,
        confirm: 0,
        redact: Vec::new(),
    }
}
