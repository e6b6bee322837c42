//! What the tests of single benchmarks share.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    reason = "a test says so by failing, and uses what it needs"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use importer::{Imported, Options, SourceFile, benchmark, import};
use probes::{Catalog, Probe, Suite, derive_questions, expand};
use serde_json::{Value, json};

/// A file.
pub(crate) fn source(name: &str, text: &str) -> SourceFile {
    SourceFile { name: name.to_owned(), text: text.to_owned() }
}

/// Rows as JSON Lines.
pub(crate) fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// Answers as BFCL writes them.
pub(crate) fn answers(of: &[(&str, Value)]) -> Vec<Value> {
    of.iter().map(|(id, truth)| json!({"id": id, "ground_truth": truth})).collect()
}

/// An import without quarantine.
pub(crate) fn imported(name: &str, files: &[SourceFile]) -> Imported {
    let options = Options { name: None, version: None, shipped: None, quarantine: None, around: None };
    let made = import(benchmark(name).unwrap(), files, &options);
    let account = &made.account;
    assert_eq!(account.read, account.imported + account.quarantined + account.left_out);
    assert_eq!(account.read, account.cases.len());
    made
}

fn file<'m>(made: &'m Imported, path: &str) -> &'m str {
    &made.files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("no {path}")).text
}

/// The suites, read as everybody reads them.
pub(crate) fn suites(made: &Imported) -> Vec<Suite> {
    let paths = made.account.suites.iter().filter_map(|line| line.suite.as_ref());
    paths.map(|path| Suite::from_text(Path::new(path), file(made, path)).unwrap().0).collect()
}

/// The probes of all suites; none of the questions is stale.
pub(crate) fn probes(made: &Imported) -> Vec<Probe> {
    let mut probes = Vec::new();
    for line in made.account.suites.iter().filter(|line| line.suite.is_some()) {
        let path = line.suite.as_ref().unwrap();
        let (suite, places) = Suite::from_text(Path::new(path), file(made, path)).unwrap();
        let catalog = Catalog::from_text(Path::new(&line.catalog), file(made, &line.catalog)).unwrap();
        assert!(suite.check_catalog(&catalog, &places).unwrap().is_empty());
        let expansion = expand(&derive_questions(&suite), &Arc::new(catalog), None);
        assert!(expansion.stale.is_empty(), "{:?}", expansion.stale);
        assert_eq!((expansion.probes.len(), suite.tasks.len()), (line.probes, line.tasks));
        probes.extend(expansion.probes.iter().map(|probe| (**probe).clone()));
    }
    probes
}

/// A file of the benchmark itself, where it lies beside the workspace.
pub(crate) fn real(path: &str) -> Option<SourceFile> {
    let up = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(2);
    let found: Option<PathBuf> =
        up.map(|folder| folder.join("shared/real/benchmarks").join(path)).find(|file| file.is_file());
    let Some(found) = found else {
        println!("skipped: no `shared/real/benchmarks/{path}` beside or above the workspace");
        return None;
    };
    let name = path.split_once('/').map_or(path, |(_, name)| name);
    Some(source(name, &std::fs::read_to_string(found).unwrap()))
}
