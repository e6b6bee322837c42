//! Scoring of trials as they come, live or from a record: one way for both, so that they cannot differ.

mod record;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use probes::{ArmSettings, Expectation, Offered, OpenedProbe, Probe, ProbeLine, RateName, RecordCatalogs};
use report::{Gathered, JudgedTrial, Measured, RunFacts, ShownTrial};
use runner::RecordReader;
use scorer::{
    PerTrial, PlannedProbe, RequestFacts, Schemas, Scorecard, Subject, SubjectStep, Tally, Verdict, score,
};
use transcript::{Cell, CellId, Ended, Header, ProbeId, RawJson, TargetId, TargetRecord, Trial, Turn};

use crate::error::Failure;
pub(crate) use record::{list_record, score_finished, score_record, shown_trials};

/// Scores the trials of one run.
pub(crate) struct Scoring {
    judge: Judge,
    counted: Counted,
}

/// What trials are judged by: many can be judged at once.
struct Judge {
    header: Header,
    catalogs: RecordCatalogs,
    schemas: Schemas,
    probes: HashMap<CellId, HashMap<ProbeId, Known>>,
}

/// A trial's verdict, and whether a simulated model wrote its answers.
struct Judged {
    verdict: Verdict,
    simulated: bool,
}

/// What the trials give, which are counted one after another.
#[derive(Default)]
struct Counted {
    lines: IndexMap<CellId, Vec<PlannedProbe>>,
    tallies: IndexMap<CellId, Tally>,
    gathered: Gathered,
    facts: RunFacts,
    first_started: Option<String>,
    /// Targets whose answers say that a simulated model wrote them.
    simulated: HashSet<TargetId>,
}

/// What scoring knows of one probe: that of a run under way is shared with the run, since a plan may have a hundred
/// thousand of them.
enum Known {
    Put(Arc<Probe>),
    Read(Box<ReadProbe>),
}

/// A probe of a record.
struct ReadProbe {
    line: ProbeLine,
    steps: OpenedProbe,
    offered: Vec<Offered>,
}

impl Known {
    fn steps(&self) -> Cow<'_, OpenedProbe> {
        match self {
            Self::Put(probe) => Cow::Owned(probe.opened()),
            Self::Read(read) => Cow::Borrowed(&read.steps),
        }
    }

    fn offered(&self) -> &[Offered] {
        match self {
            Self::Put(probe) => &probe.offered,
            Self::Read(read) => &read.offered,
        }
    }

    /// The probe as a record has it: made only for trials that are shown.
    fn line(&self, cell: &CellId) -> Cow<'_, ProbeLine> {
        match self {
            Self::Put(probe) => Cow::Owned(probe.line(cell)),
            Self::Read(read) => Cow::Borrowed(&read.line),
        }
    }

    fn expected(&self) -> (&Expectation, &ArmSettings, Option<&str>) {
        match self {
            Self::Put(probe) => {
                let question = &*probe.question;
                (&probe.expectation, &question.settings, question.clock.as_deref())
            }
            Self::Read(read) => (&read.line.expectation, &read.line.settings, read.line.clock.as_deref()),
        }
    }
}

impl Scoring {
    /// Starts the scoring of a run with this header.
    pub(crate) fn new(header: Header, folder: &Path) -> Self {
        let catalogs = RecordCatalogs::new(&header.catalogs);
        let facts = RunFacts { folder: Some(folder.display().to_string()), ..RunFacts::default() };
        Self {
            judge: Judge { header, catalogs, schemas: Schemas::default(), probes: HashMap::new() },
            counted: Counted { facts, ..Counted::default() },
        }
    }

    /// Takes in a probe that is about to be put. All probes come before the first trial.
    pub(crate) fn planned(&mut self, probe: &Arc<Probe>, cell: &CellId) {
        self.counted.lines.entry(cell.clone()).or_default().push(PlannedProbe::of(probe));
        let of_cell = self.judge.probes.entry(cell.clone()).or_default();
        of_cell.insert(probe.id().clone(), Known::Put(Arc::clone(probe)));
    }

