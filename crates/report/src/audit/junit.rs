//! An audit for programs that read test results: a case a rate, and one for the tools that have to leave rows. A
//! rate that was not measured is skipped, never passed.

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};
use scorer::RateState;
use scorer::audit::AuditRate;

use super::{AuditReport, level_words, sentence, title, unwrapped_words};
use crate::ReportError;
use crate::render::write_junit;
use crate::text_safe::{cropped, cropped_name};

/// Characters of a message.
const MESSAGE: usize = 500;
/// Findings of one rate that are quoted.
const QUOTED: usize = 5;

/// Draws an audit as JUnit XML.
///
/// # Errors
/// The XML cannot be written.
pub fn audit_junit(report: &AuditReport<'_>) -> Result<Vec<u8>, ReportError> {
    let mut junit = Junit::new("toolmirage audit");
    let mut suite = TestSuite::new("audit");
    suite.add_property(("verdict", report.verdict().as_str()));
    suite.add_property(("runs", report.summary.runs.runs.to_string().as_str()));
    for (at, note) in report.notes().iter().enumerate() {
        suite.add_property((format!("note {}", at + 1).as_str(), cropped(note, MESSAGE).as_str()));
    }
    for rate in &report.summary.rates {
        let mut case =
            TestCase::new(format!("{} ({})", title(rate), level_words(rate.level)), status(report, rate));
        case.set_classname("toolmirage.audit");
        case.set_system_out(sentence(rate));
        suite.add_test_case(case);
    }
    if report.summary.required_tools.is_some() {
        suite.add_test_case(required(report));
    }
    if !report.summary.is_judged() {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message("nothing could be judged");
        let mut case = TestCase::new("judged", status);
        case.set_classname("toolmirage.audit");
        suite.add_test_case(case);
    }
    junit.add_test_suite(suite);
    let mut xml = Vec::new();
    write_junit(junit, &mut xml)?;
    Ok(xml)
}

fn status(report: &AuditReport<'_>, rate: &AuditRate) -> TestCaseStatus {
    if rate.events == 0 {
        if rate.state == RateState::Measured {
            return TestCaseStatus::success();
        }
        let mut status = TestCaseStatus::skipped();
        status.set_message(sentence(rate));
        return status;
    }
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(sentence(rate));
    status.set_type(rate.metric.as_str());
    let of_rate = report
        .findings
        .iter()
        .filter(|finding| finding.finding == rate.metric && finding.level == rate.level)
        .take(QUOTED);
    let quoted: Vec<String> = of_rate
        .map(|finding| {
            format!(
                "{} {}: {}\n  said {}: {}\n  fix: {}",
                cropped_name(&finding.run.run, 80),
                cropped_name(&finding.run.trial, 80),
                cropped(&finding.message, MESSAGE),
                cropped(&report.file(finding.said), 120),
                cropped(&finding.quote, 160),
                finding.fix
            )
        })
        .collect();
    if !quoted.is_empty() {
        status.set_description(quoted.join("\n"));
    }
    status
}

fn required(report: &AuditReport<'_>) -> TestCase {
    let without = &report.summary.unwrapped;
    let status = if without.is_empty() {
        TestCaseStatus::success()
    } else {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(format!("{} without a row", crate::number::counted(without.len() as u64, "tool")));
        status.set_type("unwrapped_tool");
        let lines = without.iter().take(100).map(|tool| {
            format!("{}: {}", cropped_name(&tool.tool, 80), unwrapped_words(tool.called, tool.claimed))
        });
        status.set_description(lines.collect::<Vec<_>>().join("\n"));
        status
    };
    let mut case = TestCase::new("every required tool leaves a row", status);
    case.set_classname("toolmirage.audit");
    case
}
