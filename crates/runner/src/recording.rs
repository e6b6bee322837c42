//! Responses kept on disk: a cache that spares requests, and recordings that let a run go without a network.
//! A response is found by what was asked (every byte of the request, and the repeat), never by what was said.

mod entry;
mod key;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::transport::{HttpRequest, HttpResponse, TransportError};
use crate::{RecordError, Redactor, Target};

use entry::Entry;
pub use key::{RequestKey, UNKEYED};

/// What is done with responses that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordingMode {
    /// A response that is there is taken in place of a request; answers are kept.
    Cache,
    /// Everything is asked; whatever ends a request's tries is kept, in place of what was there.
    Record,
    /// Nothing is asked. What is not there is an error, never a request.
    Replay,
}

/// A folder of responses, one file each, named by the hash of what was asked.
#[derive(Debug, Clone)]
pub struct Recordings {
    folder: PathBuf,
    mode: RecordingMode,
    redactor: Redactor,
}

/// A response, or the failure to get one, as it was when it was fresh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) outcome: Result<HttpResponse, TransportError>,
    /// How long it took then, in milliseconds.
    pub(crate) latency_ms: u64,
    /// When that was, RFC 3339.
    pub(crate) stored: String,
}

impl Recordings {
    /// Takes a folder; it is made with the first response that is kept. `redactor` knows the secrets that must not
    /// be written.
    #[must_use]
    pub fn new(folder: PathBuf, mode: RecordingMode, redactor: Redactor) -> Self {
        Self { folder, mode, redactor }
    }

    /// What is done with responses.
    #[must_use]
    pub fn mode(&self) -> RecordingMode {
        self.mode
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file that has, or would have, the response to a request. No part of it comes from a model.
    #[must_use]
    pub fn file(folder: &Path, key: &RequestKey) -> PathBuf {
        let hash = key.hash();
        let hex = hash.0.strip_prefix("sha256:").unwrap_or(&hash.0);
        let (group, rest) = hex.split_at(hex.len().min(2));
        folder.join(group).join(format!("{rest}.json"))
    }

    /// The response that is kept for a request. Nothing is looked up while recording.
    ///
    /// # Errors
    /// The file is there and cannot be read, or is no recording.
    pub(crate) async fn find(&self, key: &RequestKey) -> Result<Option<Kept>, RecordError> {
        if self.mode == RecordingMode::Record {
            return Ok(None);
        }
        let path = Self::file(&self.folder, key);
        off_the_runtime(move || {
            let text = match std::fs::read(&path) {
                Ok(text) => text,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                Err(source) => return Err(RecordError::Io { doing: "read", path, source }),
            };
            Entry::read(&text).map(Some).map_err(|found| RecordError::NotARecording { path, found })
        })
        .await
    }

    /// Keeps what ended a request's tries, where the mode keeps it: in a cache only answers, so that a failure is
    /// tried again the next time.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) async fn keep(
        &self,
        key: &RequestKey,
        request: &HttpRequest,
        kept: &Kept,
        is_answer: bool,
    ) -> Result<(), RecordError> {
        let keeps = match self.mode {
            RecordingMode::Cache => is_answer,
            RecordingMode::Record => true,
            RecordingMode::Replay => false,
        };
        if !keeps {
            return Ok(());
        }
        let path = Self::file(&self.folder, key);
        let text = self.redactor.clean_line(&Entry::write(key, request, kept)).into_owned();
        off_the_runtime(move || {
            write_whole(&path, &text).map_err(|source| RecordError::Io { doing: "write", path, source })
        })
        .await
    }
}

/// Files are read and written where that blocks no other request.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RecordError> + Send + 'static,
) -> Result<T, RecordError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => {
            Err(RecordError::Io { doing: "use", path: PathBuf::new(), source: std::io::Error::other(error) })
        }
    }
}

/// Writes a file so that a reader, and a process that is killed, sees all of it or nothing.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

impl RequestKey {
    /// The key of a request to a target.
    #[must_use]
    pub fn of(target: &Target, request: &HttpRequest, repeat: u32) -> Self {
        Self {
            provider: target.provider.name.to_owned(),
            url: format!("{}{}", target.place, request.path),
            headers: target.headers.clone(),
            trial: request.trial.clone(),
            repeat,
            body: transcript::Fingerprint::of(&request.body),
        }
    }
}

/// When something is kept, as it is written.
pub(crate) fn stamp(now: Timestamp) -> String {
    format!("{now:.3}")
}
