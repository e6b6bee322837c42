//! CSV in long form: a row for each cell, part of the probes and rate, with the paired figures of a comparison
//! beside the candidate's own. An empty field is something that there is not: it is never 0.

use std::io::Write;

use probes::RateName;
use scorer::{Rate, RateState};
use transcript::{CellId, Side};

use super::word;
use crate::compare::Direction;
use crate::gate::{Gate, GateQuestion};
use crate::report::CellReport;
use crate::table::compared::change_of;
use crate::text_safe::cropped;
use crate::{Report, ReportError};

/// Characters of a text.
const TEXT: usize = 300;

/// Every column with what stands in it, in order. `reports/README.md` has this table.
pub(crate) const COLUMNS: &[(&str, &str)] = &[
    ("run", "the run's name"),
    ("suite", "the suite's name"),
    ("suite_version", "its version"),
    ("cell", "the cell's id"),
    ("side", "`candidate` or `baseline`"),
    ("prompt", "the prompt's name; empty without one"),
    ("catalog", "the catalog's label"),
    ("model", "the model asked for"),
    ("simulated", "`true` where a scripted stand-in answered: then no figure measures a model"),
    ("finished", "`false` where the record has no footer"),
    ("slice_by", "`all`, `kind`, `tool`, `source`, `draft`"),
    ("slice", "which; empty of `all`"),
    ("metric", "the rate"),
    ("unit", "what `events` and `scored` count"),
    ("events", "trials with the event"),
    ("scored", "trials scored"),
    ("planned", "trials planned"),
    ("mean", "mean over probes of (trials with the event / scored repeats), in shares of 1"),
    ("probes", "probes with a scored repeat"),
    ("clusters", "their tasks"),
    ("low_95", "lower end of the two-sided 95 % interval of `mean`"),
    ("high_95", "its upper end"),
    ("low_90", "lower end of the two-sided 90 % interval, the one that ceilings look at"),
    ("high_90", "its upper end"),
    ("state", "`measured`, `not_measured`, `coverage_too_low`, `censored`"),
    ("pairs", "probes scored on both sides (this and what follows: `all` rows of a comparison's candidate)"),
    ("baseline_events", "trials of the pairs with the event, before"),
    ("baseline_scored", "trials of the pairs scored, before"),
    ("baseline_rate", "mean over the pairs, before"),
    ("candidate_events", "trials of the pairs with the event, after"),
    ("candidate_scored", "trials of the pairs scored, after"),
    ("candidate_rate", "mean over the pairs, after"),
    ("difference", "`candidate_rate` less `baseline_rate`"),
    ("difference_low_95", "lower end of its two-sided 95 % interval"),
    ("difference_high_95", "its upper end"),
    ("difference_low_90", "lower end of its two-sided 90 % interval, the one that the gate looks at"),
    ("difference_high_90", "its upper end"),
    ("worse", "pairs with a greater share of events after"),
    ("better", "pairs with a smaller one"),
    ("exact_p", "two-sided p of the sign-flip test over tasks"),
    ("mid_p", "its mid-p"),
    (
        "adjusted_p",
        "gated: `mid_p` by Holm's method over all gated rates and cells; else a q by Benjamini and Hochberg's",
    ),
    ("gated", "`true` where the gate looks at it"),
    ("direction", "`rose`, `fell`, `unclear`, `not_comparable`"),
    ("verdict", "what the gate says of the rise: `pass`, `inconclusive`, `invalid`, `fail`"),
    ("sees_rise", "the rise that this comparison shows with a chance of 80 %"),
];

/// Writes the report as CSV.
pub(super) fn draw(report: &Report, out: &mut dyn Write) -> Result<(), ReportError> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS.iter().map(|(name, _)| name)).map_err(failed)?;
    for cell in &report.cells {
        let identity = identity(report, cell);
        let all = [("all", "", &cell.rates)].into_iter();
        let slices = cell.slices.iter().map(|slice| (slice.by.as_str(), slice.value.as_str(), &slice.rates));
        for (by, value, rates) in all.chain(slices) {
            for rate in rates {
                let mut record = identity.clone();
                record.extend([text(by), text(value)]);
                record.extend(figures(rate));
                let paired = if by == "all" { paired(report, &cell.id, rate.metric) } else { None };
                record.extend(paired.unwrap_or_default());
                record.resize(COLUMNS.len(), String::new());
                writer.write_record(&record).map_err(failed)?;
            }
        }
    }
    writer.flush()?;
    Ok(())
}

/// Records are all of one length and in memory: what can fail is the writing.
pub(crate) fn failed(error: csv::Error) -> ReportError {
    ReportError::Write(std::io::Error::other(error))
}

