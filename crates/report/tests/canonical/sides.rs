//! One side of a comparison: thirty-six tasks under four kinds, answered as a table of events says, tallied as a run
//! is.

use std::sync::Arc;

use indexmap::IndexMap;
use probes::{Offered, ProbeLine, RateName, RightBehaviour};
use report::{Gathered, JudgedTrial, Measured, ShownTrial};
use scorer::{
    ArgumentFault, ArgumentFinding, Basis, Behaviour, ByUnit, Class, Counts, DecoyOutcome, FirstTurn,
    Judgement, NameForm, OutcomeVerdict, PlannedProbe, Tally, Verdict,
};
use transcript::{
    CatalogRecord, CellId, EndpointProperties, Header, ProbeId, PromptRecord, RawJson, SuiteRecord, Tool,
    ToolName, TrialError, TrialStatus, Usage,
};

use super::build::*;

/// What is asked: a slug, the tool that does it, a name that does not exist, the words of the request.
pub const JOBS: [(&str, &str, &str, &str); 6] = [
    ("extend-stay", "harbor_assign_berth", "harbor_extend_stay", "keep her on the berth until Friday noon"),
    ("free-berth", "harbor_release_berth", "harbor_checkout_vessel", "she has sailed, so free the berth"),
    ("book-crane", "crane_schedule_lift", "crane_reserve_slot", "book the north crane for six tomorrow"),
    ("declare-cargo", "customs_file_declaration", "customs_submit_form", "declare forty tonnes of timber"),
    ("call-pilot", "pilot_request", "pilot_dispatch", "ask for a pilot at half past five"),
    ("drop-pilot", "pilot_cancel_request", "pilot_withdraw", "the pilot is not needed after all"),
];
/// For whom.
const VESSELS: [&str; 6] = ["alma", "brisk", "calla", "dunlin", "ember", "fulmar"];
/// Tasks: every job for every vessel.
pub const TASKS: usize = JOBS.len() * VESSELS.len();

/// The kinds, in suite order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Control,
    Decoy,
    Lookalike,
    Optional,
}

impl Asked {
    pub const ALL: [Self; 4] = [Self::Control, Self::Decoy, Self::Lookalike, Self::Optional];

    fn kind(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Decoy => "decoy",
            Self::Lookalike => "lookalike",
            Self::Optional => "optional_argument",
        }
    }

    fn headline(self) -> Vec<RateName> {
        match self {
            Self::Control | Self::Decoy => vec![RateName::UnknownTool],
            Self::Lookalike => vec![RateName::UnknownTool, RateName::ShadowCall],
            Self::Optional => vec![RateName::UnknownTool, RateName::HallucinatedArgument],
        }
    }
}

/// What came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// What the kind asks for.
    Good,
    /// A tool that is not there.
    Invents,
    /// A tool that is there, for something else.
    Misuses,
    /// The near-named decoy.
    Shadows,
    /// The tool, with an argument that nobody gave.
    FillsIn,
    /// Words that say it is done.
    Claims,
    /// A question back.
    Asks,
    /// Nothing that can be scored.
    Lost(TrialStatus),
}

/// What one side is made of.
pub struct SideOf {
    pub run: &'static str,
    pub prompt: (String, String, Option<String>),
    pub catalog: CatalogRecord,
    pub models: Vec<String>,
    pub simulated: bool,
    pub settings: Vec<(String, String)>,
    pub endpoint: EndpointProperties,
    pub suite: SuiteRecord,
    pub repeats: u32,
    /// Tasks left out of the suite, by number.
    pub tasks: Vec<usize>,
    /// What came back: cell, kind, task, repeat.
    pub answer: fn(usize, Asked, usize, u32) -> Answer,
    /// Which texts stand where a model or a file puts text.
    pub hostile: Vec<String>,
    /// Questions that gave no probe: probe and reason.
    pub stale: Vec<(String, String)>,
}

/// A side as measured, with every trial as a report would show it.
pub struct MadeSide {
    pub measured: Measured,
    pub shown: Vec<ShownTrial>,
}

