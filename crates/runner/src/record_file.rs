//! The run record on disk (DESIGN.md section 5): append-only and crash-safe. Each line is one write, handed to
//! the system as soon as it exists; nothing that was written is ever written again.

mod reader;
mod writer;

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use probes::ProbeLine;
use transcript::{CellId, Fingerprint, Header, ProbeId, RecordLine};

use crate::executor_file::ExecutorFile;
use crate::{RecordError, Redactor};
pub use reader::{ParsedLine, RecordBlock, RecordReader, TornLine, UnparsedLine};
pub(crate) use writer::RecordWriter;

/// The record's name within its folder.
pub const RECORD_FILE: &str = "run.jsonl";
/// The executor log's name within its folder.
pub const EXECUTOR_FILE: &str = "executor.jsonl";
const LOCK_FILE: &str = "run.lock";

/// A run's folder, open for writing by this process alone.
pub struct RunFiles {
    pub(crate) record: RecordWriter,
    pub(crate) executor: ExecutorFile,
    /// How often the run was taken up again.
    pub(crate) resumptions: u32,
    _lock: Option<File>,
}

impl RunFiles {
    /// Begins a run: makes the folder and writes what is planned. The record appears whole or not at all.
    ///
    /// # Errors
    /// The folder has a record, is locked by another run, or cannot be written.
    pub fn create(
        folder: &Path,
        header: &Header,
        probes: impl IntoIterator<Item = ProbeLine>,
        redactor: &Redactor,
    ) -> Result<Self, RecordError> {
        fs::create_dir_all(folder).map_err(|source| failed("create", folder, source))?;
        let lock = lock(folder)?;
        let path = folder.join(RECORD_FILE);
        if path.exists() {
            return Err(RecordError::AlreadyThere { path });
        }
        let record = RecordWriter::create(&path, header, probes, redactor.clone())?;
        let executor = ExecutorFile::open(&folder.join(EXECUTOR_FILE), redactor.clone())?;
        Ok(Self { record, executor, resumptions: 0, _lock: Some(lock) })
    }

    /// Takes a run up again. The record must have been begun with the same plan.
    ///
    /// # Errors
    /// The record cannot be read or written, is complete, is locked, or was begun with something else.
    pub fn resume(
        folder: &Path,
        header: &Header,
        probes: impl IntoIterator<Item = ProbeLine>,
        redactor: &Redactor,
        now: Timestamp,
    ) -> Result<Self, RecordError> {
        let path = folder.join(RECORD_FILE);
        let mut reader = RecordReader::open(&path)?;
        let lock = lock(folder)?;
        let mismatch = |what: String| RecordError::Mismatch { path: path.clone(), what };
        let header = redactor.clean_header(header).unwrap_or_else(|| header.clone());
        if let Some(what) = header_difference(reader.header(), &header) {
            return Err(mismatch(what.to_owned()));
        }
        let mut wanted: Identities = probes.into_iter().map(|probe| identity(&probe, redactor)).collect();
        if redactor.has_patterns() {
            [&path, &folder.join(EXECUTOR_FILE)]
                .into_iter()
                .try_for_each(|file| skip_numbers(file, redactor))?;
        }
        let mut record = RecordWriter::append_to(&path, redactor.clone())?;
        let mut resumptions = 1;
        for line in &mut reader {
            match line? {
                RecordLine::Probe(probe) => {
                    let (id, hashes) = identity(&probe, redactor);
                    if wanted.remove(&id).as_ref() != Some(&hashes) {
                        return Err(mismatch(format!("probe `{}`", id.1)));
                    }
                }
                RecordLine::Trial(trial) => record.note(&trial),
                RecordLine::Resumed(_) => resumptions += 1,
                RecordLine::Header(_) | RecordLine::Footer(_) => {}
            }
        }
        if let Some((_, id)) = wanted.keys().min() {
            return Err(mismatch(format!("probe `{id}`")));
        }
        if reader.is_complete() {
            return Err(RecordError::Complete { path });
        }
        record.resumed(now)?;
        let executor = ExecutorFile::open(&folder.join(EXECUTOR_FILE), redactor.clone())?;
        Ok(Self { record, executor, resumptions, _lock: Some(lock) })
    }

