//! Scoring of trials as they come, live or from a record: one way for both, so that they cannot differ.

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
use transcript::{
    Cell, CellId, Ended, Fingerprint, Header, ProbeId, RawJson, RecordLine, TargetRecord, Trial, Turn,
};

use crate::error::Failure;
use crate::recorded::{complete_plan, whole_header};
use crate::runs::RunPath;

/// Scores the trials of one run.
pub(crate) struct Scoring {
    header: Header,
    catalogs: RecordCatalogs,
    schemas: Schemas,
    probes: HashMap<CellId, HashMap<ProbeId, Known>>,
    lines: IndexMap<CellId, Vec<PlannedProbe>>,
    tallies: IndexMap<CellId, Tally>,
    gathered: Gathered,
    facts: RunFacts,
    first_started: Option<String>,
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
            header,
            catalogs,
            schemas: Schemas::default(),
            probes: HashMap::new(),
            lines: IndexMap::new(),
            tallies: IndexMap::new(),
            gathered: Gathered::default(),
            facts,
            first_started: None,
        }
    }

    /// Takes in a probe that is about to be put. All probes come before the first trial.
    pub(crate) fn planned(&mut self, probe: &Arc<Probe>, cell: &CellId) {
        self.lines.entry(cell.clone()).or_default().push(PlannedProbe::of(probe));
        let of_cell = self.probes.entry(cell.clone()).or_default();
        of_cell.insert(probe.id().clone(), Known::Put(Arc::clone(probe)));
    }

    /// Takes in a probe of a record. All probes come before the first trial.
    pub(crate) fn probe(&mut self, line: ProbeLine) -> Result<(), Failure> {
        let prompt =
            self.prompt(&line.cell).and_then(|hash| self.header.prompts.get(hash)).map(|p| p.text.as_str());
        let steps = line.open(&self.catalogs, prompt)?;
        let offered: Vec<_> = steps.steps.iter().map(|step| step.offered.clone()).collect();
        let planned = PlannedProbe::of_line(&line, offered.clone());
        self.lines.entry(line.cell.clone()).or_default().push(planned);
        let cell = self.probes.entry(line.cell.clone()).or_default();
        cell.insert(line.id.clone(), Known::Read(Box::new(ReadProbe { line, steps, offered })));
        Ok(())
    }

    /// Scores a trial and counts it; none where no such probe is planned.
    pub(crate) fn trial(&mut self, trial: &Trial) -> Option<Verdict> {
        if !self.lines.is_empty() {
            self.start_tallies();
        }
        let known = self.probes.get(&trial.cell)?.get(&trial.probe)?;
        let target = self.target(&trial.cell);
        let verdict = judge(known, trial, target, &self.schemas);
        let confirms = self.header.confirm > 0 && trial.repeat >= self.header.repeats;
        if let Some(tally) = self.tallies.get_mut(&trial.cell).filter(|_| !confirms) {
            tally.add(&trial.probe, trial.repeat, &verdict, trial.usage());
        }
        let cell = self.header.cells.iter().find(|cell| cell.id == trial.cell);
        let prompt = cell.and_then(|cell| cell.prompt.as_ref());
        if confirms || self.gathered.count(trial, &verdict) {
            let (line, offered) = (known.line(&trial.cell), known.offered());
            let judged = JudgedTrial { probe: &line, prompt, offered, trial, verdict: &verdict };
            if confirms {
                self.gathered.add_confirmation(&judged);
            } else {
                self.gathered.list(trial, ShownTrial::of(&judged));
            }
        }
        self.expose(trial);
        self.window(trial);
        Some(verdict)
    }

    /// A trial as reports show it; none where no such probe is known.
    fn shown(&self, trial: &Trial) -> Option<ShownTrial> {
        let known = self.probes.get(&trial.cell)?.get(&trial.probe)?;
        let verdict = judge(known, trial, self.target(&trial.cell), &self.schemas);
        let prompt = self.prompt(&trial.cell);
        let (line, offered) = (known.line(&trial.cell), known.offered());
        let judged = JudgedTrial { probe: &line, prompt, offered, trial, verdict: &verdict };
        Some(ShownTrial::of(&judged))
    }

    /// Events and scored trials of the three rates so far, over all cells.
    pub(crate) fn so_far(&self) -> [PerTrial; 3] {
        RateName::HEADLINE.map(|name| {
            let mut sum = PerTrial::default();
            for tally in self.tallies.values() {
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
        for line in &mut reader {
            match line? {
                RecordLine::Trial(trial) => {
                    self.trial(&trial);
                }
                RecordLine::Resumed(_) => self.facts.resumed += 1,
                RecordLine::Header(_) | RecordLine::Probe(_) | RecordLine::Footer(_) => {}
            }
        }
        self.facts.resumed += 1;
        self.facts.torn_line = reader.torn().first().map(|torn| torn.line);
        Ok(())
    }

    /// Ends the scoring. `finished` says whether the run came to its planned end.
    pub(crate) fn finish(mut self, finished: bool, wall_ms: Option<u64>) -> Measured {
        self.start_tallies();
        self.facts.finished = finished;
        self.facts.wall_ms = wall_ms.or(self.facts.wall_ms);
        let scorecards: Vec<Scorecard> = self.tallies.into_values().map(Tally::finish).collect();
        Measured { header: self.header, scorecards, gathered: self.gathered, facts: self.facts }
    }

    /// The scorecards as they stand, while the scoring goes on.
    pub(crate) fn scorecards(&mut self) -> Vec<Scorecard> {
        self.start_tallies();
        self.tallies.values().cloned().map(Tally::finish).collect()
    }

    fn start_tallies(&mut self) {
        for (cell, lines) in std::mem::take(&mut self.lines) {
            let endpoint = self.target(&cell).map(|target| target.endpoint).unwrap_or_default();
            self.tallies.insert(cell.clone(), Tally::new(cell, lines, self.header.repeats, endpoint));
        }
    }

    fn cell(&self, id: &CellId) -> Option<&Cell> {
        self.header.cells.iter().find(|cell| cell.id == *id)
    }

    fn prompt(&self, cell: &CellId) -> Option<&Fingerprint> {
        self.cell(cell)?.prompt.as_ref()
    }

    fn target(&self, cell: &CellId) -> Option<&TargetRecord> {
        self.header.targets.get(&self.cell(cell)?.target)
    }

    /// A simulated model that was asked as if it were a real one says so in its answers: its target is marked,
    /// so that nothing of it can pass for a measurement.
    fn expose(&mut self, trial: &Trial) {
        let says_so = |turn: &Turn| {
            let json = turn.response.as_ref().map(RawJson::as_str);
            json.or(turn.response_text.as_deref()).is_some_and(sim::is_simulated)
        };
        if !trial.turns.iter().any(says_so) {
            return;
        }
        let target = self.cell(&trial.cell).map(|cell| cell.target.clone());
        if let Some(record) = target.and_then(|target| self.header.targets.get_mut(&target)) {
            record.simulated = true;
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

/// When a trial ended, RFC 3339 to the millisecond.
fn ended(trial: &Trial) -> String {
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

/// Scores a record from disk, line by line. With `decode`, the raw bodies are decoded again first.
pub(crate) fn score_record(record: &Path, folder: &Path, decode: bool) -> Result<Measured, Failure> {
    scored(record, folder, decode, Gathered::default())
}

/// Scores a record from disk, and lists every failing trial of it.
pub(crate) fn list_record(record: &Path, folder: &Path) -> Result<Measured, Failure> {
    scored(record, folder, false, Gathered::listing_all())
}

fn scored(record: &Path, folder: &Path, decode: bool, gathered: Gathered) -> Result<Measured, Failure> {
    let mut reader = RecordReader::open(record)?;
    whole_header(reader.header())?;
    let mut scoring = Scoring::new(reader.header().clone(), folder);
    scoring.gathered = gathered;
    let mut finished = false;
    let mut resumed = 0;
    for line in &mut reader {
        match line? {
            RecordLine::Header(_) => {}
            RecordLine::Probe(probe) => scoring.probe(*probe)?,
            RecordLine::Trial(mut trial) => {
                if decode {
                    decode_again(&mut trial, &scoring)?;
                }
                scoring.trial(&trial);
            }
            RecordLine::Resumed(_) => resumed += 1,
            RecordLine::Footer(_) => finished = true,
        }
    }
    let probes = scoring.probes.values().map(|probes| probes.len() as u64).sum();
    complete_plan(&scoring.header, probes)?;
    scoring.facts.resumed = resumed;
    scoring.facts.torn_line = reader.torn().first().map(|torn| torn.line);
    Ok(scoring.finish(finished, None))
}

/// Scores a record that came to its end; `cannot` says what an unfinished one cannot: `be compared`.
pub(crate) fn score_finished(run: &RunPath, cannot: &str) -> Result<Measured, Failure> {
    let measured = score_record(&run.record, &run.folder, false)?;
    if measured.facts.finished {
        return Ok(measured);
    }
    Err(Failure::invalid(format!("`{}` is unfinished and cannot {cannot}", run.display()))
        .with_help(format!("`toolmirage run --resume {}` goes on with it", run.display())))
}

/// The trials of some probes as reports show them, read from a record; those that only confirm are left out.
pub(crate) fn shown_trials(
    record: &Path,
    wanted: &HashMap<CellId, HashSet<ProbeId>>,
) -> Result<Vec<ShownTrial>, Failure> {
    let mut reader = RecordReader::open(record)?;
    let mut scoring = Scoring::new(reader.header().clone(), Path::new(""));
    let is_wanted = |cell: &CellId, probe: &ProbeId| wanted.get(cell).is_some_and(|of| of.contains(probe));
    let mut shown = Vec::new();
    for line in &mut reader {
        match line? {
            RecordLine::Probe(probe) if is_wanted(&probe.cell, &probe.id) => scoring.probe(*probe)?,
            RecordLine::Trial(trial)
                if is_wanted(&trial.cell, &trial.probe) && trial.repeat < scoring.header.repeats =>
            {
                shown.extend(scoring.shown(&trial));
            }
            _ => {}
        }
    }
    Ok(shown)
}

/// Decodes every stored body anew.
fn decode_again(trial: &mut Trial, scoring: &Scoring) -> Result<(), Failure> {
    let Some(target) = scoring.target(&trial.cell) else { return Ok(()) };
    let name = wire_format(target);
    let Some(provider) = runner::provider(name) else {
        return Err(Failure::usage(format!("the record's wire format `{name}` is not in this build")));
    };
    for turn in &mut trial.turns {
        let body = match (&turn.response, &turn.response_text) {
            (Some(json), _) => json.as_str().as_bytes(),
            (None, Some(text)) => text.as_bytes(),
            (None, None) => continue,
        };
        let decoded = (provider.decode)(turn.http_status.unwrap_or(200), body);
        turn.observed = decoded.observed;
        turn.usage = decoded.usage;
    }
    Ok(())
}
