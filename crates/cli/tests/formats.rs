//! Every format of a report: beside the record of a run, and asked for by name.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod place;

use place::{Place, code, err, out};

const FORMATS: [(&str, &str); 5] = [
    ("md", "report.md"),
    ("json", "report.json"),
    ("html", "report.html"),
    ("junit", "junit.xml"),
    ("csv", "rates.csv"),
];

#[test]
fn a_run_writes_every_format_that_has_a_file_and_report_draws_each_again() {
    let place = Place::new();
    let run = place.run(&["run", "--target", "sim:careless", "-q", "--out", "first", "--limit", "40"]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    for (format, file) in FORMATS {
        let again = place.run(&["report", "first", "--format", format]);
        assert_eq!(code(&again), 0, "{format}: {}", err(&again));
        let written = place.read(&format!("first/{file}"));
        // How long the run took is known to the run alone; these three do not say it.
        let is_same = !matches!(format, "md" | "junit" | "csv") || out(&again) == written;
        assert!(is_same && !written.is_empty(), "{format}");
    }
    assert!(place.read("first/report.md").starts_with("<!-- toolmirage:starter:"));
    let unknown = place.run(&["report", "first", "--format", "pdf"]);
    assert_eq!(code(&unknown), 2);
    assert!(err(&unknown).contains("text, md, json, html, junit, csv"), "{}", err(&unknown));
}