    /// Takes in a probe of a record. All probes come before the first trial.
    pub(crate) fn probe(&mut self, line: ProbeLine) -> Result<(), Failure> {
        let Judge { header, catalogs, probes, .. } = &mut self.judge;
        let cell = header.cells.iter().find(|cell| cell.id == line.cell);
        let prompt = cell.and_then(|cell| header.prompts.get(cell.prompt.as_ref()?)).map(|p| p.text.as_str());
        let steps = line.open(catalogs, prompt)?;
        let offered: Vec<_> = steps.steps.iter().map(|step| step.offered.clone()).collect();
        let planned = PlannedProbe::of_line(&line, offered.clone());
        self.counted.lines.entry(line.cell.clone()).or_default().push(planned);
        let cell = probes.entry(line.cell.clone()).or_default();
        cell.insert(line.id.clone(), Known::Read(Box::new(ReadProbe { line, steps, offered })));
        Ok(())
    }

    /// Scores a trial and counts it; none where no such probe is planned.
    pub(crate) fn trial(&mut self, trial: &Trial) -> Option<Verdict> {
        let judged = self.judge.judge(trial)?;
        self.counted.add(&self.judge, trial, &judged);
        Some(judged.verdict)
    }

    /// Events and scored trials of the three rates so far, over all cells.
    pub(crate) fn so_far(&self) -> [PerTrial; 3] {
        RateName::HEADLINE.map(|name| {
            let mut sum = PerTrial::default();
            for tally in self.counted.tallies.values() {
                let cell = tally.so_far(name);
                sum.events += cell.events;
                sum.scored += cell.scored;
            }
            sum
        })
    }

    /// Scores the trials that a record holds already, before a run goes on.
    pub(crate) fn recorded_trials(&mut self, record: &Path) -> Result<(), Failure> {
        let mut reader = RecordReader::open(record)?;
        self.counted.facts.resumed += record::trials_of(&mut reader, self)? + 1;
        self.counted.facts.torn_line = reader.torn().first().map(|torn| torn.line);
        Ok(())
    }

    /// Ends the scoring. `finished` says whether the run came to its planned end.
    pub(crate) fn finish(mut self, finished: bool, wall_ms: Option<u64>) -> Measured {
        let Judge { mut header, probes, .. } = self.judge;
        drop(probes);
        self.counted.start_tallies(&header);
        let Counted { tallies, gathered, mut facts, simulated, .. } = self.counted;
        facts.finished = finished;
        facts.wall_ms = wall_ms.or(facts.wall_ms);
        for target in &simulated {
            if let Some(record) = header.targets.get_mut(target) {
                record.simulated = true;
            }
        }
        let scorecards: Vec<Scorecard> = tallies.into_values().map(Tally::finish).collect();
        Measured { header, scorecards, gathered, facts }
    }

    /// The scorecards as they stand, while the scoring goes on.
    pub(crate) fn scorecards(&mut self) -> Vec<Scorecard> {
        self.counted.start_tallies(&self.judge.header);
        self.counted.tallies.values().cloned().map(Tally::finish).collect()
    }
}

impl Judge {
    /// The verdict on a trial; none where no such probe is planned.
    fn judge(&self, trial: &Trial) -> Option<Judged> {
        let known = self.known(trial)?;
        let verdict = judge(known, trial, self.target(&trial.cell), &self.schemas);
        Some(Judged { verdict, simulated: trial.turns.iter().any(says_it_is_simulated) })
    }

    fn known(&self, trial: &Trial) -> Option<&Known> {
        self.probes.get(&trial.cell)?.get(&trial.probe)
    }

    /// A trial as reports show it; none where no such probe is known.
    fn shown(&self, trial: &Trial) -> Option<ShownTrial> {
        let known = self.known(trial)?;
        let verdict = judge(known, trial, self.target(&trial.cell), &self.schemas);
        let prompt = self.cell(&trial.cell)?.prompt.as_ref();
        let (line, offered) = (known.line(&trial.cell), known.offered());
        let judged = JudgedTrial { probe: &line, prompt, offered, trial, verdict: &verdict };
        Some(ShownTrial::of(&judged))
    }

    fn cell(&self, id: &CellId) -> Option<&Cell> {
        self.header.cells.iter().find(|cell| cell.id == *id)
    }

    fn target(&self, cell: &CellId) -> Option<&TargetRecord> {
        self.header.targets.get(&self.cell(cell)?.target)
    }
}

