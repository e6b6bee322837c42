//! The instrument proves itself: rates planted in a simulated model come back inside the printed intervals, and
//! verdicts agree with the model's own decision log call by call. Everything happens in memory.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use indexmap::IndexMap;
use probes::{Catalog, Probe, RateName, Suite, derive_questions, expand};
use rayon::prelude::*;
use runner::{
    HttpRequest, HttpResponse, Plan, PlannedCell, RetryPolicy, RunEvent, RunFiles, Transport, TransportError,
};
use scorer::{Behaviour, Class, Surface, Verdict};
use sim::{CallSurface, CallTruth, Decision, Profile, Sim};
use tokio_util::sync::CancellationToken;
use transcript::{
    CatalogRecord, Cell, CellId, EndpointProperties, Fingerprint, Header, Known, ProbeId, RECORD_FORMAT,
    Side, SuiteRecord, TargetId, TargetRecord, Tool, Trial,
};

use crate::inputs::Inputs;
use crate::scoring::Scoring;
use crate::{environment, sim_script};

/// What becomes of every request to a simulated model: its decision is kept.
struct Watched {
    sim: Sim,
    decisions: Mutex<Vec<Decision>>,
}

impl Transport for Watched {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let reply = self.sim.respond(request.trial.as_deref(), &request.body);
        self.decisions.lock().unwrap().extend(reply.decision);
        async move {
            Ok(HttpResponse { status: reply.status, headers: Vec::new(), body: Bytes::from(reply.body) })
        }
        .boxed()
    }
}

/// Probes of one catalog, and what a record's header says of them.
pub(crate) struct Bench {
    pub(crate) header: Header,
    probes: Vec<Arc<Probe>>,
}

impl Bench {
    pub(crate) fn new(catalog: &Catalog, probes: Vec<Arc<Probe>>) -> Self {
        let target = TargetRecord {
            provider: "sim".into(),
            model: "planted".into(),
            base_url: None,
            key_env: None,
            headers: IndexMap::new(),
            headers_env: IndexMap::new(),
            settings: IndexMap::new(),
            simulated: true,
            endpoint: EndpointProperties {
                sees_tools: Known::Yes,
                constrains_names: Known::No,
                filters_unknown_names: Known::No,
                ..EndpointProperties::default()
            },
            ..TargetRecord::default()
        };
        let tools: Vec<Tool> = catalog.tools().iter().map(|tool| (**tool).clone()).collect();
        let record = CatalogRecord { label: catalog.label().into(), tools };
        let prompt = probes.first().and_then(|probe| probe.prompt.clone());
        let prompts = prompt.iter().map(|prompt| {
            let record = transcript::PromptRecord {
                label: prompt.label.clone(),
                text: prompt.text.clone(),
                file: prompt.file.clone(),
            };
            (prompt.hash.clone(), record)
        });
        let header = Header {
            format: RECORD_FORMAT.into(),
            toolmirage: "test".into(),
            run: "planted".into(),
            suite: SuiteRecord { name: "planted".into(), version: 1, hash: Fingerprint::of(b"") },
            catalogs: IndexMap::from([(catalog.hash().clone(), record)]),
            prompts: prompts.collect(),
            cells: vec![Cell {
                id: CellId("c0".into()),
                prompt: prompt.map(|prompt| prompt.hash.clone()),
                catalog: catalog.hash().clone(),
                target: TargetId("t0".into()),
                side: Side::Candidate,
                git_ref: None,
            }],
            targets: IndexMap::from([(TargetId("t0".into()), target)]),
            repeats: 1,
            seed: 1,
            max_turns: 6,
            planned: probes.len() as u64,
            stale: Vec::new(),
            profile: None,
            against: None,
            confirm: 0,
        };
        Self { header, probes }
    }

