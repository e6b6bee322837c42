//! The files of an audit, read line by line. What cannot be read is counted and named, once a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use scorer::audit::{AuditFile, AuditReader, LineError, Place};

use crate::error::Failure;

use super::ledger::Ledger;

/// The longest line, and the largest document on several lines, that is read.
const LONGEST: usize = 256 << 20;
/// So many lines that cannot be read are named.
const NAMED: usize = 5;

/// What was read of each file.
#[derive(Default)]
pub(super) struct Files {
    files: Vec<AuditFile>,
}

impl Files {
    /// The names, by number.
    pub(super) fn names(&self) -> Vec<String> {
        self.files.iter().map(|file| file.file.clone()).collect()
    }

    pub(super) fn into_summary(self) -> Vec<AuditFile> {
        self.files
    }

    fn begin(&mut self, name: String) -> u32 {
        self.files.push(AuditFile { file: name, ..AuditFile::default() });
        u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX)
    }

    /// Reads a file whose lines are told by their shapes.
    pub(super) fn read(
        &mut self,
        path: &Path,
        reader: &mut AuditReader,
        ledger: &mut Ledger,
    ) -> Result<(), Failure> {
        let name =
            if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
        let number = self.begin(name.clone());
        let Some(file) = self.files.last_mut() else { return Ok(()) };
        let unreadable = |error: io::Error| Failure::usage(format!("cannot read `{name}`: {error}"));
        let mut reading = Reading { file, number, name: &name, reader, ledger, line: 0 };
        if path == Path::new("-") {
            reading.all(&mut io::stdin().lock(), &unreadable)
        } else {
            let file = File::open(path).map_err(unreadable)?;
            reading.all(&mut BufReader::with_capacity(1 << 20, file), &unreadable)
        }
    }

    /// Reads a final message that is plain text.
    pub(super) fn final_message(
        &mut self,
        path: &Path,
        run: Option<&str>,
        reader: &mut AuditReader,
        ledger: &mut Ledger,
    ) -> Result<(), Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("cannot read `{}`: {error}", path.display())))?;
        let number = self.begin(path.display().to_string());
        if let Some(file) = self.files.last_mut() {
            file.lines = 1;
        }
        let key = match (run, ledger.only()) {
            (Some(run), _) => ledger.named(run)?,
            (None, Some(key)) => key.clone(),
            (None, None) if ledger.len() == 0 && !ledger.has_rows() => {
                scorer::audit::RunKey { run: path.display().to_string(), trial: String::new() }
            }
            (None, None) => {
                return Err(Failure::usage("there are several runs, and --final is of one of them")
                    .with_help("say which one: --run NAME"));
            }
        };
        let place = Place { file: number, line: 1 };
        ledger.add(key, place, reader.final_message(&text, place))
    }
}

/// One file under way.
struct Reading<'a> {
    file: &'a mut AuditFile,
    number: u32,
    name: &'a str,
    reader: &'a mut AuditReader,
    ledger: &'a mut Ledger,
    line: u64,
}

/// A line, as far as it was read.
struct RawLine {
    text: Vec<u8>,
    /// Whether it is longer than any that is read.
    too_long: bool,
}

