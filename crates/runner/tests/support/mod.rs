//! Probes, plans and models made up for tests.
#![allow(dead_code, reason = "each test program uses some of it")]

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use indexmap::IndexMap;
use jiff::Timestamp;
use probes::{
    Arm, ArmSettings, Catalog, ClaimLine, Expectation, Offered, Probe, ProbeLine, Question, RightBehaviour,
    Script, Step, Unlisted,
};
use runner::{
    Caps, HttpRequest, HttpResponse, Meter, Plan, PlannedCell, Redactor, RetryPolicy, RunFiles, Target,
    Transport, TransportError, provider,
};
use serde_json::{Value, json};
use transcript::{
    Cell, CellId, Fingerprint, Header, Message, ProbeId, RECORD_FORMAT, RawJson, RecordLine, Side,
    SuiteRecord, TargetId, TargetRecord, Tool, ToolName, Trial,
};

pub(crate) fn clock() -> Timestamp {
    "2027-02-18T09:00:00.5Z".parse().unwrap()
}

pub(crate) fn catalog() -> Arc<Catalog> {
    let tool = |name: &str, description: &str| {
        Arc::new(Tool {
            description: Some(RawJson::from_text(description)),
            input_schema: Some(
                RawJson::parse(r#"{"type":"object","properties":{"parcel_id":{"type":"string"}}}"#).unwrap(),
            ),
            ..Tool::named(name)
        })
    };
    let tools =
        vec![tool("get_parcel", "Returns one parcel."), tool("reroute_parcel", "Sends a parcel elsewhere.")];
    Arc::new(Catalog::new("depot/1", tools).unwrap())
}

/// A probe of one step; `id` may end in `@arm`.
pub(crate) fn probe(id: &str) -> Probe {
    probe_with(id, &["Where is parcel PX-1?"], Script::default(), ArmSettings::default())
}

/// A probe with a step for each text.
pub(crate) fn probe_with(id: &str, texts: &[&str], script: Script, settings: ArmSettings) -> Probe {
    let catalog = catalog();
    let steps: Vec<Step> =
        texts.iter().map(|text| Step { messages: vec![Message::user(text)], ..Step::default() }).collect();
    let expectation = Expectation {
        headline: Vec::new(),
        side: Vec::new(),
        every_arm: false,
        right: RightBehaviour::Call,
        earlier_right: Vec::new(),
        tool: Some(ToolName::new("get_parcel")),
        offered: true,
        decoys: Vec::new(),
        arguments: IndexMap::new(),
        unlisted: Unlisted::Grounding,
        missing: Vec::new(),
        allowed_reads: Vec::new(),
        family_reads: false,
        answer_is_fine: false,
        calls: Vec::new(),
        answer: None,
        claim: ClaimLine::None,
        must_pass: false,
    };
    let question = Question {
        id: ProbeId::new(id),
        hash: Fingerprint::of(id.as_bytes()),
        kind: "control".into(),
        arm: id.split_once('@').map(|(_, arm)| Arm(arm.to_owned())),
        task: id.split('.').next().unwrap().to_owned(),
        steps,
        prompt_suffix: None,
        settings,
        script,
        expectation: Arc::new(expectation.clone()),
        clock: None,
        draft: false,
        source: "written".into(),
        upstream: None,
        needs: Vec::new(),
    };
    let offered = texts.iter().map(|_| Offered::new(catalog.tools().to_vec())).collect();
    Probe {
        question: Arc::new(question),
        prompt: None,
        catalog,
        offered,
        expectation: Arc::new(expectation),
        sent_hash: Fingerprint::of(format!("sent {id}").as_bytes()),
    }
}

type Answer = dyn Fn(&Value) -> Result<HttpResponse, TransportError> + Send + Sync;

/// A model in process: a function from the parsed request to the response.
pub(crate) struct Scripted {
    answer: Box<Answer>,
    pub(crate) requests: Mutex<Vec<(Option<String>, Value)>>,
}

impl Transport for Scripted {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let answer = (self.answer)(&body);
        self.requests.lock().unwrap().push((request.trial, body));
        async move {
            tokio::task::yield_now().await;
            answer
        }
        .boxed()
    }
}

pub(crate) fn scripted(
    answer: impl Fn(&Value) -> Result<HttpResponse, TransportError> + Send + Sync + 'static,
) -> Arc<Scripted> {
    Arc::new(Scripted { answer: Box::new(answer), requests: Mutex::default() })
}