    /// Puts every probe once and hands each judged trial on; gives the scored cell and all decisions.
    pub(crate) fn run(
        &self,
        profile: &str,
        mut each: impl FnMut(&Trial, &Verdict) + Send,
    ) -> (scorer::Scorecard, Vec<Decision>) {
        let profile: Profile = profile.parse().unwrap();
        let watched = Arc::new(Watched {
            sim: Sim::new(profile, sim_script::of(&self.probes), 1),
            decisions: Mutex::new(Vec::new()),
        });
        let target = runner::Target {
            id: TargetId("t0".into()),
            provider: runner::provider("openai_chat").unwrap(),
            model: "planted".into(),
            settings: IndexMap::new(),
            simulated: true,
            place: "memory".into(),
            lane: "memory".into(),
            share: None,
            gateway: None,
            price: None,
            headers: Vec::new(),
            transport: Arc::clone(&watched) as Arc<dyn Transport>,
        };
        let cell =
            PlannedCell { id: CellId("c0".into()), target: Arc::new(target), probes: self.probes.clone() };
        let plan = Plan {
            run: "planted".into(),
            cells: vec![cell],
            repeats: 1,
            round: runner::Round::ONLY,
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
        let mut scoring = Scoring::new(self.header.clone(), Path::new("memory"));
        for probe in &self.probes {
            scoring.planned(probe, &CellId("c0".into()));
        }
        let mut on_event = |event: RunEvent<'_>| {
            let RunEvent::Trial { trial, .. } = event;
            let verdict = scoring.trial(trial).unwrap();
            each(trial, &verdict);
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let clock = || jiff::Timestamp::UNIX_EPOCH;
        let mut files = RunFiles::in_memory();
        let cancel = CancellationToken::new();
        let run = runner::run(&plan, &mut files, &clock, &cancel, &mut on_event);
        runtime.block_on(run).unwrap();
        let card = scoring.finish(true, None).scorecards.remove(0);
        let decisions = std::mem::take(&mut *watched.decisions.lock().unwrap());
        (card, decisions)
    }
}

/// Sixty tasks of one tool, each with eight lookalikes, eight missing arguments, a control and a decoy. The
/// catalog is small, since every request carries it.
fn planted_suite() -> (Suite, Arc<Catalog>) {
    let slots = || 0..8;
    let mut suite = String::from(
        "toolmirage: suite/1\nname: planted\nversion: 1\nseed: 9\ncatalog: none\nkinds: [control, decoy, lookalike, missing_argument]\ntasks:\n",
    );
    for task in 0..60 {
        let words: Vec<String> = slots().map(|slot| format!("w{slot}x{task}")).collect();
        let _ = writeln!(suite, "  - id: task-{task}\n    tool: move_crate");
        let _ = writeln!(suite, "    user: Move crate C{task} by {}.\n    arguments:", words.join(" "));
        for (slot, word) in words.iter().enumerate() {
            let _ = writeln!(suite, "      way_{slot}: {word}");
        }
        suite.push_str("    missing_argument:\n");
        for slot in slots() {
            let _ = writeln!(suite, "      way_{slot}: Move crate C{task}, way {slot} open.");
        }
        suite.push_str("    lookalikes:\n");
        for place in ["shelf", "yard", "ship", "shop"] {
            let _ = writeln!(suite, "      move_crate_{place}: Lists crates that were moved.");
        }
    }
    let properties: Vec<String> =
        slots().map(|slot| format!("\"way_{slot}\":{{\"type\":\"string\"}}")).collect();
    let required: Vec<String> = slots().map(|slot| format!("\"way_{slot}\"")).collect();
    let (properties, required) = (properties.join(","), required.join(","));
    let schema = format!("{{\"type\":\"object\",\"properties\":{{{properties}}},\"required\":[{required}]}}");
    let mut tool = Tool::named("move_crate");
    tool.input_schema = Some(transcript::RawJson::parse(&schema).unwrap());
    let tools =
        vec![Arc::new(tool), Arc::new(Tool::named("weigh_crate")), Arc::new(Tool::named("paint_crate"))];
    (serde_yaml::from_str(&suite).unwrap(), Arc::new(Catalog::new("planted/1", tools).unwrap()))
}

/// The first so many probes of each task that are eligible for a rate.
fn eligible(probes: &[Arc<Probe>], rate: RateName, trials_of: impl Fn(usize) -> usize) -> Vec<Arc<Probe>> {
    let mut taken: IndexMap<&str, usize> = IndexMap::new();
    let mut chosen = Vec::new();
    for probe in probes.iter().filter(|probe| probe.expectation.headline.contains(&rate)) {
        let (task, count) = match taken.get_full_mut(probe.question.task.as_str()) {
            Some((task, _, count)) => (task, count),
            None => {
                let (task, _) = taken.insert_full(&probe.question.task, 0);
                (task, taken.get_index_mut(task).map(|(_, count)| count).unwrap())
            }
        };
        if *count < trials_of(task) {
            *count += 1;
            chosen.push(Arc::clone(probe));
        }
    }
    chosen
}

/// How many eligible trials each task has.
type Layout = fn(usize) -> usize;

/// Over 1,000 seeded scorings, for each of the three rates planted at 3, 10 and 20 %, with task correlation
/// 0 and 0.5, over 60 tasks of 4 eligible trials and over 30 of 1 and 30 of 7, the 95 % interval covers the
/// planted rate in at least 93 % of every combination. The default is a short form of it, judged over all
/// combinations together; `TOOLMIRAGE_SCORINGS=1000 cargo test --release -p toolmirage planted -- --nocapture`
/// is the long one.
#[test]
fn planted_rates_come_back_inside_their_intervals() {
    let asked: Option<u64> =
        environment::test_setting("TOOLMIRAGE_SCORINGS").and_then(|text| text.parse().ok());
    let scorings = asked.unwrap_or(3);
    let (suite, catalog) = planted_suite();
    let probes = expand(&derive_questions(&suite), &catalog, None).probes;
    let layouts: [(&str, Layout); 2] =
        [("60 tasks of 4", |_| 4), ("30 of 1 and 30 of 7", |task| if task < 30 { 1 } else { 7 })];
    let (mut all, mut all_covered) = (0, 0);
    for rate in RateName::HEADLINE {
        for (layout, trials_of) in layouts {
            let bench = Bench::new(&catalog, eligible(&probes, rate, trials_of));
            assert_eq!(bench.probes.len(), 240);
            for planted in [0.03, 0.10, 0.20] {
                for icc in [0.0, 0.5] {
                    let one = |seed: u64| {
                        let profile = format!("planted:{rate}={planted},icc={icc},seed={seed}");
                        let (card, _) = bench.run(&profile, |_, _| {});
                        let found = card.rate(rate).unwrap();
                        assert_eq!((found.scored, found.clusters), (240, 60));
                        let (low, high) = found.interval_95.unwrap();
                        (low <= planted && planted <= high, high - low, found.mean_over_probes.unwrap())
                    };
                    let results: Vec<_> = (0..scorings).into_par_iter().map(one).collect();
                    let covered = results.iter().filter(|(covers, _, _)| *covers).count();
                    let mean = |pick: fn(&(bool, f64, f64)) -> f64| {
                        results.iter().map(pick).sum::<f64>() / results.len() as f64
                    };
                    println!(
                        "{rate:<22} {layout:<20} {planted:.2} icc {icc:.1}: {covered} of {scorings} covered, mean width {:.3}, mean rate {:.4}",
                        mean(|r| r.1),
                        mean(|r| r.2)
                    );
                    all += scorings;
                    all_covered += covered as u64;
                    if asked.is_some() {
                        assert!(covered as f64 >= 0.93 * scorings as f64, "covered {covered} of {scorings}");
                    }
                }
            }
        }
    }
    println!("{all_covered} of {all} intervals cover the planted rate");
    assert!(all_covered as f64 >= 0.93 * all as f64, "{all_covered} of {all}");
}

fn shipped(suite: &str) -> Vec<(Arc<Catalog>, Vec<Arc<Probe>>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let args = crate::args::SuiteArgs {
        suite: Some(root.join("suites").join(suite)),
        filler: None,
        kinds: Vec::new(),
        arms: Vec::new(),
        only: Vec::new(),
        limit: None,
    };
    let inputs = Inputs::load(&args, None, None).unwrap_or_else(|failure| panic!("{}", failure.text()));
    let cells = inputs.cells().unwrap_or_else(|failure| panic!("{}", failure.text()));
    cells.into_iter().map(|cell| (Arc::clone(&inputs.catalog), cell.probes)).collect()
}

/// The rates of which a verdict has the event.
fn rates_with_event(verdict: &Verdict) -> impl Iterator<Item = RateName> + '_ {
    let has_event = |judgement: &scorer::Judgement| match judgement {
        scorer::Judgement::Judged { events, .. } => events.trials > 0,
        scorer::Judgement::Unscored(_) => false,
    };
    verdict.checks.iter().filter(move |(_, judgement)| has_event(judgement)).map(|(rate, _)| *rate)
}

