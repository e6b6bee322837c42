//! Reading a record, line by line, in memory that does not grow with the file.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use probes::ProbeLine;
use serde::Deserialize;
use transcript::{Header, RECORD_FORMAT, RecordLine};

use super::failed;
use crate::RecordError;

/// The lines of a record after its header.
pub struct RecordReader {
    path: PathBuf,
    file: BufReader<File>,
    header: Header,
    /// The next line, with its line break; empty where it has not been read.
    next: Vec<u8>,
    line: u64,
    torn: Vec<TornLine>,
    complete: bool,
}

/// A line that a crash tore; it is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TornLine {
    /// Its number, from 1.
    pub line: u64,
    /// What is left of it, in bytes.
    pub bytes: usize,
}

/// How a `resumed` line begins: a torn line may stand before one, and at the end of the file.
const RESUMED: &[u8] = b"{\"resumed\"";

impl RecordReader {
    /// Opens a record and reads its header.
    ///
    /// # Errors
    /// The file cannot be read, does not begin with a header, or has a newer format than this build knows.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(|source| failed("read", path, source))?;
        let mut file = BufReader::new(file);
        let mut first = Vec::new();
        file.read_until(b'\n', &mut first).map_err(|source| failed("read", path, source))?;
        let header = header(path, &first)?;
        let path = path.to_owned();
        Ok(Self { path, file, header, next: Vec::new(), line: 1, torn: Vec::new(), complete: false })
    }

    /// What was planned.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The torn lines met so far.
    #[must_use]
    pub fn torn(&self) -> &[TornLine] {
        &self.torn
    }

    /// Whether the footer was met. False after the last line: the run did not finish.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Puts the next line into `next`, unless it is there; whether there is one.
    fn fill(&mut self) -> Result<bool, RecordError> {
        if self.next.is_empty() {
            self.file
                .read_until(b'\n', &mut self.next)
                .map_err(|source| failed("read", &self.path, source))?;
        }
        Ok(!self.next.is_empty())
    }

    fn read(&mut self) -> Result<Option<RecordLine<ProbeLine>>, RecordError> {
        while self.fill()? {
            let text = std::mem::take(&mut self.next);
            self.line += 1;
            match serde_json::from_slice(&text) {
                Ok(RecordLine::Header(_)) => return Err(self.bad("a second header".to_owned())),
                Ok(line) => {
                    self.complete = matches!(line, RecordLine::Footer(_));
                    return Ok(Some(line));
                }
                Err(_) if self.a_crash_stood_here(&text)? => {
                    let bytes = text.trim_ascii_end().len();
                    if bytes > 0 {
                        self.torn.push(TornLine { line: self.line, bytes });
                    }
                }
                Err(error) => return Err(self.bad(error.to_string())),
            }
        }
        Ok(None)
    }

    /// Whether a crash can have torn the line just read: it ends the file, or the run was taken up after it
    /// (perhaps to crash again within its first line).
    fn a_crash_stood_here(&mut self, text: &[u8]) -> Result<bool, RecordError> {
        if !text.ends_with(b"\n") || !self.fill()? {
            return Ok(true);
        }
        let next = self.next.trim_ascii_end();
        Ok(next.starts_with(RESUMED) || RESUMED.starts_with(next))
    }

    fn bad(&self, message: String) -> RecordError {
        RecordError::BadLine { path: self.path.clone(), line: self.line, message }
    }
}

impl Iterator for RecordReader {
    type Item = Result<RecordLine<ProbeLine>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

fn header(path: &Path, first: &[u8]) -> Result<Header, RecordError> {
    #[derive(Deserialize)]
    struct Line {
        header: Format,
    }
    #[derive(Deserialize)]
    struct Format {
        format: String,
    }
    let not_a_record = |found: String| RecordError::NotARecord { path: path.to_owned(), found };
    if first.trim_ascii().is_empty() {
        return Err(not_a_record("it is empty".to_owned()));
    }
    // The format decides before anything else is looked at: a newer header may have another shape.
    let Line { header: Format { format: found } } = serde_json::from_slice(first)
        .map_err(|error| not_a_record(format!("its first line is no header ({error})")))?;
    if found != RECORD_FORMAT {
        return Err(match newer(&found) {
            true => RecordError::NewerFormat { path: path.to_owned(), found, known: RECORD_FORMAT },
            false => not_a_record(format!("its format is `{found}`, wanted `{RECORD_FORMAT}`")),
        });
    }
    match serde_json::from_slice::<RecordLine<ProbeLine>>(first) {
        Ok(RecordLine::Header(header)) => Ok(*header),
        Ok(_) => Err(not_a_record("its first line is no header".to_owned())),
        Err(error) => {
            Err(RecordError::BadLine { path: path.to_owned(), line: 1, message: error.to_string() })
        }
    }
}

/// Whether a format is ours with a higher version.
fn newer(found: &str) -> bool {
    let version = |format: &str| {
        let (name, version) = format.split_once('/')?;
        Some((name.to_owned(), version.parse::<u64>().ok()?))
    };
    match (version(found), version(RECORD_FORMAT)) {
        (Some((name, theirs)), Some((ours_name, ours))) => name == ours_name && theirs > ours,
        _ => false,
    }
}
