//! One line of a file: an executor row, a final message, a transcript or a document of traces, told apart by shape.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock};

use probes::Catalog;
use regex::Regex;
use serde::Deserialize;
use serde_json::value::RawValue;
use transcript::{Outcome, OutcomeReason};

use super::catalogs::Catalogs;
use super::run::{Account, Fragment, Half, Piece, Row};
use super::{Place, RunKey, conversation, otlp};
use crate::claim::claim;

/// How lines are read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The tools that were offered, where the lines do not say it themselves.
    pub catalog: Option<Arc<Catalog>>,
    /// Whether the agent wrote the results of its transcripts.
    pub results_by_agent: bool,
    /// The attribute of a span or its resource that names the run [default: the trace's id].
    pub run_attribute: Option<String>,
}

/// Reads lines. It keeps what many of them share: names of tools, catalogs.
#[derive(Debug, Default)]
pub struct AuditReader {
    options: ReadOptions,
    pub(super) names: HashSet<Arc<str>>,
    pub(super) catalogs: Catalogs,
}

/// Why a line is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineError {
    /// It is no JSON value: what was said, and whether it merely ends too early.
    NotJson {
        /// The reader's words.
        message: String,
        /// Whether the text is a value that was cut off.
        cut: bool,
    },
    /// It is JSON, and none of the things that are read here.
    NotKnown(&'static str),
    /// It is a line of a run record, which `score` judges.
    RunRecord,
}

impl fmt::Display for LineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { cut: true, .. } => formatter.write_str("cut off"),
            Self::NotJson { message, .. } => write!(formatter, "no JSON: {message}"),
            Self::NotKnown(what) => formatter.write_str(what),
            Self::RunRecord => formatter.write_str("a line of a run record"),
        }
    }
}

/// A string, borrowed where it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// All that a line may hold; what else stands in it is passed over.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default)]
    run: Option<Text<'a>>,
    #[serde(borrow, default)]
    trial: Option<&'a RawValue>,
    #[serde(borrow, default)]
    task: Option<Text<'a>>,
    #[serde(borrow, default)]
    event: Option<Text<'a>>,
    #[serde(default)]
    seq: Option<u64>,
    #[serde(borrow, default)]
    at: Option<Text<'a>>,
    #[serde(borrow, default)]
    call_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    tool: Option<Text<'a>>,
    #[serde(borrow, default)]
    executed_as: Option<Text<'a>>,
    #[serde(borrow, default)]
    ok: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(default)]
    refused: Option<OutcomeReason>,
    #[serde(borrow, default, rename = "final")]
    said: Option<Text<'a>>,
    #[serde(borrow, default)]
    messages: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tools: Option<&'a RawValue>,
    #[serde(borrow, default)]
    results_by: Option<Text<'a>>,
    #[serde(borrow, default, rename = "resourceSpans", alias = "resource_spans")]
    spans: Option<&'a RawValue>,
    #[serde(borrow, default)]
    header: Option<&'a RawValue>,
    #[serde(borrow, default)]
    probe: Option<&'a RawValue>,
    #[serde(borrow, default)]
    footer: Option<&'a RawValue>,
}

/// What a line gave: fragments of runs.
pub(super) type Pieces = Vec<(RunKey, Fragment)>;

