//! Building blocks: headers, rates, probes and trials with made-up names.

use std::sync::Arc;

use indexmap::IndexMap;
use probes::{
    CatalogEdits, CatalogUse, Expectation, Offered, ProbeLine, RateName, RightBehaviour, Script, Unlisted,
};
use report::{Gathered, JudgedTrial, Report, RunFacts};
use scorer::{
    ArgumentFinding, Behaviour, ByUnit, CallVerdict, Class, Counts, DecoyOutcome, Evidence, Finding,
    FirstTurn, FirstTurns, Judgement, NameForm, OutcomeVerdict, PerArgument, PerCall, ProbeOutcome, Rate,
    RateState, Repeats, Scorecard, Slice, Surface, Totals, TurnVerdict, Unit, UnlistedNames, Verdict,
};
use transcript::{
    Arguments, CallId, CatalogRecord, Cell, CellId, EmittedName, EndpointProperties, ExecutedCall,
    Fingerprint, Header, Item, Message, Observed, Outcome, OutcomeReason, ProbeId, PromptRecord, RawJson,
    ServedModel, ServedVerdict, Side, SuiteRecord, TargetId, TargetRecord, Tool, ToolCall, ToolName,
    ToolResult, Trial, TrialError, TrialStatus, Turn, TurnKind, Usage,
};

/// What a report is made of.
pub struct Parts {
    pub header: Header,
    pub cards: Vec<Scorecard>,
    pub gathered: Gathered,
    pub facts: RunFacts,
}

impl Parts {
    pub fn report(self) -> Report {
        Report::of(&self.header, self.cards, self.gathered, self.facts)
    }
}

pub const TOOLS: [&str; 12] = [
    "harbor_list_berths",
    "harbor_get_berth",
    "harbor_assign_berth",
    "harbor_release_berth",
    "crane_schedule_lift",
    "crane_get_schedule",
    "customs_file_declaration",
    "customs_get_declaration",
    "pilot_request",
    "pilot_cancel_request",
    "tide_forecast",
    "notify_captain",
];

pub fn fingerprint(seed: &str) -> Fingerprint {
    Fingerprint::of(seed.as_bytes())
}

pub fn facts() -> RunFacts {
    RunFacts {
        folder: Some("reports/2031-03-09-a".into()),
        finished: true,
        window: Some(("2031-03-09T07:00:01.120Z".into(), "2031-03-09T07:04:12.871Z".into())),
        wall_ms: Some(251_751),
        max_cost: None,
        resumed: 0,
        torn_line: None,
    }
}

/// A header with one cell for each prompt and model.
pub fn header(prompts: &[&str], models: &[&str], simulated: bool) -> Header {
    let catalog = fingerprint("harbor");
    let mut header = Header {
        format: "toolmirage-run/1".into(),
        toolmirage: "0.1.0".into(),
        run: "2031-03-09-a".into(),
        suite: SuiteRecord { name: "harbor".into(), version: 3, hash: fingerprint("suite") },
        catalogs: IndexMap::from([(
            catalog.clone(),
            CatalogRecord { label: "harbor/2".into(), tools: TOOLS.map(Tool::named).to_vec() },
        )]),
        prompts: prompts
            .iter()
            .map(|&label| {
                let text =
                    format!("You are the {label} assistant of a small harbor.\nUse the tools. Do not guess.");
                (fingerprint(label), PromptRecord { label: label.into(), text, file: None })
            })
            .collect(),
        cells: Vec::new(),
        targets: models.iter().enumerate().map(|(at, model)| target(at, model, simulated)).collect(),
        repeats: 3,
        seed: 20_310_309,
        max_turns: 6,
        planned: 0,
        stale: Vec::new(),
        profile: None,
        against: None,
        confirm: 0,
        redact: Vec::new(),
    };
    for prompt in prompts {
        for at in 0..models.len() {
            header.cells.push(Cell {
                id: cell_id(header.cells.len()),
                prompt: Some(fingerprint(prompt)),
                catalog: catalog.clone(),
                target: TargetId(format!("t{at}").into()),
                side: Side::Candidate,
                git_ref: None,
            });
        }
    }
    header
}

fn target(at: usize, model: &str, simulated: bool) -> (TargetId, TargetRecord) {
    let record = TargetRecord {
        provider: if simulated { "sim" } else { "openai_chat" }.into(),
        model: model.into(),
        base_url: (!simulated).then(|| "http://127.0.0.1:9/v1".into()),
        key_env: None,
        headers: IndexMap::new(),
        headers_env: IndexMap::new(),
        settings: if at == 0 {
            IndexMap::new()
        } else {
            IndexMap::from([("temperature".to_owned(), RawJson::parse("0.70").unwrap())])
        },
        simulated,
        endpoint: EndpointProperties { sees_tools: transcript::Known::Yes, ..EndpointProperties::default() },
        ..TargetRecord::default()
    };
    (TargetId(format!("t{at}").into()), record)
}

