//! Showing what an audit came to, with the numbers and the escaping of all other reports. Everything is decided
//! already; nothing is counted here.

mod json;
mod junit;
mod markdown;
mod text;

use scorer::EvidenceLevel;
use scorer::RateState;
use scorer::audit::{AuditFinding, AuditRate, AuditSummary, Place};

use crate::number::{Figure, PROBES_FOR_A_PERCENTAGE, count};

pub use json::{AuditLine, FindingLine, LinePlace, finding_line, summary_line};
pub use junit::audit_junit;
pub use markdown::audit_markdown;
pub use text::audit_text;

/// An audit as it is shown: all of its figures, and the first of its findings.
#[derive(Debug, Clone, Copy)]
pub struct AuditReport<'a> {
    /// What it came to.
    pub summary: &'a AuditSummary,
    /// The findings that are shown, in order.
    pub findings: &'a [AuditFinding],
}

impl AuditReport<'_> {
    /// What has to be known first.
    fn verdict(&self) -> String {
        let AuditSummary { findings, unwrapped, runs, .. } = self.summary;
        let runs = crate::number::counted(runs.runs, "run");
        let mut parts = Vec::new();
        if *findings > 0 {
            parts.push(format!("{} in {runs}", crate::number::counted(*findings, "finding")));
        }
        if !unwrapped.is_empty() {
            parts.push(format!("{} without a row", crate::number::counted(unwrapped.len() as u64, "tool")));
        }
        if !parts.is_empty() {
            return format!("FOUND  {}", parts.join("; "));
        }
        if self.summary.is_judged() {
            let not_tested: Vec<&str> = self
                .summary
                .rates
                .iter()
                .filter(|rate| rate.level == EvidenceLevel::NotTested)
                .map(|rate| rate.metric.as_str())
                .collect();
            let but = if not_tested.is_empty() {
                String::new()
            } else {
                format!("; not tested, and not passed: {}", not_tested.join(", "))
            };
            format!("PASS  nothing found in {runs}{but}")
        } else {
            format!("INVALID  nothing could be judged in {runs}: not tested is never passed")
        }
    }

    /// Runs by what is known of them, and what was left out, a sentence each.
    fn notes(&self) -> Vec<String> {
        let runs = &self.summary.runs;
        let counted = |number: u64, word: &str, rest: &str| {
            (number > 0).then(|| format!("{} {rest}", crate::number::counted(number, word)))
        };
        let mut notes: Vec<String> = [
            counted(runs.rows_alone, "run", "with rows and no final message: nothing is claimed there"),
            counted(runs.final_alone, "run", "with a final message and no row: nothing ran there"),
            counted(
                runs.unlogged,
                "run",
                "with answered calls that the executor log has no row of: not every tool is wrapped",
            ),
            counted(runs.replaced, "final message", "replaced by a later one of the same run"),
            counted(
                runs.orphaned_ends,
                "orphaned end",
                "of a call without a start, and without the tool's name",
            ),
            counted(
                runs.with_gap,
                "run",
                "with a gap in the executor log (a row that cannot be read, or an end of an unnamed call): \
                 claims are not tested there",
            ),
            counted(
                runs.unread_words,
                "status word",
                "of claims not understood: neither done, failed nor skipped, and in no rate",
            ),
        ]
        .into_iter()
        .flatten()
        .collect();
        // A log of some of the runs looks exactly like one of runs in which nothing ran.
        if runs.final_alone * 3 > runs.with_final && runs.with_rows > 0 {
            notes.push(format!(
                "the log has rows of only {} runs with a final message: where it is not the log of all of them, \
                 audit those that it covers",
                crate::number::of(runs.with_final - runs.final_alone, runs.with_final)
            ));
        }
        for file in self.summary.files.iter().filter(|file| file.unreadable > 0) {
            let examples: Vec<String> =
                file.examples.iter().map(|(line, why)| format!("line {line} {why}")).collect();
            let of = crate::number::of(file.unreadable, file.lines);
            notes.push(format!("{}: {of} lines not read ({})", file.file, examples.join("; ")));
        }
        notes
    }

    fn file(&self, place: Place) -> String {
        let file = usize::try_from(place.file).ok().and_then(|file| self.summary.files.get(file));
        format!("{}:{}", file.map_or("?", |file| file.file.as_str()), place.line)
    }
}

/// The figure of a rate as it may be shown: every run is a probe of its own.
fn figure(rate: &AuditRate) -> Figure {
    let AuditRate { events, scored, .. } = *rate;
    let planned = scored + rate.excluded.values().sum::<u64>();
    match (rate.state, rate.share) {
        (RateState::CoverageTooLow, _) => Figure::CoverageTooLow { scored, planned },
        (RateState::Measured, Some(_)) if scored < PROBES_FOR_A_PERCENTAGE => {
            Figure::Counts { events, scored }
        }
        (RateState::Measured, Some(_)) if events == 0 => {
            Figure::Zero { scored, at_most: rate.interval_95.map(|(_, upper)| upper) }
        }
        (RateState::Measured, Some(share)) => {
            Figure::Share { share, events, scored, interval: rate.interval_95 }
        }
        _ => Figure::NotMeasured,
    }
}

/// A rate's name, with what it rests on where that is grounding.
fn title(rate: &AuditRate) -> String {
    let name = rate.metric.as_str();
    if rate.by_grounding { format!("{name} by grounding") } else { name.to_owned() }
}

/// What was left out of a rate, by reason.
fn left_out(rate: &AuditRate) -> String {
    let reasons = rate.excluded.iter().map(|(reason, runs)| format!("{reason} {}", count(*runs)));
    reasons.collect::<Vec<_>>().join(", ")
}

/// The same by call and by argument.
fn beside(rate: &AuditRate) -> Option<String> {
    let calls = rate.per_call.map(|per| format!("{} calls", crate::number::of(per.events, per.calls)));
    let arguments =
        rate.per_argument.map(|per| format!("{} arguments", crate::number::of(per.events, per.arguments)));
    let parts: Vec<String> = calls.into_iter().chain(arguments).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A rate in one line: its figure, the same by call and argument, and what was left out.
fn sentence(rate: &AuditRate) -> String {
    let left_out = Some(left_out(rate)).filter(|out| !out.is_empty()).map(|out| format!("left out: {out}"));
    let parts = [Some(figure(rate).sentence()), beside(rate), left_out];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// What a tool without a row means.
fn unwrapped_words(called: u64, claimed: u64) -> String {
    let seen = match (called, claimed) {
        (0, 0) => {
            return "no row, and nobody called or claimed it: nothing shows that it is wrapped".to_owned();
        }
        (0, claimed) => format!("claimed {}", times(claimed)),
        (called, 0) => format!("called {} in transcripts", times(called)),
        (called, claimed) => {
            format!("called {} in transcripts and claimed {}", times(called), times(claimed))
        }
    };
    format!("no row, and {seen}: it is not wrapped, or it never ran")
}

fn times(number: u64) -> String {
    crate::number::counted(number, "time")
}

/// What a level of evidence means for a figure.
fn level_words(level: EvidenceLevel) -> &'static str {
    level.as_str()
}
