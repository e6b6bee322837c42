//! The files of an import: those that are named, those of named folders, and what belongs to them and lies in its place
//! beside them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use importer::{Benchmark, SourceFile};

use crate::error::Failure;

/// How deep named folders are looked through.
const DEEPEST: usize = 6;

/// Reads them, each once.
pub(crate) fn read(benchmark: &Benchmark, named: &[PathBuf]) -> Result<Vec<SourceFile>, Failure> {
    let mut paths = Vec::new();
    for path in named {
        if path.is_dir() {
            let before = paths.len();
            folder(path, DEEPEST, &mut paths)?;
            if paths.len() == before {
                return Err(Failure::usage(format!("`{}` has no .json or .jsonl file", path.display())));
            }
        } else {
            paths.push(path.clone());
        }
    }
    let beside: Vec<PathBuf> = paths.iter().flat_map(|path| companions(benchmark, path)).collect();
    paths.extend(beside);
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    paths.iter().map(|path| source(benchmark, path)).collect()
}

fn source(benchmark: &Benchmark, path: &Path) -> Result<SourceFile, Failure> {
    let unreadable =
        |error: &dyn std::fmt::Display| Failure::usage(format!("cannot read `{}`: {error}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        unreadable(&format!("line {line} is not UTF-8 text"))
    })?;
    Ok(SourceFile { name: shown(benchmark, path), text })
}

/// The file's name, with its folder where that says what the file is: an account is the same on every machine.
fn shown(benchmark: &Benchmark, path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let folder = path.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy());
    match folder.filter(|folder| benchmark.beside.iter().any(|beside| beside.folder == folder)) {
        Some(folder) => format!("{folder}/{name}"),
        None => name.into_owned(),
    }
}

fn folder(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let unreadable =
        |error: std::io::Error| Failure::usage(format!("cannot read `{}`: {error}", path.display()));
    let entries = std::fs::read_dir(path).map_err(unreadable)?;
    let mut entries: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(unreadable)?;
    entries.sort();
    for entry in entries {
        let ending = entry.extension().and_then(|ending| ending.to_str());
        if entry.is_dir() && depth > 0 {
            folder(&entry, depth - 1, found)?;
        } else if matches!(ending, Some("json" | "jsonl")) {
            found.push(entry);
        }
    }
    Ok(())
}

fn companions(benchmark: &Benchmark, path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name() else { return Vec::new() };
    let parent = path.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for beside in benchmark.beside.iter().filter(|beside| name.to_string_lossy().contains(beside.when)) {
        let beside_it = parent.join(beside.folder);
        if !beside.all {
            found.extend(Some(beside_it.join(name)).filter(|path| path.is_file()));
        } else if beside_it.is_dir() {
            // What cannot be listed is missed by the cases that need it, which say so.
            let _ = folder(&beside_it, 0, &mut found);
        }
    }
    found
}