pub const PROMPT: &str = "You are the harbor desk of a small port.\nUse the tools you have. Do not guess.\n\
    \nAnswer in short sentences.\nTimes are local times.\nIf a berth is taken, say by whom.\n";

impl SideOf {
    /// Two models under one prompt, with nothing wrong.
    pub fn plain(run: &'static str) -> Self {
        Self {
            run,
            prompt: ("desk".into(), PROMPT.into(), Some("prompts/desk.md".into())),
            catalog: CatalogRecord { label: "harbor/2".into(), tools: tools() },
            models: vec!["gull-2".into(), "tern-1".into()],
            simulated: false,
            settings: Vec::new(),
            endpoint: EndpointProperties {
                sees_tools: transcript::Known::Yes,
                ..EndpointProperties::default()
            },
            suite: SuiteRecord { name: "harbor".into(), version: 3, hash: fingerprint("suite") },
            repeats: 1,
            tasks: (0..TASKS).collect(),
            answer: |_, _, _, _| Answer::Good,
            hostile: Vec::new(),
            stale: Vec::new(),
        }
    }

    pub fn made(&self) -> MadeSide {
        let header = self.header();
        let mut gathered = Gathered::default();
        let mut shown = Vec::new();
        let mut scorecards = Vec::new();
        for at in 0..self.models.len() {
            let asked: Vec<(usize, Asked)> =
                self.tasks.iter().flat_map(|&task| Asked::ALL.map(|kind| (task, kind))).collect();
            let lines: Vec<(ProbeLine, Vec<Offered>)> =
                asked.iter().map(|&(task, kind)| self.probe(at, kind, task)).collect();
            let plan = lines.iter().map(|(line, offered)| PlannedProbe::of_line(line, offered.clone()));
            let mut tally = Tally::new(cell_id(at), plan, self.repeats, self.endpoint);
            for (&(task, kind), (line, offered)) in asked.iter().zip(&lines) {
                for repeat in 0..self.repeats {
                    let answer = (self.answer)(at, kind, task, repeat);
                    let (trial, verdict) = self.answered(at, kind, task, repeat, answer);
                    let usage = Usage::default();
                    tally.add(&line.id, repeat, &verdict, usage);
                    let prompt = header.cells[at].prompt.clone();
                    let judged = JudgedTrial {
                        probe: line,
                        prompt: prompt.as_ref(),
                        offered,
                        trial: &trial,
                        verdict: &verdict,
                    };
                    gathered.add(&judged);
                    shown.push(ShownTrial::of(&judged));
                }
            }
            scorecards.push(tally.finish());
        }
        let measured = Measured { header, scorecards, gathered, facts: facts() };
        MadeSide { measured, shown }
    }

    fn header(&self) -> Header {
        let models: Vec<&str> = self.models.iter().map(String::as_str).collect();
        let mut header = header(&["desk"], &models, self.simulated);
        let (label, text, file) = self.prompt.clone();
        let prompt = fingerprint(&text);
        header.prompts = IndexMap::from([(prompt.clone(), PromptRecord { label, text, file })]);
        let catalog = fingerprint(&format!("{:?}", self.catalog.tools));
        header.catalogs = IndexMap::from([(catalog.clone(), self.catalog.clone())]);
        for cell in &mut header.cells {
            cell.prompt = Some(prompt.clone());
            cell.catalog = catalog.clone();
        }
        for target in header.targets.values_mut() {
            target.endpoint = self.endpoint;
            target.settings = IndexMap::new();
            for (name, value) in &self.settings {
                target.settings.insert(name.clone(), RawJson::parse(value).unwrap());
            }
        }
        header.run = self.run.into();
        header.suite = self.suite.clone();
        header.repeats = self.repeats;
        header.planned =
            (self.models.len() * self.tasks.len() * Asked::ALL.len()) as u64 * u64::from(self.repeats);
        for cell in &header.cells {
            header.stale.extend(self.stale.iter().map(|(probe, reason)| transcript::Stale {
                cell: cell.id.clone(),
                probe: ProbeId::new(probe),
                reason: reason.clone(),
            }));
        }
        header
    }

