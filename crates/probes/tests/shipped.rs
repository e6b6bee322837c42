//! The suites and catalogs that the project ships: they read, hold together, and derive what they promise.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use probes::{Catalog, Suite, derive_questions, expand};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn every_question_of_the_shipped_suites_becomes_a_probe() {
    for (name, least) in [("starter", 200), ("documents", 80)] {
        let path = root().join("suites").join(format!("{name}.yaml"));
        let (suite, _) = Suite::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let catalog =
            Catalog::load(&root().join("suites").join(&suite.catalog)).unwrap_or_else(|e| panic!("{e}"));
        let derived = derive_questions(&suite);
        let expansion = expand(&derived, &Arc::new(catalog), None);
        let ids: HashSet<_> = derived.questions.iter().map(|question| question.id.clone()).collect();
        assert_eq!(ids.len(), derived.questions.len());
        assert!(expansion.probes.len() >= least, "{name}: {} probes", expansion.probes.len());
        let unexpected =
            expansion.stale.iter().filter(|(_, reason)| !reason.contains("no optional argument"));
        assert_eq!(unexpected.collect::<Vec<_>>(), Vec::<&(transcript::ProbeId, String)>::new());
    }
}

/// Real tool lists that lie beside the workspace on the project's own machines.
#[test]
fn real_catalogs_load_with_nothing_dropped() {
    let folder = root().join("../shared/real/catalogs");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut loaded = 0;
    for file in
        files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "json"))
    {
        let catalog = Catalog::load(&file).unwrap_or_else(|error| panic!("{error}"));
        let text = std::fs::read_to_string(&file).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let entries = value["tools"].as_array().unwrap();
        assert_eq!(catalog.tools().len(), entries.len());
        for (tool, entry) in catalog.tools().iter().zip(entries) {
            let mut again = serde_json::Map::new();
            again.insert("name".into(), tool.name.as_str().into());
            again.extend(tool.description.iter().map(|raw| ("description".into(), raw.to_value().unwrap())));
            again.extend(tool.input_schema.iter().map(|raw| ("inputSchema".into(), raw.to_value().unwrap())));
            again.extend(tool.extras.iter().map(|(key, raw)| (key.clone(), raw.to_value().unwrap())));
            assert_eq!(serde_json::Value::Object(again), *entry, "{}", file.display());
        }
        loaded += 1;
    }
    assert_eq!(loaded, 16);
}