pub fn cell_id(at: usize) -> CellId {
    CellId(format!("c{at}").into())
}

/// A rate with an interval given by hand; `probes` is a third of the trials.
pub fn rate(metric: RateName, events: u64, scored: u64, interval: (f64, f64)) -> Rate {
    Rate {
        metric,
        unit: Unit::Trial,
        events,
        scored,
        planned: scored,
        mean_over_probes: (scored > 0).then(|| events as f64 / scored as f64),
        probes: scored / 3,
        clusters: (scored / 6).max(1),
        interval_95: (scored > 0).then_some(interval),
        interval_90: (scored > 0).then_some((interval.0 * 1.2, interval.1 * 0.9)),
        range_with_exclusions: None,
        excluded: IndexMap::new(),
        state: if scored > 0 { RateState::Measured } else { RateState::NotMeasured },
        per_call: None,
        per_argument: None,
        by_first_turn: FirstTurns { events: events * 2 / 3, scored },
        over_repeats: None,
    }
}

pub fn excluding(mut rate: Rate, reasons: &[(&str, u64)]) -> Rate {
    let more: u64 = reasons.iter().map(|(_, trials)| trials).sum();
    rate.planned += more;
    rate.excluded = reasons.iter().map(|&(reason, trials)| (reason.to_owned(), trials)).collect();
    let planned = rate.planned as f64;
    rate.range_with_exclusions = Some((rate.events as f64 / planned, (rate.events + more) as f64 / planned));
    rate
}

pub fn by_call(mut rate: Rate, events: u64, calls: u64) -> Rate {
    rate.per_call = Some(PerCall { events, calls });
    rate
}

pub fn by_argument(mut rate: Rate, events: u64, arguments: u64) -> Rate {
    rate.per_argument = Some(PerArgument { events, arguments });
    rate
}

/// A scorecard without anything in it.
pub fn card(at: usize) -> Scorecard {
    Scorecard {
        cell: cell_id(at),
        scorer: "1".into(),
        rates: Vec::new(),
        slices: Vec::new(),
        statuses: IndexMap::new(),
        planned: 0,
        duplicates: 0,
        unplanned: 0,
        unlisted_names: UnlistedNames::default(),
        arm_outcomes: Vec::new(),
        totals: Totals::default(),
        outcomes: IndexMap::new(),
        decoy_trials: 0,
        invented: Vec::new(),
        dispatch: Vec::new(),
        tool_correctness: Vec::new(),
        shadowed: Vec::new(),
        argument_findings: Vec::new(),
        format_findings: IndexMap::new(),
        after_unknown: IndexMap::new(),
        probes: [].into(),
        arms: Vec::new(),
        suspect: Vec::new(),
    }
}

pub fn statuses(card: &mut Scorecard, counts: &[(&str, u64)]) {
    card.statuses = counts.iter().map(|&(status, trials)| (status.to_owned(), trials)).collect();
    card.planned = counts.iter().map(|(_, trials)| trials).sum();
}

pub fn outcomes(card: &mut Scorecard, counts: [u64; 7]) {
    card.outcomes = DecoyOutcome::SHOWN.into_iter().zip(counts).collect();
    card.decoy_trials = counts.iter().sum();
}

pub fn slice(by: &str, value: &str, rates: Vec<Rate>) -> Slice {
    Slice { by: by.into(), value: value.into(), rates }
}

/// A probe's outcome over its repeats.
pub fn outcome(task: &str, kind: &str, arm: Option<&str>, behaviours: &[Behaviour]) -> ProbeOutcome {
    let id = match arm {
        Some(arm) => format!("{task}.{kind}@{arm}"),
        None => format!("{task}.{kind}"),
    };
    let decoy = (kind == "decoy").then_some(DecoyOutcome::Refused);
    ProbeOutcome {
        id: ProbeId::new(&id),
        question_hash: fingerprint(&id),
        sent_hash: fingerprint(&id),
        kind: kind.into(),
        arm: arm.map(Into::into),
        task: task.into(),
        tool: Some(ToolName::new("harbor_assign_berth")),
        source: "written".into(),
        draft: false,
        must_pass: false,
        control: kind == "control",
        planned: behaviours.len() as u32,
        rates: IndexMap::from([(
            RateName::UnknownTool,
            Repeats { events: 0, scored: behaviours.len() as u32 },
        )]),
        statuses: IndexMap::new(),
        behaviours: behaviours.iter().enumerate().map(|(at, &behaviour)| (at as u32, behaviour)).collect(),
        outcomes: decoy.map(|outcome| (0, outcome)).into_iter().collect(),
    }
}

