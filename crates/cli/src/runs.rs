//! Finding a run: a folder, a name below `reports/`, a `run.jsonl`, or `latest`.

use std::path::{Path, PathBuf};

use probes::nearest;
use runner::RECORD_FILE as RECORD;

use crate::error::Failure;

/// Where runs are kept.
pub(crate) const RUNS: &str = "reports";

/// The report's name within a run's folder.
const REPORT: &str = "report.json";

/// The folder and the record of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunPath {
    /// The folder, where reports are written.
    pub(crate) folder: PathBuf,
    /// The record.
    pub(crate) record: PathBuf,
}

impl RunPath {
    fn in_folder(folder: PathBuf) -> Self {
        Self { record: folder.join(RECORD), folder }
    }

    /// The run as the user may call it.
    pub(crate) fn display(&self) -> String {
        self.folder.display().to_string()
    }
}

/// Finds a run by what the user typed.
///
/// # Errors
/// Nothing of that name is a run.
pub(crate) fn find(typed: &str) -> Result<RunPath, Failure> {
    let path = Path::new(typed);
    if path.is_file() {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
        return Ok(RunPath { folder, record: path.to_owned() });
    }
    for folder in [path.to_owned(), Path::new(RUNS).join(typed)] {
        if folder.join(RECORD).is_file() {
            return Ok(RunPath::in_folder(folder));
        }
    }
    if typed == "latest" {
        return latest().ok_or_else(|| {
            Failure::usage(format!("no run below `{RUNS}`")).with_help("`toolmirage run` makes one")
        });
    }
    let failure = Failure::usage(format!("`{typed}` is no run: no folder with a `{RECORD}`, and no record"));
    Err(match nearest_run(typed) {
        Some(name) => failure.with_help(format!("did you mean `{name}`? `latest` is the newest one")),
        None => failure.with_help("`latest` is the newest run below `reports`"),
    })
}

/// Whether `typed` names a run, without complaint where it does not.
pub(crate) fn is_run(typed: &str) -> bool {
    find(typed).is_ok()
}

/// The run whose record was written to last.
fn latest() -> Option<RunPath> {
    newest_first(RECORD).next().map(RunPath::in_folder)
}

/// The folders below `reports` that hold a file of this name, the one whose file was written to last first.
fn newest_first(file: &str) -> impl Iterator<Item = PathBuf> {
    let folders = std::fs::read_dir(RUNS).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut dated: Vec<(std::time::SystemTime, PathBuf)> = folders
        .filter_map(|folder| Some((folder.join(file).metadata().ok()?.modified().ok()?, folder)))
        .collect();
    dated.sort_by(|a, b| b.cmp(a));
    dated.into_iter().map(|(_, folder)| folder)
}

/// The probes that changed in the newest comparison.
///
/// # Errors
/// There is none, or nothing changed in it.
pub(crate) fn changed_probes() -> Result<Vec<String>, Failure> {
    for folder in newest_first(REPORT) {
        let path = folder.join(REPORT);
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(report) = serde_json::from_str::<report::Report>(&text) else { continue };
        let Some(comparison) = report.comparison else { continue };
        let changed = comparison.cells.iter().flat_map(|cell| &cell.changed);
        let ids: Vec<String> = changed.map(|probe| probe.probe.to_string()).collect();
        if ids.is_empty() {
            return Err(Failure::invalid(format!("no probe changed in the comparison `{}`", path.display())));
        }
        return Ok(ids);
    }
    Err(Failure::usage(format!("no comparison below `{RUNS}`, so no probe is known to have changed"))
        .with_help("`toolmirage run --against REF` and `toolmirage compare ... --out reports/NAME` make one"))
}

fn run_folders() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(RUNS) else { return Vec::new() };
    entries.flatten().map(|entry| entry.path()).filter(|folder| folder.join(RECORD).is_file()).collect()
}

fn nearest_run(typed: &str) -> Option<String> {
    let names: Vec<String> = run_folders()
        .iter()
        .filter_map(|f| f.file_name().map(|n| n.to_string_lossy().into_owned()))
        .collect();
    nearest(typed, names.iter().map(String::as_str)).map(str::to_owned)
}

/// A new folder for a run: `reports/DATE-NAME`, with a number where that is taken. The folder is made.
///
/// # Errors
/// The folder cannot be made.
pub(crate) fn new_folder(date: &str, name: &str) -> Result<PathBuf, Failure> {
    let unmade = |path: &Path, error: std::io::Error| {
        Failure::usage(format!("cannot make the folder `{}`: {error}", path.display()))
    };
    std::fs::create_dir_all(RUNS).map_err(|error| unmade(Path::new(RUNS), error))?;
    for number in 1..10_000u32 {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let folder = Path::new(RUNS).join(format!("{date}-{name}{suffix}"));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(unmade(&folder, error)),
        }
    }
    Err(Failure::usage(format!("too many runs named `{date}-{name}`")))
}
