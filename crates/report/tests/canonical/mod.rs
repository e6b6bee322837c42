//! The canonical reports: hand-made scorecards and trials that every format is rendered from.
#![allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]

mod build;
mod comparisons;
mod reports;
mod sides;

use report::{Format, Report, render};

pub use build::{Parts, Spec, card, facts, header, outcome, rate, statuses};
pub use comparisons::{hostile_texts, huge_comparison};
pub use reports::{Canonical, HOSTILE, canonical, many_failing};

/// A report in one format.
pub fn rendered(report: &Report, format: Format) -> String {
    let mut out = Vec::new();
    render(report, format, &mut out).unwrap_or_else(|error| panic!("{format:?}: {error:?}"));
    String::from_utf8(out).unwrap()
}

/// One of the canonical reports.
pub fn named(name: &str) -> Report {
    canonical().into_iter().find(|canonical| canonical.name == name).unwrap().report
}
