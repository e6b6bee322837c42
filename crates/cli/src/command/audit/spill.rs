//! Runs on disk: a temporary file a part, a JSON line a fragment, in the order in which they came.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};

use scorer::audit::{AuditRun, Fragment, Place, RunKey};

use crate::error::Failure;

/// The parts. The files have no name, and are gone when the process ends, however it ends.
pub(super) struct Spill {
    parts: Vec<BufWriter<File>>,
}

impl Spill {
    /// Empty parts.
    pub(super) fn new(parts: usize) -> Result<Self, Failure> {
        let file = |_| tempfile::tempfile().map(|file| BufWriter::with_capacity(1 << 16, file));
        let parts = (0..parts).map(file).collect::<Result<_, _>>().map_err(|error| failed(&error))?;
        Ok(Self { parts })
    }

    /// Appends to a part.
    pub(super) fn write(
        &mut self,
        part: usize,
        key: &RunKey,
        place: Place,
        fragment: &Fragment,
    ) -> Result<(), Failure> {
        let Some(out) = self.parts.get_mut(part) else { return Ok(()) };
        let mut line = serde_json::to_vec(&(key, place, fragment))?;
        line.push(b'\n');
        out.write_all(&line).map_err(|error| failed(&error))
    }

    /// The runs of a part.
    pub(super) fn runs(&mut self, part: usize) -> Result<HashMap<RunKey, AuditRun>, Failure> {
        let mut runs: HashMap<RunKey, AuditRun> = HashMap::new();
        let Some(out) = self.parts.get_mut(part) else { return Ok(runs) };
        out.flush().map_err(|error| failed(&error))?;
        let file = out.get_mut();
        file.seek(SeekFrom::Start(0)).map_err(|error| failed(&error))?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(|error| failed(&error))? == 0 {
                return Ok(runs);
            }
            let (key, place, fragment): (RunKey, Place, Fragment) = serde_json::from_slice(&line)?;
            runs.entry(key).or_default().add(place, fragment);
        }
    }
}

fn failed(error: &std::io::Error) -> Failure {
    Failure::usage(format!("cannot write a temporary file: {error}"))
        .with_help("free space for temporary files, or hold more in memory: --memory MIB")
}