impl Counted {
    fn add(&mut self, judge: &Judge, trial: &Trial, judged: &Judged) {
        self.start_tallies(&judge.header);
        let Judged { verdict, simulated } = judged;
        let confirms = judge.header.confirm > 0 && trial.repeat >= judge.header.repeats;
        if let Some(tally) = self.tallies.get_mut(&trial.cell).filter(|_| !confirms) {
            tally.add(&trial.probe, trial.repeat, verdict, trial.usage());
        }
        if confirms || self.gathered.count(trial, verdict) {
            self.list(judge, trial, verdict, confirms);
        }
        if *simulated && let Some(cell) = judge.cell(&trial.cell) {
            // It may have been asked as if it were a real one: nothing of it can pass for a measurement.
            if !self.simulated.contains(&cell.target) {
                self.simulated.insert(cell.target.clone());
            }
        }
        self.window(trial);
    }

    fn list(&mut self, judge: &Judge, trial: &Trial, verdict: &Verdict, confirms: bool) {
        let Some(known) = judge.known(trial) else { return };
        let prompt = judge.cell(&trial.cell).and_then(|cell| cell.prompt.as_ref());
        let (line, offered) = (known.line(&trial.cell), known.offered());
        let judged = JudgedTrial { probe: &line, prompt, offered, trial, verdict };
        if confirms {
            self.gathered.add_confirmation(&judged);
        } else {
            self.gathered.list(trial, ShownTrial::of(&judged));
        }
    }

    fn start_tallies(&mut self, header: &Header) {
        for (cell, lines) in std::mem::take(&mut self.lines) {
            let target = header.cells.iter().find(|known| known.id == cell).map(|known| &known.target);
            let target = target.and_then(|target| header.targets.get(target));
            let endpoint = target.map(|target| target.endpoint).unwrap_or_default();
            self.tallies.insert(cell.clone(), Tally::new(cell, lines, header.repeats, endpoint));
        }
    }

    /// Stretches the window over a trial.
    fn window(&mut self, trial: &Trial) {
        let end = ended(trial);
        if self.first_started.as_ref().is_none_or(|first| trial.started < *first) {
            self.first_started = Some(trial.started.clone());
        }
        let first = self.first_started.clone().unwrap_or_default();
        let last = match &self.facts.window {
            Some((_, last)) if *last >= end => last.clone(),
            _ => end,
        };
        self.facts.window = Some((first, last));
    }
}

/// Whether a turn's body says that a simulated model wrote it.
fn says_it_is_simulated(turn: &Turn) -> bool {
    let json = turn.response.as_ref().map(RawJson::as_str);
    json.or(turn.response_text.as_deref()).is_some_and(sim::is_simulated)
}

/// When a trial ended, RFC 3339 to the millisecond.
fn ended(trial: &Trial) -> String {
    // Neither read nor written again: in memory a simulated trial takes no time, and there are many.
    if trial.latency_ms == 0 {
        return trial.started.clone();
    }
    let started: Result<jiff::Timestamp, _> = trial.started.parse();
    let end = started.ok().and_then(|started| {
        let length = jiff::SignedDuration::from_millis(i64::try_from(trial.latency_ms).ok()?);
        started.checked_add(length).ok()
    });
    end.map_or_else(|| trial.started.clone(), |end| format!("{end:.3}"))
}

fn judge(known: &Known, trial: &Trial, target: Option<&TargetRecord>, schemas: &Schemas) -> Verdict {
    let opened = known.steps();
    let steps: Vec<SubjectStep<'_>> = opened
        .steps
        .iter()
        .map(|step| SubjectStep { messages: &step.messages, offered: &step.offered })
        .collect();
    let (expectation, arm, clock) = known.expected();
    let provider = target.map_or("", |target| wire_format(target));
    let asked = runner::provider(provider)
        .zip(target)
        .map(|(provider, target)| provider.asked(&target.settings, arm));
    let (tool_choice, max_tokens) = asked.unwrap_or_default();
    let request = RequestFacts {
        tool_choice: tool_choice.as_deref(),
        choice_once: arm.tool_choice != arm.in_later_turn().tool_choice,
        max_tokens,
        strict: arm.strict.unwrap_or(false),
        provider,
        namespaces: &[],
        clock,
    };
    let subject = Subject {
        expectation: Some(expectation),
        steps: &steps,
        turns: &trial.turns,
        executor: trial.executor.as_deref(),
        request,
        status: trial.status,
        cause: trial.error.as_ref().and_then(|error| error.cause),
        turn_limit: trial.ended == Some(Ended::TurnLimit),
    };
    score(&subject, schemas)
}

/// The wire format that a target speaks.
fn wire_format(target: &TargetRecord) -> &str {
    if target.provider == crate::targets::SIM { crate::targets::SIM_SPEAKS } else { &target.provider }
}
