//! Writing a record, and keeping count of what it holds.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use probes::ProbeLine;
use serde::Serialize;
use transcript::{Footer, Header, RecordLine, Resumed, Trial, TrialId, TrialStatus};

use super::{append_to, failed};
use crate::{RecordError, Redactor};

/// Appends lines to a record. A trial is on disk when `append` returns.
pub(crate) struct RecordWriter {
    path: PathBuf,
    /// None where lines go nowhere: then none is put into words either.
    out: Option<Box<dyn Write + Send>>,
    /// Whether the file ends within a line that a crash tore.
    torn: bool,
    redactor: Redactor,
    held: Held,
}

/// What the record holds, in constant memory a trial.
#[derive(Default)]
struct Held {
    done: HashSet<TrialId>,
    statuses: HashMap<TrialStatus, u64>,
    window: Option<(Timestamp, Timestamp)>,
    /// Hashes of (cell, response id, body).
    answers: HashSet<u64>,
}

impl RecordWriter {
    /// Writes header and probes to a file beside the record's place and moves it there: a crash leaves either
    /// no record or one that knows all of its plan.
    pub(super) fn create(
        path: &Path,
        header: &Header,
        probes: impl IntoIterator<Item = ProbeLine>,
        redactor: Redactor,
    ) -> Result<Self, RecordError> {
        let draft = path.with_extension("jsonl.new");
        let file = fs::File::create(&draft).map_err(|source| failed("create", &draft, source))?;
        let mut out = io::BufWriter::new(file);
        write_line(&mut out, &redactor, &Borrowed::<()>::Header(header))
            .and_then(|()| {
                probes.into_iter().try_for_each(|p| write_line(&mut out, &redactor, &Borrowed::Probe(p)))
            })
            .and_then(|()| out.flush())
            .and_then(|()| fs::rename(&draft, path))
            .map_err(|source| failed("create", path, source))?;
        Self::append_to(path, redactor)
    }

    pub(super) fn append_to(path: &Path, redactor: Redactor) -> Result<Self, RecordError> {
        let (file, torn) = append_to(path)?;
        Ok(Self { path: path.to_owned(), out: Some(Box::new(file)), torn, redactor, held: Held::default() })
    }

    pub(super) fn nowhere() -> Self {
        Self {
            path: PathBuf::new(),
            out: None,
            torn: false,
            redactor: Redactor::default(),
            held: Held::default(),
        }
    }

    /// Whether the record holds a trial.
    pub(crate) fn has(&self, id: &TrialId) -> bool {
        self.held.done.contains(id)
    }

    /// Trials that the record holds.
    pub(crate) fn recorded(&self) -> u64 {
        self.held.done.len() as u64
    }

    /// Trials that the record holds, by status.
    pub(crate) fn statuses(&self) -> &HashMap<TrialStatus, u64> {
        &self.held.statuses
    }

    /// Text as it may be shown.
    pub(crate) fn clean(&self, text: &str) -> String {
        self.redactor.clean(text).into_owned()
    }

    /// Counts a trial that is in the file.
    pub(super) fn note(&mut self, trial: &Trial) {
        self.held.answers.extend(answers(trial));
        self.held.done.insert(trial.id());
        *self.held.statuses.entry(trial.status).or_default() += 1;
        // The window stands in the footer: where nothing is written, nobody asks for it.
        let spans = if self.out.is_some() { span(trial) } else { None };
        if let Some((start, end)) = spans {
            let (first, last) = self.held.window.unwrap_or((start, end));
            self.held.window = Some((first.min(start), last.max(end)));
        }
    }

    /// Whether a response of this trial came before, byte for byte and under the same id, in another trial of
    /// its cell: a gateway answered from its cache. (Equal ids alone prove nothing: Ollama draws them from a
    /// thousand.)
    pub(crate) fn is_replay(&self, trial: &Trial) -> bool {
        answers(trial).any(|answer| self.held.answers.contains(&answer))
    }

