//! The suites and catalogs that the project ships: they read, hold together, and derive what they promise.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use probes::{
    Catalog, KINDS, LOCK_FORMAT, Lock, Prompt, Suite, check_filler, derive_questions, expand, read_yaml_file,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn prompt(suite: &Suite, name: &str) -> Prompt {
    let file = root().join("suites").join(name);
    let template = std::fs::read_to_string(&file).unwrap();
    Prompt::render(name, &file, &template, &IndexMap::new(), &suite.principal, suite.clock.as_deref())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The shipped suites, and how many probes each has at least.
const SUITES: [(&str, usize); 13] = [
    ("starter", 250),
    ("core", 600),
    ("documents", 250),
    ("support", 250),
    ("messaging", 250),
    ("deployments", 250),
    ("customers", 250),
    ("bank", 250),
    ("files", 250),
    ("travel", 250),
    ("ladder", 300),
    ("failures", 150),
    ("defences", 150),
];

/// No suite lies there that these tests do not see.
#[test]
fn every_suite_that_lies_there_is_listed() {
    let files = std::fs::read_dir(root().join("suites")).unwrap().map(|file| file.unwrap().path());
    let mut found: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    found.sort_unstable();
    let mut listed = SUITES.map(|(name, _)| name);
    listed.sort_unstable();
    assert_eq!(found, listed);
}

#[test]
fn every_question_of_the_shipped_suites_becomes_a_probe() {
    for (name, least) in SUITES {
        let path = root().join("suites").join(format!("{name}.yaml"));
        let (suite, places) = Suite::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let catalog = Catalog::load(&root().join("suites").join(&suite.catalog));
        let catalog = catalog.unwrap_or_else(|error| panic!("{error}"));
        suite.check_catalog(&catalog, &places).unwrap_or_else(|error| panic!("{error}"));
        for name in &suite.prompts {
            let prompt = prompt(&suite, name);
            suite.check_prompt(Some(&prompt), &places).unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(suite.check_prompt(None, &places).unwrap_err().diagnostics().len() > 2);
        let derived = derive_questions(&suite);
        let expansion = expand(&derived, &Arc::new(catalog), None);
        let ids: HashSet<_> = derived.questions.iter().map(|question| question.id.clone()).collect();
        assert_eq!(ids.len(), derived.questions.len());
        assert!(expansion.probes.len() >= least, "{name}: {} probes", expansion.probes.len());
        assert_eq!(expansion.stale, []);
    }
}

/// `run` refuses a suite that its lock does not fit; `toolmirage expand SUITE --update` writes it anew.
#[test]
fn the_locks_of_the_shipped_suites_are_current() {
    for (name, _) in SUITES {
        let (suite, _) = Suite::load(&root().join("suites").join(format!("{name}.yaml"))).unwrap();
        let path = root().join("suites").join(format!("{name}.lock"));
        let (lock, _) = read_yaml_file::<Lock>(&path, LOCK_FORMAT, &[]).unwrap_or_else(|e| panic!("{e}"));
        let difference = lock.difference(&Lock::of(&suite, &derive_questions(&suite)).questions);
        let words = difference.map(|difference| difference.words()).unwrap_or_default();
        assert!(words.is_empty(), "{name}: {words}; toolmirage expand suites/{name}.yaml --update");
    }
}

/// Tasks tell more kinds what they need than their suite derives: all of it holds.
#[test]
fn what_tasks_tell_single_kinds_holds_whether_or_not_the_suite_derives_them() {
    for (name, _) in SUITES {
        let (mut suite, _) = Suite::load(&root().join("suites").join(format!("{name}.yaml"))).unwrap();
        // The ladder fills hundreds of tools in, and is told nothing but its sizes.
        let kinds = KINDS.iter().map(|kind| kind.name.to_owned());
        suite.kinds = Some(kinds.filter(|kind| kind != "size_ladder").collect());
        let catalog = Arc::new(Catalog::load(&root().join("suites").join(&suite.catalog)).unwrap());
        let derived = derive_questions(&suite);
        let expansion = expand(&derived, &catalog, None);
        assert_eq!(expansion.stale, [], "{name}");
        let told = suite.tasks.iter().filter(|task| task.kinds.required_call.is_some());
        for task in told {
            let id = format!("{}.required_call", task.id);
            assert!(expansion.probes.iter().any(|probe| probe.id().as_str() == id), "{id}");
        }
    }
}

#[test]
fn the_core_suite_has_every_kind_and_no_kind_is_half_of_it() {
    let (suite, _) = Suite::load(&root().join("suites/core.yaml")).unwrap();
    let derived = derive_questions(&suite);
    for kind in KINDS {
        let of_kind = derived.questions.iter().filter(|question| question.kind == kind.name).count();
        assert!(of_kind > 0 && of_kind * 4 < derived.questions.len(), "{}: {of_kind}", kind.name);
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

/// The largest of them around the starter suite's own catalog.
#[test]
fn a_large_filler_fits_around_the_starter_suite() {
    let file = root().join("../shared/real/catalogs/google-workspace.mcp.json");
    if !file.exists() {
        println!("skipped: {} is not there", file.display());
        return;
    }
    let filler = Catalog::load(&file).unwrap();
    let (suite, _) = Suite::load(&root().join("suites/starter.yaml")).unwrap();
    let own = Catalog::load(&root().join("catalogs/billing.yaml")).unwrap();
    check_filler(&suite.tasks, &filler).unwrap_or_else(|error| panic!("{error}"));
    let derived = derive_questions(&suite);
    let around = Arc::new(own.around(&filler).unwrap());
    let (plain, filled) = (expand(&derived, &Arc::new(own), None), expand(&derived, &around, None));
    assert_eq!(filled.stale, plain.stale);
    assert_eq!(filled.probes.len(), plain.probes.len());
    let reads = |expansion: &probes::Expansion| -> Vec<_> {
        expansion.probes.iter().map(|probe| probe.expectation.allowed_reads.clone()).collect()
    };
    assert_eq!(reads(&filled), reads(&plain));
    let (documents, _) = Suite::load(&root().join("suites/documents.yaml")).unwrap();
    assert!(check_filler(&documents.tasks, &filler).is_err());
}

/// Baselines pair by these hashes: a change in how questions are derived may not move them.
#[test]
fn questions_of_the_shipped_suites_keep_their_hashes() {
    for (name, hash) in [("starter", "sha256:deb002bdfc65"), ("documents", "sha256:842a0f35e267")] {
        let (suite, _) = Suite::load(&root().join("suites").join(format!("{name}.yaml"))).unwrap();
        let derived = derive_questions(&suite).hash().to_string();
        assert!(derived.starts_with(hash), "{name}: {derived}");
    }
}
