//! The published schema of suite files is the one of the code.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::path::Path;

#[test]
fn the_schema_of_suites_is_the_one_that_the_code_reads() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/schema.json");
    let schema = schemars::schema_for!(probes::Suite);
    let wanted = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
    #[expect(clippy::disallowed_methods, reason = "a test's own switch")]
    if std::env::var("TOOLMIRAGE_UPDATE").is_ok_and(|value| value == "1") {
        std::fs::write(&path, &wanted).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == wanted, "suites/schema.json is stale: run TOOLMIRAGE_UPDATE=1 cargo test -p probes");
}

/// The keys of a type's schema stand in the tables of the page that explains them.
#[test]
fn the_page_on_suites_names_every_key_every_kind_and_every_arm() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/README.md"))
        .unwrap();
    let rows: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).collect();
    let is_told = |word: &str| rows.iter().any(|row| row.contains(&format!("`{word}`")));
    let schemas = [schemars::schema_for!(probes::Suite), schemars::schema_for!(probes::Task)];
    for key in schemas.iter().flat_map(|schema| schema.as_value()["properties"].as_object().unwrap().keys()) {
        assert!(is_told(key), "suites/README.md has no row for `{key}`");
    }
    for arm in probes::ARMS {
        assert!(is_told(arm.name), "suites/README.md has no row for arm `{}`", arm.name);
    }
    for kind in probes::KINDS {
        assert!(is_told(kind.name), "suites/README.md has no row for kind `{}`", kind.name);
    }
}
