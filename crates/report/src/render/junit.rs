//! JUnit XML: a suite a cell, a case a probe, and a suite for the gate, a case a line. It keeps to what the
//! schema of Jenkins' xUnit plugin (`junit-10.xsd`) allows, which is what most readers of such files agree on:
//! no properties in a case (they stand in its output, in the `[[PROPERTY|name=value]]` notation that report
//! viewers read), no count of skipped cases on the root. There is no time in it: the same report gives the same
//! bytes.

use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};
use transcript::{CellId, ProbeId, Side};

use crate::gate::{Gate, GateLine, GateQuestion, GateVerdict};
use crate::number::{Figure, counted, of};
use crate::report::{CellReport, ProbeReport, ShownTrial};
use crate::text_safe::{cropped, visible, visible_block};
use crate::words::words;
use crate::{Report, ReportError};

/// Failing trials of a probe that are quoted.
const QUOTED: usize = 5;
/// Characters of a name, of a message, of a quoted text.
const NAME: usize = 300;
const MESSAGE: usize = 500;

/// Writes the report as JUnit XML.
pub(super) fn draw(report: &Report, out: &mut dyn Write) -> Result<(), ReportError> {
    let mut junit = Junit::new(title(report));
    let failing = by_probe(report);
    for cell in cells(report) {
        junit.add_test_suite(suite(report, cell, &failing));
    }
    if let Some(gate) = &report.gate {
        junit.add_test_suite(gate_suite(report, gate));
    }
    write(junit, out)
}

/// Writes the XML of a report, within the schema.
pub(crate) fn write(junit: Junit, out: &mut dyn Write) -> Result<(), ReportError> {
    let xml = junit.to_string()?;
    drop(junit);
    let skipped = skipped_on_root(&xml).unwrap_or(xml.len()..xml.len());
    out.write_all(&xml.as_bytes()[..skipped.start])?;
    out.write_all(&xml.as_bytes()[skipped.end..])?;
    Ok(())
}

/// What has to be known first, and the suite.
fn title(report: &Report) -> String {
    let parts = [report.notice.as_deref(), report.unfinished.as_deref()];
    let mut parts: Vec<String> = parts.into_iter().flatten().map(|part| cropped(part, MESSAGE)).collect();
    parts.push(format!("toolmirage {}", cropped(&report.identity.suite.name, NAME)));
    parts.join("; ")
}

/// The schema knows `skipped` on a suite alone: where it stands on the root. Quotes within attributes are escaped, so
/// that what is searched for is the attribute itself.
fn skipped_on_root(xml: &str) -> Option<Range<usize>> {
    let start = xml.find("<testsuites ")?;
    let end = xml[start..].find('>').map_or(xml.len(), |at| start + at);
    let root = &xml[start..end];
    let from = root.find(" skipped=\"")?;
    let value = from + " skipped=\"".len();
    let to = root[value..].find('"').map_or(root.len(), |at| value + at + 1);
    Some(start + from..start + to)
}

/// The cells that have a suite: those of the candidate, where there are two sides.
fn cells(report: &Report) -> impl Iterator<Item = &CellReport> {
    report.cells.iter().filter(|cell| {
        report.comparison.is_none()
            || report.identity.cell(&cell.id).is_none_or(|identity| identity.side == Side::Candidate)
    })
}

type Failing<'a> = HashMap<(&'a CellId, &'a ProbeId), Vec<&'a ShownTrial>>;

fn by_probe(report: &Report) -> Failing<'_> {
    let mut failing = Failing::new();
    for trial in &report.failing {
        failing.entry((&trial.cell, &trial.probe)).or_default().push(trial);
    }
    failing
}

fn suite(report: &Report, cell: &CellReport, failing: &Failing<'_>) -> TestSuite {
    let mut suite = TestSuite::new(cropped(&cell.label, NAME));
    for (name, value) in properties(report, cell) {
        suite.add_property((name.as_str(), value.as_str()));
    }
    for probe in &cell.probes {
        let trials = failing.get(&(&cell.id, &probe.probe)).map(Vec::as_slice).unwrap_or_default();
        suite.add_test_case(case(report, probe, trials));
    }
    suite
}

