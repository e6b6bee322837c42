//! The files that `mine` writes beside what it prints.

use std::path::Path;

use miner::{Census, Manifest};
use report::ReportError;

use super::is_input;
use crate::args::MineArgs;
use crate::error::Failure;
use crate::output;

/// The manifest, where one is asked for: taken before the logs are mined, so that a file that goes on growing is
/// hashed as it was.
pub(super) fn manifest(args: &MineArgs) -> Result<Option<Manifest>, Failure> {
    if args.manifest.is_none() {
        return Ok(None);
    }
    if args.paths.iter().any(|path| is_input(path)) {
        return Err(Failure::usage("--manifest: standard input is no file that can be cited")
            .with_help("name the logs themselves"));
    }
    Ok(Some(miner::manifest(&args.paths)?))
}

/// Refuses what this build cannot write, before anything is mined.
pub(super) fn check(args: &MineArgs) -> Result<(), Failure> {
    match &args.events {
        Some(path) if is_parquet(path) && !cfg!(feature = "parquet") => Err(Failure::usage(format!(
            "--events: this build writes no Parquet, and `{}` would be one",
            path.display()
        ))
        .with_help("a name that ends in `.jsonl` gives the same rows, which the same programs read; or build with `--features parquet`")),
        _ => Ok(()),
    }
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
}

/// Writes the event rows in the form that the file's name asks for.
fn events(path: &Path, census: &Census, out: &mut dyn std::io::Write) -> Result<(), ReportError> {
    #[cfg(feature = "parquet")]
    if is_parquet(path) {
        return report::census_parquet(census, out);
    }
    // Without the feature such a name is refused before.
    _ = path;
    report::census_events(census, out)
}

/// Writes what was asked for.
pub(super) fn write(args: &MineArgs, census: &Census, manifest: Option<&Manifest>) -> Result<(), Failure> {
    if let (Some(path), Some(manifest)) = (&args.manifest, manifest) {
        let mut text = serde_json::to_string_pretty(manifest)?;
        text.push('\n');
        output::write_file(path, text.as_bytes())?;
    }
    type Write = fn(&Census, &mut dyn std::io::Write) -> Result<(), ReportError>;
    if let Some(path) = &args.events {
        output::written_whole(path, |out| events(path, census, out))?;
    }
    let written: [(Option<&Path>, Write); 2] =
        [(args.csv.as_deref(), report::census_csv), (args.html.as_deref(), report::census_html)];
    for (path, write) in written {
        if let Some(path) = path {
            output::written_whole(path, |out| write(census, out))?;
        }
    }
    Ok(())
}
