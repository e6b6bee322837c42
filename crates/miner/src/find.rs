//! The files under the paths that were named.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::read::Log;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Files to be read, in the order of their names, each once.
    pub(crate) logs: Vec<Log>,
    /// What is not read, and why.
    pub(crate) left_out: Vec<(String, String)>,
}

/// Finds every file below the paths. A file that is named twice, or reached by links, is found once.
pub(crate) fn files(paths: &[PathBuf]) -> Found {
    let mut found = Found::default();
    let mut seen = HashSet::new();
    for path in paths {
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => add(entry.path(), entry.metadata().ok(), &mut seen, &mut found),
                Err(error) => {
                    let name = error.path().unwrap_or(path).display().to_string();
                    let why = match error.loop_ancestor() {
                        Some(ancestor) => format!("a link back to `{}`", ancestor.display()),
                        None => error.io_error().map_or_else(|| error.to_string(), ToString::to_string),
                    };
                    found.left_out.push((name, why));
                }
            }
        }
    }
    found
}

fn add(path: &Path, metadata: Option<std::fs::Metadata>, seen: &mut HashSet<Identity>, found: &mut Found) {
    let name = path.display().to_string();
    let Some(metadata) = metadata else {
        return found.left_out.push((name, "cannot be looked at".to_owned()));
    };
    if !metadata.is_file() {
        return found.left_out.push((name, "no regular file".to_owned()));
    }
    if !seen.insert(identity(path, &metadata)) {
        return found.left_out.push((name, "the same file as one before".to_owned()));
    }
    found.logs.push(Log { path: path.to_owned(), name, size: metadata.len() });
}

#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(_: &Path, metadata: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(not(unix))]
fn identity(path: &Path, _: &std::fs::Metadata) -> Identity {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
