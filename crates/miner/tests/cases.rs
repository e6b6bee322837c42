//! A folder a case: `logs/` holds what is mined, `census.json` what it comes to, `map.yaml` and `rules.txt` what it is
//! mined by. `TOOLMIRAGE_UPDATE=1` writes the censuses anew; read the difference before it is kept.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test says so by failing")]

use std::path::{Path, PathBuf};

use miner::{Census, Dimension, LOG_FORMATS, LogMap, Options, Rule, Sources, mine_mapped};

const ROOT: &str = "tests/cases";

fn options() -> Options {
    Options {
        since: None,
        until: None,
        project: None,
        by: vec![Dimension::Format, Dimension::Model],
        top: 5,
        strict: false,
        rules: Vec::new(),
    }
}

/// The census of some paths by the case's `map.yaml` and `rules.txt`, where it has them.
fn mined(case: &Path, paths: &[PathBuf], options: &Options) -> Census {
    let map = std::fs::read_to_string(case.join("map.yaml")).ok();
    let map: Option<LogMap> = map.map(|map| serde_yaml::from_str(&map).unwrap());
    assert_eq!(map.as_ref().map(LogMap::mistakes).unwrap_or_default(), [], "{}", case.display());
    let rules = std::fs::read_to_string(case.join("rules.txt")).unwrap_or_default();
    let options = Options { rules: Rule::read_all(&rules).unwrap(), ..options.clone() };
    mine_mapped(Sources { paths: paths.to_vec(), stream: None }, &options, map.as_ref()).unwrap()
}

/// The census of a case, as it is written.
fn census(case: &Path) -> String {
    let census = mined(case, &[case.join("logs")], &options());
    serde_json::to_string_pretty(&census).unwrap() + "\n"
}

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = std::fs::read_dir(ROOT)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    cases
}

#[test]
fn every_case_comes_to_its_census() {
    let update = std::env::var("TOOLMIRAGE_UPDATE").is_ok_and(|value| !value.is_empty());
    let mut wrong = Vec::new();
    for case in cases() {
        let got = census(&case);
        let file = case.join("census.json");
        if update {
            std::fs::write(&file, &got).unwrap();
        }
        let wanted = std::fs::read_to_string(&file).unwrap_or_default();
        if got != wanted {
            let differ = got.lines().zip(wanted.lines()).find(|(got, wanted)| got != wanted);
            wrong.push(format!("{}: {differ:?}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_format_has_a_case() {
    let all: String =
        cases().iter().map(|case| std::fs::read_to_string(case.join("census.json")).unwrap()).collect();
    for format in LOG_FORMATS {
        assert!(all.contains(&format!("\"{}\": ", format.name)), "{} has no case", format.name);
    }
}

#[test]
fn every_line_parsed_gives_the_same_counts() {
    let strict = Options { strict: true, ..options() };
    for case in cases() {
        let counts = |options: &Options| {
            let census = mined(&case, &[case.join("logs")], options);
            (census.calls, census.absent, census.argument_errors, census.owed, census.rates)
        };
        assert_eq!(counts(&options()), counts(&strict), "{}", case.display());
    }
}

/// Unique counts alone: those that no copy, order or split may change.
fn unique(case: &Path, paths: &[PathBuf]) -> serde_json::Value {
    let census = mined(case, paths, &options());
    let calls = census.calls;
    let absent = census.absent;
    serde_json::json!([
        calls.unique,
        calls.by_tool,
        calls.answered,
        calls.error_results,
        calls.distinct_ids,
        calls.inner_by_tool,
        calls.inner_errors,
        calls.results_without_call,
        absent.unique,
        absent.by_tool,
        absent.by_state,
        absent.by_clause,
        census.argument_errors,
        census.owed.unique,
        census.window.sessions,
    ])
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

#[test]
fn a_log_given_twice_or_in_another_order_changes_no_unique_count() {
    for case in cases() {
        let logs = case.join("logs");
        let once = unique(&case, std::slice::from_ref(&logs));
        let mut files = files_below(&logs);
        assert_eq!(
            unique(&case, &[&files[..], &files[..]].concat()),
            once,
            "{}: the same files",
            case.display()
        );
        files.reverse();
        assert_eq!(unique(&case, &files), once, "{}: another order", case.display());
        let copies = tempfile::tempdir().unwrap();
        let mut twice = vec![logs];
        for (number, file) in files.iter().enumerate() {
            let copy =
                copies.path().join(format!("{number}-{}", file.file_name().unwrap().to_string_lossy()));
            std::fs::copy(file, &copy).unwrap();
            twice.push(copy);
        }
        assert_eq!(unique(&case, &twice), once, "{}: copies", case.display());
    }
}

#[test]
fn a_log_of_lines_split_in_pieces_changes_no_unique_count() {
    for case in cases() {
        let files = files_below(&case.join("logs"));
        let is_lines = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            text.lines().all(|line| {
                serde_json::from_str::<serde_json::Value>(line).is_ok_and(|line| line.is_object())
            })
        };
        // What the lines of these belong to is said on their first line alone, or by the file; a turn that is cut in two
        // has no end.
        let needs_whole =
            ["codex", "responses-items-lines", "gemini-chat-lines", "pi-session", "code-required"];
        let needs_whole = needs_whole.iter().any(|name| case.to_string_lossy().contains(name));
        if files.is_empty() || !files.iter().all(is_lines) || needs_whole {
            continue;
        }
        let pieces = tempfile::tempdir().unwrap();
        for (number, file) in files.iter().enumerate() {
            let text = std::fs::read_to_string(file).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            let (first, second) = lines.split_at(lines.len() / 2);
            std::fs::write(pieces.path().join(format!("{number}a.jsonl")), first.join("\n") + "\n").unwrap();
            std::fs::write(pieces.path().join(format!("{number}b.jsonl")), second.join("\n") + "\n").unwrap();
        }
        let (whole, split) =
            (unique(&case, &[case.join("logs")]), unique(&case, &[pieces.path().to_owned()]));
        assert_eq!(split, whole, "{}", case.display());
    }
}