    /// Appends a trial: one write, then it is counted. Gives the trial as it reads from the record where that
    /// differs: something was taken out, and nobody else shall have it either.
    pub(crate) fn append(&mut self, trial: &Trial) -> Result<Option<Trial>, RecordError> {
        let written = self.line(&Borrowed::<()>::Trial(trial))?;
        self.note(trial);
        let Some(written) = written else { return Ok(None) };
        match serde_json::from_str(&written) {
            Ok(RecordLine::<serde::de::IgnoredAny>::Trial(trial)) => Ok(Some(*trial)),
            Ok(_) => Ok(None),
            Err(error) => Err(failed("read again", &self.path, error.into())),
        }
    }

    pub(super) fn resumed(&mut self, now: Timestamp) -> Result<(), RecordError> {
        let resumed = Resumed {
            at: now.to_string(),
            done: self.recorded(),
            toolmirage: env!("CARGO_PKG_VERSION").to_owned(),
        };
        self.line(&Borrowed::<()>::Resumed(&resumed)).map(drop)
    }

    /// Ends the record: it is complete.
    pub(crate) fn finish(&mut self, planned: u64, now: Timestamp) -> Result<(), RecordError> {
        let (start, end) = self.held.window.unwrap_or((now, now));
        let statuses = TrialStatus::ALL
            .iter()
            .filter_map(|status| self.held.statuses.get(status).map(|&count| (*status, count)))
            .collect();
        let footer = Footer {
            finished: now.to_string(),
            window: (format!("{start:.3}"), format!("{end:.3}")),
            planned,
            statuses,
        };
        self.line(&Borrowed::<()>::Footer(&footer)).map(drop)
    }

    /// Writes a line; gives it where something was taken out of it.
    fn line<P: Serialize>(&mut self, line: &Borrowed<'_, P>) -> Result<Option<String>, RecordError> {
        let Some(out) = &mut self.out else { return Ok(None) };
        let mut write = || -> io::Result<Option<String>> {
            let text = serde_json::to_string(line)?;
            let clean = self.redactor.clean_line(&text);
            let start = if self.torn { "\n" } else { "" };
            out.write_all(format!("{start}{clean}\n").as_bytes())?;
            out.flush()?;
            Ok(match clean {
                std::borrow::Cow::Owned(clean) => Some(clean),
                std::borrow::Cow::Borrowed(_) => None,
            })
        };
        let written = write().map_err(|source| failed("write", &self.path, source))?;
        self.torn = false;
        Ok(written)
    }
}

/// `RecordLine` without owning what it writes.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Borrowed<'a, P> {
    Header(&'a Header),
    Probe(P),
    Trial(&'a Trial),
    Resumed(&'a Resumed),
    Footer(&'a Footer),
}

fn write_line<P: Serialize>(
    out: &mut dyn Write,
    redactor: &Redactor,
    line: &Borrowed<'_, P>,
) -> io::Result<()> {
    let text = serde_json::to_string(line)?;
    out.write_all(redactor.clean_line(&text).as_bytes())?;
    out.write_all(b"\n")
}

/// One hash for each response that has an id.
fn answers(trial: &Trial) -> impl Iterator<Item = u64> {
    trial.turns.iter().filter_map(|turn| {
        let (id, body) = (turn.observed.id.as_ref()?, turn.response.as_ref()?);
        let mut hasher = DefaultHasher::new();
        (&trial.cell, id, body).hash(&mut hasher);
        Some(hasher.finish())
    })
}

fn span(trial: &Trial) -> Option<(Timestamp, Timestamp)> {
    let start: Timestamp = trial.started.parse().ok()?;
    let latency = SignedDuration::from_millis(i64::try_from(trial.latency_ms).ok()?);
    Some((start, start.checked_add(latency).ok()?))
}

// The borrowed form must stay the form that readers know.
const _: fn(RecordLine<ProbeLine>) = |line| match line {
    RecordLine::Header(_)
    | RecordLine::Probe(_)
    | RecordLine::Trial(_)
    | RecordLine::Resumed(_)
    | RecordLine::Footer(_) => {}
};
