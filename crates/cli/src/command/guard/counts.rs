//! Remembered counts on disk: read, changed and written under a lock, and never half there.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use guard::{COUNTS_FORMAT, Counts};
use serde_json::{Map, Value};

use crate::error::Failure;
use crate::output;

/// The counts, for as long as one read is judged.
pub(super) struct Remembered {
    path: PathBuf,
    counts: Counts,
    /// Held until the counts are written: another read of the same moment waits.
    _lock: File,
}

impl Remembered {
    /// Opens the counts; there are none where the file is not there.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let unreadable = |error: &dyn std::fmt::Display| {
            Failure::usage(format!("cannot read the counts `{}`: {error}", path.display()))
        };
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        let lock = OpenOptions::new().create(true).append(true).open(lock).map_err(|e| unreadable(&e))?;
        lock.lock().map_err(|error| unreadable(&error))?;
        let counts = match std::fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| unreadable(&error))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Counts::default(),
            Err(error) => return Err(unreadable(&error)),
        };
        if counts.toolmirage != COUNTS_FORMAT {
            let message = format!("its format is `{}`, wanted `{COUNTS_FORMAT}`", counts.toolmirage);
            return Err(unreadable(&message));
        }
        Ok(Self { path: path.to_owned(), counts, _lock: lock })
    }

    /// The rows of the last accepted answer to a request.
    pub(super) fn of(&self, read: &str, arguments: &Map<String, Value>) -> Option<u64> {
        self.counts.of(read, arguments)
    }

    /// Remembers an accepted answer, on disk.
    pub(super) fn remember(
        &mut self,
        read: &str,
        arguments: &Map<String, Value>,
        rows: u64,
    ) -> Result<(), Failure> {
        self.counts.remember(read, arguments, rows);
        let mut text = serde_json::to_string_pretty(&self.counts)?;
        text.push('\n');
        output::write_file(&self.path, text.as_bytes())
    }
}
