//! Every canonical report in every format, against stored snapshots. `TOOLMIRAGE_UPDATE=1` rewrites them.

mod canonical;

use std::path::{Path, PathBuf};

use report::{FORMATS, Format, Report, render, report_schema};

fn rendered(report: &Report, format: Format) -> String {
    let mut out = Vec::new();
    render(report, format, &mut out).unwrap_or_else(|error| panic!("{format:?}: {error:?}"));
    String::from_utf8(out).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "the tests' own switch")]
fn updating() -> bool {
    std::env::var_os("TOOLMIRAGE_UPDATE").is_some()
}

/// Compares with a stored file, or rewrites it; gives back what is wrong.
fn compare(path: &Path, made: &str) -> Option<String> {
    if updating() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, made).unwrap();
        return None;
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    if stored == made {
        return None;
    }
    let line = stored.lines().zip(made.lines()).position(|(a, b)| a != b);
    Some(format!("{} is stale, from line {:?}", path.display(), line.map(|line| line + 1)))
}

#[test]
fn every_report_looks_like_its_snapshot() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut wrong = Vec::new();
    for canonical in canonical::canonical() {
        for entry in FORMATS {
            let extension = if entry.name == "text" { "txt" } else { entry.name };
            let path: PathBuf = folder.join(format!("{}.{extension}", canonical.name));
            wrong.extend(compare(&path, &rendered(&canonical.report, entry.format)));
        }
    }
    assert!(wrong.is_empty(), "TOOLMIRAGE_UPDATE=1 rewrites them:\n{}", wrong.join("\n"));
}

#[test]
fn the_published_schema_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/schema.json");
    let made = format!("{}\n", serde_json::to_string_pretty(&report_schema()).unwrap());
    assert_eq!(compare(&path, &made), None);
}
