//! Why a run cannot go on, or a record cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A record that cannot be read, written or taken up again.
#[derive(Debug, Error)]
pub enum RecordError {
    /// Reading or writing failed.
    #[error("cannot {doing} `{}`", path.display())]
    Io {
        /// `read`, `write`, `create`, `lock`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file does not begin with a run record's header.
    #[error("`{}` is no run record: {found}", path.display())]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// What is there instead.
        found: String,
    },
    /// A file among the recordings is none.
    #[error("`{}` is no recording: {found}", path.display())]
    NotARecording {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
    },
    /// A newer build wrote it.
    #[error("`{}` has the format `{found}`; this build reads up to `{known}`", path.display())]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// The format it names.
        found: String,
        /// The newest format that this build knows.
        known: &'static str,
    },
    /// A line that is no record line, at a place where no crash can have torn it.
    #[error("`{}`, line {line}: {message}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        message: String,
    },
    /// Another process writes into the folder.
    #[error("another run is writing into `{}`", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// There is a record already.
    #[error("`{}` is there already, and a record is never overwritten", path.display())]
    AlreadyThere {
        /// The file.
        path: PathBuf,
    },
    /// The record has its footer.
    #[error("`{}` is complete; there is nothing to take up again", path.display())]
    Complete {
        /// The file.
        path: PathBuf,
    },
    /// The record was made of something else than the plan.
    #[error("`{}` cannot be taken up again: {what} differs from what it was begun with", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
    },
}

/// A run that could not be carried out. What the endpoint does is no such error; see `RunEnd`.
#[derive(Debug, Error)]
pub enum RunError {
    /// The record cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is nothing to put.
    #[error("no trial is planned")]
    NothingPlanned,
}
