//! Every canonical report in every format, against stored snapshots. `TOOLMIRAGE_UPDATE=1` rewrites them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;

use std::path::{Path, PathBuf};

use canonical::{named, rendered};
use report::{FORMATS, Format, Report, report_schema};

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
            // Half a megabyte each, and all of one form: one with two sides and one with six cells show it.
            let is_large = canonical.report.comparison.is_some() || canonical.report.cells.len() > 2;
            let shows_it = matches!(canonical.name, "worse" | "several_cells");
            if entry.format == Format::Json && is_large && !shows_it {
                continue;
            }
            let extension = entry.file.and_then(|file| file.rsplit_once('.')).map_or("txt", |(_, end)| end);
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

#[test]
fn the_published_schema_of_a_census_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/census.schema.json");
    let schema = schemars::schema_for!(miner::Census).to_value();
    let made = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
    assert_eq!(compare(&path, &made), None);
}

#[test]
fn report_json_reads_back_equal() {
    for canonical in canonical::canonical() {
        let json = rendered(&canonical.report, Format::Json);
        let again: Report = serde_json::from_str(&json).unwrap();
        assert_eq!(again, canonical.report, "{}", canonical.name);
    }
}

#[test]
fn a_report_on_a_terminal_has_at_most_40_lines() {
    for canonical in canonical::canonical() {
        let text = rendered(&canonical.report, Format::Text);
        assert!(text.lines().count() <= 40, "{}: {} lines", canonical.name, text.lines().count());
        let wide = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(wide <= 120, "{}: {wide} columns", canonical.name);
    }
}

#[test]
fn the_page_of_many_failing_trials_stays_a_few_megabytes() {
    let page = rendered(&canonical::many_failing(1_000), Format::Html);
    assert!(page.len() < 7_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("<details class=\"trial item\"").count(), 1_000);
    assert!(page.contains("more characters in run.jsonl"), "what is cut is counted");
}

#[test]
fn every_failing_trial_is_on_the_page_with_its_request_what_was_emitted_and_the_evidence() {
    let report = named("faulty");
    let page = rendered(&report, Format::Html);
    assert_eq!(page.matches("<details class=\"trial item\"").count(), report.failing.len());
    for trial in &report.failing {
        assert!(page.contains(&trial.trial.replace('/', "&#x2f;")), "{}", trial.trial);
    }
    for words in
        ["The ferry Alma is two hours late.", "&quot;vessel&quot;:&quot;Brisk&quot;", "captain@brisk.example"]
    {
        assert!(page.contains(words), "{words}");
    }
}