/// What was run, and the rates of the cell.
fn properties(report: &Report, cell: &CellReport) -> Vec<(String, String)> {
    let identity = &report.identity;
    let mut all = vec![
        ("suite".to_owned(), format!("{} v{}", identity.suite.name, identity.suite.version)),
        ("suite_hash".to_owned(), identity.suite.hash.to_string()),
        ("run".to_owned(), identity.run.clone()),
        ("cell".to_owned(), cell.id.to_string()),
        ("simulated".to_owned(), cell.simulated.to_string()),
        ("scorer".to_owned(), cell.scorer.clone()),
    ];
    if let Some(known) = identity.cell(&cell.id) {
        let prompt = known.prompt.as_ref().and_then(|hash| identity.prompts.get(hash));
        let catalog = identity.catalogs.get(&known.catalog);
        let target = identity.targets.get(&known.target);
        all.extend(prompt.map(|prompt| ("prompt".to_owned(), prompt.label.clone())));
        all.extend(catalog.map(|catalog| ("catalog".to_owned(), catalog.label.clone())));
        all.extend(target.map(|target| ("model".to_owned(), target.model.clone())));
    }
    for rate in &cell.rates {
        all.push((rate.metric.as_str().to_owned(), Figure::of(rate).sentence()));
    }
    all.into_iter().map(|(name, value)| (cropped(&name, NAME), cropped(&value, NAME))).collect()
}

fn case(report: &Report, probe: &ProbeReport, trials: &[&ShownTrial]) -> TestCase {
    let statuses: Vec<String> =
        probe.statuses.iter().map(|(status, trials)| format!("{} {trials}", status.as_str())).collect();
    let status = if probe.scored() == 0 {
        let why = if statuses.is_empty() { "not sent".to_owned() } else { statuses.join(", ") };
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("no repeat was scored: {why}"));
        status
    } else if probe.fails() {
        failure(probe, trials)
    } else {
        TestCaseStatus::success()
    };
    let mut case = TestCase::new(cropped(probe.probe.as_str(), NAME), status);
    case.set_classname(cropped(&format!("{}.{}", report.identity.suite.name, probe.kind), NAME));
    case.set_system_out(output(probe, &statuses));
    case
}

/// Repeats and rates of a probe, a property a line.
fn output(probe: &ProbeReport, statuses: &[String]) -> String {
    let mut lines = vec![property("repeats", &probe.planned.to_string())];
    if !statuses.is_empty() {
        lines.push(property("statuses", &statuses.join(", ")));
    }
    let (right, wrong, unclear) = probe.behaviours;
    lines.push(property("behaviour", &format!("right {right}, wrong {wrong}, unclear {unclear}")));
    lines.extend(probe.arm.as_deref().map(|arm| property("arm", arm)));
    if probe.must_pass {
        lines.push(property("must_pass", "true"));
    }
    for (rate, repeats) in &probe.rates {
        lines.push(property(rate.as_str(), &of(repeats.events.into(), repeats.scored.into())));
    }
    lines.join("\n")
}

fn property(name: &str, value: &str) -> String {
    // Two brackets end a property.
    format!("[[PROPERTY|{name}={}]]", cropped(value, NAME).replace(']', ")"))
}

/// What was found, with the words that show it.
fn failure(probe: &ProbeReport, trials: &[&ShownTrial]) -> TestCaseStatus {
    let mut parts: Vec<String> = probe
        .rates
        .iter()
        .filter(|(_, repeats)| repeats.events > 0)
        .map(|(rate, repeats)| {
            format!("{} in {}", words(*rate).title, of(repeats.events.into(), repeats.scored.into()))
        })
        .collect();
    if probe.behaviours.1 > 0 {
        parts.push(format!("wrong behaviour in {}", of(probe.behaviours.1.into(), probe.scored().into())));
    }
    let kind = probe.rates.iter().find(|(_, repeats)| repeats.events > 0);
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(format!("{} scored repeats", parts.join(", ")));
    status.set_type(kind.map_or("wrong_behaviour", |(rate, _)| rate.as_str()));
    let mut evidence: Vec<String> = trials.iter().take(QUOTED).map(|trial| quoted(trial)).collect();
    if trials.len() > QUOTED {
        evidence.push(counted((trials.len() - QUOTED) as u64, "more failing trial"));
    }
    if !evidence.is_empty() {
        status.set_description(evidence.join("\n\n"));
    }
    status
}

