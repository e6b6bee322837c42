//! JUnit and CSV: their form, what they count, and that hostile text stays text.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;

use std::collections::HashMap;

use canonical::{canonical, named, rendered};
use quick_junit::{NonSuccessKind, Report as Junit, TestCaseStatus};
use report::{Format, Report};
use transcript::Side;

fn junit(report: &Report) -> Junit {
    Junit::deserialize_from_str(&rendered(report, Format::Junit)).unwrap()
}

/// Rows of the CSV by column.
fn rows(report: &Report) -> Vec<HashMap<String, String>> {
    let drawn = rendered(report, Format::Csv);
    let mut reader = csv::Reader::from_reader(drawn.as_bytes());
    let heads = reader.headers().unwrap().clone();
    reader
        .records()
        .map(|row| heads.iter().zip(&row.unwrap()).map(|(a, b)| (a.to_owned(), b.to_owned())).collect())
        .collect()
}

/// Elements, attributes of the root and children of a case that `junit-10.xsd` allows.
#[test]
fn junit_keeps_to_the_elements_and_attributes_of_the_schema() {
    for canonical in canonical() {
        let xml = rendered(&canonical.report, Format::Junit);
        let mut open: Vec<&str> = Vec::new();
        for tag in xml.split('<').skip(2).filter_map(|tag| tag.split('>').next()) {
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "{}", canonical.name);
                continue;
            }
            let name = tag.split([' ', '/']).next().unwrap();
            let (children, attributes): (&[&str], &[&str]) = match open.last().copied() {
                None => (&["testsuites"], &["name", "tests", "failures", "errors"]),
                Some("testsuites") => (&["testsuite"], &["name", "tests", "skipped", "errors", "failures"]),
                Some("testsuite") if name == "testcase" => (&["testcase"], &["name", "classname"]),
                Some("testsuite") => (&["properties"], &[]),
                Some("properties") => (&["property"], &["name", "value"]),
                Some("testcase") => (&["failure", "error", "skipped", "system-out"], &["message", "type"]),
                other => panic!("{}: <{name}> in {other:?}", canonical.name),
            };
            assert!(children.contains(&name), "{}: <{name}> in {:?}", canonical.name, open.last());
            // Quotes within values are escaped: what stands before every other quote is a name.
            for part in tag.split('"').step_by(2).filter(|part| part.contains('=')) {
                let attribute = part.trim_end_matches('=').rsplit(' ').next().unwrap();
                assert!(attributes.contains(&attribute), "{}: {attribute} of <{name}>", canonical.name);
            }
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty());
    }
}

#[test]
fn a_case_a_probe_a_suite_a_cell_of_the_candidate_and_one_for_the_gate() {
    for canonical in canonical() {
        let report = &canonical.report;
        let cells: Vec<_> = report
            .cells
            .iter()
            .zip(&report.identity.cells)
            .filter(|(_, cell)| report.comparison.is_none() || cell.side == Side::Candidate)
            .map(|(cell, _)| cell)
            .collect();
        let junit = junit(report);
        assert_eq!(junit.test_suites.len(), cells.len() + usize::from(report.gate.is_some()));
        for (suite, cell) in junit.test_suites.iter().zip(cells) {
            assert_eq!(suite.test_cases.len(), cell.probes.len(), "{}", canonical.name);
        }
        if let Some(gate) = &report.gate {
            assert_eq!(junit.test_suites.last().unwrap().test_cases.len(), gate.lines.len());
        }
    }
}

#[test]
fn a_probe_fails_with_evidence_is_skipped_unscored_and_passes_otherwise() {
    let junit = junit(&named("worse"));
    let case =
        |name: &str| junit.test_suites[0].test_cases.iter().find(|case| case.name.as_str() == name).unwrap();
    let TestCaseStatus::NonSuccess { kind, message, ty, description, .. } =
        &case("extend-stay-alma.decoy").status
    else {
        panic!("it fails");
    };
    assert_eq!(*kind, NonSuccessKind::Failure);
    assert_eq!(
        message.as_ref().unwrap().as_str(),
        "unknown-tool in 1 of 1, wrong behaviour in 1 of 1 scored repeats"
    );
    assert_eq!(ty.as_ref().unwrap().as_str(), "unknown_tool");
    let evidence = description.as_ref().unwrap().as_str();
    assert!(evidence.contains("shown by: harbor_extend_stay"));
    assert!(evidence.contains("called: harbor_extend_stay({\"vessel\":\"Alma\"})"));
    let TestCaseStatus::Skipped { message, .. } = &case("call-pilot-fulmar.decoy").status else {
        panic!("no repeat of it was scored");
    };
    assert_eq!(message.as_ref().unwrap().as_str(), "no repeat was scored: timeout 1");
    let passed = case("extend-stay-alma.control");
    assert!(matches!(passed.status, TestCaseStatus::Success { .. }));
    assert_eq!(passed.classname.as_ref().unwrap().as_str(), "harbor.control");
    assert!(passed.system_out.as_ref().unwrap().as_str().contains("[[PROPERTY|unknown_tool=0 of 1]]"));
}