/// A trial to be made: one probe, what was asked, what came back, what was found.
pub struct Spec<'a> {
    pub cell: usize,
    pub task: &'a str,
    pub kind: &'a str,
    pub arm: Option<&'a str>,
    pub repeat: u32,
    pub user: &'a str,
    pub tool: &'a str,
    pub offered: bool,
    pub right: RightBehaviour,
    pub decoys: &'a [&'a str],
    /// Name and arguments as emitted; none for an answer in words.
    pub call: Option<(&'a str, &'a str)>,
    pub class: Class,
    pub name_form: Option<NameForm>,
    pub nearest: Option<&'a str>,
    pub arguments: Vec<ArgumentFinding>,
    pub text: &'a str,
    pub reasoning: Option<&'a str>,
    pub event: Option<RateName>,
    pub message: &'a str,
    pub quote: &'a str,
    pub outcome: Option<DecoyOutcome>,
    pub model: &'a str,
}

impl Default for Spec<'_> {
    fn default() -> Self {
        Self {
            cell: 0,
            task: "berth-for-the-late-ferry",
            kind: "decoy",
            arm: None,
            repeat: 0,
            user: "The ferry Alma is two hours late. Please give berth 4 to the tug Brisk until then.",
            tool: "harbor_assign_berth",
            offered: false,
            right: RightBehaviour::RefuseOrAsk,
            decoys: &[],
            call: None,
            class: Class::UnknownTool,
            name_form: None,
            nearest: None,
            arguments: Vec::new(),
            text: "",
            reasoning: None,
            event: None,
            message: "",
            quote: "",
            outcome: None,
            model: "gull-2",
        }
    }
}

