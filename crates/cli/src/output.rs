//! Standard output: what was asked for, and nothing else. A reader that went away is a normal end.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use report::{FORMATS, Format, Report, ReportError, render};

use crate::error::Failure;

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    end(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Writes one value as JSON, and a line break.
pub(crate) fn print_json<T: serde::Serialize>(value: &T) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    print(&text)
}

/// A broken pipe is no failure.
pub(crate) fn end(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Renders a report in memory.
pub(crate) fn rendered(report: &Report, format: Format) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    render(report, format, &mut bytes)?;
    Ok(bytes)
}

/// Writes a file whole or not at all: a report that a browser has open is never half there.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    written_whole(path, |out| Ok(out.write_all(bytes)?))
}

/// Writes a file whole or not at all, a piece at a time.
pub(crate) fn written_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), ReportError>,
) -> Result<(), Failure> {
    let unwritable = |error: io::Error| Failure::usage(format!("cannot write `{}`: {error}", path.display()));
    let mut partial = path.as_os_str().to_owned();
    partial.push(".part");
    let partial = Path::new(&partial);
    let mut out = io::BufWriter::new(File::create(partial).map_err(unwritable)?);
    match write(&mut out) {
        Ok(()) => {}
        Err(ReportError::Write(error)) => return Err(unwritable(error)),
        Err(error) => return Err(error.into()),
    }
    out.flush().map_err(unwritable)?;
    std::fs::rename(partial, path).map_err(unwritable)
}

/// Writes every format that has a file, beside the record of a run.
pub(crate) fn write_reports(report: &Report, folder: &Path) -> Result<(), Failure> {
    for entry in FORMATS {
        if let Some(name) = entry.file {
            // Straight to the file: the largest of them has a line for every probe.
            written_whole(&folder.join(name), |out| render(report, entry.format, out))?;
        }
    }
    Ok(())
}