/// A trial: its findings with the words that show them, and what was called.
fn quoted(trial: &ShownTrial) -> String {
    let block = |text: &str| visible_block(&text.chars().take(MESSAGE).collect::<String>()).into_owned();
    let mut lines = vec![visible(&trial.trial).chars().take(NAME).collect::<String>()];
    for finding in &trial.findings {
        lines.push(format!("{}: {}", finding.rate.as_str(), block(&finding.message.text)));
        if !finding.evidence.quote.is_empty() {
            lines.push(format!("  shown by: {}", block(&finding.evidence.quote)));
        }
        if !finding.fix.is_empty() {
            lines.push(format!("  try: {}", block(&finding.fix)));
        }
    }
    if let Some(outcome) = &trial.outcome {
        lines.push(format!("outcome: {}", outcome.label.as_str()));
    }
    for call in trial.turns.iter().flat_map(|turn| &turn.calls) {
        let arguments = call.arguments.as_ref().map_or("", |arguments| arguments.text.as_str());
        lines.push(format!("called: {}", block(&format!("{}({arguments})", call.name.text))));
    }
    if let Some(text) = trial.turns.iter().rev().find_map(|turn| turn.text.as_ref()) {
        lines.push(format!("said: {}", block(&text.text)));
    }
    lines.join("\n")
}

fn gate_suite(report: &Report, gate: &Gate) -> TestSuite {
    let mut suite = TestSuite::new("gate");
    suite.add_property(("verdict", gate.verdict.as_str()));
    suite.add_property(("headline", cropped(&gate.headline, MESSAGE).as_str()));
    if let Some(profile) = &gate.policy.profile {
        suite.add_property(("profile", cropped(profile, NAME).as_str()));
    }
    for line in &gate.lines {
        let mut case = TestCase::new(cropped(&line_name(line), NAME), line_status(gate, line));
        case.set_classname(cropped(&format!("{}.gate", report.identity.suite.name), NAME));
        if line.verdict == GateVerdict::Pass {
            // Any other has them as its message.
            case.set_system_out(cropped(&line.words, MESSAGE));
        }
        suite.add_test_case(case);
    }
    suite
}

/// The same question has the same name in every run.
fn line_name(line: &GateLine) -> String {
    let question = match line.question {
        GateQuestion::Regression => "regression",
        GateQuestion::Ceiling => "ceiling",
        GateQuestion::MustPass => "must_pass",
        GateQuestion::Coverage => "coverage",
        GateQuestion::Comparable => "comparable",
    };
    let parts = [Some(question), line.metric.map(|metric| metric.as_str()), line.label.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn line_status(gate: &Gate, line: &GateLine) -> TestCaseStatus {
    let mut status = match line.verdict {
        GateVerdict::Pass => return TestCaseStatus::success(),
        GateVerdict::Inconclusive if !gate.inconclusive_fails => TestCaseStatus::skipped(),
        GateVerdict::Inconclusive | GateVerdict::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
        GateVerdict::Invalid => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    status.set_message(cropped(&line.words, MESSAGE));
    status.set_type(line.verdict.as_str());
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_says_nothing_of_skipped_cases_and_a_name_cannot_pretend_to() {
        let xml = "<?xml?>\n<testsuites name=\"a skipped=&quot;1&quot;\" tests=\"1\" skipped=\"0\" failures=\"0\">\n\
                   <testsuite skipped=\"0\"/>";
        assert_eq!(
            skipped_on_root(xml)
                .map_or_else(|| xml.to_owned(), |at| xml[..at.start].to_owned() + &xml[at.end..]),
            "<?xml?>\n<testsuites name=\"a skipped=&quot;1&quot;\" tests=\"1\" failures=\"0\">\n\
             <testsuite skipped=\"0\"/>"
        );
    }

    #[test]
    fn a_value_cannot_end_its_property() {
        assert_eq!(property("arm", "a]]b\nc"), "[[PROPERTY|arm=a))b\\nc]]");
    }
}
