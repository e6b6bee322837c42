//! `executor.jsonl` on disk: a row before a call runs and a row after it, each in the file before anything
//! else happens. A model cannot write it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use transcript::ExecutorRow;

use crate::record_file::append_to;
use crate::{RecordError, Redactor};

/// Writes executor rows. Trials under way share it.
pub(crate) struct ExecutorFile {
    path: PathBuf,
    /// None where rows go nowhere: then none is put into words either.
    out: Option<Mutex<Box<dyn Write + Send>>>,
    redactor: Redactor,
}

impl ExecutorFile {
    /// Opens a file for appending; a line that a crash tore is ended first.
    ///
    /// # Errors
    /// The file cannot be opened or written.
    pub(crate) fn open(path: &Path, redactor: Redactor) -> Result<Self, RecordError> {
        let (mut file, torn) = append_to(path)?;
        if torn {
            file.write_all(b"\n").map_err(|source| io_error(path, source))?;
        }
        Ok(Self { path: path.to_owned(), out: Some(Mutex::new(Box::new(file))), redactor })
    }

    /// Writes rows nowhere; for runs that only live in memory.
    pub(crate) fn nowhere() -> Self {
        Self { path: PathBuf::new(), out: None, redactor: Redactor::default() }
    }

    /// Writes a row and hands it to the system before it returns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(&self, row: &ExecutorRow) -> Result<(), RecordError> {
        let Some(out) = &self.out else { return Ok(()) };
        let text = serde_json::to_string(row).map_err(|error| io_error(&self.path, error.into()))?;
        let line = format!("{}\n", self.redactor.clean_line(&text));
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(line.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|source| io_error(&self.path, source))
    }
}

/// Appends the rows of one call to an `executor.jsonl` that other processes may write too: under a lock, in one
/// write, and on disk when it returns. `rows` is handed the call's number: `seq`, else the next one of its trial.
/// A line that a crash tore is ended first.
///
/// # Errors
/// The file cannot be opened, locked, read or written.
pub fn append_executor_call<R: IntoIterator<Item = ExecutorRow>>(
    path: &Path,
    run: &str,
    trial: &str,
    seq: Option<u32>,
    rows: impl FnOnce(u32) -> R,
) -> Result<(), RecordError> {
    let failed = |source| io_error(path, source);
    let (mut file, _) = append_to(path)?;
    file.lock().map_err(failed)?;
    // Another process may have written between the opening and the lock.
    let torn = ends_within_a_line(&mut file).map_err(failed)?;
    let seq = match seq {
        Some(seq) => seq,
        None => next_seq(&mut file, run, trial).map_err(failed)?,
    };
    let mut text = if torn { "\n".to_owned() } else { String::new() };
    for row in rows(seq) {
        text.push_str(&serde_json::to_string(&row).map_err(|error| failed(error.into()))?);
        text.push('\n');
    }
    file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)
}

fn ends_within_a_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// One more than the largest number of a trial's rows.
fn next_seq(file: &mut File, run: &str, trial: &str) -> io::Result<u32> {
    #[derive(Deserialize)]
    struct Numbered<'a> {
        #[serde(borrow)]
        run: Cow<'a, str>,
        #[serde(borrow, default)]
        trial: Cow<'a, str>,
        seq: u32,
    }
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(file);
    let (mut next, mut line) = (0, Vec::new());
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(next);
        }
        if let Ok(row) = serde_json::from_slice::<Numbered<'_>>(&line)
            && row.run == run
            && row.trial == trial
        {
            next = next.max(row.seq.saturating_add(1));
        }
    }
}

fn io_error(path: &Path, source: io::Error) -> RecordError {
    RecordError::Io { doing: "write", path: path.to_owned(), source }
}

/// The rows of an `executor.jsonl`, and the numbers of the lines that are none (a crash tears lines).
///
/// # Errors
/// The file cannot be read.
pub fn read_executor_rows(path: &Path) -> Result<(Vec<ExecutorRow>, Vec<u64>), RecordError> {
    let io_error = |source| RecordError::Io { doing: "read", path: path.to_owned(), source };
    let mut file = BufReader::new(File::open(path).map_err(io_error)?);
    let (mut rows, mut torn) = (Vec::new(), Vec::new());
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if file.read_until(b'\n', &mut line).map_err(io_error)? == 0 {
            break;
        }
        match serde_json::from_slice(&line) {
            Ok(row) => rows.push(row),
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(_) => torn.push(number),
        }
    }
    Ok((rows, torn))
}