/// Whether a verdict has a counted finding of any rate, or shows that the behaviour was wrong.
fn is_caught(verdict: &Verdict) -> bool {
    rates_with_event(verdict).next().is_some() || verdict.behaviour == Behaviour::Wrong
}

/// Suites that the project ships, every kind of probe among them. Each probe of the first ones is put several
/// times, with other lies.
const SHIPPED: [&str; 13] = [
    "starter.yaml",
    "core.yaml",
    "failures.yaml",
    "defences.yaml",
    "ladder.yaml",
    "documents.yaml",
    "support.yaml",
    "messaging.yaml",
    "deployments.yaml",
    "customers.yaml",
    "bank.yaml",
    "files.yaml",
    "travel.yaml",
];

/// Requests of many tools are long, and are read slowly by a build that is not optimised: those of so many tools
/// at most are put more than once.
const FEW_TOOLS: usize = 40;

fn with_few_tools(probes: &[Arc<Probe>]) -> Vec<Arc<Probe>> {
    let few = |probe: &&Arc<Probe>| probe.offered.iter().all(|offer| offer.tools().len() <= FEW_TOOLS);
    probes.iter().filter(few).cloned().collect()
}

/// The suites whose probes are of more than the basic kinds; all of them with `TOOLMIRAGE_LONG=1`.
#[test]
fn the_liar_is_caught_on_every_probe_and_the_honest_model_on_none() {
    let mut caught: IndexMap<String, (usize, usize)> = IndexMap::new();
    let mut seen_rates: BTreeSet<RateName> = BTreeSet::new();
    let suites = if environment::test_setting("TOOLMIRAGE_LONG").is_some() { SHIPPED.len() } else { 5 };
    for (at, suite) in SHIPPED.into_iter().take(suites).enumerate() {
        for (catalog, probes) in shipped(suite) {
            let kinds: IndexMap<ProbeId, String> =
                probes.iter().map(|probe| (probe.id().clone(), probe.question.kind.clone())).collect();
            let few = Bench::new(&catalog, with_few_tools(&probes));
            let all = Bench::new(&catalog, probes);
            let benches = &[&all, &few, &few][..if at < 2 { 3 } else { 1 }];
            let (mut missed, mut trials) = (Vec::new(), 0);
            for (seed, bench) in benches.iter().enumerate() {
                bench.run(&format!("liar:seed={seed}"), |trial, verdict| {
                    trials += 1;
                    let (seen, of) = caught.entry(kinds[&trial.probe].clone()).or_default();
                    *of += 1;
                    *seen += usize::from(is_caught(verdict));
                    seen_rates.extend(rates_with_event(verdict));
                    if !is_caught(verdict) {
                        missed.push(trial.id().to_string());
                    }
                });
            }
            assert_eq!(trials, benches.iter().map(|bench| bench.probes.len()).sum::<usize>());
            assert!(missed.is_empty(), "{suite}: lies that were not caught: {missed:#?}");
            let mut blamed = Vec::new();
            for (seed, bench) in benches.iter().enumerate() {
                bench.run(&format!("honest:seed={seed}"), |trial, verdict| {
                    if is_caught(verdict) || verdict.behaviour != Behaviour::Right {
                        blamed.push((
                            trial.id().to_string(),
                            verdict.behaviour,
                            trial.turns.last().map(|t| t.observed.text()),
                        ));
                    }
                });
            }
            assert!(blamed.is_empty(), "{suite}: honest trials that are not right: {blamed:#?}");
        }
    }
    println!("lies caught, of trials: {caught:#?}");
    assert_eq!(caught.len(), probes::KINDS.len(), "a kind is missing");
    assert!(caught.values().all(|(seen, of)| *seen == *of), "{caught:#?}");
    let rates: BTreeSet<RateName> = scorer::METRICS.iter().map(|metric| metric.name).collect();
    let unseen: Vec<_> = rates.difference(&seen_rates).filter(|rate| !NOT_PLANTED.contains(rate)).collect();
    assert!(unseen.is_empty(), "rates that no lie raises: {unseen:?}");
}

