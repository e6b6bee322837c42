//! Files with mistakes, and what people are shown. A case is a file in `mistakes/` and its rendered errors beside
//! it; `TOOLMIRAGE_UPDATE=1` rewrites them.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::path::{Path, PathBuf};

use probes::{Catalog, Suite, SuiteError};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes")
}

/// Reads a case as the kind of file that its name says.
fn read(path: &Path) -> Result<(), SuiteError> {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).unwrap();
    if name.contains(".catalog.") {
        return Catalog::from_text(Path::new(&name), &text).map(drop);
    }
    let (suite, places) = Suite::from_text(Path::new(&name), &text)?;
    let catalog = Catalog::load(&path.with_file_name(name.replace(".suite.", ".beside.")))?;
    suite.check_catalog(&catalog, &places).map(drop)
}

#[test]
fn every_mistake_is_shown_at_its_place() {
    #[expect(clippy::disallowed_methods, reason = "a test's own switch")]
    let update = std::env::var("TOOLMIRAGE_UPDATE").is_ok_and(|value| value == "1");
    let mut wrong = Vec::new();
    let mut cases: Vec<PathBuf> =
        std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path()).collect();
    cases.retain(|path| [".suite.", ".catalog."].iter().any(|part| path.to_string_lossy().contains(part)));
    cases.retain(|path| path.extension().is_none_or(|extension| extension != "txt"));
    cases.sort();
    assert!(cases.len() > 15);
    for case in cases {
        let Err(error) = read(&case) else { panic!("{} has no mistake", case.display()) };
        let shown = format!("{error}\n");
        assert!(shown.chars().all(|c| !c.is_control() || c == '\n'), "{}", case.display());
        assert!(shown.lines().all(|line| line.chars().count() < 250), "{}", case.display());
        let expected = case.with_extension("txt");
        if update {
            std::fs::write(&expected, &shown).unwrap();
        }
        if std::fs::read_to_string(&expected).unwrap_or_default() != shown {
            wrong.push(format!("{}:\n{shown}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_that_is_no_text_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("latin.yaml");
    std::fs::write(&path, b"toolmirage: suite/1\nname: caf\xe9\n").unwrap();
    let error = Suite::load(&path).unwrap_err();
    assert_eq!((error.diagnostics()[0].line, error.diagnostics()[0].column), (2, 10));
    let error = Suite::load(&folder.path().join("none.yaml")).unwrap_err();
    assert!(error.to_string().contains("cannot read"));
}