impl AuditReader {
    /// A reader.
    #[must_use]
    pub fn new(options: ReadOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Forgets the names that it keeps; for when the runs that share them are gone.
    pub fn forget(&mut self) {
        self.names.clear();
    }

    pub(super) fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// Reads a line, or a whole document on several lines. `unnamed` names a transcript that names no run.
    ///
    /// # Errors
    /// The text is no JSON, or nothing that is read here.
    pub fn read(
        &mut self,
        text: &[u8],
        place: Place,
        unnamed: &str,
    ) -> Result<Vec<(RunKey, Fragment)>, LineError> {
        let text = text.trim_ascii();
        if text.first() == Some(&b'[') {
            return self.list(json(text)?, place, unnamed);
        }
        let line: Line<'_> = json(text)?;
        self.line(&line, place, unnamed)
    }

    /// A final message that is plain text.
    #[must_use]
    pub fn final_message(&self, text: &str, place: Place) -> Fragment {
        Fragment(Piece::Account(account(text, place)))
    }

    /// A list: the messages of one transcript, or anything else that lines may hold.
    fn list(&mut self, list: &RawValue, place: Place, unnamed: &str) -> Result<Pieces, LineError> {
        let messages = conversation::read(self, list, None, None, place);
        let Err(error) = messages else { return messages.map(|piece| vec![(named(unnamed), piece)]) };
        let items: Vec<Line<'_>> = serde_json::from_str(list.get()).map_err(|_| error.clone())?;
        if items.is_empty() {
            return Err(error);
        }
        let mut pieces = Vec::new();
        for (at, item) in items.iter().enumerate() {
            pieces.extend(self.line(item, place, &format!("{unnamed}/{at}"))?);
        }
        Ok(pieces)
    }

    /// Reads an executor row from the end of a line whose beginning another writer was killed in.
    #[must_use]
    pub fn salvage(&mut self, text: &[u8], place: Place) -> Option<(RunKey, Fragment)> {
        if text.len() > LONGEST_TORN {
            return None;
        }
        let starts = text.windows(2).enumerate().skip(1).filter(|(_, pair)| *pair == b"{\"");
        for (at, _) in starts.take(MOST_TRIES) {
            let Ok(line) = json::<Line<'_>>(text.get(at..)?) else { continue };
            if line.event.is_some() && line.run.is_some() {
                return self.row(&line, place).ok();
            }
        }
        None
    }

    /// The run that a row belongs to which cannot be read, and that a row of it is missing: a gap in the log accuses
    /// nobody. None where the line says no run, or is no row.
    #[must_use]
    pub fn gap(&self, text: &[u8]) -> Option<(RunKey, Fragment)> {
        let key = |run: &str, trial: &str| RunKey { run: run.to_owned(), trial: trial.to_owned() };
        if let Ok(rest) = json::<Remnant<'_>>(text) {
            let trial = rest.trial.and_then(|trial| serde_json::from_str::<Text<'_>>(trial.get()).ok());
            // Logs have events of other kinds, too; one that is of no call hides none.
            let is_of_call = rest.seq.is_some() || rest.call_id.is_some() || rest.tool.is_some();
            let run = rest.run.filter(|_| rest.event.is_some() && is_of_call)?;
            let trial = trial.as_ref().map_or("", |trial| &*trial.0);
            return Some((key(&run.0, trial), Fragment(Piece::Gap)));
        }
        let text = text.get(..text.len().min(LONGEST_TORN))?;
        let text = String::from_utf8_lossy(text);
        let is_other = ["\"final\"", "\"messages\""].iter().any(|other| text.contains(other));
        let is_row = ["\"seq\"", "\"event\"", "\"call_id\""].iter().any(|member| text.contains(member));
        if is_other || !is_row {
            return None;
        }
        let part = |name: &str| {
            let found = CUT_ROW
                .captures_iter(&text)
                .find(|found| found.get(1).is_some_and(|key| key.as_str() == name))?;
            serde_json::from_str::<String>(found.get(2)?.as_str()).ok()
        };
        let (run, trial) = (part("run")?, part("trial").unwrap_or_default());
        Some((key(&run, &trial), Fragment(Piece::Gap)))
    }

    /// A name, kept once.
    pub(super) fn name(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        let name: Arc<str> = Arc::from(name);
        self.names.insert(Arc::clone(&name));
        name
    }

    fn line(&mut self, line: &Line<'_>, place: Place, unnamed: &str) -> Result<Pieces, LineError> {
        if let Some(spans) = line.spans {
            return otlp::read(self, spans, place);
        }
        let is_record = line.header.is_some() || line.probe.is_some() || line.footer.is_some();
        if is_record || line.trial.is_some_and(|trial| trial.get().starts_with('{')) {
            return Err(LineError::RunRecord);
        }
        if line.event.is_some() {
            return self.row(line, place).map(|row| vec![row]);
        }
        let key = || match &line.run {
            Some(run) => Ok(RunKey { run: run.0.to_string(), trial: trial(line)? }),
            None => Ok(named(unnamed)),
        };
        let task = line.task.as_ref().map(|task| Arc::from(&*task.0));
        if let Some(messages) = line.messages {
            let by_agent = match line.results_by.as_ref().map(|by| &*by.0) {
                None => None,
                Some("agent") => Some(true),
                Some("harness") => Some(false),
                Some(_) => return Err(LineError::NotKnown("`results_by` is neither `agent` nor `harness`")),
            };
            let piece = conversation::read(self, messages, line.tools, by_agent, place)?;
            return Ok(vec![(key()?, with_task(piece, task))]);
        }
        let Some(said) = &line.said else {
            return Err(LineError::NotKnown("neither an executor row, a final message, messages nor traces"));
        };
        if line.run.is_none() {
            return Err(LineError::NotKnown("a final message without its `run`"));
        }
        let mut pieces = vec![(key()?, Fragment(Piece::Account(account(&said.0, place))))];
        if let Some(task) = task {
            pieces.push((key()?, Fragment(Piece::Task(task))));
        }
        Ok(pieces)
    }

    fn row(&mut self, line: &Line<'_>, place: Place) -> Result<(RunKey, Fragment), LineError> {
        let Some(run) = &line.run else {
            return Err(LineError::NotKnown("an executor row without its `run`"));
        };
        let call = match (line.seq, &line.call_id) {
            (Some(seq), _) => seq,
            (None, Some(id)) => hash(&id.0),
            (None, None) => return Err(LineError::NotKnown("an executor row without `seq` or `call_id`")),
        };
        let half = match line.event.as_ref().map(|event| &*event.0) {
            Some("start") => Half::Start,
            Some("end") => Half::End(outcome(line), line.refused),
            _ => return Err(LineError::NotKnown("an `event` that is neither `start` nor `end`")),
        };
        if half == Half::Start && line.tool.is_none() {
            return Err(LineError::NotKnown("a start without its `tool`"));
        }
        let row = Row {
            call,
            stamp: line.at.as_ref().map(|at| hash(&at.0)),
            tool: line.tool.as_ref().map(|tool| self.name(&tool.0)),
            executed_as: line.executed_as.as_ref().map(|tool| self.name(&tool.0)),
            half,
            place,
        };
        Ok((RunKey { run: run.0.to_string(), trial: trial(line)? }, Fragment(Piece::Row(row))))
    }
}

/// Where rows may begin in a torn line: more tries would be quadratic in a hostile one.
const MOST_TRIES: usize = 64;

/// The longest line in which a row is looked for behind a torn one.
const LONGEST_TORN: usize = 1 << 20;

fn json<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, LineError> {
    serde_json::from_slice(text)
        .map_err(|error| LineError::NotJson { message: error.to_string(), cut: error.is_eof() })
}

fn named(run: &str) -> RunKey {
    RunKey { run: run.to_owned(), trial: String::new() }
}

fn trial(line: &Line<'_>) -> Result<String, LineError> {
    let Some(trial) = line.trial.map(RawValue::get).filter(|text| *text != "null") else {
        return Ok(String::new());
    };
    serde_json::from_str(trial).map_err(|_| LineError::NotKnown("a `trial` that is no text"))
}

fn with_task(fragment: Fragment, task: Option<Arc<str>>) -> Fragment {
    match fragment.0 {
        Piece::Transcript { told, account, .. } => Fragment(Piece::Transcript { told, account, task }),
        other => Fragment(other),
    }
}

/// How a call ended; none where its row does not say it in so many words.
fn outcome(line: &Line<'_>) -> Option<Outcome> {
    let says_error = || line.error.is_some_and(|error| error.get().starts_with('"') && error.get() != "\"\"");
    match (line.refused, line.ok.map(RawValue::get)) {
        // A read guard refuses what came back: the call ran.
        (Some(OutcomeReason::ReadGuard), _) => Some(Outcome::Failed),
        (Some(_), _) => Some(Outcome::Refused),
        (None, Some("true")) => Some(Outcome::Ok),
        (None, Some("false")) => Some(Outcome::Failed),
        (None, None) if says_error() => Some(Outcome::Failed),
        (None, _) => None,
    }
}

/// What is left of a row that cannot be read.
#[derive(Deserialize)]
struct Remnant<'a> {
    #[serde(borrow, default)]
    run: Option<Text<'a>>,
    #[serde(borrow, default)]
    trial: Option<&'a RawValue>,
    #[serde(borrow, default)]
    event: Option<&'a RawValue>,
    #[serde(borrow, default)]
    seq: Option<&'a RawValue>,
    #[serde(borrow, default)]
    call_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool: Option<&'a RawValue>,
}

/// The run, or the trial, in what is left of a row that was cut off.
static CUT_ROW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[{,]\s*"(run|trial)"\s*:\s*("(?:[^"\\]|\\.)*")"#).expect("a fixed pattern")
});

/// What a final message claims. Of its text nothing but the claim line is kept.
pub(super) fn account(text: &str, place: Place) -> Account {
    let claim = claim(text);
    let line = claim.actions.and_then(|line| text.get(line.span)).map(Box::from);
    Account { line, at: 0, place }
}

pub(super) fn hash(text: &str) -> u64 {
    // The fixed keys of `new` give the same hash in every run of the program.
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