#[test]
fn a_line_of_the_gate_fails_is_invalid_or_cannot_be_told() {
    let statuses = |name: &str| -> Vec<&'static str> {
        let junit = junit(&named(name));
        let cases = &junit.test_suites.last().unwrap().test_cases;
        cases
            .iter()
            .map(|case| match case.status {
                TestCaseStatus::Success { .. } => "pass",
                TestCaseStatus::Skipped { .. } => "skipped",
                TestCaseStatus::NonSuccess { kind: NonSuccessKind::Failure, .. } => "failure",
                TestCaseStatus::NonSuccess { kind: NonSuccessKind::Error, .. } => "error",
            })
            .collect()
    };
    let worse = statuses("worse");
    assert_eq!((worse[0], worse[1], worse[6]), ("failure", "skipped", "pass"));
    assert_eq!(statuses("not_comparable")[0], "error");
    let mut strict = named("unclear");
    strict.gate.as_mut().unwrap().inconclusive_fails = true;
    let junit = junit(&strict);
    assert_eq!(junit.test_suites.last().unwrap().failures, 6, "what cannot be told fails there");
}

#[test]
fn every_rate_of_every_slice_has_a_row_and_what_is_not_measured_is_empty() {
    for canonical in canonical() {
        let report = &canonical.report;
        let expected: usize = report
            .cells
            .iter()
            .map(|cell| cell.rates.len() + cell.slices.iter().map(|slice| slice.rates.len()).sum::<usize>())
            .sum();
        let rows = rows(report);
        assert_eq!(rows.len(), expected, "{}", canonical.name);
        for row in &rows {
            let measured = row["state"] == "measured";
            for column in ["mean", "low_95", "high_95", "low_90", "high_90"] {
                assert!(measured || row[column].is_empty(), "{}: {column}", canonical.name);
            }
            assert!(row["scored"] != "0" || row["events"].is_empty(), "{}", canonical.name);
        }
    }
}

#[test]
fn the_candidates_rows_have_the_paired_figures_in_full() {
    let report = named("worse");
    let comparison = report.comparison.as_ref().unwrap();
    let change = &comparison.cells[0].changes[0];
    let rate = change.rate.as_ref().unwrap();
    let rows = rows(&report);
    let row = rows
        .iter()
        .find(|row| {
            row["cell"] == comparison.cells[0].candidate.to_string()
                && row["slice_by"] == "all"
                && row["metric"] == "unknown_tool"
        })
        .unwrap();
    assert_eq!(row["pairs"], rate.pairs.to_string());
    assert_eq!((row["direction"].as_str(), row["verdict"].as_str()), ("rose", "fail"));
    for (column, value) in [
        ("difference", Some(rate.difference)),
        ("difference_low_95", rate.interval_95.map(|(low, _)| low)),
        ("difference_high_90", rate.interval_90.map(|(_, high)| high)),
        ("exact_p", rate.exact_p),
        ("mid_p", rate.mid_p),
        ("adjusted_p", change.adjusted_p),
        ("sees_rise", change.sees_rise),
    ] {
        assert_eq!(row[column].parse().ok(), value, "{column}");
    }
    for row in rows.iter().filter(|row| row["side"] == "baseline" || row["slice_by"] != "all") {
        assert!(row["pairs"].is_empty() && row["direction"].is_empty());
    }
    let hidden = self::rows(&named("not_comparable"));
    let hidden = hidden.iter().find(|row| !row["direction"].is_empty()).unwrap();
    assert_eq!((hidden["direction"].as_str(), hidden["difference"].as_str()), ("not_comparable", ""));
}

#[test]
fn no_field_is_a_formula() {
    for canonical in canonical() {
        for row in rows(&canonical.report) {
            for (column, field) in row {
                let is_number = field.parse::<f64>().is_ok();
                let first = field.trim_start().chars().next();
                let active = first.is_some_and(|first| "=+-@\t\r".contains(first));
                assert!(is_number || !active, "{}: {column} {field:?}", canonical.name);
            }
        }
    }
}
