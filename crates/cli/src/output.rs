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

/// Writes a file whole or not at all, a piece at a time. What a link leads to is written, and keeps its permissions;
/// what is no file (a device, a pipe) is written to and never replaced.
pub(crate) fn written_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), ReportError>,
) -> Result<(), Failure> {
    let unwritable = |error: io::Error| Failure::usage(format!("cannot write `{}`: {error}", path.display()));
    let there = std::fs::metadata(path).ok();
    if there.as_ref().is_some_and(std::fs::Metadata::is_dir) {
        return Err(unwritable(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        let mut out = io::BufWriter::new(File::options().write(true).open(path).map_err(unwritable)?);
        written(write(&mut out), unwritable)?;
        return match out.flush() {
            // Whoever read the pipe went away: a normal end.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unwritable(error)),
            _ => Ok(()),
        };
    }
    let target = match &there {
        Some(_) => std::fs::canonicalize(path).map_err(unwritable)?,
        // A link to what is not there yet leads somewhere too.
        None => std::fs::read_link(path).map_or_else(|_| path.to_owned(), |to| beside(path, &to)),
    };
    let mut partial = target.as_os_str().to_owned();
    partial.push(".part");
    let partial = Path::new(&partial);
    let file = File::create(partial).map_err(unwritable)?;
    if let Some(there) = there {
        file.set_permissions(there.permissions()).map_err(unwritable)?;
    }
    let mut out = io::BufWriter::new(file);
    written(write(&mut out), unwritable)?;
    out.flush().map_err(unwritable)?;
    std::fs::rename(partial, &target).map_err(unwritable)
}

fn written(
    result: Result<(), ReportError>,
    unwritable: impl Fn(io::Error) -> Failure,
) -> Result<(), Failure> {
    match result {
        Err(ReportError::Write(error)) => Err(unwritable(error)),
        other => Ok(other?),
    }
}

/// A path as it reads from the folder of another.
fn beside(path: &Path, to: &Path) -> std::path::PathBuf {
    path.parent().map_or_else(|| to.to_owned(), |folder| folder.join(to))
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_link_stays_and_a_private_file_stays_private() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("t"), folder.path().join("l"));
        std::fs::write(&target, "old").unwrap();
        std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink("t", &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
        assert_eq!(target.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let to_nothing = folder.path().join("n");
        std::os::unix::fs::symlink("later", &to_nothing).unwrap();
        write_file(&to_nothing, b"x").unwrap();
        assert!(to_nothing.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read(folder.path().join("later")).unwrap(), b"x");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
    }

    #[test]
    fn what_is_no_file_is_written_to_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(write_file(&socket, b"x").is_err());
        assert!(!socket.symlink_metadata().unwrap().is_file());
        assert!(write_file(folder.path(), b"x").is_err());
        write_file(Path::new("/dev/null"), b"x").unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
