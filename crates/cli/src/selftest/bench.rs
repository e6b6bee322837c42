//! A bench: probes of one catalog, put to a simulated model in memory through the runner, scored as any run is, with
//! what the model decided beside each trial.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use indexmap::IndexMap;
use probes::{Catalog, Probe};
use runner::{
    HttpRequest, HttpResponse, Plan, PlannedCell, RetryPolicy, RunEvent, RunFiles, Transport, TransportError,
};
use scorer::{Scorecard, Verdict};
use sim::{Conduct, Decision, Profile, Sim};
use tokio_util::sync::CancellationToken;
use transcript::{
    CatalogRecord, Cell, CellId, EndpointProperties, Fingerprint, Header, Known, RECORD_FORMAT, Side,
    SuiteRecord, TargetId, TargetRecord, Tool, Trial,
};

use crate::error::Failure;
use crate::scoring::Scoring;
use crate::sim_script;

/// What becomes of every request to a simulated model: its decision is kept.
struct Watched {
    sim: Sim,
    decisions: Mutex<Vec<Decision>>,
}

impl Transport for Watched {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let reply = self.sim.respond(request.trial.as_deref(), &request.body);
        self.decisions.lock().unwrap_or_else(PoisonError::into_inner).extend(reply.decision);
        async move {
            Ok(HttpResponse { status: reply.status, headers: Vec::new(), body: Bytes::from(reply.body) })
        }
        .boxed()
    }
}

/// Probes of one catalog, and what a record's header says of them.
pub(crate) struct Bench {
    pub(crate) header: Header,
    pub(crate) probes: Vec<Arc<Probe>>,
    /// Knows the script; each model that is asked is it with another profile.
    sim: Sim,
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
            toolmirage: env!("CARGO_PKG_VERSION").into(),
            run: "planted".into(),
            suite: SuiteRecord { name: "planted".into(), version: 1, hash: Fingerprint::of(b"") },
            catalogs: IndexMap::from([(catalog.hash().clone(), record)]),
            prompts: prompts.collect(),
            cells: vec![Cell {
                id: cell_id(),
                prompt: prompt.map(|prompt| prompt.hash.clone()),
                catalog: catalog.hash().clone(),
                target: target_id(),
                side: Side::Candidate,
                git_ref: None,
            }],
            targets: IndexMap::from([(target_id(), target)]),
            repeats: 1,
            seed: 1,
            max_turns: 6,
            planned: probes.len() as u64,
            stale: Vec::new(),
            profile: None,
            against: None,
            confirm: 0,
            redact: Vec::new(),
        };
        let honest = Profile { conduct: Conduct::Honest, seed: None };
        let sim = Sim::new(honest, sim_script::of(&probes), 1);
        Self { header, probes, sim }
    }

    /// Puts every probe once and hands each judged trial on; gives the scored cell and all decisions.
    ///
    /// # Errors
    /// The profile cannot be read, or the run cannot start.
    pub(crate) fn run(
        &self,
        profile: &str,
        mut each: impl FnMut(&Trial, &Verdict) + Send,
    ) -> Result<(Scorecard, Vec<Decision>), Failure> {
        let profile: Profile = profile.parse()?;
        let watched =
            Arc::new(Watched { sim: self.sim.with_profile(profile, 1), decisions: Mutex::new(Vec::new()) });
        let plan = self.plan(Arc::clone(&watched) as Arc<dyn Transport>)?;
        let mut scoring = Scoring::new(self.header.clone(), Path::new("memory"));
        for probe in &self.probes {
            scoring.planned(probe, &cell_id());
        }
        let mut on_event = |event: RunEvent<'_>| {
            let RunEvent::Trial { trial, .. } = event;
            if let Some(verdict) = scoring.trial(trial) {
                each(trial, &verdict);
            }
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let clock = || jiff::Timestamp::UNIX_EPOCH;
        let mut files = RunFiles::in_memory();
        let cancel = CancellationToken::new();
        let run = runner::run(&plan, &mut files, &clock, &cancel, &mut on_event);
        runtime.block_on(run)?;
        let Some(card) = scoring.finish(true, None).scorecards.pop() else {
            return Err(Failure::invalid("nothing was put to the simulated model"));
        };
        let decisions =
            std::mem::take(&mut *watched.decisions.lock().unwrap_or_else(PoisonError::into_inner));
        Ok((card, decisions))
    }

    fn plan(&self, transport: Arc<dyn Transport>) -> Result<Plan, Failure> {
        let Some(provider) = runner::provider(crate::targets::SIM_SPEAKS) else {
            return Err(Failure::usage("this build does not speak the simulated model's wire format"));
        };
        let target = runner::Target {
            id: target_id(),
            provider,
            model: "planted".into(),
            settings: IndexMap::new(),
            simulated: true,
            place: "memory".into(),
            lane: "memory".into(),
            share: None,
            gateway: None,
            price: None,
            headers: Vec::new(),
            transport,
        };
        let cell = PlannedCell { id: cell_id(), target: Arc::new(target), probes: self.probes.clone() };
        Ok(Plan {
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
        })
    }
}

fn cell_id() -> CellId {
    CellId("c0".into())
}

fn target_id() -> TargetId {
    TargetId("t0".into())
}
