//! The first key of each of our files: which format it is of, and which version of that.

use crate::document::{Content, Document};
use crate::error::Diagnostic;

/// The formats of files that people write, and what such a file is called.
const FORMATS: &[(&str, &str)] =
    &[("suite", "suite"), ("catalog", "catalog"), ("config", "configuration"), ("triage", "triage list")];

/// Refuses a file of another format or of a newer version.
pub(crate) fn check_format(document: &Document, format: &str) -> Result<(), Diagnostic> {
    let (kind, version) = parts(format).unwrap_or((format, 1));
    let called = called(kind);
    let Some(entry) = document.root.entry("toolmirage") else {
        let start = document.root.span().start;
        return Err(document
            .source
            .diagnostic(&(start..start), format!("this file does not say that it is a {called}"))
            .help(format!("begin it with `toolmirage: {format}`")));
    };
    let wrong = |message: String| document.source.diagnostic(&entry.value.span(), message);
    let Content::Text(found) = &entry.value.content else {
        return Err(wrong(format!("`toolmirage` names a format, such as `{format}`")));
    };
    match parts(found) {
        Some((other, _)) if other != kind && FORMATS.iter().any(|(name, _)| *name == other) => Err(wrong(
            format!("this is a {} (`{found}`), and a {called} (`{format}`) is wanted", self::called(other)),
        )),
        Some((same, newer)) if same == kind && newer > version => {
            Err(wrong(format!("the file is written in `{found}`, and this build reads up to `{format}`"))
                .help("use a newer toolmirage"))
        }
        Some((same, number)) if same == kind && number > 0 => Ok(()),
        _ => Err(wrong(format!("unknown format `{found}`")).help(format!("a {called} says `{format}`"))),
    }
}

fn called(kind: &str) -> &str {
    FORMATS.iter().find(|(name, _)| *name == kind).map_or(kind, |(_, called)| called)
}

fn parts(format: &str) -> Option<(&str, u64)> {
    let (kind, version) = format.split_once('/')?;
    Some((kind, version.parse().ok()?))
}