/// What was run.
fn identity(report: &Report, cell: &CellReport) -> Vec<String> {
    let identity = &report.identity;
    let known = identity.cell(&cell.id);
    let prompt = known.and_then(|known| identity.prompts.get(known.prompt.as_ref()?));
    let catalog = known.and_then(|known| identity.catalogs.get(&known.catalog));
    let target = known.and_then(|known| identity.targets.get(&known.target));
    let side = known.map_or("", |known| match known.side {
        Side::Candidate => "candidate",
        Side::Baseline => "baseline",
    });
    vec![
        text(&identity.run),
        text(&identity.suite.name),
        identity.suite.version.to_string(),
        text(&cell.id.to_string()),
        side.to_owned(),
        prompt.map_or_else(String::new, |prompt| text(&prompt.label)),
        catalog.map_or_else(String::new, |catalog| text(&catalog.label)),
        target.map_or_else(String::new, |target| text(&target.model)),
        cell.simulated.to_string(),
        report.finished.to_string(),
    ]
}

/// A rate's own figures. Where there is no rate, there is neither a share nor an interval; where nothing was
/// scored or the endpoint hides it, there are no events either.
fn figures(rate: &Rate) -> Vec<String> {
    let measured = rate.state == RateState::Measured;
    let counted = measured || rate.state == RateState::CoverageTooLow;
    let mut out = vec![
        text(rate.metric.as_str()),
        word(&rate.unit),
        if counted && rate.scored > 0 { rate.events.to_string() } else { String::new() },
        rate.scored.to_string(),
        rate.planned.to_string(),
        number(rate.mean_over_probes.filter(|_| measured)),
        rate.probes.to_string(),
        rate.clusters.to_string(),
    ];
    out.extend(ends(rate.interval_95.filter(|_| measured)));
    out.extend(ends(rate.interval_90.filter(|_| measured)));
    out.push(word(&rate.state));
    out
}

/// The paired figures of the candidate's cell.
fn paired(report: &Report, cell: &CellId, metric: RateName) -> Option<Vec<String>> {
    let comparison = report.comparison.as_ref()?;
    let compared = comparison.cells.iter().find(|compared| compared.candidate == *cell)?;
    let change = change_of(compared, metric)?;
    let mut out = match change.rate.as_ref().filter(|_| change.direction != Direction::NotComparable) {
        None => vec![String::new(); 16],
        Some(rate) => {
            let mut out = vec![
                rate.pairs.to_string(),
                rate.baseline.events.to_string(),
                rate.baseline.scored.to_string(),
                number(Some(rate.baseline_rate)),
                rate.candidate.events.to_string(),
                rate.candidate.scored.to_string(),
                number(Some(rate.candidate_rate)),
                number(Some(rate.difference)),
            ];
            out.extend(ends(rate.interval_95));
            out.extend(ends(rate.interval_90));
            out.extend([rate.worse.to_string(), rate.better.to_string()]);
            out.extend([number(rate.exact_p), number(rate.mid_p)]);
            out
        }
    };
    let verdict = report.gate.as_ref().and_then(|gate| verdict(gate, cell, metric));
    out.extend([
        number(change.adjusted_p),
        change.gated.to_string(),
        word(&change.direction),
        verdict.unwrap_or_default().to_owned(),
        number(change.sees_rise),
    ]);
    Some(out)
}

fn verdict(gate: &Gate, cell: &CellId, metric: RateName) -> Option<&'static str> {
    let line = gate.lines.iter().find(|line| {
        line.question == GateQuestion::Regression
            && line.cell.as_ref() == Some(cell)
            && line.metric == Some(metric)
    })?;
    Some(line.verdict.as_str())
}

/// A number in full: what reads it back has the same number.
pub(crate) fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(String::new, |value| value.to_string())
}

/// Both ends of an interval.
fn ends(interval: Option<(f64, f64)>) -> [String; 2] {
    [number(interval.map(|(low, _)| low)), number(interval.map(|(_, high)| high))]
}

/// A text of others. A spreadsheet takes a field that begins with one of these for a formula, with white space
/// before it too; behind an apostrophe it is a text.
pub(crate) fn text(value: &str) -> String {
    let shown = cropped(value, TEXT);
    let starts_a_formula =
        shown.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '|', '%']);
    if starts_a_formula { format!("'{shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\u{a0}=1", "＝1", "|cmd"] {
            assert!(text(formula).starts_with('\''), "{formula}");
        }
        assert_eq!(text("\t=1"), "\\t=1", "a tab is shown, and then it is no formula");
        assert_eq!(text("\r=1"), "\\r=1");
        assert_eq!(text("create_refund"), "create_refund");
    }

    #[test]
    fn numbers_read_back_equal() {
        for value in [0.1 + 0.2, 1.0 / 3.0, 2.98e-8, -0.05, 0.0] {
            assert_eq!(number(Some(value)).parse::<f64>(), Ok(value));
        }
        assert_eq!(number(None), "");
        assert_eq!(number(Some(f64::NAN)), "");
    }

    #[test]
    fn the_columns_are_documented() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reports/README.md");
        let readme = std::fs::read_to_string(path).unwrap_or_default();
        let rows: Vec<String> =
            COLUMNS.iter().map(|(name, meaning)| format!("| `{name}` | {meaning} |\n")).collect();
        let table = format!("| column | what stands in it |\n|---|---|\n{}", rows.concat());
        assert!(readme.contains(&table), "reports/README.md should have:\n{table}");
    }
}