/// A response whose body has an id of its own.
pub(crate) fn respond(status: u16, mut body: Value) -> Result<HttpResponse, TransportError> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    if body.get("choices").is_some() && body.get("id").is_none() {
        body["id"] = json!(format!("chatcmpl-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    }
    Ok(HttpResponse { status, headers: Vec::new(), body: body.to_string().into() })
}

pub(crate) fn text(words: &str) -> Value {
    json!({ "model": "fern-2", "choices": [{ "message": { "role": "assistant", "content": words }, "finish_reason": "stop" }] })
}

pub(crate) fn calls(list: &[(&str, &str)]) -> Value {
    let calls: Vec<Value> = list
        .iter()
        .enumerate()
        .map(|(at, (name, arguments))| {
            json!({ "id": format!("c{at}"), "type": "function", "function": { "name": name, "arguments": arguments } })
        })
        .collect();
    json!({ "model": "fern-2", "choices": [{ "message": { "content": null, "tool_calls": calls }, "finish_reason": "tool_calls" }] })
}

/// How often the model was answered already in this conversation.
pub(crate) fn turns_so_far(request: &Value) -> usize {
    request["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "assistant").count()
}

pub(crate) fn target(transport: Arc<dyn Transport>) -> Target {
    Target {
        id: TargetId("t0".into()),
        provider: provider("openai_chat").unwrap(),
        model: "fern-2".into(),
        settings: IndexMap::new(),
        simulated: false,
        place: "http://depot.test/v1".into(),
        lane: "depot".into(),
        share: None,
        gateway: None,
        price: None,
        headers: Vec::new(),
        transport,
    }
}

pub(crate) fn plan(target: Target, probes: Vec<Probe>, repeats: u32) -> Plan {
    let probes = probes.into_iter().map(Arc::new).collect();
    Plan {
        run: "night-1".into(),
        cells: vec![PlannedCell { id: CellId("c0".into()), target: Arc::new(target), probes }],
        repeats,
        round: runner::Round::ONLY,
        seed: 7,
        max_turns: 6,
        concurrency: 4,
        request_deadline: Duration::from_secs(5),
        trial_deadline: None,
        retry: RetryPolicy {
            max_retries: 2,
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_millis(2),
            longest_asked: Duration::from_millis(50),
        },
        give_up_after: 3,
        meter: Arc::new(Meter::new(Caps::default())),
        recordings: None,
        cancel_grace: Duration::from_millis(200),
    }
}

pub(crate) fn header(plan: &Plan) -> Header {
    let cells = plan.cells.iter().map(|cell| Cell {
        id: cell.id.clone(),
        prompt: None,
        catalog: catalog().hash().clone(),
        target: cell.target.id.clone(),
        side: Side::Candidate,
        git_ref: None,
    });
    let record = TargetRecord {
        key_env: None,
        headers: IndexMap::new(),
        headers_env: IndexMap::new(),
        provider: "openai_chat".into(),
        model: "fern-2".into(),
        base_url: None,
        settings: IndexMap::new(),
        simulated: false,
        endpoint: transcript::EndpointProperties::default(),
        ..TargetRecord::default()
    };
    Header {
        format: RECORD_FORMAT.into(),
        toolmirage: "0.1.0".into(),
        run: plan.run.clone(),
        suite: SuiteRecord { name: "depot".into(), version: 1, hash: Fingerprint::of(b"depot") },
        catalogs: IndexMap::new(),
        prompts: IndexMap::new(),
        cells: cells.collect(),
        targets: IndexMap::from([(TargetId("t0".into()), record)]),
        repeats: plan.repeats,
        seed: plan.seed,
        max_turns: plan.max_turns,
        planned: plan.planned(),
        stale: Vec::new(),
        profile: None,
        against: None,
        confirm: 0,
        redact: Vec::new(),
    }
}

pub(crate) fn lines(plan: &Plan) -> Vec<ProbeLine> {
    plan.cells.iter().flat_map(|cell| cell.probes.iter().map(|probe| probe.line(&cell.id))).collect()
}

pub(crate) fn create(folder: &Path, plan: &Plan) -> RunFiles {
    RunFiles::create(folder, &header(plan), lines(plan), &Redactor::default()).unwrap()
}

pub(crate) fn resume(folder: &Path, plan: &Plan) -> Result<RunFiles, runner::RecordError> {
    RunFiles::resume(folder, &header(plan), lines(plan), &Redactor::default(), clock())
}

/// The trials of a record, and whether it is complete.
pub(crate) fn recorded(folder: &Path) -> (Vec<Trial>, bool) {
    let mut reader = runner::RecordReader::open(&folder.join(runner::RECORD_FILE)).unwrap();
    let mut trials = Vec::new();
    for line in &mut reader {
        if let RecordLine::Trial(trial) = line.unwrap() {
            trials.push(*trial);
        }
    }
    (trials, reader.is_complete())
}