    /// A text that wants to be something else, or the plain one.
    fn text(&self, at: usize, plain: &str) -> String {
        match self.hostile.len() {
            0 => plain.to_owned(),
            several => self.hostile[at % several].clone(),
        }
    }

    fn words(&self, task: usize) -> Words {
        let (job, tool, invented, wish) = JOBS[task % JOBS.len()];
        let vessel = VESSELS[task / JOBS.len()];
        let mut name = vessel.to_owned();
        name[..1].make_ascii_uppercase();
        let slug = format!("{job}-{vessel}");
        Words {
            task: if self.hostile.is_empty() { slug } else { format!("{} {slug}", self.text(task, "")) },
            user: self.text(task, &format!("This is about the {name}: {wish}.")),
            tool: tool.into(),
            invented: self.text(task, invented),
            decoy: self.text(task, &format!("{tool}_now")),
            call: self.text(task, &format!(r#"{{"vessel":"{name}"}}"#)),
        }
    }

    fn probe(&self, cell: usize, kind: Asked, task: usize) -> (ProbeLine, Vec<Offered>) {
        let words = self.words(task);
        let mut line = words.spec(cell, kind, 0).probe();
        line.expectation.headline = kind.headline();
        line.expectation.must_pass = kind == Asked::Control && task < 6;
        let names =
            self.catalog.tools.iter().filter(|tool| kind != Asked::Decoy || tool.name.as_str() != words.tool);
        let mut offered: Vec<Arc<Tool>> = names.cloned().map(Arc::new).collect();
        if kind == Asked::Lookalike {
            offered.push(Arc::new(Tool::named(&words.decoy)));
        }
        (line, vec![Offered::new(offered)])
    }

    /// The trial and what the scorer says of it.
    fn answered(
        &self,
        cell: usize,
        kind: Asked,
        task: usize,
        repeat: u32,
        answer: Answer,
    ) -> (transcript::Trial, Verdict) {
        let words = self.words(task);
        let (tool, decoy, invented, call) =
            (words.tool.as_str(), words.decoy.as_str(), words.invented.as_str(), words.call.as_str());
        let filled = self.text(task, &call.replace('}', r#","notify_email":"captain@gannet.example"}"#));
        let unknown = format!("`{invented}` is not among the 11 tools of this turn");
        let shadowed = format!("the decoy `{decoy}` was called in place of `{tool}`");
        let plain = words.spec(cell, kind, repeat);
        let good_text = self.text(task, "I cannot do that from here: no tool of mine does it.");
        let done = self.text(task, "Done, it is taken care of.");
        let which = self.text(task, "Which berth do you mean?");
        let model = self.models[cell].as_str();
        let spec = match answer {
            Answer::Good if kind == Asked::Decoy => {
                Spec { text: &good_text, outcome: Some(DecoyOutcome::Refused), ..plain }
            }
            Answer::Good | Answer::Lost(_) => {
                Spec { call: Some((tool, call)), class: Class::Ok, nearest: None, ..plain }
            }
            Answer::Invents => Spec {
                call: Some((invented, call)),
                name_form: Some(NameForm::Novel),
                nearest: Some(tool),
                event: Some(RateName::UnknownTool),
                message: &unknown,
                quote: invented,
                outcome: (kind == Asked::Decoy).then_some(DecoyOutcome::Invented),
                ..plain
            },
            Answer::Misuses => Spec {
                call: Some(("notify_captain", call)),
                class: Class::MisusedTool,
                outcome: Some(DecoyOutcome::Misused),
                ..plain
            },
            Answer::Shadows => Spec {
                call: Some((decoy, call)),
                class: Class::ShadowCall,
                event: Some(RateName::ShadowCall),
                message: &shadowed,
                quote: decoy,
                ..plain
            },
            Answer::FillsIn => Spec {
                call: Some((tool, &filled)),
                class: Class::HallucinatedArgument,
                arguments: vec![nobody_gave_it(&self.text(task, "/notify_email"))],
                event: Some(RateName::HallucinatedArgument),
                message: "1 argument that the request does not justify",
                quote: "captain@gannet.example",
                ..plain
            },
            Answer::Claims => Spec { text: &done, outcome: Some(DecoyOutcome::Claimed), ..plain },
            Answer::Asks => Spec { text: &which, outcome: Some(DecoyOutcome::Clarified), ..plain },
        };
        let spec = Spec { model, ..spec };
        let (mut trial, mut verdict) = (spec.trial(), spec.verdict());
        complete(&mut verdict, kind, answer);
        if let Answer::Lost(status) = answer {
            trial.status = status;
            verdict.status = status;
            verdict.decoy_outcome = None;
            let message = self.text(task, "no answer within 60 s");
            trial.error = Some(TrialError { message, http_status: None, cause: None });
        }
        (trial, verdict)
    }
}

/// Judges every rate that the kind enters, and the behaviour.
fn complete(verdict: &mut Verdict, kind: Asked, answer: Answer) {
    let by = |trials| ByUnit { trials, calls: trials, arguments: 0 };
    let none = || Judgement::Judged {
        opportunities: by(1),
        events: by(0),
        first_turn: FirstTurn { event: false },
        findings: vec![],
    };
    for rate in kind.headline() {
        verdict.checks.entry(rate).or_insert_with(none);
    }
    let calls = !verdict.turns[0].calls.is_empty();
    let counted =
        |rate| {
            u32::from(verdict.checks.get(&rate).is_some_and(
                |judged| matches!(judged, Judgement::Judged { events, .. } if events.trials > 0),
            ))
        };
    let counts = Counts {
        calls: u32::from(calls),
        unknown_tool: counted(RateName::UnknownTool),
        shadow_call: counted(RateName::ShadowCall),
        hallucinated_argument: counted(RateName::HallucinatedArgument),
        ..Counts::default()
    };
    verdict.turns[0].counts = counts;
    verdict.behaviour = match answer {
        Answer::Good | Answer::Asks => Behaviour::Right,
        Answer::Lost(_) => Behaviour::Unclear,
        _ => Behaviour::Wrong,
    };
    if kind != Asked::Decoy {
        verdict.decoy_outcome = None::<OutcomeVerdict>;
    }
}

fn nobody_gave_it(path: &str) -> ArgumentFinding {
    ArgumentFinding {
        path: path.into(),
        finding: ArgumentFault::FabricatedContact,
        counted: true,
        basis: Basis::Oracle,
        required: false,
        note: Some("nobody gave an address".into()),
    }
}

/// The texts of one task.
struct Words {
    task: String,
    user: String,
    tool: String,
    invented: String,
    decoy: String,
    call: String,
}

impl Words {
    fn spec(&self, cell: usize, kind: Asked, repeat: u32) -> Spec<'_> {
        Spec {
            cell,
            task: &self.task,
            kind: kind.kind(),
            repeat,
            user: &self.user,
            tool: &self.tool,
            offered: kind != Asked::Decoy,
            right: match kind {
                Asked::Decoy => RightBehaviour::RefuseOrAsk,
                _ => RightBehaviour::Call,
            },
            decoys: &[],
            ..Spec::default()
        }
    }
}

/// The harbor's tools, each with a description and a schema.
pub fn tools() -> Vec<Tool> {
    TOOLS
        .iter()
        .map(|name| {
            let words = name.replace('_', " ");
            described(name, &format!("Does this: {words}."), &["vessel"])
        })
        .collect()
}

pub fn described(name: &str, description: &str, arguments: &[&str]) -> Tool {
    let properties: serde_json::Map<String, serde_json::Value> =
        arguments.iter().map(|name| ((*name).to_owned(), serde_json::json!({ "type": "string" }))).collect();
    let schema = serde_json::json!({ "type": "object", "properties": properties });
    Tool {
        description: RawJson::parse(&serde_json::to_string(description).unwrap()).ok(),
        input_schema: RawJson::parse(&schema.to_string()).ok(),
        ..Tool::named(name)
    }
}