    /// A run that only lives in memory: nothing is kept but what `run` hands out as it happens.
    #[must_use]
    pub fn in_memory() -> Self {
        let (record, executor) = (RecordWriter::nowhere(), ExecutorFile::nowhere());
        Self { record, executor, resumptions: 0, _lock: None }
    }

    /// Ends the record after a round that was not known to be the last one.
    ///
    /// # Errors
    /// The record cannot be written.
    pub fn finish(&mut self, planned: u64, now: Timestamp) -> Result<(), RecordError> {
        self.record.finish(planned, now)
    }

    /// Trials that the record holds.
    #[must_use]
    pub fn recorded(&self) -> u64 {
        self.record.recorded()
    }
}

type Identities = HashMap<(CellId, ProbeId), Identity>;

/// The hashes of a probe; and where patterns take something out, of its line too: a value must have the token that
/// it had.
type Identity = (Fingerprint, Fingerprint, Option<Fingerprint>);

fn identity(probe: &ProbeLine, redactor: &Redactor) -> ((CellId, ProbeId), Identity) {
    let line = || serde_json::to_vec(&redactor.clean_probe(probe)?).ok();
    let line = redactor.has_patterns().then(line).flatten().map(|text| Fingerprint::of(&text));
    let hashes = (probe.question_hash.clone(), probe.sent_hash.clone(), line);
    ((probe.cell.clone(), probe.id.clone()), hashes)
}

/// Takes in the numbers that an earlier sitting gave.
fn skip_numbers(path: &Path, redactor: &Redactor) -> Result<(), RecordError> {
    let read = |source| failed("read", path, source);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(read(error)),
    };
    let (mut file, mut line) = (BufReader::new(file), Vec::new());
    while file.read_until(b'\n', &mut line).map_err(read)? > 0 {
        redactor.skip_numbers(&String::from_utf8_lossy(&line));
        line.clear();
    }
    Ok(())
}

/// What of a plan must be equal for its trials to belong to one run.
fn header_difference(theirs: &Header, ours: &Header) -> Option<&'static str> {
    let checks = [
        (theirs.suite == ours.suite, "the suite"),
        (theirs.cells == ours.cells, "the cells"),
        (theirs.targets == ours.targets, "a target"),
        (theirs.prompts == ours.prompts, "a prompt"),
        (theirs.catalogs == ours.catalogs, "a catalog"),
        (theirs.repeats == ours.repeats, "the number of repeats"),
        (theirs.seed == ours.seed, "the seed"),
        (theirs.max_turns == ours.max_turns, "the limit on turns"),
        (theirs.confirm == ours.confirm, "the number of confirming trials"),
        (theirs.redact == ours.redact, "what `privacy.redact` takes out"),
    ];
    checks.iter().find(|(equal, _)| !equal).map(|(_, what)| *what)
}

/// Locks a folder for this process; the system gives the lock back when the process ends in any way.
fn lock(folder: &Path) -> Result<File, RecordError> {
    let path = folder.join(LOCK_FILE);
    let file =
        OpenOptions::new().create(true).append(true).open(&path).map_err(|e| failed("lock", &path, e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RecordError::Locked { path: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(failed("lock", &path, source)),
    }
}

/// Opens a file for appending, and says whether its last line was torn off.
pub(crate) fn append_to(path: &Path) -> Result<(File, bool), RecordError> {
    let open = || -> io::Result<(File, bool)> {
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        if file.seek(SeekFrom::End(0))? == 0 {
            return Ok((file, false));
        }
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        Ok((file, last != *b"\n"))
    };
    open().map_err(|source| failed("write", path, source))
}

fn failed(doing: &'static str, path: &Path, source: io::Error) -> RecordError {
    RecordError::Io { doing, path: PathBuf::from(path), source }
}