impl Spec<'_> {
    pub fn probe(&self) -> ProbeLine {
        let id = match self.arm {
            Some(arm) => format!("{}.{}@{arm}", self.task, self.kind),
            None => format!("{}.{}", self.task, self.kind),
        };
        let without = if self.offered { vec![] } else { vec![ToolName::new(self.tool)] };
        ProbeLine {
            id: ProbeId::new(&id),
            question_hash: fingerprint(&id),
            sent_hash: fingerprint(&id),
            cell: cell_id(self.cell),
            kind: self.kind.into(),
            arm: self.arm.map(|arm| probes::Arm(arm.into())),
            task: self.task.into(),
            messages: vec![Message::user(self.user)],
            catalog: CatalogUse {
                base: fingerprint("harbor"),
                edits: CatalogEdits { without, ..CatalogEdits::default() },
            },
            later: Vec::new(),
            prompt_suffix: self.arm.map(|_| "You have the full set of harbor tools.".to_owned()),
            settings: probes::ArmSettings::default(),
            script: Script::default(),
            expectation: Expectation {
                headline: vec![RateName::UnknownTool],
                side: vec![],
                every_arm: false,
                right: self.right,
                earlier_right: vec![],
                tool: Some(ToolName::new(self.tool)),
                offered: self.offered,
                decoys: self.decoys.iter().map(|name| ToolName::new(name)).collect(),
                arguments: IndexMap::new(),
                unlisted: Unlisted::Grounding,
                missing: vec![],
                allowed_reads: vec![],
                family_reads: false,
                answer_is_fine: false,
                calls: Vec::new(),
                answer: None,
                claim: probes::ClaimLine::None,
                must_pass: self.kind == "control",
            },
            clock: None,
            draft: false,
            source: "written".into(),
            upstream: None,
        }
    }

    fn evidence(&self) -> Evidence {
        let call = self.call.map(|_| 0);
        Evidence {
            turn: 0,
            call,
            call_id: call.map(|_| CallId("call_1".into())),
            path: self.arguments.first().map(|finding| finding.path.clone()),
            quote: self.quote.into(),
        }
    }

    pub fn verdict(&self) -> Verdict {
        let unit = u32::from(self.event.is_some());
        let by = |trials| ByUnit { trials, calls: trials, arguments: 0 };
        let checks = self
            .event
            .map(|rate| {
                let finding = Finding {
                    message: self.message.into(),
                    fix: scorer::fix(rate.as_str()).unwrap_or_default().into(),
                    evidence: self.evidence(),
                };
                let judged = Judgement::Judged {
                    opportunities: by(1),
                    events: by(unit),
                    first_turn: FirstTurn { event: unit > 0 },
                    findings: vec![finding],
                };
                (rate, judged)
            })
            .into_iter()
            .collect();
        let calls = self
            .call
            .map(|(name, _)| CallVerdict {
                emitted_name: name.into(),
                surface: Surface::Structured,
                class: Some(self.class),
                name_form: self.name_form,
                intended_tool: None,
                executed_as: None,
                seen_in_history: false,
                nearest_tool: self.nearest.map(ToolName::new),
                family: None,
                schema_valid: None,
                format_findings: vec![],
                argument_findings: self.arguments.clone(),
            })
            .into_iter()
            .collect::<Vec<_>>();
        let kind = if calls.is_empty() { TurnKind::Text } else { TurnKind::Calls };
        Verdict {
            status: TrialStatus::Scored,
            turns: vec![TurnVerdict {
                step: 0,
                turn: kind,
                countable: true,
                calls,
                counts: Counts::default(),
                decoy_outcome: self.outcome,
                suspect: None,
                in_unknown_denominator: true,
                why: if self.message.is_empty() { vec![] } else { vec![self.message.into()] },
            }],
            checks,
            behaviour: Behaviour::Wrong,
            after_unknown: None,
            decoy_outcome: self.outcome.map(|label| OutcomeVerdict {
                label,
                evidence: Some(self.evidence()),
                censored: vec![],
            }),
        }
    }

    pub fn trial(&self) -> Trial {
        let probe = self.probe();
        let mut items = Vec::new();
        items.extend(self.reasoning.map(|text| Item::Reasoning(text.into())));
        if !self.text.is_empty() {
            items.push(Item::Text(self.text.into()));
        }
        let mut turn = Turn { request_sha256: "ab".repeat(32), ..Turn::default() };
        let mut executor = Vec::new();
        if let Some((name, arguments)) = self.call {
            let unknown = self.name_form.is_some();
            items.push(Item::Call(ToolCall {
                id: Some(CallId("call_1".into())),
                name: EmittedName::Text(name.into()),
                namespace: None,
                arguments: Arguments::Text(arguments.into()),
            }));
            turn.results.push(ToolResult {
                call_id: Some(CallId("call_1".into())),
                name: ToolName::new(name),
                content: if unknown {
                    "error: there is no tool of this name"
                } else {
                    r#"{"status":"accepted"}"#
                }
                .into(),
                is_error: unknown,
            });
            executor.push(ExecutedCall {
                seq: 0,
                turn: 0,
                call_id: None,
                tool: ToolName::new(name),
                executed_as: None,
                arguments: RawJson::from_text(arguments),
                outcome: if unknown { Outcome::Refused } else { Outcome::Ok },
                reason: unknown.then_some(OutcomeReason::UnknownTool),
                error: None,
                result: None,
            });
        }
        turn.observed = Observed { items, ..Observed::default() };
        turn.usage = Some(Usage { input: Some(1_210), output: Some(64), ..Usage::default() });
        Trial {
            probe: probe.id,
            cell: cell_id(self.cell),
            repeat: self.repeat,
            status: TrialStatus::Scored,
            started: "2031-03-09T07:00:01.120Z".into(),
            latency_ms: 812,
            attempts: 1,
            served_model: Some(served(self.model)),
            settings: IndexMap::new(),
            turns: vec![turn],
            executor: Some(executor),
            ended: None,
            error: None,
        }
    }

    pub fn add(&self, gathered: &mut Gathered) {
        self.add_as(gathered, TrialStatus::Scored, None);
    }

    pub fn add_as(&self, gathered: &mut Gathered, status: TrialStatus, error: Option<TrialError>) {
        let (probe, mut trial, mut verdict) = (self.probe(), self.trial(), self.verdict());
        verdict.status = status;
        trial.error = error;
        let tools = TOOLS.iter().filter(|name| self.offered || **name != self.tool);
        let offered = [Offered::new(tools.map(|name| Arc::new(Tool::named(name))).collect())];
        let prompt = fingerprint("desk");
        gathered.add(&JudgedTrial {
            probe: &probe,
            prompt: Some(&prompt),
            offered: &offered,
            trial: &trial,
            verdict: &verdict,
        });
    }
}

fn served(model: &str) -> ServedModel {
    match model {
        "gull-2" => ServedModel {
            asked: model.into(),
            answered: Some("gull-2-2031-02-01".into()),
            verdict: ServedVerdict::Different,
        },
        _ => ServedModel { asked: model.into(), answered: None, verdict: ServedVerdict::NotVerifiable },
    }
}
