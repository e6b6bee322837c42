//! Reading a record, block by block, in memory that does not grow with the file.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use probes::ProbeLine;
use serde::Deserialize;
use transcript::{Header, RECORD_FORMAT, RecordLine};

use super::failed;
use crate::RecordError;

/// Bytes that a block has at least, where they are read one after another.
const SMALL_BLOCK: usize = 256 << 10;

/// The lines of a record after its header.
pub struct RecordReader {
    path: PathBuf,
    file: File,
    /// What was read beyond the last block.
    rest: Vec<u8>,
    /// Whether the file came to its end.
    ended: bool,
    header: Header,
    /// Lines before the next block.
    line: u64,
    torn: Vec<TornLine>,
    complete: bool,
    /// The block that is gone through line by line.
    current: Option<Reading>,
}

/// A block of which some lines were given out.
struct Reading {
    block: RecordBlock,
    at: usize,
    number: u64,
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

/// Whole lines of a record that follow each other, not parsed yet: they can be parsed side by side.
pub struct RecordBlock {
    text: Vec<u8>,
    /// Number of the line before the first.
    before: u64,
    /// How the line after the last begins; empty where the file ends here.
    next: Vec<u8>,
}

/// One line, not parsed yet.
#[derive(Clone, Copy)]
pub struct UnparsedLine<'a> {
    /// Its number, from 1.
    pub number: u64,
    text: &'a [u8],
    /// How the next line begins; empty where the file ends here.
    next: &'a [u8],
}

/// What a line turned out to be.
pub enum ParsedLine {
    /// A line of the record.
    Line(RecordLine<ProbeLine>),
    /// What a crash left of a line.
    Torn(TornLine),
    /// Nothing: an empty line where a crash stood.
    Nothing,
    /// A line that no crash explains.
    Bad {
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        message: String,
    },
}

impl RecordBlock {
    /// Its lines, in their order.
    pub fn lines(&self) -> impl Iterator<Item = UnparsedLine<'_>> {
        let (mut at, mut number) = (0, self.before);
        std::iter::from_fn(move || self.line(&mut at, &mut number))
    }

    /// The line at a place, which is moved behind it.
    fn line(&self, at: &mut usize, number: &mut u64) -> Option<UnparsedLine<'_>> {
        let left = self.text.get(*at..).filter(|left| !left.is_empty())?;
        let length = memchr::memchr(b'\n', left).map_or(left.len(), |end| end + 1);
        let (text, after) = left.split_at(length);
        *at += length;
        *number += 1;
        let next = if after.is_empty() { self.next.as_slice() } else { after };
        Some(UnparsedLine { number: *number, text, next })
    }
}

impl UnparsedLine<'_> {
    /// Parses it.
    #[must_use]
    pub fn parse(self) -> ParsedLine {
        let bad = |message| ParsedLine::Bad { line: self.number, message };
        match serde_json::from_slice(self.text) {
            Ok(RecordLine::Header(_)) => bad("a second header".to_owned()),
            Ok(line) => ParsedLine::Line(line),
            Err(_) if self.a_crash_stood_here() => match self.text.trim_ascii_end().len() {
                0 => ParsedLine::Nothing,
                bytes => ParsedLine::Torn(TornLine { line: self.number, bytes }),
            },
            Err(error) => bad(error.to_string()),
        }
    }

    /// Whether a crash can have torn the line: it ends the file, or the run was taken up after it (perhaps to
    /// crash again within its first line).
    fn a_crash_stood_here(&self) -> bool {
        if !self.text.ends_with(b"\n") || self.next.is_empty() {
            return true;
        }
        let next = self.next.get(..RESUMED.len()).unwrap_or(self.next);
        let next = next.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
        RESUMED.starts_with(next)
    }
}

impl RecordReader {
    /// Opens a record and reads its header.
    ///
    /// # Errors
    /// The file cannot be read, does not begin with a header, or has a newer format than this build knows.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let mut file = File::open(path).map_err(|source| failed("read", path, source))?;
        let (mut rest, mut ended) = (Vec::new(), false);
        let end = whole_lines(&mut file, &mut rest, &mut ended, 1)
            .map_err(|source| failed("read", path, source))?;
        let first = memchr::memchr(b'\n', &rest).map_or(end, |end| end + 1);
        let header = header(path, rest.get(..first).unwrap_or_default())?;
        rest.drain(..first);
        let path = path.to_owned();
        let torn = Vec::new();
        Ok(Self { path, file, rest, ended, header, line: 1, torn, complete: false, current: None })
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

    /// The next lines, of about so many bytes and never less than one line; none after the last. Whoever parses
    /// them hands each to `met`, in their order.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn block(&mut self, bytes: usize) -> Result<Option<RecordBlock>, RecordError> {
        if let Some(Reading { mut block, at, number }) = self.current.take() {
            block.text.drain(..at);
            block.before = number;
            if !block.text.is_empty() {
                return Ok(Some(block));
            }
        }
        let end = whole_lines(&mut self.file, &mut self.rest, &mut self.ended, bytes)
            .map_err(|source| failed("read", &self.path, source))?;
        if end == 0 {
            return Ok(None);
        }
        let after = self.rest.split_off(end);
        let text = std::mem::replace(&mut self.rest, after);
        let next = self.rest.get(..RESUMED.len()).unwrap_or(&self.rest).to_vec();
        let before = self.line;
        self.line += memchr::memchr_iter(b'\n', &text).count() as u64;
        Ok(Some(RecordBlock { text, before, next }))
    }

    /// Takes note of a line, and gives it back where it is one.
    ///
    /// # Errors
    /// The line is no line of a record.
    pub fn met(&mut self, line: ParsedLine) -> Result<Option<RecordLine<ProbeLine>>, RecordError> {
        match line {
            ParsedLine::Line(line) => {
                self.complete = matches!(line, RecordLine::Footer(_));
                Ok(Some(line))
            }
            ParsedLine::Torn(torn) => {
                self.torn.push(torn);
                Ok(None)
            }
            ParsedLine::Nothing => Ok(None),
            ParsedLine::Bad { line, message } => {
                Err(RecordError::BadLine { path: self.path.clone(), line, message })
            }
        }
    }

    fn read(&mut self) -> Result<Option<RecordLine<ProbeLine>>, RecordError> {
        loop {
            while let Some(reading) = &mut self.current {
                let Some(line) = reading.block.line(&mut reading.at, &mut reading.number) else {
                    self.current = None;
                    break;
                };
                let parsed = line.parse();
                if let Some(line) = self.met(parsed)? {
                    return Ok(Some(line));
                }
            }
            let Some(block) = self.block(SMALL_BLOCK)? else { return Ok(None) };
            self.current = Some(Reading { at: 0, number: block.before, block });
        }
    }
}

/// Reads until there are whole lines of so many bytes, and gives where they end: all there is, where the file
/// ends. Before that, the beginning of one more line stays behind them: it decides whether a crash tore the last.
fn whole_lines(file: &mut File, text: &mut Vec<u8>, ended: &mut bool, bytes: usize) -> io::Result<usize> {
    let mut searched = 0;
    loop {
        let enough = text.len().saturating_sub(RESUMED.len());
        if !*ended && enough >= bytes {
            if let Some(end) = text.get(searched..enough).and_then(|new| memchr::memrchr(b'\n', new)) {
                return Ok(searched + end + 1);
            }
            searched = enough;
        }
        if *ended {
            return Ok(text.len());
        }
        let wanted = (bytes.saturating_sub(text.len()) + RESUMED.len()).max(SMALL_BLOCK);
        *ended = (&*file).take(wanted as u64).read_to_end(text)? < wanted;
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