/// Rates that the liar leaves alone: what a router is asked to run, and how a call is written, it never gets wrong.
const NOT_PLANTED: &[RateName] = &[RateName::InnerUnknown, RateName::Format];

/// What a decision says of a call, in the scorer's words.
fn class_of(truth: CallTruth) -> Class {
    match truth {
        CallTruth::Ok => Class::Ok,
        CallTruth::UnknownTool => Class::UnknownTool,
        CallTruth::ShadowCall => Class::ShadowCall,
        CallTruth::MisusedTool => Class::MisusedTool,
        CallTruth::HallucinatedArgument => Class::HallucinatedArgument,
    }
}

#[test]
fn verdicts_agree_with_the_decision_log_call_by_call() {
    let mut calls = 0;
    let mut wrong = Vec::new();
    for suite in SHIPPED.into_iter().take(2) {
        for (catalog, probes) in shipped(suite) {
            let probes = with_few_tools(&probes);
            // Whether a tool is misused is asked only where the probe enters that rate.
            let misuse_is_asked: IndexMap<ProbeId, bool> = probes
                .iter()
                .map(|probe| (probe.id().clone(), probe.expectation.side.contains(&RateName::MisusedTool)))
                .collect();
            let bench = Bench::new(&catalog, probes);
            for profile in ["honest", "careless", "careless:seed=2", "careless:seed=3", "liar", "liar:seed=2"]
            {
                let mut verdicts: Vec<(ProbeId, Verdict)> = Vec::new();
                let (_, decisions) = bench
                    .run(profile, |trial, verdict| verdicts.push((trial.probe.clone(), verdict.clone())));
                let turns = verdicts
                    .iter()
                    .flat_map(|(probe, verdict)| verdict.turns.iter().map(move |turn| (probe, turn)));
                let turns: Vec<_> = turns.collect();
                assert_eq!(turns.len(), decisions.len());
                for ((probe, turn), decision) in turns.into_iter().zip(&decisions) {
                    let structured = |surface: CallSurface| surface == CallSurface::Structured;
                    let asked = |class| match class {
                        Class::MisusedTool if !misuse_is_asked[probe] => Class::Ok,
                        class => class,
                    };
                    let decided: Vec<_> = decision
                        .calls
                        .iter()
                        .map(|call| {
                            (call.name.as_str(), structured(call.surface), asked(class_of(call.truth)))
                        })
                        .collect();
                    let judged: Vec<_> = turn
                        .calls
                        .iter()
                        .map(|call| {
                            let class = call.class.unwrap_or(Class::Ok);
                            (call.emitted_name.as_str(), call.surface == Surface::Structured, class)
                        })
                        .collect();
                    calls += decided.len();
                    if decided != judged {
                        wrong.push(format!("{profile} {probe}: decided {decided:?}, judged {judged:?}"));
                    }
                }
            }
        }
    }
    assert!(calls > 1_000, "only {calls} calls were compared");
    println!("{calls} calls compared");
    assert!(wrong.is_empty(), "{} of {calls}: {wrong:#?}", wrong.len());
}