impl Reading<'_> {
    fn all(
        &mut self,
        source: &mut dyn BufRead,
        unreadable: &dyn Fn(io::Error) -> Failure,
    ) -> Result<(), Failure> {
        let mut line = RawLine { text: Vec::new(), too_long: false };
        while next(source, &mut line).map_err(unreadable)? {
            self.line += 1;
            if self.line == 1 && line.text.starts_with(b"\xef\xbb\xbf") {
                line.text.drain(..3);
            }
            if line.text.trim_ascii().is_empty() && !line.too_long {
                continue;
            }
            let starts_a_document = self.file.lines == 0 && opens(&line.text);
            self.file.lines += 1;
            if starts_a_document && !line.too_long {
                self.document(source, &mut line, unreadable)?;
            } else {
                self.one(&line)?;
            }
        }
        Ok(())
    }

    /// A file whose first line opens a value that it does not close: one document on many lines, as a rule.
    fn document(
        &mut self,
        source: &mut dyn BufRead,
        line: &mut RawLine,
        unreadable: &dyn Fn(io::Error) -> Failure,
    ) -> Result<(), Failure> {
        let mut rest = Vec::new();
        source.take(LONGEST as u64).read_to_end(&mut rest).map_err(unreadable)?;
        let whole = [line.text.as_slice(), &rest].concat();
        let place = Place { file: self.number, line: self.line };
        match self.reader.read(&whole, place, &self.unnamed()) {
            Ok(pieces) => {
                for (key, fragment) in pieces {
                    self.ledger.add(key, place, fragment)?;
                }
                return Ok(());
            }
            Err(LineError::RunRecord) => return Err(self.run_record()),
            Err(LineError::NotJson { .. }) => {}
            // It is one value, and nothing that is read here.
            Err(error) => {
                self.unreadable(&error.to_string());
                return Ok(());
            }
        }
        self.one(line)?;
        let mut lines = rest.split_inclusive(|byte| *byte == b'\n').peekable();
        while let Some(text) = lines.next() {
            let is_last = lines.peek().is_none();
            line.text.clear();
            line.text.extend_from_slice(text);
            if is_last && !text.ends_with(b"\n") {
                // The piece may end where reading did.
                next(source, &mut RawLine { text: Vec::new(), too_long: false }).map_err(unreadable)?;
            }
            self.line += 1;
            if !line.text.trim_ascii().is_empty() {
                self.file.lines += 1;
                self.one(line)?;
            }
        }
        Ok(())
    }

    fn unnamed(&self) -> String {
        format!("{}:{}", self.name, self.line)
    }

    fn one(&mut self, line: &RawLine) -> Result<(), Failure> {
        if line.too_long {
            self.unreadable("longer than 256 MiB");
            return Ok(());
        }
        let place = Place { file: self.number, line: self.line };
        match self.reader.read(&line.text, place, &self.unnamed()) {
            Ok(pieces) => pieces.into_iter().try_for_each(|(key, piece)| self.ledger.add(key, place, piece)),
            Err(LineError::RunRecord) => Err(self.run_record()),
            Err(error) => {
                let is_last = !line.text.ends_with(b"\n");
                let cut = matches!(error, LineError::NotJson { cut: true, .. });
                let mut why = error.to_string();
                if cut && is_last {
                    "the last, cut off: its writer was killed".clone_into(&mut why);
                }
                if let Some((key, gap)) = self.reader.gap(&line.text) {
                    self.ledger.add(key, place, gap)?;
                }
                if let Some((key, piece)) = self.reader.salvage(&line.text, place) {
                    "begins with a line that was cut off; the row behind it is read".clone_into(&mut why);
                    self.ledger.add(key, place, piece)?;
                }
                self.unreadable(&why);
                Ok(())
            }
        }
    }

    fn unreadable(&mut self, why: &str) {
        self.file.unreadable += 1;
        if self.file.examples.len() < NAMED {
            self.file.examples.push((self.line, why.to_owned()));
        }
    }

    fn run_record(&self) -> Failure {
        Failure::usage(format!("`{}` is a run record", self.name))
            .with_help("`toolmirage score RUN` judges it; `audit` reads the executor.jsonl beside it")
    }
}

/// Whether a line opens a value and ends right there.
fn opens(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    matches!(line.first(), Some(b'{' | b'[')) && matches!(line.last(), Some(b'{' | b'[' | b','))
}

/// The next line, with its line break; false at the end. Of a line that is too long nothing is kept.
fn next(source: &mut dyn BufRead, line: &mut RawLine) -> io::Result<bool> {
    line.text.clear();
    line.too_long = false;
    if source.take(LONGEST as u64).read_until(b'\n', &mut line.text)? == 0 {
        return Ok(false);
    }
    while line.text.len() >= LONGEST && !line.text.ends_with(b"\n") {
        line.too_long = true;
        line.text.clear();
        source.take(LONGEST as u64).read_until(b'\n', &mut line.text)?;
    }
    if line.too_long {
        line.text = Vec::new();
    }
    Ok(true)
}
